//! What takes knowing where in a declaration or statement a token stands.

use super::super::lex::CTokenKind;
use super::{ItemEditor, words};

#[derive(Clone, Copy, PartialEq)]
enum Context {
    File,
    Block,
    Structure,
    Enumeration,
    Initialiser,
    /// Parentheses; whether they belong to a `for` or another statement.
    Parentheses(bool),
    Brackets,
}

pub fn rewrite(editor: &mut ItemEditor) {
    let kept = (editor.first..editor.end).filter(|index| !editor.is_removed(*index)).collect();
    let mut walk = ContextWalk { editor, kept, position: 0, contexts: vec![Context::File], at_start: true };
    while walk.position < walk.kept.len() {
        walk.step();
    }
}

struct ContextWalk<'e, 'a> {
    editor: &'e mut ItemEditor<'a>,
    /// The tokens that are left.
    kept: Vec<usize>,
    /// The current one among them.
    position: usize,
    contexts: Vec<Context>,
    /// Whether a declaration or statement may start here.
    at_start: bool,
}

impl<'a> ContextWalk<'_, 'a> {
    fn context(&self) -> Context {
        self.contexts.last().copied().unwrap_or(Context::File)
    }

    /// Text of a kept token; empty outside.
    fn text(&self, position: usize) -> &'a [u8] {
        self.kept.get(position).map_or(b"", |index| self.editor.text(*index))
    }

    fn behind(&self, distance: usize) -> &'a [u8] {
        self.position.checked_sub(distance).map_or(b"", |position| self.text(position))
    }

    fn is_word(&self, position: usize) -> bool {
        self.kept.get(position).is_some_and(|index| self.editor.is_word(*index))
    }

    /// Position of the partner of the bracket at a position.
    fn partner(&self, position: usize) -> Option<usize> {
        let partner = self.editor.partner(*self.kept.get(position)?)?;
        self.kept.binary_search(&partner).ok()
    }

    /// What stands before the parenthesis whose closing partner is the token before this one.
    fn before_parentheses(&self) -> Option<usize> {
        self.partner(self.position.checked_sub(1)?)?.checked_sub(1)
    }

    fn step(&mut self) {
        let index = self.kept[self.position];
        if self.editor.tokens.tokens[index].kind == CTokenKind::Punctuator {
            self.punctuator(index);
        } else if self.at_start && self.context() == Context::Block && self.label() {
            return;
        } else {
            if self.at_start && matches!(self.context(), Context::Block | Context::File) && self.lacks_type()
            {
                self.editor.insert_before(index, "int ");
            }
            self.at_start = false;
        }
        self.position += 1;
    }

    fn punctuator(&mut self, index: usize) {
        match self.editor.text(index) {
            b"(" => {
                let of_statement = words::is_statement(self.behind(1));
                self.contexts.push(Context::Parentheses(of_statement));
                self.at_start = false;
            }
            b"[" | b"<:" => {
                self.contexts.push(Context::Brackets);
                self.at_start = false;
            }
            b")" | b"]" | b":>" => {
                self.leave();
                self.at_start = false;
            }
            b"{" | b"<%" => self.brace(index),
            b"}" | b"%>" => self.at_start = self.leave() == Context::Block,
            b";" => {
                match self.context() {
                    // GNU C declares parameters ahead: `int f(int n; int a[n])`.
                    Context::Parentheses(false) => self.editor.replace(index, ","),
                    Context::File if self.position == 0 => self.editor.remove(index, index),
                    Context::Structure if self.at_start => self.editor.remove(index, index),
                    _ => {}
                }
                self.at_start = true;
            }
            b"*" if self.at_start && self.context() == Context::File => {
                self.editor.insert_before(index, "int ");
                self.at_start = false;
            }
            _ => self.at_start = false,
        }
    }

    fn leave(&mut self) -> Context {
        if self.contexts.len() > 1 { self.contexts.pop().unwrap_or(Context::File) } else { Context::File }
    }

    fn brace(&mut self, index: usize) {
        let inside = self.inside_of_brace();
        let behind_parenthesis = self.behind(1) == b")";
        if inside == Context::Initialiser && behind_parenthesis && self.text(self.position + 1) == b"}" {
            self.editor.insert_after(index, "0");
        }
        let is_control = self
            .before_parentheses()
            .is_some_and(|before| matches!(self.text(before), b"if" | b"while" | b"for" | b"switch"));
        let in_block = self.context() == Context::Block;
        if inside == Context::Block && behind_parenthesis && in_block && !is_control {
            self.nested_function(index);
        }
        self.contexts.push(inside);
        self.at_start = true;
    }

    /// Its header becomes a prototype, its body a block with the parameters as variables.
    fn nested_function(&mut self, brace: usize) {
        let Some(open) = self.position.checked_sub(1).and_then(|close| self.partner(close)) else { return };
        let mut parameters = String::new();
        let mut depth = 0;
        for position in open + 1..self.position - 1 {
            let text = String::from_utf8_lossy(self.text(position));
            depth +=
                i32::from(matches!(&*text, "(" | "[" | "{")) - i32::from(matches!(&*text, ")" | "]" | "}"));
            parameters.push_str(if text == "," && depth == 0 { ";" } else { &text });
            parameters.push(' ');
        }
        let is_plain = |parameter: &&str| !matches!(parameter.trim(), "" | "void" | "...");
        let parameters: String = parameters
            .split(';')
            .filter(is_plain)
            .map(|parameter| format!(" {};", parameter.trim()))
            .collect();
        let start = |index: usize| self.editor.tokens.tokens[index].start as usize;
        if let Some(close) = self.partner(self.position) {
            let braces = (start(brace), start(self.kept[close]));
            self.editor.nested_functions.push(braces);
        }
        self.editor.insert_before(brace, "; ");
        self.editor.insert_after(brace, parameters);
    }

    fn inside_of_brace(&self) -> Context {
        let (last, before_last) = (self.behind(1), self.behind(2));
        let context = self.context();
        let is_structure = |word: &[u8]| matches!(word, b"struct" | b"union");
        if is_structure(last) || is_structure(before_last) {
            Context::Structure
        } else if last == b"enum" || before_last == b"enum" {
            Context::Enumeration
        } else if last == b"(" {
            Context::Block
        } else if matches!(last, b"=" | b"," | b"]" | b"return") {
            Context::Initialiser
        } else if matches!(context, Context::Initialiser | Context::Enumeration) {
            if last == b";" { Context::Block } else { Context::Initialiser }
        } else if last == b")" {
            self.behind_parentheses()
        } else {
            match context {
                Context::File | Context::Block => Context::Block,
                Context::Structure => Context::Structure,
                _ => Context::Initialiser,
            }
        }
    }

    /// `f() {`, `if () {` or a compound literal `(type) {`.
    fn behind_parentheses(&self) -> Context {
        let before = self.before_parentheses();
        let text = before.map_or(&b""[..], |before| self.text(before));
        let is_name = before.is_some_and(|before| self.is_word(before)) && !words::is_statement(text);
        let is_block = match self.context() {
            Context::Parentheses(_) | Context::Brackets => false,
            Context::File => is_name || text == b")",
            _ => matches!(text, b"if" | b"while" | b"for" | b"switch") || (is_name && !words::is_type(text)),
        };
        if is_block { Context::Block } else { Context::Initialiser }
    }

    /// C23 lets labels stand before declarations and closing braces: an empty statement behind each makes them C11.
    fn label(&mut self) -> bool {
        let text = self.text(self.position);
        let colon = if matches!(text, b"case" | b"default") {
            self.colon_of_case()
        } else {
            let is_name = self.is_word(self.position)
                && !words::is_qualifier(text)
                && !words::is_type(text)
                && !words::is_statement(text);
            (is_name && self.text(self.position + 1) == b":").then_some(self.position + 1)
        };
        let Some(colon) = colon else { return false };
        self.editor.insert_after(self.kept[colon], ";");
        self.position = colon + 1;
        true
    }

    fn colon_of_case(&self) -> Option<usize> {
        let mut questions = 0;
        let mut position = self.position + 1;
        while position < self.kept.len() {
            match self.text(position) {
                b"?" => questions += 1,
                b":" if questions == 0 => return Some(position),
                b":" => questions -= 1,
                b"(" | b"[" | b"{" => position = self.partner(position)?,
                _ => {}
            }
            position += 1;
        }
        None
    }

    /// Whether the declaration that starts here has no type, which meant int before C99.
    fn lacks_type(&self) -> bool {
        let mut name = self.position;
        let mut is_typedef = false;
        while words::is_qualifier(self.text(name)) {
            if self.editor.is_erased_type(self.kept[name]) {
                return false;
            }
            is_typedef |= self.text(name) == b"typedef";
            name += 1;
        }
        let qualified = name > self.position;
        let stars_from = name;
        while self.text(name) == b"*" {
            name += 1;
        }
        let has_stars = name > stars_from;
        let text = self.text(name);
        let is_name = self.is_word(name)
            && !words::is_type(text)
            && !words::is_statement(text)
            && !words::is_qualifier(text);
        if !is_name || !(qualified || self.context() == Context::File) {
            return false;
        }
        let next = self.text(name + 1);
        let lacks = match next {
            b"=" | b"," | b"[" => true,
            b";" => qualified || has_stars,
            b"(" => self.is_declarator_of_int(name + 1, qualified),
            _ => false,
        };
        lacks && (!is_typedef || next == b";")
    }

    /// Whether `name (…)` declares a function `name` rather than something of type `name`.
    fn is_declarator_of_int(&self, open: usize, qualified: bool) -> bool {
        if matches!(self.text(open + 1), b"*" | b"(" | b"^") {
            return false;
        }
        let behind = self.partner(open).map_or(&b""[..], |close| self.text(close + 1));
        !matches!(behind, b"(" | b"[") || (qualified && behind == b"{")
    }
}
