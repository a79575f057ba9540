//! Instrumented programs point at the user's own lines: what they say of themselves, what gdb stops at, what gcov counts.

use call_tests::{Workshop, is_there};
use std::collections::BTreeMap;

const STRICT: &str = "-std=c99 -Wall -Wextra -Wpedantic -Wno-unknown-pragmas -Werror";

/// A folder with `plain` and `instrumented` made of `lines.c` with some flags.
fn built(compiler: &str, flags: &str) -> Workshop {
    let workshop = Workshop::new();
    workshop.bring("tests/programs/lines.c");
    workshop.shell(&format!("{compiler} {STRICT} {flags} lines.c -o plain"));
    workshop.shell(&format!(
        "CC={compiler} call lines.c && {compiler} {STRICT} {flags} $(call cflags) lines.call.c $(call libs) -o instrumented"
    ));
    workshop
}

#[test]
fn files_lines_and_functions_are_those_of_the_source() {
    for compiler in ["cc", "clang"] {
        if is_there(compiler) {
            let workshop = built(compiler, "-O2");
            assert_eq!(
                workshop.shell("CALL_QUIET=1 ./instrumented"),
                workshop.shell("./plain"),
                "{compiler}"
            );
            assert_eq!(workshop.trace("lines.call.0.dat").experiments.len(), 2);
        }
    }
}

/// What gdb prints about a stop at each of these lines.
fn stops(workshop: &Workshop, program: &str, lines: &[u32]) -> Vec<String> {
    let breaks: String = lines.iter().map(|line| format!(" -ex 'tbreak lines.c:{line}'")).collect();
    let continues = " -ex continue".repeat(lines.len());
    let text = workshop
        .shell(&format!("CALL_QUIET=1 gdb -batch -nx{breaks} -ex run{continues} ./{program} 2>/dev/null"));
    let place = |line: &str| line.find("lines.c:").map(|at| line[at..].to_owned());
    text.lines().filter(|line| line.contains(" at ")).filter_map(place).collect()
}

#[test]
fn gdb_stops_at_the_same_lines() {
    if !is_there("gdb") {
        return;
    }
    let workshop = built("cc", "-O0 -g");
    let lines = [12, 13, 16, 22, 30];
    let plain = stops(&workshop, "plain", &lines);
    assert!(plain.len() >= 4, "{plain:?}");
    assert_eq!(stops(&workshop, "instrumented", &lines), plain);
}

/// How often gcov saw each line run.
fn coverage(workshop: &Workshop, program: &str) -> BTreeMap<u32, String> {
    let text = workshop.shell(&format!(
        "rm -f *.gcda; CALL_QUIET=1 ./{program} >/dev/null && gcov -t {program}-lines*.gcda 2>/dev/null | sed -n '/0:Source:.*lines.c$/,/0:Source:.*[^s]\\.[ch]$/p'"
    ));
    let mut counts = BTreeMap::new();
    for line in text.lines() {
        let mut fields = line.splitn(3, ':');
        if let (Some(count), Some(number)) =
            (fields.next(), fields.next().and_then(|text| text.trim().parse().ok()))
        {
            counts.entry(number).or_insert_with(|| count.trim().trim_end_matches('*').to_owned());
        }
    }
    counts
}

#[test]
fn gcov_counts_the_same_lines() {
    if !is_there("gcov") {
        return;
    }
    let workshop = built("cc", "-O0 --coverage");
    let plain = coverage(&workshop, "plain");
    let instrumented = coverage(&workshop, "instrumented");
    let source = workshop.read("lines.c");
    let mut compared = 0;
    for (line, text) in (1..).zip(source.lines()) {
        // Directives are no code in the plain program.
        let is_plain_code = plain.get(&line).is_some_and(|count| count != "-");
        if is_plain_code
            && !text.contains("MEASURED")
            && !text.contains("return abs")
            && !text.trim().starts_with("1;")
        {
            assert_eq!(instrumented.get(&line), plain.get(&line), "line {line}: {text}");
            compared += 1;
        }
    }
    assert!(compared > 10, "{plain:?}");
}

/// What is wrong in a BSP program is told with the line of the call in which it was found.
#[test]
fn messages_of_wrong_bsp_programs_have_lines() {
    let wrong = [
        ("bsp_put(-1, a, a, 0, 4);", "(found at wrong.c:8)", "-1"),
        ("bsp_put(0, a, a, 90, 11);\n    bsp_sync();", "(found at wrong.c:", "11 bytes at offset 90"),
        ("if (bsp_pid() == 0)\n        bsp_sync();", "(found at wrong.c:", "the report (at the end"),
    ];
    for (statement, position, what) in wrong {
        let workshop = Workshop::new();
        workshop.write(
            "wrong.c",
            format!(
                "#include <bsp.h>\nstatic char a[100];\nint main(void)\n{{\n    bsp_begin(bsp_nprocs());\n    bsp_push_reg(a, 100);\n    \
                 bsp_sync();\n    {statement}\n    bsp_end();\n    return 0;\n}}\n"
            ),
        );
        let told = workshop.shell("call run --profile wrong.c --procs 2:2 --oversubscribe 2>&1 || true");
        let line = told.lines().find(|line| line.starts_with("call: ")).unwrap_or_default();
        assert!(line.contains(what) && line.contains(position), "{told}");
    }
}
