use std::io::{self, Write};
use std::process::ExitCode;

use call_report::export;
use clap::ValueEnum;
use llac::{AnswerStatus, CommandOutcome, Error, json, wrapped_error};

use crate::style::{Painter, width_of_standard_error};

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// For people.
    Text,
    /// The table of each command, with an empty line between them.
    Csv,
    /// One object with the results of all commands.
    Json,
    /// An object for each command.
    Jsonl,
}

/// Where results leave the program: results on standard output, the rest on standard error.
pub struct Door {
    format: OutputFormat,
    painter: Painter,
    /// What one object will hold at the end.
    results: Vec<serde_json::Value>,
    has_failed: bool,
    /// Whether the last question has an answer.
    answer: AnswerStatus,
    /// The worst answer of the gates.
    of_gates: AnswerStatus,
    /// Whether a table was written.
    has_tables: bool,
}

/// Whether the reader still wants to have more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    Listens,
    IsGone,
}

impl Door {
    pub fn new(format: OutputFormat) -> Door {
        let painter = Painter::for_standard_output();
        Door {
            format,
            painter,
            results: Vec::new(),
            has_failed: false,
            answer: AnswerStatus::Given,
            of_gates: AnswerStatus::Given,
            has_tables: false,
        }
    }

    pub fn format(&self) -> OutputFormat {
        self.format
    }

    /// Writes what a command has to show that may be the last: the exit status is by its answer.
    pub fn show_last(&mut self, outcome: &CommandOutcome) -> Result<Audience, String> {
        if !outcome.is_silent() {
            self.answer = outcome.answer;
        }
        if outcome.is_gate {
            self.of_gates = worse(self.of_gates, outcome.answer);
        }
        self.show(outcome)
    }

    /// Writes what a command has to show.
    pub fn show(&mut self, outcome: &CommandOutcome) -> Result<Audience, String> {
        let text = match self.format {
            OutputFormat::Text => self.painter.page(|page| outcome.value.render(page)),
            OutputFormat::Csv => self.table(outcome)?,
            OutputFormat::Jsonl => json::outcome(outcome).to_string() + "\n",
            OutputFormat::Json => {
                self.results.push(json::outcome(outcome));
                return Ok(Audience::Listens);
            }
        };
        let reader = write(text.as_bytes())?;
        if matches!(self.format, OutputFormat::Text | OutputFormat::Csv) {
            tell(&self.painter.page(|page| outcome.render_remarks(page)));
        }
        Ok(reader)
    }

    /// Writes why a command did nothing, for a program that goes on asking.
    pub fn show_error(&mut self, error: &Error) -> Result<Audience, String> {
        write((json::error(error).to_string() + "\n").as_bytes())
    }

    /// Tells the error that ends a script; `message` is for people.
    pub fn fail(&mut self, error: &Error, message: &str) {
        self.has_failed = true;
        match self.format {
            OutputFormat::Json => self.results.push(json::error(error)),
            // Whoever reads the answers reads this one, too; nobody is left to tell of a failure.
            OutputFormat::Jsonl => drop(self.show_error(error)),
            OutputFormat::Text | OutputFormat::Csv => {}
        }
        tell_error(message);
    }

    /// The main tables; without these all of equal columns as one; of others the user has to choose.
    fn table(&mut self, outcome: &CommandOutcome) -> Result<String, String> {
        let text = match export::csv(outcome.value.tables_for_one()) {
            Ok(text) => text,
            Err(call_report::Error::NoTable) => return Ok(String::new()),
            Err(call_report::Error::SeveralTables { names }) => return Err(several_tables(&names)),
            Err(error) => return Err(format!("llac: {error}")),
        };
        let separator = if self.has_tables { "\n" } else { "" };
        self.has_tables = true;
        Ok(separator.to_owned() + &text)
    }

