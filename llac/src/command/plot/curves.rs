use std::collections::{BTreeMap, BTreeSet};

use call_grammar::{counted, quoted};
use call_model::question::ValueRange;
use call_model::{Remark, Slice};
use call_report::{
    Axis, Figure, IntervalBorder, Kinds, MOST_COLOURS, MOST_MARKERS, Series, SeriesGroups, number,
};

use super::measured::MeasuredCurve;
use super::space::Space;
use super::{along, distinct};
use crate::command::question::Question;
use crate::command::subject::SubjectKind;
use crate::command::units;
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Error, Picture, Session};

const POINTS_OF_A_CURVE: usize = 200;
/// Bands are smooth.
const POINTS_OF_A_BAND: usize = 60;
/// More would be nearer to each other than a picture shows.
const MOST_WHOLE_NUMBERS: usize = 2000;
/// More bands would hide each other.
const MOST_BANDS: usize = 3;

/// A subject with what is drawn of it.
struct Drawn<'a> {
    space: Space<'a>,
    axis: usize,
    combinations: Vec<Vec<f64>>,
}

/// Measured and predicted times over one variable.
pub fn picture(
    session: &mut Session,
    question: &Question,
    groupings: &[Option<Word>; 2],
    outcome: &mut CommandOutcome,
) -> Result<Picture, Error> {
    let mut drawn = Vec::new();
    for subject in &question.subjects {
        let space = Space::of(session, subject, question)?;
        let axis = space.axis(question.words.first(), &[], question)?;
        let combinations = space.combinations(&[axis], question)?;
        drawn.push(Drawn { space, axis, combinations });
    }
    let Some(first) = drawn.first() else {
        return Err(Error::new(code::NOTHING_TO_DRAW, "there is nothing to draw"));
    };
    let curves: usize = drawn.iter().map(|drawn| drawn.combinations.len()).sum();
    let level = (curves <= MOST_BANDS).then(|| session.level());
    let mut figure = Figure {
        x: Axis::new(&first.space.names[first.axis]),
        y: units::axis(&question.unit()),
        names_at_curves: drawn.len() > 1 && drawn.iter().all(|drawn| drawn.combinations.len() == 1),
        ..Figure::default()
    };
    let mut borders: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for drawn in &drawn {
        for series in all_series(drawn, question, level, outcome)? {
            let index = figure.series.len();
            for border in series.borders {
                borders.entry(border.to_bits()).or_default().push(index);
            }
            figure.series.push(series.series);
        }
    }
    name(&mut figure.series, &drawn);
    let others = first.space.others(&[first.axis]);
    if others.len() == 1 && drawn.len() == 1 {
        figure.by = Axis::new(others[0]);
    }
    group(&mut figure, &drawn, groupings)?;
    let count = figure.series.len();
    figure.borders = borders
        .into_iter()
        .map(|(x, series)| IntervalBorder {
            series: if series.len() == count { Vec::new() } else { series },
            ..IntervalBorder::from(f64::from_bits(x))
        })
        .collect();
    let is_fitted = drawn.iter().any(|drawn| matches!(drawn.space.subject.kind, SubjectKind::Fitted(_)));
    figure.title = title(&drawn, &figure.series);
    figure.kinds = Kinds {
        band: band_name(session.level()),
        curve: if is_fitted { "fitted".to_owned() } else { "predicted".to_owned() },
        ..Kinds::default()
    };
    figure.notes = notes(&drawn, question);
    Ok(Picture::Figure(figure))
}

