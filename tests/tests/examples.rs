//! The examples of OpenMP, MPI and BSPlib through the whole chain: right results, a status that tells wrong ones, traces that load,
//! their scripts.

use std::collections::BTreeMap;

use call_tests::{Transport, Workshop, repository};

/// Number of samples of each experiment.
fn samples(trace: &call_trace::Trace) -> BTreeMap<&str, usize> {
    trace.experiments.iter().map(|experiment| (experiment.name.as_str(), experiment.samples.len())).collect()
}

fn bring(workshop: &Workshop, name: &str) {
    workshop.bring(&format!("examples/{name}/{name}.c"));
    workshop.bring(&format!("examples/{name}/{name}.llac"));
    if name != "matrix_product" {
        workshop.bring(&format!("examples/{name}/{name}.obsp"));
    }
    std::fs::create_dir(workshop.path().join("unsampled")).unwrap();
}

/// The source with a mistake in it, for compilers without `call`.
fn write_with_mistake(workshop: &Workshop, name: &str, right: &str, wrong: &str) {
    let source = std::fs::read_to_string(repository().join(format!("examples/{name}/{name}.c"))).unwrap();
    assert_eq!(source.matches(right).count(), 1, "{right}");
    workshop.write("wrong.c", source.replace(right, wrong));
}

#[test]
fn matrix_product() {
    let workshop = Workshop::new();
    bring(&workshop, "matrix_product");
    workshop.build("matrix_product", Transport::Embedded, "-O3 -fopenmp");
    // Threads that wait leave the processor to others: the machine may have fewer cores, or other tests to run.
    let wait = "OMP_WAIT_POLICY=passive";
    let shown =
        workshop.shell(&format!("{wait} ./matrix_product.call.sh --oversubscribe --processors '1 2'"));
    assert_eq!(shown.matches(": 0 rows wrong").count(), 16, "{shown}");
    for (number, threads) in [1, 2].into_iter().enumerate() {
        let trace = workshop.trace(&format!("matrix_product.call.{number}.dat"));
        // Eight sizes, five times each; one thread checks.
        let in_team = 40 * threads;
        let expected = [("again", in_team), ("check", 40), ("initialise", in_team), ("product", in_team)];
        assert_eq!(samples(&trace), BTreeMap::from(expected));
    }
    // A size that neither the block nor the threads divide.
    let shown = workshop.shell(&format!("cd unsampled && {wait} OMP_NUM_THREADS=3 ../matrix_product 100"));
    assert_eq!(shown, "N = 100: 0 rows wrong\n");
    let shown = workshop.shell("llac matrix_product.llac");
    assert!(shown.contains("product[2]") && shown.contains("initialise[1]"), "{shown}");
    assert!(shown.contains("largest error"), "{shown}");
    assert!(workshop.path().join("matrix_product.svg").exists());
}

/// With a clock that only the planted times move, each experiment holds its own part of the work, in every thread.
#[test]
fn parts_of_the_product_are_measured_apart() {
    let workshop = Workshop::new();
    let source =
        std::fs::read_to_string(repository().join("examples/matrix_product/matrix_product.c")).unwrap();
    let mut planted = format!("void cll_clock_advance(unsigned long long nanoseconds);\n{source}");
    for (function, time_ns) in [
        ("initialise(int n, double (*a)[n], double (*b)[n], double (*c)[n])", "n * n"),
        (
            "multiply(int n, double (*restrict a)[n], double (*restrict b)[n], double (*restrict c)[n])",
            "n * n * n",
        ),
        ("wrong_rows(int n, double (*a)[n], double (*b)[n], double (*c)[n], double *vectors)", "n"),
    ] {
        let begin = format!("{function}\n{{\n");
        assert_eq!(planted.matches(&begin).count(), 1, "{function}");
        planted = planted.replace(&begin, &format!("{begin}    cll_clock_advance((unsigned)({time_ns}));\n"));
    }
    workshop.write("matrix_product.c", planted);
    workshop.build("matrix_product", Transport::Embedded, "-O3 -fopenmp");
    workshop.shell("CALL_CLOCK=counting OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2 ./matrix_product");
    let trace = workshop.trace("matrix_product.call.0.dat");
    assert_eq!(trace.experiments.len(), 4);
    for experiment in &trace.experiments {
        let power = match experiment.name.as_str() {
            "product" => 3,
            "check" => 1,
            _ => 2,
        };
        let samples = &experiment.samples;
        for (n, time_s) in samples.columns[1].iter().zip(&samples.time_s) {
            assert_eq!((1e9 * time_s).round(), n.powi(power), "{} of {n}", experiment.name);
        }
    }
}

