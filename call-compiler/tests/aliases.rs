//! What `call propose` counts where one thing in memory has several names.

use super::propose::counts;

const TYPES: &str = "struct inner { int n; int d[4]; }; struct s { int n, m; struct inner in; int *data; }; typedef struct s S; \
    typedef S *pointer; struct other { int k; }; union u { struct other whole; long l; int raw[4]; }; \
    struct packed { char c; int n; } __attribute__((packed)); struct list { int n, m; struct list *next; struct inner items[3]; }; \
    struct holder { struct s *p; }; struct s g, kept, all[4]; struct s *keeps = &kept; int h, table[9]; struct s mk(int); \
    struct s *pick(int); void set(struct s *p, struct s o); void *memset(void *, int, unsigned long); ";

/// The count of a loop up to `bound` behind a statement, in a function with these parameters; `others` follow it.
fn of_loop(parameters: &str, statement: &str, bound: &str, others: &str) -> String {
    let function = format!("void f({parameters}) {{ {statement} for (int i = 0; i < {bound}; i++) e(); }}");
    let found = counts(&format!(
        "{TYPES} {function} struct s *pick(int k) {{ return &all[k]; }} void set(struct s *p, struct s o) {{ *p = o; }} {others}"
    ));
    found.into_iter().rfind(|count| count.starts_with(['=', '~', '<', '?'])).unwrap()
}

/// Structures that are written as a whole, and those within others.
#[test]
fn members_change_by_whatever_name() {
    let parameters =
        "struct s *p, struct s *q, struct s *a, struct inner *r, struct s o, struct s **pp, int k";
    for (statement, bound, is_known) in [
        ("*p = o;", "q->n", false),
        ("*p = o;", "q->in.n", false),
        ("*p = o;", "q->in.d[1]", false),
        ("*p = o;", "q->data[0]", false),
        ("*p = o;", "r->n", false),
        ("*p = o;", "k", true),
        ("*p++ = o;", "q->n", false),
        ("*p = *a = o;", "q->n", false),
        ("*p = *a;", "q->n", false),
        ("*p = a[k];", "q->n", false),
        ("*p = mk(3);", "q->n", false),
        ("*(k ? p : a) = mk(3);", "q->n", false),
        ("*pick(k) = o;", "q->n", false),
        ("*(pointer)r = o;", "q->n", false),
        ("{ struct s *p = a; *p = o; }", "q->n", false),
        ("switch (k) { case 1: *p = o; }", "q->n", false),
        ("while (k--) *p = o;", "q->n", false),
        ("set(p, o);", "q->n", false),
        ("a[k] = o;", "q->n", false),
        ("all[k] = o;", "q->n", false),
        ("**pp = o;", "q->n", false),
        ("*pp[k] = o;", "q->n", false),
        ("(*pp)[k] = o;", "q->n", false),
        ("a[k].n = 7;", "q->n", false),
        ("a[k].n++;", "q->n", false),
        ("a[k].m = 7;", "q->n", true),
        ("all[k].n = 7;", "q->n", false),
        ("(*pp)[k].n = 5;", "q->n", false),
        ("a[k].in.d[1] = 7;", "q->in.d[1]", false),
        ("a[k].in.n = 7;", "r->n", false),
        ("g2(&a[k].n);", "q->n", false),
        ("{ int *x = &a[k].n; *x = 3; }", "q->n", false),
        ("memset(p, 0, sizeof *p);", "q->n", false),
        ("memset(&p->in, 0, sizeof p->in);", "r->n", false),
        ("memset((void *)(a + 1), 0, 8);", "q->n", false),
        ("memset(p->data, 0, 8);", "q->n", true),
        ("p->in = *r;", "q->in.n", false),
        ("p->in.n = 7;", "r->n", false),
        ("r->n = 7;", "p->in.n", false),
        ("*r = q->in;", "p->in.n", false),
        // Different members of one structure.
        ("p->in.n = 7;", "p->n", true),
        ("p->in.n = 7;", "q->n", false),
        ("p->data = q->data + 1;", "a->data[0]", false),
        ("o.n = 7;", "q->n", true),
    ] {
        let found = of_loop(parameters, statement, bound, "void g2(int *x) { *x = 3; }");
        assert_eq!(found == format!("= {bound}"), is_known, "{statement} {bound}: {found}");
    }
    for (parameters, statement, bound) in [
        ("union u *u, struct other *r", "u->l = 7;", "r->k"),
        ("union u *u, struct other *r", "u->raw[0] = 7;", "r->k"),
        ("struct packed *p, struct packed *q, struct packed o", "*p = o;", "q->n"),
        ("struct list *p, struct list *q", "*p->next = *q;", "q->m"),
        ("struct list *p, struct inner *r, int k", "p->items[k].n = 3;", "r->n"),
        ("struct list *p, struct inner *r, int k", "p->items[k] = p->items[0];", "r->n"),
    ] {
        assert_eq!(of_loop(parameters, statement, bound, ""), "?", "{statement} {bound}");
    }
    assert_eq!(
        of_loop("struct list *p, int k", "p->items[k] = p->items[0];", "p->m", ""),
        "= p->m",
        "no member of an item"
    );
}

