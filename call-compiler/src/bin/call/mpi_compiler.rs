//! The compiler for files that nobody named one for: that of MPI where they need it.

use std::path::{Path, PathBuf};

use crate::compile_commands::{Compile, for_preprocessor};
use crate::{preprocess, programs, runtime_library};

/// The compiler of the environment; `mpicc` where that names none and a file is of MPI.
pub fn of_files(
    files: &[PathBuf],
    flags: &[String],
    include: &Path,
    runtime: &Path,
) -> Result<Vec<String>, String> {
    let compiler = preprocess::compiler_of_environment();
    // The `cc` of some systems is MPI's already.
    let needs_mpi = std::env::var_os("CC").is_none()
        && programs::find("mpicc").is_some()
        && files.iter().any(|file| uses_mpi(file, flags, include))
        && !runtime_library::is_mpi(&compiler, runtime)?;
    Ok(if needs_mpi { vec!["mpicc".to_owned()] } else { compiler })
}

/// Whether MPI's header or names are left when the branches that are not compiled are gone. What cannot be preprocessed is left to the
/// compiler's messages.
fn uses_mpi(file: &Path, flags: &[String], include: &Path) -> bool {
    let compile = Compile {
        file: file.to_owned(),
        directory: PathBuf::new(),
        compiler: vec!["mpicc".to_owned()],
        flags: for_preprocessor(flags, None),
    };
    let has = |text: &[u8], what: &str| memchr::memmem::find(text, what.as_bytes()).is_some();
    compile.source().is_ok_and(|text| has(&text, "mpi.h") || has(&text, "MPI_"))
        && preprocess::preprocess(&compile, include)
            .is_ok_and(|text| has(&text, "mpi.h\"") || has(&text, "MPI_"))
}
