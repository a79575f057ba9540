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

/// What is the same or less in any case, and what depends on values.
#[test]
fn clamps_differences_and_the_lesser_or_greater_one() {
    let with = |head: &str, begin: &str, end: &str| {
        format!("int x;\nvoid f(int n, int m)\n{{\n{head}\nfor (int i = {begin}; i < {end}; i++)\nx++;\n}}")
    };
    let (plain, clamped, part) =
        (with("", "0", "n"), with("if (n > m) n = m;", "0", "n"), with("", "m", "n"));
    check(&plain, &clamped, 0, "");
    check(&clamped, &plain, 3, "new.c:3: f grows or not as values are: min(m, n) became n");
    check(&plain, &part, 0, "");
    check(&part, &plain, 3, "new.c:3: f grows or not as values are: (n - m) became n");
    check(&part, &with("", "m", "n*n"), 1, "new.c:3: f grows faster: (n - m) became m + n*n");
    let two = with("for (int i = 0; i < m; i++) x--;", "0", "n");
    let greater = with("int l = n > m ? n : m;", "0", "l");
    check(&two, &greater, 0, "");
    check(&greater, &two, 0, "");
    check(&plain, &greater, 1, "new.c:3: f grows faster: n became max(m, n)");
    // Where `n` counts by itself, too, `n - m` is no name.
    let also = |begin: &str| with("for (int i = 0; i < n; i++) x--;", begin, "n");
    check(&also("0"), &also("m"), 0, "");
    check(&plain, &also("m"), 0, "");
    check(
        &plain,
        &with("for (int i = 0; i < n; i++) x--;", "0", "m"),
        1,
        "new.c:3: f grows faster: n became m + n",
    );
    // A loop by itself begins with the value of its variable.
    let by_while = with("int k = 0; while (k < n) k++;", "0", "1");
    check(&by_while, &plain, 0, "");
    check(&plain, &by_while, 0, "");
    // The function is known where its loop by itself is not.
    let by_pointer =
        "int f(int n, int *a)\n{\nint c = 0;\nint *p = a;\nwhile (p != a + n)\nc += *p++;\nreturn c;\n}";
    let by_index =
        "int f(int n, int *a)\n{\nint c = 0;\n\nfor (int i = 0; i < n; i++)\nc += a[i];\nreturn c;\n}";
    check(by_index, by_pointer, 0, "");
    // The same loops in another order.
    let [fast, slow] = ["for (int i = 0; i < n; i++) x++;", "for (int i = 0; i < n*n; i++) x++;"];
    let both = |first: &str, second: &str| format!("int x;\nvoid f(int n) {{\n{first}\n{second}\n}}");
    check(&both(fast, slow), &both(slow, fast), 0, "");
    check(&both(fast, slow), &both(slow, slow), 1, "new.c:3: f_3 grows faster: n became n*n");
}

#[test]
fn other_names() {
    let with = |parameters: &str, end: &str| {
        format!(
            "struct v {{ int n, m, count; }};\nint x;\nvoid f({parameters})\n{{\nfor (int i = 0; i < {end}; i++)\nx++;\n}}"
        )
    };
    let (n, length) = (with("int n, int *a", "n"), with("int length, int *b", "length"));
    check(&n, &length, 0, "");
    check(&length, &n, 0, "");
    check(&n, &with("int length", "length*length"), 1, "new.c:4: f grows faster: n became length*length");
    // That parameter is still there.
    let of_other = with("int n, int length", "length");
    let said = "new.c:4: f cannot be compared: n became length (if length is n, the same)";
    check(&n, &of_other, 3, said);
    let member = |name: &str| with("struct v *v", &format!("v->{name}"));
    let said = "new.c:4: f cannot be compared: v->n became v->count (if v->count is v->n, the same)";
    check(&member("n"), &member("count"), 3, said);
    check(&member("n"), &with("struct v *w", "w->n"), 0, "");
    let said =
        "new.c:4: f cannot be compared: v->n became v->count*v->count (if v->count is v->n, it grows faster)";
    check(&member("n"), &member("count*v->count"), 3, said);
    check(&member("n"), &member("n*v->count"), 1, "new.c:4: f grows faster: v->n became v->count*v->n");
    // Members that are read before: the function is the same, its loop is told in other names.
    let hoisted = "struct v { int n, m, count; };\nint x;\nvoid f(struct v *v)\n{\nint k = v->n;\nfor (int i = 0; i < k; i++)\nx++;\n}";
    check(&member("n"), hoisted, 0, "");
    check(hoisted, &member("n"), 0, "");
}
