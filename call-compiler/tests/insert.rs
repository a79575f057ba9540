//! `call propose --insert`: directives in the sources that they are of.

use std::fs;
use std::path::Path;
use std::process::Command;

const SUMS: &str = "double sum(const double *a, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}
";

fn insert(folder: &Path, files: &[&str]) -> String {
    let mut call = Command::new(env!("CARGO_BIN_EXE_call"));
    let output =
        call.current_dir(folder).args(["propose", "--insert", "--yes"]).args(files).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    told
}

/// The lines around the report.
fn around_report(text: &str) -> [&str; 3] {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let report = lines.iter().position(|line| *line == "#pragma cll report all").expect("there is a report");
    [lines[report - 1], lines[report], lines[report + 1]]
}

#[test]
fn the_report_is_of_the_file_with_main() {
    let folder = tempfile::tempdir().unwrap();
    let main = "double sum(const double *a, int n);\n\nint main(void)\n{\n    double a[] = {1, 2};\n    sum(a, 2);\n    return 0;\n}\n";
    for (name, text) in
        [("main.c", main), ("sums.c", SUMS), ("none.c", "int none;\nint f(void) { return none; }\n")]
    {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let files = ["none.c", "main.c", "sums.c"];
    let told = insert(folder.path(), &files);
    assert!(
        told.contains("main.c: wrote the report\n") && told.contains("sums.c: wrote 1 experiment\n"),
        "{told}"
    );
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(around_report(&read("main.c")), ["sum(a, 2);", "#pragma cll report all", "return 0;"]);
    assert!(read("sums.c").contains("#pragma cll end sum") && !read("sums.c").contains("report"));
    assert!(!read("none.c").contains("cll"));
}

#[test]
fn the_report_stands_before_the_end_of_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let ends = [
        (
            "MPI_Finalize();\n    return 0;",
            ["#pragma cll end main", "#pragma cll report all", "MPI_Finalize();"],
        ),
        (
            "#ifdef MPI\n    MPI_Finalize();\n#endif\n    return 0;",
            ["#pragma cll end main", "#pragma cll report all", "#ifdef MPI"],
        ),
        // No place of its own: a statement is wanted there.
        ("if (n > 1)\n        bsp_end();", ["#pragma cll end main", "#pragma cll report all", "}"]),
        (
            "if (n > 1) {\n        MPI_Finalize();\n        return 1;\n    }\n    return 0;",
            ["{", "#pragma cll report all", "MPI_Finalize();"],
        ),
    ];
    for (end, wanted) in ends {
        let functions = "int MPI_Finalize(void);\nvoid bsp_end(void);\n\n";
        let main = format!(
            "\nint main(int n, char **words)\n{{\n    double a = n;\n    (void)words;\n    sum(&a, n);\n    {end}\n}}\n"
        );
        fs::write(folder.path().join("x.c"), format!("{functions}{SUMS}{main}")).unwrap();
        insert(folder.path(), &["x.c"]);
        let text = fs::read_to_string(folder.path().join("x.c")).unwrap();
        let around = around_report(&text);
        assert_eq!([around[0].trim_start_matches("if (n > 1) "), around[1], around[2]], wanted, "{text}");
    }
}

/// There is no line inside of it that a directive could stand in.
#[test]
fn no_report_goes_into_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let source = "void f(int n, int *a)\n{\n    for (int i = 0; i < n; i++)\n        a[i]++;\n}\nint main(void) { int a[9]; f(9, a); return 0; }\n";
    fs::write(folder.path().join("one.c"), source).unwrap();
    let told = insert(folder.path(), &["one.c"]);
    let text = fs::read_to_string(folder.path().join("one.c")).unwrap();
    assert!(text.contains("#pragma cll f f[0] + f[1]*n") && !text.contains("report"), "{text}");
    assert!(
        told.contains("one.c: line 6: `main` stands in one line: put `#pragma cll report all`"),
        "{told}"
    );
}

#[test]
fn who_puts_directives_into_a_part_of_a_program_hears_of_the_report() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("sums.c"), SUMS).unwrap();
    let told = insert(folder.path(), &["sums.c"]);
    assert!(
        told.contains("no function `main` is in these files: put `#pragma cll report all` where"),
        "{told}"
    );
    fs::write(folder.path().join("other.c"), SUMS.replace("sum(", "other(")).unwrap();
    fs::write(folder.path().join("main.c"), "double sum(double *, int);\nint main(void)\n{\n    double a[9] = {0};\n    return sum(a, 9) > 1;\n}\n").unwrap();
    let told = insert(folder.path(), &["other.c", "main.c"]);
    assert!(!told.contains("where the program ends"), "{told}");
}

