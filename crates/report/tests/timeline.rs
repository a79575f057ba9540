//! What is in superstep diagrams.

use call_report::timeline::{
    ChainStretch, MachinePart, ProcessorRow, TimeMark, TimelineActivity, TimelineBar,
};
use call_report::{Error, Look, Timeline};
use proptest::collection::vec;
use proptest::prelude::*;
use roxmltree::Document;

use crate::picture::{check_svg, check_text, corners, count, texts};

const BLACK: &str = "#000000";
const GREY: &str = "#BEBEBE";
const WHITE: &str = "#FFFFFF";
const VERMILION: &str = "#D55E00";
const BLUE: &str = "#0072B2";
const BORDER_GREY: &str = "#7D7D7D";

/// Bars one after the other, a letter each for activity, and their lengths; a space is a gap.
fn row(superstep: usize, bars: &[(char, f64)]) -> ProcessorRow {
    let mut now_s = 0.0;
    let bar = |&(letter, length_s): &(char, f64)| {
        let start_s = now_s;
        now_s += length_s;
        let activity = match letter {
            'w' => TimelineActivity::Computing,
            'o' => TimelineActivity::Waiting,
            'c' => TimelineActivity::Communicating,
            _ => return None,
        };
        Some(TimelineBar { activity, start_s, end_s: now_s, superstep })
    };
    ProcessorRow { label: String::new(), bars: bars.iter().filter_map(bar).collect() }
}

/// Fig. 1 of the paper: P0 computes for w and 2 w, P1 for 2 w and w, and each communicates for w behind that.
fn fig_1() -> Timeline {
    let of = |first: f64, second: f64| {
        let mut row = row(0, &[('w', first), ('c', 1.0), ('w', second), ('c', 1.0)]);
        for bar in &mut row.bars[2..] {
            bar.superstep = 1;
        }
        row
    };
    Timeline {
        title: "Fig. 1".into(),
        axis: "time (w)".into(),
        rows: vec![of(1.0, 2.0), of(2.0, 1.0)],
        marks: vec![TimeMark { label: "BSP 6 w".into(), time_s: 6.0 }],
        ..Timeline::default()
    }
}

fn one_row(bars: &[(char, f64)]) -> Timeline {
    Timeline { title: "t".into(), rows: vec![row(0, bars)], ..Timeline::default() }
}

/// The corners of areas of a colour, in pixels.
fn areas(svg: &str, colour: &str) -> Vec<Vec<(f64, f64)>> {
    let document = Document::parse(svg).expect("well-formed");
    let filled = document.descendants().filter(|node| node.attribute("fill") == Some(colour));
    let areas = filled.filter(|node| node.has_tag_name("polygon") || node.has_tag_name("path"));
    areas.map(|node| corners(node).into_iter().map(|(x, y)| (x / 10.0, y / 10.0)).collect()).collect()
}

/// The size of an area.
fn size(corners: &[(f64, f64)]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum::<f64>().abs() / 2.0
}

/// The size of all areas of a colour but the last, which is in the legend.
fn total(svg: &str, colour: &str) -> f64 {
    let areas = areas(svg, colour);
    areas[..areas.len() - 1].iter().map(|corners| size(corners)).sum()
}

#[test]
fn fig_1_shows_five_against_six() {
    let svg = fig_1().svg().unwrap();
    let texts = texts(&svg);
    for expected in
        ["P0", "P1", "superstep 1", "superstep 2", "BSP 6 w", "time (w)", "computing", "communicating"]
    {
        assert!(texts.iter().any(|text| text == expected), "{expected}: {texts:?}");
    }
    assert!(!texts.contains(&"waiting".to_owned()));
    // P0 is black from 1 to 2 and 4 to 5, P1 from 2 to 3 and 4 to 5.
    let black = areas(&svg, BLACK);
    let ends = |corners: &[(f64, f64)]| {
        let mut ends: Vec<f64> = corners.iter().map(|corner| corner.0).collect();
        ends.sort_by(f64::total_cmp);
        ends.dedup();
        ends
    };
    let (first, second) = (ends(&black[0]), ends(&black[1]));
    let w = first[1] - first[0];
    let start = first[0] - w;
    let times = |ends: &[f64]| -> Vec<f64> {
        ends.iter().map(|x| ((x - start) / w * 100.0).round() / 100.0).collect()
    };
    assert_eq!((times(&first), times(&second)), (vec![1.0, 2.0, 4.0, 5.0], vec![2.0, 3.0, 4.0, 5.0]));
    let document = Document::parse(&svg).unwrap();
    let marks = document.descendants().filter(|node| {
        node.has_tag_name("line")
            && node.attribute("stroke") == Some(BORDER_GREY)
            && node.attribute("stroke-width") == Some("12")
    });
    let mut places: Vec<f64> =
        marks.map(|node| node.attribute("x1").unwrap().parse::<f64>().unwrap() / 10.0).collect();
    places.dedup();
    assert_eq!(times(&places), [6.0]);
}

