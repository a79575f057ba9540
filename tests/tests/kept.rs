//! What a run leaves that is killed, crashes, ends without a report or meets a full disk, and runs at the same time.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that meets None has failed")]
#![allow(clippy::print_stderr, reason = "tests tell what they skip")]

use std::fs;
use std::io::Read;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use call_tests::{Transport, Workshop};
use call_trace::{Completeness, Dataset, Trace};

/// Records of `step` and `rare` in a buffer of 256 KiB, at most: what may be lost.
const BUFFER: u64 = 8192;

fn storm() -> Workshop {
    let workshop = Workshop::new();
    workshop.bring("tests/programs/storm.c");
    workshop.build("storm", Transport::Embedded, "-O2");
    workshop
}

/// The measurements of each processor's `step`, from all traces of the folder.
fn steps(workshop: &Workshop, processors: usize) -> Vec<Vec<f64>> {
    let mut found = vec![Vec::new(); processors];
    for name in workshop.traces() {
        let trace = workshop.incomplete_trace(&name);
        let Some(step) = trace.experiments.iter().find(|experiment| experiment.name == "step") else {
            continue;
        };
        for (processor, time_s) in step.samples.processor.iter().zip(&step.samples.time_s) {
            found[*processor as usize].push(*time_s);
        }
    }
    found
}

fn done(workshop: &Workshop, processor: usize) -> u64 {
    let bytes = fs::read(workshop.path().join(format!("done.{processor}"))).unwrap_or_default();
    bytes.try_into().map_or(0, u64::from_le_bytes)
}

fn clear(workshop: &Workshop) {
    for entry in fs::read_dir(workshop.path()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.ends_with(".dat") || name.starts_with("done.") {
            fs::remove_file(path).unwrap();
        }
    }
}

fn start(workshop: &Workshop, processors: usize, arguments: &[&str], environment: &[(&str, &str)]) -> Child {
    workshop
        .command("./storm")
        .args(arguments)
        .env("CALL_PROCESSORS", processors.to_string())
        .envs(environment.iter().copied())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Returns when all its processors have ended, too: each of them has the other end of the pipe.
fn kill(mut child: Child) {
    child.kill().unwrap();
    let mut nothing = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut nothing).unwrap();
    child.wait().unwrap();
}

/// Each processor's rows are its first ones, and as many as there must be.
fn check_rest(workshop: &Workshop, processors: usize, largest_loss: u64, what: &str) -> usize {
    let mut kept = 0;
    for (processor, times) in steps(workshop, processors).iter().enumerate() {
        let (rows, complete) = (times.len() as u64, done(workshop, processor));
        // The last measurement may be complete before it is counted.
        assert!(rows <= complete + 1, "{what}: processor {processor} has {rows} rows of {complete}");
        assert!(
            rows + largest_loss >= complete,
            "{what}: processor {processor} lost all but {rows} of {complete}"
        );
        for (k, time_s) in times.iter().enumerate() {
            let planted = (k % 1000 + 1) as f64 / 1e9;
            assert_eq!(*time_s, planted, "{what}: processor {processor}, measurement {k}");
        }
        kept += times.len();
    }
    kept
}

#[test]
fn killed_at_any_point() {
    let workshop = storm();
    let (mut kept, mut with_rows) = (0, 0);
    let runs = 240;
    for run in 0..runs {
        let processors = [1, 2, 4][run % 3];
        // Every fourth run is killed somewhere in its start.
        let target = if run % 4 == 0 { 0 } else { run as u64 * 7919 % 60_000 };
        let child = start(&workshop, processors, &["1000000000"], &[("CALL_CLOCK", "counting")]);
        sleep(Duration::from_micros(run as u64 * 31 % 4000));
        while done(&workshop, processors - 1) < target {
            sleep(Duration::from_micros(100));
        }
        kill(child);
        let rows = check_rest(&workshop, processors, BUFFER, &format!("run {run}, killed from {target} on"));
        kept += rows;
        with_rows += usize::from(rows > 0);
        clear(&workshop);
    }
    // A test in which nothing was ever kept would not see anything.
    assert!(with_rows > runs / 2, "{with_rows} of {runs} runs left rows");
    eprintln!("{runs} runs were killed; {with_rows} left rows, {kept} in all");
}