/// A measurement of all of `main` lies where there are processors, whatever functions start and end them, and is in the report.
#[test]
fn all_of_main_is_measured_while_there_are_processors() {
    let starts = "void MPI_Init(void *, void *);\nvoid MPI_Finalize(void);\nstatic void init(void) { MPI_Init(0, 0); }\n\
                  void start(void)\n{\n    init();\n}\nvoid stop(void)\n{\n    MPI_Finalize();\n}\n";
    for (start, stop, [begin, end]) in [
        ("start();", "stop();", ["start();", "stop();"]),
        ("start(); /* all */", "stop();", ["start(); /* all */", "stop();"]),
        ("/* both\n   processors */\nstart();", "/* none\n left */\nstop();", ["start();", "stop();"]),
        ("#ifdef MPI\nstart();\n#endif", "#ifdef MPI\nstop();\n#endif", ["#endif", "#ifdef MPI"]),
        ("#ifdef MPI\nstart();\n#else\nn++;\n#endif", "stop();", ["#endif", "stop();"]),
        ("int a2 = 1;", "a2++;", ["{", "return 0;"]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let main = format!(
            "double sum(const double *a, int n);\nvoid start(void);\nvoid stop(void);\n\nint main(int n, char **words)\n{{\n{start}\n\
             double a = n;\nsum(&a, n);\n{stop}\nreturn 0;\n}}\n"
        );
        fs::write(folder.path().join("main.c"), main).unwrap();
        fs::write(folder.path().join("start.c"), starts).unwrap();
        let flags = ["main.c", "start.c", "--only", "main", "--", "-DMPI"];
        insert(folder.path(), &flags);
        let text = fs::read_to_string(folder.path().join("main.c")).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let at = |wanted: &str| lines.iter().position(|line| line.starts_with(wanted)).unwrap();
        assert_eq!(lines[at("#pragma cll main") - 1], begin, "{text}");
        let (last, report) = (at("#pragma cll end main"), at("#pragma cll report all"));
        assert!(report > last && lines[report + 1] == end, "{text}");
    }
    // What starts in a larger statement, or ends in a block of its own, has no such place.
    for (start, stop, told) in [
        ("if (n) {\nstart();\n}", "stop();", "it ends in a block of its own"),
        ("if (n)\nstart();", "stop();", "processors start inside it"),
        ("start();", "if (n) {\nstop();\nreturn 1;\n}", "it ends in a block of its own"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let main = format!(
            "void MPI_Init(void *, void *);\nvoid MPI_Finalize(void);\nstatic void start(void) {{ MPI_Init(0, 0); }}\n\
             static void stop(void) {{ MPI_Finalize(); }}\n{SUMS}\nint main(int n, char **words)\n{{\n{start}\n\
             double a = n;\nsum(&a, n);\n{stop}\nreturn 0;\n}}\n"
        );
        fs::write(folder.path().join("main.c"), main).unwrap();
        let shown = insert(folder.path(), &["main.c"]);
        assert!(shown.contains("main: ") && shown.contains(told), "{shown}");
    }
    // Nor has a function that starts them.
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "{SUMS}void MPI_Init(void *, void *);\nvoid start(double *a, int n)\n{{\n    MPI_Init(0, 0);\n    sum(a, n);\n}}\n"
    );
    fs::write(folder.path().join("x.c"), text).unwrap();
    let shown = insert(folder.path(), &["x.c"]);
    assert!(shown.contains("x.c: line 10: start: processors start inside it"), "{shown}");
}

/// Where the number of a statement is unknown, what the other numbers depend on is recorded.
#[test]
fn variables_in_the_place_of_a_formula() {
    let folder = tempfile::tempdir().unwrap();
    let text = "int rand(void);\nint f(const int *next, int n, int m)\n{\n    int sum = 0;\n    for (int i = 0; i < n*m; i++)\n        \
                for (int at = i; at >= 0; at = next[at])\n            sum += at;\n    return sum;\n}\n\
                int main(int n, char **words)\n{\n    int next[] = {-1, 0};\n    (void)words;\n    return f(next, n, 1);\n}\n";
    fs::write(folder.path().join("x.c"), text).unwrap();
    insert(folder.path(), &["x.c"]);
    let text = fs::read_to_string(folder.path().join("x.c")).unwrap();
    assert!(text.contains("#pragma cll f variables m, n\n"), "{text}");
    let translated =
        Command::new(env!("CARGO_BIN_EXE_call")).current_dir(folder.path()).arg("x.c").output().unwrap();
    assert!(translated.status.success(), "{translated:?}");
}

/// A pointer that is followed under a condition only may be none where the block begins.
#[test]
fn what_a_condition_guards_is_not_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let text = "struct grid { int rows, columns; };\nint rand(void);\n\
                void guarded(int k, const int *start, double *a)\n{\n    if (k > 1)\n        \
                for (int i = 0; i < start[k]; i++)\n            a[i] = 1;\n}\n\
                void unknown(int k, int n, const int *start, double *a)\n{\n    for (int i = 0; i < n; i++) {\n        \
                for (int at = i; at > 0; at = rand())\n            a[at]++;\n        if (k > 1)\n            \
                for (int j = 0; j < start[k]; j++)\n                a[j] = 1;\n    }\n}\n\
                struct edge { int n; };\nstruct area { int rows, has; struct edge *edge; };\n\
                void edges(struct area *g, double *a)\n{\n    for (int i = 0; i < g->rows; i++)\n        a[i] = 1;\n    \
                if (g->has > 1)\n        for (int i = 0; i < g->edge->n; i++)\n            a[i] += 2;\n}\n\
                void inside(struct grid *g, double *a)\n{\n    for (int i = 1; i < g->rows - 1; i++)\n        \
                for (int j = 1; j < g->columns - 1; j++)\n            a[j] += i;\n}\n";
    fs::write(folder.path().join("x.c"), text).unwrap();
    let told = insert(folder.path(), &["x.c"]);
    assert!(told.contains("line 4: guarded: `start[k]` is read under a condition only"), "{told}");
    assert!(told.contains("edges: `g->edge->n` is read under a condition only"), "{told}");
    let output = Command::new(env!("CARGO_BIN_EXE_call"))
        .current_dir(folder.path())
        .args(["propose", "--only", "guarded", "x.c"])
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(
        shown.contains("      read under a condition only: start[k], whose pointer may be none else\n"),
        "{shown}"
    );
    let text = fs::read_to_string(folder.path().join("x.c")).unwrap();
    assert!(text.contains("#pragma cll unknown variables n, k\n"), "{text}");
    assert!(
        text.contains("#pragma cll inside inside[0]") && text.contains("*g->columns*g->rows\n"),
        "{text}"
    );
    let translated =
        Command::new(env!("CARGO_BIN_EXE_call")).current_dir(folder.path()).arg("x.c").output().unwrap();
    assert!(translated.status.success(), "{translated:?}");
}

