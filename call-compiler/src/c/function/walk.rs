use std::collections::HashMap;

use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, BlockItem, CallExpression, Declaration, DeclaratorKind,
    DerivedDeclarator, Enumerator, Expression, ExternalDeclaration, FunctionDeclarator, FunctionDefinition,
    Identifier, Label, Statement, UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use super::super::file_scope::FileScope;
use super::super::normalise::Normalised;
use super::super::parse::Parse;
use super::super::types::{Representation, Type, declared_name, declared_type, is_typedef, type_specifiers};
use super::{
    ControlFlow, DeclaredName, DirectivePlace, DirectivePosition, EXITS, JumpKind, LeavingJump, ReturnType,
    ReturnedValue, Scope, SwitchCase, VariableChange, declaration, is_setjmp,
};

pub fn walk(
    file: &FileScope,
    item: usize,
    normalised: &Normalised,
    parse: &Parse,
    places: &[usize],
) -> ControlFlow {
    let nowhere = |offset: &usize| DirectivePlace {
        position: DirectivePosition::File,
        is_among_declarations: false,
        scope: 0,
        offset: *offset,
    };
    let nowhere = places.iter().map(nowhere).collect();
    let mut walk = ControlFlowWalk {
        file,
        normalised,
        text: &parse.source,
        function: ControlFlow {
            places: nowhere,
            jumps: Vec::new(),
            labels: HashMap::new(),
            cases: Vec::new(),
            changes: Vec::new(),
            computed_gotos: normalised.computed_gotos.clone(),
            return_type: ReturnType::Unnameable,
            nested_functions: normalised.nested_functions.clone(),
            calls_setjmp: false,
            scopes: vec![Scope { parent: None, names: Vec::new() }],
            item,
            is_understood: true,
        },
        scope: 0,
        block: DirectivePosition::File,
        targets: Vec::new(),
        called_by_statement: None,
        works: false,
    };
    // The first declaration is the prelude.
    for declaration in parse.unit.0.iter().skip(1) {
        if let ExternalDeclaration::Declaration(_) = &declaration.node {
            let span = declaration.span;
            walk.note(span.start + 1, span.end.saturating_sub(1), DirectivePosition::Inside);
        }
        walk.visit_external_declaration(&declaration.node, &declaration.span);
    }
    walk.function
}

struct ControlFlowWalk<'a> {
    file: &'a FileScope<'a>,
    normalised: &'a Normalised,
    /// What lang-c read; spans of the tree count its bytes.
    text: &'a str,
    function: ControlFlow,
    scope: usize,
    block: DirectivePosition,
    /// Loops and switches around, with whether they are switches.
    targets: Vec<(Span, bool)>,
    /// Start of the call that is a statement of its own.
    called_by_statement: Option<usize>,
    /// Whether an expression seen since this was reset takes work.
    works: bool,
}

