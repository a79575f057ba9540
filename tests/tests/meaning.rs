//! What `P` and the time mean: processors of the machine in use, a variable that the program calls so, clocks of processors.

use call_tests::{Transport, Workshop};

/// As BSPedupack does it: the number of processors is read by the first one only. A measurement takes 100 + 8 n/4 ns of four processors.
const OWN_P: &str = r#"#include <bsp.h>

void cll_clock_advance(unsigned long long nanoseconds);

static int P;

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 0)
        P = bsp_nprocs();
    for (int n = 64; n <= 512; n *= 2) {
#pragma cll parallel BSPlib procs = 4:4
#pragma cll sync f f[0] + f[1]*n/P
        cll_clock_advance(100 + 8ull*(unsigned)n/4);
#pragma cll end f
    }
#pragma cll report all
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    spmd();
    return 0;
}
"#;

/// What llac shows and warns of, with lines that were wrapped as one.
fn unwrapped(workshop: &Workshop, commands: &[&str]) -> String {
    let words: String = commands.iter().map(|command| format!(" -e '{command}'")).collect();
    workshop.shell(&format!("llac{words} 2>&1")).replace("\n  ", " ")
}

#[test]
fn a_variable_called_p_that_is_not_the_processors_is_told() {
    for form in ["text", "binary", "summary"] {
        let workshop = Workshop::new();
        workshop.write("own.c", OWN_P);
        let noted = workshop.shell("call own.c 2>&1");
        assert!(noted.contains("here `P` is the program's own, not the number of processors"), "{noted}");
        workshop.build("own", Transport::Embedded, "-O1");
        let told =
            workshop.shell(&format!("CALL_TRACE={form} CALL_CLOCK=counting CALL_PROCESSORS=4 ./own 2>&1"));
        let wanted = "f: in 12 rows the variable P of the program is not the number of processors, such as 0 where there are 4";
        assert_eq!(told.matches(wanted).count(), 1, "{told}");

        let header = workshop.trace("own.call.0.dat").header;
        let other = &header.other_p[0];
        assert_eq!((other.rows, other.value, other.processors), (12, 0.0, 4));
        let shown = unwrapped(&workshop, &["load own.call.0.dat", "fit f", "compare f"]);
        let warned = "in 12 rows of f the variable P of the program is not the number of processors, such as 0 where that is 4";
        assert!(shown.contains(warned), "{shown}");
        assert!(
            shown.contains("4 samples are left out: the formula has no finite value at n = 64, P = 0"),
            "{shown}"
        );
        assert!(shown.contains("largest error 0.00 %, mean 0.00 %"), "{shown}");
    }
}

/// Each processor works until it has had a processor of the computer for 60 ms.
const WORKING: &str = r#"#include <bsp.h>
#include <time.h>

static void work(void)
{
    bsp_begin(bsp_nprocs());
#pragma cll parallel BSPlib procs = 2:2
#pragma cll sync f f[0]
    while (clock() < CLOCKS_PER_SEC / 1000 * 60) {
    }
#pragma cll end f
#pragma cll report all
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(work, argc, argv);
    work();
    return 0;
}
"#;

#[test]
fn how_long_processes_waited_for_a_processor_is_in_the_header() {
    let workshop = Workshop::new();
    workshop.write("working.c", WORKING);
    workshop.build("working", Transport::Embedded, "-O1");
    // Two processes on one processor: each waits as long as it works, or nearly so where it begins a little later.
    workshop.shell("CALL_PROCESSORS=2 taskset -c $(taskset -cp $$ | sed 's/.*: //; s/[-,].*//') ./working --oversubscribe 2>&1");
    let shared = workshop.trace("working.call.0.dat").header;
    let waited_share = shared.waited_share.unwrap();
    assert!(waited_share > 0.2 && waited_share < 1.0, "{waited_share}");
    assert!(shared.load_average.is_some() && shared.taken_share().unwrap() >= waited_share);
    let shown = unwrapped(&workshop, &["load working.call.0.dat", "fit f", "show"]);
    assert!(shown.contains("in 1 of 1 runs processes waited while others had the processors"), "{shown}");
    assert!(shown.contains("% of the time for a processor"), "{shown}");

    // Of planted times nobody asks.
    workshop.shell("CALL_CLOCK=counting CALL_PROCESSORS=1 ./working 2>&1");
    assert_eq!(workshop.trace("working.call.1.dat").header.waited_share, None);
}

