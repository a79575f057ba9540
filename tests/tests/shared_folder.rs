//! Eight users, or one eight times, at once in one folder where everybody may write and nobody may remove what is another's, such as `/tmp`.
#![allow(clippy::print_stderr, reason = "tests tell what they skip")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::process::{Child, Command, Stdio};

use call_tests::{Workshop, binaries};

const WORKERS: u32 = 8;
const ROUNDS: usize = 2;

/// `n` tells the worker and the round, so rows that were mixed or lost are seen.
const PROGRAM: &str = "#include <stdlib.h>\nint main(int count, char **words)\n{\n    int n = count > 1 ? atoi(words[1]) : 0;\n    int k;\n\
    for (k = 0; k < 20000; k++) {\n#pragma cll mine mine[0]*n\n#pragma cll end mine\n    }\n#pragma cll report all\n    return 0;\n}\n";

/// As the user with this number, of whom nothing but the number is known; number 0 is who runs the test.
fn as_user(workshop: &Workshop, user: u32, line: &str) -> Command {
    let mut command = if user == 0 { workshop.command("sh") } else { workshop.command("setpriv") };
    if user != 0 {
        let number = 40_000 + user;
        command.args([&format!("--reuid={number}"), &format!("--regid={number}"), "--clear-groups", "sh"]);
    }
    command.args(["-c", line]).env_remove("CALL_RUNTIME_DIR").env_remove("HOME").env_remove("XDG_CACHE_HOME");
    command
}

/// Whether others can be had: that takes root, and programs that all may run.
fn has_users(workshop: &Workshop) -> bool {
    let mut trial = as_user(workshop, 1, &format!("test -x {}/call && test -w .", binaries().display()));
    let has = trial.stderr(Stdio::null()).status().is_ok_and(|status| status.success());
    if !has {
        eprintln!(
            "skipped: users of their own, which take root, setpriv, and a folder of programs that all may run"
        );
    }
    has
}

fn shared() -> Workshop {
    let workshop = Workshop::new();
    workshop.shell("chmod 1777 .");
    workshop.write("shared.c", PROGRAM);
    // What is compiled once for all tests is compiled by who runs them.
    workshop.shell("CALL_RUNTIME_DIR=$PWD/first call cc -o first.out shared.c && rm -r first first.out");
    workshop
}

fn all(children: Vec<(u32, Child)>) {
    for (number, child) in children {
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output.status.success(),
            "worker {number}: {told}\n{}",
            String::from_utf8_lossy(&output.stdout)
        );
    }
}

