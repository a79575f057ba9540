use toml::Spanned;
use toml::value::Datetime;

use crate::{
    BspEntry, Machine, MachineFileError, MemoryLevel, Message, Operation, Problem, Provenance,
    ProvenanceKind, Stride, Tlb, told, wire,
};

/// Larger files are no descriptions of machines.
const MOST_BYTES: usize = 4 << 20;

impl Machine {
    /// Reads a machine file; `file` is its name, for messages.
    ///
    /// # Errors
    /// The first thing that is wrong with the file, with its line and cure.
    pub fn parse(file: &str, text: &str) -> Result<Machine, MachineFileError> {
        let reader = Reader { file, text };
        if text.len() > MOST_BYTES {
            let problem = Problem::Toml(format!("the file has more than {MOST_BYTES} bytes: leave some out"));
            return Err(reader.error(0, problem));
        }
        let version: wire::Version = toml::from_str(text).map_err(|error| reader.syntax(&error))?;
        let known = wire::SCHEMA_VERSION;
        let found = *version.schema_version.get_ref();
        if found != known {
            let problem = Problem::Version { found, known };
            return Err(reader.error(version.schema_version.span().start, problem));
        }
        let machine = toml::from_str(text).map_err(|error| reader.syntax(&error))?;
        reader.machine(machine)
    }

    /// The name in a machine file, which may be wrong elsewhere.
    pub fn name_in(text: &str) -> Option<String> {
        let named: wire::Named = toml::from_str(text).ok()?;
        Some(named.name).filter(|name| is_name(name))
    }
}

struct Reader<'a> {
    file: &'a str,
    text: &'a str,
}

