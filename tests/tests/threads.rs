//! Threads of OpenMP programs that clang compiles, from `call run --events` to `llac waits`: closed forms, on the counting clock.

use call_tests::answer::rows;
use call_tests::{Workshop, is_there};

/// In each of three rounds all wait 20 ms for what thread 0 does alone, then for thread 1, which takes 50 ms where others take 10 ms;
/// then each takes 5 ms. With an argument thread 2 is in a region of its own for 30 ms.
const TEAM: &str = r#"#include <omp.h>
void cll_clock_advance(unsigned long long nanoseconds);
static void work(int milliseconds)
{
    cll_clock_advance(1000000ull * milliseconds);
}
static void smooth(void)
{
#pragma omp parallel
    {
        work(omp_get_thread_num() == 1 ? 50 : 10);
#pragma omp barrier
        work(5);
    }
}
int main(int argc, char **argv)
{
    (void)argv;
    for (int round = 0; round < 3; round++) {
        work(20);
        smooth();
    }
    if (argc > 1) {
        omp_set_max_active_levels(2);
#pragma omp parallel
        if (omp_get_thread_num() == 2) {
#pragma omp parallel num_threads(2)
            work(omp_get_thread_num() == 0 ? 30 : 0);
        }
    }
    return 0;
}
"#;

const FLAGS: &str = "--flags='-O0 -fno-inline'";

fn is_clang_there() -> bool {
    let found = is_there("clang");
    assert!(found || std::env::var_os("CALL_TEST_REQUIRE_MPI").is_none(), "clang is missing");
    found
}

#[test]
fn waits_of_threads_are_those_of_the_closed_forms() {
    if !is_clang_there() {
        return;
    }
    let workshop = Workshop::new();
    workshop.write("team.c", TEAM);
    let told = workshop
        .shell(&format!("CALL_CLOCK=counting CC=clang call run --events {FLAGS} --procs 4:4 team.c 2>&1"));
    assert!(told.contains("next: llac waits team.call.0.dat"), "{told}");
    let text = workshop.shell("llac waits team.call.0.dat 2>&1");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for expected in [
        "team.call.0.dat: 4 processors, 225 ms;",
        "1. 360 ms in 9 waits at omp_barrier team.c:12 in smooth < main (wait at barrier) \
         – processors 0,2-3 wait 360 ms (9 times) for processor 1, which spends 360 ms longer before it",
        "2. 180 ms in 9 waits at omp_parallel team.c:9 in smooth < main (late broadcast) \
         – processors 1-3 wait 180 ms (9 times) for processor 0, which spends 180 ms longer before it",
    ] {
        assert!(text.contains(expected), "{text}");
    }
    assert!(!text.contains("warning"), "{text}");
    let answer = workshop.answer("waits team.call.0.dat");
    let efficiency = &rows(&answer, "efficiency")[0];
    // Threads compute 105, 165, 45 and 45 ms of 225.
    for (part, expected) in [
        ("parallel", 360.0 / 900.0),
        ("load_balance", 360.0 / (4.0 * 165.0)),
        ("serialisation", 165.0 / 225.0),
        ("transfer", 1.0),
    ] {
        let found = efficiency[part].as_f64().unwrap();
        assert!((found - expected).abs() < 1e-12, "{part}: {found}, not {expected}");
    }
    let path: Vec<(f64, f64)> = rows(&answer, "critical_path")
        .iter()
        .map(|row| (row["processor"].as_f64().unwrap(), (1e3 * row["time_s"].as_f64().unwrap()).round()))
        .collect();
    assert_eq!(path[0], (1.0, 150.0));
    assert_eq!(path.iter().map(|(_, milliseconds)| milliseconds).sum::<f64>(), 225.0, "{path:?}");
    assert_eq!(rows(&answer, "talp").len(), 0);

    // Others would take the threads for processes.
    for (file, what) in [("x.otf2", "an archive"), ("x.json", "a report")] {
        let refused =
            workshop.command("llac").args(["waits", "team.call.0.dat", "to", file]).output().unwrap();
        let told = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{told}");
        assert!(told.contains(&format!("{what} would call these threads of OpenMP processes")), "{told}");
    }

    let refused = workshop.shell("llac replay team.call.0.dat latency=1us 2>&1 || true");
    assert!(refused.contains("there is no network between them"), "{refused}");

    // Who waits in a region inside is not known; that it is left out is told.
    workshop.shell("CALL_CLOCK=counting CALL_EVENTS=1 OMP_NUM_THREADS=3 ./team inner");
    let told = workshop.shell("llac waits team.call.1.dat 2>&1");
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    let expected = "who waits in these calls is not analysed, they count as communicating, \
                    and neither the critical path nor what is saved knows whom they wait for: \
                    omp_inner_parallel (30 ms in 1 call)";
    assert!(told.contains(expected), "{told}");
}

