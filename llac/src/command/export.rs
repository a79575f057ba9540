use std::sync::Arc;

use call_exchange::SampledRun;
use call_model::Model;
use call_trace::{Experiment, Folding};

use super::{Command, CommandArguments};
use crate::error::code;
use crate::found::SessionExperiment;
use crate::words::Word;
use crate::{CommandOutcome, Completion, Error, Message, Session};

const ENDINGS: &str = "samples: .csv, .jsonl, .parquet, .openmetrics, .extra-p.txt, .extra-p.jsonl; models: .c, .gp (gnuplot), .tex (LaTeX)";

pub const EXPORT: Command = Command {
    name: "export",
    usage: "export [EXPERIMENT…] FILE",
    summary: "write samples or models for other tools",
    details: "The end of the file's name says what: of the samples `.csv`, `.jsonl` (an object a line), `.parquet`, `.openmetrics` (number and sum at each point, for Prometheus), `.extra-p.txt` \
        and `.extra-p.jsonl` (input of Extra-P, which has no processors: one value a run, the slowest or as `set processors` says; where rows stand for several executions, their mean); of the fitted models `.c` (a C99 function each), `.gp` (gnuplot) \
        and `.tex` (a LaTeX formula each). Results of other commands are written by `into FILE` behind them.",
    completions: &[Completion::Experiment, Completion::File],
    writes_last_word: true,
    run,
    ..Command::OF_SAMPLES
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let Some((file, words)) = arguments.words().split_last() else {
        return Err(Error::at(code::MISSING_WORD, arguments.end(), "the file is missing")
            .help(format!("usage: {}", EXPORT.usage)));
    };
    let wrong = |error: call_exchange::WriteError| Error::from(error).with_span(file.span.clone());
    let name = file.text.as_str();
    let of_model: Option<fn(&Model) -> String> = match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("c") => Some(|model| model.c_function(model.formula().experiment())),
        Some("gp") => Some(Model::gnuplot_function),
        Some("tex") => Some(Model::latex),
        _ => None,
    };
    if let Some(write) = of_model {
        let models = models(session, words, arguments)?;
        let texts: Vec<String> = models.iter().map(|model| write(model)).collect();
        session.write(file, texts.join("\n").as_bytes())?;
        return Ok(CommandOutcome::of(super::wrote(file)));
    }
    let all: Vec<SessionExperiment> = match words.is_empty() {
        true => session.all_experiments(arguments)?,
        false => words.iter().map(|word| session.experiment(word)).collect::<Result<_, _>>()?,
    };
    let samples: Vec<&Experiment> = all.iter().map(|found| found.experiment()).collect();
    if name.ends_with(".parquet") {
        let runs = runs_of(&all, file)?;
        let original = |found: &SessionExperiment| found.set().names().original_of(&found.experiment().name);
        let originals: Vec<_> = all.iter().map(original).collect();
        let bytes = call_exchange::write_parquet(&samples, &originals, &runs)
            .map_err(|why| file.error(code::TOO_LARGE, format!("{name} cannot be written: {why}")))?;
        session.write(file, &bytes)?;
        return Ok(CommandOutcome::of(super::wrote(file)));
    }
    let text = if name.ends_with(".extra-p.jsonl") {
        of_runs(&samples, session, call_exchange::write_extra_p_json_lines).map_err(wrong)?
    } else if name.ends_with(".extra-p.txt") {
        of_runs(&samples, session, call_exchange::write_extra_p_text).map_err(wrong)?
    } else if name.ends_with(".csv") {
        call_exchange::write_csv(&samples)
    } else if name.ends_with(".openmetrics") {
        call_exchange::write_open_metrics(&samples)
    } else if name.ends_with(".jsonl") {
        call_exchange::write_json_lines(&samples)
    } else {
        return Err(file
            .error(code::UNKNOWN_FORMAT, format!("the end of `{name}` names no format"))
            .help(ENDINGS));
    };
    session.write(file, text.as_bytes())?;
    let mut outcome = CommandOutcome::of(super::wrote(file));
    if name.contains(".extra-p.") {
        outcome.notes.extend(of_means(&samples));
    } else if !name.ends_with(".openmetrics") {
        outcome.warnings.extend(only_in_sums(&samples));
    }
    Ok(outcome)
}

/// What is written of experiments where a format has neither processors, which would be repetitions, nor numbers of executions: then the mean of each
/// run at each point, as rows that stand for many executions would count like those that stand for one.
fn of_runs(
    experiments: &[&Experiment],
    session: &Session,
    write: fn(&[&Experiment]) -> Result<String, call_exchange::WriteError>,
) -> Result<String, call_exchange::WriteError> {
    let joining = session.settings().joining;
    let written = |its: &&Experiment| {
        let samples = match its.has_all_executions() {
            true => its.condense(joining, Folding::Each),
            false => its.means_of_runs(joining),
        };
        Experiment { samples, ..Experiment::clone(its) }
    };
    let joined: Vec<Experiment> = experiments.iter().map(written).collect();
    write(&joined.iter().collect::<Vec<_>>())
}

/// That means were written.
fn of_means(experiments: &[&Experiment]) -> Option<Message> {
    let names = experiments.iter().filter(|its| !its.has_all_executions());
    let names: Vec<String> = names.map(|its| format!("`{}`", its.name)).collect();
    (!names.is_empty()).then(|| {
        let text = format!(
            "of {} the mean of each run at each point is written: this file cannot say for how many executions a row stands",
            names.join(", ")
        );
        Message::new("means-written", text)
    })
}

/// That measurements which were summed up are in no row.
fn only_in_sums(experiments: &[&Experiment]) -> Option<Message> {
    let points = || experiments.iter().map(|its| &its.summaries.points);
    let count: u64 = points().map(|its| (0..its.len()).map(|row| its.count_of(row)).sum::<u64>()).sum();
    (count > 0).then(|| {
        let text = format!(
            "{} only in sums, which this file has not: use .parquet",
            if count == 1 { "1 measurement is".to_owned() } else { format!("{count} measurements are") }
        );
        Message::new("sums-left-out", text)
    })
}

/// The runs of experiments, which are of one data set.
fn runs_of(all: &[SessionExperiment], file: &Word) -> Result<Vec<SampledRun>, Error> {
    let Some((first, others)) = all.split_first() else { return Ok(Vec::new()) };
    if others.iter().any(|other| other.set_name != first.set_name) {
        let message = "runs of different data sets cannot be told apart in one file";
        return Err(file.error(code::NOT_APPLICABLE, message).help("write a file for each data set"));
    }
    Ok(first.runs().iter().map(SampledRun::of).collect())
}

/// The models that words name, or all: of the experiments and from files.
fn models(
    session: &mut Session,
    words: &[Word],
    arguments: &CommandArguments,
) -> Result<Vec<Arc<Model>>, Error> {
    if !words.is_empty() {
        return words.iter().map(|word| session.model_named(word)).collect();
    }
    let mut models: Vec<_> = session.loaded_models().map(|loaded| Arc::clone(loaded.model())).collect();
    if models.is_empty() || !session.state().data().experiments().is_empty() {
        for found in session.all_experiments(arguments)? {
            models.push(session.model(found.experiment())?);
        }
    }
    Ok(models)
}
