//! Where the names of curves stand.

use crate::figure::{BLUE, figure, series};
use crate::picture::{count, texts};
use call_report::{AxisScale, Figure};
use roxmltree::Document;

/// Curves y = c x from 1 to 64 with names c.
fn named_curves(slopes: &[f64]) -> Figure {
    let of = |slope: &f64| {
        let curve: Vec<(f64, f64)> = (0..=6).map(|k| 2_f64.powi(k)).map(|x| (x, slope * x)).collect();
        series(&format!("c = {slope}"), &[], &curve)
    };
    Figure { names_at_curves: true, ..figure(slopes.iter().map(of).collect()) }
}

/// The heights of texts that begin so, from top to bottom.
fn heights(svg: &str, beginning: &str) -> Vec<(String, f64)> {
    let document = Document::parse(svg).expect("well-formed");
    let named = document.descendants().filter(|node| node.has_tag_name("text")).filter_map(|node| {
        let text = node.text()?.trim().to_owned();
        text.starts_with(beginning).then_some((text, node.attribute("y")?.parse().expect("a number")))
    });
    let mut named: Vec<(String, f64)> = named.collect();
    named.sort_by(|a, b| a.1.total_cmp(&b.1));
    named
}

#[test]
fn names_stand_beside_the_ends_of_their_curves() {
    // By logarithms, equal factors are equal distances.
    let svg = named_curves(&[1.0, 10.0, 1000.0]).svg().unwrap();
    let names = heights(&svg, "c = ");
    let texts: Vec<&str> = names.iter().map(|name| name.0.as_str()).collect();
    assert_eq!(texts, ["c = 1000", "c = 10", "c = 1"]);
    let (far, near) = (names[1].1 - names[0].1, names[2].1 - names[1].1);
    assert!((far / near - 2.0).abs() < 0.01, "{far} {near}");
}

#[test]
fn names_of_curves_that_end_together_stand_above_each_other() {
    let slopes: Vec<f64> = (1..=10).map(|k| 1.0 + 0.001 * f64::from(k)).collect();
    let names = heights(&named_curves(&slopes).svg().unwrap(), "c = ");
    assert_eq!(names.len(), 10);
    // In units of a tenth of a pixel.
    assert!(names.windows(2).all(|pair| pair[1].1 - pair[0].1 > 200.0), "{names:?}");
    assert!(names.windows(2).all(|pair| pair[0].0 > pair[1].0), "{names:?}");
}

#[test]
fn without_room_beside_the_curves_there_is_a_legend() {
    let mut figure = named_curves(&[1.0, 10.0]);
    figure.series[1].label = "a name that is much too long to stand beside the plot".into();
    let svg = figure.svg().unwrap();
    let (first, second) = (&heights(&svg, "c = 1")[0], &heights(&svg, "a name")[0]);
    assert_eq!(first.1, second.1);
}

#[test]
fn ten_curves_differ_without_colours() {
    let slopes: Vec<f64> = (0..10).map(|k| 2_f64.powi(k)).collect();
    let mut figure = named_curves(&slopes);
    // A long line is one element, a dashed one many.
    let dashed = |figure: &Figure| {
        let svg = figure.svg().unwrap();
        let of = |colour| count(&svg, "line", "stroke", colour) + count(&svg, "polyline", "stroke", colour);
        // The first, the third and the sixth series.
        [BLUE, "#009E73", "#56B4E9"].map(|colour| of(colour) > 25)
    };
    figure.series.truncate(6);
    assert_eq!(dashed(&figure), [false, false, true]);
    // Where dashes have another meaning, there are none.
    figure.series[0].sampled = Some((1.0, 64.0));
    assert_eq!(dashed(&figure), [false; 3]);
}

#[test]
fn each_of_few_values_of_a_curve_has_a_marker() {
    let circles = |values: i32, slopes: &[f64]| {
        let of = |slope: &f64| {
            let curve: Vec<(f64, f64)> = (1..=values).map(f64::from).map(|x| (x, slope * x)).collect();
            series("", &[], &curve)
        };
        let mut figure = figure(slopes.iter().map(of).collect());
        figure.y.scale = AxisScale::Linear;
        count(&figure.svg().unwrap(), "circle", "fill", BLUE)
    };
    assert_eq!(circles(4, &[1.0]), 4);
    // And one in the legend.
    assert_eq!(circles(20, &[1.0, 2.0]), 20 + 1);
    // Where there are more, it is a curve, and some markers tell it from others.
    assert_eq!((circles(200, &[1.0]), circles(200, &[1.0, 2.0])), (0, 5 + 1));
}

#[test]
fn long_names_are_cut_only_where_there_is_no_room() {
    let name =
        |k: usize| format!("{k}: a name that takes more than half of a row of the legend, but not all of it");
    let figure = |names: usize| {
        let of = |k: usize| series(&name(k), &[(1.0, 1.0), (2.0, k as f64)], &[]);
        figure((1..=names).map(of).collect())
    };
    assert!(texts(&figure(3).svg().unwrap()).contains(&name(3)));
    let cut = texts(&figure(6).svg().unwrap());
    assert_eq!(cut.iter().filter(|text| text.ends_with('…')).count(), 6, "{cut:?}");
}
