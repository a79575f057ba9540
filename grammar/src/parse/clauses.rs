//! The clauses behind the formula of an experiment.

use super::{COLUMNS, DirectiveParser};
use crate::error::WALL_TIME;
use crate::reader::FormulaReader;
use crate::syntax::{SyntaxNode, SyntaxNodeKind};
use crate::token::{Token, TokenKind, text};
use crate::{
    AtEnd, Begin, Error, Formula, LetClause, Name, Notation, Span, UpsilonClause, Variable, constants_of,
    listed, upsilon,
};

impl DirectiveParser<'_> {
    /// `let NAME =`, `at end`, `counters NAME`, `variables NAME` and `upsilon NAME[…] =` cannot stand in a formula.
    pub(super) fn at_clause(&self) -> bool {
        let word = |places, wanted: &str| matches!(&self.cursor.peek_behind(places).kind, TokenKind::Word(word) if word == wanted);
        let defines = matches!(self.cursor.peek_behind(1).kind, TokenKind::Word(_))
            && self.cursor.peek_behind(2).kind == TokenKind::Symbol('=');
        // A variable may have that name.
        let is_operand = matches!(self.cursor.before(), Some(Token { kind: TokenKind::Symbol(symbol), .. }) if !matches!(symbol, ')' | ']'));
        let lists = (word(0, "counters") || word(0, "variables"))
            && matches!(self.cursor.peek_behind(1).kind, TokenKind::Word(_))
            && !is_operand;
        (word(0, "let") && defines)
            || (word(0, "at") && word(1, "end"))
            || lists
            || upsilon::is_next(&self.cursor)
    }

    pub(super) fn clauses(&mut self, begin: &mut Begin) -> Option<()> {
        while self.at_clause() {
            if self.cursor.take_word("let") {
                let definition = self.definition()?;
                if let Some(first) = begin.lets.iter().find(|known| known.name.text == definition.name.text) {
                    let (span, name) = (definition.name.span, definition.name.text);
                    self.errors.push(Error::LetTwice { span, name, first: first.name.span });
                } else {
                    begin.lets.push(definition);
                }
            } else if self.cursor.take_word("counters") {
                self.counters(begin)?;
            } else if self.cursor.take_word("variables") {
                self.variables(begin)?;
            } else if upsilon::is_next(&self.cursor) {
                self.upsilon(begin)?;
            } else {
                let clause = self.at_end()?;
                match &begin.at_end {
                    Some(first) => {
                        self.errors.push(Error::AtEndTwice { span: clause.span, first: first.span })
                    }
                    None => begin.at_end = Some(clause),
                }
            }
        }
        if self.cursor.at_end() {
            return Some(());
        }
        let span = self.cursor.peek().span;
        self.fail(Error::Trailing { span, found: text(self.source, span) })
    }

    /// Behind `let`: `NAME = EXPRESSION`, up to the next clause.
    fn definition(&mut self) -> Option<LetClause> {
        let name = self.name()?;
        if COLUMNS.contains(&name.text.as_str()) {
            self.errors.push(Error::ColumnName { span: name.span, name: name.text.clone() });
        }
        self.cursor.take('=');
        let start = self.cursor.peek().span;
        let mut end = start.start;
        while !self.cursor.at_end() && !self.at_clause() {
            end = self.cursor.bump().span.end;
        }
        if end == start.start {
            return self.fail(Error::FormulaEnds { span: start });
        }
        Some(LetClause { name, expression: self.c_text(Span::new(start.start, end)) })
    }

    fn upsilon(&mut self, begin: &mut Begin) -> Option<()> {
        let clause = match upsilon::clause(&mut self.cursor, self.source) {
            Ok(clause) => clause,
            Err(error) => return self.fail(error),
        };
        let (span, name) = (clause.span, format!("{}[{}]", clause.name, clause.constant.0));
        let first = begin.upsilon.iter().find(|known| known.constant == clause.constant);
        if let Some(unknown) = begin.formula.as_ref().and_then(|formula| unknown_constant(formula, &clause)) {
            self.errors.push(Error::NoSuchConstant { span, name, known: unknown });
        } else if let Some(first) = first {
            self.errors.push(Error::UpsilonTwice { span, name, first: first.span });
        } else {
            begin.upsilon.push(clause);
        }
        Some(())
    }

    /// `at end`, and names in parentheses.
    fn at_end(&mut self) -> Option<AtEnd> {
        let at = self.cursor.bump().span;
        let mut span = at.join(self.cursor.bump().span);
        let open = self.cursor.peek().span;
        let mut names = Vec::new();
        if self.cursor.take('(') {
            loop {
                names.push(self.variable()?);
                if !self.cursor.take(',') {
                    break;
                }
            }
            let close = self.cursor.peek().span;
            if !self.cursor.take(')') {
                return self.fail(Error::Unclosed { span: close, open, symbol: ')' });
            }
            span = span.join(close);
        }
        Some(AtEnd { span, names })
    }

    /// Behind `variables`: variables with commas between.
    fn variables(&mut self, begin: &mut Begin) -> Option<()> {
        loop {
            let Name { text, span } = self.variable()?;
            if let Some(first) = begin.variables.iter().find(|known| known.name == text) {
                self.errors.push(Error::VariableTwice { span, name: text, first: first.first_use });
            } else {
                begin.variables.push(Variable { name: text, first_use: span });
            }
            if !self.cursor.take(',') {
                return Some(());
            }
        }
    }

    /// A variable as formulas name it: `N`, `m->rows`, `size[i]`.
    fn variable(&mut self) -> Option<Name> {
        let (mut tokens, mut depth) = (Vec::new(), 0);
        loop {
            match self.cursor.peek().kind {
                TokenKind::Symbol(')' | ',') if depth == 0 => break,
                TokenKind::End => break,
                TokenKind::Symbol('[' | '(') => depth += 1,
                TokenKind::Symbol(']' | ')') => depth -= 1,
                _ if !tokens.is_empty() && self.at_clause() => break,
                _ => {}
            }
            tokens.push(self.cursor.bump().clone());
        }
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
            return self.name();
        };
        let span = first.span.join(last.span);
        tokens.push(Token { kind: TokenKind::End, span: Span::new(span.end, span.end) });
        match FormulaReader::new(self.source, &tokens, "").formula(Notation::C) {
            Ok(SyntaxNode { kind: SyntaxNodeKind::Variable(name), .. })
                if COLUMNS.contains(&name.as_str()) =>
            {
                self.fail(Error::ColumnName { span, name })
            }
            Ok(SyntaxNode { kind: SyntaxNodeKind::Variable(text), span, .. }) => Some(Name { text, span }),
            Ok(_) | Err(Error::NotAnOperator { .. }) => {
                self.fail(Error::NotAVariable { span, found: text(self.source, span) })
            }
            Err(error) => self.fail(error),
        }
    }

    /// Behind `counters`: names with commas or blanks between, up to the next clause.
    fn counters(&mut self, begin: &mut Begin) -> Option<()> {
        loop {
            let counter = self.counter()?;
            if let Some(first) = begin.counted().find(|known| known.text == counter.text) {
                let (span, name, first) = (counter.span, counter.text, first.span);
                self.errors.push(Error::CounterTwice { span, name, first });
            } else {
                begin.counters.push(counter);
            }
            if !self.cursor.take(',') && (self.cursor.at_end() || self.at_clause()) {
                return Some(());
            }
        }
    }

    fn counter(&mut self) -> Option<Name> {
        let first = self.cursor.peek();
        if !matches!(first.kind, TokenKind::Word(_)) {
            let found =
                if self.cursor.at_end() { "end of line".to_owned() } else { text(self.source, first.span) };
            return self.fail(Error::NotACounter { span: first.span, found });
        }
        let name = self.counter_name(self.last_of_counter(true));
        if name.text == WALL_TIME {
            return self.fail(Error::NotACounter { span: name.span, found: name.text });
        }
        Some(name)
    }

    /// How many tokens behind the next one the last one of a counter's name stands: no blanks stand between them.
    pub(super) fn last_of_counter(&self, with_equals: bool) -> usize {
        let is_part = |places: usize| match self.cursor.peek_behind(places).kind {
            TokenKind::Word(_) | TokenKind::Number(_) | TokenKind::Step('-') => true,
            TokenKind::Symbol(symbol) => matches!(symbol, '-' | ':' | '.') || (symbol == '=' && with_equals),
            _ => false,
        };
        let touches = |places: usize| {
            self.cursor.peek_behind(places).span.start == self.cursor.peek_behind(places - 1).span.end
        };
        (1..).take_while(|places| is_part(*places) && touches(*places)).last().unwrap_or(0)
    }

    /// Passes the tokens of a name.
    pub(super) fn counter_name(&mut self, last: usize) -> Name {
        let mut span = self.cursor.bump().span;
        for _ in 0..last {
            span = span.join(self.cursor.bump().span);
        }
        // A part like `4K` is no number that went wrong.
        let is_inside = |error: &Error| span.start <= error.span().start && error.span().end <= span.end;
        self.errors.retain(|error| !(matches!(error, Error::BadNumber { .. }) && is_inside(error)));
        let name = text(self.source, span);
        if name.ends_with(['-', ':', '.', '=']) || COLUMNS.contains(&name.as_str()) || name == "P" {
            self.errors.push(Error::NotACounter { span, found: name.clone() });
        }
        Name { text: name, span }
    }
}

/// The constants of a formula, if that of a clause is none of them.
fn unknown_constant(formula: &Formula, clause: &UpsilonClause) -> Option<String> {
    let name = constants_of(formula.experiment());
    let is_known =
        name == clause.name && formula.terms().iter().any(|term| term.coefficient == clause.constant);
    let constants = formula.terms().iter().map(|term| format!("{name}[{}]", term.coefficient.0));
    (!is_known).then(|| listed(&constants.collect::<Vec<_>>()))
}
