//! What `call propose` counts of loops in which each way takes something away, and of what follows them.

use super::propose::{check, counts};

fn of(body: &str) -> String {
    format!("void f(int n, int m, const int *a, const int *b, int *c) {{ int i = 0, j = 0; {body} }}")
}

/// The iterations of such a loop are no more than the ways to its ends together.
#[test]
fn each_way_takes_something_away() {
    for (body, expected) in [
        ("while (i < n && j < m) { if (a[i] < b[j]) i++; else j++; }", "< m + n"),
        ("while (i < n && j < m) { *c++ = a[i] < b[j] ? a[i++] : b[j++]; }", "< m + n"),
        ("while (i < n && j < m) a[i] < b[j] ? i++ : j++;", "< m + n"),
        ("while (!(i >= n || j >= m)) { if (a[i] < b[j]) i++; else { i++; j++; } }", "< n"),
        ("while (i < n && j < m) { if (a[i]) { i++; continue; } if (b[j]) return; j++; }", "< m + n"),
        ("while (n > m) { if (a[n]) n--; else m++; }", "< (n - m)"),
        ("while (n >= m) { if (a[n]) n--; else m += 2; }", "< n - m + 1"),
        // The same on each way is a step.
        ("while (i < n) { if (a[i]) { i++; continue; } h(); i++; }", "= n"),
        ("while (i < n) { if (a[i]) i++; else i += 2; }", "< n"),
        ("while (n > 0) { if (a[n]) { n--; continue; } h(); --n; }", "= n"),
        // One of them stays, goes back, is not seen, or steps by data.
        ("while (i < n && j < m) { if (a[i]) i++; else if (b[j]) j++; }", "?"),
        ("while (i < n && j < m) { if (a[i]) i++; else { j++; i--; } }", "?"),
        ("while (i < n && j < m) { if (a[i]) i++; else j--; }", "?"),
        ("while (i < n && j < m) { if (a[i]) i++; else j += b[j]; }", "?"),
        ("while (i < n && j < m) { if (a[i]) i++; else { j++; h(&i); } }", "?"),
        ("while (i < n && j < m) { if (a[i]) goto on; i++; on: if (b[j]) j++; }", "?"),
        ("while (i < n && j < m) { if (a[i]) i++; else j++; n++; }", "?"),
        ("while (i < n || j < m) { if (a[i]) i++; else j++; }", "?"),
        ("while (i != n && j != m) { if (a[i]) i++; else j++; }", "?"),
        ("while (n != m) { if (a[n]) n--; else m++; }", "?"),
        ("unsigned k = n; while (k > m) { if (a[k]) k -= 2; else m++; }", "?"),
    ] {
        let found = counts(&of(body));
        let at = found.iter().position(|its| !its.starts_with("= 1"));
        let first = at.map(|at| found[at].replace("(n - m)", "n - m"));
        assert_eq!(first.as_deref(), Some(&*expected.replace("(n - m)", "n - m")), "{body}: {found:?}");
    }
}

/// A loop that goes on while one of several variables is before its end runs as often as all of them step, if none passes its end.
#[test]
fn none_of_several_passes_its_end() {
    for (body, expected) in [
        ("while (i < n || j < m) { if (j >= m || (i < n && a[i] <= b[j])) i++; else j++; }", "= m + n"),
        ("while (i < n || j < m) *c++ = i == n || (j < m && a[i] > b[j]) ? b[j++] : a[i++];", "= m + n"),
        ("while (i < n || j < m) { if (i >= n) j++; else if (j >= m || a[i]) i++; else j++; }", "= m + n"),
        ("while (!(i >= n && j >= m)) { if (i < n) { i++; continue; } j++; }", "= m + n"),
        ("while (1) { if (i >= n && j >= m) break; if (i < n) i++; else j++; }", "= m + n + 1"),
        (
            "while (n >= 0 || m > 0) { if (m > 0 && b[m]) m--; else if (n >= 0) n--; else m--; }",
            "= m + n + 1",
        ),
        ("while (i < n || j < m) { if (j >= m || (i < n && g(a[i], b[j]))) i++; else j++; }", "= m + n"),
        // Both may step at once, or something else end it.
        ("while (i < n || j < m) { if (i < n) i++; if (j < m) j++; }", "< m + n"),
        ("while ((i < n || j < m) && a[i]) { if (i < n) i++; else j++; }", "< m + n"),
        ("while (i < n || j < m) { if (a[i]) break; if (i < n) i++; else j++; }", "< m + n"),
        // One of them may pass its end, or stay, or go back, or faster; the condition may move it, or what is called.
        ("while (i < n || j < m) { if (a[i]) i++; else j++; }", "?"),
        ("while (i < n || j < m) { if (i < n && a[i]) i++; else j++; }", "?"),
        ("while (i < n || j < m) { if (i <= n) i++; else j++; }", "?"),
        ("while (i < n || j < m) { if (i < n || a[j]) i++; else j++; }", "?"),
        ("while (i < n || j < m) { if (i < n) i++; else if (a[j]) j++; }", "?"),
        ("while (i < n || j < m) { if (i < n) i++; else { j++; i--; } }", "?"),
        ("while (i < n || j < m) { if (i < n) i += 2; else j++; }", "?"),
        ("while (i < n || j < m) { if (i++ < n) i++; else j++; }", "?"),
        ("while (i < n || j < m) { if (i < n) i++; else j++; h(&i); }", "?"),
        ("while (i < n || a[j]) { if (i < n) i++; else j++; }", "?"),
        ("while (i < n || i < m) { if (i < n) i++; else i++; }", "?"),
        ("do { if (i < n) i++; else j++; } while (i < n || j < m);", "?"),
        ("double x = a[0]; while (i < x || j < m) { if (i < x) i++; else j++; }", "?"),
        ("unsigned k = n; while (i < k || j < m) { if (i < k) i++; else j++; }", "?"),
        ("unsigned k = n; while (i < k || j < m) { if (j < m) j++; else i++; }", "?"),
        ("unsigned char k = 0; while (k < n || j < m) { if (k < n) k++; else j++; }", "?"),
    ] {
        let found = counts(&of(body));
        let at = found.iter().position(|its| !its.starts_with("= 1"));
        assert_eq!(at.map(|at| &*found[at]), Some(expected), "{body}: {found:?}");
    }
}

