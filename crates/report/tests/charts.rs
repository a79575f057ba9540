//! What is in charts over categories, and what can be set on figures.

use crate::picture;
use call_report::{
    Axis, AxisScale, BoxPlot, CategoryChart, DisplayUnit, Error, Figure, IntervalBorder, Look, RankedValue,
    Reference, ReferenceLine, Series, SeriesGroups,
};
use proptest::collection::vec;
use proptest::prelude::*;
use roxmltree::Document;

use crate::picture::{check_svg, check_text, count, texts};

const BLUE: &str = "#0072B2";
const VERMILION: &str = "#D55E00";
const BORDER_GREY: &str = "#7D7D7D";

fn curve(slope: f64) -> Vec<(f64, f64)> {
    (0..=6).map(|k| 2_f64.powi(k)).map(|x| (x, slope * x)).collect()
}

fn figure(series: Vec<Series>) -> Figure {
    Figure { title: "f".into(), x: Axis::new("N"), y: Axis::new("time (s)"), series, ..Figure::default() }
}

fn of_points(points: &[(f64, f64)]) -> Figure {
    figure(vec![Series { points: points.into(), ..Series::default() }])
}

#[test]
fn axes_end_where_they_are_asked_to() {
    let points: Vec<(f64, f64)> = (1..=10).map(|k| (f64::from(k), f64::from(k))).collect();
    let mut figure = of_points(&points);
    (figure.x.from, figure.x.to, figure.y.from) = (Some(3.0), Some(7.0), Some(0.0));
    let svg = figure.svg().unwrap();
    assert_eq!(count(&svg, "circle", "fill", BLUE), 5);
    let ticks = texts(&svg);
    assert!(
        ticks.contains(&"3".to_owned())
            && ticks.contains(&"7".to_owned())
            && !ticks.contains(&"8".to_owned())
    );
    assert!(
        ticks.contains(&"0".to_owned())
            && ticks.contains(&"7 s".to_owned())
            && !ticks.contains(&"8 s".to_owned())
    );
    // Points above the end are not drawn outside of the plot.
    figure.y.to = Some(5.0);
    assert_eq!(count(&figure.svg().unwrap(), "circle", "fill", BLUE), 3);
}

#[test]
fn histograms_count_whole_numbers() {
    for most in 1..5 {
        let values: Vec<f64> = (0..most).map(|k| f64::from(k) * 1e-3).chain([1.0, 2.0, 3.0]).collect();
        let figure = call_report::histogram("f", Axis::linear("residual"), &values, Some(3));
        let shown = figure.text(80, 20, Look::Ascii).unwrap();
        let counts = shown.lines().filter_map(|line| line.split_once('+'));
        // The line of the other axis has no label.
        let counts = counts.map(|(label, _)| label.trim()).filter(|label| !label.is_empty());
        let counts: Vec<&str> = counts.collect();
        assert!(counts.iter().all(|label| label.parse::<u32>().is_ok()) && !counts.is_empty(), "{shown}");
    }
}

#[test]
fn ends_that_cannot_be_are_errors() {
    let with = |from, to, scale| {
        let mut figure = of_points(&[(1.0, 1.0), (2.0, 2.0)]);
        figure.x = Axis { from, to, scale, ..figure.x };
        figure.svg()
    };
    let outside = Error::Outside { title: "f".into(), axis: "N".into() };
    assert_eq!(with(Some(5.0), Some(9.0), AxisScale::Linear), Err(outside.clone()));
    assert_eq!(with(Some(5.0), None, AxisScale::Linear), Err(outside));
    for (from, to, scale) in [
        (Some(2.0), Some(1.0), AxisScale::Linear),
        (Some(1.0), Some(1.0), AxisScale::Linear),
        (Some(f64::NAN), None, AxisScale::Linear),
        (Some(0.0), None, AxisScale::Logarithmic),
    ] {
        assert!(matches!(with(from, to, scale), Err(Error::Ends { .. })), "{from:?} {to:?}");
    }
    assert!(with(Some(0.0), None, AxisScale::Automatic).is_ok());
}

