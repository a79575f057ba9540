//! What a statement changes, and where it goes elsewhere.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use foldhash::fast::FixedState;
use lang_c::ast::{
    self, BinaryOperator, BinaryOperatorExpression, BlockItem, CallExpression, ConditionalExpression,
    Expression, IfStatement, Statement, SwitchStatement, UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use super::handed::{Called, called_name};
use super::place::{Place, behind_any_pointer, is_assignment, path_of, place_of};
use super::typed::TypeConversions;
use crate::c::function::{EXITS, is_setjmp};
use crate::c::types::declared_name;

/// How a variable gets a new value.
#[derive(Clone)]
pub enum Update<'p> {
    /// `++`, `--`
    By(i64),
    /// An operator with what stands right of it.
    Operator(BinaryOperator, &'p Node<Expression>),
    /// Its address is given away, or a function may change it.
    Elsewhere,
}

pub struct PlaceChange<'p> {
    pub place: Place,
    pub step: Update<'p>,
    /// Whether it happens only under a condition.
    pub is_conditional: bool,
    /// Whether it may happen several times, in a loop inside.
    pub is_repeated: bool,
    /// Where, in the tree.
    pub offset: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum JumpTarget {
    /// The end of the loop's body.
    Continue,
    /// Behind the loop.
    Break,
    /// Out of the function.
    Far,
    /// To a label.
    Label,
}

pub struct OutwardJump {
    pub target: JumpTarget,
    pub offset: usize,
}

/// What was found in a part of the tree.
#[derive(Default)]
pub struct Effects<'p> {
    pub changes: Vec<PlaceChange<'p>>,
    /// Jumps that leave this part.
    pub jumps: Vec<OutwardJump>,
    /// Names that are declared.
    pub declared: BTreeSet<String>,
    /// Functions that are called.
    pub calls: Vec<Called>,
    /// Where each of them is.
    pub offsets_of_calls: Vec<usize>,
    /// Variables whose address is kept in others, and where.
    pub kept_addresses: Vec<(String, usize)>,
    forgotten: OnceCell<Forgotten>,
    labels: Vec<LabelUse>,
    gotos: Vec<LabelUse>,
    /// The loops and branches within a `switch` that have a `case` of it.
    entered_by_cases: Vec<Inside>,
    entered_branches: OnceCell<HashSet<usize, FixedState>>,
}

/// By their positions the changes and calls after which the others say nothing new of what is not known any more.
#[derive(Default)]
struct Forgotten {
    changes: Vec<usize>,
    calls: Vec<usize>,
}

/// A label, or a jump to one.
struct LabelUse {
    name: String,
    offset: usize,
    around: Vec<Inside>,
}

/// A loop or a branch, by its place.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Inside {
    place: usize,
    is_loop: bool,
}

