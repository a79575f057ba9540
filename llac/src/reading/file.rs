//! From the bytes of one file, of any format, to its runs.

use std::io::{self, Read};

use call_exchange::{ColumnarSamples, Imported, Note, OF_TABLES, OriginalNames, is_own_table};
use call_trace::{Experiment, Limits, NoResponse, Trace, TraceReader};

use super::options::ReadingOptions;
use crate::error::code;
use crate::{Error, Workspace};

/// So much of a file is read at once; the cache of a processor holds it. It is less than glibc maps: once that is freed, smaller blocks lie beside each other in the
/// heap, where what is freed between others is lost to larger ones.
const WINDOW_BYTES: usize = 1 << 16;

/// What traces begin with.
pub const MAGIC: &[u8] = b"# call-trace ";

/// A run of a file, with the files that it was read from first.
pub(crate) struct ReadRun {
    pub(crate) files: Vec<String>,
    pub(crate) trace: Trace,
}

impl ReadRun {
    /// The runs of a table that tells them apart.
    fn each(path: &str, imported: Imported) -> Vec<ReadRun> {
        let traces = imported.into_traces();
        let has_several = traces.len() > 1;
        let file = |run: usize| if has_several { format!("run {run}") } else { path.to_owned() };
        traces.into_iter().zip(0..).map(|(trace, run)| ReadRun { files: vec![file(run)], trace }).collect()
    }

    pub(super) fn of(path: &str, trace: Trace) -> ReadRun {
        ReadRun { files: vec![path.to_owned()], trace }
    }
}

/// What was read of a file or a folder.
pub(crate) struct FileRuns {
    pub(crate) runs: Vec<ReadRun>,
    pub(crate) notes: Vec<Note>,
    /// What experiments and variables of tables are called, with what was known before.
    pub(crate) names: OriginalNames,
}

impl FileRuns {
    fn of(runs: Vec<ReadRun>, options: &ReadingOptions) -> FileRuns {
        FileRuns { runs, notes: Vec::new(), names: options.exchange.names.clone() }
    }
}

/// Reads a file that is no folder.
pub(crate) fn read_file(
    workspace: &dyn Workspace,
    path: &str,
    options: &ReadingOptions,
    limits: Limits,
) -> Result<FileRuns, Error> {
    let cannot_read = |error| cannot_read(path, &error);
    let mut file = workspace.open(path).map_err(cannot_read)?;
    let mut window = vec![0; WINDOW_BYTES];
    let mut length = fill(&mut *file, &mut window).map_err(cannot_read)?;
    if !window[..length].starts_with(MAGIC) {
        let mut bytes = window;
        bytes.truncate(length);
        file.read_to_end(&mut bytes).map_err(cannot_read)?;
        let wrong = |error: call_exchange::Error| Error::from(error).of(path);
        if is_own_table(&bytes) {
            refuse_unused(path, options, "a file that llac wrote", SAY_IT_BEFORE)?;
            let mut names = options.exchange.names.clone();
            let samples = ColumnarSamples::read(&bytes).map_err(wrong)?.named(&mut names);
            let mut runs = Vec::new();
            let mut notes: Vec<Note> = Vec::new();
            for (files, mut trace) in samples.into_traces() {
                // What it responds with is what the formula describes.
                let wanted = wanted_response(path, options)?;
                let is_so = |its: &Experiment| its.observable.as_deref() == wanted;
                if wanted.is_some() && !trace.experiments.iter().all(is_so) {
                    let note = respond_in(path, &mut trace, options)?;
                    notes.extend(note.filter(|note| !notes.contains(note)));
                }
                runs.push(ReadRun { files, trace });
            }
            return Ok(FileRuns { runs, notes, names });
        }
        let imported = call_exchange::read(path, &bytes, &options.exchange).map_err(wrong)?;
        let (notes, names) = (imported.notes.clone(), imported.names.clone());
        return Ok(FileRuns { runs: ReadRun::each(path, imported), notes, names });
    }
    refuse_unused(path, options, "a trace", "leave it out, or load the trace apart")?;
    let wrong = |error: call_trace::Error| Error::from(error).of(path);
    let mut reader = TraceReader::new(limits);
    while length > 0 {
        reader.push(&window[..length]).map_err(wrong)?;
        length = fill(&mut *file, &mut window).map_err(cannot_read)?;
    }
    let mut trace = reader.finish().map_err(wrong)?;
    let note = respond_in(path, &mut trace, options)?;
    Ok(FileRuns {
        notes: note.into_iter().collect(),
        ..FileRuns::of(vec![ReadRun::of(path, trace)], options)
    })
}

