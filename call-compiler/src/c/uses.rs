//! What a function does with a variable, found without parsing: how the variable is declared, up to where it is visible, and whether
//! anything reads it.

use std::collections::BTreeSet;

use super::items::Tokens;

/// The operators with which statements give a variable values between two tokens; `None` if it is used otherwise.
pub fn changes<'a>(tokens: &Tokens<'a>, name: &[u8], from: usize, to: usize) -> Option<BTreeSet<&'a [u8]>> {
    let is_use =
        |index: &usize| tokens.text(*index) == name && !matches!(tokens.text(*index - 1), b"." | b"->");
    (from..to).filter(is_use).map(|index| change(tokens, index)).collect()
}

/// The innermost bracket that is open before a token.
fn around(tokens: &Tokens, index: usize) -> Option<usize> {
    let mut index = index;
    while let Some(before) = index.checked_sub(1) {
        index = match tokens.partner(before) {
            Some(partner) if partner > before => return Some(before),
            Some(partner) => partner,
            None => before,
        };
    }
    None
}

/// The brace that closes the block of a variable; `None` for enumerators.
pub fn end_of_block(tokens: &Tokens, at: usize) -> Option<usize> {
    let mut open = around(tokens, at)?;
    // That of a `for` is visible as long as the block is.
    if tokens.text(open) == b"(" {
        open = around(tokens, open)?;
    }
    let is_enumerator = (1..=2).any(|back| open >= back && tokens.text(open - back) == b"enum");
    if is_enumerator { None } else { tokens.partner(open) }
}

/// The words of the declaration of one name: the specifiers and, behind the comma before it, its own declarator.
pub fn declaration<'a>(tokens: &Tokens<'a>, at: usize) -> Vec<&'a [u8]> {
    let open = around(tokens, at);
    let is_list = open.is_some_and(|open| tokens.text(open) == b"(");
    let floor = open.map_or(0, |open| open + 1);
    let ceiling = open.and_then(|open| tokens.partner(open)).unwrap_or(tokens.len());
    let is_comma = |index: usize| tokens.text(index) == b",";
    let is_edge =
        |index: usize| matches!(tokens.text(index), b";" | b"{" | b"}") || (is_list && is_comma(index));
    let mut first = at;
    let mut own = None;
    while first > floor && !is_edge(first - 1) {
        if is_comma(first - 1) {
            own.get_or_insert(first);
        }
        first = tokens.partner(first - 1).filter(|partner| *partner < first).unwrap_or(first - 1);
    }
    let behind =
        |from: usize| (from..ceiling).find(|index| is_comma(*index) || is_edge(*index)).unwrap_or(ceiling);
    let specifiers = first..own.map_or(first, |_| behind(first));
    let own = own.unwrap_or(first)..behind(at);
    specifiers.chain(own).map(|index| tokens.text(index)).collect()
}

/// Whether a word of a declaration keeps compilers from telling that the variable is unused, or makes it one of another scope.
pub fn sets_apart(word: &[u8]) -> bool {
    matches!(word, b"unused" | b"__unused__" | b"maybe_unused" | b"__maybe_unused__")
        || matches!(word, b"cleanup" | b"__cleanup__" | b"extern" | b"volatile")
}

/// The operator of a statement that does nothing but give a variable a value; `None` for all other uses.
fn change<'a>(tokens: &Tokens<'a>, index: usize) -> Option<&'a [u8]> {
    let open = around(tokens, index)?;
    let starts = match tokens.text(open) {
        b"{" => matches!(tokens.text(index - 1), b";" | b"{" | b"}" | b":" | b")" | b"else" | b"do"),
        b"(" => open + 1 == index && tokens.text(open - 1) == b"for",
        _ => false,
    };
    let operator = tokens.text(index + 1);
    let is_change = match operator {
        b"++" | b"--" => tokens.text(index + 2) == b";",
        b"=" | b"+=" | b"-=" | b"*=" | b"/=" | b"%=" | b"&=" | b"|=" | b"^=" | b"<<=" | b">>=" => true,
        _ => false,
    };
    (starts && is_change).then_some(operator)
}
