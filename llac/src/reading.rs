//! From the names of files to samples.

use std::io::{self, Read};

use call_exchange::{
    ColumnarSamples, DecimalSign, FileSet, Imported, Note, grouped, grouped_notes, is_own_table,
};
use call_grammar::counted;
use call_model::ModelFile;
use call_trace::{
    Completeness, Condensation, Dataset, Experiment, FormulaChange, Header, Limits, NoResponse, OtherP,
    ProcessorEvents, Trace, TraceReader, Unit,
};
use serde_json::json;

use crate::error::code;
use crate::experiments::formula_cure;
use crate::incompleteness::incompleteness;
use crate::plain_path::is_file_of;
use crate::words::Word;
use crate::{CommandOutcome, Error, Message, Session, Workspace};

/// What the user says about the files of a command.
#[derive(Debug, Clone, Default)]
pub struct ReadingOptions {
    exchange: call_exchange::ReadOptions,
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

/// So much of a file is read at once; the cache of a processor holds it. It is less than glibc maps: once that is freed, smaller blocks lie beside each other in the
/// heap, where what is freed between others is lost to larger ones.
const WINDOW_BYTES: usize = 1 << 16;
/// So much of a file tells whether it holds a model.
const START_BYTES: usize = 256;
/// What the anchors of archives of OTF2 end in.
pub const ARCHIVE: &str = ".otf2";
/// What traces begin with.
pub const MAGIC: &[u8] = b"# call-trace ";

/// What is to be reported of files while they are read. What is the same of many is reported once.
#[derive(Debug, Default)]
pub struct ReadingRemarks {
    notes: Vec<(String, Note)>,
    warnings: Vec<(String, String)>,
    /// What measuring cost the runs where it was much, as a share and in words.
    costs: Vec<(String, f64, String)>,
    /// What is missing of each file.
    missing: Vec<String>,
    /// Formulas that are not those of the newest run.
    changes: Vec<FormulaChange>,
    /// Files that are read already.
    known: Vec<String>,
    /// Files that hold what others do, with the names of those.
    same: Vec<(String, String)>,
}

impl ReadingRemarks {
    /// Remembers what is to be known of a trace.
    pub(crate) fn look(&mut self, label: &str, trace: &Trace) {
        self.missing.extend(incompleteness(&trace.completeness).map(|text| format!("{label} {text}")));
        let warnings = remarkable(trace).into_iter().chain(trace.condensations.iter().map(condensation));
        self.warnings.extend(warnings.map(|warning| (label.to_owned(), warning)));
        let cost = crate::measuring_cost::of_trace(trace);
        self.costs.extend(cost.map(|(share, text)| (label.to_owned(), share, text)));
    }

    /// Remembers what was noticed of a file.
    pub(crate) fn note(&mut self, path: &str, notes: Vec<Note>) {
        self.notes.extend(notes.into_iter().map(|note| (path.to_owned(), note)));
    }

    /// Remembers what else is to be warned of.
    pub(crate) fn warn(&mut self, path: &str, text: &str) {
        self.warnings.push((path.to_owned(), text.to_owned()));
    }

    /// Remembers formulas that have changed.
    pub(crate) fn change(&mut self, changes: Vec<FormulaChange>) {
        self.changes.extend(changes);
    }

    /// Remembers that a file is read already.
    pub fn is_known(&mut self, path: String) {
        self.known.push(path);
    }

    /// How many were left out as copies.
    pub fn copies(&self) -> usize {
        self.same.len()
    }