fn title(drawn: &[Drawn], series: &[Series]) -> String {
    let has_points = series.iter().any(|series| !series.points.is_empty());
    // A curve of one place is not drawn.
    let has_curves =
        series.iter().flat_map(|series| series.curve.windows(2)).any(|pair| pair[0].0 < pair[1].0);
    let mut names: Vec<String> = Vec::new();
    for drawn in drawn {
        let name = drawn.space.subject.predictor().name().to_owned();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let kind = |is: fn(&SubjectKind) -> bool| drawn.iter().all(|drawn| is(&drawn.space.subject.kind));
    let are_fitted = kind(|kind| matches!(kind, SubjectKind::Fitted(_)));
    let what = if kind(|kind| matches!(kind, SubjectKind::Unfitted(_)))
        || (are_fitted && has_points && !has_curves)
    {
        "measured"
    } else if kind(|kind| matches!(kind, SubjectKind::Program(_))) {
        "Φ by OBSP*"
    } else if drawn.iter().all(|drawn| drawn.space.subject.loaded.is_some()) {
        "predicted"
    } else if has_points && are_fitted {
        "measured and fitted"
    } else {
        "predicted"
    };
    format!("{}: {what}", names.join(", "))
}

/// Formulas, and what all curves have in common.
fn notes(drawn: &[Drawn], question: &Question) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for drawn in drawn {
        let note = drawn.space.note();
        notes.extend(note.filter(|note| !notes.contains(note)));
    }
    let is_elsewhere = |drawn: &&Drawn| {
        matches!(drawn.space.subject.kind, SubjectKind::Program(_) | SubjectKind::Carried(_))
    };
    let Some(first) = drawn.iter().find(is_elsewhere) else { return notes };
    let single = question.given.iter().filter(|one| one.values.len() == 1);
    let constants: Vec<String> =
        single.map(|one| format!("{} = {}", one.name, number::significant(one.values[0], 5))).collect();
    let setting = match (&first.space.subject.kind, drawn.len()) {
        (SubjectKind::Program(program), 1) => super::super::program::setting(program, None),
        (SubjectKind::Carried(carried), 1) => Some(format!("on {}", carried.there().name)),
        _ => None,
    };
    let constants = (!constants.is_empty()).then(|| constants.join(", "));
    let line: Vec<String> = constants.into_iter().chain(setting).collect();
    notes.extend((!line.is_empty()).then(|| line.join("; ")));
    notes
}

pub fn band_name(level: f64) -> String {
    format!("{} % interval", number::significant(100.0 * level, 4))
}

/// A series with the borders of the intervals that it crosses.
struct WithBorders {
    series: Series,
    borders: Vec<f64>,
}

fn all_series(
    drawn: &Drawn,
    question: &Question,
    level: Option<f64>,
    outcome: &mut CommandOutcome,
) -> Result<Vec<WithBorders>, Error> {
    let Drawn { space, axis, combinations } = drawn;
    let (axis, subject) = (*axis, space.subject);
    let name = &space.names[axis];
    // Of another machine nothing was measured here.
    let prepared = space.prepared.as_ref().filter(|_| subject.machine.is_none());
    let has_columns = space.names.iter().all(|name| !space.column(name).is_empty());
    let mut measured = match prepared.filter(|_| has_columns) {
        Some(prepared) => MeasuredCurve::of_each(combinations, &space.names, axis, prepared),
        None => vec![MeasuredCurve::default(); combinations.len()],
    };
    // Programs and recorded runs are evaluated at values; any other curve goes over all that lies between them.
    let is_at_values = matches!(subject.kind, SubjectKind::Program(_) | SubjectKind::Replayed(_));
    let given = question.given.iter().find(|one| one.name == *name).map(|one| distinct(&one.values));
    let given = given.filter(|values| is_at_values || values.len() == 1);
    let is_measured_only = matches!(subject.kind, SubjectKind::Unfitted(_));
    let slice = space.slice();
    let mut all = Vec::new();
    for (others, measured) in combinations.iter().zip(&mut measured) {
        let at = |x: f64| {
            let mut point = others.clone();
            point[axis] = x;
            point
        };
        let mut series = Series {
            spread: std::mem::take(&mut measured.spread),
            points: std::mem::take(&mut measured.points),
            sampled: space.sampled(axis).filter(|_| !matches!(subject.kind, SubjectKind::Program(_))),
            value: (space.names.len() == 2).then(|| others[1 - axis]),
            ..Series::default()
        };
        let mut borders = Vec::new();
        if !is_measured_only {
            if let Some(ends) = space.sampled(axis).filter(|_| !is_at_values) {
                let outside = outside(&slice, ends, name, at);
                if !outside.is_empty() {
                    // No part of the curve is where samples are.
                    series.sampled = Some((f64::INFINITY, f64::INFINITY));
                    crate::remarks::tell(outcome, outside);
                }
            }
            let (places, of_band) = match &given {
                Some(values) => (values.clone(), values.clone()),
                None => {
                    let range = space.range(axis, question)?;
                    borders = crossed(&slice, range, at);
                    let along = |count| along(range.lowest, range.highest, count).collect::<Vec<f64>>();
                    let ends = slice.gap_ends(range, at);
                    let of_curve = [along(POINTS_OF_A_CURVE), whole_numbers(&slice, range)].concat();
                    (distinct(&of_curve), with_jumps(along(POINTS_OF_A_BAND), &borders, &ends, range))
                }
            };
            series.curve = curve(&slice, &places, &borders, at)?;
            if let Some(level) = level {
                series.band = band(&slice, &of_band, level, at, outcome)?;
            }
        }
        all.push(WithBorders { series, borders });
    }
    Ok(all)
}

