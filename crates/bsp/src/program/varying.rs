use std::hash::{Hash, Hasher};
use std::rc::Rc;

use call_grammar::Function;

use super::CostModel;
use super::syntax::{Binary, Unary};
use crate::obsp::{Exact, PerProcessor, PerProcessorArena};

/// An expression whose only variable is the number of the processor.
#[derive(Debug, Clone, PartialEq)]
pub enum Varying {
    Number(Exact),
    /// The number of the processor, from 0, plus so many.
    Processor(u32),
    Unary(Unary, Rc<Varying>),
    Binary(Binary, Rc<Varying>, Rc<Varying>),
    Function(NamedFunction, Rc<[Rc<Varying>]>),
    /// The second where the first holds, else the third.
    Choice(Rc<Varying>, Rc<Varying>, Rc<Varying>),
    /// An experiment at a point: its time, or the value of one of its constants.
    Experiment(Rc<str>, ExperimentQuery, Rc<[Rc<Varying>]>),
    /// The numbers of a machine of so many processors, from this one on.
    Table {
        numbers: PerProcessor,
        processors: u32,
        from: u32,
    },
}

/// Where the numbers in expressions come from.
#[derive(Clone, Copy)]
pub struct NumberSources<'a> {
    pub costs: &'a dyn CostModel,
    pub arena: &'a PerProcessorArena,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NamedFunction(pub Function);

/// What of an experiment is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ExperimentQuery {
    /// The value of this constant; `None` for the time.
    pub constant: Option<u32>,
    /// Whether it stands for a communication; else for a computation.
    pub is_communication: bool,
    /// Processors of the machine in use.
    pub processors: u32,
}

impl Varying {
    pub fn number(value: f64) -> Rc<Varying> {
        Rc::new(Varying::Number(Exact(value)))
    }

    /// The value, if it is the same for all processors as it stands.
    pub fn uniform(&self) -> Option<f64> {
        match self {
            Varying::Number(value) => Some(value.0),
            _ => None,
        }
    }

    /// With this expression in the place of the number of the processor: `first` is the number of the part's first processor.
    pub fn of_part(self: &Rc<Varying>, first: u32) -> Rc<Varying> {
        if first == 0 || self.uniform().is_some() {
            return Rc::clone(self);
        }
        let all = |inside: &[Rc<Varying>]| inside.iter().map(|one| one.of_part(first)).collect();
        Rc::new(match &**self {
            Varying::Number(value) => Varying::Number(*value),
            Varying::Processor(more) => Varying::Processor(more + first),
            Varying::Unary(operator, inside) => Varying::Unary(*operator, inside.of_part(first)),
            Varying::Binary(operator, left, right) => {
                Varying::Binary(*operator, left.of_part(first), right.of_part(first))
            }
            Varying::Function(function, arguments) => Varying::Function(*function, all(arguments)),
            Varying::Choice(condition, then, otherwise) => {
                Varying::Choice(condition.of_part(first), then.of_part(first), otherwise.of_part(first))
            }
            Varying::Experiment(name, what, point) => Varying::Experiment(Rc::clone(name), *what, all(point)),
            Varying::Table { numbers, processors, from } => {
                Varying::Table { numbers: *numbers, processors: *processors, from: from + first }
            }
        })
    }

    /// The value that the processors from the first to the last have, if that can be told for all of them at once.
    pub fn over(&self, first: u32, last: u32, sources: NumberSources) -> Option<f64> {
        let (low, high) = self.bounds(first, last, sources);
        // A value that is not a number is one as well.
        (low == high || first == last).then_some(low)
    }

    /// Bounds of the values of the processors from the first to the last; exact if there is only one.
    fn bounds(&self, first: u32, last: u32, sources: NumberSources) -> (f64, f64) {
        const ANY: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
        let of = |inside: &Varying| inside.bounds(first, last, sources);
        match self {
            Varying::Number(value) => (value.0, value.0),
            Varying::Processor(more) => {
                (f64::from(first) + f64::from(*more), f64::from(last) + f64::from(*more))
            }
            Varying::Unary(Unary::Negate, inside) => {
                let (low, high) = of(inside);
                (-high, -low)
            }
            Varying::Unary(Unary::Not, inside) => match of(inside) {
                (low, high) if low.to_bits() == high.to_bits() || low == high => one(Unary::Not.apply(low)),
                (low, high) if low > 0.0 || high < 0.0 => one(0.0),
                _ => (0.0, 1.0),
            },
            Varying::Binary(operator, left, right) => combined(*operator, of(left), of(right)),
            Varying::Choice(condition, then, otherwise) => match of(condition) {
                (low, high) if low == high => of(if low == 0.0 { otherwise } else { then }),
                _ if first == last => one(f64::NAN),
                // Who has a condition that is no number has no value.
                (low, high) if !(low.is_finite() && high.is_finite()) => ANY,
                _ => {
                    let ((a, b), (c, d)) = (of(then), of(otherwise));
                    // The smaller of a number and none would be the number.
                    let has_none = [a, b, c, d].iter().any(|bound| bound.is_nan());
                    if has_none { ANY } else { (a.min(c), b.max(d)) }
                }
            },
            Varying::Function(NamedFunction(function), arguments) => {
                let values: Option<Vec<f64>> = arguments.iter().map(|argument| same(of(argument))).collect();
                values.map_or(ANY, |values| one(function.apply(values.into_iter())))
            }
            Varying::Experiment(name, what, point) => {
                let values: Option<Vec<f64>> = point.iter().map(|value| same(of(value))).collect();
                values.map_or(ANY, |point| one(sources.costs.value(name, *what, &point)))
            }
            Varying::Table { numbers, processors, from } => {
                let range = (first + from, last + from);
                sources.arena.uniform_over(*numbers, *processors, range).map_or(ANY, one)
            }
        }
    }

