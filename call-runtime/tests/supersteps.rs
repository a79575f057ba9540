//! Records of supersteps, exactly: the programs say what each processor does, the counting clock says how long.

use std::collections::HashMap;

use super::superstep_sections::{
    NONE, Section, Story, available, line, listed, numbers, sections, story_of_pub,
};
use crate::support::{ALL, Flavour, ON_THIS_COMPUTER, Run, nanoseconds};

#[test]
fn supersteps_of_pub_are_exact() {
    for flavour in available(&ALL) {
        for p in [1, 2, 4] {
            let run = Run::of(flavour, "supersteps_pub").counting().on(p);
            run.succeed();
            let first = sections(&run.trace_text("supersteps_pub.call.0.dat"));
            let second = sections(&run.trace_text("supersteps_pub.call.1.dat"));
            assert_eq!((first.len(), second.len()), (p, p), "{run:?}");
            for (s, section) in first.iter().enumerate() {
                assert_eq!(
                    section.told(),
                    story_of_pub(flavour, s as u64, p as u64),
                    "{run:?}, processor {s}"
                );
                assert_eq!(section.clock, if flavour == Flavour::Mpi { "own" } else { "common" });
                assert_eq!(section.places.len(), 11);
            }
            for (s, section) in second.iter().enumerate() {
                let story = story_of_pub(flavour, s as u64, p as u64);
                let end: Vec<u64> =
                    story[story.len() - 1].split(" | ").nth(2).map(numbers).unwrap_or_default();
                let (start_ns, computing_ns) = (end[0] + end[1], 100 * (s as u64 + 1));
                let expected = [
                    format!(
                        "10 0-{}.0 0 | bsp_sync supersteps_pub.c:103 in main | {start_ns} {computing_ns} 0 0 0 | {NONE}",
                        p - 1
                    ),
                    format!(
                        "11 0-{}.0 0 | report {} in main | {} 0 0 0 0 | {NONE}",
                        p - 1,
                        line(flavour, "supersteps_pub.c:104"),
                        start_ns + computing_ns
                    ),
                ];
                assert_eq!(section.told(), expected, "{run:?}, processor {s}");
                assert_eq!(section.places.len(), 2);
            }
        }
    }
}

#[test]
fn supersteps_of_bsplib_are_exact() {
    for flavour in available(&ALL) {
        for (there, p) in [(1, 1), (2, 2), (4, 4), (3, 2)] {
            let run = Run::of(flavour, "supersteps_bsplib").counting().on(there).with(p);
            run.succeed();
            let found = sections(&run.trace_text("supersteps_bsplib.call.0.dat"));
            assert_eq!(found.len(), p);
            for (s, section) in found.iter().enumerate() {
                let (s, p) = (s as u64, p as u64);
                // The direct get is answered within the superstep: tag and message, puts, answers.
                let (bytes, partners) =
                    (13 + 40_000 + 5 + 7 + 9, listed(vec![(s + 1) % p, (s + p - 1) % p], s));
                let exchanged =
                    if p == 1 { NONE.to_owned() } else { format!("{bytes} {bytes} 5 5 {partners}") };
                let place = "bsp_sync supersteps_bsplib.c:25 in exchange < main";
                let mut story = Story { start_ns: 0, lines: Vec::new() };
                let head = |superstep: u64| format!("{superstep} 0-{}.0 0", p - 1);
                story.step(&head(1), "bsp_sync supersteps_bsplib.c:37 in main", 0, NONE);
                story.step(&head(2), place, 100 + s, &exchanged);
                story.step(&head(3), place, 200 + s, NONE);
                let report = format!("report {} in main", line(flavour, "supersteps_bsplib.c:42"));
                story.step(&head(4), &report, 0, NONE);
                assert_eq!(section.told(), story.lines, "{run:?}, processor {s}");
            }
        }
    }
}

