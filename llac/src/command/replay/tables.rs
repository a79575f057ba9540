use std::collections::BTreeMap;

use call_bsp::replay::{ChainShare, WaitChange, changes, processor_changes, waits};
use call_report::{Column, Table, TableCell, number};

use super::RecordedAndReplayed;
use crate::command::call_site_view::{name_of, ranges, stack_of};
use crate::{Markup, Style};

/// So many waits, and so many parts of the chain, are told.
const MOST_ROWS: usize = 16;

/// Tables with a row for each run. With a change, that of plain BSP is one of its own, for people have 80 columns.
pub fn totals(markup: &mut Markup, compared: &mut [RecordedAndReplayed], is_change: bool) {
    let mut columns = vec![
        Column::left("trace"),
        Column::right("P").key("processors"),
        Column::seconds("recorded"),
        Column::seconds("replayed"),
    ];
    let bsp = Column::seconds("plain BSP").key("plain_bsp_s");
    match is_change {
        true => columns.extend([Column::seconds("then"), Column::seconds("gain"), Column::percent("gain")]),
        false => columns.push(bsp.clone()),
    }
    let then = Column::seconds("then").key("plain_bsp_then_s");
    let mut plain = Table::new([Column::left("trace"), bsp, then]).named("plain_bsp");
    let mut table = Table::new(columns).named("replay");
    for one in &mut *compared {
        let (before_s, after_s) = (one.before.total_s(), one.after.total_s());
        let mut cells = vec![
            TableCell::from(one.label.as_str()),
            TableCell::from(f64::from(one.recorded.processors())),
            TableCell::from(one.recorded.recorded_s()),
            TableCell::from(before_s),
        ];
        let bsp_s = one.before.bsp_cost_s();
        if is_change {
            let gain_s = before_s - after_s;
            cells.extend([after_s, gain_s].map(TableCell::from));
            // Of a clock that counts, a run may take no time at all.
            let gain_percent = if before_s == 0.0 { f64::NAN } else { 100.0 * gain_s / before_s };
            cells.push(TableCell::number_or(gain_percent, "none"));
            plain.row([TableCell::from(one.label.as_str()), bsp_s.into(), one.after.bsp_cost_s().into()]);
        } else {
            cells.push(bsp_s.into());
        }
        table.row(cells);
    }
    let tables = [Some(table), is_change.then_some(plain)];
    for table in tables.into_iter().flatten() {
        markup.table(match compared {
            [one] => table.about_the("trace", &one.label),
            _ => table,
        });
    }
}

/// Where the gain goes, and what the total consists of.
pub fn details(markup: &mut Markup, one: &mut RecordedAndReplayed, is_change: bool) {
    if is_change {
        if !one.faster.is_empty() {
            markup.paragraph(absorbed(one));
        }
        let changed = changes(&one.recorded, &one.before, &one.after);
        if changed.is_empty() {
            markup.line(Style::Plain, "no wait changes");
        } else {
            markup.table(changed_waits(one, &changed).about_the("trace", &one.label));
            tell_more(markup, changed.len());
        }
    } else {
        let found = waits(&one.recorded, &one.before);
        if found.is_empty() {
            markup.line(Style::Plain, "no processor waits");
        } else {
            let mut table = Table::new(wait_columns([Column::seconds("waiting")])).named("waits");
            for wait in found.iter().take(MOST_ROWS) {
                table.row(wait_cells(
                    one,
                    wait.call_site,
                    &wait.supersteps,
                    &wait.processors,
                    [wait.waiting_s],
                ));
            }
            markup.table(table.about_the("trace", &one.label));
            tell_more(markup, found.len());
        }
    }
    let (table, count) = chain(one, is_change);
    markup.table(table.about_the("trace", &one.label));
    tell_more(markup, count);
}

/// If there are more rows than people read.
fn tell_more(markup: &mut Markup, rows: usize) {
    if rows > MOST_ROWS {
        markup.line(Style::Plain, format!("  … {} more", rows - MOST_ROWS));
    }
}

