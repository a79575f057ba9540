//! What words of a file say of types: whether their values have less bits than `int`, point to `void`, and how they are kept.

use std::collections::{HashMap, HashSet};

use lang_c::ast::TypeSpecifier;

use crate::c::file_scope::FileScope;
use crate::c::index::names_of_typedef;
use crate::c::types::Representation;

/// The words of C and those that typedefs make others for them.
pub struct TypeWords {
    narrow: HashSet<Vec<u8>>,
    /// Other words for `void` and pointers to it.
    untyped: HashSet<Vec<u8>>,
    /// Names of types of natural and of real numbers, and of pointers to them.
    kept: HashMap<Vec<u8>, Representation>,
}

impl TypeWords {
    pub fn of(file: &FileScope) -> TypeWords {
        let mut kept = HashMap::new();
        for representation in [Representation::Natural, Representation::Real] {
            let is_kept = |word: &[u8]| representation_of(word) == Some(representation);
            let words = other_words(file, is_kept, &[b"(", b"{"]);
            kept.extend(words.into_iter().map(|word| (word, representation)));
        }
        TypeWords {
            narrow: other_words(file, is_narrow, &[b"*", b"(", b"[", b"{"]),
            untyped: other_words(file, is_void, &[b"(", b"[", b"{"]),
            kept,
        }
    }

    /// Whether a word stands for a type with less bits than `int`.
    pub fn is_narrow(&self, word: &[u8]) -> bool {
        is_narrow(word) || self.narrow.contains(word)
    }

    /// Whether one of these does.
    pub fn have_narrow<'t>(&self, mut specifiers: impl Iterator<Item = &'t TypeSpecifier>) -> bool {
        specifiers.any(|specifier| match specifier {
            TypeSpecifier::Char | TypeSpecifier::Short | TypeSpecifier::Bool => true,
            TypeSpecifier::TypedefName(name) => self.is_narrow(name.node.name.as_bytes()),
            _ => false,
        })
    }

    /// Whether a word stands for `void` or a pointer to it.
    pub fn is_untyped(&self, word: &[u8]) -> bool {
        is_void(word) || self.is_untyped_name(word)
    }

    /// The same of the name of a type.
    pub fn is_untyped_name(&self, word: &[u8]) -> bool {
        self.untyped.contains(word)
    }

    /// Whether what is declared with these points to `void`, if it points to something.
    pub fn have_untyped<'t>(&self, mut specifiers: impl Iterator<Item = &'t TypeSpecifier>) -> bool {
        specifiers.any(|specifier| match specifier {
            TypeSpecifier::Void => true,
            TypeSpecifier::TypedefName(name) => self.is_untyped_name(name.node.name.as_bytes()),
            _ => false,
        })
    }

    /// What a word makes of the values of a type, but for whole numbers with a sign.
    pub fn representation(&self, word: &[u8]) -> Option<Representation> {
        representation_of(word).or_else(|| self.kept.get(word).copied())
    }
}

fn is_narrow(word: &[u8]) -> bool {
    matches!(
        word,
        b"char" | b"short" | b"_Bool" | b"bool" | b"int8_t" | b"uint8_t" | b"int16_t" | b"uint16_t"
    )
}

fn is_void(word: &[u8]) -> bool {
    word == b"void"
}

fn representation_of(word: &[u8]) -> Option<Representation> {
    match word {
        b"unsigned" => Some(Representation::Natural),
        b"float" | b"double" => Some(Representation::Real),
        _ => None,
    }
}

/// The names of types that a typedef without certain signs makes other words for those that `is_word` tells.
fn other_words(file: &FileScope, is_word: impl Fn(&[u8]) -> bool, signs: &[&[u8]]) -> HashSet<Vec<u8>> {
    let tokens = &file.tokens;
    let mut found: HashSet<Vec<u8>> = HashSet::new();
    for item in file.items.iter().filter(|item| item.is_typedef) {
        let mut words = (item.first..item.end).map(|index| tokens.text(index));
        let is_plain = !words.clone().any(|word| signs.contains(&word));
        if is_plain && words.any(|word| is_word(word) || found.contains(word)) {
            found.extend(names_of_typedef(tokens, item).into_iter().map(|name| tokens.text(name).to_vec()));
        }
    }
    found
}
