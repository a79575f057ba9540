//! Compilers as people call them: `call cc` reads their command lines as they do.

use std::os::unix::fs::symlink;

use call_tests::{Workshop, binaries, is_there};

const PROGRAM: &str = "\
#include \"own.h\"
int main(void)
{
    int n = OWN;
#pragma cll f f[0]*n
    n--;
#pragma cll end f
#pragma cll report all
    return n - EXTRA;
}
";

/// A folder with a program, and with an executable script for each name.
fn workshop(scripts: &[(&str, &str)]) -> Workshop {
    let workshop = Workshop::new();
    workshop.write("x.c", PROGRAM);
    workshop.write("own.h", "#define OWN 3\n#define EXTRA 2\n");
    workshop.shell("mkdir bin");
    for (name, line) in scripts {
        workshop.write(&format!("bin/{name}"), format!("#!/bin/sh\n{line}\n"));
        workshop.shell(&format!("chmod +x bin/{name}"));
    }
    workshop
}

/// Whether a command line makes a program that measures; it is removed, and its traces are.
fn measures(workshop: &Workshop, line: &str) {
    workshop.shell(&format!("{line} && CALL_CLOCK=counting ./prog"));
    assert_eq!(workshop.trace("x.call.0.dat").experiments.len(), 1, "{line}");
    workshop.shell("rm -rf prog *.dat *.o .call");
}

#[test]
fn words_before_the_compiler() {
    let log = "echo \"$0 $1\" >>log; exec \"$@\"";
    let workshop = workshop(&[("ccache", log), ("nice2", log), ("libz.so.1", log)]);
    measures(
        &workshop,
        "PATH=$PWD/bin:$PATH; call cc ccache nice2 gcc -O1 -c x.c && call cc ccache gcc x.o -o prog",
    );
    let used = workshop.read("log");
    assert!(used.contains("bin/ccache nice2") && used.contains("bin/nice2 gcc"), "{used}");
    measures(&workshop, "bin/ccache call cc gcc -c x.c && call cc x.o -o prog");
}

#[test]
fn compilers_of_the_environment_and_names_of_one_word() {
    let log = "echo \"$0\" >>log; exec cc \"$@\"";
    let workshop = workshop(&[("mine", log), ("mpicc", log)]);
    measures(&workshop, "export CC=\"$PWD/bin/mine -O1\"; call cc x.c -o prog");
    assert!(workshop.read("log").contains("bin/mine"));
    measures(&workshop, "export CC='call cc'; $CC x.c -o prog");
    for name in ["call-cc", "call-mpicc", "call-oshcc"] {
        symlink(binaries().join("call"), workshop.path().join("bin").join(name)).unwrap();
    }
    measures(&workshop, "export CC=$PWD/bin/call-cc; $CC x.c -o prog");
    workshop.shell("rm log; PATH=$PWD/bin:$PATH; call-mpicc -c x.c -o x.o");
    assert!(workshop.read("log").contains("bin/mpicc"));
}

#[test]
fn long_options_mean_what_short_ones_do() {
    let workshop = workshop(&[]);
    workshop.shell("mv x.c x.inc");
    measures(&workshop, "call cc --language=c x.inc --output=prog");
    measures(&workshop, "call cc --language c --compile x.inc --output x.o && call cc x.o --output prog");
}

/// Compilers of C++ link objects of C, too; in C++ itself directives measure nothing, which is said.
#[test]
fn compilers_of_cpp_link_what_was_translated() {
    if !is_there("g++") {
        return;
    }
    let workshop = workshop(&[]);
    workshop.write("y.cpp", "struct Y { Y() {} } y;\n");
    measures(&workshop, "call cc -c x.c && call cc g++ x.o y.cpp -o prog");
    workshop.shell("mv x.c z.cc");
    let told = workshop.shell("call cc g++ -c z.cc 2>&1; call cc g++ -c y.cpp 2>&1");
    assert!(
        told.starts_with("call: z.cc is C++, which is not translated") && told.lines().count() == 1,
        "{told}"
    );
}

#[test]
fn words_in_files() {
    let workshop = workshop(&[]);
    measures(&workshop, "call cc -v x.c -o prog");
    workshop.write("words", "-O1 -Wall\n 'x.c' \"-DQUOTED=\\\"a b\\\"\"\n@more\n");
    workshop.write("more", "-o prog");
    measures(&workshop, "call cc @words");
    // So many that they have to go to the compiler in a file.
    workshop.shell("ar rcs empty.a");
    workshop.write("more", "./././././././././././././empty.a\n".repeat(8_000) + "-o prog");
    measures(&workshop, "call cc @words");
    workshop.write("more", "-MM");
    assert_eq!(workshop.shell("call cc @words"), "x.o: x.c own.h\n");
}

