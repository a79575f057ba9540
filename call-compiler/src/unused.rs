//! Variables that nothing but formulas uses. Whoever asks the compiler for unused variables wants to hear of them, but a value cannot
//! be taken of a variable without using it. So stand-ins for them end the file, declared where they are as far as the compiler knows,
//! and treated as they are.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::c::function::LocalVariable;
use crate::c::lex::{CTokenKind, lex};
use crate::c::uses;
use crate::capture;
use crate::emit::c_string;
use crate::lower::LoweredProgram;
use crate::preprocessed::Preprocessed;
use crate::subject::DirectiveSubject;

/// C text for the end of the file; empty if all variables are used.
pub fn stand_ins(subject: &DirectiveSubject, program: &LoweredProgram) -> String {
    let mut text = String::new();
    for (number, (name, local)) in of_formulas(subject, program).iter().enumerate() {
        if let Some(stand_in) = Declared::find(subject, name, local).and_then(|its| its.stand_in(number)) {
            text.push_str(&stand_in);
        }
    }
    if text.is_empty() {
        return text;
    }
    format!(
        "#ifdef CLL_UNUSED /* stand-ins for variables that only formulas use */\n#pragma GCC diagnostic push\n\
         #pragma GCC diagnostic ignored \"-Wshadow\"\n#pragma GCC diagnostic ignored \"-Wc++-compat\"\n\
         {text}#pragma GCC diagnostic pop\n#endif\n"
    )
}

/// The pragmas that say how the compiler tells of what is unused at an offset.
fn in_effect(preprocessed: &Preprocessed, offset: usize) -> Vec<String> {
    let (mut found, mut pushed) = (Vec::new(), Vec::new());
    for pragma in preprocessed.pragmas().iter().take_while(|pragma| pragma.offset < offset) {
        let text = preprocessed.pragma_text(*pragma);
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            ["GCC" | "clang", "diagnostic", "push"] => pushed.push(found.len()),
            ["GCC" | "clang", "diagnostic", "pop"] => found.truncate(pushed.pop().unwrap_or(0)),
            ["GCC" | "clang", "diagnostic", level, option] if option.starts_with("\"-Wunused") => {
                found.push(format!("GCC diagnostic {level} {option}"));
            }
            _ => {}
        }
    }
    found
}

/// The local variables in what the measurements take along, in the order of the file.
fn of_formulas(subject: &DirectiveSubject, program: &LoweredProgram) -> Vec<(String, LocalVariable)> {
    let mut found = BTreeSet::new();
    for (index, place) in subject.places() {
        let Some((function, at)) = subject.surroundings.function(place.begin) else { continue };
        let variables = &program.experiments[index].variables;
        for expression in capture::expressions(subject, index, place, variables) {
            for name in words(expression.as_bytes()) {
                found.extend(function.local(at, &name).map(|local| (local, name)));
            }
        }
    }
    found.into_iter().map(|(local, name)| (name, local)).collect()
}

/// Whether a pragma between two offsets, such as one of OpenMP, has a name.
fn is_in_pragma(preprocessed: &Preprocessed, name: &str, from: usize, to: usize) -> bool {
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    preprocessed
        .pragmas()
        .iter()
        .filter(|pragma| (from..to).contains(&pragma.offset))
        .map(|pragma| preprocessed.pragma_text(*pragma))
        .any(|text| !text.starts_with("cll") && text.split(|next| !is_word(next)).any(|word| word == name))
}

/// The names in an expression that are neither those of members nor called.
fn words(expression: &[u8]) -> Vec<String> {
    let tokens = lex(expression, 0, expression.len());
    let text = |index: usize| tokens[index].text(expression);
    let is_name = |index: &usize| {
        tokens[*index].kind == CTokenKind::Word
            && (*index == 0 || !matches!(text(index - 1), b"." | b"->"))
            && (index + 1 == tokens.len() || text(index + 1) != b"(")
    };
    (0..tokens.len()).filter(is_name).map(|index| String::from_utf8_lossy(text(index)).into_owned()).collect()
}

