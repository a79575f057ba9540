//! What `call propose` makes of addresses: whether there is something at all, and how many elements are between two.

use super::propose::{blocks, check};

/// Whether there is an array at all is nothing that a formula can tell.
#[test]
fn conditions_on_addresses_are_bounds() {
    let of = |body: &str| {
        format!(
            "struct s {{ int n; int *a; struct s *next; }}; int *all; void f(int *p, struct s *q, int n) {{ {body} }}"
        )
    };
    for condition in ["p", "p != 0", "!p", "q->a", "q->a == 0", "all", "p && q->next", "p < all"] {
        check(&of(&format!("for (int i = 0; i < n; i++) if ({condition}) g();")), &["= n", "< n"]);
    }
    check(&of("if (p == 0) return; for (int i = 0; i < n; i++) g();"), &["= 1", "< 1", "< n"]);
    check(&of("for (; p < all; p++) g();"), &["?"]);
    check(&of("int *end = p + n; while (p != end) p++;"), &["= 1", "= n"]);
    // A function that is handed none.
    let callee = "void run(int *p, int n) { for (int i = 0; i < n; i++) if (p) g(); }";
    check(&format!("void f(int *a, int n) {{ run(0, n); }} {callee}"), &["= 1", "run = n", "run = 0"]);
}

/// An element is a size like any other, wherever it stands.
#[test]
fn elements_at_fixed_places_are_terms() {
    let found = blocks(
        "void f(int *size) { for (int i = 0; i < size[0]; i++) for (int j = 0; j < size[1]; j++) g(); }",
    );
    assert_eq!(found[0].formula().unwrap(), "f[0] + f[1]*size[0] + f[2]*size[0]*size[1]");
    let found = blocks("void f(int n, int *start) { for (int i = start[0]; i < start[n]; i++) g(); }");
    assert_eq!(found[0].formula().unwrap(), "f[0] + f[1]*(start[n] - start[0])");
}

/// What an address leads to is read where there is something only.
#[test]
fn what_may_be_none_is_read_under_a_condition() {
    let types = "struct s { int n; struct s *next; };";
    for (body, read) in [
        ("if (p) for (int i = 0; i < p->n; i++) g();", Some("p->n")),
        ("if (!p) return; for (int i = 0; i < p->n; i++) g();", Some("p->n")),
        ("if (p->next) for (int i = 0; i < p->next->n; i++) g();", Some("p->next->n")),
        ("if (p->next) g(); for (int i = 0; i < p->n; i++) g();", None),
        ("if (p->n > 3) for (int i = 0; i < p->n; i++) g();", None),
    ] {
        let found = blocks(&format!("{types} void f(struct s *p) {{ {body} }}"));
        assert_eq!(found[0].read_under_condition().as_ref().map(|(name, _)| &name[..]), read, "{body}");
    }
}

#[test]
fn addresses_count_elements_of_their_own_type() {
    let of = |body: &str| format!("void f(int *to, int n) {{ {body} }}");
    check(&of("for (int *at = to; at < to + n; at++) g();"), &["= n"]);
    check(
        "typedef unsigned char byte; void f(byte *to, int n) { byte *at; for (at = to; at < to + n; at++) g(); }",
        &["= n"],
    );
    check(&of("for (int *at = &to[0]; at < &to[n]; at++) g();"), &["= n"]);
    check(&of("for (int *at = &to[n - 1]; at >= to; at--) g();"), &["= n"]);
    check(
        &of("int *at = &to[1], *end = &to[n]; while (at != end) { *at++ = 0; g(); }"),
        &["= 1", "= n - 1", "= n - 1"],
    );
    check(&of("for (int *at = &to[0]; at < &to[n]; at++) at = &to[n/2];"), &["?"]);
    check(&of("for (char *at = (char *)&to[0]; at < (char *)&to[n]; at++) g();"), &["?"]);
    check(&of("for (int *at = &to[0]; at < (int *)&((char *)to)[n]; at++) g();"), &["?"]);
    check(&of("for (int *at = to; at < (int *)((char *)to + n); at++) g();"), &["?"]);
    check(&of("for (char *at = (char *)to; at < (char *)(to + n); at++) g();"), &["?"]);
    check(&of("for (long i = 0; i < (long)(to + n) - (long)to; i++) g();"), &["?"]);
    check(&of("for (long i = 0; i < (to + n) - to; i++) g();"), &["= n"]);
}

/// Nobody knows where an array of the block lies, but how far two of its elements are apart.
#[test]
fn distances_within_arrays_of_the_block() {
    let of = |body: &str| format!("void f(int n) {{ int a[99], b[99]; {body} }}");
    check(&of("for (int *at = a; at < a + n; at++) g();"), &["= n"]);
    check(&of("int *at, *end = a + n; for (at = a; at != end; ++at) g();"), &["= 1", "= n"]);
    check(&of("int *at = &a[n - 1]; while (at >= a) at--;"), &["= 1", "= n"]);
    check(&of("static short s[] = {1, 2}; for (short *at = s; at < &s[n]; at++) g();"), &["= n"]);
    check(&of("long count = (a + n) - a; for (long i = 0; i < count; i++) g();"), &["= 1", "= n"]);
    // Not of one array, or in other elements.
    check(&of("for (int *at = a; at < b; at++) g();"), &["?"]);
    check(&of("int *end = a + n; { int a[9]; for (int *at = a; at < end; at++) g(); }"), &["= 1", "?"]);
    check(&of("for (char *at = (char *)a; at < (char *)(a + n); at++) g();"), &["?"]);
    check(&of("for (long i = 0; i < (long)(a + n) - (long)a; i++) g();"), &["?"]);
    check(&of("int *at = a; for (int i = 0; i < n; i++) { if (at != b) g(); }"), &["= 1", "= n", "< n"]);
    check(
        &of("int *at = a; int *other = at; if (at == other) for (int i = 0; i < n; i++) g();"),
        &["= 1", "= 1", "= 1", "= n"],
    );
    check(
        "int sum(int *, int *); int f(int n) { int a[99]; return sum(a, a + n); }
         int sum(int *from, int *to) { int s = 0; while (from < to) s += *from++; return s; }",
        &["= 1", "sum = 1", "sum = n", "sum = 1"],
    );
}

/// A number that is made an address counts bytes; the pointer goes by elements.
#[test]
fn numbers_are_no_addresses_of_elements() {
    for (pointer, expected) in
        [("int *", "?"), ("double **", "?"), ("vector ", "?"), ("char *", "= to - from")]
    {
        check(
            &format!(
                "typedef float *vector; void f(unsigned long from, unsigned long to) \
                 {{ for ({pointer}p = ({pointer})from; p < ({pointer})to; p++) g(); }}"
            ),
            &[expected],
        );
    }
    check(
        "void f(int n, void *at) { int *end = (int *)at + n; for (int *p = (int *)at; p < end; p++) g(); }",
        &["= 1", "= n"],
    );
    check(
        "void f(int n, int *a) { if (a == (int *)0) return; for (int i = 0; i < n; i++) g(); }",
        &["= 1", "< 1", "< n"],
    );
}
