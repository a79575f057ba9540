//! Profiles at values of the variables that were not run.

use std::collections::{BTreeMap, BTreeSet};

use call_grammar::{counted, listed};
use call_model::{Beyond, Remark};
use call_profile::{CostQuantity, Profile, ProfileModels, SumInterval};
use call_report::{Column, ColumnKind, DisplayUnit, Table, TableCell, number};

use super::request::ProfileSelection;
use super::source::{LabelledProfile, PredictionOfProfile};
use super::values::{HidingThreshold, name, ratio, unit};
use crate::error::code;
use crate::words::Word;
use crate::{Error, Markup, Message, Session, Style};

/// Fewer points than this tell nothing of how costs change.
const LEAST_POINTS: usize = 3;

/// More processors are no number of processors.
const MOST_PROCESSORS: f64 = 1e9;

/// Of intervals.
pub const PROBABILITY: f64 = 0.9;

/// The profile of one run, or the one that is predicted from several.
pub fn find(session: &Session, asked: &ProfileSelection) -> Result<LabelledProfile, Error> {
    let mut source = match asked.point.first() {
        None => LabelledProfile::find(session, asked.sources.first())?,
        Some((first, _)) => predict(session, asked, first)?,
    };
    if let Some(machine) = &asked.machine {
        source.be_on_machine(session, machine)?;
    }
    Ok(source)
}

/// The profile at the point that is asked for.
fn predict(session: &Session, request: &ProfileSelection, first: &Word) -> Result<LabelledProfile, Error> {
    let runs = match &request.sources[..] {
        [] => LabelledProfile::of_each(session, None)?,
        words => {
            let each = words.iter().map(|word| LabelledProfile::of_each(session, Some(word)));
            each.collect::<Result<Vec<_>, Error>>()?.into_iter().flatten().collect()
        }
    };
    let target = PredictedPoint::of(request, first, &runs)?;
    let points: Vec<Vec<f64>> = runs.iter().map(|run| target.of_run(run)).collect();
    let profiles: Vec<&Profile> = runs.iter().map(|run| &run.profile).collect();
    let models = ProfileModels::new(&target.variables, &points, &profiles);
    let predicted = models.predict(target.processors, &target.point, PROBABILITY);
    if predicted.profile.centres().is_empty() {
        return Err(nothing_in_common(&runs, first));
    }
    let label = format!("predicted for {} from {}", target.text(&target.point), counted(runs.len(), "run"));
    let mut source = LabelledProfile::new(label, predicted.profile);
    let known =
        runs.iter().zip(&points).map(|(run, point)| format!("{} ({})", run.label, target.text(point)));
    source.prediction = Some(PredictionOfProfile { intervals: predicted.maxima, runs: known.collect() });
    source.warnings = runs.iter().flat_map(|run| run.warnings.clone()).collect();
    source.circumstances = runs.iter().flat_map(|run| run.circumstances.clone()).collect();
    source.remarks = target.beyond(&points);
    source.warnings.extend(left_out(&models, &runs));
    source.warnings.extend(open(&source));
    Ok(source)
}

/// What is asked for, as columns of the models.
struct PredictedPoint {
    variables: Vec<String>,
    point: Vec<f64>,
    processors: usize,
}

