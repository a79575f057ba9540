//! What the header of a trace says of its run, in words: for people who look at a trace, and for the model that was fitted to it.

use call_grammar::counted;
use call_report::number;
use call_trace::Header;

/// What a header says; older tools say less.
pub fn of_header(header: &Header) -> Vec<(&'static str, String)> {
    let known = |parts: &[&str], between: &str| {
        let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
        parts.join(between)
    };
    let within = |before: &str, text: &str, behind: &str| match text {
        "" => String::new(),
        text => format!("{before}{text}{behind}"),
    };
    let source = within(" (", &header.source, ")");
    let command = within("run as `", &header.command, "`");
    let cores = header.cores.map_or(String::new(), |cores| format!("{cores} cores"));
    let host = within("", &header.host, ":");
    let machine = known(&[&header.cpu, &cores, &header.system], ", ");
    let on = format!("on {}", counted(header.processors as usize, "processor"));
    let facts = [
        ("program", known(&[&format!("{}{source}", header.program), &command], ", ")),
        ("machine", known(&[&host, &machine], " ")),
        ("compiler", known(&[&header.compiler, &header.flags], " ")),
        ("kind", known(&[&header.kind, &header.transport, &on], ", ")),
        ("MPI", header.mpi.clone()),
        ("clock", clock(header)),
        ("measuring", measuring(header)),
        ("others", others(header)),
        ("date", header.date.clone()),
    ];
    facts.into_iter().filter(|(_, value)| !value.is_empty()).collect()
}

fn clock(header: &Header) -> String {
    let name = match (header.clock_frequency_hz, header.clock_frequency_uncertainty_hz) {
        (Some(frequency), Some(uncertainty)) => format!("{} of {frequency} ± {uncertainty} Hz", header.clock),
        (Some(frequency), None) => format!("{} of {frequency} Hz", header.clock),
        (None, _) => header.clock.clone(),
    };
    let parts = [
        header.clock_resolution_ns.map(|resolution| format!("steps of {resolution} ns")),
        header.empty_pair_ns.map(|pair| format!("an empty measurement records {pair} ns")),
        header.subtracted_ns.map(|subtracted| format!("{subtracted} ns are taken off each time")),
    ];
    std::iter::once(name).chain(parts.into_iter().flatten()).collect::<Vec<_>>().join(", ")
}

/// What measuring cost.
fn measuring(header: &Header) -> String {
    let percent = |share: f64| number::significant(100.0 * share, 2);
    let parts = [
        header.measuring_share.map(|share| format!("{} % of the time", percent(share))),
        header.budget.map(|budget| format!("of {} % that it might take", percent(budget))),
        header.pair_cost_ns.map(|cost| format!("each measurement {} ns", number::significant(cost, 2))),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// How busy the computer was with other things.
fn others(header: &Header) -> String {
    let percent = |share: f64| number::significant(100.0 * share, 2);
    let parts = [
        header
            .waited_share
            .map(|share| format!("processes waited {} % of the time for a processor", percent(share))),
        header.stolen_share.filter(|share| *share > 0.0).map(|share| {
            format!("{} % of the computer's time went to others on the same hardware", percent(share))
        }),
        header.load_average.map(|load| format!("load {}", number::significant(load, 2))),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
