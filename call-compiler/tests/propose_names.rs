//! What `call propose` counts where names of a function that is called are others for its caller.

use super::propose::counts;

/// What is said of the statements of a function that is called, or of the last statement.
fn of_last(source: &str) -> String {
    counts(source).pop().unwrap_or_default()
}

/// A variable of the file that a function reads is not what its caller has under that name.
#[test]
fn variables_of_the_file_are_hidden_by_others_of_their_name() {
    let file = "int n; int *a; int sink; void g(void), h(void), set(int);";
    let functions = "void g(void) { for (int i = 0; i < n; i++) sink++; } \
        void h(void) { for (int i = 0; i < a[1]; i++) sink++; } void set(int to) { n = 7 + to; }";
    for (header, body, expected) in [
        ("int k", "g();", "g = n"),
        ("int k", "h();", "h = a[1]"),
        ("int k", "n = k; g();", "g = k"),
        ("int k", "int n = 5; g();", "g ?"),
        ("int n", "g();", "g ?"),
        ("int k", "{ int n = k; g(); }", "g ?"),
        ("int *a", "h();", "h ?"),
        ("int k", "int *a = &k; h();", "h ?"),
        ("int k", "int n = 5; sink = n; for (int i = 0; i < k; i++) sink++;", "= k"),
    ] {
        let source = format!("{file} void f({header}) {{ {body} }} {functions}");
        assert_eq!(of_last(&source), expected, "{header} {body}");
    }
    // It may change while it is hidden.
    for (hiding, expected) in [
        ("{ int n = 3; set(n); }", "?"),
        ("for (int n = 3; n < 5; n++) set(n);", "?"),
        ("{ int m = 3; sink = m; }", "= k"),
        ("{ int k = 3; sink = k; }", "= k"),
    ] {
        let body = format!("n = k; {hiding} for (int i = 0; i < n; i++) sink++;");
        let found = counts(&format!("{file} void f(int k) {{ {body} }} {functions}"));
        let of_loop = found.iter().rfind(|count| !count.contains("set"));
        assert_eq!(of_loop.map(String::as_str), Some(expected), "{hiding}: {found:?}");
    }
}

/// A count is told in names that stand before its block.
#[test]
fn what_is_declared_behind_the_caller_is_no_name_for_it() {
    let called = "int n; static int *p; void g(void) { for (int i = 0; i < n; i++) sink++; } \
        void h(void) { if (p) sink++; }";
    for (body, expected) in [("g();", "g ?"), ("h();", "h < 1")] {
        let source = format!("int sink; void g(void), h(void); void f(void) {{ {body} }} {called}");
        assert_eq!(of_last(&source), expected, "{body}");
        let before = source.replace("int sink;", "int sink; int n; static int *p;");
        assert_ne!(of_last(&before), "g ?", "{body}");
    }
}

/// Sizes are told of types that are there.
#[test]
fn sizes_of_types_behind_the_caller_are_unknown() {
    let types = "typedef struct { int a[4]; } type; struct tag { int a[5]; };";
    for (size, expected) in [
        ("sizeof(type)", "memset ?"),
        ("sizeof(struct tag)", "memset ?"),
        ("sizeof(struct tag *)", "memset ~ sizeof(struct tag *)"),
        ("sizeof(int)", "memset ~ sizeof(int)"),
    ] {
        let source = |before: &str, behind: &str| {
            format!(
                "{before} void *memset(void *, int, unsigned long); void g(void *p); void f(void *p) {{ g(p); }} \
                 {behind} void g(void *p) {{ memset(p, 0, {size}); }}"
            )
        };
        let of = |source: String| counts(&source).into_iter().find(|its| its.starts_with("memset"));
        assert_eq!(of(source("", types)).as_deref(), Some(expected), "{size}");
        assert_eq!(of(source(types, "")), Some(format!("memset ~ {size}")), "{size}");
    }
}

/// An argument is told in names of the caller already, whatever the parameters are called.
#[test]
fn arguments_are_not_renamed_as_parameters() {
    let called = "void g(int *a, int n) { for (int i = 0; i < n; i++) a[i]++; } \
        void h(int *a, int n) { for (int i = 0; i < a[0]; i++) sink += n; }";
    for (body, expected) in [
        ("g(b, a[0]);", "g = a[0]"),
        ("g(a, b[0]);", "g = b[0]"),
        ("g(b, a[b[0]]);", "g = a[b[0]]"),
        ("h(b, a[0]);", "h = b[0]"),
    ] {
        let source = format!(
            "int sink; void g(int *, int), h(int *, int); void f(int *a, int *b) {{ {body} }} {called}"
        );
        assert_eq!(of_last(&source), expected, "{body}");
    }
}