/// All whole numbers of a range, where the times may jump between any two and these are not too many.
fn whole_numbers(slice: &Slice, range: ValueRange) -> Vec<f64> {
    let most = slice.predictor().single_values().min(MOST_WHOLE_NUMBERS) as f64;
    let (from, to) = (range.lowest.ceil(), range.highest.floor());
    if to - from >= most {
        return Vec::new();
    }
    std::iter::successors(Some(from), |value| Some(value + 1.0)).take_while(|value| *value <= to).collect()
}

/// What is to be said of values of the other variables that lie outside of the samples, wherever on the axis.
fn outside(
    slice: &Slice,
    (lowest, highest): (f64, f64),
    axis: &str,
    at: impl Fn(f64) -> Vec<f64>,
) -> Vec<Remark> {
    const PLACES: usize = 3;
    let is_of_others =
        |remark: &Remark| matches!(remark, Remark::Beyond { beyond, .. } if beyond.variable != axis);
    let mut all = Vec::new();
    for place in along(lowest, highest, PLACES) {
        let Ok(forecast) = slice.forecast(&at(place), 0.5) else { return Vec::new() };
        let mut remarks = forecast.remarks.into_iter().filter(is_of_others).peekable();
        if remarks.peek().is_none() {
            return Vec::new();
        }
        all.extend(remarks);
    }
    all
}

/// The borders at which another cell begins for these values of the other variables.
fn crossed(slice: &Slice, range: ValueRange, at: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let cell = |x: f64| slice.forecast(&at(x), 0.5).ok().map(|forecast| forecast.prediction.cell);
    let borders = slice.borders(range, &at).into_iter();
    borders.filter(|border| cell(*border) != cell(border.next_up())).collect()
}

/// The places of a band, and both sides of where it jumps if it has gaps between intervals.
fn with_jumps(mut places: Vec<f64>, borders: &[f64], gap_ends: &[f64], range: ValueRange) -> Vec<f64> {
    if !gap_ends.is_empty() {
        places.extend(borders.iter().chain(gap_ends).flat_map(|last| [*last, last.next_up()]));
        places.retain(|place| (range.lowest..=range.highest).contains(place));
    }
    distinct(&places)
}

/// Predicted times; at a border the line is interrupted. A program that cannot be evaluated anywhere is an error.
fn curve(
    slice: &Slice,
    places: &[f64],
    borders: &[f64],
    at: impl Fn(f64) -> Vec<f64>,
) -> Result<Vec<(f64, f64)>, Error> {
    let mut curve: Vec<(f64, f64)> = Vec::new();
    let mut before = f64::NEG_INFINITY;
    for x in places {
        if borders.iter().any(|border| (before..*x).contains(border)) {
            curve.push((*x, f64::NAN));
        }
        before = *x;
        curve.push((*x, slice.time_s(&at(*x))));
    }
    match slice.failure().filter(|_| curve.iter().all(|(_, time_s)| time_s.is_nan())) {
        Some(failure) => Err(failure.into()),
        None => Ok(curve),
    }
}

fn band(
    slice: &Slice,
    places: &[f64],
    level: f64,
    at: impl Fn(f64) -> Vec<f64>,
    outcome: &mut CommandOutcome,
) -> Result<Vec<(f64, f64, f64)>, Error> {
    let mut band = Vec::new();
    for x in places {
        let Ok(forecast) = slice.forecast(&at(*x), level) else { continue };
        if slice.predictor().formula().is_none() {
            crate::remarks::tell(outcome, forecast.remarks.iter().cloned());
        }
        if !forecast.upper_s.is_nan() {
            band.push((*x, forecast.lower_s, forecast.upper_s));
        }
    }
    Ok(band)
}

