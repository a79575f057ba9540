//! Dependencies point down: the manifests say what ARCHITECTURE.md draws, and so do the includes of the C runtime.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use call_tests::repository;

/// Each crate with the crates of this repository that it may use, lowest first.
const LAYERS: &[(&str, &str, &[&str])] = &[
    ("call-grammar", "grammar", &[]),
    ("call-runtime", "call-runtime", &[]),
    ("call-trace", "crates/trace", &[]),
    ("call-counting", "crates/counting", &[]),
    ("call-fit", "crates/fit", &[]),
    ("call-report", "crates/report", &[]),
    ("call-exchange", "crates/exchange", &["call-grammar", "call-trace"]),
    ("call-model", "crates/model", &["call-fit", "call-grammar", "call-trace"]),
    ("call-check", "crates/check", &["call-model"]),
    ("call-search", "crates/search", &["call-fit", "call-grammar", "call-model", "call-trace"]),
    ("call-machine", "crates/machine", &["call-grammar", "call-model", "call-trace"]),
    ("call-bsp", "crates/bsp", &["call-fit", "call-grammar", "call-machine", "call-model", "call-trace"]),
    ("call-profile", "crates/profile", &["call-bsp", "call-search", "call-trace"]),
    ("call-waiting", "crates/waiting", &["call-fit", "call-trace"]),
    ("call-waitmodel", "crates/waitmodel", &["call-search", "call-waiting"]),
    ("call-otf2", "crates/otf2", &["call-trace"]),
    ("call-compiler", "call-compiler", &["call-counting", "call-grammar", "call-runtime"]),
    (
        "llac",
        "llac",
        &[
            "call-bsp",
            "call-check",
            "call-exchange",
            "call-grammar",
            "call-machine",
            "call-model",
            "call-otf2",
            "call-profile",
            "call-report",
            "call-search",
            "call-trace",
            "call-waiting",
            "call-waitmodel",
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

/// A crate that names its one program of tests is searched for no others.
#[test]
fn every_file_of_tests_is_part_of_the_program() {
    for folder in LAYERS.iter().map(|(_, folder, _)| *folder).chain(["tests"]) {
        let tests = repository().join(folder).join("tests");
        let Ok(program) = std::fs::read_to_string(tests.join("main.rs")) else { continue };
        let modules: BTreeSet<&str> =
            program.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';')).collect();
        for entry in std::fs::read_dir(&tests).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if let Some(module) = name.strip_suffix(".rs").filter(|module| *module != "main") {
                assert!(modules.contains(module), "{folder}/tests/main.rs: `mod {module};` is missing");
            }
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
    &["events"],
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

/// Crates of which no two files use each other, but for a module and those inside it.
const WITHOUT_CIRCLES: &[&str] = &[
    "call-compiler",
    "crates/bsp",
    "crates/counting",
    "crates/exchange",
    "crates/fit",
    "crates/machine",
    "crates/model",
    "crates/otf2",
    "crates/profile",
    "crates/report",
    "crates/search",
    "crates/trace",
    "crates/waiting",
    "crates/waitmodel",
    "grammar",
    "llac",
];

/// Text of a module by its path in the crate, such as `obsp::task`; the crate itself is the empty path.
type Modules = BTreeMap<String, String>;

fn modules(folder: &Path) -> Modules {
    let mut found = Modules::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for path in std::fs::read_dir(&next).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let relative = path.strip_prefix(folder).unwrap().with_extension("");
                let names: Vec<&str> = relative.iter().map(|name| name.to_str().unwrap()).collect();
                let is_own = |name: &&&str| !["lib", "main", "mod"].contains(*name);
                let module = names.iter().filter(is_own).copied().collect::<Vec<_>>().join("::");
                let text = std::fs::read_to_string(&path).unwrap();
                *found.entry(module).or_default() += &text;
            }
        }
    }
    found
}

/// The code of a file, without comments and unit tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap();
    text.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join(" ")
}

/// The paths of a tree such as `a::{b, c::d}`, which may have more text behind it.
fn paths(tree: &str) -> Vec<String> {
    let tree = tree.trim_start();
    let end = tree.find(|c: char| !c.is_alphanumeric() && !"_:".contains(c)).unwrap_or(tree.len());
    let (start, rest) = tree.split_at(end);
    let Some(group) = rest.strip_prefix('{').filter(|_| start.is_empty() || start.ends_with("::")) else {
        return vec![start.trim_end_matches(':').to_owned()];
    };
    let (mut depth, mut from, mut found) = (0, 0, Vec::new());
    for (at, c) in group.char_indices() {
        if depth == 0 && ",}".contains(c) {
            let inner = paths(&group[from..at]).into_iter().filter(|path| !path.is_empty());
            found.extend(inner.map(|path| format!("{start}{path}")));
            from = at + 1;
        }
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            _ => {}
        }
    }
    found
}

