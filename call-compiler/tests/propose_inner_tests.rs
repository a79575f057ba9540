//! What `call propose` counts of loops that are ended by a test in their body.

use super::propose::counts;

fn of(body: &str) -> String {
    format!("void f(int n, int m, int *a) {{ {body} }}")
}

/// What is before the test runs once more than what is behind it, and what it leaves by runs once.
#[test]
fn loops_end_where_their_body_says() {
    for (body, expected) in [
        ("while (1) { if (i >= n) break; g(); i++; }", &["= n + 1", "= 1", "= n", "= n"][..]),
        ("for (;;) { if (i >= n) { h(); break; } g(); i++; }", &["= n + 1", "= 1", "= 1", "= n", "= n"]),
        ("for (; ; i++) { if (i == n) return; g(); }", &["= n + 1", "= 1", "= n"]),
        ("do { if (!(i < n)) break; g(); i++; } while (1);", &["= n + 1", "= 1", "= n", "= n"]),
        ("for (;;) { g(); if (++i >= n) break; }", &["= n", "= n", "= 1"]),
        ("for (;;) { g(); h(); if (i++ == n) break; }", &["= n + 1", "= n + 1", "= n + 1", "= 1"]),
        (
            "for (;;) { g(); if (i >= n) break; h(); i += 2; }",
            &[
                "= floor((n + 1)/2) + 1",
                "= floor((n + 1)/2) + 1",
                "= 1",
                "= floor((n + 1)/2)",
                "= floor((n + 1)/2)",
            ],
        ),
        ("while (1) { if (i < n) g(); else break; i++; }", &["= n + 1", "= n", "= 1", "= n"]),
        ("while (1) { if (n <= 0) break; g(); n--; }", &["= n + 1", "= 1", "= n", "= n"]),
        ("while (1) { if (n <= 1) break; n /= 2; }", &["~ log2(n/2) + 2", "= 1", "~ log2(n/2) + 1"]),
        (
            "while (1) { if (i >= n) break; i++; if (a[i]) continue; g(); }",
            &["= n + 1", "= 1", "= n", "= n", "< n", "< n"],
        ),
        // Other ends.
        ("while (1) { if (i >= n || a[i]) break; i++; }", &["< n + 1", "= 1", "< n"]),
        ("while (1) { if (i >= n) break; if (a[i]) return; i++; }", &["< n + 1", "< 1", "< n", "< n", "< n"]),
        ("while (a[m]) { m = a[m]; if (++i > n) break; }", &["< n + 1", "< n + 1", "< 1"]),
        // Several in one another.
        (
            "while (1) { if (i == n) break; int k = 0; while (1) { if (k == i) break; k++; } i++; }",
            &["= n + 1", "= 1", "= n", "= (n*n + n)/2", "= n", "= (n*n - n)/2", "= n"],
        ),
    ] {
        let source = of(&format!("int i = 0; {body}"));
        assert_eq!(counts(&source)[1..], *expected, "{body}");
    }
}

/// What such a loop leaves behind is known.
#[test]
fn values_behind_inner_tests() {
    let last = |body: &str| counts(&of(&format!("int i = 0; {body} for (int k = 0; k < i; k++) g();"))).pop();
    for (body, expected) in [
        ("while (1) { if (i >= n) break; i++; }", "= n"),
        ("while (1) { if (i >= n) { i = 3; break; } i++; }", "= 3"),
        ("while (1) { if (i >= n) { m = 3; break; } if (a[i]) break; i++; }", "?"),
        ("while (a[m]) { m = a[m]; if (++i > n) break; }", "?"),
    ] {
        assert_eq!(last(body).as_deref(), Some(expected), "{body}");
    }
    let declared = "while (1) { int k = 2*i; if (i >= n) break; for (int j = 0; j < k; j++) g(); i++; }";
    assert!(counts(&of(&format!("int i = 0; {declared}"))).contains(&"?".to_owned()));
}

/// Where the step may be passed over, the end moves along, data step, or the test is not come by, nothing is said.
#[test]
fn tests_that_bound_nothing() {
    for body in [
        "while (1) { if (i >= n) break; if (a[i]) continue; i++; }",
        "while (1) { if (a[i]) continue; if (i >= n) break; i++; }",
        "while (1) { if (i >= n) break; n++; i++; }",
        "while (1) { if (i >= n) break; i += a[i]; }",
        "while (1) { if (i < n) break; i++; }",
        "while (1) { if (i >= n && a[i]) break; i++; }",
        "while (1) { if (a[i]) if (i >= n) break; i++; }",
        "while (1) { if (i >= n) { if (a[i]) break; } i++; }",
        "while (1) { if (i >= n) { if (a[i]) continue; break; } i++; }",
        "while (1) { if (a[i]) goto on; if (i >= n) break; on: i++; }",
        "while (1) { if (m) goto in; if (i >= n) { in: break; } i++; }",
        "int *p = &i; while (1) { if (i >= n) break; i++; *p = a[0]; }",
        "while (1) { if (i >= n) break; i++; h(&i); }",
        "while (1) { switch (n) { case 1: if (i >= n) break; } i++; }",
    ] {
        let found = counts(&of(&format!("int i = 0; {body}")));
        assert!(found.iter().any(|its| its == "?"), "{body}: {found:?}");
    }
}
