//! JSON of Google Benchmark, a list of runs, whose names hold the arguments; its CSV, which is the same as a table.

use std::collections::{HashMap, HashSet};

use call_trace::{Header, Unit};

use crate::json::Json;
use crate::measurements::{ImportedRows, Units, check_padding};
use crate::response_name::metric_unit;
use crate::short_names::NameLengths;
use crate::{Error, FileFormat, Imported, LeftOutReason, Note, PlaceInText, ReadOptions, name};

/// Whether an object holds results of Google Benchmark.
pub(crate) fn is_google_benchmark(json: &Json) -> bool {
    matches!(json.get("benchmarks"), Some(Json::List(_)))
}

/// Reads results. Of each benchmark runs count; where there are only aggregates of it, medians or else means do.
pub(crate) fn read(path_name: &str, json: &Json, options: &ReadOptions) -> Result<Imported, Error> {
    let mut notes = Vec::new();
    let all: Vec<(u64, &Json)> =
        (1..).zip(json.get("benchmarks").map_or(&[] as &[Json], Json::entries)).collect();
    let (failed, all): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, run)| is_failed(run));
    let mut best_of: HashMap<String, ResultKind> = HashMap::new();
    for (_, run) in &all {
        if let Some(kind) = ResultKind::of(run) {
            let best = best_of.entry(benchmark_of(run)).or_insert(kind);
            *best = kind.min(*best);
        }
    }
    if best_of.is_empty() {
        return Err(Error::NoResults { list: "benchmarks" });
    }
    let (runs, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, run)| {
        ResultKind::of(run).is_some_and(|kind| best_of.get(&benchmark_of(run)) == Some(&kind))
    });
    let (runs, lacking): (Vec<_>, Vec<_>) = match options.response.as_deref().filter(|key| *key != REAL_TIME)
    {
        None => (runs, Vec::new()),
        Some(key) => runs.into_iter().partition(|(_, run)| run.get(key).is_some()),
    };
    if let Some(name) = options.response.as_ref().filter(|_| runs.is_empty()) {
        let columns = measures(lacking.iter().map(|(_, run)| *run));
        return Err(Error::UnknownColumn { name: name.clone(), columns });
    }
    let names = |runs: &mut dyn Iterator<Item = &(u64, &Json)>| -> Vec<String> {
        runs.filter_map(|(_, run)| run.get("name")?.word()).collect()
    };
    for (reason, names) in [
        (LeftOutReason::Failed, names(&mut failed.iter())),
        (LeftOutReason::Aggregate, names(&mut others.iter())),
        (LeftOutReason::Lacking, names(&mut lacking.iter())),
    ] {
        if !names.is_empty() {
            notes.push(Note::LeftOut { names, reason });
        }
    }
    let runs: Vec<Benchmark> = runs
        .into_iter()
        .map(|(number, run)| Benchmark::of(run, number, options))
        .collect::<Result<_, _>>()?;
    let column = options.response.clone().unwrap_or_else(|| REAL_TIME.to_owned());
    let unit = runs.first().map_or(Unit::Nanoseconds, |run| run.unit.clone());
    notes.push(Note::Response { column: column.clone(), unit, is_assumed: false });
    let measurements = table(&runs)?;
    let context =
        |key: &str| json.get("context").and_then(|its| its.get(key)).and_then(Json::word).unwrap_or_default();
    let executable = context("executable");
    let header = Header {
        program: name::of_file(if executable.is_empty() { path_name } else { &executable }),
        date: context("date"),
        host: context("host_name"),
        clock: column,
        cores: context("num_cpus").parse().ok(),
        ..Header::default()
    };
    measurements.import(FileFormat::GoogleBenchmark, header, options, notes)
}

