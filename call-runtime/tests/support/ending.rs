//! Programs whose launchers may not end.

use std::io::Read;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// So long a launcher has for ending after it has told that the program aborts.
pub const AFTER_ABORT: Duration = Duration::from_secs(60);

/// Whether Open MPI or MPICH has told that.
pub fn tells_abort(stderr: &str) -> bool {
    ["MPI_ABORT was invoked", "application called MPI_Abort"].iter().any(|words| stderr.contains(words))
}

/// What a program that `timeout` starts says, and whether it had to be ended, as it went on for longer than this after it had told an abort.
pub fn output_of(command: &mut Command, after_abort: Duration) -> (Output, bool) {
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program can be started");
    let (mut out, mut err) =
        (child.stdout.take().expect("it is piped"), child.stderr.take().expect("it is piped"));
    let stdout = thread::spawn(move || {
        let mut stdout = Vec::new();
        out.read_to_end(&mut stdout).expect("what the program says can be read");
        stdout
    });
    // Told once of an abort; at the end of what is said the sender goes.
    let (sender, aborted) = channel();
    let stderr = thread::spawn(move || {
        let (mut stderr, mut part) = (Vec::new(), [0; 4096]);
        let mut is_told = false;
        loop {
            let length = err.read(&mut part).expect("what the program says can be read");
            if length == 0 {
                return stderr;
            }
            stderr.extend_from_slice(&part[..length]);
            if !is_told && tells_abort(&String::from_utf8_lossy(&stderr)) {
                is_told = true;
                sender.send(()).expect("somebody listens");
            }
        }
    });
    let hangs = aborted.recv().is_ok() && aborted.recv_timeout(after_abort) == Err(RecvTimeoutError::Timeout);
    if hangs {
        // As if its time were over.
        let line = format!("kill -s ALRM {}", child.id());
        Command::new("sh").args(["-c", &line]).status().expect("sh is there");
    }
    let stdout = stdout.join().expect("it was read");
    let stderr = stderr.join().expect("it was read");
    let status = child.wait().expect("it was started");
    (Output { status, stdout, stderr }, hangs)
}

#[test]
fn who_goes_on_after_an_abort_is_ended_and_what_it_said_is_kept() {
    let told = "echo MPI_ABORT was invoked on rank 0 >&2; echo 1";
    let ends = |script: &str, after_abort_s| {
        let mut command = Command::new("timeout");
        let command = command.args(["-k", "5", "100", "sh", "-c", script]);
        let (output, is_ended) = output_of(command, Duration::from_secs(after_abort_s));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr), is_ended)
    };
    let said = || ("1\n".to_owned(), "MPI_ABORT was invoked on rank 0\n".to_owned());
    let (stdout, stderr) = said();
    assert_eq!(ends(&format!("{told}; sleep 90"), 1), (Some(124), stdout, stderr, true));
    let (stdout, stderr) = said();
    assert_eq!(ends(&format!("{told}; exit 3"), 60), (Some(3), stdout, stderr, false));
    assert_eq!(ends("sleep 2; exit 3", 1), (Some(3), String::new(), String::new(), false));
}
