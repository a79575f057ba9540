use call_model::student_quantile;
use call_report::number::exact;
use call_report::{Column, Table, TableCell};

use super::entry::{Entry, short};
use super::timeline::ConstantHistory;
use crate::command::units;

/// Entries as they are.
pub fn list(entries: &[Entry]) -> Table {
    let columns = [
        Column::left("experiment"),
        Column::left("date"),
        Column::left("commit"),
        Column::left("machine"),
        Column::left("label"),
        Column::right("runs"),
    ];
    let mut table = Table::new(columns).named("entries");
    for entry in entries {
        table.row([
            TableCell::from(entry.experiment()),
            entry.about.time.as_str().into(),
            short(&entry.about.commit).into(),
            entry.about.machine.as_str().into(),
            entry.about.label.as_str().into(),
            (entry.model.runs.len() as f64).into(),
        ]);
    }
    table
}

/// What people call an entry, and its day.
fn title(entry: &Entry) -> [TableCell; 2] {
    const DAY: usize = 10;
    [entry.title().into(), entry.about.time.chars().take(DAY).collect::<String>().into()]
}

/// What tells a part from others, where there are several.
fn part_column(part: &str) -> Option<Column> {
    (!part.is_empty()).then(|| Column::left("part"))
}

fn part_cell(timeline: &ConstantHistory) -> Option<TableCell> {
    (!timeline.part.is_empty()).then(|| timeline.part.as_str().into())
}

/// What holds between changes.
pub fn levels(timeline: &ConstantHistory) -> Table {
    let unit = timeline.model().unit();
    let symbol = units::shown(unit).symbol().to_owned();
    let columns = [
        Column::left("what"),
        Column::left("since"),
        Column::left("date"),
        Column::right("entries"),
        Column::significant(format!("value ({symbol})"), 4).key(units::key("value", unit)),
        Column::percent("change"),
        Column::percent(format!("{} from", exact(100.0 * timeline.level))).key("change_lower_percent"),
        Column::percent("to").key("change_upper_percent"),
    ];
    let columns = columns.into_iter().chain(part_column(&timeline.part));
    let mut table = Table::new(columns).named("levels").about(timeline.model().formula().experiment());
    for line in &timeline.constants {
        let changes = std::iter::once(None).chain(line.history.changes.iter().map(Some));
        for (level, change) in line.history.levels.iter().zip(changes) {
            let percent = |of: fn(&call_check::ChangePoint) -> f64| match change {
                Some(change) => TableCell::Number(100.0 * of(change) / change.before.abs()),
                None => TableCell::Missing(""),
            };
            let mut row = vec![TableCell::from(timeline.name_of(line))];
            row.extend(title(&timeline.entries[line.entry_of[level.runs.start]]));
            row.extend([(level.runs.len() as f64).into(), level.value.into()]);
            row.extend([percent(|it| it.after - it.before), percent(|it| it.lower), percent(|it| it.upper)]);
            row.extend(part_cell(timeline));
            table.row(row);
        }
    }
    table
}

/// What became of each constant, for programs: a row for each change that cannot be told yet, and the newest drift.
pub fn verdicts(timeline: &ConstantHistory) -> Table {
    let columns = [
        Column::left("what"),
        Column::left("verdict"),
        Column::percent("would show"),
        Column::left("since"),
        Column::percent("change"),
        Column::right("more entries").key("more_entries"),
    ];
    let columns = columns.into_iter().chain(part_column(&timeline.part));
    let experiment = timeline.model().formula().experiment();
    let mut table = Table::new(columns).named("verdicts").about(experiment);
    for line in &timeline.constants {
        let drift = line.history.levels.iter().rev().find_map(|level| Some((level, level.drift?)));
        let verdict = match (line.history.changes.is_empty(), drift, line.least_told) {
            (false, ..) => "changed",
            (true, Some(_), _) => "drifts",
            (true, None, Some(_)) => "no change",
            (true, None, None) => "cannot tell",
        };
        let would_show = line.would_show().map_or(TableCell::Missing(""), |share| (100.0 * share).into());
        if line.history.untold.is_empty() {
            let none = || TableCell::Missing("");
            let (since, change) = drift.map_or((none(), none()), |(level, drift)| {
                let change = 100.0 * (drift.last - drift.first) / drift.first.abs();
                (timeline.entries[line.entry_of[level.runs.start]].title().into(), change.into())
            });
            let row = [timeline.name_of(line).into(), verdict.into(), would_show, since, change, none()];
            table.row(row.into_iter().chain(part_cell(timeline)));
        }
        for untold in &line.history.untold {
            let row = [
                TableCell::from(timeline.name_of(line)),
                "cannot tell".into(),
                TableCell::Missing(""),
                timeline.entries[line.entry_of[untold.runs.start]].title().into(),
                (100.0 * (untold.after - untold.before) / untold.before.abs()).into(),
                untold.more.map_or(TableCell::Missing("unknown"), |more| (more as f64).into()),
            ];
            table.row(row.into_iter().chain(part_cell(timeline)));
        }
    }
    table
}