#[test]
fn blanks_in_paths_and_options_of_the_preprocessor() {
    let workshop = workshop(&[]);
    workshop.shell("mkdir 'my sources' 'my objects' && mv x.c own.h 'my sources'");
    measures(
        &workshop,
        "call cc -Wp,-MMD,'my objects/x.d' -c 'my sources/x.c' -o 'my objects/x.o' && call cc 'my objects/x.o' -o prog",
    );
    let dependencies = workshop.read("my objects/x.d").replace("\\\n", "");
    assert_eq!(dependencies.split_once(':').unwrap().1.trim(), "my\\ sources/x.c my\\ sources/own.h");
    workshop.shell("call cc -MD -MP -MT 'a b' -MFx.dep -x c -c 'my sources/x.c' && test -f x.o");
    let dependencies = workshop.read("x.dep");
    assert!(
        dependencies.starts_with("a b: my\\ sources/x.c") && !dependencies.contains(".call"),
        "{dependencies}"
    );
}

/// Whether the program that a line makes starts MPI.
fn uses_mpi(workshop: &Workshop, line: &str) -> bool {
    workshop.shell(&format!("PATH=$PWD/bin:$PATH; {line}"));
    workshop.shell("grep -c MPI_Comm_size prog || true").trim() != "0"
}

#[test]
fn what_links_programs_of_mpi_is_mpi_whatever_its_name() {
    if !is_there("mpicc") {
        return;
    }
    let real = workshop(&[]).shell("command -v mpicc");
    let workshop = workshop(&[("cc", &format!("exec {} \"$@\"", real.trim())), ("mpicc", "exec gcc \"$@\"")]);
    for (line, expected) in [
        ("call cc cc x.c -o prog", true),
        ("call cc x.c -o prog", true),
        ("call cc mpicc x.c -o prog", false),
        ("call cc --no-mpi cc x.c -o prog", false),
        ("call cc gcc x.c -o prog", false),
        ("call cc --mpi cc x.c -o prog", true),
    ] {
        assert_eq!(uses_mpi(&workshop, line), expected, "{line}");
    }
}

/// SimGrid's header lets all functions of MPI be missing, and its program loads that which it simulates.
#[test]
fn programs_for_simgrid_record_their_events_under_their_name() {
    if !is_there("smpicc") {
        return;
    }
    let workshop = workshop(&[]);
    workshop.bring("examples/fft/cluster.xml");
    workshop.write("hosts", "n-0.x\nn-1.x\n");
    workshop.write(
        "ring.c",
        "#include <mpi.h>\nint main(int count, char **words) {\n    int its, other = 0;\n    MPI_Init(&count, &words);\n    \
         MPI_Comm_rank(MPI_COMM_WORLD, &its);\n    MPI_Sendrecv(&its, 1, MPI_INT, 1 - its, 0, &other, 1, MPI_INT, 1 - its, 0, \
         MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n    MPI_Finalize();\n    return other != 1 - its;\n}\n",
    );
    workshop.shell("call cc smpicc -O1 ring.c -o ring");
    workshop.shell(
        "CALL_EVENTS=1 smpirun -np 2 -platform cluster.xml -hostfile hosts --log=root.threshold:error ./ring",
    );
    let head = workshop.shell("grep -a '^# [a-z]*: ' ring.call.0.dat");
    assert!(head.contains("# program: ring\n") && head.contains("# processors: 2\n"), "{head}");
    assert_ne!(workshop.shell("grep -ac MPI_Sendrecv ring.call.0.dat || true").trim(), "0");
}

/// One name, one file, and another compiler behind it: as with alternatives, modules and updates.
#[test]
fn what_was_made_for_a_compiler_is_not_taken_for_another_of_its_name() {
    let workshop = workshop(&[("mycc", "exec $(cat really) \"$@\"")]);
    workshop.shell("mkdir cache");
    let libraries = |compiler: &str| {
        workshop.write("really", compiler);
        let line = "CALL_RUNTIME_DIR=$PWD/cache call cc mycc x.c -o prog";
        let is_mpi = uses_mpi(&workshop, line);
        (is_mpi, workshop.shell("ls cache/*/lib/libcall-*.a").lines().count())
    };
    assert_eq!(libraries("gcc"), (false, 1));
    assert_eq!(libraries("gcc"), (false, 1));
    let mut made = 1;
    for (compiler, is_mpi) in [("clang", false), ("mpicc.openmpi", true), ("mpicc.mpich", true)] {
        if is_there(compiler) {
            made += 1;
            assert_eq!(libraries(compiler), (is_mpi, made), "{compiler}");
        }
    }
    assert_eq!(libraries("gcc"), (false, made));
}

