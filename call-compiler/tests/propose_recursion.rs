//! What `call propose` counts of functions that call themselves, and of branches.

use super::propose::{blocks, check, counts};

/// Of two branches that a parameter decides between one runs: their numbers are no sum where both conditions would hold.
#[test]
fn branches_that_exclude_each_other_are_no_sum() {
    check("void f(int n) { if (n != 68) g(); }", &["= 1", "< 1"]);
    check("void f(int n, int m) { for (int i = 0; i < m; i++) if (n != 68) g(); }", &["= m", "< m"]);
    let called = "static void h(int k) { for (int i = 0; i < k; i++) g(); } ";
    let of =
        |branches: &str| counts(&format!("void h(int k); void f(int n, int m) {{ {branches} }} {called}"));
    let found = of("if (n > 100) h(n); else h(m);");
    assert_eq!(found, ["= 1", "= 1", "= 1", "h < m + n"]);
    // Outside of its branch a number may be less than nothing, and so their sum is no bound.
    let found = of("if (n > 100) h(n - 100); else h(100 - n);");
    assert_eq!(found, ["= 1", "= 1", "= 1", "h ?"]);
    // What chooses between ways is no size that is meant to be large.
    check("void f(int n) { if (n == 7) g(); else h(); }", &["= 1", "< 1", "< 1"]);
    check("void f(const int *n) { if (n[0] != 'a') g(); }", &["= 1", "< 1"]);
    check("void f(int n) { if (n == 1) g(); else h(); }", &["= 1", "< 1", "= 1"]);
    check("void f(int n) { for (int i = 0; i < n; i++) if (i == 7) g(); }", &["= n", "= 1"]);
    // Both run.
    let found = of("if (n > 100) h(n); h(m);");
    assert_eq!(found, ["= 1", "= 1", "= 1", "h = m + n"]);
}

/// A parameter that has to have one value may choose between ways: where it is not known it may have it, and where a call says it, it is known.
#[test]
fn modes_choose_between_ways() {
    let loops = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) g();";
    check(
        &format!("void f(int n, int mode) {{ if (mode == 0) {loops} else if (mode == 1) g(); else h(); }}"),
        &["= 1", "< n*n", "= 1", "< 1", "= 1"],
    );
    check("void f(int n, int m) { if (n == m) for (int i = 0; i < m; i++) g(); }", &["= 1", "< m"]);
    check("void f(int n, int m) { for (int i = 0; i < n; i++) if (m == 0) g(); }", &["= n", "< n"]);
    let called = format!("void k(int n, int mode) {{ if (mode == 0) {loops} if (mode == 1) g(); }}");
    for (call, expected) in [
        ("k(n, 0);", &["= 1", "k = 1", "k = n*n", "k = 1", "k = 0"][..]),
        ("k(n, 1);", &["= 1", "k = 1", "k = 0", "k = 1", "k = 1"]),
        ("k(n, n);", &["= 1", "k = 1", "k < n*n", "k = 1", "k < 1"]),
    ] {
        let found = counts(&format!("void k(int n, int mode); void f(int n) {{ {call} }} {called}"));
        assert_eq!(found, expected, "{call}");
    }
    // An end of a recursion is none.
    check("void f(int n) { if (n == 0) g(); else { h(); f(n - 1); } }", &["~ n", "< n + 2", "~ n", "~ n"]);
}

/// What a function does for a number that it hands on to itself as another one is no product.
#[test]
fn recursion_with_another_number() {
    let of = |argument: &str| {
        format!(
            "void f(int n, int k) {{ if (n < 1) return; for (int i = 0; i < k; i++) g(); f(n - 1, {argument}); }}"
        )
    };
    assert!(counts(&of("k")).contains(&"~ k*n".to_owned()), "{:?}", counts(&of("k")));
    for argument in ["k + 1", "k / 2", "n"] {
        let found = counts(&of(argument));
        assert!(!found.iter().any(|count| count.contains('k')), "{argument}: {found:?}");
    }
}