impl Reader<'_> {
    fn error(&self, at: usize, problem: Problem) -> MachineFileError {
        let before = self.text.as_bytes().get(..at).unwrap_or(self.text.as_bytes());
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        MachineFileError { file: self.file.to_owned(), line, problem }
    }

    fn syntax(&self, error: &toml::de::Error) -> MachineFileError {
        let span = error.span().unwrap_or(0..0);
        let start = span.start;
        self.error(start, told::problem(self.text, span, error.message()))
    }

    fn machine(&self, machine: wire::Machine) -> Result<Machine, MachineFileError> {
        let name = machine.name.get_ref();
        if !is_name(name) {
            return Err(self.error(machine.name.span().start, Problem::Name(name.clone())));
        }
        let bsp = self.all(&machine.bsp, |entry| self.bsp_entry(entry))?;
        self.ascending("bsp", "processors", machine.bsp.iter().map(|entry| &entry.processors))?;
        self.ascending("message", "bytes", machine.message.iter().map(|message| &message.bytes))?;
        self.distinct("operation", machine.operation.iter().map(|operation| &operation.name))?;
        Ok(Machine {
            name: machine.name.into_inner(),
            description: machine.description,
            processors: self.count("processors", machine.processors.as_ref())?,
            provenance: self.provenance(machine.provenance)?,
            bsp,
            operations: self.all(&machine.operation, |operation| self.operation(operation))?,
            memory: self.memory(&machine.memory)?,
            tlb: machine.tlb.as_ref().map(|tlb| self.tlb(tlb)).transpose()?,
            messages: self.all(&machine.message, |message| {
                Ok(Message { bytes: *message.bytes.get_ref(), time_s: self.cost("time_s", &message.time_s)? })
            })?,
        })
    }

    fn provenance(&self, spanned: Spanned<wire::Provenance>) -> Result<Provenance, MachineFileError> {
        let start = spanned.span().start;
        let provenance = spanned.into_inner();
        let (kind, key, is_there) = match provenance.kind {
            wire::ProvenanceKind::Measured => (ProvenanceKind::Measured, "date", provenance.date.is_some()),
            wire::ProvenanceKind::Published => {
                (ProvenanceKind::Published, "source", provenance.source.is_some())
            }
        };
        if !is_there {
            return Err(self.error(start, Problem::Provenance { key, kind: kind.word() }));
        }
        if let Some(date) = provenance.date.as_ref().filter(|date| !is_date(date.get_ref())) {
            return Err(self.error(date.span().start, Problem::Date(date.get_ref().clone())));
        }
        Ok(Provenance {
            kind,
            source: provenance.source,
            url: provenance.url,
            date: provenance.date.map(Spanned::into_inner),
            compiler: provenance.compiler,
            flags: provenance.flags,
            host: provenance.host,
            cpu: provenance.cpu,
            transport: provenance.transport,
            repeatability_percent: self
                .optional("repeatability_percent", provenance.repeatability_percent.as_ref())?,
            remarks: provenance.remarks,
        })
    }

    fn bsp_entry(&self, entry: &wire::BspEntry) -> Result<BspEntry, MachineFileError> {
        Ok(BspEntry {
            processors: self.positive_count("processors", &entry.processors)?,
            rate_flop_per_s: self.positive("rate_flop_per_s", &entry.rate_flop_per_s)?,
            g_s_per_byte: self.cost("g_s_per_byte", &entry.g_s_per_byte)?,
            latency_s: self.cost("latency_s", &entry.latency_s)?,
            rate_standard_error_flop_per_s: self
                .optional("rate_standard_error_flop_per_s", entry.rate_standard_error_flop_per_s.as_ref())?,
            g_standard_error_s_per_byte: self
                .optional("g_standard_error_s_per_byte", entry.g_standard_error_s_per_byte.as_ref())?,
            latency_standard_error_s: self
                .optional("latency_standard_error_s", entry.latency_standard_error_s.as_ref())?,
        })
    }

    fn operation(&self, operation: &wire::Operation) -> Result<Operation, MachineFileError> {
        Ok(Operation {
            name: operation.name.get_ref().clone(),
            time_s: self.positive("time_s", &operation.time_s)?,
            standard_error_s: self.optional("standard_error_s", operation.standard_error_s.as_ref())?,
            dependent_time_s: self.optional("dependent_time_s", operation.dependent_time_s.as_ref())?,
        })
    }

    fn memory(&self, levels: &[Spanned<wire::MemoryLevel>]) -> Result<Vec<MemoryLevel>, MachineFileError> {
        let without_size = levels.iter().position(|level| level.get_ref().size_bytes.is_none());
        if let Some(place) = without_size.filter(|place| place + 1 < levels.len()) {
            return Err(self.error(levels[place].span().start, Problem::NoSize));
        }
        let sizes = levels.iter().filter_map(|level| level.get_ref().size_bytes.as_ref());
        self.ascending("memory", "size_bytes", sizes)?;
        let served = levels.iter().filter_map(|level| level.get_ref().served_bytes.as_ref());
        self.ascending("memory", "served_bytes", served)?;
        self.distinct("memory", levels.iter().map(|level| &level.get_ref().name))?;
        self.all(levels, |level| self.memory_level(level.get_ref()))
    }

    fn memory_level(&self, level: &wire::MemoryLevel) -> Result<MemoryLevel, MachineFileError> {
        let distances = level.stride.iter().map(|stride| &stride.stride_bytes);
        self.ascending("memory.stride", "stride_bytes", distances)?;
        Ok(MemoryLevel {
            name: level.name.get_ref().clone(),
            size_bytes: self.count("size_bytes", level.size_bytes.as_ref())?,
            served_bytes: self.count("served_bytes", level.served_bytes.as_ref())?,
            time_s: level.time_s.as_ref().map(|time| self.positive("time_s", time)).transpose()?,
            standard_error_s: self.optional("standard_error_s", level.standard_error_s.as_ref())?,
            bandwidth_bytes_per_s: level
                .bandwidth_bytes_per_s
                .as_ref()
                .map(|bandwidth| self.positive("bandwidth_bytes_per_s", bandwidth))
                .transpose()?,
            strides: self.all(&level.stride, |stride| {
                Ok(Stride {
                    stride_bytes: self.positive_count("stride_bytes", &stride.stride_bytes)?,
                    time_s: self.positive("time_s", &stride.time_s)?,
                })
            })?,
        })
    }

    fn tlb(&self, tlb: &wire::Tlb) -> Result<Tlb, MachineFileError> {
        Ok(Tlb {
            entries: self.count("entries", tlb.entries.as_ref())?,
            reach_bytes: self.count("reach_bytes", tlb.reach_bytes.as_ref())?,
            page_bytes: self.count("page_bytes", tlb.page_bytes.as_ref())?,
            miss_time_s: self.optional("miss_time_s", tlb.miss_time_s.as_ref())?,
        })
    }

    fn all<W, T>(
        &self,
        wire: &[W],
        convert: impl Fn(&W) -> Result<T, MachineFileError>,
    ) -> Result<Vec<T>, MachineFileError> {
        wire.iter().map(convert).collect()
    }

    /// A number that may be 0, such as a cost.
    fn cost(&self, key: &'static str, number: &Spanned<f64>) -> Result<f64, MachineFileError> {
        let value = *number.get_ref();
        match value >= 0.0 && value.is_finite() {
            true => Ok(value),
            false => {
                let needed = "a finite number, 0 or more";
                Err(self.error(number.span().start, Problem::Number { key, value, needed }))
            }
        }
    }

    fn optional(
        &self,
        key: &'static str,
        number: Option<&Spanned<f64>>,
    ) -> Result<Option<f64>, MachineFileError> {
        number.map(|number| self.cost(key, number)).transpose()
    }

    fn positive(&self, key: &'static str, number: &Spanned<f64>) -> Result<f64, MachineFileError> {
        let value = *number.get_ref();
        match value > 0.0 && value.is_finite() {
            true => Ok(value),
            false => {
                let needed = "a finite number above 0";
                Err(self.error(number.span().start, Problem::Number { key, value, needed }))
            }
        }
    }

    fn positive_count(&self, key: &'static str, count: &Spanned<u64>) -> Result<u64, MachineFileError> {
        match *count.get_ref() {
            0 => {
                let problem = Problem::Number { key, value: 0.0, needed: "1 or more" };
                Err(self.error(count.span().start, problem))
            }
            count => Ok(count),
        }
    }

    fn count(
        &self,
        key: &'static str,
        count: Option<&Spanned<u64>>,
    ) -> Result<Option<u64>, MachineFileError> {
        count.map(|count| self.positive_count(key, count)).transpose()
    }

    fn ascending<'s>(
        &self,
        table: &'static str,
        key: &'static str,
        values: impl Iterator<Item = &'s Spanned<u64>>,
    ) -> Result<(), MachineFileError> {
        let mut last: Option<u64> = None;
        for one in values {
            let value = *one.get_ref();
            if let Some(before) = last.filter(|before| *before >= value) {
                return Err(self.error(one.span().start, Problem::Order { table, key, before, value }));
            }
            last = Some(value);
        }
        Ok(())
    }

    fn distinct<'s>(
        &self,
        table: &'static str,
        names: impl Iterator<Item = &'s Spanned<String>>,
    ) -> Result<(), MachineFileError> {
        let mut seen = std::collections::BTreeSet::new();
        for name in names {
            if !seen.insert(name.get_ref().as_str()) {
                let problem = Problem::Duplicate { table, name: name.get_ref().clone() };
                return Err(self.error(name.span().start, problem));
            }
        }
        Ok(())
    }
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
