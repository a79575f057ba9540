use std::sync::Arc;

use call_bsp::program::ProgramFile;
use call_exchange::OriginalNames;
use call_grammar::listed;
use call_model::{Check, Forecast, Predictor, Prepared, Settings, Slice, compare};
use call_report::{Column, Table, TableCell, number};
use call_trace::{Dataset, Experiment, Folding, Unit};

use super::forecast_view::{interval_columns, variable_column};
use super::question::{Question, SubjectCount};
use super::subject::{Subject, SubjectKind, TargetSetting, of_program};
use super::{Command, CommandArguments, LineClauses, units};
use crate::data::{DataSet, SampleChange};
use crate::error::code;
use crate::found::SessionExperiment;
use crate::loaded_model::{LoadedModel, no_samples};
use crate::reading::{ReadingOptions, ReadingRemarks, is_option};
use crate::words::Word;
use crate::{CommandOutcome, Completion, Error, Markup, Message, Session, Style, remarks};

pub const COMPARE: Command = Command {
    name: "compare",
    usage: "compare [EXPERIMENT | PROGRAM] [FILE… | EXPERIMENT] [on MACHINE]",
    summary: "predictions beside measurements",
    details: "With FILEs, or with another experiment, their samples are set beside what the model predicts, and do \
        not become part of the data; without, the samples of the fit (a model from a file needs a name of samples). The error is (measured - predicted) / \
        measured. Repetitions are put together as `set repetitions` says; each of them is counted as inside of its interval or not, unless intervals \
        are for what they are put together to (`set interval-of repetitions`). A condition at the end chooses \
        what is compared; the model is that of all samples. Of a PROGRAM, the samples of the experiment that it \
        predicts; `on MACHINE` sets what was measured there beside what is predicted there.",
    completions: &[Completion::Experiment, Completion::File],
    clauses: LineClauses::Own,
    run,
    ..Command::QUESTION
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let (options, words): (Vec<Word>, Vec<Word>) = arguments.words().iter().cloned().partition(is_option);
    let question = Question::of_words(session, &words, arguments.end(), SubjectCount::One)?;
    if let Some((one, _)) = question.ranges.first() {
        return Err(expected_samples(&one.span));
    }
    if let Some(one) = question.given.first() {
        return Err(expected_samples(&one.span));
    }
    let subject = question.one()?;
    let mut outcome = CommandOutcome::default();
    if let Some(loaded) = &subject.loaded {
        let measured = beside_loaded(session, loaded, (&question.words, &options), &mut outcome)?;
        let measured = match arguments.condition() {
            None => measured,
            Some(condition) => chosen(measured, SampleChange::Where(condition.clone()))?,
        };
        // Repetitions are put together as those were that it was fitted to.
        let measured = loaded.model().settings().prepare(&measured);
        return comparison(session, &question, subject, &measured, outcome);
    }
    let Some(found) = &subject.found else {
        let message = format!(
            "`{}` predicts no experiment whose samples could stand beside it",
            subject.predictor().name()
        );
        return Err(Error::new(code::NOT_APPLICABLE, message).help(match subject.kind {
            SubjectKind::Replayed(_) => "`replay` alone tells how far it is from the recording",
            _ => "a program says what it predicts: `program NAME(…) predicts EXPERIMENT`",
        }));
    };
    let prepared = session.prepared(found.experiment());
    if question.words.is_empty() {
        outcome.warnings.extend(from_here(session, found, subject));
    }
    let measured = match (&question.words[..], arguments.condition()) {
        ([], None) if options.is_empty() => Arc::clone(&prepared),
        (words, condition) => {
            let mut measured = measured(session, found, (words, &options), &mut outcome)?;
            if let Some(condition) = condition {
                measured = chosen(measured, SampleChange::Where(condition.clone()))?;
            }
            Arc::new(session.settings().prepare(&measured))
        }
    };
    comparison(session, &question, subject, &measured, outcome)
}

