//! Every definition of the workspace, in arenas.

use rustc_hash::FxHashMap;

use crate::ir::{
    AliasItem, Attribute, ConstItem, FileId, Function, GenericParam, Generics, Item, Name, Path,
    Site, TypeItem, TypeRef, Use, Variant,
};

use super::ids::{AliasId, ConstId, CrateId, FnId, ImplId, ModuleId, TraitId, TypeId};

/// A crate of the workspace, as names in it are resolved.
#[derive(Debug, Clone)]
pub struct CrateDef {
    /// Its name in code.
    pub name: Name,
    /// The package it belongs to, by position.
    pub package: usize,
    /// Its root module.
    pub root: ModuleId,
    /// What its dependencies' names mean.
    pub externs: FxHashMap<Name, ExternCrate>,
    /// Versions of the packages it depends on, by package name.
    pub versions: FxHashMap<Name, semver::Version>,
    /// Whether its jobs are reported.
    pub selected: bool,
}

impl CrateDef {
    /// The crate that `extern crate a as b;` in the root calls by another name.
    pub(super) fn renamed(&self, program: &Program, name: Name) -> Option<Name> {
        program
            .module(self.root)
            .uses
            .iter()
            .find_map(|found| match found.path.as_slice() {
                [original] if found.global && found.name == Some(name) && *original != name => {
                    Some(*original)
                }
                _ => None,
            })
    }
}

/// What the name of a dependency stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExternCrate {
    /// A crate of the workspace.
    Local(CrateId),
    /// Another crate, by the canonical name of its library.
    Foreign(Name),
}

/// A module.
#[derive(Debug, Clone)]
pub struct ModuleDef {
    /// Its name; the crate's for a root.
    pub name: Name,
    /// Its crate.
    pub krate: CrateId,
    /// The module around it.
    pub parent: Option<ModuleId>,
    /// The file it stands in.
    pub file: FileId,
    /// Its items in the namespace of types.
    pub types: FxHashMap<Name, Def>,
    /// Its items in the namespace of values.
    pub values: FxHashMap<Name, Def>,
    /// Its `use` declarations.
    pub uses: Vec<Use>,
    /// What its named imports resolve to, types and values.
    pub imports: FxHashMap<Name, (Option<Def>, Option<Def>)>,
    /// What its glob imports resolve to.
    pub globs: Vec<Def>,
}

/// A definition that a path leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Def {
    /// A module.
    Module(ModuleId),
    /// A type.
    Type(TypeId),
    /// A variant of an enum.
    Variant(TypeId, u32),
    /// A trait.
    Trait(TraitId),
    /// A type alias.
    Alias(AliasId),
    /// A function.
    Function(FnId),
    /// A constant.
    Const(ConstId),
    /// Something of another crate, by canonical path.
    Extern(Name),
}

/// To whom a function belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// A module.
    Module,
    /// An impl block.
    Impl(ImplId),
    /// A trait.
    Trait(TraitId),
}

/// A function of the workspace.
#[derive(Debug, Clone)]
pub struct FnDef {
    /// The function.
    pub function: Function,
    /// Where it is defined.
    pub module: ModuleId,
    /// Its file.
    pub file: FileId,
    /// To whom it belongs.
    pub owner: Owner,
}

/// A type of the workspace.
#[derive(Debug, Clone)]
pub struct TypeDef {
    /// The type.
    pub item: TypeItem,
    /// Where it is defined.
    pub module: ModuleId,
    /// Its file.
    pub file: FileId,
    /// Its impl blocks.
    pub impls: Vec<ImplId>,
}

impl TypeDef {
    /// A variant by name, or the fields of a struct.
    pub fn variant(&self, name: Name) -> Option<(u32, &Variant)> {
        self.item
            .variants
            .iter()
            .enumerate()
            .find(|(_, v)| v.name == name)
            .map(|(i, v)| (i as u32, v))
    }
}

