//! Definitions that code spells by calling a builder, as migrations written in Rust do. How builders
//! spell them says the catalogue.

use std::collections::HashMap;

use retrysafe_rules::catalog::{DefinitionEntry, Makes, Says};

use crate::ir::{Body, Expr, ExprId, FileId, Literal, Name, Pat, Path, Piece, Place, words};
use crate::resolve::{Program, TypeDef, TypeId};
use crate::sql::Condition;
use crate::sql::schema::{Change, Column, Fill, Origin, Table, Unique, UniqueKind, UniquePart};

/// How builders spell definitions: each beginning of a chain by its names, with its entry.
pub(super) struct Vocabulary<'k>(Vec<(Vec<Name>, &'k DefinitionEntry)>);

impl<'k> Vocabulary<'k> {
    pub(super) fn of(entries: &'k [DefinitionEntry]) -> Self {
        let begins = entries
            .iter()
            .flat_map(|entry| entry.begins.iter().map(move |begin| (begin, entry)));
        Vocabulary(
            begins
                .map(|(begin, entry)| (begin.split("::").map(Name::from).collect(), entry))
                .collect(),
        )
    }
}

/// What the builder calls of a body define, each with its place.
pub(super) fn definitions(
    words: &Vocabulary<'_>,
    program: &Program,
    file: FileId,
    body: &Body,
) -> Vec<(Place, Vec<Change>)> {
    // Most bodies have none.
    let is_mentioned = |names: &Vec<Name>| names.iter().all(|name| body.mentions(*name));
    if !words.0.iter().any(|(names, _)| is_mentioned(names)) {
        return Vec::new();
    }
    let chains = Chains::of(body);
    let reader = Reader {
        words,
        program,
        file,
        body,
        chains: &chains,
    };
    (0..body.exprs.len() as u32)
        .map(ExprId)
        .filter_map(|id| {
            let changes = reader.changes(id);
            (!changes.is_empty()).then(|| (body.place(id), changes))
        })
        .collect()
}

/// The method that is called on each expression.
struct Chains(HashMap<ExprId, ExprId>);

impl Chains {
    fn of(body: &Body) -> Self {
        let exprs = body.exprs.iter().zip(0..);
        Chains(
            exprs
                .filter_map(|(expr, id)| match expr {
                    Expr::MethodCall { receiver, .. } => Some((*receiver, ExprId(id))),
                    _ => None,
                })
                .collect(),
        )
    }
}

/// A step of a chain: what its method says, and the arguments.
type Step<'b> = (Says, &'b [ExprId]);

struct Reader<'b> {
    words: &'b Vocabulary<'b>,
    program: &'b Program,
    file: FileId,
    body: &'b Body,
    chains: &'b Chains,
}

impl<'b> Reader<'b> {
    /// The entry whose chain begins at an expression, and the arguments there.
    fn begin(&self, id: ExprId) -> Option<(&'b DefinitionEntry, &'b [ExprId])> {
        let Expr::Call { callee, args } = self.body.expr(id) else {
            return None;
        };
        let Expr::Path(path) = self.body.expr(*callee) else {
            return None;
        };
        let names = path.names();
        let mut begins = self.words.0.iter();
        let (_, entry) = begins.find(|(begin, _)| names.ends_with(begin))?;
        Some((entry, args))
    }

