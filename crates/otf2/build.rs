//! Builds what calls libotf2 where that is installed, and says so by `has_otf2`. With an empty `OTF2_CONFIG` it is left out.
#![allow(clippy::print_stdout, reason = "so cargo is spoken to")]

use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCES: [&str; 4] = ["definitions.c", "events.c", "reading.c", "writing.c"];

/// What Debian calls it, and what it calls itself.
const NAMES: [&str; 2] = ["open-trace-format2", "otf2"];

const HEADERS: &str = "/usr/include";

fn main() {
    println!("cargo:rerun-if-changed=src/shim");
    println!("cargo:rerun-if-env-changed=OTF2_CONFIG");
    println!("cargo:rustc-check-cfg=cfg(has_otf2)");
    if std::env::var_os("OTF2_CONFIG").is_some_and(|value| value.is_empty()) {
        return;
    }
    let compiler = cc::Build::new().cargo_metadata(false).get_compiler();
    let configuration = Configuration::ask();
    let Some(library) = configuration.library(compiler.path()) else {
        // What is installed later is a change there.
        if Path::new(HEADERS).is_dir() {
            println!("cargo:rerun-if-changed={HEADERS}");
        }
        return;
    };
    let mut build = cc::Build::new();
    build.files(SOURCES.map(|name| format!("src/shim/{name}"))).includes(&configuration.include_folders);
    build.std("c11").warnings(true).extra_warnings(true).flag_if_supported("-Wpedantic");
    // An older version of the library lacks some of the functions.
    if let Err(error) = build.try_compile("call_otf2_shim") {
        println!("cargo:warning=libotf2 is there, but of no use, so llac is built without it: {error}");
        return;
    }
    library.link();
    println!("cargo:rustc-cfg=has_otf2");
}

/// What `otf2-config` says where there is one; `OTF2_CONFIG` says where.
#[derive(Default)]
struct Configuration {
    include_folders: Vec<PathBuf>,
    library_folders: Vec<PathBuf>,
}

impl Configuration {
    fn ask() -> Configuration {
        let program = std::env::var("OTF2_CONFIG").unwrap_or_else(|_| "otf2-config".to_owned());
        let said = |question: &str, option: &str| -> Vec<PathBuf> {
            let output = Command::new(&program).arg(question).output();
            let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
            text.unwrap_or_default()
                .split_whitespace()
                .filter_map(|word| word.strip_prefix(option))
                .map(PathBuf::from)
                .collect()
        };
        Configuration { include_folders: said("--cflags", "-I"), library_folders: said("--ldflags", "-L") }
    }

    /// The file that is linked: one that goes into the program before one that has to be there when it runs.
    fn library(&self, compiler: &Path) -> Option<Library> {
        let endings = [("a", true), ("so", false)];
        let files = endings.iter().flat_map(|ending| NAMES.map(|name| (name, ending)));
        files.into_iter().find_map(|(name, (ending, is_static))| {
            let file = format!("lib{name}.{ending}");
            let own = self.library_folders.iter().map(|folder| folder.join(&file));
            let path = own.chain(known_to(compiler, &file)).find(|path| path.is_file())?;
            Some(Library { name, is_static: *is_static, path })
        })
    }
}

/// Where the compiler finds a library, if it does.
fn known_to(compiler: &Path, file: &str) -> Option<PathBuf> {
    let output = Command::new(compiler).arg(format!("-print-file-name={file}")).output().ok()?;
    let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    path.is_absolute().then_some(path)
}

struct Library {
    name: &'static str,
    is_static: bool,
    path: PathBuf,
}

impl Library {
    fn link(&self) {
        let kind = if self.is_static { "static" } else { "dylib" };
        if let Some(folder) = self.path.parent() {
            println!("cargo:rustc-link-search=native={}", folder.display());
        }
        println!("cargo:rustc-link-lib={kind}={}", self.name);
        println!("cargo:rerun-if-changed={}", self.path.display());
    }
}
