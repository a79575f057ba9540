//! Programs are compiled once, whichever test wants them first.

use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};

use super::flavour::{Flavour, WARNINGS, answers};
use super::folders::{build_directory, root};

pub fn compile(command: &mut Command) {
    let output = command.output().expect("the compiler can be started");
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
}

/// Compiles to a name of its own first: another run of the tests may be executing the file. What was made of the same before, by these
/// tests or others, is taken as it is.
pub(super) fn compile_to(path: &Path, command: &mut Command) {
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
pub(super) fn once(key: String, make: impl FnOnce() -> PathBuf) -> PathBuf {
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
pub(super) fn program(flavour: Flavour, runtime: Flavour, sources: &[PathBuf]) -> PathBuf {
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
