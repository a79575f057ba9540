//! `call cc` in builds: artefacts of one object are no other's, and command lines as people write them.
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

use std::fs;
use std::process::Command;

/// Runs a script of the shell in a folder of its own, with the program as `$CALL`.
fn shell(name: &str, script: &str) -> String {
    let folder = std::env::temp_dir().join(format!("call-cc-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let output = Command::new("sh")
        .args(["-ec", script])
        .current_dir(&folder)
        .env("CALL", env!("CARGO_BIN_EXE_call"))
        .env("CALL_RUNTIME_DIR", folder.join("runtime"))
        .env_remove("CC")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::remove_dir_all(&folder).unwrap();
    String::from_utf8(output.stdout).unwrap()
}

const KERN: &str = r"mkdir obj; printf '#ifdef X\nvoid x(int n)\n{\n#pragma cll kx kx[0]*n\n(void)n;\n#pragma cll end kx\n}\n#endif\nint main(void)\n{\nint n = 3;\n#pragma cll same same[0]*n\n(void)n;\n#pragma cll end same\nreturn 0;\n}\n' >kern.c
";

#[test]
fn each_object_has_artefacts_of_its_own() {
    let told = shell(
        "own",
        &format!(
            "{KERN} $CALL cc -c kern.c -o obj/plain.o -MMD & $CALL cc -DX -c kern.c -o obj/x.o; wait
             cat obj/plain.d; grep -l 'cll_experiment_kx' obj/.call/*/*.h | wc -l; ls obj/.call | wc -l; ls -A
             CALL_BUILD=made $CALL cc -c kern.c -o obj/y.o; ls made | wc -l"
        ),
    );
    assert_eq!(told, "obj/plain.o: kern.c \\\n\n1\n2\nkern.c\nobj\nruntime\n1\n", "{told}");
}

#[test]
fn words_of_the_command() {
    let told = shell(
        "words",
        &format!(
            "{KERN} printf '%s' '-DX -c \"kern.c\" -o obj/k.o' >words; $CALL cc @words; ls obj/.call | wc -l
             $CALL cc -Wp,-MMD,w.d -c kern.c -o obj/w.o; cat w.d
             ln -s $CALL call-cc; CC=\"call-cc cc\" ./call-cc -c kern.c -o 'a b.o'; ls 'a b.o'"
        ),
    );
    assert_eq!(told.split_whitespace().collect::<Vec<_>>().join(" "), "1 kern.o: kern.c \\ a b.o");
}

#[test]
fn the_runtime_is_made_anew_for_another_compiler_of_the_same_name() {
    let told = shell(
        "identity",
        &format!(
            "{KERN} for version in 1 2; do
             printf '#!/bin/sh\\n[ \"$1\" != --version ] || exec echo %s\\nexec cc \"$@\"\\n' $version >wrapper; chmod +x wrapper
             $CALL cc ./wrapper kern.c -o kern; $CALL cc ./wrapper kern.c -o kern; done; ls runtime/*/lib | wc -l"
        ),
    );
    assert_eq!(told.trim(), "2");
}

#[test]
fn a_wrapper_that_is_mpi_gets_the_runtime_for_mpi() {
    if Command::new("mpicc").arg("--version").output().is_err() {
        return;
    }
    let told = shell(
        "cray",
        &format!(
            "{KERN} printf '#!/bin/sh\\nexec mpicc \"$@\"\\n' >wrapper; chmod +x wrapper
             $CALL cc ./wrapper kern.c -o kern; CALL_MPI=no $CALL cc ./wrapper kern.c -o plain
             for program in kern plain; do nm -u $program | grep -c ' MPI_' || true; done"
        ),
    );
    let counts: Vec<u32> = told.split_whitespace().map(|word| word.parse().unwrap()).collect();
    assert!(counts[0] > 0 && counts[1] == 0, "{told}");
}
