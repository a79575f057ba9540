//! The program `call`: exit status, messages, and that an error leaves nothing half-written behind.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test that meets None has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

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

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.0).env("CALL_RUNTIME_DIR", self.0.join("runtime")).env_remove("CC");
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
}

#[test]
fn flags_reach_the_preprocessor() {
    let folder = Folder::new("flags");
    folder.write("x.c", "int main(void)\n{\n#ifdef MEASURE\n#pragma cll f f[0]*SIZE\n#pragma cll end f\n#pragma cll report all\n#endif\n}\n");
    assert!(folder.call(&["x.c", "--", "-DMEASURE", "-DSIZE=3"]).status.success());
    assert!(fs::read_to_string(folder.0.join("x.call.c")).unwrap().contains("(double)(SIZE)"));
    assert!(folder.call(&["x.c"]).status.success());
    assert!(!fs::read_to_string(folder.0.join("x.call.c")).unwrap().contains("cll_begin"));
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
