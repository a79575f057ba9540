//! Runs of programs, and how they end.

use std::collections::HashMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock};

use super::building::{compile_to, once, program, runtime_object};
use super::ending::{AFTER_ABORT, output_of, tells_abort};
use super::flavour::{Flavour, open_mpi};
use super::folders::{build_directory, empty_directory, root};
use super::trace::Trace;

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
    /// a status. Open MPI's remove a folder in which others are about to make theirs, and some were seen that did
    /// not end after they had told an MPI_Abort. Such runs say nothing about the program, and are started again.
    pub fn outcome(&self) -> Outcome {
        let run = || output_of(&mut self.command(), AFTER_ABORT);
        let (mut output, mut is_ended) = run();
        let has_launcher = self.flavour.is_over_mpi() && self.flavour != Flavour::Smpi;
        for _ in 0..5 {
            let stderr = String::from_utf8_lossy(&output.stderr);
            let has_folder = !stderr.contains("unable to create the desired directory");
            let hangs = is_ended || (output.status.code() == Some(124) && tells_abort(&stderr));
            if !has_launcher || (output.status.signal().is_none() && has_folder && !hangs) {
                break;
            }
            (output, is_ended) = run();
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
