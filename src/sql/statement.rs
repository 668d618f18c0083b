//! The model of one statement. It must not know the parser: everything here is plain data.

use serde::{Deserialize, Serialize};

/// A stretch of text that could not be read as a statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unread {
    /// First byte of the stretch.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// Why it was not read.
    pub message: String,
}

/// One statement: what it reads, writes and claims.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Statement {
    /// First byte of the statement in the text. A nested statement carries its outermost one's range.
    pub start: usize,
    /// One past its last byte, without the semicolon.
    pub end: usize,
    /// What kind of statement it is.
    pub verb: Verb,
    /// The table written, or locked, or first read; without quotes, schema kept.
    pub table: Option<String>,
    /// Columns set with their values: an INSERT's first row, an UPDATE's SET. A column that an
    /// INSERT without column list does not name is called `#1`, `#2`, … by its position.
    pub set: Vec<Assignment>,
    /// How many rows an INSERT brings.
    pub rows: Rows,
    /// What an INSERT, REPLACE or MERGE does when the row is already there.
    pub conflict: Option<Conflict>,
    /// The conditions of the WHERE clause that AND joins.
    pub filter: Vec<Condition>,
    /// For an UPDATE or DELETE whose rows are chosen by a subquery or CTE over the same table
    /// (`WHERE id IN (SELECT … FROM t WHERE …)`): the conditions in there.
    pub picked: Vec<Condition>,
    /// Every table read, in order, each once, names of CTEs excluded.
    pub reads: Vec<String>,
    /// The columns of RETURNING, `*` as `*`.
    pub returning: Vec<String>,
    /// `FOR UPDATE`, `FOR SHARE`, also in a subquery or CTE.
    pub lock: Option<Lock>,
    /// Statements that write and stand inside (data-modifying CTEs), in order.
    pub nested: Vec<Statement>,
    /// Functions called that are not plain built-in computations, in order.
    pub functions: Vec<Function>,
    /// What a SELECT asks for.
    pub projection: Projection,
    /// The isolation level that `BEGIN` or `SET TRANSACTION` names, in lower case; SQLite's `immediate` and
    /// `exclusive`.
    pub isolation: Option<String>,
    /// Spliced-in text such as `{table}` or `{}` outside quotes, in order: what stands there is not known.
    pub holes: Vec<String>,
    /// Only verb and table are known, found by keywords.
    pub approximate: bool,
    /// The text ends before the statement does, as the head of a statement built at run time.
    pub unfinished: bool,
    /// The table written lives in this session only.
    pub temporary: bool,
}

/// The kind of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Verb {
    /// A query, `VALUES` and `TABLE t` included.
    Select,
    /// `INSERT`, with whatever conflict clause.
    Insert,
    /// `UPDATE`.
    Update,
    /// `DELETE`.
    Delete,
    /// `MERGE`.
    Merge,
    /// `REPLACE INTO`.
    Replace,
    /// `COPY`, in either direction.
    Copy,
    /// `TRUNCATE`.
    Truncate,
    /// `CALL` of a stored procedure.
    Call,
    /// `LOCK TABLE`.
    Lock,
    /// `BEGIN`, `START TRANSACTION`.
    Begin,
    /// `COMMIT`, `END`.
    Commit,
    /// `ROLLBACK`, `ABORT`; not `ROLLBACK TO` a savepoint.
    Rollback,
    /// `SET`, `RESET`, `PRAGMA`.
    Set,
    /// `NOTIFY`.
    Notify,
    /// Definitions and maintenance: `CREATE`, `ALTER`, `DROP`, `GRANT`, `VACUUM`, `REFRESH` …
    Ddl,
    /// Anything else.
    #[default]
    Other,
}

/// One column and what it is set to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assignment {
    /// The column, without quotes and qualifier.
    pub column: String,
    /// What is stored.
    pub value: Value,
}

/// How many rows an INSERT brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Rows {
    /// One row, and every statement that is no INSERT.
    #[default]
    One,
    /// Several rows, or a number of rows that is known at run time only.
    Many,
    /// The rows of a query.
    FromSelect,
    /// The rows of arrays given as arguments.
    FromUnnest,
}

