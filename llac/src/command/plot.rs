use call_model::Model;
use call_report::{Axis, Figure, Scale, Series};
use call_trace::Samples;

use super::points::variable;
use super::{Arguments, Clauses, Command};
use crate::words::Word;
use crate::{Completion, Error, Markup, Outcome, Picture, Session, Style};

pub struct Plot;

/// More curves than this cannot be told apart.
const MOST_CURVES: usize = 8;
const POINTS_OF_A_CURVE: usize = 200;

impl Command for Plot {
    fn name(&self) -> &'static str {
        "plot"
    }

    fn usage(&self) -> &'static str {
        "plot [EXPERIMENT] [VARIABLE] [FILE.svg]"
    }

    fn summary(&self) -> &'static str {
        "draw times and fit"
    }

    fn details(&self) -> &'static str {
        "Measured times and the fitted curve go into an SVG file. VARIABLE is the horizontal axis (default: \
         the one with most values); the others give a curve for each combination of their values. Dashed \
         lines are the borders of intervals. The file is EXPERIMENT.svg unless another is named."
    }

    fn completions(&self) -> &'static [Completion] {
        &[Completion::Experiment, Completion::Variable, Completion::File]
    }

    fn clauses(&self) -> Clauses {
        Clauses::Samples
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        arguments.at_most(3, self.usage())?;
        let (found, place) = session.first_experiment(arguments)?;
        let (mut axis_word, mut path) = (None, None);
        for word in &arguments.words()[place..] {
            if word.text.ends_with(".svg") {
                path = Some(word.text.clone());
            } else if axis_word.is_none() {
                axis_word = Some(word);
            } else {
                return Err(Error::at(word.span.clone(), "the file of a plot ends in .svg"));
            }
        }
        let model = session.model(found.experiment())?;
        let samples = model.settings().prepare(found.experiment());
        let axis = axis(&model, &samples, axis_word)?;
        let (figure, left_out) = figure(&model, &samples, axis);
        let svg = figure.svg().map_err(|error| Error::new(error.to_string()))?;
        let mut markup = Markup::new();
        match path {
            None => markup.picture(Picture::Figure(figure)),
            Some(path) => {
                session
                    .workspace
                    .write(&path, svg.as_bytes())
                    .map_err(|error| Error::new(format!("cannot write {path}: {error}")))?;
                markup.fragments([(Style::Plain, "wrote ".to_owned()), (Style::Name, path)]);
            }
        }
        let mut outcome = Outcome::of(markup);
        if left_out > 0 {
            outcome.warnings.push(format!("{left_out} more curves are left out of the picture"));
        }
        Ok(outcome)
    }
}

/// The variable of the horizontal axis, as its position in the formula.
fn axis(model: &Model, samples: &Samples, word: Option<&Word>) -> Result<usize, Error> {
    let names: Vec<&str> = model.formula().variables().iter().map(|variable| variable.name()).collect();
    if names.is_empty() {
        return Err(Error::new("the formula has no variable to plot over"));
    }
    match word {
        Some(word) => variable(model, word),
        None => {
            let counts = names.iter().map(|name| distinct(samples.column(name).unwrap_or_default()).len());
            let most = counts.enumerate().max_by_key(|(index, count)| (*count, usize::MAX - index));
            Ok(most.map_or(0, |(index, _)| index))
        }
    }
}

fn distinct(values: &[f64]) -> Vec<f64> {
    let mut values: Vec<f64> = values.to_vec();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}

/// The figure, and how many curves it leaves out.
fn figure(model: &Model, samples: &Samples, axis: usize) -> (Figure, usize) {
    let variables = model.formula().variables();
    let columns: Vec<&[f64]> =
        variables.iter().map(|variable| samples.column(variable.name()).unwrap_or_default()).collect();
    let combination = |row: usize| -> Vec<f64> {
        (0..columns.len()).filter(|index| *index != axis).map(|index| columns[index][row]).collect()
    };
    let mut combinations: Vec<Vec<f64>> = (0..samples.len()).map(combination).collect();
    combinations.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    combinations.dedup();
    let left_out = combinations.len().saturating_sub(MOST_CURVES);
    let kept = evenly(&combinations, MOST_CURVES);
    let range = model.ranges()[axis];
    let series = kept.into_iter().map(|others| {
        let rows = (0..samples.len()).filter(|row| combination(*row) == others);
        let points = rows.map(|row| (columns[axis][row], samples.time_s[row])).collect();
        let curve = curve(model, along(range.lowest, range.highest), |x| {
            let mut point = others.clone();
            point.insert(axis, x);
            point
        });
        let names = variables.iter().enumerate().filter(|(index, _)| *index != axis);
        let label: Vec<String> = names
            .zip(&others)
            .map(|((_, variable), value)| format!("{} = {value}", variable.name()))
            .collect();
        let label = if label.is_empty() { model.formula().experiment().to_owned() } else { label.join(", ") };
        Series { label, points, curve, ..Series::default() }
    });
    let mut borders: Vec<f64> = model.cells().iter().map(|cell| cell.intervals[axis].upper).collect();
    borders.retain(|border| border.is_finite());
    let figure = Figure {
        title: format!("{}: measured and fitted", model.formula().experiment()),
        x: Axis { label: variables[axis].name().to_owned(), scale: Scale::Automatic },
        y: Axis { label: "time".to_owned(), scale: Scale::Automatic },
        series: series.collect(),
        borders: distinct(&borders),
        notes: vec![format!("{} = {}", model.formula().experiment(), model.formula())],
        ..Figure::default()
    };
    (figure, left_out)
}

/// Predicted times; where another cell begins, the line is interrupted.
fn curve(
    model: &Model,
    places: impl Iterator<Item = f64>,
    point: impl Fn(f64) -> Vec<f64>,
) -> Vec<(f64, f64)> {
    let mut curve: Vec<(f64, f64)> = Vec::new();
    let mut cell = None;
    for x in places {
        let prediction = model.predict(&point(x));
        if cell.is_some_and(|cell| cell != prediction.cell) {
            curve.push((x, f64::NAN));
        }
        cell = Some(prediction.cell);
        curve.push((x, prediction.time_s));
    }
    curve
}

/// At most `count` of the items, the first and last among them.
fn evenly<T: Clone>(items: &[T], count: usize) -> Vec<T> {
    if items.len() <= count {
        return items.to_vec();
    }
    (0..count).map(|index| items[index * (items.len() - 1) / (count - 1)].clone()).collect()
}

/// Places of a curve: evenly spread on the scale that the axis will have.
fn along(lowest: f64, highest: f64) -> impl Iterator<Item = f64> {
    let steps = (POINTS_OF_A_CURVE - 1) as f64;
    (0..POINTS_OF_A_CURVE).map(move |step| {
        let part = step as f64 / steps;
        match step {
            0 => lowest,
            _ if step == POINTS_OF_A_CURVE - 1 => highest,
            _ if lowest > 0.0 => lowest * (highest / lowest).powf(part),
            _ => lowest + (highest - lowest) * part,
        }
    })
}