/// Thread 1 computes 26 ms of a triangle and thread 0 10 ms, then both 8 ms; with directives around both regions.
const TRIANGLE: &str = r#"#include <omp.h>
void cll_clock_advance(unsigned long long nanoseconds);
int main(void)
{
#pragma cll parallel OpenMP
#pragma cll whole whole[0]
#pragma cll tri tri[0]
#pragma omp parallel
    cll_clock_advance(1000000ull * (omp_get_thread_num() == 0 ? 10 : 26));
#pragma cll end tri
#pragma omp parallel
    cll_clock_advance(8000000ull);
#pragma cll end whole
#pragma cll report all
    return 0;
}
"#;

/// Only thread 0 measures what is around a region, and all compute in it.
#[test]
fn directives_around_regions_change_no_balance() {
    if !is_clang_there() {
        return;
    }
    let workshop = Workshop::new();
    workshop.write("tri.c", TRIANGLE);
    workshop.shell(
        "call cc clang -g -fopenmp tri.c -o tri && CALL_CLOCK=counting CALL_EVENTS=1 OMP_NUM_THREADS=2 ./tri",
    );
    let answer = workshop.answer("waits tri.call.0.dat");
    let milliseconds = |row: &serde_json::Value, key: &str| (1e3 * row[key].as_f64().unwrap()).round();
    let saved: Vec<(String, f64, f64)> = rows(&answer, "savings")
        .iter()
        .map(|row| {
            (
                row["step"].as_str().unwrap().to_owned(),
                milliseconds(row, "longest_s"),
                milliseconds(row, "saves_s"),
            )
        })
        .filter(|(_, _, saves)| *saves > 0.0)
        .collect();
    assert_eq!(saved, [("in tri before omp_end_parallel tri.c:8".to_owned(), 26.0, 8.0)]);
}

#[test]
fn programs_of_gcc_say_that_nothing_is_recorded() {
    let workshop = Workshop::new();
    workshop.write("team.c", TEAM);
    let command = format!("CC=gcc call run --events {FLAGS} team.c");
    let output = workshop.command("sh").args(["-c", &command]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert_eq!(
        told.matches("libgomp, gcc's runtime of OpenMP, tells no tool about barriers").count(),
        1,
        "{told}"
    );
    assert!(told.contains("compile with `clang -fopenmp`"), "{told}");
    assert!(
        told.contains("call: team wrote no trace: does it use OpenMP, and was it compiled by clang"),
        "{told}"
    );
}

/// In each round thread 0 waits 10 microseconds for thread 1.
const ROUNDS: &str = r#"#include <omp.h>
#include <stdlib.h>
void cll_clock_advance(unsigned long long nanoseconds);
int main(int argc, char **argv)
{
    int rounds = atoi(argv[1]);
#pragma omp parallel
    for (int round = 0; round < rounds; round++) {
        cll_clock_advance(10000ull * (1 + omp_get_thread_num()));
#pragma omp barrier
    }
#pragma omp parallel
    cll_clock_advance(1000);
    if (argc > 2) {
        abort();
    }
    return 0;
}
"#;

/// Waits at the barrier, and the seconds of all of them.
fn barrier_waits(workshop: &Workshop, files: &str) -> (f64, f64) {
    let answer = workshop.answer(&format!("waits {files}"));
    let sites = rows(&answer, "waits");
    let barrier = sites.iter().find(|row| row["site"].as_str().unwrap().starts_with("omp_barrier")).unwrap();
    (barrier["waits"].as_f64().unwrap(), barrier["waiting_s"].as_f64().unwrap())
}

#[test]
fn events_of_threads_leave_the_memory() {
    if !is_clang_there() {
        return;
    }
    let workshop = Workshop::new();
    workshop.write("rounds.c", ROUNDS);
    workshop.shell("CC=clang call cc -fopenmp rounds.c -o rounds");
    workshop.shell(
        "CALL_CLOCK=counting CALL_EVENTS=1 OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2 ./rounds 6000 2>&1",
    );
    let (waits, seconds) = barrier_waits(&workshop, "rounds.call.0.dat");
    assert_eq!((waits, (1e6 * seconds).round()), (6000.0, 60_000.0));
    assert_eq!(workshop.traces(), ["rounds.call.0.dat"]);

    // By this clock full blocks are saved only.
    workshop.shell("CALL_CLOCK=counting CALL_EVENTS=1 OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2 ./rounds 6000 abort 2>&1 || true");
    assert_eq!(workshop.traces().iter().filter(|name| name.contains("unfinished")).count(), 2);
    let (waits, seconds) = barrier_waits(&workshop, "rounds.call.unfinished.*.dat");
    assert!(waits > 3000.0 && waits <= 6000.0, "{waits}");
    assert_eq!((1e6 * seconds).round(), 10.0 * waits);

    // Where no file can be made, one of the threads says so.
    let told = workshop.shell(
        "CALL_OUTPUT=/proc/none CALL_CLOCK=counting CALL_EVENTS=1 OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2 ./rounds 6000 2>&1 || true",
    );
    assert_eq!(told.matches("stay in memory until they are reported").count(), 1, "{told}");
}
