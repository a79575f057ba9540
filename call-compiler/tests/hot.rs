//! `call propose --hot`: the blocks that a run shows to matter.

use std::process::{Command, Output};

const SOURCE: &str = "#include <stdio.h>
#include <stdlib.h>

static void fill(double *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = i % 7;
}

static double square(double x)
{
    return x*x + 1e-9;
}

static double add_up(const double *a, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += square(a[i]);
    return sum;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1;
    double *a = malloc(n*sizeof *a), total = 0;
    fill(a, n);
    for (int round = 0; round < 40000; round++)
        total += add_up(a, n);
    printf(\"%g\\n\", total);
    free(a);
    return 0;
}
";

fn call(folder: &std::path::Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_call")).current_dir(folder).args(words).output().unwrap()
}

#[test]
fn the_loop_that_takes_the_time() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("sums.c"), SOURCE).unwrap();
    for level in ["-O0", "-O2"] {
        compile(folder.path(), &[level, "-g"]);
        let output = call(folder.path(), &["propose", "--hot", "./sums 20000", "sums.c"]);
        let (text, told) = (
            String::from_utf8_lossy(&output.stdout).into_owned(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        );
        assert!(output.status.success(), "{told}");
        // What the program prints is no proposal.
        assert!(!text.contains("e+") && told.contains("e+"), "{text}\n{told}");
        assert!(
            text.contains("#pragma cll add_up_18 add_up_18[0] + add_up_18[1]*n\n"),
            "{level}: {text}\n{told}"
        );
        assert!(!text.contains("fill"), "{level}: {text}");
        assert!(told.contains("of the time in 1 block"), "{level}: {told}");
    }
}

/// The loop alone does not say what `length` is when it begins.
#[test]
fn the_function_that_knows_more_than_its_loop() {
    let folder = tempfile::tempdir().unwrap();
    let search = "{
    int low = 0, high = n, length = high - low;
    while (length > 1) {
        int middle = low + length/2;
        if (a[middle] > 1e9) high = middle; else low = middle;
        length = high - low;
    }
    return low;
}
";
    let (begin, body) = SOURCE.split_once("{\n    double sum").unwrap();
    let (_, end) = body.split_once("}\n").unwrap();
    let source = format!("{begin}{search}{end}").replace("40000", "10000000");
    std::fs::write(folder.path().join("sums.c"), source).unwrap();
    compile(folder.path(), &["-O1", "-g"]);
    let output = call(folder.path(), &["propose", "--hot", "./sums 20000", "sums.c"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("#pragma cll add_up add_up[0] + add_up[1]*log2(n)\n"), "{text}");
    assert!(!text.contains("add_up_"), "{text}");
}

fn compile(folder: &std::path::Path, flags: &[&str]) {
    let compiled =
        Command::new("gcc").current_dir(folder).args(flags).args(["sums.c", "-o", "sums"]).status().unwrap();
    assert!(compiled.success());
}

/// A copy of the sources is not what the program was compiled from.
#[test]
fn samples_in_other_files() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["sums.c", "copy.c"] {
        std::fs::write(folder.path().join(name), SOURCE).unwrap();
    }
    for (flags, wanted) in [
        (&["-O1", "-g"][..], "/sums.c; name the files that it was compiled from"),
        (&["-O1"], "compile the program with -g"),
    ] {
        compile(folder.path(), flags);
        let output = call(folder.path(), &["propose", "--hot", "./sums 20000", "copy.c"]);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && told.contains(wanted), "{told}");
    }
}

/// A signal that the program has a use for itself, and a program that goes on in another one.
#[test]
fn signals_of_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let own = "#include <signal.h>\nstatic volatile int got;\nstatic void take(int n) { got = n; }\n";
    let text = SOURCE
        .replace("    fill(a, n);\n", "    signal(SIGPROF, take);\n    raise(SIGPROF);\n    fill(a, n);\n");
    std::fs::write(
        folder.path().join("sums.c"),
        format!("{own}{}", text.replace("%g\\n\", total", "%g %d\\n\", total, (int)got")),
    )
    .unwrap();
    compile(folder.path(), &["-O1", "-g", "-static"]);
    std::fs::rename(folder.path().join("sums"), folder.path().join("static")).unwrap();
    compile(folder.path(), &["-O1", "-g"]);
    let output = call(folder.path(), &["propose", "--hot", "./sums 20000 && exec ./static 20000", "sums.c"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && told.matches(" 27\n").count() == 2, "{told}");
}

/// Benchmarks fail where their result is not that of the usual size.
#[test]
fn a_program_that_ends_with_a_status_is_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("sums.c"), SOURCE).unwrap();
    compile(folder.path(), &["-O1", "-g"]);
    let output = call(folder.path(), &["propose", "--hot", "./sums 20000; exit 3", "sums.c"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && !output.stdout.is_empty(), "{told}");
    assert!(told.contains("ended with exit status: 3; its time until then is looked at"), "{told}");
}

#[test]
fn what_cannot_be_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("sums.c"), SOURCE).unwrap();
    for (command, message) in [
        ("exit 3", "`exit 3` ended with exit status: 3"),
        ("true", "`true` computed too shortly to tell where its time goes: 0 samples of 4 ms or more;"),
        ("./no-such-program", "`./no-such-program` ended with exit status: 127"),
    ] {
        let output = call(folder.path(), &["propose", "--hot", command, "sums.c"]);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{told}");
        assert!(told.contains(message), "{told}");
    }
}
