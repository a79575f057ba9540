use std::io::IsTerminal;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Instant;

use super::arguments::ProbeArguments;
use super::build::Tools;
use super::folder::ProbeFolder;
use super::interruption::{self, INTERRUPTED, Interruption, PATIENCE};
use super::output;
use super::progress::{Plan, ProbeStep, remaining_s};

/// Runs the batch script to its end and tells how far it is.
pub fn run(
    arguments: &ProbeArguments,
    processors: &[u32],
    folder: &ProbeFolder,
    plan: &mut Plan,
    interruption: &Interruption,
    tools: &Tools,
) -> Result<(), String> {
    let mut command = Command::new("./probe.call.sh");
    command.args(words(arguments, processors)).env("CALL_QUIET", "1").env("PATH", tools.path());
    command.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // A group of its own, so that all that it starts can be ended.
    let mut child = command
        .process_group(0)
        .spawn()
        .map_err(|error| format!("llac: cannot run probe.call.sh: {error}"))?;
    let lines = output::lines_of(&mut child);
    let text = output::text_of(&mut child);
    if !follow(&lines, plan, interruption) {
        interruption::end(child);
        return Err(INTERRUPTED.to_owned());
    }
    let status = child.wait().map_err(|error| format!("llac: cannot wait for the probe: {error}"))?;
    let text = text.recv().unwrap_or_default();
    if interruption::ended(status) {
        return Err(INTERRUPTED.to_owned());
    }
    if !status.success() {
        return Err(format!("llac: the probe failed:\n{}", text.trim_end()));
    }
    for line in text.lines().filter(|line| line.contains("left out")) {
        eprintln!("llac: {}", line.trim_start_matches("./probe.call.sh: "));
    }
    Ok(())
}

/// Reads to the end; false if the user has interrupted it.
fn follow(lines: &Receiver<String>, plan: &mut Plan, interruption: &Interruption) -> bool {
    let begin = Instant::now();
    let is_terminal = std::io::stderr().is_terminal();
    let mut last_shown = 0;
    loop {
        if interruption.came() {
            return false;
        }
        let line = match lines.recv_timeout(PATIENCE) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        let Some(place) = ProbeStep::of(&line) else { continue };
        let Some(share) = plan.share_at(&place) else { continue };
        let mut progress =
            format!("llac: P = {}, {}: {:.0} % done", place.processors, place.part, 100.0 * share);
        if let Some(remaining_s) = remaining_s(share, begin.elapsed().as_secs_f64()) {
            progress.push_str(&format!(", about {:.0} s remain", remaining_s.ceil()));
        }
        if is_terminal {
            eprint!("\r\x1b[K{progress}");
        } else if place.round == 1 && place.processors != last_shown {
            eprintln!("{progress}");
            last_shown = place.processors;
        }
    }
    if is_terminal {
        eprint!("\r\x1b[K");
    }
    !interruption.came()
}

fn words(arguments: &ProbeArguments, processors: &[u32]) -> Vec<String> {
    let mut words = vec!["--processors".to_owned(), list(processors, " ")];
    if !arguments.launcher.is_empty() {
        words.extend(["--launcher".to_owned(), arguments.launcher_elsewhere()]);
    }
    if arguments.oversubscribe {
        words.push("--oversubscribe".to_owned());
    }
    if arguments.repeat() > 1 {
        words.extend(["--repeat".to_owned(), arguments.repeat().to_string()]);
    }
    if arguments.quick {
        words.extend(["--".to_owned(), "quick".to_owned()]);
    }
    words
}

/// As people type it.
pub fn line(arguments: &ProbeArguments, processors: &[u32]) -> String {
    let quoted = |word: &String| match word.contains([' ', '%']) {
        true => format!("'{word}'"),
        false => word.clone(),
    };
    let words: Vec<String> = words(arguments, processors).iter().map(quoted).collect();
    format!("./probe.call.sh {}", words.join(" "))
}

pub fn list(processors: &[u32], between: &str) -> String {
    processors.iter().map(u32::to_string).collect::<Vec<_>>().join(between)
}
