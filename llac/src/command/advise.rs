use call_model::{Forecaster, PROCESSORS, Predictor, Remark, Slice, contention_remark};
use call_report::{Column, Table, TableCell, number};
use call_search::{Advice, FoundFormulas, advise_forecast, advise_formula, gaps_that_matter};
use call_trace::Unit;

use super::points::{GivenValues, missing_value};
use super::waits::advise_allocation;
use super::{Command, CommandArguments, units};
use crate::error::code;
use crate::{CommandOutcome, Completion, Error, Markup, Session, Style};

pub const ADVISE: Command = Command {
    name: "advise",
    usage: "advise [EXPERIMENT] [VARIABLE=VALUE…] · advise allocation [SET] runs=COUNT VARIABLE=VALUES…",
    summary: "say what to measure next",
    details: "For a prediction at the given point (without one: a step beyond the samples in each variable), which \
        measurement tells the plausible formulas apart and fixes their constants: what is left of the interval, and \
        the time that the measurement takes. Where an interval of the constants ends between two samples, and nobody knows where, it says \
        first how to halve that gap. For the constants of the formula, if there is one: what is left of \
        the volume of their confidence region (D-optimal). \
        `advise allocation runs=14 p0=1..4 p1=1..5`: which of these points tell `waits model` most before any is run, if times are \
        nearly linear in the variables and their products, with one for each variable where what falls with it takes longest, if it does so \
        anywhere. With a set of runs: which to run next, with one where each sum of its model is the run time.",
    completions: &[Completion::Experiment, Completion::Value],
    run,
    ..Command::OF_SAMPLES
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    if let Some(("allocation", behind)) =
        arguments.words().split_first().map(|(first, behind)| (first.text.as_str(), behind))
    {
        return advise_allocation(session, behind, arguments);
    }
    let (found, place) = session.first_experiment(arguments)?;
    // What is computed from other variables cannot be chosen.
    let samples = &found.experiment().samples;
    let is_known = |name: &str| samples.column(name).is_some();
    let is_free = |name: &str| !found.definitions().is_computed(name, &is_known);
    let finding = session.finding_over(&found, is_free)?;
    let target = target(session, &finding, arguments, place)?;
    let names = finding.measurements().variables();
    let mut markup = Markup::new();
    let at: Vec<String> = names
        .iter()
        .zip(&target)
        .map(|(name, value)| format!("{name}={}", number::significant(*value, 6)))
        .collect();
    let response = found.experiment().unit.clone();
    let unit = units::shown(&response);
    let level = session.level();
    let free: Vec<&str> = names.iter().map(String::as_str).collect();
    let (formula, averaged);
    let (predictor, model): (&dyn Predictor, Option<&Forecaster>) = match found.experiment().formula {
        Some(_) => {
            formula = session.forecaster(&found)?;
            (formula.as_ref(), Some(formula.as_ref()))
        }
        None => {
            averaged = session.averaged(&found)?;
            (averaged.as_ref(), None)
        }
    };
    let slice = Slice::new(predictor, &free, &[]);
    // A variable of the formula that does not vary in the samples is no variable of the measurements.
    let inputs = predictor.definitions().inputs(predictor.variables(), &free, &|name| free.contains(&name));
    let model = model.filter(|_| inputs.iter().all(|name| free.contains(name)));
    // The forecast that `predict` makes.
    let forecast = slice.forecast(&target, level).ok().filter(|forecast| !forecast.upper_s.is_nan());
    let (low, high) = match &forecast {
        Some(forecast) => (forecast.lower_s, forecast.upper_s),
        None => {
            let prediction = finding.predict(&target, level);
            (prediction.low, prediction.high)
        }
    };
    markup.fragments([
        (Style::Plain, "for a prediction at ".to_owned()),
        (Style::Name, at.join(", ")),
        (Style::Plain, format!(", now {} to {}:", unit.text(low), unit.text(high))),
    ]);
    let measurements = finding.measurements();
    let of_forecast = model.filter(|_| high.is_finite() && low > 0.0);
    let advice = match of_forecast {
        Some(forecaster) => advise_forecast(forecaster, &slice, measurements, &target, level),
        None => finding.advise(&target),
    };
    if advice.is_empty() {
        markup.line(Style::Plain, "  no measurement would tell more than those that are there");
    } else {
        markup.table(
            table("prediction", &finding, &advice, Some("interval left"), &response).about(&found.name),
        );
    }
    if let Some(forecaster) = model {
        for (gap, advice) in gaps_that_matter(forecaster, &slice, measurements, &target, level) {
            let variable = &forecaster.variables()[gap.variable];
            let [below, above] = [gap.below, gap.above].map(number::exact);
            let text = format!("for where an interval ends between {variable} = {below} and {above}:");
            markup.line(Style::Plain, text);
            markup.table(table("border", &finding, &[advice], None, &response).about(&found.name));
        }
        let constants: Vec<f64> =
            forecaster.model().cells().last().map_or(Vec::new(), |cell| cell.fit.coefficients.clone());
        let formula = forecaster.model().formula();
        let exponent = forecaster.model().error_exponent();
        let advice = advise_formula(formula, &constants, exponent, measurements, |at| slice.point(at));
        if !advice.is_empty() {
            let text = format!("for the constants of {} = {formula}:", found.name);
            markup.line(Style::Plain, text);
            let table = table("constants", &finding, &advice, Some("volume left"), &response);
            markup.table(table.about(&found.name));
        }
    }
    let mut outcome = CommandOutcome::of(markup);
    // Only times become longer as terms grow with P; of rates the forecast tells.
    let asked = names.iter().zip(&target).find(|(name, _)| *name == PROCESSORS && response.is_time());
    if let Some((_, processors)) = asked {
        let sampled = session.prepared(found.experiment()).ranges().get(PROCESSORS).copied();
        crate::remarks::tell(&mut outcome, contention_remark(*processors, sampled));
    }
    let remarks = forecast.into_iter().flat_map(|forecast| forecast.remarks);
    let is_told = |remark: &Remark| {
        matches!(remark, Remark::BetweenIntervals { .. } | Remark::Contention { is_rate: true, .. })
    };
    crate::remarks::tell(&mut outcome, remarks.filter(is_told));
    Ok(outcome)
}

