use call_grammar::counted;
use call_profile::{ComparedPath, Cost};
use call_report::{Column, ColumnKind, Table, TableCell, number};

use super::USAGE;
use super::request::{HIDDEN_SHARE, share};
use super::source::LabelledProfile;
use super::values::ratio;
use crate::command::doubtful_places::doubtful_places;
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Error, Markup, Session, Style};

/// `profile compare BEFORE AFTER`: two profiles, matched by call path. Without words the two runs that are loaded.
pub fn compare(session: &Session, words: &[Word]) -> Result<CommandOutcome, Error> {
    let (words, hidden_share) = match words {
        [words @ .., hide, percent] if hide.text == "hide" => (words, share(percent)?),
        words => (words, HIDDEN_SHARE),
    };
    let sources = match words {
        [] => LabelledProfile::of_each(session, None)?,
        [before, after] => {
            vec![LabelledProfile::find(session, Some(before))?, LabelledProfile::find(session, Some(after))?]
        }
        [only] => {
            return Err(only
                .error(code::MISSING_WORD, "a comparison takes two profiles")
                .help(format!("usage: {USAGE}")));
        }
        [_, _, extra, ..] => {
            let message = format!("`{}` is one word too many", extra.text);
            return Err(extra.error(code::UNEXPECTED_WORD, message).help(format!("usage: {USAGE}")));
        }
    };
    let [before, after] = sources.as_slice() else {
        let message = format!("a comparison takes two profiles, and there are {}", sources.len());
        return Err(Error::new(code::SEVERAL_RUNS, message).help("name them: `profile compare BEFORE AFTER`"));
    };
    let mut markup = Markup::new();
    let processors = [before, after].map(|source| counted(source.profile.processors, "processor"));
    markup.line(
        Style::Plain,
        format!("before: {}, {}; after: {}, {}", before.label, processors[0], after.label, processors[1]),
    );
    let total = |source: &LabelledProfile| source.profile.total();
    let (old, new) = (total(before), total(after));
    let compared = call_profile::compare(&before.profile, &after.profile);
    let rows = in_order(&compared);
    let least_s = hidden_share * old.time_s().max(new.time_s());
    let is_shown =
        |row: &ComparedPath| [&row.before, &row.after].into_iter().any(|cost| time_s(cost) >= least_s);
    let shown: Vec<(&ComparedPath, usize)> = rows.iter().filter(|(row, _)| is_shown(row)).copied().collect();
    markup.table(table(&shown));
    if shown.len() < rows.len() {
        let text = format!(
            "hidden: {} with less than {} % of the time before and after; `hide 0` shows them",
            counted(rows.len() - shown.len(), "node"),
            number::short(100.0 * hidden_share)
        );
        markup.line(Style::Plain, text);
    }
    markup.data(paths(&rows));
    let gain_s = old.time_s() - new.time_s();
    markup.line(
        Style::Plain,
        format!(
            "BSP time {} before, {} after: a gain of {} ({} %)",
            number::seconds(old.time_s()),
            number::seconds(new.time_s()),
            number::seconds(gain_s),
            number::percent(100.0 * ratio(gain_s, old.time_s()))
        ),
    );
    let mut warnings: Vec<_> =
        [before, after].into_iter().flat_map(|source| source.warnings.clone()).collect();
    let doubtful = compared.iter().filter(|row| row.is_doubtful).map(|row| row.label.clone());
    warnings.extend(doubtful_places(&doubtful.collect::<Vec<_>>()));
    Ok(CommandOutcome { value: markup, warnings, ..CommandOutcome::default() })
}

/// A path that is not there takes no time.
fn time_s(cost: &Option<Cost>) -> f64 {
    cost.as_ref().map_or(0.0, Cost::time_s)
}

/// Paths with their depths, each before what is below it.
fn in_order(compared: &[ComparedPath]) -> Vec<(&ComparedPath, usize)> {
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); compared.len()];
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (number, row) in compared.iter().enumerate().rev() {
        match row.above {
            Some(above) => below[above].push(number),
            None => open.push((number, 0)),
        }
    }
    let mut rows = Vec::new();
    while let Some((number, depth)) = open.pop() {
        rows.push((&compared[number], depth));
        open.extend(below[number].iter().map(|child| (*child, depth + 1)));
    }
    rows
}

fn table(rows: &[(&ComparedPath, usize)]) -> Table {
    let times = [Column::seconds("before"), Column::seconds("after"), Column::seconds("gain")];
    let columns =
        [Column::left("call").key("node")].into_iter().chain(times).chain([Column::percent("gain")]);
    let mut table = Table::new(columns).named("comparison");
    for (row, depth) in rows {
        let time =
            |cost: &Option<Cost>| TableCell::number_or(cost.as_ref().map_or(f64::NAN, Cost::time_s), "none");
        let before_s = row.before.as_ref().map_or(f64::NAN, Cost::time_s);
        table.row([
            TableCell::from(format!("{}{}", "  ".repeat((*depth).min(8)), row.label)),
            time(&row.before),
            time(&row.after),
            TableCell::from(row.gain_s()),
            TableCell::number_or(100.0 * row.gain_s() / before_s, "none"),
        ]);
    }
    table
}

/// All paths for programs; what is not there is null.
fn paths(rows: &[(&ComparedPath, usize)]) -> Table {
    let mut columns = vec![Column::code("node"), Column::right("depth")];
    let keys = ["before_s", "after_s", "gain_s", "synchronisations_before", "synchronisations_after"];
    columns.extend(keys.map(|key| Column::new(key, key, ColumnKind::Exact)));
    let mut table = Table::new(columns).named("compared_paths");
    for (row, depth) in rows {
        let value = |cost: &Option<Cost>, of: fn(&Cost) -> f64| {
            TableCell::number_or(cost.as_ref().map_or(f64::NAN, of), "none")
        };
        let count = |cost: &Cost| cost.synchronisations as f64;
        table.row([
            row.label.as_str().into(),
            TableCell::from(*depth as f64),
            value(&row.before, Cost::time_s),
            value(&row.after, Cost::time_s),
            row.gain_s().into(),
            value(&row.before, count),
            value(&row.after, count),
        ]);
    }
    table
}