#[test]
fn fig_1_in_characters() {
    let mut timeline = fig_1();
    timeline.chain = vec![
        ChainStretch { row: 1, start_s: 0.0, end_s: 3.0 },
        ChainStretch { row: 0, start_s: 3.0, end_s: 5.0 },
    ];
    let expected = "\
Fig. 1
processors
                                                                         BSP 6 w
             superstep 1                     superstep 2
  │                                                                           ┊
  │─────────────▒▒▒▒▒▒▒▒▒▒▒▒─────────────━━━━━━━━━━━━█████████████            ┊
P0┤─────────────▒▒▒▒▒▒▒▒▒▒▒▒─────────────━━━━━━━━━━━━█████████████            ┊
  │─────────────▒▒▒▒▒▒▒▒▒▒▒▒─────────────━━━━━━━━━━━━█████████████            ┊
  │                                     ⢸                                     ┊
  │                                     ⢸                                     ┊
  │━━━━━━━━━━━━━━━━━━━━━━━━━█████████████─────────────▒▒▒▒▒▒▒▒▒▒▒▒            ┊
P1┤━━━━━━━━━━━━━━━━━━━━━━━━━█████████████─────────────▒▒▒▒▒▒▒▒▒▒▒▒            ┊
  │━━━━━━━━━━━━━━━━━━━━━━━━━█████████████─────────────▒▒▒▒▒▒▒▒▒▒▒▒            ┊
  │                                                                           ┊
  └┬───────────┬────────────┬───────────┬────────────┬────────────┬───────────┬─
   0           1            2           3            4            5           6
                                      time (w)
   ─── computing   ▒▒▒ communicating   ━█  critical chain
";
    assert_eq!(timeline.text(80, 24, Look::Unicode).unwrap(), expected);
    let expected = "\
Fig. 1
processors
                                 BSP 6 w
     superstep 1    superstep 2
  |                                    :
P0+------######------======@@@@@@      :
  |                  :                 :
P1+============@@@@@@------######      :
  ++-----+-----+-----+-----+-----+-----+
   0     1     2     3     4     5     6
                  time (w)
   --- computing   ### communicating
   =@  critical chain
";
    assert_eq!(timeline.text(40, 14, Look::Ascii).unwrap(), expected);
    let coloured = timeline.text(80, 24, Look::Coloured).unwrap();
    assert!(coloured.contains("\u{1b}[0;38;5;166m━━━━━━━━━━━━█████████████\u{1b}[0m"), "{coloured}");
}

#[test]
fn areas_are_as_large_as_times() {
    let lengths = [('w', 3.0), ('o', 1.0), ('c', 2.0), ('w', 1.0), (' ', 1.0), ('c', 2.0)];
    let svg = one_row(&lengths).svg().unwrap();
    let (white, grey, black) = (areas(&svg, WHITE), total(&svg, GREY), total(&svg, BLACK));
    // All but a gap of 1 out of 10 is white under the rest; the last area is in the legend.
    let rows: f64 = white[..white.len() - 1].iter().map(|corners| size(corners)).sum();
    assert!((rows / 9.0 - black / 4.0).abs() < 0.01 * rows, "{rows} {black}");
    assert!((grey - black / 4.0).abs() < 0.01 * black, "{grey} {black}");
}

