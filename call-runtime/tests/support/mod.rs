//! Compiles and runs the test programs, and reads the traces that they write.

pub mod behaviours;

use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

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
fn open_mpi(program: &str) -> String {
    let own_name = format!("{program}.openmpi");
    if answers(&own_name) { own_name } else { program.to_owned() }
}

impl Flavour {
    fn compiler(self) -> String {
        match self {
            Flavour::Mpi | Flavour::MpiThreads | Flavour::MpiOpenMp => open_mpi("mpicc"),
            Flavour::Mpich | Flavour::MpichOpenMp => "mpicc.mpich".to_owned(),
            Flavour::Smpi => "smpicc".to_owned(),
            Flavour::OpenMpOfLlvm => "clang".to_owned(),
            _ => c_compiler(),
        }
    }

    fn fortran_compiler(self) -> String {
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

    fn flags(self) -> &'static [&'static str] {
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
    fn runtime_level(self) -> Option<&'static str> {
        (!matches!(self, Flavour::Plain | Flavour::Mpi | Flavour::Sanitized | Flavour::Threads))
            .then_some("-O0")
    }

    fn runtime(self) -> &'static str {
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

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn build_directory() -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("runtime-programs");
    fs::create_dir_all(&directory).expect("the directory for test programs can be made");
    directory
}

/// An empty directory that no other test uses.
pub fn empty_directory() -> PathBuf {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let name = format!("run-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let directory = build_directory().join(name);
    fs::create_dir_all(&directory).expect("the directory for a run can be made");
    directory
}

pub fn compile(command: &mut Command) {
    let output = command.output().expect("the compiler can be started");
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
}

/// Compiles to a name of its own first: another run of the tests may be executing the file. What was made of the same before, by these
/// tests or others, is taken as it is.
fn compile_to(path: &Path, command: &mut Command) {
    let with = |suffix: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    let (made_of, own) = (fingerprint(command), with(&format!(".{}", std::process::id())));
    let note = with(".made-of");
    if path.exists() && fs::read_to_string(&note).is_ok_and(|noted| noted == made_of) {
        return;
    }
    // A note must not outlive what it is about.
    let _ = fs::remove_file(&note);
    compile(command.arg("-o").arg(&own));
    fs::rename(&own, path).expect("a file can be renamed in its directory");
    fs::write(&note, made_of).expect("a note can be written");
}

/// All that decides what a compiler makes: its own file, words and the files among them, all headers and the runtime.
fn fingerprint(command: &Command) -> String {
    static RUNTIME: OnceLock<u64> = OnceLock::new();
    let runtime = RUNTIME.get_or_init(|| {
        let mut hasher = DefaultHasher::new();
        for folder in ["include", "src", "tests/programs"] {
            hash_files(&root().join(folder), folder != "tests/programs", &mut hasher);
        }
        hasher.finish()
    });
    let mut hasher = DefaultHasher::new();
    let program = Path::new(command.get_program());
    let paths = std::env::var_os("PATH").unwrap_or_default();
    // The first of this name may call the next.
    for folder in std::env::split_paths(&paths) {
        let compiler = fs::canonicalize(folder.join(program)).ok();
        let changed = compiler.as_ref().and_then(|file| fs::metadata(file).ok()?.modified().ok());
        (compiler, changed).hash(&mut hasher);
    }
    for word in command.get_args() {
        word.hash(&mut hasher);
        fs::read(word).ok().hash(&mut hasher);
    }
    format!("{runtime:016x} {:016x}\n", hasher.finish())
}

/// Of the test programs only the headers: the sources of each are words of its command.
fn hash_files(folder: &Path, has_sources: bool, hasher: &mut DefaultHasher) {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a directory of sources can be read")
        .map(|entry| entry.expect("a directory entry can be read").path())
        .collect();
    paths.sort();
    for path in paths {
        let is_header = path.extension().is_some_and(|extension| extension == "h");
        if path.is_dir() {
            hash_files(&path, has_sources, hasher);
        } else if has_sources || is_header {
            (&path, fs::read(&path).expect("a source file can be read")).hash(hasher);
        }
    }
}

/// Most of the time that small programs take is the linker's.
fn fast_linker() -> Option<&'static str> {
    answers("ld.gold").then_some("-fuse-ld=gold")
}

