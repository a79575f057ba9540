//! Loops that halve an interval between two variables, as a binary search does.

use call_counting::Polynomial;
use lang_c::ast::{BinaryOperator, BlockItem, Expression, Initializer, Statement};
use lang_c::span::Node;

use super::super::change::{Change, Effects, Finder, Step};
use super::super::place::{Place, path_of};
use super::super::value::Environment;
use super::Walk;
use super::leaving::always_leaves;
use super::motion::Parts;
use crate::c::types::declared_name;

/// A variable in the middle of an interval, rounded up or down.
struct Middle {
    name: String,
    is_upper: bool,
    /// Whether the body declares it, so that it gets its value by no change.
    is_declared: bool,
}

/// Whether the interval becomes smaller whichever end is moved, and its ends do not pass each other where they have to meet. `beyond` has the
/// places by the middle that each end is moved to.
fn comes_nearer(operator: &BinaryOperator, is_upper: bool, beyond: &[Vec<i8>; 2]) -> bool {
    let [lows, highs] = beyond;
    let all = |places: &[i8], place: i8| places.iter().all(|its| *its == place);
    let are_behind = all(lows, 1) && all(highs, -1);
    let meet = if is_upper { all(lows, 0) && all(highs, -1) } else { all(lows, 1) && all(highs, 0) };
    match operator {
        BinaryOperator::LessOrEqual | BinaryOperator::GreaterOrEqual => are_behind,
        BinaryOperator::NotEquals => meet,
        _ if is_upper => lows.iter().all(|its| *its >= 0) && all(highs, -1),
        _ => all(lows, 1) && highs.iter().all(|its| *its <= 0),
    }
}

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
        let operator = &binary.node.operator.node;
        let (low, high) = match operator {
            B::Less | B::LessOrEqual | B::NotEquals => (left, right),
            B::Greater | B::GreaterOrEqual => (right, left),
            _ => return None,
        };
        let ends = [Place::Path(low.clone()), Place::Path(high.clone())];
        let middle = self.middle(parts, effects, &low, &high)?;
        if self.is_moved_again(&middle, effects) {
            return None;
        }
        let mut beyond = [Vec::new(), Vec::new()];
        for change in &effects.changes {
            let Some(end) = ends.iter().position(|its| *its == change.place) else { continue };
            match &change.step {
                Step::Operator(B::Assign, value) if !change.is_repeated => {
                    beyond[end].push(self.beyond_middle(value, &middle.name)?);
                }
                _ => return None,
            }
        }
        if !comes_nearer(operator, middle.is_upper, &beyond) || !self.always_changes(parts.body, &ends) {
            return None;
        }
        let includes_end = matches!(operator, B::LessOrEqual | B::GreaterOrEqual);
        let length = &before.get(&high).ok()? - &before.get(&low).ok()?;
        let length = &length + &Polynomial::from(i64::from(includes_end));
        // Rounded down it is one time less than the loop may run.
        Some(&length.log() + &Polynomial::from(1))
    }

    /// 1 for the place behind the middle, 0 for the middle, -1 for that before it.
    fn beyond_middle(&self, expression: &Node<Expression>, middle: &str) -> Option<i8> {
        let is_middle = |expression: &Node<Expression>| path_of(expression).as_deref() == Some(middle);
        match &expression.node {
            Expression::BinaryOperator(binary) if is_middle(&binary.node.lhs) => {
                let is_one = self.parsed.text(binary.node.rhs.span) == "1";
                match binary.node.operator.node {
                    BinaryOperator::Plus if is_one => Some(1),
                    BinaryOperator::Minus if is_one => Some(-1),
                    _ => None,
                }
            }
            _ => is_middle(expression).then_some(0),
        }
    }

    /// The variable that gets the middle of two others at the begin of each iteration.
    fn middle(&mut self, parts: &Parts<'p>, effects: &Effects<'p>, low: &str, high: &str) -> Option<Middle> {
        let (from, to) = (Polynomial::index(self.new_index()), Polynomial::index(self.new_index()));
        const UPPER: usize = 2;
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
                && let Ok(value) = self.peek(value)
                && let Some(place) = middles.iter().position(|its| *its == value)
            {
                found = Some(Middle { name: path.clone(), is_upper: place == UPPER, is_declared: false });
            }
        }
        self.environment = environment;
        found.or_else(|| self.declared_middle(parts, low, high))
    }

    /// Whether it may be no longer in the middle where an end is moved to it.
    fn is_moved_again(&self, middle: &Middle, effects: &Effects<'p>) -> bool {
        let place = Place::Path(middle.name.clone());
        let may_move = |change: &&Change<'p>| {
            change.place.may_be(&place) || self.pointed_to(&change.place).iter().any(|its| its.may_be(&place))
        };
        effects.changes.iter().filter(may_move).count() > usize::from(!middle.is_declared)
    }

    /// Likewise, where the variable is declared in the body.
    fn declared_middle(&mut self, parts: &Parts<'p>, low: &str, high: &str) -> Option<Middle> {
        let Statement::Compound(items) = &parts.body.node else { return None };
        let is_half = |text: &str, of: &str| {
            text == format!("{of}/2") || text == format!("{of}>>1") || text == format!("({of}/2)")
        };
        let lower = [format!("({low}+{high})"), format!("({high}+{low})"), format!("{low}+({high}-{low})")];
        let upper = [format!("({low}+{high}+1)"), format!("({high}+{low}+1)")];
        items.iter().find_map(|item| {
            let BlockItem::Declaration(declaration) = &item.node else { return None };
            declaration.node.declarators.iter().find_map(|its| {
                let Initializer::Expression(value) = &its.node.initializer.as_ref()?.node else {
                    return None;
                };
                let name = declared_name(&its.node.declarator.node)?.to_owned();
                let text = self.parsed.text(value.span);
                let is_upper = upper.iter().any(|of| is_half(&text, of));
                let is_middle = is_upper || lower.iter().any(|of| is_half(&text, of));
                is_middle.then_some(Middle { name, is_upper, is_declared: true })
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
