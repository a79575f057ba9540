//! Formulas as written, with places: the stage between tokens and canonical form. One function a production of `call.ebnf`.

use crate::token::{Cursor, Token, TokenKind, text};
use crate::{Error, Function, Notation, Quotient, Sign, Span, suggest};

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub kind: NodeKind,
    pub span: Span,
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
}

/// Deeper nesting than this is refused, so that recursion over a formula needs little stack.
const DEEPEST: usize = 200;

pub(crate) struct Parser<'a> {
    source: &'a [u8],
    cursor: Cursor<'a>,
    experiment: &'a str,
    notation: Notation,
    depth: usize,
    errors: &'a mut Vec<Error>,
}

impl<'a> Parser<'a> {
    /// A parser of the formula of `experiment` in `tokens`, the last of which is `End`.
    pub fn new(
        source: &'a [u8],
        tokens: &'a [Token],
        experiment: &'a str,
        errors: &'a mut Vec<Error>,
    ) -> Parser<'a> {
        Parser { source, cursor: Cursor::new(tokens), experiment, notation: Notation::C, depth: 0, errors }
    }

    /// The same for formulas that are spelt otherwise.
    pub fn in_notation(self, notation: Notation) -> Parser<'a> {
        Parser { notation, ..self }
    }

    /// The whole formula, up to the end of the tokens; `None` after an error that hides the rest.
    pub fn formula(mut self) -> Option<Node> {
        let formula = if self.notation == Notation::Postfix { self.postfix()? } else { self.sum()? };
        match &self.cursor.peek().kind {
            TokenKind::End => Some(formula),
            _ => self.fail(|parser, span| Error::NotAnOperator { found: text(parser.source, span), span }),
        }
    }

    fn fail<T>(&mut self, error: impl FnOnce(&Self, Span) -> Error) -> Option<T> {
        let span = self.cursor.peek().span;
        let error = error(self, span);
        self.errors.push(error);
        None
    }

    fn close(&mut self, symbol: char, open: Span) -> Option<Span> {
        let span = self.cursor.peek().span;
        if self.cursor.take(symbol) {
            Some(span)
        } else if matches!(self.cursor.peek().kind, TokenKind::Symbol('=') | TokenKind::Step(_)) {
            self.fail(|parser, span| Error::NotAnOperator { found: text(parser.source, span), span })
        } else {
            self.fail(|_, span| Error::Unclosed { span, open, symbol })
        }
    }

    fn sum(&mut self) -> Option<Node> {
        let first = self.product()?;
        let mut items = vec![(Sign::Plus, first)];
        loop {
            let sign = match self.cursor.peek().kind {
                TokenKind::Symbol('+') => Sign::Plus,
                TokenKind::Symbol('-') => Sign::Minus,
                _ => break,
            };
            self.cursor.bump();
            items.push((sign, self.product()?));
        }
        Some(joined(items, NodeKind::Sum))
    }

    fn product(&mut self) -> Option<Node> {
        let first = self.unary()?;
        let mut items = vec![(Quotient::Times, first)];
        loop {
            let operator = match self.cursor.peek().kind {
                TokenKind::Symbol('*') => Quotient::Times,
                TokenKind::Symbol('/') => Quotient::Over,
                _ => break,
            };
            self.cursor.bump();
            items.push((operator, self.unary()?));
        }
        Some(joined(items, NodeKind::Product))
    }

    fn unary(&mut self) -> Option<Node> {
        let start = self.cursor.peek().span;
        let mut negative = false;
        loop {
            if self.cursor.take('-') {
                negative = !negative;
            } else if !self.cursor.take('+') {
                break;
            }
        }
        let operand = self.power()?;
        let span = start.join(operand.span);
        Some(if negative { Node { kind: NodeKind::Negate(Box::new(operand)), span } } else { operand })
    }

    /// Where the notation has powers, `a^b^c` is `a^(b^c)` and `-a^b` is `-(a^b)`.
    fn power(&mut self) -> Option<Node> {
        let base = self.primary()?;
        if self.notation != Notation::Powers || !self.take_power() {
            return Some(base);
        }
        let exponent = self.nested(Self::unary)?;
        let span = base.span.join(exponent.span);
        Some(Node { kind: NodeKind::Call(Function::named(POWER)?, vec![base, exponent]), span })
    }

    /// Passes `^` or `**` if it is next.
    fn take_power(&mut self) -> bool {
        let (first, second) = (self.cursor.peek(), self.cursor.peek_behind(1));
        let star = TokenKind::Symbol('*');
        if first.kind == star && second.kind == star && first.span.end == second.span.start {
            self.cursor.bump();
            return self.cursor.take('*');
        }
        self.cursor.take('^')
    }

    /// Operators and functions behind their operands: `f[0] f[1] N log * +`. `~` and `NEG` change the sign.
    fn postfix(&mut self) -> Option<Node> {
        // With how deep each of them is.
        let mut operands: Vec<(Node, usize)> = Vec::new();
        while !self.cursor.at_end() {
            let span = self.cursor.peek().span;
            let Some(operator) = self.operator() else {
                operands.push((self.unary()?, 0));
                continue;
            };
            let taken = operands.len().checked_sub(operator.arity()).map(|first| operands.split_off(first));
            let Some(taken) = taken else {
                return self
                    .fail(|parser, span| Error::NotAnOperand { found: text(parser.source, span), span });
            };
            if !self.take_power() {
                self.cursor.bump();
            }
            let depth = 1 + taken.iter().map(|(_, depth)| *depth).max().unwrap_or(0);
            if depth > DEEPEST {
                return self.fail(|_, span| Error::TooDeep { span, deepest: DEEPEST });
            }
            let span = taken.first().map_or(span, |(first, _)| first.span).join(span);
            let kind = operator.applied(taken.into_iter().map(|(node, _)| node).collect())?;
            operands.push((Node { kind, span }, depth));
        }
        let Some((last, _)) = operands.pop() else {
            return self.fail(|_, span| Error::FormulaEnds { span });
        };
        if operands.is_empty() {
            return Some(last);
        }
        self.errors.push(Error::NotAnOperator { found: text(self.source, last.span), span: last.span });
        None
    }

    /// The operator that is next in postfix notation; `None` if that is an operand, as `-1` is.
    fn operator(&self) -> Option<Operator> {
        let (token, next) = (self.cursor.peek(), self.cursor.peek_behind(1));
        let touches = token.span.end == next.span.start;
        match &token.kind {
            TokenKind::Symbol('-') if touches && matches!(next.kind, TokenKind::Number(_)) => None,
            TokenKind::Symbol('+') => Some(Operator::Sum(Sign::Plus)),
            TokenKind::Symbol('-') => Some(Operator::Sum(Sign::Minus)),
            TokenKind::Symbol('^') => Function::named(POWER).map(Operator::Call),
            TokenKind::Symbol('*') if touches && next.kind == token.kind => {
                Function::named(POWER).map(Operator::Call)
            }
            TokenKind::Symbol('*') => Some(Operator::Product(Quotient::Times)),
            TokenKind::Symbol('/') => Some(Operator::Product(Quotient::Over)),
            TokenKind::Symbol('~') => Some(Operator::Negate),
            TokenKind::Word(word) if word.eq_ignore_ascii_case("neg") => Some(Operator::Negate),
            // A constant may be called as a function is.
            TokenKind::Word(_) if next.kind == TokenKind::Symbol('[') => None,
            TokenKind::Word(word) => self.notation.function(word).map(Operator::Call),
            _ => None,
        }
    }

    fn primary(&mut self) -> Option<Node> {
        let token = self.cursor.peek();
        match &token.kind {
            TokenKind::Number(value) => {
                self.cursor.bump();
                Some(Node { kind: NodeKind::Number(*value), span: token.span })
            }
            TokenKind::Symbol('(') => {
                self.cursor.bump();
                let inside = self.nested(Self::sum)?;
                let close = self.close(')', token.span)?;
                Some(Node { kind: inside.kind, span: token.span.join(close) })
            }
            TokenKind::Word(word) => {
                self.cursor.bump();
                match self.cursor.peek().kind {
                    TokenKind::Symbol('(') => self.call(word, token.span),
                    TokenKind::Symbol('[') if *word == self.experiment => self.constant(token.span),
                    _ => self.variable(token.span),
                }
            }
            TokenKind::End => self.fail(|_, span| Error::FormulaEnds { span }),
            _ => self.fail(|parser, span| Error::NotAnOperand { found: text(parser.source, span), span }),
        }
    }

    fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth == DEEPEST {
            return self.fail(|_, span| Error::TooDeep { span, deepest: DEEPEST });
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    fn call(&mut self, word: &str, name: Span) -> Option<Node> {
        let open = self.cursor.bump().span;
        let mut arguments = Vec::new();
        if self.cursor.peek().kind != TokenKind::Symbol(')') {
            loop {
                arguments.push(self.nested(Self::sum)?);
                if !self.cursor.take(',') {
                    break;
                }
            }
        }
        let span = name.join(self.close(')', open)?);
        let Some(function) = self.notation.function(word) else {
            let suggestion = suggest(word, Function::names());
            self.errors.push(Error::UnknownFunction { span: name, name: word.to_owned(), suggestion });
            return None;
        };
        if arguments.len() != function.arity() {
            self.errors.push(Error::WrongArity {
                span,
                name: function.name(),
                wanted: function.arity(),
                given: arguments.len(),
            });
            return None;
        }
        Some(Node { kind: NodeKind::Call(function, arguments), span })
    }

    fn constant(&mut self, name: Span) -> Option<Node> {
        let open = self.cursor.bump().span;
        let TokenKind::Number(index) = self.cursor.peek().kind else {
            return self.fail(|_, span| Error::BadIndex { span });
        };
        if index.fract() != 0.0 || !(0.0..=f64::from(u16::MAX)).contains(&index) {
            return self.fail(|_, span| Error::BadIndex { span });
        }
        self.cursor.bump();
        let close = self.close(']', open)?;
        // The range was checked above.
        Some(Node { kind: NodeKind::Constant(index as u32), span: name.join(close) })
    }

    fn variable(&mut self, name: Span) -> Option<Node> {
        let mut span = name;
        let mut path = text(self.source, name);
        loop {
            match self.cursor.peek().kind {
                TokenKind::Symbol('.') | TokenKind::Arrow => {
                    path.push_str(if self.cursor.bump().kind == TokenKind::Arrow { "->" } else { "." });
                    let TokenKind::Word(member) = &self.cursor.peek().kind else {
                        return self
                            .fail(|parser, span| Error::NotAName { found: text(parser.source, span), span });
                    };
                    path.push_str(member);
                    span = span.join(self.cursor.bump().span);
                }
                TokenKind::Symbol('[') => {
                    let open = self.cursor.bump().span;
                    let before = self.cursor.rest();
                    let index = self.nested(Self::sum)?;
                    if let Some(constant) = first_constant(&index) {
                        self.errors.push(Error::ConstantInIndex { span: constant });
                        return None;
                    }
                    path.push('[');
                    for token in &before[..before.len() - self.cursor.rest().len()] {
                        path.push_str(&text(self.source, token.span));
                    }
                    path.push(']');
                    span = span.join(self.close(']', open)?);
                }
                _ => break,
            }
        }
        Some(Node { kind: NodeKind::Variable(path), span })
    }
}