/// What to do with options of files that hold what was made of others.
const SAY_IT_BEFORE: &str = "leave it out: it belongs to the command that wrote the file, as `condense FILE… OPTION=… into NAME.parquet`";

/// The response that the user names, of what has counters.
fn wanted_response<'a>(path: &str, options: &'a ReadingOptions) -> Result<Option<&'a str>, Error> {
    match options.exchange.metrics.as_slice() {
        [] => Ok(options.exchange.response.as_deref()),
        [metric] => Ok(Some(metric)),
        _ => {
            let message = format!("{path}: the experiments of a trace have one response at a time");
            Err(Error::new(code::NOT_APPLICABLE, message).help("name one: `metric=cycles`"))
        }
    }
}

/// Lets the experiments of a run respond with what the user names, or with what their formulas describe; what is to be told of those that lack it.
fn respond_in(path: &str, trace: &mut Trace, options: &ReadingOptions) -> Result<Option<Note>, Error> {
    let wanted = wanted_response(path, options)?;
    let lacking = match respond(&mut trace.experiments, wanted) {
        // The other levels were simulated in other runs.
        Err(NoResponse::NotCounted { .. }) if !trace.header.simulated_caches.is_empty() => {
            trace.experiments.clear();
            Vec::new()
        }
        result => result.map_err(|error| not_counted(error).of(path))?,
    };
    let counter = wanted.unwrap_or_default().to_owned();
    Ok((!lacking.is_empty()).then_some(Note::NotCounted { counter, experiments: lacking }))
}

/// What experiments of ours say themselves no option says.
pub(super) fn refuse_unused(
    path: &str,
    options: &ReadingOptions,
    what: &'static str,
    cure: &'static str,
) -> Result<(), Error> {
    options.exchange.refuse_sheet().map_err(|error| Error::from(error).of(path))?;
    refuse_inclusive(path, options)?;
    options.exchange.refuse(OF_TABLES, what, cure).map_err(|error| Error::from(error).of(path))
}

/// Experiments of traces say themselves what is in them.
fn refuse_inclusive(path: &str, options: &ReadingOptions) -> Result<(), Error> {
    if !options.exchange.is_inclusive {
        return Ok(());
    }
    let message = format!("{path}: a trace has no call paths that could become inclusive");
    Err(Error::new(code::NOT_APPLICABLE, message).help("`values=exclusive` takes it as it is"))
}

/// The counter of a formula was not counted.
fn not_counted(error: NoResponse) -> Error {
    let error = Error::from(error);
    let cure = error.cure().map_or(String::new(), |cure| format!("{cure}; "));
    error.help(format!("{cure}`time=time` takes the time between begin and end instead"))
}

/// Lets experiments respond with the counter that the user names, where they have it; else with the one that their formula describes.
/// Returns those that lack what the user names while others have it.
fn respond(experiments: &mut [Experiment], wanted: Option<&str>) -> Result<Vec<String>, NoResponse> {
    let mut failure = None;
    let mut lacking = Vec::new();
    let mut has_one = false;
    for experiment in experiments {
        let Some(name) = wanted.map(str::to_owned).or_else(|| experiment.observable.clone()) else {
            continue;
        };
        match experiment.respond_with(&name) {
            Ok(()) => has_one = true,
            Err(error) if wanted.is_none() => return Err(error),
            Err(error) => {
                failure = failure.or(Some(error));
                lacking.push(experiment.name.clone());
            }
        }
    }
    failure.filter(|_| !has_one).map_or(Ok(lacking), Err)
}

pub(super) fn cannot_read(path: &str, error: &io::Error) -> Error {
    Error::new(code::CANNOT_READ, format!("cannot read {path}: {error}"))
}

/// Reads until the window is full or the file ends.
pub(super) fn fill(file: &mut dyn Read, window: &mut [u8]) -> io::Result<usize> {
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
