//! `switch`: what each of its parts runs for, and what follows those that return.

use std::sync::Arc;

use call_counting::Polynomial;
use lang_c::ast::{BlockItem, Expression, Label, LabeledStatement, Statement, SwitchStatement};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use super::super::around::Around;
use super::super::change::{EffectFinder, JumpTarget};
use super::CountingWalk;
use super::leaving::{always_leaves, always_returns};
use super::recursion::OnPath;

/// Statements between labels, which end before the next ones.
struct SwitchPart<'p> {
    /// The values that it runs for.
    values: Vec<&'p Node<Expression>>,
    is_default: bool,
    items: &'p [Node<BlockItem>],
}

/// A `switch` that is walked through.
pub struct OpenSwitch {
    /// Its parts are ways of which one is taken: what calls there are before it.
    calls_before: Option<OnPath>,
    /// The calls of the part with the most of them.
    most: Option<OnPath>,
}

impl<'p> CountingWalk<'p, '_> {
    /// A `switch`: each of its labels is reached from its begin, too, and its end from each `break`.
    pub fn switch(&mut self, switch: &'p SwitchStatement) {
        let before = self.environment.clone();
        let reason = self.depends(&switch.expression);
        let value = self.peek(&switch.expression).ok();
        let parts = if self.calls_itself() { parts_of(switch) } else { None };
        self.switches.push((before.clone(), reason.clone()));
        let calls_before = self.recursion.begin_branch();
        self.open_switches
            .push(OpenSwitch { calls_before: parts.as_ref().map(|_| calls_before), most: None });
        self.under_data(&switch.expression, |walk| walk.statement(&switch.statement));
        let most = self.open_switches.pop().and_then(|its| its.most).unwrap_or(calls_before);
        self.recursion.end_branch(calls_before, most, true);
        self.switches.pop();
        self.environment.merge(&before, &reason);
        let finder = EffectFinder::knowing(self.summaries.changes.typed(self.function));
        self.forget_effects(&finder.of(&switch.statement), &reason.why);
        if let Some((value, parts)) = value.zip(parts) {
            self.conditions_of_parts(switch, &value, calls_before, &parts);
        }
    }

    /// At the label of a `switch`: the part before has ended.
    pub fn next_part(&mut self) {
        if let Some(open) = self.open_switches.last_mut()
            && let Some(before) = open.calls_before
        {
            let part = self.recursion.next_branch(before);
            open.most = Some(open.most.map_or(part, |most| most.greater(part)));
        }
    }

    /// What calls in a part depend on, and what follows the parts that return.
    fn conditions_of_parts(
        &mut self,
        switch: &'p SwitchStatement,
        value: &Polynomial,
        calls_before: OnPath,
        parts: &[SwitchPart<'p>],
    ) {
        let reason = self.depends(&switch.expression);
        let of_part = |walk: &mut Self, part: &SwitchPart<'p>| -> Option<Vec<i64>> {
            part.values.iter().map(|its| walk.peek(its).ok()?.integer()).collect()
        };
        let Some(values) = parts.iter().map(|part| of_part(self, part)).collect::<Option<Vec<Vec<i64>>>>()
        else {
            return;
        };
        let all: Vec<i64> = values.iter().flatten().copied().collect();
        for (part, own) in parts.iter().zip(&values) {
            let cases = if part.is_default { others(value, &all) } else { these(value, own) };
            let (Some(first), Some(last)) = (part.items.first(), part.items.last()) else { continue };
            let (begin, end) = (self.at(first), self.parsed.original(last.span.end));
            let condition: Arc<Around> = Around::Cases(cases, reason.clone()).into();
            let calls = &mut self.recursion.calls[calls_before.calls..];
            let inside = calls.iter_mut().filter(|call| begin <= call.offset && call.offset < end);
            inside.for_each(|call| call.around.push(condition.clone()));
        }
        let returning = parts.iter().zip(&values).filter(|(part, _)| !part.is_default && part.returns());
        let returning: Vec<i64> = returning.flat_map(|(_, own)| own).copied().collect();
        if !returning.is_empty() && !self.summaries.changes.effects(self.function).jumps_within() {
            self.push(Around::Cases(others(value, &returning), reason));
        }
    }
}

