//! `hyperfine --export-json`: a list of commands with their times in seconds.

use std::collections::{BTreeMap, HashMap};

use call_trace::{Header, Trace};

use crate::json::Json;
use crate::measured::{MOST_PARAMETERS, Measured, check_padding};
use crate::{Error, Format, Imported, Note, Options, Place, TimeUnit, name};

/// Whether an object holds results of hyperfine.
pub(crate) fn is_hyperfine(json: &Json) -> bool {
    let Some(Json::List(results)) = json.get("results") else { return false };
    results.iter().all(|result| result.get("command").is_some() || result.get("times").is_some())
}

/// Reads results.
pub(crate) fn read(path_name: &str, json: &Json, options: &Options) -> Result<Imported, Error> {
    let results = json.get("results").map_or(&[] as &[Json], Json::entries);
    if results.is_empty() {
        return Err(Error::NoResults { list: "results" });
    }
    let runs: Vec<Run> = results
        .iter()
        .zip(1..)
        .map(|(result, number)| Run::of(result, number, options))
        .collect::<Result<_, _>>()?;
    let names = experiment_names(&runs, options);
    let mut measured = Measured::default();
    let mut variables: HashMap<&str, usize> = HashMap::new();
    let mut experiment_of: HashMap<String, usize> = HashMap::new();
    for (run, name) in runs.iter().zip(names) {
        let experiment = *experiment_of.entry(name).or_insert_with_key(|name| {
            measured.experiments.push(name.clone());
            measured.experiments.len() - 1
        });
        let row = measured.time_s.len();
        for (parameter, value) in &run.numbers {
            let position = *variables.entry(parameter).or_insert_with(|| {
                measured.variables.push((parameter.clone(), Vec::new()));
                measured.variables.len() - 1
            });
            let column = &mut measured.variables[position].1;
            column.resize(row, f64::NAN);
            column.resize(row + run.times_s.len(), *value);
        }
        measured.experiment_of.resize(row + run.times_s.len(), experiment as u32);
        measured.places.resize(row + run.times_s.len(), run.place);
        measured.time_s.extend(&run.times_s);
        check_padding(measured.variables.len(), measured.time_s.len(), measured.time_s.len(), run.place)?;
    }
    let rows = measured.time_s.len();
    for (_, column) in &mut measured.variables {
        column.resize(rows, f64::NAN);
    }
    let column = options.time_column.clone().unwrap_or_else(|| "times".to_owned());
    let unit = options.time_unit.unwrap_or(TimeUnit::Seconds);
    let mut notes = vec![Note::Time { column: column.clone(), unit, is_assumed: false }];
    measured.apply(options, &mut notes)?;
    let experiments = measured.into_experiments(&mut notes)?;
    let header =
        Header { program: name::of_file(path_name), clock: column, processors: 1, ..Header::default() };
    Ok(Imported {
        format: Format::Hyperfine,
        trace: Trace { header, experiments, ..Trace::default() },
        notes,
    })
}

/// The runs of a command with one set of parameters.
struct Run {
    place: Place,
    words: Vec<String>,
    numbers: Vec<(String, f64)>,
    /// Values of parameters that are no numbers.
    texts: Vec<String>,
    times_s: Vec<f64>,
}

impl Run {
    fn of(result: &Json, number: u64, options: &Options) -> Result<Run, Error> {
        let place = Place::Entry(number);
        let fail = |key: &str, expected: &'static str, found: Option<&Json>| Error::Shape {
            at: format!("{place} of `results`, key `{key}`"),
            expected,
            found: found.map_or("nothing", Json::kind).to_owned(),
        };
        let key = options.time_column.as_deref().unwrap_or("times");
        let found = match result.get(key) {
            None if options.time_column.is_none() => result.get("mean"),
            found => found,
        };
        let values = found.map_or(&[] as &[Json], Json::entries);
        let time_s =
            |value: &Json| value.number().map(|time| options.time_unit.unwrap_or_default().seconds(time));
        let times_s: Option<Vec<f64>> = values.iter().map(time_s).collect();
        let times_s =
            times_s.filter(|_| found.is_some()).ok_or_else(|| fail(key, "a list of numbers", found))?;
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
        Ok(Run { place, words, numbers, texts, times_s })
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

/// The name of the experiment of each run: the program, and the words of its command that tell runs apart and are no
/// parameters.
fn experiment_names(runs: &[Run], options: &Options) -> Vec<String> {
    let shape = |run: &Run| (run.words.first().cloned(), run.words.len());
    let mut groups: BTreeMap<(Option<String>, usize), Vec<&Run>> = BTreeMap::new();
    for run in runs {
        groups.entry(shape(run)).or_default().push(run);
    }
    let mut kept: BTreeMap<(Option<String>, usize), Vec<usize>> = BTreeMap::new();
    for (shape, members) in &groups {
        let tells_apart = |position: &usize| {
            let word = |run: &&Run| run.words[*position].clone();
            let is_constant = members.iter().all(|run| word(run) == word(&members[0]));
            let is_parameter = members.iter().all(|run| run.is_parameter(&run.words[*position]));
            !is_constant && !is_parameter
        };
        kept.insert(shape.clone(), (1..shape.1).filter(tells_apart).collect());
    }
    let mut runs_with: HashMap<&str, usize> = HashMap::new();
    for text in runs.iter().flat_map(|run| &run.texts) {
        *runs_with.entry(text).or_default() += 1;
    }
    let name = |run: &Run| {
        let mut parts = vec![options.experiment_name.clone().unwrap_or_else(|| run.program())];
        let words: Vec<String> =
            kept[&shape(run)].iter().map(|position| run.words[*position].clone()).collect();
        // Values that are texts and stand in no word of their own tell apart, too.
        let hidden = run.texts.iter().filter(|text| !words.iter().any(|word| word.contains(*text)));
        parts.extend(hidden.filter(|text| runs_with[text.as_str()] < runs.len()).cloned());
        parts.extend(words);
        let mut name = String::new();
        for part in parts {
            if !name.is_empty() {
                name.push('_');
            }
            name.push_str(part.trim_matches(|c: char| !c.is_alphanumeric()));
        }
        name::identifier(&name)
    };
    runs.iter().map(name).collect()
}
