//! Which declarations at file scope could declare a name, found without parsing them.

use std::collections::{HashMap, HashSet};

use super::items::{Item, Tokens};

/// What a name seems to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameRole {
    Function,
    Enumerator,
    /// A variable or the name of a type: the declaration tells.
    Declared,
}

/// A declaration that could be that of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CandidateDeclaration {
    /// Position in the list of items.
    pub item: usize,
    pub role: NameRole,
    /// The token that is the name.
    pub token: usize,
}

/// Candidates by the hashes of their names.
pub struct Index(HashMap<u64, Vec<CandidateDeclaration>>);

impl Index {
    pub fn new(tokens: &Tokens, items: &[Item]) -> Index {
        let mut candidates: HashMap<u64, Vec<CandidateDeclaration>> = HashMap::new();
        for (item, its) in items.iter().enumerate() {
            let mut add = |token: usize, role: NameRole| {
                let candidate = CandidateDeclaration { item, role, token };
                candidates.entry(hash(tokens.text(token))).or_default().push(candidate);
            };
            if its.is_typedef {
                names_of_typedef(tokens, its).into_iter().for_each(|name| add(name, NameRole::Declared));
            }
            declarations(tokens, its, &mut add);
        }
        Index(candidates)
    }

    /// The declarations of a name in the order of the file.
    pub fn candidates(&self, tokens: &Tokens, name: &str) -> impl Iterator<Item = CandidateDeclaration> {
        let found = self.0.get(&hash(name.as_bytes())).map_or(&[][..], Vec::as_slice);
        found.iter().copied().filter(move |candidate| tokens.text(candidate.token) == name.as_bytes())
    }

    /// All names, in no order.
    pub fn names<'t>(&self, tokens: &'t Tokens) -> HashSet<&'t [u8]> {
        self.0.values().flatten().map(|candidate| tokens.text(candidate.token)).collect()
    }
}

fn hash(name: &[u8]) -> u64 {
    // FNV-1a: names are short and nobody attacks.
    name.iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

/// Names outside of parentheses, those in parentheses that hold a declarator, and enumerators.
fn declarations(tokens: &Tokens, item: &Item, add: &mut impl FnMut(usize, NameRole)) {
    let end = item.body.map_or(item.end, |(open, _)| open);
    let mut index = item.first;
    while index < end {
        let next = tokens.text(index + 1);
        match tokens.text(index) {
            b"{" => {
                let close = tokens.partner(index).unwrap_or(end);
                enumerators(tokens, index, close, add);
                index = close;
            }
            b"[" => index = tokens.partner(index).unwrap_or(end),
            // `(*name)`, `((name))`; other parentheses hold parameters.
            b"(" if !matches!(next, b"*" | b"^" | b"(") => index = tokens.partner(index).unwrap_or(end),
            _ if tokens.is_word(index) && !item.is_typedef => match next {
                b"(" => add(index, NameRole::Function),
                b";" | b"," | b"=" | b"[" | b")" | b"__attribute__" | b"__asm__" => {
                    add(index, NameRole::Declared)
                }
                _ => {}
            },
            _ => {}
        }
        index += 1;
    }
}

/// The enumerators between braces, if they or braces inside are those of an `enum`.
fn enumerators(tokens: &Tokens, open: usize, close: usize, add: &mut impl FnMut(usize, NameRole)) {
    let is_enum = |open: usize| (1..=2).any(|back| open >= back && tokens.text(open - back) == b"enum");
    let mut index = open;
    while index < close {
        if tokens.text(index) == b"{" && is_enum(index) {
            let inner_close = tokens.partner(index).unwrap_or(close);
            for at in index + 1..inner_close {
                if tokens.is_word(at) && matches!(tokens.text(at - 1), b"{" | b",") {
                    add(at, NameRole::Enumerator);
                }
            }
            index = inner_close;
        }
        index += 1;
    }
}

/// The tokens that are the names that a typedef declares, found without parsing it.
pub fn names_of_typedef(tokens: &Tokens, item: &Item) -> Vec<usize> {
    let mut names = Vec::new();
    let mut name = None;
    let mut index = item.first;
    while index < item.end {
        if let Some(last) = tokens.decoration(index) {
            index = last + 1;
            continue;
        }
        match tokens.text(index) {
            b"," | b";" => names.extend(name.take()),
            b"(" => {
                let previous = index.checked_sub(1).map_or(&b""[..], |previous| tokens.text(previous));
                let is_type =
                    matches!(previous, b"typeof" | b"__typeof__" | b"__typeof" | b"_Atomic" | b"_BitInt");
                let close = tokens.partner(index).unwrap_or(item.end);
                let names_inside = matches!(tokens.text(index + 1), b"*" | b"^" | b"(")
                    || (tokens.is_word(index + 1)
                        && tokens.text(index + 2) == b")"
                        && tokens.text(close + 1) == b"(");
                if names_inside && !is_type {
                    name = declarator_inside(tokens, index, close);
                    index = skip_to_separator(tokens, close, item.end);
                    continue;
                }
                index = close;
            }
            b"[" | b"{" => index = tokens.partner(index).unwrap_or(item.end),
            _ if tokens.is_word(index) => name = Some(index),
            _ => {}
        }
        index += 1;
    }
    names
}

/// The name in `(*name)`, `(*name[3])`, `(*(*name)(int))`, `(name)`.
fn declarator_inside(tokens: &Tokens, open: usize, close: usize) -> Option<usize> {
    (open + 1..close).find(|index| {
        tokens.is_word(*index)
            && !matches!(tokens.text(*index), b"const" | b"volatile" | b"restrict" | b"__restrict")
    })
}

fn skip_to_separator(tokens: &Tokens, from: usize, end: usize) -> usize {
    let mut index = from;
    while index < end && !matches!(tokens.text(index), b"," | b";") {
        index = match tokens.text(index) {
            b"(" | b"[" | b"{" => tokens.partner(index).unwrap_or(end),
            _ => index,
        } + 1;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::super::items::items;
    use super::super::lex::lex;
    use super::*;

    #[test]
    fn names_of_types() {
        for (source, expected) in [
            ("typedef unsigned long size_t;", vec!["size_t"]),
            ("typedef struct s { int a; } s, *p, v[3];", vec!["s", "p", "v"]),
            ("typedef int (*f)(int, char *), g;", vec!["f", "g"]),
            ("typedef int (*(*f)(void))[3];", vec!["f"]),
            ("typedef void h(int), (k)(int);", vec!["h", "k"]),
            ("typedef __typeof__(1 + 2) t;", vec!["t"]),
            ("typedef int a __attribute__((mode(DI))), b[2][3];", vec!["a", "b"]),
            ("typedef enum { A, B } e;", vec!["e"]),
            ("typedef int (*const volatile f)(void);", vec!["f"]),
        ] {
            let tokens = Tokens::new(source.as_bytes(), lex(source.as_bytes(), 0, source.len()));
            let names = names_of_typedef(&tokens, &items(&tokens)[0]);
            let names: Vec<&str> =
                names.iter().map(|name| std::str::from_utf8(tokens.text(*name)).unwrap()).collect();
            assert_eq!(names, expected, "{source}");
        }
    }
}
