//! What `call propose` counts in small programs. `scripts/counts` judges the same by running programs.

use call_compiler::{BlockCounts, BlockKind, Part, Quality, count};

fn blocks(source: &str) -> Vec<BlockCounts> {
    count("x.c", format!("# 1 \"x.c\"\n{source}\n").as_bytes())
}

/// Each statement of the first function with its number: `=` exact, `~` rounded, `<` at most, `?` unknown.
pub fn counts(source: &str) -> Vec<String> {
    let blocks = blocks(source);
    let function = blocks.iter().find(|block| block.kind == BlockKind::Function).unwrap();
    let statements = function.statements.iter().filter(|statement| statement.part != Part::LoopEntry);
    statements
        .map(|statement| {
            let sign = match (&statement.times, statement.quality) {
                (None, _) => "?".to_owned(),
                (Some(times), Quality::Exact) => format!("= {times}"),
                (Some(times), Quality::Rounded) => format!("~ {times}"),
                (Some(times), Quality::AtMost) => format!("< {times}"),
            };
            match (statement.part, &statement.function) {
                (Part::Library(name), _) => format!("{name} {sign}"),
                (_, Some(function)) => format!("{function} {sign}"),
                _ => sign,
            }
        })
        .collect()
}

#[track_caller]
fn check(source: &str, expected: &[&str]) {
    assert_eq!(counts(source), expected, "{source}");
}

#[test]
fn addresses_count_elements_of_their_own_type() {
    let of = |body: &str| format!("void f(int *to, int n) {{ {body} }}");
    check(&of("for (int *at = to; at < to + n; at++) g();"), &["= n"]);
    check(
        "typedef unsigned char byte; void f(byte *to, int n) { byte *at; for (at = to; at < to + n; at++) g(); }",
        &["= n"],
    );
    check(&of("for (int *at = to; at < (int *)((char *)to + n); at++) g();"), &["?"]);
    check(&of("for (char *at = (char *)to; at < (char *)(to + n); at++) g();"), &["?"]);
    check(&of("for (long i = 0; i < (long)(to + n) - (long)to; i++) g();"), &["?"]);
    check(&of("for (long i = 0; i < (to + n) - to; i++) g();"), &["= n"]);
}

