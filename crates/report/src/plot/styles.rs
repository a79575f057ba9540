//! Which series have which colours, markers and dashes.

use super::axis::DrawnAxis;
use super::axis_range::{AxisRange, is_drawable};
use super::drawable::Drawable;
use super::palette::{self, Dash, SeriesStyle};
use super::scales::{are_wide, grow_by_factors};
use crate::{Figure, SeriesGroups};

/// Names and styles of groups by colour and by marker.
pub(super) type NamedStyles = [Vec<(String, SeriesStyle)>; 2];

/// Gives the series their styles; returns the axis of the scale of colours, if it took one, and the groups, if there are any.
pub(super) fn give(figure: &Figure, series: &mut [Drawable]) -> (Option<DrawnAxis>, Option<NamedStyles>) {
    let values: Vec<f64> = series.iter().filter_map(|series| series.value).collect();
    let is_log = figure.by.scale.is_logarithmic(|| are_wide(&values, &values) || grow_by_factors(&values));
    let has_dashes = series.iter().all(|series| series.sampled.is_none());
    let groups = groups(series);
    let looks = |index: usize, series: &Drawable| match (&groups, &series.groups) {
        (Some([colours, markers]), Some(its)) => {
            let place = |names: &[String], name: &str| names.iter().position(|one| one == name).unwrap_or(0);
            (place(colours, &its.colour), place(markers, &its.marker), has_dashes)
        }
        // Dashes may mean that a curve is extrapolated.
        _ => (index, index, has_dashes && figure.names_at_curves),
    };
    let has_scale = groups.as_ref().map_or(series.len(), |[colours, _]| colours.len()) > palette::DISTINCT
        && values.len() == series.len()
        && values.iter().all(|value| is_drawable(*value, is_log));
    let range = AxisRange::exact(values.iter().copied(), is_log);
    let mut styles = Vec::new();
    for (index, series) in series.iter().enumerate() {
        let (colour, marker, has_dashes) = looks(index, series);
        let colour = match series.value.filter(|_| has_scale) {
            Some(value) => palette::on_dark_scale(range.place(value)),
            None => palette::colour(colour),
        };
        let dash = match has_dashes {
            true if groups.is_some() => palette::dash_of_group(marker),
            true => palette::dash(marker),
            false => Dash::Solid,
        };
        styles.push(SeriesStyle { colour, shape: palette::shape(marker), dash });
    }
    for (series, style) in series.iter_mut().zip(styles) {
        series.style = style;
    }
    let named = |names: Vec<String>, name: fn(&SeriesGroups) -> &String| -> Vec<(String, SeriesStyle)> {
        let of = |wanted: &String| series.iter().find(|one| one.groups.as_ref().map(name) == Some(wanted));
        names.into_iter().filter_map(|name| of(&name).map(|series| (name.clone(), series.style))).collect()
    };
    let groups = groups.map(|[colours, markers]| {
        [named(colours, |groups| &groups.colour), named(markers, |groups| &groups.marker)]
    });
    let axis = has_scale.then(|| DrawnAxis::of_variable(&figure.by.label, range, values.iter().copied()));
    (axis, groups)
}

/// The names of the groups by colour and by marker in their order, if all series have both and the markers differ.
fn groups(series: &[Drawable]) -> Option<[Vec<String>; 2]> {
    let (mut colours, mut markers) = (Vec::new(), Vec::new());
    for series in series {
        let SeriesGroups { colour, marker } = series.groups.as_ref()?;
        for (names, name) in [(&mut colours, colour), (&mut markers, marker)] {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    let differ = markers.len() <= palette::SHAPES.len() && series.len() > 1;
    (differ && (colours.len() <= palette::DISTINCT || series.iter().all(|series| series.value.is_some())))
        .then_some([colours, markers])
}