#[test]
fn a_wrong_product_is_told() {
    let workshop = Workshop::new();
    write_with_mistake(&workshop, "matrix_product", "k < end; k++", "k + 1 < end; k++");
    workshop.shell("cc -O2 -fopenmp wrong.c -o wrong");
    let output = workshop.command("./wrong").arg("70").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
}

/// Twelve sizes: twelve single sweeps and five runs each.
fn check_jacobi(trace: &call_trace::Trace, processes: usize, sizes: usize) {
    assert_eq!(trace.header.processors as usize, processes);
    let single = sizes * 12 * processes;
    let expected =
        [("halo", single), ("residual", single), ("sweep", single), ("whole", sizes * 5 * processes)];
    assert_eq!(samples(trace), BTreeMap::from(expected), "on {processes} processes");
}

fn jacobi(transport: Transport, compiler: &str, launcher: &str, processes: &[usize], further: &[usize]) {
    if !transport.is_available() {
        return;
    }
    let workshop = Workshop::new();
    bring(&workshop, "jacobi");
    workshop.bring("examples/fft/cluster.xml");
    workshop.write("hosts", (0..32).map(|host| format!("n-{host}.x\n")).collect::<String>());
    workshop.build("jacobi", transport, "-O2");
    let run = |counts: &[usize], arguments: &str| {
        let counts = counts.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
        workshop
            .shell(&format!("./jacobi.call.sh --launcher '{launcher}' --processors '{counts}' {arguments}"))
    };
    let shown = run(processes, "");
    assert_eq!(shown.matches(", right").count(), 12 * processes.len(), "{shown}");
    // A size that these numbers of processes do not divide.
    let shown = run(further, "-- 100");
    assert_eq!(shown.matches(", right").count(), further.len(), "{shown}");
    let counts = processes.iter().map(|count| (count, 12)).chain(further.iter().map(|count| (count, 1)));
    for (number, (count, sizes)) in counts.enumerate() {
        check_jacobi(&workshop.trace(&format!("jacobi.call.{number}.dat")), *count, sizes);
    }
    let last = processes.len() + further.len() - 1;
    workshop.shell(&format!("mv jacobi.call.{last}.dat unsampled"));
    let shown = workshop.shell("llac jacobi.llac");
    assert!(shown.contains("sweep[1]") && shown.contains("  by jacobi: largest error"), "{shown}");
    assert!(workshop.path().join("jacobi.svg").exists());
    // Without `call`: one size.
    workshop.shell(&format!("{compiler} -O2 -Wall -Wextra -Wno-unknown-pragmas jacobi.c -lm -o jacobi"));
    let shown = workshop
        .shell(&launcher.replace("%P", "3").split(' ').chain(["./jacobi"]).collect::<Vec<_>>().join(" "));
    assert!(shown.contains("N = 64, P = 3: residual") && shown.ends_with(", right\n"), "{shown}");
}

#[test]
fn jacobi_mpi() {
    let transport = Transport::Mpi;
    jacobi(transport, transport.compiler(), transport.launcher(), &[1, 2], &[3]);
}

/// Processes that wait keep their cores busy.
#[test]
fn jacobi_mpich() {
    let transport = Transport::Mpich;
    jacobi(transport, transport.compiler(), transport.launcher(), &[2], &[3]);
}

#[test]
fn jacobi_simulated() {
    let launcher = "smpirun -np %P -platform cluster.xml -hostfile hosts --cfg=smpi/host-speed:1Gf \
                    --cfg=smpi/cpu-threshold:0 --log=root.threshold:error";
    jacobi(Transport::Smpi, "smpicc", launcher, &[1, 4], &[32]);
}

