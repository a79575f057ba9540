//! Records of supersteps, exactly: the programs say what each processor does, the counting clock says how long.

use crate::support;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{ALL, Flavour, ON_THIS_COMPUTER, Run, nanoseconds, root};

/// The section of a processor, read by rules of its own, so that writer and reader do not share a mistake.
#[derive(Debug)]
struct Section {
    clock: String,
    /// With their numbers.
    places: Vec<(String, String)>,
    rows: Vec<Vec<String>>,
}

const COLUMNS: &str = "superstep machine depth place start_s computing_s waiting_s communicating_s recording_s \
    out_bytes in_bytes out_messages in_messages partners experiments inner_waiting_s";

/// The sections stand between the rows and the last line, in the order of the processors.
fn sections(trace: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let (body, end) = trace.trim_end().rsplit_once('\n').expect("a trace has lines");
    assert!(end.starts_with("# end rows="), "{end}");
    let start = body.find("\n# supersteps of processor ").map_or(body.len(), |at| at + 1);
    for line in body[start..].lines() {
        let line = line.strip_prefix("# ").expect("lines of a section are comments");
        if let Some(head) = line.strip_prefix("supersteps of processor ") {
            let (processor, clock) = head.split_once(", clock ").expect("the head says which clock");
            assert_eq!(processor, sections.len().to_string());
            sections.push(Section { clock: clock.to_owned(), places: Vec::new(), rows: Vec::new() });
            continue;
        }
        let section = sections.last_mut().expect("a section has a head");
        if let Some(place) = line.strip_prefix("place ") {
            let (number, text) = place.split_once(": ").expect("a place has a number");
            section.places.push((number.to_owned(), text.to_owned()));
        } else if line != COLUMNS {
            let row: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(row.len(), 16, "{line}");
            section.rows.push(row);
        }
    }
    sections
}

impl Section {
    /// Text of the place of a row, without folders.
    fn place(&self, row: &[String]) -> String {
        let found = self.places.iter().find(|(number, _)| *number == row[3]);
        let text = &found.unwrap_or_else(|| panic!("no place {}", row[3])).1;
        let words: Vec<&str> = text.split(' ').collect();
        let file = words[1].rsplit('/').next().unwrap_or(words[1]);
        [&[words[0], file], &words[2..]].concat().join(" ")
    }

    /// Each row with its place and its time in nanoseconds: superstep, machine, depth, place; start, computing, waiting,
    /// communicating, recording; bytes and messages out and in; partners.
    fn told(&self) -> Vec<String> {
        let tell = |row: &Vec<String>| {
            let times: Vec<String> = row[4..9].iter().map(|time| nanoseconds(time).to_string()).collect();
            format!(
                "{} | {} | {} | {}",
                row[..3].join(" "),
                self.place(row),
                times.join(" "),
                row[9..14].join(" ")
            )
        };
        self.rows.iter().map(tell).collect()
    }

    /// Each row with its superstep, its machine, its computing and what of that lay inside experiments, in nanoseconds.
    fn inside(&self) -> Vec<String> {
        let of_experiment = |part: &str| {
            let (name, time) = part.split_once('=').expect("an experiment has a time");
            format!("{name}={}", nanoseconds(time))
        };
        let tell = |row: &Vec<String>| {
            let parts: Vec<String> = match row[14].as_str() {
                "-" => Vec::new(),
                parts => parts.split(',').map(of_experiment).collect(),
            };
            format!("{} {}: {} {}", row[0], row[1], nanoseconds(&row[5]), parts.join(" "))
        };
        self.rows.iter().map(tell).collect()
    }
}

/// What a processor should tell, while its clock advances.
struct Story {
    start_ns: u64,
    lines: Vec<String>,
}

impl Story {
    fn tell(&mut self, head: &str, place: &str, start_ns: u64, computing_ns: u64, traffic: &str) {
        self.lines.push(format!("{head} | {place} | {start_ns} {computing_ns} 0 0 0 | {traffic}"));
    }

    /// A superstep that only computes, or communicates as well.
    fn step(&mut self, head: &str, place: &str, computing_ns: u64, traffic: &str) {
        let start_ns = self.start_ns;
        self.start_ns += computing_ns;
        self.tell(head, place, start_ns, computing_ns, traffic);
    }
}