/// Runs `make` once for each key, also when several tests ask at once.
fn once(key: String, make: impl FnOnce() -> PathBuf) -> PathBuf {
    type Slots = Mutex<HashMap<String, Arc<OnceLock<PathBuf>>>>;
    static SLOTS: OnceLock<Slots> = OnceLock::new();
    let slot = {
        let mut slots =
            SLOTS.get_or_init(Mutex::default).lock().expect("nothing panics while it holds the slots");
        Arc::clone(slots.entry(key).or_default())
    };
    slot.get_or_init(make).clone()
}

pub fn runtime_object(flavour: Flavour) -> PathBuf {
    once(format!("{flavour:?}"), || {
        let object = build_directory().join(format!("{flavour:?}.o"));
        compile_to(
            &object,
            Command::new(flavour.compiler())
                .args(flavour.flags())
                .args(flavour.runtime_level())
                .args(WARNINGS)
                .arg("-Wmissing-field-initializers")
                .arg("-I")
                .arg(root().join("include"))
                .arg("-c")
                .arg(root().join(flavour.runtime())),
        );
        object
    })
}

/// A compiler with all that the source of a program needs. The programs use POSIX; the runtime does not rely on that.
fn program_compiler(flavour: Flavour) -> Command {
    let mut command = Command::new(flavour.compiler());
    command.args(flavour.flags()).args(WARNINGS).arg("-D_GNU_SOURCE").arg("-I").arg(root().join("include"));
    command
}

/// Programs in folders show one behaviour each and know nothing of what carries their packets: one object is linked for several transports.
fn shared_object(flavour: Flavour, source: &Path) -> Option<PathBuf> {
    let name = source.strip_prefix(root().join("tests/programs")).ok()?;
    if flavour.flags() != Flavour::Plain.flags() || flavour == Flavour::Smpi || name.components().count() == 1
    {
        return None;
    }
    let stem = name.with_extension("o").to_string_lossy().replace('/', "-");
    Some(once(stem.clone(), || {
        let object = build_directory().join(stem);
        compile_to(&object, program_compiler(Flavour::Plain).arg("-c").arg(source));
        object
    }))
}

/// The executable of source files, named for all of them; compiled by another flavour than its runtime for what goes wrong then.
fn program(flavour: Flavour, runtime: Flavour, sources: &[PathBuf]) -> PathBuf {
    let programs = root().join("tests/programs");
    let stems = sources.iter().map(|source| match source.strip_prefix(&programs) {
        Ok(below) => below.with_extension("").to_string_lossy().replace('/', "-"),
        Err(_) => source.file_stem().expect("a source file has a name").to_string_lossy().into_owned(),
    });
    let mut stem = stems.collect::<Vec<_>>().join("+");
    if runtime != flavour {
        stem += &format!("+{runtime:?}");
    }
    once(format!("{flavour:?} {stem}"), || {
        let executable = build_directory().join(format!("{flavour:?}-{stem}"));
        let inputs = sources.iter().map(|path| shared_object(flavour, path).unwrap_or_else(|| path.clone()));
        compile_to(
            &executable,
            program_compiler(flavour)
                .args(inputs)
                .arg(runtime_object(runtime))
                .args(fast_linker())
                .args(["-lm", "-pthread"]),
        );
        executable
    })
}

/// One run of a program in a directory of its own, which goes away with it.
pub struct Run {
    flavour: Flavour,
    executable: PathBuf,
    processors: usize,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
    /// Shell commands to be executed before the program.
    preparation: String,
    /// A program that starts it, with options.
    launcher: Vec<String>,
    directory: PathBuf,
}