/// A trait of the workspace.
#[derive(Debug, Clone)]
pub struct TraitDef {
    /// Its name.
    pub name: Name,
    /// Where the name stands.
    pub site: Site,
    /// Where it is defined.
    pub module: ModuleId,
    /// Its type parameters.
    pub generics: Generics,
    /// Its supertraits as written.
    pub supertraits: Vec<Path>,
    /// The supertraits of the workspace.
    pub parents: Vec<TraitId>,
    /// Its methods by name.
    pub methods: FxHashMap<Name, FnId>,
    /// Its constants with defaults.
    pub consts: FxHashMap<Name, ConstId>,
    /// Its associated types with bounds.
    pub types: Vec<(Name, Vec<Path>)>,
    /// The impl blocks for it.
    pub impls: Vec<ImplId>,
}

/// An impl block.
#[derive(Debug, Clone)]
pub struct ImplDef {
    /// Where it is defined.
    pub module: ModuleId,
    /// Its file and place.
    pub site: Site,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// Its type parameters.
    pub generics: Generics,
    /// The trait as written.
    pub trait_: Option<Path>,
    /// What the trait resolves to.
    pub trait_def: Option<Def>,
    /// The type as written.
    pub self_ref: TypeRef,
    /// The type it is for.
    pub self_ty: super::Ty,
    /// Its functions by name.
    pub methods: FxHashMap<Name, FnId>,
    /// Its associated types.
    pub types: Vec<(Name, TypeRef)>,
    /// Its constants by name.
    pub consts: FxHashMap<Name, ConstId>,
}

/// A constant.
#[derive(Debug, Clone)]
pub struct ConstDef {
    /// The constant.
    pub item: ConstItem,
    /// Where it is defined.
    pub module: ModuleId,
    /// The impl it stands in.
    pub owner: Option<ImplId>,
    /// Its file.
    pub file: FileId,
}

/// An alias.
#[derive(Debug, Clone)]
pub struct AliasDef {
    /// The alias.
    pub item: AliasItem,
    /// Where it is defined.
    pub module: ModuleId,
}

/// Every definition of the workspace.
#[derive(Debug, Default)]
pub struct Program {
    /// The crates.
    pub crates: Vec<CrateDef>,
    /// The modules.
    pub modules: Vec<ModuleDef>,
    /// The functions.
    pub functions: Vec<FnDef>,
    /// The types.
    pub types: Vec<TypeDef>,
    /// The traits.
    pub traits: Vec<TraitDef>,
    /// The impl blocks.
    pub impls: Vec<ImplDef>,
    /// The constants.
    pub consts: Vec<ConstDef>,
    /// The aliases.
    pub aliases: Vec<AliasDef>,
    /// Methods that impl blocks add to types of other crates, by type path and name.
    pub extensions: FxHashMap<(Name, Name), Vec<FnId>>,
    /// Methods of blanket impls (`impl<T: A> B for T`), by name.
    pub blanket: FxHashMap<Name, Vec<FnId>>,
    /// Every method of an impl by name, for calls whose receiver is not known.
    pub by_name: FxHashMap<Name, Vec<FnId>>,
}

/// A crate to be added: its name, its modules as a tree of files.
#[derive(Debug)]
pub struct CrateInput {
    /// Its name in code.
    pub name: Name,
    /// Its package.
    pub package: usize,
    /// Whether its jobs are reported.
    pub selected: bool,
    /// The file of its root.
    pub root: FileId,
    /// Names of dependencies: workspace crates are given by their position in the input.
    pub externs: FxHashMap<Name, ExternCrate>,
    /// Versions of the packages it depends on.
    pub versions: FxHashMap<Name, semver::Version>,
}

/// A file to be added: its items and the files of its out-of-line modules.
#[derive(Debug)]
pub struct FileInput {
    /// Its items.
    pub items: Vec<Item>,
    /// Inline modules around the declaration, name, and file of each out-of-line module.
    pub children: Vec<(Vec<Name>, Name, FileId)>,
}

impl Program {
    /// A function.
    pub fn function(&self, id: FnId) -> &FnDef {
        &self.functions[id.index()]
    }

    /// The trait of the workspace that a function is an implementation for.
    pub fn implemented_trait(&self, id: FnId) -> Option<TraitId> {
        let Owner::Impl(owner) = self.function(id).owner else {
            return None;
        };
        match self.impls[owner.index()].trait_def {
            Some(Def::Trait(id)) => Some(id),
            _ => None,
        }
    }

