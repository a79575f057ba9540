use call_grammar::{Outline, ParallelKind};

use crate::Request;
use crate::lower::Program;

/// `NAME.call.sh`: runs the program for each number of processors of its `parallel` directive.
pub fn script(outline: &Outline, program: &Program, request: &Request) -> String {
    let processors = outline.parallel.as_ref().and_then(|parallel| parallel.processors);
    let counts: Vec<String> = match (program.kind, processors) {
        (None | Some(ParallelKind::Sequential), _) | (_, None) => vec!["1".to_owned()],
        (_, Some(range)) => range.counts().map(|count| count.to_string()).collect(),
    };
    let (launcher, environment) = match program.kind {
        Some(ParallelKind::Mpi) => ("mpirun -n %P", ""),
        Some(ParallelKind::OpenMp) => ("", "OMP_NUM_THREADS=$count "),
        _ => ("", "CALL_PROCESSORS=$count "),
    };
    // For Slurm processors that a launcher starts are tasks, unless they are threads.
    let tasks = match program.kind {
        Some(ParallelKind::OpenMp) => "--cpus-per-task",
        _ => "--ntasks",
    };
    include_str!("script.sh")
        .replace("@LAUNCHER@", launcher)
        .replace("@DEFAULT_LAUNCHER@", if launcher.is_empty() { "none: on this machine" } else { launcher })
        .replace("@ENVIRONMENT@", environment)
        .replace("@SLURM_TASKS@", tasks)
        .replace("@VERSION@", env!("CARGO_PKG_VERSION"))
        .replace("@SOURCE@", &request.path.replace(['\n', '\r'], " "))
        .replace("@NAME@", &request.name.replace('\'', r"'\''"))
        .replace("@PROCESSORS@", &counts.join(" "))
}
