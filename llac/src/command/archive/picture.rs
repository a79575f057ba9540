use call_report::{Axis, Figure, IntervalBorder, Kinds, Series};

use super::tables::reach;
use super::timeline::{ConstantHistory, ConstantLine};

/// Constants over entries, each as a share of its first level, with levels and changes.
pub fn figure(timeline: &ConstantHistory) -> Figure {
    let formula = timeline.model().formula();
    let drawn = || timeline.constants.iter().filter(|line| base(line) > 0.0);
    let borders = drawn().enumerate().flat_map(|(index, line)| {
        let place = |first: usize| line.entry_of[first] as f64 + 0.5;
        line.history.changes.iter().map(move |change| IntervalBorder {
            x: place(change.first),
            series: vec![index],
            ..IntervalBorder::default()
        })
    });
    let first = timeline.entries.first().map_or(String::new(), |entry| entry.title());
    let last = timeline.entries.last().map_or(String::new(), |entry| entry.title());
    Figure {
        title: format!("{} from {first} to {last}", formula.experiment()),
        x: Axis::linear("entry"),
        y: Axis::linear("of the first level (%)"),
        series: drawn().map(|line| series(timeline, line)).collect(),
        borders: borders.collect(),
        kinds: Kinds {
            points: "each entry".into(),
            spread: "its interval".into(),
            curve: "level".into(),
            ..Kinds::default()
        },
        notes: notes(timeline),
        ..Figure::default()
    }
}

/// What counts as 100 %.
fn base(line: &ConstantLine) -> f64 {
    line.history.levels.first().map_or(0.0, |level| level.value.abs())
}

fn series(timeline: &ConstantHistory, line: &ConstantLine) -> Series {
    let share = |value: f64| 100.0 * value / base(line);
    let place = |value: usize| line.entry_of[value] as f64 + 1.0;
    let mut curve = Vec::new();
    for level in &line.history.levels {
        let (first, last) = level.drift.map_or((level.value, level.value), |drift| (drift.first, drift.last));
        curve.extend([(place(level.runs.start), share(first)), (place(level.runs.end - 1), share(last))]);
        curve.push((place(level.runs.end - 1), f64::NAN));
    }
    let points = line.values.iter().enumerate();
    let reach = reach(timeline.level);
    let spread = points.clone().filter(|(_, value)| value.variance > 0.0).map(|(index, value)| {
        let half = reach * value.variance.sqrt();
        (place(index), share(value.value - half), share(value.value + half))
    });
    Series {
        label: timeline.name_of(line),
        points: points.clone().map(|(index, value)| (place(index), share(value.value))).collect(),
        spread: spread.collect(),
        curve,
        ..Series::default()
    }
}

/// What changed where, in small lines.
fn notes(timeline: &ConstantHistory) -> Vec<String> {
    const MOST: usize = 4;
    let mut notes = Vec::new();
    for line in &timeline.constants {
        for change in &line.history.changes {
            let percent = 100.0 * (change.after - change.before) / change.before.abs();
            let title = timeline.entries[line.entry_of[change.first]].title();
            let sign = if percent > 0.0 { "+" } else { "" };
            let size = call_report::number::significant(percent, 2);
            notes.push(format!("{}: {sign}{size} % at {title}", timeline.name_of(line)));
        }
    }
    let more = notes.len().saturating_sub(MOST);
    notes.truncate(MOST);
    notes.extend((more > 0).then(|| format!("and {more} more changes")));
    notes
}
