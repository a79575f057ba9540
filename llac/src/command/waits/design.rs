//! `advise allocation`: where to run a program first.

use call_report::{Column, Table};
use call_waitmodel::informative;

use super::model_words::ModelWords;
use crate::command::CommandArguments;
use crate::command::points::{GivenValues, combinations, expected_value, missing_value};
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Error, Markup, Style};

/// How many points may be run.
const RUNS: &str = "runs";

/// `runs=COUNT VARIABLE=VALUES…`.
pub fn advise_allocation(words: &[Word], arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let mut words = ModelWords::of(words)?;
    if let Some(word) = words.data {
        return Err(expected_value(word));
    }
    let runs = words.take(RUNS).ok_or_else(|| missing_value(RUNS, arguments.end()))?;
    let count = match runs.values[..] {
        [count] if count.fract() == 0.0 && count >= 1.0 => count as usize,
        _ => {
            let message = "`runs` is a number of runs";
            return Err(Error::at(code::WRONG_VALUE, runs.span, message).help("for example `runs=14`"));
        }
    };
    if words.given.is_empty() {
        let message = "no variable has values to choose from";
        return Err(
            Error::at(code::MISSING_VALUE, arguments.end(), message).help("for example `p0=1..4 p1=1..5`")
        );
    }
    let points = combinations(&words.given.iter().collect::<Vec<&GivenValues>>())?;
    let chosen = informative(&points, count)?;
    let mut markup = Markup::new();
    markup.line(Style::Plain, format!("{count} of {} points to run first:", points.len()));
    let columns = words.given.iter().map(|one| Column::right(one.name.as_str()));
    let mut table = Table::new(columns).named("design");
    for point in chosen {
        table.row(points[point].iter().copied());
    }
    markup.table(table);
    Ok(CommandOutcome::of(markup))
}
