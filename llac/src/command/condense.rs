use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use call_exchange::{OriginalNames, SampledRun};
use call_trace::{Dataset, Limits};
use rayon::prelude::*;

use super::{Command, CommandArguments};
use crate::error::code;
use crate::reading::{
    FileRuns, ReadRun, ReadingOptions, ReadingRemarks, is_option, is_whole_report, read_file,
};
use crate::words::Word;
use crate::{CommandOutcome, Completion, Error, Markup, Session, Style, Workspace};

pub const CONDENSE: Command = Command {
    name: "condense",
    usage: "condense FILE… [OPTION=…] into FILE.parquet",
    summary: "make a small file of many measurements",
    details: "Of each point, processor and run where there are more than 16 measurements, the file has their number, sum, sum of squares, least and \
        most, and 16 of them; `load` reads it as it reads traces. Files are read in parallel, traces piece by piece, so that the memory does not grow with \
        their length. What was condensed can be condensed together, in any parts and any order: the result is the same, byte for byte. Runs stay \
        apart. Options are those of `load`. Supersteps and events are left out. Of what was condensed, `set repetitions mean` and `minimum` fit what they \
        would fit of all measurements; medians come from those that were kept, and `fit` says so.",
    completions: &[Completion::File],
    writes_last_word: true,
    run,
    ..Command::PLAIN
};

/// More samples of a file are never in memory at once. Summaries are as many as `load` keeps.
const LIMITS: Limits = Limits { samples: 1 << 20, summaries: 1 << 19 };

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let [words @ .., into, target] = arguments.words() else {
        return Err(missing(arguments));
    };
    if into.text != "into" || words.is_empty() {
        return Err(missing(arguments));
    }
    if !target.text.ends_with(".parquet") {
        let message = format!("`{}` can hold no runs with their sums", target.text);
        return Err(target.error(code::UNKNOWN_FORMAT, message).help("name a file `NAME.parquet`"));
    }
    let (options, words): (Vec<Word>, Vec<Word>) = words.iter().cloned().partition(is_option);
    if let Some(values) = options.iter().find(|word| word.text == "values=inclusive") {
        return Err(values
            .error(code::NOT_APPLICABLE, "a condensed file does not say that its values are inclusive")
            .help("leave `values=inclusive` out"));
    }
    let options = ReadingOptions::of(&options)?;
    let mut files: Vec<(Word, String)> = Vec::new();
    for word in &words {
        let found = session.files(word)?;
        files.extend(found.into_iter().map(|path| (word.clone(), path)));
    }
    if let Some((word, path)) = files.iter().find(|(_, path)| *path == target.text) {
        let message = format!("{path} would be condensed into itself");
        return Err(word
            .error(code::NOT_APPLICABLE, message)
            .help("name the other files, or another result"));
    }
    let mut remarks = ReadingRemarks::default();
    let (runs, names) = read_all(&session.workspace, files, &options, &mut remarks)?;
    let runs = distinct(runs, &mut remarks);
    let (data, formulas) = together(runs, &mut remarks)?;
    let experiments: Vec<_> = data.experiments.iter().collect();
    let runs = data.runs.iter().zip(formulas);
    let runs: Vec<SampledRun> =
        runs.map(|(run, formulas)| SampledRun { formulas, ..SampledRun::of(run) }).collect();
    let originals: Vec<_> = experiments.iter().map(|its| names.original_of(&its.name)).collect();
    let bytes = call_exchange::write_parquet(&experiments, &originals, &runs)
        .map_err(|why| target.error(code::TOO_LARGE, format!("{} cannot be written: {why}", target.text)))?;
    session.write(target, &bytes)?;
    let mut outcome = CommandOutcome::default();
    remarks.tell(&mut outcome);
    outcome.value = summary(&data);
    outcome.value.fragments([(Style::Plain, "wrote ".to_owned()), (Style::Name, target.text.clone())]);
    Ok(outcome)
}

fn missing(arguments: &CommandArguments) -> Error {
    Error::at(code::MISSING_WORD, arguments.end(), "files and `into FILE.parquet` are missing")
        .help(format!("usage: {}", CONDENSE.usage))
}