#[test]
fn a_curve_counts_where_it_is_shown() {
    let mut figure = figure(vec![Series { curve: curve(1.0), ..Series::default() }]);
    (figure.x.from, figure.x.to, figure.x.scale) = (Some(1.0), Some(4.0), AxisScale::Linear);
    let ticks = texts(&figure.svg().unwrap());
    assert!(ticks.contains(&"4 s".to_owned()) && !ticks.iter().any(|tick| tick == "60 s"), "{ticks:?}");
}

#[test]
fn pictures_have_the_size_that_is_asked_for() {
    let mut figure = of_points(&[(1.0, 1.0)]);
    figure.size = Some((640, 400));
    let svg = figure.svg().unwrap();
    let document = Document::parse(&svg).unwrap();
    let root = document.root_element();
    assert_eq!((root.attribute("width"), root.attribute("height")), (Some("640"), Some("400")));
    figure.size = Some((640, 40));
    assert!(matches!(figure.svg(), Err(Error::Size { width: 640, height: 40, .. })));
}

#[test]
fn doubling_series_have_logarithmic_axes() {
    let scales = |xs: &[f64]| of_points(&xs.iter().map(|x| (*x, 1.0 + x)).collect::<Vec<_>>()).scales();
    assert_eq!(scales(&[2.0, 4.0, 8.0]), (AxisScale::Logarithmic, AxisScale::Linear));
    assert_eq!(scales(&[2.0, 4.0, 6.0]), (AxisScale::Linear, AxisScale::Linear));
    // An ideal speed-up stays straight.
    let mut speedup = of_points(&[(1.0, 1.0), (2.0, 1.9), (4.0, 3.5)]);
    speedup.references = vec![Reference { label: "ideal".into(), line: ReferenceLine::Proportional(1.0) }];
    assert_eq!(speedup.scales(), (AxisScale::Logarithmic, AxisScale::Logarithmic));
}

#[test]
fn borders_stand_where_their_series_are() {
    let jump = |at: f64, low: f64| {
        let curve = vec![(1.0, low), (at, low), (at, f64::NAN), (at, low + 1.0), (64.0, low + 1.0)];
        Series { curve, ..Series::default() }
    };
    let heights = |borders: Vec<IntervalBorder>| {
        let mut figure = figure(vec![jump(8.0, 1.0), jump(20.0, 90.0)]);
        (figure.y.scale, figure.borders) = (AxisScale::Linear, borders);
        let svg = figure.svg().unwrap();
        let document = Document::parse(&svg).unwrap();
        let dashes = document.descendants().filter(|node| node.attribute("stroke") == Some(BORDER_GREY));
        let y: Vec<f64> = dashes
            .flat_map(|node| ["y1", "y2"].map(|name| node.attribute(name).unwrap().parse::<f64>().unwrap()))
            .collect();
        y.iter().copied().fold(0.0, f64::max) - y.iter().copied().fold(f64::INFINITY, f64::min)
    };
    let of = |series: &[usize]| IntervalBorder { x: 8.0, y: None, series: series.into() };
    // In tenths of a pixel; the plot is more than 400 pixels high.
    assert!(heights(vec![of(&[])]) > 4000.0 && heights(vec![of(&[0]), of(&[])]) > 4000.0);
    assert!((200.0..600.0).contains(&heights(vec![of(&[0])])));
    assert!(heights(vec![of(&[0, 1])]) > 4000.0);
    assert!((600.0..2600.0).contains(&heights(vec![IntervalBorder {
        x: 8.0,
        y: Some((20.0, 50.0)),
        series: vec![]
    }])));
    assert!(heights(vec![of(&[7])]) < 0.0);
}

