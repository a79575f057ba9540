//! What `make install` puts in place is enough for make, pkg-config and CMake.

use call_tests::{Workshop, binaries, is_there, repository};

fn installed() -> Workshop {
    let workshop = Workshop::new();
    for file in ["several_main.c", "several_other.c", "several.h"] {
        workshop.bring(&format!("tests/programs/{file}"));
    }
    // As under sudo, which has no cargo.
    let root = repository();
    workshop.shell(&format!(
        "PATH={0}/tests/compilers:/usr/bin:/bin; \
         if command -v cargo; then PREFIX=$PWD/prefix BINARIES={1} {0}/scripts/install.sh; \
         else make -s -C {0} install PREFIX=$PWD/prefix BINARIES={1}; fi && \
         test -x prefix/bin/llac && test -f prefix/share/doc/call/directives.md",
        root.display(),
        binaries().display()
    ));
    workshop
}

#[test]
fn make_with_call_cc_and_pkg_config() {
    let workshop = installed();
    workshop.write(
        "Makefile",
        "several: several_main.o several_other.o\n\t$(CC) -o $@ $^\n%.o: %.c\n\t$(CC) -O2 -MMD -c -o $@ $<\n-include *.d\n",
    );
    let made = workshop.shell("make CC='prefix/bin/call cc' && CALL_CLOCK=counting ./several");
    assert!(made.contains("call cc -O2"), "{made}");
    assert_eq!(workshop.trace("several_main.call.0.dat").experiments.len(), 3);
    assert!(workshop.shell("make CC='prefix/bin/call cc'").contains("up to date"));
    workshop.shell("rm *.o *.dat; make CC=prefix/bin/call-cc && CALL_CLOCK=counting ./several");
    assert_eq!(workshop.trace("several_main.call.0.dat").experiments.len(), 3);
    // The user's header is what the objects depend on.
    assert!(
        workshop.shell("sleep 1; touch several.h; make CC=prefix/bin/call-cc").contains("several_other.c")
    );

    if is_there("pkg-config") {
        workshop.shell(
            "prefix/bin/call several_main.c several_other.c && export PKG_CONFIG_PATH=prefix/lib/pkgconfig && \
             cc $(pkg-config --cflags call) several_main.call.c several_other.call.c $(pkg-config --libs call) -o by_hand && ./by_hand",
        );
        assert_eq!(workshop.traces().len(), 2);
    }

    // Files of others stay.
    workshop.write("prefix/bin/other", "");
    workshop.shell(&format!("PREFIX=$PWD/prefix {}", repository().join("scripts/uninstall.sh").display()));
    assert_eq!(workshop.shell("find prefix -type f -o -name 'call*' ! -type d"), "prefix/bin/other\n");
}

#[test]
fn nothing_is_installed_before_it_is_built() {
    let workshop = Workshop::new();
    let line = format!("BINARIES=$PWD PREFIX=$PWD/prefix {}/scripts/install.sh", repository().display());
    let output = workshop.command("sh").args(["-c", &line]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("is not there: run make first"), "{output:?}");
    assert!(!output.status.success() && !workshop.path().join("prefix").exists());
}

#[test]
fn manual_pages_and_completions() {
    let workshop = installed();
    for (page, parts) in [
        ("llac", &["Exit status: 0", "llac\\-isoefficiency(1)", "\\-\\-format"][..]),
        ("llac-fit", &["SYNOPSIS", "llac fit", "[FILE", "into FILE.csv"]),
        ("llac-machine-probe", &["FIRST:LAST:FACTOR"]),
        ("call", &["Exit status: 0", "call\\-run(1)"]),
        ("call-run", &["\\-\\-launcher"]),
    ] {
        let text = workshop.read(&format!("prefix/share/man/man1/{page}.1"));
        for part in parts {
            assert!(text.contains(part), "{page}: {part}\n{text}");
        }
    }
    if is_there("man") {
        let told = workshop
            .shell("for page in prefix/share/man/man1/*.1; do LC_ALL=C.UTF-8 man -l --warnings $page 2>&1 >/dev/null; done");
        assert_eq!(told, "", "groff has warnings");
    }
    for (typed, expected) in [
        ("llac isoe", "isoefficiency"),
        ("llac fit --fo", "--format"),
        ("llac fit --da", "--data"),
        ("llac machine probe --qu", "--quick"),
        ("llac machine sh", "show"),
        ("llac set wei", "weights"),
        ("call expl", "explain"),
        ("call run --lau", "--launcher"),
    ] {
        let program = &typed[..4];
        let line = format!(
            ". prefix/share/bash-completion/completions/{program}; COMP_WORDS=({typed}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _{program} {program} \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; echo \"${{COMPREPLY[*]}}\""
        );
        let output = workshop.command("bash").args(["-c", &line]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), expected, "{typed}: {output:?}");
        // Those of other shells name at least the same words; fish is told no values.
        let word = expected.trim_start_matches('-');
        let zsh = workshop.read(&format!("prefix/share/zsh/site-functions/_{program}"));
        let fish = workshop.read(&format!("prefix/share/fish/vendor_completions.d/{program}.fish"));
        assert!(zsh.contains(word) && (fish.contains(word) || word == "weights"), "{word}");
    }
    // Files may stand in the place of a subcommand.
    for program in ["call", "llac"] {
        let zsh = workshop.read(&format!("prefix/share/zsh/site-functions/_{program}"));
        assert!(zsh.contains(&format!("'{program} commands' commands \"$@\"; _files")), "{program}");
    }
}

#[test]
fn cmake_instruments_a_target() {
    if !is_there("cmake") {
        return;
    }
    let workshop = installed();
    workshop.write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.16)\nproject(several C)\nfind_package(CALL 0.1 REQUIRED)\n\
         add_executable(several several_main.c several_other.c)\ncall_instrument(several)\n",
    );
    workshop.shell("cmake -B build -DCMAKE_PREFIX_PATH=$PWD/prefix && cmake --build build && CALL_CLOCK=counting build/several");
    assert_eq!(workshop.trace("several_main.call.0.dat").experiments.len(), 3);
    workshop.shell("rm *.dat; CALL_CLOCK=counting build/several.call.sh");
    assert_eq!(workshop.traces(), ["several_main.call.0.dat"]);

    // A compiler of one word.
    workshop.write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.16)\nproject(several C)\nadd_executable(several several_main.c several_other.c)\n",
    );
    workshop.shell("rm *.dat; cmake -B other -DCMAKE_C_COMPILER=$PWD/prefix/bin/call-cc && cmake --build other && CALL_CLOCK=counting other/several");
    assert_eq!(workshop.trace("several_main.call.0.dat").experiments.len(), 3);
}