#[test]
fn recursion_is_solved_by_its_kind() {
    check(
        "void f(int n) { if (n > 1) { f(n/2); f(n/2); for (int i = 0; i < n; i++) g(); } }",
        &["~ n", "~ n", "~ n", "~ n*log2(n)"],
    );
    check("void f(int n) { if (n > 1) f(n/2); }", &["~ log2(n)", "~ log2(n)"]);
    check(
        "void f(int n) { if (n > 0) { f(n - 1); for (int i = 0; i < n; i++) g(); } }",
        &["~ n", "~ n", "~ n*n"],
    );
    // Data, or another parameter, decide whether there is a call.
    for (body, expected) in [
        ("if (n == 1) return; if (g(n)) f(n - 1, k);", "< n + 2"),
        ("if (n < 1) return; if (g(n)) f(n - 1, k); else f(n - 2, k);", "~ n"),
        ("if (n < 1) return; if (g(n)) return; f(n - 1, k);", "< n + 2"),
        ("if (n > 0 && k > 5) f(n - 1, k);", "< n + 2"),
        ("if (n > 0) f(n / 2, k); if (n > 0 && g(n)) f(n / 2, k);", "< 8*n"),
        ("n > 0 && f(n - 1, k);", "~ n"),
        ("n > 0 && g(n) && f(n - 1, k);", "< n + 2"),
        ("n > 0 ? f(n - 1, k) : 0;", "~ n"),
        ("n > 0 ? g(n) ? f(n - 1, k) : f(n - 2, k) : 0;", "~ n"),
        ("n > 0 && k > 0 ? f(n - 1, k) : 0;", "< n + 2"),
        // Nothing ends that.
        ("k > 0 ? f(n - 1, k) : 0;", "?"),
        // Of unequal parts the larger one tells the most.
        ("if (n > 1) { f(n / 2, k); f(n / 4, k); }", "< 8*n"),
        // It halves down to `k`, not to 0.
        ("if (n > k) f(n / 2, k);", "< log2(n) + 3"),
        // One side may be taken once and no more.
        ("if (n % 2 == 0 && n > 0) f(n / 2, k);", "< log2(n) + 3"),
        ("if (n < 1) return; if (g(n)) return; f(n / 2, k);", "< log2(n) + 3"),
        ("if (n < 1) return; if (x[0] == 0) return; f(n - 1, k);", "< n + 2"),
        ("if (n < 1) return; if (k < 5) return; f(n - 1, k);", "< n + 2"),
        (
            "if (n < 1) return; if (n % 2) return f(n / 2, k) + f(n / 2, k); return f(n / 2, k) + f(n / 2, k + 1);",
            "~ n",
        ),
    ] {
        let found = counts(&format!("int f(int n, int k) {{ h(); {body} }}"));
        assert_eq!(found[0], expected, "{body}: {found:?}");
    }
}

/// Of the parts of a `switch` one runs, for its values alone, and what follows it for those that do not return.
#[test]
fn a_switch_ends_recursion() {
    for (body, expected) in [
        ("switch (n) { case 0: break; default: f(n - 1, k); }", "< n + 2"),
        ("switch (n) { case 0: case 1: return 1; } f(n - 1, k);", "< n + 2"),
        ("switch (n) { case 1: return 1; case 0: return 2; default: return f(n - 2, k); }", "< n + 2"),
        (
            "switch (k) { case 0: if (n > 0) f(n - 1, k); break; case 1: if (n > 0) f(n - 1, 3); break; }",
            "< n + 2",
        ),
        (
            "switch (n % 2) { case 0: if (n > 0) f(n/2, k); break; case 1: if (n > 1) f(n/2, k); break; }",
            "< log2(n) + 3",
        ),
        ("switch (n) { default: f(n - 1, k); break; case 0: case -3: return 1; }", "< n + 4"),
        // It may be passed, none of its parts ends it, one goes on behind it or in the next one, or it is jumped over.
        ("switch (n) { case 0: return 1; } f(n - 2, k);", "?"),
        ("switch (k) { case 0: return 1; } f(n - 1, k);", "?"),
        ("switch (n) { case 0: if (k) break; return 1; } f(n - 1, k);", "?"),
        ("switch (n) { case 0: h(); default: f(n - 1, k); }", "?"),
        ("if (k) goto on; switch (n) { case 0: return 1; } on: f(n - 1, k);", "?"),
        ("switch (n) { case 0: return 1; default: f(n - 1, k); f(n - 2, k); }", "?"),
        ("switch (n) { case 0: return 1; case 1 ... 5: return 2; } f(n - 1, k);", "?"),
    ] {
        let found = counts(&format!("int f(int n, int k) {{ h(); {body} }}"));
        assert_eq!(found[0], expected, "{body}: {found:?}");
    }
}

/// A logarithm of 0 has no value, and that of a number does not grow.
#[test]
fn logarithms_of_numbers_are_no_terms() {
    let of = |number: &str| {
        blocks(&format!(
            "void f(int n) {{ for (int i = 0; i < n; i++) h({number}); }} static void h(int k) {{ while (k > 0) {{ k /= 2; g(); }} }}"
        ))
    };
    assert_eq!(of("1234")[0].directive(), "#pragma cll f f[0] + f[1]*n");
    assert_eq!(of("0")[0].formula(), None);
}

/// What becomes less ends where a condition says so, which need not be at 0.
#[test]
fn recursion_ends_where_its_condition_says() {
    for (body, expected) in [
        ("if (d < n*n) f(d + 1, n, m);", "~ n*n - d"),
        ("if (d == n*m) return; f(d + 1, n, m);", "~ m*n - d"),
        ("if (d < n + m) f(d + 1, n, m);", "~ m + n - d"),
        ("if (d < n/4) f(d + 1, n, m);", "~ floor(n/4) - d"),
        ("if (d*d > n) return; f(d + 1, n, m);", "~ sqrt(n) - d"),
        ("if (d*n > 5000) return; f(d + 1, n, m);", "?"),
        ("if (n > 0 || m > 0) f(d, n/2, m - 1);", "?"),
        ("if (n != 0) f(d, n - 2, m);", "?"),
        ("if (n > 0 && g(n)) f(d, n - 2, m);", "< n + 2"),
    ] {
        let found = counts(&format!("int f(int d, int n, int m) {{ h(); {body} }}"));
        assert_eq!(found[0], expected, "{body}: {found:?}");
    }
    // What the loops inside do between the ends.
    check(
        "void f(int i, int n) { if (i < n) { for (int j = 0; j < i; j++) g(); f(i + 1, n); } }",
        &["~ n - i", "~ (n*n - i*i + i + n)/2", "~ n - i"],
    );
}
