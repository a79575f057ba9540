//! Waiting of MPI programs in simulated time, from the run to `llac waits`, and on this computer.

use call_tests::answer::{number, rows};
use call_tests::{Transport, Workshop};
use serde_json::Value;

/// What the simulated network takes, all calls together.
const NETWORK_S: f64 = 2e-3;

fn near(found_s: f64, expected_s: f64) -> bool {
    (found_s - expected_s).abs() < NETWORK_S
}

/// The programs, and a cluster that is simulated.
pub fn built() -> Workshop {
    let workshop = Workshop::new();
    workshop.bring("tests/programs/waits.c");
    workshop.bring("examples/fft/cluster.xml");
    workshop.write("hosts", (0..32).map(|host| format!("n-{host}.x\n")).collect::<String>());
    workshop.shell("smpicc $(call cflags --mpi -O1) waits.c $(call libs --mpi) -o waits");
    workshop
}

/// The programs, on this computer.
fn built_for(transport: Transport) -> Workshop {
    let workshop = Workshop::new();
    workshop.bring("tests/programs/waits.c");
    let compiler = transport.compiler();
    workshop.shell(&format!(
        "{compiler} $(CC={compiler} call cflags --mpi -O1) waits.c $(CC={compiler} call libs --mpi) -o waits"
    ));
    workshop
}

/// The name of a trace that a program writes; its arguments stand behind its name.
fn recorded(workshop: &Workshop, processors: u32, program: &str) -> String {
    let launcher = Transport::Smpi.launcher().replace("%P", &processors.to_string());
    recorded_by(workshop, &launcher, program)
}

/// By a launcher of simulated processes.
pub fn recorded_by(workshop: &Workshop, launcher: &str, program: &str) -> String {
    workshop.shell(&format!("CALL_EVENTS=1 {launcher} --cfg=smpi/simulate-computation:no ./waits {program}"));
    workshop.traces().pop().unwrap()
}

/// A long message of which both know waits for a receiver that computes: it would carry it in calls only. Times are those of a real computer.
#[test]
fn receivers_that_compute_are_waited_for() {
    for transport in [Transport::Mpi, Transport::Mpich] {
        if !transport.is_available() {
            continue;
        }
        let workshop = built_for(transport);
        let launcher = transport.launcher().replace("%P", "2");
        workshop.shell(&format!("CALL_EVENTS=1 {launcher} ./waits late_progress"));
        let name = workshop.traces().pop().unwrap();
        let answer = workshop.answer(&format!("waits {name}"));
        let waits = rows(&answer, "waits");
        let is_meant = |row: &&Value| row["kind"] == "late receiver" && row["site"] == "MPI_Wait";
        let found = waits.iter().find(is_meant).unwrap_or_else(|| panic!("{transport:?}: {answer}"));
        let waiting_s = number(found, "waiting_s");
        // Three times 0.3 s less 0.1 s; the computer may have other work.
        assert!((0.4..2.0).contains(&waiting_s), "{transport:?}: {waiting_s} s");
    }
}

/// Libraries may wait for a lock where it is asked for, or where it is given back. Times are those of a real computer.
#[test]
fn locks_that_others_hold_are_waited_for() {
    for transport in [Transport::Mpi, Transport::Mpich] {
        if !transport.is_available() {
            continue;
        }
        let workshop = built_for(transport);
        let launcher = transport.launcher().replace("%P", "2");
        workshop.shell(&format!("CALL_EVENTS=1 {launcher} ./waits locked"));
        let name = workshop.traces().pop().unwrap();
        let answer = workshop.answer(&format!("waits {name}"));
        let waits = rows(&answer, "waits");
        let found: Vec<&Value> = waits.iter().filter(|row| row["kind"] == "lock contention").collect();
        let waiting_s: f64 = found.iter().map(|row| number(row, "waiting_s")).sum();
        assert!(!found.is_empty() && (0.1..1.0).contains(&waiting_s), "{transport:?}: {answer}");
    }
}

