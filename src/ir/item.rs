//! Items: what a file declares.

use retrysafe_rules::grammar::Mark;
use serde::{Deserialize, Serialize};

use super::{Body, Name, PatId, Path, Place, TypeRef};

/// A lowered file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct FileIr {
    /// The items at the file's top level.
    pub items: Vec<Item>,
    /// Modules that stand in files of their own, with the inline modules around them.
    pub modules: Vec<ModuleDecl>,
    /// What could not be read.
    pub gaps: Vec<Gap>,
    /// Wrong declarations in attributes and comments.
    pub mistakes: Vec<Mistake>,
    /// Functions lowered, for counting.
    pub functions: u32,
    /// The `macro_rules!` it defines.
    pub macros: Vec<MacroRules>,
    /// The macros it calls that are none of the known families, by path as written; sorted.
    pub called_macros: Vec<Name>,
}

/// A `macro_rules!` definition.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MacroRules {
    /// Its name.
    pub name: Name,
    /// Its rules, in order.
    pub rules: Vec<MacroRule>,
    /// The macros that its rules call, by path as written.
    pub calls: Vec<Name>,
}

/// A rule of a `macro_rules!` definition, as texts of tokens.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MacroRule {
    /// What a call must look like.
    pub pattern: String,
    /// What it then stands for.
    pub body: String,
}

/// `mod name;`
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ModuleDecl {
    /// Names of the inline modules around it, outermost first.
    pub inline: Vec<Name>,
    /// Its name.
    pub name: Name,
    /// Its `#[path]`, when it has one.
    pub path: Option<String>,
    /// Where it stands.
    pub place: Place,
}

/// What a gap is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum GapKind {
    /// A macro whose content could not be read.
    UnreadMacro,
    /// `include!` of generated or other code.
    Include,
    /// A call that may be an effect by its name, on a receiver that is not known.
    UnknownReceiver,
    /// A call that may be an effect by its name, of a crate that the catalogue does not know.
    UnknownCrate,
    /// The same, where the name says that something is sent.
    UnknownSend,
    /// A SQL text that could not be understood or found.
    UnreadSql,
    /// No schema was found for the tables of a package.
    NoSchema,
    /// A route that was not followed to its end.
    Budget,
    /// A function that calls itself on the route.
    Recursion,
}

impl GapKind {
    /// The kebab-case spelling in reports.
    pub const fn word(self) -> &'static str {
        match self {
            GapKind::UnreadMacro => "unread-macro",
            GapKind::Include => "include",
            GapKind::UnknownReceiver => "unknown-receiver",
            GapKind::UnknownCrate => "unknown-crate",
            GapKind::UnknownSend => "unknown-send",
            GapKind::UnreadSql => "unread-sql",
            GapKind::NoSchema => "no-schema",
            GapKind::Budget => "budget",
            GapKind::Recursion => "recursion",
        }
    }
}

/// Something that was not understood.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Gap {
    /// What it is about.
    pub kind: GapKind,
    /// Where it is.
    pub place: Place,
    /// What was not understood.
    pub message: String,
}

/// A declaration with wrong arguments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mistake {
    /// Where it is.
    pub place: Place,
    /// What is wrong, with the nearest valid word.
    pub message: String,
}

/// An item.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Item {
    /// One leaf of a `use` tree.
    Use(Use),
    /// A function.
    Function(Function),
    /// A struct, enum or union.
    Type(TypeItem),
    /// A trait.
    Trait(TraitItem),
    /// An impl block.
    Impl(ImplItem),
    /// A constant or static.
    Const(ConstItem),
    /// `type A = B;`
    Alias(AliasItem),
    /// An inline module.
    Module(Module),
}

/// One leaf of a `use` tree, or `extern crate`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Use {
    /// Whether the path starts with `::`.
    pub global: bool,
    /// The path.
    pub path: Vec<Name>,
    /// The name it gets here; `None` for a glob.
    pub name: Option<Name>,
}

/// An inline module.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Module {
    /// Its name.
    pub name: Name,
    /// Its items.
    pub items: Vec<Item>,
}

/// An attribute that is not one of ours.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Attribute {
    /// Its path.
    pub path: Path,
    /// The bare words among its arguments.
    pub words: Vec<Name>,
    /// The arguments with a literal value: `retries = 3`.
    pub values: Vec<(Name, Literal)>,
}

/// A literal.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Literal {
    /// A string, or a byte string that is one.
    Str(Name),
    /// A whole number.
    Int(i128),
    /// `true` or `false`.
    Bool(bool),
    /// Any other, as written.
    Other(Name),
}

