//! `advise allocation`: where to run a program first, or next.

use call_grammar::counted;
use call_report::{Column, Table, TableCell};
use call_waitmodel::{DominanceRegion, Dominant, informative, possible_regions};

use super::model::{beyond, not_common};
use super::model_tables::StepAndGroupNames;
use super::model_words::ModelWords;
use super::sampled_runs::SampledRuns;
use crate::command::CommandArguments;
use crate::command::points::{GivenValues, combinations, missing_value};
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Error, Markup, Session, Style};

/// How many points may be run.
const RUNS: &str = "runs";

/// `[SET] runs=COUNT VARIABLE=VALUES…`.
pub fn advise_allocation(
    session: &mut Session,
    words: &[Word],
    arguments: &CommandArguments,
) -> Result<CommandOutcome, Error> {
    let mut words = ModelWords::of(words)?;
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
    match words.data {
        None => before_any_run(&words, count),
        Some(_) => behind_runs(session, &words, count, arguments),
    }
}

/// One region for what falls with each variable, and one for what falls with none.
fn before_any_run(words: &ModelWords, count: usize) -> Result<CommandOutcome, Error> {
    let points = combinations(&words.given.iter().collect::<Vec<&GivenValues>>())?;
    let regions = possible_regions(&points);
    let chosen = informative(&points, &[], &regions, count)?;
    let mut markup = Markup::new();
    markup.line(Style::Plain, format!("{count} of {} points to run first:", points.len()));
    let text = |region: &DominanceRegion| match region.dominant {
        Dominant::FallsWith(variable) => format!("what falls with {}", words.given[variable].name),
        _ => "what falls with none".to_owned(),
    };
    let names = words.given.iter().map(|one| one.name.as_str());
    markup.table(design(names, "longest if anywhere", &points, &chosen, &regions, text));
    Ok(CommandOutcome::of(markup))
}

/// Beside those runs, with a point in each region that their model predicts.
fn behind_runs(
    session: &Session,
    words: &ModelWords,
    count: usize,
    arguments: &CommandArguments,
) -> Result<CommandOutcome, Error> {
    let runs = SampledRuns::of(session, words.data)?;
    let model = runs.model()?;
    words.check_counts(&runs, &model.allocating())?;
    let mut points = words.points(&runs, arguments.end())?;
    points.retain(|point| !model.points.contains(point));
    if points.is_empty() {
        let message = "all of these points were run";
        return Err(Error::new(code::NOT_APPLICABLE, message).help("give the variables further values"));
    }
    let level = session.level();
    let regions = model.dominance_regions(&points, level);
    let chosen = informative(&points, &model.points, &regions, count)?;
    let names = StepAndGroupNames { runs: &runs, model: &model };
    let mut outcome = CommandOutcome { warnings: runs.warnings.clone(), ..CommandOutcome::default() };
    outcome.warnings.extend(not_common(&model));
    let predicted: Vec<_> =
        chosen.iter().map(|point| (&points[*point], model.predict(&points[*point], level))).collect();
    outcome.warnings.extend(beyond(&runs, &model, predicted.iter().map(|(point, run)| (*point, run))));
    outcome.value.line(
        Style::Plain,
        format!(
            "{count} of {} that were not run, with one at least where each of {} is the run time:",
            counted(points.len(), "point"),
            counted(regions.len(), "sum")
        ),
    );
    let text = |region: &DominanceRegion| {
        let Dominant::Sum(sum) = region.dominant else { return String::new() };
        let longest = model.time[sum].terms.first().map(|term| names.step(&model.steps[term.step]));
        format!("{}. {}", sum + 1, longest.unwrap_or_default())
    };
    let variables = runs.variables.iter().map(String::as_str);
    outcome.value.table(design(variables, "longest", &points, &chosen, &regions, text));
    Ok(outcome)
}

/// The chosen points with what takes longest there.
fn design<'a>(
    names: impl Iterator<Item = &'a str>,
    longest: &str,
    points: &[Vec<f64>],
    chosen: &[usize],
    regions: &[DominanceRegion],
    text: impl Fn(&DominanceRegion) -> String,
) -> Table {
    let columns: Vec<Column> = names.map(Column::right).chain([Column::left(longest)]).collect();
    let mut table = Table::new(columns).named("design");
    for point in chosen {
        let its = regions.iter().filter(|region| region.points.contains(point));
        let its = its.map(&text).collect::<Vec<_>>().join(", ");
        table.row(points[*point].iter().map(|value| TableCell::from(*value)).chain([its.into()]));
    }
    table
}