#[test]
fn a_wrong_plate_is_told() {
    if !Transport::Mpi.is_available() {
        return;
    }
    let workshop = Workshop::new();
    write_with_mistake(&workshop, "jacobi", "from_above, width", "from_below, width");
    workshop.shell("mpicc -O2 wrong.c -lm -o wrong");
    for (processes, is_right) in [("1", true), ("2", false)] {
        let output = workshop.command("mpirun").args(["-n", processes, "./wrong", "50"]).output().unwrap();
        assert_eq!(output.status.success(), is_right, "{}", String::from_utf8_lossy(&output.stdout));
    }
}

/// A program of BSPlib: its experiments, what each of its lines ends with, the sizes it samples and the samples of each.
struct BspExample {
    name: &'static str,
    experiments: &'static [&'static str],
    right: &'static str,
    sizes: usize,
    repetitions: usize,
    pictures: &'static [&'static str],
}

const BROADCAST: BspExample = BspExample {
    name: "broadcast",
    experiments: &["one_stage", "two_stage"],
    right: ": 0 numbers wrong\n",
    sizes: 11,
    repetitions: 7,
    pictures: &["one_stage.svg", "two_stage.svg"],
};

const INNER_PRODUCT: BspExample = BspExample {
    name: "inner_product",
    experiments: &["own", "product", "sum"],
    right: ", right\n",
    sizes: 9,
    repetitions: 5,
    pictures: &["inner_product.svg"],
};

const SAMPLE_SORT: BspExample = BspExample {
    name: "sample_sort",
    experiments: &["exchange", "local", "merge", "sample", "whole"],
    right: ": sorted\n",
    sizes: 7,
    repetitions: 3,
    pictures: &["sample_sort.svg"],
};

fn bsp_example(example: &BspExample, transport: Transport) {
    if !transport.is_available() {
        return;
    }
    let workshop = Workshop::new();
    let name = example.name;
    bring(&workshop, name);
    workshop.build(name, transport, "-O2");
    let launcher = if transport == Transport::Mpi { "--launcher 'mpirun -n %P'" } else { "--oversubscribe" };
    let shown = workshop.shell(&format!("./{name}.call.sh {launcher} --processors '1 2 4'"));
    assert_eq!(shown.matches(example.right).count(), 3 * example.sizes, "{shown}");
    for (number, processors) in [1, 2, 4].into_iter().enumerate() {
        let trace = workshop.trace(&format!("{name}.call.{number}.dat"));
        let count = example.sizes * example.repetitions * processors;
        let expected = example.experiments.iter().map(|experiment| (*experiment, count));
        assert_eq!(samples(&trace), expected.collect(), "on {processors}");
    }
    // A number of processors and a size that neither divides the other.
    let shown = workshop.shell(&format!(
        "cd unsampled && ../{name}.call.sh --program ../{name} {launcher} \
                                 --oversubscribe --processors 3 -- 100"
    ));
    assert_eq!(shown.matches(example.right).count(), 1, "{shown}");
    let shown = workshop.shell(&format!("llac {name}.llac"));
    // The program in .obsp stands beside the fit.
    assert!(shown.contains("  by ") && shown.contains("its error %"), "{shown}");
    for picture in example.pictures {
        assert!(workshop.path().join(picture).exists(), "{picture}");
    }
}

#[test]
fn programs_of_bsplib() {
    for example in [BROADCAST, INNER_PRODUCT, SAMPLE_SORT] {
        bsp_example(&example, Transport::Embedded);
    }
    bsp_example(&SAMPLE_SORT, Transport::Mpi);
}

/// Every version finds the right answers, also where processors have no power of two, and few rows.
#[test]
fn queries() {
    for transport in [Transport::Embedded, Transport::Mpi, Transport::Smpi] {
        if !transport.is_available() {
            continue;
        }
        let workshop = Workshop::new();
        workshop.bring("examples/query/query.c");
        workshop.build("query", transport, "-O2");
        let counts: &[usize] = if transport == Transport::Embedded { &[1, 2, 3, 6] } else { &[3] };
        for &processors in counts {
            for version in ["1 9000", "2 9001", "3 64", "4 64", "4 9003"] {
                let shown = workshop.run("query", transport, processors, version);
                assert!(
                    shown.ends_with(&format!("P = {processors}: right\n")),
                    "{transport:?} {version}: {shown}"
                );
            }
        }
    }
}

