//! `likwid-perfctr -O`, or `-o FILE.csv`: tables of events and metrics for each hardware thread, of the program or of its marked regions.

use crate::benchmarks::{BenchmarkRun, Benchmarks};
use crate::metrics::NO_REGION;
use crate::{Error, FileFormat, Imported, PlaceInText, ReadOptions, cube};

/// Whether a text has such tables.
pub(crate) fn is_likwid(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("TABLE,Group ") || line.starts_with("TABLE,Region "))
}

/// Reads the tables but for statistics of them. Values of parameters stand in the name of the folder, if they do.
pub(crate) fn read(path_name: &str, text: &str, options: &ReadOptions) -> Result<Imported, Error> {
    let mut benchmarks = Benchmarks::default();
    let parameters = cube::parameters_of(path_name);
    let mut region = NO_REGION.to_owned();
    let mut threads: Option<(usize, usize)> = None;
    for (line, number) in text.lines().zip(1..) {
        let place = PlaceInText::Line(number);
        let line = line.trim_end().trim_end_matches(',');
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        match fields[0] {
            "TABLE" => {
                let named = fields.iter().find_map(|field| field.strip_prefix("Region "));
                region = named.unwrap_or(NO_REGION).to_owned();
                // What is made of other results has no line that names threads.
                threads = None;
            }
            "STRUCT" => threads = None,
            "Region Info" | "Metric" | "Event" => {
                let first = if fields[0] == "Event" { 2 } else { 1 };
                let is_thread = |field: &&str| field.starts_with("HWThread ") || field.starts_with("Core ");
                let count = fields.iter().skip(first).take_while(|field| is_thread(field)).count();
                threads = (count > 0 && first + count == fields.len()).then_some((first, count));
            }
            name => {
                let Some((first, count)) = threads else { continue };
                let mut run = BenchmarkRun::new(region.clone(), place);
                run.numbers = parameters.clone();
                run.numbers.insert(0, ("P".to_owned(), count as f64));
                let metric = benchmarks.metrics.metrics.number(name);
                for (field, processor) in fields.iter().skip(first).take(count).zip(0..) {
                    // What cannot be counted is none.
                    if matches!(*field, "-" | "nan" | "nil") {
                        continue;
                    }
                    let value = field.parse().map_err(|_| Error::Number {
                        place,
                        column: call_grammar::excerpt(name),
                        text: call_grammar::excerpt(field),
                    })?;
                    benchmarks.push_of(processor, &run, metric, value)?;
                }
            }
        }
    }
    if benchmarks.metrics.is_empty() {
        return Err(Error::NoResults { list: "TABLE" });
    }
    benchmarks.metrics.import(FileFormat::Likwid, path_name, options)
}