/// A path that is written in a module, from the crate on; names that begin with nothing of `crate`, `self` and `super` are of `module`.
fn absolute(module: &str, path: &str) -> String {
    let mut here: Vec<&str> = module.split("::").filter(|name| !name.is_empty()).collect();
    for name in path.split("::") {
        match name {
            "crate" => here.clear(),
            "super" => _ = here.pop(),
            "self" => {}
            name => here.push(name),
        }
    }
    here.join("::")
}

/// The files of a crate that each file uses, but for those inside it and around it. Names that a module passes on (`pub use`) stand for
/// the file they are from.
fn rust_uses(modules: &Modules) -> Includes {
    let mut passed_on: BTreeMap<String, String> = BTreeMap::new();
    for (module, text) in modules {
        let code = code(text);
        let passing = ["pub use ", "pub(crate) use ", "pub(super) use "];
        for tree in passing.iter().flat_map(|start| code.split(start).skip(1)) {
            for path in paths(tree) {
                let name = path.rsplit("::").next().unwrap();
                passed_on.insert(absolute(module, name), absolute(module, &path));
            }
        }
    }
    let file_of = |path: &str| {
        let mut path = path.to_owned();
        for _ in 0..4 {
            path = passed_on.get(&path).unwrap_or(&path).clone();
        }
        while !modules.contains_key(&path) {
            path = path.rsplit_once("::").map_or(String::new(), |(outer, _)| outer.to_owned());
        }
        path
    };
    let is_inside = |inner: &str, outer: &str| {
        outer.is_empty() || format!("{inner}::").starts_with(&format!("{outer}::"))
    };
    let used_by = |module: &String, text: &String| {
        let code = code(text);
        let starts = ["crate::", "super::"].iter().flat_map(|start| code.match_indices(start));
        let is_start = |at: usize| !code[..at].ends_with([':', '$']);
        let trees = starts.filter(|(at, _)| is_start(*at)).map(|(at, _)| &code[at..]);
        let used = trees.flat_map(paths).map(|path| file_of(&absolute(module, &path)));
        used.filter(|other| !is_inside(other, module) && !is_inside(module, other)).collect()
    };
    modules.iter().map(|(module, text)| (module.clone(), used_by(module, text))).collect()
}

#[test]
fn files_of_these_crates_form_no_circle() {
    for folder in WITHOUT_CIRCLES {
        let uses = rust_uses(&modules(&repository().join(folder).join("src")));
        // Each module but the lowest one uses another, and somebody else uses it.
        let least = uses.len().min(10) - 1;
        assert!(uses.values().map(BTreeSet::len).sum::<usize>() > least, "{folder}: the uses are found");
        assert_eq!(
            in_circles(&uses),
            Vec::<String>::new(),
            "{folder}: these, or some of them, use each other"
        );
    }
}

#[test]
fn planted_circles_of_modules_are_found() {
    let module = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let mut modules: Modules = [
        module("", "mod a;\nmod b;\npub use b::{Big, c::Small as Tiny};\n"),
        module("a", "use crate::{Big, other};\n// use crate::b::c;\nfn f() { super::b::c::g() }\n"),
        module("b", "mod c;\nuse c::Small;\n"),
        module("b::c", "use super::Big;\n#[cfg(test)]\nmod tests {\n    use crate::a::f;\n}\n"),
    ]
    .into();
    let uses = rust_uses(&modules);
    assert_eq!(uses["a"], BTreeSet::from(["b".to_owned(), "b::c".to_owned()]));
    assert_eq!(in_circles(&uses), Vec::<String>::new());
    modules.insert("b::c".to_owned(), "use super::{Big, super::a::{f, g}};\n".to_owned());
    assert_eq!(in_circles(&rust_uses(&modules)), ["a", "b::c"]);
}

/// What `make corpus` puts in the place of the runtime takes every call that generated code may make: it would check nothing else.
#[test]
fn the_corpus_checks_every_call() {
    let read = |path: &str| std::fs::read_to_string(repository().join(path)).unwrap();
    let functions = |text: &str| -> BTreeSet<String> {
        let lines = text.lines().filter_map(|line| line.strip_prefix("void ").or(line.strip_prefix("int ")));
        lines
            .filter_map(|line| line.strip_prefix("cll_")?.split_once('('))
            .map(|(name, _)| name.to_owned())
            .collect()
    };
    let declared = functions(&read("call-runtime/include/call.h"));
    assert!(declared.contains("begin") && declared.contains("report"), "{declared:?}");
    assert_eq!(functions(&read("scripts/corpus/checking.c")), declared);
}