/// On ranks 0 and 1 of three, and on rank 2 alone.
const SPLIT: &str = r#"#include <mpi.h>

void cll_clock_advance(unsigned long long nanoseconds);

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Comm part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2, rank, &part);
    MPI_Comm_size(part, &size);
#pragma cll parallel MPI MPI_COMM_WORLD procs = 3:3
    for (int n = 600; n <= 6000; n += 600) {
#pragma cll whole whole[0]*n/P
        cll_clock_advance(9ull*(unsigned)n/3);
#pragma cll on(part) f f[0] + f[1]*n/P
        cll_clock_advance(500 + 12ull*(unsigned)n/(unsigned)size);
#pragma cll end f
#pragma cll end whole
#pragma cll sync(part) g g[0]*P
        cll_clock_advance(7ull*(unsigned)size);
#pragma cll end g
    }
#pragma cll report all
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
"#;

#[test]
fn experiments_have_the_processors_of_their_communicator() {
    let transports = [Transport::Mpi].into_iter().filter(|transport| transport.is_available());
    for transport in transports {
        let workshop = Workshop::new();
        workshop.write("split.c", SPLIT);
        workshop.build("split", transport, "-O1");
        workshop.shell(&format!("CALL_CLOCK=counting {} ./split", transport.launcher().replace("%P", "3")));
        let trace = workshop.trace("split.call.0.dat");
        let samples = |name: &str| {
            let found = trace.experiments.iter().find(|experiment| experiment.name == name);
            found.unwrap().samples.clone()
        };
        for (name, of_processor) in
            [("whole", [3.0, 3.0, 3.0]), ("f", [2.0, 2.0, 1.0]), ("g", [2.0, 2.0, 1.0])]
        {
            let samples = samples(name);
            assert_eq!(samples.len(), 30);
            for (p, processor) in samples.columns[0].iter().zip(&samples.processor) {
                assert_eq!(*p, of_processor[*processor as usize], "{name} of processor {processor}");
            }
        }
        let shown = workshop.llac(&["load split.call.0.dat", "predict f n=1200 P=4", "predict f n=1200 P=2"]);
        assert!(
            shown.contains("f(n=1200, P=4) = 4.1 µs") && shown.contains("f(n=1200, P=2) = 7.7 µs"),
            "{shown}"
        );
    }
}

/// It is of MPI, but does not say so to `call`.
const UNSAID: &str = r#"#include <mpi.h>

int main(int argc, char **argv)
{
    int n = 3;
    MPI_Init(&argc, &argv);
#pragma cll f f[0]*n/P
#pragma cll end f
#ifndef BEHIND
#pragma cll report all
#pragma cll report all
#endif
    MPI_Finalize();
#ifdef BEHIND
#pragma cll report all
#pragma cll report all
#endif
    return 0;
}
"#;

/// Each process would pass for a run on one processor.
#[test]
fn a_program_of_mpi_that_does_not_say_so_is_told() {
    for transport in [Transport::Mpi, Transport::Mpich] {
        if !transport.is_available() {
            continue;
        }
        let workshop = Workshop::new();
        workshop.write("unsaid.c", UNSAID);
        for place in ["-UBEHIND", "-DBEHIND"] {
            workshop.shell(&format!("call cc {} {place} unsaid.c -o unsaid", transport.compiler()));
            for (processes, times) in [(1, 0), (2, 1)] {
                let launcher = transport.launcher().replace("%P", &processes.to_string());
                let told = workshop.shell(&format!("{launcher} ./unsaid 2>&1"));
                let remark =
                    format!("P is 1, and each of the {processes} processes of MPI writes a trace of its own");
                assert_eq!(told.matches(&remark).count(), times, "{place}: {told}");
            }
        }
    }
}

/// The block is around the region: 300 + 40 n/P ns on a team of P threads.
const REGION: &str = r#"#include <omp.h>

void cll_clock_advance(unsigned long long nanoseconds);

int main(void)
{
    static double a[64000];
#pragma cll parallel OpenMP procs = 1:4:2
    for (int n = 8000; n <= 64000; n += 8000) {
#pragma cll f f[0] + f[1]*n/P
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            a[i] += i;
            if (i == 0)
                cll_clock_advance(300 + 40ull*(unsigned)n/(unsigned)omp_get_num_threads());
        }
#pragma cll end f
    }
#pragma cll report all
    return a[1] < 0;
}
"#;

