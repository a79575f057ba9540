//! Superstep diagrams of any values.

use crate::picture::{check_svg, check_text};
use call_report::timeline::{
    ChainStretch, MachinePart, ProcessorRow, TimeMark, TimelineActivity, TimelineBar,
};
use call_report::{Look, Timeline};
use proptest::collection::vec;
use proptest::prelude::*;

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