/// What happens when the row is already there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// Which rows count as already there.
    pub target: ConflictTarget,
    /// What is done then.
    pub action: ConflictAction,
}

/// Which rows count as already there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConflictTarget {
    /// Any unique index.
    Any,
    /// These columns (or expressions, as written), with the predicate of a partial index. For a
    /// MERGE the target's columns that its ON clause compares.
    Columns {
        /// The columns or expressions.
        columns: Vec<String>,
        /// `WHERE` of the target.
        predicate: Vec<Condition>,
    },
    /// A constraint by name.
    Constraint(String),
}

/// What is done about a row that is already there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConflictAction {
    /// Nothing: the row stays as it is.
    Nothing,
    /// It is changed.
    Update {
        /// Columns set.
        set: Vec<Assignment>,
        /// Conditions under which they are.
        filter: Vec<Condition>,
    },
    /// It is deleted and inserted anew.
    Replace,
    /// It is deleted (MERGE).
    Delete,
    /// The statement fails, as without a clause (`INSERT OR ABORT`).
    Fail,
}

/// One condition of a WHERE clause.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Condition {
    /// The column tested; without qualifier if it belongs to the statement's table. An expression
    /// over one column (`lower(email)`, `data->>'id'`) as written.
    pub column: Option<String>,
    /// How it is tested.
    pub test: Test,
    /// Against what.
    pub value: Value,
    /// `<=` and `>=` rather than `<` and `>`.
    pub inclusive: bool,
    /// The arms of an OR, of which one must hold.
    pub arms: Vec<Condition>,
    /// The conditions that such an arm consists of, if it is more than one: all must hold.
    pub parts: Vec<Condition>,
}

impl Condition {
    /// The columns that it tests, in all of its arms.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        let mut open = vec![self];
        std::iter::from_fn(move || {
            let next = open.pop()?;
            open.extend(next.arms.iter().chain(&next.parts).rev());
            Some(next.column.as_deref())
        })
        .flatten()
    }

    /// Calls a column by another name, in all of its arms.
    pub(super) fn rename_column(&mut self, from: &str, to: &str) {
        if let Some(column) = &mut self.column {
            if column.eq_ignore_ascii_case(from) {
                to.clone_into(column);
            } else if column.contains('(') {
                *column = column.replace(from, to);
            }
        }
        for inner in self.arms.iter_mut().chain(&mut self.parts) {
            inner.rename_column(from, to);
        }
    }
}

/// How a column is tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Test {
    /// `=`, `IS NOT DISTINCT FROM`, a bare boolean column.
    Eq,
    /// `<>`, `IS DISTINCT FROM`.
    NotEq,
    /// `<` and `<=`.
    Less,
    /// `>` and `>=`.
    Greater,
    /// `IN`, `= ANY`, an OR of equalities.
    In,
    /// `NOT IN`, `<> ALL`.
    NotIn,
    /// `IS NULL`.
    IsNull,
    /// `IS NOT NULL`.
    IsNotNull,
    /// `NOT EXISTS`.
    NotExists,
    /// `EXISTS`.
    Exists,
    /// Anything else.
    #[default]
    Other,
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Value {
    /// A bind, or text spliced in.
    Placeholder(Placeholder),
    /// A constant: text without quotes, numbers and booleans as written.
    Literal(String),
    /// `NULL`.
    Null,
    /// `DEFAULT`.
    Default,
    /// The database's clock, also shifted (`now() + interval '1 day'`).
    Clock,
    /// A fresh random value.
    Random,
    /// A column; qualified if it is another table's.
    Column(String),
    /// The proposed row's column in a conflict clause.
    Excluded(String),
    /// A computation on a column; the column that is being set, if it takes part.
    Arithmetic {
        /// The column.
        column: String,
    },
    /// The first of these that is not null.
    Coalesce(Vec<Value>),
    /// A list, array or tuple.
    List(Vec<Value>),
    /// A function or operator by its lower-case name, with its arguments; `case` with its results.
    Function(String, Vec<Value>),
    /// The result of a query.
    Subquery,
    /// Anything else.
    #[default]
    Other,
}

