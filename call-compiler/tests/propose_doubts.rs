//! What `call propose` does not know, knows as a bound, or has to assume.

use super::propose::{blocks, check, counts};

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
        "void f(int n) { for (int i = 0; i < n; i++) if (g()) n++; }",
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
    check("void f(unsigned n) { n = (n - 1)/2; for (unsigned i = 0; i < n; i++) g(); }", &["= 1", "?"]);
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

/// What does not run for values that are not negative may run for others: where a number is 0, that is told in the text, too.
#[test]
fn what_never_runs_is_told_with_its_condition() {
    let source = "static void skip(int lo) {\nfor (int i = lo; i <= 0; i++)\nlo++;\n}\n\
                  void f(int start, int lo) {\nskip(lo);\nwhile (start < 0)\nstart++;\n}\n";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("x.c"), source).unwrap();
    for (option, expected) in [
        (None, ["line 8: 0 where start >= 0", "line 3 of skip: 0 where lo >= 1"]),
        (Some("--statements"), ["line 8: 0 where start >= 0", "line 3 of skip: 0 where lo >= 1"]),
    ] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_call"));
        command.current_dir(folder.path()).args(["propose", "--only", "f", "x.c"]).args(option);
        let text = String::from_utf8(command.output().unwrap().stdout).unwrap();
        for line in expected {
            assert!(text.lines().any(|its| its.trim() == line), "{line}: {text}");
        }
        assert!(!text.lines().any(|line| line.trim().starts_with("where")), "{text}");
    }
}

#[test]
fn reasons_show_characters_as_the_source_has_them() {
    let found =
        blocks("void f(int n, char *s) { for (int i = 0; i < n && s[i] != ' ' && s[i] != '\\n'; i++) g(); }");
    let because = &found[0].statements.last().unwrap().because;
    assert_eq!(because[0].why, "depends on `s[i]!=' '`");
    let found = blocks("void f(int n, char *s) { for (int i = 0; i < n; i++) if (s[i] == '\"') g(); }");
    assert_eq!(found[0].statements.last().unwrap().because[0].why, "depends on `s[i]=='\"'`");
    for condition in ["x[i]<1.5e-3f", "x[i]>.5", "k[i]==0x1F", "x[i]*2.>1"] {
        let found = blocks(&format!(
            "void f(int n, double *x, int *k) {{ for (int i = 0; i < n; i++) if ({condition}) g(); }}"
        ));
        let because = &found[0].statements.last().unwrap().because;
        assert!(because[0].why.starts_with(&format!("depends on `{condition}`")), "{because:?}");
    }
}

/// A variable that was declared without a value is not known for what became of it since.
#[test]
fn reasons_are_those_of_the_last_change() {
    for (body, expected) in [
        ("m = h(n);", "`h(n)` is what a function returns"),
        ("if (n > 3) m = 7;", "`m` depends on `n>3`"),
        ("if (n > 3) m = h(n); else m = 2;", "`h(n)` is what a function returns"),
        ("h(&m);", "`m` gets its value elsewhere"),
        ("", "`m` has no value yet"),
    ] {
        let found =
            blocks(&format!("int h(); void f(int n) {{ int m; {body} for (int i = 0; i < m; i++) g(); }}"));
        let because = &found[0].statements.last().unwrap().because;
        let why = format!("how often the loop runs depends on `i<m`: {expected}");
        assert!(because.iter().any(|its| its.why == why), "{body}: {because:?}");
    }
}

/// The lines below a directive, of a file with the function `f`.
fn proposed(source: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("x.c"), source).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_call"));
    command.current_dir(folder.path()).args(["propose", "--only", "f", "x.c"]);
    let text = String::from_utf8(command.output().unwrap().stdout).unwrap();
    text.lines().map(|line| line.trim().to_owned()).collect()
}

