//! Compilers warn of nothing in what directives become, and of all that they warn of without directives.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const WARNINGS: &[&str] = &[
    "-O2",
    "-Wall",
    "-Wextra",
    "-pedantic-errors",
    "-Wshadow",
    "-Wdeclaration-after-statement",
    "-Wimplicit-fallthrough",
    "-Wlong-long",
    "-Wcast-qual",
    "-Wconversion",
    "-Wunreachable-code",
    "-Wunused",
    "-Wmissing-prototypes",
];

/// Compilers that are there, one name of each; gcc or what stands for it always is.
fn compilers() -> Vec<String> {
    let names =
        ["cc", "gcc", "gcc-11", "gcc-12", "gcc-13", "gcc-14", "clang", "clang-14", "clang-16", "clang-19"];
    let mut known = BTreeSet::new();
    let is_new = |name: &&str| {
        let asked = Command::new(name).args(["-dM", "-E", "-xc", "/dev/null"]).output();
        asked.is_ok_and(|out| out.status.success() && known.insert(out.stdout))
    };
    names.into_iter().filter(is_new).map(str::to_owned).collect()
}

/// Compares line and text of each warning or error, without directives and with them.
fn compare(name: &str, standard: &str, source: &str) {
    compare_with(name, standard, &[], source);
}

