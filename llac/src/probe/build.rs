use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::RecvTimeoutError;

use super::arguments::ProbeArguments;
use super::interruption::{self, INTERRUPTED, Interruption, PATIENCE};
use super::output;

/// The annotated program.
const PROGRAM: &str = include_str!("../../probe/probe.c");

/// `call` and the C compiler.
pub struct Tools {
    call: PathBuf,
    compiler: String,
    flags: String,
    is_mpi: bool,
}

impl Tools {
    /// `call` stands beside this program or in the PATH.
    pub fn find(arguments: &ProbeArguments) -> Result<Tools, String> {
        let beside = std::env::current_exe().ok().and_then(|own| Some(own.parent()?.join("call")));
        let call = beside.filter(|call| call.is_file()).or_else(|| in_path("call")).ok_or(
            "llac: there is no `call` beside llac nor in the PATH, and the probe takes it: `make` builds both",
        )?;
        let compiler = arguments.compiler();
        let program = compiler.split_whitespace().next().unwrap_or_default();
        let is_there =
            if program.contains('/') { Path::new(program).is_file() } else { in_path(program).is_some() };
        if !is_there {
            return Err(format!(
                "llac: there is no C compiler `{program}`, and the probe takes one: install it, or name another with --compiler"
            ));
        }
        let is_mpi = !arguments.launcher.is_empty();
        Ok(Tools { call, compiler, flags: arguments.flags.clone(), is_mpi })
    }

    /// Writes the program and what `call` makes of it.
    pub fn translate(&self, folder: &Path, interruption: &Interruption) -> Result<(), String> {
        let source = folder.join("probe.c");
        std::fs::write(&source, PROGRAM)
            .map_err(|error| format!("llac: cannot write {}: {error}", source.display()))?;
        let mut command = Command::new(&self.call);
        // The flags decide which operations there are.
        command.args(["--quiet", "probe.c", "--"]).args(self.flags.split_whitespace());
        command.env("CC", &self.compiler).current_dir(folder);
        succeed(command, "call does not translate the probe", interruption)
    }

    pub fn compile(&self, folder: &Path, interruption: &Interruption) -> Result<(), String> {
        let mut command = Command::new("sh");
        command.args(["-c", &self.compile_line()]).env("PATH", self.path()).current_dir(folder);
        succeed(command, &format!("`{}` does not compile the probe", self.compiler), interruption)
    }

    /// As people type it.
    pub fn compile_line(&self) -> String {
        let Tools { compiler, flags, is_mpi, .. } = self;
        let (mpi, blank) = if *is_mpi { ("--mpi", " ") } else { ("", "") };
        format!(
            "{compiler} $(call cflags {mpi}{blank}{flags}) probe.call.c $(call libs{blank}{mpi}) -o probe"
        )
    }

    /// Where the shell looks for programs: first where `call` is.
    pub fn path(&self) -> OsString {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = self.call.parent().map(Path::to_owned).into_iter().chain(std::env::split_paths(&path));
        std::env::join_paths(folders).unwrap_or(path)
    }
}

/// What a command that fails has to say comes behind what failed.
fn succeed(mut command: Command, what_failed: &str, interruption: &Interruption) -> Result<(), String> {
    let fail = |error| format!("llac: {what_failed}: {error}");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    // A group of its own: Ctrl-C is no failure of the command.
    let mut child = command.process_group(0).spawn().map_err(fail)?;
    let output = output::text_of(&mut child);
    let output = loop {
        if interruption.came() {
            interruption::end(child);
            return Err(INTERRUPTED.to_owned());
        }
        match output.recv_timeout(PATIENCE) {
            Err(RecvTimeoutError::Timeout) => {}
            output => break output.unwrap_or_default(),
        }
    };
    let status = child.wait().map_err(fail)?;
    match status.success() {
        true => Ok(()),
        false if interruption::ended(status) => Err(INTERRUPTED.to_owned()),
        false => Err(format!("llac: {what_failed}:\n{}", output.trim_end())),
    }
}

fn in_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}
