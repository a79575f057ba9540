use call_report::{Axis, Surface};

use super::along;
use super::space::Space;
use crate::command::question::Question;
use crate::command::units;
use crate::error::code;
use crate::{Error, Picture, Session};

/// Places of the grid along each axis.
const PLACES: usize = 60;

/// Predicted times over two variables.
pub fn picture(session: &mut Session, question: &Question) -> Result<Picture, Error> {
    let subject = question.one()?;
    let space = Space::of(session, subject, question)?;
    let names = &space.names;
    if names.len() < 2 {
        return Err(Error::at(
            code::NOTHING_TO_DRAW,
            question.end.clone(),
            "a surface needs a formula with two variables",
        ));
    }
    let first = space.axis(question.words.first(), &[], question)?;
    let second = space.axis(question.words.get(1), &[first], question)?;
    if first == second {
        return Err(Error::at(
            code::GIVEN_TWICE,
            question.end.clone(),
            "the axes of a surface are two variables",
        ));
    }
    let all = space.combinations(&[first, second], question)?;
    let [others] = &all[..] else {
        let free = space.others(&[first, second]);
        let message = format!("a value is missing for each of {}", free.join(", "));
        return Err(Error::at(code::MISSING_VALUE, question.end.clone(), message)
            .help(format!("for example `{}=8`", free.first().copied().unwrap_or("M"))));
    };
    let slice = space.slice();
    let at = |x: f64, y: f64| {
        let mut point = others.clone();
        (point[first], point[second]) = (x, y);
        point
    };
    let places = |variable: usize| {
        let range = space.range(variable, question)?;
        Ok::<Vec<f64>, Error>(along(range.lowest, range.highest, PLACES).collect())
    };
    let (columns, rows) = (places(first)?, places(second)?);
    let values = rows.iter().flat_map(|y| columns.iter().map(move |x| (*x, *y)));
    let values = values.map(|(x, y)| slice.time_s(&at(x, y))).collect();
    let sampled: Vec<&[f64]> = names.iter().map(|name| space.column(name)).collect();
    let is_shown = |row: &usize| {
        (0..names.len())
            .filter(|index| ![first, second].contains(index))
            .all(|index| sampled[index].get(*row) == Some(&others[index]))
    };
    let times_s = space.prepared.as_ref().filter(|_| subject.machine.is_none());
    let times_s = times_s.map_or(&[][..], |prepared| &prepared.samples().time_s);
    let measured = (0..times_s.len())
        .filter(is_shown)
        .filter_map(|row| Some((*sampled[first].get(row)?, *sampled[second].get(row)?, times_s[row])));
    let rest = space.label(&[first, second], others);
    let mut notes: Vec<String> = space.note().into_iter().collect();
    notes.extend((!rest.is_empty()).then_some(rest));
    let borders = subject.predictor().borders().into_iter();
    let own = |(position, _): &(usize, Vec<f64>)| {
        subject.predictor().variables().get(*position) == Some(&names[first])
    };
    Ok(Picture::Surface(Surface {
        title: format!("{}: fitted {}", subject.label(), units::noun(subject.predictor().unit())),
        x: Axis::new(&names[first]),
        y: Axis::new(&names[second]),
        value: units::axis(subject.predictor().unit()),
        values,
        points: measured.collect(),
        borders: borders.filter(own).flat_map(|(_, uppers)| uppers).map(Into::into).collect(),
        points_label: "measured".to_owned(),
        notes,
        columns,
        rows,
        size: None,
    }))
}