#[test]
fn narrow_bars_keep_their_shares() {
    // 10000 supersteps of 5 : 2 : 3, each a tenth of a pixel wide.
    let superstep = [('w', 5e-7), ('o', 2e-7), ('c', 3e-7)];
    let svg = one_row(&superstep.repeat(10_000)).svg().unwrap();
    assert!(svg.len() < 12_000, "{}", svg.len());
    let white = areas(&svg, WHITE);
    let row = size(&white[0]);
    // Grey lies under black.
    let (grey, black) = (total(&svg, GREY) - total(&svg, BLACK), total(&svg, BLACK));
    assert!((black / row - 0.3).abs() < 0.02 && (grey / row - 0.2).abs() < 0.02, "{black} {grey} {row}");
    let text = one_row(&superstep.repeat(10_000)).text(120, 20, Look::Ascii).unwrap();
    let line = text.lines().find(|line| line.contains("P0+")).unwrap();
    let part = |c: char| line.matches(c).count() as f64 / (line.len() - 3) as f64;
    assert!((part('-') - 0.5).abs() < 0.03 && (part('#') - 0.3).abs() < 0.03, "{line}");
}

#[test]
fn what_is_narrower_than_a_pixel_is_shown_by_its_height() {
    // 200 supersteps of some pixels, which communicate for a fraction of one.
    let superstep = [('w', 2.4e-6), ('c', 1e-7)];
    for count in [50, 100, 200, 400] {
        let svg = one_row(&superstep.repeat(count)).svg().unwrap();
        let (row, black) = (size(&areas(&svg, WHITE)[0]), total(&svg, BLACK));
        assert!((black / row - 0.04).abs() < 0.008, "{count}: {black} {row}");
        for corner in areas(&svg, BLACK)[0].windows(4).filter(|corners| corners[0].1 == corners[3].1) {
            assert!(corner[2].0 - corner[1].0 >= 0.9, "{count}: {corner:?}");
        }
        assert!(texts(&svg).iter().any(|text| text == "shares, where bars are narrow"), "{count}");
    }
    let wide = one_row(&superstep.repeat(20)).svg().unwrap();
    assert!(!texts(&wide).iter().any(|text| text.starts_with("shares")));
}

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
fn times_have_units() {
    for (w, expected) in [(1e-9, "2 ns"), (1e-6, "2 µs"), (1e-3, "2 ms"), (1.0, "2 s")] {
        let texts = texts(&one_row(&[('w', 4.0 * w), ('c', w)]).svg().unwrap());
        assert!(texts.iter().any(|text| text == expected), "{expected}: {texts:?}");
    }
}

#[test]
fn what_is_no_time_is_an_error() {
    let message = |change: &dyn Fn(&mut Timeline)| {
        let mut timeline = fig_1();
        change(&mut timeline);
        timeline.svg().unwrap_err().to_string()
    };
    assert_eq!(
        message(&|timeline| timeline.rows[1].bars[2].end_s = 2.5),
        "the timeline `Fig. 1` cannot be drawn: bar 3 of `P1`, 3 to 2.5 s, ends before it begins"
    );
    assert_eq!(
        message(&|timeline| timeline.rows[0].bars[0].end_s = 1.5),
        "the timeline `Fig. 1` cannot be drawn: bar 2 of `P0`, 1 to 2 s, begins before the one in front of it has ended"
    );
    assert_eq!(
        message(&|timeline| timeline.rows[0].bars[0].start_s = f64::NAN),
        "the timeline `Fig. 1` cannot be drawn: bar 1 of `P0`, NaN to 1 s, has an end that is no finite time"
    );
    assert_eq!(
        message(&|timeline| timeline.marks[0].time_s = f64::INFINITY),
        "the timeline `Fig. 1` cannot be drawn: the mark `BSP 6 w` stands at no finite time"
    );
    assert_eq!(
        message(&|timeline| timeline.chain = vec![ChainStretch { row: 2, start_s: 0.0, end_s: 1.0 }]),
        "the timeline `Fig. 1` cannot be drawn: stretch 1 of the critical chain has a row that is not there"
    );
    assert_eq!(
        message(&|timeline| timeline.parts =
            vec![MachinePart { label: "a".into(), rows: 1..3, start_s: 0.0, end_s: 1.0 }]),
        "the timeline `Fig. 1` cannot be drawn: the part `a` has rows that are not there"
    );
    let nothing = Err(Error::NoBars { title: "t".into() });
    assert_eq!(one_row(&[]).svg(), nothing);
    assert_eq!(one_row(&[('w', 0.0)]).svg(), nothing);
    assert_eq!(Timeline { title: "t".into(), ..Timeline::default() }.text(80, 24, Look::Unicode), nothing);
    assert!(matches!(fig_1().png(10, 10), Err(Error::Size { .. })));
    assert!(matches!(fig_1().text(10, 10, Look::Unicode), Err(Error::Size { .. })));
}

