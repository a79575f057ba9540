//! Every file of `tests/err` gives exactly the messages of its snapshot; every file of `tests/ok` gives the snapshot's outputs, which
//! compile without warnings in several standards, run, and hold the user's bytes unchanged.
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use call_compiler::{Options, Translation, render, translate};

fn corpus(kind: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(kind);
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|ending| ending == "c")).collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

fn include_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../call-runtime/include")
}

/// Translates a file as `call` does, under its bare name.
fn translated(path: &Path) -> (Vec<u8>, String, Result<Translation, Vec<call_grammar::Diagnostic>>) {
    let name = path.file_name().unwrap().to_str().unwrap().to_owned();
    let output = Command::new("cc")
        .current_dir(path.parent().unwrap())
        .args(["-E", "-dD", "-I"])
        .arg(include_folder())
        .arg(&name)
        .output()
        .unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    let source = fs::read(path).unwrap();
    let result = translate(&source, &output.stdout, &Options::for_file(&name));
    (source, name, result)
}

#[test]
fn every_error_is_told_with_place_and_cure() {
    for path in corpus("err") {
        let (source, name, result) = translated(&path);
        let diagnostics = match result {
            Ok(translation) => translation.warnings,
            Err(diagnostics) => diagnostics,
        };
        let messages: Vec<String> =
            diagnostics.iter().map(|diagnostic| render(diagnostic, &source, &name, false)).collect();
        insta::assert_snapshot!(format!("err_{}", name.trim_end_matches(".c")), messages.join("\n"));
    }
}

#[test]
fn outputs_are_the_golden_ones_and_compile() {
    let folder = tempfile();
    for path in corpus("ok") {
        let (source, name, result) = translated(&path);
        let translation = result.unwrap_or_else(|diagnostics| {
            let messages: Vec<String> =
                diagnostics.iter().map(|diagnostic| render(diagnostic, &source, &name, false)).collect();
            panic!("{}", messages.join("\n"))
        });
        let stem = name.trim_end_matches(".c");
        let c = String::from_utf8_lossy(&translation.c).into_owned();
        insta::assert_snapshot!(
            format!("ok_{stem}"),
            format!("{c}\n==== {stem}.call.h\n{}", translation.header)
        );
        fs::write(folder.join(format!("{stem}.call.c")), &translation.c).unwrap();
        fs::write(folder.join(format!("{stem}.call.h")), &translation.header).unwrap();
        for flags in [["-std=c99", "-O0"], ["-std=c17", "-O2"], ["-std=c17", "-DCLL_DISABLE"]] {
            let output = Command::new("cc")
                .current_dir(&folder)
                .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-c", "-o", "out.o", "-I"])
                .arg(include_folder())
                .args(flags)
                .arg(format!("{stem}.call.c"))
                .output()
                .unwrap();
            let messages = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{name} with {flags:?}:\n{messages}");
        }
    }
    fs::remove_dir_all(folder).unwrap();
}

/// The messages of the compiler name the user's file and line.
#[test]
fn compiler_messages_point_at_the_users_lines() {
    let folder = tempfile();
    let source = "int main(void)\n{\n    int N = 3;\n#pragma cll f f[0] + \\\n    f[1]*N\n    N = undeclared;\n#pragma cll end f\n\
        #pragma cll report all\n    return N;\n}\n";
    let path = folder.join("broken.c");
    fs::write(&path, source).unwrap();
    let (_, _, result) = translated(&path);
    let translation = result.unwrap();
    fs::write(folder.join("broken.call.c"), &translation.c).unwrap();
    fs::write(folder.join("broken.call.h"), &translation.header).unwrap();
    let output = Command::new("cc")
        .current_dir(&folder)
        .args(["-c", "broken.call.c", "-I"])
        .arg(include_folder())
        .output()
        .unwrap();
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(
        messages.contains("broken.c:6:9: error: ‘undeclared’") || messages.contains("broken.c:6:9: error: '"),
        "{messages}"
    );
    fs::remove_dir_all(folder).unwrap();
}

fn tempfile() -> PathBuf {
    let unique = format!("call-corpus-{}-{:?}", std::process::id(), std::thread::current().id());
    let folder = std::env::temp_dir().join(unique.replace(['(', ')'], ""));
    fs::create_dir_all(&folder).unwrap();
    folder
}
