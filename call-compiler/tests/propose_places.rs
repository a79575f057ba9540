//! What `call propose` counts where members, elements and copies of structures change.

use super::propose::{blocks, check, counts};

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
    let file = "static int most, other;";
    let change = "void change(void) { most = other; other = 3; }";
    let read = "void read(void) { for (int i = 0; i < most; i++) g(); }";
    let through = "void through(void) { read(); }";
    let caller = |callee: &str| format!("{file} void f(void) {{ change(); {callee}(); }}");
    for (source, expected) in [
        (format!("{} {change} {read}", caller("read")), "read ?"),
        (format!("{} {change} {read} {through}", caller("through")), "read ?"),
        (format!("{} {read} {through} {change}", caller("through")), "read ?"),
        (format!("{file} void f(void) {{ read(); change(); }} {change} {read}"), "read = most"),
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
