//! What `call propose` says of functions that are called: those of other files, and those with many statements.

use std::fmt::Write as _;

use call_compiler::CountedPart;

use super::propose::blocks;

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