/// What a function gets, and knows by another name.
#[test]
fn parameters_may_be_what_has_a_name() {
    for (parameters, statement, bound, caller, is_known) in [
        ("struct s *p", "p->n = 7;", "g.n", "f(&g);", false),
        ("struct s *p", "p->n = 7;", "g.n", "f(all);", true),
        ("struct s *p", "g.n = 7;", "p->n", "f(&g);", false),
        ("struct s *p", "p->in.d[0] = 7;", "g.in.d[0]", "f(&g);", false),
        ("int *p", "*p = 7;", "h", "f(&h);", false),
        ("int *p", "h = 7;", "p[0]", "f(&h);", false),
        ("int *p", "p[0] = 7;", "table[0]", "f(table);", false),
        ("int *p", "table[0] = 7;", "p[0]", "f(table);", false),
        ("int *p", "*p = 7;", "h", "between(&h);", false),
        ("int *p, struct s *q", "*p = 7;", "q->n", "f(&keeps->n, keeps);", false),
        ("int *p, struct s *q", "q->n = 7;", "p[0]", "f(&keeps->n, keeps);", false),
        ("int *p, struct s *q", "*p = 7;", "q->n", "f(&keeps->m, keeps);", true),
        ("int *p, int *q", "p[0] = 7;", "q[0]", "int own[3]; f(own, own);", false),
        ("int *p, int *q", "p[0] = 7;", "q[0]", "int own[3]; f(own, table);", true),
        // Somebody keeps its address.
        ("struct holder *o", "kept.n = 7;", "o->p->n", "", false),
        ("struct holder *o, struct s k", "kept = k;", "o->p->n", "", false),
        ("struct holder *o, struct s k", "kept.in = k.in;", "o->p->in.n", "", false),
        ("struct s *p", "p->in.d[0] = 7;", "kept.in.d[0]", "", false),
        ("struct holder *o", "g.n = 7;", "o->p->n", "", true),
    ] {
        let others = format!("void caller(void) {{ {caller} }} void between(int *x) {{ f(x); }}");
        let found = of_loop(parameters, statement, bound, &others);
        assert_eq!(found == format!("= {bound}"), is_known, "{statement} {bound} {caller}: {found}");
    }
    let found = of_loop("int *x, int k", "", "k", "void caller(void) { f(&h, 1); }");
    assert_eq!(found, "= k");
    let counter = "void f(int *x) { for (h = 0; h < 10; h++) *x = 20; } void caller(void) { f(&h); }";
    assert_eq!(counts(&format!("int h; {counter}"))[0], "?");
}