/// So many standard deviations of a normal distribution hold this share on both sides.
pub fn reach(level: f64) -> f64 {
    student_quantile(0.5 + level / 2.0, f64::INFINITY)
}

/// Each value with its interval, as far as the noise within the entry's samples says.
pub fn entries(timeline: &ConstantHistory, is_for_people: bool) -> Table {
    let unit = timeline.model().unit();
    let symbol = units::shown(unit).symbol().to_owned();
    let number =
        |name: &str| Column::significant(format!("{name} ({symbol})"), 4).key(units::key(name, unit));
    let mut columns = vec![
        Column::left("what"),
        Column::left("entry"),
        Column::left("date"),
        number("value"),
        number("lower"),
        number("upper"),
        Column::right("level"),
        Column::left("remark"),
    ];
    if !is_for_people {
        columns.extend(["time", "commit", "label"].map(Column::left));
        columns.extend(part_column(&timeline.part));
    }
    let mut table = Table::new(columns).named("entries").about(timeline.model().formula().experiment());
    let reach = reach(timeline.level);
    for line in &timeline.constants {
        for (index, value) in line.values.iter().enumerate() {
            let half = reach * value.variance.max(0.0).sqrt();
            let of_level = line.history.levels.iter().position(|its| its.runs.contains(&index));
            let is_first = line.history.changes.iter().any(|change| change.first == index);
            let is_untold = line.history.untold.iter().any(|untold| untold.runs.contains(&index));
            let remark = match (is_first, is_untold, line.history.outlying.contains(&index)) {
                (true, ..) => "change",
                (false, true, _) => "untold",
                (false, false, true) => "spike",
                (false, false, false) => "",
            };
            let mut row = vec![TableCell::from(timeline.name_of(line))];
            let entry = &timeline.entries[line.entry_of[index]];
            row.extend(title(entry));
            row.extend(
                [value.value, value.value - half, value.value + half]
                    .map(|it| TableCell::number_or(it, "unknown")),
            );
            row.push(of_level.map_or(TableCell::Missing(""), |its| ((its + 1) as f64).into()));
            row.push(remark.into());
            if !is_for_people {
                let about = &entry.about;
                row.extend([&about.time, &about.commit, &about.label].map(|it| it.as_str().into()));
                row.extend(part_cell(timeline));
            }
            table.row(row);
        }
    }
    table
}

/// Changes for programs.
pub fn changes(timelines: &[ConstantHistory]) -> Table {
    let columns = [
        Column::left("what"),
        Column::left("date"),
        Column::left("commit"),
        Column::left("after commit").key("after_commit"),
        Column::left("by commit").key("by_commit"),
        Column::percent("change"),
        Column::percent("change lower"),
        Column::percent("change upper"),
        Column::percent("chance"),
    ];
    let part = timelines.iter().map(|timeline| timeline.part.as_str()).find(|part| !part.is_empty());
    let columns = columns.into_iter().chain(part_column(part.unwrap_or_default()));
    let mut table = Table::new(columns).named("changes");
    for timeline in timelines {
        for line in &timeline.constants {
            for change in &line.history.changes {
                let entry = |value: usize| &timeline.entries[line.entry_of[value]];
                let commit = |value: usize| TableCell::from(entry(value).about.commit.as_str());
                let percent = |value: f64| TableCell::Number(100.0 * value / change.before.abs());
                let row = [
                    TableCell::from(timeline.name_of(line)),
                    entry(change.first).about.time.as_str().into(),
                    commit(change.first),
                    commit(change.earliest - 1),
                    commit(change.latest),
                    percent(change.after - change.before),
                    percent(change.lower),
                    percent(change.upper),
                    (100.0 * change.chance).into(),
                ];
                table.row(row.into_iter().chain(part_cell(timeline)));
            }
        }
    }
    table
}
