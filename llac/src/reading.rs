//! From the names of files to samples.

use std::io::{self, Read};

use call_exchange::TimeUnit;
use call_trace::{Condensation, Dataset, Header, Limits, Reader, Trace};

use crate::incompleteness::incompleteness;
use crate::words::Word;
use crate::{Error, Outcome, Session};

/// What the user says about the files of a command.
#[derive(Debug, Clone, Default)]
pub struct Options {
    exchange: call_exchange::Options,
}

/// The names of options, before their `=`.
const NAMES: [&str; 7] = ["time", "unit", "experiment", "name", "processors", "without", "keep"];

/// Whether a word is an option rather than a file.
pub fn is_option(word: &Word) -> bool {
    word.text.split_once('=').is_some_and(|(name, _)| NAMES.contains(&name))
}

impl Options {
    /// Words `NAME=VALUE`.
    pub fn of(words: &[Word]) -> Result<Options, Error> {
        let mut exchange = call_exchange::Options::default();
        for word in words {
            let (name, value) = word.text.split_once('=').unwrap_or((&word.text, ""));
            let one = || Some(value.to_owned());
            let several = || value.split(',').map(str::to_owned).collect();
            match name {
                "time" => exchange.time_column = one(),
                "unit" => {
                    exchange.time_unit = Some(TimeUnit::named(value).ok_or_else(|| {
                        Error::at(word.span.clone(), format!("`{value}` is no unit of time"))
                            .help("for example `unit=ms`; also s, us, ns, min, h")
                    })?);
                }
                "experiment" => exchange.experiment_columns = several(),
                "name" => exchange.experiment_name = one(),
                "processors" => exchange.processors_column = one(),
                "without" => exchange.leave_out = several(),
                _ => exchange.keep = several(),
            }
        }
        Ok(Options { exchange })
    }
}

/// So much of a file is read at once; the cache of a processor holds it.
const WINDOW_BYTES: usize = 1 << 20;
/// What traces begin with.
const MAGIC: &[u8] = b"# call-trace ";

impl Session {
    /// The files that a word of the command line means; at least one.
    pub(crate) fn files(&self, word: &Word) -> Result<Vec<String>, Error> {
        let fail = |text: String| Error::at(word.span.clone(), text);
        let files = self
            .workspace
            .matching(&word.text)
            .map_err(|error| fail(format!("cannot look for {}: {error}", word.text)))?;
        if files.is_empty() {
            return Err(fail(match word.text.contains(['*', '?', '[']) {
                true => format!("no file matches {}", word.text),
                false => format!("cannot read {}: no such file", word.text),
            }));
        }
        Ok(files)
    }

    /// Reads a file into `data` and tells in the outcome what is remarkable about it.
    pub(crate) fn add(
        &self,
        data: &mut Dataset,
        path: &str,
        word: &Word,
        options: &Options,
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        let fail = |text: String| Error::at(word.span.clone(), text);
        let held = data.experiments.iter().map(|known| known.samples.len()).sum();
        let (trace, notes) = self.read(path, options, Limits::default().beside(held)).map_err(fail)?;
        outcome.notes.extend(notes);
        let missing = incompleteness(&trace.completeness).map(|text| format!("{path} {text}"));
        outcome.warnings.extend(missing.into_iter().chain(remarkable(path, &trace.header)));
        let condensed = trace.condensations.iter().map(|its| format!("{path}: {}", condensation(its)));
        outcome.warnings.extend(condensed);
        data.add(path, trace).map_err(|error| fail(error.to_string()))
    }

    /// Reads a file of any format, with notes. A trace is never in memory as a whole.
    fn read(&self, path: &str, options: &Options, limits: Limits) -> Result<(Trace, Vec<String>), String> {
        let cannot_read = |error| format!("cannot read {path}: {error}");
        let mut file = self.workspace.open(path).map_err(cannot_read)?;
        let mut window = vec![0; WINDOW_BYTES];
        let mut length = fill(&mut *file, &mut window).map_err(cannot_read)?;
        if !window[..length].starts_with(MAGIC) {
            let mut bytes = window;
            bytes.truncate(length);
            file.read_to_end(&mut bytes).map_err(cannot_read)?;
            let imported = call_exchange::read(path, &bytes, &options.exchange)
                .map_err(|error| format!("{path}: {error}"))?;
            let notes = imported.notes.iter().map(|note| format!("{path}: {note}"));
            return Ok((imported.trace, notes.collect()));
        }
        let mut reader = Reader::new(limits);
        while length > 0 {
            reader.push(&window[..length]).map_err(|error| format!("{path}: {error}"))?;
            length = fill(&mut *file, &mut window).map_err(cannot_read)?;
        }
        let trace = reader.finish().map_err(|error| format!("{path}: {error}"))?;
        Ok((trace, Vec::new()))
    }
}

/// Reads until the window is full or the file ends.
fn fill(file: &mut dyn Read, window: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < window.len() {
        match file.read(&mut window[length..]) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

/// What is to be known of measurements that were too many.
fn condensation(of: &Condensation) -> String {
    let Condensation { experiment, measurements, points_per_kept } = of;
    let points = match points_per_kept {
        1 => String::new(),
        several => format!(", and so are the points: one in {several} is left, whole"),
    };
    format!(
        "the {measurements} measurements of `{experiment}` are too many to keep each{points}; they are summed up at each point: counts, \
         means and minima are exact, medians come from up to 16 measurements"
    )
}

fn remarkable(path: &str, header: &Header) -> Vec<String> {
    let mut warnings = Vec::new();
    if header.abandoned > 0 {
        warnings.push(format!("{path}: {} measurements were begun and never ended", header.abandoned));
    }
    if let Some(cores) = header.cores.filter(|cores| header.processors > *cores)
        && header.transport == "embedded"
    {
        let processors = header.processors;
        warnings
            .push(format!("{path}: {processors} processors shared {cores} cores: their times mean little"));
    }
    warnings
}
