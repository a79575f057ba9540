//! From text to a program, by recursive descent; one function a production of the grammar in `mod.rs`.

use call_grammar::{Function, Span, suggest};

use super::syntax::{
    Advance, Binary, Block, Expression, ExpressionKind, LEVELS, Procedure, Statement, StatementKind, To,
    Unary,
};
use super::token::{Token, TokenKind, tokens};
use super::{Centre, Program, ProgramError};

/// Words that begin statements.
const STATEMENTS: &[&str] = &[
    "compute",
    "send",
    "relation",
    "sync",
    "oblsync",
    "exchange",
    "broadcast",
    "if",
    "for",
    "repeat",
    "partition",
];

/// Further words that no variable may have as its name.
const RESERVED: &[&str] = &[
    "program", "task", "predicts", "else", "to", "with", "from", "costs", "step", "times", "all", "P", "pid",
    "part",
];

/// Deeper nesting is refused, so that recursion over a program needs little stack.
const DEEPEST: usize = 50;

pub fn parse(text: &str) -> Result<Program, ProgramError> {
    let tokens = tokens(text)?;
    let mut parser = Parser { text, tokens: &tokens, next: 0, depth: 0, blocks: 0, centres: Vec::new() };
    parser.file()
}

struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    next: usize,
    depth: usize,
    blocks: usize,
    centres: Vec<Centre>,
}

