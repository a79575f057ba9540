//! Conditions as inequalities between polynomials.

use call_counting::{Atom, Polynomial};
use lang_c::ast::{BinaryOperator, CastExpression, ConditionalExpression, Expression, UnaryOperator};
use lang_c::span::Node;

use super::super::addresses::is_of_array;
use super::super::value::UnknownReason;
use super::CountingWalk;
use super::computed::is_moderate;
use super::real::is_near_only;
use crate::c::types::{Representation, type_qualified};

/// Where a condition holds, or where it fails.
#[derive(Debug, Clone)]
pub struct ConditionCases {
    /// Cases that exclude each other; in each, all of these polynomials are not negative.
    pub cases: Vec<Vec<Polynomial>>,
    /// Data decide whether it does within these cases.
    pub doubt: Option<UnknownReason>,
}

#[derive(Debug, Clone)]
pub struct BranchCondition {
    pub holds: ConditionCases,
    pub fails: ConditionCases,
    /// What must not be negative for that: signed numbers that are compared with unsigned ones.
    pub assumed: Vec<Polynomial>,
    /// A whole number that is not negative where the condition holds, and else is.
    positive: Option<Polynomial>,
}

/// More cases than this are left to the data.
const MOST_CASES: usize = 8;

impl ConditionCases {
    fn new(cases: Vec<Vec<Polynomial>>) -> ConditionCases {
        let is_possible = |case: &Vec<Polynomial>| {
            !case.iter().any(|positive| positive.constant().is_some_and(|value| value.is_negative()))
        };
        let left = cases.into_iter().filter(is_possible);
        let without_constants = |case: Vec<Polynomial>| {
            case.into_iter().filter(|positive| positive.constant().is_none()).collect::<Vec<Polynomial>>()
        };
        ConditionCases { cases: left.map(without_constants).collect(), doubt: None }
    }

    fn unknown(reason: &UnknownReason) -> ConditionCases {
        ConditionCases { cases: vec![Vec::new()], doubt: Some(reason.clone()) }
    }

    fn and(&self, other: &ConditionCases) -> ConditionCases {
        let pairs =
            self.cases.iter().flat_map(|own| other.cases.iter().map(move |its| [&own[..], its].concat()));
        ConditionCases { cases: pairs.collect(), doubt: self.doubt.clone().or_else(|| other.doubt.clone()) }
    }

    /// Of two sides that exclude each other.
    fn or(&self, other: &ConditionCases) -> ConditionCases {
        let cases = self.cases.iter().chain(&other.cases).cloned().collect();
        ConditionCases { cases, doubt: self.doubt.clone().or_else(|| other.doubt.clone()) }
    }

    /// Whether it holds for one value of something only.
    pub fn is_equality(&self) -> bool {
        let has_both = |case: &Vec<Polynomial>| case.iter().any(|value| case.contains(&-value));
        !self.cases.is_empty() && self.cases.iter().all(has_both)
    }

    /// Whether it is everywhere.
    pub fn is_always(&self) -> bool {
        self.doubt.is_none() && self.cases.iter().any(Vec::is_empty)
    }

    pub fn is_never(&self) -> bool {
        self.cases.is_empty()
    }
}

impl BranchCondition {
    pub fn unknown(reason: &UnknownReason) -> BranchCondition {
        BranchCondition::new(ConditionCases::unknown(reason), ConditionCases::unknown(reason))
    }

    fn new(holds: ConditionCases, fails: ConditionCases) -> BranchCondition {
        BranchCondition { holds, fails, assumed: Vec::new(), positive: None }
    }

    /// Whether data decide, too.
    pub fn is_of_data(&self) -> bool {
        self.holds.doubt.is_some() || self.fails.doubt.is_some()
    }

    fn bounded(self, reason: &UnknownReason) -> BranchCondition {
        let too_many = |side: &ConditionCases| side.cases.len() > MOST_CASES;
        if too_many(&self.holds) || too_many(&self.fails) { BranchCondition::unknown(reason) } else { self }
    }

    pub fn not(self) -> BranchCondition {
        let positive = self.positive.as_ref().map(Polynomial::opposite);
        BranchCondition { holds: self.fails, fails: self.holds, assumed: self.assumed, positive }
    }

    fn and(&self, other: &BranchCondition) -> BranchCondition {
        let fails = match (&self.fails.doubt, &other.fails.doubt) {
            (None, None) => self.fails.or(&self.holds.and(&other.fails)),
            (Some(doubt), _) | (_, Some(doubt)) => ConditionCases::unknown(doubt),
        };
        let assumed = [&self.assumed[..], &other.assumed].concat();
        BranchCondition { holds: self.holds.and(&other.holds), fails, assumed, positive: None }
    }