/// A fold has two supersteps, both at the call of the program.
#[test]
fn collectives_of_bsplib_are_called_by_the_program() {
    for flavour in available(&ALL) {
        for p in [1, 3] {
            let run = Run::of(flavour, "supersteps_level1").counting().on(p);
            run.succeed();
            let found = sections(&run.trace_text("supersteps_level1.call.0.dat"));
            assert_eq!(found.len(), p);
            for (s, section) in found.iter().enumerate() {
                let (s, p) = (s as u64, p as u64);
                let (to_others, at_root) = (p - 1, if s == 0 { p - 1 } else { 0 });
                let exchanged =
                    format!("{0} {0} {1} {1} {2}", 4 * to_others, to_others, listed((0..p).collect(), s));
                let from_root = match s {
                    0 => format!("{} 0 {at_root} 0 -", 4 * at_root),
                    _ => "0 4 0 1 0".to_owned(),
                };
                let mut story = Story { start_ns: 0, lines: Vec::new() };
                let head = |superstep: u64| format!("{superstep} 0-{}.0 0", p - 1);
                let fold = format!("bsp_sumI {} in add_up < main", line(flavour, "supersteps_level1.c:17"));
                let broadcast = format!("bsp_bcast {} in main", line(flavour, "supersteps_level1.c:29"));
                story.step(&head(1), "bsp_sync supersteps_level1.c:25 in main", 0, NONE);
                story.step(&head(2), &fold, 100 + s, NONE);
                story.step(&head(3), &fold, 0, &exchanged);
                story.step(&head(4), &broadcast, 200, &from_root);
                let report = format!("report {} in main", line(flavour, "supersteps_level1.c:30"));
                story.step(&head(5), &report, 0, NONE);
                assert_eq!(section.told(), story.lines, "{run:?}, processor {s}");
            }
        }
    }
}

/// Out, in, their messages, partners and combinations of each collective in its superstep: those of PUB go along trees.
const COLLECTIVES: [(usize, &[[&str; 5]]); 3] = [
    (1, &[["0 0 0 0 - 0"; 5]]),
    (
        2,
        &[
            ["0 100 0 1 1 0", "8 8 1 1 1 1", "8 0 1 0 - 0", "8 8 1 1 1 1", "3 0 1 0 - 0"],
            ["100 0 1 0 - 0", "8 8 1 1 0 0", "0 8 0 1 0 1", "8 8 1 1 0 1", "0 3 0 1 0 0"],
        ],
    ),
    (
        4,
        &[
            ["0 100 0 1 3 0", "16 16 2 2 1-2 2", "16 0 2 0 - 0", "24 24 3 3 1-3 3", "6 0 2 0 - 0"],
            ["100 100 1 1 3 0", "8 8 1 1 0 0", "16 8 2 1 0 1", "24 24 3 3 0,2-3 3", "0 3 0 1 0 0"],
            ["0 100 0 1 1 0", "16 16 2 2 0,3 1", "8 16 1 2 0-1 2", "24 24 3 3 0-1,3 3", "3 3 1 1 0 0"],
            ["200 0 2 0 - 0", "8 8 1 1 2 0", "0 16 0 2 1-2 2", "24 24 3 3 0-2 3", "0 3 0 1 2 0"],
        ],
    ),
];

#[test]
fn collectives_of_pub_count_in_the_superstep_around() {
    for flavour in available(&ALL) {
        for (p, processors) in COLLECTIVES {
            let run = Run::of(flavour, "supersteps_collectives").counting().on(p);
            run.succeed();
            let found = sections(&run.trace_text("supersteps_collectives.call.0.dat"));
            assert_eq!(found.len(), p);
            for (s, (section, steps)) in found.iter().zip(processors).enumerate() {
                let told: Vec<String> = section
                    .rows
                    .iter()
                    .map(|row| format!("{} {}", row[9..14].join(" "), nanoseconds(&row[5]) / 1000))
                    .collect();
                assert_eq!(told, steps, "{run:?}, processor {s}");
            }
        }
    }
}

