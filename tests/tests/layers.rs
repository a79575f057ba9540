//! Dependencies point down: the manifests say what ARCHITECTURE.md draws, and so do the includes of the C runtime.
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

use std::collections::{BTreeMap, BTreeSet};

use call_tests::repository;

/// Each crate with the crates of this repository that it may use, lowest first.
const LAYERS: &[(&str, &str, &[&str])] = &[
    ("call-grammar", "grammar", &[]),
    ("call-runtime", "call-runtime", &[]),
    ("call-trace", "crates/trace", &[]),
    ("call-fit", "crates/fit", &[]),
    ("call-report", "crates/report", &[]),
    ("call-exchange", "crates/exchange", &["call-grammar", "call-trace"]),
    ("call-model", "crates/model", &["call-fit", "call-grammar", "call-trace"]),
    ("call-search", "crates/search", &["call-fit", "call-grammar", "call-model"]),
    ("call-machine", "crates/machine", &["call-grammar", "call-model", "call-trace"]),
    ("call-bsp", "crates/bsp", &["call-fit", "call-grammar", "call-machine", "call-model", "call-trace"]),
    ("call-compiler", "call-compiler", &["call-grammar", "call-runtime"]),
    (
        "llac",
        "llac",
        &[
            "call-bsp",
            "call-exchange",
            "call-grammar",
            "call-machine",
            "call-model",
            "call-report",
            "call-search",
            "call-trace",
        ],
    ),
];

#[test]
fn dependencies_point_down() {
    for (name, folder, allowed) in LAYERS {
        let manifest = std::fs::read_to_string(repository().join(folder).join("Cargo.toml")).unwrap();
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{folder}");
        let section = manifest.split("[dependencies]").nth(1).unwrap().split("\n[").next().unwrap();
        let ours: BTreeSet<&str> = section
            .lines()
            .filter_map(|line| line.split(['.', ' ', '=']).next())
            .filter(|dependency| dependency.starts_with("call-") || *dependency == "llac")
            .collect();
        assert_eq!(ours, allowed.iter().copied().collect(), "{name}: is the change worth a new arrow?");
    }
}

#[test]
fn every_crate_can_be_published() {
    let workspace = std::fs::read_to_string(repository().join("Cargo.toml")).unwrap();
    let version = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
    for (name, folder, _) in LAYERS {
        let dependency = format!("\n{name} = {{ path = \"{folder}\", {version} }}");
        assert!(
            workspace.contains(&dependency),
            "{name}: path and version belong into [workspace.dependencies]"
        );
        let manifest = std::fs::read_to_string(repository().join(folder).join("Cargo.toml")).unwrap();
        for key in ["description = ", "categories = ", "keywords.", "license.", "readme.", "rust-version."] {
            assert!(manifest.contains(&format!("\n{key}")), "{folder}: {key}");
        }
        for license in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let ours = std::fs::read(repository().join(license)).unwrap();
            assert_eq!(std::fs::read(repository().join(folder).join(license)).unwrap(), ours, "{folder}");
        }
    }
}

#[test]
fn every_crate_has_its_place() {
    let manifest = std::fs::read_to_string(repository().join("Cargo.toml")).unwrap();
    let members = manifest.split("members = [").nth(1).unwrap().split(']').next().unwrap();
    let members: BTreeSet<&str> = members.split('"').skip(1).step_by(2).collect();
    let mut drawn: BTreeSet<&str> = LAYERS.iter().map(|(_, folder, _)| *folder).collect();
    drawn.insert("tests");
    assert_eq!(members, drawn);
}

/// The folders of the C runtime, lowest first; those of one row know nothing of each other. ARCHITECTURE.md has the same line.
const RUNTIME_LAYERS: &[&[&str]] = &[
    &["base"],
    &["program"],
    &["counters"],
    &["recording"],
    &["saving"],
    &["measuring"],
    &["bsp"],
    &["reporting"],
    &["pub", "bsplib"],
    &["kinds"],
];

/// A header and the file of the same name are one; `FOLDER/NAME`, relative to the sources of the runtime.
type Includes = BTreeMap<String, BTreeSet<String>>;

fn without_extension(path: &str) -> String {
    path.rsplit_once('.').unwrap().0.to_owned()
}

