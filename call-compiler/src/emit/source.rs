use call_grammar::Directive;

use super::c_string;
use crate::Options;
use crate::edit::{TextEdit, apply};
use crate::lower::Program;

/// One edit for each directive: all code on its first line, and as many line ends as it had, so that every other line keeps its
/// number.
pub fn edits(source: &[u8], directives: &[Directive], program: &Program) -> Vec<TextEdit> {
    directives
        .iter()
        .zip(&program.statements)
        .map(|(directive, statement)| {
            let directive_text = &source[directive.span.start..directive.span.end];
            let mut replacement = statement.clone();
            for (at, byte) in directive_text.iter().enumerate() {
                if *byte == b'\n' {
                    let carriage_return = at > 0 && directive_text[at - 1] == b'\r';
                    replacement.push_str(if carriage_return { "\r\n" } else { "\n" });
                }
            }
            TextEdit { span: directive.span, replacement }
        })
        .collect()
}

/// `NAME.call.c`
pub fn source(source: &[u8], edits: &[TextEdit], options: &Options) -> Vec<u8> {
    let mut text =
        format!("#include \"{}.call.h\"\n#line 1 {}\n", options.name, c_string(&options.path)).into_bytes();
    text.extend(apply(source, edits));
    text
}
