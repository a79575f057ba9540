use std::collections::BTreeMap;

use call_bsp::obsp::{Activity, ChainLink};
use call_bsp::program::{Evaluated, Program};
use call_report::{Column, Table, TableCell};

use crate::{Markup, Style};

/// Further supersteps are left to tables of statements.
const MOST_SUPERSTEPS: usize = 64;

/// So many hops of the critical chain are shown.
const MOST_HOPS: usize = 16;

/// What a program does at a point: its supersteps, and what its critical chain consists of.
pub fn details(markup: &mut Markup, program: &Program, evaluated: &mut Evaluated) {
    let chain = evaluated.evaluation.chain(&mut evaluated.instance.arena);
    let finished = evaluated.evaluation.supersteps();
    if (1..=MOST_SUPERSTEPS).contains(&finished.len()) {
        markup.table(supersteps(program, evaluated).about_the("program", program.name()));
    }
    if chain.is_empty() {
        markup.line(Style::Plain, "  the program does nothing that takes time at this point");
    } else {
        markup.table(statements(program, &chain, evaluated.total_s).about_the("program", program.name()));
        markup.line(Style::Plain, format!("  critical chain: {}", hops(&chain)));
    }
}

/// When the first and the last processor are ready, and when they finish: Φ.
fn supersteps(program: &Program, evaluated: &mut Evaluated) -> Table {
    let centres = program.centres();
    let mut table = Table::new([
        Column::right("superstep"),
        Column::code("ends with"),
        Column::seconds("first ready"),
        Column::seconds("last ready"),
        Column::seconds("Φ first").key("phi_first_s"),
        Column::seconds("Φ last").key("phi_last_s"),
    ])
    .named("supersteps");
    let arena = &mut evaluated.instance.arena;
    for finished in evaluated.evaluation.supersteps() {
        let ends = finished.centre.map_or("", |centre| centres[centre].text.as_str());
        let mut cells = vec![TableCell::from(finished.superstep as f64), ends.into()];
        for numbers in [finished.ready_s, finished.end_s] {
            cells.extend([arena.smallest(numbers), arena.largest(numbers)].map(TableCell::from));
        }
        table.row(cells);
    }
    table
}

/// What the statements take of the critical chain, the longest first.
fn statements(program: &Program, chain: &[ChainLink], total_s: f64) -> Table {
    let mut times: BTreeMap<usize, (f64, usize, Activity)> = BTreeMap::new();
    for link in chain {
        let entry = times.entry(link.centre).or_insert((0.0, 0, link.activity));
        entry.0 += link.end_s - link.start_s;
        entry.1 += 1;
    }
    let mut rows: Vec<(usize, (f64, usize, Activity))> = times.into_iter().collect();
    rows.sort_by(|(_, (a, ..)), (_, (b, ..))| b.total_cmp(a));
    let mut table = Table::new([
        Column::right("line"),
        Column::code("statement on the critical chain").key("statement"),
        Column::left("activity"),
        Column::right("times"),
        Column::seconds("time"),
        Column::percent("share"),
    ])
    .named("statements");
    for (centre, (time_s, count, activity)) in rows {
        let centre = &program.centres()[centre];
        let activity = if activity == Activity::Computing { "computing" } else { "communicating" };
        table.row([
            TableCell::from(centre.line as f64),
            centre.text.as_str().into(),
            activity.into(),
            (count as f64).into(),
            time_s.into(),
            (100.0 * time_s / total_s).into(),
        ]);
    }
    table
}

/// The processors of the chain, in the order of time.
fn hops(chain: &[ChainLink]) -> String {
    let mut processors: Vec<u32> = chain.iter().map(|link| link.processor).collect();
    processors.dedup();
    let mut text = match processors.len() {
        1 => "processor ".to_owned(),
        _ => "processors ".to_owned(),
    };
    let shown: Vec<String> = processors.iter().take(MOST_HOPS).map(u32::to_string).collect();
    text.push_str(&shown.join(" → "));
    if processors.len() > MOST_HOPS {
        text.push_str(&format!(" → … ({} more)", processors.len() - MOST_HOPS));
    }
    text
}