/// What runs in the case of an error only is no condition of the rest, as those have it that come from Fortran.
#[test]
fn conditions_of_a_part_are_told_of_that_part() {
    let test =
        |first: &str, second: &str| format!("if (n < 0) {first} else if (ld < (1 >= m ? 1 : m))\n{second}\n");
    let loops = "for (int i = 0; i < n; i++)\nfor (int j = 0; j < m; j++)\na[i*ld + j] = 0;\nreturn 0; }\n";
    let begin = "void xerbla(int *);\nint f(int m, int n, int ld, double *a) {\nint info = 0;\n";
    for out in
        ["if (info != 0) { xerbla(&info); return 0; }", "if (info) return info;", "if (info)\ngoto out;"]
    {
        let loops = if out.contains("goto") {
            loops.replace("return 0;", "out: return 0;")
        } else {
            loops.to_owned()
        };
        let found = proposed(&format!("{begin}{}{out}\n{loops}", test("info = 4;", "info = 13;")));
        let is_far = out.contains("goto");
        assert_eq!(found.contains(&"where ld >= max(1, m)".to_owned()), !is_far, "{found:?}");
        assert!(!is_far || !found.iter().any(|line| line.starts_with("where")), "{found:?}");
        assert!(
            found
                .iter()
                .any(|line| line.starts_with("only line") && line.contains("where max(1, m) >= ld + 1")),
            "{found:?}"
        );
    }
    // All that is counted runs where it is not so.
    let found =
        proposed(&format!("{begin}if (n < 0) return -2;\nif (ld < (1 >= m ? 1 : m))\nreturn -3;\n{loops}"));
    assert!(found.contains(&"where ld >= max(1, m)".to_owned()), "{found:?}");
    assert!(found.contains(&"only line 6 where max(1, m) >= ld + 1".to_owned()), "{found:?}");
    // Where data decide, too, nothing is said of the rest.
    let found = proposed(&format!(
        "{begin}if (a[0] < 0) info = 1; else {}if (info) return info;\n{loops}",
        test("info = 4;", "info = 13;")
    ));
    assert!(!found.iter().any(|line| line.starts_with("where")), "{found:?}");
    // What all of it needs is told once, and what a part of it needs of that.
    let found = proposed(
        "void f(int n, int m) {\nif (n > 99)\nfor (int i = 0; i < n; i++) {\ng();\nif (m > 200)\nfor (int j = 0; j < m; j++)\nh();\n}\n}\n",
    );
    assert!(found.contains(&"where n >= 100".to_owned()), "{found:?}");
    assert!(found.contains(&"only lines 6-7 where m >= 201".to_owned()), "{found:?}");
}

/// A variable that has one of several numbers says which conditions held before.
#[test]
fn numbers_stand_for_the_cases_in_which_they_are_given() {
    let of = |body: &str| {
        format!(
            "int h(int *); void f(int n, int m, int *a) {{ int info = 0, i; {body} for (i = 0; i < n; i++) g(); }}"
        )
    };
    let gate = "if (n < 9) info = 1; else if (m < 40) info = 2;";
    for (body, expected) in [
        (format!("{gate} if (info) return;"), "= n"),
        (format!("{gate} if (info != 0) return;"), "= n"),
        (format!("{gate} if (info > 0) {{ h(a); return; }}"), "= n"),
        (format!("{gate} if (!info)"), "= n"),
        (format!("{gate} if (info == 2)"), "= n"),
        // It may have changed meanwhile, or data decide.
        (format!("{gate} h(&info); if (info) return;"), "< n"),
        (format!("{gate} for (i = 0; i < m; i++) info = i; if (info) return;"), "< n"),
        (format!("{gate} if (a[0]) info = 3; if (info) return;"), "< n"),
        (format!("{gate} info += m; if (info) return;"), "< n"),
        (
            "for (i = 0; i < m; i++) { if (i < 3) info = 1; if (info == 1) h(a); } if (info) return;"
                .to_owned(),
            "< n",
        ),
    ] {
        assert_eq!(counts(&of(&body)).pop().unwrap(), expected, "{body}");
    }
    let found = blocks(&of(&format!("{gate} if (info) return;")));
    assert_eq!(
        *found[0].statements.last().unwrap().assumptions,
        ["m >= 40".to_owned(), "n >= 16".to_owned()]
    );
}