/// A variable that is set on some ways only may have no value where the block begins, unless the block reads it whenever it runs.
#[test]
fn what_may_have_no_value_is_not_recorded() {
    let program = |set: &str, body: &str| {
        format!(
            "int main(int argc, char **argv)\n{{\n    int tile, tiling = 0, n = argc * 1000;\n    {set}\n    \
             for (int k = 0; k < 2; k++) {{\n        {body}\n    }}\n    return tiling;\n}}\n"
        )
    };
    let if_else = |guarded: &str| {
        format!("if (!tiling) {{ for (int i = 0; i < n; i++) tiling += i; }} else {{ {guarded} }}")
    };
    let divided = if_else("for (int i = 0; i < n; i += tile) argc++;");
    let times = if_else("for (int i = 0; i < n; i++) for (int j = 0; j < tile; j++) argc++;");
    let sometimes = "if (argc == 3) { tile = 7; tiling = 1; }";
    let whole = "#pragma cll main_5 main_5[0] + main_5[1]*n\n";
    for (set, body, directive, told) in [
        (sometimes, &divided, whole, "n for n/tile, which is never more (line 6)"),
        (sometimes, &times, whole, "left out n*tile (line 6)"),
        ("while (argc-- > 5) tile = argc;", &times, whole, "left out n*tile (line 6)"),
        (
            "switch (argc) { case 3: tile = 1; break; case 4: tile = 2; }",
            &times,
            whole,
            "left out n*tile (line 6)",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("x.c"), program(set, body)).unwrap();
        let shown = insert(folder.path(), &["x.c"]);
        let why = "line 5: main_5: read under a condition only: tile, which may have no value else: ";
        assert!(shown.contains(&format!("{why}{told}\n")), "{set} {body}: {shown}");
        let inserted = fs::read_to_string(folder.path().join("x.c")).unwrap();
        assert!(inserted.contains(directive), "{set} {body}: {inserted}");
    }
    let always = "for (int i = 0; i < n; i++) for (int j = 0; j < tile; j++) argc++;".to_owned();
    for (set, body) in [
        (sometimes, &always),
        ("if (argc == 3) tile = 7; else tile = 8;", &times),
        ("if (argc == 3) tile = 7; else return 1;", &times),
        ("switch (argc) { case 3: tile = 1; break; default: tile = 2; }", &times),
        ("do tile = argc; while (argc--);", &times),
        ("int read(int *); if (!read(&tile)) return 2;", &times),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("x.c"), program(set, body)).unwrap();
        let shown = insert(folder.path(), &["x.c"]);
        let inserted = fs::read_to_string(folder.path().join("x.c")).unwrap();
        assert!(
            inserted.contains("*n*tile\n") && !shown.contains("under a condition"),
            "{set}: {shown}{inserted}"
        );
    }
}