/// What frees a window is done together: the first one waits 0.3 s there for the other one.
#[test]
fn what_frees_a_window_waits_for_all() {
    let transport = Transport::Smpi;
    if !transport.is_available() {
        return;
    }
    let workshop = built();
    let name = recorded(&workshop, 2, "locked");
    let answer = workshop.answer(&format!("waits {name}"));
    let waits = rows(&answer, "waits");
    let found: Vec<&Value> = waits.iter().filter(|row| row["site"] == "MPI_Win_free").collect();
    assert!(found.len() == 1 && found[0]["kind"] == "wait at barrier", "{answer}");
    assert!(near(number(found[0], "waiting_s"), 0.3), "{answer}");
    let told = workshop.shell(&format!("llac waits {name} 2>&1"));
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(!told.contains("not analysed"), "{told}");
    // Who holds the lock first stays so in a replay.
    assert!(told.contains("stays who it was in the recording"), "{told}");
}

/// A replay with a step that is faster takes as long as the program with that step faster.
/// What is computed between tests may be waiting: the run with a faster sender would end earlier, which replay cannot know and says.
#[test]
fn what_lies_between_tests_is_told() {
    if !Transport::Smpi.is_available() {
        return;
    }
    let workshop = built();
    let name = recorded(&workshop, 2, "polling");
    let told = workshop.shell(&format!("llac --format json waits {name}"));
    let answer: Value = serde_json::from_str(&told).unwrap();
    let warnings = answer["results"][0]["warnings"].as_array().unwrap();
    let warning =
        warnings.iter().find(|its| its["message"].as_str().unwrap().contains("tests again and again"));
    let message = warning.unwrap_or_else(|| panic!("{told}"))["message"].as_str().unwrap();
    assert!(
        message.contains(" on processor 0 in ") && message.contains(" at MPI_Test in polling < main"),
        "{message}"
    );
    let faster = workshop.shell(&format!("llac waits {name} faster polling=2 2>&1"));
    let faster = faster.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(faster.contains("whether it would end earlier is not known"), "{faster}");
}

#[test]
fn replays_are_runs_of_the_faster_program() {
    if !Transport::Smpi.is_available() {
        return;
    }
    let workshop = built();
    let replayed = |name: &str, factor: u32| {
        let words = format!("faster 'before MPI_Barrier={factor}'");
        let answer = workshop.answer(&format!("waits {name} {words}"));
        let runs = rows(&answer, "replayed");
        let run = |number: usize| runs[number]["run_time_s"].as_f64().unwrap();
        (run(0), run(1))
    };
    let slow = recorded(&workshop, 4, "imbalance 100000");
    let (as_recorded_s, unchanged_s) = replayed(&slow, 1);
    assert!(as_recorded_s > 0.49 && as_recorded_s == unchanged_s, "{as_recorded_s} s, {unchanged_s} s");
    let predicted_s = replayed(&slow, 4).1;
    std::fs::remove_file(workshop.path().join(&slow)).unwrap();
    let fast = recorded(&workshop, 4, "imbalance 25000");
    let measured_s = replayed(&fast, 1).0;
    assert!(
        near(measured_s, 0.35) && (predicted_s - measured_s).abs() < 1e-4,
        "{predicted_s} s, not {measured_s} s"
    );
}