/// A run by the name of the file that it was read of now; its own files are those that it was condensed of.
struct LabelledRun {
    label: String,
    /// Where the file is named.
    span: Range<usize>,
    run: ReadRun,
}

/// The runs of all files, each summed up as soon as it is read.
fn read_all(
    workspace: &Arc<dyn Workspace>,
    mut files: Vec<(Word, String)>,
    options: &ReadingOptions,
    remarks: &mut ReadingRemarks,
) -> Result<(Vec<LabelledRun>, OriginalNames), Error> {
    let mut known = HashSet::new();
    files.retain(|(_, path)| {
        known.insert(path.clone()) || {
            remarks.is_known(path.clone());
            false
        }
    });
    // The same names, whatever the order.
    files.sort_by(|(_, one), (_, other)| one.cmp(other));
    let read = |(word, path): &(Word, String), options: &ReadingOptions| {
        let mut read = read_file(&**workspace, path, options, LIMITS)
            .map_err(|error| error.with_span(word.span.clone()))?;
        for ReadRun { trace, .. } in &mut read.runs {
            trace.experiments.iter_mut().for_each(|its| *its = its.summed_up());
        }
        Ok(read)
    };
    let all: Vec<FileRuns> =
        files.par_iter().map(|file| read(file, options)).collect::<Result<_, Error>>()?;
    let mut runs = Vec::new();
    // Whatever stands in which file, what differs is called the same.
    let mut names = OriginalNames::of_all(all.iter().map(|its| &its.names));
    for (file, mut of_file) in files.iter().zip(all) {
        // What files call alike, or one thing in two ways, is known from those before.
        if !names.take(&of_file.names) {
            of_file = read(file, &options.clone().with_names(names))?;
            names = of_file.names;
        }
        let path = &file.1;
        remarks.note(path, of_file.notes);
        for ReadRun { files, mut trace } in of_file.runs {
            remarks.look(files.first().unwrap_or(path), &trace);
            if !(trace.supersteps.is_empty() && trace.events.is_empty()) {
                remarks.warn(
                    path,
                    "supersteps and events are left out: keep the file for `profile`, `replay` and `waits`",
                );
            }
            (trace.supersteps, trace.events) = (Vec::new(), Vec::new());
            let label = match files.first().filter(|file| *file != path) {
                Some(file) => format!("{path}:{file}"),
                None => path.clone(),
            };
            runs.push(LabelledRun { label, span: file.0.span.clone(), run: ReadRun { files, trace } });
        }
    }
    Ok((runs, names))
}

/// Each run once, in an order that does not depend on that of the files. A whole report has a header of its own, so its experiments are
/// known by that; of other files the same samples are the same run, whatever the names of its files.
fn distinct(mut runs: Vec<LabelledRun>, remarks: &mut ReadingRemarks) -> Vec<LabelledRun> {
    let content = |run: &ReadRun| format!("{:?}", run.trace);
    runs.sort_by(|LabelledRun { run: one, .. }, LabelledRun { run: other, .. }| {
        order(one).cmp(&order(other)).then_with(|| content(one).cmp(&content(other)))
    });
    let mut reported: HashSet<(String, String)> = HashSet::new();
    let mut others: HashMap<Vec<String>, Vec<u64>> = HashMap::new();
    let mut contents: HashMap<u64, String> = HashMap::new();
    runs.retain_mut(|LabelledRun { run, .. }| {
        let is_new = if is_whole_report(&run.trace) {
            let header = format!("{:?}", run.trace.header);
            let experiments = &mut run.trace.experiments;
            let measured = experiments.iter().filter(|its| !its.is_empty()).count();
            experiments.retain(|its| its.is_empty() || reported.insert((header.clone(), its.name.clone())));
            measured == 0 || experiments.iter().any(|its| !its.is_empty())
        } else {
            let same = others.entry(run.files.clone()).or_default();
            let mut hasher = DefaultHasher::new();
            content(run).hash(&mut hasher);
            let content = hasher.finish();
            let is_new = !same.contains(&content);
            same.push(content);
            is_new
        };
        if !is_new {
            remarks.is_known(run.files.join(", "));
            return false;
        }
        let label = run.files.join(", ");
        match run.trace.content().map(|content| contents.entry(content)) {
            Some(Entry::Occupied(known)) => {
                remarks.is_copy(label, known.get().clone());
                false
            }
            Some(Entry::Vacant(place)) => {
                place.insert(label);
                true
            }
            None => true,
        }
    });
    runs
}