/// Whatever is left, rows that a report has are not counted a second time from the files that it was made of.
#[test]
fn killed_while_it_reports() {
    let workshop = storm();
    let steps: u64 = 40_000;
    let mut ends = [0; 3];
    for run in 0..90 {
        let processors = [1, 2, 4][run % 3];
        let child = start(&workshop, processors, &["40000", "twice"], &[("CALL_CLOCK", "counting")]);
        while (0..processors).any(|processor| done(&workshop, processor) < steps) {
            sleep(Duration::from_micros(20));
        }
        sleep(Duration::from_micros(run as u64 * 37 % 1500 * run as u64 / 10));
        kill(child);
        let mut dataset = Dataset::new();
        let names = workshop.traces();
        for name in &names {
            dataset.add(name, workshop.incomplete_trace(name)).unwrap();
        }
        let reports = names.iter().filter(|name| !name.contains("unfinished")).count();
        ends[reports] += 1;
        for (experiment, most) in [("step", steps), ("rare", steps / 100)] {
            let Some(found) = dataset.experiments.iter().find(|its| its.name == experiment) else {
                continue;
            };
            for processor in 0..processors as u32 {
                let rows = found.samples.processor.iter().filter(|its| **its == processor).count() as u64;
                let what =
                    format!("run {run}: {rows} rows of {experiment} of processor {processor} in {names:?}");
                assert!(rows <= most && rows + BUFFER >= most, "{what}");
            }
        }
        clear(&workshop);
    }
    eprintln!("before, between and behind the two reports: {ends:?}");
}

#[test]
fn every_kind_of_end() {
    let workshop = storm();
    for processors in [1, 2, 4] {
        for (end, loss) in [("exit", 0), ("_exit", BUFFER), ("abort", BUFFER), ("segv", BUFFER)] {
            let mut child = start(&workshop, processors, &["50000", end], &[("CALL_CLOCK", "counting")]);
            child.wait().unwrap();
            let what = format!("{end} on {processors}");
            // The first processor that ends so takes the others with it.
            let loss = if processors == 1 { loss } else { BUFFER };
            check_rest(&workshop, processors, loss, &what);
            if end == "exit" && processors == 1 {
                assert_eq!(steps(&workshop, 1)[0].len(), 50_000, "{what}");
                let names = workshop.traces();
                let completeness = workshop.incomplete_trace(&names[0]).completeness;
                assert!(matches!(completeness, Completeness::Unfinished { .. }), "{completeness:?}");
            }
            clear(&workshop);
        }
    }
}

#[test]
fn every_kind_of_end_over_mpi() {
    if !Transport::Mpi.is_available() {
        return;
    }
    let workshop = Workshop::new();
    workshop.bring("tests/programs/storm.c");
    workshop.build("storm", Transport::Mpi, "-O2 -DWITH_MPI");
    for end in ["mpi_abort", "_exit", "abort", "segv"] {
        for processors in [1, 3] {
            let mut run = workshop.command("mpirun");
            run.args(["-n", &processors.to_string(), "./storm", "50000", end]).env("CALL_CLOCK", "counting");
            let status = run.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
            assert!(!status.success(), "{end}");
            let rows = check_rest(&workshop, processors, BUFFER, &format!("{end} on {processors} over MPI"));
            assert!(rows > 0, "{end} on {processors}");
            clear(&workshop);
        }
    }
}

#[test]
fn a_slow_program_is_saved_by_time() {
    let workshop = storm();
    let child = start(&workshop, 1, &["1000000000"], &[("CALL_SAVE", "0.005")]);
    // Until two savings have been seen, however slow the machine is.
    let mut sizes = Vec::new();
    while sizes.len() < 3 {
        let size: u64 = workshop
            .traces()
            .iter()
            .map(|name| fs::metadata(workshop.path().join(name)).unwrap().len())
            .sum();
        if size > 0 && sizes.last() != Some(&size) {
            sizes.push(size);
        }
        sleep(Duration::from_millis(1));
    }
    kill(child);
    assert!(!steps(&workshop, 1)[0].is_empty());
}

#[test]
fn two_runs_at_once_never_share_a_file() {
    let workshop = storm();
    let settings = [("CALL_CLOCK", "counting")];
    for round in 0..12 {
        let mut children: Vec<Child> = (0..4).map(|_| start(&workshop, 2, &["20000"], &settings)).collect();
        let killed = start(&workshop, 2, &["1000000000"], &settings);
        sleep(Duration::from_millis(round));
        kill(killed);
        for child in &mut children {
            assert!(child.wait().unwrap().success());
        }
        let (finished, left): (Vec<String>, Vec<String>) =
            workshop.traces().into_iter().partition(|name| !name.contains("unfinished"));
        assert_eq!(finished.len(), 4, "{finished:?}");
        for name in &finished {
            let trace = workshop.trace(name);
            let step = trace.experiments.iter().find(|experiment| experiment.name == "step").unwrap();
            assert_eq!(step.samples.len(), 40_000, "{name}");
            for (index, time_s) in step.samples.time_s.iter().enumerate() {
                assert_eq!(*time_s, (index % 20_000 % 1000 + 1) as f64 / 1e9, "{name}, row {index}");
            }
        }
        for name in left {
            workshop.incomplete_trace(&name);
        }
        clear(&workshop);
    }
}

