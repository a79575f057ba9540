//! What the user says about files that are read.

use call_exchange::{DecimalSign, OriginalNames};
use call_trace::Unit;

use crate::Error;
use crate::error::code;
use crate::words::Word;

/// What the user says about the files of a command.
#[derive(Debug, Clone, Default)]
pub struct ReadingOptions {
    pub(super) exchange: call_exchange::ReadOptions,
    /// Whether they say that values are inclusive or exclusive.
    has_values: bool,
}

/// The names of options, before their `=`.
const NAMES: [&str; 11] = [
    "time",
    "metric",
    "values",
    "unit",
    "decimal",
    "sheet",
    "experiment",
    "name",
    "processors",
    "without",
    "keep",
];

/// Whether a word is an option rather than a file.
pub fn is_option(word: &Word) -> bool {
    word.assignment().is_some_and(|(name, _)| NAMES.contains(&name))
}

impl ReadingOptions {
    /// What they say of each file.
    pub fn of_files(&self) -> &call_exchange::ReadOptions {
        &self.exchange
    }

    /// The same, with what other files of the set called what they have.
    pub fn with_names(mut self, names: OriginalNames) -> ReadingOptions {
        self.exchange.names = names;
        self
    }

    /// The same, with this response where they say none: that of samples which the files are set beside.
    pub fn or_response(mut self, response: Option<&str>) -> ReadingOptions {
        self.exchange.response = self.exchange.response.or_else(|| response.map(str::to_owned));
        self
    }

    /// The same, with inclusive values where they say nothing of that and the samples beside which the files are set have such.
    pub fn or_inclusive(mut self, is_inclusive: bool) -> ReadingOptions {
        self.exchange.is_inclusive |= is_inclusive && !self.has_values;
        self
    }

    /// Words `NAME=VALUE`.
    pub fn of(words: &[Word]) -> Result<ReadingOptions, Error> {
        let mut exchange = call_exchange::ReadOptions::default();
        for word in words {
            let (name, value) = word.assignment().unwrap_or((&word.text, ""));
            let one = || Some(value.to_owned());
            let several = || value.split(',').map(str::to_owned).collect();
            match name {
                "time" => exchange.response = one(),
                "metric" => exchange.metrics = several(),
                "values" => {
                    exchange.is_inclusive = match value {
                        "inclusive" => true,
                        "exclusive" => false,
                        _ => {
                            return Err(word
                                .error(code::WRONG_VALUE, format!("values of call paths are not `{value}`"))
                                .help("`values=inclusive` adds those of all calls below, `values=exclusive` does not"));
                        }
                    }
                }
                "unit" => {
                    exchange.unit = Some(Unit::named(value).ok_or_else(|| {
                        word.error(code::WRONG_VALUE, format!("`{value}` is no unit")).help(
                            "for example `unit=ms`; also s, us, ns, min, h, or any other as `unit=bytes`",
                        )
                    })?);
                }
                "decimal" => {
                    let signs = [DecimalSign::Point, DecimalSign::Comma];
                    let sign = signs.into_iter().find(|sign| value.chars().eq([sign.symbol()]));
                    exchange.decimal = Some(sign.ok_or_else(|| {
                        word.error(code::WRONG_VALUE, format!("`{value}` stands before no decimals"))
                            .help("`decimal=,` for 12,5 or `decimal=.` for 12.5")
                    })?);
                }
                "sheet" => exchange.sheet = one(),
                "experiment" => exchange.experiment_columns = several(),
                "name" => exchange.experiment_name = one(),
                "processors" => exchange.processors_column = one(),
                "without" => exchange.leave_out = several(),
                _ => exchange.keep = several(),
            }
        }
        let has_values = words.iter().any(|word| word.assignment().is_some_and(|(name, _)| name == "values"));
        Ok(ReadingOptions { exchange, has_values })
    }
}