    /// The value of one of two ways through the condition, as what it is of both: `if (m > n) m = n` makes the lesser one of `m`.
    pub fn chosen(&self, then: &Polynomial, otherwise: &Polynomial) -> Option<Polynomial> {
        let positive = self.positive.as_ref()?;
        if !is_moderate(then) || !is_moderate(otherwise) {
            return None;
        }
        // Where they are equal either may be taken.
        let is_distance =
            |high: &Polynomial, low: &Polynomial| matches!((&(high - low) - positive).integer(), Some(0 | 1));
        let is_least = is_distance(otherwise, then);
        (is_least || is_distance(then, otherwise)).then(|| then.extreme(otherwise, is_least))
    }

    /// `left < right` for `least` 1, `left <= right` for 0.
    fn less(left: &Polynomial, right: &Polynomial, least: i64) -> BranchCondition {
        let difference = &(right - left) - &Polynomial::from(least);
        BranchCondition { positive: Some(difference.clone()), ..BranchCondition::not_negative(difference) }
    }

    /// For loops, i < min(j, n) means i < j && i < n; of max it is one of both.
    fn not_negative(value: Polynomial) -> BranchCondition {
        let both = |[first, second]: [Polynomial; 2]| {
            (BranchCondition::not_negative(first), BranchCondition::not_negative(second))
        };
        if let Some((first, second)) = value.chosen_by_index(true).map(both) {
            return first.and(&second);
        }
        if let Some((first, second)) = value.chosen_by_index(false).map(both) {
            return first.not().and(&second.not()).not();
        }
        let fails = ConditionCases::new(vec![vec![value.opposite()]]);
        BranchCondition::new(ConditionCases::new(vec![vec![value]]), fails)
    }

    fn equal(left: &Polynomial, right: &Polynomial) -> BranchCondition {
        let (up, down) = (left - right, right - left);
        let one = Polynomial::from(1);
        let fails = ConditionCases::new(vec![vec![&up - &one], vec![&down - &one]]);
        BranchCondition::new(ConditionCases::new(vec![vec![up, down]]), fails)
    }
}

/// Whether what is compared with 0 is a parameter less a number that is too large for the end of a recursion or for a truth: one that
/// chooses between ways, such as a mode, is no size, of which larger ones are meant.
fn is_choice(difference: &Polynomial) -> bool {
    const LARGEST_END: i64 = 2;
    let constant = Polynomial::from(difference.constant_term());
    let is_end = constant.integer().is_some_and(|value| value.abs() <= LARGEST_END);
    let rest = difference - &constant;
    !is_end
        && [&rest, &-&rest].iter().any(|its| matches!(its.atom(), Some(Atom::Name(_) | Atom::Element { .. })))
}

/// Whether it is how far two addresses are apart of which nobody knows whether they lie in one array.
fn is_of_addresses(difference: &Polynomial) -> bool {
    difference.atoms().into_iter().any(|atom| matches!(atom, Atom::Name(name) if is_of_array(name)))
}

