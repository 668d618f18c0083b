//! Putting items into the arenas.

use rustc_hash::FxHashMap;

use crate::ir::{ConstItem, FileId, Function, ImplItem, Item, Name, Site, TypeItem};

use super::ids::{AliasId, ConstId, CrateId, FnId, ImplId, ModuleId, TraitId, TypeId};
use super::known::Known;
use super::program::{
    AliasDef, ConstDef, CrateDef, CrateInput, Def, FileInput, FnDef, ImplDef, ModuleDef, Owner,
    Program, TraitDef, TypeDef,
};

pub(super) struct Builder {
    pub(super) program: Program,
    pub(super) files: Vec<Option<FileInput>>,
    pub(super) roots: FxHashMap<FileId, ModuleId>,
}

impl Builder {
    /// The module of a file; a file that two targets share is one module.
    pub(super) fn file_module(
        &mut self,
        file: FileId,
        name: Name,
        parent: Option<ModuleId>,
        krate: CrateId,
    ) -> ModuleId {
        if let Some(module) = self.roots.get(&file) {
            return *module;
        }
        let module = self.new_module(name, parent, krate, file);
        self.roots.insert(file, module);
        let Some(input) = self.files.get_mut(file.0 as usize).and_then(Option::take) else {
            return module;
        };
        self.add_items(module, input.items, file);
        for (inline, name, child) in input.children {
            let mut around = module;
            for step in inline {
                match self.program.modules[around.index()].types.get(&step) {
                    Some(Def::Module(inner)) => around = *inner,
                    _ => break,
                }
            }
            let child = self.file_module(child, name, Some(around), krate);
            self.program.modules[around.index()]
                .types
                .insert(name, Def::Module(child));
        }
        module
    }

    fn new_module(
        &mut self,
        name: Name,
        parent: Option<ModuleId>,
        krate: CrateId,
        file: FileId,
    ) -> ModuleId {
        let id = ModuleId(self.program.modules.len() as u32);
        self.program.modules.push(ModuleDef {
            name,
            krate,
            parent,
            file,
            types: FxHashMap::default(),
            values: FxHashMap::default(),
            uses: Vec::new(),
            imports: FxHashMap::default(),
            globs: Vec::new(),
        });
        id
    }

    fn add_items(&mut self, module: ModuleId, items: Vec<Item>, file: FileId) {
        for item in items {
            self.add_item(module, item, file);
        }
    }

    fn add_item(&mut self, module: ModuleId, item: Item, file: FileId) {
        match item {
            Item::Use(found) => self.program.modules[module.index()].uses.push(found),
            Item::Function(mut function) => {
                self.take_uses(module, &mut function);
                let name = function.name;
                let id = self.add_function(function, module, file, Owner::Module);
                self.program.modules[module.index()]
                    .values
                    .entry(name)
                    .or_insert(Def::Function(id));
            }
            Item::Type(item) => self.add_type(module, item, file),
            Item::Trait(item) => self.add_trait(module, item, file),
            Item::Impl(item) => self.add_impl(module, item, file),
            Item::Const(item) => {
                let name = item.name;
                let id = self.add_const(item, module, file, None);
                self.program.modules[module.index()]
                    .values
                    .insert(name, Def::Const(id));
            }
            Item::Alias(item) => {
                let id = AliasId(self.program.aliases.len() as u32);
                self.program.modules[module.index()]
                    .types
                    .insert(item.name, Def::Alias(id));
                self.program.aliases.push(AliasDef { item, module });
            }
            Item::Module(inner) => {
                let krate = self.program.modules[module.index()].krate;
                // A `cfg`-gated twin of a module adds to the first one.
                let existing = match self.program.modules[module.index()].types.get(&inner.name) {
                    Some(Def::Module(existing)) => Some(*existing),
                    _ => None,
                };
                let id = existing
                    .unwrap_or_else(|| self.new_module(inner.name, Some(module), krate, file));
                self.program.modules[module.index()]
                    .types
                    .insert(inner.name, Def::Module(id));
                self.add_items(id, inner.items, file);
            }
        }
    }

    /// Imports inside a body are taken as the module's: names rarely clash.
    fn take_uses(&mut self, module: ModuleId, function: &mut Function) {
        if let Some(body) = &mut function.body {
            self.program.modules[module.index()]
                .uses
                .append(&mut body.uses);
        }
    }

