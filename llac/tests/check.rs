//! The gate on constants: planted changes are found and named, and none is where nothing has changed.

use std::fmt::Write;
use std::io;
use std::sync::Arc;

use llac::{AnswerStatus, Circumstances, CommandOutcome, MemoryWorkspace, Session, Workspace};

/// The files of one session.
pub struct Shared(pub Arc<MemoryWorkspace>);

impl Workspace for Shared {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.0.read(path)
    }

    fn write(&self, path: &str, contents: &[u8]) -> io::Result<()> {
        self.0.write(path, contents)
    }

    fn matching(&self, pattern: &str) -> io::Result<Vec<String>> {
        self.0.matching(pattern)
    }

    fn add(&self, path: &str, contents: &[u8]) -> io::Result<()> {
        self.0.add(path, contents)
    }

    fn folder(&self, path: &str) -> io::Result<Option<Vec<String>>> {
        self.0.folder(path)
    }

    fn circumstances(&self) -> Circumstances {
        self.0.circumstances()
    }
}

/// Between -1 and 1, always the same for a number.
pub fn noise(number: u64) -> f64 {
    let mut z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// What a run is like.
#[derive(Clone, Copy)]
pub struct Run {
    pub number: u64,
    /// What f[1] is multiplied by, and all of it.
    pub rise: f64,
    pub factor: f64,
    pub sizes: &'static [f64],
    /// A further cost of each N*N.
    pub square: f64,
}

pub const SIZES: &[f64] = &[1e4, 2e4, 4e4, 8e4, 16e4];

pub const PLAIN: Run = Run { number: 0, rise: 1.0, factor: 1.0, sizes: SIZES, square: 0.0 };

/// 100 µs + 10 ns N/P + 10 µs P, with noise of 2 % in each measurement and of 1 % in each run.
pub fn trace(run: Run) -> String {
    let (mut rows, mut count) = (String::new(), 0);
    let of_run = run.factor * (1.0 + 0.01 * noise(run.number + 7));
    for _ in 0..5 {
        for &n in run.sizes {
            for p in [1.0, 2.0, 4.0, 8.0, 16.0] {
                count += 1;
                let own = 1.0 + 0.02 * noise(1000 * run.number + 100 + count);
                let time_s = 1e-4 + 1e-8 * run.rise * n / p + 1e-5 * p + run.square * n * n;
                writeln!(rows, "f 0 {p} {n} {:.12}", time_s * of_run * own).unwrap();
            }
        }
    }
    format!(
        "# call-trace 1\n# program: heat\n# source: heat.c\n# host: node{}\n# date: 2026-11-{:02}T09:30:00Z\n# processors: 16\n\
         # experiment: f\n# formula: f[0] + f[1]*N/P + f[2]*P\n# variables: N\n# lines: 12-17\nexperiment processor P N time_s\n\
         {rows}# end rows={count}\n",
        run.number % 2,
        run.number + 1,
    )
}

/// A session with a baseline of so many runs, and with new runs in `new1.dat`, `new2.dat`, ….
pub fn session(baseline: u64, new: &[Run]) -> (Session, Arc<MemoryWorkspace>) {
    let mut files: Vec<(String, String)> =
        (0..baseline).map(|number| (format!("old{number}.dat"), trace(Run { number, ..PLAIN }))).collect();
    files.extend(new.iter().enumerate().map(|(index, run)| {
        let number = baseline + index as u64;
        (format!("new{}.dat", index + 1), trace(Run { number, ..*run }))
    }));
    let files: Vec<(&str, String)> = files.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    let files = Arc::new(MemoryWorkspace::with(files));
    let mut first = Session::new(Box::new(Shared(Arc::clone(&files))));
    run(&mut first, "load old*.dat");
    run(&mut first, "save model f into base.model.json");
    (Session::new(Box::new(Shared(Arc::clone(&files)))), files)
}

pub fn run(session: &mut Session, line: &str) -> CommandOutcome {
    session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line)))
}

pub fn check(session: &mut Session, line: &str, answer: AnswerStatus, expected: &[&str]) -> String {
    let outcome = run(session, line);
    let shown = outcome.to_plain_text();
    let in_one_line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(outcome.answer, answer, "{shown}");
    for part in expected {
        assert!(in_one_line.contains(part), "{part} is not in\n{shown}");
    }
    shown
}

pub fn failure(session: &mut Session, line: &str, code: &str) -> String {
    let error = session.run(line).unwrap_err();
    assert_eq!(error.code(), code, "{}", error.render(line));
    error.render(line)
}

