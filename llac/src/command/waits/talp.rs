//! Efficiencies as TALP, the monitor of DLB, reports them.

use call_report::{Column, ColumnKind, Table, TableCell};
use call_trace::Run;
use call_waiting::{ProcessorTimes, Waits};
use serde_json::{Map, Value, json};

use super::{faults, of_threads, waits_of};
use crate::command::recorded_runs::one_recorded_run;
use crate::command::wrote;
use crate::words::Word;
use crate::{CommandOutcome, Error, Session};

/// Readers of TALP's reports ask for the version of DLB whose form they have.
const FORM: &str = concat!("3.6 (llac ", env!("CARGO_PKG_VERSION"), ")");

/// Efficiencies and the times behind them with the names and units (nanoseconds) of TALP.
fn metrics(waits: &Waits) -> [(&'static str, f64); 10] {
    let efficiency = &waits.efficiency;
    let sum = |of: fn(&ProcessorTimes) -> i64| waits.times.iter().map(|times| of(times) as f64).sum::<f64>();
    let processors = waits.processors.len() as f64;
    [
        ("numCpus", processors),
        ("numMpiRanks", processors),
        ("numMpiCalls", waits.calls() as f64),
        ("elapsedTime", efficiency.run_time_ns as f64),
        ("usefulTime", sum(|times| times.computing_ns)),
        ("mpiTime", sum(|times| times.waiting_ns.saturating_add(times.communicating_ns))),
        ("parallelEfficiency", efficiency.parallel),
        ("mpiParallelEfficiency", efficiency.parallel),
        // Serialisation and transfer are one there.
        ("mpiCommunicationEfficiency", efficiency.serialisation * efficiency.transfer),
        ("mpiLoadBalance", efficiency.load_balance),
    ]
}

/// As a table. What a trace does not tell, such as nodes and cycles, is left out.
pub fn table(waits: &Waits) -> Table {
    let values = metrics(waits);
    let mut table = Table::new(values.map(|(key, _)| Column::new(key, key, ColumnKind::Exact))).named("talp");
    table.row(values.map(|(_, value)| TableCell::from(value)));
    table
}

/// `waits [TRACE | SET] to FILE.json`: the report that TALP would have written of one run.
pub fn write(session: &Session, data: Option<&Word>, file: &Word) -> Result<CommandOutcome, Error> {
    let run = one_recorded_run(session, data, "a report", "waits TRACE to FILE.json")?;
    if call_waiting::are_threads(&run.events) {
        return Err(of_threads("a report").with_span(file.span.clone()));
    }
    let waits = waits_of(run).map_err(|error| Error::from(error).of(run.label()))?;
    session.write(file, format!("{:#}\n", report(run, &waits)).as_bytes())?;
    Ok(CommandOutcome { warnings: faults(run, &waits), ..CommandOutcome::of(wrote(file)) })
}

/// What TALP says of a program without OpenMP, too: 1.
const OF_OPENMP: [&str; 4] =
    ["ompParallelEfficiency", "ompLoadBalance", "ompSchedulingEfficiency", "ompSerializationEfficiency"];

fn report(run: &Run, waits: &Waits) -> Value {
    let processors = waits.processors.len();
    let whole = |(key, value): (&str, f64)| {
        let is_count = key.starts_with("num") || key.ends_with("Time");
        (key.to_owned(), if is_count { json!(value as i64) } else { json!(value) })
    };
    let mut region: Map<String, Value> = metrics(waits).map(whole).into_iter().collect();
    // What a trace does not tell is as TALP has it without counters and OpenMP: all processors are those of one node.
    let balance = waits.efficiency.load_balance;
    let others = [
        ("numNodes", json!(1)),
        ("avgCpus", json!(processors as f64)),
        ("cycles", json!(0)),
        ("instructions", json!(0)),
        ("numMeasurements", json!(1)),
        ("mpiLoadBalanceIn", json!(balance)),
        ("mpiLoadBalanceOut", json!(1.0)),
    ];
    region.extend(others.map(|(key, value)| (key.to_owned(), value)));
    // Of threads that there may have been nothing was measured.
    if run.header.openmp.is_empty() {
        region.extend(OF_OPENMP.map(|key| (key.to_owned(), json!(1.0))));
    }
    let mut report = json!({
        "dlbVersion": FORM,
        "resources": { "numCpus": processors, "numNodes": 1, "numMpiRanks": processors, "numGpus": 0 },
        "Application": { "Global": region },
    });
    if !run.header.date.is_empty() {
        report["timestamp"] = json!(run.header.date.trim_end_matches('Z'));
    }
    report
}
