use std::sync::Arc;

use call_bsp::obsp::InOut;
use call_bsp::program::Costs;
use call_report::{Axis, Figure, Kinds, Series, Timeline, number};

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
    let mut outcome = Outcome::default();
    let picture = match varying.split_last() {
        None if request.places.len() == 1 => {
            let mut timeline = diagram(&request)?;
            request.remark(&mut outcome);
            timeline.notes.extend(setting(&request));
            Picture::Timeline(timeline)
        }
        None => {
            return Err(Error::at(arguments.end(), "one point on several machines is no curve")
                .help("give P several values, as in `P=1:256:2`, or name one machine"));
        }
        // P is the last variable.
        Some((&axis, others)) => {
            let mut figure = curves(session, &request, axis, others)?;
            request.remark(&mut outcome);
            let is_constant = |variable: &usize| !varying.contains(variable);
            let constants = (0..request.variables().len()).filter(is_constant);
            let constants = named(&request, &request.points[0], constants);
            let setting = setting(&request);
            let notes = (!constants.is_empty()).then_some(constants).into_iter().chain(setting);
            figure.notes.push(notes.collect::<Vec<_>>().join("; "));
            figure.notes.retain(|note| !note.is_empty());
            Picture::Figure(figure)
        }
    };
    Ok((picture, outcome, files))
}

/// `N = 1024, P = 4`: these variables at a point.
fn named(request: &Request, point: &[f64], which: impl IntoIterator<Item = usize>) -> String {
    const DIGITS: usize = 5;
    let variables = request.variables();
    let values = which.into_iter().map(|index| {
        let value = number::significant(point[index], DIGITS);
        format!("{} = {value}", variables[index])
    });
    values.collect::<Vec<_>>().join(", ")
}

/// By which network times are predicted, as far as it is one; that of a machine is told if there is one number of processors.
fn setting(request: &Request) -> Option<String> {
    let mut parts = Vec::new();
    if let [(_, costs)] = &request.places[..] {
        let processors = |point: &Vec<f64>| point.last().copied().unwrap_or(1.0);
        let first = processors(&request.points[0]);
        let network = costs.network(first as u32);
        let machine = costs.machine().map(|machine| machine.name.clone());
        let is_one = machine.is_none() || request.points.iter().all(|point| processors(point) == first);
        parts.extend(machine.map(|machine| format!("on {machine}")));
        let told = network.filter(|_| is_one);
        parts.extend(told.map(|network| diagram::network(network.g_s_per_byte, network.latency_s)));
    }
    if request.in_out == InOut::Maximum {
        parts.push("relation=max".to_owned());
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// A curve for each place and for each combination of the `others`, those variables with several values that are no axis.
fn curves(session: &mut Session, request: &Request, axis: usize, others: &[usize]) -> Result<Figure, Error> {
    let has_several_places = request.places.len() > 1;
    let mut curves: Vec<Curve> = Vec::new();
    for (place, (machine, costs)) in request.places.iter().enumerate() {
        for point in &request.points {
            let time = (point[axis], request.evaluate(costs, point)?.total_s);
            let known = curves.iter_mut().find(|curve| curve.place == place && curve.has(point, axis));
            if let Some(known) = known {
                known.series.curve.push(time);
                continue;
            }
            let machine = machine.clone().filter(|_| has_several_places);
            let values = (!others.is_empty()).then(|| named(request, point, others.iter().copied()));
            let parts: Vec<String> = machine.into_iter().chain(values).collect();
            let series = Series { label: parts.join(", "), curve: vec![time], ..Series::default() };
            curves.push(Curve { place, point: point.clone(), series });
        }
    }
    for Curve { series, .. } in &mut curves {
        series.curve.sort_by(|one, other| one.0.total_cmp(&other.0));
        series.curve.dedup();
    }
    if request.places.iter().all(|(machine, _)| machine.is_none()) {
        add_measured(session, request, axis, &mut curves);
    }
    Ok(Figure {
        title: format!("{}: Φ by OBSP*", request.program.program.name()),
        x: Axis::new(request.variables()[axis]),
        y: Axis::new("time (s)"),
        series: curves.into_iter().map(|curve| curve.series).collect(),
        names_at_curves: has_several_places,
        kinds: Kinds { points: "measured".to_owned(), curve: "predicted".to_owned(), ..Kinds::default() },
        ..Figure::default()
    })
}

/// A curve: where, and one of its points.
struct Curve {
    place: usize,
    point: Vec<f64>,
    series: Series,
}

impl Curve {
    /// Whether a point has the same values but for that of the axis.
    fn has(&self, point: &[f64], axis: usize) -> bool {
        self.point.iter().zip(point).enumerate().all(|(index, (its, value))| index == axis || its == value)
    }
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
        if let Some(curve) = curves.iter_mut().find(|curve| curve.has(&point, axis)) {
            curve.series.points.push((point[axis], samples.time_s[row]));
        }
    }
}

fn diagram(request: &Request) -> Result<Timeline, Error> {
    let point = &request.points[0];
    if let Some(processors) = point.last() {
        diagram::check_rows(*processors, "several values of P make a curve")?;
    }
    let mut evaluated = request.evaluate(&request.places[0].1, point)?;
    let name = request.program.program.name();
    let at = named(request, point, 0..point.len());
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
