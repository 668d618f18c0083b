//! Names of other crates as a module of ours knows them.

use crate::ir::{Body, Expr, Literal, Name, Path, TypeRef};

use super::ids::{ModuleId, TypeId};
use super::known::Known;
use super::path::{Namespace, TypeScope};
use super::program::{Def, Program};
use super::ty::Ty;

impl Program {
    /// Whether any code calls one of these functions or methods, or has its name as a text, as the command
    /// of a protocol.
    pub fn names_any(&self, words: &[String]) -> bool {
        let names: Vec<Name> = words.iter().map(|word| Name::from(word)).collect();
        let mut bodies = self
            .functions
            .iter()
            .filter_map(|def| def.function.body.as_ref());
        bodies
            .any(|body| names.iter().any(|name| body.mentions(*name)) || self.has_text(body, words))
    }

    /// Whether one of these texts stands in a body, or in a constant that it names; in whatever case.
    pub fn has_text(&self, body: &Body, words: &[String]) -> bool {
        let is_one = |expr: &Expr| {
            matches!(expr, Expr::Literal(Literal::Str(text))
                if words.iter().any(|word| word.eq_ignore_ascii_case(text)))
        };
        let is_named = |path: &Path| {
            let mut consts = self.consts.iter();
            let found = consts.find(|def| path.last() == Some(def.item.name));
            let value = found.and_then(|def| def.item.value.as_ref());
            value.is_some_and(|value| value.exprs.iter().any(is_one))
        };
        body.exprs.iter().any(|expr| match expr {
            Expr::Path(path) => is_named(path),
            expr => is_one(expr),
        })
    }

    /// Traits of other crates that a module has in scope by name.
    pub fn imported_traits(&self, module: ModuleId, known: &Known) -> Vec<Name> {
        let def = self.module(module);
        let mut names: Vec<Name> = def
            .imports
            .values()
            .filter_map(|(types, _)| match types {
                Some(Def::Extern(path)) => Some(*path),
                _ => None,
            })
            .collect();
        for glob in &def.globs {
            match glob {
                Def::Extern(path) => names.extend(known.exports(*path)),
                // `use super::*` hands the traits of the parent on.
                Def::Module(inner) if *inner != module => names.extend(
                    self.module(*inner)
                        .imports
                        .values()
                        .filter_map(|(types, _)| match types {
                            Some(Def::Extern(path)) => Some(*path),
                            _ => None,
                        }),
                ),
                _ => {}
            }
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The traits of other crates that a type implements.
    pub fn foreign_traits_of(&self, id: TypeId) -> Vec<Name> {
        self.types[id.index()]
            .impls
            .iter()
            .filter_map(|impl_id| match self.impls[impl_id.index()].trait_def {
                Some(Def::Extern(path)) => Some(path),
                _ => None,
            })
            .collect()
    }

    /// The macros that a type derives, by canonical path.
    pub fn derives_of(&self, id: TypeId, known: &Known) -> Vec<Name> {
        let def = &self.types[id.index()];
        def.item
            .derives
            .iter()
            .map(|path| {
                let names: Vec<Name> = path.segments.iter().map(|segment| segment.name).collect();
                let found =
                    self.resolve_names(def.module, &names, path.global, Namespace::Types, known);
                match found {
                    Some((Def::Extern(path), used)) if used == names.len() => path,
                    _ => Name::from(&path.text()),
                }
            })
            .collect()
    }

    /// The canonical path behind a path to something of another crate, or the path as written.
    pub fn canonical_path(&self, path: &Path, module: ModuleId, known: &Known) -> Name {
        let names: Vec<Name> = path.segments.iter().map(|segment| segment.name).collect();
        for namespace in [Namespace::Values, Namespace::Types] {
            let found = self.resolve_names(module, &names, path.global, namespace, known);
            if let Some((Def::Extern(canonical), used)) = found
                && used == names.len()
            {
                return canonical;
            }
        }
        Name::from(&path.text())
    }

    /// A type written in a module, type parameters left unknown.
    pub fn written_type(&self, ty: &TypeRef, module: ModuleId, known: &Known) -> Ty {
        self.type_of(
            ty,
            TypeScope {
                module,
                self_ty: None,
                params: &[],
                assoc: &[],
            },
            known,
            0,
        )
    }
}