/// The samples of the fit were measured on one machine, and another one is predicted.
fn from_here(session: &Session, found: &SessionExperiment, subject: &Subject) -> Option<Message> {
    let there = subject.machine.as_ref()?;
    let here = &found.set().machine().or(session.machine_in_use())?.name;
    if here == there {
        return None;
    }
    let help = format!(
        "what was measured on {there} is compared by its file: `compare {} FILE… on {there}`",
        found.name
    );
    let text = format!("the samples were measured on {here}, and the predictions are for {there}; {help}");
    Some(Message { help: Some(help), ..Message::new("other-machine", text) })
}

/// Predictions beside measured times.
fn comparison(
    session: &mut Session,
    question: &Question,
    subject: &Subject,
    measured: &Prepared,
    mut outcome: CommandOutcome,
) -> Result<CommandOutcome, Error> {
    let check = compare(subject.predictor(), measured, session.level())?;
    if check.rows.is_empty() {
        return Err(Error::new(code::NO_SAMPLES, "there are no samples to compare with"));
    }
    let bottom_up = bottom_up(session, subject, &check, &mut outcome)?;
    let is_measured = |name: &str| call_machine::number(name).is_none();
    let mut columns: Vec<Column> =
        check.names.iter().map(|name| variable_column(name, is_measured(name))).collect();
    let unit = subject.predictor().unit();
    columns.push(units::column("measured", unit));
    columns.extend(interval_columns(check.level, unit));
    columns.push(Column::percent("error"));
    if let Some(bottom_up) = &bottom_up {
        columns.push(Column::seconds(format!("by {}", bottom_up.name)).key("bottom_up_s"));
        columns.push(Column::percent("its error").key("bottom_up_error_percent"));
    }
    outcome.value =
        table(subject, columns, &check, kind_of(measured.settings(), measured.unit()), bottom_up.as_ref());
    question.tell(&mut outcome, []);
    Ok(outcome)
}

fn expected_samples(span: &std::ops::Range<usize>) -> Error {
    Error::at(
        code::UNEXPECTED_WORD,
        span.clone(),
        "`compare` predicts at the points of samples, and takes no values",
    )
    .help("a condition behind `where` chooses samples")
}

/// What a program makes of the constants of the parts, beside the fit of the whole: a time for each row.
struct BottomUp {
    name: String,
    times_s: Vec<f64>,
}

/// An experiment as the program predicts it that was written for it; none if there is no such program, or the formula lacks one of
/// its variables, which is noted.
fn bottom_up(
    session: &mut Session,
    subject: &Subject,
    check: &Check,
    outcome: &mut CommandOutcome,
) -> Result<Option<BottomUp>, Error> {
    let SubjectKind::Fitted(forecaster) = &subject.kind else { return Ok(None) };
    let name = forecaster.name().rsplit('.').next().unwrap_or_default();
    let is_for = |file: &&Arc<ProgramFile>| file.program().predicts() == Some(name);
    let Some(file) = session.state().programs().find(is_for).cloned() else { return Ok(None) };
    let program = of_program(session, &file, &TargetSetting::default())?.remove(0);
    let predictor = program.predictor();
    if predictor.unit() != forecaster.unit() {
        let (program, unit) = (predictor.name(), forecaster.unit());
        let text = format!(
            "the program `{program}` is left out: it predicts times, and `{name}` is measured in {unit}"
        );
        outcome.notes.push(Message::new("program-left-out", text));
        return Ok(None);
    }
    if let Some(missing) = predictor.variables().iter().find(|variable| !check.names.contains(variable)) {
        let text = format!(
            "the program `{}` is left out: it needs `{missing}`, which the formula of `{name}` does not have",
            predictor.name()
        );
        outcome.notes.push(Message::new("program-left-out", text));
        return Ok(None);
    }
    let names: Vec<&str> = check.names.iter().map(String::as_str).collect();
    let slice = Slice::new(predictor, &names, &[]);
    let forecasts = check.rows.iter().map(|row| Ok(slice.forecast(&row.point, check.level)?));
    let forecasts: Vec<Forecast> = forecasts.collect::<Result<_, Error>>()?;
    remarks::tell(outcome, forecasts.iter().flat_map(|forecast| forecast.remarks.iter().cloned()));
    let times_s = forecasts.iter().map(|forecast| forecast.prediction.time_s).collect();
    Ok(Some(BottomUp { name: predictor.name().to_owned(), times_s }))
}

