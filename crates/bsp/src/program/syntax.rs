//! Model programs as written. Names are looked up when a program is given its arguments, as only then the experiments are known.

use std::sync::Arc;

use call_grammar::infix::PrecedenceLevel;
use call_grammar::{Function, Span};

/// A procedure: the program itself or a task of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Procedure {
    pub name: String,
    pub name_span: Span,
    pub parameters: Vec<String>,
    pub body: StatementBlock,
}

#[derive(Debug, Clone, PartialEq)]
pub struct StatementBlock {
    /// Number of the block in its program.
    pub number: usize,
    pub statements: Arc<[ProgramStatement]>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ProgramStatement {
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum StatementKind {
    Assign {
        name: String,
        value: ProgramExpression,
    },
    Compute {
        time: ProgramExpression,
        centre: usize,
    },
    Send {
        bytes: ProgramExpression,
        /// The only processor that sends.
        from: Option<ProgramExpression>,
        to: To,
    },
    /// So many bytes go in and out of each processor, `in @ out` = h.
    Relation {
        bytes: ProgramExpression,
    },
    Synchronise {
        is_barrier: bool,
        costs: Option<ProgramExpression>,
        centre: usize,
    },
    If {
        condition: ProgramExpression,
        then: StatementBlock,
        otherwise: Option<StatementBlock>,
    },
    For {
        variable: String,
        first: ProgramExpression,
        last: ProgramExpression,
        advance: Advance,
        body: StatementBlock,
    },
    /// The sizes of the parts, each with what it does.
    Partition(Vec<(ProgramExpression, StatementBlock)>),
    Call {
        procedure: String,
        name_span: Span,
        arguments: Vec<ProgramExpression>,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub enum To {
    All,
    Processor(ProgramExpression),
}

/// How the variable of a loop goes on.
#[derive(Debug, Clone, PartialEq)]
pub enum Advance {
    By(ProgramExpression),
    Times(ProgramExpression),
    /// From 1 to a whole number.
    Counted,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ProgramExpression {
    pub kind: ExpressionKind,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ExpressionKind {
    Number(f64),
    /// A variable, or the time of an experiment at the variables in scope.
    Name(String),
    /// A constant of an experiment, `E[0]`.
    Constant(String, u32),
    /// The time of an experiment where some variables have other values, `E(n = N/2)`.
    Experiment(String, Vec<(String, ProgramExpression)>),
    Function(Function, Vec<ProgramExpression>),
    Unary(Unary, Box<ProgramExpression>),
    Binary(Binary, Box<ProgramExpression>, Box<ProgramExpression>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unary {
    Negate,
    Not,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Binary {
    Or,
    And,
    Equal,
    Different,
    Less,
    AtMost,
    Greater,
    AtLeast,
    ExclusiveOr,
    BitAnd,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// Operators from those that bind least to those that bind most.
pub const LEVELS: &[PrecedenceLevel<Unary, Binary>] = &[
    PrecedenceLevel::Left(&[("||", Binary::Or)]),
    PrecedenceLevel::Left(&[("&&", Binary::And)]),
    PrecedenceLevel::Left(&[("==", Binary::Equal), ("!=", Binary::Different)]),
    PrecedenceLevel::Left(&[
        ("<", Binary::Less),
        ("<=", Binary::AtMost),
        (">", Binary::Greater),
        (">=", Binary::AtLeast),
    ]),
    PrecedenceLevel::Left(&[("^", Binary::ExclusiveOr)]),
    PrecedenceLevel::Left(&[("&", Binary::BitAnd)]),
    PrecedenceLevel::Left(&[("+", Binary::Add), ("-", Binary::Subtract)]),
    PrecedenceLevel::Left(&[("*", Binary::Multiply), ("/", Binary::Divide), ("%", Binary::Remainder)]),
    PrecedenceLevel::Prefix(&[("-", Unary::Negate), ("!", Unary::Not)]),
];

impl Binary {
    /// The result; truth is 1 and 0. Not a number where bits are asked of what is not a whole number.
    pub fn apply(self, left: f64, right: f64) -> f64 {
        let truth = |holds: bool| if holds { 1.0 } else { 0.0 };
        match self {
            Binary::Or => truth(left != 0.0 || right != 0.0),
            Binary::And => truth(left != 0.0 && right != 0.0),
            Binary::Equal => truth(left == right),
            Binary::Different => truth(left != right),
            Binary::Less => truth(left < right),
            Binary::AtMost => truth(left <= right),
            Binary::Greater => truth(left > right),
            Binary::AtLeast => truth(left >= right),
            Binary::ExclusiveOr => bits(left, right, |left, right| left ^ right),
            Binary::BitAnd => bits(left, right, |left, right| left & right),
            Binary::Add => left + right,
            Binary::Subtract => left - right,
            Binary::Multiply => left * right,
            Binary::Divide => left / right,
            Binary::Remainder => left % right,
        }
    }
}

fn bits(left: f64, right: f64, operation: impl Fn(u64, u64) -> u64) -> f64 {
    // Doubles hold all whole numbers up to 2⁵³.
    let whole = |value: f64| {
        let is_whole = value >= 0.0 && value <= (1u64 << 53) as f64 && value.fract() == 0.0;
        is_whole.then_some(value as u64)
    };
    match (whole(left), whole(right)) {
        (Some(left), Some(right)) => operation(left, right) as f64,
        _ => f64::NAN,
    }
}

impl Unary {
    pub fn apply(self, value: f64) -> f64 {
        match self {
            Unary::Negate => -value,
            Unary::Not => f64::from(u8::from(value == 0.0)),
        }
    }
}

impl StatementBlock {
    /// Calls a function with all expressions in the block.
    pub fn expressions<'a>(&'a self, found: &mut dyn FnMut(&'a ProgramExpression)) {
        self.statements.iter().for_each(|statement| statement.expressions(found));
    }
}

impl ProgramStatement {
    fn expressions<'a>(&'a self, found: &mut dyn FnMut(&'a ProgramExpression)) {
        match &self.kind {
            StatementKind::Assign { value: one, .. }
            | StatementKind::Compute { time: one, .. }
            | StatementKind::Relation { bytes: one } => found(one),
            StatementKind::Send { bytes, from, to } => {
                found(bytes);
                from.iter().for_each(&mut *found);
                if let To::Processor(to) = to {
                    found(to);
                }
            }
            StatementKind::Synchronise { costs, .. } => costs.iter().for_each(found),
            StatementKind::If { condition, then, otherwise } => {
                found(condition);
                then.expressions(found);
                otherwise.iter().for_each(|otherwise| otherwise.expressions(found));
            }
            StatementKind::For { first, last, advance, body, .. } => {
                [first, last].into_iter().for_each(&mut *found);
                match advance {
                    Advance::By(by) | Advance::Times(by) => found(by),
                    Advance::Counted => {}
                }
                body.expressions(found);
            }
            StatementKind::Partition(parts) => {
                for (size, body) in parts {
                    found(size);
                    body.expressions(found);
                }
            }
            StatementKind::Call { arguments, .. } => arguments.iter().for_each(found),
        }
    }
}

impl ProgramExpression {
    /// Calls a function with all names in the expression that are no functions.
    pub fn names<'a>(&'a self, name: &mut dyn FnMut(&'a str)) {
        match &self.kind {
            ExpressionKind::Number(_) => {}
            ExpressionKind::Name(found) | ExpressionKind::Constant(found, _) => name(found),
            ExpressionKind::Experiment(found, arguments) => {
                name(found);
                arguments.iter().for_each(|(_, argument)| argument.names(name));
            }
            ExpressionKind::Function(_, arguments) => {
                arguments.iter().for_each(|argument| argument.names(name));
            }
            ExpressionKind::Unary(_, inside) => inside.names(name),
            ExpressionKind::Binary(_, left, right) => {
                left.names(name);
                right.names(name);
            }
        }
    }
}