/// Programs of MPI, which may include its header in one of their own.
#[test]
fn programs_of_mpi_are_run_with_its_compiler() {
    if !is_there("mpicc") {
        return;
    }
    let real = workshop(&[]).shell("command -v mpicc");
    let workshop = workshop(&[("mpicc", &format!("echo used >>log; exec {} \"$@\"", real.trim()))]);
    workshop.write("comms.h", "#include <mpi.h>\n");
    workshop.write(
        "ranks.c",
        "#include \"comms.h\"\nint main(int argc, char **argv)\n{\n    MPI_Init(&argc, &argv);\n#pragma cll parallel MPI MPI_COMM_WORLD\n\
         #pragma cll f f[0]/P\n#pragma cll end f\n#pragma cll report all\n    MPI_Finalize();\n    return 0;\n}\n",
    );
    let run = |compiler: &str, file: &str| {
        workshop.shell(&format!(
            "export PATH=$PWD/bin:$PATH {compiler}; call run {file} --procs 2 --launcher 'mpirun --oversubscribe -n %P' 2>&1 || true"
        ))
    };
    let told = run("", "ranks.c");
    assert_eq!(workshop.trace("ranks.call.0.dat").header.processors, 2, "{told}");
    assert!(workshop.read("log").starts_with("used"));

    // Proposals take it, too.
    workshop.write(
        "loop.c",
        "#include \"comms.h\"\nint main(int argc, char **argv)\n{\n    double sum = 0;\n    MPI_Init(&argc, &argv);\n    int n = 300000000;\n\
         \x20   for (int i = 0; i < n; i++)\n        sum += i;\n    MPI_Finalize();\n    return sum < 0;\n}\n",
    );
    let proposed = workshop.shell(
        "rm log; export PATH=$PWD/bin:$PATH; mpicc -g -O0 loop.c -o loop; rm log; unset CC; call propose --hot 'mpirun --oversubscribe -n 2 ./loop' loop.c",
    );
    assert!(proposed.contains("#pragma cll main_7 main_7[0] + main_7[1]*n"), "{proposed}");
    assert!(workshop.read("log").starts_with("used"));

    // What is not compiled counts for nothing.
    workshop.write(
        "never.c",
        "#ifdef NEVER\n#include <mpi.h>\n#endif\n#include <bsp.h>\nint main(void)\n{\n    bsp_begin(bsp_nprocs());\n    bsp_sync();\n    \
         bsp_end();\n    return 0;\n}\n",
    );
    workshop.shell("rm *.dat");
    let told =
        workshop.shell("export PATH=$PWD/bin:$PATH; call run --profile never.c --procs 2:2:2 2>&1 || true");
    assert!(!told.contains("mpirun") && workshop.traces() == ["never.call.0.dat"], "{told}");

    // What is set holds, and sequential programs have no use for it.
    workshop.shell("rm log *.dat; ln -s $(command -v cc) bin/none");
    let told = run("CC=none", "ranks.c");
    assert!(told.contains("mpi.h") && workshop.traces().is_empty(), "{told}");
    let told = run("", "x.c -- ");
    assert!(!workshop.path().join("log").exists(), "{told}");
    assert_eq!(workshop.traces(), ["x.call.0.dat"]);
}

/// A guess of gcc's optimiser, which calls that are added can change (nginx's ngx_http_upstream.c, for one), stops no build.
#[test]
fn guesses_of_the_optimiser_are_no_errors() {
    let log = |compiler: &str| format!("echo \"$@\" >>log; exec {compiler} \"$@\"");
    let workshop = workshop(&[("one", &log("gcc")), ("other", &log("clang"))]);
    let last = |line: &str| workshop.shell(&format!("{line} && tail -n 1 log && rm log"));
    let option = "-Wno-error=maybe-uninitialized";
    assert!(last("call cc bin/one -Wall -Werror -c x.c").contains(option));
    assert!(!last("call cc bin/one -Wall -c x.c").contains(option));
    // What the user says about it comes behind and counts.
    let told = last("call cc bin/one -Werror -Werror=maybe-uninitialized -c x.c");
    assert!(told.find(option) < told.find("-Werror=maybe-uninitialized"), "{told}");
    if is_there("clang") {
        assert!(!last("call cc bin/other -Wall -Werror -c x.c").contains(option));
    }
}

/// Without anything that would have to be kept for them.
#[test]
fn reports_of_coverage_are_about_the_source() {
    let workshop = workshop(&[]);
    let report = |lines: &str| {
        let told = workshop.shell(&format!("({lines}) 2>&1"));
        workshop.shell("rm -f prog *.dat *.gc* *.prof*");
        told
    };
    for compiler in ["gcc", "clang"] {
        let gcov = if compiler == "gcc" { "gcov" } else { "llvm-cov" };
        if !is_there(compiler) || !is_there(gcov) {
            continue;
        }
        let gcov = if compiler == "gcc" { gcov } else { "llvm-cov gcov" };
        for build in ["-c x.c -o x.o && call cc COMPILER --coverage x.o -o prog", "x.c -o prog"] {
            let build = build.replace("COMPILER", compiler);
            let told = report(&format!(
                "call cc {compiler} --coverage {build} && ./prog && {gcov} *.gcda && cat x.c.gcov"
            ));
            assert!(told.contains("1:    6:    n--;"), "{told}");
            assert!(!told.contains("x.call.h") && !told.contains("Cannot open"), "{told}");
        }
    }
    if is_there("clang") && is_there("llvm-cov") && is_there("llvm-profdata") {
        let told = report(
            "call cc clang -fprofile-instr-generate -fcoverage-mapping x.c -o prog && ./prog && \
             llvm-profdata merge -o x.prof default.profraw && llvm-cov show ./prog -instr-profile=x.prof",
        );
        assert!(told.contains("6|      1|    n--;"), "{told}");
    }
}
