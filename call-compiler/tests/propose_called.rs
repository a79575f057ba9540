//! What `call propose` says of functions that are called: those of other files, and those with many statements.

use std::fmt::Write as _;

use call_compiler::CountedPart;

use super::propose::blocks;

use super::propose::{check, counts};

/// What functions of other files may change is told, as nobody looks into them.
#[test]
fn what_others_may_change_is_told() {
    let unchanged = |body: &str| {
        let source = format!(
            "struct s {{ int n; }}; extern void other(void); int size; void f(struct s *p, int k) {{ {body} }}"
        );
        blocks(&source)[0].taken_as_unchanged.clone()
    };
    assert_eq!(unchanged("other(); for (int i = 0; i < p->n * size * k; i++) p->n;"), ["p->n", "size"]);
    assert_eq!(unchanged("for (int i = 0; i < p->n; i++) k++;"), [""; 0]);
    assert_eq!(unchanged("other(); for (int i = 0; i < k; i++) p->n;"), [""; 0]);
}

/// A function with this beside its first statements, of which there are many.
fn large(body: &str) -> String {
    let many = (0..70).fold(String::new(), |mut text, number| {
        _ = write!(text, "sum += {number}; ");
        text
    });
    format!(
        "int sum; static void add(int n) {{ for (int i = 0; i < n; i++) sum++; }} \
         static void large(int n, int m) {{ {many} {body} }} static void middle(int n) {{ large(n, n); }}"
    )
}

/// Of a large function that is called one statement for each number is told, and none of those that run in it and elsewhere.
#[test]
fn one_statement_stands_for_those_of_a_large_function() {
    let body = "for (int i = 0; i < n; i++) { sum--; for (int j = 0; j < m; j++) sum -= j; } add(m);";
    let program = large(body);
    for (call, formula) in [
        ("large(n, m);", "f[0] + f[1]*m + f[2]*n + f[3]*m*n"),
        ("add(n); middle(m);", "f[0] + f[1]*m + f[2]*n + f[3]*m*m"),
        ("large(n, 3); add(m);", "f[0] + f[1]*m + f[2]*n"),
    ] {
        let found = blocks(&format!("void f(int n, int m) {{ {call} }} {program}"));
        let block = &found[0];
        assert_eq!(block.formula().as_deref(), Some(formula), "{call}");
        let told = block.statements.iter().filter(|its| its.part == CountedPart::Whole);
        let told: Vec<Option<&str>> = told.map(|its| its.function.as_deref()).collect();
        let all_of_called = if call.contains("middle") { vec![Some("middle")] } else { Vec::new() };
        let own = vec![None; call.matches(';').count()];
        assert_eq!(told, [own, all_of_called].concat(), "{call}");
        let remark = "statements of `large` that run as often as others of it";
        assert!(block.uncounted.iter().any(|its| its.why == remark), "{call}: {:?}", block.uncounted);
        assert!(block.taken_as_unchanged.is_empty());
    }
}

/// What is unknown there makes it unknown.
#[test]
fn a_large_function_may_be_unknown() {
    let found =
        blocks(&format!("void f(int n, int m) {{ large(n, m); }} {}", large("while (sum % 7) sum /= n;")));
    assert_eq!(found[0].formula(), None);
    assert!(!found[0].unknown.is_empty());
}

/// What it calls elsewhere is told to all that reach it: `--insert` looks there for what starts MPI.
#[test]
fn calls_of_a_large_unknown_function_are_told() {
    let program = large("MPI_Init(0, 0); while (sum % 7) sum /= n;");
    let found = blocks(&format!("void f(int n, int m) {{ middle(n); }} {program}"));
    assert!(found[0].uncounted.iter().any(|its| its.why == "`MPI_Init`"), "{:?}", found[0].uncounted);
}

/// The formula of the first function, and what is not counted in it.
fn formula_of(source: &str) -> (String, Vec<String>) {
    let found = blocks(source);
    let uncounted = found[0].uncounted.iter().map(|its| its.why.clone()).collect();
    (found[0].formula().unwrap_or_default(), uncounted)
}

/// An element of a type that the program made may be of any size.
#[test]
fn elements_of_unknown_size_are_told() {
    for (element, told) in
        [("row", true), ("types.row", true), ("MPI_DOUBLE", false), ("((type)0x4c)", false)]
    {
        let (formula, uncounted) = formula_of(&format!(
            "typedef int type; struct types {{ type row; }}; void f(double *a, int n, type row, struct types types) \
             {{ MPI_Allgather(a, n, {element}, a, n, {element}, 0); }}"
        ));
        assert_eq!(formula, "f[0] + f[1]*P*n", "{element}");
        let why = format!("the size of `{element}`, the type of what `MPI_Allgather` carries");
        assert_eq!(uncounted, told.then_some(why).into_iter().collect::<Vec<_>>(), "{element}");
    }
}