/// A variable with what the program does with it.
struct Declared<'a> {
    name: &'a str,
    /// How the stand-in begins, up to the name and behind it.
    form: (&'static str, &'static str),
    file: String,
    line: u32,
    pragmas: Vec<String>,
    /// Blanks up to its column.
    indent: String,
    /// The operators that give it values, each of which makes a statement with it.
    changes: BTreeSet<&'a [u8]>,
}

impl<'a> Declared<'a> {
    /// `None` if the program uses it, or says that it may be unused.
    fn find(subject: &'a DirectiveSubject, name: &'a str, local: &LocalVariable) -> Option<Declared<'a>> {
        let file = &subject.surroundings.program.file;
        let tokens = &file.tokens;
        let behind = tokens.tokens.partition_point(|token| (token.start as usize) < local.declared_at);
        let at = (behind..behind + 64).find(|index| tokens.text(*index) == name.as_bytes())?;
        let item = file.items.partition_point(|item| item.end <= at);
        let body = file.items.get(item).and_then(|item| item.body);
        let end = if local.is_parameter { body?.1 } else { uses::end_of_block(tokens, at)? };
        let words = uses::declaration(tokens, at);
        if words.iter().any(|word| uses::sets_apart(word)) {
            return None;
        }
        let changes = uses::changes(tokens, name.as_bytes(), at + 1, end)?;
        let offset = tokens.tokens[at].start as usize;
        let (origin, line) = subject.preprocessed.origin(offset);
        let end_offset = tokens.tokens[end].start as usize;
        if origin.is_system || is_in_pragma(subject.preprocessed, name, offset, end_offset) {
            return None;
        }
        let form = match local.is_parameter {
            true => ("(int", ") {"),
            false if words.contains(&&b"static"[..]) => ("(void) { static int", " = 0;"),
            false => ("(void) { int", " = 0;"),
        };
        let is_before = |index: &usize| {
            tokens.text(*index) == name.as_bytes()
                && subject.line_of(tokens.tokens[*index].start as usize) == subject.line_of(offset)
        };
        let earlier = (at.saturating_sub(64)..at).filter(is_before).count();
        let indent = indent(subject, offset, name.as_bytes(), earlier);
        let pragmas = in_effect(subject.preprocessed, offset);
        Some(Declared { name, form, file: origin.path.clone(), line, pragmas, indent, changes })
    }

    fn stand_in(&self, number: usize) -> Option<String> {
        let name = self.name;
        let (open, close) = self.form;
        let mut text = String::new();
        if !self.pragmas.is_empty() {
            text.push_str("#pragma GCC diagnostic push\n");
        }
        for pragma in &self.pragmas {
            writeln!(text, "#pragma {pragma}").ok()?;
        }
        write!(
            text,
            "static CLL_UNUSED void cll_unused_{number}{open}\n#line {} {}\n{}{name}{close}",
            self.line,
            c_string(&self.file),
            self.indent
        )
        .ok()?;
        for operator in &self.changes {
            let operator = String::from_utf8_lossy(operator);
            let value = if matches!(&*operator, "++" | "--") { "" } else { " 1" };
            write!(text, " {name} {operator}{value};").ok()?;
        }
        text.push_str(" }\n");
        if !self.pragmas.is_empty() {
            text.push_str("#pragma GCC diagnostic pop\n");
        }
        Some(text)
    }
}

/// Blanks as wide as what stands before a name in its line, where `earlier` times it stands already; none if a macro made it.
fn indent(subject: &DirectiveSubject, offset: usize, name: &[u8], earlier: usize) -> String {
    let Some(span) = subject.line_of(offset) else { return String::new() };
    let bytes = subject.sources.bytes();
    let start = memchr::memrchr(b'\n', &bytes[..span.start]).map_or(0, |feed| feed + 1);
    let line = &bytes[start..span.end];
    let tokens = lex(line, 0, line.len());
    let found = tokens.iter().filter(|token| token.text(line) == name).nth(earlier);
    let before = &line[..found.map_or(0, |token| token.start as usize)];
    before.iter().map(|byte| if *byte == b'\t' { '\t' } else { ' ' }).collect()
}
