use call_report::{Column, ColumnKind, Table, TableCell, number};
use call_search::FoundFormula;
use call_waitmodel::{Allocation, CallModel, Multiplicity, PredictedRun, StepModel, Sum, SumTerm, WaitModel};

use super::sampled_runs::SampledRuns;
use crate::command::forecast_view::interval_columns;
use call_trace::Unit;

/// How steps and groups are called.
pub struct StepAndGroupNames<'a> {
    pub runs: &'a SampledRuns,
    pub model: &'a WaitModel,
}

impl StepAndGroupNames<'_> {
    /// Among the steps of its group.
    fn own_step(&self, step: &StepModel) -> &str {
        let name = self.runs.names.get(&step.code).map_or("", String::as_str);
        name.strip_prefix("in ").unwrap_or(name)
    }

    pub fn step(&self, step: &StepModel) -> String {
        let name = self.own_step(step);
        let same = self.model.steps.iter().filter(|other| other.code == step.code);
        match same.count() {
            1 => name.to_owned(),
            _ => format!("{name} of group {}", step.role + 1),
        }
    }

    /// `p0`, or a number that is the same everywhere.
    pub fn count(&self, role: usize) -> String {
        let role = &self.model.roles[role];
        match (role.variable, role.counts.first()) {
            (Some(variable), _) if role.fewer > 0 => {
                format!("{} - {}", self.runs.variables[variable], role.fewer)
            }
            (Some(variable), _) => self.runs.variables[variable].clone(),
            (None, Some(first)) if role.counts.iter().all(|count| count == first) => first.to_string(),
            _ => "several".to_owned(),
        }
    }
}

pub fn steps(names: &StepAndGroupNames) -> Table {
    let columns = [
        Column::right("group"),
        Column::left("processors"),
        Column::code("step"),
        Column::code("formula"),
        Column::percent("error"),
    ];
    let mut table = Table::new(columns).named("steps");
    for step in &names.model.steps {
        let found = step.formula("t");
        let error = found.as_ref().map_or(f64::NAN, |found| 100.0 * found.relative_error);
        let formula =
            found.map_or(String::new(), |found| with_constants("t", found.formula, number::seconds));
        table.row([
            TableCell::from((step.role + 1) as f64),
            names.count(step.role).into(),
            names.own_step(step).into(),
            formula.into(),
            TableCell::number_or(error, "unknown"),
        ]);
    }
    table
}

/// The terms of run time and waits, for programs.
pub fn sums(names: &StepAndGroupNames) -> Table {
    let columns = [
        Column::left("what"),
        Column::right("group"),
        Column::right("sum"),
        Column::right("runs"),
        Column::left("step"),
        Column::new("times", "times", ColumnKind::Exact),
        Column::code("times formula"),
        Column::code("scale"),
    ];
    let mut table = Table::new(columns).named("sums");
    let time = [("run time".to_owned(), None, &names.model.time)];
    let calls = names.model.calls.iter().map(|call| {
        (names.runs.names.get(&call.code).cloned().unwrap_or_default(), Some(call.role), &call.sums)
    });
    for (what, role, sums) in time.into_iter().chain(calls) {
        for (number, sum) in sums.iter().enumerate() {
            for term in &sum.terms {
                let role = role.map_or(TableCell::Missing(""), |role| ((role + 1) as f64).into());
                table.row([
                    TableCell::from(what.as_str()),
                    role,
                    ((number + 1) as f64).into(),
                    (sum.runs.len() as f64).into(),
                    names.step(&names.model.steps[term.step]).into(),
                    term.times.into(),
                    times(names, term).into(),
                    scale(sum).into(),
                ]);
            }
        }
    }
    table
}

/// Constants below this are rounding.
const NOTHING: f64 = 1e-9;

/// The formula of how often a step is in a sum, without its sign and with its constants; empty if that is one number.
pub fn times(names: &StepAndGroupNames, term: &SumTerm) -> String {
    let text = |value: f64| number::significant(value, 3);
    match &term.multiplicity {
        None => String::new(),
        Some(Multiplicity::Each(affine) | Multiplicity::Affine(affine)) => {
            let variable = &names.runs.variables[affine.variable];
            let product = match affine.slope {
                slope if text(slope) == "1" => variable.clone(),
                slope => format!("{}*{variable}", text(slope)),
            };
            match affine.constant {
                constant if constant.abs() < NOTHING => product,
                constant if constant < 0.0 => format!("{product} - {}", text(-constant)),
                constant => format!("{product} + {}", text(constant)),
            }
        }
        Some(found) => {
            found.found("s").map_or(String::new(), |found| with_constants("s", found.formula, text))
        }
    }
}