/// Pointers of another type count other elements, and have other members.
#[test]
fn elements_have_the_type_of_their_pointer() {
    for (parameters, statement, bound, expected) in [
        ("void *v", "int *q = (int *)v;", "q[0]", "?"),
        ("void *v", "int *q = v;", "q[0]", "?"),
        ("void *v", "", "((int *)v)[0]", "?"),
        ("void *v", "", "((struct s *)v)->n", "?"),
        ("void *v", "struct s *q; q = v;", "q->n", "?"),
        ("char *v", "int *q = (int *)v;", "*q", "?"),
        ("char *v", "unsigned char *q = (unsigned char *)v;", "*q", "?"),
        ("struct inner *v", "struct s *q = (struct s *)v;", "q->n", "?"),
        ("S *v", "struct s *q = (struct s *)v; pointer t = q;", "t->n", "= v->n"),
        ("const int *v", "int *q = (int *)v;", "q[0]", "= v[0]"),
        ("int v[4][5]", "int (*q)[5] = v;", "v[0][0]", "?"),
        ("void", "int *q = table;", "q[3]", "= table[3]"),
    ] {
        assert_eq!(of_loop(parameters, statement, bound, ""), expected, "{parameters} {statement} {bound}");
    }
    let taking = "void take(struct s *p) { for (int i = 0; i < p->n; i++) e(); }";
    for (parameter, argument, expected) in
        [("struct s *v", "v", "= v->n"), ("void *v", "v", "?"), ("char *v", "(struct s *)v", "?")]
    {
        let found = counts(&format!("{TYPES} void f({parameter}) {{ take({argument}); }} {taking}"));
        assert_eq!(found[1], format!("take {expected}"), "{parameter}: {found:?}");
    }
}

/// A loop that moves a pointer by its own elements is counted in those, whatever its condition makes of it.
#[test]
fn moved_pointers_are_counted_in_their_own_elements() {
    for (parameters, loop_head, expected) in [
        ("char *a, int n", "int *p = (int *)a; (char *)p < a + n; p++", "?"),
        ("int *a, int n", "int *p = a; (unsigned long)p < (unsigned long)a + n; p++", "?"),
        ("int *a, int n", "int *p = a; (int *)p < a + n; p++", "= n"),
        ("int *a, int n", "int i = 0; (long)i < n; i++", "= n"),
    ] {
        let found = counts(&format!("void f({parameters}) {{ for ({loop_head}) e(); }}"));
        assert_eq!(found.last().unwrap(), expected, "{loop_head}");
    }
}

/// A variable whose address a function keeps may change whenever something else is called.
#[test]
fn addresses_that_are_kept_change_later() {
    const OTHERS: &str = "int *place; struct cell { int k; int *at; } held; void bump(void) { if (place) *place = 3; } \
        void keep(int *p) { place = p; } void hold(int *p, int k) { held.at = p + k; } void pass(int *p) { int *q = p; keep(q); } \
        void put(struct cell *s, int *p) { s->at = p; } void last(int *p) { static int *s; if (s) *s = 4; s = p; } \
        void set(int *p) { struct cell c = { 1, p }; held = c; } void take(struct cell c) { held = c; } \
        void fill(int *p) { *p = 5; } void look(int *p) { int *q = p; if (*q > held.k) held.k = *q; } int *same(int *p) { return p; } \
        void (*chosen)(int *) = keep; void drop(int *p, int *q) { keep(q); }";
    for (call, expected) in [
        ("keep(&m)", "?"),
        ("hold(&m, 0)", "?"),
        ("pass(&m)", "?"),
        ("put(&held, &m)", "?"),
        ("last(&m)", "?"),
        ("set(&m)", "?"),
        ("take((struct cell){ 1, &m })", "?"),
        ("chosen(&m)", "?"),
        ("drop(&n, &m)", "?"),
        ("drop(&m, &h)", "= n"),
        ("look(&m)", "= n"),
        ("fill(&m)", "= n"),
        ("same(&m)", "= n"),
        ("memset(&m, 0, 4)", "= n"),
    ] {
        let found = of_loop("int n", &format!("int m; {call}; m = n; bump();"), "m", OTHERS);
        assert_eq!(found, expected, "{call}");
    }
    // Of what a pointer points to that is no address of the pointer.
    let found = of_loop("struct s *p, int n", "keep(&p->m); bump();", "p->n", OTHERS);
    assert_eq!(found, "= p->n");
}

