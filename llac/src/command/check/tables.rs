//! Findings as tables.

use call_check::{ComparisonSubject, CostChange, Finding, Verdict};
use call_report::{Column, Table, TableCell, number};
use call_trace::Unit;

use super::{Checked, sentence};
use crate::command::units;

/// A row for each constant and target.
pub fn findings(checked: &Checked) -> Table {
    let unit = checked.baseline.model().unit();
    let mut columns = vec![Column::code("what")];
    let has_places = has_places(checked);
    columns.extend(has_places.then(|| Column::left("where")));
    columns.extend([
        value_column("before", unit),
        value_column("after", unit),
        Column::percent("change"),
        Column::percent(format!("{} from", number::short(100.0 * checked.level))).key("change_lower_percent"),
        Column::percent("to").key("change_upper_percent"),
        Column::percent("allowed").key("tolerance_percent"),
        Column::code("verdict"),
    ]);
    let mut table = Table::new(columns).named("check").main().about(checked.name());
    for finding in &checked.report.findings {
        let (name, place) = match &finding.subject {
            ComparisonSubject::Constant(placed) => {
                (sentence::constant(checked, placed.term), placed.place.clone().unwrap_or_default())
            }
            ComparisonSubject::Target(target) => (format!("at {}", target.name), String::new()),
        };
        let mut row = vec![TableCell::from(name)];
        row.extend(has_places.then(|| TableCell::from(place)));
        row.extend(numbers(finding));
        let verdict = if finding.is_judged { sentence::verdict(finding.verdict) } else { "told" };
        row.push(verdict.into());
        table.row(row);
    }
    table
}

/// Four digits are more than runs agree in.
fn value_column(name: &str, unit: &Unit) -> Column {
    let symbol = units::shown(unit).symbol().to_owned();
    Column::significant(format!("{name} ({symbol})"), 4).key(units::key(name, unit))
}

fn value(value: Option<f64>) -> TableCell {
    value.map_or(TableCell::Missing("unknown"), |it| TableCell::number_or(it, "unknown"))
}

fn percent(share: Option<f64>) -> TableCell {
    value(share.map(|share| 100.0 * share))
}

fn numbers(finding: &Finding) -> [TableCell; 6] {
    let comparison = finding.comparison.as_ref();
    [
        value(comparison.map(|it| it.before)),
        value(comparison.map(|it| it.after)),
        percent(finding.relative()),
        percent(finding.relative_interval().map(|(lower, _)| lower)),
        percent(finding.relative_interval().map(|(_, upper)| upper)),
        (100.0 * finding.tolerance_share).into(),
    ]
}

/// What programs may want to know besides, in the same rows.
pub fn tests(checked: &Checked) -> Table {
    let columns = [
        Column::left("what"),
        Column::left("cost"),
        Column::percent("chance"),
        Column::percent("effect"),
        Column::right("more new runs").key("more_new_runs"),
        Column::right("more runs of the baseline").key("more_baseline_runs"),
    ];
    let mut table = Table::new(columns).named("tests").about(checked.name());
    for finding in &checked.report.findings {
        let needed = finding.comparison.as_ref().filter(|_| finding.verdict == Verdict::CannotTell);
        let needed = needed.and_then(|it| it.needed);
        table.row([
            TableCell::from(sentence::subject(checked, &finding.subject)),
            direction(finding.change).into(),
            percent(finding.comparison.as_ref().map(|_| finding.chance)),
            percent(finding.effect()),
            value(needed.map(|needed| needed.after as f64)),
            value(needed.map(|needed| needed.before as f64)),
        ]);
    }
    table
}

fn has_places(checked: &Checked) -> bool {
    let mut findings = checked.report.findings.iter();
    findings.any(
        |finding| matches!(&finding.subject, ComparisonSubject::Constant(placed) if placed.place.is_some()),
    )
}

fn direction(change: CostChange) -> &'static str {
    match change {
        CostChange::Rose => "rose",
        CostChange::Fell => "fell",
        CostChange::Unchanged => "unchanged",
        CostChange::Unknown => "unknown",
    }
}

/// A row for each limit.
pub fn requirements(checked: &Checked) -> Table {
    let unit = checked.baseline.model().unit();
    let columns = [
        Column::code("limit"),
        units::column(units::noun(unit), unit),
        Column::percent("holds"),
        Column::left("verdict"),
    ];
    let mut table = Table::new(columns).named("limits").about(checked.name());
    for kept in &checked.report.requirements {
        table.row([
            TableCell::from(kept.requirement.text.as_str()),
            TableCell::number_or(kept.time_s, "unknown"),
            TableCell::number_or(100.0 * kept.holds, "unknown"),
            sentence::verdict(kept.verdict).into(),
        ]);
    }
    table
}

/// The verdict in one row, for programs.
pub fn verdict(checked: &Checked) -> Table {
    let columns = [
        Column::left("verdict"),
        Column::right("runs of the baseline").key("baseline_runs"),
        Column::right("new runs").key("new_runs"),
    ];
    let mut table = Table::new(columns).named("verdict").about(checked.name());
    let (before, after) = checked.report.runs;
    table.row([
        TableCell::from(sentence::verdict(checked.report.verdict)),
        (before as f64).into(),
        (after as f64).into(),
    ]);
    table
}
