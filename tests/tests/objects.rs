//! Builds as people have them: what `call cc` makes of a source belongs to one object.

use std::fs;

use call_tests::Workshop;

/// Equal stems, one source under several flags, a generated source and a generated header.
const MAKEFILE: &str = "\
CFLAGS = -O1 -MMD -MP -Wall -Wextra -Wno-unknown-pragmas
OBJECTS = obj/main.o obj/a-util.o obj/b-util.o obj/kern1.o obj/kern2.o obj/kern3.o obj/made.o
prog: $(OBJECTS)
\t$(CC) -o $@ $(OBJECTS)
obj/main.o: main.c gen/sizes.h | obj
\t$(CC) $(CFLAGS) -Igen -c -o $@ $<
obj/a-util.o: a/util.c | obj
\t$(CC) $(CFLAGS) -c -o $@ $<
obj/b-util.o: b/util.c | obj
\t$(CC) $(CFLAGS) -c $< -o $@
obj/kern%.o: kern/kern.c | obj
\t$(CC) $(CFLAGS) -DKERN=$* -c -o $@ $<
obj/made.o: gen/made.c | obj
\t$(CC) $(CFLAGS) -Igen -c -o $@ $<
gen/made.c: main.c | gen
\tprintf '#include \"sizes.h\"\\nint made(int n);\\nint made(int n) {\\n#pragma cll made made[0]*n\\nn += SIZE;\\n#pragma cll end made\\nreturn n; }\\n' >$@
gen/sizes.h: main.c | gen
\techo '#define SIZE 4' >$@
gen/made.c: gen/sizes.h
obj gen:
\tmkdir $@
clean:
\trm -f prog obj/*.o obj/*.d gen/*
-include $(wildcard obj/*.d)
";

const KERN: &str = "\
#include \"kern.h\"
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
int JOIN(kern, KERN)(int n);
int JOIN(kern, KERN)(int n)
{
#pragma cll kern kern[0]*n
    n += KERN;
#pragma cll end kern
#if KERN == 2
#pragma cll only2 only2[0]*n
    n++;
#pragma cll end only2
#elif KERN == 3
#pragma cll only3 only3[0]*n
    n++;
#pragma cll end only3
#endif
    return n + NOTHING;
}
";

fn util(letter: &str) -> String {
    format!(
        "#include \"util.h\"\nint {letter}(int n)\n{{\n#pragma cll {letter} {letter}[0]*n\n    n += OF_{letter};\n#pragma cll end {letter}\n    return n;\n}}\n"
    )
}

const MAIN: &str = "\
#include \"sizes.h\"
int a(int), b(int), kern1(int), kern2(int), kern3(int), made(int);
int main(void)
{
    int n = a(SIZE) + b(1) + kern1(1) + kern2(1) + kern3(1) + made(1);
#pragma cll report all
    return n == 23 ? 0 : n;
}
";

fn tree() -> Workshop {
    let workshop = Workshop::new();
    workshop.shell("mkdir a b kern");
    for letter in ["a", "b"] {
        workshop.write(&format!("{letter}/util.h"), format!("int {letter}(int n);\n#define OF_{letter} 1\n"));
        workshop.write(&format!("{letter}/util.c"), util(letter));
    }
    workshop.write("kern/kern.c", KERN);
    workshop.write("kern/kern.h", "#define NOTHING 0\n");
    workshop.write("main.c", MAIN);
    workshop.write("Makefile", MAKEFILE);
    workshop
}

const ALL: [&str; 6] = ["a", "b", "kern", "made", "only2", "only3"];

/// The names of the experiments of a run.
fn experiments(workshop: &Workshop, trace: &str) -> Vec<String> {
    let trace = workshop.trace(trace);
    let mut names: Vec<String> = trace.experiments.iter().map(|experiment| experiment.name.clone()).collect();
    names.sort();
    names
}

/// All files but the runtime.
fn files(workshop: &Workshop) -> String {
    workshop.shell("find . -path ./runtime -prune -o -type f -print | sort")
}

#[test]
fn every_object_has_its_experiments_in_parallel_builds() {
    let workshop = tree();
    let before = files(&workshop);
    let rounds = std::env::var("CALL_TEST_ROUNDS").map_or(6, |rounds| rounds.parse().unwrap());
    for round in 0..rounds {
        let made = workshop.shell("make clean && make -j4 CC='call cc' 2>&1");
        assert!(!made.contains("warning:"), "{made}");
        assert!(workshop.shell("make -j4 CC='call cc'").contains("up to date"), "round {round}");
        workshop.shell("rm -f *.dat; ./prog");
        assert_eq!(experiments(&workshop, "main.call.0.dat"), ALL, "round {round}");
        let trace = workshop.trace("main.call.0.dat");
        let kern = trace.experiments.iter().find(|experiment| experiment.name == "kern").unwrap();
        assert_eq!(kern.samples.time_s.len(), 3, "three objects measured it");
    }
    // Dependencies are the user's files.
    let dependencies = workshop.read("obj/kern1.d");
    assert!(dependencies.starts_with("obj/kern1.o: kern/kern.c kern/kern.h\n"), "{dependencies}");
    assert!(workshop.read("obj/main.d").starts_with("obj/main.o: main.c gen/sizes.h\n"));
    let made = workshop.shell("sleep 1; touch b/util.h; make CC='call cc'");
    assert!(made.contains("b/util.c") && !made.contains("a/util.c"), "{made}");
    // Nothing of ours stays beside the sources or the objects.
    workshop.shell("make clean; rm *.dat; rmdir obj gen");
    assert_eq!(files(&workshop), before);
}

/// The object files of the tree, linked in several ways.
#[test]
fn one_command_archives_and_shared_objects() {
    let workshop = tree();
    workshop.shell("make gen/made.c");
    let kerns = "for k in 1 2 3; do call cc -DKERN=$k -fPIC -c kern/kern.c -o kern$k.o || exit; done";
    workshop.shell(kerns);
    for line in [
        // Both find their own util.h.
        "call cc -MMD -MF all.d -Igen main.c a/util.c b/util.c gen/made.c kern?.o -o prog",
        "call cc -fPIC -Igen -c a/util.c b/util.c gen/made.c; rm -f libk.a; ar rcs libk.a kern?.o && \
         call cc -Igen -c a/util.c -o a.o && call cc -c b/util.c -o b.o && call cc -Igen main.c a.o b.o made.o -L. -lk -o prog",
        "call cc -shared -fPIC -Igen a/util.c b/util.c gen/made.c -o libu.so && call cc -shared kern?.o -o libk.so && \
         call cc -Igen main.c -L. -lu -lk -Wl,-rpath,$PWD -o prog",
    ] {
        workshop.shell(&format!("rm -f *.dat prog; {line} && ./prog"));
        assert_eq!(experiments(&workshop, "main.call.0.dat"), ALL, "{line}");
    }
    // Outputs that no command names.
    workshop.shell("mkdir out && cd out && call cc -MMD -I../gen -c ../main.c && test -f main.o -a -f main.d && head -n 1 main.d | grep -q '^main.o: ../main.c'");
    workshop.shell("cd out && call cc -I../gen ../main.c ../a.o ../b.o ../made.o ../kern?.o && ./a.out");
    assert_eq!(experiments(&workshop, "out/main.call.0.dat"), ALL);
    // An output that is no file leaves nothing.
    workshop.shell("call cc -Igen -c main.c -o /dev/null && ! test -e /dev/.call");
    assert!(!workshop.path().join("a/.call").exists() && !workshop.path().join("a/util.call.c").exists());
}

/// The directive for the numbers of processors stands in one source, `main` in another, and the report in a third.
#[test]
fn a_program_has_one_script_that_names_it_from_everywhere() {
    let workshop = Workshop::new();
    workshop.write(
        "main.c",
        "int work(int n);\nvoid done(void);\nint main(void) { int n = work(1); done(); return n - 2; }\n",
    );
    workshop.write(
        "work.c",
        "int work(int n);\nint work(int n)\n{\n#pragma cll parallel OpenMP procs = 2:4\n#pragma cll work work[0]*n\n    n++;\n\
         #pragma cll end work\n    return n;\n}\n",
    );
    workshop.write("done.c", "void done(void);\nvoid done(void)\n{\n#pragma cll report all\n}\n");
    let build = |output: &str| {
        workshop.shell(&format!(
            "mkdir -p bin; for f in main work done; do call cc -fopenmp -c $f.c || exit; done; call cc -fopenmp -o {output} main.o work.o done.o"
        ));
    };
    build("bin/prog");
    assert!(!workshop.path().join("bin/.call").exists());
    workshop.shell("call script bin/prog");
    // Another program of that name, where the script is started from.
    workshop.shell("printf '#!/bin/sh\\nexit 9\\n' >prog; chmod +x prog");
    let script = "bin/prog.call.sh --oversubscribe --resume 2>&1";
    workshop.shell(&format!("{script}; cd / && CALL_OUTPUT={0} {0}/{script}", workshop.path().display()));
    assert_eq!(
        workshop.traces(),
        ["done.call.0.dat", "done.call.1.dat", "done.call.2.dat", "done.call.3.dat"]
    );
    assert_eq!(workshop.trace("done.call.1.dat").header.command, "bin/prog");
    assert!(workshop.shell(script).ends_with("2 runs were finished before\n"));

    // What somebody wrote into it stays, and that is said.
    let path = "bin/prog.call.sh";
    let edited = workshop.read(path).replace("repeat=1", "repeat=2");
    workshop.write(path, &edited);
    let told = workshop.shell("call script bin/prog 2>&1");
    assert!(told.contains("was edited, or is of an older call: it stays"), "{told}");
    assert_eq!(workshop.read(path), edited);
    // Also what is no text.
    let edited = [workshop.read(path).as_bytes(), b"# caf\xe9\n"].concat();
    workshop.write(path, &edited);
    workshop.shell("call script bin/prog");
    assert_eq!(fs::read(workshop.path().join(path)).unwrap(), edited);
    workshop.shell(&format!("rm {path}; call script bin/prog"));
    assert!(workshop.read(path).contains("repeat=1"));

    // In one folder for all, programs of one name have scripts of their own.
    workshop.shell("mkdir other; export CALL_BUILD=$PWD/made; for b in bin other; do call cc -fopenmp -o $b/prog main.o work.o done.o || exit; done");
    let scripts = workshop.shell("ls made/prog-*.call.sh | wc -l; grep -ho '/other/prog' made/*.call.sh");
    assert_eq!(scripts, "2\n/other/prog\n");

    // So it is with `call run`: one program, one script, beside it.
    workshop.shell("rm *.dat prog; call run main.c work.c done.c --flags=-fopenmp --procs 2 2>&1");
    assert_eq!(workshop.shell("ls *.call.sh *.dat"), "done.call.0.dat\nmain.call.sh\n");
    let none = workshop.command("call").args(["script", "main.c"]).output().unwrap();
    assert_eq!(none.status.code(), Some(2));
}

/// Its only directive says how the whole program runs: what P is, and on how many processors.
#[test]
fn a_file_with_nothing_but_the_kind_speaks_for_its_program() {
    let workshop = Workshop::new();
    workshop.write(
        "main.c",
        "#pragma cll parallel OpenMP procs = 2:4\nvoid work(int n);\nint main(void) { work(8); return 0; }\n",
    );
    workshop.write(
        "work.c",
        "void work(int n);\nvoid work(int n)\n{\n#pragma cll f f[0]*n/P\n#pragma omp parallel\n    n--;\n#pragma cll end f\n\
         #pragma cll report all\n}\n",
    );
    workshop.shell(
        "call cc -fopenmp main.c work.c -o prog && call script prog && ./prog.call.sh --oversubscribe",
    );
    let processors: Vec<_> =
        workshop.traces().iter().map(|trace| workshop.trace(trace).header.processors).collect();
    assert_eq!(processors, [2, 4]);
}

#[test]
fn one_source_with_formulas_that_differ_is_told() {
    let workshop = Workshop::new();
    workshop.write(
        "f.c",
        "int FUNCTION(int n);\nint FUNCTION(int n)\n{\n#if WHICH\n#pragma cll f f[0]*n\n#else\n#pragma cll f f[0]*n*n\n#endif\n    n++;\n\
         #pragma cll end f\n    return n;\n}\n",
    );
    workshop.write("main.c", "int f1(int), f2(int);\nint main(void)\n{\n    int n = f1(1) + f2(1);\n#pragma cll report all\n    return n - 4;\n}\n");
    workshop.shell("call cc -DFUNCTION=f1 -DWHICH=1 -c f.c -o f1.o && call cc -DFUNCTION=f2 -DWHICH=0 -c f.c -o f2.o && call cc main.c f1.o f2.o -o prog");
    let run = workshop.command("./prog").output().unwrap();
    let told = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(!run.status.success() && told.contains("experiment f has the formula"), "{told}");
    workshop.shell(
        "call cc -DFUNCTION=f2 -DWHICH=1 -c f.c -o f2.o && call cc main.c f1.o f2.o -o prog && ./prog",
    );
    assert_eq!(experiments(&workshop, "main.call.0.dat"), ["f"]);
}

/// As in musl, whose functions have names that are macros: experiments called so are their own, whatever the macro stands for.
#[test]
fn experiments_may_be_called_as_macros_are() {
    let workshop = Workshop::new();
    workshop.write(
        "f.c",
        "#define f __own_f\n#define g h\nint f(int n);\nint g(int n);\n\
         int f(int n)\n{\n#pragma cll f f[0]*n\n    if (n > 3)\n        return 3;\n#pragma cll end f\n    return n;\n}\n\
         inline int g(int n)\n{\n#pragma cll g g[0]*n\n    if (n > 3)\n        return 3;\n#pragma cll end g\n    return n;\n}\nextern int g(int n);\n\
         int main(void)\n{\n    int n = f(4) + f(1) + g(5);\n#pragma cll report all\n    return n - 7;\n}\n",
    );
    for flags in ["-O1", "-fPIC"] {
        workshop.shell(&format!("rm -f *.dat; call cc {flags} f.c -o prog && ./prog"));
        assert_eq!(experiments(&workshop, "f.call.0.dat"), ["f", "g"], "{flags}");
    }
}

#[test]
fn preprocessed_sources_with_directives_are_refused() {
    let workshop = tree();
    workshop.shell("call cc -E a/util.c -o a.i; call cc -E -DKERN=1 kern/kern.h -o b.i && call cc -c b.i");
    let told = workshop.shell("call cc -c a.i 2>&1 || true");
    assert!(told.contains("a.i is preprocessed already") && !workshop.path().join("a.o").exists(), "{told}");
}

#[test]
fn one_folder_for_all() {
    let workshop = tree();
    workshop
        .write("kern/local.h", "#pragma cll local local[0]\n#include \"deeper.h\"\n#pragma cll end local\n");
    workshop.write("kern/deeper.h", "m++;\n");
    workshop.write("local.c", "int main(void)\n{\n    int m = 0;\n#include \"kern/local.h\"\n#pragma cll report all\n    return m - 1;\n}\n");
    // Headers are found from a folder that is far away, be there a symbolic link or not.
    for folder in ["$PWD/far/away", "far", "../$(basename $PWD)/link"] {
        workshop.shell(&format!(
            "rm -f *.dat local; mkdir -p far/away; ln -sfn far/away link; export CALL_BUILD={folder}; call cc -MMD local.c -o local && ./local"
        ));
        assert_eq!(experiments(&workshop, "local.call.0.dat"), ["local"], "{folder}");
        assert!(!workshop.path().join(".call").exists());
        // What is kept is there to be read, under no name that `*.c` in a build would find.
        assert!(!workshop.shell("find -L far -name 'local-*.call.sh'").is_empty());
        assert!(workshop.shell("find -L far -name '*.c'").is_empty());
        let dependencies = workshop.read("local.d");
        assert_eq!(dependencies.replace("\\\n", ""), "local: local.c kern/local.h kern/deeper.h\n");
    }
}
