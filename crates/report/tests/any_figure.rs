//! Figures and surfaces of any values.

use crate::figure::axis;
use crate::picture::{check_svg, check_text};
use call_report::{
    Axis, AxisScale, BoxPlot, Figure, IntervalBorder, Look, Reference, ReferenceLine, Series, SeriesGroups,
    Surface,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

fn scale() -> impl Strategy<Value = AxisScale> {
    prop_oneof![Just(AxisScale::Linear), Just(AxisScale::Logarithmic), Just(AxisScale::Automatic)]
}

fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>(),
        any::<u64>().prop_map(f64::from_bits),
        -1e3..1e3_f64,
        (0..70).prop_map(|k| 2_f64.powi(k))
    ]
}

fn points(most: usize) -> impl Strategy<Value = Vec<(f64, f64)>> {
    prop_oneof![
        vec((coordinate(), coordinate()), 0..most),
        (any::<f64>(), vec((0..4_i32, 0..4_i32), 0..most)).prop_map(|(centre, steps)| {
            let near = |step: i32| centre * (1.0 + f64::EPSILON * f64::from(step));
            steps.into_iter().map(|(x, y)| (near(x), near(y))).collect()
        }),
    ]
}

fn bars(most: usize) -> impl Strategy<Value = Vec<(f64, f64, f64)>> {
    let low_and_high = (coordinate(), coordinate()).prop_map(|(a, b)| (a.min(b), a.max(b)));
    vec((coordinate(), low_and_high), 0..most)
        .prop_map(|bars| bars.into_iter().map(|(x, (low, high))| (x, low, high)).collect())
}

fn line() -> impl Strategy<Value = ReferenceLine> {
    prop_oneof![
        coordinate().prop_map(ReferenceLine::Horizontal),
        coordinate().prop_map(ReferenceLine::Vertical),
        coordinate().prop_map(ReferenceLine::Proportional)
    ]
}

const TEXT: &str = "\\PC{0,60}|[a-z <&\n\0]{0,300}";

fn any_series() -> impl Strategy<Value = Series> {
    let values = (option::of(coordinate()), option::of((coordinate(), coordinate())));
    let boxes = vec((coordinate(), vec(coordinate(), 0..9)), 0..4).prop_map(|boxes| {
        boxes.into_iter().filter_map(|(x, values)| Some((x, BoxPlot::of(&values)?))).collect::<Vec<_>>()
    });
    let thin = (bars(8), bars(8), bars(3), points(8), boxes);
    let groups = option::weighted(0.7, ("[ab]", "[a-g]"));
    (TEXT, points(20), points(20), values, thin, groups).prop_map(
        |(label, points, curve, (value, sampled), (spread, band, bars, repetitions, boxes), groups)| Series {
            label,
            groups: groups.map(|(colour, marker)| SeriesGroups { colour, marker }),
            boxes,
            value,
            points,
            repetitions,
            spread,
            curve,
            band,
            sampled,
            bars,
        },
    )
}

fn any_axis(label: impl Strategy<Value = String>) -> impl Strategy<Value = Axis> {
    let end = || option::weighted(0.2, coordinate());
    (label, scale(), end(), end()).prop_map(|(label, scale, from, to)| Axis { label, scale, from, to })
}

fn any_border() -> impl Strategy<Value = IntervalBorder> {
    let y = option::of((coordinate(), coordinate()));
    (coordinate(), y, vec(0..12_usize, 0..4)).prop_map(|(x, y, series)| IntervalBorder { x, y, series })
}

fn any_figure() -> impl Strategy<Value = Figure> {
    let axes = (any_axis(TEXT), any_axis(prop_oneof![Just("time (s)".to_owned()), TEXT.boxed()]));
    let references = vec((TEXT, line()).prop_map(|(label, line)| Reference { label, line }), 0..3);
    let few = (vec(any_series(), 0..12), vec(any_border(), 0..6), vec(TEXT, 0..5), references, scale());
    (TEXT, axes, few).prop_map(|(title, (x, y), (series, borders, notes, references, by))| Figure {
        names_at_curves: title.len().is_multiple_of(2),
        title,
        x,
        y,
        series,
        by: axis("P", by),
        references,
        borders,
        notes,
        ..Figure::default()
    })
}

fn any_surface() -> impl Strategy<Value = Surface> {
    let ascending = |mut places: Vec<f64>| {
        places.retain(|place| place.is_finite());
        places.sort_by(f64::total_cmp);
        places.dedup();
        places
    };
    let grid = (vec(coordinate(), 2..7), vec(coordinate(), 2..7), vec(coordinate(), 49));
    let points = vec((coordinate(), coordinate(), coordinate()), 0..9);
    (
        TEXT,
        grid,
        points,
        (any_axis(Just("N".to_owned())), any_axis(Just("P".to_owned())), scale()),
        vec(any_border(), 0..3),
    )
        .prop_map(move |(title, (columns, rows, mut values), points, (x, y, value), borders)| {
            let (columns, rows) = (ascending(columns), ascending(rows));
            values.truncate(columns.len() * rows.len());
            Surface {
                x,
                y,
                value: axis("time", value),
                points_label: title.clone(),
                title,
                columns,
                rows,
                values,
                points,
                borders,
                ..Surface::default()
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_figure_is_drawn_well_formed_and_inside_of_the_picture(figure in any_figure()) {
        let drawn = figure.svg();
        prop_assert_eq!(format!("{drawn:?}"), format!("{:?}", figure.svg()), "drawn twice");
        if let Ok(svg) = drawn {
            check_svg(&svg)?;
        }
    }

    #[test]
    fn every_surface_is_drawn_well_formed_and_inside_of_the_picture(surface in any_surface()) {
        let drawn = surface.svg();
        prop_assert_eq!(format!("{drawn:?}"), format!("{:?}", surface.svg()), "drawn twice");
        if let Ok(svg) = drawn {
            check_svg(&svg)?;
        }
    }

    #[test]
    fn every_figure_fits_into_the_terminal(figure in any_figure(), columns in 40..130_usize, rows in 12..40_usize) {
        if let Ok(text) = figure.text(columns, rows, Look::Unicode) {
            prop_assert_eq!(text.lines().count(), rows);
            check_text(&text, columns, rows)?;
            let ascii = figure.text(columns, rows, Look::Ascii).expect("drawn before");
            check_text(&ascii, columns, rows)?;
            prop_assert!(ascii.chars().all(|c| c == '\n' || (' '..='~').contains(&c)));
            prop_assert!(figure.text(columns, rows, Look::Coloured).is_ok());
        }
    }

    #[test]
    fn every_surface_fits_into_the_terminal(surface in any_surface(), columns in 40..130_usize, rows in 12..40_usize) {
        if let Ok(text) = surface.text(columns, rows, Look::Unicode) {
            prop_assert_eq!(text.lines().count(), rows);
            check_text(&text, columns, rows)?;
            prop_assert!(surface.text(columns, rows, Look::Coloured).is_ok());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn every_figure_has_a_bitmap(figure in any_figure(), surface in any_surface(), width in 150..900_u32, height in 225..400_u32) {
        for drawn in [figure.png(width, height), surface.png(width, height)].into_iter().flatten() {
            prop_assert!(drawn.starts_with(b"\x89PNG"));
        }
    }
}
