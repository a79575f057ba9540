//! Whether new samples have the columns that the formula of the baseline needs.

use call_exchange::{Error as ReadError, is_own_table};
use call_model::{Model, PROCESSORS};
use call_trace::{Dataset, Experiment, Run};

use crate::command::values::number;
use crate::error::code;
use crate::reading::{MAGIC, ReadingOptions};
use crate::words::Word;
use crate::{Error, Session};

/// `P=16`: on how many processors all new runs were measured.
pub struct CommonProcessors(pub Option<f64>);

pub fn is_processors(word: &Word) -> bool {
    word.assignment().is_some_and(|(name, _)| name == PROCESSORS)
}

impl CommonProcessors {
    pub fn of(words: &[Word]) -> Result<CommonProcessors, Error> {
        let [word, rest @ ..] = words else { return Ok(CommonProcessors(None)) };
        if let Some(second) = rest.first() {
            return Err(second.error(code::GIVEN_TWICE, format!("`{PROCESSORS}` is given twice")));
        }
        let value = word.assignment().and_then(|(_, value)| number(value));
        let value = value.filter(|value| *value >= 1.0 && value.fract() == 0.0).ok_or_else(|| {
            word.error(code::WRONG_VALUE, "this is no number of processors").help("for example `P=16`")
        })?;
        Ok(CommonProcessors(Some(value)))
    }

    /// Makes them those of all samples.
    pub fn set(&self, data: &mut Dataset) {
        let Some(processors) = self.0 else { return };
        for experiment in &mut data.experiments {
            for samples in [&mut experiment.samples, &mut experiment.summaries.points] {
                let own = samples.names.iter().position(|name| name == PROCESSORS);
                if let Some(column) = own.and_then(|place| samples.columns.get_mut(place)) {
                    column.fill(processors);
                }
            }
        }
    }
}

/// # Errors
/// If a variable of the formula is no column of the samples.
pub fn check_columns(model: &Model, experiment: &Experiment, word: &Word) -> Result<(), Error> {
    let is_known = |name: &str| experiment.samples.names.iter().any(|known| known == name);
    let missing = model.formula().variables().iter().find(|variable| !is_known(variable.name()));
    let Some(missing) = missing else { return Ok(()) };
    let name = missing.name();
    let message =
        format!("the new samples have no column `{name}`, and the formula of the baseline needs it");
    let own: Vec<String> = experiment.samples.names.iter().map(|name| format!("`{name}`")).collect();
    Err(word.error(code::UNKNOWN_VARIABLE, message).help(format!("they have {}", call_grammar::listed(&own))))
}

/// Whether the formula goes by the number of processors, the runs of the baseline had several, and the new ones have one.
pub fn has_lost_processors(model: &Model, experiment: &Experiment) -> bool {
    let variables = model.formula().variables();
    let place = variables.iter().position(|variable| variable.name() == PROCESSORS);
    let had_several =
        place.and_then(|place| model.ranges().get(place)).is_some_and(|range| range.highest > 1.0);
    let samples = [&experiment.samples, &experiment.summaries.points];
    let mut values = samples.into_iter().filter_map(|samples| samples.column(PROCESSORS)).flatten();
    had_several && values.all(|value| *value == 1.0)
}

/// # Errors
/// If a table that was read has no number of processors, so that 1 was assumed.
pub fn check_processors(
    session: &Session,
    words: &[Word],
    options: &ReadingOptions,
    runs: &[Run],
) -> Result<(), Error> {
    let Some(word) = words.first() else { return Ok(()) };
    let read_as = session.state().data().read_as();
    for path in runs.iter().filter_map(|run| run.files.last()) {
        let options = read_as.get(path).unwrap_or_else(|| options.of_files());
        let Ok(bytes) = session.workspace.read(path) else { continue };
        if options.processors_column.is_some() || bytes.starts_with(MAGIC) || is_own_table(&bytes) {
            continue;
        }
        // Read so, a table has to have the column.
        let asked =
            call_exchange::ReadOptions { processors_column: Some(PROCESSORS.to_owned()), ..options.clone() };
        if let Err(ReadError::UnknownColumn { columns, .. }) = call_exchange::read(path, &bytes, &asked) {
            let column = columns.iter().find(|column| call_exchange::is_processors(column));
            let column = column.map_or("COLUMN", String::as_str);
            let message = format!(
                "{path} does not say on how many processors it was measured, and the formula of the baseline goes by `{PROCESSORS}`"
            );
            return Err(word.error(code::UNKNOWN_VARIABLE, message).help(format!(
                "say `processors={column}` behind the files, or `{PROCESSORS}=16` if all of them were measured on 16"
            )));
        }
    }
    Ok(())
}
