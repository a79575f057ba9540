use crate::error::WALL_TIME;
use crate::reader::FormulaReader;
use crate::token::{Cursor, Token, TokenKind, on_one_line, text, tokens};
use crate::{
    AtEnd, Begin, Directive, DirectiveKind, DirectiveText, Error, Formula, LetClause, Name, Notation, Report,
    Span, Text, UpsilonClause, constants_of, listed, parallel, suggest, upsilon,
};

/// The words that start a directive; none of them can name an experiment.
const WORDS: &[&str] = &["parallel", "for", "end", "report", "sync", "uses", "script"];
/// Further words that would be ambiguous as names.
const RESERVED: &[&str] = &["all", "procs"];
/// Columns that every trace has (`call-runtime/FORMAT.md`).
const COLUMNS: &[&str] = &["experiment", "processor", "time_s"];

/// Parses one directive. It may come back together with errors: a begin with a wrong formula still opens its experiment.
pub fn parse(source: &[u8], directive: &DirectiveText) -> (Option<Directive>, Vec<Error>) {
    let (tokens, errors) = tokens(source, directive.body);
    let mut parser = DirectiveParser { source, cursor: Cursor::new(&tokens), errors };
    let kind = parser.directive();
    (kind.map(|kind| Directive { span: directive.span, kind }), parser.errors)
}

struct DirectiveParser<'a> {
    source: &'a [u8],
    cursor: Cursor<'a>,
    errors: Vec<Error>,
}

impl<'a> DirectiveParser<'a> {
    fn fail<T>(&mut self, error: Error) -> Option<T> {
        self.errors.push(error);
        None
    }

    fn directive(&mut self) -> Option<DirectiveKind> {
        let first = self.cursor.peek();
        let TokenKind::Word(word) = &first.kind else {
            let span = first.span;
            return if self.cursor.at_end() {
                self.fail(Error::Empty { span })
            } else {
                self.fail(Error::NotAName { span, found: text(self.source, span) })
            };
        };
        let word = match self.misspelt_word(word) {
            None => word.as_str(),
            Some(meant) => {
                self.errors.push(Error::MisspeltWord { span: first.span, word: word.clone(), meant });
                meant
            }
        };
        let kind = match word {
            "parallel" => self.parallel()?,
            "for" => self.sampling_loop()?,
            "end" => self.end()?,
            "report" => self.report()?,
            "uses" => {
                self.cursor.bump();
                DirectiveKind::Uses(self.names()?)
            }
            "script" => {
                self.cursor.bump();
                let skeleton = self.rest();
                DirectiveKind::Script(skeleton)
            }
            _ => return self.begin(word).map(|begin| DirectiveKind::Begin(Box::new(begin))),
        };
        if !self.cursor.at_end() {
            let span = self.cursor.peek().span;
            self.errors.push(Error::Trailing { span, found: text(self.source, span) });
        }
        Some(kind)
    }

