use call_machine::{BspEntry, Machine, MemoryLevel, OperationCost, Provenance, quicker_levels};
use call_report::{Column, Table, TableCell};

use super::{CommandArguments, FIRST, Subcommand};
use crate::{CommandOutcome, Error, Markup, Session, Style, remarks};

pub const SHOW: Subcommand = Subcommand { name: "show", usage: "machine show NAME", run };

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let word = arguments.required(FIRST, "the name of a machine", SHOW.usage)?;
    arguments.at_most(FIRST + 1, SHOW.usage)?;
    let machine = session.machine(word, &word.text)?;
    let mut markup = Markup::new();
    let description = machine.description.as_ref().map_or(String::new(), |text| format!(": {text}"));
    markup.fragments([(Style::Name, machine.name.clone()), (Style::Plain, description)]);
    provenance(&mut markup, &machine.provenance);
    for table in
        [bsp(&machine), operations(&machine), memory(&machine), strides(&machine), messages(&machine)]
    {
        if !table.rows().is_empty() {
            markup.table(table.about_the("machine", &machine.name));
        }
    }
    translations(&mut markup, &machine);
    let mut outcome = CommandOutcome::of(markup);
    remarks::tell(&mut outcome, quicker_levels(&machine));
    Ok(outcome)
}

fn provenance(markup: &mut Markup, provenance: &Provenance) {
    let date = provenance.date.as_ref().map_or(String::new(), |date| format!(" {date}"));
    let source = provenance.source.as_ref().map_or(String::new(), |source| format!(": {source}"));
    markup.paragraph(format!("{}{date}{source}", provenance.kind.word()));
    let fields = [
        ("url", &provenance.url),
        ("host", &provenance.host),
        ("cpu", &provenance.cpu),
        ("compiler", &provenance.compiler),
        ("flags", &provenance.flags),
        ("transport", &provenance.transport),
    ];
    for (name, value) in fields {
        if let Some(value) = value {
            markup.paragraph(format!("{name}: {value}"));
        }
    }
    if let Some(percent) = provenance.repeatability_percent {
        let percent = call_report::number::significant(percent, 3);
        markup.paragraph(format!("repeated measurements differ by {percent} % at most"));
    }
    for remark in &provenance.remarks {
        markup.paragraph(format!("remark: {remark}"));
    }
}

/// A column of a table, and what stands in it for an entry.
type EntryColumn<T> = (Column, fn(&T) -> Option<TableCell>);

/// A table without the columns that no entry has.
fn table<T>(name: &str, entries: &[T], fields: Vec<EntryColumn<T>>) -> Table {
    let (columns, cells): (Vec<Column>, Vec<_>) =
        fields.into_iter().filter(|(_, cell)| entries.iter().any(|entry| cell(entry).is_some())).unzip();
    let mut table = Table::new(columns).named(name);
    for entry in entries {
        table.row(cells.iter().map(|cell| cell(entry).unwrap_or(TableCell::Missing(""))));
    }
    table
}

fn bsp(machine: &Machine) -> Table {
    let fields: Vec<EntryColumn<BspEntry>> = vec![
        (Column::right("P"), |entry| Some((entry.processors as f64).into())),
        (Column::significant("s (flop/s)", 4).key("rate_flop_per_s"), |entry| {
            Some(entry.rate_flop_per_s.into())
        }),
        (Column::significant("± s", 2).key("rate_standard_error_flop_per_s"), |entry| {
            entry.rate_standard_error_flop_per_s.map(TableCell::from)
        }),
        (Column::significant("g (s/byte)", 4).key("g_s_per_byte"), |entry| Some(entry.g_s_per_byte.into())),
        (Column::significant("± g", 2).key("g_standard_error_s_per_byte"), |entry| {
            entry.g_standard_error_s_per_byte.map(TableCell::from)
        }),
        (Column::seconds("L").key("latency_s"), |entry| Some(entry.latency_s.into())),
        (Column::seconds("± L").key("latency_standard_error_s"), |entry| {
            entry.latency_standard_error_s.map(TableCell::from)
        }),
    ];
    table("bsp", &machine.bsp, fields)
}

fn operations(machine: &Machine) -> Table {
    let fields: Vec<EntryColumn<OperationCost>> = vec![
        (Column::left("operation"), |operation| Some(operation.name.as_str().into())),
        (Column::seconds("time"), |operation| Some(operation.time_s.into())),
        (Column::seconds("± time").key("standard_error_s"), |operation| {
            operation.standard_error_s.map(TableCell::from)
        }),
        (Column::seconds("dependent"), |operation| operation.dependent_time_s.map(TableCell::from)),
    ];
    table("operations", &machine.operations, fields)
}

fn memory(machine: &Machine) -> Table {
    let fields: Vec<EntryColumn<MemoryLevel>> = vec![
        (Column::left("memory"), |level| Some(level.name.as_str().into())),
        (Column::right("size (bytes)").key("size_bytes"), |level| {
            level.size_bytes.map(|bytes| TableCell::from(bytes as f64))
        }),
        (Column::right("served").key("served_bytes"), |level| {
            level.served_bytes.map(|bytes| TableCell::from(bytes as f64))
        }),
        (Column::seconds("load"), |level| level.time_s.map(TableCell::from)),
        (Column::seconds("± load").key("standard_error_s"), |level| {
            level.standard_error_s.map(TableCell::from)
        }),
        (Column::significant("bytes/s", 4).key("bandwidth_bytes_per_s"), |level| {
            level.bandwidth_bytes_per_s.map(TableCell::from)
        }),
    ];
    table("memory", &machine.memory, fields)
}

/// A row for each stride, a column for each level.
fn strides(machine: &Machine) -> Table {
    let levels = machine.memory.iter().filter(|level| !level.strides.is_empty());
    let mut columns = vec![Column::right("stride (bytes)").key("stride_bytes")];
    columns.extend(levels.clone().map(|level| Column::seconds(level.name.clone())));
    let mut table = Table::new(columns).named("strides");
    let mut all: Vec<u64> =
        levels.clone().flat_map(|level| level.strides.iter().map(|stride| stride.stride_bytes)).collect();
    all.sort_unstable();
    all.dedup();
    for stride_bytes in all {
        let mut row = vec![TableCell::from(stride_bytes as f64)];
        row.extend(levels.clone().map(|level| {
            let stride = level.strides.iter().find(|stride| stride.stride_bytes == stride_bytes);
            optional(stride.map(|stride| stride.time_s))
        }));
        table.row(row);
    }
    table
}

fn messages(machine: &Machine) -> Table {
    let columns = [Column::right("message (bytes)").key("bytes"), Column::seconds("one way").key("time_s")];
    let mut table = Table::new(columns).named("messages");
    for message in &machine.messages {
        table.row([message.bytes as f64, message.time_s]);
    }
    table
}

fn translations(markup: &mut Markup, machine: &Machine) {
    let Some(tlb) = machine.tlb else { return };
    let mut parts = Vec::new();
    parts.extend(tlb.entries.map(|entries| format!("{entries} entries")));
    parts.extend(tlb.reach_bytes.map(|bytes| format!("{bytes} bytes covered")));
    parts.extend(tlb.page_bytes.map(|bytes| format!("pages of {bytes} bytes")));
    parts.extend(tlb.miss_time_s.map(|time_s| format!("a miss {}", call_report::number::seconds(time_s))));
    markup.line(Style::Plain, format!("TLB: {}", parts.join(", ")));
}

fn optional(value: Option<f64>) -> TableCell {
    value.map_or(TableCell::Missing(""), TableCell::from)
}
