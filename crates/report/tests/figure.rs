//! What is in the pictures.

use call_report::{Axis, Error, Figure, Scale, Series};
use proptest::collection::vec;
use proptest::prelude::*;
use roxmltree::Document;

fn axis(label: &str, scale: Scale) -> Axis {
    Axis { label: label.into(), scale }
}

fn series(label: &str, points: &[(f64, f64)], curve: &[(f64, f64)]) -> Series {
    Series { label: label.into(), points: points.into(), curve: curve.into() }
}

fn figure(series: Vec<Series>) -> Figure {
    Figure {
        title: "FFT".into(),
        x: axis("N", Scale::Automatic),
        y: axis("time (s)", Scale::Automatic),
        series,
        ..Figure::default()
    }
}

/// The texts of a picture, which must be well-formed, in their order.
fn texts(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).expect("well-formed");
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.filter_map(|node| node.text()).map(|text| text.trim().to_owned()).collect()
}

/// The number of elements with this name and colour.
fn count(svg: &str, name: &str, attribute: &str, colour: &str) -> usize {
    let document = Document::parse(svg).expect("well-formed");
    let elements = document.descendants().filter(|node| node.has_tag_name(name));
    elements.filter(|node| node.attribute(attribute) == Some(colour)).count()
}

const BLUE: &str = "#0072B2";
const VERMILION: &str = "#D55E00";
const BORDER_GREY: &str = "#7D7D7D";

#[test]
fn the_picture_has_the_size_of_the_page() {
    let svg = figure(vec![series("f", &[(1.0, 1.0)], &[])]).svg().unwrap();
    let document = Document::parse(&svg).unwrap();
    let root = document.root_element();
    assert_eq!((root.attribute("width"), root.attribute("height")), (Some("900"), Some("600")));
    assert_eq!(root.attribute("viewBox"), Some("0 0 9000 6000"));
}

#[test]
fn all_texts_are_there() {
    let points = [(1024.0, 1e-5), (4096.0, 1e-3), (65536.0, 0.1)];
    let mut figure = figure(vec![series("P = 1", &points, &points), series("P = 2", &points[1..], &[])]);
    figure.borders = vec![4096.0, 10_000.0];
    figure.notes = vec!["f[0] + f[1]*N".into(), "3 runs".into()];
    let expected = [
        "FFT",
        "f[0] + f[1]*N",
        "3 runs",
        "N",
        "time", // heading and axes
        "1024",
        "2048",
        "4096",
        "8192",
        "16384",
        "32768",
        "65536", // N
        "10 µs",
        "100 µs",
        "1 ms",
        "10 ms",
        "100 ms", // time
        "4096",
        "10000", // borders
        "P = 1",
        "P = 2",
        "measured",
        "fitted", // legend
    ];
    assert_eq!(texts(&figure.svg().unwrap()), expected);
}

#[test]
fn linear_axes_count_in_round_steps() {
    let points = [(1.0, 0.002), (2.0, 0.004), (3.0, 0.006)];
    let texts = texts(&figure(vec![series("", &points, &[])]).svg().unwrap());
    assert_eq!(
        texts,
        ["FFT", "N", "time", "0", "1", "2", "3", "0", "1 ms", "2 ms", "3 ms", "4 ms", "5 ms", "6 ms"]
    );
}

#[test]
fn axes_without_times_have_plain_numbers() {
    let mut figure = figure(vec![series("", &[(1.0, 0.5), (2.0, 1.0)], &[])]);
    figure.y.label = "error (%)".into();
    let texts = texts(&figure.svg().unwrap());
    assert!(texts.contains(&"error (%)".to_owned()) && texts.contains(&"0.6".to_owned()), "{texts:?}");
}

#[test]
fn texts_are_escaped() {
    let title = "ℵ of <f[0]> & \"g\"";
    let mut figure = figure(vec![series("a < b", &[(1.0, 1.0)], &[])]);
    figure.title = title.into();
    figure.notes = vec!["a\0b]]>".into()];
    let svg = figure.svg().unwrap();
    let texts = texts(&svg);
    for expected in [title, "a < b", "a\u{fffd}b]]>"] {
        assert!(texts.iter().any(|text| text == expected), "{expected}: {texts:?}");
    }
}

#[test]
fn points_and_curve_of_a_series_have_one_colour() {
    let points = [(1.0, 1.0), (2.0, 2.0), (3.0, 3.0)];
    let svg = figure(vec![series("f", &points, &points), series("g", &points[..2], &points)]).svg().unwrap();
    // One marker more and one line more are in the legend.
    assert_eq!((count(&svg, "circle", "fill", BLUE), count(&svg, "polyline", "stroke", BLUE)), (4, 1));
    assert_eq!(
        (count(&svg, "polygon", "fill", VERMILION), count(&svg, "polyline", "stroke", VERMILION)),
        (3, 1)
    );
    assert_eq!((count(&svg, "line", "stroke", BLUE), count(&svg, "line", "stroke", VERMILION)), (1, 1));
}

