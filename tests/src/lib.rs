//! End-to-end tests: annotated C goes through `call`, the C compiler, a run and `llac`. This library is their workshop.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test that cannot go on has failed"
)]

pub mod answer;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How a program's processors talk to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// Forked processes.
    Embedded,
    /// `mpirun`: Open MPI where it has a name of its own, else whatever is there.
    Mpi,
    /// `mpirun.mpich`.
    Mpich,
    /// `smpirun`, simulated processors.
    Smpi,
}

impl Transport {
    /// The C compiler of its programs.
    pub fn compiler(self) -> &'static str {
        match self {
            Transport::Embedded => "cc",
            Transport::Mpi if has_open_mpi() => "mpicc.openmpi",
            Transport::Mpi => "mpicc",
            Transport::Mpich => "mpicc.mpich",
            Transport::Smpi => "smpicc",
        }
    }

    /// What starts its programs on `%P` processors; the empty word where they start by themselves.
    pub fn launcher(self) -> &'static str {
        match self {
            Transport::Embedded => "",
            Transport::Mpi if has_open_mpi() => "mpirun.openmpi -n %P",
            Transport::Mpi => "mpirun -n %P",
            Transport::Mpich => "mpirun.mpich -n %P",
            Transport::Smpi => {
                "smpirun -np %P -platform cluster.xml -hostfile hosts --cfg=smpi/host-speed:1Gf --log=root.threshold:error"
            }
        }
    }

    /// Whether its tools are there. A missing one is told, and is an error where the environment says that it must be there.
    pub fn is_available(self) -> bool {
        let found = Command::new(self.compiler()).arg("--version").output().is_ok();
        if !found {
            assert!(std::env::var_os("CALL_TEST_REQUIRE_MPI").is_none(), "{} is missing", self.compiler());
            eprintln!("skipped: {}", self.compiler());
        }
        found
    }
}

/// Where MPICH is installed, too, `mpicc` may mean either.
fn has_open_mpi() -> bool {
    static IS_THERE: OnceLock<bool> = OnceLock::new();
    *IS_THERE.get_or_init(|| Command::new("mpicc.openmpi").arg("--version").output().is_ok())
}

/// Where Open MPI keeps the files of a run.
const SESSIONS: &str = ".mpi";

/// A folder of its own, removed at the end.
pub struct Workshop {
    folder: PathBuf,
}

impl Workshop {
    /// An empty folder.
    pub fn new() -> Workshop {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("call-test-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(folder.join(SESSIONS)).unwrap();
        Workshop { folder }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Puts a file of the repository into it.
    pub fn bring(&self, path: &str) {
        let from = repository().join(path);
        fs::copy(&from, self.folder.join(from.file_name().unwrap())).unwrap();
    }

    /// Writes a file.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.folder.join(name), contents).unwrap();
    }

    /// Reads a file.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.join(name)).unwrap()
    }

    /// A command in this folder, with `call` and `llac` at hand, and the runtime that all tests share: it is compiled once for each set
    /// of flags (`compilers/cc`).
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let own = [repository().join("tests/compilers"), binaries()];
        let paths = own.into_iter().chain(std::env::split_paths(&path));
        command
            .current_dir(&self.folder)
            .env("PATH", std::env::join_paths(paths).unwrap())
            .env("CALL_RUNTIME_DIR", binaries().join("runtime-of-tests"))
            .env("CALL_TEST_OBJECTS", binaries().with_file_name("tmp").join("runtime-objects"))
            // The tests of call-runtime run it as it is optimised; that takes five times as long to compile.
            .env("CALL_TEST_LEVEL", "-O0")
            // Open MPI refuses root and more processes than cores unless it is told.
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
            .env("OMPI_MCA_rmaps_base_oversubscribe", "1")
            // One that ends removes the common folder in which another one is about to make its own.
            .env("OMPI_MCA_orte_tmpdir_base", self.folder.join(SESSIONS))
            .env("NO_COLOR", "1");
        command
    }

    /// What `llac` says to a question.
    pub fn answer(&self, question: &str) -> serde_json::Value {
        serde_json::from_str(&self.shell(&format!("llac --format json {question}"))).unwrap()
    }

    /// Runs a command line of the shell; it has to succeed.
    pub fn shell(&self, line: &str) -> String {
        let output = self.command("sh").args(["-c", line]).output().unwrap();
        text_of(line, &output)
    }

    /// Translates `NAME.c` and compiles it to `NAME`.
    pub fn build(&self, name: &str, transport: Transport, flags: &str) {
        let mpi = if transport == Transport::Embedded { "" } else { "--mpi" };
        let compiler = transport.compiler();
        self.shell(&format!(
            "CC={compiler} call {name}.c && {compiler} -Wall -Wextra -Wpedantic -Werror $(call cflags {mpi} {flags}) {name}.call.c \
             $(call libs {mpi}) -o {name}"
        ));
    }

    /// Runs a built program on some processors; it has to succeed.
    pub fn run(&self, name: &str, transport: Transport, processors: usize, arguments: &str) -> String {
        let launcher = transport.launcher().replace("%P", &processors.to_string());
        match transport {
            Transport::Embedded => self.shell(&format!("CALL_PROCESSORS={processors} ./{name} {arguments}")),
            Transport::Mpi | Transport::Mpich => self.shell(&format!("{launcher} ./{name} {arguments}")),
            Transport::Smpi => {
                self.bring("examples/fft/cluster.xml");
                let hosts: String = (0..32).map(|host| format!("n-{host}.x\n")).collect();
                self.write("hosts", hosts);
                self.shell(&format!("{launcher} ./{name} {arguments}"))
            }
        }
    }

    /// Runs commands of llac; they have to succeed.
    pub fn llac(&self, commands: &[&str]) -> String {
        let output =
            self.command("llac").args(commands.iter().flat_map(|command| ["-e", command])).output().unwrap();
        text_of(&commands.join("; "), &output)
    }

    /// The names of the traces in the folder, in the order of their numbers.
    pub fn traces(&self) -> Vec<String> {
        let names = fs::read_dir(&self.folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut traces: Vec<String> =
            names.map(|name| name.into_string().unwrap()).filter(|name| name.ends_with(".dat")).collect();
        traces.sort_by_key(|name| (name.len(), name.clone()));
        traces
    }

    /// A trace of the folder, read by the library; its end may be missing.
    pub fn incomplete_trace(&self, name: &str) -> call_trace::Trace {
        call_trace::read(&fs::read(self.folder.join(name)).unwrap())
            .unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// A trace of the folder, read by the library; nothing is missing in it.
    pub fn trace(&self, name: &str) -> call_trace::Trace {
        let trace = self.incomplete_trace(name);
        assert_eq!(trace.completeness, call_trace::Completeness::Complete, "{name}");
        trace
    }
}

impl Default for Workshop {
    fn default() -> Self {
        Workshop::new()
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        // A folder that stays behind does no harm.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn text_of(what: &str, output: &Output) -> String {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{what}\nended with {}\n{out}\n{err}", output.status);
    out.into_owned()
}

/// Whether a program is installed; a missing one is told.
pub fn is_there(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        eprintln!("skipped: {program}");
    }
    found
}

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The folder with `call` and `llac`, two above that of the test's own binary.
pub fn binaries() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(Path::parent).unwrap().to_owned();
    assert!(
        folder.join("call").exists() && folder.join("llac").exists(),
        "run the tests of the whole workspace"
    );
    folder
}
