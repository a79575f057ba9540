//! `llac machine probe`: under SMPI, where bandwidth and latency are known, they come out; on this computer, what does not depend on
//! how fast it is.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Command, Output, Stdio};

use call_machine::{BspEntry, Machine, shipped};
use call_tests::{Transport, Workshop};

/// A cluster with links of this bandwidth and latency; a message goes over two of them. Its processors are a thousand times as fast as
/// the one that simulates them, so that copies in memory, which count as computation, hardly count.
fn platform(bandwidth: &str, latency: &str) -> String {
    format!(
        "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n\
         <cluster id=\"c\" prefix=\"n-\" suffix=\".x\" radical=\"0-31\" speed=\"1000Gf\" bw=\"{bandwidth}\" lat=\"{latency}\"/>\n\
         </platform>\n"
    )
}

/// SMPI without the factors that make it like a real library: bandwidth and latency are those of the platform.
const LAUNCHER: &str = "smpirun -np %P -platform cluster.xml --cfg=smpi/host-speed:1Gf --cfg=smpi/bw-factor:0:1 \
                        --cfg=smpi/lat-factor:0:1 --cfg=network/crosstraffic:0 --log=root.threshold:error";

fn assert_near(what: &str, value: f64, expected: f64, tolerance: f64) {
    assert!((value / expected - 1.0).abs() < tolerance, "{what}: {value} instead of {expected}");
}

/// What a total exchange costs over MPI where a message of n bytes takes ℓ + n/b (`call-runtime/src/bsp/mpi.c`):
///
/// - Each byte is sent once and received once, and a processor sends and receives at the same time: g = 1/b.
/// - A message of 8 bytes becomes a packet of a head (64 bytes), that of the message (32) and its payload, padded to 16. The token of
///   the barrier (64 + 32) travels in the same envelope, up to 8 processors directly to each other one, and all of them at the same
///   time: L = ℓ + (P - 1) 192/b.
/// - On more processors tokens go round in ceil(log2 P) rounds once the messages have been received, which is one more latency. The
///   barrier before is left at different times, and who waits for whom is up to chance: at most two more.
fn check(entry: &BspEntry, bytes_per_s: f64, latency_s: f64) {
    let p = entry.processors;
    let what = format!("L of {p}");
    assert_near(&format!("g of {p}"), entry.g_s_per_byte * bytes_per_s, 1.0, 0.05);
    let transfer_s = (p - 1) as f64 * 192.0 / bytes_per_s;
    if p <= 8 {
        assert_near(&what, entry.latency_s, latency_s + transfer_s, 0.05);
    } else {
        let rounds = f64::from(p.next_power_of_two().trailing_zeros());
        let latencies = (entry.latency_s - transfer_s) / latency_s;
        assert!((1.0 + rounds..3.0 + rounds).contains(&latencies), "{what}: {latencies} latencies");
    }
}

#[test]
fn bandwidth_and_latency_of_a_platform_come_out() {
    if !Transport::Smpi.is_available() {
        return;
    }
    let workshop = Workshop::new();
    let told = stderr(workshop.command("llac").args([
        "machine",
        "probe",
        "--prepare",
        ".",
        "--quick",
        "--processors",
        "2:16:2",
        "--launcher",
        LAUNCHER,
    ]));
    let compile = told.lines().find(|line| line.contains("smpicc")).unwrap();
    workshop.shell(compile);
    for (bandwidth, bytes_per_s, latency, latency_s, processors) in
        [("10Gbps", 1.25e9, "10us", 20e-6, "2 3 8"), ("1Gbps", 1.25e8, "50us", 100e-6, "2 5")]
    {
        workshop.write("cluster.xml", platform(bandwidth, latency));
        workshop.shell("rm -f *.dat");
        workshop
            .shell(&format!("./probe.call.sh --processors '{processors}' --launcher '{LAUNCHER}' -- quick"));
        workshop.shell("llac machine probe --from probe.call.*.dat cluster into cluster.toml --replace");
        let machine = machine(&workshop, "cluster.toml");
        let measured: Vec<String> = machine.bsp.iter().map(|entry| entry.processors.to_string()).collect();
        assert_eq!(measured.join(" "), processors);
        for entry in &machine.bsp {
            check(entry, bytes_per_s, latency_s);
        }
        assert_eq!(machine.provenance.transport.as_deref(), Some("SMPI"));
        workshop.shell("llac machine probe --from probe.call.0.dat two into two.toml --replace");
        check_messages(&self::machine(&workshop, "two.toml"), bytes_per_s, latency_s);
    }
}

