//! `waits model`: run time and waits as maxima of sums of steps, from runs at several values.

use call_grammar::counted;
use call_report::number;
use call_waitmodel::{PredictedRun, Sum, WaitModel, left_out_s};

use super::MOST_ROWS;
use super::list::most;
use super::model_tables::{self, StepAndGroupNames};
use super::model_words::ModelWords;
use super::sampled_runs::SampledRuns;
use crate::command::CommandArguments;
use crate::command::forecast_view::place;
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Error, Markup, Message, Session, Style};

pub fn run(
    session: &mut Session,
    words: &[Word],
    arguments: &CommandArguments,
) -> Result<CommandOutcome, Error> {
    let words = ModelWords::of(words)?;
    let runs = SampledRuns::of(session, words.data)?;
    let model = runs.model()?;
    let names = StepAndGroupNames { runs: &runs, model: &model };
    let level = session.level();
    let mut outcome = CommandOutcome { warnings: runs.warnings.clone(), ..CommandOutcome::default() };
    outcome.warnings.extend(not_common(&model));
    if words.given.is_empty() {
        outcome.value = shown(&names);
        return Ok(outcome);
    }
    words.check_counts(&runs, &model.allocating())?;
    let points = words.points(&runs, arguments.end())?;
    let predicted: Vec<PredictedRun> = points.iter().map(|point| model.predict(point, level)).collect();
    if let Some((point, _)) = points.iter().zip(&predicted).find(|(_, run)| !is_run(run)) {
        let message = format!("{} has no finite time", place(&runs.program, &runs.variables, point));
        return Err(
            Error::new(code::NO_PREDICTION, message).help("the formulas of some steps have no value there")
        );
    }
    let mut markup = Markup::new();
    if let ([point], [run]) = (&points[..], &predicted[..]) {
        markup.fragments([
            (Style::Name, place(&runs.program, &runs.variables, point)),
            (Style::Plain, " = ".to_owned()),
            (Style::Strong, number::seconds(run.time.value_s)),
        ]);
    }
    markup.table(model_tables::run_times(&names, &points, &predicted, level));
    match points.len() {
        1 => markup.table(model_tables::groups(&names, &points, &predicted, level)),
        _ => markup.data(model_tables::groups(&names, &points, &predicted, level)),
    }
    outcome.value = markup;
    outcome.warnings.extend(too_long_waits(&runs, &points, &predicted));
    outcome.warnings.extend(beyond(&runs, &model, points.iter().zip(&predicted)));
    Ok(outcome)
}

fn is_run(run: &PredictedRun) -> bool {
    run.time.value_s.is_finite() && run.time.value_s > 0.0
}

/// Less is how far off such sums are anyway, as a share of the run.
const TOLD_EXCESS: f64 = 0.05;

/// Where the waits of a group's calls add up to more than a run has room for: the point where they do most.
fn too_long_waits(runs: &SampledRuns, points: &[Vec<f64>], predicted: &[PredictedRun]) -> Option<Message> {
    let excesses = points.iter().zip(predicted).flat_map(|(point, run)| {
        let roles = run.roles.iter().enumerate();
        roles.map(move |(number, role)| (role.excess_s / run.time.value_s, point, number, role))
    });
    let told = excesses.filter(|(share, ..)| *share > TOLD_EXCESS);
    let (_, point, number, role) = told.max_by(|left, right| left.0.total_cmp(&right.0))?;
    let text = format!(
        "{}: the waits of single calls of group {} add up to {}, which is {} more than the run has beside its steps; they are cut to that",
        place(&runs.program, &runs.variables, point),
        number + 1,
        number::seconds(role.waiting.value_s + role.excess_s),
        number::seconds(role.excess_s)
    );
    Some(Message::new("waits-cut", text))
}

/// For each variable the value that lies farthest outside of the runs.
pub fn beyond<'a>(
    runs: &SampledRuns,
    model: &WaitModel,
    predicted: impl Iterator<Item = (&'a Vec<f64>, &'a PredictedRun)> + Clone,
) -> Vec<Message> {
    let mut messages = Vec::new();
    for (variable, name) in runs.variables.iter().enumerate() {
        let outside = predicted.clone().filter(|(_, run)| run.beyond.contains(&variable));
        let values = model.points.iter().map(|point| point[variable]);
        let (lowest, highest) =
            (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max));
        let distance = |value: &f64| (value - highest).max(lowest - value);
        let farthest = outside
            .map(|(point, _)| point[variable])
            .max_by(|left, right| distance(left).total_cmp(&distance(right)));
        if let Some(value) = farthest {
            let [value, lowest, highest] = [value, lowest, highest].map(number::exact);
            let text = format!(
                "{name} = {value} lies outside of the runs, which have {lowest} to {highest}: others may be waited for there than in any run"
            );
            messages.push(Message::new("outside", text));
        }
    }
    messages
}

/// Nothing that other runs have tells what a further one is made of.
pub fn not_common(model: &WaitModel) -> Option<Message> {
    let text = format!(
        "what the run time is made of differs from run to run ({} sums in {}): they say little about others",
        model.time.len(),
        counted(model.points.len(), "run")
    );
    (!model.is_common).then(|| Message::new("not-common", text))
}

