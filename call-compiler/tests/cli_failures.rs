//! What fails is said, and leaves no half file.
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::fs;
use std::path::Path;
use std::process::Output;

use super::cli::{Folder, GOOD, stderr};

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
