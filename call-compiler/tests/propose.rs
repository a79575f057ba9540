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

/// Intervals that become half as long: only where both ends come nearer, and once more than the logarithm rounded down.
#[test]
fn halves_of_intervals() {
    for (start, condition, middle, low, high, expected) in [
        ("0, hi = n - 1", "lo <= hi", "(lo + hi) / 2", "m + 1", "m - 1", "~ log2(n) + 1"),
        ("0, hi = n", "lo < hi", "lo + (hi - lo) / 2", "m + 1", "m", "~ log2(n) + 1"),
        ("0, hi = n", "lo < hi", "(lo + hi + 1) / 2", "m", "m - 1", "~ log2(n) + 1"),
        ("0, hi = n", "lo != hi", "(lo + hi) / 2", "m + 1", "m", "~ log2(n) + 1"),
        ("0, hi = n", "lo < hi", "lo + ((hi - lo) >> 1)", "m + 1", "m", "~ log2(n) + 1"),
        ("-1, hi = n", "hi - lo > 1", "(lo + hi) / 2", "m", "m", "~ log2(n) + 1"),
        ("0, hi = n + 1", "lo + 1 < hi", "(lo + hi + 1) / 2", "m", "m", "~ log2(n) + 1"),
        ("0, hi = n - 1", "lo <= hi && m0 < n", "(lo + hi) / 2", "m + 1", "m - 1", "< log2(n) + 1"),
        // Where one end is the middle, nothing changes any more.
        ("0, hi = n", "lo < hi", "(lo + hi) / 2", "m", "m", "?"),
        ("0, hi = n", "lo < hi", "(lo + hi) / 2", "m", "m - 1", "?"),
        ("0, hi = n", "lo < hi", "(lo + hi + 1) / 2", "m + 1", "m", "?"),
        ("0, hi = n", "lo <= hi", "(lo + hi) / 2", "m + 1", "m", "?"),
        // They may pass each other.
        ("0, hi = n", "lo != hi", "(lo + hi) / 2", "m + 1", "m - 1", "?"),
    ] {
        let source = format!(
            "void f(int *a, int n, int m0) {{ int lo = {start}; while ({condition}) {{ int m = {middle}; \
             if (a[m]) lo = {low}; else hi = {high}; }} }}"
        );
        let found = counts(&source);
        assert!(found.contains(&expected.to_owned()), "{source}: {found:?}");
        assert!(expected == "?" || !found.contains(&"?".to_owned()), "{source}: {found:?}");
    }
    // What was moved is no longer in the middle.
    for (middle, moved) in [
        ("int m = (lo + hi) / 2;", "m = lo;"),
        ("int m = (lo + hi) / 2;", "if (a[lo]) m--;"),
        ("int m = (lo + hi) / 2; int *p = &m;", "*p = lo;"),
        ("m = (lo + hi) / 2;", "m = lo;"),
        ("m = (lo + hi) / 2;", "while (a[m]) m--;"),
    ] {
        let source = format!(
            "void f(int *a, int n) {{ int lo = 0, hi = n, m; while (lo < hi) {{ {middle} {moved} \
             if (a[m]) hi = m; else lo = m + 1; }} }}"
        );
        let found = counts(&source);
        assert_eq!(found.last().map(String::as_str), Some("?"), "{source}: {found:?}");
    }
}

/// Lengths of intervals that stand in variables, and what is left of something.
#[test]
fn what_is_halved_has_a_name() {
    let length = "int lo = 0, hi = n, length = hi - lo; while (length > 1) { int m = lo + length / 2;";
    let left = "while (n > 1) { int half = n / 2; g();";
    let count = "int count = n; while (count > 0) { int half = count / 2; g();";
    for (begin, end, expected) in [
        (length, "if (a[m]) lo = m; else hi = m; length = hi - lo;", "~ log2(n - 1) + 1"),
        // It is that of the interval before.
        (length, "length = hi - lo; if (a[m]) lo = m; else hi = m;", "?"),
        (length, "if (a[m]) lo = m; else hi = m; if (a[lo]) length = hi - lo;", "?"),
        (left, "n -= half;", "~ log2(n - 1) + 1"),
        (left, "n = a[n] ? n - half : half;", "~ log2(n - 1) + 1"),
        (left, "if (a[n]) continue; n -= half;", "?"),
        (left, "if (a[n]) return; n -= half;", "< log2(n - 1) + 1"),
        (left, "n -= half / 2;", "?"),
        (count, "if (a[half]) count -= half + 1; else count = half;", "~ log2(n) + 1"),
        (count, "count -= half;", "?"),
    ] {
        let source = format!("void f(int *a, int n) {{ {begin} {end} }} }}");
        let found = counts(&source);
        assert!(found.iter().any(|its| its == expected), "{source}: {found:?}");
    }
    // The flag ends the loop, or does not.
    for (set, expected) in [("done = 1", "< log2(n) + 1"), ("done = a[lo]", "?")] {
        let source = format!(
            "void f(int *a, int n) {{ int lo = 0, hi = n - 1, done = 0; while (lo <= hi && !done) {{ \
             int m = (lo + hi) / 2; if (!a[m]) {set}; else if (a[m] < 0) lo = m + 1; else hi = m - 1; }} }}"
        );
        let found = counts(&source);
        assert!(found.iter().any(|its| its == expected), "{source}: {found:?}");
    }
}