    /// Tells it all.
    pub fn tell(self, outcome: &mut CommandOutcome) {
        /// So many files are named.
        const FEW: usize = 3;
        match self.known.len() {
            ..=FEW => outcome.notes.extend(self.known.iter().map(|path| {
                Message::new("loaded-already", format!("{path} is loaded already"))
                    .with(json!({ "files": [path] }))
            })),
            many => outcome.notes.push(
                Message::new("loaded-already", format!("{many} files are loaded already"))
                    .with(json!({ "files": self.known })),
            ),
        }
        if let Some((first, of)) = self.same.first() {
            let more = match self.same.len() - 1 {
                0 => "holds".to_owned(),
                more => format!("(and {} likewise) holds", counted(more, "other file")),
            };
            let text = format!("{first} {more} the same measurements as {of}: one run, which counts once");
            let files: Vec<&String> = self.same.iter().map(|(file, _)| file).collect();
            outcome.warnings.push(Message::new("same-run", text).with(json!({ "files": files })));
        }
        let worst = self.costs.iter().max_by(|left, right| left.1.total_cmp(&right.1));
        outcome.notes.extend(worst.map(|(path, share, text)| {
            let others = self.costs.len() - 1;
            let others = if others > 0 {
                format!(" (likewise {})", counted(others, "other file"))
            } else {
                String::new()
            };
            Message::new("too-fine", format!("{path}{others}: {text}"))
                .with(json!({ "file": path, "measuring_share": share }))
        }));
        let notes = grouped_notes(self.notes);
        outcome.notes.extend(notes.iter().map(|note| Message::new("imported", note.to_string())));
        outcome.warnings.extend(self.missing.into_iter().map(|text| Message::new("incomplete", text)));
        let mut reported = Vec::new();
        for FormulaChange { experiment, newer, newer_file, older, older_file } in self.changes {
            let change = (experiment.clone(), older.clone());
            if !reported.contains(&change) {
                let text = format!(
                    "the formula of {experiment} has changed: `{newer}` of {newer_file} counts, `{older}` of {older_file} is older"
                );
                let fields = json!({ "experiment": experiment, "formula": newer, "older": older });
                outcome.warnings.push(Message::new("formula-changed", text).with(fields));
                reported.push(change);
            }
        }
        let warnings = grouped(self.warnings);
        outcome.warnings.extend(warnings.iter().map(|text| Message::new("trace", text.to_string())));
    }
}

impl Session {
    /// The files that a word of the command line means; at least one.
    pub(crate) fn files(&self, word: &Word) -> Result<Vec<String>, Error> {
        let fail = |text: String| word.error(code::CANNOT_READ, text);
        let is_folder = self.workspace.folder(&word.text).is_ok_and(|files| files.is_some());
        if is_folder {
            return Ok(vec![word.text.clone()]);
        }
        let files = self
            .workspace
            .matching(&word.text)
            .map_err(|error| fail(format!("cannot look for {}: {error}", word.text)))?;
        if files.is_empty() {
            let error = fail(match word.text.contains(['*', '?', '[']) {
                true => format!("no file matches {}", word.text),
                false => format!("cannot read {}: no such file", word.text),
            });
            return Err(match formula_cure(&word.text) {
                Some(cure) => error.help(cure),
                None => error,
            });
        }
        Ok(files)
    }

    /// Reads a file into `data` and remarks what is to be reported of it.
    pub(crate) fn add(
        &self,
        data: &mut Dataset,
        path: &str,
        word: &Word,
        options: &ReadingOptions,
        remarks: &mut ReadingRemarks,
    ) -> Result<(), Error> {
        let fail = |error: Error| error.with_span(word.span.clone());
        if data.runs.iter().any(|run| is_file_of(run, path)) {
            remarks.is_known(path.to_owned());
            return Ok(());
        }
        let held = data.experiments.iter().map(|known| known.samples.len()).sum();
        let (runs, notes) = match path.ends_with(ARCHIVE) {
            true => (vec![ReadRun::of(path, self.archive(path, remarks).map_err(fail)?)], Vec::new()),
            false => self.read(path, options, Limits::default().beside(held)).map_err(fail)?,
        };
        remarks.note(path, notes);
        let has_several = runs.len() > 1;
        for ReadRun { files, mut trace } in runs {
            let label = match files.first().filter(|_| has_several) {
                Some(file) => format!("{path}:{file}"),
                None => path.to_owned(),
            };
            if let Some((names, run)) = leave_out_loaded(data, path, &mut trace) {
                remarks.is_known(format!("{} of {label}, as {run},", call_grammar::listed(&names)));
                if trace.experiments.iter().all(Experiment::is_empty) {
                    continue;
                }
            }
            let content = trace.content();
            let same =
                |run: &&call_trace::Run| content.is_some_and(|content| run.contents.contains(&content));
            if let Some(run) = data.runs.iter().find(same) {
                remarks.same.push((label, run.label().to_owned()));
                continue;
            }
            remarks.look(&label, &trace);
            let changes = data.add_with(content, &label, trace).map_err(|error| fail(Error::from(error)))?;
            remarks.change(changes);
            // What is loaded is known by the name of its file.
            let run = data.runs.iter_mut().rev().find(|run| run.files.contains(&label));
            if let Some(run) = run.filter(|_| label != path) {
                run.files.push(path.to_owned());
            }
        }
        Ok(())
    }