/// What runs were measured by: times and the counters of the user.
fn measures<'a>(runs: impl Iterator<Item = &'a Json>) -> Vec<String> {
    const ABOUT: [&str; 8] = [
        "iterations",
        "repetitions",
        "repetition_index",
        "threads",
        "family_index",
        "per_family_instance_index",
        "complexity_n",
        "error_occurred",
    ];
    let mut found: Vec<String> = Vec::new();
    for run in runs {
        let Json::Object(entries) = run else { continue };
        for (key, value) in entries {
            // A name may be a number; it is none that was measured.
            let is_text = ["name", "run_name", "label", "error_message"].contains(&key.as_str());
            let is_measured = value.number().is_some() && !is_text && !ABOUT.contains(&key.as_str());
            if is_measured && !found.contains(key) {
                found.push(key.clone());
            }
        }
    }
    found
}

/// Whether a table has the columns of `--benchmark_format=csv`.
pub(crate) fn is_table(names: &[String]) -> bool {
    ["name", "iterations", REAL_TIME, "cpu_time", "time_unit"]
        .iter()
        .all(|wanted| names.iter().any(|name| name == wanted))
}

/// The results of such a table, as JSON has them. Fields that are empty are none.
pub(crate) fn of_rows(names: &[String], rows: Vec<Vec<String>>) -> Json {
    let value = |field: String| if field == "true" { Json::Bool(true) } else { Json::Text(field) };
    let run = |row: Vec<String>| {
        let entries = names.iter().cloned().zip(row).filter(|(_, field)| !field.is_empty());
        Json::Object(entries.map(|(name, field)| (name, value(field))).collect())
    };
    Json::Object(vec![("benchmarks".to_owned(), Json::List(rows.into_iter().map(run).collect()))])
}

fn is_failed(run: &Json) -> bool {
    ["error_occurred", "skipped"].iter().any(|key| run.get(key) == Some(&Json::Bool(true)))
}

/// What an entry tells of its benchmark, what says most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ResultKind {
    Run,
    Median,
    Mean,
}

impl ResultKind {
    /// `None` of aggregates that are no time of it.
    fn of(run: &Json) -> Option<ResultKind> {
        match aggregate_of(run).as_deref() {
            None => Some(ResultKind::Run),
            Some("median") => Some(ResultKind::Median),
            Some("mean") => Some(ResultKind::Mean),
            Some(_) => None,
        }
    }
}

/// The benchmark that an entry is a run or an aggregate of.
fn benchmark_of(run: &Json) -> String {
    let name = ["run_name", "name"].iter().find_map(|key| run.get(key)?.word()).unwrap_or_default();
    match aggregate_of(run) {
        // Old releases, and CSV, have no `run_name`.
        Some(aggregate) => match name.strip_suffix(&format!("_{aggregate}")) {
            Some(benchmark) => benchmark.to_owned(),
            None => name,
        },
        None => name,
    }
}

/// The name of the aggregate that an entry is; the fit of a complexity is one, too.
fn aggregate_of(run: &Json) -> Option<String> {
    if run.get("run_type").and_then(Json::text) == Some("aggregate") {
        return Some(run.get("aggregate_name").and_then(Json::word).unwrap_or_default());
    }
    // Old releases tell by the name only.
    let name = run.get("name").and_then(Json::text).unwrap_or_default();
    let ending = ["mean", "median", "stddev", "cv", "BigO", "RMS"]
        .into_iter()
        .find(|ending| name.strip_suffix(ending).is_some_and(|rest| rest.ends_with('_')));
    ending.filter(|_| run.get("run_type").is_none()).map(str::to_owned)
}

struct Benchmark {
    place: PlaceInText,
    family: String,
    /// Which clocks it was measured by, if its name says so.
    clocks: Vec<String>,
    /// Names, if they have any, and values.
    arguments: Vec<(Option<String>, f64)>,
    complexity_n: Option<f64>,
    threads: f64,
    /// Of the response.
    unit: Unit,
    response: f64,
}

impl Benchmark {
    /// One without a name is `N`, several are `N0`, `N1`, …
    fn argument_names(&self) -> Vec<String> {
        let is_single = self.arguments.len() == 1;
        let name = |(index, (name, _)): (usize, &(Option<String>, f64))| match name {
            Some(name) => name.clone(),
            None if is_single => "N".to_owned(),
            None => format!("N{index}"),
        };
        self.arguments.iter().enumerate().map(name).collect()
    }