/// A message one way, without a barrier: its head, that of the packet, and the payload of at least 16 bytes. Larger messages are
/// announced first.
fn check_messages(machine: &Machine, bytes_per_s: f64, latency_s: f64) {
    let direct: Vec<_> = machine.messages.iter().filter(|message| message.bytes <= 32768).collect();
    assert_eq!(direct.len(), 13);
    for message in direct {
        let bytes = 64.0 + 32.0 + message.bytes.max(16) as f64;
        let expected_s = latency_s + bytes / bytes_per_s;
        assert_near(&format!("message of {}", message.bytes), message.time_s, expected_s, 0.02);
    }
}

/// On a computer that is too busy a number may come out as none; then no machine is written, and it is told.
#[test]
fn this_computer_is_measured() {
    let workshop = Workshop::new();
    let output = probe(&workshop).args(["--quick", "here"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("llac: probing 1") && told.contains(" % done"), "{told}");
    assert_is_clean(&workshop);
    if !output.status.success() {
        assert!(told.contains("which is no cost: run it again with more rounds"), "{told}");
        assert!(!workshop.path().join("machines/here.toml").exists());
        return;
    }
    assert!(told.contains("llac: wrote machines/here.toml"), "{told}");
    check_keys(&machine(&workshop, "machines/here.toml"));
    let list = probe_environment(workshop.command("llac")).args(["machine", "list"]).output().unwrap();
    assert!(String::from_utf8_lossy(&list.stdout).contains("here"));
}

/// All that a quick probe finds on any computer, whatever the numbers are.
fn check_keys(machine: &Machine) {
    assert_eq!(machine.bsp[0].processors, 1);
    assert!(machine.bsp.iter().all(|entry| entry.rate_flop_per_s > 0.0 && entry.latency_s > 0.0));
    let names: Vec<&str> = machine.operations.iter().map(|operation| operation.name.as_str()).collect();
    for name in ["f64 add", "f64 multiply", "f64 divide", "i64 add", "i64 multiply", "i64 divide"] {
        assert!(names.contains(&name), "{names:?}");
    }
    assert_eq!(machine.memory.last().unwrap().name, "main");
    assert_eq!(machine.memory.last().unwrap().strides.len(), 10);
    assert_eq!(machine.provenance.compiler.as_ref().unwrap().split(' ').count(), 2);
}

/// The traces of a quick probe that was recorded once (`tests/programs/probe`).
#[test]
fn a_recorded_probe_makes_a_machine() {
    let workshop = Workshop::new();
    for run in 0..2 {
        workshop.bring(&format!("tests/programs/probe/probe.call.{run}.dat"));
    }
    workshop.shell("llac machine probe --from probe.call.*.dat desk into desk.toml");
    let machine = machine(&workshop, "desk.toml");
    check_keys(&machine);
    let names: Vec<&str> = machine.memory.iter().map(|level| level.name.as_str()).collect();
    assert_eq!(names, ["L1", "L2", "L3", "main"]);
    // Levels get larger and slower.
    assert!(machine.memory.windows(2).all(|pair| pair[0].time_s < pair[1].time_s));
    assert_eq!(machine.bsp.iter().map(|entry| entry.processors).collect::<Vec<_>>(), [1, 2]);
    assert!(machine.bsp.iter().all(|entry| entry.g_s_per_byte > 0.0));
}

#[test]
fn an_interrupt_leaves_nothing() {
    let workshop = Workshop::new();
    let mut llac = probe(&workshop)
        .args(["here", "--flags=-O0"])
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(llac.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("P = 1, memory")));
    assert!(Command::new("kill").args(["-INT", &llac.id().to_string()]).status().unwrap().success());
    let rest: Vec<String> = lines.collect();
    assert_eq!(rest, ["llac: interrupted: no machine was written"]);
    assert_eq!(llac.wait().unwrap().code(), Some(2));
    assert!(!workshop.path().join("machines").exists());
    assert_is_clean(&workshop);
}

#[test]
fn an_interrupt_of_the_compiler_is_one() {
    let workshop = Workshop::new();
    // Busy until it is interrupted, however long that takes.
    workshop.write("slow", "#!/bin/sh\ncase $* in *' -o probe') exec sleep 600 ;; esac\nexec cc \"$@\"\n");
    workshop.shell("install -m 755 slow slow-cc");
    let compiler = workshop.path().join("slow-cc");
    let mut llac = probe(&workshop)
        .arg("here")
        .arg("--compiler")
        .arg(compiler)
        .process_group(0)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(llac.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.next().unwrap().starts_with("llac: probing"));
    // As the terminal does it: all that was started is interrupted.
    let group = format!("-{}", llac.id());
    assert!(Command::new("kill").args(["-INT", "--", &group]).status().unwrap().success());
    assert_eq!(lines.collect::<Vec<_>>(), ["llac: interrupted: no machine was written"]);
    assert_eq!(llac.wait().unwrap().code(), Some(2));
    assert_is_clean(&workshop);
}

