//! What `call propose` counts in small programs. `scripts/counts` judges the same by running programs.

use call_compiler::{BlockCounts, BlockKind, CountedPart, Quality, count};

pub fn blocks(source: &str) -> Vec<BlockCounts> {
    count("x.c", format!("# 1 \"x.c\"\n{source}\n").as_bytes())
}

/// Each statement of the first function with its number: `=` exact, `~` rounded, `<` at most, `?` unknown.
pub fn counts(source: &str) -> Vec<String> {
    let blocks = blocks(source);
    let function = blocks.iter().find(|block| block.kind == BlockKind::Function).unwrap();
    let statements = function.statements.iter().filter(|statement| statement.part != CountedPart::LoopEntry);
    statements
        .map(|statement| {
            let sign = match (&statement.times, statement.quality) {
                (None, _) => "?".to_owned(),
                (Some(times), Quality::Exact) => format!("= {times}"),
                (Some(times), Quality::Rounded) => format!("~ {times}"),
                (Some(times), Quality::AtMost) => format!("< {times}"),
            };
            match (statement.part, &statement.function) {
                (CountedPart::Library(name), _) => format!("{name} {sign}"),
                (_, Some(function)) => format!("{function} {sign}"),
                _ => sign,
            }
        })
        .collect()
}

#[track_caller]
pub fn check(source: &str, expected: &[&str]) {
    assert_eq!(counts(source), expected, "{source}");
}

/// A difference is told in the order in which counts grow with it, also where they are parts of it.
#[test]
fn differences_grow() {
    for (end, expected) in [
        ("(a - b) / 2", "(a - b)"),
        ("(b - a) / 2", "(b - a)"),
        ("3 * (b - a)", "(b - a)"),
        ("(b - a) / 4 * 3", "(b - a)"),
    ] {
        let found = blocks(&format!("void f(int a, int b) {{ for (int i = 0; i < {end}; i++) g(); }}"));
        let formula = found[0].formula().unwrap();
        assert!(formula.ends_with(&format!("f[1]*{expected}")), "{end}: {formula}");
    }
}

#[test]
fn loops_between_linear_bounds_are_exact() {
    check("void f(int n) { for (int i = 0; i < n; i++) g(); }", &["= n"]);
    check("void f(int n) { for (int i = n; i >= 2; --i) g(); }", &["= n - 1"]);
    check(
        "void f(int n) { for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++) g(); }",
        &["= (n*n - n)/2"],
    );
    check(
        "void f(int n) { for (int i = 0; i < n; i++) for (int j = 0; j < i - 2; j++) g(); }",
        &["= (n*n - 5*n + 6)/2"],
    );
    check("void f(int n) { for (int i = 0; i < n; i += 2) g(); }", &["= floor((n + 1)/2)"]);
    check(
        "void f(int n) { for (int i = 0; i < n; i++) if (i == 3) g(); else h(); }",
        &["= n", "= 1", "= n - 1"],
    );
    check("void f(int n, int m) { for (int i = m; i != n; i++) g(); }", &["= n - m"]);
    check("void f(int n) { while (n--) g(); }", &["= n"]);
    check(
        "void f(int n) { int i = 0; while (i < n) { g(); i++; } for (; i < 2*n; i++) g(); }",
        &["= 1", "= n", "= n", "= n"],
    );
    check(
        "void f(int n) { int k = 5; for (int i = 0; i < n; i++) { k += 2; for (int j = 0; j < k; j++) g(); } }",
        &["= 1", "= n", "= n*n + 6*n"],
    );
    check("void f(long n) { for (long i = 0; i < 0x10L*n; i++) g(); }", &["= 16*n"]);
    check("void f(int n) { for (int i = (1); i < (10) + ((n)); i++) g(); }", &["= n + 9"]);
}

/// Each step of a network that sorts would double the values, and so would quotients that take turns.
#[test]
fn values_do_not_grow_without_end() {
    let exchange = |step: usize| {
        let (low, high) = (step % 7, step % 7 + 1);
        format!("if (a{low} > a{high}) {{ t = a{low}; a{low} = a{high}; a{high} = t; }} ")
    };
    let steps: String = (0..60).map(exchange).collect();
    let parameters: Vec<String> = (0..8).map(|number| format!("int a{number}")).collect();
    let network =
        format!("void f({}) {{ int t; {steps} for (int i = 0; i < a3; i++) g(); }}", parameters.join(", "));
    assert_eq!(counts(&network).last().unwrap(), "?");
    for turn in [
        "a = a/b + b; b = b/a + a; ",
        "a = a*b + a; b = b*a + b; ",
        "a = a*a; ",
        "b = 3; b *= b; b *= b; b *= b; a *= b;",
    ] {
        let turns = turn.repeat(40);
        let source = format!("void f(int a, int b) {{ {turns} for (int i = 0; i < a; i++) g(); }}");
        assert_eq!(counts(&source).last().unwrap(), "?", "{turn}");
    }
    let calls = "a = low(a, b); b = high(a, b); a = square(a); ".repeat(40);
    let source = format!(
        "int low(int a, int b) {{ return a < b ? a : b; }} int high(int a, int b) {{ return a < b ? b : a; }} \
         int square(int a) {{ return a*a; }} void f(int a, int b) {{ {calls} for (int i = 0; i < a; i++) g(); }}"
    );
    let found = blocks(&source);
    assert!(found.iter().any(|block| block.name == "f" && block.formula().is_none()));
}

