//! What the directive language has, from C to the trace, with a counting clock: blocks that are left, several files, kinds of programs.

use std::collections::BTreeMap;

use call_tests::{Transport, Workshop};

/// The rows of a trace by experiment, each without its name, and the header lines.
fn rows(workshop: &Workshop, trace: &str) -> (BTreeMap<String, Vec<String>>, String) {
    let text = workshop.read(trace);
    let mut rows: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut header, mut titles) = (String::new(), true);
    for line in text.lines() {
        if line.starts_with('#') {
            header.push_str(line);
            header.push('\n');
        } else if std::mem::take(&mut titles) {
            header.push_str(line);
        } else {
            let (name, rest) = line.split_once(' ').unwrap();
            rows.entry(name.to_owned()).or_default().push(rest.to_owned());
        }
    }
    (rows, header)
}

#[test]
fn blocks_that_are_left_are_measured_to_the_nanosecond() {
    let workshop = Workshop::new();
    workshop.bring("tests/programs/leaving.c");
    workshop.build("leaving", Transport::Embedded, "-O2");
    workshop.shell("CALL_CLOCK=counting ./leaving");
    let trace = workshop.trace("leaving.call.0.dat");
    let (rows, header) = rows(&workshop, "leaving.call.0.dat");
    assert!(!header.contains("abandoned"), "{header}");
    let counts: Vec<(&str, usize)> = rows.iter().map(|(name, rows)| (name.as_str(), rows.len())).collect();
    // Rounds of the loop: three by continue, one each by break, longjmp and return.
    let expected = [("counted", 4), ("hidden", 4), ("inner", 6), ("outer", 6), ("returned", 4), ("whole", 1)];
    assert_eq!(counts, expected);
    for experiment in &trace.experiments {
        let samples = &experiment.samples;
        for (row, time_s) in samples.time_s.iter().enumerate() {
            let variable = match experiment.name.as_str() {
                "whole" => continue,
                "inner" => 0.0,
                _ => samples.columns[1][row],
            };
            assert_eq!((time_s * 1e9).round(), 1000.0 * variable, "{} row {row}", experiment.name);
        }
    }
}

#[test]
fn several_files_and_a_header_make_one_trace() {
    let workshop = Workshop::new();
    for file in ["several_main.c", "several_other.c", "several.h"] {
        workshop.bring(&format!("tests/programs/{file}"));
    }
    workshop.shell(
        "call several_main.c several_other.c && cc -Wall -Wextra -Wpedantic -Werror $(call cflags) several_main.call.c \
         several_other.call.c $(call libs) -o several && CALL_CLOCK=counting ./several",
    );
    assert_eq!(workshop.traces(), ["several_main.call.0.dat"]);
    let (rows, header) = rows(&workshop, "several_main.call.0.dat");
    assert_eq!(rows["both"].len(), 6);
    assert_eq!(rows["only"].len(), 3);
    assert_eq!(rows["shared"].len(), 6);
    for line in ["# lines: 8-10 several_other.c:5-7", "# lines: several.h:11-13"] {
        assert!(header.contains(line), "{line}\n{header}");
    }
    let shown = workshop.llac(&["load several_main.call.0.dat", "fit shared", "predict shared n=10"]);
    assert!(shown.contains("= 10 ms"), "{shown}");
}

#[test]
fn different_formulas_in_two_files_are_told_before_anything_is_measured() {
    let workshop = Workshop::new();
    workshop.bring("tests/programs/several_main.c");
    workshop.bring("tests/programs/several.h");
    let other =
        std::fs::read_to_string(call_tests::repository().join("tests/programs/several_other.c")).unwrap();
    workshop.write("several_other.c", other.replace("both[1]*n", "both[1]*n*n"));
    workshop.shell(
        "call several_main.c several_other.c && cc $(call cflags) several_main.call.c several_other.call.c $(call libs) -o several",
    );
    let output = workshop.command("./several").output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("several_main.c") && message.contains("several_other.c"), "{message}");
    assert!(workshop.traces().is_empty());
}

#[test]
fn threads_of_a_team_are_processors() {
    let workshop = Workshop::new();
    workshop.bring("tests/programs/team.c");
    workshop.build("team", Transport::Embedded, "-O2 -fopenmp");
    workshop.shell("CALL_CLOCK=counting ./team");
    let (rows, header) = rows(&workshop, "team.call.0.dat");
    assert_eq!(rows["f"], ["0 2 3 0.000003000", "1 2 4 0.000004000"], "{header}");
    assert_eq!(rows["alone"], ["0 1 nan 0.000005000"]);
    assert!(header.contains("# kind: OpenMP"), "{header}");
}