fn shown(names: &StepAndGroupNames) -> Markup {
    let StepAndGroupNames { runs, model } = names;
    let mut markup = Markup::new();
    let shortest_s = model.run_time_s.iter().copied().fold(f64::INFINITY, f64::min);
    let longest_s = model.run_time_s.iter().copied().fold(0.0, f64::max);
    let ranges = runs.variables.iter().enumerate().map(|(variable, name)| {
        let values = model.points.iter().map(|point| point[variable]);
        let (lowest, highest) =
            (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max));
        format!("{name} = {} to {}", number::short(lowest), number::short(highest))
    });
    let mut text = format!(
        "{} of {}, {} to {}: {}",
        counted(model.points.len(), "run"),
        runs.program,
        number::seconds(shortest_s),
        number::seconds(longest_s),
        ranges.collect::<Vec<_>>().join(", ")
    );
    if !runs.constants.is_empty() {
        let constants =
            runs.constants.iter().map(|(name, value)| format!("{name} = {}", number::short(*value)));
        text.push_str(&format!("; in all of them {}", constants.collect::<Vec<_>>().join(", ")));
    }
    markup.paragraph(text);
    markup.table(model_tables::steps(names));
    markup.paragraph(format!("run time: {}", maximum(&model.time, false)));
    sums(&mut markup, names, &model.time);
    let told = most(
        &model.calls,
        |call| (1e9 * call.waiting_s.iter().filter(|its_s| its_s.is_finite()).sum::<f64>()) as i64,
        0.99,
    );
    for call in told {
        let name = runs.names.get(&call.code).map_or("", String::as_str);
        let law = model_tables::waits_formula(call);
        let what = if law.is_empty() { maximum(&call.sums, true) } else { law.as_str() };
        let why = if law.is_empty() { "" } else { ", not a sum of these steps" };
        markup.paragraph(format!("waits of group {} {name}: {what}{why}", call.role + 1));
        sums(&mut markup, names, &call.sums);
    }
    markup.paragraph(errors(names));
    markup.data(model_tables::sums(names));
    markup
}

fn maximum(sums: &[Sum], is_wait: bool) -> &'static str {
    match (sums.len(), is_wait) {
        (1, false) => "in all runs",
        (1, true) => "if that is more than nothing",
        (_, false) => "the largest of",
        (_, true) => "the largest of these, or nothing",
    }
}

fn sums(markup: &mut Markup, names: &StepAndGroupNames, sums: &[Sum]) {
    for (number, sum) in sums.iter().take(MOST_ROWS).enumerate() {
        let runs = counted(sum.runs.len(), "run");
        markup.item(format!("{}. {} ({runs})", number + 1, sum_text(names, sum)));
    }
    if sums.len() > MOST_ROWS {
        markup.item(format!("and {} others", sums.len() - MOST_ROWS));
    }
}

/// So much of a sum is told.
const TOLD: f64 = 0.95;

/// `1 × in transform + 0.1 × in samples − 0.9 × in power`.
fn sum_text(names: &StepAndGroupNames, sum: &Sum) -> String {
    let weight = |term: &call_waitmodel::SumTerm| {
        let mean_s = &names.model.steps[term.step].mean_s;
        sum.runs.iter().map(|run| (term.times * mean_s[*run]).abs()).sum::<f64>()
    };
    let all: f64 = sum.terms.iter().map(weight).sum();
    let (mut told, mut text) = (0.0, String::new());
    for term in &sum.terms {
        if told >= TOLD * all {
            text.push_str(" + …");
            break;
        }
        told += weight(term);
        let sign = match (term.times < 0.0, text.is_empty()) {
            (true, true) => "−",
            (true, false) => " − ",
            (false, true) => "",
            (false, false) => " + ",
        };
        let name = names.step(&names.model.steps[term.step]);
        let times = match model_tables::times(names, term) {
            formula if formula.is_empty() => number::significant(term.times.abs(), 2),
            formula => format!("({formula})"),
        };
        text.push_str(&format!("{sign}{times} × {name}"));
    }
    match model_tables::scale(sum) {
        scale if scale.is_empty() => text,
        scale => format!("({scale}) × ({text})"),
    }
}

/// How far off the model is where it is known.
fn errors(names: &StepAndGroupNames) -> String {
    let StepAndGroupNames { runs, model } = names;
    let share = |predicted_s: f64, run: usize| (predicted_s / model.run_time_s[run] - 1.0).abs();
    let own: Vec<f64> = (0..model.points.len())
        .map(|run| share(model.predict(&model.points[run], 0.5).time.value_s, run))
        .collect();
    let mut text = format!("run times of its own runs: {} off", spread(&own));
    if let Ok(left_out_s) = left_out_s(&runs.variables, &runs.sampled()) {
        let others: Vec<f64> = left_out_s.iter().enumerate().map(|(run, its_s)| share(*its_s, run)).collect();
        text.push_str(&format!("; each predicted from the others: {} off", spread(&others)));
    }
    text
}

fn spread(errors: &[f64]) -> String {
    let mean = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
    let largest = errors.iter().copied().fold(0.0, f64::max);
    format!("{} % on average, at most {} %", number::percent(100.0 * mean), number::percent(100.0 * largest))
}
