//! `use` declarations, flat: one entry per name.

use syn::UseTree;

use crate::ir::{Name, Use};

use super::types::name;

pub(super) fn flatten_use(item: &syn::ItemUse, uses: &mut Vec<Use>) {
    flatten_tree(
        &item.tree,
        item.leading_colon.is_some(),
        &mut Vec::new(),
        uses,
    );
}

fn flatten_tree(tree: &UseTree, global: bool, prefix: &mut Vec<Name>, uses: &mut Vec<Use>) {
    match tree {
        UseTree::Path(path) => {
            prefix.push(name(&path.ident));
            flatten_tree(&path.tree, global, prefix, uses);
            prefix.pop();
        }
        UseTree::Name(leaf) => push_leaf(&leaf.ident, None, global, prefix, uses),
        UseTree::Rename(leaf) => push_leaf(&leaf.ident, Some(&leaf.rename), global, prefix, uses),
        UseTree::Glob(_) => uses.push(Use {
            global,
            path: prefix.clone(),
            name: None,
        }),
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten_tree(tree, global, prefix, uses);
            }
        }
    }
}

fn push_leaf(
    ident: &proc_macro2::Ident,
    rename: Option<&proc_macro2::Ident>,
    global: bool,
    prefix: &[Name],
    uses: &mut Vec<Use>,
) {
    let mut path = prefix.to_vec();
    let last = name(ident);
    if last != "self" || path.is_empty() {
        path.push(last);
    }
    let bound = rename.map(name).or_else(|| path.last().copied());
    uses.push(Use {
        global,
        path,
        name: bound,
    });
}