type Parsed<T> = Result<T, ProgramError>;

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.next]
    }

    fn bump(&mut self) -> Token {
        let token = self.peek().clone();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    fn at_symbol(&self, symbol: &str) -> bool {
        matches!(self.peek().kind, TokenKind::Symbol(found) if found == symbol)
    }

    fn take_symbol(&mut self, symbol: &str) -> bool {
        let found = self.at_symbol(symbol);
        if found {
            self.bump();
        }
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = matches!(&self.peek().kind, TokenKind::Word(found) if found == word);
        if found {
            self.bump();
        }
        found
    }

    fn written(&self, span: Span) -> &str {
        match &self.text[span.start..span.end] {
            "" => "the end of the program",
            text => text,
        }
    }

    fn unexpected<T>(&self, wanted: &str) -> Parsed<T> {
        let span = self.peek().span;
        let found = match self.peek().kind {
            TokenKind::End => "the program ends".to_owned(),
            _ => format!("`{}` stands", self.written(span)),
        };
        Err(ProgramError::new(span, format!("{found} where {wanted} is expected")))
    }

    fn symbol(&mut self, symbol: &str) -> Parsed<Span> {
        if self.at_symbol(symbol) { Ok(self.bump().span) } else { self.unexpected(&format!("`{symbol}`")) }
    }

    fn word(&mut self, word: &str) -> Parsed<Span> {
        let span = self.peek().span;
        if self.take_word(word) { Ok(span) } else { self.unexpected(&format!("`{word}`")) }
    }

    /// A name of the program's own.
    fn name(&mut self, what: &str) -> Parsed<(String, Span)> {
        let TokenKind::Word(name) = self.peek().kind.clone() else { return self.unexpected(what) };
        let span = self.bump().span;
        if STATEMENTS.contains(&name.as_str()) || RESERVED.contains(&name.as_str()) {
            return Err(ProgramError::new(
                span,
                format!("`{name}` has a meaning of its own and cannot be {what}"),
            ));
        }
        Ok((name, span))
    }

    fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEEPEST {
            let message = format!("this is nested more than {DEEPEST} times");
            return Err(ProgramError::new(self.peek().span, message)
                .help("give the inner part a task or a variable of its own"));
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    fn file(&mut self) -> Parsed<Program> {
        let mut procedures: Vec<Procedure> = Vec::new();
        let mut main = None;
        let mut predicts = None;
        loop {
            let start = self.peek().span;
            if self.peek().kind == TokenKind::End {
                break;
            }
            let is_program = self.take_word("program");
            if !is_program {
                if !self.take_word("task") {
                    return self.unexpected("`program` or `task`");
                }
            } else if main.is_some() {
                return Err(ProgramError::new(start, "there is a second program in this text")
                    .help("write `task` for what the program calls"));
            }
            let (name, name_span) =
                self.name(if is_program { "the name of a program" } else { "the name of a task" })?;
            if procedures.iter().any(|procedure| procedure.name == name) {
                return Err(ProgramError::new(name_span, format!("there is a second `{name}`")));
            }
            let parameters = self.parameters()?;
            if is_program {
                main = Some(procedures.len());
                if self.take_word("predicts") {
                    predicts = Some(self.name("the name of an experiment")?.0);
                }
            }
            let body = self.block()?;
            procedures.push(Procedure { name, name_span, parameters, body });
        }
        let end = self.peek().span;
        let Some(main) = main else {
            return Err(ProgramError::new(end, "there is no program in this text")
                .help("begin with `program NAME(VARIABLES) {`"));
        };
        Ok(Program {
            procedures: procedures.into(),
            main,
            predicts,
            centres: std::mem::take(&mut self.centres).into(),
        })
    }

    fn parameters(&mut self) -> Parsed<Vec<String>> {
        let mut names: Vec<String> = Vec::new();
        if !self.take_symbol("(") {
            return Ok(names);
        }
        while !self.take_symbol(")") {
            if !names.is_empty() {
                self.symbol(",")?;
            }
            let (name, span) = self.name("the name of a variable")?;
            if names.contains(&name) {
                return Err(ProgramError::new(span, format!("`{name}` stands here twice")));
            }
            names.push(name);
        }
        Ok(names)
    }

    fn block(&mut self) -> Parsed<Block> {
        let open = self.symbol("{")?;
        let number = self.blocks;
        self.blocks += 1;
        let statements = self.nested(|parser| {
            let mut statements = Vec::new();
            while !parser.take_symbol("}") {
                if parser.peek().kind == TokenKind::End {
                    return Err(ProgramError::new(open, "this `{` is not closed"));
                }
                if !parser.take_symbol(";") {
                    statements.push(parser.statement()?);
                }
            }
            Ok(statements)
        })?;
        Ok(Block { number, statements: statements.into() })
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let start = self.peek().span;
        let TokenKind::Word(word) = self.peek().kind.clone() else { return self.unexpected("a statement") };
        let kind = if STATEMENTS.contains(&word.as_str()) {
            self.bump();
            self.keyword(&word, start)?
        } else {
            self.assignment_or_call(&word, start)?
        };
        Ok(Statement { kind, span: start.join(self.last_span()) })
    }

    fn last_span(&self) -> Span {
        self.tokens[self.next.saturating_sub(1)].span
    }

    fn centre(&mut self, start: Span) -> usize {
        let span = start.join(self.last_span());
        let text = self.text[span.start..span.end].split_whitespace().collect::<Vec<_>>().join(" ");
        let line = self.text[..span.start].matches('\n').count() + 1;
        self.centres.push(Centre { text, line });
        self.centres.len() - 1
    }

    fn keyword(&mut self, word: &str, start: Span) -> Parsed<StatementKind> {
        Ok(match word {
            "compute" => {
                let time = self.expression()?;
                StatementKind::Compute { time, centre: self.centre(start) }
            }
            "send" => {
                let bytes = self.expression()?;
                self.word("to")?;
                let to = if self.take_word("all") { To::All } else { To::Processor(self.expression()?) };
                StatementKind::Send { bytes, to }
            }
            "relation" => StatementKind::Relation { bytes: self.expression()? },
            "sync" => self.synchronise(true, start)?,
            "oblsync" => self.synchronise(false, start)?,
            "exchange" => {
                let bytes = self.expression()?;
                self.word("with")?;
                let to = To::Processor(self.expression()?);
                self.sent_and_synchronised(StatementKind::Send { bytes, to }, start)?
            }
            "broadcast" => {
                let bytes = self.expression()?;
                self.word("from")?;
                let root = self.expression()?;
                let span = root.span;
                let pid = Expression { kind: ExpressionKind::Name("pid".to_owned()), span };
                let is_root = ExpressionKind::Binary(Binary::Equal, Box::new(pid), Box::new(root));
                let send = Statement { kind: StatementKind::Send { bytes, to: To::All }, span };
                let then = Block { number: self.blocks, statements: [send].into() };
                self.blocks += 1;
                let condition = Expression { kind: is_root, span };
                self.sent_and_synchronised(StatementKind::If { condition, then, otherwise: None }, start)?
            }
            "if" => self.if_statement()?,
            "for" => self.for_statement()?,
            "repeat" => {
                let last = self.expression()?;
                let one = |value| Expression { kind: ExpressionKind::Number(value), span: last.span };
                let (first, step) = (one(1.0), one(1.0));
                let body = self.block()?;
                // No program can name this variable.
                let variable = " repeat".to_owned();
                StatementKind::For { variable, first, last, advance: Advance::By(step), body }
            }
            _ => self.partition()?,
        })
    }

    fn synchronise(&mut self, is_barrier: bool, start: Span) -> Parsed<StatementKind> {
        let costs = if self.take_word("costs") { Some(self.expression()?) } else { None };
        Ok(StatementKind::Synchronise { is_barrier, costs, centre: self.centre(start) })
    }

    fn sent_and_synchronised(&mut self, send: StatementKind, start: Span) -> Parsed<StatementKind> {
        let span = start.join(self.last_span());
        let send = Statement { kind: send, span };
        let synchronise = Statement { kind: self.synchronise(false, start)?, span };
        Ok(StatementKind::Several(vec![send, synchronise]))
    }

    fn if_statement(&mut self) -> Parsed<StatementKind> {
        let condition = self.expression()?;
        let then = self.block()?;
        let otherwise = match self.take_word("else") {
            false => None,
            true if self.at_symbol("{") => Some(self.block()?),
            true => {
                let start = self.word("if")?;
                let number = self.blocks;
                self.blocks += 1;
                let kind = self.nested(Self::if_statement)?;
                let inner = Statement { kind, span: start.join(self.last_span()) };
                Some(Block { number, statements: [inner].into() })
            }
        };
        Ok(StatementKind::If { condition, then, otherwise })
    }

    fn for_statement(&mut self) -> Parsed<StatementKind> {
        let (variable, span) = self.name("the variable of a loop")?;
        self.symbol("=")?;
        let first = self.expression()?;
        self.symbol("..")?;
        let last = self.expression()?;
        let advance = if self.take_word("times") {
            Advance::Times(self.expression()?)
        } else if self.take_word("step") {
            Advance::By(self.expression()?)
        } else {
            Advance::By(Expression { kind: ExpressionKind::Number(1.0), span })
        };
        let body = self.block()?;
        Ok(StatementKind::For { variable, first, last, advance, body })
    }

    /// `partition A, B { … }`, where all parts do the same, or `partition A { … } B { … }`.
    fn partition(&mut self) -> Parsed<StatementKind> {
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

    fn assignment_or_call(&mut self, word: &str, start: Span) -> Parsed<StatementKind> {
        let behind = &self.tokens[(self.next + 1).min(self.tokens.len() - 1)].kind;
        match behind {
            TokenKind::Symbol("=") => {
                let (name, _) = self.name("a variable")?;
                self.bump();
                Ok(StatementKind::Assign { name, value: self.expression()? })
            }
            TokenKind::Symbol("(") => {
                self.bump();
                self.bump();
                let arguments = self.arguments()?;
                Ok(StatementKind::Call { procedure: word.to_owned(), name_span: start, arguments })
            }
            _ => Err(ProgramError::new(start, format!("`{word}` begins no statement")).suggesting(
                suggest(word, STATEMENTS.iter().copied()),
                format!("statements are `NAME = …`, `TASK(…)` and {}", STATEMENTS.join(", ")),
            )),
        }
    }

    /// Expressions up to the closing parenthesis.
    fn arguments(&mut self) -> Parsed<Vec<Expression>> {
        let mut arguments = Vec::new();
        while !self.take_symbol(")") {
            if !arguments.is_empty() {
                self.symbol(",")?;
            }
            arguments.push(self.expression()?);
        }
        Ok(arguments)
    }

    fn expression(&mut self) -> Parsed<Expression> {
        self.nested(|parser| parser.level(0))
    }

    fn level(&mut self, level: usize) -> Parsed<Expression> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.level(level + 1)?;
        while let TokenKind::Symbol(symbol) = self.peek().kind {
            let Some((_, operator)) = operators.iter().find(|(known, _)| *known == symbol) else { break };
            self.bump();
            let right = self.level(level + 1)?;
            let span = left.span.join(right.span);
            left =
                Expression { kind: ExpressionKind::Binary(*operator, Box::new(left), Box::new(right)), span };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expression> {
        let start = self.peek().span;
        let operator = if self.take_symbol("-") {
            Unary::Negate
        } else if self.take_symbol("!") {
            Unary::Not
        } else {
            return self.operand();
        };
        let inside = self.nested(Self::unary)?;
        let span = start.join(inside.span);
        Ok(Expression { kind: ExpressionKind::Unary(operator, Box::new(inside)), span })
    }

    fn operand(&mut self) -> Parsed<Expression> {
        let start = self.peek().span;
        let kind = match self.peek().kind.clone() {
            TokenKind::Number(value) => {
                self.bump();
                ExpressionKind::Number(value)
            }
            TokenKind::Symbol("(") => {
                self.bump();
                let inside = self.expression()?;
                self.symbol(")")?;
                inside.kind
            }
            TokenKind::Word(word) => {
                if STATEMENTS.contains(&word.as_str()) {
                    return self.unexpected("a value");
                }
                self.bump();
                self.named(word, start)?
            }
            _ => return self.unexpected("a value"),
        };
        Ok(Expression { kind, span: start.join(self.last_span()) })
    }

    /// What begins with a name that is passed.
    fn named(&mut self, word: String, start: Span) -> Parsed<ExpressionKind> {
        if self.take_symbol("[") {
            let span = self.peek().span;
            let index = match self.bump().kind {
                TokenKind::Number(index) if index.fract() == 0.0 && index <= f64::from(u16::MAX) => {
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
                let message =
                    format!("{word} takes {} values, here are {}", function.arity(), arguments.len());
                return Err(ProgramError::new(start.join(self.last_span()), message));
            }
            return Ok(ExpressionKind::Function(function, arguments));
        }
        let mut values = Vec::new();
        while !self.take_symbol(")") {
            if !values.is_empty() {
                self.symbol(",")?;
            }
            let at = self.peek().span;
            let TokenKind::Word(variable) = self.bump().kind else {
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