/// What a function reads behind a pointer is not told as an element of an address.
#[test]
fn addresses_of_variables_have_no_elements() {
    for (parameters, statement) in [("int n", ""), ("void", "int n = 3;"), ("struct s *p", "int n = p->n;")] {
        let found = counts(&format!(
            "{TYPES} void f({parameters}) {{ {statement} take(&n); }} void take(int *p) {{ for (int i = 0; i < *p; i++) e(); }}"
        ));
        assert_eq!(found.last().unwrap(), "take ?", "{parameters}");
    }
    assert_eq!(of_loop("int *v", "", "v[0]", "void caller(int n) { f(&n); }"), "= v[0]");
}

/// A pointer that was given the address of a structure within another stands for it until it, or what that is reached by, is another one.
#[test]
fn pointers_stand_for_structures_within_others() {
    let parameters = "struct s *p, struct s *q, struct inner o, struct list *l, int k";
    for (statement, bound, expected) in [
        ("struct inner *r = &p->in;", "r->n", "= p->in.n"),
        ("struct inner *r; r = &p->in;", "r->n", "= p->in.n"),
        ("struct inner *r = &p->in, *t = r;", "t->n", "= p->in.n"),
        ("struct inner *r = &p->in; r->n = k;", "p->in.n", "= k"),
        ("struct inner *r = &p->in; p->in.n = k;", "r->n", "= k"),
        ("struct inner *r = &p->in; *r = o;", "p->in.n", "?"),
        ("struct inner *r = &p->in; q->in.n = 3;", "r->n", "?"),
        ("struct inner *r = &p->in; p = q; p->in.n = 3;", "r->n", "?"),
        ("struct inner *r = &p->in; int *x = &r->n; *x = 3;", "p->in.n", "?"),
        ("struct inner *r = &p->in; r++;", "r->n", "?"),
        ("struct inner *r = &p->in; r[0].n = 3;", "p->in.n", "?"),
        ("struct inner *r = &p->in; if (k > h) r = &q->in; r->n = 3;", "p->in.n", "?"),
        ("struct inner *r = &p->in; memset(r, 0, sizeof *r);", "p->in.n", "?"),
        ("struct inner *r = &p->in; change(r);", "p->in.n", "?"),
        ("struct inner *r = &p->in; keep_it(r); change_it();", "r->n", "?"),
        ("change_inner(p);", "p->in.n", "?"),
        ("{ struct s *p = q; struct inner *r = &p->in; r->n = k; }", "q->in.n", "= k"),
        // What stands at the end of a pointer that has another value by now.
        ("struct list *next = l->next; l = 0;", "next->n", "?"),
        ("struct list *next = l->next; l = &lists; l->next->n = 3;", "next->n", "?"),
        ("struct list *next = l->next; l->next = &lists; l->next->n = 3;", "next->n", "?"),
        ("struct list *next = l->next; { struct list *l = &lists; l->next->n = 3; }", "next->n", "?"),
    ] {
        let others = "struct inner *held; void change(struct inner *x) { x->n = 3; } void keep_it(struct inner *x) { held = x; } \
            void change_it(void) { held->n = 3; } void change_inner(struct s *x) { struct inner *y = &x->in; y->n = 3; }";
        let found = of_loop(parameters, &format!("static struct list lists; {statement}"), bound, others);
        assert_eq!(found, expected, "{statement} {bound}");
    }
}