impl PredictedPoint {
    fn of(
        request: &ProfileSelection,
        first: &Word,
        runs: &[LabelledProfile],
    ) -> Result<PredictedPoint, Error> {
        let wrong = |word: &Word, message: String| word.error(code::WRONG_VALUE, message);
        let mut given: BTreeMap<&str, f64> = BTreeMap::new();
        for (word, value) in &request.point {
            if given.insert(&word.text, *value).is_some() {
                let message = format!("`{}` is given twice", word.text);
                return Err(word.error(code::GIVEN_TWICE, message).help("leave one out"));
            }
            let values: Option<BTreeSet<u64>> =
                runs.iter().map(|run| run.value(&word.text).map(f64::to_bits)).collect();
            match values {
                None => {
                    let message = format!("not all runs have one value of `{}`", word.text);
                    return Err(word
                        .error(code::UNKNOWN_VARIABLE, message)
                        .help("`P`, or a variable of experiments that has the same value in a whole run"));
                }
                Some(values) if values.len() == 1 && !values.contains(&value.to_bits()) => {
                    let message = format!("all runs have the same `{}`", word.text);
                    return Err(
                        wrong(word, message).help("run the program with other values, too: three at least")
                    );
                }
                Some(_) => {}
            }
        }
        // What changes from run to run and is not asked for would be taken for chance.
        let names: BTreeSet<&str> = runs.iter().flat_map(LabelledProfile::variables).collect();
        let values_of = |name: &str| -> BTreeSet<Option<u64>> {
            runs.iter().map(|run| run.value(name).map(f64::to_bits)).collect()
        };
        let changing = names.into_iter().filter(|name| values_of(name).len() > 1);
        let missing: Vec<String> =
            changing.filter(|name| !given.contains_key(name)).map(str::to_owned).collect();
        if !missing.is_empty() {
            let message = format!("{} changes from run to run", listed(&missing));
            let cure: Vec<String> = missing.iter().map(|name| format!("`{name}=…`")).collect();
            return Err(first
                .error(code::MISSING_WORD, message)
                .help(format!("say for which value to predict: {}", cure.join(" "))));
        }
        let processors = given.get("P").copied().or_else(|| runs.first().and_then(|run| run.value("P")));
        let processors = processors
            .filter(|count| count.fract() == 0.0 && (1.0..=MOST_PROCESSORS).contains(count))
            .ok_or_else(|| wrong(first, "P is no number of processors".to_owned()))?;
        let changes = |name: &&str| values_of(name).len() > 1;
        let variables: Vec<&str> = given.keys().copied().filter(changes).collect();
        let target = PredictedPoint {
            point: variables.iter().map(|name| given[name]).collect(),
            variables: variables.into_iter().map(str::to_owned).collect(),
            processors: processors as usize,
        };
        let distinct: BTreeSet<Vec<u64>> =
            runs.iter().map(|run| target.of_run(run).into_iter().map(f64::to_bits).collect()).collect();
        match distinct.len() >= LEAST_POINTS {
            true => Ok(target),
            false => {
                let message = format!(
                    "a prediction needs runs at {LEAST_POINTS} points at least, and there are {}",
                    distinct.len()
                );
                Err(first
                    .error(code::NO_SAMPLES, message)
                    .help("load runs with other numbers of processors, or name their files before `P=…`"))
            }
        }
    }

    fn of_run(&self, run: &LabelledProfile) -> Vec<f64> {
        self.variables.iter().map(|name| run.value(name).unwrap_or(f64::NAN)).collect()
    }

    /// `P = 64, N = 1000`.
    fn text(&self, point: &[f64]) -> String {
        let values = self.variables.iter().zip(point);
        let texts: Vec<String> =
            values.map(|(name, value)| format!("{name} = {}", number::short(*value))).collect();
        texts.join(", ")
    }

    /// What lies outside of what was run.
    fn beyond(&self, points: &[Vec<f64>]) -> Vec<Remark> {
        let variables = self.variables.iter().zip(&self.point).enumerate();
        let beyond = variables.filter_map(|(place, (name, value))| {
            let values = || points.iter().map(|point| point[place]);
            let lowest = values().fold(f64::INFINITY, f64::min);
            let highest = values().fold(f64::NEG_INFINITY, f64::max);
            let is_outside = *value < lowest || *value > highest;
            is_outside.then(|| Beyond { variable: name.clone(), value: *value, lowest, highest })
        });
        beyond.map(|beyond| Remark::Beyond { experiment: None, beyond }).collect()
    }
}

/// No cost centre is in all of the runs: which one it is that shares none with others, if there is one.
fn nothing_in_common(runs: &[LabelledProfile], first: &Word) -> Error {
    let strangers_of = |run: &LabelledProfile| -> Vec<&str> {
        let shares_none = |other: &&LabelledProfile| {
            let centres = other.profile.centres();
            run.profile.centres().iter().all(|centre| !centres.contains(centre))
        };
        runs.iter()
            .filter(shares_none)
            .map(|other| other.label.as_str())
            .filter(|label| *label != run.label)
            .collect()
    };
    // Of equal ones the first.
    let strangest =
        runs.iter().rev().map(|run| (run, strangers_of(run))).max_by_key(|(_, strangers)| strangers.len());
    let message = match strangest {
        Some((run, strangers)) if !strangers.is_empty() => {
            format!("{} has no cost centre in common with {}", run.label, listed(&strangers))
        }
        _ => "no cost centre is in all of the runs".to_owned(),
    };
    first.error(code::NO_SAMPLES, message).help(
        "name runs of one program before `P=…` that synchronise at the same places, called from the same functions",
    )
}

fn left_out(models: &ProfileModels, runs: &[LabelledProfile]) -> Option<Message> {
    let centres = models.left_out();
    let (first, others) = centres.split_first()?;
    let share = |run: &LabelledProfile| {
        let profile = &run.profile;
        let own = profile.centres().iter().zip(profile.costs());
        let of_left_out: f64 =
            own.filter(|(centre, _)| centres.contains(centre)).map(|(_, cost)| cost.time_s()).sum();
        ratio(of_left_out, profile.total().time_s())
    };
    let most = runs.iter().map(share).fold(0.0, f64::max);
    let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
    let text = format!(
        "{}, called in {}{more}: not in all runs, so left out; together up to {:.1} % of a run",
        first.position,
        first.stack.join(" < "),
        100.0 * most
    );
    Some(Message::new("not-in-all-runs", text))
}