#[test]
fn values_that_are_not_finite_are_skipped() {
    let good = [(1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (4.0, 4.0)];
    let mut bad = good.to_vec();
    bad.extend([(f64::NAN, 1.0), (2.0, f64::INFINITY), (f64::NEG_INFINITY, f64::NAN), (1e299, 1.0)]);
    let figure = |points: &[(f64, f64)]| figure(vec![series("f", points, &[])]).svg();
    assert_eq!(figure(&bad), figure(&good));
}

#[test]
fn values_that_have_no_logarithm_are_skipped() {
    let good = [(1.0, 1.0), (2.0, 2.0), (3.0, 300.0)];
    let bad = [good.as_slice(), &[(0.0, 1.0), (-1.0, 1.0), (1.0, 0.0)]].concat();
    let figure = |points: &[(f64, f64)]| {
        let mut figure = figure(vec![series("f", points, &[])]);
        (figure.x.scale, figure.y.scale) = (Scale::Logarithmic, Scale::Logarithmic);
        figure.svg()
    };
    assert_eq!(figure(&bad), figure(&good));
}

#[test]
fn a_hole_interrupts_the_curve() {
    let curve =
        [(1.0, 1.0), (2.0, 2.0), (2.0, f64::NAN), (2.0, 3.0), (3.0, 4.0), (f64::NAN, f64::NAN), (4.0, 4.0)];
    let svg = figure(vec![series("f", &[], &curve)]).svg().unwrap();
    assert_eq!(count(&svg, "polyline", "stroke", BLUE), 2);
}

#[test]
fn borders_are_dashed_lines_inside_of_the_data() {
    let points = [(1.0, 1.0), (9.0, 9.0)];
    let with = |borders: &[f64]| {
        let mut figure = figure(vec![series("f", &points, &[])]);
        figure.borders = borders.into();
        let svg = figure.svg().unwrap();
        (count(&svg, "line", "stroke", BORDER_GREY), texts(&svg).iter().filter(|text| *text == "4.5").count())
    };
    let (dashes, labels) = with(&[4.5]);
    assert!(dashes > 20 && labels == 1, "{dashes} dashes");
    assert_eq!(with(&[4.5, 4.5, f64::NAN, f64::INFINITY, -7.0, 100.0]), (dashes, labels));
    assert_eq!(with(&[f64::NEG_INFINITY, 100.0]), (0, 0));
}

#[test]
fn points_at_one_place_are_drawn_once() {
    let svg = figure(vec![series("", &vec![(2.0, 2.0); 100_000], &[])]).svg().unwrap();
    assert_eq!(count(&svg, "circle", "fill", BLUE), 1);
}

#[test]
fn without_anything_to_draw_there_is_an_error() {
    let empty = Error::Empty { title: "FFT".into() };
    assert_eq!(figure(vec![]).svg(), Err(empty.clone()));
    assert_eq!(figure(vec![series("f", &[(f64::NAN, 1.0)], &[(1.0, 1.0)])]).svg(), Err(empty));
    let mut figure = figure(vec![series("f", &[(1.0, 0.0), (2.0, -1.0)], &[])]);
    figure.y.scale = Scale::Logarithmic;
    let error = figure.svg().unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is nothing to draw in the figure `FFT`: time (s) is logarithmic and has no positive values; draw it on a \
         linear scale"
    );
}

fn scale() -> impl Strategy<Value = Scale> {
    prop_oneof![Just(Scale::Linear), Just(Scale::Logarithmic), Just(Scale::Automatic)]
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

fn any_figure() -> impl Strategy<Value = Figure> {
    let text = || "\\PC{0,60}|[a-z <&\n\0]{0,300}";
    let series =
        (text(), points(20), points(20)).prop_map(|(label, points, curve)| Series { label, points, curve });
    let axes = (text(), scale(), prop_oneof![Just("time (s)".to_owned()), text().boxed()], scale());
    let few = (vec(series, 0..12), vec(coordinate(), 0..6), vec(text(), 0..5));
    (text(), axes, few).prop_map(|(title, (x_label, x_scale, y_label, y_scale), (series, borders, notes))| {
        Figure {
            title,
            x: Axis { label: x_label, scale: x_scale },
            y: Axis { label: y_label, scale: y_scale },
            series,
            borders,
            notes,
        }
    })
}

/// Places of lines, circles and texts, as far as they are written with these attributes.
fn coordinates<'a>(document: &'a Document<'a>) -> impl Iterator<Item = (&'a str, f64)> {
    let is_place = |name: &str| ["x", "y", "x1", "y1", "x2", "y2", "cx", "cy"].contains(&name);
    let attributes = document.descendants().flat_map(|node| node.attributes());
    attributes
        .filter(move |attribute| is_place(attribute.name()))
        .map(|attribute| (attribute.name(), attribute.value().parse().expect("a number")))
}

/// Places of the corners of lines and shapes.
fn vertices<'a>(document: &'a Document<'a>) -> impl Iterator<Item = (f64, f64)> {
    let lists = document.descendants().filter_map(|node| node.attribute("points"));
    lists.flat_map(str::split_whitespace).map(|pair| {
        let (x, y) = pair.split_once(',').expect("two numbers");
        (x.parse().expect("a number"), y.parse().expect("a number"))
    })
}

proptest! {
    #[test]
    fn every_figure_is_drawn_well_formed_and_inside_of_the_picture(figure in any_figure()) {
        let drawn = figure.svg();
        prop_assert_eq!(&drawn, &figure.svg());
        if let Ok(svg) = drawn {
            let document = Document::parse(&svg).expect("well-formed");
            for (name, place) in coordinates(&document) {
                let end = if name.contains('x') { 9000.0 } else { 6000.0 };
                prop_assert!((0.0..=end).contains(&place), "{} = {}", name, place);
            }
            for place in vertices(&document) {
                prop_assert!((0.0..=9000.0).contains(&place.0) && (0.0..=6000.0).contains(&place.1), "{:?}", place);
            }
        }
    }
}
