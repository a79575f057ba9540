use call_report::{Axis, Scale, Surface};

use super::{Request, along, axis, combinations, label, sampled_range};
use crate::command::{Arguments, points};
use crate::{Error, Picture, Session};

/// Places of the grid along each axis.
const PLACES: usize = 60;

/// Fitted times over two variables.
pub fn picture(session: &mut Session, request: &Request, arguments: &Arguments) -> Result<Picture, Error> {
    let found = request.one()?;
    let model = session.model(found.experiment())?;
    let prepared = session.prepared(found.experiment());
    let samples = prepared.samples();
    let names = points::variables(&model);
    if names.len() < 2 {
        return Err(Error::at(arguments.end(), "a surface needs a formula with two variables"));
    }
    let first = axis(&model, samples, request.axes.first(), &[])?;
    let second = axis(&model, samples, request.axes.get(1), &[first])?;
    if first == second {
        return Err(Error::at(arguments.end(), "the axes of a surface are two variables"));
    }
    let all = combinations(&model, samples, &[first, second], request);
    let [others] = &all[..] else {
        let free: Vec<&str> = (0..names.len())
            .filter(|index| ![first, second].contains(index))
            .map(|index| names[index])
            .collect();
        return Err(Error::at(arguments.end(), format!("{} needs a value each", free.join(", ")))
            .help("for example `M=8`"));
    };
    let at = |x: f64, y: f64| {
        let mut point = others.clone();
        (point[first], point[second]) = (x, y);
        point
    };
    let places = |variable: usize| -> Vec<f64> {
        let (lowest, highest) = request.range(names[variable], sampled_range(&model, variable));
        along(lowest, highest, PLACES).collect()
    };
    let (columns, rows) = (places(first), places(second));
    let values = rows.iter().flat_map(|y| columns.iter().map(move |x| (*x, *y)));
    let values = values.map(|(x, y)| model.predict(&at(x, y)).time_s).collect();
    let sampled: Vec<&[f64]> = names.iter().map(|name| samples.column(name).unwrap_or_default()).collect();
    let is_shown = |row: &usize| {
        (0..names.len())
            .filter(|index| ![first, second].contains(index))
            .all(|index| sampled[index][*row] == others[index])
    };
    let measured = (0..samples.len())
        .filter(is_shown)
        .map(|row| (sampled[first][row], sampled[second][row], samples.time_s[row]));
    let rest = label(&model, &[first, second], others);
    let mut notes = vec![format!("{} = {}", found.name, model.formula())];
    notes.extend((!rest.is_empty()).then_some(rest));
    Ok(Picture::Surface(Surface {
        title: format!("{}: fitted time", found.name),
        x: Axis { label: names[first].to_owned(), scale: Scale::Automatic },
        y: Axis { label: names[second].to_owned(), scale: Scale::Automatic },
        value: Axis { label: "time".to_owned(), scale: Scale::Automatic },
        columns,
        rows,
        values,
        points: measured.collect(),
        borders: super::borders(&model, first),
        points_label: "measured".to_owned(),
        notes,
    }))
}