/// Two supersteps cost more than one for few numbers, and less for many: in simulated time, in which nothing else happens.
#[test]
fn broadcasts_cross() {
    if !Transport::Smpi.is_available() {
        return;
    }
    let workshop = Workshop::new();
    bring(&workshop, "broadcast");
    workshop.build("broadcast", Transport::Smpi, "-O2");
    workshop.run("broadcast", Transport::Smpi, 16, "");
    let trace = workshop.trace("broadcast.call.0.dat");
    let shortest_s = |name: &str, n: f64| {
        let samples = &trace.experiments.iter().find(|its| its.name == name).unwrap().samples;
        let times = samples.columns[1].iter().zip(&samples.time_s);
        times.filter(|(its, _)| **its == n).map(|(_, time_s)| *time_s).fold(f64::INFINITY, f64::min)
    };
    let of_both = |n| (shortest_s("one_stage", n), shortest_s("two_stage", n));
    let (one, two) = of_both(256.0);
    assert!(one < two, "{one} s, {two} s");
    let (one, two) = of_both(262144.0);
    assert!(one > 2.0 * two, "{one} s, {two} s");
}

/// Where MPI lets a sender wait until its large message is received, tokens of barriers arrive long before the messages that they
/// vouch for. The program checks its numbers.
#[test]
fn tokens_do_not_overtake_what_they_vouch_for() {
    if !Transport::Smpi.is_available() {
        return;
    }
    let workshop = Workshop::new();
    bring(&workshop, "broadcast");
    workshop.build("broadcast", Transport::Smpi, "-O1");
    workshop.run("broadcast", Transport::Smpi, 2, "256");
    let launcher = Transport::Smpi.launcher().replace("%P", "16");
    let command = format!("{launcher} --cfg=smpi/send-is-detached-thresh:1000000000 ./broadcast 262144");
    assert!(workshop.shell(&command).contains("N = 262144, P = 16: 0 numbers wrong"));
}