    /// The model that a file holds; none if it holds samples.
    pub(crate) fn model_in(&self, path: &str) -> Result<Option<ModelFile>, Error> {
        let cannot_read = |error| cannot_read(path, &error);
        if self.workspace.folder(path).map_err(cannot_read)?.is_some() {
            return Ok(None);
        }
        let mut file = self.workspace.open(path).map_err(cannot_read)?;
        let mut bytes = vec![0; START_BYTES];
        let length = fill(&mut *file, &mut bytes).map_err(cannot_read)?;
        bytes.truncate(length);
        if !ModelFile::is_one(&bytes) && !path.ends_with(".model.json") {
            return Ok(None);
        }
        file.read_to_end(&mut bytes).map_err(cannot_read)?;
        let text =
            String::from_utf8(bytes).map_err(|_| Error::new(code::NOT_TEXT, format!("{path} is no text")))?;
        ModelFile::read(&text).map(Some).map_err(|error| Error::new(error.code(), format!("{path}: {error}")))
    }

    /// The events of an archive of OTF2.
    fn archive(&self, path: &str, remarks: &mut ReadingRemarks) -> Result<Trace, Error> {
        let archive = self.workspace.read_archive(path).map_err(|error| Error::from(error).of(path))?;
        remarks.warnings.extend(archive.remarks.iter().map(|remark| (path.to_owned(), remark.to_string())));
        Ok(archive.trace)
    }

    /// Reads the files of a folder that belong together.
    fn read_folder(
        &self,
        path: &str,
        files: &[String],
        options: &ReadingOptions,
    ) -> Result<(Trace, Vec<Note>), Error> {
        let Some((mut set, of_set)) = FileSet::of(path, files) else {
            return Err(Error::new(code::CANNOT_READ, format!("{path} is a folder, and nothing in it is a set of measurements"))
                .help("profiles of Cube lie in folders such as `NAME.p4.n1000.r1`; single files are named: `load FOLDER/*.csv`"));
        };
        for file in &of_set {
            let bytes = self.workspace.read(file).map_err(|error| cannot_read(file, &error))?;
            set.push(file, &bytes, &options.exchange).map_err(|error| Error::from(error).of(file))?;
        }
        let imported = set.finish(&options.exchange).map_err(|error| Error::from(error).of(path))?;
        Ok((imported.trace, imported.notes))
    }

    /// Reads the runs of a file of any format, with notes. A trace is never in memory as a whole.
    fn read(&self, path: &str, options: &ReadingOptions, limits: Limits) -> Result<RunsAndNotes, Error> {
        let cannot_read = |error| cannot_read(path, &error);
        if let Some(files) = self.workspace.folder(path).map_err(cannot_read)? {
            let (trace, notes) = self.read_folder(path, &files, options)?;
            return Ok((vec![ReadRun::of(path, trace)], notes));
        }
        read_file(&*self.workspace, path, options, limits)
    }
}

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

    fn of(path: &str, trace: Trace) -> ReadRun {
        ReadRun { files: vec![path.to_owned()], trace }
    }
}

type RunsAndNotes = (Vec<ReadRun>, Vec<Note>);

/// Reads a file that is no folder.
pub(crate) fn read_file(
    workspace: &dyn Workspace,
    path: &str,
    options: &ReadingOptions,
    limits: Limits,
) -> Result<RunsAndNotes, Error> {
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
            options.exchange.refuse_sheet().map_err(wrong)?;
            refuse_inclusive(path, options)?;
            let runs = ColumnarSamples::read(&bytes).map_err(wrong)?.into_traces();
            return Ok((
                runs.into_iter().map(|(files, trace)| ReadRun { files, trace }).collect(),
                Vec::new(),
            ));
        }
        let imported = call_exchange::read(path, &bytes, &options.exchange).map_err(wrong)?;
        let notes = imported.notes.clone();
        return Ok((ReadRun::each(path, imported), notes));
    }
    options.exchange.refuse_sheet().map_err(|error| Error::from(error).of(path))?;
    refuse_inclusive(path, options)?;
    let wrong = |error: call_trace::Error| Error::from(error).of(path);
    let mut reader = TraceReader::new(limits);
    while length > 0 {
        reader.push(&window[..length]).map_err(wrong)?;
        length = fill(&mut *file, &mut window).map_err(cannot_read)?;
    }
    let mut trace = reader.finish().map_err(wrong)?;
    let wanted = match options.exchange.metrics.as_slice() {
        [] => options.exchange.response.as_deref(),
        [metric] => Some(metric.as_str()),
        _ => {
            let message = format!("{path}: the experiments of a trace have one response at a time");
            return Err(Error::new(code::NOT_APPLICABLE, message).help("name one: `metric=cycles`"));
        }
    };
    let lacking = match respond(&mut trace.experiments, wanted) {
        // The other levels were simulated in other runs.
        Err(NoResponse::NotCounted { .. }) if !trace.header.simulated_caches.is_empty() => {
            trace.experiments.clear();
            Vec::new()
        }
        result => result.map_err(|error| not_counted(error).of(path))?,
    };
    let counter = wanted.unwrap_or_default().to_owned();
    let note = (!lacking.is_empty()).then_some(Note::NotCounted { counter, experiments: lacking });
    Ok((vec![ReadRun::of(path, trace)], note.into_iter().collect()))
}