/// The files are `FOLDER/NAME.c` and `.h` with their text; what they include from outside the folders is left out.
fn includes(files: &[(String, String)]) -> Includes {
    let mut found = Includes::new();
    for (path, text) in files {
        let folder = path.split('/').next().unwrap();
        let used = found.entry(without_extension(path)).or_default();
        for line in text.lines().filter_map(|line| line.trim_start().strip_prefix("#include \"")) {
            let target = line.split('"').next().unwrap();
            match target.strip_prefix("../") {
                Some(outside) if outside.starts_with("../") => {}
                Some(other) => _ = used.insert(without_extension(other)),
                None => _ = used.insert(without_extension(&format!("{folder}/{target}"))),
            }
        }
        used.remove(&without_extension(path));
    }
    found
}

fn layer_of(file: &str) -> usize {
    let folder = file.split('/').next().unwrap();
    let layer = RUNTIME_LAYERS.iter().position(|row| row.contains(&folder));
    layer.unwrap_or_else(|| panic!("the folder of {file} has no layer"))
}

/// Each include of another folder that is not in a lower layer.
fn upward(includes: &Includes) -> Vec<String> {
    let mut found = Vec::new();
    for (user, used) in includes {
        for other in used.iter().filter(|other| other.split('/').next() != user.split('/').next()) {
            if layer_of(other) >= layer_of(user) {
                found.push(format!("{user} uses {other}"));
            }
        }
    }
    found
}

/// The files that are left when those are taken away, again and again, which use nothing or are used by nothing that is left.
fn in_circles(includes: &Includes) -> Vec<String> {
    let mut left = includes.clone();
    loop {
        let before = left.len();
        let files: BTreeSet<String> = left.keys().cloned().collect();
        left.retain(|_, used| used.iter().any(|other| files.contains(other)));
        let used: BTreeSet<String> = left.values().flatten().cloned().collect();
        left.retain(|file, _| used.contains(file));
        if left.len() == before {
            return left.into_keys().collect();
        }
    }
}

fn runtime_files() -> Vec<(String, String)> {
    let sources = repository().join("call-runtime/src");
    let mut files = Vec::new();
    for folder in
        std::fs::read_dir(&sources).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
    {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.strip_prefix(&sources).unwrap().to_string_lossy().replace('\\', "/");
            files.push((name, std::fs::read_to_string(&path).unwrap()));
        }
    }
    files
}

#[test]
fn folders_of_the_runtime_use_lower_ones_only() {
    let includes = includes(&runtime_files());
    assert!(includes.values().map(BTreeSet::len).sum::<usize>() > 100, "the includes are found");
    assert_eq!(upward(&includes), Vec::<String>::new(), "move the function down, or what uses it up");
}

#[test]
fn files_of_the_runtime_form_no_circle() {
    assert_eq!(
        in_circles(&includes(&runtime_files())),
        Vec::<String>::new(),
        "these, or some of them, use each other"
    );
}

#[test]
fn every_folder_of_the_runtime_has_its_layer() {
    let on_disk: BTreeSet<String> =
        runtime_files().iter().map(|(path, _)| path.split('/').next().unwrap().to_owned()).collect();
    let drawn: BTreeSet<String> =
        RUNTIME_LAYERS.iter().flat_map(|row| row.iter().map(|name| (*name).to_owned())).collect();
    assert_eq!(on_disk, drawn);
    let rows: Vec<String> = RUNTIME_LAYERS.iter().map(|row| row.join(" and ")).collect();
    let line = rows.join(" < ");
    let architecture = std::fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    assert!(architecture.contains(&line), "ARCHITECTURE.md does not say: {line}");
}

#[test]
fn planted_circles_and_upward_includes_are_found() {
    let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let mut files = vec![
        file("base/fail.h", "#include <stdio.h>\n"),
        file("base/fail.c", "#include \"fail.h\"\n#include \"../../include/call.h\"\n"),
        file("bsp/machine.h", "#include \"../base/fail.h\"\n"),
        file("bsp/machine.c", "#include \"machine.h\"\n#include \"memory.h\"\n"),
        file("bsp/memory.h", ""),
        file("bsp/mpi.c", "#include \"memory.h\"\n"),
    ];
    assert_eq!((upward(&includes(&files)), in_circles(&includes(&files))), (Vec::new(), Vec::new()));
    files.push(file("bsp/memory.c", "#include \"machine.h\"\n"));
    assert_eq!(in_circles(&includes(&files)), ["bsp/machine", "bsp/memory"]);
    files.push(file("base/clock.c", "#ifdef A\n  #include \"../bsp/memory.h\"\n#endif\n"));
    files.push(file("pub/pub.c", "#include \"../bsplib/bsplib.h\"\n"));
    assert_eq!(upward(&includes(&files)), ["base/clock uses bsp/memory", "pub/pub uses bsplib/bsplib"]);
}
