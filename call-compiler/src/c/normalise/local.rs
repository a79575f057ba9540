//! What one token tells by itself, or with its neighbours.

use std::collections::HashSet;

use super::super::lex::CTokenKind;
use super::{ERASED_TYPE, ItemEditor, literal, words};

pub fn rewrite(editor: &mut ItemEditor) {
    let labels = labels(editor);
    let mut index = editor.first;
    while index < editor.end {
        if !editor.is_removed(index) {
            let range = editor.range(index);
            match editor.tokens.tokens[index].kind {
                CTokenKind::String => literal::simplify_string(&mut editor.bytes[range]),
                CTokenKind::Character => literal::simplify_character(&mut editor.bytes[range]),
                CTokenKind::Number => literal::simplify_number(&mut editor.bytes[range]),
                CTokenKind::Word => word(editor, index),
                CTokenKind::Punctuator => punctuator(editor, index, &labels),
            }
        }
        index += 1;
    }
}

fn labels<'a>(editor: &ItemEditor<'a>) -> HashSet<&'a [u8]> {
    (editor.first..editor.end)
        .filter(|index| editor.is_word(*index) && editor.text(index + 1) == b":")
        .map(|index| editor.text(index))
        .collect()
}

fn word(editor: &mut ItemEditor, index: usize) {
    if let Some(last) = editor.tokens.decoration(index).filter(|last| *last < editor.end) {
        return editor.remove(index, last);
    }
    let arguments_end = if editor.text(index + 1) == b"(" { editor.partner(index + 1) } else { None };
    match (editor.text(index), arguments_end) {
        (
            b"__real__"
            | b"__imag__"
            | b"__real"
            | b"__imag"
            | b"__thread"
            | b"thread_local"
            | b"__seg_fs"
            | b"__seg_gs"
            | b"_Nonnull"
            | b"_Nullable"
            | b"_Null_unspecified"
            | b"__transaction_atomic"
            | b"__transaction_relaxed"
            | b"__transaction_cancel",
            _,
        ) => editor.remove(index, index),
        (b"_Static_assert" | b"static_assert", Some(close)) if editor.text(close + 1) == b";" => {
            editor.remove(index, close + 1);
        }
        (b"__label__", _) => {
            let end = (index..editor.end).find(|at| editor.text(*at) == b";").unwrap_or(index);
            editor.remove(index, end);
        }
        // A compound literal behind sizeof.
        (b"sizeof" | b"__alignof__" | b"__alignof" | b"_Alignof" | b"alignof", Some(close))
            if editor.text(close + 1) == b"{" =>
        {
            editor.remove(index, index);
        }
        (b"__alignof__" | b"__alignof" | b"_Alignof" | b"alignof", _) => editor.replace(index, "sizeof"),
        (b"__int128", _) => editor.replace(index, "long"),
        (b"__auto_type", _) => editor.replace(index, ERASED_TYPE),
        (b"auto", _) if is_deduced(editor, index) => editor.replace(index, ERASED_TYPE),
        (b"typeof_unqual" | b"__typeof_unqual__", _) => editor.replace(index, "typeof"),
        (b"constexpr" | b"__const__", _) => editor.replace(index, "const"),
        (b"_BitInt", Some(close)) => editor.replace_all(index, close, "int"),
        (
            b"__builtin_types_compatible_p"
            | b"__builtin_has_attribute"
            | b"__builtin_classify_type"
            | b"__builtin_convertvector"
            | b"__builtin_bit_cast"
            | b"__builtin_offsetof",
            Some(close),
        ) => editor.replace_all(index, close, "0"),
        (b"goto", _) if editor.text(index + 1) == b"*" => {
            editor.computed_gotos.push(editor.tokens.tokens[index].start as usize);
            editor.remove(index, index + 1);
        }
        (b"enum", _) => enumeration(editor, index),
        (text, _) if text.iter().any(|byte| !byte.is_ascii_alphanumeric()) => {
            // Letters beyond ASCII, `$` and `\u00e9`.
            for byte in &mut editor.bytes[index_range(editor.tokens.tokens[index], editor.start)] {
                if !byte.is_ascii_alphanumeric() {
                    *byte = b'_';
                }
            }
        }
        _ => {}
    }
}

fn index_range(token: super::super::lex::CToken, start: usize) -> std::ops::Range<usize> {
    token.start as usize - start..token.end as usize - start
}

/// Whether `auto` stands for a type, as in C23: no type follows it.
fn is_deduced(editor: &ItemEditor, index: usize) -> bool {
    let mut name = index + 1;
    while words::is_qualifier(editor.text(name)) {
        name += 1;
    }
    while editor.text(name) == b"*" {
        name += 1;
    }
    editor.is_word(name)
        && !words::is_type(editor.text(name))
        && matches!(editor.text(name + 1), b"=" | b";" | b"," | b"[")
}

/// Drops the type of `enum E : T`.
fn enumeration(editor: &mut ItemEditor, index: usize) {
    let mut next = index + 1;
    while let Some(last) = editor.tokens.decoration(next) {
        next = last + 1;
    }
    if editor.is_word(next) {
        next += 1;
    }
    if editor.text(next) != b":" || !editor.is_word(next + 1) {
        return;
    }
    let mut behind = next + 1;
    while editor.is_word(behind) {
        behind += 1;
    }
    if editor.text(behind) == b"(" {
        behind = editor.partner(behind).map_or(behind, |close| close + 1);
    }
    if matches!(editor.text(behind), b"{" | b";") {
        editor.remove(next, behind - 1);
    }
}

fn punctuator(editor: &mut ItemEditor, index: usize, labels: &HashSet<&[u8]>) {
    match editor.text(index) {
        b"<%" => editor.replace(index, "{"),
        b"%>" => editor.replace(index, "}"),
        b"<:" | b"[" => {
            if let Some(last) = editor.tokens.decoration(index).filter(|last| *last < editor.end) {
                editor.remove(index, last);
            } else {
                editor.replace(index, "[");
            }
        }
        b":>" => editor.replace(index, "]"),
        b"?" if editor.text(index + 1) == b":" => editor.insert_after(index, "0"),
        b"&&" if is_label_address(editor, index, labels) => editor.replace(index, "&"),
        b"..." if editor.text(index + 1) == b")" && previous(editor, index) == Some(b"(") => {
            editor.remove(index, index);
        }
        _ => {}
    }
}

/// The text of the last token before `index` that was not removed.
fn previous<'a>(editor: &ItemEditor<'a>, index: usize) -> Option<&'a [u8]> {
    previous_index(editor, index).map(|previous| editor.text(previous))
}

fn previous_index(editor: &ItemEditor, index: usize) -> Option<usize> {
    (editor.first..index).rev().find(|before| !editor.is_removed(*before))
}

/// Whether `&&` is the unary operator of GNU C.
fn is_label_address(editor: &ItemEditor, index: usize, labels: &HashSet<&[u8]>) -> bool {
    if !editor.is_word(index + 1) {
        return false;
    }
    let Some(before) = previous_index(editor, index) else { return true };
    let text = editor.text(before);
    match editor.tokens.tokens[before].kind {
        CTokenKind::Punctuator if text == b")" => {
            // Behind a cast, as in `(void *)&&label`.
            let last_inside = editor.text(before - 1);
            (last_inside == b"*" || words::is_type(last_inside)) && labels.contains(editor.text(index + 1))
        }
        CTokenKind::Punctuator => !matches!(text, b"]" | b"}" | b"++" | b"--"),
        CTokenKind::Word => words::is_statement(text),
        _ => false,
    }
}
