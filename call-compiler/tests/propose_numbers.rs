//! Numbers that `call propose` counts in: halves, quotients, the lesser and the greater one.

use call_compiler::CountedPart;

use super::propose::{blocks, check, counts};

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
        // What is not whole ends a loop behind the whole number before it.
        ("", "sqrt((double)n)", "~ sqrt(n) + 1"),
        ("if (a[n % 3]) return", "sqrt(n)", "< sqrt(n) + 1"),
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

/// What runs in a call that is counted and in one that is not is unknown.
#[test]
fn a_part_of_a_number_is_none() {
    let program = "void pop(void) { e(); } void some(int *a) { for (int i = 0; a[i]; i++) pop(); pop(); }";
    for body in ["some(a);", "some(a); pop();", "pop(); some(a);"] {
        let found = counts(&format!("void f(int *a) {{ {body} }} {program}"));
        assert!(found.contains(&"pop ?".to_owned()), "{body}: {found:?}");
    }
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

/// A difference below 0 makes a large number of an unsigned variable: the loop then runs.
#[test]
fn unsigned_variables_go_down_from_what_is_not_negative_in_any_iteration() {
    for step in ["j--", "j /= 2", "j -= 1"] {
        for kind in ["unsigned", "unsigned long"] {
            let of = |first: &str| {
                counts(&format!(
                    "void f(int n, int m) {{ for (int i = 0; i < n; i++) for ({kind} j = {first}; j > 0; {step}) g(); }}"
                ))
            };
            assert_eq!(of("i - m"), ["?"], "{kind}, {step}");
            assert_ne!(of("i"), ["?"], "{kind}, {step}");
        }
    }
}

/// What is taken away from a bound is rounded so that it stays one.
#[test]
fn bounds_are_rounded_to_the_safe_side() {
    let of = |first: &str, inner: &str, does: &str| {
        let found = counts(&format!(
            "void f(int n, int m, int *a) {{ for (int i = 0; i < {first}; i++) for (int j = {inner}; j++) {does} }}"
        ));
        found.last().unwrap().clone()
    };
    // For m = 10 and all of them: 3 times for j < 8, 4 times 9, 4 times 10 are 87; 40*10/4 - 45/4 were 88.75.
    assert_eq!(of("10", "i/4; j < m", "if (a[j]) g();"), "< (40*m - 15)/4");
    assert_eq!(of("10", "i/4; j < m", "g();"), "~ (40*m - 45)/4");
    assert_eq!(of("n", "0; j < i/4", "if (a[j]) g();"), "< (n*n - n)/8");
}