    /// A module.
    pub fn module(&self, id: ModuleId) -> &ModuleDef {
        &self.modules[id.index()]
    }

    /// The crate of a module.
    pub fn crate_of(&self, module: ModuleId) -> &CrateDef {
        &self.crates[self.module(module).krate.0 as usize]
    }

    /// Whether the code of two crates can run in one process: some program is built of both.
    pub fn share_a_program(&self, a: CrateId, b: CrateId) -> bool {
        a == b
            || (0..self.crates.len() as u32).map(CrateId).any(|id| {
                let krate = &self.crates[id.0 as usize];
                let is_program = self
                    .module(krate.root)
                    .values
                    .contains_key(&Name::from("main"));
                is_program && self.builds_on(id, a) && self.builds_on(id, b)
            })
    }

    /// Whether a crate is another one or depends on it, directly or not.
    fn builds_on(&self, krate: CrateId, other: CrateId) -> bool {
        let mut seen = vec![krate];
        let mut open = vec![krate];
        while let Some(id) = open.pop() {
            if id == other {
                return true;
            }
            for dependency in self.crates[id.0 as usize].externs.values() {
                if let ExternCrate::Local(next) = dependency
                    && !seen.contains(next)
                {
                    seen.push(*next);
                    open.push(*next);
                }
            }
        }
        false
    }

    /// The type parameters that a function sees: those of its impl or trait, then its own.
    pub fn generics_of(&self, id: FnId) -> Vec<&GenericParam> {
        let def = self.function(id);
        let outer: &[GenericParam] = match def.owner {
            Owner::Module => &[],
            Owner::Impl(id) => &self.impls[id.index()].generics.params,
            Owner::Trait(id) => &self.traits[id.index()].generics.params,
        };
        outer.iter().chain(&def.function.generics.params).collect()
    }

    /// The type of a field of the struct that a function belongs to.
    pub fn owner_field(&self, id: FnId, field: Name) -> Option<&TypeRef> {
        let Owner::Impl(owner) = self.function(id).owner else {
            return None;
        };
        let super::Ty::Adt(ty, _) = &self.impls[owner.index()].self_ty else {
            return None;
        };
        let mut fields = self.types[ty.index()]
            .item
            .variants
            .iter()
            .flat_map(|of| &of.fields);
        fields.find(|(name, _)| *name == field).map(|(_, ty)| ty)
    }

    /// The type a function belongs to, by name.
    pub fn owner_name(&self, id: FnId) -> Option<Name> {
        match self.function(id).owner {
            Owner::Module => None,
            Owner::Impl(id) => match &self.impls[id.index()].self_ref {
                TypeRef::Path(path) => path.last(),
                _ => None,
            },
            Owner::Trait(id) => Some(self.traits[id.index()].name),
        }
    }

    /// `Type::method` or `function`, as a reader would name it.
    pub fn short_name(&self, id: FnId) -> String {
        let name = self.function(id).function.name;
        match self.owner_name(id) {
            Some(owner) => format!("{owner}::{name}"),
            None => name.to_string(),
        }
    }

    /// The path of a module without its crate, joined by `::`.
    pub fn module_path(&self, id: ModuleId) -> String {
        let mut names = Vec::new();
        let mut at = Some(id);
        while let Some(module) = at {
            let def = self.module(module);
            if def.parent.is_some() {
                names.push(def.name.as_str());
            }
            at = def.parent;
        }
        names.reverse();
        names.join("::")
    }

    /// The name of a function within its crate: `reminders::Mailer::send`.
    pub fn full_name(&self, id: FnId) -> String {
        let path = self.module_path(self.function(id).module);
        let short = self.short_name(id);
        if path.is_empty() {
            short
        } else {
            format!("{path}::{short}")
        }
    }

    /// The name of a trait within its crate: `reminders::Send`.
    pub fn full_trait_name(&self, id: TraitId) -> String {
        let def = &self.traits[id.index()];
        let path = self.module_path(def.module);
        if path.is_empty() {
            def.name.to_string()
        } else {
            format!("{path}::{}", def.name)
        }
    }
}
