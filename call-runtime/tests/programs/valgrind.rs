//! No wrong use of memory, nothing uninitialised, nothing lost: what memcheck sees, in one process and in several that share memory.

use crate::support::{Flavour, Run, answers};

const MEMCHECK: [&str; 3] = ["valgrind", "--quiet", "--error-exitcode=99"];
const WITH_LOST_MEMORY: [&str; 2] = ["--leak-check=full", "--errors-for-leak-kinds=definite,indirect"];
const WITHOUT: [&str; 1] = ["--leak-check=no"];

#[test]
fn memcheck_finds_nothing() {
    if !answers("valgrind") {
        eprintln!("skipped: valgrind");
        return;
    }
    let cases: &[(&str, usize, &[&str])] = &[
        ("golden", 1, &[]),
        ("values", 1, &[]),
        ("end_values", 1, &[]),
        ("abandoned", 1, &[]),
        ("recursion", 1, &["60000"]),
        ("many", 1, &["60000"]),
        ("threads", 1, &["3", "3", "200"]),
        ("busy", 1, &["2", "500", "4"]),
        ("rows", 3, &["300"]),
        ("storm", 3, &["6", "1"]),
        ("bsp_threads", 2, &[]),
        ("bsplib_rows", 2, &[]),
        ("bsplib_storm", 3, &["4", "1"]),
        ("pub_whole", 2, &[]),
    ];
    for (program, processors, arguments) in cases {
        // The messages of a BSP machine lie in address space that is mostly unused; a search for what is lost would go through all of it.
        let lost: &[&str] = if *processors == 1 { &WITH_LOST_MEMORY } else { &WITHOUT };
        let launcher = [&MEMCHECK, lost].concat();
        let mut run = Run::of(Flavour::Plain, program).counting().on(*processors).launched_by(&launcher);
        for argument in *arguments {
            run = run.with(argument);
        }
        let outcome = run.succeed();
        assert!(!outcome.stderr.contains("=="), "{run:?}: {outcome:?}");
    }
}
