//! Bodies: expressions and patterns in one arena, control structure kept.

use serde::{Deserialize, Serialize};

use super::{Literal, Name, Path, Place, PlacedMark, TypeRef};

/// An expression of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ExprId(pub u32);

/// A pattern of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PatId(pub u32);

/// A local variable of a body, closures inside included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LocalId(pub u32);

/// The body of a function or constant.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Body {
    /// The expressions.
    pub exprs: Vec<Expr>,
    /// Where each expression stands.
    pub places: Vec<Place>,
    /// The patterns.
    pub pats: Vec<Pat>,
    /// The names of the locals.
    pub locals: Vec<Name>,
    /// The expression that is the whole body.
    pub root: Option<ExprId>,
    /// Names of called functions, methods and macros, sorted, for quick questions.
    pub mentions: Vec<Name>,
    /// Declarations on statements and expressions.
    pub marks: Vec<(ExprId, PlacedMark)>,
    /// `use` declarations inside the body.
    pub uses: Vec<super::Use>,
}

impl Body {
    /// The expression behind an id.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    /// Where an expression stands.
    pub fn place(&self, id: ExprId) -> Place {
        self.places[id.0 as usize]
    }

    /// The pattern behind an id.
    pub fn pat(&self, id: PatId) -> &Pat {
        &self.pats[id.0 as usize]
    }

    /// Whether a function, method or macro of this name is called anywhere in the body.
    pub fn mentions(&self, name: Name) -> bool {
        self.mentions.binary_search(&name).is_ok()
    }
}

/// An expression.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Expr {
    /// A local variable.
    Local(LocalId),
    /// `self`.
    Receiver,
    /// A path to an item.
    Path(Path),
    /// A literal.
    Literal(Literal),
    /// A call of a path or value.
    Call {
        /// What is called.
        callee: ExprId,
        /// The arguments.
        args: Vec<ExprId>,
    },
    /// A method call.
    MethodCall {
        /// The receiver.
        receiver: ExprId,
        /// The method's name.
        method: Name,
        /// Where the name stands.
        name_place: Place,
        /// Its type arguments.
        generics: Vec<TypeRef>,
        /// The arguments.
        args: Vec<ExprId>,
    },
    /// A macro whose arguments were read as expressions.
    Macro {
        /// The macro's path.
        path: Path,
        /// The arguments.
        args: Vec<ExprId>,
    },
    /// Text put together from pieces (`format!` and its family).
    Format {
        /// The pieces.
        pieces: Vec<Piece>,
        /// Whether it ends the process or the thread (`panic!`).
        diverges: bool,
    },
    /// A JSON object or another set of named values.
    Object(Vec<(Name, ExprId)>),
    /// A field.
    Field {
        /// Of what.
        base: ExprId,
        /// Its name; a number for a tuple.
        name: Name,
    },
    /// `a[b]`.
    Index {
        /// Of what.
        base: ExprId,
        /// The index.
        index: ExprId,
    },
    /// `&a`, `*a`, `(a)`, a cast: the same value in another form.
    Same(ExprId),
    /// `!a`.
    Not(ExprId),
    /// `-a`.
    Negate(ExprId),
    /// A binary operation without assignment.
    Binary {
        /// The operator as written.
        op: BinaryOp,
        /// Left side.
        left: ExprId,
        /// Right side.
        right: ExprId,
    },
    /// `a = b`, or `a += b` with its operator.
    Assign {
        /// What is assigned to.
        target: ExprId,
        /// The value.
        value: ExprId,
        /// The operator of a compound assignment.
        op: Option<BinaryOp>,
    },
    /// A block.
    Block(Block),
    /// An async block.
    Async(ExprId),
    /// A block with a label, which `break` may leave.
    Labelled(ExprId),
    /// A closure.
    Closure {
        /// Its parameters.
        params: Vec<PatId>,
        /// The types of its parameters where written.
        types: Vec<Option<TypeRef>>,
        /// Its body.
        body: ExprId,
    },
    /// `if`.
    If {
        /// The condition, which may hold [`Expr::Let`].
        condition: ExprId,
        /// What runs when it holds.
        then: ExprId,
        /// What runs otherwise.
        otherwise: Option<ExprId>,
    },
    /// `let pattern = value` in a condition.
    Let {
        /// The pattern.
        pat: PatId,
        /// The value.
        value: ExprId,
    },
    /// `match`.
    Match {
        /// What is matched.
        value: ExprId,
        /// The arms.
        arms: Vec<Arm>,
    },
    /// `loop`, `while` or `for`.
    Loop {
        /// What kind of loop it is.
        head: LoopHead,
        /// Its body.
        body: ExprId,
    },
    /// `select!`: the first of several futures.
    Select(Vec<SelectArm>),
    /// `join!` and `try_join!`.
    Join {
        /// The futures.
        futures: Vec<ExprId>,
        /// Whether the first error ends it.
        fallible: bool,
    },
    /// `a?`.
    Try(ExprId),
    /// `a.await`.
    Await(ExprId),
    /// `return`, or `bail!` with `failure`.
    Return {
        /// The value.
        value: Option<ExprId>,
        /// Whether it is an error for certain.
        failure: bool,
    },
    /// `break`.
    Break(Option<ExprId>),
    /// `continue`.
    Continue,
    /// A struct literal.
    Struct {
        /// The type or variant.
        path: Path,
        /// The given fields.
        fields: Vec<(Name, ExprId)>,
        /// `..base`.
        base: Option<ExprId>,
    },
    /// A tuple; empty for `()`.
    Tuple(Vec<ExprId>),
    /// An array, also `vec![…]`.
    Array(Vec<ExprId>),
    /// A range: its ends are evaluated and forgotten.
    Range(Vec<ExprId>),
    /// Something that was not read.
    Unread,
}