/// Generic parameters with their bounds, `where` clauses merged in; bounds on other types
/// than a plain parameter are left out.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Generics {
    /// The type parameters in order.
    pub params: Vec<GenericParam>,
}

impl Generics {
    /// The names of the type parameters, in order.
    pub fn names(&self) -> Vec<Name> {
        self.params.iter().map(|param| param.name).collect()
    }
}

/// A type parameter.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GenericParam {
    /// Its name.
    pub name: Name,
    /// Its bounds.
    pub bounds: Vec<Path>,
    /// What it is where nothing is given.
    pub default: Option<TypeRef>,
}

/// A function, method or trait method.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// Where the name stands.
    pub place: Place,
    /// The whole of it, attributes left out.
    pub extent: Place,
    /// Attributes, ours left out.
    pub attributes: Vec<Attribute>,
    /// Our declarations on it, from attributes and comments.
    pub marks: Vec<PlacedMark>,
    /// Its type parameters.
    pub generics: Generics,
    /// Whether it takes `self`.
    pub has_self: bool,
    /// Whether it may write its receiver: `&mut self`.
    pub is_self_mut: bool,
    /// Its parameters, `self` not counted.
    pub params: Vec<Param>,
    /// What it returns; `None` for `()`.
    pub returns: Option<TypeRef>,
    /// Whether it is `async`.
    pub is_async: bool,
    /// Whether it is `pub` in any form.
    pub is_public: bool,
    /// Its body; `None` for a trait method without default.
    pub body: Option<Body>,
}

/// A declaration with the places where it is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlacedMark {
    /// What it says.
    pub value: Mark,
    /// Where it is written.
    pub place: Place,
    /// For a job the places of the listed effects, in order; for an acceptance that of the rule.
    pub parts: Vec<Place>,
}

/// A parameter.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Param {
    /// Its name when its pattern is a plain one.
    pub name: Option<Name>,
    /// Its pattern in the body's arena.
    pub pat: Option<PatId>,
    /// Its type.
    pub ty: TypeRef,
    /// Whether what it refers to may be written: `&mut`.
    pub is_mut: bool,
}

/// A struct, enum or union.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TypeItem {
    /// Its name.
    pub name: Name,
    /// Where the name stands.
    pub place: Place,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// The macros it derives.
    pub derives: Vec<Path>,
    /// Its type parameters.
    pub generics: Generics,
    /// Its variants; a struct has one, with its own name.
    pub variants: Vec<Variant>,
    /// Whether it is an enum.
    pub is_enum: bool,
}

/// A variant of an enum, or the fields of a struct.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Variant {
    /// Its name.
    pub name: Name,
    /// Where the name stands.
    pub place: Place,
    /// Its fields; positional ones are named `0`, `1`, ….
    pub fields: Vec<(Name, TypeRef)>,
    /// The fields that are stored under another name.
    pub renamed: Vec<Renamed>,
    /// Whether the fields are positional.
    pub is_tuple: bool,
    /// What it is called in a database, where an attribute says so: `#[sea_orm(iden = "orders")]`.
    pub iden: Option<Name>,
}

/// A field that is stored under another name.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Renamed {
    /// The field.
    pub field: Name,
    /// The name under which it is stored.
    pub stored: Name,
    /// Whether that is a column (`column_name = "…"`), as against a serialised field (`rename = "…"`).
    pub is_column: bool,
}

/// A trait.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TraitItem {
    /// Its name.
    pub name: Name,
    /// Where the name stands.
    pub place: Place,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// Its type parameters.
    pub generics: Generics,
    /// Its supertraits.
    pub supertraits: Vec<Path>,
    /// Its methods.
    pub methods: Vec<Function>,
    /// Its associated types with their bounds.
    pub types: Vec<(Name, Vec<Path>)>,
    /// Its associated constants with defaults.
    pub consts: Vec<ConstItem>,
}

/// An impl block.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ImplItem {
    /// Where it stands.
    pub place: Place,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// Its type parameters.
    pub generics: Generics,
    /// The trait it implements.
    pub trait_: Option<Path>,
    /// The type it is for.
    pub self_ty: TypeRef,
    /// Its functions.
    pub methods: Vec<Function>,
    /// Its associated types.
    pub types: Vec<(Name, TypeRef)>,
    /// Its constants.
    pub consts: Vec<ConstItem>,
}

/// A constant or static.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ConstItem {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeRef,
    /// Its value.
    pub value: Option<Body>,
}

/// A type alias.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AliasItem {
    /// Its name.
    pub name: Name,
    /// Its type parameters.
    pub generics: Generics,
    /// What it stands for.
    pub ty: TypeRef,
}
