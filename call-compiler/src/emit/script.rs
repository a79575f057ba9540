use call_grammar::{Outline, ParallelKind, printable};
use serde::{Deserialize, Serialize};

use crate::TranslationRequest;
use crate::lower::LoweredProgram;

/// Stands before each part in a compiled program.
const MARK: &str = "call-batch-1:";
/// Begins the last line of a script.
const AS_WRITTEN: &str = "# as written: ";

/// What the batch script of a program takes from one of its files. Compiled programs carry it, each as JSON behind a mark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchPart {
    /// What the names of traces begin with that this file reports.
    name: String,
    source: String,
    start: Option<Launcher>,
    processors: Vec<u32>,
}

/// How a program is started on several processors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Launcher {
    Alone,
    Threads,
    Mpi,
    Machine,
}

impl BatchPart {
    /// That of a translated file.
    pub(crate) fn new(
        outline: &Outline,
        program: &LoweredProgram,
        request: &TranslationRequest,
    ) -> BatchPart {
        let processors = outline.parallel.as_ref().and_then(|parallel| parallel.processors);
        let start = program.kind.map(|kind| match kind {
            ParallelKind::Sequential | ParallelKind::Pvm => Launcher::Alone,
            ParallelKind::OpenMp => Launcher::Threads,
            ParallelKind::Mpi => Launcher::Mpi,
            ParallelKind::Pub | ParallelKind::BspLib => Launcher::Machine,
        });
        BatchPart {
            name: request.name.clone(),
            source: request.path.clone(),
            start,
            processors: processors
                .filter(|_| !matches!(start, None | Some(Launcher::Alone)))
                .map_or(vec![1], |range| range.counts().collect()),
        }
    }

    /// As the compiled program has it.
    pub fn marked(&self) -> String {
        // Such a struct is always JSON.
        format!("{MARK}{}", serde_json::to_string(self).unwrap_or_default())
    }
}

/// What a compiled program carries, in its order and each once.
pub fn batch_parts(compiled: &[u8]) -> Vec<BatchPart> {
    let mut parts = Vec::new();
    for at in memchr::memmem::find_iter(compiled, MARK.as_bytes()) {
        let text = &compiled[at + MARK.len()..];
        let end = memchr::memchr(0, text).unwrap_or(text.len());
        if let Ok(part) = serde_json::from_slice(&text[..end])
            && !parts.contains(&part)
        {
            parts.push(part);
        }
    }
    parts
}

/// `NAME.call.sh`: runs a program, named from the script's folder, for each number of processors of its `parallel` directive.
pub fn batch_script(name: &str, program: &str, parts: &[BatchPart]) -> String {
    let said = parts.iter().find(|part| part.start.is_some());
    let counts = said.map_or(vec![1], |part| part.processors.clone());
    let counts: Vec<String> = counts.iter().map(u32::to_string).collect();
    let start = said.and_then(|part| part.start).unwrap_or(Launcher::Alone);
    let (launcher, environment) = match start {
        Launcher::Mpi => ("mpirun -n %P", ""),
        Launcher::Threads => ("", "OMP_NUM_THREADS=$count "),
        Launcher::Alone | Launcher::Machine => ("", "CALL_PROCESSORS=$count "),
    };
    // For Slurm processors that a launcher starts are tasks, unless they are threads.
    let tasks = if start == Launcher::Threads { "--cpus-per-task" } else { "--ntasks" };
    let sources: Vec<&str> = parts.iter().map(|part| part.source.as_str()).collect();
    let traces: Vec<String> = parts.iter().map(|part| quoted(&part.name)).collect();
    let text = fill(
        include_str!("script.sh"),
        &[
            ("@LAUNCHER@", launcher),
            ("@DEFAULT_LAUNCHER@", if launcher.is_empty() { "none: on this machine" } else { launcher }),
            ("@ENVIRONMENT@", environment),
            ("@SLURM_TASKS@", tasks),
            ("@VERSION@", env!("CARGO_PKG_VERSION")),
            ("@PROCESSORS@", &counts.join(" ")),
            ("@SOURCE@", &printable(&sources.join(", ")).replace(['\n', '\t'], " ")),
            ("@NAME@", &quoted(name)),
            ("@PROGRAM@", &quoted(program)),
            ("@TRACES@", &traces.join(" ")),
        ],
    );
    format!("{text}{AS_WRITTEN}{:016x}\n", checksum(&text))
}

/// Whether a batch script is as it was written.
pub fn is_unedited(script: &str) -> bool {
    let Some((text, sum)) = script.rsplit_once(AS_WRITTEN) else { return false };
    sum.trim_end() == format!("{:016x}", checksum(text))
}

/// FNV-1a, which stays the same.
fn checksum(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// Puts values for their marks; a mark in a value is none.
fn fill(mut rest: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let first = |rest: &str| {
        let found = values.iter().filter_map(|(mark, value)| Some((rest.find(mark)?, mark.len(), *value)));
        found.min_by_key(|(at, ..)| *at)
    };
    while let Some((at, length, value)) = first(rest) {
        text.push_str(&rest[..at]);
        text.push_str(value);
        rest = &rest[at + length..];
    }
    text + rest
}

/// One word of the shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
