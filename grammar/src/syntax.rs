//! Formulas and conditions as written, with places: the stage between tokens and canonical form.

use crate::operator::{Infix, Prefix};
use crate::{Error, Function, Quotient, Relation, Sign, Span};

/// Conditions stand only in conditions, and are never computed with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub kind: NodeKind,
    pub span: Span,
    /// Whether it stands in parentheses or behind an operator of its own.
    pub closed: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NodeKind {
    Number(f64),
    /// A C variable, member or element, blanks removed.
    Variable(String),
    /// A constant of the experiment.
    Constant(u32),
    Call(Function, Vec<Node>),
    Negate(Box<Node>),
    Sum(Vec<(Sign, Node)>),
    Product(Vec<(Quotient, Node)>),
    Condition(Truth),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Truth {
    Or(Vec<Truth>),
    And(Vec<Truth>),
    Not(Box<Truth>),
    /// Each relation between the quantities beside it.
    Chain(Vec<Node>, Vec<Relation>),
}

impl Node {
    pub fn new(kind: NodeKind, span: Span) -> Node {
        Node { kind, span, closed: false }
    }

    /// The same node, unless it is a condition.
    pub fn quantity(self) -> Result<Node, Error> {
        match self.kind {
            NodeKind::Condition(_) => Err(Error::NotAQuantity { span: self.span }),
            _ => Ok(self),
        }
    }

    /// What the condition says, if it is one.
    pub fn truth(self) -> Result<Truth, Error> {
        match self.kind {
            NodeKind::Condition(truth) => Ok(truth),
            _ => Err(Error::NothingCompared { span: self.span }),
        }
    }

    /// An operator that begins at `start`, before its operand.
    pub fn prefixed(operator: Prefix, start: Span, operand: Node) -> Result<Node, Error> {
        let span = start.join(operand.span);
        // Twice is not at all, so that a long row of them makes no deep tree.
        let kind = match operator {
            Prefix::Sign(sign) => match (sign, operand.quantity()?) {
                (Sign::Plus, inside) => return Ok(Node { span, ..inside }),
                (Sign::Minus, Node { kind: NodeKind::Negate(inside), .. }) => inside.kind,
                (Sign::Minus, inside) => NodeKind::Negate(Box::new(inside)),
            },
            Prefix::Not => NodeKind::Condition(match operand.truth()? {
                Truth::Not(inside) => *inside,
                truth => Truth::Not(Box::new(truth)),
            }),
        };
        Ok(Node { kind, span, closed: true })
    }

    /// An operator between its operands. A sum that is added to stays one sum, and so on, but for what is closed.
    pub fn joined(operator: Infix, left: Node, right: Node) -> Result<Node, Error> {
        let span = left.span.join(right.span);
        let kind = match operator {
            Infix::Or => NodeKind::Condition(Truth::Or(match left {
                Node { kind: NodeKind::Condition(Truth::Or(items)), closed: false, .. } => {
                    with(items, right.truth()?)
                }
                left => vec![left.truth()?, right.truth()?],
            })),
            Infix::And => NodeKind::Condition(Truth::And(match left {
                Node { kind: NodeKind::Condition(Truth::And(items)), closed: false, .. } => {
                    with(items, right.truth()?)
                }
                left => vec![left.truth()?, right.truth()?],
            })),
            Infix::Compare(relation) => NodeKind::Condition(match left {
                Node { kind: NodeKind::Condition(Truth::Chain(items, relations)), closed: false, .. } => {
                    Truth::Chain(with(items, right.quantity()?), with(relations, relation))
                }
                left => Truth::Chain(vec![left.quantity()?, right.quantity()?], vec![relation]),
            }),
            Infix::Sum(sign) => NodeKind::Sum(match left {
                Node { kind: NodeKind::Sum(items), closed: false, .. } => {
                    with(items, (sign, right.quantity()?))
                }
                left => vec![(Sign::Plus, left.quantity()?), (sign, right.quantity()?)],
            }),
            Infix::Product(quotient) => NodeKind::Product(match left {
                Node { kind: NodeKind::Product(items), closed: false, .. } => {
                    with(items, (quotient, right.quantity()?))
                }
                left => vec![(Quotient::Times, left.quantity()?), (quotient, right.quantity()?)],
            }),
            Infix::Call(function) => NodeKind::Call(function, vec![left.quantity()?, right.quantity()?]),
        };
        Ok(Node::new(kind, span))
    }
}

fn with<T>(mut items: Vec<T>, last: T) -> Vec<T> {
    items.push(last);
    items
}

/// The places of all constants in a formula, from left to right.
pub(crate) fn constants(node: &Node, found: &mut Vec<(u32, Span)>) {
    match &node.kind {
        // No experiment has its constants in a condition.
        NodeKind::Number(_) | NodeKind::Variable(_) | NodeKind::Condition(_) => {}
        NodeKind::Constant(index) => found.push((*index, node.span)),
        NodeKind::Call(_, arguments) => arguments.iter().for_each(|argument| constants(argument, found)),
        NodeKind::Negate(inside) => constants(inside, found),
        NodeKind::Sum(items) => items.iter().for_each(|(_, item)| constants(item, found)),
        NodeKind::Product(items) => items.iter().for_each(|(_, item)| constants(item, found)),
    }
}

pub(crate) fn first_constant(node: &Node) -> Option<Span> {
    let mut found = Vec::new();
    constants(node, &mut found);
    found.first().map(|(_, span)| *span)
}
