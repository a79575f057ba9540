//! Compilers with their flags, and what of them this computer has.

use std::collections::HashMap;
use std::fs;
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock};

use super::folders::empty_directory;

/// A compiler with flags, and the transport that the program is linked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flavour {
    /// C99, optimised, processes on this computer.
    Plain,
    /// C17 with GNU extensions under the address and undefined behaviour sanitizers.
    Sanitized,
    /// Under the thread sanitizer.
    Threads,
    OpenMp,
    OpenMpSanitized,
    /// By clang, whose runtime of OpenMP tells tools what threads do.
    OpenMpOfLlvm,
    /// Under the thread sanitizer, which does not see how a team begins and ends: such programs share no variables of functions.
    OpenMpThreads,
    /// Open MPI where it is there by its own name, else what `mpicc` means.
    Mpi,
    Mpich,
    /// Open MPI under the thread sanitizer, which looks at the program and the runtime only.
    MpiThreads,
    /// MPI programs with teams of OpenMP threads, on 3 threads.
    MpiOpenMp,
    MpichOpenMp,
    Smpi,
}

pub const ON_THIS_COMPUTER: [Flavour; 2] = [Flavour::Plain, Flavour::Sanitized];
pub const WITH_THREADS: [Flavour; 3] = [Flavour::Plain, Flavour::Sanitized, Flavour::Threads];
pub const WITH_OPENMP: [Flavour; 3] = [Flavour::OpenMp, Flavour::OpenMpSanitized, Flavour::OpenMpThreads];
pub const WITH_MPI: [Flavour; 3] = [Flavour::Mpi, Flavour::Mpich, Flavour::Smpi];
pub const WITH_MPI_AND_OPENMP: [Flavour; 2] = [Flavour::MpiOpenMp, Flavour::MpichOpenMp];
pub const ALL: [Flavour; 4] = [Flavour::Plain, Flavour::Sanitized, Flavour::Mpi, Flavour::Smpi];

/// The tables of the test programs leave out the last fields, as the translator does.
pub const WARNINGS: [&str; 6] =
    ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-unknown-pragmas", "-Wno-missing-field-initializers"];

pub fn c_compiler() -> String {
    std::env::var("CC").unwrap_or_else(|_| "cc".to_owned())
}

/// Whether a program that uses what the flags say can be made and run.
fn can_run(compiler: &str, flags: &[&str], program: &str) -> bool {
    let executable = empty_directory().join("probe");
    let source = executable.with_extension("c");
    fs::write(&source, program).expect("a source file can be written");
    let compiled = Command::new(compiler).args(flags).arg(&source).arg("-o").arg(&executable).output();
    let runs = compiled.is_ok_and(|output| output.status.success())
        && Command::new(&executable).output().is_ok_and(|output| output.status.success());
    // A directory that is left over harms nobody.
    let _ = fs::remove_dir_all(executable.with_file_name(""));
    runs
}

/// Asked of each command once: an MPI program is started hundreds of times.
pub fn answers(command: &str) -> bool {
    static KNOWN: OnceLock<Mutex<HashMap<String, bool>>> = OnceLock::new();
    let mut known =
        KNOWN.get_or_init(Mutex::default).lock().expect("no test panics while it looks for a command");
    *known.entry(command.to_owned()).or_insert_with(|| {
        Command::new(command)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    })
}

/// Where MPICH is installed beside it, either may be meant by a name alone.
pub(super) fn open_mpi(program: &str) -> String {
    let own_name = format!("{program}.openmpi");
    if answers(&own_name) { own_name } else { program.to_owned() }
}

impl Flavour {
    pub(super) fn compiler(self) -> String {
        match self {
            Flavour::Mpi | Flavour::MpiThreads | Flavour::MpiOpenMp => open_mpi("mpicc"),
            Flavour::Mpich | Flavour::MpichOpenMp => "mpicc.mpich".to_owned(),
            Flavour::Smpi => "smpicc".to_owned(),
            Flavour::OpenMpOfLlvm => "clang".to_owned(),
            _ => c_compiler(),
        }
    }

    pub(super) fn fortran_compiler(self) -> String {
        if self == Flavour::Mpich { "mpif90.mpich".to_owned() } else { open_mpi("mpif90") }
    }