/// The samples that words mean: of another experiment, of files, or those of the fit.
fn measured(
    session: &Session,
    found: &SessionExperiment,
    (words, options): (&[Word], &[Word]),
    outcome: &mut CommandOutcome,
) -> Result<Experiment, Error> {
    let [first, ..] = words else { return Ok(found.experiment().clone()) };
    if let ([_], Some(other)) = (words, session.find(&first.text)) {
        return defined(DataSet::of(other.experiment().clone()), found, &other.experiment().name, first);
    }
    let response = found.experiment().observable.as_deref();
    let is_inclusive = session.state().data().is_inclusive();
    let options = ReadingOptions::of(options)?.or_response(response).or_inclusive(is_inclusive);
    let set = read_files(session, (words, options), outcome)?;
    defined(set, found, &found.experiment().name, first)
}

/// The samples that words mean beside a model from a file: of an experiment, or of files.
fn beside_loaded(
    session: &Session,
    loaded: &LoadedModel,
    (words, options): (&[Word], &[Word]),
    outcome: &mut CommandOutcome,
) -> Result<Experiment, Error> {
    let [first, ..] = words else {
        return Err(Error::new(code::NO_SAMPLES, no_samples(&loaded.name))
            .help(format!("name some: `compare {} FILE…`, or another experiment", loaded.name)));
    };
    let formula = loaded.model().formula();
    let response = loaded.file.response.as_deref();
    let (set, name) = match (words, session.find(&first.text)) {
        ([_], Some(other)) => (DataSet::of(other.experiment().clone()), other.experiment().name.clone()),
        _ => (
            read_files(session, (words, ReadingOptions::of(options)?.or_response(response)), outcome)?,
            formula.experiment().to_owned(),
        ),
    };
    let text = Some(formula.clone().renamed(&name).to_string());
    with_steps(set, text, loaded.steps(session.machine_in_use()).iter(), loaded.model().unit(), &name, first)
}

/// The samples of files, which do not become part of the data.
pub(super) fn read_files(
    session: &Session,
    (words, options): (&[Word], ReadingOptions),
    outcome: &mut CommandOutcome,
) -> Result<DataSet, Error> {
    let names = session.state().data().names().clone();
    DataSet::default().with_loaded(read_data(session, names, (words, &options), outcome)?)
}

/// The same before anything is made of it, beside these names.
pub(super) fn read_data(
    session: &Session,
    mut names: OriginalNames,
    (words, options): (&[Word], &ReadingOptions),
    outcome: &mut CommandOutcome,
) -> Result<Dataset, Error> {
    let (mut data, mut remarks) = (Dataset::default(), ReadingRemarks::default());
    for word in words {
        for path in session.files(word)? {
            session.add((&mut data, &mut names), &path, word, options, &mut remarks)?;
        }
    }
    remarks.tell(outcome);
    Ok(data)
}

/// An experiment of a set, with the variables that `let` has defined for the one that is fitted.
fn defined(set: DataSet, found: &SessionExperiment, name: &str, word: &Word) -> Result<Experiment, Error> {
    let steps = found
        .set()
        .steps()
        .filter(|step| matches!(step, SampleChange::Let { .. } | SampleChange::Machine(_)));
    let experiment = found.experiment();
    with_steps(set, experiment.formula.clone(), steps, &experiment.unit, name, word)
}