impl ControlFlowWalk<'_> {
    fn original(&self, offset: usize) -> usize {
        self.normalised.original(offset)
    }

    /// Spans of lang-c may reach over the blanks behind, where directives were.
    fn end(&self, span: Span) -> usize {
        span.start + self.text[span.start..span.end].trim_end().len()
    }

    fn original_span(&self, span: Span) -> (usize, usize) {
        (self.original(span.start), self.original(self.end(span)))
    }

    fn lookup(&self, name: &str) -> Option<Type> {
        let local = declaration(&self.function.scopes, self.scope, usize::MAX, name);
        local.map_or_else(|| self.file.lookup(name, self.function.item), |(_, name)| Some(name.kind.clone()))
    }

    fn declare(&mut self, text: &str, declared_at: usize, kind: Type) {
        let declared_at = self.original(declared_at);
        self.function.scopes[self.scope].names.push(DeclaredName {
            text: text.to_owned(),
            declared_at,
            kind,
        });
    }

    fn in_scope(&mut self, inside: impl FnOnce(&mut Self)) {
        // What a block declares later is not visible in here: one that has declared nothing yet need not be asked.
        let around = &self.function.scopes[self.scope];
        let parent = if around.names.is_empty() { around.parent.unwrap_or(self.scope) } else { self.scope };
        self.function.scopes.push(Scope { parent: Some(parent), names: Vec::new() });
        let around = std::mem::replace(&mut self.scope, self.function.scopes.len() - 1);
        inside(self);
        self.scope = around;
    }

    /// Notes position and scope for the places in a gap of the tree, `from` and `to` included.
    fn note(&mut self, from: usize, to: usize, position: DirectivePosition) {
        let scope = self.scope;
        for place in self.places(from, to) {
            (place.position, place.scope) = (position, scope);
        }
    }

    /// The places in a gap of the tree, `from` and `to` included.
    fn places(&mut self, from: usize, to: usize) -> impl Iterator<Item = &mut DirectivePlace> {
        let (from, to) = (self.original(from), self.original(to));
        let places = &mut self.function.places;
        let first = places.partition_point(|place| place.offset < from);
        places[first..].iter_mut().take_while(move |place| place.offset <= to)
    }

    /// A statement that may stand without a block: what precedes it from `from` on stands before it.
    fn sub_statement(&mut self, from: usize, statement: &Node<Statement>) {
        let (start, end) = self.original_span(statement.span);
        self.note(from, statement.span.start, DirectivePosition::Before(start, end));
    }

    fn parameters(&mut self, function: &FunctionDeclarator) {
        for parameter in &function.parameters {
            let Some(declarator) = &parameter.node.declarator else { continue };
            let specifiers = type_specifiers(&parameter.node.specifiers);
            let kind = declared_type(specifiers, &declarator.node, |name| self.lookup(name));
            if let Some(name) = declared_name(&declarator.node) {
                self.declare(name, declarator.span.start, kind);
            }
        }
    }

    /// Those that are named only, `f(n) { … }`, are of type `int`; the others are declared behind the names.
    fn parameters_of_old(&mut self, names: &[Node<Identifier>], function: &FunctionDefinition) {
        let declared: Vec<&str> = function
            .declarations
            .iter()
            .flat_map(|its| &its.node.declarators)
            .filter_map(|its| declared_name(&its.node.declarator.node))
            .collect();
        for name in names.iter().filter(|its| !declared.contains(&&*its.node.name)) {
            self.declare(&name.node.name, name.span.start, Type::Arithmetic(Representation::Integer));
        }
    }

    fn jump(&mut self, kind: JumpKind, start: usize, is_statement: bool) {
        let target = match kind {
            JumpKind::Break => self.targets.last(),
            JumpKind::Continue => self.targets.iter().rev().find(|(_, is_switch)| !is_switch),
            _ => None,
        };
        let target = target.map(|(span, _)| self.original_span(*span));
        let start = self.original(start);
        self.function.jumps.push(LeavingJump { kind, start, target, is_statement });
    }

    fn change(&mut self, left: &Node<Expression>) {
        let what: String = self.text[left.span.start..left.span.end].split_whitespace().collect();
        let root = what.find(|character: char| !character.is_ascii_alphanumeric() && character != '_');
        let root = &what[..root.unwrap_or(what.len())];
        let offset = self.original(left.span.start);
        let declared_in =
            declaration(&self.function.scopes, self.scope, usize::MAX, root).map(|(scope, _)| scope);
        self.function.changes.push(VariableChange { what, offset, declared_in });
        self.works = true;
    }

    fn label(&mut self, label: &Label, span: Span) {
        let offset = self.original(span.start);
        match label {
            Label::Identifier(name) => {
                self.function.labels.insert(name.node.name.clone(), offset);
            }
            Label::Case(_) | Label::CaseRange(_) | Label::Default => {
                if let Some((switch, _)) = self.targets.iter().rev().find(|(_, is_switch)| *is_switch) {
                    let switch = self.original_span(*switch);
                    self.function.cases.push(SwitchCase { offset, switch });
                }
            }
        }
    }

    fn compound(&mut self, items: &[Node<BlockItem>], span: Span) {
        let (open, close) = self.original_span(span);
        let around = std::mem::replace(&mut self.block, DirectivePosition::Block(open, close));
        let mut from = span.start;
        let mut only_declarations = true;
        for item in items {
            self.note(from, item.span.start, self.block);
            only_declarations &= !matches!(item.node, BlockItem::Statement(_));
            if only_declarations {
                // Declarations stand around these.
                self.places(from, item.span.start).for_each(|place| place.is_among_declarations = true);
            }
            self.visit_block_item(&item.node, &item.span);
            from = self.end(item.span);
        }
        self.note(from, span.end, self.block);
        self.block = around;
    }

    /// Notes the places before the statements that this one holds.
    fn gaps(&mut self, statement: &Statement, span: Span) {
        match statement {
            Statement::For(loops) => {
                let header_end = [&loops.node.step, &loops.node.condition].into_iter().flatten().next();
                let header_end = header_end.map_or(loops.node.initializer.span, |expression| expression.span);
                self.sub_statement(self.end(header_end), &loops.node.statement);
            }
            Statement::If(branches) => {
                let then = &branches.node.then_statement;
                self.sub_statement(self.end(branches.node.condition.span), then);
                if let Some(otherwise) = &branches.node.else_statement {
                    // Places behind the `else` stand before its branch, the others behind the first branch.
                    let then_end = self.end(then.span);
                    let gap = &self.text[then_end..otherwise.span.start];
                    let keyword = gap.rfind("else").map_or(0, |at| at + "else".len());
                    self.sub_statement(then_end + keyword, otherwise);
                }
            }
            Statement::While(loops) => {
                self.sub_statement(self.end(loops.node.expression.span), &loops.node.statement)
            }
            Statement::DoWhile(loops) => self.sub_statement(span.start, &loops.node.statement),
            // C allows the statements that a directive becomes behind a label.
            Statement::Labeled(labeled) => {
                let label_end = self.end(labeled.node.label.span);
                self.note(label_end, labeled.node.statement.span.start, self.block);
            }
            Statement::Switch(switch) => {
                self.sub_statement(self.end(switch.node.expression.span), &switch.node.statement)
            }
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for ControlFlowWalk<'_> {
    fn visit_function_definition(&mut self, function: &'ast FunctionDefinition, _: &'ast Span) {
        let declarator = &function.declarator.node;
        if let Some(name) = declared_name(declarator) {
            self.declare(name, function.declarator.span.start, Type::Other("a function"));
        }
        self.function.return_type = ReturnType::of(function, self.file, self.function.item, |offset| {
            self.normalised.original(offset)
        });
        self.note(function.declarator.span.start, function.statement.span.end, DirectivePosition::Inside);
        self.in_scope(|walk| {
            let mut layer = Some(declarator);
            while let Some(declarator) = layer {
                for derived in &declarator.derived {
                    match &derived.node {
                        DerivedDeclarator::Function(parameters) => walk.parameters(&parameters.node),
                        DerivedDeclarator::KRFunction(names) => walk.parameters_of_old(names, function),
                        _ => {}
                    }
                }
                layer = match &declarator.kind.node {
                    DeclaratorKind::Declarator(inner) => Some(&inner.node),
                    _ => None,
                };
            }
            for declaration in &function.declarations {
                walk.visit_declaration(&declaration.node, &declaration.span);
            }
            walk.visit_statement(&function.statement.node, &function.statement.span);
        });
    }

    fn visit_declaration(&mut self, declaration: &'ast Declaration, span: &'ast Span) {
        visit::visit_declaration(self, declaration, span);
        for item in &declaration.declarators {
            let declarator = &item.node.declarator.node;
            let specifiers = type_specifiers(&declaration.specifiers);
            let kind = declared_type(specifiers, declarator, |name| self.lookup(name));
            let kind = if is_typedef(&declaration.specifiers) { Type::Name(Box::new(kind)) } else { kind };
            if let Some(name) = declared_name(declarator) {
                self.declare(name, item.node.declarator.span.start, kind);
            }
        }
    }

    fn visit_enumerator(&mut self, enumerator: &'ast Enumerator, span: &'ast Span) {
        let kind = Type::Arithmetic(Representation::Integer);
        self.declare(&enumerator.identifier.node.name, span.start, kind);
        visit::visit_enumerator(self, enumerator, span);
    }

    fn visit_statement(&mut self, statement: &'ast Statement, span: &'ast Span) {
        self.in_scope(|walk| match statement {
            Statement::Compound(items) => walk.compound(items, *span),
            Statement::For(_) | Statement::While(_) | Statement::DoWhile(_) | Statement::Switch(_) => {
                walk.targets.push((*span, matches!(statement, Statement::Switch(_))));
                // The names of a `for` are visible in its body, which is why the gap comes after its header.
                if let Statement::For(loops) = statement {
                    walk.visit_for_initializer(&loops.node.initializer.node, &loops.node.initializer.span);
                }
                walk.gaps(statement, *span);
                match statement {
                    Statement::For(loops) => {
                        for expression in [&loops.node.condition, &loops.node.step].into_iter().flatten() {
                            walk.visit_expression(&expression.node, &expression.span);
                        }
                        walk.visit_statement(&loops.node.statement.node, &loops.node.statement.span);
                    }
                    _ => visit::visit_statement(walk, statement, span),
                }
                walk.targets.pop();
            }
            Statement::Return(value) => {
                walk.works = false;
                visit::visit_statement(walk, statement, span);
                let value = match value {
                    None => ReturnedValue::None,
                    Some(value) if walk.works => {
                        ReturnedValue::Computed { is_list: matches!(value.node, Expression::Comma(_)) }
                    }
                    Some(_) => ReturnedValue::Ready,
                };
                walk.jump(JumpKind::Return(value), span.start, true);
            }
            Statement::Goto(label) => {
                walk.jump(JumpKind::Goto { label: label.node.name.clone() }, span.start, true);
            }
            Statement::Break => walk.jump(JumpKind::Break, span.start, true),
            Statement::Continue => walk.jump(JumpKind::Continue, span.start, true),
            Statement::Labeled(labeled) => {
                walk.label(&labeled.node.label.node, labeled.node.label.span);
                walk.gaps(statement, *span);
                visit::visit_statement(walk, statement, span);
            }
            Statement::Expression(Some(expression)) => {
                if let Expression::Call(_) = &expression.node {
                    walk.called_by_statement = Some(span.start);
                }
                visit::visit_statement(walk, statement, span);
            }
            _ => {
                walk.gaps(statement, *span);
                visit::visit_statement(walk, statement, span);
            }
        });
    }

    fn visit_call_expression(&mut self, call: &'ast CallExpression, span: &'ast Span) {
        if let Expression::Identifier(callee) = &call.callee.node
            && EXITS.contains(&callee.node.name.as_str())
        {
            let is_statement = self.called_by_statement == Some(span.start);
            self.jump(JumpKind::Exit { function: callee.node.name.clone() }, span.start, is_statement);
        }
        if let Expression::Identifier(callee) = &call.callee.node {
            self.function.calls_setjmp |= is_setjmp(callee.node.name.as_bytes());
        }
        visit::visit_call_expression(self, call, span);
        self.works = true;
    }

    fn visit_binary_operator_expression(&mut self, binary: &'ast BinaryOperatorExpression, span: &'ast Span) {
        use BinaryOperator::*;
        if matches!(
            binary.operator.node,
            Assign
                | AssignMultiply
                | AssignDivide
                | AssignModulo
                | AssignPlus
                | AssignMinus
                | AssignShiftLeft
                | AssignShiftRight
                | AssignBitwiseAnd
                | AssignBitwiseXor
                | AssignBitwiseOr
        ) {
            self.change(&binary.lhs);
        }
        visit::visit_binary_operator_expression(self, binary, span);
    }

    fn visit_unary_operator_expression(&mut self, unary: &'ast UnaryOperatorExpression, span: &'ast Span) {
        use UnaryOperator::*;
        if matches!(unary.operator.node, PreIncrement | PreDecrement | PostIncrement | PostDecrement) {
            self.change(&unary.operand);
        }
        visit::visit_unary_operator_expression(self, unary, span);
    }
}