fn grouped(colours: usize, markers: usize) -> Figure {
    let of = |(colour, marker): (usize, usize)| Series {
        label: format!("{colour} {marker}"),
        groups: Some(SeriesGroups { colour: format!("P = {colour}"), marker: format!("machine {marker}") }),
        points: curve((1 + colour + 10 * marker) as f64),
        ..Series::default()
    };
    figure((0..colours).flat_map(|colour| (0..markers).map(move |marker| (colour, marker))).map(of).collect())
}

#[test]
fn two_variables_have_colours_and_markers() {
    let svg = grouped(2, 2).svg().unwrap();
    // Circles for one machine, squares for the other; 7 points each.
    for colour in [BLUE, VERMILION] {
        assert_eq!(
            (count(&svg, "circle", "fill", colour), count(&svg, "polygon", "fill", colour)),
            (7, 7 + 1)
        );
    }
    let shown = texts(&svg);
    for name in ["P = 0", "P = 1", "machine 0", "machine 1"] {
        assert_eq!(shown.iter().filter(|text| *text == name).count(), 1, "{name}: {shown:?}");
    }
    assert!(!shown.iter().any(|text| text == "0 1"), "{shown:?}");
    // More markers could not be told apart.
    let shown = texts(&grouped(1, 6).svg().unwrap());
    assert!(shown.contains(&"0 5".to_owned()) && !shown.contains(&"machine 5".to_owned()), "{shown:?}");
}

#[test]
fn boxes_of_several_series_stand_side_by_side() {
    let distribution = BoxPlot::of(&[1.0, 2.0, 3.0, 4.0, 30.0]).unwrap();
    let of = |label: &str| Series {
        label: label.into(),
        boxes: [1.0, 2.0].map(|x| (x, distribution.clone())).into(),
        ..Series::default()
    };
    let svg = figure(vec![of("before"), of("after")]).svg().unwrap();
    // Four boxes and their outliers.
    for colour in [BLUE, VERMILION] {
        assert_eq!(count(&svg, "circle", "fill", colour), 2);
    }
    let document = Document::parse(&svg).unwrap();
    let lefts: Vec<f64> = document
        .descendants()
        .filter(|node| node.attribute("opacity") == Some("0.25"))
        .map(|node| picture::corners(node).iter().map(|corner| corner.0).fold(f64::INFINITY, f64::min))
        .collect();
    assert_eq!(lefts.len(), 4);
    assert!(lefts[0] < lefts[2] && lefts[2] < lefts[1] && lefts[1] < lefts[3], "{lefts:?}");
}

fn ranked(values: &[(&str, f64)]) -> CategoryChart {
    let values: Vec<RankedValue> =
        values.iter().map(|its| RankedValue { label: its.0, value: its.1, interval: None }).collect();
    CategoryChart::ranked("all", "time", &DisplayUnit::seconds(), &values)
}

#[test]
fn the_largest_share_is_first() {
    let chart = ranked(&[("small", 1.0), ("large", 6.0), ("nothing", f64::NAN), ("middle", 3.0)]);
    let svg = chart.svg().unwrap();
    let shown = texts(&svg);
    let place = |wanted: &str| shown.iter().position(|text| text == wanted);
    for text in ["6 s, 60.0 %", "3 s, 30.0 %", "1 s, 10.0 %"] {
        assert!(place(text).is_some(), "{text}: {shown:?}");
    }
    assert!(
        place("large") < place("middle") && place("middle") < place("small") && place("nothing").is_none()
    );
    // The lengths of bars are as their values.
    let document = Document::parse(&svg).unwrap();
    let bars = document
        .descendants()
        .filter(|node| node.has_tag_name("polygon") && node.attribute("fill") == Some(BLUE));
    let widths: Vec<f64> = bars
        .map(|bar| picture::corners(bar).iter().map(|corner| corner.0).collect::<Vec<_>>())
        .map(|xs| xs.iter().copied().fold(0.0, f64::max) - xs.iter().copied().fold(f64::INFINITY, f64::min))
        .collect();
    assert!(
        (widths[0] / widths[2] - 6.0).abs() < 0.02 && (widths[1] / widths[2] - 3.0).abs() < 0.02,
        "{widths:?}"
    );
    assert!(texts(&ranked(&[("f", 2.0), ("g", -1.0)]).svg().unwrap()).contains(&"2 s".to_owned()));
    assert_eq!(ranked(&[]).svg(), Err(Error::Empty { title: "all".into() }));
}

