//! The runtime as a static library, made once for each compiler and each set of flags that must agree when objects are linked.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::compiler_identity;

/// Flags of the program that the runtime has to be compiled with as well.
fn matters(flag: &str) -> bool {
    flag == "-fopenmp"
        || flag == "-fPIC"
        || flag == "-fpic"
        || flag.starts_with("-m")
        || flag.starts_with("-fsanitize")
}

/// Builds the library, or finds the one that was built before.
pub fn build(compiler: &[String], words: &[String], runtime: &Path) -> Result<PathBuf, String> {
    let mut flags: Vec<&String> = words.iter().filter(|word| matters(word)).collect();
    flags.sort_unstable();
    flags.dedup();
    let mut hasher = DefaultHasher::new();
    let mpi = compiler_identity::is_mpi(compiler);
    (compiler, compiler_identity::identity(compiler), mpi, &flags).hash(&mut hasher);
    let folder = runtime.join("lib");
    let library = folder.join(format!("libcall-{:016x}.a", hasher.finish()));
    if library.exists() {
        return Ok(library);
    }
    let failed = |what: &str, detail: &str| {
        format!("cannot {what} the runtime for `{}`: {}", compiler.join(" "), detail.trim_end())
    };
    let unable = |error: std::io::Error| failed("write", &error.to_string());
    fs::create_dir_all(&folder).map_err(unable)?;
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

/// Whether a compiler is one of those that come with an MPI library: `mpicc`, `mpicc.mpich`, `smpicc`, …
pub fn is_mpi(program: &str) -> bool {
    Path::new(program).file_name().is_some_and(|name| name.to_string_lossy().contains("mpi"))
}