impl<'p> Effects<'p> {
    /// The changes after which nothing is known of what any of them changes.
    pub fn forgotten_changes(&self) -> impl Iterator<Item = &PlaceChange<'p>> {
        self.forgotten().changes.iter().map(|position| &self.changes[*position])
    }

    /// The calls that differ.
    pub fn forgotten_calls(&self) -> Vec<&Called> {
        self.forgotten().calls.iter().map(|position| &self.calls[*position]).collect()
    }

    fn forgotten(&self) -> &Forgotten {
        self.forgotten.get_or_init(|| {
            let mut calls: HashSet<&Called, FixedState> = HashSet::default();
            let calls_that_differ = self.calls.iter().enumerate().filter(|(_, called)| calls.insert(called));
            Forgotten {
                changes: self.changes_that_differ(),
                calls: calls_that_differ.map(|(position, _)| position).collect(),
            }
        })
    }

    /// Where a pointer has moved the same path is another place than before. The first change of each place says why it is not known any
    /// more; of elements the last one is told, too.
    fn changes_that_differ(&self) -> Vec<usize> {
        let mut moved: HashSet<&str, FixedState> = HashSet::default();
        let mut met: HashSet<(&Place, bool), FixedState> = HashSet::default();
        let mut last: HashMap<(&Place, bool), usize, FixedState> = HashMap::default();
        let mut differ = Vec::new();
        for (position, PlaceChange { place, .. }) in self.changes.iter().enumerate() {
            let key = (place, !place.is_variable() && moved.contains(place.root()));
            if met.insert(key) {
                differ.push(position);
            } else if matches!(place, Place::Elements(_)) {
                last.insert(key, position);
            }
            if place.is_variable() {
                moved.insert(place.root());
            }
        }
        differ.extend(last.into_values());
        differ.sort_unstable();
        differ
    }

    /// A jump back to a label or to a `setjmp`, or one into a loop, and why: what it repeats is no loop that is understood.
    pub fn wild_jump(&self) -> Option<(usize, &'static str)> {
        let wild_goto = self.jumps_to_labels().find_map(|(jump, label)| {
            let enters_loop = entered(jump, label).any(|its| its.is_loop);
            match (label.offset < jump.offset, enters_loop) {
                (true, _) => Some((jump.offset, "`goto` repeats what is before it")),
                (false, true) => Some((jump.offset, "`goto` enters a loop")),
                (false, false) => None,
            }
        });
        let in_loop = || self.entered_by_cases.iter().find(|its| its.is_loop);
        wild_goto
            .or_else(|| in_loop().map(|its| (its.place, "a `case` enters this loop")))
            .or_else(|| Some((self.place_to_come_back_to()?, "`longjmp` may come back here")))
    }

    /// A call of `setjmp`, where all that follows may begin anew.
    fn place_to_come_back_to(&self) -> Option<usize> {
        let is_setjmp = |called: &Called| called.name.as_ref().is_some_and(|name| is_setjmp(name.as_bytes()));
        let position = self.calls.iter().position(is_setjmp)?;
        self.offsets_of_calls.get(position).copied()
    }

    /// Whether one may come into a branch by another way than its condition.
    pub fn enters(&self, branch: usize) -> bool {
        let branches = self.entered_branches.get_or_init(|| {
            let by_gotos = self.jumps_to_labels().flat_map(|(jump, label)| entered(jump, label));
            by_gotos.chain(&self.entered_by_cases).map(|its| its.place).collect()
        });
        branches.contains(&branch)
    }

    /// Whether a jump before that place may go on behind it, still within this part: a `continue`, or a `goto` of a label there.
    pub fn is_passed_over(&self, offset: usize) -> bool {
        let continues = |jump: &OutwardJump| jump.target == JumpTarget::Continue && jump.offset < offset;
        self.jumps.iter().any(continues)
            || self.jumps_to_labels().any(|(jump, label)| jump.offset < offset && offset < label.offset)
    }

    /// Whether a jump within this part goes on at a label of it.
    pub fn jumps_within(&self) -> bool {
        self.jumps_to_labels().next().is_some()
    }

    /// Variables and members that change and are not declared here.
    pub fn paths_changed(&self) -> BTreeSet<&str> {
        let paths = self.changes.iter().filter_map(|change| match &change.place {
            Place::Path(path) if !self.declared.contains(path) => Some(&**path),
            _ => None,
        });
        paths.collect()
    }

    fn jumps_to_labels(&self) -> impl Iterator<Item = (&LabelUse, &LabelUse)> {
        let pairs = self.gotos.iter().flat_map(|jump| self.labels.iter().map(move |label| (jump, label)));
        pairs.filter(|(jump, label)| jump.name == label.name)
    }
}

/// The loops and branches that a jump enters.
fn entered<'l>(jump: &'l LabelUse, label: &'l LabelUse) -> impl Iterator<Item = &'l Inside> {
    label.around.iter().filter(|its| !jump.around.contains(its))
}

pub struct EffectFinder<'p> {
    pub effects: Effects<'p>,
    is_conditional: bool,
    is_repeated: bool,
    around: Vec<Inside>,
    loops: usize,
    /// How many loops and branches are around each `switch` that is looked at.
    switches: Vec<usize>,
    /// Arguments of a call are looked at.
    in_call: bool,
    /// What is changed and called is not asked for.
    only_jumps: bool,
    /// No expression has statements in it.
    only_statements: bool,
    /// Structures that the function writes as a whole.
    typed: Option<Rc<TypeConversions>>,
}