/// A block whose gain the closed form tells, T(x) = max(0.2 s + 0.05, 0.1 s + 0.1, 0.17) + max(…, 0.11) with s = 1 - x: the curve has its bends,
/// `waits faster` its values, and a run in which all others are delayed in its place takes as long.
#[test]
fn faster_blocks_are_runs_with_all_others_delayed() {
    if !Transport::Smpi.is_available() {
        return;
    }
    let workshop = built();
    let asked = |command: &str| workshop.answer(command);
    let recording = recorded(&workshop, 3, "delayed");
    let answer = asked(&format!("plot faster {recording} 'before MPI_Barrier'"));
    let (curve, paths) = (rows(&answer, "faster"), rows(&answer, "critical_paths"));
    let expected = [(0.0, 0.5), (40.0, 0.34), (50.0, 0.32), (90.0, 0.28), (100.0, 0.28)];
    assert_eq!(curve.len(), expected.len(), "{curve:?}");
    for (row, (percent, run_time_s)) in curve.iter().zip(expected) {
        let is_near = (number(row, "block_percent") - percent).abs() < 0.2;
        assert!(is_near && near(number(row, "run_time_s"), run_time_s), "{row}");
    }
    assert_eq!(paths[1]["processor"], 2.0, "{}", paths[1]);
    let replayed = |factor: f64| {
        let answer = asked(&format!("waits {recording} faster 'before MPI_Barrier={factor}'"));
        number(&rows(&answer, "replayed")[1], "run_time_s")
    };
    for row in &curve[..4] {
        assert!((replayed(number(row, "factor")) - number(row, "run_time_s")).abs() < 1e-8, "{row}");
    }
    let own_s = replayed(1.0);
    for percent in [25.0, 60.0, 95.0] {
        let name = recorded(&workshop, 3, &format!("delayed {percent}"));
        let delayed_s = number(&rows(&asked(&format!("waits {name}")), "efficiency")[0], "run_time_s");
        std::fs::remove_file(workshop.path().join(name)).unwrap();
        let virtual_s = delayed_s - 2.0 * 0.3 * percent / 100.0;
        let replayed_s = replayed(1.0 / (1.0 - percent / 100.0));
        assert!(
            virtual_s < own_s && (virtual_s - replayed_s).abs() < 1e-4,
            "{percent}: {virtual_s} s, {replayed_s} s"
        );
    }
}

/// What a replay says of another network is what the program takes on that network.
#[test]
fn replays_on_another_network_are_runs_on_it() {
    if !Transport::Smpi.is_available() {
        return;
    }
    let workshop = Workshop::new();
    workshop.bring("tests/programs/network.c");
    workshop.bring("examples/fft/cluster.xml");
    let as_it_is = workshop.read("cluster.xml");
    let slower = as_it_is.replace("bw=\"10Gbps\" lat=\"2us\"", "bw=\"1Gbps\" lat=\"20us\"");
    assert_ne!(slower, as_it_is);
    workshop.write("slower.xml", slower);
    workshop.write("hosts", (0..8).map(|host| format!("n-{host}.x\n")).collect::<String>());
    workshop.shell("smpicc $(call cflags --mpi -O1) network.c $(call libs --mpi) -o network");
    let run_time_s = |trace: &str| {
        let answer = workshop.answer(&format!("waits {trace}"));
        rows(&answer, "efficiency")[0]["run_time_s"].as_f64().unwrap()
    };
    for program in ["ring", "pipeline"] {
        let recorded = |platform: &str| {
            let launcher = Transport::Smpi.launcher().replace("%P", "8").replace("cluster.xml", platform);
            // A network without the corrections that SMPI makes for one it was calibrated on, and small messages that leave at once.
            let plain = "--cfg=smpi/simulate-computation:no --cfg=smpi/async-small-thresh:65536 --cfg=smpi/bw-factor:0:1 \
                --cfg=smpi/lat-factor:0:1 --cfg=network/crosstraffic:no --cfg=network/weight-S:0";
            workshop.shell(&format!("CALL_EVENTS=1 {launcher} {plain} ./network {program}"));
            let trace = workshop.traces().pop().unwrap();
            // A short name, which comes before the next trace.
            let named = format!("{}.{}.dat", &program[..1], &platform[..1]);
            std::fs::rename(workshop.path().join(trace), workshop.path().join(&named)).unwrap();
            named
        };
        let (here, there) = (recorded("cluster.xml"), recorded("slower.xml"));
        let (here_s, there_s) = (run_time_s(&here), run_time_s(&there));
        let answer = workshop.answer(&format!("replay {here} latency=40us bandwidth=125e6"));
        let replayed = &rows(&answer, "replay")[0];
        assert!((replayed["recorded_s"].as_f64().unwrap() / here_s - 1.0).abs() < 1e-9, "{answer}");
        let then_s = replayed["then_s"].as_f64().unwrap();
        assert!(there_s > 2.0 * here_s, "{program}: {there_s} s, {here_s} s");
        assert!((then_s / there_s - 1.0).abs() < 0.01, "{program}: {then_s} s, and it takes {there_s} s");
        let told = workshop.shell(&format!("llac replay {here} 2>/dev/null"));
        assert!(told.contains("waited for their receivers"), "{told}");
        // Neither needs that messages are taken over before they are asked for.
        let told = workshop.shell(&format!("llac replay {here} eager=0 2>/dev/null"));
        assert!(told.contains("messages of more than 0 bytes wait"), "{told}");
    }
}