impl<'p> SwitchPart<'p> {
    /// Takes labels that follow each other; how many they are. `None` where one is no plain one of a `switch`.
    fn add_labels(&mut self, labeled: &'p LabeledStatement) -> Option<usize> {
        match &labeled.label.node {
            Label::Case(value) => self.values.push(value),
            Label::Default => self.is_default = true,
            _ => return None,
        }
        match &labeled.statement.node {
            Statement::Labeled(inner) => Some(1 + self.add_labels(&inner.node)?),
            _ => Some(1),
        }
    }

    /// Whether nothing but labels was seen of it.
    fn is_empty(&self) -> bool {
        self.items.iter().all(|item| match &item.node {
            BlockItem::Statement(statement) => {
                matches!(unlabelled(&statement.node), Statement::Expression(None))
            }
            _ => false,
        })
    }

    /// Whether nothing that comes here goes on behind the `switch`.
    fn returns(&self) -> bool {
        let last = self.items.last().is_some_and(|item| match &item.node {
            BlockItem::Statement(statement) => always_returns(unlabelled(&statement.node)),
            _ => false,
        });
        let jumps = EffectFinder::items(self.items).jumps;
        last && jumps.iter().all(|jump| jump.target == JumpTarget::Far)
    }

    fn ends(&self) -> bool {
        self.items.last().is_some_and(|item| match &item.node {
            BlockItem::Statement(statement) => always_leaves(unlabelled(&statement.node)),
            _ => false,
        })
    }
}

fn unlabelled(statement: &Statement) -> &Statement {
    match statement {
        Statement::Labeled(labeled) => unlabelled(&labeled.node.statement.node),
        _ => statement,
    }
}

/// The parts of a `switch`, where none goes on in the next one and no label stands within other statements.
fn parts_of(switch: &SwitchStatement) -> Option<Vec<SwitchPart<'_>>> {
    let Statement::Compound(items) = &switch.statement.node else { return None };
    let mut parts: Vec<SwitchPart> = Vec::new();
    let mut labels_seen = 0;
    for (number, item) in items.iter().enumerate() {
        if let BlockItem::Statement(Node { node: Statement::Labeled(labeled), .. }) = &item.node {
            let mut part = SwitchPart { values: Vec::new(), is_default: false, items: &[] };
            labels_seen += part.add_labels(&labeled.node)?;
            match parts.last_mut().filter(|before| before.is_empty()) {
                // Several labels of one part.
                Some(before) => {
                    before.values.append(&mut part.values);
                    before.is_default |= part.is_default;
                }
                None => parts.push(part),
            }
        }
        let part = parts.last_mut()?;
        part.items = &items[number - part.items.len()..=number];
    }
    let mut all = LabelCounter(0);
    all.visit_statement(&switch.statement.node, &switch.statement.span);
    let (_, before_last) = parts.split_last()?;
    (all.0 == labels_seen && before_last.iter().all(SwitchPart::ends)).then_some(parts)
}

/// How many labels a `switch` has, those of others in it aside.
struct LabelCounter(usize);

impl<'a> Visit<'a> for LabelCounter {
    fn visit_labeled_statement(&mut self, labeled: &'a LabeledStatement, span: &'a Span) {
        self.0 += 1;
        visit::visit_labeled_statement(self, labeled, span);
    }

    fn visit_switch_statement(&mut self, _: &'a SwitchStatement, _: &'a Span) {}
}

/// Where a value is one of these.
fn these(value: &Polynomial, numbers: &[i64]) -> Vec<Vec<Polynomial>> {
    let is = |number: &i64| {
        let difference = value - &Polynomial::from(*number);
        vec![difference.clone(), -&difference]
    };
    numbers.iter().map(is).collect()
}

/// Where it is none of them.
fn others(value: &Polynomial, numbers: &[i64]) -> Vec<Vec<Polynomial>> {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    let above = |number: i64| &(value - &Polynomial::from(number)) - &Polynomial::from(1);
    let below = |number: i64| &(&Polynomial::from(number) - value) - &Polynomial::from(1);
    let mut cases: Vec<Vec<Polynomial>> = numbers
        .windows(2)
        .filter(|pair| pair[1].saturating_sub(pair[0]) > 1)
        .map(|pair| vec![above(pair[0]), below(pair[1])])
        .collect();
    cases.extend(numbers.last().map(|last| vec![above(*last)]));
    cases.extend(numbers.first().map(|first| vec![below(*first)]));
    if numbers.is_empty() { vec![Vec::new()] } else { cases }
}