    /// Writes what was kept for the end, and tells the exit status.
    pub fn close(self) -> ExitCode {
        if self.format == OutputFormat::Json {
            let all = serde_json::json!({ "schema_version": json::SCHEMA_VERSION, "results": self.results });
            if let Err(message) = write((all.to_string() + "\n").as_bytes()) {
                tell_error(&message);
                return ExitCode::from(2);
            }
        }
        match (self.has_failed, worse(self.of_gates, self.answer)) {
            (true, _) => ExitCode::from(2),
            (false, AnswerStatus::No) => ExitCode::from(1),
            (false, AnswerStatus::Unknown) => ExitCode::from(3),
            (false, AnswerStatus::Given) => ExitCode::SUCCESS,
        }
    }
}

/// The worse one of two answers: what is worse is surer than what cannot be told.
fn worse(one: AnswerStatus, other: AnswerStatus) -> AnswerStatus {
    let rank = |answer| match answer {
        AnswerStatus::Given => 0,
        AnswerStatus::Unknown => 1,
        AnswerStatus::No => 2,
    };
    if rank(other) > rank(one) { other } else { one }
}

fn several_tables(names: &[String]) -> String {
    let mut files: Vec<String> = names.iter().map(|name| format!("`into FILE.{name}.csv`")).collect();
    files.dedup();
    format!(
        "llac: CSV holds one table, and the result has {}\nhelp: choose one behind the command: {}",
        names.len(),
        files.join(", ")
    )
}

/// Writes to standard output.
pub fn write(bytes: &[u8]) -> Result<Audience, String> {
    match io::stdout().write_all(bytes).and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Audience::IsGone),
        Err(error) => Err(format!("llac: cannot write the output: {error}")),
        Ok(()) => Ok(Audience::Listens),
    }
}

/// Writes to standard error. If nobody reads it, nobody misses it.
pub fn tell(text: &str) {
    drop(io::stderr().write_all(text.as_bytes()));
}

/// Writes an error there, in lines that fit.
pub fn tell_error(message: &str) {
    tell(&format!("{}\n", wrapped_error(message, width_of_standard_error()).trim_end()));
}

#[cfg(test)]
mod tests {
    use llac::Markup;

    use super::*;

    fn status(answers: &[Option<AnswerStatus>], has_failed: bool) -> String {
        status_of(answers, has_failed, false)
    }

    fn status_of(answers: &[Option<AnswerStatus>], has_failed: bool, is_gate: bool) -> String {
        let mut door = Door { has_failed, ..Door::new(OutputFormat::Csv) };
        for answer in answers {
            // A paragraph is no table, so nothing is written here.
            let mut value = Markup::new();
            answer.iter().for_each(|_| value.paragraph("x"));
            let answer = answer.unwrap_or_default();
            door.show_last(&CommandOutcome { answer, is_gate, ..CommandOutcome::of(value) }).unwrap();
        }
        format!("{:?}", door.close())
    }

    #[test]
    fn the_worst_gate_is_the_exit_status() {
        let is = |code: u8| format!("{:?}", ExitCode::from(code));
        let of = |answers: &[AnswerStatus]| {
            let answers: Vec<Option<AnswerStatus>> = answers.iter().copied().map(Some).collect();
            status_of(&answers, false, true)
        };
        assert_eq!(of(&[AnswerStatus::No, AnswerStatus::Given]), is(1));
        assert_eq!(of(&[AnswerStatus::Unknown, AnswerStatus::Given]), is(3));
        assert_eq!(of(&[AnswerStatus::No, AnswerStatus::Unknown, AnswerStatus::Given]), is(1));
        assert_eq!(of(&[AnswerStatus::Given, AnswerStatus::Given]), is(0));
        assert_eq!(status_of(&[Some(AnswerStatus::Unknown)], true, true), is(2));
    }

    #[test]
    fn the_last_answer_is_the_exit_status() {
        let is = |code: u8| format!("{:?}", ExitCode::from(code));
        assert_eq!(status(&[], false), is(0));
        assert_eq!(status(&[Some(AnswerStatus::No), Some(AnswerStatus::Given)], false), is(0));
        assert_eq!(
            status(&[Some(AnswerStatus::Given), Some(AnswerStatus::No), None], false),
            is(1),
            "nothing is no answer"
        );
        assert_eq!(status(&[Some(AnswerStatus::No)], true), is(2));
        assert_eq!(status(&[Some(AnswerStatus::Unknown)], false), is(3));
    }
}
