//! What `call propose` counts in loops that were unrolled, that come from Fortran, and whose ends are computed in other ways.

use call_compiler::count;

use super::propose::{blocks, check, counts};

#[track_caller]
fn last(body: &str, expected: &str) {
    let source = format!("void f(int n, int m, unsigned long u, double x) {{ int i, k; {body} }}");
    assert_eq!(counts(&source).pop().unwrap(), expected, "{body}");
}

/// A few iterations before the loop that does several at once.
#[test]
fn remainders_are_counted() {
    check(
        "void f(int n) { int m = n % 5; for (int i = 0; i < m; i++) g(); for (int i = m; i < n; i += 5) h(); }",
        &["= 1", "= n - 5*floor(n/5)", "= floor(n/5)"],
    );
    last("for (i = 0; i < n - n % 4; i += 4) g();", "= floor(n/4)");
    last("for (i = 0; i < n - n % m; i++) g();", "?");
    // As a condition it says nothing of the size.
    last("if (n % 4 == 0) for (i = 0; i < n; i++) g();", "< n");
    last("if (n % 4) for (i = 0; i < n; i++) g();", "< n");
    last("for (i = 0; i < n; i++) if (i % 4 == 0) g();", "< n");
}

#[test]
fn the_sign_of_the_step_chooses_the_end() {
    last("int s = 2; for (i = 1; s < 0 ? i >= n : i <= n; i += s) g();", "= floor((n + 1)/2)");
    last("int s = -1; for (i = n; s < 0 ? i >= 1 : i <= 1; i += s) g();", "= n");
    last("for (i = 1; m < 0 ? i >= n : i <= n; i += m) g();", "~ 1 + n/m - 1/m");
    // Which one counts is not known.
    last("for (i = 1; m ? i <= n : i <= 2*n; i++) g();", "?");
    last("for (i = 1; m == 3 ? i <= n : i <= 2*n; i++) g();", "?");
}

#[test]
fn ends_that_are_computed_otherwise() {
    last("while (n >>= 1) g();", "~ log2(n/2) + 1");
    last("while (n /= 10) g();", "~ log2(n/10) + 1");
    last("while (n >>= m) g();", "?");
    last("for (i = 0; i < 0.5*n; i++) g();", "= floor((n + 1)/2)");
    last("for (i = 0; i <= n/2.0; i++) g();", "= floor(n/2) + 1");
    last("for (i = 0; i < 1e3; i++) g();", "= 1000");
    // These are rounded, or may be anything.
    for end in ["0.1*n", "0.5f*n", "n/3.0", "x*n", "0.5*x"] {
        last(&format!("for (i = 0; i < {end}; i++) g();"), "?");
    }
    last("for (unsigned long j = 1; j <= (u - 1)/2; j++) g();", "= floor((u - 1)/2)");
    let found = blocks("void f(unsigned long n) { for (unsigned long i = 0; i < (n - 8)/4; i++) g(); }");
    let assumed = found[0].statements.last().unwrap().assumptions.clone();
    assert!(assumed.contains(&"n >= 8".to_owned()), "{assumed:?}");
}

/// Rows of a triangle that lie one behind the other.
#[test]
fn starts_that_move_with_an_outer_loop() {
    let packed = |body: &str| format!("int kk = 1; for (int j = 1; j <= n; j++) {{ {body} }}");
    for (body, expected) in [
        ("for (k = kk; k <= kk + j - 1; k++) g(); kk += j;", "= n"),
        ("int e = kk + j - 1; for (k = kk; k <= e; k++) g(); kk = kk + j; h();", "= n"),
    ] {
        last(&packed(body), expected);
    }
    check(
        "void f(int n) { int kk = 1; for (int j = 1; j <= n; j++) { for (int k = kk; k < kk + j; k++) g(); kk += j; } }",
        &["= 1", "= (n*n + n)/2", "= n"],
    );
    // What is added may be another one by then.
    for body in [
        "int j = 0, kk = 0; while (j < n) { j++; kk += j; for (k = 0; k < kk; k++) g(); }",
        "int kk = 0, l = 0; for (int j = 0; j < n; j++) { l += 2; kk += l; for (k = 0; k < kk; k++) g(); }",
        "int kk = 0; for (int j = 0; j < n; kk += j, j++) { for (k = 0; k < kk; k++) g(); }",
        "int kk = 0; for (int j = 0; j < n; j++) { if (x > 1) kk += j; for (k = 0; k < kk; k++) g(); }",
    ] {
        last(body, "?");
    }
}

/// A function may have hundreds of loops under conditions that differ; those that call many such are left open at some point.
#[test]
fn many_loops_are_told_apart() {
    let part = |number: usize| {
        format!(
            "if (w == {number}) for (int i = 0; i < n; i++) if (a[i] > {number}) for (int j = 0; j < i; j++) g();"
        )
    };
    let parts: String = (0..100).map(part).collect();
    let calls: String =
        (0..9).map(|number| format!("for (int i = 0; i < {number}*n; i++) f(i, n, a);")).collect();
    let source = format!(
        "void f(int w, int n, int *a) {{ w = h(w); {parts} }} void caller(int n, int *a) {{ {calls} }}"
    );
    let text = format!("# 1 \"x.c\"\n{source}\n");
    let found = count("x.c", text.as_bytes());
    let of = |name: &str| found.iter().find(|block| block.name == name).unwrap();
    assert!(of("f").unknown.is_empty(), "{:?}", of("f").unknown);
    assert!(of("caller").formula().is_none_or(|formula| formula.contains("n*n*n")));
}