/// What goes one way only is not on the other side of where it was.
#[test]
fn rests_are_no_more_than_the_whole() {
    let last = |body: &str| counts(&of(body)).pop();
    for (body, expected) in [
        ("while (i < n && j < m) { if (a[i] < b[j]) i++; else j++; } while (j < m) j++;", "< m"),
        ("while (i < n && a[i]) i++; for (; i < n; i++) g();", "< n"),
        ("i = 5; while (i < n && a[i]) i++; for (; i < n; i++) g();", "< n - 5"),
        ("while (n > 0 && a[n]) n--; while (n-- > 0) g();", "< n"),
        ("const int *p = a; while (p < a + n && *p) p++; for (; p < a + n; p++) g();", "< n"),
        ("while (i < n && a[i]) i++; while (i < n && b[i]) i++; for (; i < n; i++) g();", "< n"),
        // It may have gone back meanwhile, or by another name; nobody knows where it began.
        ("while (i < n && a[i]) i++; if (a[0]) i = m; for (; i < n; i++) g();", "?"),
        ("while (i < n && a[i]) i++; h(&i); for (; i < n; i++) g();", "?"),
        ("int *p = &i; while (i < n && a[i]) i++; *p = a[1]; for (; i < n; i++) g();", "?"),
        ("while (i < n && a[i]) { i++; if (b[i]) i--; } for (; i < n; i++) g();", "?"),
        ("while (i < n && a[i]) i += a[i]; for (; i < n; i++) g();", "?"),
        ("while (m > 0) { m--; n += 2; } while (n > 0) n--;", "?"),
        ("while (m > 0) { m--; i++; } while (i < n && j < n) { if (a[i]) i++; else j++; }", "< 2*n"),
        ("while (m > 0) { m--; i--; } while (i < n && j < n) { if (a[i]) i++; else j++; }", "?"),
        ("i = a[m++ % 3]; while (i < n && a[i]) i++; for (; i < n; i++) g();", "?"),
        ("unsigned k = n; while (a[k]) k--; while (k > 0) { g(); k--; }", "?"),
        ("while (i < n && a[i]) i++; for (; i != n; i++) g();", "?"),
        ("for (int k = 0; k < n; k++) { while (i < n && a[i]) i++; i = a[k]; }", "= n"),
        ("while (i < n && a[i]) i++; { int i = h(); for (; i < n; i++) g(); }", "?"),
    ] {
        assert_eq!(last(body).as_deref(), Some(expected), "{body}");
    }
    // A step beyond one leaves out values, nobody knows which.
    let inside = "while (i < n && a[i]) i++; for (; i < n; i += 2) for (int k = 0; k < i; k++) g();";
    assert_eq!(last(inside).as_deref(), Some("?"));
}

/// Halves that are merged: what is done is in proportion to the whole at each depth.
#[test]
fn sorting_by_merging() {
    let merge = "while (i < m && j < n) t[k++] = a[i] <= a[j] ? a[i++] : a[j++]; while (i < m) t[k++] = a[i++]; while (j < n) t[k++] = a[j++];";
    check(
        &format!(
            "void f(int n, int *a, int *t) {{ if (n < 2) return; int m = n/2, i = 0, j = m, k = 0; f(m, a, t); f(n - m, a + m, t); {merge} }}"
        ),
        &[
            "~ n",
            "< 8*n",
            "~ n",
            "~ n",
            "~ n",
            "< n*log2(n) + 3*n",
            "< (n*log2(n) + 3*n)/2",
            "< (n*log2(n) + 11*n)/2",
        ],
    );
    let of_ends = "void merge(int *a, int l, int m, int r) { int i = l, j = m; while (i < m && j < r) { if (a[i] < a[j]) i++; else j++; } } \
        void f(int *a, int l, int r) { if (r - l < 2) return; int m = (l + r)/2; f(a, l, m); f(a, m, r); merge(a, l, m, r); }";
    let found = super::propose::blocks(of_ends);
    let formula = found.iter().find(|block| block.name == "f").unwrap().formula().unwrap();
    assert!(formula.ends_with("f[1]*(r - l) + f[2]*(r - l)*log2(r - l)"), "{formula}");
}
