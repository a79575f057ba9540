use call_report::{Axis, Surface};

use super::space::Space;
use super::{Request, along};
use crate::command::Arguments;
use crate::{Error, Picture, Session};

/// Places of the grid along each axis.
const PLACES: usize = 60;

/// Fitted times over two variables.
pub fn picture(session: &mut Session, request: &Request, arguments: &Arguments) -> Result<Picture, Error> {
    let found = request.one()?;
    let model = session.model(found.experiment())?;
    let prepared = session.prepared(found.experiment());
    let samples = prepared.samples();
    request.check_known(&[(&model, found)])?;
    let space = Space::of(found, &model, &prepared, request)?;
    let (names, sampled) = space.columns();
    if names.len() < 2 {
        return Err(Error::at(arguments.end(), "a surface needs a formula with two variables"));
    }
    let first = space.axis(request.axes.first(), &[], request)?;
    let second = space.axis(request.axes.get(1), &[first], request)?;
    if first == second {
        return Err(Error::at(arguments.end(), "the axes of a surface are two variables"));
    }
    let all = space.combinations(&[first, second], request);
    let [others] = &all[..] else {
        let free = space.others(&[first, second]);
        return Err(Error::at(
            arguments.end(),
            format!("a value is missing for each of {}", free.join(", ")),
        )
        .help(format!("for example `{}=8`", free.first().copied().unwrap_or("M"))));
    };
    let at = |x: f64, y: f64| {
        let mut point = others.clone();
        (point[first], point[second]) = (x, y);
        space.point(&point)
    };
    let places = |variable: usize| -> Vec<f64> {
        let (lowest, highest) = request.range(&names[variable], space.sampled(variable));
        along(lowest, highest, PLACES).collect()
    };
    let (columns, rows) = (places(first), places(second));
    let values = rows.iter().flat_map(|y| columns.iter().map(move |x| (*x, *y)));
    let values = values.map(|(x, y)| model.predict(&at(x, y)).time_s).collect();
    let is_shown = |row: &usize| {
        (0..names.len())
            .filter(|index| ![first, second].contains(index))
            .all(|index| sampled[index].get(*row) == Some(&others[index]))
    };
    let measured = (0..samples.len())
        .filter(is_shown)
        .filter_map(|row| Some((*sampled[first].get(row)?, *sampled[second].get(row)?, samples.time_s[row])));
    let rest = space.label(&[first, second], others);
    let mut notes = vec![format!("{} = {}", found.name, model.formula())];
    notes.extend((!rest.is_empty()).then_some(rest));
    Ok(Picture::Surface(Surface {
        title: format!("{}: fitted time", found.name),
        x: Axis::new(&names[first]),
        y: Axis::new(&names[second]),
        value: Axis::new("time"),
        columns,
        rows,
        values,
        points: measured.collect(),
        borders: space.borders(first).into_iter().map(Into::into).collect(),
        size: None,
        points_label: "measured".to_owned(),
        notes,
    }))
}
