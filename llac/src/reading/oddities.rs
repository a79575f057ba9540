//! What is odd about how runs were measured.

use std::collections::BTreeMap;

use call_grammar::counted;
use call_report::number::exact;
use call_trace::{Condensation, Experiment, Header, OtherP, ProcessorEvents, Trace, Unit};

/// What is to be known of measurements that were too many.
pub(super) fn condensation(of: &Condensation) -> String {
    let Condensation { experiment, measurements, points_per_kept } = of;
    let points = match points_per_kept {
        1 => String::new(),
        several => format!(", and so are the points: one in {several} is left, whole"),
    };
    format!(
        "the {measurements} measurements of `{experiment}` are too many to keep each{points}; they are summed up at each point: counts, \
         means and minima are exact, medians come from up to 16 measurements"
    )
}

/// What is odd about how a run was measured.
pub(crate) fn oddities(header: &Header, events: &[ProcessorEvents]) -> Vec<String> {
    let mut warnings = Vec::new();
    if header.abandoned > 0 {
        warnings.push(format!("{} measurements were begun and never ended", header.abandoned));
    }
    if let Some(cores) = header.cores.filter(|cores| header.processors > *cores)
        && is_of_one_computer(header, events)
        && header.clock != "counting"
        && header.simulated_caches.is_empty()
    {
        let processors = header.processors;
        warnings.push(format!("{processors} processors shared {cores} cores: their times mean little"));
    }
    if !header.openmp.is_empty() && !events.is_empty() {
        warnings.push(
            "a program of MPI with OpenMP: what its threads do and wait for is not recorded, and is computing here".to_owned(),
        );
    }
    warnings
}

pub(super) fn remarkable(trace: &Trace) -> Vec<String> {
    let header = &trace.header;
    let mut warnings = oddities(header, &trace.events);
    if !header.simulated_caches.is_empty() && trace.experiments.is_empty() {
        let caches = &header.simulated_caches;
        warnings
            .push(format!("it is left out: what is asked for was not counted in its simulation ({caches})"));
    }
    let is_time = |experiment: &Experiment| experiment.unit == Unit::Seconds && !experiment.is_empty();
    if !header.simulated_caches.is_empty() && trace.experiments.iter().any(is_time) {
        let caches = &header.simulated_caches;
        warnings.push(format!(
            "it ran in a simulation of caches ({caches}): its times say nothing of the computer; take what was counted, as by `time=L1-misses`"
        ));
    }
    warnings.extend(header.other_p.iter().map(other_p));
    if header.budget.is_some() {
        warnings.extend(trace.experiments.iter().filter_map(coarse));
    }
    warnings
}

/// That one measurement stands for much of a point: nobody knows well how often that was executed.
fn coarse(experiment: &Experiment) -> Option<String> {
    /// Fewer executions cost nobody anything.
    const FEW: u64 = 64;
    /// Where a row stands for more of its point, in percent.
    const MUCH: u64 = 10;
    let samples = &experiment.samples;
    let mut points: BTreeMap<Vec<u64>, (u64, u64, usize)> = BTreeMap::new();
    for row in 0..samples.count.len() {
        let count = samples.count[row];
        let point = samples.columns.iter().map(|column| column[row].to_bits()).collect();
        let (all, most, first) = points.entry(point).or_insert((0, 0, row));
        *all = all.saturating_add(count);
        *most = count.max(*most);
        *first = row.min(*first);
    }
    let is_much = |(all, most, _): &&(u64, u64, usize)| *most >= FEW && most.saturating_mul(100) > MUCH * all;
    let coarse: Vec<&(u64, u64, usize)> = points.values().filter(is_much).collect();
    let (all, most, row) = coarse.iter().min_by_key(|(.., row)| *row)?;
    let values = samples.names.iter().zip(&samples.columns);
    let point: Vec<String> =
        values.map(|(name, column)| format!("{name} = {}", exact(column[*row]))).collect();
    let more = match coarse.len() - 1 {
        0 => String::new(),
        more => format!(", and likewise at {}", counted(more, "other point")),
    };
    Some(format!(
        "one measurement of {} at {} stands for {most} of {all} executions{more}: how often it was executed there is known roughly; a larger budget tells",
        experiment.name,
        point.join(", ")
    ))
}

/// Processes of MPI that have recorded events by one clock are on one computer, if it is none that is simulated.
fn is_of_one_computer(header: &Header, events: &[ProcessorEvents]) -> bool {
    let has_common_clock = || events.iter().all(|its| its.has_common_clock);
    match header.transport.as_str() {
        "embedded" => true,
        "MPI" => !events.is_empty() && has_common_clock(),
        _ => false,
    }
}

fn other_p(its: &OtherP) -> String {
    let OtherP { experiment, rows, value, processors } = its;
    let rows = counted(*rows as usize, "row");
    format!(
        "in {rows} of {experiment} the variable P of the program is not the number of processors, such as {value} where that is \
         {processors}: formulas have the variable"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_of_processes_whose_calls_are_recorded_are_told() {
        let header = Header { openmp: "GCC".to_owned(), ..Header::default() };
        let told = |header: &Header, events: &[ProcessorEvents]| oddities(header, events).len();
        let events = [ProcessorEvents::default(), ProcessorEvents::default()];
        assert_eq!(told(&header, &events), 1);
        assert_eq!((told(&header, &[]), told(&Header::default(), &events)), (0, 0));
    }
}