/// A bind, or text spliced in.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Placeholder {
    /// `$1`, `?1`, or the n-th `?` of the statement, from 1.
    Position(usize),
    /// By name, as written with its mark: `:name`, `@name`, `$name`; `{name}` for spliced text.
    Named(String),
}

/// A row lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lock {
    /// How strong it is.
    pub strength: Strength,
    /// `SKIP LOCKED`.
    pub skip_locked: bool,
    /// `NOWAIT`.
    pub nowait: bool,
}

/// How strong a row lock is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Strength {
    /// `FOR UPDATE`, `FOR NO KEY UPDATE`.
    Update,
    /// `FOR SHARE`, `FOR KEY SHARE`.
    Share,
}

/// A function called inside a statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// Its name in lower case, schema kept.
    pub name: String,
    /// What it does.
    pub class: FunctionClass,
    /// Its arguments.
    pub args: Vec<Value>,
}

/// What a function does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FunctionClass {
    /// Signals other sessions.
    Notify,
    /// Advances a sequence.
    Sequence,
    /// Takes or releases an advisory lock.
    AdvisoryLock,
    /// A fresh random value.
    Random,
    /// The clock.
    Clock,
    /// Not a known built-in: of an extension or the database's own, which may do anything.
    Other,
}

/// What a SELECT asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Projection {
    /// Not a SELECT.
    #[default]
    Nothing,
    /// How many there are.
    Count,
    /// Whether there is one.
    Exists,
    /// A constant, as in `SELECT 1 FROM t`.
    Constant,
    /// Columns by their own names, expressions by their alias or function, `*` as `*`.
    Columns(Vec<String>),
}

impl Statement {
    /// Whether it, a statement nested in it, or a built-in function it calls changes anything
    /// outside the session.
    pub fn writes(&self) -> bool {
        self.writes_itself() || self.nested.iter().any(Statement::writes)
    }

    /// Itself and every nested statement that writes, in order of execution: what is nested comes first.
    pub fn written(&self) -> Vec<&Statement> {
        let mut all: Vec<&Statement> = self.nested.iter().flat_map(Statement::written).collect();
        if self.writes_itself() {
            all.push(self);
        }
        all
    }

    /// The functions that it calls, those of nested statements first.
    pub fn called(&self) -> Vec<&Function> {
        let mut all: Vec<&Function> = self.nested.iter().flat_map(Statement::called).collect();
        all.extend(&self.functions);
        all
    }

    /// Whether it defines or writes a table that lives in this session only.
    pub fn is_temporary(&self) -> bool {
        self.temporary
    }

    fn writes_itself(&self) -> bool {
        let by_verb = match self.verb {
            Verb::Insert
            | Verb::Update
            | Verb::Delete
            | Verb::Merge
            | Verb::Replace
            | Verb::Truncate
            | Verb::Call
            | Verb::Notify => true,
            Verb::Copy => self.table.is_some() && self.reads.is_empty(),
            _ => false,
        };
        (by_verb && !self.temporary) || self.functions.iter().any(Function::writes)
    }
}

impl Function {
    /// Whether a call changes anything outside the session.
    pub fn writes(&self) -> bool {
        match self.class {
            FunctionClass::Notify | FunctionClass::Sequence => true,
            FunctionClass::AdvisoryLock
            | FunctionClass::Random
            | FunctionClass::Clock
            | FunctionClass::Other => false,
        }
    }
}

impl Value {
    /// Whether it, or anything it is made of, satisfies `test`.
    pub fn any(&self, test: &dyn Fn(&Value) -> bool) -> bool {
        if test(self) {
            return true;
        }
        match self {
            Value::Coalesce(parts) | Value::List(parts) | Value::Function(_, parts) => {
                parts.iter().any(|part| part.any(test))
            }
            _ => false,
        }
    }

    /// Every bind and every spliced text it is made of, in order.
    pub fn placeholders(&self) -> Vec<&Placeholder> {
        match self {
            Value::Placeholder(placeholder) => vec![placeholder],
            Value::Coalesce(parts) | Value::List(parts) | Value::Function(_, parts) => {
                parts.iter().flat_map(Value::placeholders).collect()
            }
            _ => Vec::new(),
        }
    }
}