/// An experiment of a set, with a formula and after steps; it has to be in the unit of what was fitted.
pub(super) fn with_steps<'a>(
    mut set: DataSet,
    formula: Option<String>,
    steps: impl Iterator<Item = &'a SampleChange>,
    fitted: &Unit,
    name: &str,
    word: &Word,
) -> Result<Experiment, Error> {
    // The formula tells which numbers of a machine the samples need.
    if let Some(formula) = formula.filter(|_| set.experiments().iter().any(|known| known.name == name)) {
        let step = SampleChange::Formula { experiment: name.to_owned(), formula };
        set = set.with_step(step)?;
    }
    for step in steps {
        set = set.with_step(step.clone())?;
    }
    let measured = set.experiments().iter().find(|experiment| experiment.name == name);
    let measured = measured.ok_or_else(|| {
        let own: Vec<&str> = set.experiments().iter().map(|experiment| experiment.name.as_str()).collect();
        let error = word.error(code::UNKNOWN_EXPERIMENT, format!("these files have no experiment `{name}`"));
        // What has no name is called as its file.
        let stem = std::path::Path::new(&word.text).file_stem().and_then(|stem| stem.to_str());
        let is_nameless = |only: &str| word.text.contains('*') || stem == Some(only);
        match &own[..] {
            [] => error,
            [only] if is_nameless(only) => error.help(format!(
                "they have {only}; `name={name}` behind them says what an experiment without a name is"
            )),
            _ => error.help(format!("they have {}", listed(&own))),
        }
    })?;
    let unit = &measured.unit;
    if unit != fitted {
        return Err(word.error(
            code::UNITS_DIFFER,
            format!("`{name}` is measured in {unit} here, and what was fitted in {fitted}"),
        ));
    }
    Ok(measured.clone())
}

/// The samples that a step leaves.
pub(super) fn chosen(experiment: Experiment, step: SampleChange) -> Result<Experiment, Error> {
    let set = DataSet::of(experiment).with_step(step)?;
    set.experiments().first().cloned().ok_or_else(|| Error::new(code::NO_SAMPLES, "no samples are left"))
}

/// What intervals are for.
fn kind_of(settings: &Settings, unit: &Unit) -> &'static str {
    match settings.folding {
        _ if settings.is_interval_of_single() => "measurements",
        Folding::Median => "medians",
        Folding::Mean => "means",
        Folding::Minimum if unit.is_rate() => "maxima",
        Folding::Minimum => "minima",
        Folding::Each => "measurements",
    }
}

fn table(
    subject: &Subject,
    columns: Vec<Column>,
    check: &Check,
    kind: &str,
    bottom_up: Option<&BottomUp>,
) -> Markup {
    let mut table = Table::new(columns).named("comparison").about(subject.predictor().name());
    let mut errors_percent = Vec::new();
    for (index, row) in check.rows.iter().enumerate() {
        let mut cells: Vec<TableCell> = row.point.iter().map(|value| TableCell::from(*value)).collect();
        cells.push(row.measured_s.into());
        cells.extend(
            [row.predicted_s, row.lower_s, row.upper_s].map(|value| TableCell::number_or(value, "unknown")),
        );
        cells.push(TableCell::number_or(row.error_percent, "unknown"));
        if let Some(bottom_up) = bottom_up {
            let time_s = bottom_up.times_s[index];
            let error_percent = 100.0 * (row.measured_s - time_s) / row.measured_s;
            cells.extend([time_s, error_percent].map(TableCell::from));
            errors_percent.push(error_percent.abs());
        }
        table.row(cells);
    }
    let mut markup = Markup::new();
    markup.table(table);
    let has_intervals = check.rows.iter().any(|row| !row.upper_s.is_nan());
    let inside = match has_intervals {
        true => format!("; {} of {} {kind} within their intervals", check.inside, check.measurements),
        false => String::new(),
    };
    markup.line(
        Style::Plain,
        format!(
            "  largest error {} %, mean {} %, SMAPE {} %{inside}",
            number::percent(check.worst_percent),
            number::percent(check.mean_percent),
            number::percent(check.smape_percent),
        ),
    );
    if let Some(BottomUp { name, .. }) = bottom_up {
        let largest = errors_percent.iter().copied().fold(0.0, f64::max);
        let mean = errors_percent.iter().sum::<f64>() / errors_percent.len() as f64;
        let (largest, mean) = (number::percent(largest), number::percent(mean));
        markup.line(Style::Plain, format!("  by {name}: largest error {largest} %, mean {mean} %"));
    }
    markup
}
