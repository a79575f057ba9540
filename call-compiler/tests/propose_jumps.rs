//! What `call propose` counts where jumps lead elsewhere.

use super::propose::{check, counts};

#[test]
fn what_jumps_hand_over_is_reckoned_with() {
    let of =
        |body: &str| format!("void f(int n, int k, int x) {{ {body} for (int i = 0; i < n; i++) g(); }}");
    let last = |body: &str| counts(&of(body)).pop().unwrap();
    // `n` is 5 behind a jump, or what it was.
    assert_eq!(last("switch (k) { case 1: n = 5; break; default: h(); }"), "?");
    assert_eq!(last("int old = n; switch (k) { case 1: n = 5; break; case 2: n = old; }"), "?");
    assert_eq!(last("do { if (x) { n = 5; break; } h(); } while (0);"), "?");
    assert_eq!(last("if (x) { n = 5; goto out; } h(); out: ;"), "?");
    assert_eq!(last("switch (k) { case 1: h(); }"), "= n");
    // Each label of a `switch` is reached without the statements before it.
    let cases =
        "void f(int n, int k) { switch (k) { case 1: n = 5; case 2: for (int i = 0; i < n; i++) g(); } }";
    assert_eq!(counts(cases).pop().unwrap(), "?");
    // A label stands where the condition of the jump says nothing any more.
    let label = "void f(int n, int x) { if (x > 3) goto out; h(); out: for (int i = 0; i < n; i++) g(); }";
    assert_eq!(counts(label), ["= 1", "= 1", "< 1", "< n"]);
    check(
        "void f(int n) { int z = ({ if (n < 3) return; 4; }); g(); }",
        &["= 1", "= 1", "= 0", "= 1", "< 1"],
    );
}

/// Where one may come into a branch by another way, its condition says nothing of what is in it.
#[test]
fn what_is_entered_in_its_middle_is_a_bound() {
    for (body, expected) in [
        ("if (n > 5) goto in; if (n < 3) { g(); in: h(); }", "< 1"),
        ("if (n > 5) goto in; if (0) { in: h(); }", "< 1"),
        ("if (n > 5) { g(); goto in; } else { in: h(); }", "< 1"),
        ("switch (k) { case 1: if (n > 3) { g(); case 2: h(); } }", "< 1"),
        ("for (int i = 0; i < n; i++) { if (i > k) goto in; if (i == 3) { in: h(); } }", "< n"),
        ("if (n > 5) { if (k > 5) goto on; g(); on: h(); }", "< 1"),
        ("for (int i = 0; i < n; i++) { switch (k) { case 1: g(); { case 2: h(); } } }", "< n"),
        // How often a loop goes on that is entered in its middle nobody knows.
        ("if (n > 5) goto in; for (int i = 0; i < n; i++) { in: h(); }", "?"),
        ("switch (k) { case 1: for (int i = 0; i < n; i++) { g(); case 2: h(); } }", "?"),
    ] {
        let found = counts(&format!("void f(int n, int k) {{ {body} }}"));
        assert_eq!(found.last().map(String::as_str), Some(expected), "{body}: {found:?}");
        assert_eq!(found[0] == "?", expected == "?", "{body}: {found:?}");
    }
}

/// A step that a jump passes over is one of some iterations only.
#[test]
fn steps_behind_jumps_may_be_left_out() {
    for (loops, expected) in [
        ("for (int i = 0; i < n; i++) { g(); if (a[i]) continue; i++; }", "< n"),
        ("for (int i = 0; i < n; i++) { g(); if (a[i]) goto next; i++; next: ; }", "< n"),
        ("for (int i = 0; i < n; i++) { g(); switch (a[i]) { case 1: continue; } i++; }", "< n"),
        ("for (int i = 0; i < n; i++) { g(); if (n < m) continue; i++; }", "< n"),
        ("int i = 0; while (i < n) { g(); i++; if (a[i]) continue; i++; }", "< n"),
        ("int i = 0; do { g(); i++; if (a[i]) continue; i++; } while (i < n);", "< n"),
        ("for (int *p = a; p < a + n; p++) { g(); if (*p) continue; p++; }", "< n"),
        ("int i = 0; while (i < n) { g(); if (a[i]) goto next; i++; next: ; }", "?"),
        // An end that a faster one goes past, and one below which there is nothing.
        ("for (int i = 0; i != n; i++) { g(); if (a[i]) continue; i++; }", "?"),
        ("for (unsigned i = n; i > 0; i--) { g(); if (a[i]) i--; }", "?"),
        // What a jump out of the loop passes over no iteration leaves out.
        ("int i = 0; while (i < n) { g(); if (a[i]) goto out; i++; } out: ;", "< n"),
        ("for (int i = 0; i < n; i++) { g(); i++; if (a[i]) continue; h(); }", "= floor((n + 1)/2)"),
    ] {
        let found = counts(&format!("void f(int n, int m, int *a) {{ {loops} }}"));
        let at = usize::from(loops.starts_with("int i"));
        assert_eq!(found[at], expected, "{loops}: {found:?}");
    }
    // The values between its ends are none of those that it has.
    let faster = "void f(int n, int *a) { for (int i = 0; i < n; i += 2) { for (int j = 0; j < i; j++) g(); if (a[i]) i++; } }";
    assert_eq!(counts(faster)[0], "?");
}

/// A loop that breaks off where its variable has come far enough has no more iterations than that.
#[test]
fn breaks_are_ends_of_loops() {
    for (body, expected) in [
        ("if (j > 3) break; g();", "< 5*n"),
        ("if (j > 3) { h(); break; } g();", "< 5*n"),
        ("if (j > 3) return; g();", "< 5*n"),
        ("g(); if (j >= m) break;", "< n*min(n - 1, m) + n"),
        // Not in each iteration, with another value, or without an end.
        ("if (a[j]) continue; if (j > 3) break; g();", "< n*n"),
        ("if (j > 3) { if (a[j]) continue; break; } g();", "< n*n"),
        ("if (a[j]) if (j > 3) break; g();", "< n*n"),
        ("if (j > 3 && a[j]) break; g();", "< n*n"),
        ("if (j < 3) break; g();", "< n*n"),
        ("int m = a[j]; if (j > m) break; g();", "< n*n"),
        ("if (j > m) break; m++; g();", "< n*n"),
        ("while (m) { if (j > 3) break; m--; } g();", "= n*n"),
    ] {
        let found = counts(&format!(
            "void f(int n, int m, int *a) {{ for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {{ {body} }} }}"
        ));
        assert!(found.contains(&expected.to_owned()), "{body}: {found:?}");
        assert!(
            expected.ends_with("n*n") || !found.iter().any(|its| its.ends_with("n*n")),
            "{body}: {found:?}"
        );
    }
    let down = "void f(int n, int m) { for (int i = n; i > 0; i--) { if (i < m) break; g(); } }";
    assert!(counts(down).iter().all(|its| its != "< n"), "{:?}", counts(down));
}

/// What follows a `setjmp` may run again for each `longjmp`, also of a function that is called.
#[test]
fn what_jumps_come_back_to_is_unknown() {
    for begin in ["setjmp(again);", "if (sigsetjmp(again, 1)) g();", "while (__builtin_setjmp(again)) g();"] {
        let found = counts(&format!(
            "void f(int n) {{ {begin} for (int i = 0; i < n; i++) g(); if (h()) longjmp(again, 1); }}"
        ));
        assert!(found.iter().all(|count| count == "?"), "{begin} {found:?}");
    }
    check("void f(int n) { for (int i = 0; i < n; i++) g(); longjmp(again, 1); }", &["= n", "= 1"]);
}