/// A piece of a text template.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Piece {
    /// Fixed text.
    Text(Name),
    /// A value.
    Value(ExprId),
}

/// A block.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Block {
    /// Its statements.
    pub stmts: Vec<Stmt>,
    /// The expression at its end.
    pub tail: Option<ExprId>,
}

/// A statement.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Stmt {
    /// `let`.
    Let {
        /// The pattern.
        pat: PatId,
        /// The written type.
        ty: Option<TypeRef>,
        /// The value.
        value: Option<ExprId>,
        /// The block of `let … else`.
        otherwise: Option<ExprId>,
    },
    /// An expression whose value is dropped.
    Expr(ExprId),
}

/// An arm of a `match`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Arm {
    /// The pattern.
    pub pat: PatId,
    /// The guard.
    pub guard: Option<ExprId>,
    /// The body.
    pub body: ExprId,
}

/// An arm of a `select!`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SelectArm {
    /// The pattern; none for `else`.
    pub pat: Option<PatId>,
    /// The future; none for `else`.
    pub future: Option<ExprId>,
    /// The body.
    pub body: ExprId,
}

/// The head of a loop.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum LoopHead {
    /// `loop`.
    Forever,
    /// `while condition`.
    While(ExprId),
    /// `for pattern in items`.
    For {
        /// The pattern of an item.
        pat: PatId,
        /// The items.
        items: ExprId,
    },
}

/// A binary operator, as far as anything depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`, `/`, `%`, shifts, bit operations
    Arithmetic,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`, `>`, `<=`, `>=`
    Order,
}

/// A pattern.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Pat {
    /// A name, with the pattern after `@`.
    Bind(LocalId, Option<PatId>),
    /// A tuple, slice, or struct pattern without a path; `None` stands for `..`.
    Tuple(Vec<Option<PatId>>),
    /// `Some(x)`, `Job::Send(id)`.
    TupleStruct(Path, Vec<Option<PatId>>),
    /// `Job { id, .. }`.
    Struct(Path, Vec<(Name, PatId)>),
    /// `None`, `Status::Done`, a constant.
    Path(Path),
    /// A literal.
    Literal(Literal),
    /// Alternatives.
    Or(Vec<PatId>),
    /// `_`, a range, or something without names.
    Wild,
}