/// Whole numbers made of real ones: near to a root or logarithm, or a quotient that is rounded as the program rounds it.
#[test]
fn whole_numbers_of_real_ones() {
    let of = |begin: &str, end: &str| {
        let math = "double sqrt(double); double log2(double); double ceil(double); double floor(double);";
        format!("{math} void f(int n, int p, int *a) {{ {begin}; for (int i = 0; i < {end}; i++) g(); }}")
    };
    for (begin, end, expected) in [
        ("int r = sqrt(n)", "r", "~ sqrt(n)"),
        ("", "sqrt((double)n)", "~ sqrt(n)"),
        ("int r = (int)sqrt(n)", "n/r", "~ floor(n/sqrt(n))"),
        ("int r = sqrt(n)", "r*r", "~ n"),
        ("", "(int)floor(log2(n))", "~ log2(n)"),
        ("", "(int)ceil(log2(n))", "~ log2(n) + 1"),
        ("int b = ceil((double)n/p)", "b", "= floor((n + p - 1)/p)"),
        ("int b = ceil(n/p)", "b", "= floor(n/p)"),
        ("int b = (double)n/p", "b", "= floor(n/p)"),
        // That would be another number.
        ("int b = (double)n/p*4", "b", "?"),
        ("", "(double)n/2", "?"),
        // What is less where the root is more is no bound.
        ("if (a[n % 3]) return; int r = sqrt(n)", "n - r", "?"),
        ("if (a[n % 3]) return; int r = sqrt(n)", "n + r", "< n + sqrt(n)"),
    ] {
        let source = of(begin, end);
        let found = counts(&source);
        assert_eq!(found.last().map(String::as_str), Some(expected), "{source}: {found:?}");
    }
    // Whether it is a square is not to be seen from the root.
    let square = "double sqrt(double); void f(int n, int p) { int r = sqrt(n); if (r*r == n) for (int i = 0; i < p; i++) g(); }";
    check(square, &["= 1", "= 1", "< p"]);
    // The program's own function is what it is.
    let own = "int floor(int n); void f(int n) { for (int i = 0; i < floor(n); i++) g(); } int floor(int n) { return n - 1; }";
    assert!(counts(own).contains(&"= n - 1".to_owned()), "{:?}", counts(own));
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
fn what_a_formula_has_no_constant_for_is_told() {
    let loops: String = ('a'..='h').map(|name| format!("for (int i = 0; i < {name}; i++) g();")).collect();
    let parameters: Vec<String> = ('a'..='h').map(|name| format!("int {name}")).collect();
    let found = blocks(&format!("void f({}) {{ {loops} }}", parameters.join(", ")));
    let basis = |terms: &[call_compiler::CountedTerm]| -> Vec<String> {
        terms.iter().map(|term| term.basis.to_string()).collect()
    };
    assert_eq!(basis(&found[0].terms), ["1", "d", "e", "f", "g", "h"]);
    assert_eq!(basis(&found[0].left_out), ["a", "b", "c"]);
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

#[test]
fn what_divides_may_be_a_variable() {
    let of = |body: &str| format!("void f(int n, int p, int k) {{ {body} }}");
    check(&of("for (int i = 0; i < n/p; i++) g();"), &["= floor(n/p)"]);
    check(&of("int m = (n + p - 1)/p; while (m--) g();"), &["= 1", "= floor((n + p - 1)/p)"]);
    check(&of("k = n*p/p; for (int i = 0; i < k; i++) g();"), &["= 1", "= n"]);
    check(&of("for (k = 2; k <= n; k *= 2) for (int i = 0; i < n/k; i++) g();"), &["~ n"]);
    check(&of("for (k = 1; k <= n; k++) for (int i = 0; i < n/k; i++) g();"), &["~ n*log2(n)"]);
    // Quotients below 1 are 0.
    check(&of("for (k = 1; k <= p; k++) for (int i = 0; i < n/k; i++) g();"), &["< n*log2(p) + n"]);
    // The quotient that is taken away may be that of a large number, which is less than its part.
    check(&of("for (k = 1; k <= p; k++) for (int i = n/k; i < n; i++) g();"), &["?"]);
    let found = blocks(&of("for (int i = 0; i < n/p; i++) for (int j = 0; j < n; j++) g();"));
    assert_eq!(found[0].directive(), "#pragma cll f f[0] + f[1]*n/p + f[2]*n*n/p");
    assert!(found[0].statements.last().unwrap().assumptions.contains(&"p >= 1".to_owned()));
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
fn the_lesser_and_the_greater_one_of_two_values_are_numbers() {
    let of = |body: &str| format!("void f(int n, int m, int k) {{ {body} }}");
    check(&of("for (int i = 0; i < (n < m ? n : m) && i < n; i++) g();"), &["= min(m, n)"]);
    check(&of("for (int i = n > m ? n : m; i < k; i++) g();"), &["= k - max(m, n)"]);
    check(&of("if (n > m) n = m; while (n-- > 0) g();"), &["= 1", "= 1", "= min(m, n)"]);
    check(&of("for (int i = 0; i < n && i < m && i < k + 1; i++) g();"), &["= min(min(m, n) - 1, k) + 1"]);
    check(&of("n = n++ < m ? n : m; while (n-- > 0) g();"), &["= 1", "= min(n + 1, m)"]);
    // Which end of a band counts depends on how wide it is.
    check(
        &of("for (int i = 0; i < n; i++) for (int j = i > m ? i - m : 0; j <= i + m && j < n; j++) g();"),
        &["< n*min(2*m + 1, n)"],
    );
    // What is compared is not what is taken.
    for body in ["int e = n < k ? m : n;", "int e = n < m + 3 ? n : m;", "int e = n++ <= m ? n : m;"] {
        check(&of(&format!("{body} for (int i = 0; i < e; i++) g();")), &["= 1", "?"]);
    }
    let found = blocks(&of("for (int i = (n > 2 ? n : 2); i <= (m < k ? m : k); i++) g();"));
    assert_eq!(found[0].directive(), "#pragma cll f f[0] + f[1]*(min(k, m) - max(2, n))");
}

/// A dividend is not negative where the loops around begin, and so in each iteration: processor `s` of `p` has a part.
#[test]
fn quotients_hold_where_their_dividends_are_least() {
    let source = "void f(int n, int p, int s) { for (int k = 0; k < n; k++) for (int i = 0; i < (k + p - 1 - s)/p; i++) g(); }";
    let last =
        blocks(source)[0].statements.iter().rfind(|its| its.part == CountedPart::Whole).cloned().unwrap();
    assert_eq!(last.times.unwrap().to_string(), "(2*n + n*n/p - 2*n*s/p - 3*n/p)/2");
    assert!(last.assumptions.iter().any(|its| its == "p >= s + 1"), "{:?}", last.assumptions);
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
fn what_grows_otherwise_is_rounded() {
    check("void f(int n) { for (int i = 1; i < n; i *= 2) g(); }", &["~ log2(n - 1) + 1"]);
    check("void f(int n) { while (n > 1) n /= 2; }", &["~ log2(n/2) + 1"]);
    check("void f(int n) { for (int i = 1; i*i <= n; i++) g(); }", &["~ sqrt(n)"]);
    assert_eq!(
        blocks("void f(int n) { for (int b = 1; b < n; b *= 2) for (int i = 0; i < n; i += b) g(); }")[0]
            .directive(),
        "#pragma cll f f[0] + f[1]*log2(n) + f[2]*n"
    );
    check(
        "void f(int n) { for (int b = 2; b <= n; b *= 2) for (int i = 0; i < n; i++) g(); }",
        &["~ n*log2(n/2) + n"],
    );
}

#[test]
fn what_data_decide_is_a_bound() {
    check(
        "int f(int n, int *a) { for (int i = 0; i < n; i++) if (a[i]) return i; return -1; }",
        &["< n", "< n", "< 1"],
    );
    check("void f(int n, int *a) { for (int i = 0; i < n && a[i]; i++) g(); }", &["< n"]);
    check(
        "void f(int n, int *a) { for (int i = 0; i < n; i++) { if (a[i]) continue; g(); } }",
        &["= n", "< n", "< n"],
    );
    check(
        "void f(int n, int k) { switch (k) { case 1: for (int i = 0; i < n; i++) g(); } }",
        &["= 1", "< n"],
    );
}

#[test]
fn what_a_loop_leaves_behind_is_told() {
    let source = "void f(int n, int m) { int i = 0; while (i < n) i++; while (i < m) i++; }";
    check(source, &["= 1", "= n", "= m - n"]);
    let last = blocks(source)[0].statements.last().unwrap().assumptions.clone();
    assert!(last.contains(&"n >= 0".to_owned()) && last.contains(&"m >= n".to_owned()), "{last:?}");
    // The size of a step is declared in the body.
    check("void f(int n) { while (n > 0) { int k = g(); n -= k; } }", &["?", "?"]);
}

#[test]
fn what_is_not_understood_is_unknown() {
    for source in [
        "void f(int n) { for (int i = 0; i < n; i++) if (g()) n--; }",
        "void f(struct list *p) { while (p) p = p->next; }",
        "void f(unsigned n) { for (unsigned i = n; i >= 0; i--) g(); }",
        "void f(int n) { for (int i = 0; i < n; i--) g(); }",
        "void f(int n) { for (char i = 0; i < n; i++) g(); }",
        "void f(double n) { for (double x = 0; x < n; x += 0.1) g(); }",
        "void f(int n) { int *p = &n; for (int i = 0; i < n; i++) *p = 2; }",
        "void f(int n) { again: g(); if (n--) goto again; }",
        "int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }",
        "void f(char *p, char *end) { while (p < end) p++; }",
    ] {
        assert!(counts(source).iter().any(|count| count == "?"), "{source}: {:?}", counts(source));
        let block = &blocks(source)[0];
        assert!(block.formula().is_none() && !block.unknown.is_empty(), "{source}");
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

/// What runs in a call that is counted and in one that is not is unknown.
#[test]
fn a_part_of_a_number_is_none() {
    let program = "void pop(void) { e(); } void some(int *a) { for (int i = 0; a[i]; i++) pop(); pop(); }";
    for body in ["some(a);", "some(a); pop();", "pop(); some(a);"] {
        let found = counts(&format!("void f(int *a) {{ {body} }} {program}"));
        assert!(found.contains(&"pop ?".to_owned()), "{body}: {found:?}");
    }
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

/// The variable of a loop that may not run is something else behind it than its bound: that matters to those only who read it.
#[test]
fn behind_loops_whose_length_is_not_known() {
    for (source, expected) in [
        (
            "void f(int n, const int *start, double *y) { for (int i = 0; i < n; i++) { double sum = 0; \
             for (int k = start[i]; k < start[i + 1]; k++) sum += k; y[i] = sum; } }",
            "#pragma cll f f[0] + f[1]*(start[n] - start[0]) + f[2]*n",
        ),
        (
            "void f(int n, const int *start, double *y) { int i, k; double sum; for (i = 0; i < n; i++) { sum = 0; \
             for (k = start[i]; k < start[i + 1]; k++) sum += k; y[i] = sum; } for (k = 0; k < n; k++) y[k]++; }",
            "#pragma cll f f[0] + f[1]*(start[n] - start[0]) + f[2]*n",
        ),
        // What it is there is read: behind the loop, by another loop that goes on with it, by its address.
        (
            "void f(int n, const int *start, double *y) { int k; for (int i = 0; i < n; i++) { \
             for (k = start[i]; k < start[i + 1]; k++) y[k]++; for (int j = 0; j < k; j++) y[j] = 1; } }",
            "#pragma cll f variables n, start[0], start[n]",
        ),
        (
            "void f(int n, const int *start, double *y) { int i, k; for (i = 0; i < n; i++) { \
             for (k = start[i]; k < start[i + 1]; k++) y[k]++; for (; k < n; k++) y[k] = 1; } }",
            "#pragma cll f variables n, start[0], start[n]",
        ),
        (
            "void f(int n, double *y) { int k; for (k = 5; k < n; k++) y[k]++; for (int j = 0; j < k; j++) y[j] = 1; }",
            "#pragma cll f f[0] + f[1]*n",
        ),
    ] {
        assert_eq!(blocks(source)[0].directive(), expected, "{source}");
    }
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

/// What has to hold for the numbers of the first function.
fn assumed(source: &str) -> Vec<String> {
    let blocks = blocks(source);
    blocks[0].statements.iter().flat_map(|statement| statement.assumptions.iter().cloned()).collect()
}

#[test]
fn unsigned_values_do_not_wrap_round_where_numbers_hold() {
    let members = "struct s { unsigned n; int m; double x; unsigned *list; }; ";
    for (source, expected) in [
        ("void f(unsigned n, unsigned m) { if (n - m < 10) g(); }", "n >= m"),
        ("void f(unsigned n) { for (unsigned i = 0; i <= n - 1; i++) g(); }", "n >= 1"),
        ("void f(unsigned n, unsigned m) { for (unsigned i = n; i >= m; i--) g(); }", "m >= 1"),
        ("void f(int n, unsigned k) { if ((unsigned)n < k) g(); }", "n >= 0"),
        (&format!("{members}void f(struct s *s, int k) {{ if (k < s->n) g(); }}"), "k >= 0"),
        (&format!("{members}void f(struct s *s, int k) {{ if (k < s->list[0]) g(); }}"), "k >= 0"),
        ("void f(unsigned *a, int k) { if (k < a[0]) g(); }", "k >= 0"),
    ] {
        assert!(assumed(source).contains(&expected.to_owned()), "{source}: {:?}", assumed(source));
    }
    check("void f(unsigned n) { for (unsigned i = n; i > 0; i -= 2) g(); }", &["?"]);
    check("void f(unsigned n) { for (unsigned i = n; i > 1; i -= 2) g(); }", &["= floor(n/2)"]);
    check("void f(unsigned n) { for (unsigned i = 0; i < (n - 1)/2; i++) g(); }", &["?"]);
}

#[test]
fn numbers_that_are_no_whole_ones_are_unknown() {
    let members = "struct s { double x; float *list; }; ";
    check(&format!("{members}void f(struct s *s) {{ for (int i = 0; i < s->x; i++) g(); }}"), &["?"]);
    check(&format!("{members}void f(struct s *s) {{ for (int i = 0; i < s->list[0]; i++) g(); }}"), &["?"]);
    check("void f(double *x) { for (int i = 0; i < x[0]; i++) g(); }", &["?"]);
    check("void f(int n) { h(100*n); } void h(char n) { for (int i = 0; i < n; i++) g(); }", &["= 1", "h ?"]);
    check("void f(int n) { if ((char)n) g(); }", &["= 1", "< 1"]);
    check("void f(int n) { for (int i = -3; i*i < n; i++) g(); }", &["?"]);
}

/// What has to hold is told without the variables of loops, where a bound is an element, too.
#[test]
fn assumptions_name_no_variable_of_a_loop() {
    let of = |end: &str| {
        assumed(&format!(
            "void f(int *n, int *m) {{ for (int j = 1; j <= *n; j++) for (int i = 1; i <= {end}; i++) g(); }}"
        ))
    };
    assert_eq!(of("*m + j"), ["n[0] >= 0", "m[0] >= -1", "n[0] >= 0"]);
    assert_eq!(of("*m - j"), ["n[0] >= 0", "m[0] >= n[0]", "n[0] >= 0"]);
}

/// A variable that has to meet its bound begins on its side: else the loop goes on until it wraps round.
#[test]
fn what_has_to_meet_a_bound_begins_on_its_side() {
    for (body, expected) in [
        ("while (--n) { if (n < 0) g(); }", "n >= 1"),
        ("while (n--) { if (n < 0) g(); }", "n >= 0"),
        ("for (int i = 2; i != n; i++) if (i > n) g();", "n >= 2"),
    ] {
        let blocks = blocks(&format!("void f(int n) {{ {body} }}"));
        let never =
            blocks[0].statements.iter().filter(|its| its.times.as_ref().is_some_and(|times| times.is_zero()));
        let assumed: Vec<&[String]> = never.map(|its| &its.assumptions[..]).collect();
        assert_eq!(assumed, [[expected.to_owned()]], "{body}");
    }
}

/// What lasts from call to call has its value before the program begins.
#[test]
fn values_of_what_lasts_are_not_given_again() {
    check(
        "void f(void) { static int a[2] = { 1, 2 }; const static int b = 3; int c = 4; g(); }",
        &["= 1", "= 1"],
    );
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

/// Statements of the two ways through a condition on parameters never run in one execution.
#[test]
fn cases_that_exclude_each_other() {
    let cases = |body: &str| {
        let source = format!("int s;\nvoid f(int n, int m) {{ {body} }}");
        blocks(&source)[0].cases.iter().cloned().collect::<Vec<String>>()
    };
    let both = "for (int i = 0; i < n; i++) if (n > 100) s++; else s += 2;";
    assert_eq!(cases(both), ["100 >= n", "n >= 101"]);
    assert_eq!(cases("for (int i = 0; i < n; i++) if (n > 100) s++;"), [""; 0]);
    assert_eq!(cases("if (n > m) for (int i = m; i < n; i++) s++; else s = 0;"), ["m >= n", "n >= m + 1"]);
}
