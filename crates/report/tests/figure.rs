//! What is in the pictures.

use crate::picture::{count, texts};
use call_report::{
    Axis, AxisScale, Error, Figure, IntervalBorder, Look, Reference, ReferenceLine, Series, Surface,
};
use roxmltree::Document;

pub(crate) fn axis(label: &str, scale: AxisScale) -> Axis {
    Axis { scale, ..Axis::new(label) }
}

pub(crate) fn series(label: &str, points: &[(f64, f64)], curve: &[(f64, f64)]) -> Series {
    Series { label: label.into(), points: points.into(), curve: curve.into(), ..Series::default() }
}

pub(crate) fn figure(series: Vec<Series>) -> Figure {
    Figure {
        title: "FFT".into(),
        x: axis("N", AxisScale::Automatic),
        y: axis("time (s)", AxisScale::Automatic),
        series,
        ..Figure::default()
    }
}

pub(crate) const BLUE: &str = "#0072B2";

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
    figure.borders = [4096.0, 10_000.0].map(IntervalBorder::from).into();
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
fn axes_of_percent_have_their_unit_at_the_ticks() {
    let mut figure = figure(vec![series("", &[(1.0, 0.5), (2.0, 1.0)], &[])]);
    figure.y.label = "error (%)".into();
    let texts = texts(&figure.svg().unwrap());
    assert!(texts.contains(&"error".to_owned()) && texts.contains(&"0.6 %".to_owned()), "{texts:?}");
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
fn ends_that_are_hardly_numbers_are_zero() {
    let rows = vec![-3.9e136, -0.0];
    let surface =
        Surface { columns: vec![-2.1e-308, -0.0], rows, values: vec![0.0; 4], ..Surface::default() };
    assert!(surface.text(40, 12, Look::Unicode).is_ok());

    let references = vec![Reference { label: "ideal".into(), line: ReferenceLine::Proportional(1e-170) }];
    let figure = Figure {
        x: Axis { to: Some(6e-136), ..axis("N", AxisScale::Automatic) },
        y: axis("time (s)", AxisScale::Logarithmic),
        references,
        ..figure(vec![series("", &[(0.0, 6e166)], &[])])
    };
    assert!(figure.text(40, 12, Look::Unicode).is_ok());
}

#[test]
fn values_that_have_no_logarithm_are_skipped() {
    let good = [(1.0, 1.0), (2.0, 2.0), (3.0, 300.0)];
    let bad = [good.as_slice(), &[(0.0, 1.0), (-1.0, 1.0), (1.0, 0.0)]].concat();
    let figure = |points: &[(f64, f64)]| {
        let mut figure = figure(vec![series("f", points, &[])]);
        (figure.x.scale, figure.y.scale) = (AxisScale::Logarithmic, AxisScale::Logarithmic);
        figure.svg()
    };
    assert_eq!(figure(&bad), figure(&good));
}

#[test]
fn a_hole_interrupts_the_curve() {
    let curve =
        [(1.0, 1.0), (2.0, 2.0), (2.0, f64::NAN), (2.0, 3.0), (3.0, 4.0), (f64::NAN, f64::NAN), (4.0, 4.0)];
    let svg = figure(vec![series("f", &[], &curve)]).svg().unwrap();
    // One line more is in the legend.
    assert_eq!(count(&svg, "line", "stroke", BLUE), 3);
}

#[test]
fn borders_are_dashed_lines_inside_of_the_data() {
    let points = [(1.0, 1.0), (9.0, 9.0)];
    let with = |borders: &[f64]| {
        let mut figure = figure(vec![series("f", &points, &[])]);
        figure.borders = borders.iter().copied().map(IntervalBorder::from).collect();
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
    figure.y.scale = AxisScale::Logarithmic;
    let error = figure.svg().unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is nothing to draw in the figure `FFT`: time (s) is logarithmic and has no positive values"
    );
    assert_eq!(error.cure(), Some("draw it on a linear scale"));
}

#[test]
fn extrapolated_parts_are_dashed() {
    let curve: Vec<(f64, f64)> = (0..=100).map(|k| (f64::from(k), 1.0 + f64::from(k))).collect();
    let lines = |sampled| {
        let series = Series { curve: curve.clone(), sampled, ..Series::default() };
        let svg = figure(vec![series]).svg().unwrap();
        let is_there = texts(&svg).contains(&"extrapolated".to_owned());
        (count(&svg, "polyline", "stroke", BLUE) + count(&svg, "line", "stroke", BLUE), is_there)
    };
    assert_eq!(lines(None), (1, false));
    assert_eq!(lines(Some((0.0, 100.0))), (1, false));
    let (pieces, is_explained) = lines(Some((10.0, 50.0)));
    assert!(pieces > 20 && is_explained, "{pieces}");
}

#[test]
fn no_curve_is_left_out() {
    let of = |k: u32| {
        let curve = vec![(1.0, f64::from(k)), (2.0, f64::from(k)), (4.0, f64::from(k + 1))];
        Series { label: format!("P = {k}"), value: Some(f64::from(k)), curve, ..Series::default() }
    };
    let drawn = |count: u32| {
        let mut figure = figure((1..=count).map(of).collect());
        figure.by = axis("P", AxisScale::Automatic);
        let svg = figure.svg().unwrap();
        let document = Document::parse(&svg).unwrap();
        let strokes = document.descendants().filter(|node| node.has_tag_name("polyline"));
        let mut colours: Vec<&str> = strokes.filter_map(|node| node.attribute("stroke")).collect();
        colours.sort_unstable();
        colours.dedup();
        (colours.len(), texts(&svg))
    };
    let (colours, texts) = drawn(9);
    assert_eq!(colours, 9);
    assert!((1..=9).all(|k| texts.contains(&format!("P = {k}"))), "{texts:?}");
    // A colour bar with its label stands for a long legend.
    let (colours, texts) = drawn(40);
    assert!(
        colours > 35 && texts.contains(&"P".to_owned()) && !texts.contains(&"P = 1".to_owned()),
        "{texts:?}"
    );
}

#[test]
fn references_are_drawn_and_named() {
    let mut figure = figure(vec![series("f", &[(1.0, 1.0), (4.0, 3.0), (8.0, 5.0)], &[])]);
    let before = figure.svg().unwrap();
    figure.references = vec![Reference { label: "ideal".into(), line: ReferenceLine::Proportional(1.0) }];
    let svg = figure.svg().unwrap();
    assert!(texts(&svg).contains(&"ideal".to_owned()) && !texts(&before).contains(&"ideal".to_owned()));
    // The axis reaches to the end of the line.
    assert!(texts(&svg).contains(&"8 s".to_owned()) && !texts(&before).contains(&"8 s".to_owned()));
}

fn plane() -> Surface {
    let places: Vec<f64> = (0..=10).map(f64::from).collect();
    Surface {
        title: "plane".into(),
        x: axis("N", AxisScale::Automatic),
        y: axis("P", AxisScale::Automatic),
        value: axis("time (s)", AxisScale::Linear),
        values: places.iter().flat_map(|y| places.iter().map(move |x| 1e-3 * (x + y))).collect(),
        columns: places.clone(),
        rows: places,
        ..Surface::default()
    }
}

#[test]
fn surfaces_have_bands_with_labels() {
    let texts = texts(&plane().svg().unwrap());
    let labels = |label: &str| texts.iter().filter(|text| *text == label).count();
    // On the line and at the bar.
    assert_eq!((labels("4 ms"), labels("10 ms"), labels("time")), (2, 2, 1), "{texts:?}");
}

#[test]
fn what_is_no_grid_is_an_error() {
    let broken = |change: &dyn Fn(&mut Surface)| {
        let mut surface = plane();
        change(&mut surface);
        surface.svg().unwrap_err()
    };
    let error = broken(&|surface| surface.values.truncate(7));
    assert_eq!(
        error.to_string(),
        "the surface `plane` is no grid: it needs two columns and two rows or more, in ascending order, and 11 * 11 values, \
         but has 7"
    );
    assert!(matches!(broken(&|surface| surface.rows.reverse()), Error::Grid { .. }));
    assert!(matches!(broken(&|surface| surface.rows[3] = f64::NAN), Error::Grid { .. }));
    assert!(matches!(broken(&|surface| surface.values.fill(f64::NAN)), Error::Empty { .. }));
    assert!(matches!(broken(&|surface| surface.x.scale = AxisScale::Logarithmic), Error::NotPositive { .. }));
}

#[test]
fn pictures_have_sensible_sizes() {
    let figure = figure(vec![series("f", &[(1.0, 1.0), (4.0, 3.0)], &[])]);
    for (width, height) in [(0, 0), (149, 600), (1000, 200), (10_000, 9000), (u32::MAX, u32::MAX)] {
        assert!(matches!(figure.png(width, height), Err(Error::Size { .. })), "{width} {height}");
    }
    let png = figure.png(640, 400).unwrap();
    // The first chunk of the file tells the size.
    assert_eq!((&png[12..16], &png[16..24]), (b"IHDR".as_slice(), [0, 0, 2, 128, 0, 0, 1, 144].as_slice()));
    for (columns, rows) in [(0, 0), (39, 24), (80, 11), (usize::MAX, usize::MAX)] {
        assert!(matches!(figure.text(columns, rows, Look::Unicode), Err(Error::Size { .. })));
    }
}

#[test]
fn characters_show_points_curves_and_axes() {
    let points = [(0.0, 0.0), (5.0, 0.005), (10.0, 0.01)];
    let figure = figure(vec![series("f", &points, &points)]);
    let expected = "\
FFT
time
10 ms┐                             ⣀⡠⠔●
     │                       ⣀⡠⠤⠒⠊⠉
     │                 ⣀⡠⠤⠒⠊⠉
 5 ms┤           ⣀⡠⠤⠒⠊●
     │     ⢀⣀⠤⠔⠒⠉
    0┤●⠤⠔⠒⠉⠁
     └┬─────┬──────┬─────┬──────┬─────┬─
      0     2      4     6      8     10
                       N
      ⠤●⠤ f    ●  measured   ⠤⠤⠤ fitted
";
    assert_eq!(figure.text(40, 12, Look::Unicode).unwrap(), expected);
    let ascii = figure.text(40, 12, Look::Ascii).unwrap();
    assert!(ascii.is_ascii() && ascii.contains("10 ms+"), "{ascii}");
    let coloured = figure.text(40, 12, Look::Coloured).unwrap();
    assert!(coloured.contains("\u{1b}[0;38;5;31m⣀⡠⠔●"), "{coloured}");
}

#[test]
fn many_points_make_small_files() {
    let points: Vec<(f64, f64)> = (0..100_000_u32)
        .map(|k| (f64::from(k % 331), f64::from(k.wrapping_mul(2_654_435_761) >> 8)))
        .collect();
    let mut curve = points.clone();
    curve.sort_by(|a, b| a.0.total_cmp(&b.0));
    let figure = figure(vec![series("f", &points, &curve)]);
    let size = figure.svg().unwrap().len();
    assert!(size < 600_000, "{size}");
}