/// What the header says of them, where both say it.
#[test]
fn what_new_runs_were_made_with_is_told() {
    let (mut session, files) = session(4, &[PLAIN; 3]);
    let with = |name: &str, number: u64, header: &str| {
        let text = trace(Run { number, ..PLAIN }).replacen("# host", &format!("{header}# host"), 1);
        files.write(name, text.as_bytes()).unwrap();
    };
    for number in 0..4 {
        with(&format!("old{number}.dat"), number, "# compiler: gcc 12\n# flags: -O2\n");
    }
    run(&mut session, "load old*.dat");
    run(&mut session, "save model f into base.model.json");
    let mut told = |header: &str| {
        (1..4).for_each(|index| with(&format!("new{index}.dat"), 3 + index, header));
        let outcome = run(&mut session, "check base.model.json new*.dat");
        let warnings = outcome.warnings.iter().filter(|its| its.code == "other-circumstances");
        warnings.map(|its| its.text.clone()).collect::<Vec<_>>().join("; ")
    };
    let flags = told("# compiler: gcc 12\n# flags: -O0\n");
    assert!(
        flags.contains("the compiler `gcc 12 -O0`, and none of the baseline has, but `gcc 12 -O2`"),
        "{flags}"
    );
    assert_eq!(told("# compiler: gcc 12\n# flags: -O2\n"), "");
    assert_eq!(told(""), "");
}

pub const RISEN: Run = Run { rise: 1.12, ..PLAIN };

#[test]
fn a_constant_that_rose_is_named() {
    let (mut session, _) = session(10, &[RISEN; 3]);
    let shown = check(
        &mut session,
        "check base.model.json new*.dat",
        AnswerStatus::No,
        &[
            "f: worse (3 runs against 10 of the baseline)",
            "f[1], the cost of each N/P, rose 1",
            "f[0], f[2]: not worse",
        ],
    );
    assert!(!shown.contains("warning: f: not all"), "{shown}");
    check(
        &mut session,
        "check base.model.json new*.dat tolerance f[1] 30%",
        AnswerStatus::Given,
        &["f: fine"],
    );
    check(&mut session, "check base.model.json new*.dat tolerance 30 %", AnswerStatus::Given, &["f: fine"]);
    // The time at a point where f[1] is next to nothing.
    check(
        &mut session,
        "check base.model.json new*.dat at N=1e4 P=16",
        AnswerStatus::Given,
        &["f: fine", "3.00 told"],
    );
    check(
        &mut session,
        "check base.model.json new*.dat at N=160000 P=1",
        AnswerStatus::No,
        &["the time at N = 160000, P = 1 rose 1", "f[1], the cost of each N/P, rose 1"],
    );
}

#[test]
fn without_a_change_there_is_no_alarm() {
    let (mut session, _) = session(10, &[PLAIN; 3]);
    check(&mut session, "check base.model.json new*.dat tolerance 5%", AnswerStatus::Given, &["f: fine"]);
}

#[test]
fn other_sizes_are_no_obstacle() {
    let other = &[5e3, 3e4, 7e4, 3e5];
    let (mut session, _) = session(10, &[Run { sizes: other, ..RISEN }; 3]);
    check(
        &mut session,
        "check base.model.json new*.dat",
        AnswerStatus::No,
        &["f[1], the cost of each N/P, rose 1", "not all runs measured the same points"],
    );
}

#[test]
fn improvements_are_told() {
    let (mut session, _) = session(10, &[Run { rise: 0.85, ..PLAIN }; 3]);
    let line = "check base.model.json new*.dat tolerance 5%";
    check(&mut session, line, AnswerStatus::Given, &["f: fine", "f[1], the cost of each N/P, fell 1"]);
}

#[test]
fn a_single_spike_is_no_change_and_is_named() {
    let spike = Run { factor: 1.3, ..PLAIN };
    let (mut session, _) = session(12, &[PLAIN, PLAIN, spike, PLAIN]);
    let line = "check base.model.json new*.dat tolerance 5%";
    check(
        &mut session,
        line,
        AnswerStatus::Given,
        &["f: fine", "far from the others of the new runs: new3.dat on node0 ("],
    );
}