/// Intervals that become half as long: only where both ends come nearer, and once more than the logarithm rounded down.
#[test]
fn halves_of_intervals() {
    for (start, condition, middle, low, high, expected) in [
        ("0, hi = n - 1", "lo <= hi", "(lo + hi) / 2", "m + 1", "m - 1", "~ log2(n) + 1"),
        ("0, hi = n", "lo < hi", "lo + (hi - lo) / 2", "m + 1", "m", "~ log2(n) + 1"),
        ("0, hi = n", "lo < hi", "(lo + hi + 1) / 2", "m", "m - 1", "~ log2(n) + 1"),
        ("0, hi = n", "lo != hi", "(lo + hi) / 2", "m + 1", "m", "~ log2(n) + 1"),
        // Where one end is the middle, nothing changes any more.
        ("0, hi = n", "lo < hi", "(lo + hi) / 2", "m", "m", "?"),
        ("0, hi = n", "lo < hi", "(lo + hi) / 2", "m", "m - 1", "?"),
        ("0, hi = n", "lo < hi", "(lo + hi + 1) / 2", "m + 1", "m", "?"),
        ("0, hi = n", "lo <= hi", "(lo + hi) / 2", "m + 1", "m", "?"),
        // They may pass each other.
        ("0, hi = n", "lo != hi", "(lo + hi) / 2", "m + 1", "m - 1", "?"),
    ] {
        let source = format!(
            "void f(int *a, int n) {{ int lo = {start}; while ({condition}) {{ int m = {middle}; \
             if (a[m]) lo = {low}; else hi = {high}; }} }}"
        );
        let found = counts(&source);
        assert!(found.contains(&expected.to_owned()), "{source}: {found:?}");
        assert!(expected == "?" || !found.contains(&"?".to_owned()), "{source}: {found:?}");
    }
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

/// Of two branches that a parameter decides between one runs: their numbers are no sum where both conditions would hold.
#[test]
fn branches_that_exclude_each_other_are_no_sum() {
    check("void f(int n) { if (n != 68) g(); }", &["= 1", "< 1"]);
    check("void f(int n, int m) { for (int i = 0; i < m; i++) if (n != 68) g(); }", &["= m", "< m"]);
    let called = "static void h(int k) { for (int i = 0; i < k; i++) g(); } ";
    let of =
        |branches: &str| counts(&format!("void h(int k); void f(int n, int m) {{ {branches} }} {called}"));
    let found = of("if (n > 100) h(n); else h(m);");
    assert_eq!(found, ["= 1", "= 1", "= 1", "h < m + n"]);
    // Outside of its branch a number may be less than nothing, and so their sum is no bound.
    let found = of("if (n > 100) h(n - 100); else h(100 - n);");
    assert_eq!(found, ["= 1", "= 1", "= 1", "h ?"]);
    // What chooses between ways is no size that is meant to be large.
    check("void f(int n) { if (n == 7) g(); else h(); }", &["= 1", "< 1", "< 1"]);
    check("void f(const int *n) { if (n[0] != 'a') g(); }", &["= 1", "< 1"]);
    check("void f(int n) { if (n == 1) g(); else h(); }", &["= 1", "= 0", "= 1"]);
    check("void f(int n) { for (int i = 0; i < n; i++) if (i == 7) g(); }", &["= n", "= 1"]);
    // Both run.
    let found = of("if (n > 100) h(n); h(m);");
    assert_eq!(found, ["= 1", "= 1", "= 1", "h = m + n"]);
}

#[test]
fn what_a_formula_has_no_constant_for_is_told() {
    let loops: String = ('a'..='h').map(|name| format!("for (int i = 0; i < {name}; i++) g();")).collect();
    let parameters: Vec<String> = ('a'..='h').map(|name| format!("int {name}")).collect();
    let found = blocks(&format!("void f({}) {{ {loops} }}", parameters.join(", ")));
    let basis = |terms: &[call_compiler::Term]| -> Vec<String> {
        terms.iter().map(|term| term.basis.to_string()).collect()
    };
    assert_eq!(basis(&found[0].terms), ["1", "d", "e", "f", "g", "h"]);
    assert_eq!(basis(&found[0].left_out), ["a", "b", "c"]);
}

/// What a function does for a number that it hands on to itself as another one is no product.
#[test]
fn recursion_with_another_number() {
    let of = |argument: &str| {
        format!(
            "void f(int n, int k) {{ if (n < 1) return; for (int i = 0; i < k; i++) g(); f(n - 1, {argument}); }}"
        )
    };
    assert!(counts(&of("k")).contains(&"~ k*n".to_owned()), "{:?}", counts(&of("k")));
    for argument in ["k + 1", "k / 2", "n"] {
        let found = counts(&of(argument));
        assert!(!found.iter().any(|count| count.contains('k')), "{argument}: {found:?}");
    }
}

/// What is changed behind a pointer without a name may be any member of that name.
#[test]
fn members_change_behind_pointers_without_a_name() {
    let program = "struct v { int n; struct v *next; }; struct v *pick(void); \
        void set(struct v *p) { p->n = 3; } void grow(struct v **p) { (*p)->n = 3; } int *start;";
    for (body, is_known) in [
        ("set(x);", false),
        ("set(x + 0);", false),
        ("set(&x[0]);", false),
        ("set(n > 2 ? x : y);", false),
        ("set((pick(), x));", false),
        ("set(pick());", false),
        ("set(q[2]);", false),
        ("set(*q);", false),
        ("set((*q)->next);", false),
        ("grow(&x);", false),
        ("grow(q);", false),
        ("grow(&y->next);", false),
        ("pick()->n = 3;", false),
        ("(n > 2 ? x : y)->n = 3;", false),
        ("q[2]->n = 3;", false),
        ("(*q)->n++;", false),
        ("q[2]->next = x; set(0);", true),
    ] {
        let source = format!(
            "void f(struct v *x, struct v *y, struct v **q, int n) {{ \
             x->n = n; {body} for (int i = 0; i < x->n; i++) start[0]++; }} {program}"
        );
        let found = counts(&source);
        assert_eq!(found.contains(&"= n".to_owned()), is_known, "{body}: {found:?}");
    }
}

/// What a function changes that calls itself with the address of a member has no end.
#[test]
fn addresses_of_members_are_handed_over_again_and_again() {
    let program = "struct v { int n; struct v *next; }; \
        void clear(struct v **p) { (*p)->n = 0; if ((*p)->next) clear(&(*p)->next); } \
        void inner(struct v *p) { p->n = 0; if (p->next) inner((struct v *)&p->next); }";
    for call in ["clear(&x)", "inner(x)"] {
        let found = counts(&format!(
            "void f(struct v *x, int n) {{ x->n = n; {call}; for (int i = 0; i < x->n; i++) g(); }} {program}"
        ));
        assert!(found.contains(&"?".to_owned()) && !found.contains(&"= n".to_owned()), "{call}: {found:?}");
    }
}

/// Members of a structure that was copied have the values that those of the other one had then.
#[test]
fn structures_are_copied_with_their_members() {
    let types = "struct in { int k; }; struct t { int n; int m; struct in in; int *data; struct t *next; }; \
        union u { int u; int v; }; struct t *pick(void); void touch(struct t *p); struct t g_;";
    let program = "static void set(struct t *to, int n) { to->n = n; }";
    for (body, bound, expected) in [
        ("struct t c = *p;", "c.n", "= p->n"),
        ("struct t c; c = *p;", "c.n", "= p->n"),
        ("struct t c = o;", "c.in.k", "= o.in.k"),
        ("struct in c = p->in;", "c.k", "= p->in.k"),
        ("struct t *x = p; struct t c = *x;", "c.n", "= p->n"),
        ("p->n = k; struct t c = *p; p->n = 7;", "c.n", "= k"),
        ("struct t c = *p; p->n = k;", "c.n", "= p->n"),
        ("struct t c = *p; q->n = k;", "c.n", "= p->n"),
        ("struct t c = *p; set(p, k);", "c.n", "= p->n"),
        ("struct t c = *p; c.n = k;", "p->n", "= p->n"),
        ("struct t c = *p; c.n = k;", "c.n", "= k"),
        ("struct t c = *p; c.n = k;", "c.m", "= p->m"),
        ("struct t c = o; c.n = k;", "o.n", "= o.n"),
        ("struct t c = o; o.n = k;", "c.n", "= o.n"),
        ("struct t c = *p; struct t d = c; c.n = k;", "d.n", "= p->n"),
        ("struct t c; c.n = 3; c = *p;", "c.n", "= p->n"),
        ("struct t c = g_; g_.n = k;", "c.n", "= g_.n"),
        ("struct t c = *p; if (k > 3) c.n = 4;", "c.m", "= p->m"),
        ("struct t c = *p; { struct t c = *q; c.n = 4; }", "c.n", "= p->n"),
        // What may be another value.
        ("struct t c = *p; if (k > 3) c.n = 4;", "c.n", "?"),
        ("struct t c = *p; if (k > 3) c = *q;", "c.n", "?"),
        ("struct t c; if (k > 3) { c = *p; } else { p->n = 3; c = *p; }", "c.n", "?"),
        ("struct t c = k ? *p : *q;", "c.n", "?"),
        ("struct t c; while (k--) { c = *p; p->n++; }", "c.n", "?"),
        ("struct t c = *p; while (k--) c.n++;", "c.n", "?"),
        ("struct t c = *p; touch(&c);", "c.n", "?"),
        ("struct t c = *p; set(&c, k);", "c.n", "?"),
        ("struct t c = *p; int *x = &c.n; *x = 3;", "c.n", "?"),
        ("struct t c = *p; struct t *x = &c; x->n = 3;", "c.n", "?"),
        ("struct t c = *p; c.in = p->next->in;", "c.in.k", "?"),
        ("struct t c = *p; c.in = p->next->in; struct t d = c;", "d.in.k", "?"),
        ("union u c = *r; c.v = 3;", "c.u", "?"),
        ("struct t c = p[k];", "c.n", "?"),
        ("struct t c = *p; goto in; in: c.n = 3; if (k--) goto in;", "c.n", "?"),
        ("q = pick(); struct t c = *q;", "c.n", "?"),
        ("g_ = o; g_.n = 5; o = g_;", "o.n", "?"),
        ("p->in = q->in; p->in.k = 5; q->in = p->in;", "q->in.k", "?"),
        // What pointers of both point to is the same.
        ("struct t c = *p; p->next->n = k;", "c.next->n", "?"),
        ("struct t c = *p; c.next->n = k;", "p->next->n", "?"),
        ("struct t c = *p; c.data[0] = 7;", "p->data[0]", "?"),
        ("struct t *x = &o; struct t c = *x; c.data[0] = 7;", "o.data[0]", "?"),
        // And stays so behind a pointer that is there no more.
        ("{ struct t *x = pick(); x->n = 5; }", "p->n", "?"),
    ] {
        let source = format!(
            "{types} void f(struct t *p, struct t *q, struct t o, union u *r, int k) {{ \
             {body} for (int i = 0; i < {bound}; i++) g(); }} {program}"
        );
        let found = counts(&source);
        let of_loop = found.iter().rfind(|count| count.starts_with(['=', '?'])).map(String::as_str);
        assert_eq!(of_loop, Some(expected), "{body} {bound}: {found:?}");
    }
}

/// Counts speak of what is there when the block begins: no sizes of what it declares, nor of what only a called function knows.
#[test]
fn sizes_are_told_in_names_that_are_there() {
    let types = "typedef int three[3]; struct s { int a; };";
    let program = "static void clear(char *x, int n) { for (int i = 0; i < n; i++) x[i] = 0; } \
        static void of(double *x) { clear(0, sizeof(*x)); } static void in(int x) { clear(0, x); }";
    for (body, expected) in [
        ("double v[n]; clear(0, sizeof(v));", "clear = n*sizeof(double)"),
        ("double v[n]; n = 3; clear(0, sizeof(*v));", "clear = sizeof(double)"),
        ("double *v[4]; clear(0, sizeof v);", "clear = 4*sizeof(void *)"),
        ("double *v[4]; clear(0, sizeof v[0]);", "clear = sizeof(void *)"),
        ("double *v[4]; clear(0, sizeof *v[0]);", "clear = sizeof(double)"),
        ("char v[2][5]; clear(0, sizeof v[1]);", "clear = 5*sizeof(char)"),
        ("struct s v; clear(0, sizeof v);", "clear = sizeof(struct s)"),
        ("three v; clear(0, sizeof(v));", "clear = sizeof(three)"),
        ("clear(0, sizeof(three));", "clear = sizeof(three)"),
        ("{ float a; clear(0, sizeof(a)); }", "clear = sizeof(float)"),
        ("clear(0, sizeof(*a));", "clear = sizeof(char)"),
        ("int x; of(0);", "clear = sizeof(double)"),
        ("enum { A = 3, B }; in(B * n);", "clear = 4*n"),
        ("typedef short three; three v; clear(0, sizeof(v));", "clear ?"),
        ("typedef short three; clear(0, sizeof(three));", "clear ?"),
        ("struct s { char c; } v; clear(0, sizeof(v));", "clear ?"),
        ("struct s { char c; }; clear(0, sizeof(struct s));", "clear ?"),
        ("int v[] = {1, 2}; clear(0, sizeof(v));", "clear ?"),
        ("double v[n]; clear(0, sizeof(v + 1));", "clear ?"),
    ] {
        let found = counts(&format!("{types} void f(char *a, int n) {{ {body} }} {program}"));
        let of_loop = found.iter().rfind(|count| count.starts_with("clear")).map(String::as_str);
        assert_eq!(of_loop, Some(expected), "{body}: {found:?}");
    }
}

#[test]
fn addresses_lose_their_type_as_pointers_to_void() {
    let between = "void b(int *from, int *to) { for (int *at = from; at < to; at++) g(); }";
    let of_void = "void b(void *from, void *to) { int *end = to; for (int *at = from; at < end; at++) g(); }";
    let global = "typedef void *handle; typedef handle other; static void *base; static other start; \
        struct s { void *base; int *words; handle grip; };";
    for (caller, callee, expected) in [
        ("void f(int *a, int n) { b(a, a + n); }", between, "b = n"),
        ("void f(struct s *s, int n) { b(s->words, s->words + n); }", between, "b = n"),
        // GNU counts bytes.
        ("void f(void *a, int n) { b(a, a + n); }", between, "b ?"),
        ("void f(void *a, int n) { b(a, n + a); }", between, "b ?"),
        ("void f(int n) { b(base, base + n); }", between, "b ?"),
        ("void f(struct s *s, int n) { b(s->base, s->base + n); }", between, "b ?"),
        ("void f(void *a, int n) { void *e = a; e += n; b(a, e); }", between, "b ?"),
        ("void f(char *a, int n) { b(a, a + n); }", of_void, "b ?"),
        // Other words for pointers to `void`.
        ("void f(handle a, int n) { b(a, a + n); }", between, "b ?"),
        ("void f(int n) { b(start, start + n); }", between, "b ?"),
        ("void f(struct s *s, int n) { b(s->grip, s->grip + n); }", between, "b ?"),
        ("void f(int *a, int n) { handle e = a; e += n; b(a, e); }", between, "b ?"),
    ] {
        let found = counts(&format!("{global} {caller} {callee}"));
        assert_eq!(found.last().map(String::as_str), Some(expected), "{caller}: {found:?}");
    }
}

#[test]
fn a_change_that_only_another_function_reads_is_heeded() {
    let change = "static int most, other; void change(void) { most = other; other = 3; }";
    let read = "void read(void) { for (int i = 0; i < most; i++) g(); }";
    let through = "void through(void) { read(); }";
    let caller = |callee: &str| format!("void f(void) {{ change(); {callee}(); }}");
    for (source, expected) in [
        (format!("{} {change} {read}", caller("read")), "read ?"),
        (format!("{} {change} {read} {through}", caller("through")), "read ?"),
        (format!("{} {read} {through} {change}", caller("through")), "read ?"),
        (format!("void f(void) {{ read(); change(); }} {change} {read}"), "read = most"),
    ] {
        let found = counts(&source);
        let of_read = found.iter().find(|count| count.starts_with("read"));
        assert_eq!(of_read.map(String::as_str), Some(expected), "{source}: {found:?}");
    }
}

/// A variable of the file changes in a function that has another one of its name, too.
#[test]
fn a_change_behind_a_variable_of_the_same_name_is_heeded() {
    let caller =
        "int n; void f(void) { n = 3; h(1); for (int i = 0; i < n; i++) k(); } void set(void) { n = 50; }";
    for (callee, expected) in [
        ("void h(int n) { set(); }", "?"),
        ("void h(int m) { int n = m; set(); }", "?"),
        ("void h(int n) { n = 50; }", "= 3"),
        ("void h(int m) { int n = m; n = 50; }", "= 3"),
    ] {
        let found = counts(&format!("{caller} {callee}"));
        assert!(found.iter().any(|count| count == expected), "{callee}: {found:?}");
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
    check("void f(int n, int m) { for (int i = 0; i < (n < m ? n : m) && i < n; i++) g(); }", &["?"]);
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
            block.statements.iter().filter(|its| its.function.is_some() && its.part == Part::Whole);
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
fn recursion_is_solved_by_its_kind() {
    check(
        "void f(int n) { if (n > 1) { f(n/2); f(n/2); for (int i = 0; i < n; i++) g(); } }",
        &["~ n", "~ n", "~ n", "~ n*log2(n)"],
    );
    check("void f(int n) { if (n > 1) f(n/2); }", &["~ log2(n)", "~ log2(n)"]);
    check(
        "void f(int n) { if (n > 0) { f(n - 1); for (int i = 0; i < n; i++) g(); } }",
        &["~ n", "~ n", "~ n*n"],
    );
    // Data, or another parameter, decide whether there is a call.
    for (body, expected) in [
        ("if (n == 1) return; if (g(n)) f(n - 1, k);", "< n + 2"),
        ("if (n < 1) return; if (g(n)) f(n - 1, k); else f(n - 2, k);", "~ n"),
        ("if (n < 1) return; if (g(n)) return; f(n - 1, k);", "< n + 2"),
        ("if (n > 0 && k > 5) f(n - 1, k);", "< n + 2"),
        ("if (n > 0) f(n / 2, k); if (n > 0 && g(n)) f(n / 2, k);", "< 8*n"),
        ("n > 0 && f(n - 1, k);", "~ n"),
        ("n > 0 && g(n) && f(n - 1, k);", "< n + 2"),
        ("n > 0 ? f(n - 1, k) : 0;", "~ n"),
        ("n > 0 ? g(n) ? f(n - 1, k) : f(n - 2, k) : 0;", "~ n"),
        ("k > 0 ? f(n - 1, k) : 0;", "< n + 2"),
        ("if (n < 1) return; if (g(n)) return; f(n / 2, k);", "< log2(n) + 3"),
        ("if (n < 1) return; if (x[0] == 0) return; f(n - 1, k);", "< n + 2"),
        ("if (n < 1) return; if (k < 5) return; f(n - 1, k);", "< n + 2"),
        (
            "if (n < 1) return; if (n % 2) return f(n / 2, k) + f(n / 2, k); return f(n / 2, k) + f(n / 2, k + 1);",
            "~ n",
        ),
        ("switch (n) { case 0: break; default: f(n - 1, k); }", "< n + 2"),
    ] {
        let found = counts(&format!("int f(int n, int k) {{ h(); {body} }}"));
        assert_eq!(found[0], expected, "{body}: {found:?}");
    }
}

/// A logarithm of 0 has no value, and that of a number does not grow.
#[test]
fn logarithms_of_numbers_are_no_terms() {
    let of = |number: &str| {
        blocks(&format!(
            "void f(int n) {{ for (int i = 0; i < n; i++) h({number}); }} static void h(int k) {{ while (k > 0) {{ k /= 2; g(); }} }}"
        ))
    };
    assert_eq!(of("1234")[0].directive(), "#pragma cll f f[0] + f[1]*n");
    assert_eq!(of("0")[0].formula(), None);
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

#[test]
fn what_changes_behind_a_name_is_unknown() {
    // Functions that call each other change what any of them changes.
    let circle =
        "int g; void pong(int); void ping(int n) { if (n) pong(n - 1); } void pong(int n) { g--; ping(n); }";
    let source = format!("void f(void) {{ for (int i = 0; i < g; i++) ping(2); }} {circle}");
    assert_eq!(counts(&source)[0], "?", "{source}");
    // Variables of few bits, whatever they are declared as.
    for declared in ["unsigned char c;", "typedef unsigned char u8; u8 c;", "static short c;"] {
        check(&format!("{declared} void f(int n) {{ for (c = 0; c < n; c++) g(); }}"), &["?"]);
    }
    check(
        "struct s { short c, *d; unsigned b : 3; }; void f(struct s *p, int n) { for (p->c = 0; p->c < n; p->c++) g(); for (p->b = 0; p->b < n; p->b++) g(); }",
        &["?", "?"],
    );
    check("void f(unsigned n) { for (; n >= 0; n--) g(); }", &["?"]);
    let source = "void f(int n) { signed char c; for (c = 0; c < n; c++) g(); }";
    assert!(blocks(source)[1].terms.is_empty(), "the loop alone: {source}");
    // Sizes of arrays are computed; members of a union and structures that are copied as a whole.
    check("void f(int n) { char a[n++]; for (int i = 0; i < n; i++) g(); }", &["= n + 1"]);
    check(
        "struct s { int n; }; void f(struct s *p, struct s *q) { *p = *q; for (int i = 0; i < p->n; i++) g(); }",
        &["= 1", "?"],
    );
    check(
        "union u { int i; short s[2]; }; void f(int n) { union u w; w.i = n; w.s[0] = 3; for (int i = 0; i < w.i; i++) g(); }",
        &["= 1", "= 1", "?"],
    );
    // What stands right of `&&` need not run.
    check("void f(int n, int m) { n && (m = 9); for (int i = 0; i < m; i++) g(); }", &["= 1", "?"]);
    assert_eq!(counts("void f(int n) { if (n > 3 && h(n)) g(); } int h(int n) { return n; }")[2], "h = 1");
}

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

#[test]
fn what_pointers_may_reach_is_unknown() {
    let last = |source: &str| counts(source).pop().unwrap();
    let bound = "for (int i = 0; i < n; i++) k();";
    for source in [
        "void f(int *a) { int *b = a + 1; b[-1] = 5; for (int i = 0; i < a[0]; i++) k(); }",
        "void f(int *a) { int *b = a; *b++ = 5; for (int i = 0; i < a[0]; i++) k(); }",
        "struct s { int m; }; void f(struct s *s) { h(s); for (int i = 0; i < s->m; i++) k(); } \
         void h(struct s *s) { struct s *t = s; t->m = 3; }",
        "void f(int *a) { h(a); for (int i = 0; i < a[0]; i++) k(); } void h(int *a) { int *p = a; *p = 5; }",
        "void f(int *a) { a[0] = 5; h(a); } void h(int *a) { for (int i = 0; i < a[0]; i++) k(); }",
        "struct s { int m; }; void f(struct s *s) { memset(s, 0, 4); for (int i = 0; i < s->m; i++) k(); }",
        // Functions that pointers name.
        &format!(
            "static int n; void f(int m) {{ n = m; hook(2); {bound} }} void set(int m) {{ n = m; }} void (*hook)(int) = set;"
        ),
        &format!(
            "static int n; void f(int m, int *a) {{ n = m; qsort(a, m, 4, order); {bound} }} \
                  void qsort(void *, int, int, int (*)(int *, int *)); int order(int *a, int *b) {{ n++; return *a - *b; }}"
        ),
        // A variable of the file that has an address.
        &format!("static int n; int *at = &n; void f(int *a) {{ *a = 3; {bound} }}"),
    ] {
        assert!(counts(source).iter().any(|count| count.ends_with('?')), "{source}: {:?}", counts(source));
    }
    assert_eq!(
        last("void f(int *a) { int *b = g(); b[0] = 5; for (int i = 0; i < a[0]; i++) k(); }"),
        "= a[0]"
    );
}