impl<'p> CountingWalk<'p, '_> {
    /// A condition of which nothing is known but where it stands.
    pub fn depends(&self, condition: &Node<Expression>) -> UnknownReason {
        UnknownReason::new(self.at(condition), format!("depends on `{}`", self.shown(condition)))
    }

    /// What a condition says; what computing it changes is changed.
    pub fn condition(&mut self, condition: &'p Node<Expression>) -> BranchCondition {
        use BinaryOperator as B;
        let reason = self.depends(condition);
        match &condition.node {
            Expression::BinaryOperator(binary) => {
                let (left, right) = (&binary.node.lhs, &binary.node.rhs);
                match &binary.node.operator.node {
                    B::LogicalAnd => {
                        let first = self.condition(left);
                        let second = self.second_condition(left, &first.holds, right);
                        return first.and(&second).bounded(&reason);
                    }
                    B::LogicalOr => {
                        let first = self.condition(left).not();
                        let second = self.second_condition(left, &first.holds, right).not();
                        return first.and(&second).not().bounded(&reason);
                    }
                    operator @ (B::Less
                    | B::LessOrEqual
                    | B::Greater
                    | B::GreaterOrEqual
                    | B::Equals
                    | B::NotEquals) => {
                        return match self.comparison_of_alternatives(operator, left, right) {
                            Some(condition) => condition,
                            None => self.comparison(operator, left, right, &reason),
                        };
                    }
                    _ => {}
                }
            }
            Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Negate => {
                return self.condition(&unary.node.operand).not();
            }
            Expression::Conditional(choice) => {
                if let Some((side, assumed)) = self.chosen_side(&choice.node) {
                    self.evaluate(&choice.node.condition).ok();
                    let mut condition = self.condition(side);
                    condition.assumed.extend(assumed);
                    return condition;
                }
            }
            Expression::Cast(cast) if !self.is_cut(&cast.node) => {
                return self.condition(&cast.node.expression);
            }
            _ => {}
        }
        if let Some(condition) = self.where_one_of(condition, |value| value != 0) {
            return condition;
        }
        match self.with_remainders(self.bound_index.is_some(), |walk| walk.evaluate(condition)) {
            Ok(value) if self.is_data(&value) || is_near_only(&value) => BranchCondition::unknown(&reason),
            Ok(value) => BranchCondition::equal(&value, &Polynomial::default()).not(),
            Err(_) => BranchCondition::unknown(&reason),
        }
    }

    /// Where a variable that has one of several numbers has one of those that are meant.
    fn where_one_of(
        &self,
        variable: &Node<Expression>,
        is_meant: impl Fn(i64) -> bool,
    ) -> Option<BranchCondition> {
        let Expression::Identifier(name) = &variable.node else { return None };
        let all = self.environment.alternatives(&name.node.name)?;
        let side = |is_wanted: bool| {
            let its = all.iter().filter(|one| is_meant(one.value) == is_wanted);
            ConditionCases::new(its.map(|one| one.conditions.clone()).collect())
        };
        Some(BranchCondition::new(side(true), side(false)))
    }

    /// The same where it is compared with a number.
    fn comparison_of_alternatives(
        &mut self,
        operator: &BinaryOperator,
        left: &'p Node<Expression>,
        right: &'p Node<Expression>,
    ) -> Option<BranchCondition> {
        use BinaryOperator as B;
        let is_of_alternatives = matches!(&left.node, Expression::Identifier(name) if self.environment.alternatives(&name.node.name).is_some());
        if !is_of_alternatives || self.is_natural(left) || self.is_natural(right) {
            return None;
        }
        let number = self.peek(right).ok()?.integer()?;
        self.evaluate(right).ok();
        self.where_one_of(left, |value| match operator {
            B::Less => value < number,
            B::LessOrEqual => value <= number,
            B::Greater => value > number,
            B::GreaterOrEqual => value >= number,
            B::Equals => value == number,
            _ => value != number,
        })
    }

    /// Which one of two conditions counts where a third one chooses, and what must not be negative for that: `step < 0 ? i >= n : i <= n` ends
    /// a loop at `n` where `step` is a number, or a size.
    fn chosen_side(
        &mut self,
        choice: &'p ConditionalExpression,
    ) -> Option<(&'p Node<Expression>, Vec<Polynomial>)> {
        let first = self.quietly(|walk| walk.condition(&choice.condition));
        if !first.assumed.is_empty() || first.is_of_data() {
            return None;
        }
        if first.fails.is_never() {
            return Some((&*choice.then_expression, Vec::new()));
        }
        if first.holds.is_never() {
            return Some((&*choice.else_expression, Vec::new()));
        }
        match &first.fails.cases[..] {
            [case] if self.bound_index.is_some() && case.iter().all(Polynomial::has_no_negative_term) => {
                Some((&*choice.else_expression, case.clone()))
            }
            _ => None,
        }
    }

    /// The right one of two conditions, which is looked at on one side of the left one only.
    fn second_condition(
        &mut self,
        left: &'p Node<Expression>,
        side: &ConditionCases,
        right: &'p Node<Expression>,
    ) -> BranchCondition {
        let (depth, before, reason) = (self.around.len(), self.environment.clone(), self.depends(left));
        self.push_side(side, &reason);
        let second = self.condition(right);
        self.truncate(depth);
        self.environment.merge(&before, &reason);
        second
    }

    fn comparison(
        &mut self,
        operator: &BinaryOperator,
        left: &'p Node<Expression>,
        right: &'p Node<Expression>,
        reason: &UnknownReason,
    ) -> BranchCondition {
        use BinaryOperator as B;
        let is_natural = (self.is_natural(left), self.is_natural(right));
        let is_real = self.is_real_number(left) || self.is_real_number(right);
        let outer = self.granted.replace(Vec::new());
        let exact = is_real.then(|| self.exact_sides(operator, left, right)).flatten();
        // As a condition a remainder says nothing of the size, as data do.
        let values = self
            .with_remainders(self.bound_index.is_some(), |walk| (walk.evaluate(left), walk.evaluate(right)));
        let mut assumed = std::mem::replace(&mut self.granted, outer).unwrap_or_default();
        let values = exact.map_or(values, |(left, right)| (Ok(left), Ok(right)));
        let (left, right) = match values {
            (Ok(left), Ok(right)) if !self.is_data(&left) && !self.is_data(&right) => (left, right),
            (Err(inner), _) | (_, Err(inner)) => {
                let why = format!("{}: {}", reason.why, inner.why);
                return BranchCondition::unknown(&UnknownReason::new(reason.offset, why));
            }
            _ => return BranchCondition::unknown(reason),
        };
        // Ends of loops may be near to what they are.
        if self.bound_index.is_none() && (is_near_only(&left) || is_near_only(&right)) {
            return BranchCondition::unknown(reason);
        }
        // Both are unsigned then: what is below 0 would be a large number.
        if is_natural.0 || is_natural.1 {
            for value in [&left, &right] {
                match value.constant() {
                    Some(value) if value.is_negative() => return BranchCondition::unknown(reason),
                    None if !self.is_never_negative(value, &assumed) => assumed.push(value.clone()),
                    _ => {}
                }
            }
        }
        let difference = &left - &right;
        if matches!(operator, B::Equals | B::NotEquals)
            && (is_choice(&difference) || is_of_addresses(&difference))
        {
            return BranchCondition::unknown(reason);
        }
        // A whole number below one that is not whole may be as near to it as nothing.
        let apart = i64::from(!is_real || !(is_near_only(&left) || is_near_only(&right)));
        let condition = match operator {
            B::Less => BranchCondition::less(&left, &right, apart),
            B::LessOrEqual => BranchCondition::less(&left, &right, 0),
            B::Greater => BranchCondition::less(&right, &left, apart),
            B::GreaterOrEqual => BranchCondition::less(&right, &left, 0),
            B::Equals => BranchCondition::equal(&left, &right),
            _ => BranchCondition::equal(&left, &right).not(),
        };
        BranchCondition { assumed, ..condition }
    }

    /// Whether a value is a sum of unsigned variables, or one of two values of which both are taken for granted not to be negative.
    fn is_never_negative(&mut self, value: &Polynomial, granted: &[Polynomial]) -> bool {
        if let Some(Atom::Extreme { of, .. }) = value.atom() {
            return of.iter().all(|its| granted.contains(its) || self.is_never_negative(its, granted));
        }
        value.has_no_negative_term()
            && value.atoms().into_iter().all(|atom| match atom {
                Atom::Name(path) => self.is_unsigned(path) || path.starts_with("sizeof"),
                Atom::Element { array, .. } => {
                    self.element_representation(array) == Some(Representation::Natural)
                }
                _ => false,
            })
    }

    /// Whether an expression is of an unsigned type, as far as its names tell.
    pub fn is_natural(&mut self, expression: &'p Node<Expression>) -> bool {
        match &expression.node {
            Expression::Identifier(name) => self.is_unsigned(&name.node.name),
            Expression::Member(member) => self.program.members.is_natural(&member.node.identifier.node.name),
            Expression::Cast(cast) => {
                let to = &cast.node.type_name.node;
                to.declarator.is_none() && self.is_unsigned_type(type_qualified(&to.specifiers))
            }
            Expression::Conditional(conditional) => {
                self.is_natural(&conditional.node.then_expression)
                    || self.is_natural(&conditional.node.else_expression)
            }
            Expression::Comma(parts) => parts.last().is_some_and(|last| self.is_natural(last)),
            Expression::BinaryOperator(binary) if binary.node.operator.node == BinaryOperator::Index => {
                self.has_natural_elements(&binary.node.lhs)
            }
            Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Indirection => {
                self.has_natural_elements(&unary.node.operand)
            }
            Expression::SizeOfTy(_) | Expression::SizeOfVal(_) => true,
            Expression::Constant(_) => self.program.is_unsigned_literal(self.at(expression)),
            Expression::UnaryOperator(unary) => self.is_natural(&unary.node.operand),
            Expression::BinaryOperator(binary) => {
                self.is_natural(&binary.node.lhs) || self.is_natural(&binary.node.rhs)
            }
            _ => false,
        }
    }

    fn has_natural_elements(&self, array: &Node<Expression>) -> bool {
        let path = self.path(array);
        path.is_some_and(|path| self.element_representation(&path) == Some(Representation::Natural))
    }

    /// Whether a cast leaves bits out.
    pub fn is_cut(&self, cast: &CastExpression) -> bool {
        cast.type_name.node.declarator.is_none()
            && self.is_narrow_type(type_qualified(&cast.type_name.node.specifiers))
    }

    /// Whether it is an element that the variable of a loop chooses. The bound of a loop may be one that a loop further out chooses.
    fn is_data(&self, value: &Polynomial) -> bool {
        value.atoms().into_iter().any(|atom| match (atom, self.bound_index) {
            (Atom::Element { index, .. }, Some(own)) => index.mentions(&Atom::Index(own)),
            (Atom::Element { index, .. }, None) => index.has_index(),
            _ => false,
        })
    }
}
