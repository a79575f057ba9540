use call_model::machine::{Machine, Provenance};
use call_report::{Cell, Column, Table};

use super::{Arguments, FIRST, Subcommand};
use crate::{Error, Markup, Outcome, Session, Style};

pub const SHOW: Subcommand = Subcommand { name: "show", usage: "machine show NAME", run };

fn run(session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
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
            markup.table(table);
        }
    }
    translations(&mut markup, &machine);
    Ok(Outcome::of(markup))
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

fn bsp(machine: &Machine) -> Table {
    let mut table = Table::new([
        Column::right("P"),
        Column::significant("s (flop/s)", 4).key("rate_flop_per_s"),
        Column::significant("± s", 2).key("rate_standard_error_flop_per_s"),
        Column::significant("g (s/byte)", 4).key("g_s_per_byte"),
        Column::significant("± g", 2).key("g_standard_error_s_per_byte"),
        Column::seconds("L").key("latency_s"),
        Column::seconds("± L").key("latency_standard_error_s"),
    ])
    .named("bsp");
    for entry in &machine.bsp {
        table.row([
            Cell::from(entry.processors as f64),
            entry.rate_flop_per_s.into(),
            optional(entry.rate_standard_error_flop_per_s),
            entry.g_s_per_byte.into(),
            optional(entry.g_standard_error_s_per_byte),
            entry.latency_s.into(),
            optional(entry.latency_standard_error_s),
        ]);
    }
    table
}

fn operations(machine: &Machine) -> Table {
    let mut table = Table::new([
        Column::left("operation"),
        Column::seconds("time"),
        Column::seconds("± time").key("standard_error_s"),
        Column::seconds("dependent").key("dependent_time_s"),
    ])
    .named("operations");
    for operation in &machine.operations {
        table.row([
            Cell::from(operation.name.as_str()),
            operation.time_s.into(),
            optional(operation.standard_error_s),
            optional(operation.dependent_time_s),
        ]);
    }
    table
}

fn memory(machine: &Machine) -> Table {
    let mut table = Table::new([
        Column::left("memory"),
        Column::right("size (bytes)").key("size_bytes"),
        Column::seconds("load").key("time_s"),
        Column::seconds("± load").key("standard_error_s"),
        Column::significant("bytes/s", 4).key("bandwidth_bytes_per_s"),
    ])
    .named("memory");
    for level in &machine.memory {
        table.row([
            Cell::from(level.name.as_str()),
            optional(level.size_bytes.map(|bytes| bytes as f64)),
            optional(level.time_s),
            optional(level.standard_error_s),
            optional(level.bandwidth_bytes_per_s),
        ]);
    }
    table
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
        let mut row = vec![Cell::from(stride_bytes as f64)];
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

fn optional(value: Option<f64>) -> Cell {
    value.map_or(Cell::Missing(""), Cell::from)
}
