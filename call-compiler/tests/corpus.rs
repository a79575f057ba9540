//! Every file of `tests/err` gives exactly the messages of its snapshot; every file of `tests/ok` gives the snapshot's outputs, which
//! compile without warnings in several standards, run, and hold the user's bytes unchanged.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use call_compiler::{Outcome, Sources, Translation, TranslationRequest, macro_names, render, translate};

/// Escape sequences of terminals as people can read them.
fn visible(text: &str) -> String {
    text.replace('\u{1b}', "␛")
}

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

fn preprocess(path: &Path, mode: &[&str]) -> Vec<u8> {
    let name = path.file_name().unwrap();
    let output = Command::new("cc")
        .current_dir(path.parent().unwrap())
        .args(mode)
        .arg("-I")
        .arg(include_folder())
        .arg(name)
        .output()
        .unwrap();
    assert!(output.status.success(), "{name:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// A file after `call`, under its bare name.
struct Translated {
    name: String,
    sources: Sources,
    result: Result<Translation, Vec<call_grammar::Diagnostic>>,
}

impl Translated {
    fn of(path: &Path) -> Translated {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let preprocessed = preprocess(path, &["-E"]);
        let source = fs::read(path).unwrap();
        let macros = || macro_names(&preprocess(path, &["-E", "-dM"]));
        let read_header = |header: &str| fs::read(path.with_file_name(header)).ok();
        let request = TranslationRequest {
            macros: &macros,
            read_header: &read_header,
            ..TranslationRequest::new(&name, &source, &preprocessed)
        };
        let Outcome { sources, result } = translate(&request);
        Translated { name, sources, result }
    }

    /// All messages, as people see them.
    fn messages(&self, colour: bool) -> String {
        let diagnostics = match &self.result {
            Ok(translation) => &translation.warnings,
            Err(diagnostics) => diagnostics,
        };
        let messages: Vec<String> =
            diagnostics.iter().map(|diagnostic| render(diagnostic, &self.sources, colour)).collect();
        messages.join("\n")
    }

    fn unwrap(&self) -> &Translation {
        self.result.as_ref().unwrap_or_else(|_| panic!("{}: {}", self.name, self.messages(false)))
    }
}

#[test]
fn every_error_is_told_with_place_and_cure() {
    for path in corpus("err") {
        let translated = Translated::of(&path);
        let name = format!("err_{}", translated.name.trim_end_matches(".c"));
        insta::assert_snapshot!(name.clone(), translated.messages(false));
        insta::assert_snapshot!(format!("{name}_coloured"), visible(&translated.messages(true)));
    }
}

#[test]
fn outputs_are_the_golden_ones_and_compile() {
    let folder = tempfile();
    for path in corpus("ok") {
        let translated = Translated::of(&path);
        let (name, translation) = (&translated.name, translated.unwrap());
        let stem = name.trim_end_matches(".c");
        let c = String::from_utf8_lossy(&translation.c).into_owned();
        insta::assert_snapshot!(
            format!("ok_{stem}"),
            format!(
                "{c}\n==== {stem}.call.h\n{}\n==== messages\n{}",
                translation.header,
                translated.messages(false)
            )
        );
        fs::write(folder.join(format!("{stem}.call.c")), &translation.c).unwrap();
        fs::write(folder.join(format!("{stem}.call.h")), &translation.header).unwrap();
        for copy in &translation.headers {
            fs::write(folder.join(&copy.name), &copy.text).unwrap();
        }
        for flags in [["-std=c99", "-O0"], ["-std=c17", "-O2"], ["-std=c17", "-DCLL_DISABLE"]] {
            let output = Command::new("cc")
                .current_dir(&folder)
                .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fopenmp", "-c", "-o", "out.o", "-I"])
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
    let translated = Translated::of(&path);
    let translation = translated.unwrap();
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
