//! The findings for people: the code, what is wrong in it, how the job comes there, what to do.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use codespan_reporting::diagnostic::{Diagnostic, Label, LabelStyle, Severity};
use codespan_reporting::files::SimpleFiles;
use codespan_reporting::term::{self, Config, WriteStyle};
use retrysafe_rules::rule::Level;

use super::model::{FindingReport, Place, Report, Span};

/// The findings with the code that they are about; `source` gives the text of a file.
pub fn human(report: &Report, source: &dyn Fn(&str) -> Option<String>) -> String {
    let mut files = Files::default();
    let mut out = Painted::default();
    let config = Config {
        end_context_lines: 0,
        start_context_lines: 1,
        ..Config::default()
    };
    for finding in &report.findings {
        let diagnostic = diagnostic(finding, &mut files, source);
        // Writing to memory fails for no file that was added.
        let _ = term::emit_to_write_style(&mut out, &config, &files.texts, &diagnostic);
    }
    String::from_utf8(out.bytes).unwrap_or_default()
}

/// The texts shown so far, by name.
#[derive(Default)]
struct Files {
    texts: SimpleFilesOf,
    ids: BTreeMap<String, usize>,
}

type SimpleFilesOf = SimpleFiles<String, String>;

impl Files {
    fn id(&mut self, file: &str, source: &dyn Fn(&str) -> Option<String>) -> usize {
        match self.ids.get(file) {
            Some(id) => *id,
            None => {
                let text = source(file).unwrap_or_default();
                let id = self.texts.add(file.to_owned(), text);
                self.ids.insert(file.to_owned(), id);
                id
            }
        }
    }

    fn label(
        &mut self,
        style: LabelStyle,
        span: &Span,
        message: &str,
        source: &dyn Fn(&str) -> Option<String>,
    ) -> Label<usize> {
        let id = self.id(&span.file, source);
        let text = match self.texts.get(id) {
            Ok(file) => file.source().as_str(),
            Err(_) => "",
        };
        let start = offset(text, span.start);
        // A long construct is shown by its first line.
        let end = if span.end.line == span.start.line {
            offset(text, span.end)
        } else {
            line_end(text, start)
        };
        Label::new(style, id, start..end.max(start)).with_message(message)
    }
}

fn diagnostic(
    finding: &FindingReport,
    files: &mut Files,
    source: &dyn Fn(&str) -> Option<String>,
) -> Diagnostic<usize> {
    let severity = match finding.level {
        Level::Deny => Severity::Error,
        Level::Warn => Severity::Warning,
        Level::Note | Level::Allow => Severity::Note,
    };
    let mut labels = vec![files.label(
        LabelStyle::Primary,
        &finding.primary,
        &finding.label,
        source,
    )];
    for related in &finding.related {
        labels.push(files.label(
            LabelStyle::Secondary,
            &related.span,
            &related.message,
            source,
        ));
    }
    let mut notes = Vec::new();
    for step in &finding.trace {
        notes.push(format!(
            "{} at {}:{}",
            step.message, step.span.file, step.span.start.line
        ));
    }
    if let [_, others @ ..] = finding.jobs.as_slice()
        && !others.is_empty()
    {
        let mut named: Vec<&str> = finding.jobs.iter().take(4).map(String::as_str).collect();
        let more = finding.jobs.len().saturating_sub(named.len());
        let rest = format!("{more} more");
        if more > 0 {
            named.push(&rest);
        }
        notes.push(format!("reached from the jobs {}", named.join(", ")));
    }
    if !finding.triggers.is_empty() {
        let triggers: Vec<&str> = finding
            .triggers
            .iter()
            .map(|trigger| trigger.word())
            .collect();
        notes.push(format!("runs again: {}", triggers.join(", ")));
    }
    if !finding.help.is_empty() {
        notes.push(format!("help: {}", finding.help));
    }
    notes.push(format!("more: `cargo retrysafe explain {}`", finding.rule));
    Diagnostic::new(severity)
        .with_code(finding.rule.word())
        .with_message(&finding.message)
        .with_labels(labels)
        .with_notes(notes)
}

/// The byte at a place; the end of the text for places behind it.
fn offset(text: &str, place: Place) -> usize {
    let mut start = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        if index + 1 == place.line as usize {
            let column = place.column.saturating_sub(1) as usize;
            let within = line
                .char_indices()
                .nth(column)
                .map_or(line.len(), |(at, _)| at);
            return start + within;
        }
        start += line.len();
    }
    text.len()
}

fn line_end(text: &str, from: usize) -> usize {
    text[from..].find('\n').map_or(text.len(), |at| from + at)
}

/// Text with the colours of a terminal; whoever prints it takes them away where they do not fit.
#[derive(Default)]
struct Painted {
    bytes: Vec<u8>,
}

impl Painted {
    fn style(&mut self, style: Style) -> io::Result<()> {
        write!(self.bytes, "{style}")
    }
}

impl Write for Painted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn color(severity: Severity) -> AnsiColor {
    match severity {
        Severity::Bug | Severity::Error => AnsiColor::BrightRed,
        Severity::Warning => AnsiColor::BrightYellow,
        Severity::Note => AnsiColor::BrightGreen,
        Severity::Help => AnsiColor::BrightCyan,
    }
}

impl WriteStyle for Painted {
    fn set_header(&mut self, severity: Severity) -> io::Result<()> {
        self.style(color(severity).on_default().bold())
    }

    fn set_header_message(&mut self) -> io::Result<()> {
        self.style(Style::new().bold())
    }

    fn set_line_number(&mut self) -> io::Result<()> {
        self.style(AnsiColor::Blue.on_default())
    }

    fn set_note_bullet(&mut self) -> io::Result<()> {
        self.style(AnsiColor::Blue.on_default())
    }

    fn set_source_border(&mut self) -> io::Result<()> {
        self.style(AnsiColor::Blue.on_default())
    }

    fn set_label(&mut self, severity: Severity, style: LabelStyle) -> io::Result<()> {
        match style {
            LabelStyle::Primary => self.style(color(severity).on_default()),
            LabelStyle::Secondary => self.style(AnsiColor::Blue.on_default()),
        }
    }

    fn reset(&mut self) -> io::Result<()> {
        write!(self.bytes, "{}", anstyle::Reset)
    }
}