/// A second time there is nothing to do, and what somebody has measured is left alone.
#[test]
fn what_is_measured_already_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let text = "static double sum(int n)\n{\n    double s = 0;\n    for (int i = 0; i < n; i++)\n        s += i*0.5;\n    \
                return s;\n}\nint main(int n, char **words)\n{\n    double s = 0;\n    for (int i = 0; i < n; i++)\n        \
                s += sum(i);\n    while (words[n] && n < 9)\n        s += n++;\n    return s > 2;\n}\n";
    let path = folder.path().join("x.c");
    fs::write(&path, text).unwrap();
    insert(folder.path(), &["x.c"]);
    let once = fs::read_to_string(&path).unwrap();
    assert!(once.contains("#pragma cll sum "), "{once}");
    let told = insert(folder.path(), &["x.c"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), once);
    assert!(told.contains("line 2: sum: already measured, in line 3\n"), "{told}");
    let own = text.replace("    for (int i = 0; i < n; i++)\n        s += i*0.5;\n", "#pragma cll own own[0] + own[1]*n\n    s = 1;\n\
                            #pragma omp simd\n    for (int i = 0; i < n; i++)\n        s += i*0.5;\n#pragma cll end own\n");
    fs::write(&path, &own).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_call"))
        .current_dir(folder.path())
        .args(["propose", "--insert", "--yes", "--only", "sum_7", "x.c"])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && told.contains("line 7: sum_7: already measured, in line 4"),
        "{output:?}"
    );
    assert!(!fs::read_to_string(&path).unwrap().contains("sum_7"));
}

/// The other files get their directives, and the last line tells which one is left out.
/// Of a function that may be handed nothing the loop behind that condition is measured.
#[test]
fn the_loop_behind_a_condition_takes_the_place_of_its_function() {
    let folder = tempfile::tempdir().unwrap();
    let text = "struct v { int n; double *a; };\ndouble norm(const struct v *v)\n{\n    double sum = 0;\n    if (!v)\n        return 0;\n\
        for (int i = 0; i < v->n; i++)\n        sum += v->a[i];\n    return sum;\n}\n";
    fs::write(folder.path().join("norm.c"), text).unwrap();
    let told = insert(folder.path(), &["norm.c"]);
    assert!(told.contains("norm: `v->n` is read under a condition only"), "{told}");
    let inserted = fs::read_to_string(folder.path().join("norm.c")).unwrap();
    let directive = "#pragma cll norm_7 norm_7[0] + norm_7[1]*v->n\nfor (int i = 0; i < v->n; i++)\n";
    assert!(inserted.contains(directive), "{inserted}");
}

#[test]
fn a_file_that_the_preprocessor_refuses() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("old.c"), "#include \"none.h\"\n").unwrap();
    fs::write(folder.path().join("sums.c"), SUMS).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_call"))
        .current_dir(folder.path())
        .args(["propose", "--insert", "--yes", "old.c", "sums.c"])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("refuses old.c") && told.ends_with("1 of 2 files left out: old.c\n"), "{told}");
    assert!(fs::read_to_string(folder.path().join("sums.c")).unwrap().contains("#pragma cll sum "));
}

/// A macro is no name above the line that defines it, of what a function further down does.
#[test]
fn a_size_that_is_defined_further_down_is_a_number() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#define FIRST 20\nint a[FIRST], b[100];\nvoid below(int n);\nvoid above(int n)\n{\n    for (int i = 0; i < n*FIRST; i++)\n        \
                below(n);\n}\n#define LATE 100\nvoid below(int n)\n{\n    for (int i = 0; i < n*LATE; i++)\n        b[i % 7] += i;\n}\n\
                int main(int n, char **words)\n{\n    (void)words;\n    above(n);\n    return 0;\n}\n";
    fs::write(folder.path().join("x.c"), text).unwrap();
    insert(folder.path(), &["x.c"]);
    let text = fs::read_to_string(folder.path().join("x.c")).unwrap();
    assert!(text.contains("#pragma cll above above[0] + above[1]*FIRST*n + above[2]*FIRST*n*n\n"), "{text}");
    let translated =
        Command::new(env!("CARGO_BIN_EXE_call")).current_dir(folder.path()).arg("x.c").output().unwrap();
    assert!(translated.status.success(), "{translated:?}");
}