#[test]
fn what_follows_a_way_out_runs_where_its_condition_fails() {
    let last = |body: &str| counts(&format!("int w; void f(int n, int m) {{ {body} }}")).pop().unwrap();
    let rest = "for (int i = 0; i < n; i++) g();";
    for out in ["return;", "{ return; }", "{ w++; return; }", "{ exit(1); }", "{ { return; } }"] {
        assert_eq!(last(&format!("if (n < 2) {out} {rest}")), "= n", "{out}");
        assert_eq!(last(&format!("if (n < 2) {out} else {{ {rest} }}")), "= n", "{out}");
    }
    // A condition that changes something does so once.
    assert_eq!(last(&format!("if (n++ < 2) {{ return; }} {rest}")), "= n + 1");
    assert_eq!(last(&format!("if (--n < 2) return; {rest}")), "= n - 1");
    // Others decide, too.
    assert_eq!(last(&format!("if (n > 2) {{ if (m) {{ return; }} w++; }} {rest}")), "< n");
    assert_eq!(last(&format!("if (m) {{ return; }} {rest}")), "< n");
    assert_eq!(last("for (int i = 0; i < n; i++) { if (i == m) { return; } } g();"), "< 1");
}

/// Tiles are walked through once each, whichever way their ends are written; the last one ends earlier.
#[test]
fn tiles_are_parts_of_one_loop() {
    let of = |body: &str| format!("void f(int n, int m, int b, unsigned long u) {{ {body} }}");
    for inside in [
        "for (int i = 0; i < n; i += 4) for (int j = i; j < (i + 4 < n ? i + 4 : n); j++) g();",
        "for (int i = 0; i < n; i += b) for (int j = i; j < (n < i + b ? n : i + b); j++) g();",
        "for (int i = 0; i < n; i += b) for (int j = i; j < i + b && j < n; j++) g();",
        "for (int i = 0; i < n; i += b) for (int j = 0; j < (n - i < b ? n - i : b); j++) g();",
        "for (int i = 0; i < n; i += b) { int e = i + b; if (e > n) e = n; for (int j = i; j < e; j++) g(); }",
        "for (int i = 1; i <= n; i += 32) for (int j = i; j <= (i + 31 < n ? i + 31 : n); j++) g();",
    ] {
        assert_eq!(counts(&of(inside)).last().unwrap(), "= n", "{inside}");
    }
    let unsigned = "for (unsigned long i = 0; i < u; i += b) for (unsigned long j = i; j < (u < i + b ? u : i + b); j++) g();";
    assert_eq!(counts(&of(unsigned)).last().unwrap(), "= u");
    // As the product of matrices does it: each of three loops in tiles.
    let three = "for (int i = 0; i < n; i += b) for (int j = 0; j < n; j += b) for (int k = 0; k < n; k += b)\n\
                 for (int x = i; x < (n < i + b ? n : i + b); x++) for (int y = j; y < (n < j + b ? n : j + b); y++)\n\
                 for (int z = k; z < (n < k + b ? n : k + b); z++) g();";
    assert_eq!(counts(&of(three)).last().unwrap(), "= n*n*n");
    // Not each value in one tile: others end the loop, tiles overlap, one value is left out.
    for (inside, expected) in [
        (
            "for (int i = 0; i < n; i += b) for (int j = i; j < (m < i + b ? m : i + b); j++) g();",
            "< b + n - 1",
        ),
        ("for (int i = 0; i < n; i += b) for (int j = i; j < i + b; j++) g();", "~ b + n - 1"),
    ] {
        assert_eq!(counts(&of(inside)).last().unwrap(), expected, "{inside}");
    }
}

