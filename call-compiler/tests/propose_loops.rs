//! Loops that do nothing but go on.

use call_compiler::{BlockCounts, Quality};

use crate::propose::{blocks, check};

/// A body may be empty in many ways: each iteration tests the condition and goes a step all the same.
/// Of a product the lower term is told as a factor where all of what is counted has it: `n` may be small.
#[test]
fn loops_that_run_once_more() {
    for (body, formula) in [
        ("for (int k = 0; k <= n; k++) for (int i = 0; i < m; i++) g();", "f[0] + f[1]*n + f[2]*(n + 1)*m"),
        (
            "for (int k = 0; k <= n; k++) for (int i = s; i <= e; i++) for (int j = 0; j < m; j++) g();",
            "f[0] + f[1]*n + f[2]*(e - s + 1)*(n + 1) + f[3]*(e - s + 1)*(n + 1)*m",
        ),
        ("for (int k = 0; k <= n; k++) for (int i = 0; i < k; i++) g();", "f[0] + f[1]*n + f[2]*n*n"),
        (
            "for (int k = 0; k <= n; k++) for (int i = 0; i < m; i++) g(); for (int i = 0; i < n*m; i++) g();",
            "f[0] + f[1]*n + f[2]*m*n",
        ),
    ] {
        let found = blocks(&format!("void f(int n, int m, int s, int e) {{ {body} }}"));
        assert_eq!(found[0].formula().unwrap(), formula, "{body}");
    }
}

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

/// The formulas of the blocks of a source, `?` where there is none.
fn formulas(source: &str) -> Vec<String> {
    let of = |block: &BlockCounts| block.formula().unwrap_or_else(|| "?".to_owned());
    blocks(source).iter().map(|block| of(block).replace(&block.name, "C")).collect()
}

/// The size of an array of variable length is no constant; those of others are.
#[test]
fn arrays_of_variable_length() {
    let linear = "C[0] + C[1]*n";
    for (declared, end, expected) in [
        ("int n) { int a[n];", "sizeof(a)/sizeof(a[0])", [linear, "?"]),
        ("int n) { int a[2*n + 1], *p = a;", "sizeof(a)/sizeof *p", [linear, "?"]),
        ("int n, int a[n][n]) {", "sizeof(a[0])/sizeof(a[0][0])", ["?", "?"]),
        ("int n, int (*a)[n]) {", "sizeof *a/sizeof **a", ["?", "?"]),
        ("int n) {", "sizeof(int[n])/sizeof(int)", ["?", "?"]),
        ("int n) { int a[length + 1];", "sizeof(a)/sizeof(int)", ["C[0] + C[1]*length", "?"]),
        ("int n) { int a[100];", "sizeof(a)/sizeof(a[0])", ["C[0]", "C[0]"]),
        ("int n) { int a[K];", "sizeof(a)/sizeof(a[0])", ["C[0] + C[1]*K", "C[0]"]),
        ("int n) { int a[sizeof(struct s)];", "sizeof(a)/sizeof(a[0])", ["C[0]", "C[0]"]),
        ("int n, int (*a)[12]) {", "n*sizeof *a", [linear, linear]),
        ("int n) { int a[n];", "n*sizeof(a[0])", [linear, linear]),
    ] {
        let source = format!(
            "enum {{ K = 7 }}; int length; struct s {{ int a[3]; }}; void g(void); void f({declared} for (int i = 0; i < {end}; i++) g(); }}"
        );
        assert_eq!(formulas(&source), expected, "{source}");
    }
}

/// What a division leaves over is below the divisor, and constant if that is.
#[test]
fn remainders_of_divisions() {
    for (loops, expected) in [
        ("for (int k = n/b*b; k < n; k++)", "C[0] + C[1]*b"),
        ("for (int j = 0; j < m; j++) for (int k = n/b*b; k < n; k++)", "C[0] + C[1]*m + C[2]*b*m"),
        ("for (int k = n/4*4; k < n; k++)", "C[0]"),
        ("for (int k = 0; k < n/b*b; k++)", "C[0] + C[1]*n"),
    ] {
        let source = format!("void g(void); void f(int n, int b, int m) {{ {loops} g(); }}");
        assert_eq!(formulas(&source), [expected, expected], "{source}");
    }
}

/// Where a condition on the variable of a loop is left out of a number, the number is one that it is at most, and why is told.
#[test]
fn conditions_that_are_left_out_are_told() {
    for loops in [
        "for (int i = 0; i < n; i++) if (i == m)",
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) if (i == j)",
    ] {
        let all = blocks(&format!(
            "void g(void); void f(int n, int m) {{ {loops} for (int k = 0; k < n; k++) g(); }}"
        ));
        for block in &all {
            let bounds: Vec<_> =
                block.statements.iter().filter(|its| its.quality == Quality::AtMost).collect();
            assert!(
                !bounds.is_empty()
                    && bounds.iter().all(|its| its.because.iter().any(|because| because.why.contains("=="))),
                "{block:?}"
            );
        }
    }
}

/// Loops that halve or double from or to a variable: its logarithm counts, and of quotients of each other a number is left.
#[test]
fn halving_between_two_ends() {
    for (loops, expected) in [
        ("for (int i = n; i >= m; i /= 2)", "~ log2(n/m) + 1"),
        ("for (int i = n; i > m; i /= 2)", "~ log2(n/m) + 1"),
        ("for (int i = n; i > n/8; i /= 2)", "~ 3"),
        ("for (int i = n/16 + 1; i < n; i *= 2)", "~ 4"),
        ("for (int i = n; i > m + k; i /= 2)", "~ log2(n) - log2(k + m + 1) + 1"),
        ("for (int i = 1; i < n; i++) for (int k = n; k > i; k /= 2)", "~ (7*n - 7)/2"),
        ("for (int i = 1; i <= n; i++) for (int k = n; k >= i; k /= 2)", "~ 5*n/2"),
    ] {
        check(&format!("void f(int n, int m, int k) {{ {loops} g(); }}"), &[expected]);
    }
}

/// C rounds quotients towards 0: below it the loop runs where the number says nothing.
#[test]
fn dividends_below_zero() {
    check("void f(int n, int m) { for (int i = (m - n)/2; i < 0; i++) g(); }", &["?"]);
    check("void f(int n, int m) { for (int i = 0; i < (m - n)/2; i++) g(); }", &["= floor((m - n)/2)"]);
}