impl<'p> EffectFinder<'p> {
    pub fn new() -> EffectFinder<'p> {
        EffectFinder {
            effects: Effects::default(),
            is_conditional: false,
            is_repeated: false,
            around: Vec::new(),
            loops: 0,
            switches: Vec::new(),
            in_call: false,
            only_jumps: false,
            only_statements: false,
            typed: None,
        }
    }

    /// One that finds the members of structures, too, that the function writes as a whole.
    pub fn knowing(typed: Rc<TypeConversions>) -> EffectFinder<'p> {
        EffectFinder { typed: Some(typed), ..EffectFinder::new() }
    }

    pub fn statement(statement: &'p Node<Statement>) -> Effects<'p> {
        EffectFinder::new().of(statement)
    }

    /// What a statement does.
    pub fn of(mut self, statement: &'p Node<Statement>) -> Effects<'p> {
        self.visit_statement(&statement.node, &statement.span);
        self.effects
    }

    /// Of a statement the jumps that leave it; those in expressions, `({ return; })`, only where there are some.
    pub fn jumps(statement: &'p Node<Statement>, in_expressions: bool) -> Vec<OutwardJump> {
        let mut finder =
            EffectFinder { only_jumps: true, only_statements: !in_expressions, ..EffectFinder::new() };
        finder.visit_statement(&statement.node, &statement.span);
        finder.effects.jumps
    }

    /// Of statements that follow each other.
    pub fn items(items: &'p [Node<BlockItem>]) -> Effects<'p> {
        let mut finder = EffectFinder::new();
        items.iter().for_each(|item| finder.visit_block_item(&item.node, &item.span));
        finder.effects
    }

    fn change(&mut self, left: &'p Node<Expression>, step: Update<'p>) {
        if self.only_jumps {
            return;
        }
        let place = place_of(left).unwrap_or(Place::Anything);
        let member = behind_any_pointer(left).filter(|its| *its != place);
        self.push_change(place, step, left.span.start);
        self.change_others(member, left.span.start);
        if let Some(typed) = self.typed.clone() {
            self.change_others(typed.of_written(left).iter().cloned(), left.span.start);
        }
    }

    fn push_change(&mut self, place: Place, step: Update<'p>, offset: usize) {
        let (is_conditional, is_repeated) = (self.is_conditional, self.is_repeated);
        self.effects.changes.push(PlaceChange { place, step, is_conditional, is_repeated, offset });
    }

    fn change_others(&mut self, places: impl IntoIterator<Item = Place>, offset: usize) {
        places.into_iter().for_each(|place| self.push_change(place, Update::Elsewhere, offset));
    }

    fn under_condition(&mut self, inside: impl FnOnce(&mut Self)) {
        let around = std::mem::replace(&mut self.is_conditional, true);
        inside(self);
        self.is_conditional = around;
    }

    /// Looks at a loop or a branch.
    fn inside(&mut self, place: Inside, look: impl FnOnce(&mut Self)) {
        self.around.push(place);
        look(self);
        self.around.pop();
    }

    fn jump(&mut self, target: JumpTarget, offset: usize) {
        self.effects.jumps.push(OutwardJump { target, offset });
    }
}

impl<'p> Visit<'p> for EffectFinder<'p> {
    fn visit_statement(&mut self, statement: &'p Statement, span: &'p Span) {
        match statement {
            Statement::While(_) | Statement::DoWhile(_) | Statement::For(_) => {
                let around = std::mem::replace(&mut self.is_repeated, true);
                self.loops += 1;
                let inside = Inside { place: span.start, is_loop: true };
                self.inside(inside, |finder| visit::visit_statement(finder, statement, span));
                self.loops -= 1;
                self.is_repeated = around;
            }
            Statement::Break if self.loops == 0 && self.switches.is_empty() => {
                self.jump(JumpTarget::Break, span.start)
            }
            Statement::Continue if self.loops == 0 => self.jump(JumpTarget::Continue, span.start),
            Statement::Return(value) => {
                if let Some(value) = value {
                    self.visit_expression(&value.node, &value.span);
                }
                self.jump(JumpTarget::Far, span.start);
            }
            Statement::Goto(label) => {
                self.jump(JumpTarget::Label, span.start);
                let (name, offset, around) = (label.node.name.clone(), span.start, self.around.clone());
                self.effects.gotos.push(LabelUse { name, offset, around });
            }
            Statement::Labeled(labeled) => {
                if let ast::Label::Identifier(name) = &labeled.node.label.node {
                    let (name, offset, around) = (name.node.name.clone(), span.start, self.around.clone());
                    self.effects.labels.push(LabelUse { name, offset, around });
                } else if let Some(around) = self.switches.last() {
                    self.effects.entered_by_cases.extend(&self.around[*around..]);
                }
                visit::visit_statement(self, statement, span);
            }
            _ => visit::visit_statement(self, statement, span),
        }
    }

    fn visit_expression(&mut self, expression: &'p Expression, span: &'p Span) {
        if self.only_statements {
            return;
        }
        // An address within what a call is handed is not itself handed over.
        let holds_others = matches!(expression, Expression::CompoundLiteral(_) | Expression::Statement(_));
        let around = self.in_call && !holds_others;
        let around = std::mem::replace(&mut self.in_call, around);
        visit::visit_expression(self, expression, span);
        self.in_call = around;
    }

    fn visit_declarator(&mut self, declarator: &'p ast::Declarator, span: &'p Span) {
        if !self.only_jumps {
            self.effects.declared.extend(declared_name(declarator).map(str::to_owned));
        }
        visit::visit_declarator(self, declarator, span);
    }

    fn visit_if_statement(&mut self, branches: &'p IfStatement, _: &'p Span) {
        self.visit_expression(&branches.condition.node, &branches.condition.span);
        self.under_condition(|finder| {
            for branch in
                [Some(&branches.then_statement), branches.else_statement.as_ref()].into_iter().flatten()
            {
                let inside = Inside { place: branch.span.start, is_loop: false };
                finder.inside(inside, |finder| finder.visit_statement(&branch.node, &branch.span));
            }
        });
    }

    fn visit_switch_statement(&mut self, switch: &'p SwitchStatement, _: &'p Span) {
        self.visit_expression(&switch.expression.node, &switch.expression.span);
        self.switches.push(self.around.len());
        self.under_condition(|finder| {
            finder.visit_statement(&switch.statement.node, &switch.statement.span);
        });
        self.switches.pop();
    }

    fn visit_conditional_expression(&mut self, conditional: &'p ConditionalExpression, _: &'p Span) {
        self.visit_expression(&conditional.condition.node, &conditional.condition.span);
        self.under_condition(|finder| {
            for branch in [&conditional.then_expression, &conditional.else_expression] {
                finder.visit_expression(&branch.node, &branch.span);
            }
        });
    }

    fn visit_unary_operator_expression(&mut self, unary: &'p UnaryOperatorExpression, span: &'p Span) {
        match unary.operator.node {
            UnaryOperator::PostIncrement | UnaryOperator::PreIncrement => {
                self.change(&unary.operand, Update::By(1))
            }
            UnaryOperator::PostDecrement | UnaryOperator::PreDecrement => {
                self.change(&unary.operand, Update::By(-1))
            }
            // Its members are known by more names then, as any are that are behind pointers.
            UnaryOperator::Address
                if self.typed.as_ref().is_some_and(|its| its.is_structure_behind(&unary.operand)) => {}
            UnaryOperator::Address => {
                self.change(&unary.operand, Update::Elsewhere);
                if !self.in_call
                    && !self.only_jumps
                    && let Some(path) = path_of(&unary.operand)
                {
                    self.effects.kept_addresses.push((path, unary.operand.span.start));
                }
            }
            _ => {}
        }
        visit::visit_unary_operator_expression(self, unary, span);
    }

    fn visit_binary_operator_expression(&mut self, binary: &'p BinaryOperatorExpression, span: &'p Span) {
        let operator = &binary.operator.node;
        match operator {
            BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr => {
                self.visit_expression(&binary.lhs.node, &binary.lhs.span);
                self.under_condition(|finder| finder.visit_expression(&binary.rhs.node, &binary.rhs.span));
                return;
            }
            operator if is_assignment(operator) => {
                self.change(&binary.lhs, Update::Operator(operator.clone(), &binary.rhs));
            }
            _ => {}
        }
        visit::visit_binary_operator_expression(self, binary, span);
    }

    fn visit_call_expression(&mut self, call: &'p CallExpression, span: &'p Span) {
        if called_name(call).is_some_and(|name| EXITS.contains(&name.as_str())) {
            return;
        }
        if !self.only_jumps {
            self.effects.calls.push(Called::of(call));
            self.effects.offsets_of_calls.push(span.start);
            if let Some(typed) = self.typed.clone() {
                self.change_others(typed.of_call(call).iter().cloned(), span.start);
            }
        }
        let around = std::mem::replace(&mut self.in_call, true);
        visit::visit_call_expression(self, call, span);
        self.in_call = around;
    }
}

#[cfg(test)]
mod tests {
    use lang_c::ast::ExternalDeclaration;

    use super::*;
    use crate::c::parse::parse;

    #[test]
    fn a_change_is_forgotten_once_but_where_its_pointer_moved() {
        let body = "p->n = 1; p->n = 2; a[0] = 1; a[1] = 2; a[2] = 3; p = q; p->n = 3; p->n = 4; p = 0;";
        let parsed = parse(format!("void f(void) {{ {body} }}")).unwrap();
        let [ExternalDeclaration::FunctionDefinition(definition)] =
            &parsed.unit.0.iter().map(|its| its.node.clone()).collect::<Vec<_>>()[..]
        else {
            panic!("no function")
        };
        let effects = EffectFinder::statement(&definition.node.statement);
        let forgotten: Vec<(&Place, usize)> = effects
            .forgotten_changes()
            .map(|its| {
                (&its.place, effects.changes.iter().position(|other| std::ptr::eq(other, its)).unwrap())
            })
            .collect();
        let (member, elements) = (Place::Path("p->n".to_owned()), Place::Elements("a".to_owned()));
        let pointer = Place::Path("p".to_owned());
        let expected = [(&member, 0), (&elements, 2), (&elements, 4), (&pointer, 5), (&member, 6)];
        assert_eq!(forgotten, expected);
    }
}
