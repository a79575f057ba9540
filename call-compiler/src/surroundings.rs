//! What lang-c knows about the places where directives stand: which names are visible, and whether a statement may stand there.

use std::collections::HashMap;

use lang_c::ast::{
    Declaration, DerivedDeclarator, Enumerator, FunctionDeclarator, FunctionDefinition, Statement,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use crate::types::{Representation, Type, declared_name, declared_type, is_typedef, type_specifiers};

/// Where a directive stands. Spans count bytes of the preprocessed text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// Outside of every function.
    File,
    /// Between the statements of a block.
    Block(usize, usize),
    /// Before a statement that is not in a block of its own: the branch of an `if`, the body of a loop.
    Before(usize, usize),
    /// In the middle of a statement or declaration.
    Inside,
}

/// What is known about one place.
#[derive(Debug, Clone)]
pub struct Surroundings {
    pub position: Position,
    pub names: HashMap<String, Type>,
}

/// Nesting beyond this makes lang-c's recursive parser slow or overflow its stack (1,000 levels kill a 2 MB stack).
const DEEPEST: usize = 256;
const PARSER_STACK_BYTES: usize = 256 << 20;

/// Looks at the given places, ascending offsets into the preprocessed text. `None` if lang-c cannot read it.
pub fn surroundings(text: &str, places: &[usize]) -> Option<Vec<Surroundings>> {
    if places.is_empty() {
        return Some(Vec::new());
    }
    if deepest_nesting(text) > DEEPEST {
        return None;
    }
    let (text, places) = (text.to_owned(), places.to_vec());
    let parser = std::thread::Builder::new().stack_size(PARSER_STACK_BYTES).spawn(move || {
        let config = lang_c::driver::Config::with_gcc();
        let parse = lang_c::driver::parse_preprocessed(&config, text).ok()?;
        let mut finder = Finder::new(&parse.source, &places);
        finder.visit_translation_unit(&parse.unit);
        Some(finder.found)
    });
    parser.ok()?.join().ok()?
}

fn deepest_nesting(text: &str) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Whether nothing but blanks and `#` lines stands between two offsets.
pub fn is_blank(text: &str, from: usize, to: usize) -> bool {
    text.get(from..to).is_some_and(|gap| {
        gap.lines().all(|line| {
            let line = line.trim();
            line.is_empty() || line.starts_with('#')
        })
    })
}

struct Finder<'a> {
    text: &'a str,
    places: &'a [usize],
    found: Vec<Surroundings>,
    scopes: Vec<HashMap<String, Type>>,
    block: Position,
}