/// Messages grow with what they carry, collective operations with the number of processors, too.
#[test]
fn messages_are_terms() {
    for (call, formula) in [
        ("MPI_Send(a, n, 0, q, 0, 0);", "f[0] + f[1]*n"),
        ("MPI_Sendrecv(a, n, 0, q, 0, a, m, 0, q, 0, 0, 0);", "f[0] + f[1]*m + f[2]*n"),
        ("for (int i = 0; i < m; i++) MPI_Irecv(a, n, 0, i, 0, 0, 0);", "f[0] + f[1]*m + f[2]*m*n"),
        ("MPI_Barrier(0);", "f[0] + f[1]*log2(P)"),
        ("MPI_Allreduce(a, b, 1, 0, 0, 0);", "f[0] + f[1]*log2(P)"),
        ("MPI_Bcast(a, n * m, 0, 0, 0);", "f[0] + f[1]*m*n*log2(P)"),
        ("MPI_Alltoall(a, n, 0, b, n, 0, 0);", "f[0] + f[1]*P*n"),
        ("bsp_put(q, a, b, 0, 8 * n);", "f[0] + f[1]*n"),
        ("cll_bsplib_any_hpput(q, a, b, 0, 8 * n);", "f[0] + f[1]*n"),
        ("cll_pub_send(b, q, a, 8 * n);", "f[0] + f[1]*n"),
        ("for (int i = 0; i < cll_bsplib_nprocs(); i++) e[i] = n;", "f[0] + f[1]*P"),
    ] {
        let program = format!("void f(double *a, double *b, int *e, int n, int m, int q) {{ {call} }}");
        assert_eq!(formula_of(&program), (formula.to_owned(), Vec::new()), "{call}");
        let of_callee = format!(
            "void f(double *a, double *b, int *e, int n, int m, int q) {{ g(a, b, e, n, m, q); }} {program}"
        );
        let of_callee = of_callee.replacen(
            "void f(double *a, double *b, int *e, int n, int m, int q) { g",
            "void top(double *a, double *b, int *e, int n, int m, int q) { f",
            1,
        );
        assert_eq!(formula_of(&of_callee).0.replace("top[", "f["), formula, "{call}");
    }
    // Its latency is left, and what nobody knows.
    for call in [
        "MPI_Alltoallv(a, e, e, 0, b, e, e, 0, 0);",
        "MPI_Send(a, s[0] ? 3 : q, 0, q, 0, 0);",
        "for (int i = 0; i < n; i++) MPI_Send(a, e[i], 0, i, 0, 0);",
    ] {
        let (formula, uncounted) =
            formula_of(&format!("void f(double *a, double *b, int *e, int n, char *s, int q) {{ {call} }}"));
        let name = call.split("MPI_").nth(1).and_then(|rest| rest.split('(').next()).unwrap();
        assert_eq!(uncounted, [format!("`MPI_{name}`")], "{call}");
        assert!(!formula.is_empty(), "{call}");
    }
    let (formula, uncounted) = formula_of("void f(double *a, int P) { MPI_Bcast(a, P, 0, 0, 0); }");
    assert_eq!((&*formula, &*uncounted), ("f[0]", &["`MPI_Bcast`".to_owned()][..]), "P is another thing");
    let found = blocks(
        "void f(int *e, int n) { for (int i = 0; i < cll_bsplib_nprocs() * n; i++) g(); for (int k = n; k; k = e[k]) g(); }",
    );
    assert_eq!(found[0].variables(), ["n"], "the number of processors is measured anyway");
}

#[test]
fn what_functions_return_is_a_number() {
    let of = |function: &str, body: &str| {
        let counts = counts(&format!("int w; void f(int n, int p) {{ {body} }} {function}"));
        counts.into_iter().filter(|count| !count.starts_with("h ")).collect::<Vec<_>>()
    };
    let loops = "for (int i = 0; i < h(n, p); i++) g();";
    for (function, expected) in [
        ("int h(int a, int b) { return a/b; }", "= floor(n/p)"),
        ("int h(int a, int b) { int c = a < b ? a : b; return c; }", "= min(n, p)"),
        ("int h(int a, int b) { a += 2; return a*w; }", "= n*w + 2*w"),
        ("long h(a, b) { return a; }", "= n"),
        ("int h(int a, int b) { if (a > b) return a; return b; }", "= max(n, p)"),
        ("int h(int a, int b) { if (a > b) { return b; } else { return a; } }", "= min(n, p)"),
        ("int h(int a, int b) { if (a > b) return a; b++; return b; }", "= max(p + 1, n)"),
        // Of another type it may be another number; of several values nobody knows which.
        ("double h(int a, int b) { return a; }", "?"),
        ("short h(int a, int b) { return a; }", "?"),
        ("unsigned h(int a, int b) { return a - b; }", "?"),
        ("int *h(int a, int b) { return a; }", "?"),
        ("int h(int a, int b) { if (a > b) return a; return w; }", "?"),
        ("int h(int a, int b) { if (a > b) return a; b += 2; return b; }", "?"),
        ("int h(int a, int b) { if (b) return a; return 5; }", "?"),
        ("int h(int a, int b) { if (a > b) { if (w) return a; } return b; }", "?"),
        (
            "int h(int a, int b) { if (a > b) return a; while (w--) { if (w == 3) continue; return b; } return 2*b; }",
            "?",
        ),
        ("int h(int a, int b) { if (a > b) { return a; w: return b; } goto w; }", "?"),
        ("int h(int a, int b) { static int c; c += a; return c; }", "?"),
        ("int h(int a, int b) { return w++; }", "?"),
    ] {
        assert_eq!(of(function, loops), [expected], "{function}");
    }
    // As the function found it, not as it left it.
    let after = of("int h(int a, int b) { w = 5; return a*w; }", "w = 3; int m = h(n, p); while (m--) g();");
    assert_eq!(after, ["= 1", "= 1", "= 5*n"]);
    let before =
        of("int h(int a, int b) { int c = w; w = 5; return c; }", "int m = h(n, p); while (m--) g();");
    assert_eq!(before, ["= 1", "= w"]);
}

