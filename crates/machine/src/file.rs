use toml::de::DeTable;
use toml::value::Datetime;

use crate::table::{FileTable, FileText, FileValue, Read};
use crate::{
    BspEntry, Machine, MachineFileError, MemoryLevel, MessageTime, OperationCost, Problem, Provenance,
    ProvenanceKind, StridedLoad, Tlb,
};

/// Larger files are no descriptions of machines.
const MOST_BYTES: usize = 4 << 20;

pub(crate) const SCHEMA_VERSION: u64 = 1;

const MACHINE: &[&str] = &[
    "schema_version",
    "name",
    "description",
    "processors",
    "provenance",
    "bsp",
    "operation",
    "memory",
    "tlb",
    "message",
];

const PROVENANCE: &[&str] = &[
    "kind",
    "source",
    "url",
    "date",
    "compiler",
    "flags",
    "host",
    "cpu",
    "transport",
    "repeatability_percent",
    "remarks",
];

const BSP: &[&str] = &[
    "processors",
    "rate_flop_per_s",
    "g_s_per_byte",
    "latency_s",
    "rate_standard_error_flop_per_s",
    "g_standard_error_s_per_byte",
    "latency_standard_error_s",
];

const OPERATION: &[&str] = &["name", "time_s", "standard_error_s", "dependent_time_s"];

const MEMORY: &[&str] =
    &["name", "size_bytes", "served_bytes", "time_s", "standard_error_s", "bandwidth_bytes_per_s", "stride"];

const STRIDE: &[&str] = &["stride_bytes", "time_s"];
const TLB: &[&str] = &["entries", "reach_bytes", "page_bytes", "miss_time_s"];
const MESSAGE: &[&str] = &["bytes", "time_s"];

impl Machine {
    /// Reads a machine file; `file` is its name, for messages.
    ///
    /// # Errors
    /// The first thing that is wrong with the file, with its line and cure.
    pub fn parse(file: &str, text: &str) -> Result<Machine, MachineFileError> {
        let source = FileText { file, text };
        if text.len() > MOST_BYTES {
            let problem = Problem::Toml(format!("the file has more than {MOST_BYTES} bytes"));
            return Err(source.error(0, problem));
        }
        let document = DeTable::parse(text).map_err(|error| source.syntax(&error))?;
        let root = FileTable::root(source, document.get_ref());
        // Before all else, for files of a later version may have any keys.
        check_version(&root)?;
        machine(&root.only(MACHINE)?)
    }

    /// The name in a machine file, which may be wrong elsewhere.
    pub fn name_in(text: &str) -> Option<String> {
        let document = DeTable::parse(text).ok()?;
        let name = document.get_ref().get("name")?.get_ref().as_str()?;
        is_name(name).then(|| name.to_owned())
    }
}

fn check_version(root: &FileTable) -> Read<()> {
    let Some(version) = root.get("schema_version") else {
        let cure = format!("add `schema_version = {SCHEMA_VERSION}`");
        return Err(root.error(Problem::Missing { key: "schema_version".to_owned(), cure }));
    };
    match version.count()? {
        SCHEMA_VERSION => Ok(()),
        found => Err(version.error(Problem::Version { found, known: SCHEMA_VERSION })),
    }
}

fn machine(table: &FileTable) -> Read<Machine> {
    let bsp = table.tables("bsp", BSP)?;
    let messages = table.tables("message", MESSAGE)?;
    let operations = table.tables("operation", OPERATION)?;
    let machine = Machine {
        name: table.needed("name", name)?,
        description: table.known("description", FileValue::text)?,
        processors: table.known("processors", FileValue::positive_count)?,
        provenance: provenance(table)?,
        bsp: all(&bsp, bsp_entry)?,
        operations: all(&operations, operation)?,
        memory: memory(&table.tables("memory", MEMORY)?)?,
        tlb: table.known("tlb", |value| tlb(&value.table(TLB)?))?,
        messages: all(&messages, |table| {
            Ok(MessageTime {
                bytes: table.needed("bytes", FileValue::count)?,
                time_s: table.needed("time_s", FileValue::cost)?,
            })
        })?,
    };
    ascending("bsp", "processors", &bsp)?;
    ascending("message", "bytes", &messages)?;
    distinct("operation", &operations)?;
    Ok(machine)
}

fn name(value: &FileValue) -> Read<String> {
    let name = value.text()?;
    if is_name(&name) { Ok(name) } else { Err(value.error(Problem::Name(name))) }
}

fn provenance(machine: &FileTable) -> Read<Provenance> {
    let Some(table) = machine.get("provenance") else {
        let cure = "add it, with `kind = \"measured\"` and `date`, or `kind = \"published\"` and `source`";
        return Err(machine.error(Problem::Missing { key: "[provenance]".to_owned(), cure: cure.to_owned() }));
    };
    let table = table.table(PROVENANCE)?;
    let provenance = Provenance {
        kind: table.needed("kind", provenance_kind)?,
        source: table.known("source", FileValue::text)?,
        url: table.known("url", FileValue::text)?,
        date: table.known("date", date)?,
        compiler: table.known("compiler", FileValue::text)?,
        flags: table.known("flags", FileValue::text)?,
        host: table.known("host", FileValue::text)?,
        cpu: table.known("cpu", FileValue::text)?,
        transport: table.known("transport", FileValue::text)?,
        repeatability_percent: table.known("repeatability_percent", FileValue::cost)?,
        remarks: table.known("remarks", FileValue::texts)?.unwrap_or_default(),
    };
    let (key, is_there) = match provenance.kind {
        ProvenanceKind::Measured => ("date", provenance.date.is_some()),
        ProvenanceKind::Published => ("source", provenance.source.is_some()),
    };
    match is_there {
        true => Ok(provenance),
        false => Err(table.error(Problem::Provenance { key, kind: provenance.kind.word() })),
    }
}