#[test]
fn names_of_categories_are_never_cut() {
    let long = "transpose of the distributed matrix, in the loop over all blocks";
    let chart = ranked(&[(long, 2.0), ("fft", 1.0)]);
    assert!(texts(&chart.svg().unwrap()).contains(&long.to_owned()));
    assert!(chart.text(80, 24, Look::Unicode).unwrap().contains(long));
    // Where rows have no room, it says how many.
    let names: Vec<String> = (0..40).map(|k| format!("f{k}")).collect();
    let values: Vec<RankedValue> =
        names.iter().map(|label| RankedValue { label, value: 1.0, interval: Some((0.5, 2.0)) }).collect();
    let chart = CategoryChart::ranked("all", "calls", &DisplayUnit::parse("visits"), &values);
    let text = chart.text(80, 24, Look::Ascii).unwrap();
    let shown = (0..40).filter(|k| text.contains(&format!("f{k}+"))).count();
    assert!(shown > 10 && text.contains(&format!("and {} more", 40 - shown)), "{text}");
    assert!(texts(&chart.svg().unwrap()).contains(&"f39".to_owned()));
}

#[test]
fn labels_of_the_vertical_axis_are_broken_instead_of_cut() {
    let mut figure = of_points(&[(1.0, 1.0), (2.0, 2.0)]);
    figure.y.label =
        "the energy of all nodes of the machine, with their memory and the network between them (J)".into();
    let shown = texts(&figure.svg().unwrap()).join(" ");
    assert!(
        shown.contains("the energy of all nodes") && shown.contains("between them") && !shown.contains('…'),
        "{shown}"
    );
    let text = figure.text(60, 20, Look::Unicode).unwrap();
    assert!(text.contains("between them") && !text.contains('…'), "{text}");
}

fn any_chart() -> impl Strategy<Value = CategoryChart> {
    let values = || vec(prop_oneof![-1e3..1e3_f64, any::<f64>()], 0..9);
    let row = ("\\PC{0,90}", values(), any::<bool>());
    (vec(row, 0..50), any::<bool>(), "\\PC{0,40}").prop_map(|(rows, is_ranked, title)| {
        if is_ranked {
            let value = |(label, values, has_interval): &'_ (String, Vec<f64>, bool)| {
                let value = values.first().copied().unwrap_or(0.0);
                (label.clone(), value, has_interval.then(|| (value - 1.0, value + 2.0)))
            };
            let values: Vec<_> = rows.iter().map(value).collect();
            let values: Vec<RankedValue> = values
                .iter()
                .map(|(label, value, interval)| RankedValue { label, value: *value, interval: *interval })
                .collect();
            CategoryChart::ranked(&title, "memory", &DisplayUnit::parse("bytes"), &values)
        } else {
            let rows: Vec<(&str, &[f64])> =
                rows.iter().map(|row| (row.0.as_str(), row.1.as_slice())).collect();
            CategoryChart::box_plots(&title, Axis::new("time"), &rows)
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_chart_is_drawn_inside_of_the_picture(chart in any_chart(), columns in 40..130_usize, rows in 12..40_usize) {
        if let Ok(svg) = chart.svg() {
            check_svg(&svg)?;
            check_text(&chart.text(columns, rows, Look::Unicode).expect("drawn before"), columns, rows)?;
        }
    }
}
