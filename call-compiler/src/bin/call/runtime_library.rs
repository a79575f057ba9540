//! The runtime as a static library, made once for each compiler and each set of flags that must agree when objects are linked.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{programs, runtime_directory, write};

/// Flags of the program that the runtime has to be compiled with as well.
fn matters(flag: &str) -> bool {
    flag == "-fopenmp"
        || flag == "-fPIC"
        || flag == "-fpic"
        || flag.starts_with("-m")
        || flag.starts_with("-fsanitize")
}

/// Builds the library, or finds the one that was built before; for MPI if that is said, else if the compiler is one of MPI.
pub fn build(
    compiler: &[String],
    words: &[String],
    mpi: Option<bool>,
    runtime: &Path,
) -> Result<PathBuf, String> {
    let mpi = mpi.map_or_else(|| is_mpi(compiler, runtime), Ok)?;
    let mut flags: Vec<&String> = words.iter().filter(|word| matters(word)).collect();
    flags.sort_unstable();
    flags.dedup();
    let folder = runtime.join("lib");
    let library = folder.join(format!("libcall-{:016x}.a", fingerprint(&(compiler, &flags, mpi), compiler)));
    if library.exists() {
        return Ok(library);
    }
    let failed = |what: &str, detail: &str| {
        format!("cannot {what} the runtime for `{}`: {}", compiler.join(" "), detail.trim_end())
    };
    let unable = |error: std::io::Error| failed("write", &error.to_string());
    runtime_directory::make(&folder).map_err(unable)?;
    let (program, first) = compiler.split_first().ok_or("no compiler is named")?;
    // Beside the library, as it is renamed.
    let temporary = tempfile::tempdir_in(&folder).map_err(unable)?;
    let object = temporary.path().join("runtime.o");
    let compiled = Command::new(program)
        .args(first)
        .args(flags)
        .args(["-O2", "-fPIC", "-c", "-o"])
        .arg(&object)
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

/// Whether a compiler is one of those that come with an MPI library: by its name (`mpicc`, `mpicc.mpich`, `smpicc`, …), or because
/// it links a program of MPI without being told how.
pub fn is_mpi(compiler: &[String], runtime: &Path) -> Result<bool, String> {
    if compiler.iter().any(|word| programs::name(word).contains("mpi")) {
        return Ok(true);
    }
    let folder = runtime.join("lib");
    let known = folder.join(format!("mpi-{:016x}", fingerprint(&compiler, compiler)));
    if let Ok(answer) = fs::read_to_string(&known) {
        return Ok(answer == "yes");
    }
    let unable =
        |error: std::io::Error| format!("cannot write {}: {error} (set CALL_RUNTIME_DIR)", known.display());
    runtime_directory::make(&folder).map_err(unable)?;
    let temporary = tempfile::tempdir_in(&folder).map_err(unable)?;
    let (source, program) = (temporary.path().join("mpi.c"), temporary.path().join("mpi.out"));
    fs::write(&source, "#include <mpi.h>\nint main(void) { return MPI_Init(0, 0); }\n").map_err(unable)?;
    let (first, rest) = compiler.split_first().ok_or("no compiler is named")?;
    let links = programs::succeeds(Command::new(first).args(rest).arg(&source).arg("-o").arg(&program));
    let answer = if links { "yes" } else { "no" };
    write::changed(vec![write::File { path: known, contents: answer.into(), executable: false }])?;
    Ok(links)
}

/// What a name means changes: with an update, another MPI under the same name, or modules that are loaded.
fn fingerprint(what: &impl Hash, compiler: &[String]) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    std::env::var_os("LOADEDMODULES").hash(&mut hasher);
    for word in compiler {
        let file = programs::find(word).and_then(|path| path.canonicalize().ok());
        let known = file.as_ref().and_then(|file| file.metadata().ok());
        (file, known.map(|known| (known.len(), known.modified().ok()))).hash(&mut hasher);
    }
    hasher.finish()
}