/// Processors that come late to a collective operation are waited for inside of it, by those that get it from them: as long on any network. Where what an
/// operation takes itself never shows, a warning has both ends of what it may take.
#[test]
fn collective_operations_of_unequal_processors_are_replayed() {
    if !Transport::Smpi.is_available() {
        return;
    }
    let workshop = Workshop::new();
    workshop.bring("tests/programs/collectives.c");
    workshop.bring("examples/fft/cluster.xml");
    let slower =
        workshop.read("cluster.xml").replace("bw=\"10Gbps\" lat=\"2us\"", "bw=\"1Gbps\" lat=\"20us\"");
    workshop.write("slower.xml", slower);
    workshop.write("hosts", (0..8).map(|host| format!("n-{host}.x\n")).collect::<String>());
    workshop.shell("smpicc $(call cflags --mpi -O1) collectives.c $(call libs --mpi) -o collectives");
    let run_time_s = |trace: &str| {
        let answer = workshop.answer(&format!("waits {trace}"));
        rows(&answer, "efficiency")[0]["run_time_s"].as_f64().unwrap()
    };
    let recorded = |program: &str, platform: &str| {
        let launcher = Transport::Smpi.launcher().replace("%P", "8").replace("cluster.xml", platform);
        let plain = "--cfg=smpi/simulate-computation:no --cfg=smpi/async-small-thresh:65536 --cfg=smpi/bw-factor:0:1 \
            --cfg=smpi/lat-factor:0:1 --cfg=network/crosstraffic:no --cfg=network/weight-S:0";
        workshop.shell(&format!("CALL_EVENTS=1 {launcher} {plain} ./collectives {program}"));
        let trace = workshop.traces().pop().unwrap();
        let named = format!("{}.{}.dat", program.replace(' ', "-"), &platform[..1]);
        std::fs::rename(workshop.path().join(trace), workshop.path().join(&named)).unwrap();
        named
    };
    // Where all come at once it was right before, to 0.1 %.
    let known = [
        ("bcast", 0.02),
        ("gather", 0.02),
        ("scatter", 0.05),
        ("scan", 0.02),
        ("bcast equal", 0.01),
        ("gather equal", 0.01),
    ];
    for (program, off) in known.into_iter().chain([("reduce", f64::INFINITY), ("ibcast", f64::INFINITY)]) {
        let (here, there) = (recorded(program, "cluster.xml"), recorded(program, "slower.xml"));
        let there_s = run_time_s(&there);
        let line = format!("replay {here} latency=40us bandwidth=125e6 from latency=4us bandwidth=1.25e9");
        let answer = workshop.answer(&line);
        let then_s = rows(&answer, "replay")[0]["then_s"].as_f64().unwrap();
        if off.is_finite() {
            assert!((then_s / there_s - 1.0).abs() < off, "{program}: {then_s} s, and it takes {there_s} s");
            continue;
        }
        let warnings = answer["results"][0]["warnings"].as_array().unwrap();
        let warning =
            warnings.iter().find(|warning| warning["code"] == "hidden-collectives").expect("a warning");
        let [least_s, most_s] = ["least_s", "most_s"].map(|key| warning[key].as_f64().unwrap());
        assert!(
            least_s <= 1.01 * there_s && there_s <= 1.01 * most_s,
            "{program}: {warning}, and it takes {there_s} s"
        );
        assert!(least_s <= then_s && then_s <= most_s, "{program}: {warning}, {then_s} s");
    }
    // With the network that it had nobody has to know it: a call that is faster takes less of what it takes beyond its waits.
    let line = "faster MPI_Scan=2";
    let plain = workshop.answer(&format!("replay scan.c.dat {line}"));
    let given = workshop.answer(&format!("replay scan.c.dat {line} from latency=4us bandwidth=1.25e9"));
    let other = workshop.answer(&format!("replay scan.c.dat from latency=4us bandwidth=1.25e9 {line}"));
    let then_s = |answer: &Value| rows(answer, "replay")[0]["then_s"].as_f64().unwrap();
    assert_eq!([&given, &other].map(then_s), [then_s(&plain); 2]);
    let waits = workshop.answer(&format!("waits scan.c.dat {line}"));
    assert_eq!(number(&rows(&waits, "replayed")[1], "run_time_s"), then_s(&plain));
    // Half of what it communicates, and of no wait.
    let communicating_s: Vec<f64> = rows(&workshop.answer("waits scan.c.dat"), "processors")
        .iter()
        .map(|row| number(row, "communicating_s"))
        .collect();
    let gain_s = rows(&plain, "replay")[0]["gain_s"].as_f64().unwrap();
    let most_s = communicating_s.into_iter().fold(0.0, f64::max);
    assert!(0.0 < gain_s && gain_s <= 0.5 * most_s + 1e-9, "{gain_s} s of {most_s} s");
    let refused = workshop.shell(
        "llac replay scan.c.dat latency=8us from latency=4us bandwidth=1.25e9 faster MPI_Scan=2 2>&1 || true",
    );
    assert!(refused.contains("`MPI_Scan` is a call"), "{refused}");
    let twice = workshop.shell("llac replay scan.c.dat from latency=4us latency=5us 2>&1 || true");
    assert!(twice.contains("given twice") && twice.contains("behind it that of the recording"), "{twice}");
}