/// A program that broadcasts 50 MB and does nothing else hardly computes.
#[test]
fn what_collectives_of_pub_move_takes_time_to_communicate() {
    for flavour in available(&ON_THIS_COMPUTER) {
        let run = Run::of(flavour, "supersteps_collectives").on(2).with(10_000_000);
        run.succeed();
        for section in sections(&run.trace_text("supersteps_collectives.call.0.dat")) {
            let [computing, waiting, communicating] =
                [5, 6, 7].map(|column| nanoseconds(&section.rows[0][column]));
            assert!(4 * computing < waiting + communicating, "{run:?}: {:?}", section.rows[0]);
        }
    }
}

/// Beyond 8 processors synchronisations go in rounds. Many records take several chunks and pieces.
#[test]
fn times_follow_each_other_without_a_gap() {
    let cases = [
        (Flavour::Plain, 12, 50, 3),
        (Flavour::Plain, 2, 20_000, 2),
        (Flavour::Sanitized, 4, 3000, 2),
        (Flavour::Mpi, 3, 300, 2),
    ];
    for (flavour, p, count, reports) in cases {
        if !flavour.is_available() {
            continue;
        }
        // With the counting clock each reading takes a time; so waiting and communicating take some, too.
        for clock in ["counting", ""] {
            let run = Run::of(flavour, "supersteps_many")
                .variable("CALL_CLOCK", clock)
                .on(p)
                .with(count)
                .with(reports);
            run.succeed();
            for report in 0..reports {
                let found = sections(&run.trace_text(&format!("supersteps_many.call.{report}.dat")));
                for (s, section) in found.iter().enumerate() {
                    check_ring(section, s, p, count, report * count, clock == "counting");
                }
            }
        }
    }
}

#[test]
fn times_inside_experiments_are_exact() {
    for flavour in available(&ALL) {
        for p in [1, 2, 4] {
            let run = Run::of(flavour, "supersteps_experiments").counting().on(p);
            run.succeed();
            let first = sections(&run.trace_text("supersteps_experiments.call.0.dat"));
            let second = sections(&run.trace_text("supersteps_experiments.call.1.dat"));
            for s in 0..p {
                let middle = p / 2;
                let part = match (p, s < middle) {
                    (1, _) => "0-0.1".to_owned(),
                    (_, true) => format!("0-{}.0", middle - 1),
                    (_, false) => format!("{middle}-{}.0", p - 1),
                };
                let all = format!("0-{}.0", p - 1);
                let time_ns = 100 * (s + 1);
                let expected = [
                    format!("1 {all}: {} A={time_ns}", time_ns + 7),
                    format!("2 {all}: 65 A=65 B=50"),
                    format!("3 {all}: 7 A=7"),
                    format!("4 {all}: 24 A=8"),
                    format!("1 {part}: 6 B=4 C=6"),
                    format!("2 {part}: 24 B=8 C=24"),
                    format!("5 {all}: 127 B=12 C=63"),
                    format!("6 {all}: 80000 A=60000 C=80000"),
                    format!("7 {all}: 10 A=10"),
                    format!("8 {all}: 5 B=5"),
                ];
                assert_eq!(first[s].inside(), expected, "{run:?}, processor {s}");
                // The report that names one experiment has the supersteps with all of them.
                let expected = [format!("8 {all}: 15 B=6"), format!("9 {all}: 0 "), format!("10 {all}: 0 ")];
                assert_eq!(second[s].inside(), expected, "{run:?}, processor {s}");
            }
        }
    }
}

