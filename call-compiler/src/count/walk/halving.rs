//! Loops that halve an interval between two variables, as a binary search does.

use call_counting::Polynomial;
use lang_c::ast::{BinaryOperator, BlockItem, Expression, Initializer, Statement};
use lang_c::span::Node;

use super::super::change::{Effects, Finder, Step};
use super::super::place::{Place, path_of};
use super::super::value::Environment;
use super::motion::Parts;
use super::{Walk, always_leaves};
use crate::c::types::declared_name;

impl<'p> Walk<'p, '_> {
    /// How often a loop runs whose every iteration puts one end of an interval to its middle.
    pub fn halvings(
        &mut self,
        parts: &Parts<'p>,
        condition: &'p Node<Expression>,
        effects: &Effects<'p>,
        before: &Environment,
    ) -> Option<Polynomial> {
        use BinaryOperator as B;
        let Expression::BinaryOperator(binary) = &condition.node else { return None };
        let (left, right) = (path_of(&binary.node.lhs)?, path_of(&binary.node.rhs)?);
        let (low, high) = match binary.node.operator.node {
            B::Less | B::LessOrEqual | B::NotEquals => (left, right),
            B::Greater | B::GreaterOrEqual => (right, left),
            _ => return None,
        };
        let ends = [Place::Path(low.clone()), Place::Path(high.clone())];
        let middle = self.middle(parts, effects, &low, &high)?;
        let is_middle = |expression: &Node<Expression>| match &expression.node {
            Expression::BinaryOperator(binary) => {
                matches!(binary.node.operator.node, B::Plus | B::Minus)
                    && path_of(&binary.node.lhs).as_ref() == Some(&middle)
                    && self.parsed.text(binary.node.rhs.span) == "1"
            }
            _ => path_of(expression).as_ref() == Some(&middle),
        };
        let goes_to_middle =
            effects.changes.iter().filter(|change| ends.contains(&change.place)).all(|change| {
                matches!(&change.step, Step::Operator(B::Assign, value) if is_middle(value))
                    && !change.is_repeated
            });
        if !goes_to_middle || !self.always_changes(parts.body, &ends) {
            return None;
        }
        let length = &before.get(&high).ok()? - &before.get(&low).ok()?;
        Some(length.log())
    }

    /// The variable that gets the middle of two others at the begin of each iteration.
    fn middle(&mut self, parts: &Parts<'p>, effects: &Effects<'p>, low: &str, high: &str) -> Option<String> {
        let (from, to) = (Polynomial::index(self.new_index()), Polynomial::index(self.new_index()));
        let middles = [
            (&from + &to).floor(2),
            &from + &(&to - &from).floor(2),
            (&(&from + &to) + &Polynomial::from(1)).floor(2),
        ];
        let environment = self.environment.clone();
        self.environment.set(&Place::Path(low.to_owned()), Ok(from), parts.offset);
        self.environment.set(&Place::Path(high.to_owned()), Ok(to), parts.offset);
        let mut found = None;
        for change in &effects.changes {
            if let (Place::Path(path), Step::Operator(BinaryOperator::Assign, value)) =
                (&change.place, &change.step)
                && !change.is_conditional
                && !change.is_repeated
                && self.peek(value).is_ok_and(|value| middles.contains(&value))
            {
                found = Some(path.clone());
            }
        }
        self.environment = environment;
        found.or_else(|| self.declared_middle(parts, low, high))
    }

    /// Likewise, where the variable is declared in the body.
    fn declared_middle(&mut self, parts: &Parts<'p>, low: &str, high: &str) -> Option<String> {
        let Statement::Compound(items) = &parts.body.node else { return None };
        let is_middle = |text: &str| {
            let sums = [format!("({low}+{high})"), format!("({high}+{low})")];
            let differences = [format!("{low}+({high}-{low})"), format!("({low}+{high}+1)")];
            sums.iter().chain(&differences).any(|middle| {
                text == format!("{middle}/2")
                    || text == format!("{middle}>>1")
                    || text == format!("({middle}/2)")
            })
        };
        items.iter().find_map(|item| {
            let BlockItem::Declaration(declaration) = &item.node else { return None };
            declaration.node.declarators.iter().find_map(|its| {
                let Initializer::Expression(value) = &its.node.initializer.as_ref()?.node else {
                    return None;
                };
                let name = declared_name(&its.node.declarator.node)?;
                is_middle(&self.parsed.text(value.span)).then(|| name.to_owned())
            })
        })
    }

    /// Whether a statement changes one of these places, or leaves, whatever the data are.
    fn always_changes(&self, statement: &'p Node<Statement>, places: &[Place]) -> bool {
        match &statement.node {
            Statement::Compound(items) => items.iter().any(|item| match &item.node {
                BlockItem::Statement(statement) => self.always_changes(statement, places),
                _ => false,
            }),
            Statement::If(branches) => {
                let otherwise = branches.node.else_statement.as_ref();
                self.always_changes(&branches.node.then_statement, places)
                    && otherwise.is_some_and(|otherwise| self.always_changes(otherwise, places))
            }
            Statement::Expression(Some(_)) => {
                let effects = Finder::statement(statement);
                effects.changes.iter().any(|change| places.contains(&change.place) && !change.is_conditional)
            }
            other => always_leaves(other),
        }
    }
}
