//! `call run --until-sure BASELINE`: runs are made until `llac check` can tell whether they are worse than the baseline.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use call_grammar::counted;

use crate::{programs, said, tell};

/// How often the runs are looked at at most; each look doubles them, and `looks` shares the rate of false alarms among these.
const LOOKS: u32 = 4;

/// What `llac check` answers where the runs do not tell.
const CANNOT_TELL: i32 = 3;

/// Asks `llac check` with the words of `question`, the baseline first, after `repeat` runs and then whenever `more` has doubled them; the exit
/// status is that of the last answer.
pub fn run(
    question: &str,
    repeat: u32,
    more: impl Fn(u32) -> Result<Option<Vec<PathBuf>>, String>,
) -> Result<ExitCode, String> {
    let words = shlex::split(question).ok_or("a quote is not closed in --until-sure")?;
    let (baseline, clauses) = words.split_first().ok_or("--until-sure: no baseline is named")?;
    // Before anything runs.
    if !std::path::Path::new(baseline).is_file() {
        return Err(format!(
            "--until-sure: there is no file {baseline}: `llac -e 'load …' -e 'save model NAME into {baseline}'` writes a baseline"
        ));
    }
    let llac = llac()?;
    let (mut traces, mut made, mut look) = (Vec::new(), 0, 1);
    loop {
        let repeat = made.max(repeat).max(1);
        let Some(new) = more(repeat)? else { return Ok(ExitCode::from(2)) };
        traces.extend(new);
        made += repeat;
        let output = Command::new(&llac)
            .arg("check")
            .arg(baseline)
            .args(&traces)
            .args(["looks", &LOOKS.to_string()])
            .args(clauses)
            .output()
            .map_err(|error| format!("cannot run {}: {error}", llac.display()))?;
        if output.status.code() == Some(CANNOT_TELL) && look < LOOKS {
            let runs = counted(made as usize, "run");
            tell(&said(&format!("cannot tell from {runs} yet: as many more")));
            look += 1;
            continue;
        }
        let told = std::io::stdout().write_all(&output.stdout);
        told.and_then(|()| std::io::stderr().write_all(&output.stderr))
            .map_err(|error| format!("cannot write the answer: {error}"))?;
        let status = output.status.code().and_then(|code| u8::try_from(code).ok());
        return Ok(ExitCode::from(status.unwrap_or(2)));
    }
}

/// The `llac` beside this program, else the one that the shell would find.
fn llac() -> Result<PathBuf, String> {
    let beside = std::env::current_exe().ok().map(|own| own.with_file_name("llac"));
    beside
        .filter(|llac| llac.is_file())
        .or_else(|| programs::find("llac"))
        .ok_or("--until-sure asks `llac`, which is neither beside `call` nor in the PATH".to_owned())
}
