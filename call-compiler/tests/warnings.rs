//! Compilers warn of nothing in what directives become, and of all that they warn of without directives.
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

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

/// Compilers that are there, by name; gcc or what stands for it always is.
fn compilers() -> Vec<String> {
    let names = ["cc", "gcc", "gcc-12", "gcc-13", "gcc-14", "clang", "clang-14", "clang-16", "clang-19"];
    let is_there =
        |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|out| out.status.success());
    names.into_iter().filter(is_there).map(str::to_owned).collect()
}

/// Line and option of each warning or error, without directives and with them.
fn compare(name: &str, standard: &str, source: &str) {
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