/// What powers are calls of.
const POWER: &str = "pow";

/// An operator of postfix notation.
enum Operator {
    Sum(Sign),
    Product(Quotient),
    Negate,
    Call(Function),
}

impl Operator {
    fn arity(&self) -> usize {
        match self {
            Operator::Sum(_) | Operator::Product(_) => 2,
            Operator::Negate => 1,
            Operator::Call(function) => function.arity(),
        }
    }

    /// The operation; `None` if there are not as many operands as it needs. A sum that is added to stays one sum.
    fn applied(self, mut operands: Vec<Node>) -> Option<NodeKind> {
        Some(match self {
            Operator::Call(function) => NodeKind::Call(function, operands),
            Operator::Negate => NodeKind::Negate(Box::new(operands.pop()?)),
            Operator::Sum(sign) => {
                let right = operands.pop()?;
                let mut items = match operands.pop()? {
                    Node { kind: NodeKind::Sum(items), .. } => items,
                    left => vec![(Sign::Plus, left)],
                };
                items.push((sign, right));
                NodeKind::Sum(items)
            }
            Operator::Product(quotient) => {
                let right = operands.pop()?;
                let mut items = match operands.pop()? {
                    Node { kind: NodeKind::Product(items), .. } => items,
                    left => vec![(Quotient::Times, left)],
                };
                items.push((quotient, right));
                NodeKind::Product(items)
            }
        })
    }
}

fn joined<O>(mut items: Vec<(O, Node)>, kind: impl FnOnce(Vec<(O, Node)>) -> NodeKind) -> Node {
    let span = items[0].1.span.join(items[items.len() - 1].1.span);
    match items.len() {
        1 => items.remove(0).1,
        _ => Node { kind: kind(items), span },
    }
}

/// The places of all constants in a formula, from left to right.
pub(crate) fn constants(node: &Node, found: &mut Vec<(u32, Span)>) {
    match &node.kind {
        NodeKind::Number(_) | NodeKind::Variable(_) => {}
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
