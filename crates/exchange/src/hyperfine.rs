//! `hyperfine --export-json`: a list of commands with their times in seconds, and other measures of them.

use std::collections::{BTreeMap, HashMap};

use call_trace::{Header, Unit};

use crate::json::Json;
use crate::measurements::{ImportedRows, MOST_PARAMETERS, Units, check_padding};
use crate::response_name::metric_unit;
use crate::short_names::NameLengths;
use crate::{Error, FileFormat, Imported, Note, PlaceInText, ReadOptions, name};

/// Whether an object holds results of hyperfine.
pub(crate) fn is_hyperfine(json: &Json) -> bool {
    let Some(Json::List(results)) = json.get("results") else { return false };
    results.iter().all(|result| result.get("command").is_some() || result.get("times").is_some())
}

/// Reads results.
pub(crate) fn read(path_name: &str, json: &Json, options: &ReadOptions) -> Result<Imported, Error> {
    let results = json.get("results").map_or(&[] as &[Json], Json::entries);
    if results.is_empty() {
        return Err(Error::NoResults { list: "results" });
    }
    let key = options.response.as_deref();
    if let Some(name) = key.filter(|key| results.iter().all(|its| its.get(key).is_none())) {
        return Err(Error::UnknownColumn { name: name.to_owned(), columns: measures(results) });
    }
    let unit = options.unit.clone().unwrap_or_else(|| unit_of(key.unwrap_or(TIMES)));
    let mut runs: Vec<TimedCommand> = results
        .iter()
        .zip(1..)
        .map(|(result, number)| TimedCommand::of(result, number, key, &unit))
        .collect::<Result<_, _>>()?;
    take_environment(&mut runs);
    let names = experiment_names(&runs, options.experiment_name.as_deref());
    let mut measurements = ImportedRows { units: Units::all(unit.clone()), ..ImportedRows::default() };
    let mut variables: HashMap<&str, usize> = HashMap::new();
    let mut experiment_of: HashMap<NameLengths, usize> = HashMap::new();
    for (run, name) in runs.iter().zip(names) {
        let experiment = *experiment_of.entry(name).or_insert_with_key(|name| {
            measurements.experiments.push(name.whole().to_owned());
            measurements.lengths.push(name.clone());
            measurements.experiments.len() - 1
        });
        let row = measurements.response.len();
        for (parameter, value) in &run.numbers {
            let position = *variables.entry(parameter).or_insert_with(|| {
                measurements.variables.push((parameter.clone(), Vec::new()));
                measurements.variables.len() - 1
            });
            let column = &mut measurements.variables[position].1;
            column.resize(row, f64::NAN);
            column.resize(row + run.response.len(), *value);
        }
        measurements.experiment_of.resize(row + run.response.len(), experiment as u32);
        measurements.places.resize(row + run.response.len(), run.place);
        measurements.failed.extend(&run.failed);
        measurements.response.extend(&run.response);
        check_padding(
            measurements.variables.len(),
            measurements.response.len(),
            measurements.response.len(),
            run.place,
        )?;
    }
    let rows = measurements.response.len();
    for (_, column) in &mut measurements.variables {
        column.resize(rows, f64::NAN);
    }
    let column = key.unwrap_or(TIMES).to_owned();
    let notes = vec![Note::Response { column: column.clone(), unit, is_assumed: false }];
    let header = Header { program: name::of_file(path_name), clock: column, ..Header::default() };
    measurements.import(FileFormat::Hyperfine, header, options, notes)
}

/// What all commands were measured by, but statistics of their times.
fn measures(results: &[Json]) -> Vec<String> {
    let others = [TIMES, "user", "system", "memory_usage_byte"];
    let is_measured = |key: &&str| {
        let values =
            |its: &Json| its.get(key).map(|its| its.entries().iter().all(|it| it.number().is_some()));
        results.iter().all(|its| values(its) == Some(true))
    };
    others.into_iter().filter(is_measured).map(str::to_owned).collect()
}

/// The key with the times of all runs of a command.
const TIMES: &str = "times";