#[test]
fn ranks_and_communicators() {
    for transport in [Transport::Mpi, Transport::Smpi] {
        if !transport.is_available() {
            continue;
        }
        let workshop = Workshop::new();
        workshop.bring("tests/programs/ranks.c");
        workshop.build("ranks", transport, "-O2");
        match transport {
            Transport::Smpi => workshop.run("ranks", transport, 4, ""),
            _ => workshop.shell("CALL_CLOCK=counting mpirun -n 4 ./ranks"),
        };
        let (rows, header) = rows(&workshop, "ranks.call.0.dat");
        assert!(header.contains("# kind: MPI"), "{header}");
        let start = |name: &str| -> Vec<String> {
            rows[name].iter().map(|row| row.rsplit_once(' ').unwrap().0.to_owned()).collect()
        };
        assert_eq!(start("whole"), ["0 4 0", "1 4 1", "2 4 2", "3 4 3"]);
        assert_eq!(start("part"), ["0 2 0", "1 2 1", "2 2 2", "3 2 3"]);
        assert_eq!(start("own"), ["0 4 nan", "1 4 nan", "2 4 nan", "3 4 nan"]);
        if transport == Transport::Mpi {
            let last = |name: &str| rows[name][3].rsplit_once(' ').unwrap().1.to_owned();
            assert_eq!(
                (last("whole"), last("part"), last("own")),
                ("0.000004000".into(), "0.000008000".into(), "0.000003000".into())
            );
        }
    }
}

#[test]
fn bsplib_programs() {
    for transport in [Transport::Embedded, Transport::Mpi] {
        if !transport.is_available() {
            continue;
        }
        let workshop = Workshop::new();
        workshop.bring("tests/programs/stages.c");
        workshop.build("stages", transport, "-O2");
        workshop.shell(match transport {
            Transport::Embedded => "CALL_CLOCK=counting ./stages.call.sh --oversubscribe",
            _ => "CALL_CLOCK=counting ./stages.call.sh --launcher 'mpirun -n %P'",
        });
        assert_eq!(workshop.traces().len(), 3);
        let (rows, header) = rows(&workshop, "stages.call.2.dat");
        assert!(header.contains("# kind: BSPlib"), "{header}");
        assert_eq!(rows["total"].len(), 4);
        assert!(
            rows["total"][3].starts_with("3 4 4 ") && rows["total"][3].contains("0.000004000"),
            "{rows:?}"
        );
        assert!(
            rows["local"][2].starts_with("2 4 ") && rows["local"][2].ends_with("2 0.000000200"),
            "{rows:?}"
        );
    }
}

#[test]
fn the_batch_script_resumes_simulates_and_submits() {
    let workshop = Workshop::new();
    workshop.bring("tests/programs/team.c");
    workshop.build("team", Transport::Embedded, "-O2 -fopenmp");
    let script = |arguments: &str| {
        let line = format!("CALL_QUIET=1 ./team.call.sh {arguments} 2>&1");
        workshop.shell(&line).replace("./team.call.sh: ", "")
    };
    assert_eq!(script("--oversubscribe -n '1 2'"), "P = 1, run 1 of 1\nP = 2, run 1 of 1\n");
    assert_eq!(
        script("--oversubscribe --repeat 2 --resume -n '1 2'"),
        "P = 1, run 2 of 2\nP = 2, run 2 of 2\n2 runs were finished before\n"
    );
    assert_eq!(script("--resume -n 1 -- other arguments"), "P = 1, run 1 of 1\n", "another run");
    assert_eq!(workshop.traces().len(), 5);
    // What is gone, or was measured by another program, is no finished run.
    std::fs::remove_file(workshop.path().join("team.call.1.dat")).unwrap();
    assert_eq!(
        script("--oversubscribe --resume -n '1 2'"),
        "P = 2, run 1 of 1\n1 runs were finished before\n"
    );
    workshop.shell("cp team team.old && printf x >> team");
    assert_eq!(script("--resume -n 1"), "P = 1, run 1 of 1\n");
    workshop.shell("mv team.old team");
    // Arguments may depend on the number of processors, and traces go where they are wanted.
    workshop.shell("CALL_OUTPUT=there ./team.call.sh -n 1 -- size=%P 2>&1");
    assert!(workshop.read("there/team.call.0.dat").contains("# command: ./team size=1\n"));
    workshop.shell("CALL_OUTPUT=out/a/b/ ./team");
    assert!(workshop.read("out/a/b/team.call.0.dat").contains("# kind: OpenMP"));
    assert!(workshop.read("there/team.call.runs").contains("./team size=%P\t"));

    // A stand-in for Slurm: tells its options and does the job at once.
    workshop.write("sbatch", "#!/bin/sh\necho \"$1 $2 $3\"\nshift 4\nexec sh -c \"$1\"\n");
    let submitted = workshop.shell(
        "chmod +x sbatch && PATH=$PWD:$PATH CALL_QUIET=1 ./team.call.sh -n '1 2' --slurm --time=5 -- \"it's\" 'two words' 2>&1",
    );
    assert_eq!(
        submitted.replace("./team.call.sh: ", ""),
        "the job asks for --cpus-per-task=2\n--job-name=team --cpus-per-task=2 --time=5\n\
         P = 1, run 1 of 1\nP = 2, run 1 of 1\n"
    );
    assert!(workshop.read("team.call.runs").contains("P = 2, run 1: ./team it's two words"));

    if Transport::Smpi.is_available() {
        workshop.bring("tests/programs/ranks.c");
        workshop.bring("examples/fft/cluster.xml");
        workshop.build("ranks", Transport::Smpi, "-O2");
        workshop.shell("./ranks.call.sh --smpi cluster.xml -n '2 4 16'");
        let trace = workshop.traces().into_iter().rfind(|name| name.starts_with("ranks")).unwrap();
        assert!(workshop.read(&trace).contains("# processors: 16\n"));
    }
}
