//! `call run --misses`: the program runs under valgrind's callgrind, which simulates caches; the runtime asks it what each experiment adds.

use std::env;
use std::fs;
use std::process::Command;

use call_grammar::ParallelKind;
use tempfile::TempDir;

use crate::arguments::RunArguments;
use crate::caches::Caches;
use crate::programs;

pub struct Misses {
    pub caches: Caches,
    /// Where callgrind writes what the runtime reads.
    dumps: TempDir,
}

impl Misses {
    pub fn new(arguments: &RunArguments) -> Result<Misses, String> {
        if programs::find("valgrind").is_none() {
            return Err(
                "--misses takes valgrind, and there is none (Debian: apt-get install valgrind)".to_owned()
            );
        }
        let caches = Caches::new(arguments.caches.as_deref())?;
        let dumps =
            tempfile::tempdir().map_err(|error| format!("cannot make a folder for counts: {error}"))?;
        if dumps.path().to_string_lossy().contains(char::is_whitespace) {
            return Err(format!(
                "{}: callgrind takes no blanks in names: set TMPDIR",
                dumps.path().display()
            ));
        }
        Ok(Misses { caches, dumps })
    }

    /// What starts the program, where `%P` stands for the number of processors.
    pub fn launcher(&self, arguments: &RunArguments, kind: Option<ParallelKind>) -> Result<String, String> {
        let by = match (&arguments.launcher, kind) {
            (_, Some(ParallelKind::OpenMp)) if arguments.procs.is_some() => {
                return Err(
                    "--misses: callgrind counts all threads together, so there is one: leave out --procs"
                        .to_owned(),
                );
            }
            (Some(launcher), _) => launcher,
            (None, Some(ParallelKind::Mpi)) => "mpirun -n %P",
            (None, Some(ParallelKind::OpenMp)) => "env OMP_NUM_THREADS=1",
            (None, _) => "env CALL_PROCESSORS=%P",
        };
        Ok(format!("{by} valgrind --tool=callgrind"))
    }

    /// Lets a command run in one of the simulations.
    pub fn simulate(&self, (options, described): &(String, String), command: &mut Command) {
        let dump = self.dumps.path().join("dump");
        let dump = dump.display();
        let options = format!(
            "--quiet --log-file={dump}.log.%p --cache-sim=yes --combine-dumps=yes --callgrind-out-file={dump}.%p {options}"
        );
        command
            .env("VALGRIND_OPTS", options)
            .env("CALL_COUNTERS", "callgrind")
            .env("CALL_CALLGRIND", dump.to_string())
            .env("CALL_CACHES", described);
        // Under valgrind a minute is what a second is without, and what is saved passes through the caches of the program.
        if env::var_os("CALL_SAVE").is_none() {
            command.env("CALL_SAVE", "60");
        }
    }

    /// What valgrind has said, mostly of caches that it would choose otherwise.
    pub fn log(&self) -> String {
        let files = fs::read_dir(self.dumps.path()).into_iter().flatten().flatten();
        let logs = files.filter(|file| file.file_name().to_string_lossy().contains(".log."));
        logs.filter_map(|log| fs::read_to_string(log.path()).ok()).collect()
    }
}