#[test]
fn rounded_ends_may_overlap() {
    let mut timeline = fig_1();
    timeline.rows[0].bars[0].end_s = 1.0 + 1e-12;
    assert!(timeline.svg().is_ok());
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

const TEXT: &str = "\\PC{0,40}|[a-z <&\n\0]{0,200}";

fn length() -> impl Strategy<Value = f64> {
    prop_oneof![3 => 0.0..1.0_f64, 1 => Just(0.0), 1 => (-300..300_i32).prop_map(|exponent| 10_f64.powi(exponent))]
}

fn any_row(most: usize) -> impl Strategy<Value = ProcessorRow> {
    let bars = vec((0..4_u8, length(), 0..6_usize), 0..most);
    (TEXT, bars, prop_oneof![4 => Just(0.0), 1 => -1e6..1e6_f64]).prop_map(|(label, bars, start_s)| {
        let mut now_s = start_s;
        let bar = |(kind, length_s, superstep): (u8, f64, usize)| {
            let start_s = now_s;
            now_s += length_s;
            let activity = match kind {
                0 => TimelineActivity::Computing,
                1 => TimelineActivity::Waiting,
                2 => TimelineActivity::Communicating,
                _ => return None,
            };
            Some(TimelineBar { activity, start_s, end_s: now_s, superstep })
        };
        ProcessorRow { label, bars: bars.into_iter().filter_map(bar).collect() }
    })
}

fn any_timeline() -> impl Strategy<Value = Timeline> {
    let rows = prop_oneof![4 => vec(any_row(12), 0..12), 1 => vec(any_row(4), 100..200)];
    let time = || prop_oneof![40 => -1.0..10.0_f64, 1 => any::<f64>()];
    let span = || (0..12_usize, time(), length());
    let parts = vec((TEXT, span(), 1..5_usize), 0..4);
    let marks = vec((TEXT, time()).prop_map(|(label, time_s)| TimeMark { label, time_s }), 0..4);
    let texts = (TEXT, TEXT, vec(TEXT, 0..3), vec(TEXT, 0..5));
    (texts, rows, parts, vec(span(), 0..6), marks).prop_map(
        |((title, axis, notes, supersteps), rows, parts, chain, marks)| {
            let part = |(label, (row, start_s, length_s), count): (String, (usize, f64, f64), usize)| {
                MachinePart { label, rows: row..row + count, start_s, end_s: start_s + length_s }
            };
            let stretch = |(row, start_s, length_s): (usize, f64, f64)| ChainStretch {
                row,
                start_s,
                end_s: start_s + length_s,
            };
            let count = rows.len();
            Timeline {
                title,
                notes,
                axis,
                rows,
                supersteps,
                parts: parts.into_iter().map(part).filter(|part| part.rows.end <= count).collect(),
                chain: chain.into_iter().map(stretch).filter(|stretch| stretch.row < count).collect(),
                marks,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn every_timeline_is_drawn_well_formed_and_inside_of_the_picture(timeline in any_timeline()) {
        let drawn = timeline.svg();
        prop_assert_eq!(&drawn, &timeline.svg());
        if let Ok(svg) = drawn {
            check_svg(&svg)?;
        }
    }

    #[test]
    fn every_timeline_fits_into_the_terminal(timeline in any_timeline(), columns in 40..130_usize, rows in 12..40_usize) {
        if let Ok(text) = timeline.text(columns, rows, Look::Unicode) {
            check_text(&text, columns, rows)?;
            let ascii = timeline.text(columns, rows, Look::Ascii).expect("drawn before");
            check_text(&ascii, columns, rows)?;
            prop_assert!(ascii.chars().all(|c| c == '\n' || (' '..='~').contains(&c)));
            prop_assert!(timeline.text(columns, rows, Look::Coloured).is_ok());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn every_timeline_has_a_bitmap(timeline in any_timeline(), width in 150..900_u32, height in 225..400_u32) {
        if let Ok(png) = timeline.png(width, height) {
            prop_assert!(png.starts_with(b"\x89PNG"));
        }
    }
}