fn provenance_kind(value: &FileValue) -> Read<ProvenanceKind> {
    let word = value.text()?;
    let kinds = [ProvenanceKind::Measured, ProvenanceKind::Published];
    let kind = kinds.into_iter().find(|kind| kind.word() == word);
    kind.ok_or_else(|| value.wrong("`measured` or `published`"))
}

fn date(value: &FileValue) -> Read<String> {
    let date = value.text()?;
    if is_date(&date) { Ok(date) } else { Err(value.error(Problem::Date(date))) }
}

fn bsp_entry(table: &FileTable) -> Read<BspEntry> {
    Ok(BspEntry {
        processors: table.needed("processors", FileValue::positive_count)?,
        rate_flop_per_s: table.needed("rate_flop_per_s", FileValue::positive)?,
        g_s_per_byte: table.needed("g_s_per_byte", FileValue::cost)?,
        latency_s: table.needed("latency_s", FileValue::cost)?,
        rate_standard_error_flop_per_s: table.known("rate_standard_error_flop_per_s", FileValue::cost)?,
        g_standard_error_s_per_byte: table.known("g_standard_error_s_per_byte", FileValue::cost)?,
        latency_standard_error_s: table.known("latency_standard_error_s", FileValue::cost)?,
    })
}

fn operation(table: &FileTable) -> Read<OperationCost> {
    Ok(OperationCost {
        name: table.needed("name", FileValue::text)?,
        time_s: table.needed("time_s", FileValue::positive)?,
        standard_error_s: table.known("standard_error_s", FileValue::cost)?,
        dependent_time_s: table.known("dependent_time_s", FileValue::cost)?,
    })
}

fn memory(levels: &[FileTable]) -> Read<Vec<MemoryLevel>> {
    let without_size = levels.iter().position(|level| level.get("size_bytes").is_none());
    if let Some(place) = without_size.filter(|place| place + 1 < levels.len()) {
        return Err(levels[place].error(Problem::NoSize));
    }
    ascending("memory", "size_bytes", levels)?;
    ascending("memory", "served_bytes", levels)?;
    distinct("memory", levels)?;
    all(levels, memory_level)
}

fn memory_level(table: &FileTable) -> Read<MemoryLevel> {
    let strides = table.tables("stride", STRIDE)?;
    ascending("memory.stride", "stride_bytes", &strides)?;
    Ok(MemoryLevel {
        name: table.needed("name", FileValue::text)?,
        size_bytes: table.known("size_bytes", FileValue::positive_count)?,
        served_bytes: table.known("served_bytes", FileValue::positive_count)?,
        time_s: table.known("time_s", FileValue::positive)?,
        standard_error_s: table.known("standard_error_s", FileValue::cost)?,
        bandwidth_bytes_per_s: table.known("bandwidth_bytes_per_s", FileValue::positive)?,
        strides: all(&strides, |stride| {
            Ok(StridedLoad {
                stride_bytes: stride.needed("stride_bytes", FileValue::positive_count)?,
                time_s: stride.needed("time_s", FileValue::positive)?,
            })
        })?,
    })
}

fn tlb(table: &FileTable) -> Read<Tlb> {
    Ok(Tlb {
        entries: table.known("entries", FileValue::positive_count)?,
        reach_bytes: table.known("reach_bytes", FileValue::positive_count)?,
        page_bytes: table.known("page_bytes", FileValue::positive_count)?,
        miss_time_s: table.known("miss_time_s", FileValue::cost)?,
    })
}

fn all<'t, T>(tables: &[FileTable<'t>], read: impl Fn(&FileTable<'t>) -> Read<T>) -> Read<Vec<T>> {
    tables.iter().map(read).collect()
}

fn ascending(table: &'static str, key: &'static str, tables: &[FileTable]) -> Read<()> {
    let mut last: Option<u64> = None;
    for one in tables.iter().filter_map(|table| table.get(key)) {
        let value = one.count()?;
        if let Some(before) = last.filter(|before| *before >= value) {
            return Err(one.error(Problem::Order { table, key, before, value }));
        }
        last = Some(value);
    }
    Ok(())
}

fn distinct(table: &'static str, tables: &[FileTable]) -> Read<()> {
    let mut seen = std::collections::BTreeSet::new();
    for one in tables.iter().filter_map(|table| table.get("name")) {
        let name = one.text()?;
        if seen.contains(&name) {
            return Err(one.error(Problem::Duplicate { table, name }));
        }
        seen.insert(name);
    }
    Ok(())
}

impl ProvenanceKind {
    /// The word in files.
    pub fn word(self) -> &'static str {
        match self {
            ProvenanceKind::Measured => "measured",
            ProvenanceKind::Published => "published",
        }
    }
}

/// Whether this can be the name of a machine: a word of a command line, an element of a list, and no path.
pub fn is_name(name: &str) -> bool {
    let is_odd = |c: char| c.is_whitespace() || c.is_control() || ",/\\'\"=".contains(c);
    !name.is_empty() && !name.chars().any(is_odd) && !name.to_lowercase().ends_with(".toml")
}

/// Whether this is a day as in `2026-11-21`, a month as in `2026-11`, or a year.
pub(crate) fn is_date(text: &str) -> bool {
    let day = match text.len() {
        4 => format!("{text}-01-01"),
        7 => format!("{text}-01"),
        _ => text.to_owned(),
    };
    day.len() == 10 && day.parse::<Datetime>().is_ok_and(|day| day.date.is_some())
}