/// The test that ends a loop is one more than it has iterations.
#[test]
fn what_conditions_call_runs_once_more() {
    let end = "int h(int n) { return n; }";
    check(&format!("{end} void f(int n) {{ for (int i = 0; i < h(n); i++) g(); }}"), &["= 1"]);
    let of = |body: &str| -> String {
        let found = blocks(&format!("{end} void f(int n) {{ {body} }}"));
        found
            .iter()
            .find(|block| block.name == "f")
            .unwrap()
            .statements
            .last()
            .unwrap()
            .times
            .as_ref()
            .unwrap()
            .to_string()
    };
    assert_eq!(of("for (int i = 0; i < h(n); i++) g();"), "n + 1");
    assert_eq!(of("int i = 0; do g(); while (++i < h(n));"), "n");
    assert_eq!(of("for (int i = 0; i < n; i += h(1)) g();"), "n");
}

#[test]
fn functions_that_are_called_are_counted() {
    let callee = "void g(int m) { for (int k = 0; k < m; k++) h(); } ";
    let first = |caller: &str| {
        let blocks = blocks(&format!("{callee}{caller}"));
        let block = blocks.iter().find(|block| block.name == "f").unwrap();
        let of_callee =
            block.statements.iter().filter(|its| its.function.is_some() && its.part == CountedPart::Whole);
        of_callee.map(|its| its.times.as_ref().map(ToString::to_string)).collect::<Vec<_>>()
    };
    assert_eq!(first("void f(int n) { g(3*n); }"), [Some("3*n".to_owned())]);
    assert_eq!(
        first("void f(int n) { for (int i = 0; i < n; i++) g(i); }"),
        [Some("(n*n - n)/2".to_owned())]
    );
    // An argument below 0 is an empty loop, not a negative number of iterations.
    assert_eq!(
        first("void f(int n) { for (int i = 0; i < n; i++) g(i - 2); }"),
        [Some("(n*n - 5*n + 6)/2".to_owned())]
    );
    assert_eq!(first("void f(int n) { g(n); g(n); }"), [Some("2*n".to_owned())]);
    assert_eq!(first("void f(int *n) { g(scan()); }"), [None]);
    check("void f(int n, char *a) { memset(a, 0, 8*n); }", &["= 1", "memset ~ 8*n"]);
}

/// Parameters that are declared behind their names, as of old, also those that are not.
#[test]
fn parameters_of_old_are_replaced_by_arguments() {
    let called =
        "void g(a, n, m) int m, *a; { for (int i = 0; i < n; i++) h(); for (int i = 0; i < m; i++) h(); }";
    let found = counts(&format!("void f(int *x, int n, int k) {{ g(x, k, 3); }} {called}"));
    assert_eq!(found, ["= 1", "g = k", "g = 3"]);
    check("void f(n) char n; { n = n + 1; for (int i = 0; i < n; i++) h(); }", &["= 1", "?"]);
}

/// A type that a function declares has less bits, or no sign, as one that the file declares.
#[test]
fn types_of_functions_are_heeded() {
    for (own, body, expected) in [
        ("unsigned char T", "for (T i = 0; i < n; i++) g();", "?"),
        ("unsigned T", "for (T i = n; i >= 0; i--) g();", "?"),
        ("float T", "for (T i = 0; i < n; i++) g();", "?"),
        ("int T", "for (T i = 0; i < n; i++) g();", "= n"),
        ("short T", "for (int i = 0; i < (T)n; i++) g();", "?"),
        ("int *T", "T p = a; for (p = a; p < a + n; p++) g();", "= n"),
        ("double T", "T *p = h(); for (int i = 0; i < p[0]; i++) g();", "?"),
    ] {
        for source in [
            format!("void f(int n, int *a) {{ typedef {own}; {body} }}"),
            format!("typedef {own}; void f(int n, int *a) {{ {body} }}"),
        ] {
            assert_eq!(counts(&source).last().unwrap(), expected, "{source}");
        }
    }
}