/// That nothing bounds what two runs tell.
fn open(source: &LabelledProfile) -> Option<Message> {
    let intervals = || source.prediction.iter().flat_map(|its| &its.intervals);
    let is_open = |quantity: &CostQuantity| intervals().any(|of| of[*quantity as usize].is_open());
    let names: Vec<&str> = CostQuantity::ALL.into_iter().filter(is_open).map(name).collect();
    (!names.is_empty()).then(|| {
        let text = format!(
            "{}: {LEAST_POINTS} points at least tell how they change, so their intervals are open; one processor among others tells \
             nothing of communication, idle time and h",
            listed(&names)
        );
        Message::new("open-intervals", text)
    })
}

/// What is to be known before one believes a prediction, a line each.
pub fn facts(source: &LabelledProfile) -> Vec<String> {
    let Some(prediction) = &source.prediction else { return Vec::new() };
    let percent = number::short(100.0 * PROBABILITY);
    vec![
        format!("Predicted, not measured. It comes from {}.", listed(&prediction.runs)),
        format!(
            "Intervals of single cost centres hold what would be measured in {percent} % of cases; where a node has several, their ends \
             are added up, as if all erred to the same side."
        ),
    ]
}

/// Intervals of the largest cost centres for people, of all for programs.
pub fn tell(markup: &mut Markup, source: &LabelledProfile, hidden: &HidingThreshold) {
    let Some(PredictionOfProfile { intervals, .. }) = &source.prediction else { return };
    let profile = &source.profile;
    let total = profile.total();
    let mut order: Vec<usize> = (0..intervals.len()).collect();
    let time_s = |centre: &usize| profile.costs()[*centre].time_s();
    order.sort_by(|left, right| time_s(right).total_cmp(&time_s(left)).then(left.cmp(right)));
    order.retain(|centre| !hidden.hides(&profile.costs()[*centre], &total));
    let percent = number::short(100.0 * PROBABILITY);
    markup.line(Style::Plain, format!("largest of each superstep, added up, with {percent} % intervals:"));
    for quantity in TOLD {
        let unit = DisplayUnit::parse(unit(quantity));
        let numbers = [name(quantity), "low", "high"].map(|title| Column::quantity(title, &unit));
        let columns = [Column::left("cost centre"), Column::left("called in").key("call_stack")];
        let mut shown =
            Table::new(columns.into_iter().chain(numbers)).named(format!("predicted_{}", name(quantity)));
        for centre in &order {
            let its = &profile.centres()[*centre];
            let caller = its.stack.first().map_or("", String::as_str);
            let start = [its.position.to_string(), caller.to_owned()].map(TableCell::from);
            let value = TableCell::from(profile.costs()[*centre].of(quantity).maximum);
            shown.row(start.into_iter().chain([value]).chain(ends(&intervals[*centre][quantity as usize])));
        }
        markup.table(shown);
    }
    markup.data(in_full(source, intervals));
}

/// Idle time is what others need longer: no law of its own is to be expected of it.
const TOLD: [CostQuantity; 3] = [CostQuantity::Computation, CostQuantity::Communication, CostQuantity::H];

/// Both ends of an interval.
pub fn ends(interval: &SumInterval) -> [TableCell; 2] {
    match interval.is_open() {
        true => [TableCell::Missing("open"), TableCell::Missing("open")],
        false => [TableCell::from(interval.low), TableCell::from(interval.high)],
    }
}

fn in_full(source: &LabelledProfile, intervals: &[[SumInterval; 4]]) -> Table {
    let mut columns = vec![Column::code("cost centre"), Column::left("called in").key("call_stack")];
    for quantity in CostQuantity::ALL {
        for end in ["low", "max", "high"] {
            let key = format!("{}_{end}_{}", name(quantity), unit(quantity));
            columns.push(Column::new(key.clone(), key, ColumnKind::Exact));
        }
    }
    let mut table = Table::new(columns).named("intervals");
    let profile = &source.profile;
    for ((centre, cost), interval) in profile.centres().iter().zip(profile.costs()).zip(intervals) {
        let start = [centre.position.to_string(), centre.stack.join(" < ")].map(TableCell::from);
        let numbers = CostQuantity::ALL.into_iter().flat_map(|quantity| {
            let [low, high] = ends(&interval[quantity as usize]);
            [low, TableCell::from(cost.of(quantity).maximum), high]
        });
        table.row(start.into_iter().chain(numbers));
    }
    table
}