fn compare_with(name: &str, standard: &str, flags: &[&str], source: &str) {
    let folder: PathBuf = std::env::temp_dir().join(format!("call-warnings-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("x.c"), source).unwrap();
    let translated = Command::new(env!("CARGO_BIN_EXE_call"))
        .current_dir(&folder)
        .env("CALL_RUNTIME_DIR", folder.join("runtime"))
        .args(["x.c", "--", &format!("-std={standard}")])
        .output()
        .unwrap();
    assert!(translated.status.success(), "{name}: {}", String::from_utf8_lossy(&translated.stderr));
    let include = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/../call-runtime/include");
    for compiler in compilers() {
        let messages = |file: &str| -> BTreeSet<String> {
            let done = Command::new(&compiler)
                .current_dir(&folder)
                .env("LC_ALL", "C")
                .args(WARNINGS)
                .args(flags)
                .args([&format!("-std={standard}"), "-Wno-unknown-pragmas", include, "-c", file, "-o", "x.o"])
                .output()
                .unwrap();
            let text = String::from_utf8_lossy(&done.stderr).into_owned();
            let kind = |line: &str| {
                let (place, message) =
                    line.split_once(": warning: ").or_else(|| line.split_once(": error: "))?;
                let mut place = place.split(':');
                Some(format!("{}:{} {message}", place.next()?, place.next().unwrap_or_default()))
            };
            text.lines().filter_map(kind).collect()
        };
        assert_eq!(messages("x.call.c"), messages("x.c"), "{name} under {compiler} -std={standard}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn declarations_may_follow_a_begin_and_an_end() {
    let source = "int f(int n);\nint f(int n)\n{\n#pragma cll whole whole[0]*n\n    int a = n;\n#pragma cll inner inner[0]*n\n    \
        int b = 2 * n;\n#pragma cll end inner\n    int c = b;\n    a += c;\n#pragma cll end whole\n    return a + b;\n}\n\
        int g(void);\nint g(void)\n{\n#pragma cll first first[0]\n    f(1);\n    int late = 2;\n#pragma cll end first\n    return late;\n}\n";
    compare("declarations", "c99", source);
    compare("declarations-c90", "gnu90", source);
}

#[test]
fn blocks_that_are_left() {
    let source = "int f(int n, int unused);\nint f(int n, int unused)\n{\n#pragma cll f f[0]*n\n    int a = n;\n    \
        if (a > 3)\n        return f(a - 1, 0);\n    a++;\n    switch (n) {\n    case 1:\n#pragma cll arm arm[0]\n        \
        a = f(2, 1);\n        if (a) break;\n#pragma cll end arm\n        return a;\n    case 2:\n        a = 3;\n    default:\n        \
        goto out;\n    }\n    for (;;) {\n#pragma cll round round[0]*n\n        if (a++ > 9) break;\n        if (a == 7) continue;\n\
        #pragma cll end round\n    }\nout:\n#pragma cll end f\n    return a;\n}\n\
        int g(int n);\nint g(int n)\n{\n#pragma cll g g[0]*n\n    if (n) return 1;\n#pragma cll end g\n}\n";
    for standard in ["c90", "gnu90", "c99", "c11", "c2x"] {
        compare(&format!("left-{standard}"), standard, source);
    }
}

#[test]
fn ends_before_returns_and_calls_that_do_not_come_back() {
    let source = "#include <stdlib.h>\nlong f(int n);\nlong f(int n)\n{\n#pragma cll f f[0]*n\n    switch (n) {\n    case 1:\n\
        #pragma cll end f\n        return 1;\n    case 2:\n        abort();\n    case 3: {\n        int a = n;\n#pragma cll end f\n        \
        return a;\n    }\n    }\n    if (n > 7)\n        exit(1);\n    n++;\n#pragma cll end f\n    return n;\n}\n";
    for standard in ["c90", "c99", "c2x"] {
        compare(&format!("ends-{standard}"), standard, source);
    }
}

#[test]
fn values_taken_at_the_end_and_nested_returns() {
    let source = "int g(int n);\nint g(int n)\n{\n    int size = 0;\n#pragma cll g g[0]*size at end\n    while (n-- > 0) {\n        \
        if (n == 5)\n            return __extension__({ if (n > size) return g(2); g(1); });\n        size++;\n    }\n\
        #pragma cll end g\n    return size;\n}\n";
    compare("nested", "gnu99", source);
}

/// The body of a function that a macro renames, with a return in another macro, which only a guard ends.
#[test]
fn names_of_experiments_may_be_macros() {
    let source = "#define Work work\n#define LEAVE return 1\nint Work(int n);\nint Work(int n)\n{\n#pragma cll Work Work[0]\n\
        if (n > 3) LEAVE;\n    if (n > 2) {\n#pragma cll end Work\n        return 2;\n    }\n    n++;\n#pragma cll end Work\n    return n;\n}\n";
    compare("renamed", "gnu11", source);
}

#[test]
fn inline_functions() {
    let source = "inline int f(int n);\ninline int f(int n)\n{\n#pragma cll f f[0]*n\n    int a = n;\n    if (n) return 2;\n\
        #pragma cll end f\n    return a;\n}\nextern int f(int n);\n";
    compare("inline", "c99", source);
}

#[test]
fn a_byte_order_mark_stays_in_front() {
    compare(
        "mark",
        "c99",
        "\u{feff}int f(int n);\nint f(int n)\n{\n#pragma cll f f[0]*n\n    n++;\n#pragma cll end f\n    return n;\n}\n",
    );
}

/// Where directives may stand, as functions of `n`; B and E are begin and end of an experiment, V one whose formula has `n`.
const PLACES: &[(&str, &str)] = &[
    ("return", "{\nB\n    if (n > 1) {\nE\n        return 1;\n    }\n    n++;\nE\n    return n;\n}\n"),
    (
        "break",
        "{\n    for (;;) {\nB\n        n++;\n        if (n > 7) {\nE\n            break;\n        }\n        n++;\nE\n    }\n    return n;\n}\n",
    ),
    (
        "continue",
        "{\n    while (n++ < 9) {\nB\n        if (n == 3) {\nE\n            continue;\n        }\n        n++;\nE\n    }\n    return n;\n}\n",
    ),
    (
        "goto",
        "{\nB\n    n++;\n    if (n > 3) {\nE\n        goto out;\n    }\n    n--;\nE\n    n++;\nout:\n    return n;\n}\n",
    ),
    ("label", "{\nB\n    if (n) goto out;\n    n++;\nout:\nE\n    return n;\n}\n"),
    ("labels", "{\n    if (n) goto in;\n    n++;\nin:\nB\n    n--;\nE\n    return n;\n}\n"),
    (
        "arms",
        "{\n    switch (n) {\n    case 1:\nB\n        n = 2;\nE\n        break;\n    case 2:\n        n = 3;\n    case 3:\nB\n        \
         n = 4;\nE\n        return n;\n    default:\nB\nE\n        ;\n    }\n    return 0;\n}\n",
    ),
    (
        "last",
        "{\nB\n    switch (n) {\n    case 1:\nE\n        return 1;\n    default:\n        n++;\n    }\nE\n    return n;\n}\n",
    ),
    ("whole", "{\nB\n    if (n) return 1;\n    else return 2;\nE\n}\n"),
    ("declarations", "{\nB\n    int a = n;\n    int b;\nE\n    b = a;\n    return b;\n}\n"),
    ("nothing", "{\nB\nE\n    return n;\n}\n"),
    ("branch", "{\n    if (n)\nB\n        n++;\nE\n    return n;\n}\n"),
    ("formula", "{\nV\n    int unused = 1, set;\n    set = 2;\nE\n    return 1;\n}\n"),
    ("qualified", "{\nB\n    const char *p = (char *)(const char *)\"\";\nE\n    return *p + n;\n}\n"),
];

/// What a function may be.
const HEADS: &[(&str, &str)] = &[
    ("plain", "int f(int n);\nint f(int n)\n"),
    ("undeclared", "int f(int n)\n"),
    ("inline", "static __inline int f(int n)\n"),
    ("gnu_inline", "extern __inline __attribute__((gnu_inline)) int f(int n)\n"),
    ("old", "int f(n)\nint n;\n"),
];

const STANDARDS: &[&str] = &["c90", "gnu90", "c99", "c11", "c17", "c2x"];

#[test]
fn each_place_in_each_function_under_each_standard() {
    for standard in STANDARDS {
        // One file for all: warnings are told by line.
        let mut source = String::new();
        for (head_name, head) in HEADS {
            // C23 has none of them.
            if *head_name == "old" && *standard == "c2x" {
                continue;
            }
            for (place, body) in PLACES {
                let name = format!("{place}_{head_name}");
                let text = format!("{head}{body}")
                    .replace("f(", &format!("{name}("))
                    .replace("\nB\n", &format!("\n#pragma cll {name} {name}[0]\n"))
                    .replace("\nV\n", &format!("\n#pragma cll {name} {name}[0]*n\n"))
                    .replace("\nE\n", &format!("\n#pragma cll end {name}\n"));
                source.push_str(&text);
            }
        }
        compare_with(&format!("places-{standard}"), standard, &["-Wstrict-prototypes"], &source);
    }
}

#[test]
fn variables_that_only_formulas_use() {
    let source = "struct m { int rows; };\n\
        int f(int n,\n\tconst struct m *p, int used, int maybe __attribute__((unused)));\n\
        int f(int n,\n\tconst struct m *p, int used, int maybe __attribute__((unused)))\n{\n    \
        int size = 2 * used, set, up = 0, fine __attribute__((unused)) = 1;\n    set = 3;\n\
        #pragma cll f f[0]*n+f[1]*size+f[2]*set+f[3]*p->rows+f[4]*maybe+f[5]*up+f[6]*fine\n    up += 2;\n    \
        while (used > 3) {\n        int inner = 3;\n        enum { CONSTANT = 3 };\n\
        #pragma cll g g[0]*inner+g[1]*used+g[2]*CONSTANT\n        used--;\n#pragma cll end g\n    }\n\
        #pragma cll end f\n    n = 3;\n    return used;\n}\n\
        int h(int q, int r);\nint h(int q, int r)\n{\n#pragma cll h h[0]*N let N = q*(r+1)\n    return 1;\n#pragma cll end h\n}\n\
        int k(a, b) int a; long b;\n{\n#pragma cll k k[0]*a*b\n    return 1;\n#pragma cll end k\n}\n";
    for standard in ["gnu90", "c99", "c17"] {
        compare(&format!("formulas-{standard}"), standard, source);
    }
    let parallel = "void f(int *a, int team);\nvoid f(int *a, int team)\n{\n    int i;\n#pragma cll f f[0]*team\n\
        #pragma omp parallel for num_threads(team)\n    for (i = 0; i < 9; i++)\n        a[i] = i;\n#pragma cll end f\n}\n";
    compare_with("parallel", "c99", &["-fopenmp"], parallel);
    let closed = "#pragma cll parallel OpenMP\nvoid f(int *a, int n);\nvoid f(int *a, int n)\n{\n#pragma omp parallel default(none) shared(a, n)\n    {\n\
        #pragma cll sync f f[0]*n/P\n        a[n]++;\n#pragma cll end f\n#pragma cll g g[0]\n        if (n > 3) {\n            a[0] = 1;\n        }\n#pragma cll end g\n    }\n}\n";
    compare_with("closed", "c99", &["-fopenmp"], closed);
    compare_with("closed-shared", "c99", &["-fopenmp", "-fPIC"], closed);
    let silenced = source
        .replacen(
            "struct m {",
            "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wunused-parameter\"\nstruct m {",
            1,
        )
        .replace("int h(int q, int r)\n{", "#pragma GCC diagnostic pop\nint h(int q, int r)\n{");
    compare("silenced", "c99", &silenced);
}

/// Functions of GNU C, each with an experiment between B and E.
const GNU: &[&str] = &[
    "int real(int n)\n{\nB\n    return n;\nE\n}\nint alias(int n) __attribute__((alias(\"real\"))), copy(int n);\n",
    "int declared(int n) __asm__(\"other\");\nint labelled(int n)\n{\nB\n    n = declared(n);\n    if (n) goto out;\n\
     out: __attribute__((unused))\nE\n    return n;\n}\n",
    "void clean(int *p);\nint cleaned(int n)\n{\nB\n    int x __attribute__((cleanup(clean))) = n;\n    \
     if (n) return x;\nE\n    return 2;\n}\n",
    "int old(n, m) int n __attribute__((unused)); char *m __attribute__((unused));\n{\nB\n    return 1;\nE\n}\n",
    "__attribute__((noinline)) static int __attribute__((unused)) *many(int n __attribute__((unused)))\n{\nB\n    return 0;\nE\n}\n",
    "int falls(int n)\n{\nB\n    switch (n) {\n    case 1 ... 3:\n        n++;\n        __attribute__((fallthrough));\n    \
     case 5:\nE\n        return 1;\n    }\nE\n    return 0;\n}\n",
    "int words(int n)\n{\nB\n    __auto_type x = _Generic(n, int: 1, default: 2);\n    x += ({ int y = n; if (y) return 3; y; });\n\
     E\n    return x;\n}\n",
    "int inside(int n)\n{\n    return ({ int y = n;\nB\n    y++;\nE\n    y; });\n}\n",
    "int computed(int n)\n{\n    static void *to[] = { &&a, &&b };\nB\n    goto *to[n];\na:  n++;\nb:  n++;\nE\n    return n;\n}\n",
    "int none(void) { return 1; } int one(int n) {\nB\n    return n; \nE\n} int two(void) { return 2; }\n",
    "void assembled(int n)\n{\nB\n    __asm__ volatile (\"nop\\n\\\n# 4*n(%%esp)\\n\\\n# 9\\n\" : : \"r\"(n));\nE\n}\n\
     int behind(int n)\n{\nB\n    return n;\nE\n}\n",
];

#[test]
fn attributes_aliases_and_other_words_of_gnu_c() {
    let mut source = String::new();
    for (number, function) in GNU.iter().enumerate() {
        let begin = format!("\n#pragma cll e{number} e{number}[0]\n");
        source.push_str(
            &function.replace("\nB\n", &begin).replace("\nE\n", &format!("\n#pragma cll end e{number}\n")),
        );
    }
    compare_with("gnu", "gnu17", &["-Wno-pedantic"], &source);
}