/// Reports stand before what their runs had saved before them.
fn order(run: &ReadRun) -> (bool, &[String], &str, &str) {
    let is_unfinished = matches!(run.trace.completeness, call_trace::Completeness::Unfinished { .. });
    (is_unfinished, &run.files, &run.trace.header.date, &run.trace.header.run)
}

/// The formulas of a run that are not those of its experiments in the whole.
type OtherFormulas = BTreeMap<String, Option<String>>;

fn together(
    runs: Vec<LabelledRun>,
    remarks: &mut ReadingRemarks,
) -> Result<(Dataset, Vec<OtherFormulas>), Error> {
    let mut data = Dataset::new();
    let mut files_of: HashMap<String, Vec<String>> = HashMap::new();
    let mut formulas_of: HashMap<String, OtherFormulas> = HashMap::new();
    for LabelledRun { mut label, span, run: ReadRun { files, mut trace } } in runs {
        // Runs of one file may be of files that were called alike.
        let own = label.clone();
        for number in 2.. {
            if !files_of.contains_key(&label) {
                break;
            }
            label = format!("{own} ({number})");
        }
        if let Some((names, run)) = data.leave_out_same(&mut trace)
            && remarks.are_same(names, &label, run, &trace)
        {
            continue;
        }
        let measured = trace.experiments.iter().filter(|its| !its.is_empty());
        let formulas = measured.map(|its| (its.name.clone(), its.formula.clone()));
        formulas_of.insert(label.clone(), formulas.collect());
        let changes = data.add(&label, trace).map_err(|error| Error::from(error).with_span(span))?;
        remarks.change(changes);
        files_of.insert(label, files);
    }
    let known: HashMap<&str, &Option<String>> =
        data.experiments.iter().map(|its| (its.name.as_str(), &its.formula)).collect();
    let of_run = |run: &call_trace::Run| -> OtherFormulas {
        run.files.iter().filter_map(|label| formulas_of.remove(label)).flatten().collect()
    };
    let mut formulas: Vec<OtherFormulas> = data.runs.iter().map(of_run).collect();
    let is_known = |name: &str, formula: &Option<String>| known.get(name) == Some(&formula);
    let measured = formulas.iter().flatten().filter(|(name, formula)| is_known(name, formula));
    let measured: HashSet<String> = measured.map(|(name, _)| name.clone()).collect();
    // A formula that no run has which measured anything is that of all.
    for of_run in &mut formulas {
        of_run.retain(|name, formula| measured.contains(name) && !is_known(name, formula));
    }
    // The names of files that are condensed away are what stays.
    for run in &mut data.runs {
        run.files = run.files.iter().flat_map(|label| files_of.remove(label).unwrap_or_default()).collect();
    }
    Ok((data, formulas))
}

fn summary(data: &Dataset) -> Markup {
    let mut markup = Markup::new();
    let runs = call_grammar::counted(data.runs.len(), "run");
    for its in &data.experiments {
        let points = &its.summaries.points;
        let summarised = its.summaries.runs();
        let single = its.samples.select(|index| !summarised.contains(&its.samples.run[index]));
        let measurements = points.executions().saturating_add(single.executions());
        let (sums, kept) = (its.summaries.len(), its.samples.len());
        markup.fragments([
            (Style::Name, its.name.clone()),
            (
                Style::Plain,
                format!(": {measurements} measurements of {runs} in {sums} summaries and {kept} samples"),
            ),
        ]);
    }
    markup
}