    fn add_function(
        &mut self,
        mut function: Function,
        module: ModuleId,
        file: FileId,
        owner: Owner,
    ) -> FnId {
        self.take_uses(module, &mut function);
        let id = FnId(self.program.functions.len() as u32);
        self.program.functions.push(FnDef {
            function,
            module,
            file,
            owner,
        });
        id
    }

    fn add_const(
        &mut self,
        item: ConstItem,
        module: ModuleId,
        file: FileId,
        owner: Option<ImplId>,
    ) -> ConstId {
        let id = ConstId(self.program.consts.len() as u32);
        self.program.consts.push(ConstDef {
            item,
            module,
            owner,
            file,
        });
        id
    }

    fn add_type(&mut self, module: ModuleId, item: TypeItem, file: FileId) {
        let id = TypeId(self.program.types.len() as u32);
        let scope = &mut self.program.modules[module.index()];
        scope.types.entry(item.name).or_insert(Def::Type(id));
        if !item.is_enum
            && item
                .variants
                .first()
                .is_some_and(|variant| variant.is_tuple || variant.fields.is_empty())
        {
            scope.values.entry(item.name).or_insert(Def::Variant(id, 0));
        }
        self.program.types.push(TypeDef {
            item,
            module,
            file,
            impls: Vec::new(),
        });
    }

    fn add_trait(&mut self, module: ModuleId, item: crate::ir::TraitItem, file: FileId) {
        let id = TraitId(self.program.traits.len() as u32);
        self.program.modules[module.index()]
            .types
            .entry(item.name)
            .or_insert(Def::Trait(id));
        let mut methods = FxHashMap::default();
        for method in item.methods {
            let name = method.name;
            methods.insert(
                name,
                self.add_function(method, module, file, Owner::Trait(id)),
            );
        }
        let mut consts = FxHashMap::default();
        for constant in item
            .consts
            .into_iter()
            .filter(|constant| constant.value.is_some())
        {
            let name = constant.name;
            consts.insert(name, self.add_const(constant, module, file, None));
        }
        self.program.traits.push(TraitDef {
            consts,
            name: item.name,
            site: Site {
                file,
                place: item.place,
            },
            module,
            generics: item.generics,
            supertraits: item.supertraits,
            parents: Vec::new(),
            methods,
            types: item.types,
            impls: Vec::new(),
        });
    }

    fn add_impl(&mut self, module: ModuleId, item: ImplItem, file: FileId) {
        let id = ImplId(self.program.impls.len() as u32);
        let mut methods = FxHashMap::default();
        for method in item.methods {
            let name = method.name;
            let function = self.add_function(method, module, file, Owner::Impl(id));
            methods.insert(name, function);
            self.program.by_name.entry(name).or_default().push(function);
        }
        let mut consts = FxHashMap::default();
        for constant in item.consts {
            let name = constant.name;
            consts.insert(name, self.add_const(constant, module, file, Some(id)));
        }
        self.program.impls.push(ImplDef {
            module,
            site: Site {
                file,
                place: item.place,
            },
            attributes: item.attributes,
            generics: item.generics,
            trait_: item.trait_,
            trait_def: None,
            self_ref: item.self_ty,
            self_ty: super::Ty::Unknown,
            methods,
            types: item.types,
            consts,
        });
    }
}

impl Program {
    /// Builds the arenas and resolves imports and impl headers.
    pub fn build(crates: Vec<CrateInput>, files: Vec<FileInput>, known: &Known) -> Program {
        let mut builder = Builder {
            program: Program::default(),
            files: files.into_iter().map(Some).collect(),
            roots: FxHashMap::default(),
        };
        for (index, input) in crates.into_iter().enumerate() {
            let id = CrateId(index as u32);
            let root = builder.file_module(input.root, input.name, None, id);
            builder.program.crates.push(CrateDef {
                name: input.name,
                package: input.package,
                root,
                externs: input.externs,
                versions: input.versions,
                selected: input.selected,
            });
        }
        let mut program = builder.program;
        program.resolve_imports(known);
        program.resolve_impls(known);
        program
    }
}
