use call_grammar::{Span, suggest};

use super::{ParseResult, ProgramParser, STATEMENTS};
use crate::program::syntax::{
    Advance, ExpressionKind, ProgramExpression, ProgramStatement, StatementBlock, StatementKind, To,
};
use crate::program::token::ProgramTokenKind;
use crate::program::{CostCentre, ProgramError};

impl ProgramParser<'_> {
    /// Adds the next statement; what is written as one may be two.
    pub(super) fn statement(&mut self, statements: &mut Vec<ProgramStatement>) -> ParseResult<()> {
        let start = self.peek().span;
        let ProgramTokenKind::Word(word) = self.peek().kind.clone() else { return Err(self.no_statement()) };
        let kind = if STATEMENTS.contains(&word.as_str()) {
            self.bump();
            self.keyword(&word, start, statements)?
        } else {
            self.assignment_or_call(&word, start)?
        };
        statements.push(ProgramStatement { kind, span: start.join(self.last_span()) });
        Ok(())
    }

    /// What stands here is no word.
    fn no_statement(&self) -> ProgramError {
        let error = self.unexpected_error("a statement");
        match &self.peek().kind {
            ProgramTokenKind::Symbol("/") => error.help("a comment begins with `#`"),
            ProgramTokenKind::Symbol("{") | ProgramTokenKind::Number(_) => {
                error.help("parts that do different things stand so: `partition A { … }, B { … }`")
            }
            _ => error,
        }
    }

    pub(super) fn last_span(&self) -> Span {
        self.tokens[self.next.saturating_sub(1)].span
    }

    fn centre(&mut self, start: Span) -> usize {
        let span = start.join(self.last_span());
        let text = self.text[span.start..span.end].split_whitespace().collect::<Vec<_>>().join(" ");
        let line = self.newlines.partition_point(|newline| *newline < span.start) + 1;
        self.centres.push(CostCentre { text, line, span });
        self.centres.len() - 1
    }

    fn keyword(
        &mut self,
        word: &str,
        start: Span,
        statements: &mut Vec<ProgramStatement>,
    ) -> ParseResult<StatementKind> {
        Ok(match word {
            "compute" => {
                let time = self.expression()?;
                StatementKind::Compute { time, centre: self.centre(start) }
            }
            "send" => {
                let bytes = self.expression()?;
                self.word("to")?;
                let to = if self.take_word("all") { To::All } else { To::Processor(self.expression()?) };
                StatementKind::Send { bytes, from: None, to }
            }
            "relation" => StatementKind::Relation { bytes: self.expression()? },
            "sync" => self.synchronise(true, start)?,
            "oblsync" => self.synchronise(false, start)?,
            "exchange" => {
                let bytes = self.expression()?;
                self.word("with")?;
                let to = To::Processor(self.expression()?);
                let send = StatementKind::Send { bytes, from: None, to };
                statements.push(ProgramStatement { kind: send, span: start.join(self.last_span()) });
                self.synchronise(false, start)?
            }
            "broadcast" => {
                let bytes = self.expression()?;
                self.word("from")?;
                let from = Some(self.expression()?);
                let send = StatementKind::Send { bytes, from, to: To::All };
                statements.push(ProgramStatement { kind: send, span: start.join(self.last_span()) });
                self.synchronise(false, start)?
            }
            "if" => self.if_statement()?,
            "for" => self.for_statement()?,
            "repeat" => {
                let last = self.expression()?;
                let first = ProgramExpression { kind: ExpressionKind::Number(1.0), span: last.span };
                let body = self.block()?;
                // No program can name this variable.
                let variable = " repeat".to_owned();
                StatementKind::For { variable, first, last, advance: Advance::Counted, body }
            }
            _ => self.partition()?,
        })
    }

    fn synchronise(&mut self, is_barrier: bool, start: Span) -> ParseResult<StatementKind> {
        let costs = if self.take_word("costs") { Some(self.expression()?) } else { None };
        Ok(StatementKind::Synchronise { is_barrier, costs, centre: self.centre(start) })
    }

    fn if_statement(&mut self) -> ParseResult<StatementKind> {
        let condition = self.expression()?;
        let then = self.block()?;
        let otherwise = match self.take_word("else") {
            false => None,
            true if self.at_symbol("{") => Some(self.block()?),
            true => {
                let start = self.word("if")?;
                let number = self.blocks;
                self.blocks += 1;
                let kind = self.deeper(Self::if_statement)?;
                let inner = ProgramStatement { kind, span: start.join(self.last_span()) };
                Some(StatementBlock { number, statements: [inner].into() })
            }
        };
        Ok(StatementKind::If { condition, then, otherwise })
    }

    fn for_statement(&mut self) -> ParseResult<StatementKind> {
        let form = |error: ProgramError| error.help("a loop stands so: `for i = A .. B { … }`");
        let (variable, span) = self.name("the variable of a loop").map_err(form)?;
        self.symbol("=").map_err(form)?;
        let first = self.expression()?;
        self.symbol("..").map_err(form)?;
        let last = self.expression()?;
        let advance = if self.take_word("times") {
            Advance::Times(self.expression()?)
        } else if self.take_word("step") {
            Advance::By(self.expression()?)
        } else {
            Advance::By(ProgramExpression { kind: ExpressionKind::Number(1.0), span })
        };
        let body = self.block()?;
        Ok(StatementKind::For { variable, first, last, advance, body })
    }

    /// `partition A, B { … }`, where all parts do the same, or `partition A { … } B { … }`.
    fn partition(&mut self) -> ParseResult<StatementKind> {
        let mut parts = Vec::new();
        let mut sizes = vec![self.expression()?];
        while self.take_symbol(",") {
            sizes.push(self.expression()?);
        }
        let body = self.block()?;
        parts.extend(sizes.into_iter().map(|size| (size, body.clone())));
        while self.take_symbol(",") {
            let size = self.expression()?;
            parts.push((size, self.block()?));
        }
        Ok(StatementKind::Partition(parts))
    }

    fn assignment_or_call(&mut self, word: &str, start: Span) -> ParseResult<StatementKind> {
        let behind = &self.tokens[(self.next + 1).min(self.tokens.len() - 1)].kind;
        match behind {
            ProgramTokenKind::Symbol("=") => {
                let (name, _) = self.name("a variable")?;
                self.bump();
                Ok(StatementKind::Assign { name, value: self.expression()? })
            }
            ProgramTokenKind::Symbol("(") => {
                self.bump();
                self.bump();
                let arguments = self.arguments()?;
                Ok(StatementKind::Call { procedure: word.to_owned(), name_span: start, arguments })
            }
            _ => {
                let error = ProgramError::new(start, format!("`{word}` begins no statement"));
                Err(match word {
                    "costs" => error.help("it stands behind what ends a superstep: `sync costs SECONDS`"),
                    "else" => error.help("it stands behind the `}` of an `if`, without a `;`"),
                    _ => error.suggesting(
                        suggest(word, STATEMENTS.iter().copied().chain(["costs", "else"])),
                        format!("statements are `NAME = …`, `TASK(…)` and {}", STATEMENTS.join(", ")),
                    ),
                })
            }
        }
    }
}
