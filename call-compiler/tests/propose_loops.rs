//! Loops that do nothing but go on.

use call_compiler::{BlockCounts, Quality};

use crate::propose::{blocks, check};

/// A body may be empty in many ways: each iteration tests the condition and goes a step all the same.
#[test]
fn empty_bodies() {
    for body in [
        ";",
        "{ }",
        "{{ } { }}",
        "{ ; ; }",
        "{ int x; static int y = 1; }",
        "here: ;",
        "here: { }",
        "{ here: ; }",
    ] {
        check(&format!("void f(int n) {{ for (int i = 0; i < n; i++) {body} }}"), &["= n"]);
        check(&format!("void f(int n) {{ int i = 0; while (i++ < n) {body} }}"), &["= 1", "= n"]);
        check(&format!("void f(int n) {{ int i = 0; do {body} while (++i < n); }}"), &["= 1", "= n"]);
        check(&format!("void f(int *a, int n) {{ for (int i = 0; i < n && a[i]; i++) {body} }}"), &["< n"]);
        check(&format!("void f(char *s) {{ while (*s++) {body} }}"), &["?"]);
    }
    // What runs in each iteration stands for it.
    for body in ["{ int x = 1; }", "{ asm(\"\"); }", "{ ; n++; }", "{ if (n) { } }"] {
        check(&format!("void f(int n, int m) {{ for (int i = 0; i < m; i++) {body} }}"), &["= m"]);
    }
    // Nothing goes on.
    check("void f(void) { do { } while (0); }", &["= 1"]);
    check(
        "int g(int); void f(int n) { for (int i = 0; i < n; i++) for (int j = 0; j < n; g(j), j++) { } }",
        &["= n*n"],
    );
}

fn function<'b>(all: &'b [BlockCounts], name: &str) -> &'b BlockCounts {
    all.iter().find(|block| block.name == name).unwrap()
}

/// A search without a body is no statement that takes the same time always.
#[test]
fn searches_without_a_body() {
    let source = "long join(const int *a, int m, const int *b, int n) { long hits = 0; for (int i = 0; i < n; i++) { int j; \
        for (j = 0; j < m && a[j] != b[i]; j++) { } hits += j < m; } return hits; }";
    let all = blocks(source);
    let join = function(&all, "join");
    assert_eq!(join.directive(), "#pragma cll join join[0] + join[1]*n + join[2]*m*n");
    let longest =
        join.statements.iter().find(|its| its.times.as_ref().is_some_and(|its| its.to_string() == "m*n"));
    assert_eq!(longest.map(|its| its.quality), Some(Quality::AtMost));
}
