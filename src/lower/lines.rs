//! The lines of a text: which hold code, which only comments and attributes, and what the line
//! comments say. Parsers throw comments away, so the text is read once more.

/// A line comment on a line of its own.
pub(super) struct Remark {
    /// Its line, from 1.
    pub(super) line: u32,
    /// The column of its first slash, from 0.
    pub(super) column: u32,
    /// What follows the two slashes.
    pub(super) text: String,
}

/// What the lines of a text hold.
pub(super) struct Lines {
    pub(super) remarks: Vec<Remark>,
    /// Per line whether a comment or attribute stands there.
    covered: Vec<bool>,
    /// Per line whether code stands there.
    code: Vec<bool>,
}

impl Lines {
    pub(super) fn of(text: &str) -> Lines {
        let mut reader = Reader {
            text: text.chars().collect(),
            at: 0,
            line: 0,
            column: 0,
            lines: Lines {
                remarks: Vec::new(),
                covered: vec![false],
                code: vec![false],
            },
        };
        reader.read();
        reader.lines
    }

    /// Per line whether it holds comments and attributes, and nothing else.
    pub(super) fn transparent(&self) -> Vec<bool> {
        let lines = self.covered.iter().zip(&self.code);
        lines.map(|(covered, code)| *covered && !*code).collect()
    }
}

/// What a character belongs to.
#[derive(Clone, Copy)]
enum Part {
    Code,
    /// A comment or an attribute.
    Cover,
}

struct Reader {
    text: Vec<char>,
    at: usize,
    line: usize,
    column: u32,
    lines: Lines,
}

impl Reader {
    fn read(&mut self) {
        while let Some(c) = self.peek(0) {
            match c {
                '/' if self.comment() => {}
                '#' if self.opens_attribute() => self.attribute(),
                c if c.is_whitespace() => self.step(),
                _ => self.token(Part::Code),
            }
        }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.text.get(self.at + ahead).copied()
    }

    fn step(&mut self) {
        self.column += 1;
        if self.peek(0) == Some('\n') {
            self.line += 1;
            self.column = 0;
            self.lines.covered.push(false);
            self.lines.code.push(false);
        }
        self.at += 1;
    }

    fn take(&mut self, part: Part) {
        let lines = match part {
            Part::Code => &mut self.lines.code,
            Part::Cover => &mut self.lines.covered,
        };
        if let Some(line) = lines.get_mut(self.line) {
            *line = true;
        }
        self.step();
    }

    fn take_while(&mut self, part: Part, mut goes_on: impl FnMut(char) -> bool) {
        while self.peek(0).is_some_and(&mut goes_on) {
            self.take(part);
        }
    }

    /// Reads a comment, if one starts here.
    fn comment(&mut self) -> bool {
        match self.peek(1) {
            Some('/') => {
                let (start, column) = (self.at, self.column);
                let alone = !self.lines.code[self.line];
                self.take_while(Part::Cover, |c| c != '\n');
                if alone {
                    self.lines.remarks.push(Remark {
                        line: self.line as u32 + 1,
                        column,
                        text: self.text[start + 2..self.at].iter().collect(),
                    });
                }
                true
            }
            Some('*') => {
                let mut depth = 0;
                while let Some(c) = self.peek(0) {
                    match (c, self.peek(1)) {
                        ('/', Some('*')) => depth += 1,
                        ('*', Some('/')) => depth -= 1,
                        _ => {
                            self.take(Part::Cover);
                            continue;
                        }
                    }
                    self.take(Part::Cover);
                    self.take(Part::Cover);
                    if depth == 0 {
                        break;
                    }
                }
                true
            }
            _ => false,
        }
    }

    fn opens_attribute(&self) -> bool {
        self.peek(1) == Some('[') || (self.peek(1) == Some('!') && self.peek(2) == Some('['))
    }

    fn attribute(&mut self) {
        let mut depth = 0;
        while let Some(c) = self.peek(0) {
            match c {
                '/' if self.skip_comment() => continue,
                '[' => depth += 1,
                ']' => depth -= 1,
                _ => {
                    self.token(Part::Cover);
                    continue;
                }
            }
            self.take(Part::Cover);
            if depth == 0 {
                break;
            }
        }
    }

    /// Reads a comment that declares nothing because it stands inside something.
    fn skip_comment(&mut self) -> bool {
        let before = self.lines.remarks.len();
        let found = self.comment();
        self.lines.remarks.truncate(before);
        found
    }

    /// Reads a text, a character, a word or a sign.
    fn token(&mut self, part: Part) {
        match self.peek(0) {
            Some('"') => self.quoted(part, '"'),
            Some('\'') if self.peek(1) == Some('\\') || self.peek(2) == Some('\'') => {
                self.quoted(part, '\'');
            }
            Some(c) if c.is_alphanumeric() || c == '_' => {
                let start = self.at;
                self.take_while(part, |c| c.is_alphanumeric() || c == '_');
                let word: String = self.text[start..self.at].iter().collect();
                if ["r", "br", "cr"].contains(&word.as_str()) {
                    self.raw(part);
                }
            }
            _ => self.take(part),
        }
    }

    fn quoted(&mut self, part: Part, quote: char) {
        self.take(part);
        while let Some(c) = self.peek(0) {
            if c == '\\' {
                self.take(part);
            }
            self.take(part);
            if c == quote {
                break;
            }
        }
    }

    /// Reads a raw text after its letters, if it is one.
    fn raw(&mut self, part: Part) {
        let mut hashes = 0;
        while self.peek(hashes) == Some('#') {
            hashes += 1;
        }
        if self.peek(hashes) != Some('"') {
            return;
        }
        for _ in 0..=hashes {
            self.take(part);
        }
        while let Some(c) = self.peek(0) {
            self.take(part);
            if c == '"' && (0..hashes).all(|ahead| self.peek(ahead) == Some('#')) {
                break;
            }
        }
    }
}
