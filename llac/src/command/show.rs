use std::collections::HashSet;

use call_report::{Column, Table, number};
use call_trace::{Experiment, Place, ProcessorSupersteps, Run};

use super::{Arguments, Command};
use crate::{Completion, Error, Markup, Outcome, Session, Style};

pub struct Show;

/// Rows shown when the user names no number.
const ROWS: usize = 20;

impl Command for Show {
    fn name(&self) -> &'static str {
        "show"
    }

    fn usage(&self) -> &'static str {
        "show [EXPERIMENT [ROWS]]"
    }

    fn summary(&self) -> &'static str {
        "show the traces, or samples"
    }

    fn details(&self) -> &'static str {
        "Without a name: the loaded traces with machine, date, clock and compiler. With one: its first \
         samples (20, or ROWS)."
    }

    fn completions(&self) -> &'static [Completion] {
        &[Completion::Experiment, Completion::Nothing]
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        arguments.at_most(2, self.usage())?;
        let Some(name) = arguments.words().first() else {
            if session.data.runs.is_empty() {
                return Err(Error::new("no traces are loaded").help("load some: `load FILE…`"));
            }
            return Ok(Outcome::of(runs(&session.data.runs)));
        };
        let rows = match arguments.words().get(1) {
            None => ROWS,
            Some(word) => word.text.parse().map_err(|_| {
                Error::at(word.span.clone(), format!("`{}` is not a number of rows", word.text))
            })?,
        };
        let experiment = session.experiment(name)?;
        Ok(Outcome::of(samples(experiment, &session.data.runs, rows)))
    }
}

fn runs(runs: &[Run]) -> Markup {
    let mut markup = Markup::new();
    for run in runs {
        let header = &run.header;
        markup.line(Style::Name, &run.label);
        let clock = match (header.clock_resolution_ns, header.empty_pair_ns) {
            (Some(resolution), Some(pair)) => {
                format!("{}, steps of {resolution} ns, an empty measurement records {pair} ns", header.clock)
            }
            _ => header.clock.clone(),
        };
        let cores = header.cores.map_or(String::new(), |cores| format!(", {cores} cores"));
        for (key, value) in [
            ("program", format!("{} ({}), run as `{}`", header.program, header.source, header.command)),
            ("machine", format!("{}: {}{cores}, {}", header.host, header.cpu, header.system)),
            ("compiler", format!("{} {}", header.compiler, header.flags)),
            ("kind", format!("{}, {}, on {}", header.kind, header.transport, processors(header.processors))),
            ("clock", clock),
            ("date", header.date.clone()),
        ] {
            markup.line(Style::Plain, format!("  {key:9} {value}"));
        }
        if !run.supersteps.is_empty() {
            markup.line(Style::Plain, format!("  supersteps: {}", supersteps(&run.supersteps)));
        }
    }
    markup
}

fn processors(count: u32) -> String {
    if count == 1 { "1 processor".to_owned() } else { format!("{count} processors") }
}

/// How many the processor with most of them has, and at how many places of the program all of them end.
fn supersteps(of_processors: &[ProcessorSupersteps]) -> String {
    let most = of_processors.iter().map(|its| its.supersteps.len()).max().unwrap_or(0);
    let places: HashSet<&Place> = of_processors.iter().flat_map(|its| &its.places).collect();
    let plural = if places.len() == 1 { "" } else { "s" };
    let count = u32::try_from(of_processors.len()).unwrap_or(u32::MAX);
    format!("{most} on {}, {} place{plural}", processors(count), places.len())
}

fn samples(experiment: &Experiment, runs: &[Run], rows: usize) -> Markup {
    let samples = &experiment.samples;
    let mut columns = vec![Column::left("trace"), Column::right("processor")];
    columns.extend(samples.names.iter().map(Column::right));
    columns.push(Column::right("time"));
    let mut table = Table::new(columns);
    for row in 0..samples.len().min(rows) {
        let trace = runs.get(samples.run[row] as usize).map_or(String::new(), |run| run.label.clone());
        let mut cells = vec![trace, samples.processor[row].to_string()];
        cells.extend(samples.columns.iter().map(|column| column[row].to_string()));
        cells.push(number::seconds(samples.time_s[row]));
        table.row(cells);
    }
    let mut markup = Markup::new();
    markup.table(table);
    if samples.len() > rows {
        markup.line(Style::Plain, format!("  … {} more", samples.len() - rows));
    }
    markup
}
