//! The words of formulas and conditions: operands, and which operator is next.

use crate::infix::{Language, PrecedenceLevel, expression, infix};
use crate::operator::{CONDITIONS, Infix, Prefix, operators};
use crate::syntax::{SyntaxNode, SyntaxNodeKind, Truth, first_constant};
use crate::token::{Cursor, Token, TokenKind, text};
use crate::{Error, Function, Notation, Span, suggest};

/// Deeper nesting than this is refused, so that recursion over a formula needs little stack.
pub(crate) const DEEPEST: usize = 200;

pub(crate) struct FormulaReader<'a> {
    pub(crate) source: &'a [u8],
    pub(crate) cursor: Cursor<'a>,
    pub(crate) notation: Notation,
    experiment: &'a str,
    is_condition: bool,
    depth: usize,
}

impl<'a> FormulaReader<'a> {
    /// A reader of the formula of `experiment` in `tokens`, the last of which is `End`.
    pub fn new(source: &'a [u8], tokens: &'a [Token], experiment: &'a str) -> FormulaReader<'a> {
        let (cursor, notation) = (Cursor::new(tokens), Notation::C);
        FormulaReader { source, cursor, notation, experiment, is_condition: false, depth: 0 }
    }

    /// The whole formula, up to the end of the tokens.
    pub fn formula(mut self, notation: Notation) -> Result<SyntaxNode, Error> {
        self.notation = notation;
        let formula = if notation == Notation::Postfix { self.postfix()? } else { expression(&mut self)? };
        if self.cursor.at_end() { Ok(formula) } else { Err(self.not_an_operator()) }
    }

    /// A whole condition.
    pub fn condition(mut self) -> Result<Truth, Error> {
        self.is_condition = true;
        let condition = expression(&mut self)?;
        let span = self.cursor.peek().span;
        match &self.cursor.peek().kind {
            TokenKind::End => condition.truth(),
            TokenKind::Symbol(')' | ']') => Err(Error::ClosesNothing { span }),
            TokenKind::Symbol('!') => Err(Error::NotARelation { span, found: text(self.source, span) }),
            _ => Err(self.not_an_operator()),
        }
    }

    pub(crate) fn not_an_operand(&self) -> Error {
        let span = self.cursor.peek().span;
        Error::NotAnOperand { found: text(self.source, span), span }
    }

    fn not_an_operator(&self) -> Error {
        let span = self.cursor.peek().span;
        Error::NotAnOperator { found: text(self.source, span), span }
    }

    /// Nothing that could be an operand is next.
    fn missing(&self, behind: Option<Infix>) -> Error {
        let span = self.cursor.peek().span;
        let is_compared = matches!(infix(self), Some((_, _, Infix::Compare(_))));
        match behind {
            Some(Infix::Compare(_)) => Error::NothingToCompare { span },
            None | Some(Infix::Or | Infix::And) if self.is_condition && is_compared => {
                Error::NothingToCompare { span }
            }
            None | Some(Infix::Or | Infix::And) if self.is_condition => Error::NoCondition { span },
            _ if self.cursor.at_end() => Error::FormulaEnds { span },
            _ => self.not_an_operand(),
        }
    }

    fn close(&mut self, symbol: char, open: Span) -> Result<Span, Error> {
        let span = self.cursor.peek().span;
        if self.cursor.take(symbol) {
            Ok(span)
        } else if matches!(self.cursor.peek().kind, TokenKind::Symbol('=') | TokenKind::Step(_)) {
            Err(self.not_an_operator())
        } else if self.is_condition && self.cursor.at_end() {
            Err(Error::NotClosed { span: open })
        } else {
            Err(Error::Unclosed { span, open, symbol })
        }
    }

    /// A quantity, not a condition, one level deeper.
    fn inner(&mut self) -> Result<SyntaxNode, Error> {
        self.nested(expression)?.quantity()
    }

    fn call(&mut self, word: &str, name: Span) -> Result<SyntaxNode, Error> {
        let open = self.cursor.bump().span;
        let mut arguments = Vec::new();
        if self.cursor.peek().kind != TokenKind::Symbol(')') {
            arguments.push(self.inner()?);
            while self.cursor.take(',') {
                arguments.push(self.inner()?);
            }
        }
        let span = name.join(self.close(')', open)?);
        let Some(function) = self.notation.function(word) else {
            let suggestion = suggest(word, Function::names());
            return Err(Error::UnknownFunction { span: name, name: word.to_owned(), suggestion });
        };
        let (wanted, given) = (function.arity(), arguments.len());
        if wanted != given {
            return Err(Error::WrongArity { span, name: function.name(), wanted, given });
        }
        Ok(SyntaxNode::new(SyntaxNodeKind::Call(function, arguments), span))
    }

    fn constant(&mut self, name: Span) -> Result<SyntaxNode, Error> {
        let open = self.cursor.bump().span;
        let token = self.cursor.peek();
        match token.kind {
            TokenKind::Number(index) if index.fract() == 0.0 && index <= f64::from(u16::MAX) => {
                self.cursor.bump();
                let span = name.join(self.close(']', open)?);
                Ok(SyntaxNode::new(SyntaxNodeKind::Constant(index as u32), span))
            }
            _ => Err(Error::BadIndex { span: token.span }),
        }
    }

    fn variable(&mut self, name: Span) -> Result<SyntaxNode, Error> {
        let mut span = name;
        let mut path = text(self.source, name);
        loop {
            match self.cursor.peek().kind {
                TokenKind::Symbol('.') | TokenKind::Arrow => {
                    path.push_str(if self.cursor.bump().kind == TokenKind::Arrow { "->" } else { "." });
                    let token = self.cursor.peek();
                    let TokenKind::Word(member) = &token.kind else {
                        let found = text(self.source, token.span);
                        return Err(Error::NotAName { found, span: token.span });
                    };
                    path.push_str(member);
                    span = span.join(self.cursor.bump().span);
                }
                TokenKind::Symbol('[') => {
                    let open = self.cursor.bump().span;
                    let before = self.cursor.rest();
                    let index = self.inner()?;
                    if let Some(span) = first_constant(&index) {
                        return Err(Error::ConstantInIndex { span });
                    }
                    path.push('[');
                    for token in &before[..before.len() - self.cursor.rest().len()] {
                        path.push_str(&text(self.source, token.span));
                    }
                    path.push(']');
                    span = span.join(self.close(']', open)?);
                }
                _ => return Ok(SyntaxNode::new(SyntaxNodeKind::Variable(path), span)),
            }
        }
    }
}

impl Language for FormulaReader<'_> {
    type Tree = SyntaxNode;
    type Error = Error;
    type Prefix = Prefix;
    type Infix = Infix;

