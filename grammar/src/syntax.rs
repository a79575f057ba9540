//! Formulas and conditions as written, with places: the stage between tokens and canonical form.

use crate::operator::{Infix, Prefix};
use crate::{Error, Function, Quotient, Relation, Sign, Span};

/// Conditions stand only in conditions, and are never computed with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SyntaxNode {
    pub kind: SyntaxNodeKind,
    pub span: Span,
    /// Whether it stands in parentheses or behind an operator of its own.
    pub closed: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SyntaxNodeKind {
    Number(f64),
    /// A C variable, member or element, blanks removed.
    Variable(String),
    /// A constant of the experiment.
    Constant(u32),
    Call(Function, Vec<SyntaxNode>),
    Negate(Box<SyntaxNode>),
    Sum(Vec<(Sign, SyntaxNode)>),
    Product(Vec<(Quotient, SyntaxNode)>),
    Condition(Truth),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Truth {
    Or(Vec<Truth>),
    And(Vec<Truth>),
    Not(Box<Truth>),
    /// Each relation between the quantities beside it.
    Chain(Vec<SyntaxNode>, Vec<Relation>),
}

impl SyntaxNode {
    pub fn new(kind: SyntaxNodeKind, span: Span) -> SyntaxNode {
        SyntaxNode { kind, span, closed: false }
    }

    /// The same node, unless it is a condition.
    pub fn quantity(self) -> Result<SyntaxNode, Error> {
        match self.kind {
            SyntaxNodeKind::Condition(_) => Err(Error::NotAQuantity { span: self.span }),
            _ => Ok(self),
        }
    }

    /// What the condition says, if it is one.
    pub fn truth(self) -> Result<Truth, Error> {
        match self.kind {
            SyntaxNodeKind::Condition(truth) => Ok(truth),
            _ => Err(Error::NothingCompared { span: self.span }),
        }
    }

    /// An operator that begins at `start`, before its operand.
    pub fn prefixed(operator: Prefix, start: Span, operand: SyntaxNode) -> Result<SyntaxNode, Error> {
        let span = start.join(operand.span);
        // Twice is not at all, so that a long row of them makes no deep tree.
        let kind = match operator {
            Prefix::Sign(sign) => match (sign, operand.quantity()?) {
                (Sign::Plus, inside) => return Ok(SyntaxNode { span, ..inside }),
                (Sign::Minus, SyntaxNode { kind: SyntaxNodeKind::Negate(inside), .. }) => inside.kind,
                (Sign::Minus, inside) => SyntaxNodeKind::Negate(Box::new(inside)),
            },
            Prefix::Not => SyntaxNodeKind::Condition(match operand.truth()? {
                Truth::Not(inside) => *inside,
                truth => Truth::Not(Box::new(truth)),
            }),
        };
        Ok(SyntaxNode { kind, span, closed: true })
    }

    /// An operator between its operands. A sum that is added to stays one sum, and so on, but for what is closed.
    pub fn joined(operator: Infix, left: SyntaxNode, right: SyntaxNode) -> Result<SyntaxNode, Error> {
        let span = left.span.join(right.span);
        let kind = match operator {
            Infix::Or => SyntaxNodeKind::Condition(Truth::Or(match left {
                SyntaxNode { kind: SyntaxNodeKind::Condition(Truth::Or(items)), closed: false, .. } => {
                    with(items, right.truth()?)
                }
                left => vec![left.truth()?, right.truth()?],
            })),
            Infix::And => SyntaxNodeKind::Condition(Truth::And(match left {
                SyntaxNode { kind: SyntaxNodeKind::Condition(Truth::And(items)), closed: false, .. } => {
                    with(items, right.truth()?)
                }
                left => vec![left.truth()?, right.truth()?],
            })),
            Infix::Compare(relation) => SyntaxNodeKind::Condition(match left {
                SyntaxNode {
                    kind: SyntaxNodeKind::Condition(Truth::Chain(items, relations)),
                    closed: false,
                    ..
                } => Truth::Chain(with(items, right.quantity()?), with(relations, relation)),
                left => Truth::Chain(vec![left.quantity()?, right.quantity()?], vec![relation]),
            }),
            Infix::Sum(sign) => SyntaxNodeKind::Sum(match left {
                SyntaxNode { kind: SyntaxNodeKind::Sum(items), closed: false, .. } => {
                    with(items, (sign, right.quantity()?))
                }
                left => vec![(Sign::Plus, left.quantity()?), (sign, right.quantity()?)],
            }),
            Infix::Product(quotient) => SyntaxNodeKind::Product(match left {
                SyntaxNode { kind: SyntaxNodeKind::Product(items), closed: false, .. } => {
                    with(items, (quotient, right.quantity()?))
                }
                left => vec![(Quotient::Times, left.quantity()?), (quotient, right.quantity()?)],
            }),
            Infix::Call(function) => {
                SyntaxNodeKind::Call(function, vec![left.quantity()?, right.quantity()?])
            }
        };
        Ok(SyntaxNode::new(kind, span))
    }
}

fn with<T>(mut items: Vec<T>, last: T) -> Vec<T> {
    items.push(last);
    items
}

/// The places of all constants in a formula, from left to right.
pub(crate) fn constants(node: &SyntaxNode, found: &mut Vec<(u32, Span)>) {
    match &node.kind {
        // No experiment has its constants in a condition.
        SyntaxNodeKind::Number(_) | SyntaxNodeKind::Variable(_) | SyntaxNodeKind::Condition(_) => {}
        SyntaxNodeKind::Constant(index) => found.push((*index, node.span)),
        SyntaxNodeKind::Call(_, arguments) => {
            arguments.iter().for_each(|argument| constants(argument, found))
        }
        SyntaxNodeKind::Negate(inside) => constants(inside, found),
        SyntaxNodeKind::Sum(items) => items.iter().for_each(|(_, item)| constants(item, found)),
        SyntaxNodeKind::Product(items) => items.iter().for_each(|(_, item)| constants(item, found)),
    }
}

pub(crate) fn first_constant(node: &SyntaxNode) -> Option<Span> {
    let mut found = Vec::new();
    constants(node, &mut found);
    found.first().map(|(_, span)| *span)
}
