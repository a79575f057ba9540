//! Rows for many processors, and the names of their supersteps.

use crate::picture::{corners, count, texts};
use crate::timeline::{BLACK, BLUE, VERMILION, WHITE, areas, fig_1, one_row, size, total};
use call_report::timeline::{ChainStretch, MachinePart, ProcessorRow, TimelineActivity, TimelineBar};
use call_report::{Look, Timeline};
use roxmltree::Document;

/// So many processors, supersteps, and lengths of computation.
fn barriers(processors: usize, supersteps: usize, work: impl Fn(usize, usize) -> f64) -> Timeline {
    let of = |row: usize| {
        let bars = (0..supersteps).flat_map(|superstep| {
            let work = work(row, superstep);
            let start_s = 3.0 * superstep as f64;
            let bar = |activity, start: f64, end: f64| TimelineBar {
                activity,
                start_s: start_s + start,
                end_s: start_s + end,
                superstep,
            };
            [
                bar(TimelineActivity::Computing, 0.0, work),
                bar(TimelineActivity::Waiting, work, 2.0),
                bar(TimelineActivity::Communicating, 2.0, 3.0),
            ]
        });
        ProcessorRow { label: String::new(), bars: bars.collect() }
    };
    Timeline { title: "barriers".into(), rows: (0..processors).map(of).collect(), ..Timeline::default() }
}

/// Between 0 and 2.
fn noise(row: usize, superstep: usize) -> f64 {
    (row * 7919 + superstep * 104_729) as f64 * 0.618_034 % 2.0
}

#[test]
fn many_processors_share_rows() {
    let timeline = barriers(1000, 10, noise);
    let svg = timeline.svg().unwrap();
    let texts = texts(&svg);
    for expected in
        ["processors, 20 in a row", "P0", "P100", "superstep", "2", "shares, where bars are narrow"]
    {
        assert!(texts.iter().any(|text| text == expected), "{expected}: {texts:?}");
    }
    // All communicate from 2 to 3 of each 3, and on the average compute in half of the other time.
    let white = size(&areas(&svg, WHITE)[0]);
    let black = total(&svg, BLACK);
    assert!((black / white - 1.0 / 3.0).abs() < 0.03, "{black} {white}");
    let text = timeline.text(80, 30, Look::Unicode).unwrap();
    assert!(text.contains("processors, 50 in a row") && text.contains("\nP900┤"), "{text}");
}

#[test]
fn large_diagrams_are_small_files() {
    let size = |processors, supersteps| barriers(processors, supersteps, noise).svg().unwrap().len();
    for (processors, supersteps, most) in
        [(2, 2, 12_000), (64, 200, 400_000), (1000, 10, 300_000), (1000, 100, 500_000), (30, 5000, 600_000)]
    {
        let size = size(processors, supersteps);
        assert!(size < most, "{processors} x {supersteps}: {size}");
    }
}

#[test]
fn the_critical_chain_jumps_from_row_to_row() {
    let mut timeline = fig_1();
    timeline.chain = vec![
        ChainStretch { row: 1, start_s: 0.0, end_s: 3.0 },
        ChainStretch { row: 0, start_s: 3.0, end_s: 5.0 },
    ];
    let svg = timeline.svg().unwrap();
    let document = Document::parse(&svg).unwrap();
    let line = document.descendants().find(|node| node.attribute("stroke") == Some(VERMILION)).unwrap();
    let places = corners(line);
    // Along P1, up, along P0.
    assert_eq!(places.len(), 4);
    assert!(
        places[0].1 == places[1].1 && places[1].0 == places[2].0 && places[2].1 == places[3].1,
        "{places:?}"
    );
    assert!(places[2].1 < places[1].1);
    assert!(((places[1].0 - places[0].0) / (places[3].0 - places[0].0) - 0.6).abs() < 0.001);
    assert!(texts(&svg).contains(&"critical chain".to_owned()));
    // Where it jumps more often than can be seen, its shares are areas.
    let stretch =
        |k: usize| ChainStretch { row: k % 2, start_s: 5e-4 * k as f64, end_s: 5e-4 * (k + 1) as f64 };
    timeline.chain = (0..10_000).map(stretch).collect();
    let svg = timeline.svg().unwrap();
    assert_eq!((areas(&svg, VERMILION).len(), svg.len() < 15_000), (2, true));
}

#[test]
fn parts_are_outlined_and_their_supersteps_named() {
    let mut timeline = barriers(4, 3, |row, _| 1.0 + 0.2 * row as f64);
    // The second superstep is that of a part, and has another number on the others.
    for row in &mut timeline.rows[2..] {
        for bar in &mut row.bars[3..6] {
            bar.superstep = 7;
        }
    }
    timeline.supersteps = vec![String::new(), "a.1".into()];
    timeline.parts = vec![
        MachinePart { label: "a".into(), rows: 0..2, start_s: 3.0, end_s: 6.0 },
        MachinePart { label: "b".into(), rows: 2..4, start_s: 3.0, end_s: 6.0 },
    ];
    let svg = timeline.svg().unwrap();
    // And one in the legend.
    assert_eq!(count(&svg, "polyline", "stroke", BLUE), 3);
    let texts = texts(&svg);
    for expected in ["superstep 1", "a.1", "superstep 3", "8", "a", "b", "part of the machine"] {
        assert_eq!(texts.iter().filter(|text| *text == expected).count(), 1, "{expected}: {texts:?}");
    }
}

#[test]
fn names_are_given_or_counted() {
    let mut timeline = barriers(2, 2, |_, _| 1.0);
    timeline.rows[1].label = "node <1>".into();
    timeline.supersteps = vec!["scatter".into()];
    let texts = texts(&timeline.svg().unwrap());
    for expected in ["P0", "node <1>", "scatter", "2", "time"] {
        assert!(texts.iter().any(|text| text == expected), "{expected}: {texts:?}");
    }
}

#[test]
fn numbers_of_supersteps_say_what_they_are() {
    let mut timeline = barriers(2, 2, |_, _| 1.0);
    timeline.supersteps = vec!["4".into(), "5".into()];
    let texts = texts(&timeline.svg().unwrap());
    assert!(
        texts.contains(&"superstep 4".to_owned()) && texts.contains(&"superstep 5".to_owned()),
        "{texts:?}"
    );
}

#[test]
fn a_superstep_beside_narrow_ones_has_its_number() {
    let mut timeline = one_row(&[('w', 1e-6), ('w', 1e-6), ('c', 1e-3)]);
    for (superstep, bar) in timeline.rows[0].bars.iter_mut().enumerate() {
        bar.superstep = superstep;
    }
    let svg = timeline.svg().unwrap();
    let above: Vec<String> =
        texts(&svg).into_iter().filter(|text| ["1", "2", "3"].contains(&&**text)).collect();
    assert_eq!(above, ["3"]);
}

#[test]
fn the_picture_is_as_high_as_its_rows_need() {
    let height = |svg: &str| -> u32 {
        Document::parse(svg).unwrap().root_element().attribute("height").unwrap().parse().unwrap()
    };
    let (few, many) = (fig_1(), barriers(100, 1, noise));
    assert_eq!((height(&few.svg().unwrap()), few.height(900)), (294, 294));
    assert_eq!((height(&many.svg().unwrap()), many.height(1800)), (600, 1200));
    assert!(few.png(1200, few.height(1200)).unwrap().starts_with(b"\x89PNG"));
}