/// MPICH can be told to take each process for one on a computer of its own. Each of these has its moment from which its times count.
#[test]
fn clocks_of_several_computers_are_compared() {
    if !Transport::Mpich.is_available() {
        return;
    }
    let workshop = Workshop::new();
    workshop.bring("tests/programs/waits.c");
    workshop.shell("mpicc.mpich $(CC=mpicc.mpich call cflags --mpi -O1) waits.c $(CC=mpicc.mpich call libs --mpi) -o waits");
    let launcher = Transport::Mpich.launcher().replace("%P", "3");
    workshop.shell(&format!("MPIR_CVAR_NOLOCAL=1 CALL_EVENTS=1 {launcher} ./waits chain"));
    let name = workshop.traces().pop().unwrap();
    let bytes = std::fs::read(workshop.path().join(&name)).unwrap();
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let readings = |line: &[u8]| -> Option<[u64; 3]> {
        let numbers = std::str::from_utf8(line).ok()?.strip_prefix("# clock ")?.split(' ');
        numbers.map(|number| number.parse().ok()).collect::<Option<Vec<u64>>>()?.try_into().ok()
    };
    let readings: Vec<[u64; 3]> = lines.into_iter().filter_map(readings).collect();
    // At start and end of each processor; the first one has the clock that others are compared with.
    assert_eq!(readings.len(), 6, "{readings:?}");
    assert_eq!(readings[..2], [[0, 0, 0]; 2]);
    for pair in readings[2..].chunks(2) {
        let [start, end] = [pair[0], pair[1]];
        assert!(start[2] > 0 && end[0] > start[0] && end[1] > start[1], "{pair:?}");
        // The same clock in truth: it is as far from the other at the end as at the start, but for what the ways of messages hide.
        let off = |[own_ns, first_ns, _]: [u64; 3]| first_ns as i64 - own_ns as i64;
        assert!((off(end) - off(start)).unsigned_abs() <= start[2] + end[2] + 2_000, "{pair:?}");
    }
    let told = workshop.shell(&format!("llac waits {name} 2>&1"));
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("its clock was compared with those of other computers, to within"), "{told}");
    assert!(told.contains("at MPI_Recv") && told.contains("(late sender)"), "{told}");
}