    fn of(run: &Json, number: u64, options: &ReadOptions) -> Result<Benchmark, Error> {
        let place = PlaceInText::Entry(number);
        let fail = |key: &str, expected: &'static str| Error::Shape {
            at: format!("{place} of `benchmarks`, key `{key}`"),
            expected,
            found: run.get(key).map_or("nothing", Json::kind).to_owned(),
        };
        let full_name = ["run_name", "name"].iter().find_map(|key| run.get(key)?.word());
        let full_name = full_name.ok_or_else(|| fail("name", "a text"))?;
        let NameParts { family, clocks, arguments, threads: named_threads } = parts(&full_name);
        let key = options.response.as_deref().unwrap_or(REAL_TIME);
        let response = run.get(key).and_then(Json::number).ok_or_else(|| fail(key, "a number"))?;
        let unit = options.unit.clone().map_or_else(|| unit_of(key, run), Some);
        let unit = unit.ok_or_else(|| fail("time_unit", "a unit of time"))?;
        let threads = run.get("threads").and_then(Json::number).or(named_threads).unwrap_or(1.0);
        let complexity_n = run.get("complexity_n").and_then(Json::number);
        let response = unit.to_base(response);
        Ok(Benchmark { place, family, clocks, arguments, complexity_n, threads, unit, response })
    }
}

const REAL_TIME: &str = "real_time";

/// The unit of what stands under a key: times are in that of the run, and other keys are counters of the user, which are in none
/// but that of their name. `None` if the unit of the run is none of time.
fn unit_of(key: &str, run: &Json) -> Option<Unit> {
    if [REAL_TIME, "cpu_time"].contains(&key) {
        return match run.get("time_unit").and_then(Json::text) {
            Some(word) => Unit::of_time(word),
            None => Some(Unit::Nanoseconds),
        };
    }
    metric_unit(key).or_else(|| Unit::named(key))
}

/// Settings that stand behind the arguments in a name.
const SETTINGS: &[&str] = &["iterations", "repeats", "min_time", "min_warmup_time"];
const CLOCKS: &[&str] = &["real_time", "process_time", "manual_time"];

/// What a name such as `BM_copy<int>/n:1024/8/threads:2` says.
#[derive(Debug, PartialEq, Default)]
struct NameParts {
    family: String,
    clocks: Vec<String>,
    /// Names, if they have any, and values.
    arguments: Vec<(Option<String>, f64)>,
    threads: Option<f64>,
}

fn parts(full_name: &str) -> NameParts {
    let mut found = NameParts::default();
    let NameParts { family, clocks, arguments, threads } = &mut found;
    for (position, part) in full_name.split('/').enumerate() {
        let named = part.rsplit_once(':').and_then(|(name, value)| Some((name, value.parse::<f64>().ok()?)));
        match (named, part.parse::<f64>()) {
            _ if position == 0 => family.push_str(part),
            (Some(("threads", value)), _) => *threads = Some(value),
            (Some((name, _)), _) if SETTINGS.contains(&name) => {}
            (Some((name, value)), _) => arguments.push((Some(name.to_owned()), value)),
            (None, Ok(value)) => arguments.push((None, value)),
            _ if CLOCKS.contains(&part) => clocks.push(part.to_owned()),
            _ => {
                family.push('_');
                family.push_str(part);
            }
        }
    }
    found
}

