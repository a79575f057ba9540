use crate::reader::FormulaReader;
use crate::token::{Cursor, Token, TokenKind, on_one_line, text, tokens};
use crate::{
    Begin, Directive, DirectiveKind, DirectiveText, Error, Formula, Name, Notation, Report, Span, Text,
    parallel, suggest,
};

mod clauses;

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

/// Whether a word of the directive language, which can name no experiment.
pub fn is_reserved(word: &str) -> bool {
    WORDS.contains(&word) || RESERVED.contains(&word)
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
        if is_reserved(word) {
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
            variables: Vec::new(),
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
            && !begin.says_variables()
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