#[test]
fn what_a_name_stood_for_before_is_not_what_it_stands_for_now() {
    for source in [
        // Which array it is depends on data, or on the iteration.
        "void f(int c, int *a, int *b) { int *p = a; if (c) p = b; for (int i = 0; i < p[0]; i++) g(); }",
        "void f(int n, int *a) { int *p = a; for (int i = 0; i < n; i++) { for (int k = 0; k < p[0]; k++) g(); p++; } }",
        "void f(int *a) { int *p = a; p++; for (int k = 0; k < p[0]; k++) g(); }",
        "void f(int *a) { a += 4; for (int k = 0; k < a[0]; k++) g(); }",
        "void f(struct grid *g, struct grid *h) { g = h; for (int k = 0; k < g->n; k++) e(); }",
        // It keeps its value from call to call.
        "void f(void) { static int k = 3; for (int i = 0; i < k; i++) g(); k++; }",
        // It may not fit.
        "void f(int n) { for (int i = 0; i < (unsigned char)n; i++) g(); }",
        "void f(int n) { unsigned char m = n; for (int i = 0; i < m; i++) g(); }",
        "void f(int n, short m) { m = n; for (int i = 0; i < m; i++) g(); }",
    ] {
        assert!(counts(source).iter().any(|count| count == "?"), "{source}: {:?}", counts(source));
    }
    check("void f(int n, int *a) { int *p = a; for (int i = 0; i < p[n]; i++) g(); }", &["= 1", "= a[n]"]);
    check(
        "void f(struct grid *g) { struct grid *h = g; for (int k = 0; k < h->n; k++) e(); }",
        &["= 1", "= g->n"],
    );
    check("void f(void) { const char m = 7; for (int i = 0; i < m; i++) g(); }", &["= 1", "= 7"]);
}

#[test]
fn proposals_are_directives() {
    let formula = |source: &str| blocks(source)[0].directive();
    assert_eq!(
        formula(
            "void f(int n, double a[n][n]) { for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) a[i][j] = 0; }"
        ),
        "#pragma cll f f[0] + f[1]*n + f[2]*n*n"
    );
    assert_eq!(
        formula(
            "void f(int n, int *start) { for (int i = 0; i < n; i++) for (int k = start[i]; k < start[i + 1]; k++) g(); }"
        ),
        "#pragma cll f f[0] + f[1]*(start[n] - start[0]) + f[2]*n"
    );
    assert_eq!(
        formula(
            "void f(struct grid *g) { for (int i = 1; i < g->rows - 1; i++) for (int j = 0; j < g->columns; j++) h(); }"
        ),
        "#pragma cll f f[0] + f[1]*g->rows + f[2]*g->columns*g->rows"
    );
    assert_eq!(
        formula(
            "int f(int n, int *a, int x) { int lo = 0, hi = n; while (lo < hi) { int m = (lo + hi)/2; if (a[m] < x) lo = m + 1; else hi = m; } return lo; }"
        ),
        "#pragma cll f f[0] + f[1]*log2(n)"
    );
    assert_eq!(formula("void f(struct list *p) { while (p) p = p->next; }"), "#pragma cll f");
}

#[test]
fn any_text_is_taken() {
    for source in [
        "",
        "int",
        "void f(",
        "void f(int n) { for (;;) }",
        "void f(void) { for (;;); }",
        "x y z { } }",
        "void f(int n) { while (",
    ] {
        blocks(source);
    }
    let deep = format!("void f(int n) {{ {} g(); }}", "for (int i = 0; i < n; i++) ".repeat(60));
    assert_eq!(counts(&deep).last().unwrap(), "?");
}

/// What lasts from call to call has its value before the program begins.
#[test]
fn values_of_what_lasts_are_not_given_again() {
    check(
        "void f(void) { static int a[2] = { 1, 2 }; const static int b = 3; int c = 4; g(); }",
        &["= 1", "= 1"],
    );
}

/// Statements of the two ways through a condition on parameters never run in one execution.
#[test]
fn cases_that_exclude_each_other() {
    let cases = |body: &str| {
        let source = format!("int s;\nvoid f(int n, int m) {{ {body} }}");
        blocks(&source)[0].cases.iter().cloned().collect::<Vec<String>>()
    };
    let both = "for (int i = 0; i < n; i++) if (n > 100) s++; else s += 2;";
    assert_eq!(cases(both), ["100 >= n", "n >= 101"]);
    // The test runs whatever `n` is.
    assert_eq!(cases("for (int i = 0; i < n; i++) if (n > 100) s++;"), ["n >= 101"]);
    // All that grows runs where it is so.
    assert_eq!(cases("if (n > 100) for (int i = 0; i < n; i++) s++;"), [""; 0]);
    assert_eq!(cases("if (n > m) for (int i = m; i < n; i++) s++; else s = 0;"), ["m >= n"]);
}