/// The unit of what stands under a key. All times are in seconds.
fn unit_of(key: &str) -> Unit {
    let is_time = [TIMES, "mean", "median", "min", "max", "stddev", "user", "system"].contains(&key);
    let other = || metric_unit(key).or_else(|| Unit::named(key));
    if is_time { Unit::Seconds } else { other().unwrap_or_default() }
}

/// The runs of a command with one set of parameters.
struct TimedCommand {
    place: PlaceInText,
    words: Vec<String>,
    numbers: Vec<(String, f64)>,
    /// Values of parameters that are no numbers.
    texts: Vec<String>,
    response: Vec<f64>,
    /// Variables of the environment, as far as they are numbers.
    environment: Vec<(String, f64)>,
    /// For each of them whether the program failed.
    failed: Vec<bool>,
}

impl TimedCommand {
    fn of(result: &Json, number: u64, key: Option<&str>, unit: &Unit) -> Result<TimedCommand, Error> {
        let place = PlaceInText::Entry(number);
        let found = match (key, result.get(key.unwrap_or(TIMES))) {
            (None, None) => result.get("mean"),
            (_, found) => found,
        };
        let values = found.map_or(&[] as &[Json], Json::entries);
        let value = |value: &Json| value.number().map(|value| unit.to_base(value));
        let response: Option<Vec<f64>> = values.iter().map(value).collect();
        let response = response.filter(|_| found.is_some()).ok_or_else(|| Error::Shape {
            at: format!("{place} of `results`, key `{}`", key.unwrap_or(TIMES)),
            expected: "a list of numbers",
            found: found.map_or("nothing", Json::kind).to_owned(),
        })?;
        let (mut numbers, mut texts) = (Vec::new(), Vec::new());
        if let Some(Json::Object(parameters)) = result.get("parameters") {
            if parameters.len() > MOST_PARAMETERS {
                return Err(Error::Parameters { place, most: MOST_PARAMETERS });
            }
            for (name, value) in parameters {
                match value.number() {
                    Some(number) if number.is_finite() => numbers.push((name.clone(), number)),
                    _ => texts.extend(value.word()),
                }
            }
        }
        let command = result.get("command").and_then(Json::word).unwrap_or_default();
        let words = command.split_whitespace().map(str::to_owned).collect();
        let codes = result.get("exit_codes").map_or(&[] as &[Json], Json::entries);
        let is_of_each = codes.len() == response.len();
        let has_failed = |at: usize| is_of_each && codes[at].number() != Some(0.0);
        let failed = (0..response.len()).map(has_failed).collect();
        let mut run =
            TimedCommand { place, words, numbers, texts, response, failed, environment: Vec::new() };
        run.take_environment();
        Ok(run)
    }

    /// Takes what is set of the environment before the program: `OMP_NUM_THREADS=4 ./a.out`.
    fn take_environment(&mut self) {
        let words = std::mem::take(&mut self.words);
        let mut words = words.into_iter().peekable();
        words.next_if(|word| word == "env");
        while let Some(word) = words.next_if(|word| environment(word).is_some()) {
            let Some((name, value)) = environment(&word) else { continue };
            match value.parse::<f64>() {
                Ok(number) if number.is_finite() => self.environment.push((name.to_owned(), number)),
                _ => self.texts.push(value.to_owned()),
            }
        }
        self.words = words.collect();
    }

    /// Whether a word of the command holds the value of a parameter, as `1024`, `--size=1024` and `n1024`.
    fn is_parameter(&self, word: &str) -> bool {
        let value = word.trim_start_matches(|c: char| !c.is_ascii_digit() && !matches!(c, '-' | '.'));
        let behind_sign = value.trim_start_matches('-');
        [value, behind_sign].iter().any(|text| {
            text.parse::<f64>().is_ok_and(|found| self.numbers.iter().any(|(_, value)| *value == found))
        })
    }

    /// The command without what comes before and behind it in the name of a program's file.
    fn program(&self) -> String {
        self.words.first().map_or_else(|| "command".to_owned(), |word| name::of_file(word))
    }
}