    /// Whether its compiler of Fortran is there, too, which has to be there where MPI has.
    pub fn has_fortran(self) -> bool {
        let found = self.is_available() && answers(&self.fortran_compiler());
        if !found {
            let must_be = std::env::var_os("CALL_TEST_REQUIRE_MPI").is_some();
            assert!(!must_be, "CALL_TEST_REQUIRE_MPI is set, and there is no {}", self.fortran_compiler());
            eprintln!("skipped: {}", self.fortran_compiler());
        }
        found
    }

    pub(super) fn flags(self) -> &'static [&'static str] {
        match self {
            Flavour::Sanitized => {
                &["-std=gnu17", "-O1", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
            }
            Flavour::Threads | Flavour::MpiThreads => &["-std=gnu11", "-O1", "-g1", "-fsanitize=thread"],
            Flavour::OpenMpThreads => &["-std=gnu11", "-O1", "-g1", "-fopenmp", "-fsanitize=thread"],
            Flavour::OpenMp | Flavour::MpiOpenMp | Flavour::MpichOpenMp => &["-std=c99", "-O2", "-fopenmp"],
            Flavour::OpenMpOfLlvm => &["-std=c99", "-O2", "-g1", "-fopenmp"],
            Flavour::OpenMpSanitized => &[
                "-std=gnu17",
                "-O1",
                "-g1",
                "-fopenmp",
                "-fsanitize=address,undefined",
                "-fno-sanitize-recover=all",
            ],
            _ => &["-std=c99", "-O2"],
        }
    }

    /// Whether the processors are processes of MPI.
    pub fn is_over_mpi(self) -> bool {
        WITH_MPI.contains(&self) || WITH_MPI_AND_OPENMP.contains(&self) || self == Flavour::MpiThreads
    }

    /// As the header of a trace names what carries its packets.
    pub fn transport(self) -> &'static str {
        match self {
            Flavour::Smpi => "SMPI",
            _ if self.is_over_mpi() => "MPI",
            _ => "embedded",
        }
    }

    /// A lower level of optimisation of the runtime, which takes a quarter of the time to compile: all of it is fully optimised as `Plain` or
    /// `Mpi`, and goes through the sanitizers optimised as `Sanitized` and `Threads`.
    pub(super) fn runtime_level(self) -> Option<&'static str> {
        (!matches!(self, Flavour::Plain | Flavour::Mpi | Flavour::Sanitized | Flavour::Threads))
            .then_some("-O0")
    }

    pub(super) fn runtime(self) -> &'static str {
        if self.is_over_mpi() { call_runtime::MPI_SOURCE } else { call_runtime::EMBEDDED_SOURCE }
    }

    /// Whether the compiler is there; says so if it is not, unless it has to be there.
    pub fn is_available(self) -> bool {
        static KNOWN: OnceLock<Mutex<HashMap<Flavour, bool>>> = OnceLock::new();
        let mut known =
            KNOWN.get_or_init(Mutex::default).lock().expect("no test panics while it looks for a compiler");
        let compiler = self.compiler();
        *known.entry(self).or_insert_with(|| {
            let probe = match self {
                Flavour::Threads | Flavour::MpiThreads => Some("int main(void) { return 0; }\n"),
                Flavour::OpenMp
                | Flavour::OpenMpSanitized
                | Flavour::OpenMpThreads
                | Flavour::OpenMpOfLlvm => {
                    Some("#include <omp.h>\nint main(void) { return omp_get_thread_num(); }\n")
                }
                _ => None,
            };
            if let Some(program) = probe {
                let found = can_run(&compiler, self.flags(), program);
                if !found {
                    assert!(
                        self != Flavour::OpenMpOfLlvm || std::env::var_os("CALL_TEST_REQUIRE_MPI").is_none(),
                        "CALL_TEST_REQUIRE_MPI is set, and there is no clang with OpenMP"
                    );
                    eprintln!("skipped: {compiler} {}", self.flags().join(" "));
                }
                return found;
            }
            let found = answers(&compiler);
            if !found && self.is_over_mpi() {
                assert!(
                    std::env::var_os("CALL_TEST_REQUIRE_MPI").is_none(),
                    "CALL_TEST_REQUIRE_MPI is set, and there is no {compiler}"
                );
                eprintln!("skipped: {compiler}");
                return false;
            }
            assert!(found, "there is no C compiler `{compiler}`");
            true
        })
    }
}