#[test]
fn a_full_disk_keeps_what_fits() {
    let workshop = storm();
    let namespace =
        if workshop.command("unshare").args(["-m", "true"]).status().is_ok_and(|status| status.success()) {
            "-m"
        } else {
            "-rm"
        };
    let script = "mkdir small && mount -t tmpfs -o size=1500k none small && cp storm small && cd small && \
                  { CALL_CLOCK=counting CALL_PROCESSORS=2 ./storm 100000 2>../said; echo $? >../status; cp *.dat done.* ..; }";
    let output = workshop.command("unshare").args([namespace, "sh", "-c", script]).output().unwrap();
    if !workshop.path().join("status").exists() {
        eprintln!("skipped: no mount namespaces: {}", String::from_utf8_lossy(&output.stderr));
        return;
    }
    assert_eq!(workshop.read("status"), "2\n");
    let said = workshop.read("said");
    assert!(said.contains("No space left on device"), "{said}");
    assert!(said.contains("measurements are lost"), "{said}");
    let kept: usize = steps(&workshop, 2).iter().map(Vec::len).sum();
    assert!(kept > 10_000, "{kept}: {said}");
    check_rest(&workshop, 2, 100_000, "a full disk");
}

fn reported(workshop: &Workshop, environment: &[(&str, &str)], processors: usize, end: &str) -> Vec<Trace> {
    let mut child = start(workshop, processors, &["20000", end], environment);
    assert!(child.wait().unwrap().success());
    let names = workshop.traces();
    assert!(names.iter().all(|name| !name.contains("unfinished")), "{names:?}");
    let traces = names.iter().map(|name| workshop.trace(name)).collect();
    clear(workshop);
    traces
}

#[test]
fn bodies_and_ways_of_keeping_agree() {
    let workshop = storm();
    for processors in [1, 2, 3, 5, 8] {
        for end in ["report", "twice", "nest"] {
            let counting = ("CALL_CLOCK", "counting");
            let in_memory = reported(&workshop, &[counting, ("CALL_SAVE", "never")], processors, end);
            let saved = reported(&workshop, &[counting], processors, end);
            let binary = reported(&workshop, &[counting, ("CALL_TRACE", "binary")], processors, end);
            assert_eq!(in_memory.len(), if end == "twice" { 2 } else { 1 });
            for (index, trace) in in_memory.iter().enumerate() {
                assert_eq!(trace.experiments, saved[index].experiments, "{end} on {processors}");
                assert_eq!(trace.experiments, binary[index].experiments, "{end} on {processors}");
            }
        }
    }
}

#[test]
fn summaries_say_what_all_rows_say() {
    let workshop = storm();
    let counting = ("CALL_CLOCK", "counting");
    for (processors, end) in [(1, "report"), (3, "nest"), (2, "twice")] {
        let all = reported(&workshop, &[counting], processors, end);
        let summaries = reported(&workshop, &[counting, ("CALL_TRACE", "summary")], processors, end);
        for (trace, summarised) in all.iter().zip(&summaries) {
            for (left, right) in trace.experiments.iter().zip(&summarised.experiments) {
                compare_summaries(left, right);
            }
        }
    }
}

fn compare_summaries(all: &call_trace::Experiment, summarised: &call_trace::Experiment) {
    let summaries = &summarised.summaries;
    let count: u64 = summaries.points.count.iter().sum();
    assert_eq!(count, all.samples.len() as u64, "{}", all.name);
    let (sum, wanted): (f64, f64) = (summaries.sum_s.iter().sum(), all.samples.time_s.iter().sum());
    assert!((sum - wanted).abs() <= 1e-12 * wanted.abs() + 1e-15, "{}: {sum} for {wanted}", all.name);
    let squares: f64 = summaries.sum_squares_s2.iter().sum();
    let wanted: f64 = all.samples.time_s.iter().map(|time_s| time_s * time_s).sum();
    assert!((squares - wanted).abs() <= 1e-9 * wanted, "{}: {squares} for {wanted}", all.name);
    let least = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
    let most = |times: &[f64]| times.iter().copied().fold(0.0, f64::max);
    assert_eq!(least(&summaries.min_s), least(&all.samples.time_s), "{}", all.name);
    assert_eq!(most(&summaries.max_s), most(&all.samples.time_s), "{}", all.name);
    for time_s in &summarised.samples.time_s {
        assert!(all.samples.time_s.contains(time_s), "{}: {time_s} was never measured", all.name);
    }
}