fn table(name: &str, finding: &FoundFormulas, advice: &[Advice], left: Option<&str>, unit: &Unit) -> Table {
    let variables = finding.measurements().variables().iter();
    let mut columns: Vec<Column> = variables.map(|name| Column::significant(name.as_str(), 6)).collect();
    columns.push(units::column(if unit.is_time() { "takes" } else { "predicted" }, unit));
    columns.extend(left.map(Column::percent));
    let mut table = Table::new(columns).named(name);
    for one in advice {
        let mut row: Vec<TableCell> = one.point.iter().map(|value| TableCell::from(*value)).collect();
        row.push(TableCell::from(one.cost));
        row.extend(left.map(|_| TableCell::from(100.0 * one.left)));
        table.row(row);
    }
    table
}

/// The point that values of the finding's variables make; a step beyond the samples if there are none.
fn target(
    session: &Session,
    finding: &FoundFormulas,
    arguments: &CommandArguments,
    place: usize,
) -> Result<Vec<f64>, Error> {
    let words = &arguments.words()[place..];
    if words.is_empty() {
        return Ok(finding.beyond());
    }
    let names = finding.measurements().variables();
    let mut values: Vec<Option<f64>> = vec![None; names.len()];
    for word in words {
        if let Some(error) = session.without_samples(word) {
            return Err(error);
        }
        let one = GivenValues::of(word)?;
        let Some(position) = names.iter().position(|name| *name == one.name) else {
            let near = call_grammar::suggest(&one.name, names.iter().map(String::as_str));
            let message = format!("the measurements do not vary with `{}`", one.name);
            return Err(Error::at(code::UNKNOWN_VARIABLE, one.span, message)
                .suggesting(near, format!("they vary with {}", names.join(", "))));
        };
        let [value] = one.values[..] else {
            return Err(Error::at(code::WRONG_VALUE, one.span, "advice is for a single point"));
        };
        if values[position].replace(value).is_some() {
            return Err(Error::at(code::GIVEN_TWICE, one.span, format!("`{}` is given twice", one.name)));
        }
    }
    let value =
        |(value, name): (Option<f64>, &String)| value.ok_or_else(|| missing_value(name, arguments.end()));
    values.into_iter().zip(names).map(value).collect()
}