const NONE: &str = "0 0 0 0 -";

/// As ranges, without `own`.
fn listed(mut partners: Vec<u64>, own: u64) -> String {
    partners.retain(|partner| *partner != own);
    partners.sort_unstable();
    partners.dedup();
    let mut parts: Vec<(u64, u64)> = Vec::new();
    for partner in partners {
        match parts.last_mut() {
            Some(part) if part.1 + 1 == partner => part.1 = partner,
            _ => parts.push((partner, partner)),
        }
    }
    let text = |(first, last): (u64, u64)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    if parts.is_empty() { "-".to_owned() } else { parts.into_iter().map(text).collect::<Vec<_>>().join(",") }
}

/// Where no macro tells the line, what is compiled with -g has it in its line tables.
fn line(flavour: Flavour, position: &str) -> &str {
    if flavour == Flavour::Sanitized { position } else { "?" }
}

/// supersteps_pub.c on processor `s` of `p`, up to its first report.
fn story_of_pub(flavour: Flavour, s: u64, p: u64) -> Vec<String> {
    let mut story = Story { start_ns: 0, lines: Vec::new() };
    let all = format!("0-{}", p - 1);
    let root = |superstep: u64| format!("{superstep} {all}.0 0");
    let before = (s + p - 1) % p;
    let ring = if p == 1 { NONE.to_owned() } else { format!("5 5 1 1 {before}") };
    for superstep in 1..=3 {
        story.step(&root(superstep), "bsp_sync supersteps_pub.c:24 in pass_on < main", 1000 * (s + 1), &ring);
    }
    let (bytes, messages) = (7 * (p - 1), 2 * (p - 1));
    let to_all = format!("{bytes} {bytes} {messages} {messages} {}", listed((0..p).collect(), s));
    story.step(&root(4), "bsp_sync supersteps_pub.c:35 in tell_all < main", 2000 * (s + 1), &to_all);
    story.step(&root(5), "bsp_sync supersteps_pub.c:45 in access_memory < main", 0, NONE);
    let (put, got) = (u64::from(p > 1), u64::from(p > 2));
    let mut partners = vec![before];
    partners.extend((got > 0).then_some((s + 2) % p));
    let (bytes, messages) = (12 * put + 40 * got, 2 * put + got);
    let memory = format!("{bytes} {bytes} {messages} {messages} {}", listed(partners, s));
    story.step(&root(6), "bsp_sync supersteps_pub.c:53 in access_memory < main", 3000 * (s + 1), &memory);
    story.step(&root(7), "bsp_sync supersteps_pub.c:55 in access_memory < main", 0, NONE);

    let middle = (p / 2).max(1);
    let (first, last) = if s < middle { (0, middle - 1) } else { (middle, p - 1) };
    let own = s - first;
    let part = |superstep: u64| format!("{superstep} {first}-{last}.{} 1", u64::from(p == 1));
    let scattered = match own {
        0 => format!("{} 0 {} 0 -", 4 * (last - first), last - first),
        _ => format!("0 4 0 1 {first}"),
    };
    let divided_ns = story.start_ns;
    let scatter = "bsp_oblsync supersteps_pub.c:65 in scatter < divide < main";
    story.step(&part(1), scatter, 4000 * (own + 1), &scattered);
    story.step(&part(2), "bsp_done supersteps_pub.c:80 in divide < main", 5000 * (own + 1), NONE);
    story.start_ns += 6000 * (s + 1);
    // To the machine around, all that a part does is computing.
    let inside_ns = story.start_ns - divided_ns;
    story.tell(&root(8), "bsp_sync supersteps_pub.c:82 in divide < main", divided_ns, inside_ns, NONE);

    let copy = |superstep: u64| format!("{superstep} {all}.{} 1", if p == 1 { 2 } else { 1 });
    let copied_ns = story.start_ns;
    story.step(&copy(1), "bsp_sync supersteps_pub.c:24 in pass_on < main", 1000 * (s + 1), &ring);
    story.step(&copy(2), "bsp_done supersteps_pub.c:98 in main", 0, NONE);
    story.tell(
        &root(9),
        &format!("bsp_sync {} in main", line(flavour, "supersteps_pub.c:99")),
        copied_ns,
        1000 * (s + 1),
        NONE,
    );
    story.step(
        &root(10),
        &format!("report {} in main", line(flavour, "supersteps_pub.c:101")),
        7000 * (s + 1),
        NONE,
    );
    story.lines
}

