//! Folders of Criterion: `target/criterion/GROUP/FUNCTION/VALUE/new` with what a benchmark is called in `benchmark.json`, and times of several
//! iterations together, in nanoseconds, in `sample.json`.

use std::collections::BTreeMap;

use call_trace::Unit;

use crate::benchmarks::{BenchmarkRun, Benchmarks};
use crate::json::Json;
use crate::short_names::NameLengths;
use crate::{Error, FileFormat, Imported, PlaceInText, ReadOptions};

const NAMES: &str = "/new/benchmark.json";
const TIMES: &str = "/new/sample.json";

/// Whether a file is one of those that are read.
pub(crate) fn is_result(path: &str) -> bool {
    path.ends_with(NAMES) || path.ends_with(TIMES)
}

/// Benchmarks by their folders.
#[derive(Default)]
pub(crate) struct CriterionFolder {
    of_folder: BTreeMap<String, [Option<Json>; 2]>,
}

impl CriterionFolder {
    pub(crate) fn push(&mut self, path: &str, bytes: &[u8]) -> Result<(), Error> {
        let (folder, place) = match path.strip_suffix(NAMES) {
            Some(folder) => (folder, 0),
            None => (path.strip_suffix(TIMES).unwrap_or(path), 1),
        };
        self.of_folder.entry(folder.to_owned()).or_default()[place] = Some(Json::read(bytes)?);
        Ok(())
    }

    pub(crate) fn import(self, path_name: &str, options: &ReadOptions) -> Result<Imported, Error> {
        let mut benchmarks = Benchmarks::default();
        let time = benchmarks.metrics.metrics.number("time");
        benchmarks.metrics.has_unit(time, Unit::Nanoseconds);
        // What was measured without being called anything, or called and not measured, is none.
        let both =
            self.of_folder.into_iter().filter_map(|(folder, [names, times])| Some((folder, names?, times?)));
        for ((folder, names, times), number) in both.zip(1..) {
            let word = |key: &str| names.get(key).and_then(Json::word);
            let joined = |sign: &str| {
                let parts = [word("group_id"), word("function_id")].into_iter().flatten();
                parts.collect::<Vec<_>>().join(sign)
            };
            let lengths = NameLengths::new([joined("_"), joined("/")]);
            let mut run = BenchmarkRun::new(lengths, PlaceInText::Entry(number));
            match word("value_str").map(|value| (value.parse::<f64>(), value)) {
                Some((Ok(number), _)) if number.is_finite() => run.numbers.push(("N".to_owned(), number)),
                Some((_, value)) => run.name.extend(&format!("_{value}")),
                // Without a value, what is worked through says the size.
                None => {
                    if let Some(Json::Object(entries)) = names.get("throughput") {
                        let sizes = entries
                            .iter()
                            .filter_map(|(unit, size)| Some((unit.to_lowercase(), size.number()?)));
                        run.numbers.extend(sizes);
                    }
                }
            }
            // Criterion 0.2 and before wrote the two lists without their keys.
            let list = |key: &str, position: usize| -> Option<Vec<f64>> {
                let list = match &times {
                    Json::List(lists) => lists.get(position)?,
                    times => times.get(key)?,
                };
                list.entries().iter().map(Json::number).collect()
            };
            let (iterations, sums) = (list("iters", 0), list("times", 1));
            let values: Option<Vec<f64>> = iterations
                .zip(sums)
                .filter(|(one, other)| one.len() == other.len())
                .map(|(iterations, sums)| {
                    sums.iter().zip(&iterations).map(|(sum, count)| sum / count).collect()
                });
            let values = values.ok_or_else(|| Error::Shape {
                at: format!("{folder}{TIMES}, keys `iters` and `times`"),
                expected: "two lists of equally many numbers",
                found: "others".to_owned(),
            })?;
            benchmarks.push(&run, time, &values)?;
        }
        if benchmarks.metrics.is_empty() {
            return Err(Error::NoResults { list: "times" });
        }
        benchmarks.metrics.import(FileFormat::Criterion, path_name, options)
    }
}