/// What starts the processors says it, wherever in the program it stands; comments do not.
#[test]
fn the_kind_of_the_program_is_said_with_the_report() {
    let team = "void twice(double *a, int n)\n{\n#pragma omp parallel for\n    for (int i = 0; i < n; i++)\n        a[i] *= 2;\n}\n";
    for (start, further, wanted) in [
        ("MPI_Init(0, 0);", "", "#pragma cll parallel MPI MPI_COMM_WORLD"),
        ("MPI_Init_thread(0, 0, 1, &n);", team, "#pragma cll parallel MPI MPI_COMM_WORLD"),
        ("bsp_begin(n);", "", "#pragma cll parallel BSPlib"),
        ("", team, "#pragma cll parallel OpenMP"),
        (
            "/* MPI_Init(0, 0); #pragma omp parallel */",
            "// #pragma omp parallel\n#pragma omp simd\n",
            "sum(&a, n);",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let main = format!(
            "double sum(const double *a, int n);\nvoid MPI_Init(void *, void *);\nvoid MPI_Init_thread(void *, void *, int, int *);\n\
             void bsp_begin(int);\n\nint main(int n, char **words)\n{{\n    double a = n;\n    (void)words;\n    {start}\n    \
             sum(&a, n);\n    return 0;\n}}\n"
        );
        fs::write(folder.path().join("main.c"), main).unwrap();
        fs::write(folder.path().join("sums.c"), format!("{SUMS}{further}")).unwrap();
        insert(folder.path(), &["sums.c", "main.c"]);
        let text = fs::read_to_string(folder.path().join("main.c")).unwrap();
        assert_eq!(around_report(&text)[0], wanted, "{text}");
    }
}

#[test]
fn what_always_takes_the_same_time_is_told() {
    let folder = tempfile::tempdir().unwrap();
    for (text, told) in
        [("int f(int n) { return n; }\n", "has a loop or a call"), ("int n;\n", "no function with a body")]
    {
        fs::write(folder.path().join("x.c"), text).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_call"))
            .current_dir(folder.path())
            .args(["propose", "x.c"])
            .output()
            .unwrap();
        assert!(!output.status.success());
        assert!(String::from_utf8_lossy(&output.stderr).contains(told), "{output:?}");
    }
}

/// A report is where `main` is left at its end, with `exit` as with `return`, and not at an early way out.
#[test]
fn the_report_stands_wherever_the_program_ends() {
    let report = "#pragma cll report all";
    for (end, wanted) in [
        ("if (n > 9) {\nexit(1);\n}\nsum(&a, n);\nexit(0);\n", vec!["exit(0);"]),
        ("if (n > 9) {\nreturn 1;\n}\nsum(&a, n);\n", vec!["}"]),
        ("if (n > 9) {\nsum(&a, n);\nexit(0);\n}\nelse {\nexit(1);\n}\n", vec!["exit(0);", "exit(1);"]),
        ("if (n > 9) {\nexit(0);\n} else if (n > 3) {\nexit(1);\n}\n", vec!["exit(0);", "exit(1);", "}"]),
        ("if (n > 9) {\nn++;\n} else {\nexit(1);\n}\n", vec!["exit(1);", "}"]),
        ("for (;;) {\nif (sum(&a, n) > 9) {\nexit(1);\n}\n}\n", vec!["}"]),
        ("#ifdef LEFT\nreturn 0;\n#endif\n", vec!["#ifdef LEFT"]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let main = format!(
            "void exit(int);\n{SUMS}\nint main(int n, char **words)\n{{\ndouble a = n;\n(void)words;\nsum(&a, n);\n{end}}}\n"
        );
        fs::write(folder.path().join("x.c"), main).unwrap();
        insert(folder.path(), &["x.c"]);
        let text = fs::read_to_string(folder.path().join("x.c")).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let behind: Vec<&str> = lines.windows(2).filter(|two| two[0] == report).map(|two| two[1]).collect();
        assert_eq!(behind, wanted, "{text}");
        assert!(!text.ends_with(&format!("{report}\n")), "{text}");
        let translated =
            Command::new(env!("CARGO_BIN_EXE_call")).current_dir(folder.path()).arg("x.c").output().unwrap();
        assert!(translated.status.success(), "{translated:?}");
    }
}

fn assert_translates_with_openmp(folder: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_call"));
    let translated = command.current_dir(folder).args(["x.c", "--", "-fopenmp"]).output().unwrap();
    assert!(translated.status.success(), "{translated:?}");
}

/// The pragmas before a loop are the loop's, however many lines they take, whichever of them the preprocessor chooses.
#[test]
fn no_directive_stands_between_a_loop_and_its_pragmas() {
    for pragmas in [
        "#pragma omp for",
        "#pragma omp for \\\n    schedule(static)",
        "#pragma omp for\n    /* all of them */\n\n",
        "#if COLLAPSE\n#pragma omp for collapse(2)\n#else\n#  pragma omp for\n#endif",
        "#ifdef A\n#  ifdef B\n#pragma omp for\n#  endif\n#else\n#pragma omp for nowait\n#endif",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let source = format!(
            "void twice(double *a, int n)\n{{\n#pragma omp parallel\n{{\nint k = n;\n{pragmas}\nfor (int i = 0; i < k; i++)\na[i] *= 2;\n}}\nfor (int i = 0; i < n*n; i++)\na[0]++;\n}}\n\
             int main(int n, char **words)\n{{\n    double a[100];\n    (void)words;\n    twice(a, n);\n    return 0;\n}}\n"
        );
        fs::write(folder.path().join("x.c"), source).unwrap();
        insert(folder.path(), &["x.c"]);
        let text = fs::read_to_string(folder.path().join("x.c")).unwrap();
        let kept = text.split("int k = n;\n").nth(1).unwrap();
        assert!(
            kept.starts_with("#pragma cll twice_") && kept.contains(&format!("\n{pragmas}\nfor")),
            "{text}"
        );
        assert_translates_with_openmp(folder.path());
    }
}

/// Each of P threads runs its part of a loop that they share, in a program whose processors are threads.
#[test]
fn what_threads_share_is_divided_by_their_number() {
    let shared = "void step(double *a, int n, int rounds)\n{\n#pragma omp parallel\n{\nfor (int round = 0; round < rounds; round++) {\n\
                  #pragma omp for schedule(static)\nfor (int i = 0; i < n; i++) a[i] *= 2;\n}\n}\n}\n\
                  void all(double *a, int n, int m)\n{\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\nfor (int j = 0; j < n; j++)\na[i] += j;\n}\n\
                  for (int i = 0; i < m; i++)\na[i] += 1;\n#pragma omp simd\nfor (int i = 0; i < m*m; i++)\na[i % 5] += 1;\n}\n";
    let of = |main: &str| {
        let folder = tempfile::tempdir().unwrap();
        let functions =
            "void step(double *, int, int);\nvoid all(double *, int, int);\nvoid MPI_Init(void *, void *);\n";
        fs::write(folder.path().join("x.c"), format!("{functions}{shared}{main}")).unwrap();
        insert(folder.path(), &["x.c"]);
        assert_translates_with_openmp(folder.path());
        fs::read_to_string(folder.path().join("x.c")).unwrap()
    };
    let main = |start: &str| {
        format!(
            "int main(int n, char **words)\n{{\ndouble a[100];\n(void)words;\n{start}\nstep(a, n, 2);\nreturn 0;\n}}\n"
        )
    };
    let text = of(&main(""));
    for wanted in [
        "#pragma cll step step[0] + step[1]*rounds + step[2]*n*rounds/P\n",
        "#pragma cll all_ all_[0] + all_[1]*m + all_[2]*n/P + all_[3]*m*m + all_[4]*n*n/P\n",
    ] {
        assert!(text.contains(wanted), "{wanted}{text}");
    }
    assert!(of(&main("int P = n; n = P;")).contains("n*rounds/P"));
    // Processes are none of its threads, nor is it known what a file without `main` is part of, and all functions may see another `P`.
    assert!(!of(&format!("int P;\n{}", main(""))).contains("/P"));
    assert!(!of(&main("MPI_Init(0, 0);")).contains("/P"));
    assert!(!of("").contains("/P"));
}

/// The same before a loop in its line.
#[test]
fn pragmas_that_macros_write_before_loops_belong_to_them() {
    let source = "#define OMP_FOR _Pragma(\"omp for\")\n#define OMP_EACH(x) _Pragma(\"omp parallel for\")\nstatic double a[100];\n\
                  static void f(int n) { (void)n; }\nint main(int argc, char **argv)\n{\n#pragma omp parallel\n{\nint n = argc;\n\
                  OMP_FOR for (int i = 0; i < n; i++)\na[i] *= 2;\n}\n{ int n = argc;\nOMP_EACH(1) for (int i = 0; i < n; i++)\na[i] *= 2;\n}\nf(1);\nreturn 0;\n}\n";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.c"), source).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_call"))
        .current_dir(folder.path())
        .args(["propose", "--insert", "--yes", "--only", "main_10", "--only", "main_14", "x.c"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = fs::read_to_string(folder.path().join("x.c")).unwrap();
    for expected in
        ["main_10[0] + main_10[1]*n/P\nOMP_FOR for", "main_14[0] + main_14[1]*n/P\nOMP_EACH(1) for"]
    {
        assert!(text.contains(expected), "{text}");
    }
}

/// `OMP_FOR` stands for a pragma, whatever wrote it, with `-fopenmp` and without.
#[test]
fn pragmas_that_macros_write_belong_to_their_loops() {
    let source = "#define PRAGMA(x) _Pragma(#x)\n#define OMP_PARALLEL(x) PRAGMA(omp parallel x)\n#define OMP_FOR _Pragma(\"omp for\")\n\
                  static double a[100];\nint main(int argc, char **argv)\n{\nOMP_PARALLEL()\n{\nint n = argc;\nOMP_FOR\n\
                  for (int i = 0; i < n; i++)\na[i] *= 2;\n}\nreturn 0;\n}\n";
    for flags in [&["-fopenmp"][..], &[]] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("x.c"), source).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_call"))
            .current_dir(folder.path())
            .args(["propose", "--insert", "--yes", "--only", "main_11", "x.c", "--"])
            .args(flags)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let text = fs::read_to_string(folder.path().join("x.c")).unwrap();
        let expected = "#pragma cll main_11 main_11[0] + main_11[1]*n/P\nOMP_FOR\nfor";
        assert!(text.contains(expected) && text.contains("#pragma cll parallel OpenMP\n"), "{text}");
    }
}

