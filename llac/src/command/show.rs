use std::collections::HashSet;

use call_grammar::counted;
use call_report::{Column, Table, TableCell};
use call_trace::{CallSite, ProcessorSupersteps, Run, Samples};

use super::{Command, CommandArguments, run_facts, units};
use crate::error::code;
use crate::found::SessionExperiment;
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

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
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
        for (key, value) in run_facts::of_header(header) {
            markup.line(Style::Plain, format!("  {key:9} {value}"));
        }
        if !run.supersteps.is_empty() {
            markup.line(Style::Plain, format!("  supersteps: {}", supersteps(&run.supersteps)));
        }
    }
    markup
}

/// How many the processor with most of them has, and at how many places of the program all of them end.
fn supersteps(of_processors: &[ProcessorSupersteps]) -> String {
    let most = of_processors.iter().map(|its| its.supersteps.len()).max().unwrap_or(0);
    let places: HashSet<&CallSite> = of_processors.iter().flat_map(|its| &its.places).collect();
    format!("{most} on {}, {}", counted(of_processors.len(), "processor"), counted(places.len(), "place"))
}

fn samples(found: &SessionExperiment, rows: usize) -> Markup {
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
        let mut results = vec![
            (Column::right("sample"), numbers.collect()),
            (units::column(units::noun(unit), unit), cells(&samples.time_s)),
        ];
        if found.runs().iter().any(|run| run.header.budget.is_some()) {
            let counts =
                (0..samples.len().min(rows)).map(|index| TableCell::from(samples.count_of(index) as f64));
            results.push((Column::right("executions"), counts.collect()));
        }
        append(&mut markup, "samples", samples, found, rows, &results);
    }
    markup
}

/// Of an unfinished run each processor may have a file of its own, and which one is not kept.
fn files_of(run: &Run) -> String {
    match run.files.len() {
        several @ 2.. if incompleteness(&run.completeness).is_some() => {
            format!("{} and {} more", run.label(), several - 1)
        }
        _ => run.label().to_owned(),
    }
}

/// Adds a table of the first rows: where they are from, their variables, these results and their counters.
fn append(
    markup: &mut Markup,
    name: &str,
    samples: &Samples,
    found: &SessionExperiment,
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
        let trace = runs.get(samples.run[row] as usize).map_or(String::new(), files_of);
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
