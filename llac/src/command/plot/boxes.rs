use std::collections::BTreeMap;

use call_report::{Axis, BoxPlot, CategoryChart, Figure, Series, number};
use call_trace::{Folding, Samples};

use crate::command::known_names::unknown;
use crate::command::question::Question;
use crate::command::units;
use crate::error::code;
use crate::found::FoundExperiment;
use crate::{Error, Picture, Session};

/// How measured times are distributed: of one experiment over a variable, of several beside each other.
pub fn picture(session: &mut Session, question: &Question) -> Result<Picture, Error> {
    let joining = session.settings().joining;
    let joined = |found: &FoundExperiment| found.experiment().gather(joining, Folding::Each).samples;
    if let ([subject], Some(word)) = (&question.subjects[..], question.words.first()) {
        let found = subject.found.as_ref().ok_or_else(|| nothing(question))?;
        let samples = joined(found);
        let axis = samples.names.iter().position(|name| *name == word.text);
        let axis = axis.ok_or_else(|| unknown(&[subject], &word.text, word.span.clone()))?;
        let series = series(&samples, axis);
        if series.len() > MOST_SERIES {
            let message = format!("these are {} boxes at each {}", series.len(), word.text);
            return Err(word
                .error(code::TOO_LARGE, message)
                .help(format!("choose at most {MOST_SERIES} by a condition: `where P = 4`")));
        }
        return Ok(Picture::Figure(Figure {
            title: format!("{}: measured {}s", found.name, units::noun(&found.experiment().unit)),
            x: Axis::new(word.text.as_str()),
            y: units::axis(&question.unit()),
            series,
            ..Figure::default()
        }));
    }
    let found: Vec<&FoundExperiment> =
        question.subjects.iter().filter_map(|subject| subject.found.as_ref()).collect();
    let samples: Vec<Samples> = found.iter().map(|found| joined(found)).collect();
    let named = found.iter().zip(&samples);
    let times: Vec<(&str, &[f64])> =
        named.map(|(found, samples)| (found.name.as_str(), samples.time_s.as_slice())).collect();
    if times.is_empty() {
        return Err(nothing(question));
    }
    let axis = units::axis(&question.unit());
    let mut chart = CategoryChart::box_plots("measured", axis, &times);
    chart.notes.push("at all points together; a condition behind `where` chooses".to_owned());
    Ok(Picture::Categories(chart))
}

/// More boxes at one place cannot be told apart.
const MOST_SERIES: usize = 8;

/// Boxes over a variable, for each combination of the others that vary.
fn series(samples: &Samples, axis: usize) -> Vec<Series> {
    let varies = |column: &[f64]| column.windows(2).any(|pair| pair[0] != pair[1]);
    let others: Vec<usize> =
        (0..samples.names.len()).filter(|index| *index != axis && varies(&samples.columns[*index])).collect();
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

fn nothing(question: &Question) -> Error {
    Error::at(code::NO_SAMPLES, question.end.clone(), "box plots are of measured times")
        .help("name experiments, and a variable")
}
