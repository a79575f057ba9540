//! What is executed how often, and on which machine.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use call_grammar::{Span, suggest};

use super::ProgramError;
use super::instance::{Done, Execution, MOST_STATEMENTS, Making, chosen};
use super::scope::Scope;
use super::syntax::{Advance, Binary, Block, Expression, Unary};
use super::varying::Varying;
use crate::obsp::{Part, Step, Task};

impl Execution<'_> {
    pub(super) fn branch(
        &mut self,
        condition: &Expression,
        then: &Block,
        otherwise: Option<&Block>,
        making: &mut Making,
    ) -> Done<()> {
        let condition = self.resolve(condition, making)?;
        if let Some(holds) = condition.uniform() {
            let block = if holds != 0.0 { Some(then) } else { otherwise };
            return block.map_or(Ok(()), |block| self.block(block, making));
        }
        let outer = making.condition.clone();
        let both = |condition: Rc<Varying>| match &outer {
            None => condition,
            Some(outer) => Rc::new(Varying::Binary(Binary::And, Rc::clone(outer), condition)),
        };
        let before: BTreeSet<String> = making.scope.variables.keys().cloned().collect();
        making.condition = Some(both(Rc::clone(&condition)));
        self.block(then, making)?;
        let in_then = making.scope.take_new(&before);
        if let Some(otherwise) = otherwise {
            making.condition = Some(both(Rc::new(Varying::Unary(Unary::Not, Rc::clone(&condition)))));
            self.block(otherwise, making)?;
        }
        let in_otherwise = making.scope.take_new(&before);
        making.condition = outer;
        // Of what only one block gives a value, the processors of the other one have none.
        let nothing = Varying::number(f64::NAN);
        for name in in_then.keys().chain(in_otherwise.keys()) {
            let value =
                |block: &BTreeMap<String, Rc<Varying>>| Rc::clone(block.get(name).unwrap_or(&nothing));
            let value = chosen(Some(&condition), &value(&in_then), &value(&in_otherwise));
            making.scope.variables.insert(name.clone(), value);
        }
        Ok(())
    }

    pub(super) fn repeat(
        &mut self,
        variable: &str,
        (first, last_place): (&Expression, &Expression),
        advance: &Advance,
        body: &Block,
        making: &mut Making,
    ) -> Done<()> {
        let first = self.uniform(first, making, "the start of a loop")?;
        let last = self.uniform(last_place, making, "the end of a loop")?;
        let (amount, is_factor) = match advance {
            Advance::By(step) => (self.uniform(step, making, "the step of a loop")?, false),
            Advance::Times(factor) => (self.uniform(factor, making, "the factor of a loop")?, true),
            Advance::Counted if last >= 0.0 && last.fract() == 0.0 => (1.0, false),
            Advance::Counted => {
                return Err(ProgramError::new(last_place.span, format!("nothing is repeated {last} times"))
                    .help("it must be a whole number; `floor(…)` rounds down"));
            }
        };
        let span = match advance {
            Advance::By(expression) | Advance::Times(expression) => expression.span,
            Advance::Counted => last_place.span,
        };
        let is_up = if is_factor { amount > 1.0 } else { amount > 0.0 };
        let ends = match is_factor {
            true => amount > 0.0 && amount != 1.0 && first > 0.0 && (is_up || last > 0.0),
            false => amount != 0.0,
        };
        let is_finite = [first, last, amount].iter().all(|value| value.is_finite());
        if !(ends && is_finite) {
            let way = if is_factor { "times" } else { "step" };
            return Err(ProgramError::new(
                span,
                format!("a loop from {first} to {last} {way} {amount} does not end"),
            ));
        }
        let mut value = first;
        while if is_up { value <= last } else { value >= last } {
            making.scope.variables.insert(variable.to_owned(), Varying::number(value));
            self.statements += 1;
            self.block(body, making)?;
            let next = if is_factor { value * amount } else { value + amount };
            if next == value || self.statements > MOST_STATEMENTS {
                return Err(ProgramError::new(span, "this loop does not end"));
            }
            value = next;
        }
        Ok(())
    }

    pub(super) fn partition(
        &mut self,
        parts: &[(Expression, Block)],
        span: Span,
        making: &mut Making,
    ) -> Done<()> {
        self.check_all(making, span, "a partition is made by all processors of its machine")?;
        let processors = making.scope.processors;
        let mut made = Vec::with_capacity(parts.len());
        let mut first = 0;
        for (part, (size, block)) in parts.iter().enumerate() {
            let count = self.uniform(size, making, "the number of processors of a part")?;
            let left = processors - first;
            if count.fract() != 0.0 || !(1.0..=f64::from(left)).contains(&count) {
                let message = format!("a part has {count} processors, where {left} of {processors} are left");
                return Err(ProgramError::new(size.span, message)
                    .help("it must be a whole number, at least 1; `floor(…)` rounds down"));
            }
            let count = count as u32;
            let mut scope = making.scope.of_part(count, first);
            scope.variables.remove("part");
            if names_part(block) {
                scope.variables.insert("part".to_owned(), Varying::number(part as f64));
            }
            made.push(Part { task: self.part(block, scope)? });
            first += count;
        }
        if first != processors {
            let message = format!("the parts have {first} processors together, the machine has {processors}");
            return Err(ProgramError::new(span, message));
        }
        making.steps.push(Step::Parts(made));
        Ok(())
    }

    /// The task of a part; parts that do the same share it.
    pub(super) fn part(&mut self, block: &Block, scope: Scope) -> Done<Rc<Task>> {
        let key = scope.uniform().map(|variables| (block.number, scope.processors, variables));
        if let Some(known) = key.as_ref().and_then(|key| self.parts.get(key)) {
            return Ok(Rc::clone(known));
        }
        let task = self.task(block, scope)?;
        if let Some(key) = key {
            self.parts.insert(key, Rc::clone(&task));
        }
        Ok(task)
    }

    pub(super) fn call(
        &mut self,
        name: &str,
        span: Span,
        arguments: &[Expression],
        making: &mut Making,
    ) -> Done<()> {
        let procedures = &self.program.procedures;
        let Some(procedure) = procedures.iter().find(|procedure| procedure.name == name) else {
            let names = procedures.iter().map(|procedure| procedure.name.as_str());
            return Err(ProgramError::new(span, format!("there is no task `{name}`"))
                .suggesting(suggest(name, names), "write `task NAME(VARIABLES) { … }`"));
        };
        if procedure.parameters.len() != arguments.len() {
            let message =
                format!("`{name}` takes {} values, here are {}", procedure.parameters.len(), arguments.len());
            return Err(ProgramError::new(span, message));
        }
        let mut scope = Scope::new(making.scope.processors);
        for (parameter, argument) in procedure.parameters.iter().zip(arguments) {
            scope.variables.insert(parameter.clone(), self.resolve(argument, making)?);
        }
        let outside = std::mem::replace(&mut making.scope, scope);
        let done = self.block(&procedure.body, making);
        making.scope = outside;
        done
    }
}

/// Whether a block speaks of the number of its part.
fn names_part(block: &Block) -> bool {
    let mut found = false;
    block.expressions(&mut |expression| expression.names(&mut |name| found |= name == "part"));
    found
}