/// What begins again and again makes long traces: a function that calls itself, one that a counted loop calls.
#[test]
fn directives_that_measure_often_are_told() {
    let source = "static double a[100];\nstatic void down(int k)\n{\n    if (k <= 0)\n        return;\n    for (int i = 0; i < k; i++)\n        a[i] = 0;\n\
                  \x20   down(k - 1);\n}\nstatic void row(int n)\n{\n    for (int i = 0; i < n; i++)\n        a[i] = 1;\n}\n\
                  static void all(int n)\n{\n    for (int i = 0; i < n; i++)\n        row(n);\n}\n\
                  int main(int argc, char **argv)\n{\n    int n = argc;\n    all(n);\n    down(n);\n    return 0;\n}\n";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.c"), source).unwrap();
    let told = insert(folder.path(), &["x.c"]);
    for (name, often) in
        [("down", "in each call of `down`, which calls itself"), ("row", "n times in each call of `all_`")]
    {
        let line = told
            .lines()
            .find(|line| line.contains(&format!(": {name}: it measures {often}: traces may be large")));
        assert!(line.is_some(), "{name}: {told}");
    }
    assert!(!told.contains(": all_: it measures"), "{told}");
}

/// Two functions that call each other; one that they call, and one that has a member and a variable of the name of its caller, do not.
#[test]
fn functions_that_call_each_other_measure_often() {
    let source = "struct node { int f; };\nstatic double a[100];\nstatic void g(int k);\n\
                  static void leaf(int n)\n{\n    struct node node = {0}; int f = node.f; (void)f;\n    for (int i = 0; i < n; i++)\n        a[i] = 1;\n}\n\
                  static void f(int k)\n{\n    for (int i = 0; i < k; i++)\n        a[i] = 0;\n    leaf(k);\n    if (k > 0)\n        g(k - 1);\n}\n\
                  static void h(int k)\n{\n    for (int i = 0; i < k; i++)\n        a[i] = 3;\n    f (k);\n}\n\
                  static void g(int k)\n{\n    for (int i = 0; i < k; i++)\n        a[i] = 2;\n    h(k);\n}\n\
                  int main(int argc, char **argv)\n{\n    f(argc);\n    return 0;\n}\n";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.c"), source).unwrap();
    let told = insert(folder.path(), &["--all", "x.c"]);
    for (name, through) in [("f", "`g` and `h`"), ("g", "`h` and `f`"), ("h", "`f` and `g`")] {
        let often =
            format!("it measures in each call of `{name}`, which calls itself through {through}: traces");
        assert!(told.contains(&often), "{name}: {told}");
    }
    assert!(!told.contains("call of `leaf`") && !told.contains("call of `main`"), "{told}");
}

