use std::collections::HashMap;

use super::super::file_scope::FileScope;
use super::{
    ControlFlow, DirectivePlace, DirectivePosition, JumpKind, LeavingJump, ReturnType, ReturnedValue, Scope,
    is_setjmp,
};

pub fn guess(file: &FileScope, item: usize, places: &[usize]) -> ControlFlow {
    let tokens = &file.tokens;
    let range = file.items[item].first..file.items[item].end;
    let start = |index: usize| tokens.tokens[index].start as usize;
    let mut function = ControlFlow {
        places: Vec::new(),
        jumps: Vec::new(),
        labels: HashMap::new(),
        cases: Vec::new(),
        changes: Vec::new(),
        computed_gotos: Vec::new(),
        return_type: ReturnType::Unnameable,
        nested_functions: Vec::new(),
        calls_setjmp: range.clone().any(|index| is_setjmp(tokens.text(index))),
        scopes: vec![Scope { parent: None, names: Vec::new() }],
        item,
        is_understood: false,
    };
    let mut open: Vec<usize> = Vec::new();
    let mut next_place = 0;
    for index in range.clone() {
        while places.get(next_place).is_some_and(|offset| *offset < start(index)) {
            let position = open.last().map_or(DirectivePosition::Inside, |brace| {
                let close = tokens.partner(*brace).unwrap_or(range.end - 1);
                DirectivePosition::Block(start(*brace), start(close) + 1)
            });
            let is_among_declarations = index > range.start && tokens.text(index - 1) == b"{";
            function.places.push(DirectivePlace {
                position,
                is_among_declarations,
                scope: 0,
                offset: places[next_place],
            });
            next_place += 1;
        }
        let begins = matches!(tokens.text(index.wrapping_sub(1)), b"{" | b"}" | b";" | b")" | b"else" | b":");
        let name = || String::from_utf8_lossy(tokens.text(index + 1)).into_owned();
        let kind = match tokens.text(index) {
            b"{" | b"<%" => {
                open.push(index);
                continue;
            }
            b"}" | b"%>" => {
                open.pop();
                continue;
            }
            b"return" => JumpKind::Return(if tokens.text(index + 1) == b";" {
                ReturnedValue::None
            } else {
                ReturnedValue::Ready
            }),
            b"goto" if tokens.is_word(index + 1) => JumpKind::Goto { label: name() },
            label if tokens.text(index + 1) == b":" && tokens.is_word(index) && begins => {
                function.labels.insert(String::from_utf8_lossy(label).into_owned(), start(index));
                continue;
            }
            _ => continue,
        };
        function.jumps.push(LeavingJump { kind, start: start(index), target: None, is_statement: begins });
    }
    function
}
