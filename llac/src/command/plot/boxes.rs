use std::collections::BTreeMap;

use call_model::question::ValueRange;
use call_report::{Axis, BoxPlot, CategoryChart, Figure, Series, number};
use call_trace::{Folding, Samples};

use crate::command::known_names::unknown;
use crate::command::points::GivenValues;
use crate::command::question::Question;
use crate::command::subject::Subject;
use crate::command::units;
use crate::error::code;
use crate::found::SessionExperiment;
use crate::{Error, Picture, Session};

/// How measured times are distributed: of one experiment over a variable, of several beside each other.
pub fn picture(session: &mut Session, question: &Question) -> Result<Picture, Error> {
    let joining = session.settings().joining;
    let joined = |found: &SessionExperiment| {
        chosen(found.experiment().gather(joining, Folding::Each).samples, question)
    };
    check_given(question)?;
    if let ([subject], Some(word)) = (&question.subjects[..], question.words.first()) {
        let found = subject.found.as_ref().ok_or_else(|| nothing(question))?;
        let samples = joined(found);
        let axis = samples.names.iter().position(|name| *name == word.text);
        let axis = axis.ok_or_else(|| unknown(&[subject], &word.text, word.span.clone()))?;
        if samples.is_empty() {
            return Err(no_such_point(found, question));
        }
        let others = others(&samples, axis, found);
        let series = series(&samples, axis, &others);
        if series.len() > MOST_SERIES {
            let message = format!("these are {} boxes at each {}", series.len(), word.text);
            let such = others.first().map_or(String::new(), |other| {
                let value = number::short(samples.columns[*other][0]);
                format!(": `{}={value}`", samples.names[*other])
            });
            let help = format!("choose at most {MOST_SERIES} by values of the other variables{such}");
            return Err(word.error(code::TOO_LARGE, message).help(help));
        }
        return Ok(Picture::Figure(Figure {
            title: format!("{}: measured {}s", found.name, units::noun(&found.experiment().unit)),
            x: Axis::new(word.text.as_str()),
            y: units::axis(&question.unit()),
            series,
            ..Figure::default()
        }));
    }
    let found: Vec<&SessionExperiment> =
        question.subjects.iter().filter_map(|subject| subject.found.as_ref()).collect();
    let samples: Vec<Samples> = found.iter().map(|found| joined(found)).collect();
    let named = found.iter().zip(&samples);
    let times: Vec<(&str, &[f64])> =
        named.map(|(found, samples)| (found.name.as_str(), samples.time_s.as_slice())).collect();
    if times.is_empty() {
        return Err(nothing(question));
    }
    if let Some((found, _)) = found.iter().zip(&times).find(|(_, (_, times_s))| times_s.is_empty()) {
        return Err(no_such_point(found, question));
    }
    let axis = units::axis(&question.unit());
    let mut chart = CategoryChart::box_plots("measured", axis, &times);
    chart.notes.push("at all points together; a condition behind `where` chooses".to_owned());
    Ok(Picture::Categories(chart))
}

/// More boxes at one place cannot be told apart.
const MOST_SERIES: usize = 8;

/// Boxes over a variable, for each combination of the others that vary.
fn series(samples: &Samples, axis: usize, others: &[usize]) -> Vec<Series> {
    let mut groups: BTreeMap<Vec<u64>, BTreeMap<u64, Vec<f64>>> = BTreeMap::new();
    // The bits of numbers that are not negative ascend as they do.
    for row in 0..samples.len() {
        let key = others.iter().map(|index| samples.columns[*index][row].to_bits()).collect();
        let places = groups.entry(key).or_default();
        places.entry(samples.columns[axis][row].to_bits()).or_default().push(samples.time_s[row]);
    }
    let label = |key: &[u64]| {
        let named = others.iter().zip(key);
        let parts: Vec<String> = named
            .map(|(index, bits)| {
                format!("{} = {}", samples.names[*index], number::short(f64::from_bits(*bits)))
            })
            .collect();
        parts.join(", ")
    };
    let of_group = |(key, places): (&Vec<u64>, &BTreeMap<u64, Vec<f64>>)| Series {
        label: label(key),
        boxes: places
            .iter()
            .filter_map(|(place, times_s)| Some((f64::from_bits(*place), BoxPlot::of(times_s)?)))
            .collect(),
        ..Series::default()
    };
    groups.iter().map(of_group).collect()
}

/// The other variables that vary, but those that are computed from variables.
fn others(samples: &Samples, axis: usize, found: &SessionExperiment) -> Vec<usize> {
    let varies = |column: &[f64]| column.windows(2).any(|pair| pair[0] != pair[1]);
    let definitions = found.definitions();
    let is_column = |name: &str| samples.column(name).is_some();
    let is_free = |index: &usize| !definitions.is_computed(&samples.names[*index], &is_column);
    let all = (0..samples.names.len()).filter(|index| *index != axis && varies(&samples.columns[*index]));
    all.filter(is_free).collect()
}

/// The samples with the values, or in the ranges, that the question names.
fn chosen(samples: Samples, question: &Question) -> Samples {
    let column = |given: &GivenValues| samples.column(&given.name).map(<[f64]>::to_vec);
    let values = question.given.iter().map(|given| (column(given), &given.values)).collect::<Vec<_>>();
    let ranges = question.ranges.iter().map(|(given, range)| (column(given), range)).collect::<Vec<_>>();
    if values.is_empty() && ranges.is_empty() {
        return samples;
    }
    samples.select(|row| {
        let is_value = |(column, values): &(Option<Vec<f64>>, &Vec<f64>)| {
            column.as_ref().is_some_and(|column| values.contains(&column[row]))
        };
        let is_within = |(column, range): &(Option<Vec<f64>>, &ValueRange)| {
            column.as_ref().is_some_and(|column| (range.lowest..=range.highest).contains(&column[row]))
        };
        values.iter().all(is_value) && ranges.iter().all(is_within)
    })
}

/// Whether the names that have values are variables of the samples.
fn check_given(question: &Question) -> Result<(), Error> {
    let named = question.given.iter().chain(question.ranges.iter().map(|(given, _)| given));
    for given in named {
        let has_column = |subject: &&Subject| {
            subject.found.as_ref().is_some_and(|its| its.experiment().samples.column(&given.name).is_some())
        };
        let subjects: Vec<&Subject> = question.subjects.iter().collect();
        if !question.subjects.iter().any(|subject| has_column(&subject)) {
            return Err(unknown(&subjects, &given.name, given.span.clone()));
        }
    }
    Ok(())
}

fn no_such_point(found: &SessionExperiment, question: &Question) -> Error {
    let message = format!("`{}` has no samples with these values", found.name);
    Error::at(code::NO_SAMPLES, question.end.clone(), message).help("`show` lists samples")
}

fn nothing(question: &Question) -> Error {
    Error::at(code::NO_SAMPLES, question.end.clone(), "box plots are of measured times")
        .help("name experiments, and a variable")
}