/// Makes variables of those of the environment, unless they are parameters: in all runs the same.
fn take_environment(runs: &mut [TimedCommand]) {
    let is_parameter = |name: &str, runs: &[TimedCommand]| {
        let with: Vec<(f64, &TimedCommand)> = runs
            .iter()
            .filter_map(|run| Some((run.environment.iter().find(|(its, _)| its == name)?.1, run)))
            .collect();
        with.first().is_some_and(|(_, first)| {
            first.numbers.iter().any(|(parameter, _)| {
                let is_same = |(value, run): &(f64, &TimedCommand)| {
                    run.numbers.iter().any(|(its, number)| its == parameter && number == value)
                };
                with.iter().all(is_same)
            })
        })
    };
    let mut names: Vec<String> =
        runs.iter().flat_map(|run| &run.environment).map(|(name, _)| name.clone()).collect();
    names.sort();
    names.dedup();
    names.retain(|name| !is_parameter(name, runs));
    for run in runs {
        let environment = std::mem::take(&mut run.environment);
        let is_free = |name: &String, run: &TimedCommand| run.numbers.iter().all(|(its, _)| its != name);
        for (name, value) in environment {
            if names.contains(&name) && is_free(&name, run) {
                run.numbers.push((name, value));
            }
        }
    }
}

/// `NAME=VALUE` as the shell takes it.
fn environment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then_some((name, value))
}

/// The names of the experiment of each run: the program, and the words of its command that tell runs of this file apart and are no
/// parameters; the longer one has all words, as those of another file may be others.
fn experiment_names(runs: &[TimedCommand], given: Option<&str>) -> Vec<NameLengths> {
    let shape = |run: &TimedCommand| (run.words.first().cloned(), run.words.len());
    let mut groups: BTreeMap<(Option<String>, usize), Vec<&TimedCommand>> = BTreeMap::new();
    for run in runs {
        groups.entry(shape(run)).or_default().push(run);
    }
    let mut kept: BTreeMap<(Option<String>, usize), Vec<usize>> = BTreeMap::new();
    let mut parameters: BTreeMap<(Option<String>, usize), Vec<usize>> = BTreeMap::new();
    for (shape, members) in &groups {
        let is_parameter =
            |position: &usize| members.iter().all(|run| run.is_parameter(&run.words[*position]));
        let tells_apart = |position: &usize| {
            let word = |run: &&TimedCommand| run.words[*position].clone();
            let is_constant = members.iter().all(|run| word(run) == word(&members[0]));
            !is_constant && !is_parameter(position)
        };
        kept.insert(shape.clone(), (1..shape.1).filter(tells_apart).collect());
        parameters.insert(shape.clone(), (1..shape.1).filter(is_parameter).collect());
    }
    let mut runs_with: HashMap<&str, usize> = HashMap::new();
    for text in runs.iter().flat_map(|run| &run.texts) {
        *runs_with.entry(text).or_default() += 1;
    }
    let name = |run: &TimedCommand| {
        let words = |is_kept: &dyn Fn(&usize) -> bool| -> Vec<String> {
            (1..run.words.len()).filter(is_kept).map(|position| run.words[position].clone()).collect()
        };
        // Values that are texts and stand in no word of their own tell apart, too.
        let joined = |program: String, words: Vec<String>, is_of_all: bool| {
            let hidden = run.texts.iter().filter(|text| !words.iter().any(|word| word.contains(*text)));
            let hidden = hidden.filter(|text| is_of_all || runs_with[text.as_str()] < runs.len());
            let hidden: Vec<String> = hidden.cloned().collect();
            std::iter::once(program).chain(hidden).chain(words).collect::<Vec<_>>().join(" ")
        };
        let short = words(&|position| kept[&shape(run)].contains(position));
        let whole = words(&|position| !parameters[&shape(run)].contains(position));
        // What the user calls so is so in all files.
        let (program, file) = match given {
            Some(name) => (name.to_owned(), name.to_owned()),
            None => (run.program(), run.words.first().cloned().unwrap_or_default()),
        };
        let short = joined(program, short, false);
        if given.is_some() {
            return short.into();
        }
        NameLengths::new([short, joined(file, whole, true)])
    };
    runs.iter().map(name).collect()
}
