//! `pytest --benchmark-json`: benchmarks with parameters, and the times of their rounds in seconds or what was kept of them.

use call_trace::Unit;

use crate::benchmarks::{BenchmarkRun, Benchmarks, own_deviation};
use crate::json::Json;
use crate::measurements::RowSummary;
use crate::short_names::NameLengths;
use crate::{Error, FileFormat, Imported, PlaceInText, ReadOptions};

/// Whether an object holds results of pytest-benchmark.
pub(crate) fn is_pytest_benchmark(json: &Json) -> bool {
    let benchmarks = json.get("benchmarks").map_or(&[] as &[Json], Json::entries);
    benchmarks.first().is_some_and(|first| first.get("stats").is_some())
}

/// Reads results.
pub(crate) fn read(path_name: &str, json: &Json, options: &ReadOptions) -> Result<Imported, Error> {
    let mut benchmarks = Benchmarks::default();
    let time = benchmarks.metrics.metrics.number("time");
    benchmarks.metrics.has_unit(time, Unit::Seconds);
    for (benchmark, number) in json.get("benchmarks").map_or(&[] as &[Json], Json::entries).iter().zip(1..) {
        let place = PlaceInText::Entry(number);
        let fail = |key: &str, found: Option<&Json>| Error::Shape {
            at: format!("{place} of `benchmarks`, key `{key}`"),
            expected: "a number",
            found: found.map_or("nothing", Json::kind).to_owned(),
        };
        let name = benchmark.get("name").and_then(Json::word).unwrap_or_else(|| "benchmark".to_owned());
        let full_name = benchmark.get("fullname").and_then(Json::word).unwrap_or_else(|| name.clone());
        // The values of parameters stand in brackets, too; they tell what others than numbers and texts do not.
        let has_parameters = matches!(benchmark.get("params"), Some(Json::Object(parameters))
            if parameters.iter().all(|(_, value)| value.word().is_some()));
        let bracket = name.find('[').filter(|_| has_parameters).map_or("", |at| &name[at..]);
        let without = |name: &str| name.strip_suffix(bracket).unwrap_or(name).to_owned();
        let names = NameLengths::new([without(&name), without(&full_name)]);
        let run = BenchmarkRun::new(names, place).with_parameters(benchmark.get("params"))?;
        let stats = benchmark.get("stats").ok_or_else(|| fail("stats", None))?;
        if let Some(Json::List(data)) = stats.get("data") {
            let values =
                data.iter().map(|value| value.number().ok_or_else(|| fail("stats.data", Some(value))));
            benchmarks.push(&run, time, &values.collect::<Result<Vec<f64>, _>>()?)?;
            continue;
        }
        let number = |key: &str| {
            let found = stats.get(key);
            found.and_then(Json::number).ok_or_else(|| fail(&format!("stats.{key}"), found))
        };
        let count = number("rounds")?.max(1.0) as u64;
        let summary = RowSummary {
            count,
            mean: number("mean")?,
            standard_deviation: own_deviation(number("stddev").unwrap_or(0.0), count),
            least: number("min")?,
            most: number("max")?,
        };
        benchmarks.push_summary(&run, time, number("median")?, summary)?;
    }
    benchmarks.metrics.import(FileFormat::PytestBenchmark, path_name, options)
}
