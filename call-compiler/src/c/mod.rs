//! As much of C as the translator has to understand.
//!
//! [`lex`] makes tokens, [`items`] splits a preprocessed file into its declarations and functions, [`normalise`] rewrites one of
//! them into the C11 that lang-c parses, [`parse`] calls lang-c, [`function`] and [`file_scope`] answer the questions: what may
//! stand here, which names are visible and what are they, which jumps leave a block, what is changed inside it; [`layout`] knows members
//! and sizes, [`shape`] is what it says of a name.

pub mod file_scope;
pub mod function;
pub mod index;
pub mod items;
pub mod layout;
pub mod lex;
pub mod normalise;
pub mod parse;
pub mod shape;
pub mod types;
pub mod uses;