#[test]
fn regions_on_one_two_and_four_threads_fit_n_over_p() {
    let workshop = Workshop::new();
    workshop.write("region.c", REGION);
    workshop.build("region", Transport::Embedded, "-O1 -fopenmp");
    for threads in [1, 2, 4] {
        workshop.shell(&format!("CALL_CLOCK=counting OMP_DYNAMIC=false OMP_NUM_THREADS={threads} ./region"));
    }
    let shown =
        workshop.llac(&["load region.call.*.dat", "aleph f[0]", "aleph f[1]", "predict f n=128000 P=8"]);
    for wanted in ["f[0]       3e-7", "f[1]       4e-8", "f(n=128000, P=8) = 640.3 µs"] {
        assert!(shown.contains(wanted), "{wanted}:\n{shown}");
    }
}

/// Two threads of a team work for some time, the first of which measures.
const CLOCKS: &str = r#"#include <time.h>

static double busy(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9*(double)now.tv_nsec;
}

int main(void)
{
#pragma cll parallel OpenMP
    for (int n = 1; n <= 3; n++) {
#pragma cll f process-clock = f[0]*n counters task-clock
#pragma omp parallel num_threads(2)
        {
            double start = busy(CLOCK_THREAD_CPUTIME_ID);
            while (busy(CLOCK_THREAD_CPUTIME_ID) - start < 0.02*n)
                ;
        }
#pragma cll end f
    }
#pragma cll report all
    return 0;
}
"#;

#[test]
fn the_clock_of_the_process_has_all_its_threads() {
    let workshop = Workshop::new();
    workshop.write("clocks.c", CLOCKS);
    workshop.build("clocks", Transport::Embedded, "-O1 -fopenmp");
    workshop.shell("OMP_WAIT_POLICY=passive ./clocks");
    let samples = workshop.trace("clocks.call.0.dat").experiments[0].samples.clone();
    let counted = |name: &str| {
        let column = samples.counter_names.iter().position(|known| known == name).unwrap();
        samples.counters[column].clone()
    };
    for (at, (process_ns, thread_ns)) in
        counted("process-clock").into_iter().zip(counted("task-clock")).enumerate()
    {
        let worked_ns = 2e7 * (at + 1) as f64;
        assert!(process_ns >= 2.0 * worked_ns, "{process_ns} of {worked_ns} in two threads");
        assert!(thread_ns >= worked_ns && thread_ns < process_ns, "{thread_ns} of {process_ns}");
    }
    let shown = workshop.llac(&["load clocks.call.0.dat", "predict f n=100"]);
    assert!(shown.contains("f(n=100) = ") && shown.contains(" s\n"), "its unit is that of times:\n{shown}");
}

/// What the clause `variables` names, of which `f` has no formula, and `g` one that lacks `m`.
const VARIABLES: &str = r#"void cll_clock_advance(unsigned long long nanoseconds);

#pragma cll parallel sequential

int main(void)
{
    for (int n = 64; n <= 1024; n *= 2) {
#pragma cll f variables n
        cll_clock_advance(100 + 8ull*(unsigned)n);
#pragma cll end f
        for (int m = 1; m <= 4; m++) {
#pragma cll g g[0] + g[1]*n variables m
            cll_clock_advance(100 + 8ull*(unsigned)(n*m));
#pragma cll end g
        }
    }
#pragma cll report all
    return 0;
}
"#;

#[test]
fn variables_are_recorded_beside_a_formula_and_without_one() {
    for form in ["text", "binary", "summary"] {
        let workshop = Workshop::new();
        workshop.write("named.c", VARIABLES);
        workshop.shell("call named.c");
        workshop.build("named", Transport::Embedded, "-O1");
        workshop.shell(&format!("CALL_TRACE={form} CALL_CLOCK=counting ./named"));
        let shown = unwrapped(&workshop, &["load named.call.0.dat", "predict f n=4096"]);
        assert!(shown.contains("f(n=4096) = 32.87 µs") && shown.contains("there is no formula"), "{shown}");
        let shown = unwrapped(&workshop, &["load named.call.0.dat", "fit", "find g"]);
        assert!(shown.contains("f: no formula: "), "{shown}");
        let refused = workshop.shell("llac predict named.call.0.dat f n=4096 P=1 2>&1 || true");
        assert!(refused.contains("`P` is 1 in all samples"), "{refused}");
        assert!(
            shown.contains("g = g[0] + g[1]*n*m") && shown.contains("the measurements also depend on m"),
            "{shown}"
        );
    }
}
