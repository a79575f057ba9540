//! Formulas with operators and functions behind their operands: `f[0] f[1] N log * +`.

use crate::infix::Language;
use crate::operator::{Infix, Prefix};
use crate::reader::{DEEPEST, FormulaReader};
use crate::syntax::{SyntaxNode, SyntaxNodeKind};
use crate::token::{TokenKind, text};
use crate::{Error, Function, Quotient, Sign, Span};

/// What stands behind its operands.
enum Operator {
    Infix(Infix),
    Negate,
    Call(Function),
}

impl Operator {
    fn arity(&self) -> usize {
        match self {
            Operator::Infix(_) => 2,
            Operator::Negate => 1,
            Operator::Call(function) => function.arity(),
        }
    }

    /// The operation, which ends at `span`; `None` if there are not as many operands as it needs.
    fn applied(self, mut operands: Vec<SyntaxNode>, span: Span) -> Option<Result<SyntaxNode, Error>> {
        let span = operands.first()?.span.join(span);
        let last = operands.pop()?;
        let made = match self {
            Operator::Infix(operator) => SyntaxNode::joined(operator, operands.pop()?, last),
            Operator::Negate => SyntaxNode::prefixed(Prefix::Sign(Sign::Minus), span, last),
            Operator::Call(function) => {
                operands.push(last);
                Ok(SyntaxNode::new(SyntaxNodeKind::Call(function, operands), span))
            }
        };
        Some(made.map(|made| SyntaxNode { span, ..made }))
    }
}

impl FormulaReader<'_> {
    /// A formula up to the end. `~` and `NEG` change the sign.
    pub(crate) fn postfix(&mut self) -> Result<SyntaxNode, Error> {
        // With how deep each of them is.
        let mut operands: Vec<(SyntaxNode, usize)> = Vec::new();
        while !self.cursor.at_end() {
            let Some((operator, symbols)) = self.operator() else {
                operands.push((self.signed()?, 0));
                continue;
            };
            let error = self.not_an_operand();
            let Some(first) = operands.len().checked_sub(operator.arity()) else { return Err(error) };
            let taken = operands.split_off(first);
            let span = self.cursor.peek().span;
            for _ in 0..symbols {
                self.cursor.bump();
            }
            let depth = 1 + taken.iter().map(|(_, depth)| *depth).max().unwrap_or(0);
            if depth > DEEPEST {
                return Err(Error::TooDeep { span, deepest: DEEPEST });
            }
            let taken = taken.into_iter().map(|(node, _)| node).collect();
            operands.push((operator.applied(taken, span).unwrap_or(Err(error))?, depth));
        }
        let span = self.cursor.peek().span;
        let (last, _) = operands.pop().ok_or(Error::FormulaEnds { span })?;
        match operands.is_empty() {
            true => Ok(last),
            false => Err(Error::NotAnOperator { found: text(self.source, last.span), span: last.span }),
        }
    }

    /// An operand; a minus sign that touches a number belongs to it.
    fn signed(&mut self) -> Result<SyntaxNode, Error> {
        let start = self.cursor.peek().span;
        let is_negative = self.cursor.take('-');
        let operand = self.operand(None)?;
        if is_negative { self.before(Prefix::Sign(Sign::Minus), start, operand) } else { Ok(operand) }
    }

    /// The operator that is next, and of how many tokens; `None` if that is an operand, as `-1` is.
    fn operator(&self) -> Option<(Operator, usize)> {
        let (token, next) = (self.cursor.peek(), self.cursor.peek_behind(1));
        let touches = token.span.end == next.span.start;
        let infix = |operator| Some((Operator::Infix(operator), 1));
        match &token.kind {
            TokenKind::Symbol('-') if touches && matches!(next.kind, TokenKind::Number(_)) => None,
            TokenKind::Symbol('+') => infix(Infix::Sum(Sign::Plus)),
            TokenKind::Symbol('-') => infix(Infix::Sum(Sign::Minus)),
            TokenKind::Symbol('*') if touches && next.kind == token.kind => {
                Some((Operator::Call(Function::POWER), 2))
            }
            TokenKind::Symbol('^') => infix(Infix::Call(Function::POWER)),
            TokenKind::Symbol('*') => infix(Infix::Product(Quotient::Times)),
            TokenKind::Symbol('/') => infix(Infix::Product(Quotient::Over)),
            TokenKind::Symbol('~') => Some((Operator::Negate, 1)),
            TokenKind::Word(word) if word.eq_ignore_ascii_case("neg") => Some((Operator::Negate, 1)),
            // A constant may be called as a function is.
            TokenKind::Word(_) if next.kind == TokenKind::Symbol('[') => None,
            TokenKind::Word(word) => self.notation.function(word).map(|its| (Operator::Call(its), 1)),
            _ => None,
        }
    }
}
