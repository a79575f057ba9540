use call_grammar::infix::{self, Language, PrecedenceLevel};
use call_grammar::{Function, Span, counted, suggest};

use super::{LONGEST, ParseResult, ProgramParser, STATEMENTS};
use crate::program::ProgramError;
use crate::program::syntax::{Binary, ExpressionKind, LEVELS, ProgramExpression, Unary};
use crate::program::token::ProgramTokenKind;

impl Language for ProgramParser<'_> {
    type Tree = ProgramExpression;
    type Error = ProgramError;
    type Prefix = Unary;
    type Infix = Binary;

    fn levels(&self) -> &'static [PrecedenceLevel<Unary, Binary>] {
        LEVELS
    }

    fn next_is(&self, spelling: &str) -> bool {
        self.at_symbol(spelling)
    }

    fn pass(&mut self, _: &str) -> Span {
        self.bump().span
    }

    fn operand(&mut self, _: Option<Binary>) -> ParseResult<ProgramExpression> {
        let start = self.peek().span;
        self.count(start)?;
        let kind = match self.peek().kind.clone() {
            ProgramTokenKind::Number(value) => {
                self.bump();
                ExpressionKind::Number(value)
            }
            ProgramTokenKind::Symbol("(") => {
                self.bump();
                let inside = self.expression()?;
                self.symbol(")")?;
                inside.kind
            }
            ProgramTokenKind::Word(word) => {
                if STATEMENTS.contains(&word.as_str()) && !self.at_experiment() {
                    return self.unexpected("a value").map_err(|error: ProgramError| {
                        error.help(format!("an experiment of this name is written `{word}()`"))
                    });
                }
                self.bump();
                self.named(word, start)?
            }
            _ => return self.unexpected("a value"),
        };
        Ok(ProgramExpression { kind, span: start.join(self.last_span()) })
    }

    fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> ParseResult<T>) -> ParseResult<T> {
        self.deeper(inside)
    }

    fn before(
        &mut self,
        operator: Unary,
        start: Span,
        operand: ProgramExpression,
    ) -> ParseResult<ProgramExpression> {
        self.count(start)?;
        let span = start.join(operand.span);
        Ok(ProgramExpression { kind: ExpressionKind::Unary(operator, Box::new(operand)), span })
    }

    fn between(
        operator: Binary,
        left: ProgramExpression,
        right: ProgramExpression,
    ) -> ParseResult<ProgramExpression> {
        let span = left.span.join(right.span);
        Ok(ProgramExpression {
            kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)),
            span,
        })
    }
}

impl ProgramParser<'_> {
    /// Expressions up to the closing parenthesis.
    pub(super) fn arguments(&mut self) -> ParseResult<Vec<ProgramExpression>> {
        let mut arguments = Vec::new();
        while !self.take_symbol(")") {
            if !arguments.is_empty() {
                self.comma()?;
            }
            arguments.push(self.expression()?);
        }
        Ok(arguments)
    }

    pub(super) fn expression(&mut self) -> ParseResult<ProgramExpression> {
        let outer = self.values;
        self.values = Some(outer.unwrap_or(0));
        let expression = self.deeper(infix::expression);
        if outer.is_none() {
            self.values = None;
        }
        expression
    }

    /// Counts what stands in the expression.
    fn count(&mut self, span: Span) -> ParseResult<()> {
        let values = self.values.get_or_insert(0);
        *values += 1;
        if *values <= LONGEST {
            return Ok(());
        }
        Err(ProgramError::new(span, format!("this expression has more than {LONGEST} values"))
            .help("give parts of it to variables"))
    }

    /// Whether `NAME()`, `NAME(VARIABLE =` or `NAME[` comes, which no statement begins with.
    fn at_experiment(&self) -> bool {
        let behind = |places: usize| self.tokens.get(self.next + places).map(|token| &token.kind);
        match (behind(1), behind(2)) {
            (Some(ProgramTokenKind::Symbol("[")), _) => true,
            (Some(ProgramTokenKind::Symbol("(")), Some(ProgramTokenKind::Symbol(")"))) => true,
            (Some(ProgramTokenKind::Symbol("(")), Some(ProgramTokenKind::Word(_))) => {
                behind(3) == Some(&ProgramTokenKind::Symbol("="))
            }
            _ => false,
        }
    }

    /// What begins with a name that is passed.
    fn named(&mut self, word: String, start: Span) -> ParseResult<ExpressionKind> {
        if self.take_symbol("[") {
            let span = self.peek().span;
            let index = match self.bump().kind {
                ProgramTokenKind::Number(index) if index.fract() == 0.0 && index <= f64::from(u16::MAX) => {
                    index as u32
                }
                _ => return Err(ProgramError::new(span, "a constant has a whole number, such as `E[0]`")),
            };
            self.symbol("]")?;
            return Ok(ExpressionKind::Constant(word, index));
        }
        if !self.take_symbol("(") {
            return Ok(ExpressionKind::Name(word));
        }
        if let Some(function) = Function::named(&word) {
            let arguments = self.arguments()?;
            if arguments.len() != function.arity() {
                let (takes, given) = (counted(function.arity(), "value"), arguments.len());
                let message = format!("`{word}` takes {takes}, not {given}");
                return Err(ProgramError::new(start.join(self.last_span()), message));
            }
            return Ok(ExpressionKind::Function(function, arguments));
        }
        let mut values = Vec::new();
        while !self.take_symbol(")") {
            if !values.is_empty() {
                self.comma()?;
            }
            let at = self.peek().span;
            let ProgramTokenKind::Word(variable) = self.bump().kind else {
                return Err(self.no_function(&word, start));
            };
            if !self.take_symbol("=") {
                return Err(self.no_function(&word, start));
            }
            if values.iter().any(|(known, _)| *known == variable) {
                return Err(ProgramError::new(at, format!("`{variable}` has a value already")));
            }
            values.push((variable, self.expression()?));
        }
        Ok(ExpressionKind::Experiment(word, values))
    }

    fn no_function(&self, word: &str, span: Span) -> ProgramError {
        ProgramError::new(span, format!("there is no function `{word}`")).suggesting(
            suggest(word, Function::names()),
            format!("for the time of an experiment write `{word}(VARIABLE = VALUE)`"),
        )
    }
}