/// What the processor that saves most makes of it.
fn absorbed(one: &RecordedAndReplayed) -> String {
    let names = one.faster.iter().map(|(name, factor)| format!("{name} {} times", number::exact(*factor)));
    let names = names.collect::<Vec<_>>().join(" and ");
    let processors = processor_changes(&one.before, &one.after);
    let gain_s = one.before.total_s() - one.after.total_s();
    let most = processors.iter().reduce(|most, its| if its.saved_s > most.saved_s { its } else { most });
    let Some(most) = most.filter(|most| most.saved_s > 0.0) else {
        return format!("{names} as fast saves no computing.");
    };
    let mut text = format!(
        "{names} as fast saves {} of computing on processor {}",
        number::seconds(most.saved_s),
        most.processor
    );
    if let Some((place, grown_s)) = most.absorbing {
        let place = name_of(&one.recorded.call_sites()[place]);
        text.push_str(&format!(", of which {} become waiting at {place}", number::seconds(grown_s)));
    }
    text.push_str(&format!("; the whole run gains {}.", number::seconds(gain_s)));
    text
}

fn wait_columns<const COUNT: usize>(times: [Column; COUNT]) -> Vec<Column> {
    let places = [
        Column::code("wait at").key("place"),
        Column::left("called in").key("call_stack"),
        Column::left("supersteps"),
        Column::left("processors"),
    ];
    places.into_iter().chain(times).collect()
}

fn wait_cells<const COUNT: usize>(
    one: &RecordedAndReplayed,
    place: usize,
    supersteps: &[u64],
    processors: &[u32],
    times_s: [f64; COUNT],
) -> Vec<TableCell> {
    let place = &one.recorded.call_sites()[place];
    let processors: Vec<u64> = processors.iter().map(|its| u64::from(*its)).collect();
    let texts = [name_of(place), stack_of(place), ranges(supersteps), ranges(&processors)];
    texts.into_iter().map(TableCell::from).chain(times_s.map(TableCell::from)).collect()
}

fn changed_waits(one: &RecordedAndReplayed, changed: &[WaitChange]) -> Table {
    let times = [Column::seconds("before"), Column::seconds("after")];
    let mut table = Table::new(wait_columns(times)).named("waits");
    for change in changed.iter().take(MOST_ROWS) {
        let times_s = [change.before_s, change.after_s];
        table.row(wait_cells(one, change.call_site, &change.supersteps, &change.processors, times_s));
    }
    table
}

/// The critical chain by places, processors and what they do there, and how many rows there are in all.
fn chain(one: &mut RecordedAndReplayed, is_change: bool) -> (Table, usize) {
    let mut columns = vec![
        Column::code("critical chain up to").key("place"),
        Column::left("called in").key("call_stack"),
        Column::right("processor"),
        Column::left("activity"),
    ];
    match is_change {
        true => columns.extend([Column::seconds("before"), Column::seconds("after")]),
        false => columns.push(Column::seconds("time")),
    }
    let mut times: BTreeMap<(usize, u32, &str), [f64; 2]> = BTreeMap::new();
    let mut add = |chain: Vec<ChainShare>, at: usize| {
        for ChainShare { call_site: place, processor, computing_s, communicating_s } in chain {
            for (activity, time_s) in [("computing", computing_s), ("communicating", communicating_s)] {
                if time_s > 0.0 {
                    times.entry((place, processor, activity)).or_default()[at] += time_s;
                }
            }
        }
    };
    add(one.before.chain(), 0);
    if is_change {
        add(one.after.chain(), 1);
    }
    let mut rows: Vec<_> = times.into_iter().collect();
    let longest = |times_s: &[f64; 2]| times_s[0].max(times_s[1]);
    rows.sort_by(|(_, left), (_, right)| longest(right).total_cmp(&longest(left)));
    let mut table = Table::new(columns).named("chain");
    let count = rows.len();
    for ((place, processor, activity), times_s) in rows.into_iter().take(MOST_ROWS) {
        let place = &one.recorded.call_sites()[place];
        let mut cells =
            vec![TableCell::from(name_of(place)), stack_of(place).into(), f64::from(processor).into()];
        cells.push(activity.into());
        cells.extend(times_s.iter().take(if is_change { 2 } else { 1 }).map(|its| TableCell::from(*its)));
        table.row(cells);
    }
    (table, count)
}