    /// The word that the first word was meant to be: near in spelling, and what follows is no formula with its constants.
    /// `reprot all` is a misspelt word rather than an experiment with a strange formula.
    fn misspelt_word(&self, word: &str) -> Option<&'static str> {
        let rest = &self.cursor.rest()[1..];
        let has_constants =
            rest.iter().any(|token| matches!(&token.kind, TokenKind::Word(other) if other == word));
        if WORDS.contains(&word) || rest.len() == 1 || has_constants {
            None
        } else {
            suggest(word, WORDS.iter().copied())
        }
    }

    fn name(&mut self) -> Option<Name> {
        let span = self.cursor.peek().span;
        let TokenKind::Word(word) = &self.cursor.peek().kind else {
            let found = if self.cursor.at_end() { "end of line".to_owned() } else { text(self.source, span) };
            return self.fail(Error::NotAName { span, found });
        };
        if WORDS.contains(&word.as_str()) || RESERVED.contains(&word.as_str()) {
            return self.fail(Error::ReservedName { span, name: word.clone() });
        }
        self.cursor.bump();
        Some(Name { text: word.clone(), span })
    }

    fn names(&mut self) -> Option<Vec<Name>> {
        let mut names = vec![self.name()?];
        while self.cursor.take(',') || !self.cursor.at_end() {
            names.push(self.name()?);
        }
        Some(names)
    }

    fn parallel(&mut self) -> Option<DirectiveKind> {
        self.cursor.bump();
        match parallel::parallel(&mut self.cursor, self.source) {
            Ok(parallel) => Some(DirectiveKind::Parallel(parallel)),
            Err(error) => self.fail(error),
        }
    }

    fn sampling_loop(&mut self) -> Option<DirectiveKind> {
        let keyword = self.cursor.bump().span;
        let open = self.cursor.peek().span;
        // A wrong loop still opens its block, so that its end causes no second error.
        let nothing = |span: Span| DirectiveKind::For(Text { text: "(;;)".to_owned(), span });
        if !self.cursor.take('(') {
            self.errors.push(Error::BadLoop { span: keyword });
            self.cursor.finish();
            return Some(nothing(keyword));
        }
        let (mut depth, mut separators, mut end) = (1, 0, open.end);
        while depth > 0 {
            let token = self.cursor.bump();
            end = token.span.end;
            match token.kind {
                TokenKind::Symbol('(') => depth += 1,
                TokenKind::Symbol(')') => depth -= 1,
                TokenKind::Symbol(';') if depth == 1 => separators += 1,
                TokenKind::End => {
                    self.errors.push(Error::Unclosed { span: token.span, open, symbol: ')' });
                    return Some(nothing(keyword));
                }
                _ => {}
            }
        }
        let header = Span::new(open.start, end);
        if separators != 2 {
            self.errors.push(Error::BadLoop { span: header });
            self.cursor.finish();
            return Some(nothing(header));
        }
        Some(DirectiveKind::For(self.c_text(header)))
    }

    fn end(&mut self) -> Option<DirectiveKind> {
        self.cursor.bump();
        if self.cursor.take_word("for") {
            return Some(DirectiveKind::EndFor);
        }
        self.name().map(DirectiveKind::End)
    }

    fn report(&mut self) -> Option<DirectiveKind> {
        self.cursor.bump();
        if self.cursor.take_word("all") {
            return Some(DirectiveKind::Report(Report::All));
        }
        Some(DirectiveKind::Report(Report::Names(self.names()?)))
    }

    /// `on` is a word of the directive language only with a machine behind it: an experiment may have that name.
    fn begin(&mut self, first: &str) -> Option<Begin> {
        let is_synchronised = first == "sync";
        let has_machine = first == "on" && self.cursor.peek_behind(1).kind == TokenKind::Symbol('(');
        let mut machine = None;
        if is_synchronised || has_machine {
            self.cursor.bump();
            machine = self.machine()?;
        }
        let name = self.name()?;
        if COLUMNS.contains(&name.text.as_str()) {
            self.errors.push(Error::ColumnName { span: name.span, name: name.text.clone() });
        }
        let observable = self.observable();
        let mut begin = Begin {
            name,
            is_synchronised,
            machine,
            observable,
            formula: None,
            formula_span: None,
            lets: Vec::new(),
            at_end: None,
            counters: Vec::new(),
            upsilon: Vec::new(),
        };
        if !self.at_clause() && !self.cursor.at_end() {
            self.formula(&mut begin);
        }
        // Whatever is wrong with them, the experiment begins.
        let _ = self.clauses(&mut begin);
        if let Some(span) = begin.lets.iter().map(|known| known.name.span).next()
            && begin.formula_span.is_none()
        {
            self.errors.push(Error::ClauseWithoutFormula { span, clause: "let" });
        }
        if let (Some(first), None) = (begin.upsilon.first(), begin.formula_span) {
            self.errors.push(Error::ClauseWithoutFormula { span: first.span, clause: "upsilon" });
        }
        Some(begin)
    }

    fn formula(&mut self, begin: &mut Begin) {
        let name = &begin.name;
        let mut tokens = Vec::new();
        while !self.at_clause() && !self.cursor.at_end() {
            tokens.push(self.cursor.bump().clone());
        }
        let formula_span = Span::new(tokens[0].span.start, tokens[tokens.len() - 1].span.end);
        let end = Token { kind: TokenKind::End, span: Span::new(formula_span.end, formula_span.end) };
        tokens.push(if self.cursor.at_end() { self.cursor.peek().clone() } else { end });
        begin.formula_span = Some(formula_span);
        let is_inside =
            |error: &Error| formula_span.start <= error.span().start && error.span().end <= formula_span.end;
        if self.errors.iter().any(is_inside) {
            // What the tokens lack, the formula lacks as well.
            return;
        }
        let mut errors = Vec::new();
        let read = FormulaReader::new(self.source, &tokens, &name.text).formula(Notation::C);
        let formula = read
            .map_err(|error| errors.push(error))
            .ok()
            .and_then(|node| Formula::canonical(&name.text, &node, &mut errors));
        if let Some(formula) = &formula {
            for variable in formula.variables() {
                if COLUMNS.contains(&variable.name()) {
                    let name = variable.name().to_owned();
                    errors.push(Error::ColumnName { span: variable.first_use(), name });
                }
            }
        }
        self.errors.extend(errors);
        begin.formula = formula;
    }

    /// `let NAME =`, `at end`, `counters NAME` and `upsilon NAME[…] =` cannot stand in a formula.
    fn at_clause(&self) -> bool {
        let word = |places, wanted: &str| matches!(&self.cursor.peek_behind(places).kind, TokenKind::Word(word) if word == wanted);
        let defines = matches!(self.cursor.peek_behind(1).kind, TokenKind::Word(_))
            && self.cursor.peek_behind(2).kind == TokenKind::Symbol('=');
        // A variable may have that name.
        let is_operand = matches!(self.cursor.before(), Some(Token { kind: TokenKind::Symbol(symbol), .. }) if !matches!(symbol, ')' | ']'));
        let counts = word(0, "counters")
            && matches!(self.cursor.peek_behind(1).kind, TokenKind::Word(_))
            && !is_operand;
        (word(0, "let") && defines)
            || (word(0, "at") && word(1, "end"))
            || counts
            || upsilon::is_next(&self.cursor)
    }

    fn clauses(&mut self, begin: &mut Begin) -> Option<()> {
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

    /// A variable as formulas name it: `N`, `m->rows`, `size[i]`.
    fn variable(&mut self) -> Option<Name> {
        let mut name = self.name()?;
        let mut depth = 0;
        loop {
            match self.cursor.peek().kind {
                TokenKind::Symbol(')' | ',') if depth == 0 => return Some(name),
                TokenKind::End => return Some(name),
                TokenKind::Symbol('[' | '(') => depth += 1,
                TokenKind::Symbol(']' | ')') => depth -= 1,
                _ => {}
            }
            let span = self.cursor.bump().span;
            name.text.push_str(&text(self.source, span));
            name.span = name.span.join(span);
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
    fn last_of_counter(&self, with_equals: bool) -> usize {
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
    fn counter_name(&mut self, last: usize) -> Name {
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

    /// `(MACHINE)`, if a parenthesis opens here.
    fn machine(&mut self) -> Option<Option<Text>> {
        let open = self.cursor.peek().span;
        if !self.cursor.take('(') {
            return Some(None);
        }
        let machine = match parallel::machine(&mut self.cursor, self.source) {
            Ok(machine) => machine,
            Err(error) => return self.fail(error),
        };
        let span = self.cursor.peek().span;
        if self.cursor.take(')') {
            return Some(Some(machine));
        }
        self.fail(Error::Unclosed { span, open, symbol: ')' })
    }

    /// `NAME =` before a formula.
    fn observable(&mut self) -> Option<Name> {
        let last = self.last_of_counter(false);
        if !matches!(self.cursor.peek().kind, TokenKind::Word(_))
            || self.cursor.peek_behind(last + 1).kind != TokenKind::Symbol('=')
        {
            return None;
        }
        let name = self.counter_name(last);
        self.cursor.bump();
        Some(name)
    }

    fn rest(&mut self) -> Text {
        let first = self.cursor.peek().span;
        self.cursor.finish();
        let last = self.cursor.peek().span;
        self.c_text(Span::new(first.start.min(last.end), last.end))
    }

    fn c_text(&self, span: Span) -> Text {
        Text { text: on_one_line(self.source, span), span }
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