impl<'a> Finder<'a> {
    fn new(text: &'a str, places: &'a [usize]) -> Finder<'a> {
        let nowhere = Surroundings { position: Position::File, names: HashMap::new() };
        Finder {
            text,
            places,
            found: vec![nowhere; places.len()],
            scopes: vec![HashMap::new()],
            block: Position::File,
        }
    }

    fn lookup(&self, name: &str) -> Option<Type> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).cloned()
    }

    fn declare(&mut self, name: &str, kind: Type) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), kind);
        }
    }

    fn places_in(&self, from: usize, to: usize) -> std::ops::Range<usize> {
        let first = self.places.partition_point(|place| *place < from);
        let behind = self.places.partition_point(|place| *place <= to);
        first..behind.max(first)
    }

    /// Notes position and scope for the places in a gap of the tree.
    fn note(&mut self, from: usize, to: usize, position: Position) {
        for index in self.places_in(from, to) {
            let mut names = HashMap::new();
            for scope in &self.scopes {
                names.extend(scope.iter().map(|(name, kind)| (name.clone(), kind.clone())));
            }
            self.found[index] = Surroundings { position, names };
        }
    }

    /// A statement that may stand without a block: what precedes it from `from` on stands before it.
    fn sub_statement(&mut self, from: usize, statement: &Node<Statement>) {
        let Span { start, end } = statement.span;
        self.note(from, start, Position::Before(start, end));
    }

    fn parameters(&mut self, function: &FunctionDeclarator) {
        for parameter in &function.parameters {
            let Some(declarator) = &parameter.node.declarator else { continue };
            let specifiers = type_specifiers(&parameter.node.specifiers);
            let kind = declared_type(specifiers, &declarator.node, |name| self.lookup(name));
            if let Some(name) = declared_name(&declarator.node) {
                self.declare(name, kind);
            }
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_function_definition(&mut self, function: &'ast FunctionDefinition, _: &'ast Span) {
        let declarator = &function.declarator.node;
        if let Some(name) = declared_name(declarator) {
            self.declare(name, Type::Other("a function"));
        }
        let body = function.statement.span;
        self.note(function.declarator.span.start, body.end, Position::Inside);
        self.scopes.push(HashMap::new());
        let mut layer = Some(declarator);
        while let Some(declarator) = layer {
            for derived in &declarator.derived {
                if let DerivedDeclarator::Function(parameters) = &derived.node {
                    self.parameters(&parameters.node);
                }
            }
            layer = match &declarator.kind.node {
                lang_c::ast::DeclaratorKind::Declarator(inner) => Some(&inner.node),
                _ => None,
            };
        }
        for declaration in &function.declarations {
            self.visit_declaration(&declaration.node, &declaration.span);
        }
        self.visit_statement(&function.statement.node, &function.statement.span);
        self.scopes.pop();
    }

    fn visit_declaration(&mut self, declaration: &'ast Declaration, span: &'ast Span) {
        if self.scopes.len() == 1 {
            self.note(span.start + 1, span.end.saturating_sub(1), Position::Inside);
        }
        visit::visit_declaration(self, declaration, span);
        for item in &declaration.declarators {
            let declarator = &item.node.declarator.node;
            let specifiers = type_specifiers(&declaration.specifiers);
            let kind = declared_type(specifiers, declarator, |name| self.lookup(name));
            let kind = if is_typedef(&declaration.specifiers) { Type::Name(Box::new(kind)) } else { kind };
            if let Some(name) = declared_name(declarator) {
                self.declare(name, kind);
            }
        }
    }

    fn visit_enumerator(&mut self, enumerator: &'ast Enumerator, span: &'ast Span) {
        self.declare(&enumerator.identifier.node.name, Type::Arithmetic(Representation::Integer));
        visit::visit_enumerator(self, enumerator, span);
    }

    fn visit_statement(&mut self, statement: &'ast Statement, span: &'ast Span) {
        if let Statement::Compound(items) = statement {
            self.scopes.push(HashMap::new());
            let around = std::mem::replace(&mut self.block, Position::Block(span.start, span.end));
            let mut from = span.start;
            for item in items {
                self.note(from, item.span.start, self.block);
                visit::visit_block_item(self, &item.node, &item.span);
                from = item.span.end;
            }
            self.note(from, span.end, self.block);
            self.block = around;
            self.scopes.pop();
            return;
        }
        // The names of a `for` are visible in its body only.
        self.scopes.push(HashMap::new());
        match statement {
            Statement::For(loops) => {
                visit::visit_for_initializer(
                    self,
                    &loops.node.initializer.node,
                    &loops.node.initializer.span,
                );
                let header_end = [&loops.node.step, &loops.node.condition].into_iter().flatten().next();
                let from =
                    header_end.map_or(loops.node.initializer.span.end, |expression| expression.span.end);
                self.sub_statement(from, &loops.node.statement);
            }
            Statement::If(branches) => {
                let then = &branches.node.then_statement;
                self.sub_statement(branches.node.condition.span.end, then);
                if let Some(otherwise) = &branches.node.else_statement {
                    // Places behind the `else` stand before its branch, the others behind the first branch.
                    let gap = &self.text[then.span.end..otherwise.span.start];
                    let keyword = gap.rfind("else").map_or(0, |at| at + "else".len());
                    self.sub_statement(then.span.end + keyword, otherwise);
                }
            }
            Statement::While(loops) => {
                self.sub_statement(loops.node.expression.span.end, &loops.node.statement)
            }
            Statement::DoWhile(loops) => self.sub_statement(span.start, &loops.node.statement),
            // C allows the statements that a directive becomes behind a label.
            Statement::Labeled(labeled) => {
                let label_end = labeled.node.label.span.end;
                self.note(label_end, labeled.node.statement.span.start, self.block);
            }
            Statement::Switch(switch) => {
                self.sub_statement(switch.node.expression.span.end, &switch.node.statement)
            }
            _ => {}
        }
        visit::visit_statement(self, statement, span);
        self.scopes.pop();
    }
}
