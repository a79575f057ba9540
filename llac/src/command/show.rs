use std::collections::HashSet;

use call_grammar::counted;
use call_report::{Column, Table, TableCell, number};
use call_trace::{CallSite, Header, ProcessorSupersteps, Run, Samples};

use super::{Arguments, Command, units};
use crate::error::code;
use crate::found::FoundExperiment;
use crate::incompleteness::incompleteness;
use crate::{CommandOutcome, Completion, Error, Markup, Session, Style};

/// Rows shown when the user names no number.
const ROWS: usize = 20;

pub const SHOW: Command = Command {
    name: "show",
    usage: "show [EXPERIMENT [ROWS]]",
    summary: "show the traces, or samples",
    details: "Without a name: the loaded traces with machine, date, clock and compiler, and what is missing in \
        them. With one: of a model from a file where it is from, else its first samples (20, or ROWS) and, of runs with summaries, the first of those.",
    completions: &[Completion::Experiment, Completion::Nothing],
    run,
    ..Command::OF_SAMPLES
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<CommandOutcome, Error> {
    arguments.at_most(2, SHOW.usage)?;
    let Some(name) = arguments.words().first() else {
        let of_set = session.state().data().runs();
        if of_set.is_empty() && session.state().models().next().is_none() {
            return Err(Error::new(code::NOTHING_LOADED, "nothing is loaded")
                .help("load samples first: `load FILE…`"));
        }
        let mut markup = runs(of_set);
        session.loaded_models().for_each(|model| markup.append(model.describe()));
        return Ok(CommandOutcome::of(markup));
    };
    if let (Some(model), [_]) = (session.loaded_model(&name.text), arguments.words()) {
        return Ok(CommandOutcome::of(model.describe()));
    }
    let rows = match arguments.words().get(1) {
        None => ROWS,
        Some(word) => word
            .text
            .parse()
            .map_err(|_| word.error(code::WRONG_VALUE, format!("`{}` is not a number of rows", word.text)))?,
    };
    Ok(CommandOutcome::of(samples(&session.experiment(name)?, rows)))
}

/// What a header says; older tools say less.
pub fn facts(header: &Header) -> Vec<(&'static str, String)> {
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
        ("others", others(header)),
        ("date", header.date.clone()),
    ];
    facts.into_iter().filter(|(_, value)| !value.is_empty()).collect()
}

fn runs(runs: &[Run]) -> Markup {
    let mut markup = Markup::new();
    for run in runs {
        let header = &run.header;
        markup.line(Style::Name, run.label());
        if run.files.len() > 1 {
            markup.line(Style::Plain, format!("  {:9} {}", "and", run.files[1..].join(" ")));
        }
        if let Some(missing) = incompleteness(&run.completeness) {
            markup.line(Style::Warning, format!("  {missing}"));
        }
        // What other tools measured has no header.
        if header.program.is_empty() {
            continue;
        }
        for (key, value) in facts(header) {
            markup.line(Style::Plain, format!("  {key:9} {value}"));
        }
        if !run.supersteps.is_empty() {
            markup.line(Style::Plain, format!("  supersteps: {}", supersteps(&run.supersteps)));
        }
    }
    markup
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

/// How many the processor with most of them has, and at how many places of the program all of them end.
fn supersteps(of_processors: &[ProcessorSupersteps]) -> String {
    let most = of_processors.iter().map(|its| its.supersteps.len()).max().unwrap_or(0);
    let places: HashSet<&CallSite> = of_processors.iter().flat_map(|its| &its.places).collect();
    format!("{most} on {}, {}", counted(of_processors.len(), "processor"), counted(places.len(), "place"))
}

fn samples(found: &FoundExperiment, rows: usize) -> Markup {
    let mut markup = Markup::new();
    let experiment = found.experiment();
    let cells = |column: &[f64]| column.iter().take(rows).map(|value| TableCell::from(*value)).collect();
    let (summaries, unit) = (&experiment.summaries, &experiment.unit);
    if !summaries.is_empty() {
        let counts = summaries.points.count.iter().take(rows).map(|count| TableCell::from(*count as f64));
        let results = [
            (Column::right("count"), counts.collect()),
            (units::column("mean", unit), cells(&summaries.points.time_s)),
            (
                units::column(if unit.is_time() { "shortest" } else { "smallest" }, unit),
                cells(&summaries.min_s),
            ),
            (
                units::column(if unit.is_time() { "longest" } else { "largest" }, unit),
                cells(&summaries.max_s),
            ),
        ];
        append(&mut markup, "summaries", &summaries.points, found, rows, &results);
    }
    let samples = &experiment.samples;
    if summaries.is_empty() || !samples.is_empty() {
        let numbers = (0..samples.len().min(rows)).map(|sample| TableCell::from(found.number(sample)));
        let results = [
            (Column::right("sample"), numbers.collect()),
            (units::column(units::noun(unit), unit), cells(&samples.time_s)),
        ];
        append(&mut markup, "samples", samples, found, rows, &results);
    }
    markup
}

/// Adds a table of the first rows: where they are from, their variables, these results and their counters.
fn append(
    markup: &mut Markup,
    name: &str,
    samples: &Samples,
    found: &FoundExperiment,
    rows: usize,
    results: &[(Column, Vec<TableCell>)],
) {
    let mut columns = vec![Column::left("trace"), Column::right("processor")];
    columns.extend(samples.names.iter().map(Column::right));
    columns.extend(results.iter().map(|(column, _)| column.clone()));
    columns.extend(samples.counter_names.iter().map(Column::right));
    let mut table = Table::new(columns).named(name).about(&found.name);
    let runs = found.runs();
    for row in 0..samples.len().min(rows) {
        let trace = runs.get(samples.run[row] as usize).map_or("", Run::label);
        let mut cells = vec![TableCell::from(trace), TableCell::from(f64::from(samples.processor[row]))];
        cells.extend(samples.columns.iter().map(|column| TableCell::from(column[row])));
        cells.extend(results.iter().map(|(_, values)| values[row].clone()));
        cells.extend(samples.counters.iter().map(|column| TableCell::number_or(column[row], "unknown")));
        table.row(cells);
    }
    markup.table(table);
    if samples.len() > rows {
        markup.line(Style::Plain, format!("  … {} more", samples.len() - rows));
    }
}
