use std::sync::Arc;

use call_model::obsp::{self, Diagram};
use call_report::timeline::{Activity, Bar, Mark, Part, Row, Stretch};
use call_report::{Axis, Figure, Kinds, Scale, Series, Timeline, number};

use super::request::Request;
use crate::command::Arguments;
use crate::programs::LoadedProgram;
use crate::words::Word;
use crate::{Error, Outcome, Picture, Session};

/// More rows than this are no picture, and take memory.
const MOST_ROWS: f64 = 4096.0;

/// Of more stretches than this a critical chain is not drawn.
const MOST_LINKS: usize = 20_000;

/// `plot PROGRAM …`: a diagram of the supersteps at one point, or curves over the variable that has several values. Also the words that
/// name files.
pub fn picture(
    session: &mut Session,
    program: Arc<LoadedProgram>,
    arguments: &Arguments,
) -> Result<(Picture, Outcome, Option<Word>), Error> {
    let is_file = |word: &&Word| word.text.ends_with(".svg") || word.text.ends_with(".png");
    let file = arguments.words().iter().find(is_file).cloned();
    let words: Vec<Word> = arguments.words()[1..].iter().filter(|word| !is_file(word)).cloned().collect();
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
    Ok((picture, outcome, file))
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
    if let Some(processors) = point.last().filter(|processors| **processors > MOST_ROWS) {
        return Err(Error::new(format!("a diagram of {processors} processors shows nothing"))
            .help(format!("take P up to {MOST_ROWS}; several values of P make a curve")));
    }
    let mut evaluated = request.evaluate(&request.places[0].1, point)?;
    let bsp_s = evaluated.bsp_s();
    let profiles = &mut evaluated.instance.profiles;
    let chain = evaluated.evaluation.chain(profiles);
    let Diagram { rows, supersteps, parts } = evaluated.evaluation.diagram(profiles);
    let name = request.program.program.name();
    let marks = vec![Mark { label: format!("plain BSP {}", number::seconds(bsp_s)), time_s: bsp_s }];
    // Where plain BSP says the same there is nothing to be marked.
    let is_same = (bsp_s - evaluated.total_s).abs() <= 1e-9 * bsp_s;
    Ok(Timeline {
        title: format!("{name}({}) = {}", named(&variables, point, None), number::seconds(evaluated.total_s)),
        rows: rows.iter().map(|bars| row(bars)).collect(),
        supersteps,
        parts: parts
            .iter()
            .map(|part| Part {
                label: String::new(),
                rows: part.first as usize..(part.first + part.processors) as usize,
                start_s: part.start_s,
                end_s: part.end_s,
            })
            .collect(),
        chain: match chain.len() {
            0..=MOST_LINKS => chain
                .iter()
                .map(|link| Stretch {
                    row: link.processor as usize,
                    start_s: link.start_s,
                    end_s: link.end_s,
                })
                .collect(),
            _ => Vec::new(),
        },
        marks: if is_same { Vec::new() } else { marks },
        ..Timeline::default()
    })
}

fn row(bars: &[obsp::Bar]) -> Row {
    let bars = bars.iter().map(|bar| Bar {
        activity: match bar.activity {
            obsp::Activity::Computing => Activity::Computing,
            obsp::Activity::Waiting => Activity::Waiting,
            obsp::Activity::Communicating => Activity::Communicating,
        },
        start_s: bar.start_s,
        end_s: bar.end_s,
        superstep: bar.superstep,
    });
    Row { bars: bars.collect(), ..Row::default() }
}
