//! The vocabulary that the analyser and the attribute crate share.
//!
//! This crate is a leaf and mostly data: the words for kinds of effects, actions,
//! protections and jobs ([`vocabulary`]), the rules ([`rule`]), the grammar of the attributes
//! ([`grammar`]) and,
//! behind the feature `catalog`, the typed catalogue of known APIs. It knows nothing of
//! how code is read or analysed.

#[cfg(feature = "catalog")]
pub mod catalog;
pub mod grammar;
#[cfg(feature = "catalog")]
pub mod pages;
pub mod rule;
pub mod vocabulary;