/// Each reading of the clock takes a time, so broadcasts wait; but all that is computed lies in the measurement.
#[test]
fn waiting_is_inside_no_experiment() {
    for flavour in available(&ALL) {
        let p = 3;
        let run = Run::of(flavour, "supersteps_experiments").counting().on(p).with("broadcasts");
        run.succeed();
        let mut has_waited = false;
        for section in sections(&run.trace_text("supersteps_experiments.call.0.dat")) {
            assert_eq!(section.rows.len(), 7);
            for row in &section.rows[1..6] {
                let b = 8 * p; // with a reading each
                assert_eq!(row[14], format!("A={},B=0.0000000{b}", row[5]), "{run:?}, {row:?}");
                // There is a broadcast to wait in on all but its root, and the synchronisation waits, too.
                has_waited |= nanoseconds(&row[15]) > 0;
                assert!(nanoseconds(&row[15]) <= nanoseconds(&row[6]), "{row:?}");
            }
        }
        assert!(has_waited, "{run:?}");
    }
}

/// Those of a machine; between them lie other machines, and reports.
#[test]
fn times_of_parts_leave_no_gaps_in_those_of_the_machine() {
    for flavour in available(&ALL) {
        let run = Run::of(flavour, "supersteps_pub").on(4);
        run.succeed();
        for section in sections(&run.trace_text("supersteps_pub.call.0.dat")) {
            let mut next_start: HashMap<String, u64> = HashMap::new();
            for row in &section.rows {
                let times: Vec<u64> = row[4..9].iter().map(|time| nanoseconds(time)).collect();
                let end_ns = times.iter().sum();
                if let Some(start_ns) = next_start.insert(row[1].clone(), end_ns) {
                    assert_eq!(times[0], start_ns, "{row:?}");
                }
            }
            assert_eq!(next_start.len(), 3);
        }
    }
}

fn check_ring(section: &Section, s: usize, p: usize, count: usize, before: usize, is_counting: bool) {
    assert_eq!(section.rows.len(), count + 1);
    let times: Vec<Vec<u64>> =
        section.rows.iter().map(|row| row[4..9].iter().map(|time| nanoseconds(time)).collect()).collect();
    for (at, row) in section.rows[..count].iter().enumerate() {
        assert_eq!(row[0], (before + at + 1).to_string());
        assert_eq!(row[1], format!("0-{}.0", p - 1));
        assert_eq!(section.place(row), r"bsp_sync a\\file\sof\tmine.c:7 in main");
        assert_eq!(
            row[9..],
            ["4", "4", "1", "1", &((s + p - 1) % p).to_string(), "-", "0.000000000", "0.000000000"]
        );
        if is_counting {
            assert_eq!(times[at][1], s as u64 + 2, "the planted time and one reading");
            assert_eq!(times[at][4], 1, "one reading more");
            assert!(times[at][3] >= 1, "{row:?}");
        }
        assert_eq!(times[at + 1][0], times[at].iter().sum::<u64>(), "{row:?}");
    }
}

#[test]
fn the_environment_has_the_last_word() {
    for flavour in ON_THIS_COMPUTER {
        let has_section = |run: &Run, name: &str| {
            run.succeed();
            run.trace_text(name).contains("# supersteps of processor")
        };
        let asked = || Run::of(flavour, "supersteps_many").on(2);
        assert!(has_section(&asked().variable("CALL_SUPERSTEPS", ""), "supersteps_many.call.0.dat"));
        assert!(!has_section(&asked().variable("CALL_SUPERSTEPS", "0"), "supersteps_many.call.0.dat"));
        let unasked = || Run::of(flavour, "bsplib_rows").on(2);
        assert!(!has_section(&unasked(), "bsplib_rows.call.0.dat"));
        assert!(has_section(&unasked().variable("CALL_SUPERSTEPS", "1"), "bsplib_rows.call.0.dat"));
        let sequential = Run::of(flavour, "golden").variable("CALL_SUPERSTEPS", "1");
        assert!(!has_section(&sequential, "golden.call.0.dat"));
        asked()
            .variable("CALL_SUPERSTEPS", "yes")
            .fail(2, "call: CALL_SUPERSTEPS is `yes`: it is 1 to record supersteps or 0 not to, or leave the variable unset");
    }
}
