//! What is in superstep diagrams.

use crate::picture::{corners, texts};
use call_report::timeline::{
    ChainStretch, MachinePart, ProcessorRow, TimeMark, TimelineActivity, TimelineBar,
};
use call_report::{Error, Look, Timeline};
use roxmltree::Document;

pub(crate) const BLACK: &str = "#000000";

const GREY: &str = "#BEBEBE";

pub(crate) const WHITE: &str = "#FFFFFF";

pub(crate) const VERMILION: &str = "#D55E00";

pub(crate) const BLUE: &str = "#0072B2";

const BORDER_GREY: &str = "#7D7D7D";

/// Bars one after the other, a letter each for activity, and their lengths; a space is a gap.
pub(crate) fn row(superstep: usize, bars: &[(char, f64)]) -> ProcessorRow {
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
pub(crate) fn fig_1() -> Timeline {
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

pub(crate) fn one_row(bars: &[(char, f64)]) -> Timeline {
    Timeline { title: "t".into(), rows: vec![row(0, bars)], ..Timeline::default() }
}

/// The corners of areas of a colour, in pixels.
pub(crate) fn areas(svg: &str, colour: &str) -> Vec<Vec<(f64, f64)>> {
    let document = Document::parse(svg).expect("well-formed");
    let filled = document.descendants().filter(|node| node.attribute("fill") == Some(colour));
    let areas = filled.filter(|node| node.has_tag_name("polygon") || node.has_tag_name("path"));
    areas.map(|node| corners(node).into_iter().map(|(x, y)| (x / 10.0, y / 10.0)).collect()).collect()
}

/// The size of an area.
pub(crate) fn size(corners: &[(f64, f64)]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum::<f64>().abs() / 2.0
}

/// The size of all areas of a colour but the last, which is in the legend.
pub(crate) fn total(svg: &str, colour: &str) -> f64 {
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