#[test]
fn one_run_of_each_does_not_tell() {
    let (mut session, files) = session(1, &[Run { rise: 2.0, ..PLAIN }]);
    assert!(
        String::from_utf8(files.read("base.model.json").unwrap()).unwrap().contains("\"call-model\": 1,")
    );
    check(
        &mut session,
        "check base.model.json new1.dat",
        AnswerStatus::Unknown,
        &[
            "f: cannot tell (1 run against 1 of the baseline)",
            "one run of each does not tell how runs scatter",
        ],
    );
}

#[test]
fn one_new_run_is_judged_by_how_the_baseline_scatters() {
    let (mut session, _) = session(12, &[Run { rise: 1.5, ..PLAIN }]);
    check(
        &mut session,
        "check base.model.json new1.dat",
        AnswerStatus::No,
        &["f[1], the cost of each N/P, rose"],
    );
}

#[test]
fn too_few_runs_say_how_many_would_tell() {
    let (mut session, _) = session(3, &[Run { rise: 1.06, ..PLAIN }; 2]);
    check(
        &mut session,
        "check base.model.json new*.dat",
        AnswerStatus::Unknown,
        &["f[1]: cannot tell whether it rose, +", "would tell"],
    );
}

#[test]
fn a_further_term_is_told() {
    let (mut session, _) = session(10, &[Run { square: 2e-14, ..PLAIN }; 3]);
    check(
        &mut session,
        "check base.model.json new*.dat",
        AnswerStatus::No,
        &[
            "warning: f: the new runs need what those of the baseline did not",
            "are outside of the 90 % intervals that the baseline predicts",
        ],
    );
}

/// A run at one number of processors, as `call run` makes them.
fn at(number: u64, processors: usize, rise: f64) -> String {
    let whole = trace(Run { number, rise, ..PLAIN });
    let is_of_it =
        |line: &&str| !line.starts_with("f 0 ") || line.split(' ').nth(2) == Some(&processors.to_string());
    let lines: Vec<&str> = whole.lines().filter(is_of_it).collect();
    let rows = lines.iter().filter(|line| line.starts_with("f 0 ")).count();
    lines[..lines.len() - 1].join("\n") + &format!("\n# end rows={rows}\n")
}

#[test]
fn runs_at_different_points_are_rounds() {
    let mut files = Vec::new();
    for round in 0..10 {
        for (place, processors) in [1, 4, 16].into_iter().enumerate() {
            files.push((format!("old{round}{place}.dat"), at(round, processors, 1.0)));
            if round < 3 {
                files.push((format!("new{round}{place}.dat"), at(20 + round, processors, 1.12)));
            }
        }
    }
    let files: Vec<(&str, String)> = files.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    let files = Arc::new(MemoryWorkspace::with(files));
    let mut session = Session::new(Box::new(Shared(files)));
    run(&mut session, "load old*.dat");
    run(&mut session, "save model f into base.model.json");
    check(
        &mut session,
        "check base.model.json new*.dat",
        AnswerStatus::No,
        &[
            "f: worse (3 runs against 10 of the baseline)",
            "f[1], the cost of each N/P, rose 1",
            "note: f: no run alone determines all constants",
        ],
    );
}

#[test]
fn another_formula_in_the_source_is_told() {
    let (_, files) = session(10, &[PLAIN; 3]);
    for number in 1..=3 {
        let name = format!("new{number}.dat");
        let text = String::from_utf8(files.read(&name).unwrap()).unwrap();
        files.write(&name, text.replace(" + f[2]*P", " + f[2]*log(P)").as_bytes()).unwrap();
    }
    let mut session = Session::new(Box::new(Shared(files)));
    check(
        &mut session,
        "check base.model.json new*.dat tolerance 5%",
        AnswerStatus::Given,
        &[
            "warning: f: the new runs have the formula `f[0] + f[1]*N/P + f[2]*log(P)`, and are compared by that of the baseline",
        ],
    );
}

/// An archive `h` of so many entries, of which those from `first` on take longer.
pub fn archive(entries: u64, first: u64) -> (Session, Arc<MemoryWorkspace>) {
    let of = |number: u64| Run { number, rise: if number < first { 1.0 } else { 1.12 }, ..PLAIN };
    let files = (0..entries).map(|number| (format!("run{number}.dat"), trace(of(number))));
    let files = Arc::new(MemoryWorkspace::with(files));
    for number in 0..entries {
        let mut session = Session::new(Box::new(Shared(Arc::clone(&files))));
        run(&mut session, &format!("load run{number}.dat"));
        run(&mut session, &format!("archive add into h machine=ci commit=c{number}"));
    }
    (Session::new(Box::new(Shared(Arc::clone(&files)))), files)
}
