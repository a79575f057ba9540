//! The runtime as a static library, made once for each compiler and each set of flags that must agree when objects are linked.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::{programs, runtime_directory, write};

/// Flags of the program that the runtime has to be compiled with as well.
fn matters(flag: &str) -> bool {
    flag == "-fopenmp"
        || flag == "-fPIC"
        || flag == "-fpic"
        || flag.starts_with("-m")
        || flag.starts_with("-fsanitize")
}

/// What a program is linked with; for MPI if that is said, else if the compiler is one of MPI.
pub fn linked(
    compiler: &[String],
    words: &[String],
    mpi: Option<bool>,
    runtime: &Path,
) -> Result<Vec<String>, String> {
    let identity = Identity::of(compiler)?;
    let mpi = mpi.map_or_else(|| identity.links_mpi(runtime), Ok)?;
    let library = build(&identity, words, mpi, runtime)?.display().to_string();
    // A function that may be missing takes nothing out of a library.
    let wanted = (mpi && identity.has_weak_functions()).then(|| "-Wl,-u,MPI_Init".to_owned());
    Ok(wanted.into_iter().chain([library]).collect())
}

/// Builds the library, or finds the one that was built before.
fn build(identity: &Identity, words: &[String], mpi: bool, runtime: &Path) -> Result<PathBuf, String> {
    let compiler = identity.compiler;
    let mut flags: Vec<&String> = words.iter().filter(|word| matters(word)).collect();
    flags.sort_unstable();
    flags.dedup();
    let folder = runtime.join("lib");
    let library = folder.join(format!("libcall-{:016x}.a", identity.fingerprint(&(flags.as_slice(), mpi))));
    if library.exists() {
        return Ok(library);
    }
    let failed = |what: &str, detail: &str| {
        format!("cannot {what} the runtime for `{}`: {}", compiler.join(" "), detail.trim_end())
    };
    let unable = |error: std::io::Error| failed("write", &error.to_string());
    runtime_directory::make(&folder).map_err(unable)?;
    // Of several that come first at once, one compiles and the others wait for it.
    let _turn = runtime_directory::turn(&library.with_extension("lock"));
    if library.exists() {
        return Ok(library);
    }
    let (program, first) = compiler.split_first().ok_or("no compiler is named")?;
    // Beside the library, as it is renamed.
    let temporary = runtime_directory::temporary_in(&folder).map_err(unable)?;
    let object = temporary.path().join("runtime.o");
    let compiled = Command::new(program)
        .args(first)
        .args(flags)
        .args(["-O2", "-fPIC", "-c", "-o"])
        .arg(&object)
        .args(identity.options_of_c())
        .arg(runtime.join(source(mpi)))
        .output()
        .map_err(|error| failed("compile", &error.to_string()))?;
    if !compiled.status.success() {
        return Err(failed("compile", &String::from_utf8_lossy(&compiled.stderr)));
    }
    let archive = temporary.path().join("runtime.a");
    let archived = Command::new("ar").arg("rcs").arg(&archive).arg(&object).output();
    let archived = archived.map_err(|error| failed("archive", &error.to_string()))?;
    if !archived.status.success() {
        return Err(failed("archive", &String::from_utf8_lossy(&archived.stderr)));
    }
    fs::rename(&archive, &library).map_err(unable)?;
    Ok(library)
}

/// The file of the runtime that programs are compiled with.
pub fn source(mpi: bool) -> &'static str {
    if mpi { call_runtime::MPI_SOURCE } else { call_runtime::EMBEDDED_SOURCE }
}

/// Whether a compiler is one of those that come with an MPI library, whatever it is called: whether it links a program of MPI
/// without being told how.
pub fn is_mpi(compiler: &[String], runtime: &Path) -> Result<bool, String> {
    Identity::of(compiler)?.links_mpi(runtime)
}

/// Whether a compiler is GCC, whatever it is called; others that say so tell more.
pub fn is_gcc(compiler: &[String]) -> Result<bool, String> {
    let macros = Identity::of(compiler)?.macros;
    let defines = |name: &str| memchr::memmem::find(&macros, format!("#define {name} ").as_bytes()).is_some();
    Ok(defines("__GNUC__") && !["__clang__", "__INTEL_COMPILER", "__NVCOMPILER"].into_iter().any(defines))
}

/// A program of MPI, where the compiler finds the header.
const PROBE: &str = "#ifdef __has_include\n#if __has_include(<mpi.h>)\n#include <mpi.h>\n#endif\n#endif\n\
    int main(void) { return MPI_Init(0, 0); }\n";

/// What a compiler is. What its name means changes: with an update, with modules that are loaded, with another MPI under it.
struct Identity<'a> {
    compiler: &'a [String],
    probe: TempDir,
    /// All that it defines, and all that the header of its MPI does.
    macros: Vec<u8>,
}

impl Identity<'_> {
    fn of(compiler: &[String]) -> Result<Identity<'_>, String> {
        let unable = |error: std::io::Error| format!("cannot make a temporary folder: {error} (set TMPDIR)");
        let probe = runtime_directory::temporary_in(&std::env::temp_dir()).map_err(unable)?;
        fs::write(probe.path().join("probe.c"), PROBE).map_err(unable)?;
        let mut identity = Identity { compiler, probe, macros: Vec::new() };
        // A compiler that cannot be asked says why when it compiles.
        let macros = identity.on_probe(&["-E", "-dM"])?.output();
        identity.macros = macros.map(|output| output.stdout).unwrap_or_default();
        Ok(identity)
    }

    fn on_probe(&self, words: &[&str]) -> Result<Command, String> {
        let (program, first) = self.compiler.split_first().ok_or("no compiler is named")?;
        let mut command = Command::new(program);
        command.args(first).args(words).arg(self.probe.path().join("probe.c"));
        Ok(command)
    }

    /// A compiler of C++ that links a program has to be told that the runtime is C.
    fn options_of_c(&self) -> &'static [&'static str] {
        let is_cpp = memchr::memmem::find(&self.macros, b"#define __cplusplus").is_some();
        if is_cpp { &["-x", "c"] } else { &[] }
    }

    fn links_mpi(&self, runtime: &Path) -> Result<bool, String> {
        if memchr::memmem::find(&self.macros, b"#define MPI_VERSION").is_none() {
            return Ok(false);
        }
        // Nothing is kept of a header without its library, which may come yet.
        let known = runtime.join("lib").join(format!("mpi-{:016x}", self.fingerprint(&())));
        if known.exists() {
            return Ok(true);
        }
        let links =
            programs::succeeds(self.on_probe(&[])?.arg("-o").arg(self.probe.path().join("probe.out")));
        if links {
            let unable = |error: std::io::Error| {
                format!("cannot write {}: {error} (set CALL_RUNTIME_DIR)", known.display())
            };
            runtime_directory::make(&runtime.join("lib")).map_err(unable)?;
            write::changed(vec![write::OutputFile { path: known, contents: Vec::new(), executable: false }])?;
        }
        Ok(links)
    }

    /// Whether the header of its MPI declares functions that may be missing when a program is linked, as that of SimGrid does.
    fn has_weak_functions(&self) -> bool {
        memchr::memmem::find(&self.macros, b"#define SMPI_PREDEFINED_POINTER").is_some()
    }

    fn fingerprint(&self, what: &impl Hash) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.compiler, &self.macros, what).hash(&mut hasher);
        hasher.finish()
    }
}