#[derive(Debug)]
pub struct Outcome {
    /// `None` when a signal ended it.
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// Programs below tests/programs.
    pub fn of(flavour: Flavour, name: &str) -> Run {
        Run::of_files(flavour, &[name])
    }

    pub fn of_files(flavour: Flavour, names: &[&str]) -> Run {
        Run::with_runtime_of(flavour, flavour, names)
    }

    pub fn with_runtime_of(runtime: Flavour, flavour: Flavour, names: &[&str]) -> Run {
        let path = |name: &&str| root().join("tests/programs").join(format!("{name}.c"));
        let sources: Vec<PathBuf> = names.iter().map(path).collect();
        Run::of_executable(flavour, program(flavour, runtime, &sources))
    }

    pub fn of_source(flavour: Flavour, source: &Path) -> Run {
        Run::of_executable(flavour, program(flavour, flavour, &[source.to_owned()]))
    }

    /// A Fortran program below tests/programs, with flags of its own.
    pub fn of_fortran(flavour: Flavour, name: &str, flags: &[&str]) -> Run {
        let source = root().join("tests/programs").join(format!("{name}.F90"));
        let key = format!("{flavour:?}-{name}{}", flags.concat());
        let executable = once(key.clone(), || {
            let executable = build_directory().join(key);
            let modules = executable.with_extension("modules");
            fs::create_dir_all(&modules).expect("the directory for modules can be made");
            let mut compiler = Command::new(flavour.fortran_compiler());
            compiler.args(["-O1", "-g1", "-J"]).arg(modules).args(flags);
            compiler.arg(source).arg(runtime_object(flavour)).args(["-lm", "-pthread"]);
            compile_to(&executable, &mut compiler);
            executable
        });
        Run::of_executable(flavour, executable)
    }

    fn of_executable(flavour: Flavour, executable: PathBuf) -> Run {
        Run {
            flavour,
            executable,
            processors: 1,
            arguments: Vec::new(),
            environment: Vec::new(),
            preparation: String::new(),
            launcher: Vec::new(),
            directory: empty_directory(),
        }
    }

    pub fn on(mut self, processors: usize) -> Run {
        self.processors = processors;
        self
    }

    pub fn with(mut self, argument: impl ToString) -> Run {
        self.arguments.push(argument.to_string());
        self
    }