/// Eight of them translate, run and report at once; `user_of` says as which user each works.
fn work_at_once(traces: &[&str], user_of: impl Fn(u32) -> u32) {
    let workshop = shared();
    // Each translates and compiles under a name of their own, and all run what the first one made, too.
    workshop.shell("call shared.c 2>&1 && cc $(call cflags) shared.call.c $(call libs) -o shared");
    for trace in traces {
        let start = |number: u32| {
            let line = format!(
                "set -e; export XDG_CACHE_HOME=$PWD/cache$(id -u) CALL_QUIET=1 CALL_TRACE={trace} CALL_SAVE=0.001; \
                 cp shared.c own{number}.c; call -q own{number}.c; call cc -o own{number} own{number}.c; \
                 for round in $(seq {ROUNDS}); do ./shared {number}$round & one=$!; ./own{number} {number}$round; wait $one; done; \
                 llac -e \"load own{number}.call.*.dat\" -e experiments >own{number}.txt"
            );
            let mut command = as_user(&workshop, user_of(number), &line);
            (number, command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
        };
        all((1..=WORKERS).map(start).collect());
    }
    let mut rows: BTreeMap<String, usize> = BTreeMap::new();
    let mut owners: BTreeSet<u32> = BTreeSet::new();
    for name in workshop.traces() {
        let trace = workshop.trace(&name);
        let samples = &trace.experiments[0].samples;
        let values =
            samples.names.iter().position(|name| name == "n").map(|at| &samples.columns[at]).unwrap();
        let n = values[0];
        assert!(values.iter().all(|value| *value == n), "{name} is of one run");
        let of = name.split('.').next().unwrap().to_owned();
        assert!(of == "shared" || of == format!("own{}", n as u32 / 10), "{name} is of worker {n}");
        *rows.entry(format!("{of} {n}")).or_default() += samples.time_s.len();
        owners.insert(fs::metadata(workshop.path().join(&name)).unwrap().uid());
    }
    // Each run once for each kind of trace.
    assert_eq!(rows.len(), 2 * WORKERS as usize * ROUNDS);
    assert!(rows.values().all(|count| *count == traces.len() * 20_000), "{rows:?}");
    assert_eq!(owners.len(), (1..=WORKERS).map(user_of).collect::<BTreeSet<_>>().len());
    let left = workshop.shell("ls -A | grep -e '\\.new$' -e unfinished -e '^\\.tmp' || true");
    assert_eq!(left, "");
    eprintln!("{WORKERS} at once, as the users {owners:?}, traces: {}", traces.join(", "));
}

/// Root has both halves: eight users who are not root, and one such user eight times. Others have themselves eight times.
#[test]
fn eight_work_at_once_in_one_folder() {
    if has_users(&shared()) {
        work_at_once(&["text", "binary"], |number| number);
        work_at_once(&["text"], |_| 1);
    } else {
        work_at_once(&["text", "binary"], |_| 0);
    }
}

/// Puts a runtime that all may write to where the first rename wants to go, as somebody would who is quicker.
const QUICKER: &str = "#define _GNU_SOURCE\n#include <fcntl.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
    int rename(const char *from, const char *to)\n{\n    static int is_later;\n    char line[8192];\n\
    if (!is_later++ && strstr(to, \"/call-\") != NULL) {\n\
        snprintf(line, sizeof line, \"cp -r '%s' '%s' && chmod 777 '%s'\", from, to, to);\n\
        unsetenv(\"LD_PRELOAD\");\n        if (system(line) != 0)\n            abort();\n    }\n\
    return renameat(AT_FDCWD, from, AT_FDCWD, to);\n}\n";

/// What was put there after the first look is looked at, too; and what is made cannot be renamed by others.
#[test]
fn a_runtime_of_who_was_quicker_is_not_trusted_unseen() {
    let workshop = shared();
    workshop.write("quicker.c", QUICKER);
    workshop.shell("cc -shared -fPIC quicker.c -o quicker.so");
    let told = workshop.shell(
        "unset CALL_RUNTIME_DIR; export XDG_CACHE_HOME=$PWD/lost; \
         ! LD_PRELOAD=$PWD/quicker.so call -q -o shared.call.c shared.c 2>&1",
    );
    assert!(told.contains("is one that others may write to"), "{told}");
    // The folder around it: others could put theirs in the place of what was looked at.
    let told = workshop.shell(
        "unset CALL_RUNTIME_DIR; export XDG_CACHE_HOME=$PWD/wide; umask 0; call -q -o shared.call.c shared.c; stat -c %a wide/call; \
         chmod 777 wide/call; ! call -q -o shared.call.c shared.c 2>&1; \
         chmod 1777 wide/call; call -q -o shared.call.c shared.c 2>&1; \
         chmod 755 wide/call; mv wide/call elsewhere; ln -s ../elsewhere wide/call; call -q -o shared.call.c shared.c 2>&1",
    );
    assert!(told.starts_with("775\n"), "{told}");
    assert_eq!(told.matches("wide/call is one that others may write to").count(), 1, "{told}");
    assert_eq!(told.trim_end().lines().count(), 2, "{told}");
}

/// Where another's file is in the way that is told, and nothing of it is changed.
#[test]
fn files_of_others_are_neither_taken_nor_overwritten() {
    let workshop = shared();
    if !has_users(&workshop) {
        return;
    }
    let run = |user: u32, line: &str| {
        let output = as_user(&workshop, user, line).output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert!(run(1, "XDG_CACHE_HOME=$PWD/one call -q shared.c").0);
    let before = workshop.shell("stat -c '%n %u %i' shared.call.*");
    workshop.shell("sed -i 's/20000/10/' shared.c");
    let (is_done, told) = run(2, "XDG_CACHE_HOME=$PWD/two call -q shared.c");
    assert!(!is_done && told.contains("cannot write shared.call.c: Operation not permitted"), "{told}");
    assert_eq!(workshop.shell("stat -c '%n %u %i' shared.call.*; ls -A | grep '^\\.tmp' || true"), before);

    // A runtime that another user made is none: neither sources that were changed, nor a library.
    let (is_done, told) = run(1, "XDG_CACHE_HOME=$PWD/one call cc -o one.out shared.c && chmod -R a+rX one");
    assert!(is_done, "{told}");
    for line in ["call cc -o two.out shared.c", "call -o two.call.c shared.c"] {
        let (is_done, told) = run(2, &format!("XDG_CACHE_HOME=$PWD/one {line}"));
        assert!(
            !is_done && told.contains("belongs to another user") && told.contains("CALL_RUNTIME_DIR"),
            "{line}: {told}"
        );
        // Without a home there is no guessed folder.
        let (is_done, told) = run(2, line);
        assert!(!is_done && told.contains("there is no HOME to keep the runtime in"), "{line}: {told}");
        let (is_done, told) = run(2, &format!("HOME=/nonexistent/home {line}"));
        assert!(!is_done && told.contains("(set CALL_RUNTIME_DIR)"), "{line}: {told}");
    }
    // One that others may write to is none either, though it is one's own.
    assert!(run(2, "XDG_CACHE_HOME=$PWD/two call cc -o two.out shared.c").0);
    workshop.shell("chmod 777 two/call/call-*");
    let (is_done, told) = run(2, "XDG_CACHE_HOME=$PWD/two call cc -o two.out shared.c");
    assert!(!is_done && told.contains("others may write to"), "{told}");
    // Nor one behind a link, or one with a library of another user.
    workshop.shell(
        "cd two/call; chmod 755 call-*; for d in call-*; do mv $d ../kept; ln -s ../kept $d; chown -h 40002 $d; done",
    );
    let (is_done, told) = run(2, "XDG_CACHE_HOME=$PWD/two call cc -o two.out shared.c");
    assert!(!is_done && told.contains("others may write to"), "{told}");
    workshop.shell("cd two/call; for d in call-*; do rm $d; mv ../kept $d; chown 40001 $d/lib; done");
    let (is_done, told) = run(2, "XDG_CACHE_HOME=$PWD/two call cc -o two.out shared.c");
    assert!(!is_done && told.contains("/lib belongs to another user"), "{told}");
    // None that is made is such, whatever the mask says.
    for _ in 0..2 {
        let (is_done, told) = run(2, "umask 0; XDG_CACHE_HOME=$PWD/wide call cc -o two.out shared.c");
        assert!(is_done, "{told}");
    }
    // What is made on the way stands in a folder of one's own, and goes.
    workshop.shell("chown 40002 two/call/call-*/lib; mkdir .call");
    // The compiler is one that tells where the translated file stands, and who could write there.
    workshop.write("which", "#!/bin/sh\nfor word; do case $word in *shared.call) stat -c '%n %u %a' \"${word%/*}\" \"${word%/*/*}\";; esac; done\nexec cc \"$@\"\n");
    workshop.shell("chmod 755 which");
    let compile = "umask 0; XDG_CACHE_HOME=$PWD/two call cc ./which -o two.out shared.c";
    let places = |prepare: &str| {
        workshop.shell(&format!("rm -rf .call*; {prepare}"));
        let output = as_user(&workshop, 2, compile).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let places = String::from_utf8(output.stdout).unwrap();
        // The folder for all temporary files is everybody's, but nobody can rename what is another's there.
        let temporary = format!("{} ", std::env::temp_dir().display());
        let is_own = |place: &str| place.contains(" 40002 7") && !place.ends_with("777");
        assert!(places.lines().all(|place| place.starts_with(&temporary) || is_own(place)), "{places}");
        places.replace(&workshop.path().display().to_string(), "")
    };
    assert!(places("true").starts_with("/.call/"));
    for others in
        ["mkdir .call", "mkdir -m 777 .call; chown 40002 .call", "ln -s two .call; chown -h 40002 .call"]
    {
        assert!(places(others).starts_with("/.call.40002/"), "{others}");
    }
    // Where both names are taken, a folder that is nobody's neighbour.
    let both = places("mkdir -m 777 .call .call.40002; chown 40001 .call .call.40002");
    assert!(both.contains("/call-cc-") && !both.contains("/.call"), "{both}");
    assert_eq!(workshop.shell("ls -A .call .call.40002"), ".call:\n\n.call.40002:\n");
    workshop.shell("rm -rf .call.40002");
    assert!(run(2, "XDG_CACHE_HOME=$PWD/two call cc -o two.out shared.c").0);
    assert_eq!(workshop.shell("ls -d .call*"), ".call\n");
    // A batch script that cannot be read may have been edited: it stays.
    assert!(run(2, "call script two.out").0);
    let before = workshop.shell("chmod 0 two.out.call.sh; stat -c '%i %a' two.out.call.sh");
    let (is_done, told) = run(2, "call script two.out");
    assert!(
        is_done && told.contains("two.out.call.sh was edited, or is of an older call: it stays"),
        "{told}"
    );
    assert_eq!(workshop.shell("stat -c '%i %a' two.out.call.sh"), before);
    // What root installed for all is for all.
    workshop.shell("export XDG_CACHE_HOME=$PWD/all; unset CALL_RUNTIME_DIR; call cc -o all.out shared.c && chmod -R go-w,a+rX all");
    let (is_done, told) = run(2, "XDG_CACHE_HOME=$PWD/all call cc -o two.out shared.c");
    assert!(is_done, "{told}");
}