/// What is put in is translated and compiled: loops that a `case` enters, addresses of rows, parameters of old, differences behind pointers.
#[test]
fn what_is_put_in_is_translated() {
    let inserted = |functions: &str| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("x.c"), functions).unwrap();
        let told = Command::new(env!("CARGO_BIN_EXE_call"))
            .current_dir(folder.path())
            .args(["propose", "--insert", "--yes", "x.c"])
            .output()
            .unwrap();
        let text = fs::read_to_string(folder.path().join("x.c")).unwrap();
        let translated =
            Command::new(env!("CARGO_BIN_EXE_call")).current_dir(folder.path()).arg("x.c").output().unwrap();
        let said = String::from_utf8_lossy(&translated.stderr);
        assert!(translated.status.success(), "{said}\n{text}");
        let directives =
            text.lines().filter(|line| line.starts_with("#pragma cll") && !line.contains(" end "));
        let told = String::from_utf8_lossy(&told.stderr).into_owned();
        (directives.map(str::to_owned).collect::<Vec<_>>(), told)
    };
    let duff = "int duff(int n)\n{\n    int c = 0, k = (n + 7)/8;\n    switch (n % 8) {\n    case 0:\n        do {\n            \
                c++;\n    case 7: c++;\n    case 1: c++;\n        } while (--k > 0);\n    }\n    return c;\n}\n\
                int plain(int n)\n{\n    int c = 0;\n    for (int i = 0; i < n; i++)\n        c++;\n    return c;\n}\n";
    let (directives, _) = inserted(duff);
    assert!(directives.iter().all(|its| !its.contains("duff_")), "{directives:?}");
    assert!(directives.iter().any(|its| its.contains("plain[1]*n")), "{directives:?}");
    for rows in ["int a[][10], int n", "int **a, int n"] {
        let rows = format!(
            "long rows({rows})\n{{\n    long c = 0;\n    for (int *p = a[0]; p < a[n]; p++)\n        c += *p + 1;\n    \
             for (int i = 0; i < n; i++)\n        c++;\n    return c;\n}}\n"
        );
        let (directives, _) = inserted(&rows);
        assert!(directives.iter().all(|its| !its.contains("a[")), "{directives:?}");
        assert!(!directives.is_empty());
    }
    let local = "long rows(int n)\n{\n    int a[9][9];\n    long c = 0;\n    for (int *p = a[0]; p < a[n]; p++)\n        c++;\n    return c + n;\n}\n";
    let (directives, _) = inserted(&format!("{local}{SUMS}"));
    assert!(directives.iter().all(|its| !its.contains("a[")), "{directives:?}");
    let of_old = "void adjust(w, n)\ndouble *w;\n{\n    for (int j = 0; j < n; j++)\n        w[j] += 1;\n}\n";
    let (directives, _) = inserted(of_old);
    assert_eq!(directives, ["#pragma cll adjust adjust[0] + adjust[1]*n"]);
    let buffer = "struct buffer { int pos, len; char *data; };\nstatic int starts[4000];\nvoid fill(struct buffer *b)\n{\n    \
                  while (b->pos < b->len)\n        b->data[b->pos++] = 1;\n}\nvoid first(int m, double *x)\n{\n    \
                  if (m > 2)\n        for (int k = 0; k < starts[9]; k++)\n            x[k] += 1;\n}\n";
    let (directives, told) = inserted(buffer);
    let expected = [
        "#pragma cll fill fill[0] + fill[1]*(b->len - b->pos)",
        "#pragma cll first first[0] + first[1]*starts[9]",
    ];
    assert!(!told.contains("under a condition"), "{told}");
    assert!(expected.iter().all(|its| directives.iter().any(|own| own == its)), "{directives:?}");
    // The condition may be what keeps the index within the array: behind it, it is read.
    let guarded = format!(
        "static int starts[4000];\nvoid rows(int n, double *x)\n{{\n    if (n < 4000)\n        \
         for (int k = 0; k < starts[n]; k++)\n            x[k] += 1;\n}}\n{SUMS}"
    );
    let (directives, _) = inserted(&guarded);
    assert_eq!(directives[0], "#pragma cll rows_5 rows_5[0] + rows_5[1]*starts[n]", "{directives:?}");
    assert!(directives.iter().all(|its| !its.starts_with("#pragma cll rows ")), "{directives:?}");
}