/// Experiments of traces say themselves what is in them.
fn refuse_inclusive(path: &str, options: &ReadingOptions) -> Result<(), Error> {
    if !options.exchange.is_inclusive {
        return Ok(());
    }
    let message = format!("{path}: a trace has no call paths that could become inclusive");
    Err(Error::new(code::NOT_APPLICABLE, message).help("`values=exclusive` takes it as it is"))
}

/// Leaves out of a trace the experiments that its run is loaded with already, where a summary of it or it itself is one; returns their names
/// and what the run is called.
fn leave_out_loaded(data: &Dataset, path: &str, trace: &mut Trace) -> Option<(Vec<String>, String)> {
    let has_summary =
        |path: &str| [".parquet", ".arrow", ".feather"].iter().any(|ending| path.ends_with(ending));
    let is_same = |run: &call_trace::Run| {
        run.header == trace.header
            && (has_summary(path) || run.files.iter().any(|file| has_summary(file)))
            && !run.files.iter().any(|file| file == path)
    };
    let same = data.runs.iter().enumerate().filter(|(_, run)| is_same(run));
    let same: Vec<usize> = same.map(|(number, _)| number).filter(|_| is_whole_report(trace)).collect();
    let first = *same.first()?;
    let has_run = |known: &Experiment| {
        let mut runs = known.samples.run.iter().chain(&known.summaries.points.run);
        runs.any(|run| same.contains(&(*run as usize)))
    };
    let loaded: Vec<String> =
        data.experiments.iter().filter(|known| has_run(known)).map(|known| known.name.clone()).collect();
    let mut names = Vec::new();
    trace.experiments.retain(|its| {
        let is_loaded = !its.is_empty() && loaded.contains(&its.name);
        names.extend(is_loaded.then(|| its.name.clone()));
        !is_loaded
    });
    (!names.is_empty()).then(|| (names, data.runs[first].label().to_owned()))
}

/// Whether no other trace has this header.
pub(crate) fn is_whole_report(trace: &Trace) -> bool {
    let header = &trace.header;
    header.reports > 0 && !header.run.is_empty() && trace.completeness == Completeness::Complete
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

fn cannot_read(path: &str, error: &io::Error) -> Error {
    Error::new(code::CANNOT_READ, format!("cannot read {path}: {error}"))
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

/// What is odd about how a run was measured.
pub(crate) fn oddities(header: &Header, events: &[ProcessorEvents]) -> Vec<String> {
    let mut warnings = Vec::new();
    if header.abandoned > 0 {
        warnings.push(format!("{} measurements were begun and never ended", header.abandoned));
    }
    if let Some(cores) = header.cores.filter(|cores| header.processors > *cores)
        && is_of_one_computer(header, events)
        && header.clock != "counting"
        && header.simulated_caches.is_empty()
    {
        let processors = header.processors;
        warnings.push(format!("{processors} processors shared {cores} cores: their times mean little"));
    }
    warnings
}

fn remarkable(trace: &Trace) -> Vec<String> {
    let header = &trace.header;
    let mut warnings = oddities(header, &trace.events);
    if !header.simulated_caches.is_empty() && trace.experiments.is_empty() {
        let caches = &header.simulated_caches;
        warnings
            .push(format!("it is left out: what is asked for was not counted in its simulation ({caches})"));
    }
    let is_time = |experiment: &Experiment| experiment.unit == Unit::Seconds && !experiment.is_empty();
    if !header.simulated_caches.is_empty() && trace.experiments.iter().any(is_time) {
        let caches = &header.simulated_caches;
        warnings.push(format!(
            "it ran in a simulation of caches ({caches}): its times say nothing of the computer; take what was counted, as by `time=L1-misses`"
        ));
    }
    warnings.extend(header.other_p.iter().map(other_p));
    warnings
}

/// Processes of MPI that have recorded events by one clock are on one computer, if it is none that is simulated.
fn is_of_one_computer(header: &Header, events: &[ProcessorEvents]) -> bool {
    let has_common_clock = || events.iter().all(|its| its.has_common_clock);
    match header.transport.as_str() {
        "embedded" => true,
        "MPI" => !events.is_empty() && has_common_clock(),
        _ => false,
    }
}

fn other_p(its: &OtherP) -> String {
    let OtherP { experiment, rows, value, processors } = its;
    let rows = counted(*rows as usize, "row");
    format!(
        "in {rows} of {experiment} the variable P of the program is not the number of processors, such as {value} where that is \
         {processors}: formulas have the variable"
    )
}
