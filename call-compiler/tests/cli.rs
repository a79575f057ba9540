//! The program `call`: exit status, messages, and that an error leaves nothing half-written behind.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test that meets None has failed")]

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const GOOD: &str = "int main(void)\n{\n    int N = 3;\n#pragma cll f f[0]*N\n    (void)N;\n#pragma cll end f\n\
    #pragma cll report all\n    return 0;\n}\n";

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("call-cli-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    fn call(&self, arguments: &[&str]) -> Output {
        self.command(env!("CARGO_BIN_EXE_call")).args(arguments).output().unwrap()
    }

    /// With a text on standard input, of which the command may read less than all.
    fn call_with_input(&self, arguments: &[&str], text: &str) -> Output {
        let mut command = self.command(env!("CARGO_BIN_EXE_call"));
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        if let Err(error) = child.stdin.take().unwrap().write_all(text.as_bytes()) {
            assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
        }
        child.wait_with_output().unwrap()
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.0).env("CALL_RUNTIME_DIR", self.0.join("runtime")).env_remove("CC");
        // The tests of call-runtime run it as it is optimised; that takes five times as long to compile.
        command.env("CALL_TEST_LEVEL", "-O0");
        command
    }

    fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.retain(|name| name != "runtime");
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_good_program_gives_three_files() {
    let folder = Folder::new("good");
    folder.write("x.c", GOOD);
    let output = folder.call(&["x.c"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(folder.files(), ["x.c", "x.call.c", "x.call.h", "x.call.sh"]);
    assert_eq!(stderr(&output), "call: x.c: experiment f, wrote x.call.{c,h,sh}\n");
    let again = fs::read(folder.0.join("x.call.c")).unwrap();
    folder.call(&["x.c"]);
    assert_eq!(fs::read(folder.0.join("x.call.c")).unwrap(), again, "translating twice gives the same");
}

#[test]
fn outputs_go_where_they_are_wanted() {
    let folder = Folder::new("output");
    folder.write("x.c", &format!("#include \"near.h\"\n{GOOD}"));
    folder.write("near.h", "/* quoted includes are found beside the source */\n");
    fs::create_dir_all(folder.0.join("out")).unwrap();
    let output = folder.call(&["x.c", "--output", "out/y.call.c"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stderr(&output), "call: x.c: experiment f, wrote out/y.call.{c,h,sh}\n");
    assert_eq!(folder.files(), ["near.h", "out", "x.c"]);
    let again = folder.call(&["x.c", "-o", "out/y.call.c"]);
    assert_eq!(stderr(&again), "call: x.c: experiment f, no change in out/y.call.{c,h,sh}\n");
    let include = format!("-I{}", folder.0.join("runtime").display());
    let runtime =
        fs::read_dir(folder.0.join("runtime")).unwrap().next().unwrap().unwrap().path().join("include");
    let compiled = folder
        .command("cc")
        .args(["-c", "-iquote", ".", &include, "-I"])
        .arg(&runtime)
        .args(["out/y.call.c", "-o", "out/y.o"])
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", stderr(&compiled));

    let refused = folder.call(&["x.c", "-o", "x.c"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("x.c is the program to be translated"), "{}", stderr(&refused));
    assert!(fs::read_to_string(folder.0.join("x.c")).unwrap().contains("#pragma cll"));

    let printed = folder.call(&["x.c", "--stdout"]);
    assert!(printed.status.success());
    fs::write(folder.0.join("alone.c"), &printed.stdout).unwrap();
    let compiled = folder
        .command("cc")
        .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-c", "-I"])
        .arg(&runtime)
        .arg("alone.c")
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", stderr(&compiled));
}

#[test]
fn only_what_changed_is_written() {
    let folder = Folder::new("changed");
    folder.write("x.c", GOOD);
    folder.call(&["x.c"]);
    let written = |name: &str| fs::metadata(folder.0.join(name)).unwrap().modified().unwrap();
    let before = (written("x.call.c"), written("x.call.h"), written("x.call.sh"));
    folder.write("x.c", &GOOD.replace("return 0", "return 1"));
    folder.call(&["x.c"]);
    let after = (written("x.call.c"), written("x.call.h"), written("x.call.sh"));
    assert!(after.0 > before.0);
    assert_eq!((after.1, after.2), (before.1, before.2));
}

#[test]
fn checking_writes_nothing() {
    let folder = Folder::new("check");
    folder.write("good.c", GOOD);
    folder.write("warned.c", &GOOD.replace("(void)N", "N++"));
    folder.write("bad.c", &GOOD.replace("end f", "end g"));
    for (arguments, status) in [
        (vec!["--check", "good.c"], 0),
        (vec!["--check", "warned.c"], 0),
        (vec!["--check", "--deny-warnings", "warned.c"], 1),
        (vec!["--check", "--deny-warnings", "good.c", "bad.c"], 2),
        (vec!["--check"], 2),
    ] {
        let output = folder.call(&arguments);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}", stderr(&output));
    }
    assert_eq!(folder.files(), ["bad.c", "good.c", "warned.c"]);
    assert!(stderr(&folder.call(&["--check", "--quiet", "good.c"])).is_empty());
    let coloured = stderr(&folder.call(&["--check", "--color", "always", "bad.c"]));
    assert!(coloured.contains("\u{1b}[") && !stderr(&folder.call(&["--check", "bad.c"])).contains('\u{1b}'));
}

#[test]
fn findings_are_printed_as_json() {
    let folder = Folder::new("json");
    folder.write(
        "x.c",
        "int main(void)\n{\n    int N = 3, k = 0;\n#pragma cll parallel PUB procs = 1:4:2\n#pragma cll f f[0]+f[1]*N*k at end(k) counters cycles\n\
         if (N)\n        return 1;\n    N = k;\n#pragma cll end f\n#pragma cll report all\n    return 0;\n}\n",
    );
    folder.write("bad.c", "int x\n#pragma cll f f[0]*M\n;\n");
    let output = folder.call(&["--emit", "json", "x.c", "bad.c", "missing.c"]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stdout).unwrap();
    let files: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(files.len(), 3, "{text}");
    let first = &files[0];
    assert_eq!(
        (&first["schema_version"], &first["source"], &first["kind"]),
        (&1.into(), &"x.c".into(), &"PUB".into())
    );
    assert_eq!(first["processors"], serde_json::json!([1, 2, 4]));
    assert_eq!(
        first["experiments"],
        serde_json::json!([{
            "name": "f",
            "formula": "f[0] + f[1]*N*k",
            "variables": [{"name": "N", "taken_at": "begin"}, {"name": "k", "taken_at": "end"}],
            "counters": ["cycles"],
            "blocks": [{"file": "x.c", "begin_line": 5, "end_lines": [9], "left_by": [{"word": "return", "line": 7}]}],
        }])
    );
    let codes = |file: &serde_json::Value| -> Vec<String> {
        let messages = file["messages"].as_array().unwrap();
        messages.iter().map(|message| message["code"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(codes(first), ["call::left-block", "call::changed-variable"]);
    assert!(codes(&files[1]).contains(&"call::misplaced".to_owned()), "{text}");
    assert_eq!(files[1]["messages"][0]["line"], 2);
    assert_eq!(codes(&files[2]), ["call::file"]);
    assert_eq!(folder.files(), ["bad.c", "x.c"]);
}

#[test]
fn compile_commands_are_followed() {
    let folder = Folder::new("commands");
    fs::create_dir_all(folder.0.join("src/inc")).unwrap();
    fs::create_dir_all(folder.0.join("build")).unwrap();
    folder.write("src/inc/size.h", "#define SIZE 4\n");
    folder.write("src/a.c", &format!("#include \"size.h\"\n{}", GOOD.replace("f[0]*N", "f[0]*N*SIZE*MORE")));
    folder.write("src/b.c", "int plain(void) { return 1; }\n");
    let directory = folder.0.join("build").display().to_string();
    folder.write(
        "build/compile_commands.json",
        &serde_json::json!([
            {"directory": directory, "file": "../src/a.c", "command": "cc -I../src/inc '-DMORE=(2 + 1)' -MD -MF a.d -c ../src/a.c -o a.o"},
            {"directory": directory, "file": "../src/b.c", "arguments": ["cc", "-c", "../src/b.c", "-o", "b.o"]},
        ])
        .to_string(),
    );
    let output = folder.call(&["-p", "build/compile_commands.json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = fs::read_to_string(folder.0.join("src/a.call.c")).unwrap();
    assert!(text.contains("CLL_DOUBLE_VALUE(MORE)"), "{text}");
    assert!(!folder.0.join("src/b.call.c").exists(), "it has no directives");
    assert!(!folder.0.join("build/a.o").exists() && !folder.0.join("build/a.d").exists());
    let output = folder.call(&["-p", "build/compile_commands.json", "src/c.c"]);
    assert!(stderr(&output).contains("src/c.c is not in build/compile_commands.json"), "{}", stderr(&output));
    folder.write("build/wrong.json", "[{}]");
    let output = folder.call(&["-p", "build/wrong.json"]);
    assert!(
        stderr(&output).contains("build/wrong.json is not a list of compile commands"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn headers_in_other_folders() {
    let folder = Folder::new("headers");
    fs::create_dir_all(folder.0.join("inc/deep")).unwrap();
    fs::create_dir_all(folder.0.join("out")).unwrap();
    folder.write(
        "inc/way.h",
        "#pragma once\n#include \"beside.h\"\n#include \"deep/kernel.h\"\n#include \"beside.h\"\n",
    );
    folder.write(
        "inc/beside.h",
        "#ifndef BESIDE\n#define BESIDE\nstatic int twice(int n) { return 2*n; }\n#endif\n",
    );
    folder.write(
        "inc/deep/kernel.h",
        "#ifndef KERNEL\n#define KERNEL\n#include \"../beside.h\"\nstatic int kernel(int n)\n{\n#pragma cll k k[0]*n\n    return twice(n);\n\
         #pragma cll end k\n}\n#endif\n",
    );
    folder.write(
        "x.c",
        "#include \"inc/way.h\"\n#include \"inc/way.h\"\nint main(void)\n{\n    int n = kernel(3);\n#pragma cll report all\n    return n - 6;\n}\n",
    );
    for (output, program) in [("x.call.c", "x"), ("out/x.call.c", "out/x")] {
        let translated = folder.call(&["x.c", "-o", output]);
        assert!(translated.status.success(), "{}", stderr(&translated));
        let line = format!(
            "cc -Wall -Wextra -Werror $(\"$CALL\" cflags) {output} $(\"$CALL\" libs) -o {program} && ./{program}"
        );
        let built = folder
            .command("sh")
            .args(["-c", &line])
            .env("CALL", env!("CARGO_BIN_EXE_call"))
            .output()
            .unwrap();
        assert!(built.status.success(), "{output}: {}", stderr(&built));
    }
    let trace = fs::read_to_string(folder.0.join("x.call.0.dat")).unwrap();
    assert!(trace.contains("# lines: inc/deep/kernel.h:6-8"), "{trace}");
}

#[test]
fn errors_end_with_status_2_and_write_nothing() {
    let folder = Folder::new("errors");
    for (name, text, message) in [
        (
            "unbalanced.c",
            "int main(void)\n{\n#pragma cll f f[0]\n    return 0;\n}\n",
            "experiment `f` is never ended",
        ),
        (
            "misspelt.c",
            "int main(void)\n{\n#pragma ll f f[0]\n#pragma cll end f\n}\n",
            "did you mean `#pragma cll`?",
        ),
        (
            "formula.c",
            "int main(void)\n{\n#pragma cll f f[0]*f[1]\n#pragma cll end f\n}\n",
            "two constants in one term",
        ),
        (
            "unknown.c",
            "int main(void)\n{\n#pragma cll f f[0]*M\n#pragma cll end f\n}\n",
            "no variable `M` is visible here",
        ),
        ("c.c", "#include \"missing.h\"\n", "missing.h: No such file"),
    ] {
        folder.write(name, text);
        let output = folder.call(&[name]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(stderr(&output).contains(message), "{name}:\n{}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
    assert_eq!(folder.files(), ["c.c", "formula.c", "misspelt.c", "unbalanced.c", "unknown.c"]);
    let output = folder.call(&["nowhere.c"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("cannot read nowhere.c: No such file"), "{}", stderr(&output));
}

#[test]
fn one_bad_file_does_not_stop_the_others() {
    let folder = Folder::new("several");
    folder.write("a.c", "#pragma cll\nint x;\n");
    folder.write("b.c", GOOD);
    assert_eq!(folder.call(&["a.c", "b.c"]).status.code(), Some(2));
    assert!(folder.files().contains(&"b.call.c".to_owned()));
}

#[test]
fn outputs_are_not_translated_again() {
    let folder = Folder::new("outputs");
    folder.write("x.c", GOOD);
    folder.call(&["x.c"]);
    let output = folder.call(&["x.call.c"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("is an output of call"), "{}", stderr(&output));
    // A shell makes such words of `*.c`.
    for words in [&["x.call.c", "x.c"][..], &["propose", "--all", "x.call.c", "x.c"]] {
        let output = folder.call(words);
        assert!(output.status.success() && !stderr(&output).contains("x.call.c"), "{}", stderr(&output));
    }
}

#[test]
fn flags_reach_the_preprocessor() {
    let folder = Folder::new("flags");
    folder.write("x.c", "int main(void)\n{\n#ifdef MEASURE\n#pragma cll f f[0]*SIZE\n#pragma cll end f\n#pragma cll report all\n#endif\n}\n");
    assert!(folder.call(&["x.c", "--", "-DMEASURE", "-DSIZE=3"]).status.success());
    assert!(fs::read_to_string(folder.0.join("x.call.c")).unwrap().contains("CLL_DOUBLE_VALUE(SIZE)"));
    assert!(folder.call(&["x.c"]).status.success());
    assert!(!fs::read_to_string(folder.0.join("x.call.c")).unwrap().contains("CLL_OPEN"));
    let output =
        folder.command(env!("CARGO_BIN_EXE_call")).arg("x.c").env("CC", "no-such-compiler").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("cannot run the C compiler `no-such-compiler`"), "{}", stderr(&output));
}

#[test]
fn the_printed_flags_compile_the_program() {
    let folder = Folder::new("compile");
    folder.write("x.c", GOOD);
    folder.call(&["x.c"]);
    let words = |arguments: &[&str]| {
        let output = folder.call(arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        let text = String::from_utf8(output.stdout).unwrap();
        text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let flags = words(&["cflags", "-O2", "-Wall"]);
    assert!(flags.contains(&"-DCLL_FLAGS=-O2,-Wall".to_owned()), "{flags:?}");
    let compiled = folder
        .command("cc")
        .args(flags)
        .arg("x.call.c")
        .args(words(&["libs"]))
        .args(["-o", "x"])
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", stderr(&compiled));
    let run = folder.command("./x.call.sh").output().unwrap();
    assert!(run.status.success(), "{}", stderr(&run));
    let trace = fs::read_to_string(folder.0.join("x.call.0.dat")).unwrap();
    assert!(trace.contains("# flags: -O2,-Wall\n") && trace.ends_with("# end rows=1\n"), "{trace}");
}

/// Runs a shell line in a mount namespace of its own where `small` is a tiny file system; `None` where that is not allowed.
fn with_small_disk(folder: &Folder, line: &str) -> Option<Output> {
    fs::create_dir_all(folder.0.join("small")).unwrap();
    let script = format!("mount -t tmpfs -o size=8k none small && cp x.c small && {line}");
    let namespace = if folder.command("unshare").args(["-m", "true"]).output().ok()?.status.success() {
        "-m"
    } else {
        "-rm"
    };
    if !folder.command("unshare").args([namespace, "true"]).output().ok()?.status.success() {
        eprintln!("skipped: unshare");
        return None;
    }
    let path = Path::new(env!("CARGO_BIN_EXE_call")).parent().unwrap();
    Some(
        folder
            .command("unshare")
            .args([namespace, "sh", "-c", &script, "sh"])
            .env("CALL", path.join("call"))
            .output()
            .unwrap(),
    )
}

#[test]
fn a_full_disk_leaves_no_half_file() {
    let folder = Folder::new("full");
    folder.write("x.c", GOOD);
    folder.call(&["cflags"]);
    let line =
        "head -c 100000 /dev/zero > small/filler 2>/dev/null; \"$CALL\" small/x.c; echo status $?; ls small";
    if let Some(output) = with_small_disk(&folder, line) {
        assert!(stderr(&output).contains("No space left on device"), "{}", stderr(&output));
        assert_eq!(String::from_utf8_lossy(&output.stdout), "status 2\nfiller\nx.c\n");
    }
}

#[test]
fn a_read_only_folder_is_named() {
    let folder = Folder::new("read-only");
    folder.write("x.c", GOOD);
    folder.call(&["cflags"]);
    let line = "mount -o remount,ro small && { \"$CALL\" small/x.c; echo status $?; ls small; }";
    if let Some(output) = with_small_disk(&folder, line) {
        assert!(
            stderr(&output).contains("cannot write small/x.call.c: Read-only file system"),
            "{}",
            stderr(&output)
        );
        assert_eq!(String::from_utf8_lossy(&output.stdout), "status 2\nx.c\n");
    }
}

#[test]
fn who_comes_first_at_once_compiles_the_runtime_once() {
    let folder = Folder::new("at-once");
    folder.write("x.c", "int main(void)\n{\n#pragma cll f f[0]\n#pragma cll end f\n    return 0;\n}\n");
    // Compiles so slowly that all are there before the first one has done it.
    let script = "#!/bin/sh\ncase \"$*\" in *call-runtime.c*) echo once >> compiled; sleep 1;; esac\nCALL_TEST_OBJECTS= exec cc \"$@\" -O0\n";
    folder.write("slow", script);
    fs::set_permissions(folder.0.join("slow"), fs::Permissions::from_mode(0o755)).unwrap();
    let start = |number: usize| {
        let output = format!("prog{number}");
        let mut command = folder.command(env!("CARGO_BIN_EXE_call"));
        command.args(["cc", "./slow", "x.c", "-o", &output]).spawn().unwrap()
    };
    let started: Vec<_> = (0..4).map(&start).collect();
    for mut child in started {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(fs::read_to_string(folder.0.join("compiled")).unwrap(), "once\n");
    // A lock that cannot be had keeps nobody from compiling.
    let runtime = fs::read_dir(folder.0.join("runtime")).unwrap().next().unwrap().unwrap().path();
    for entry in fs::read_dir(runtime.join("lib")).unwrap() {
        let path = entry.unwrap().path();
        match path.extension().is_some_and(|extension| extension == "lock") {
            true => {
                fs::remove_file(&path).unwrap();
                std::os::unix::fs::symlink("elsewhere", &path).unwrap();
            }
            false => fs::remove_file(&path).unwrap(),
        }
    }
    assert!(start(9).wait().unwrap().success());
    assert!(!runtime.join("lib/elsewhere").exists(), "the link was followed");
}

#[test]
fn call_cc_stands_in_for_the_compiler() {
    let folder = Folder::new("drop-in");
    fs::create_dir_all(folder.0.join("src")).unwrap();
    fs::create_dir_all(folder.0.join("obj")).unwrap();
    folder.write(
        "src/kernel.h",
        "static int kernel(int n)\n{\n#pragma cll k k[0]*n\n    return n + 1;\n#pragma cll end k\n}\n",
    );
    folder.write("src/main.c", "#include \"kernel.h\"\nint helper(int n);\nint main(void)\n{\n    int n = helper(kernel(2));\n#pragma cll report all\n    return n - 6;\n}\n");
    folder.write("src/helper.c", "int helper(int n) { return 2*n; }\n");
    folder.write("src/bad.c", "int main(void)\n{\n#pragma cll end g\n}\n");
    folder.write("src/broken.c", "int main(void) { return nothing; }\n");
    let cc = |words: &str| {
        let words: Vec<&str> = std::iter::once("cc").chain(words.split_whitespace()).collect();
        folder.call(&words)
    };
    for words in [
        "-O2 -Wall -Wextra -Werror -MMD -c src/main.c -o obj/main.o",
        "gcc -O2 -Wall -Wextra -Werror -c src/helper.c -o obj/helper.o",
        "obj/main.o obj/helper.o -o prog",
    ] {
        let output = cc(words);
        assert!(output.status.success(), "{words}: {}", stderr(&output));
    }
    let run = folder.command("./prog").output().unwrap();
    assert!(run.status.success(), "{}", stderr(&run));
    assert!(folder.0.join("main.call.0.dat").exists());
    let dependencies = fs::read_to_string(folder.0.join("obj/main.d")).unwrap();
    let files: Vec<&str> = dependencies.split_whitespace().filter(|word| *word != "\\").collect();
    assert_eq!(files, ["obj/main.o:", "src/main.c", "src/kernel.h"]);
    assert!(!folder.0.join("obj/helper.call.c").exists(), "it has no directives");

    let one_step = cc("-O2 src/main.c src/helper.c -o one_step");
    assert!(one_step.status.success(), "{}", stderr(&one_step));
    assert!(folder.command("./one_step").output().unwrap().status.success());

    assert_eq!(cc("-c src/bad.c -o obj/bad.o").status.code(), Some(2));
    assert!(stderr(&cc("-c src/bad.c -o obj/bad.o")).contains("`end g` without a begin"));
    let broken = cc("-c src/broken.c -o obj/broken.o");
    assert_eq!(broken.status.code(), Some(1));
    assert!(stderr(&broken).contains("src/broken.c:1:25"), "{}", stderr(&broken));
    assert!(String::from_utf8_lossy(&cc("-E src/helper.c").stdout).contains("int helper"));
    assert_eq!(cc("--version").status.code(), Some(0));
}

#[test]
fn call_run_goes_from_source_to_traces() {
    let folder = Folder::new("run");
    folder.write("x.c", &GOOD.replace("int main", "#pragma cll parallel OpenMP procs = 1:2:2\nint main"));
    let output = folder.call(&["run", "x.c", "--repeat", "2", "--flags=-O1 -DEXTRA='(1 + 2)'"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let told = stderr(&output);
    assert!(
        told.contains("call: 4 new traces: x.call.0.dat x.call.1.dat x.call.2.dat x.call.3.dat"),
        "{told}"
    );
    assert!(told.contains("call: next: llac -e 'load x.call.0.dat"), "{told}");
    let trace = fs::read_to_string(folder.0.join("x.call.3.dat")).unwrap();
    assert!(trace.contains("# kind: OpenMP") && trace.contains("-fopenmp"), "{trace}");
    let output = folder.call(&["run", "x.c", "--procs", "1:1"]);
    assert!(stderr(&output).contains("call: 1 new trace: x.call.4.dat"), "{}", stderr(&output));
    for (arguments, message) in [
        (vec!["run", "x.c", "--procs", "4:2"], "it has the form FIRST:LAST:FACTOR"),
        (vec!["run", "x.c", "--flags='"], "a quote is not closed"),
        (vec!["run", "missing.c"], "cannot read missing.c"),
    ] {
        let output = folder.call(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn parameters_of_nested_functions_are_variables_and_their_returns_leave_them_alone() {
    let folder = Folder::new("nested");
    let source = "int main(void)\n{\n    int q = 3;\n#pragma cll out out[0]*q\n    int inner(int x, int (*g)(int))\n    {\n\
        #pragma cll f f[0]*x\n        if (x > 100) return q + g(1);\n#pragma cll end f\n        return q;\n    }\n    inner(2, 0);\n\
        #pragma cll end out\n#pragma cll report all\n}\n";
    folder.write("x.c", source);
    let output = folder.call(&["x.c"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("experiment `f` is left by `return` on line 8"), "{}", stderr(&output));
    assert!(!stderr(&output).contains("experiment `out` is left"), "{}", stderr(&output));
    let text = fs::read_to_string(folder.0.join("x.call.c")).unwrap();
    assert!(
        text.contains("{ CLL_GUARDING(f, CLL_OPEN_GUARDED(f, CLL_VALUES(CLL_INTEGER_VALUE(x))));"),
        "{text}"
    );
}

#[test]
fn programs_come_from_standard_input() {
    let folder = Folder::new("input");
    let printed = folder.call_with_input(&["-"], GOOD);
    assert!(printed.status.success(), "{}", stderr(&printed));
    let text = String::from_utf8(printed.stdout).unwrap();
    assert!(text.contains("CLL_CLOSE(f);") && text.contains("\n#line 1 \"<stdin>\"\n"), "{text}");
    assert!(folder.files().is_empty());

    let wrong = folder.call_with_input(&["--check", "-"], &GOOD.replace("f[0]*N", "f[0]*M"));
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("<stdin>:4:20"), "{}", stderr(&wrong));
    folder.write("x.c", GOOD);
    let two = folder.call_with_input(&["-", "x.c"], GOOD);
    assert!(stderr(&two).contains("is translated alone"), "{}", stderr(&two));
}

#[test]
fn call_cc_translates_standard_input() {
    let folder = Folder::new("cc-input");
    folder.write("size.h", "#define SIZE 3\n");
    let source = format!("#include \"size.h\"\n{}", GOOD.replace("= 3", "= SIZE"));
    let compiled =
        folder.call_with_input(&["cc", "cc", "-Wall", "-Werror", "-x", "c", "-", "-o", "x"], &source);
    assert!(compiled.status.success(), "{}", stderr(&compiled));
    assert!(folder.command("./x").status().unwrap().success());
    assert!(folder.files().contains(&"stdin.call.0.dat".to_owned()), "{:?}", folder.files());

    let object = folder.call_with_input(&["cc", "cc", "-Werror", "-x", "c", "-c", "-"], &source);
    assert_eq!((object.status.success(), stderr(&object)), (true, String::new()));
    assert!(folder.0.join("-.o").exists());
    // Without directives, and questions, go to the compiler with what stands there.
    let plain = folder.call_with_input(&["cc", "cc", "-xc", "-S", "-o", "-", "-"], "int planted;\n");
    assert!(String::from_utf8_lossy(&plain.stdout).contains("planted"), "{}", stderr(&plain));
    let asked = folder.call_with_input(&["cc", "cc", "-E", "-xc", "-"], "int planted;\n");
    assert!(String::from_utf8_lossy(&asked.stdout).contains("planted"), "{}", stderr(&asked));
}