    fn levels(&self) -> &'static [PrecedenceLevel<Prefix, Infix>] {
        if self.is_condition { CONDITIONS } else { operators(self.notation) }
    }

    fn next_is(&self, spelling: &str) -> bool {
        let token = self.cursor.peek();
        match &token.kind {
            TokenKind::Symbol(_) => self.source[token.span.start..].starts_with(spelling.as_bytes()),
            TokenKind::Word(word) => word == spelling,
            _ => false,
        }
    }

    fn pass(&mut self, spelling: &str) -> Span {
        let start = self.cursor.peek().span;
        let symbols = if matches!(self.cursor.peek().kind, TokenKind::Word(_)) { 1 } else { spelling.len() };
        for _ in 0..symbols {
            self.cursor.bump();
        }
        start
    }

    fn operand(&mut self, behind: Option<Infix>) -> Result<SyntaxNode, Error> {
        let token = self.cursor.peek();
        match &token.kind {
            TokenKind::Number(value) => {
                self.cursor.bump();
                Ok(SyntaxNode::new(SyntaxNodeKind::Number(*value), token.span))
            }
            TokenKind::Symbol('(') => {
                self.cursor.bump();
                let inside = self.nested(expression)?;
                let close = self.close(')', token.span)?;
                Ok(SyntaxNode { kind: inside.kind, span: token.span.join(close), closed: true })
            }
            TokenKind::Word(word) if infix(self).is_none() => {
                self.cursor.bump();
                match self.cursor.peek().kind {
                    TokenKind::Symbol('(') => self.call(word, token.span),
                    TokenKind::Symbol('[') if *word == self.experiment => self.constant(token.span),
                    _ => self.variable(token.span),
                }
            }
            _ => Err(self.missing(behind)),
        }
    }

    fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        if self.depth == DEEPEST {
            return Err(Error::TooDeep { span: self.cursor.peek().span, deepest: DEEPEST });
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    fn before(&mut self, operator: Prefix, start: Span, operand: SyntaxNode) -> Result<SyntaxNode, Error> {
        SyntaxNode::prefixed(operator, start, operand)
    }

    fn between(operator: Infix, left: SyntaxNode, right: SyntaxNode) -> Result<SyntaxNode, Error> {
        SyntaxNode::joined(operator, left, right)
    }
}
