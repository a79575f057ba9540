//! `call propose --diff` as a gate: what it says of two versions of a file, and its exit status.

use std::fs;
use std::process::Command;

#[track_caller]
fn check(old: &str, new: &str, status: i32, said: &str) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("old.c"), old).unwrap();
    fs::write(folder.path().join("new.c"), new).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_call"))
        .current_dir(folder.path())
        .args(["propose", "--diff", "old.c", "new.c"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        (output.status.code(), text.lines().next().unwrap_or_default()),
        (Some(status), said),
        "{old}\n{new}"
    );
}

#[test]
fn what_grows_or_is_not_known_any_more() {
    let recursion = |value: &str| format!("int f(int n) {{ if (n < 2) return 1; return {value}; }}");
    let (once, twice) = (recursion("f(n - 1) + 1"), recursion("f(n - 1) + f(n - 2)"));
    check(
        &once,
        &twice,
        3,
        "new.c:1: f was n and is unknown now (line 1: the number of calls grows exponentially)",
    );
    check(&twice, &once, 0, "");
    check(&once, &once, 0, "");
    // What grows faster is worse than what nobody knows.
    let with = |bound: &str| {
        format!("{once}\nvoid g(void); void h(int n) {{ for (int i = 0; i < {bound}; i++) g(); }}")
    };
    let worse = with("n*n").replace(&once, &twice);
    check(
        &with("n"),
        &worse,
        1,
        "new.c:1: f was n and is unknown now (line 1: the number of calls grows exponentially)",
    );
    check(&with("n*n"), &with("n"), 0, "new.c:2: h grows slower: n*n became n");
    // Also in a loop without a body.
    let empty = |bound: &str| {
        format!("int f(int n, int m) {{ int j = 0; for (; j < {bound}; j++) {{ }} return j; }}")
    };
    check(&empty("m"), &empty("m*m"), 1, "new.c:1: f grows faster: m became m*m");
}

#[test]
fn bounds_whose_reason_is_gone() {
    let with = |outer: &str, inner: &str| {
        format!(
            "void g(int *);\nvoid f(int *a, int n)\n{{\nfor (int i = 0; i < n; i++) {{\n{outer}\nfor (int j = 0; j < n; j++) {{\ng(a);\n{inner}\n}}\n}}\n}}"
        )
    };
    let (both, one, none) =
        (with("if (a[i]) break;", "if (a[j]) break;"), with("if (a[i]) break;", ""), with("", ""));
    check(
        &both,
        &one,
        3,
        "new.c:3: f is at most n*n as before, but comes nearer to it: gone is line 8: depends on `a[j]`",
    );
    check(
        &one,
        &none,
        3,
        "new.c:3: f was at most n*n and is n*n always now: gone is line 5: the loop may end at line 5",
    );
    check(&none, &both, 0, "");
    // The same in other lines.
    check(&both, &format!("\n\n{both}"), 0, "");
}

#[test]
fn functions_that_are_not_counted_and_new_in_a_loop() {
    let with = |before: &str, body: &str| {
        format!(
            "int sum, other(int);\nvoid f(int n)\n{{\n{before};\nfor (int i = 0; i < n; i++)\n{body};\n}}"
        )
    };
    let (none, outside, inside) =
        (with("", "sum++"), with("sum = other(n)", "sum++"), with("", "sum += other(n)"));
    let said =
        "new.c:3: f calls `other` in a loop (line 6), which is not counted: whether it grows cannot be told";
    check(&none, &inside, 3, said);
    check(&none, &outside, 0, "");
    check(&inside, &inside, 0, "");
    check(&inside, &none, 0, "");
}

/// A loop that threads shared and one runs alone now.
#[test]
fn loops_that_are_shared_no_more() {
    let with =
        |pragma: &str| format!("int x;\nvoid f(int n)\n{{\n{pragma}\nfor (int i = 0; i < n; i++)\nx++;\n}}");
    let (shared, alone) = (with("#pragma omp parallel for"), with(""));
    check(&shared, &alone, 1, "new.c:3: f grows faster: n/P became n");
    check(&alone, &shared, 0, "new.c:3: f grows slower: n became n/P");
    check(&shared, &shared, 0, "");
}