/// Which curves have the same colour and which the same marker, where the user says so (`colour=P`, `marker=M`). Variables that are
/// not named, and the subjects where they are several, are shown by the marker, or by the colour where only that is free.
fn group(figure: &mut Figure, drawn: &[Drawn], groupings: &[Option<Word>; 2]) -> Result<(), Error> {
    let Some(first) = groupings.iter().flatten().next() else { return Ok(()) };
    let [colour, marker] = groupings.each_ref().map(|word| Some(word.as_ref()?.assignment()?.1));
    for (word, variable) in groupings.iter().flatten().zip([colour, marker].into_iter().flatten()) {
        let lacks = |one: &&Drawn| !one.space.others(&[one.axis]).contains(&variable);
        if let Some(without) = drawn.iter().find(lacks) {
            let message = format!("the curves do not differ by `{variable}`");
            let others = quoted(&without.space.others(&[without.axis]));
            return Err(word
                .error(code::UNKNOWN_VARIABLE, message)
                .help(format!("they differ by: {others}")));
        }
    }
    let drawn_count = drawn.len();
    let of_all = drawn.iter().flat_map(|drawn| drawn.combinations.iter().map(move |others| (drawn, others)));
    for (series, (drawn, others)) in figure.series.iter_mut().zip(of_all) {
        let labels = drawn.space.labels(&[drawn.axis], others);
        let labelled = || drawn.space.others(&[drawn.axis]).into_iter().zip(&labels);
        let label_of =
            |variable: &str| labelled().find(|(name, _)| *name == variable).map(|(_, label)| label.clone());
        let is_unnamed = |name: &str| ![colour, marker].contains(&Some(name));
        let subject = (drawn_count > 1).then(|| drawn.space.subject.label());
        let unnamed = labelled().filter(|(name, _)| is_unnamed(name)).map(|(_, label)| label.clone());
        let rest: Vec<String> = subject.into_iter().chain(unnamed).collect();
        let of_rest = || if rest.is_empty() { drawn.space.subject.label() } else { rest.join(", ") };
        let (colour_name, marker_name) = (colour.and_then(label_of), marker.and_then(label_of));
        let marker_name = match (&colour_name, marker_name) {
            (Some(_), Some(marker)) => [vec![marker], rest.clone()].concat().join(", "),
            (_, marker) => marker.unwrap_or_else(of_rest),
        };
        series.value = colour.and_then(|colour| drawn.space.value(colour, others));
        series.groups =
            Some(SeriesGroups { colour: colour_name.unwrap_or_else(of_rest), marker: marker_name });
    }
    let groups = || figure.series.iter().filter_map(|series| series.groups.as_ref());
    let colours: BTreeSet<&str> = groups().map(|groups| groups.colour.as_str()).collect();
    let markers: BTreeSet<&str> = groups().map(|groups| groups.marker.as_str()).collect();
    let has_scale = figure.series.iter().all(|series| series.value.is_some());
    if markers.len() > MOST_MARKERS || colours.len() > MOST_COLOURS && !has_scale {
        let (colours, markers) = (counted(colours.len(), "colour"), counted(markers.len(), "marker"));
        let message = format!("{colours} and {markers} cannot be told apart");
        let most = format!("at most {MOST_COLOURS} colours and {MOST_MARKERS} markers");
        return Err(first.error(code::TOO_LARGE, message).help(format!("{most}: choose by `where`")));
    }
    figure.by = colour.map_or_else(Axis::default, Axis::new);
    Ok(())
}

/// Names of series: by subject, by the values of other variables, or by both; two other variables get colours and markers.
fn name(series: &mut [Series], drawn: &[Drawn]) {
    let several = drawn.len() > 1;
    let names = || drawn.iter().map(|drawn| drawn.space.subject.predictor().name());
    let is_one_name = names().zip(names().skip(1)).all(|(one, other)| one == other);
    let labels_of = |drawn: &Drawn| -> Vec<String> {
        let of_one = |others: &Vec<f64>| drawn.space.label(&[drawn.axis], others);
        drawn.combinations.iter().map(of_one).collect()
    };
    // What all have in common stands under the title.
    let is_one_point = several
        && drawn.iter().all(|one| one.combinations.len() == 1)
        && drawn.windows(2).all(|pair| labels_of(&pair[0]) == labels_of(&pair[1]));
    let of_all = drawn.iter().flat_map(|drawn| drawn.combinations.iter().map(move |others| (drawn, others)));
    for (series, (drawn, others)) in series.iter_mut().zip(of_all) {
        let subject = match &drawn.space.subject.machine {
            Some(machine) if is_one_name => machine.clone(),
            _ => drawn.space.subject.label(),
        };
        let labels = drawn.space.labels(&[drawn.axis], others);
        let label = labels.join(", ");
        if is_one_point {
            series.label = subject;
            series.value = None;
            continue;
        }
        series.label = match (label.is_empty(), several) {
            (true, _) => subject.clone(),
            (false, true) => format!("{subject}, {label}"),
            (false, false) => label.clone(),
        };
        series.groups = match (&labels[..], several) {
            ([colour, marker], false) => {
                Some(SeriesGroups { colour: colour.clone(), marker: marker.clone() })
            }
            ([_, ..], true) => Some(SeriesGroups { colour: label, marker: subject }),
            _ => None,
        };
        if several {
            series.value = None;
        }
    }
}
