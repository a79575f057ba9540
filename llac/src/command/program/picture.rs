use std::sync::Arc;

use call_report::{Axis, Figure, Kinds, Scale, Series, Timeline, number};

use super::request::Request;
use crate::command::plot::files_and_words;
use crate::command::{Arguments, diagram};
use crate::programs::LoadedProgram;
use crate::words::Word;
use crate::{Error, Outcome, Picture, Session};

/// `plot PROGRAM …`: a diagram of the supersteps at one point, or curves over the variable that has several values. Also the words that
/// name files.
pub fn picture(
    session: &mut Session,
    program: Arc<LoadedProgram>,
    arguments: &Arguments,
) -> Result<(Picture, Outcome, Vec<Word>), Error> {
    let (files, words) = files_and_words(arguments);
    let request = Request::of(session, program, &words, arguments.end())?;
    let varying: Vec<usize> = (0..request.variables().len())
        .filter(|&variable| request.points.iter().any(|point| point[variable] != request.points[0][variable]))
        .collect();
    let picture = match varying.last() {
        None if request.places.len() == 1 => Picture::Timeline(diagram(&request)?),
        None => {
            return Err(Error::at(arguments.end(), "one point on several machines is no curve")
                .help("give P several values, as in `P=1:256:2`, or name one machine"));
        }
        // P is the last variable.
        Some(&axis) => Picture::Figure(curves(session, &request, axis)?),
    };
    let mut outcome = Outcome::default();
    request.remark(&mut outcome);
    Ok((picture, outcome, files))
}

fn named(variables: &[&str], point: &[f64], without: Option<usize>) -> String {
    let values = variables.iter().zip(point).enumerate().filter(|(index, _)| Some(*index) != without);
    let values = values.map(|(_, (variable, value))| format!("{variable} = {}", number::exact(*value)));
    values.collect::<Vec<_>>().join(", ")
}

fn curves(session: &mut Session, request: &Request, axis: usize) -> Result<Figure, Error> {
    let variables = request.variables();
    let first = named(&variables, &request.points[0], Some(axis));
    let is_one = request.points.iter().all(|other| named(&variables, other, Some(axis)) == first);
    let has_several_places = request.places.len() > 1;
    let mut curves: Vec<Curve> = Vec::new();
    for (place, (machine, costs)) in request.places.iter().enumerate() {
        for point in &request.points {
            let others = named(&variables, point, Some(axis));
            let time = (point[axis], request.evaluate(costs, point)?.total_s);
            if let Some(known) =
                curves.iter_mut().find(|curve| curve.place == place && curve.others == others)
            {
                known.series.curve.push(time);
                continue;
            }
            let machine = machine.as_ref().filter(|_| has_several_places);
            let parts: Vec<&str> =
                machine.map(String::as_str).into_iter().chain((!is_one).then_some(&*others)).collect();
            let series = Series { label: parts.join(", "), curve: vec![time], ..Series::default() };
            curves.push(Curve { place, others, series });
        }
    }
    if request.places.iter().all(|(machine, _)| machine.is_none()) {
        add_measured(session, request, axis, &mut curves);
    }
    Ok(Figure {
        title: format!("{}: Φ by OBSP*", request.program.program.name()),
        x: Axis { label: variables[axis].to_owned(), scale: Scale::Automatic },
        y: Axis { label: "time (s)".to_owned(), scale: Scale::Automatic },
        series: curves.into_iter().map(|curve| curve.series).collect(),
        names_at_curves: has_several_places,
        kinds: Kinds { points: "measured".to_owned(), curve: "predicted".to_owned(), ..Kinds::default() },
        notes: if is_one && !first.is_empty() { vec![first] } else { Vec::new() },
        ..Figure::default()
    })
}

/// A curve: where, and the values of the variables that are no axis.
struct Curve {
    place: usize,
    others: String,
    series: Series,
}

/// Adds what was measured, at points of the curves, of the experiment that the program predicts.
fn add_measured(session: &mut Session, request: &Request, axis: usize, curves: &mut [Curve]) {
    let found = request.program.program.predicts().and_then(|name| session.find(name));
    let Some(found) = found else { return };
    let prepared = session.prepared(found.experiment());
    let samples = prepared.samples();
    let variables = request.variables();
    let columns: Option<Vec<&[f64]>> = variables.iter().map(|name| samples.column(name)).collect();
    let Some(columns) = columns else { return };
    for row in 0..samples.len() {
        let point: Vec<f64> = columns.iter().map(|column| column[row]).collect();
        let others = named(&variables, &point, Some(axis));
        if let Some(curve) = curves.iter_mut().find(|curve| curve.others == others) {
            curve.series.points.push((point[axis], samples.time_s[row]));
        }
    }
}

fn diagram(request: &Request) -> Result<Timeline, Error> {
    let variables = request.variables();
    let point = &request.points[0];
    if let Some(processors) = point.last() {
        diagram::check_rows(*processors, "several values of P make a curve")?;
    }
    let mut evaluated = request.evaluate(&request.places[0].1, point)?;
    let name = request.program.program.name();
    let at = named(&variables, point, None);
    if evaluated.total_s <= 0.0 {
        return Err(Error::new(format!("`{name}` takes no time at {at}: there is nothing to draw"))
            .help("give a point at which it computes or communicates"));
    }
    diagram::check_bars(&evaluated.instance.task)?;
    let bsp_s = evaluated.bsp_s();
    let profiles = &mut evaluated.instance.profiles;
    let chain = evaluated.evaluation.chain(profiles);
    let title = format!("{name}({at}) = {}", number::seconds(evaluated.total_s));
    let mut timeline = diagram::timeline(title, 0, &evaluated.evaluation.diagram(profiles), &chain);
    // Where plain BSP says the same there is nothing to be marked.
    if !diagram::is_same(bsp_s, evaluated.total_s) {
        timeline.marks.push(diagram::mark("plain BSP", bsp_s));
    }
    Ok(timeline)
}
