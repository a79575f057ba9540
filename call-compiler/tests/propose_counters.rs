//! What moves the variable that counts a loop, beside the step that is seen: members by other pointers, functions that are called.

use super::propose::{blocks, check, counts};

const STRUCTURES: &str = "struct s { int at, n; struct s *other; }; void *fresh(void); ";

/// `to->at` may be `from->at`: then the loop ends earlier. It is `from->at` if one pointer is a copy of the other.
#[test]
fn members_behind_other_pointers_are_other_ones_or_not() {
    for (function, expected) in [
        ("void f(struct s *s, struct s *t) { while (s->at < s->n) t->at++, s->at++; }", "< s->n - s->at"),
        ("void f(struct s *s, struct s *t) { for (s->at = 0; s->at < 9; s->at++) t->at++; }", "< 9"),
        ("void f(struct s *s) { for (s->at = 0; s->at < s->n; s->at++) s->other->at += 2; }", "< s->n"),
        (
            "void f(struct s *s) { struct s *t = fresh(); for (s->at = 0; s->at < s->n; s->at++) t->at++; }",
            "< s->n",
        ),
        (
            "void f(struct s *s) { struct s *t = s; for (s->at = 0; s->at < s->n; s->at++) t->at++; }",
            "= floor((s->n + 1)/2)",
        ),
        ("void f(struct s *s) { for (s->at = 0; s->at < s->n; s->at++) s->at++; }", "= floor((s->n + 1)/2)"),
        ("void f(struct s *s, struct s *t) { for (s->at = 0; s->at < s->n; s->at++) t->at--; }", "?"),
        ("void f(struct s *s, struct s *t) { for (s->at = 0; s->at != s->n; s->at++) t->at++; }", "?"),
        ("void f(struct s *s, int n) { for (s->at = 0; s->at < n; s++) g(); }", "?"),
        ("void f(struct s *s, int n) { for (s->at = 0; s->at < n;) s[1].at++; }", "?"),
    ] {
        assert_eq!(counts(&format!("{STRUCTURES}{function}")).pop().unwrap(), expected, "{function}");
    }
}

/// As bounds are unknown that a function changes which is called, so is what the variable of a loop comes to.
#[test]
fn functions_that_are_called_may_move_the_variable() {
    for (function, called) in [
        ("for (at = 0; at < n; at++) g();", "int at; void g(void) { at++; }"),
        ("for (at = 0; at < n; at++) g();", "int at; void g(void) { at--; }"),
        (
            "for (at = 0; at < n; at++) if (n > at + 2) g();",
            "int at; void g(void) { h(); } void h(void) { at += 2; }",
        ),
        ("for (at = 0; at < n; at++) g(n);", "int at; void g(int n) { for (at = 0; at < n; at++); }"),
        ("for (at = 0; at < n; at++) hook();", "int at; void g(void) { at++; } void (*hook)(void) = g;"),
        ("while (at < n && g()) at++;", "int at; int g(void) { return at++; }"),
        ("for (at = n; at > 1 && g(); at /= 2) h();", "int at; int g(void) { return at *= 2; }"),
        ("for (s->at = 0; s->at < n; s->at++) g(s);", "void g(struct s *s) { s->at++; }"),
        ("for (s->at = 0; s->at < n; s->at++) g(s);", "void g(struct s *p) { p->other->at = 0; }"),
        ("for (now.at = 0; now.at < n; now.at++) g(&now);", "struct s now; void g(struct s *s) { s->at++; }"),
    ] {
        let source = format!("{STRUCTURES}{called} void f(struct s *s, int n) {{ {function} }}");
        let found = blocks(&source);
        let block = found.iter().find(|its| its.name == "f").unwrap();
        assert!(block.formula().is_none(), "{source}: {:?}", block.formula());
    }
    // So is that of one that goes along with it.
    let inner = "for (int i = 0; i < n; i++) { for (int j = 0; j < s->at; j++) n; s->at += 2; g(s); }";
    for (called, expected) in [("s->at++;", "?"), ("s->n++;", "= n*n - n")] {
        let found = counts(&format!(
            "{STRUCTURES} void f(struct s *s, int n) {{ s->at = 0; {inner} }} void g(struct s *s) {{ {called} }}"
        ));
        assert_eq!(found[1], expected, "{called} {found:?}");
    }
    // Others may be called, and a variable of the function is its own.
    check(
        "int at, to; void f(int n) { for (at = 0; at < n; at++) g(); } void g(void) { int at = 3; to = at++; }",
        &["= n", "g = n", "g = n"],
    );
    check(
        "int at; void f(int n) { int at; for (at = 0; at < n; at++) g(); } void g(void) { at++; }",
        &["= n", "g = n"],
    );
}

/// What counts a loop is told where a function elsewhere may move it.
#[test]
fn variables_are_told_that_others_may_move() {
    for (body, expected) in [
        ("for (at = 0; at < n; at++) other();", vec!["at"]),
        ("for (s->at = 0; s->at < n; s->at++) { other(); }", vec!["s->at"]),
        ("for (at = 0; at < n; at++) n; other();", vec![]),
        ("int at; for (at = 0; at < n; at++) other();", vec![]),
        ("for (at = 0; at < n; at++) inner(s);", vec!["at", "s->at"]),
    ] {
        let source = format!(
            "{STRUCTURES} extern void other(void); int at; void f(struct s *s, int n) {{ {body} }} \
             static void inner(struct s *p) {{ for (p->at = 0; p->at < 3; p->at++) other(); }}"
        );
        assert_eq!(blocks(&source)[0].taken_as_unchanged, expected, "{body}");
    }
}
