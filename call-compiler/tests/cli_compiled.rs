//! Programs that are compiled: with `call cc`, with `call run`, with the flags that `call cflags` prints.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::cli::{Folder, GOOD, stderr};

#[test]
fn the_printed_flags_compile_the_program() {
    let folder = Folder::new("compile");
    folder.write("x.c", GOOD);
    folder.call(&["x.c"]);
    let words = |arguments: &[&str]| {
        let output = folder.call(arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        let text = String::from_utf8(output.stdout).unwrap();
        text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let flags = words(&["cflags", "-O2", "-Wall"]);
    assert!(flags.contains(&"-DCLL_FLAGS=-O2,-Wall".to_owned()), "{flags:?}");
    let compiled = folder
        .command("cc")
        .args(flags)
        .arg("x.call.c")
        .args(words(&["libs"]))
        .args(["-o", "x"])
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", stderr(&compiled));
    let run = folder.command("./x.call.sh").output().unwrap();
    assert!(run.status.success(), "{}", stderr(&run));
    let trace = fs::read_to_string(folder.0.join("x.call.0.dat")).unwrap();
    assert!(trace.contains("# flags: -O2,-Wall\n") && trace.ends_with("# end rows=1\n"), "{trace}");
}

#[test]
fn who_comes_first_at_once_compiles_the_runtime_once() {
    let folder = Folder::new("at-once");
    folder.write("x.c", "int main(void)\n{\n#pragma cll f f[0]\n#pragma cll end f\n    return 0;\n}\n");
    // Compiles so slowly that all are there before the first one has done it.
    let script = "#!/bin/sh\ncase \"$*\" in *call-runtime.c*) echo once >> compiled; sleep 1;; esac\nCALL_TEST_OBJECTS= exec cc \"$@\" -O0\n";
    folder.write("slow", script);
    fs::set_permissions(folder.0.join("slow"), fs::Permissions::from_mode(0o755)).unwrap();
    let start = |number: usize| {
        let output = format!("prog{number}");
        let mut command = folder.command(env!("CARGO_BIN_EXE_call"));
        command.args(["cc", "./slow", "x.c", "-o", &output]).spawn().unwrap()
    };
    let started: Vec<_> = (0..4).map(&start).collect();
    for mut child in started {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(fs::read_to_string(folder.0.join("compiled")).unwrap(), "once\n");
    // A lock that cannot be had keeps nobody from compiling.
    let runtime = fs::read_dir(folder.0.join("runtime")).unwrap().next().unwrap().unwrap().path();
    for entry in fs::read_dir(runtime.join("lib")).unwrap() {
        let path = entry.unwrap().path();
        match path.extension().is_some_and(|extension| extension == "lock") {
            true => {
                fs::remove_file(&path).unwrap();
                std::os::unix::fs::symlink("elsewhere", &path).unwrap();
            }
            false => fs::remove_file(&path).unwrap(),
        }
    }
    assert!(start(9).wait().unwrap().success());
    assert!(!runtime.join("lib/elsewhere").exists(), "the link was followed");
}

#[test]
fn call_cc_stands_in_for_the_compiler() {
    let folder = Folder::new("drop-in");
    fs::create_dir_all(folder.0.join("src")).unwrap();
    fs::create_dir_all(folder.0.join("obj")).unwrap();
    folder.write(
        "src/kernel.h",
        "static int kernel(int n)\n{\n#pragma cll k k[0]*n\n    return n + 1;\n#pragma cll end k\n}\n",
    );
    folder.write("src/main.c", "#include \"kernel.h\"\nint helper(int n);\nint main(void)\n{\n    int n = helper(kernel(2));\n#pragma cll report all\n    return n - 6;\n}\n");
    folder.write("src/helper.c", "int helper(int n) { return 2*n; }\n");
    folder.write("src/bad.c", "int main(void)\n{\n#pragma cll end g\n}\n");
    folder.write("src/broken.c", "int main(void) { return nothing; }\n");
    let cc = |words: &str| {
        let words: Vec<&str> = std::iter::once("cc").chain(words.split_whitespace()).collect();
        folder.call(&words)
    };
    for words in [
        "-O2 -Wall -Wextra -Werror -MMD -c src/main.c -o obj/main.o",
        "gcc -O2 -Wall -Wextra -Werror -c src/helper.c -o obj/helper.o",
        "obj/main.o obj/helper.o -o prog",
    ] {
        let output = cc(words);
        assert!(output.status.success(), "{words}: {}", stderr(&output));
    }
    let run = folder.command("./prog").output().unwrap();
    assert!(run.status.success(), "{}", stderr(&run));
    assert!(folder.0.join("main.call.0.dat").exists());
    let dependencies = fs::read_to_string(folder.0.join("obj/main.d")).unwrap();
    let files: Vec<&str> = dependencies.split_whitespace().filter(|word| *word != "\\").collect();
    assert_eq!(files, ["obj/main.o:", "src/main.c", "src/kernel.h"]);
    assert!(!folder.0.join("obj/helper.call.c").exists(), "it has no directives");

    let one_step = cc("-O2 src/main.c src/helper.c -o one_step");
    assert!(one_step.status.success(), "{}", stderr(&one_step));
    assert!(folder.command("./one_step").output().unwrap().status.success());

    assert_eq!(cc("-c src/bad.c -o obj/bad.o").status.code(), Some(2));
    assert!(stderr(&cc("-c src/bad.c -o obj/bad.o")).contains("`end g` without a begin"));
    let broken = cc("-c src/broken.c -o obj/broken.o");
    assert_eq!(broken.status.code(), Some(1));
    assert!(stderr(&broken).contains("src/broken.c:1:25"), "{}", stderr(&broken));
    assert!(String::from_utf8_lossy(&cc("-E src/helper.c").stdout).contains("int helper"));
    assert_eq!(cc("--version").status.code(), Some(0));
}

#[test]
fn call_run_goes_from_source_to_traces() {
    let folder = Folder::new("run");
    folder.write("x.c", &GOOD.replace("int main", "#pragma cll parallel OpenMP procs = 1:2:2\nint main"));
    let output = folder.call(&["run", "x.c", "--repeat", "2", "--flags=-O1 -DEXTRA='(1 + 2)'"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let told = stderr(&output);
    assert!(
        told.contains("call: 4 new traces: x.call.0.dat x.call.1.dat x.call.2.dat x.call.3.dat"),
        "{told}"
    );
    assert!(told.contains("call: next: llac -e 'load x.call.0.dat"), "{told}");
    let trace = fs::read_to_string(folder.0.join("x.call.3.dat")).unwrap();
    assert!(trace.contains("# kind: OpenMP") && trace.contains("-fopenmp"), "{trace}");
    let output = folder.call(&["run", "x.c", "--procs", "1:1"]);
    assert!(stderr(&output).contains("call: 1 new trace: x.call.4.dat"), "{}", stderr(&output));
    for (arguments, message) in [
        (vec!["run", "x.c", "--procs", "4:2"], "it has the form FIRST:LAST:FACTOR"),
        (vec!["run", "x.c", "--flags='"], "a quote is not closed"),
        (vec!["run", "missing.c"], "cannot read missing.c"),
    ] {
        let output = folder.call(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn parameters_of_nested_functions_are_variables_and_their_returns_leave_them_alone() {
    let folder = Folder::new("nested");
    let source = "int main(void)\n{\n    int q = 3;\n#pragma cll out out[0]*q\n    int inner(int x, int (*g)(int))\n    {\n\
        #pragma cll f f[0]*x\n        if (x > 100) return q + g(1);\n#pragma cll end f\n        return q;\n    }\n    inner(2, 0);\n\
        #pragma cll end out\n#pragma cll report all\n}\n";
    folder.write("x.c", source);
    let output = folder.call(&["x.c"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("experiment `f` is left by `return` on line 8"), "{}", stderr(&output));
    assert!(!stderr(&output).contains("experiment `out` is left"), "{}", stderr(&output));
    let text = fs::read_to_string(folder.0.join("x.call.c")).unwrap();
    assert!(
        text.contains("{ CLL_GUARDING(f, CLL_OPEN_GUARDED(f, CLL_VALUES(CLL_INTEGER_VALUE(x))));"),
        "{text}"
    );
}

#[test]
fn call_cc_translates_standard_input() {
    let folder = Folder::new("cc-input");
    folder.write("size.h", "#define SIZE 3\n");
    let source = format!("#include \"size.h\"\n{}", GOOD.replace("= 3", "= SIZE"));
    let compiled =
        folder.call_with_input(&["cc", "cc", "-Wall", "-Werror", "-x", "c", "-", "-o", "x"], &source);
    assert!(compiled.status.success(), "{}", stderr(&compiled));
    assert!(folder.command("./x").status().unwrap().success());
    assert!(folder.files().contains(&"stdin.call.0.dat".to_owned()), "{:?}", folder.files());

    let object = folder.call_with_input(&["cc", "cc", "-Werror", "-x", "c", "-c", "-"], &source);
    assert_eq!((object.status.success(), stderr(&object)), (true, String::new()));
    assert!(folder.0.join("-.o").exists());
    // Without directives, and questions, go to the compiler with what stands there.
    let plain = folder.call_with_input(&["cc", "cc", "-xc", "-S", "-o", "-", "-"], "int planted;\n");
    assert!(String::from_utf8_lossy(&plain.stdout).contains("planted"), "{}", stderr(&plain));
    let asked = folder.call_with_input(&["cc", "cc", "-E", "-xc", "-"], "int planted;\n");
    assert!(String::from_utf8_lossy(&asked.stdout).contains("planted"), "{}", stderr(&asked));
}
