//! Canonical paths: aliases, preludes and globs of other crates.

use crate::ir::Name;

use super::known::Known;

impl Known {
    /// Remembers paths by crate and by each of their type-like segments, so that a glob import
    /// of the crate can be followed.
    pub(super) fn add_named(&mut self, paths: &[String]) {
        for path in paths.iter().filter(|path| !path.contains('*')) {
            let Some((root, _)) = path.split_once("::") else {
                continue;
            };
            let root = Name::from(root);
            let mut end = path.len();
            // `a::B::new` names `a::B` as well.
            while let Some(prefix) = path.get(..end) {
                let Some(last) = prefix.rsplit("::").next() else {
                    break;
                };
                if prefix == root.as_str() {
                    break;
                }
                let starts_upper = last.chars().next().is_some_and(char::is_uppercase);
                if end == path.len() || starts_upper {
                    self.named
                        .entry((root, Name::from(last)))
                        .or_insert_with(|| Name::from(prefix));
                }
                end = prefix.len() - last.len();
                end = end.saturating_sub(2);
            }
        }
    }

    /// The name of a package's library in canonical paths.
    pub fn library(&self, package: &str) -> Name {
        let plain = Name::from(package);
        self.libraries
            .get(&plain)
            .copied()
            .unwrap_or_else(|| Name::from(&package.replace('-', "_")))
    }

    /// The canonical form of a path of another crate.
    pub fn canonical(&self, path: &str) -> Name {
        let mut current = path.to_owned();
        if let Some((module, name)) = path.rsplit_once("::")
            && let Some(exports) = self.preludes.get(&Name::from(module))
            && let Some(found) = exports.get(&Name::from(name))
        {
            return *found;
        }
        for _ in 0..4 {
            let Some(next) = self.alias_once(&current) else {
                break;
            };
            current = next;
        }
        Name::from(&current)
    }

    pub(super) fn alias_once(&self, path: &str) -> Option<String> {
        let mut end = path.len();
        loop {
            if let Some(to) = self.aliases.get(&path[..end]) {
                let next = format!("{to}{}", &path[end..]);
                return (next != path).then_some(next);
            }
            end = path[..end].rfind("::")?;
        }
    }

    /// What a glob import of a module of another crate brings in under a name.
    pub fn from_glob(&self, module: Name, name: Name) -> Option<Name> {
        if let Some(exports) = self.preludes.get(&module)
            && let Some(path) = exports.get(&name)
        {
            return Some(*path);
        }
        let root = Name::from(module.split("::").next().unwrap_or(&module));
        let known = self.named.get(&(root, name)).copied()?;
        let direct = self.canonical(&format!("{module}::{name}"));
        // A prelude may lend anything of its crate; another module only what lies in it.
        let is_prelude = module.ends_with("prelude") || module == root || module.ends_with("::all");
        (is_prelude || known == direct || known.starts_with(&*format!("{module}::")))
            .then_some(known)
    }

    /// Everything that a glob import of a module of another crate brings in.
    pub fn exports(&self, module: Name) -> impl Iterator<Item = Name> + '_ {
        self.preludes
            .get(&module)
            .into_iter()
            .flat_map(|exports| exports.values().copied())
    }
}