fn available(flavours: &[Flavour]) -> impl Iterator<Item = Flavour> {
    flavours.iter().copied().filter(|flavour| flavour.is_available())
}

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

fn numbers(text: &str) -> Vec<u64> {
    text.split(' ').map(|word| word.parse().expect("a number")).collect()
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
        assert_eq!(row[9..], ["4", "4", "1", "1", &((s + p - 1) % p).to_string(), "-", "0.000000000"]);
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

/// A program without a directive writes what its supersteps were when it ends; one with directives reports as they say.
#[test]
fn profiles_need_no_directive() {
    for flavour in ON_THIS_COMPUTER {
        let profiled =
            |value: &str| Run::of(flavour, "profiled_bsplib").on(3).variable("CALL_PROFILE", value);
        let run = profiled("1");
        run.succeed();
        // The program has no other name than that of its file; each section has a trace.
        for number in 0..2 {
            let text = run.trace_text(&format!("{flavour:?}-profiled_bsplib.call.{number}.dat"));
            assert!(text.contains("\n# kind: BSPlib\n") && text.ends_with("# end rows=0\n"), "{text}");
            let sections = sections(&text);
            assert_eq!(sections.len(), 3);
            for section in sections {
                let places: Vec<String> = section.rows.iter().map(|row| section.place(row)).collect();
                assert!(places[0].starts_with("bsp_sync profiled_bsplib.c:7 in "), "{places:?}");
                assert_eq!((places.len(), &places[0]), (3, &places[1]));
                assert!(places[2].starts_with("report profiled_bsplib.c:16 in main"), "{places:?}");
            }
        }
        for silent in ["0", ""] {
            assert_eq!(profiled(silent).succeed().stderr, "");
        }
        let directives = Run::of(flavour, "bsplib_rows").on(2).variable("CALL_PROFILE", "1");
        assert_eq!(directives.succeed().stderr.matches("wrote ").count(), 1);
        assert!(directives.trace_text("bsplib_rows.call.0.dat").contains("# supersteps of processor"));
        profiled("on").fail(2, "call: CALL_PROFILE is `on`: it is 1 to record supersteps or 0 not to, or leave the variable unset");
    }
}

/// Forked processors stand above the stack of processor 0, and have its callers all the same.
#[test]
fn call_stacks_of_forked_processors_are_those_of_processor_0() {
    for flavour in ON_THIS_COMPUTER {
        let run = Run::of(flavour, "profiled_init").on(3).variable("CALL_PROFILE", "1");
        run.succeed();
        for number in 0..2 {
            let text = run.trace_text(&format!("{flavour:?}-profiled_init.call.{number}.dat"));
            let sections = sections(&text);
            assert_eq!(sections.len(), 3);
            for section in sections {
                let places: Vec<String> = section.rows.iter().map(|row| section.place(row)).collect();
                let step = "bsp_sync profiled_init.c:15 in step < spmd < solve < main";
                assert_eq!(places, [step, step, "report profiled_init.c:24 in spmd < solve < main"]);
            }
        }
    }
}

/// Compiles a program, and the runtime if that is no object yet.
fn compiled(name: &str, compiler: &str, flags: &[&str], runtime: &Path) -> PathBuf {
    let executable = support::empty_directory().join("program");
    support::compile(
        Command::new(compiler)
            .args(flags)
            .args(support::WARNINGS)
            .arg("-I")
            .arg(root().join("include"))
            .arg(root().join(format!("tests/programs/{name}.c")))
            .arg(runtime)
            .args(["-lm", "-pthread", "-o"])
            .arg(&executable),
    );
    executable
}

/// A stack that is known by where its addresses stand is the one that a walk finds, whatever compilers do with frames.
#[test]
fn known_stacks_are_those_that_are_there() {
    let own = support::c_compiler();
    let (plain, sanitized) =
        (support::runtime_object(Flavour::Plain), support::runtime_object(Flavour::Sanitized));
    let mut cases = vec![(&own[..], vec!["-O0"], plain.clone()), (&own, vec!["-O2"], plain.clone())];
    cases.push((&own, vec!["-O2", "-fno-omit-frame-pointer"], plain));
    cases.push((&own, vec!["-O1", "-fsanitize=address,undefined"], sanitized));
    if support::answers("clang") {
        cases.push(("clang", vec!["-O1"], root().join(call_runtime::EMBEDDED_SOURCE)));
    }
    for (compiler, mut flags, runtime) in cases {
        flags.extend(["-std=gnu17", "-fno-optimize-sibling-calls"]);
        let executable = compiled("known_stacks", compiler, &flags, &runtime);
        let directory = executable.with_file_name("");
        let output = Command::new(&executable).current_dir(&directory).env("CALL_PROFILE", "1").output();
        let output = output.expect("the program can be started");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let trace = std::fs::read_to_string(directory.join("program.call.0.dat"))
            .or_else(|_| std::fs::read_to_string(directory.join("known_stacks.call.0.dat")));
        let trace = trace.expect("there is a trace");
        let section = sections(&trace).remove(0);
        let stacks: HashMap<&str, String> = section
            .places
            .iter()
            .map(|(number, text)| {
                let functions = text.split(" in ").nth(1).expect("places have stacks").split(" < ");
                (number.as_str(), functions.filter(|name| name.len() == 1).collect())
            })
            .collect();
        let told = String::from_utf8_lossy(&output.stdout);
        assert_eq!(told.lines().count(), 20_000);
        for (row, expected) in section.rows.iter().zip(told.lines()) {
            assert_eq!(stacks[row[3].as_str()], expected, "{compiler} {flags:?}, superstep {}", row[0]);
        }
        // A directory that is left over harms nobody.
        let _ = std::fs::remove_dir_all(directory);
    }
}

#[test]
fn a_stripped_program_still_has_its_positions() {
    let flags = ["-std=c99", "-O2", "-s"];
    let runtime = support::runtime_object(Flavour::Plain);
    let executable = compiled("supersteps_pub", &support::c_compiler(), &flags, &runtime);
    let directory = executable.with_file_name("");
    let output = Command::new(&executable).current_dir(&directory).env("CALL_PROCESSORS", "2").output();
    assert!(output.expect("the program can be started").status.success());
    let trace =
        std::fs::read_to_string(directory.join("supersteps_pub.call.0.dat")).expect("there is a trace");
    for section in sections(&trace) {
        for (_, place) in &section.places {
            let words: Vec<&str> = place.split(' ').collect();
            assert!(words[1] == "?" || words[1].contains("supersteps_pub.c:"), "{place}");
            assert!(words[3..].iter().all(|word| !word.starts_with("libc")), "{place}");
            assert!(
                words.iter().any(|word| word.starts_with("program+0x")) || place.ends_with("in main"),
                "{place}"
            );
        }
    }
    // A directory that is left over harms nobody.
    let _ = std::fs::remove_dir_all(directory);
}

#[test]
fn what_ends_supersteps_stands_anywhere() {
    let source = root().join("tests/programs/supersteps_callers.c");
    let directory = support::empty_directory();
    let cases = [("cc", "-std=c99", "c"), ("cc", "-std=gnu17", "c"), ("c++", "-std=c++17", "c++")];
    for (compiler, standard, language) in cases {
        for switch in ["-UCLL_DISABLE", "-DCLL_DISABLE"] {
            let object = directory.join("callers.o");
            support::compile(
                Command::new(compiler)
                    .args([standard, switch, "-x", language, "-c"])
                    .args(support::WARNINGS)
                    .arg("-I")
                    .arg(root().join("include"))
                    .arg(&source)
                    .arg("-o")
                    .arg(object),
            );
        }
    }
    let _ = std::fs::remove_dir_all(directory);
    Run::of(Flavour::Sanitized, "supersteps_callers").variable("CALL_SUPERSTEPS", "1").succeed();
}