    /// How many operations and operands it has; what stands in it twice counts twice.
    pub fn size(&self) -> usize {
        let all = |inside: &[Rc<Varying>]| inside.iter().map(|one| one.size()).sum::<usize>();
        1 + match self {
            Varying::Number(_) | Varying::Processor(_) | Varying::Table { .. } => 0,
            Varying::Unary(_, inside) => inside.size(),
            Varying::Binary(_, left, right) => left.size() + right.size(),
            Varying::Choice(condition, then, otherwise) => condition.size() + then.size() + otherwise.size(),
            Varying::Function(_, inside) | Varying::Experiment(_, _, inside) => all(inside),
        }
    }

    /// a and b, if the value is a times the number of the processor plus b.
    pub fn line(&self) -> Option<(f64, f64)> {
        Some(match self {
            Varying::Number(value) => (0.0, value.0),
            Varying::Processor(more) => (1.0, f64::from(*more)),
            Varying::Unary(Unary::Negate, inside) => {
                let (a, b) = inside.line()?;
                (-a, -b)
            }
            Varying::Binary(operator, left, right) => {
                let ((a, b), (c, d)) = (left.line()?, right.line()?);
                match operator {
                    Binary::Add => (a + c, b + d),
                    Binary::Subtract => (a - c, b - d),
                    Binary::Multiply if a == 0.0 => (b * c, b * d),
                    Binary::Multiply if c == 0.0 => (a * d, b * d),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }
}

fn one(value: f64) -> (f64, f64) {
    (value, value)
}

fn same((low, high): (f64, f64)) -> Option<f64> {
    // One number, or none: that is told by its bits.
    (low.to_bits() == high.to_bits() || low == high).then_some(low)
}

fn combined(operator: Binary, left: (f64, f64), right: (f64, f64)) -> (f64, f64) {
    if let (Some(left), Some(right)) = (same(left), same(right)) {
        return one(operator.apply(left, right));
    }
    let ((a, b), (c, d)) = (left, right);
    let corners = |values: [f64; 4]| {
        if values.iter().any(|value| value.is_nan()) {
            return (f64::NEG_INFINITY, f64::INFINITY);
        }
        (
            values.iter().copied().fold(f64::INFINITY, f64::min),
            values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        )
    };
    let truth = |always: bool, never: bool| match (always, never) {
        (true, _) => one(1.0),
        (_, true) => one(0.0),
        _ => (0.0, 1.0),
    };
    let is_true = |(low, high): (f64, f64)| low > 0.0 || high < 0.0;
    let is_false = |(low, high): (f64, f64)| low == 0.0 && high == 0.0;
    match operator {
        Binary::Add => (a + c, b + d),
        Binary::Subtract => (a - d, b - c),
        Binary::Multiply => corners([a * c, a * d, b * c, b * d]),
        Binary::Divide if c > 0.0 || d < 0.0 => corners([a / c, a / d, b / c, b / d]),
        Binary::Less => truth(b < c, a >= d),
        Binary::AtMost => truth(b <= c, a > d),
        Binary::Greater => truth(a > d, b <= c),
        Binary::AtLeast => truth(a >= d, b < c),
        Binary::Equal => truth(false, b < c || d < a),
        Binary::Different => truth(b < c || d < a, false),
        Binary::And => truth(is_true(left) && is_true(right), is_false(left) || is_false(right)),
        Binary::Or => truth(is_true(left) || is_true(right), is_false(left) && is_false(right)),
        // The remainder is a line between two multiples of the divisor.
        Binary::Remainder if c == d && c > 0.0 && a >= 0.0 && (a / c).floor() == (b / c).floor() => {
            (a % c, b % c)
        }
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    }
}

impl Eq for NamedFunction {}

impl Hash for NamedFunction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name().hash(state);
    }
}

impl Eq for Varying {}

impl Hash for Varying {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Varying::Number(value) => value.hash(state),
            Varying::Processor(more) => more.hash(state),
            Varying::Unary(operator, inside) => (operator, inside).hash(state),
            Varying::Binary(operator, left, right) => (operator, left, right).hash(state),
            Varying::Function(function, arguments) => (function, arguments).hash(state),
            Varying::Choice(condition, then, otherwise) => (condition, then, otherwise).hash(state),
            Varying::Experiment(name, what, point) => (name, what, point).hash(state),
            Varying::Table { numbers, processors, from } => (numbers, processors, from).hash(state),
        }
    }
}
