//! From the traces of the probe, the program that `llac machine probe` ships, to a machine: [`Machine::from_probe`].
//!
//! The probe's formulas are fitted as those of any other program, to the shortest of the repetitions: a disturbance only makes times
//! longer. What depends on a working set, a message or an h-relation is split into intervals; those of the access time are the levels of
//! the memory.

mod communication;
mod levels;
mod measured;
mod memory;
mod repeatability;

pub use measured::ProbeError;
pub use repeatability::{Repeatability, Repeated};

use call_trace::{Dataset, Header};

use super::{Machine, Provenance, ProvenanceKind};
use measured::ProbeExperiments;

/// A machine that was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Probed {
    /// What its file says.
    pub machine: Machine,
    /// How far the first half of the rounds and the second half are apart.
    pub repeatability: Repeatability,
}

impl Machine {
    /// Makes a machine of the runs of the probe. Without a name it gets that of the computer.
    ///
    /// # Errors
    /// If the runs are not those of the probe, or a number that belongs to every machine is not in them.
    pub fn from_probe(name: Option<&str>, runs: &Dataset) -> Result<Probed, ProbeError> {
        let header = &runs.runs.first().ok_or(ProbeError::NoRuns)?.header;
        let measured = ProbeExperiments::of(runs);
        let numbers = |measured: &ProbeExperiments| numbers(measured, &header.caches_bytes);
        let mut machine = numbers(&measured)?;
        let (first, second) = measured.halves();
        let repeatability = match (numbers(&first), numbers(&second)) {
            (Ok(first), Ok(second)) => Repeatability::of(&machine, &first, &second),
            // One round has no halves.
            _ => Repeatability::default(),
        };
        machine.name = name.map_or_else(|| name_of_host(&header.host), str::to_owned);
        if !super::file::is_name(&machine.name) {
            return Err(ProbeError::Name(machine.name));
        }
        // The day; a trace has the second, too.
        let day = header.date.split('T').next().filter(|day| super::file::is_date(day));
        if day.is_none() {
            return Err(ProbeError::Date(header.date.clone()));
        }
        // Of several computers the cores of the first are not all.
        machine.processors =
            (header.transport == "embedded").then_some(header.cores).flatten().map(u64::from);
        let mut remarks = std::mem::take(&mut machine.provenance.remarks);
        remarks.extend(repeatability.remark());
        machine.provenance = provenance(header, repeatability.worst_percent(), remarks);
        machine.provenance.date = day.map(str::to_owned);
        repeatability::round(&mut machine);
        Ok(Probed { machine, repeatability })
    }
}

/// All but the name and where the numbers come from.
fn numbers(measured: &ProbeExperiments, caches_bytes: &[u64]) -> Result<Machine, ProbeError> {
    let mut remarks = Vec::new();
    let loads = levels::Levels::of(measured, caches_bytes)?;
    let missing = loads.iter().flat_map(|loads| &loads.missing_caches_bytes);
    remarks.extend(missing.map(|bytes| format!("memory: no level shows the cache of {bytes} bytes")));
    let memory = loads.as_ref().map(|loads| memory::levels(measured, loads));
    let tlb = match &loads {
        Some(loads) => memory::tlb(measured, loads, &mut remarks)?,
        None => None,
    };
    let bsp = communication::bsp_table(measured, &mut remarks)?;
    let messages = communication::messages(measured, &mut remarks);
    Ok(Machine {
        name: String::new(),
        description: None,
        processors: None,
        provenance: provenance(&Header::default(), None, remarks),
        bsp,
        operations: communication::operations(measured),
        memory: memory.unwrap_or_default(),
        tlb,
        messages,
    })
}

fn provenance(header: &Header, repeatability_percent: Option<f64>, remarks: Vec<String>) -> Provenance {
    let known = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Provenance {
        kind: ProvenanceKind::Measured,
        source: Some("llac machine probe, the shortest of the repetitions".to_owned()),
        url: None,
        date: None,
        compiler: known(&header.compiler),
        flags: known(&header.flags.replace(',', " ")),
        host: known(&header.host),
        cpu: known(&header.cpu),
        transport: known(&header.transport),
        repeatability_percent,
        remarks,
    }
}

/// The name of the machine that a computer is: the first part of its own, if that is one.
pub fn name_of_host(host: &str) -> String {
    let short = host.split('.').next().unwrap_or_default();
    if super::file::is_name(short) { short.to_owned() } else { "machine".to_owned() }
}
