use call_report::{Axis, BoxPlot, CategoryChart, Figure, Series};

use super::distinct;
use super::space::Space;
use crate::command::request::Request;
use crate::command::units;
use crate::{Error, Picture, Session};

/// How measured times are distributed: of one experiment over a variable, of several beside each other.
pub fn picture(session: &mut Session, request: &Request) -> Result<Picture, Error> {
    let unit = request.unit();
    if let ([subject], Some(word)) = (&request.subjects[..], request.words.first()) {
        let space = Space::of(session, subject, request)?;
        let found = subject.found.as_ref().ok_or_else(|| nothing(request))?;
        let samples = &found.experiment().samples;
        let column = samples
            .column(&word.text)
            .ok_or_else(|| crate::command::request::unknown(&[subject], &word.text, word.span.clone()))?;
        let boxes = distinct(column).into_iter().filter_map(|place| {
            let rows = column.iter().zip(&samples.time_s).filter(|(value, _)| **value == place);
            Some((place, BoxPlot::of(&rows.map(|(_, time_s)| *time_s).collect::<Vec<f64>>())?))
        });
        return Ok(Picture::Figure(Figure {
            title: format!("{}: measured {}s", found.name, units::noun(&unit)),
            x: Axis::new(word.text.as_str()),
            y: units::axis(&unit),
            series: vec![Series { label: found.name.clone(), boxes: boxes.collect(), ..Series::default() }],
            notes: space.note().into_iter().collect(),
            ..Figure::default()
        }));
    }
    let title = format!("measured {}s", units::noun(&unit));
    let found: Vec<_> = request.subjects.iter().filter_map(|subject| subject.found.as_ref()).collect();
    let times: Vec<(&str, &[f64])> = found
        .iter()
        .map(|found| (found.name.as_str(), found.experiment().samples.time_s.as_slice()))
        .collect();
    if times.is_empty() {
        return Err(nothing(request));
    }
    Ok(Picture::Categories(CategoryChart::box_plots(&title, units::axis(&unit), &times)))
}

fn nothing(request: &Request) -> Error {
    Error::at(request.end.clone(), "box plots are of measured times").help("name experiments, and a variable")
}
