//! Conditions as inequalities between polynomials.

use call_counting::Polynomial;
use lang_c::ast::{BinaryOperator, Expression, UnaryOperator};
use lang_c::span::Node;
use num_traits::Signed;

use super::value::Reason;
use super::walk::Walk;

/// Where a condition holds, or where it fails.
#[derive(Debug, Clone)]
pub struct Side {
    /// Cases that exclude each other; in each, all of these polynomials are not negative.
    pub cases: Vec<Vec<Polynomial>>,
    /// Data decide whether it does within these cases.
    pub doubt: Option<Reason>,
}

#[derive(Debug, Clone)]
pub struct Condition {
    pub holds: Side,
    pub fails: Side,
}

/// More cases than this are left to the data.
const MOST_CASES: usize = 8;

impl Side {
    fn new(cases: Vec<Vec<Polynomial>>) -> Side {
        let is_possible = |case: &Vec<Polynomial>| {
            !case.iter().any(|positive| positive.constant().is_some_and(|value| value.is_negative()))
        };
        let left = cases.into_iter().filter(is_possible);
        let without_constants = |case: Vec<Polynomial>| {
            case.into_iter().filter(|positive| positive.constant().is_none()).collect::<Vec<Polynomial>>()
        };
        Side { cases: left.map(without_constants).collect(), doubt: None }
    }

    fn unknown(reason: &Reason) -> Side {
        Side { cases: vec![Vec::new()], doubt: Some(reason.clone()) }
    }

    fn and(&self, other: &Side) -> Side {
        let pairs =
            self.cases.iter().flat_map(|own| other.cases.iter().map(move |its| [&own[..], its].concat()));
        Side { cases: pairs.collect(), doubt: self.doubt.clone().or_else(|| other.doubt.clone()) }
    }

    /// Of two sides that exclude each other.
    fn or(&self, other: &Side) -> Side {
        let cases = self.cases.iter().chain(&other.cases).cloned().collect();
        Side { cases, doubt: self.doubt.clone().or_else(|| other.doubt.clone()) }
    }

    /// Whether it is everywhere.
    pub fn is_always(&self) -> bool {
        self.doubt.is_none() && self.cases.iter().any(Vec::is_empty)
    }

    pub fn is_never(&self) -> bool {
        self.cases.is_empty()
    }
}

impl Condition {
    fn unknown(reason: &Reason) -> Condition {
        Condition { holds: Side::unknown(reason), fails: Side::unknown(reason) }
    }

    fn bounded(self, reason: &Reason) -> Condition {
        let too_many = |side: &Side| side.cases.len() > MOST_CASES;
        if too_many(&self.holds) || too_many(&self.fails) { Condition::unknown(reason) } else { self }
    }

    fn not(self) -> Condition {
        Condition { holds: self.fails, fails: self.holds }
    }

    fn and(&self, other: &Condition) -> Condition {
        let fails = match (&self.fails.doubt, &other.fails.doubt) {
            (None, None) => self.fails.or(&self.holds.and(&other.fails)),
            (Some(doubt), _) | (_, Some(doubt)) => Side::unknown(doubt),
        };
        Condition { holds: self.holds.and(&other.holds), fails }
    }

    /// `left < right` for `least` 1, `left <= right` for 0.
    fn less(left: &Polynomial, right: &Polynomial, least: i64) -> Condition {
        let difference = &(right - left) - &Polynomial::from(least);
        let opposite = &-&difference - &Polynomial::from(1);
        Condition { holds: Side::new(vec![vec![difference]]), fails: Side::new(vec![vec![opposite]]) }
    }

    fn equal(left: &Polynomial, right: &Polynomial) -> Condition {
        let (up, down) = (left - right, right - left);
        let one = Polynomial::from(1);
        let fails = Side::new(vec![vec![&up - &one], vec![&down - &one]]);
        Condition { holds: Side::new(vec![vec![up, down]]), fails }
    }
}

impl<'p> Walk<'p, '_> {
    /// A condition of which nothing is known but where it stands.
    pub fn depends(&self, condition: &Node<Expression>) -> Reason {
        Reason::new(self.at(condition), format!("depends on `{}`", self.shown(condition)))
    }

    /// What a condition says; what computing it changes is changed.
    pub fn condition(&mut self, condition: &'p Node<Expression>) -> Condition {
        use BinaryOperator as B;
        let reason = self.depends(condition);
        match &condition.node {
            Expression::BinaryOperator(binary) => {
                let (left, right) = (&binary.node.lhs, &binary.node.rhs);
                match &binary.node.operator.node {
                    B::LogicalAnd => {
                        let first = self.condition(left);
                        return first.and(&self.condition(right)).bounded(&reason);
                    }
                    B::LogicalOr => {
                        let first = self.condition(left).not();
                        return first.and(&self.condition(right).not()).not().bounded(&reason);
                    }
                    operator @ (B::Less
                    | B::LessOrEqual
                    | B::Greater
                    | B::GreaterOrEqual
                    | B::Equals
                    | B::NotEquals) => {
                        let (Ok(left), Ok(right)) = (self.evaluate(left), self.evaluate(right)) else {
                            return Condition::unknown(&reason);
                        };
                        return match operator {
                            B::Less => Condition::less(&left, &right, 1),
                            B::LessOrEqual => Condition::less(&left, &right, 0),
                            B::Greater => Condition::less(&right, &left, 1),
                            B::GreaterOrEqual => Condition::less(&right, &left, 0),
                            B::Equals => Condition::equal(&left, &right),
                            _ => Condition::equal(&left, &right).not(),
                        };
                    }
                    _ => {}
                }
            }
            Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Negate => {
                return self.condition(&unary.node.operand).not();
            }
            Expression::Cast(cast) => return self.condition(&cast.node.expression),
            _ => {}
        }
        match self.evaluate(condition) {
            Ok(value) => Condition::equal(&value, &Polynomial::default()).not(),
            Err(_) => Condition::unknown(&reason),
        }
    }
}
