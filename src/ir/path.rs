//! Paths and types as written.

use serde::{Deserialize, Serialize};

use super::{Name, Place};

/// A path as written, generic arguments included.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Path {
    /// Whether it starts with `::`.
    pub global: bool,
    /// The type of `<T as Trait>::name`; the segments then hold the trait's path, if any,
    /// followed by the names after `>`. `qself_len` counts the trait's segments.
    pub qself: Option<Box<TypeRef>>,
    /// How many of the segments belong to the trait of `<T as Trait>`.
    pub qself_len: u32,
    /// The segments.
    pub segments: Vec<Segment>,
    /// Where it stands.
    pub place: Place,
}

impl Path {
    /// The names of its segments.
    pub fn names(&self) -> Vec<Name> {
        self.segments.iter().map(|segment| segment.name).collect()
    }

    /// A path of plain names.
    pub fn plain(names: impl IntoIterator<Item = Name>, place: Place) -> Path {
        let segments = names.into_iter().map(Segment::plain).collect();
        Path {
            global: false,
            qself: None,
            qself_len: 0,
            segments,
            place,
        }
    }

    /// The only segment of a path of one.
    pub fn single(&self) -> Option<Name> {
        match self.segments.as_slice() {
            [only] if self.qself.is_none() && !self.global => Some(only.name),
            _ => None,
        }
    }

    /// The last segment's name.
    pub fn last(&self) -> Option<Name> {
        self.segments.last().map(|segment| segment.name)
    }

    /// The names, joined by `::`.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for segment in &self.segments {
            if !text.is_empty() {
                text.push_str("::");
            }
            text.push_str(&segment.name);
        }
        text
    }
}

/// One segment of a path.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Segment {
    /// Its name.
    pub name: Name,
    /// Its type arguments, lifetimes and constants left out.
    pub args: Vec<TypeRef>,
    /// Its associated types: `Item = T`.
    pub assoc: Vec<(Name, TypeRef)>,
}

impl Segment {
    /// A segment without arguments.
    pub fn plain(name: Name) -> Segment {
        Segment {
            name,
            args: Vec::new(),
            assoc: Vec::new(),
        }
    }
}

/// A type as written. References are left out: they change nothing that is asked of a type.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TypeRef {
    /// A named type.
    Path(Path),
    /// A tuple; empty for `()`.
    Tuple(Vec<TypeRef>),
    /// A slice or array.
    Slice(Box<TypeRef>),
    /// `impl A + B`.
    Impl(Vec<Path>),
    /// `dyn A + B`.
    Dyn(Vec<Path>),
    /// A function pointer: parameters and result.
    Fn(Vec<TypeRef>, Box<TypeRef>),
    /// `!`.
    Never,
    /// `_`, or something that cannot be read.
    Infer,
}

impl TypeRef {
    /// Whether its path ends in a name.
    pub fn is_named(&self, name: &str) -> bool {
        matches!(self, TypeRef::Path(path) if path.last().is_some_and(|last| last == name))
    }
}
