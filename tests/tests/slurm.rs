//! The batch script against a Slurm that is there: `sinfo` answers. Else the tests are skipped, and say so.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test that meets None has failed; a skipped one says so"
)]

use std::process::Command;

use call_tests::{Transport, Workshop};

fn is_there() -> bool {
    let output = Command::new("timeout").args(["10", "sinfo", "--noheader"]).output();
    let found = output.is_ok_and(|output| output.status.success() && !output.stdout.is_empty());
    if !found {
        eprintln!("skipped: no Slurm answers `sinfo`");
    }
    found
}

/// Submits the script and waits for the job; whether it went well, and what it said.
fn submit(workshop: &Workshop, name: &str, options: &str) -> (bool, String) {
    let line = format!("timeout 300 ./{name}.call.sh --slurm '--wait --output={name}.txt' {options}");
    let output = workshop.command("sh").args(["-c", &line]).env("CALL_QUIET", "1").output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("the job asks for"), "{told}");
    let said = workshop.read(&format!("{name}.txt")).replace(&format!("./{name}.call.sh: "), "");
    (output.status.success(), said)
}

/// The first run is well, the second fails until there is a file `ready`.
const FAILS: &str = r#"
#include <stdio.h>

static int is_there(const char *name)
{
    FILE *file = fopen(name, "r");
    return file != NULL && fclose(file) == 0;
}

int main(int argc, char **argv)
{
#pragma cll whole whole[0]
    printf("%d, %s\n", argc, argv[argc - 1]);
#pragma cll end whole
    if (is_there("seen") && !is_there("ready")) {
        fprintf(stderr, "not ready\n");
        return 3;
    }
    fclose(fopen("seen", "w"));
#pragma cll report all
    return 0;
}
"#;

#[test]
fn a_job_fails_and_is_resumed() {
    if !is_there() {
        return;
    }
    let workshop = Workshop::new();
    workshop.write("fails.c", FAILS);
    workshop.build("fails", Transport::Embedded, "-O2");
    let options = "--repeat 3 --resume -- one \"it's  two\"";
    let (is_well, said) = submit(&workshop, "fails", options);
    assert!(!is_well);
    assert!(said.contains("not ready\n") && said.contains("ended with status 3 on 1 processors"), "{said}");
    assert_eq!(workshop.traces().len(), 1);
    workshop.write("ready", "");
    let (is_well, said) = submit(&workshop, "fails", options);
    assert!(is_well, "{said}");
    assert_eq!(
        said,
        "P = 1, run 2 of 3\n3, it's  two\nP = 1, run 3 of 3\n3, it's  two\n1 runs were finished before\n"
    );
    assert_eq!(workshop.traces().len(), 3);
}

/// Processors that the program starts by itself, and those of mpirun.
#[test]
fn jobs_on_two_processors() {
    if !is_there() {
        return;
    }
    for transport in [Transport::Embedded, Transport::Mpi] {
        if !transport.is_available() {
            continue;
        }
        let workshop = Workshop::new();
        workshop.bring("tests/programs/stages.c");
        workshop.build("stages", transport, "-O2");
        let launcher = if transport == Transport::Mpi { "--launcher 'mpirun -n %P'" } else { "" };
        let (is_well, said) = submit(&workshop, "stages", &format!("{launcher} --processors '1 2'"));
        assert!(is_well, "{said}");
        let traces = workshop.traces();
        assert_eq!(traces.len(), 2, "{said}");
        for (trace, processors) in traces.iter().zip([1, 2]) {
            assert!(workshop.read(trace).contains(&format!("# processors: {processors}\n")), "{trace}");
        }
    }
}

#[test]
fn wrong_options_are_told() {
    if !is_there() {
        return;
    }
    let workshop = Workshop::new();
    workshop.write("fails.c", FAILS);
    workshop.build("fails", Transport::Embedded, "-O2");
    let output = workshop.command("./fails.call.sh").args(["--slurm", "--no-such-option"]).output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("no-such-option"));
}