/// Nothing is measured then: the compiler would not be found.
#[test]
fn words_are_checked_first_and_no_machine_is_lost() {
    let workshop = Workshop::new();
    fs::create_dir(workshop.path().join("machines")).unwrap();
    workshop.write("machines/desk.toml", "mine");
    let text = Machine { name: "other".into(), ..shipped::named("cray-t3e").unwrap() }.to_toml();
    workshop.write("machines/by-hand.toml", text);
    let told = |words: &[&str]| fail(probe(&workshop).args(["--compiler", "no-such-cc"]).args(words));
    let end = "or write over it with --replace\n";
    let there = format!("llac: machines/desk.toml is there already: choose another name, {end}");
    assert_eq!(told(&["desk"]), there);
    let there = format!("llac: machines/desk.toml is there already: choose another file, {end}");
    assert_eq!(told(&["new", "into", "machines/desk.toml"]), there);
    assert_eq!(told(&["--from", "none.dat", "new", "into", "machines/desk.toml"]), there);
    assert_eq!(
        told(&["other"]),
        "llac: `other` is the name of the machine in machines/by-hand.toml: choose another\n"
    );
    assert_eq!(
        told(&["a b"]),
        "llac: `a b` cannot be the name of a machine: give one that is a single word\n"
    );
    assert_eq!(
        told(&["new", "into", "y.txt"]),
        "llac: the name of a machine file ends in `.toml`: `into y.toml`\n"
    );
    assert_eq!(told(&["new", "into", "none/y.toml"]), "llac: there is no folder none: make it first\n");
    for words in [&["new"][..], &["desk", "--replace"], &["new", "into", "y.toml"]] {
        assert!(told(words).starts_with("llac: there is no C compiler"), "{words:?}");
    }
    assert_eq!(workshop.read("machines/desk.toml"), "mine");
}

fn fail(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn what_is_missing_is_told() {
    let workshop = Workshop::new();
    let told = fail(probe(&workshop).args(["--compiler", "no-such-cc"]));
    assert_eq!(
        told,
        "llac: there is no C compiler `no-such-cc`, and the probe takes one: install it, or name another with --compiler\n"
    );
    let told = fail(probe(&workshop).args(["--quick", "--flags=-no-such-flag"]));
    assert!(
        told.contains("llac: call does not translate the probe:\n") && told.contains("-no-such-flag"),
        "{told}"
    );
    let told = fail(probe(&workshop).args(["--from", "none.dat"]));
    assert!(told.starts_with("llac: cannot read none.dat: "), "{told}");
    // Without `call` beside it, a copy of llac looks in the PATH. A process of its own copies: what
    // another test starts while this one writes would keep the copy open, and busy.
    let llac = call_tests::binaries().join("llac");
    assert!(Command::new("cp").arg(llac).arg(workshop.path()).status().unwrap().success());
    let mut alone = probe_environment(workshop.command(workshop.path().join("llac")));
    let told = fail(alone.args(["machine", "probe"]).env("PATH", "/nowhere"));
    assert!(told.starts_with("llac: there is no `call` beside llac nor in the PATH"), "{told}");
    let told = fail(workshop.command("llac").args(["-e", "machine probe"]));
    assert!(told.contains("it is a command of the shell"), "{told}");
    assert_is_clean(&workshop);
}

/// `llac machine probe`, whose machines and temporary files stay in the workshop.
fn probe(workshop: &Workshop) -> Command {
    let mut command = probe_environment(workshop.command("llac"));
    fs::create_dir_all(workshop.path().join("tmp")).unwrap();
    command.args(["machine", "probe"]).env("TMPDIR", workshop.path().join("tmp"));
    command
}

fn probe_environment(mut command: Command) -> Command {
    command.env("CALL_MACHINES", "machines").env_remove("CC");
    command
}

/// Nothing temporary is left.
fn assert_is_clean(workshop: &Workshop) {
    assert_eq!(fs::read_dir(workshop.path().join("tmp")).unwrap().count(), 0);
}

fn machine(workshop: &Workshop, file: &str) -> Machine {
    Machine::parse(file, &workshop.read(file)).unwrap()
}

/// What a command that succeeds has to tell beside its results.
fn stderr(command: &mut Command) -> String {
    let Output { status, stderr, .. } = command.output().unwrap();
    let told = String::from_utf8(stderr).unwrap();
    assert!(status.success(), "{told}");
    told
}
