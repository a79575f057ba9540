//! What each processor does when: rows of numbers for the viewer, and a coarser picture that needs none.

use std::fmt::Write;

use super::DIGITS;
use crate::number;

/// Shares of a part of the run have so many steps, of one digit each.
const STEPS: f64 = 90.0;
/// So many rows and parts of the run the picture has at most; the viewer draws finer ones.
const PICTURE_ROWS: usize = 32;
const PICTURE_PARTS: usize = 100;
/// Sizes of the picture, those of `page/src/waits.ts`.
const LEFT: usize = 90;
const WIDTH: usize = 900;
const BOTTOM: usize = 22;
const NAME: usize = 16;
/// In the order of their shares.
const STATES: [&str; 3] = ["computing", "waiting", "communicating"];

/// A row of the timeline.
pub(super) struct TimelineRow {
    /// Which processors it is of.
    pub name: String,
    /// Seconds of computing, waiting and communicating in each part of the run.
    pub parts_s: Vec<[f64; 3]>,
}

impl TimelineRow {
    /// Processors, or means of as many neighbours as there have to be together.
    pub(super) fn all(processors: &[u32], parts_s: &[Vec<[f64; 3]>], most: usize) -> Vec<TimelineRow> {
        let together = processors.len().div_ceil(most).max(1);
        let numbers = processors.chunks(together).zip(parts_s.chunks(together));
        numbers.map(|(numbers, parts_s)| TimelineRow::of(numbers, parts_s)).collect()
    }

    fn of(numbers: &[u32], parts_s: &[Vec<[f64; 3]>]) -> TimelineRow {
        let name = match numbers {
            [only] => format!("P{only}"),
            [first, .., last] => format!("P{first}–{last}, mean"),
            [] => String::new(),
        };
        let count = parts_s.first().map_or(0, Vec::len);
        let mean = |part: usize| {
            std::array::from_fn(|state| {
                let sum_s: f64 = parts_s.iter().filter_map(|its| Some(its.get(part)?[state])).sum();
                sum_s / parts_s.len() as f64
            })
        };
        TimelineRow { name, parts_s: (0..count).map(mean).collect() }
    }

    /// Appends rectangles to the paths of the states: waiting above, computing below, and equal neighbours as one.
    fn draw(&self, shapes: &mut [String; 3], top: f64, height: f64, run_time_s: f64) {
        let together = self.parts_s.len().div_ceil(PICTURE_PARTS).max(1);
        let part_s = run_time_s / self.parts_s.len().max(1) as f64;
        let tenths = |value: f64| (10.0 * value).round() / 10.0;
        let size = |parts: &[[f64; 3]], state: usize| {
            let time_s: f64 = parts.iter().map(|part| part[state]).sum();
            let share = time_s / (part_s * parts.len() as f64);
            tenths(height * if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 })
        };
        let place =
            |part: usize| tenths(LEFT as f64 + WIDTH as f64 * part as f64 / self.parts_s.len() as f64);
        let sizes: Vec<[f64; 3]> =
            self.parts_s.chunks(together).map(|parts| [0, 1, 2].map(|state| size(parts, state))).collect();
        let mut from = 0;
        for same in sizes.chunk_by(|one, other| one == other) {
            let to = from + same.len();
            let (left, right) = (place(from * together), place((to * together).min(self.parts_s.len())));
            let mut y = top;
            for state in [1, 2, 0] {
                let size = same[0][state];
                if size > 0.0 {
                    let _ = write!(shapes[state], "M{left} {}H{right}v{size}H{left}z", tenths(y));
                }
                y += size;
            }
            from = to;
        }
    }

    /// For each part three digits: the shares of computing, waiting and communicating in it. Where they are less than all, the processor
    /// had not started, or had ended.
    pub(super) fn digits(&self, part_s: f64) -> String {
        let digit = |time_s: f64| {
            let step = (STEPS * time_s / part_s).round().clamp(0.0, STEPS);
            char::from(DIGITS[if step.is_nan() { 0 } else { step as usize }])
        };
        self.parts_s.iter().flatten().map(|time_s| digit(*time_s)).collect()
    }
}

/// The timeline of a page without script; nothing where nothing is known of any part.
pub(super) fn picture(processors: &[u32], parts_s: &[Vec<[f64; 3]>], run_time_s: f64) -> String {
    let rows = TimelineRow::all(processors, parts_s, PICTURE_ROWS);
    if rows.iter().all(|row| row.parts_s.is_empty()) {
        return "<p>Nothing is known of any part of the run.</p>\n".to_owned();
    }
    let height = (420 / rows.len()).clamp(6, 26);
    let down = rows.len() * height;
    let (mut names, mut shapes) = (String::new(), [const { String::new() }; 3]);
    for (number, row) in rows.iter().enumerate() {
        // Names of low rows would cover each other.
        if number % NAME.div_ceil(height) == 0 {
            let middle = number * height + height / 2 + 4;
            let _ = write!(
                names,
                "<text x=\"{}\" y=\"{middle}\" text-anchor=\"end\">{}</text>",
                LEFT - 6,
                row.name
            );
        }
        row.draw(&mut shapes, (number * height + 1) as f64, (height - 2) as f64, run_time_s);
    }
    let ticks: String = (0..=5)
        .map(|fifth| {
            let anchor = ["start", "middle", "middle", "middle", "middle", "end"][fifth];
            let time = number::seconds(run_time_s * fifth as f64 / 5.0);
            let (x, y) = (LEFT + fifth * WIDTH / 5, down + 16);
            format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{time}</text>")
        })
        .collect();
    let paths: String = STATES
        .iter()
        .zip(shapes)
        .map(|(state, shape)| format!("<path class=\"{state}\" d=\"{shape}\"/>"))
        .collect();
    let legend: String =
        STATES.iter().map(|state| format!("<span class=\"key {state}\"></span>{state}")).collect();
    format!(
        "<div class=\"wide\" tabindex=\"0\"><svg class=\"timeline\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"what {} rows of \
         processors do in {}\">{paths}{names}{ticks}</svg></div>\n<p class=\"legend\">{legend}</p>\n",
        LEFT + WIDTH + 10,
        down + BOTTOM,
        rows.len(),
        number::seconds(run_time_s)
    )
}
