use toml::Spanned;

use crate::{Machine, ProvenanceKind, wire};

impl Machine {
    /// The file of the machine; [`Machine::parse`] reads the same machine from it.
    pub fn to_toml(&self) -> String {
        // Nothing in these structs can fail to be TOML: all keys are names, all counts were read from TOML.
        with_exponents(toml::to_string_pretty(&self.wire()).unwrap_or_default())
    }

    fn wire(&self) -> wire::Machine {
        let provenance = &self.provenance;
        wire::Machine {
            schema_version: wire::SCHEMA_VERSION,
            name: spanned(self.name.clone()),
            description: self.description.clone(),
            processors: self.processors.map(spanned),
            provenance: spanned(wire::Provenance {
                kind: match provenance.kind {
                    ProvenanceKind::Measured => wire::ProvenanceKind::Measured,
                    ProvenanceKind::Published => wire::ProvenanceKind::Published,
                },
                source: provenance.source.clone(),
                url: provenance.url.clone(),
                date: provenance.date.clone().map(spanned),
                compiler: provenance.compiler.clone(),
                flags: provenance.flags.clone(),
                host: provenance.host.clone(),
                cpu: provenance.cpu.clone(),
                transport: provenance.transport.clone(),
                repeatability_percent: provenance.repeatability_percent.map(spanned),
                remarks: provenance.remarks.clone(),
            }),
            bsp: self.bsp_entries(),
            operation: self.operations(),
            memory: self.memory_levels(),
            tlb: self.tlb.map(|tlb| wire::Tlb {
                entries: tlb.entries.map(spanned),
                reach_bytes: tlb.reach_bytes.map(spanned),
                page_bytes: tlb.page_bytes.map(spanned),
                miss_time_s: tlb.miss_time_s.map(spanned),
            }),
            message: self
                .messages
                .iter()
                .map(|message| wire::Message {
                    bytes: spanned(message.bytes),
                    time_s: spanned(message.time_s),
                })
                .collect(),
        }
    }

    fn bsp_entries(&self) -> Vec<wire::BspEntry> {
        let entry = |entry: &crate::BspEntry| wire::BspEntry {
            processors: spanned(entry.processors),
            rate_flop_per_s: spanned(entry.rate_flop_per_s),
            g_s_per_byte: spanned(entry.g_s_per_byte),
            latency_s: spanned(entry.latency_s),
            rate_standard_error_flop_per_s: entry.rate_standard_error_flop_per_s.map(spanned),
            g_standard_error_s_per_byte: entry.g_standard_error_s_per_byte.map(spanned),
            latency_standard_error_s: entry.latency_standard_error_s.map(spanned),
        };
        self.bsp.iter().map(entry).collect()
    }

    fn operations(&self) -> Vec<wire::Operation> {
        let operation = |operation: &crate::Operation| wire::Operation {
            name: spanned(operation.name.clone()),
            time_s: spanned(operation.time_s),
            standard_error_s: operation.standard_error_s.map(spanned),
            dependent_time_s: operation.dependent_time_s.map(spanned),
        };
        self.operations.iter().map(operation).collect()
    }

    fn memory_levels(&self) -> Vec<Spanned<wire::MemoryLevel>> {
        let stride = |stride: &crate::Stride| wire::Stride {
            stride_bytes: spanned(stride.stride_bytes),
            time_s: spanned(stride.time_s),
        };
        let level = |level: &crate::MemoryLevel| wire::MemoryLevel {
            name: spanned(level.name.clone()),
            size_bytes: level.size_bytes.map(spanned),
            served_bytes: level.served_bytes.map(spanned),
            time_s: level.time_s.map(spanned),
            standard_error_s: level.standard_error_s.map(spanned),
            bandwidth_bytes_per_s: level.bandwidth_bytes_per_s.map(spanned),
            stride: level.strides.iter().map(stride).collect(),
        };
        self.memory.iter().map(level).map(spanned).collect()
    }
}

/// Writes 0.000000000021 as 2.1e-11: `toml` knows no exponents. Not beside texts of several lines, in which anything may stand.
fn with_exponents(text: String) -> String {
    if text.contains(r#"""""#) || text.contains("'''") {
        return text;
    }
    let line = |line: &str| {
        let number = line.split_once(" = ").filter(|(_, value)| value.contains('.'));
        match number.and_then(|(key, value)| Some((key, value.parse::<f64>().ok()?))) {
            Some((key, number)) if !(1e-3..1e6).contains(&number.abs()) && number != 0.0 => {
                format!("{key} = {number:e}\n")
            }
            _ => format!("{line}\n"),
        }
    };
    text.lines().map(line).collect()
}

/// A value that was not read.
fn spanned<T>(value: T) -> Spanned<T> {
    Spanned::new(0..0, value)
}