    pub fn variable(mut self, name: &str, value: &str) -> Run {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn counting(self) -> Run {
        self.variable("CALL_CLOCK", "counting")
    }

    pub fn prepared_by(mut self, shell: &str) -> Run {
        self.preparation = shell.to_owned();
        self
    }

    pub fn launched_by(mut self, launcher: &[&str]) -> Run {
        self.launcher = launcher.iter().map(ToString::to_string).collect();
        self
    }

    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// A program that does not come to an end is ended, with status 124; on a busy machine one that does may take minutes.
    pub fn command(&self) -> Command {
        let mut command = Command::new("timeout");
        command.args(["-k", "5", "600"]);
        let script = format!("{} && exec \"$@\"", self.preparation);
        let shell: &[&str] = if self.preparation.is_empty() { &[] } else { &["sh", "-c", &script, "sh"] };
        // mpirun starts any program; smpirun loads the program, so the shell has to come before.
        match self.flavour {
            Flavour::Mpi | Flavour::MpiThreads | Flavour::MpiOpenMp => {
                command.args(mpirun(&open_mpi("mpirun"), self.processors)).args(shell)
            }
            Flavour::Mpich | Flavour::MpichOpenMp => {
                command.args(mpirun("mpirun.mpich", self.processors)).args(shell)
            }
            Flavour::Smpi => command.args(shell).args(smpirun(self.processors, &self.directory)),
            _ => command.args(shell),
        };
        command.args(&self.launcher).arg(&self.executable).args(&self.arguments);
        command
            .current_dir(&self.directory)
            .env_remove("CALL_BUDGET")
            .env_remove("CALL_CLOCK")
            .env_remove("CALL_COUNTERS")
            .env_remove("CALL_QUIET")
            .env_remove("CALL_SAVE")
            .env_remove("CALL_TRACE")
            .env_remove("CALL_SUBTRACT")
            .env_remove("CALL_SUPERSTEPS")
            .env_remove("CALL_PROFILE")
            .env_remove("OMP_NUM_THREADS")
            .stdin(Stdio::null());
        match self.flavour {
            Flavour::MpiThreads => {
                command.env("TSAN_OPTIONS", "ignore_noninstrumented_modules=1 detect_deadlocks=0")
            }
            Flavour::OpenMpThreads => command.env("TSAN_OPTIONS", "ignore_noninstrumented_modules=1"),
            _ => &mut command,
        };
        match self.flavour {
            Flavour::MpiOpenMp | Flavour::MpichOpenMp => {
                command.env_remove("CALL_PROCESSORS").env("OMP_NUM_THREADS", "3")
            }
            _ if self.flavour.is_over_mpi() => command.env_remove("CALL_PROCESSORS"),
            Flavour::OpenMp | Flavour::OpenMpSanitized | Flavour::OpenMpThreads => {
                command.env("OMP_NUM_THREADS", self.processors.to_string())
            }
            _ => command.env("CALL_PROCESSORS", self.processors.to_string()),
        };
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Launchers of MPI die of signals by themselves: MPICH's, one time in a hundred on a busy machine, of SIGPIPE when programs end while
    /// it starts them, Open MPI's of SIGSEGV in its own PMIx_server_finalize after an MPI_Abort. What kills a program they tell with
    /// a status. Open MPI's remove a folder in which others are about to make theirs, and one was seen that did
    /// not end after it had told an MPI_Abort. Such runs say nothing about the program, and are started again.
    pub fn outcome(&self) -> Outcome {
        let run = || self.command().output().expect("the program can be started");
        let mut output = run();
        let has_launcher = self.flavour.is_over_mpi() && self.flavour != Flavour::Smpi;
        for _ in 0..5 {
            let stderr = String::from_utf8_lossy(&output.stderr);
            let has_folder = !stderr.contains("unable to create the desired directory");
            let hangs = output.status.code() == Some(124) && stderr.contains("MPI_ABORT was invoked");
            if !has_launcher || (output.status.signal().is_none() && has_folder && !hangs) {
                break;
            }
            output = run();
        }
        Outcome {
            status: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// The run must end well.
    pub fn succeed(&self) -> Outcome {
        let outcome = self.outcome();
        assert_eq!(outcome.status, Some(0), "{self:?}: {outcome:?}");
        outcome
    }

    /// The run must end with this status and say this. What `mpirun` of MPICH makes of the statuses of several processes depends on
    /// whom it has to kill.
    pub fn fail(&self, status: i32, message: &str) -> Outcome {
        let outcome = self.outcome();
        if matches!(self.flavour, Flavour::Mpich | Flavour::MpichOpenMp) {
            assert!(!matches!(outcome.status, None | Some(0 | 124)), "{self:?}: {outcome:?}");
        } else {
            assert_eq!(outcome.status, Some(status), "{self:?}: {outcome:?}");
        }
        assert!(outcome.stderr.contains(message), "{self:?} should say `{message}`: {outcome:?}");
        outcome
    }

    pub fn trace_text(&self, name: &str) -> String {
        let path = self.directory.join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub fn trace(&self, name: &str) -> Trace {
        Trace::read(&self.trace_text(name))
    }

    pub fn trace_names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.directory)
            .expect("the directory of a run can be read")
            .map(|entry| {
                entry.expect("a directory entry can be read").file_name().to_string_lossy().into_owned()
            })
            .filter(|name| name.ends_with(".dat"))
            .collect();
        names.sort();
        names
    }
}

impl std::fmt::Debug for Run {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:?} on {} with {:?}", self.executable, self.processors, self.arguments)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        // A directory that is left over harms nobody.
        let _ = fs::remove_dir_all(&self.directory);
    }
}

fn mpirun(program: &str, processors: usize) -> Vec<String> {
    static OPEN_MPI: OnceLock<Mutex<HashMap<String, bool>>> = OnceLock::new();
    let mut known = OPEN_MPI.get_or_init(Mutex::default).lock().expect("nothing panics while it holds them");
    let is_open_mpi = *known.entry(program.to_owned()).or_insert_with(|| {
        let output = Command::new(program).arg("--version").output().expect("mpirun is there with mpicc");
        let version = String::from_utf8_lossy(&output.stdout).into_owned();
        version.contains("Open MPI") || version.contains("OpenRTE")
    });
    let mut words = vec![program.to_owned()];
    if is_open_mpi {
        words.extend(["--allow-run-as-root", "--oversubscribe"].map(str::to_owned));
    }
    words.extend(["-n".to_owned(), processors.to_string()]);
    words
}

/// A cluster of 64 computers with a network of 10 Gbit/s.
fn smpirun(processors: usize, directory: &Path) -> Vec<String> {
    let platform = directory.join("cluster.xml");
    let hosts = directory.join("hosts");
    let cluster = r#"<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="n-" suffix=".x" radical="0-63" speed="1Gf" bw="10Gbps" lat="2us"/>
</platform>
"#;
    let names: String = (0..64).map(|number| format!("n-{number}.x\n")).collect();
    fs::write(&platform, cluster).expect("the platform can be written");
    fs::write(&hosts, names).expect("the list of hosts can be written");
    [
        "smpirun",
        "-np",
        &processors.to_string(),
        "-platform",
        &platform.to_string_lossy(),
        "-hostfile",
        &hosts.to_string_lossy(),
    ]
    .map(str::to_owned)
    .into_iter()
    .chain(["--cfg=smpi/host-speed:1Gf", "--log=root.thres:warning"].map(str::to_owned))
    .collect()
}

/// A trace, read by rules of its own, so that writer and reader do not share a mistake.
#[derive(Debug)]
pub struct Trace {
    pub header: Vec<(String, String)>,
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Trace {
    pub fn read(text: &str) -> Trace {
        let mut lines: Vec<&str> = text.split('\n').collect();
        assert_eq!(lines.pop(), Some(""), "the last line must end with a line feed");
        assert_eq!(lines.first(), Some(&"# call-trace 1"));
        let end = lines.pop().expect("a trace has a last line");
        let columns_at =
            lines.iter().position(|line| !line.starts_with('#')).expect("a trace has column names");
        let header = lines[1..columns_at].iter().map(|line| {
            let line = line.strip_prefix("# ").expect("header lines start with `# `");
            let (key, value) = line.split_once(':').expect("header lines have a colon");
            (key.to_owned(), value.strip_prefix(' ').unwrap_or(value).to_owned())
        });
        let words = |line: &&str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let trace = Trace {
            header: header.collect(),
            columns: words(&lines[columns_at]),
            rows: lines[columns_at + 1..].iter().map(words).collect(),
        };
        assert_eq!(end, format!("# end rows={}", trace.rows.len()));
        for row in &trace.rows {
            assert_eq!(row.len(), trace.columns.len(), "{row:?}");
        }
        trace
    }

    pub fn value(&self, key: &str) -> Option<&str> {
        self.header.iter().find(|(its_key, _)| its_key == key).map(|(_, value)| value.as_str())
    }

    pub fn values(&self, key: &str) -> Vec<&str> {
        self.header.iter().filter(|(its_key, _)| its_key == key).map(|(_, value)| value.as_str()).collect()
    }
}

/// Nanoseconds of a time in seconds with nine decimals.
pub fn nanoseconds(time_s: &str) -> u64 {
    let (seconds, decimals) = time_s.split_once('.').expect("a time has decimals");
    assert_eq!(decimals.len(), 9, "{time_s}");
    let number = |digits: &str| digits.parse::<u64>().expect("a time has digits");
    number(seconds) * 1_000_000_000 + number(decimals)
}
