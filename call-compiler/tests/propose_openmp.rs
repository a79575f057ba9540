//! What `call propose` divides by the number of threads, and what it does not.

use std::fs;
use std::process::Command;

const MAIN: &str = "void team(void)\n{\n#pragma omp parallel\n{ }\n}\nint main(void) { return 0; }\n";

/// Formula and remarks of a function, without its constants.
fn proposed(source: &str, function: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.c"), format!("{source}{MAIN}")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_call"))
        .current_dir(folder.path())
        .args(["propose", "--only", function, "x.c", "--", "-fopenmp"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().skip(1).map(str::trim).filter(|line| !line.starts_with(&format!("{function}[")));
    lines.map(|line| line.trim_start_matches("#pragma cll ").to_owned()).collect()
}

/// Loops that are shared in functions that are called, and functions that are called in shared loops.
#[test]
fn what_is_called_is_shared_or_not() {
    let inner =
        "void inner(double *a, int n)\n{\n#pragma omp for\nfor (int i = 0; i < n; i++)\na[i] *= 2;\n}\n";
    let twice = "void twice(double *a, int n)\n{\nfor (int i = 0; i < n; i++)\na[i] *= 2;\n}\n";
    let own = inner.replace("inner", "team_of_its_own").replace("omp for", "omp parallel for");
    for (body, expected) in [
        ("#pragma omp parallel\ninner(a, n);", "f[0] + f[1]*n/P"),
        ("for (int i = 0; i < m; i++)\ninner(a, n);", "f[0] + f[1]*m + f[2]*m*n/P"),
        ("twice(a, n);", "f[0] + f[1]*n"),
        (
            "#pragma omp parallel for\nfor (int i = 0; i < m; i++)\ntwice(a, n);",
            "f[0] + f[1]*m/P + f[2]*m*n/P",
        ),
        // A team within a team has one thread.
        (
            "#pragma omp parallel for\nfor (int i = 0; i < m; i++)\ninner(a, n);",
            "f[0] + f[1]*m/P + f[2]*m*n/P",
        ),
        // What each thread of a team calls is in that team.
        ("#pragma omp parallel\nteam_of_its_own(a, n);", "f[0] + f[1]*n"),
        ("team_of_its_own(a, n);", "f[0] + f[1]*n/P"),
        (
            "#pragma omp parallel\n{\n#pragma omp parallel for\nfor (int i = 0; i < n; i++)\na[i] *= 2;\n}",
            "f[0] + f[1]*n",
        ),
        ("#pragma omp parallel\nfor (int i = 0; i < n; i++)\na[i] *= 2;", "f[0] + f[1]*n"),
        // A loop that is shared beside one that is not.
        (
            "for (int i = 0; i < n; i++)\na[i] += 1;\n#pragma omp parallel for\nfor (int i = 0; i < n; i++)\na[i] *= 2;",
            "f[0] + f[1]*n/P + f[2]*n",
        ),
        // Each thread opens the team as often as the loop around says, also where that is told as a difference.
        (
            "for (int t = m; t < n; t++) {\n#pragma omp parallel for\nfor (int i = 0; i < 9; i++)\na[i] *= 2;\n}",
            "f[0] + f[1]*(n - m)/P + f[2]*(n - m)",
        ),
        // What others call `P` changes nothing.
        (
            "#pragma omp parallel for\nfor (int i = 0; i < n; i++)\na[i] *= 2;\n}\nint other(int P)\n{\nreturn P;",
            "f[0] + f[1]*n/P",
        ),
        // Directives of experiments say `P`, too.
        (
            "#pragma cll old old[0] + old[1]*n/P\n#pragma omp parallel\ninner(a, n);\n#pragma cll end old",
            "f[0] + f[1]*n/P",
        ),
    ] {
        let source = format!("{inner}{twice}{own}void f(double *a, int n, int m)\n{{\n{body}\n}}\n");
        let found: Vec<String> = proposed(&source, "f")
            .into_iter()
            .filter(|line| !line.starts_with("where") && !line.starts_with("divided by P if"))
            .collect();
        assert_eq!(found, [format!("f {expected}")], "{source}");
    }
}

/// What one thread at a time runs is spent by all of them, and who runs a task is seen only then.
#[test]
fn what_is_not_divided_is_told() {
    let twice = "void twice(double *a, int n)\n{\nfor (int i = 0; i < n; i++)\na[i] *= 2;\n}\n";
    let shared =
        |body: &str| format!("#pragma omp parallel for ordered\nfor (int i = 0; i < n; i++) {{\n{body}\n}}");
    let one = "run by one thread at a time";
    let of_body = "\nfor (int j = 0; j < m; j++)\na[0] += j;";
    for (body, expected) in [
        (shared(&format!("#pragma omp critical{of_body}")), vec!["f f[0] + f[1]*n + f[2]*m*n", one]),
        (shared(&format!("#pragma omp critical (sum)\n{{{of_body}\n}}")), vec!["f f[0] + f[1]*n + f[2]*m*n", one]),
        (shared(&format!("#pragma omp ordered{of_body}")), vec!["f f[0] + f[1]*n + f[2]*m*n", one]),
        (shared("#pragma omp critical\ntwice(a, m);"), vec!["f f[0] + f[1]*n + f[2]*m*n", one]),
        // Each thread does all of it, one after another.
        (
            "#pragma omp parallel\n{\nfor (int i = 0; i < n; i++)\n#pragma omp critical\na[0] += i;\n}".to_owned(),
            vec!["f f[0] + f[1]*n", one],
        ),
        // What is beside it is shared.
        (shared("a[i] = i;\n#pragma omp critical\na[0] += i;"), vec!["f f[0] + f[1]*n/P + f[2]*n", one]),
        (shared("#pragma omp atomic\na[0] += i;"), vec!["f f[0] + f[1]*n/P"]),
        (
            "#pragma omp target teams distribute parallel for\nfor (int i = 0; i < n; i++)\na[i] += 1;".to_owned(),
            vec!["f f[0] + f[1]*n", "what `target` or `distribute` hands out"],
        ),
        // Once shared, and once not.
        (
            format!("twice(a, m);\n{}", shared("twice(a, n);")),
            vec!["f f[0] + f[1]*m + f[2]*n/P + f[3]*n + f[4]*n*n", "share, and elsewhere"],
        ),
        (format!("int P = 3;\n{}", shared("a[i] = P;")), vec!["f f[0] + f[1]*n", "`P` is a name of the program there"]),
        (
            "#pragma omp parallel\n#pragma omp single\nfor (int i = 0; i < n; i++)\n#pragma omp task\na[i] += 1;".to_owned(),
            vec!["f f[0] + f[1]*n", "tasks that threads may share"],
        ),
        (
            "#pragma omp parallel sections\n{\n#pragma omp section\nfor (int i = 0; i < n; i++)\na[i] += 1;\n}".to_owned(),
            vec!["f f[0] + f[1]*n", "sections that threads share"],
        ),
        (
            "#pragma omp parallel sections\n{\n#pragma omp section\ntwice(a, n);\n#pragma omp section\ntwice(a, m);\n}".to_owned(),
            vec!["f f[0] + f[1]*m + f[2]*n", "sections that threads share"],
        ),
        (
            "#pragma omp parallel\n#pragma omp single\n{\n#pragma omp task\ntwice(a, n);\n}".to_owned(),
            vec!["f f[0] + f[1]*n", "tasks that threads may share"],
        ),
    ] {
        let source = format!("{twice}void f(double *a, int n, int m)\n{{\n{body}\n}}\n");
        let found = proposed(&source, "f");
        assert_eq!(found[0], expected[0], "{source}");
        assert_eq!(found.len(), expected.len(), "{source}{found:?}");
        for (line, why) in found.iter().zip(expected).skip(1) {
            assert!(line.starts_with("not divided by P: line") && line.ends_with(why), "{source}{found:?}");
        }
    }
}

/// A loop is shared by the team that comes to it: where that may be another one than of `P` threads, it is told.
#[test]
fn what_is_divided_under_a_condition_is_told() {
    let orphan =
        "void inner(double *a, int n)\n{\n#pragma omp for\nfor (int i = 0; i < n; i++)\na[i] *= 2;\n}\n";
    let shared =
        |clauses: &str| format!("#pragma omp parallel for{clauses}\nfor (int i = 0; i < n; i++)\na[i] += 1;");
    for (body, expected) in [
        (shared(""), None),
        (shared(" schedule(static) private(m)"), None),
        (shared(" num_threads(2)"), Some("divided by P if `num_threads` is P there: line")),
        (
            shared(" private(m) \\\n if(n > 1000000)"),
            Some("divided by P if the condition of `if` holds there: line"),
        ),
        ("inner(a, n);".to_owned(), Some("divided by P if a team runs it, which is not seen: line 5")),
        ("#pragma omp parallel\ninner(a, n);".to_owned(), None),
    ] {
        let source = format!("{orphan}void f(double *a, int n, int m)\n{{\n{body}\n}}\n");
        let found = proposed(&source, "f");
        assert_eq!(found[0], "f f[0] + f[1]*n/P", "{source}");
        assert_eq!(found.len(), 1 + usize::from(expected.is_some()), "{source}{found:?}");
        assert!(expected.is_none_or(|expected| found[1].starts_with(expected)), "{source}{found:?}");
    }
}