    /// The steps of a chain from its beginning.
    fn steps(&self, entry: &DefinitionEntry, begin: ExprId) -> Vec<Step<'b>> {
        let mut steps = Vec::new();
        let mut at = begin;
        while let Some(next) = self.chains.0.get(&at) {
            if let Expr::MethodCall { method, args, .. } = self.body.expr(*next)
                && let Some(says) = entry.calls.get(method.as_str())
            {
                steps.push((*says, args.as_slice()));
            }
            at = *next;
        }
        steps
    }

    /// The beginning of the chain that an expression is the end of.
    fn root(&self, mut id: ExprId) -> ExprId {
        loop {
            id = match self.body.expr(id) {
                Expr::MethodCall { receiver, .. } => *receiver,
                Expr::Same(inner) => *inner,
                _ => return id,
            };
        }
    }

    fn origin(&self, id: ExprId) -> Origin {
        Origin {
            source: self.file.0,
            line: self.body.place(id).line,
        }
    }

    fn changes(&self, id: ExprId) -> Vec<Change> {
        let Some((entry, _)) = self.begin(id) else {
            return Vec::new();
        };
        let steps = self.steps(entry, id);
        let named = |wanted: Says| {
            let step = steps.iter().find(|(says, _)| *says == wanted)?;
            self.name(*step.1.first()?)
        };
        let table = || named(Says::Table);
        match entry.makes {
            Makes::Table => self.table(&steps, id).into_iter().collect(),
            Makes::Change => match table() {
                Some(table) => steps
                    .iter()
                    .flat_map(|(says, args)| self.altered(&table, *says, args))
                    .collect(),
                None => Vec::new(),
            },
            Makes::DropTable => table().map(Change::Drop).into_iter().collect(),
            Makes::RenameTable => {
                let mut step = steps.iter().filter(|(says, _)| *says == Says::Table);
                let names = step.next().map(|(_, args)| args.iter());
                let mut names = names
                    .into_iter()
                    .flatten()
                    .filter_map(|arg| self.name(*arg));
                match (names.next(), names.next()) {
                    (Some(from), Some(to)) => vec![Change::Rename { from, to }],
                    _ => Vec::new(),
                }
            }
            Makes::Index => {
                let says_unique = steps.iter().any(|(says, _)| *says == Says::Unique);
                match table().map(|table| (self.key(id, &table, None), table)) {
                    Some((Some(key), table)) => vec![Change::AddUnique(table, key)],
                    Some((None, table)) if says_unique => vec![Change::Blur(table)],
                    _ => Vec::new(),
                }
            }
            Makes::DropIndex => named(Says::Name)
                .map(Change::DropIndex)
                .into_iter()
                .collect(),
            Makes::Column => Vec::new(),
        }
    }

    fn table(&self, steps: &[Step<'_>], id: ExprId) -> Option<Change> {
        let mut table = Table {
            origin: self.origin(id),
            ..Table::default()
        };
        let mut if_absent = false;
        let names = steps.iter().filter(|(says, _)| *says == Says::Table);
        table.name = names
            .filter_map(|(_, args)| self.name(*args.first()?))
            .next()?;
        for (says, args) in steps {
            let Some(arg) = args.first() else {
                if_absent |= *says == Says::IfAbsent;
                continue;
            };
            match says {
                Says::Column => match self.column(&table.name, *arg) {
                    Some((column, keys)) => {
                        table.columns.push(column);
                        table.uniques.extend(keys);
                    }
                    None => table.is_partial = true,
                },
                Says::Key | Says::PrimaryKey => {
                    let usual = (*says == Says::PrimaryKey).then_some(UniqueKind::Primary);
                    let key = self.key(self.root(*arg), &table.name, usual);
                    table.uniques.extend(key);
                }
                _ => {}
            }
        }
        Some(Change::Create {
            table,
            like: Vec::new(),
            if_absent,
        })
    }

    /// One step of a change of a table.
    fn altered(&self, table: &str, says: Says, args: &[ExprId]) -> Vec<Change> {
        let owned = || table.to_owned();
        let Some(first) = args.first() else {
            return Vec::new();
        };
        match says {
            Says::Column => match self.column(table, *first) {
                Some((column, keys)) => std::iter::once(Change::AddColumn(owned(), column))
                    .chain(keys.into_iter().map(|key| Change::AddUnique(owned(), key)))
                    .collect(),
                None => Vec::new(),
            },
            Says::Redefine => match self.column(table, *first) {
                Some((column, keys)) => {
                    let name = column.name.clone();
                    std::iter::once(Change::Redefine(owned(), name, column))
                        .chain(keys.into_iter().map(|key| Change::AddUnique(owned(), key)))
                        .collect()
                }
                None => Vec::new(),
            },
            Says::DropColumn => match self.name(*first) {
                Some(name) => vec![Change::DropColumn(owned(), name)],
                None => Vec::new(),
            },
            Says::RenameColumn => {
                match (self.name(*first), args.get(1).and_then(|to| self.name(*to))) {
                    (Some(from), Some(to)) => vec![Change::RenameColumn {
                        table: owned(),
                        from,
                        to,
                    }],
                    _ => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }

    /// A column and the keys that it is by itself.
    fn column(&self, table: &str, id: ExprId) -> Option<(Column, Vec<Unique>)> {
        let root = self.root(id);
        let (entry, args) = self.begin(root)?;
        if entry.makes != Makes::Column {
            return None;
        }
        let mut column = Column {
            name: self.name(*args.first()?)?,
            ty: String::new(),
            is_nullable: true,
            fill: Fill::Nothing,
        };
        let mut kinds = Vec::new();
        // The function itself may say it: `pk_auto`, `string_uniq`.
        let own = self.own_word(root);
        let own = own.and_then(|word| entry.calls.get(word.as_str())).copied();
        let steps = self.steps(entry, root);
        for (says, args) in own.map(|says| (says, &[][..])).into_iter().chain(steps) {
            match says {
                Says::Required => column.is_nullable = false,
                Says::Optional => column.is_nullable = true,
                Says::Numbered => column.fill = Fill::Fresh,
                Says::Primary => {
                    column.is_nullable = false;
                    kinds.push(UniqueKind::Primary);
                }
                Says::Unique => kinds.push(UniqueKind::Unique),
                Says::Default => {
                    column.fill = args.first().map_or(Fill::Fresh, |value| self.fill(*value));
                }
                _ => {}
            }
        }
        let origin = self.origin(root);
        let keys = kinds.into_iter().map(|kind| {
            let parts = vec![UniquePart::column(&column.name)];
            Unique::new(table, None, kind, parts, origin)
        });
        let keys = keys.collect();
        Some((column, keys))
    }

    /// The name of the function that a chain begins with.
    fn own_word(&self, begin: ExprId) -> Option<Name> {
        let Expr::Call { callee, .. } = self.body.expr(begin) else {
            return None;
        };
        match self.body.expr(*callee) {
            Expr::Path(path) => path.last(),
            _ => None,
        }
    }

    /// What a default gives.
    fn fill(&self, id: ExprId) -> Fill {
        match self.body.expr(id) {
            Expr::Literal(Literal::Str(text)) => Fill::Fixed(text.to_string()),
            Expr::Literal(Literal::Int(number)) => Fill::Fixed(number.to_string()),
            Expr::Literal(Literal::Bool(yes)) => Fill::Fixed(yes.to_string()),
            Expr::Literal(Literal::Other(text)) => Fill::Fixed(text.to_string()),
            _ => Fill::Fresh,
        }
    }

    /// A unique key that a chain says; where it says no kind it is the usual one.
    fn key(&self, begin: ExprId, table: &str, usual: Option<UniqueKind>) -> Option<Unique> {
        let (entry, _) = self.begin(begin)?;
        if entry.makes != Makes::Index {
            return None;
        }
        let steps = self.steps(entry, begin);
        let says = |wanted: Says| steps.iter().any(|(says, _)| *says == wanted);
        let kind = match (says(Says::Primary), says(Says::Unique)) {
            (true, _) => UniqueKind::Primary,
            (_, true) => UniqueKind::Unique,
            _ => usual?,
        };
        let mut parts = Vec::new();
        let mut name = None;
        for (says, args) in &steps {
            match says {
                Says::Column => {
                    let column = self.name(*args.first()?)?;
                    parts.push(UniquePart::column(column));
                }
                Says::Name => name = self.name(*args.first()?),
                _ => {}
            }
        }
        let mut key = Unique::new(table, name, kind, parts, self.origin(begin));
        key.nulls_differ = !says(Says::NullsAlike);
        // Which rows it is about is not read: it may not be about this one.
        if says(Says::Rows) {
            key.predicate.push(Condition::default());
        }
        Some(key)
    }

    /// The name that an expression stands for: `Invoice::Table`, `Invoice::PaidAt`, `Alias::new("x")`,
    /// `"x"`.
    fn name(&self, id: ExprId) -> Option<String> {
        match self.body.expr(id) {
            Expr::Path(path) => self.identifier(path),
            Expr::Literal(Literal::Str(text)) => Some(text.to_string()),
            Expr::Format { pieces, .. } => match pieces.as_slice() {
                [Piece::Text(text)] => Some(text.to_string()),
                _ => None,
            },
            Expr::Call { args, .. } => self.name(*args.first()?),
            Expr::MethodCall { receiver, .. } => self.name(*receiver),
            Expr::Same(inner) => self.name(*inner),
            // A schema with its table.
            Expr::Tuple(parts) => {
                let names: Option<Vec<String>> =
                    parts.iter().map(|part| self.name(*part)).collect();
                names.map(|names| names.join("."))
            }
            _ => None,
        }
    }

    fn identifier(&self, path: &Path) -> Option<String> {
        let names = path.names();
        let last = *names.last()?;
        let owner = names.len().checked_sub(2).map(|at| names[at]);
        let Some(owner) = owner else {
            return Some(self.called(last));
        };
        if last == "Entity" {
            return Some(owner.to_string());
        }
        let spelled = self.type_named(owner).and_then(|id| self.spelled(id, last));
        Some(match spelled {
            Some(spelled) => spelled,
            None if last == "Table" => self.called(owner),
            None => snake(last.as_str()),
        })
    }

    /// What a type of identifiers is called: as its attribute says, else by its own name.
    fn called(&self, owner: Name) -> String {
        let by_attribute = self.type_named(owner).and_then(|id| {
            let item = &self.program.types[id.index()].item;
            let values = item.attributes.iter().flat_map(|of| &of.values);
            let mut named = values.filter(|(key, _)| key == "iden" || key == "table_name");
            named.find_map(|(_, value)| match value {
                Literal::Str(text) => Some(text.to_string()),
                _ => None,
            })
        });
        by_attribute.unwrap_or_else(|| snake(owner.as_str()))
    }

    /// The type of identifiers of this name: that of the file, else the only one there is.
    fn type_named(&self, name: Name) -> Option<TypeId> {
        let types = (0u32..).zip(&self.program.types);
        let mut named = types.filter(|(_, def)| def.item.name == name);
        let first = named.next()?;
        let mut all = std::iter::once(first).chain(named);
        let here = |of: &(u32, &TypeDef)| of.1.file == self.file;
        let found = all.clone().find(here).or_else(|| {
            let only = all.next();
            only.filter(|_| all.next().is_none())
        });
        found.map(|(id, _)| TypeId(id))
    }

    /// How a variant is spelled: as its attribute says, or as the function by hand that spells it.
    fn spelled(&self, id: TypeId, variant: Name) -> Option<String> {
        let def = &self.program.types[id.index()];
        let mut variants = def.item.variants.iter();
        let found = variants.find(|of| of.name == variant)?;
        if let Some(iden) = found.iden {
            return Some(iden.to_string());
        }
        let impls = def.impls.iter().map(|id| &self.program.impls[id.index()]);
        let unquoted = Name::from("unquoted");
        let mut by_hand = impls.filter_map(|of| of.methods.get(&unquoted));
        let function = &self.program.function(*by_hand.next()?).function;
        let body = function.body.as_ref()?;
        body.exprs.iter().find_map(|expr| {
            let Expr::Match { arms, .. } = expr else {
                return None;
            };
            let mut fitting = arms.iter().filter(
                |arm| matches!(body.pat(arm.pat), Pat::Path(path) if path.last() == Some(variant)),
            );
            match body.expr(fitting.next()?.body) {
                Expr::Literal(Literal::Str(text)) => Some(text.to_string()),
                _ => None,
            }
        })
    }
}

/// `ReminderSentAt` as a column.
fn snake(name: &str) -> String {
    words(name).collect::<Vec<_>>().join("_")
}