#[test]
fn mistakes_in_programs_of_bsplib_are_told() {
    let mistakes = [
        // A share less; a sum too early; runs that are not merged; borders that are not the same everywhere.
        (
            "broadcast",
            "100",
            "to < bsp_nprocs(); to++) {\n        put_share",
            "to + 1 < bsp_nprocs(); to++) {\n        put_share",
        ),
        ("inner_product", "100", "from < bsp_nprocs()", "from + 1 < bsp_nprocs()"),
        ("sample_sort", "100", "        sort(sorted, received);", ""),
        ("query", "1", "< splitters[to]", "< splitters[to] + s"),
    ];
    for (name, argument, right, wrong) in mistakes {
        let workshop = Workshop::new();
        write_with_mistake(&workshop, name, right, wrong);
        workshop.shell("cc -O2 $(call cflags) wrong.c $(call libs) -o wrong");
        let output = workshop.command("./wrong").arg(argument).env("CALL_PROCESSORS", "3").output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Every allocation finds the same targets, also where rows and columns are not divided evenly.
#[test]
fn radar() {
    for transport in [Transport::Mpi, Transport::Mpich, Transport::Smpi] {
        if !transport.is_available() {
            continue;
        }
        let workshop = Workshop::new();
        workshop.bring("examples/radar/stages.h");
        workshop.bring("examples/radar/radar.c");
        workshop.build("radar", transport, "-O2");
        let runs =
            [(3, ""), (6, "2 3 1"), (8, "3 1 4 2 50 32 5"), (7, "1 5 1 1 7 64 3"), (5, "2 2 1 4 60 64 4 1")];
        let count = if transport == Transport::Mpi { runs.len() } else { 2 };
        for (processors, arguments) in runs.into_iter().take(count) {
            let shown = workshop.run("radar", transport, processors, arguments);
            assert!(shown.ends_with(": 3 targets, right\n"), "{transport:?} {arguments}: {shown}");
        }
        let trace = workshop.trace("radar.call.1.dat");
        let expected =
            [("power", 1), ("samples", 2), ("threshold", 1), ("track", 1), ("transform", 3), ("turn", 2)];
        let expected = expected.map(|(name, processors)| (name, 8 * processors));
        let mut expected = BTreeMap::from(expected);
        expected.insert("pipeline", 6);
        assert_eq!(samples(&trace), expected);
        assert_eq!(trace.events.len(), 6);
    }
}

/// The same on parts of a BSP machine: a superstep a round for all of it, and those of groups 0 and 2 in between.
#[test]
fn radar_on_parts_of_a_machine() {
    for transport in [Transport::Embedded, Transport::Mpi, Transport::Mpich, Transport::Smpi] {
        if !transport.is_available() {
            continue;
        }
        let workshop = Workshop::new();
        workshop.bring("examples/radar/stages.h");
        workshop.bring("examples/radar/radar_pub.c");
        workshop.build("radar_pub", transport, "-O2");
        let runs = [(3, ""), (6, "2 3 1"), (8, "3 1 4 2 50 32 5"), (7, "1 5 1 1 7 64 3")];
        let count = if transport == Transport::Embedded { runs.len() } else { 2 };
        for (processors, arguments) in runs.into_iter().take(count) {
            let shown = workshop.run("radar_pub", transport, processors, arguments);
            assert!(shown.ends_with(": 3 targets, right\n"), "{transport:?} {arguments}: {shown}");
        }
        let trace = workshop.trace("radar_pub.call.1.dat");
        let expected =
            [("power", 1), ("samples", 2), ("threshold", 1), ("track", 1), ("transform", 3), ("turn", 2)];
        let mut expected = BTreeMap::from(expected.map(|(name, processors)| (name, 8 * processors)));
        expected.insert("pipeline", 6);
        assert_eq!(samples(&trace), expected);
    }
}

/// Any number of processors ends with right sums, also where rows are not divided evenly.
#[test]
fn equilibration() {
    for transport in [Transport::Mpi, Transport::Mpich, Transport::Smpi] {
        if !transport.is_available() {
            continue;
        }
        let workshop = Workshop::new();
        workshop.bring("examples/equilibration/equilibration.c");
        workshop.build("equilibration", transport, "-O2");
        for (processors, arguments) in [(1, "40"), (3, "40 12 1"), (4, "50")] {
            let shown = workshop.run("equilibration", transport, processors, arguments);
            assert!(shown.ends_with(" 0 rows were wrong when they were last counted: right\n"), "{shown}");
        }
        let trace = workshop.trace("equilibration.call.1.dat");
        let expected = [("columns", 36), ("rows", 36), ("verify", 6), ("whole", 3)];
        assert_eq!(samples(&trace), BTreeMap::from(expected));
        assert_eq!(trace.events.len(), 3);
        // One turn is not enough.
        let few = transport.launcher().replace("%P", "2") + " ./equilibration 40 1";
        let output = workshop.command("sh").args(["-c", &few]).output().unwrap();
        assert_ne!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn a_wrong_radar_is_told() {
    if !Transport::Mpi.is_available() {
        return;
    }
    let mistakes = [
        // Columns in the wrong place; targets that are not added up.
        (
            "place_columns(received + starts[other] / 2, other",
            "place_columns(received + starts[other] / 2, 0",
        ),
        ("2, MPI_LONG, MPI_SUM, 0, own", "2, MPI_LONG, MPI_MAX, 0, own"),
    ];
    for (right, wrong) in mistakes {
        let workshop = Workshop::new();
        workshop.bring("examples/radar/stages.h");
        write_with_mistake(&workshop, "radar", right, wrong);
        workshop.shell(&format!("{} -O2 wrong.c -lm -o wrong", Transport::Mpi.compiler()));
        let command = Transport::Mpi.launcher().replace("%P", "6") + " ./wrong 2 2 2";
        let output = workshop.command("sh").args(["-c", &command]).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stdout));
    }
}
