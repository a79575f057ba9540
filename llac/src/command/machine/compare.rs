use std::collections::BTreeSet;
use std::sync::Arc;

use call_machine::{BspEntry, Machine};
use call_report::{Column, Table, TableCell};

use super::{CommandArguments, FIRST, Subcommand};
use crate::error::code;
use crate::{CommandOutcome, Error, Markup, Session, Style};

pub const COMPARE: Subcommand = Subcommand { name: "compare", usage: "machine compare NAME NAME…", run };

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    arguments.required(FIRST, "the name of a machine", COMPARE.usage)?;
    arguments.required(FIRST + 1, "the name of another machine", COMPARE.usage)?;
    let words = &arguments.words()[FIRST..];
    let machines: Vec<Arc<Machine>> =
        words.iter().map(|word| session.machine(word, &word.text)).collect::<Result<_, _>>()?;
    let first = &machines[0].name;
    let mut columns = vec![Column::code("what")];
    columns.extend(machines.iter().map(|machine| Column::significant(machine.name.clone(), 4)));
    let ratio = |machine: &Arc<Machine>| Column::significant(format!("ratio {}", machine.name), 3);
    columns.extend(machines[1..].iter().map(ratio));
    let mut table = Table::new(columns).named("machines");
    for (what, numbers) in rows(&machines) {
        let mut row = vec![TableCell::from(what)];
        let cell = |number: Option<f64>| number.map_or(TableCell::Missing(""), TableCell::from);
        row.extend(numbers.iter().map(|number| cell(*number)));
        row.extend(numbers[1..].iter().map(|number| {
            let ratio = number.zip(numbers[0]).map(|(number, first)| number / first);
            cell(ratio.filter(|ratio| ratio.is_finite()))
        }));
        table.row(row);
    }
    if table.rows().is_empty() {
        return Err(Error::new(code::NO_ANSWER, "these machines have no numbers to compare"));
    }
    let mut markup = Markup::new();
    markup.table(table);
    markup.line(Style::Plain, format!("  ratios are to {first}"));
    Ok(CommandOutcome::of(markup))
}

type ComparedParameter = (String, Vec<Option<f64>>);

/// Each number that a machine has, with those of all machines: the units stand in the names.
fn rows(machines: &[Arc<Machine>]) -> Vec<ComparedParameter> {
    let mut rows = bsp(machines);
    for name in
        names(machines, |machine| machine.operations.iter().map(|known| known.name.as_str()).collect())
    {
        let time = |machine: &Machine| {
            machine.operations.iter().find(|known| known.name == name).map(|operation| operation.time_s)
        };
        rows.push(row(format!("{name} (s)"), machines, time));
    }
    for name in names(machines, |machine| machine.memory.iter().map(|level| level.name.as_str()).collect()) {
        let level = |machine: &Machine| machine.memory.iter().find(|level| level.name == name).cloned();
        rows.push(row(format!("{name} (bytes)"), machines, |machine| {
            level(machine)?.size_bytes.map(|bytes| bytes as f64)
        }));
        rows.push(row(format!("{name} load (s)"), machines, |machine| level(machine)?.time_s));
        let bandwidth = |machine: &Machine| level(machine)?.bandwidth_bytes_per_s;
        rows.push(row(format!("{name} (bytes/s)"), machines, bandwidth));
    }
    rows.retain(|(_, numbers)| numbers.iter().any(Option::is_some));
    rows
}

/// Name, unit, and the number of an entry.
type BspNumber = (&'static str, &'static str, fn(&BspEntry) -> f64);

/// s, g and L at each P that a table has: only numbers of the tables, nothing between them.
fn bsp(machines: &[Arc<Machine>]) -> Vec<ComparedParameter> {
    const NUMBERS: [BspNumber; 3] = [
        ("s", "flop/s", |entry| entry.rate_flop_per_s),
        ("g", "s/byte", |entry| entry.g_s_per_byte),
        ("L", "s", |entry| entry.latency_s),
    ];
    let processors: BTreeSet<u64> =
        machines.iter().flat_map(|machine| machine.bsp.iter().map(|entry| entry.processors)).collect();
    let mut rows = Vec::new();
    for (name, unit, number) in NUMBERS {
        for p in &processors {
            let at = |machine: &Machine| machine.bsp.iter().find(|entry| entry.processors == *p).map(number);
            rows.push(row(format!("{name} at P = {p} ({unit})"), machines, at));
        }
    }
    rows
}

fn row(
    what: String,
    machines: &[Arc<Machine>],
    number: impl Fn(&Machine) -> Option<f64>,
) -> ComparedParameter {
    (what, machines.iter().map(|machine| number(machine)).collect())
}

/// The names of all machines in their order, each once.
fn names<'a>(machines: &'a [Arc<Machine>], of: impl Fn(&'a Machine) -> Vec<&'a str>) -> Vec<&'a str> {
    let mut all: Vec<&str> = Vec::new();
    for name in machines.iter().flat_map(|machine| of(machine)) {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}