/// The experiment of each run: its family; where runs of one have other arguments, those are named behind it, as in `BM_x_N0_N1`. Times of
/// another clock are others.
fn experiment_names(runs: &[Benchmark]) -> Vec<NameLengths> {
    let mut arguments_of: HashMap<&str, Vec<String>> = HashMap::new();
    let mut divided: HashSet<&str> = HashSet::new();
    for run in runs {
        let names = run.argument_names();
        if arguments_of.entry(&run.family).or_insert_with(|| names.clone()) != &names {
            divided.insert(&run.family);
        }
    }
    let name = |run: &Benchmark| {
        let arguments = if divided.contains(&*run.family) { run.argument_names() } else { Vec::new() };
        let with = |behind: &[String]| {
            let parts = std::iter::once(&run.family).chain(&arguments).chain(behind);
            parts.map(String::as_str).collect::<Vec<_>>().join("_")
        };
        let clocks: Vec<String> = run.clocks.iter().map(|clock| format!("/{clock}")).collect();
        NameLengths::new([with(&[]), with(&run.clocks), format!("{}{}", with(&[]), clocks.concat())])
    };
    runs.iter().map(name).collect()
}

/// Rows with the arguments under their names.
fn table(runs: &[Benchmark]) -> Result<ImportedRows, Error> {
    let units = Units::all(runs.first().map(|run| run.unit.clone()).unwrap_or_default());
    let mut measurements = ImportedRows { units, ..ImportedRows::default() };
    let names = experiment_names(runs);
    let mut position_of_name: HashMap<&NameLengths, u32> = HashMap::new();
    let mut columns: Vec<(String, Vec<f64>)> = vec![("P".to_owned(), Vec::new())];
    let mut position_of: HashMap<String, usize> = HashMap::from([("P".to_owned(), 0)]);
    for (row, (run, name)) in runs.iter().zip(&names).enumerate() {
        let experiment = *position_of_name.entry(name).or_insert_with(|| {
            measurements.experiments.push(name.whole().to_owned());
            measurements.lengths.push(name.clone());
            measurements.experiments.len() as u32 - 1
        });
        measurements.experiment_of.push(experiment);
        let arguments = run.argument_names().into_iter().zip(run.arguments.iter().map(|(_, value)| *value));
        // An `N` of its own stands for the argument that it was made of.
        let is_new = |n: &f64| run.arguments.iter().all(|(_, value)| value != n);
        let complexity = run.complexity_n.filter(is_new).map(|n| ("complexity_n".to_owned(), n));
        for (name, value) in std::iter::once(("P".to_owned(), run.threads)).chain(arguments).chain(complexity)
        {
            let position = *position_of.entry(name).or_insert_with_key(|name| {
                columns.push((name.clone(), Vec::new()));
                columns.len() - 1
            });
            let column = &mut columns[position].1;
            if column.len() <= row {
                column.resize(row, f64::NAN);
                column.push(value);
            }
        }
        // Each run has at least its threads.
        check_padding(columns.len(), row + 1, row + 1, run.place)?;
        measurements.response.push(run.response);
        measurements.places.push(run.place);
    }
    for (_, column) in &mut columns {
        column.resize(runs.len(), f64::NAN);
    }
    measurements.variables = columns;
    Ok(measurements)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_hold_arguments_and_settings() {
        let check =
            |full_name: &str, family: &str, arguments: &[(Option<&str>, f64)], threads: Option<f64>| {
                let clocks = full_name.contains("real_time").then(|| "real_time".to_owned());
                let named = |(name, value): &(Option<&str>, f64)| (name.map(str::to_owned), *value);
                let arguments = arguments.iter().map(named).collect();
                assert_eq!(
                    parts(full_name),
                    NameParts {
                        family: family.to_owned(),
                        clocks: clocks.into_iter().collect(),
                        arguments,
                        threads
                    },
                    "{full_name}"
                );
            };
        check("BM_x/1024/8", "BM_x", &[(None, 1024.0), (None, 8.0)], None);
        let full_name = "Fixture/Method/n:64/iterations:1/real_time/threads:4";
        check(full_name, "Fixture_Method", &[(Some("n"), 64.0)], Some(4.0));
        check("BM_copy<std::string>", "BM_copy<std::string>", &[], None);
        check("BM_x/-3/min_time:0.500", "BM_x", &[(None, -3.0)], None);
    }
}
