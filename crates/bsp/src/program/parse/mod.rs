//! From text to a program, by recursive descent; one function a production of the grammar in `program.ebnf`.

mod expression;
mod statement;

use std::collections::HashSet;

use call_grammar::Span;

use super::syntax::{Procedure, StatementBlock};
use super::token::{ProgramToken, ProgramTokenKind, tokens};
use super::{CostCentre, Program, ProgramError};

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
    "part", "h",
];

/// Deeper nesting is refused, so that recursion over a program needs little stack.
const DEEPEST: usize = 50;

/// Longer expressions are refused, for the same reason.
const LONGEST: usize = 500;

pub fn parse(text: &str) -> Result<Program, ProgramError> {
    let tokens = tokens(text)?;
    let newlines = text.match_indices('\n').map(|(at, _)| at).collect();
    let mut parser = ProgramParser {
        text,
        newlines,
        tokens: &tokens,
        next: 0,
        depth: 0,
        blocks: 0,
        values: None,
        centres: Vec::new(),
    };
    parser.file()
}

struct ProgramParser<'a> {
    text: &'a str,
    newlines: Vec<usize>,
    tokens: &'a [ProgramToken],
    next: usize,
    depth: usize,
    blocks: usize,
    /// Values that stand in the expression so far; `None` outside of expressions.
    values: Option<usize>,
    centres: Vec<CostCentre>,
}

type ParseResult<T> = Result<T, ProgramError>;

impl ProgramParser<'_> {
    fn peek(&self) -> &ProgramToken {
        &self.tokens[self.next]
    }

    fn bump(&mut self) -> ProgramToken {
        let token = self.peek().clone();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    fn at_symbol(&self, symbol: &str) -> bool {
        matches!(self.peek().kind, ProgramTokenKind::Symbol(found) if found == symbol)
    }

    fn take_symbol(&mut self, symbol: &str) -> bool {
        let found = self.at_symbol(symbol);
        if found {
            self.bump();
        }
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = matches!(&self.peek().kind, ProgramTokenKind::Word(found) if found == word);
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

    fn unexpected<T>(&self, wanted: &str) -> ParseResult<T> {
        Err(self.unexpected_error(wanted))
    }

    fn unexpected_error(&self, wanted: &str) -> ProgramError {
        let span = self.peek().span;
        let found = match self.peek().kind {
            ProgramTokenKind::End => "the program ends".to_owned(),
            _ => format!("`{}` stands", self.written(span)),
        };
        ProgramError::new(span, format!("{found} where {wanted} is expected"))
    }

    fn symbol(&mut self, symbol: &str) -> ParseResult<Span> {
        if self.at_symbol(symbol) { Ok(self.bump().span) } else { self.unexpected(&format!("`{symbol}`")) }
    }

    fn word(&mut self, word: &str) -> ParseResult<Span> {
        let span = self.peek().span;
        if self.take_word(word) { Ok(span) } else { self.unexpected(&format!("`{word}`")) }
    }

    /// A name of the program's own.
    fn name(&mut self, what: &str) -> ParseResult<(String, Span)> {
        let ProgramTokenKind::Word(name) = self.peek().kind.clone() else { return self.unexpected(what) };
        let span = self.bump().span;
        if STATEMENTS.contains(&name.as_str()) || RESERVED.contains(&name.as_str()) {
            return Err(ProgramError::new(
                span,
                format!("`{name}` has a meaning of its own and cannot be {what}"),
            )
            .help(format!("take another name, such as `its_{name}`")));
        }
        Ok((name, span))
    }

    fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> ParseResult<T>) -> ParseResult<T> {
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

    fn file(&mut self) -> ParseResult<Program> {
        let mut procedures: Vec<Procedure> = Vec::new();
        let mut names = HashSet::new();
        let mut main = None;
        let mut predicts = None;
        loop {
            let start = self.peek().span;
            if self.peek().kind == ProgramTokenKind::End {
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
            if !names.insert(name.clone()) {
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

    fn parameters(&mut self) -> ParseResult<Vec<String>> {
        let mut names: Vec<String> = Vec::new();
        let mut known = HashSet::new();
        if !self.take_symbol("(") {
            return Ok(names);
        }
        while !self.take_symbol(")") {
            if !names.is_empty() {
                self.comma()?;
            }
            let (name, span) = self.name("the name of a variable")?;
            if !known.insert(name.clone()) {
                return Err(ProgramError::new(span, format!("`{name}` stands here twice")));
            }
            names.push(name);
        }
        Ok(names)
    }

    /// The comma between items of a list that ends with a parenthesis.
    fn comma(&mut self) -> ParseResult<()> {
        if self.take_symbol(",") { Ok(()) } else { self.unexpected("`,` or `)`") }
    }

    fn block(&mut self) -> ParseResult<StatementBlock> {
        let open = self.symbol("{").map_err(|error| match self.peek().kind {
            ProgramTokenKind::Symbol("=") => error.help("`==` compares"),
            _ => error,
        })?;
        let number = self.blocks;
        self.blocks += 1;
        let statements = self.deeper(|parser| {
            let mut statements = Vec::new();
            while !parser.take_symbol("}") {
                if parser.peek().kind == ProgramTokenKind::End {
                    return Err(ProgramError::new(open, "this `{` is not closed"));
                }
                if !parser.take_symbol(";") {
                    parser.statement(&mut statements)?;
                }
            }
            Ok(statements)
        })?;
        Ok(StatementBlock { number, statements: statements.into() })
    }
}
