//! The program `call`: exit status, messages, and that an error leaves nothing half-written behind.
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

pub const GOOD: &str = "int main(void)\n{\n    int N = 3;\n#pragma cll f f[0]*N\n    (void)N;\n#pragma cll end f\n\
    #pragma cll report all\n    return 0;\n}\n";

pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("call-cli-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    pub fn call(&self, arguments: &[&str]) -> Output {
        self.command(env!("CARGO_BIN_EXE_call")).args(arguments).output().unwrap()
    }

    /// With a text on standard input, of which the command may read less than all.
    pub fn call_with_input(&self, arguments: &[&str], text: &str) -> Output {
        let mut command = self.command(env!("CARGO_BIN_EXE_call"));
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        if let Err(error) = child.stdin.take().unwrap().write_all(text.as_bytes()) {
            assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
        }
        child.wait_with_output().unwrap()
    }

    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.0).env("CALL_RUNTIME_DIR", self.0.join("runtime")).env_remove("CC");
        // The tests of call-runtime run it as it is optimised; that takes five times as long to compile.
        command.env("CALL_TEST_LEVEL", "-O0");
        command
    }

    pub fn files(&self) -> Vec<String> {
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

pub fn stderr(output: &Output) -> String {
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