/// The formula of how many times the sum there is, with its constants; empty if it is 1.
pub fn scale(sum: &Sum) -> String {
    let found = sum.scale_formula("s");
    found.map_or(String::new(), |found| {
        with_constants("s", found.formula, |value| number::significant(value, 3))
    })
}

/// The formula of waits that no sums are, in seconds.
pub fn waits_formula(call: &CallModel) -> String {
    let found = call.formula("t");
    found.map_or(String::new(), |found| with_constants("t", found.formula, number::seconds))
}

fn with_constants(name: &str, formula: FoundFormula, text: impl Fn(f64) -> String) -> String {
    let constants = formula.constants.iter().enumerate();
    constants.fold(formula.text, |all, (index, constant)| {
        all.replacen(&format!("{name}[{index}]"), &text(*constant), 1)
    })
}

fn variable_columns(names: &StepAndGroupNames) -> Vec<Column> {
    names.runs.variables.iter().map(|name| Column::right(name.as_str())).collect()
}

/// Run times at points, each in two ways.
pub fn run_times(
    names: &StepAndGroupNames,
    points: &[Vec<f64>],
    predicted: &[PredictedRun],
    level: f64,
) -> Table {
    let columns = variable_columns(names).into_iter().chain(interval_columns(level, &Unit::Seconds)).chain([
        Column::seconds("by groups"),
        Column::percent("parallel efficiency"),
        Column::right("sum"),
    ]);
    let mut table = Table::new(columns).named("run_times");
    for (point, run) in points.iter().zip(predicted) {
        let time = run.time;
        let mut row: Vec<TableCell> = point.iter().map(|value| (*value).into()).collect();
        row.extend([time.value_s, time.low_s, time.high_s, run.by_roles_s].map(TableCell::from));
        row.push(run.efficiency.map_or(TableCell::Missing("unknown"), |share| (100.0 * share).into()));
        row.push(((run.sum + 1) as f64).into());
        table.row(row);
    }
    table
}

/// What groups do at points.
pub fn groups(
    names: &StepAndGroupNames,
    points: &[Vec<f64>],
    predicted: &[PredictedRun],
    level: f64,
) -> Table {
    let [_, lower, upper] = interval_columns(level, &Unit::Seconds);
    let columns = variable_columns(names).into_iter().chain([
        Column::right("group"),
        Column::right("processors"),
        Column::seconds("computing"),
        Column::seconds("waiting"),
        lower,
        upper,
    ]);
    let mut table = Table::new(columns).named("groups");
    for (point, run) in points.iter().zip(predicted) {
        for (number, role) in run.roles.iter().enumerate() {
            let mut row: Vec<TableCell> = point.iter().map(|value| (*value).into()).collect();
            row.push(((number + 1) as f64).into());
            row.push(role.processors.map_or(TableCell::Missing("unknown"), TableCell::from));
            let times_s = [role.computing_s, role.waiting.value_s, role.waiting.low_s, role.waiting.high_s];
            row.extend(times_s.map(TableCell::from));
            table.row(row);
        }
    }
    table
}

pub fn allocations(names: &StepAndGroupNames, all: &[Allocation], level: f64) -> Table {
    let columns = [Column::right("processors")].into_iter().chain(variable_columns(names));
    let columns = columns
        .chain(interval_columns(level, &Unit::Seconds))
        .chain([Column::percent("parallel efficiency")]);
    let mut table = Table::new(columns).named("allocations");
    for one in all {
        let time = one.predicted.time;
        let mut row = vec![TableCell::from(one.processors as f64)];
        row.extend(one.point.iter().map(|value| TableCell::from(*value)));
        row.extend([time.value_s, time.low_s, time.high_s].map(TableCell::from));
        let efficiency = one.predicted.efficiency;
        row.push(efficiency.map_or(TableCell::Missing("unknown"), |share| (100.0 * share).into()));
        table.row(row);
    }
    table
}
