//! The README's example in a terminal of 80 and of 120 columns, on traces that were recorded once (`tests/programs/fft`): what a user
//! sees stands in `tests/terminal/`. With CALL_UPDATE_PAGES set, what happens is written there.

use std::fs;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use call_tests::{Workshop, binaries, is_there, repository};

const PROMPT: &str = "llac>";

/// The width that the README shows.
const NARROW: usize = 80;

/// A machine may be busy, so that an answer takes a while.
const PATIENCE: Duration = Duration::from_secs(120);

/// llac in a pane of tmux, with a server of its own.
struct Pane {
    server: String,
}

impl Pane {
    fn new(workshop: &Workshop, columns: usize) -> Pane {
        let pane = Pane { server: format!("call-test-{}-{columns}", std::process::id()) };
        let llac = binaries().join("llac");
        let command = format!(
            "HOME='{0}' XDG_STATE_HOME='{0}' LC_ALL=C.UTF-8 exec '{1}'",
            workshop.path().display(),
            llac.display()
        );
        let width = columns.to_string();
        let folder = workshop.path().display().to_string();
        // High enough for all that is shown.
        pane.tmux(&[
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-x",
            &width,
            "-y",
            "400",
            "-c",
            &folder,
            &command,
        ]);
        pane
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let output = Command::new("tmux").args(["-u", "-L", &self.server]).args(arguments).output().unwrap();
        assert!(output.status.success(), "tmux {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// What is to be seen, with lines that the terminal had to break as they are or joined.
    fn seen(&self, joined: bool) -> String {
        let arguments: &[&str] = if joined { &["capture-pane", "-p", "-J"] } else { &["capture-pane", "-p"] };
        let lines = self.tmux(arguments);
        let lines: Vec<&str> = lines.lines().map(str::trim_end).collect();
        lines.join("\n").trim_end().to_owned()
    }

    /// Waits for the prompt behind so many commands.
    fn wait(&self, commands: usize) {
        let start = Instant::now();
        loop {
            let seen = self.seen(false);
            let prompts = seen.lines().filter(|line| line.starts_with(PROMPT)).count();
            if prompts == commands + 1 && seen.lines().last() == Some(PROMPT) {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "no prompt after {commands} commands:\n{seen}");
            sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Pane {
    fn drop(&mut self) {
        let _ = Command::new("tmux").args(["-L", &self.server, "kill-server"]).output();
    }
}

/// The README's first session: its commands, and all of it.
fn example() -> (Vec<String>, String) {
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    let from = readme.find("llac> ").unwrap();
    let text = readme[from..].split("```").next().unwrap().trim_end().to_owned();
    let commands = text.lines().filter_map(|line| line.strip_prefix("llac> ")).map(str::to_owned).collect();
    (commands, text)
}

fn session(columns: usize) {
    let workshop = Workshop::new();
    for run in 0..6 {
        workshop.bring(&format!("tests/programs/fft/fft.call.{run}.dat"));
    }
    let pane = Pane::new(&workshop, columns);
    pane.wait(0);
    let (commands, text) = example();
    for (index, command) in commands.iter().enumerate() {
        pane.tmux(&["send-keys", "-l", command]);
        pane.tmux(&["send-keys", "Enter"]);
        pane.wait(index + 1);
    }
    let seen = pane.seen(false);
    assert_eq!(seen, pane.seen(true), "lines were broken at {columns} columns");
    let widest = seen.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= columns, "{widest} characters in {columns} columns");

    let file = repository().join(format!("tests/terminal/{columns}.txt"));
    if std::env::var_os("CALL_UPDATE_PAGES").is_some() {
        fs::write(&file, seen + "\n").unwrap();
    } else {
        assert!(columns != NARROW || seen.contains(&text), "the README shows another session:\n{seen}");
        assert_eq!(
            seen,
            fs::read_to_string(&file).unwrap().trim_end(),
            "{} is what was seen once",
            file.display()
        );
    }
}

#[test]
fn the_example_looks_right() {
    if !is_there("tmux") {
        let is_required =
            ["CI", "CALL_TEST_REQUIRE_MPI"].into_iter().any(|name| std::env::var_os(name).is_some());
        assert!(!is_required, "tmux is missing");
        return;
    }
    assert_eq!(example().0.len(), 5);
    for columns in [NARROW, 120] {
        session(columns);
    }
}
