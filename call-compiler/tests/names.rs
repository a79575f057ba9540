//! What others named is shown, and never obeyed: by terminals, by shells, by compilers.

use std::fs;
use std::process::{Command, Output};

use tempfile::TempDir;

/// Sets the title of a terminal, colours it (also as C1), and turns the direction of writing.
const EVIL: &str = "x\u{1b}]0;owned\u{7}\u{1b}[31m\u{9b}32m\u{202e}\u{200f}\u{2066}\u{7f}\u{61c}é";

const GOOD: &str = "int main(void)\n{\n    int N = 3;\n#pragma cll f f[0]*N\n    (void)N;\n#pragma cll end f\n\
    #pragma cll report all\n    return 0;\n}\n";

struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Place {
        Place { folder: tempfile::tempdir().unwrap() }
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    fn command(&self, program: &str, words: &[&str]) -> Command {
        let mut command = Command::new(program);
        // It is compiled once for all tests.
        let runtime = concat!(env!("CARGO_TARGET_TMPDIR"), "/runtime-of-tests");
        command.current_dir(self.folder.path()).args(words).env("CALL_RUNTIME_DIR", runtime);
        command.env_remove("CC").env_remove("CALL_OUTPUT").env_remove("CALL_BUILD");
        command.env("CALL_TEST_LEVEL", "-O0");
        command
    }

    fn call(&self, words: &[&str]) -> Output {
        self.command(env!("CARGO_BIN_EXE_call"), words).output().unwrap()
    }

    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
    }
}

fn is_obeyed(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Something was said, and nothing of it is obeyed.
fn check(what: &str, text: &str) {
    assert!(!text.is_empty(), "{what}");
    assert_eq!(text.chars().find(|c| is_obeyed(*c)), None, "{what}: {text:?}");
}

#[test]
fn the_translator_says_nothing_that_terminals_obey() {
    let place = Place::new();
    let warns = "int main(void)\n{\n    int N = 3;\n#pragma cll f f[0]*N\n    N++;\n#pragma cll end f\n    return N;\n}\n";
    let texts = [
        ("good", GOOD.to_owned()),
        ("warns", warns.to_owned()),
        ("bad", format!("int main(void)\n{{\n#pragma cll f{EVIL} f[0] /* {EVIL} */\n}}\n")),
        (
            "unknown",
            format!("int main(void)\n{{\n#pragma cll f f[0]*{EVIL} \"{EVIL}\"\n;\n#pragma cll end f\n}}\n"),
        ),
        ("fails", format!("#error {EVIL}\n")),
    ];
    for (what, text) in &texts {
        let file = format!("{what}-{EVIL}.c");
        place.write(&file, text);
        check(what, &said(&place.call(&[&file])));
        let coloured = said(&place.call(&["--color", "always", &file]));
        // Our own colours are.
        let colours = coloured.replace("\u{1b}[31m", "EVIL");
        assert!(
            !colours.contains("\u{1b}]") && !colours.contains(['\u{7}', '\u{9b}', '\u{202e}']),
            "{colours:?}"
        );
        assert!(!coloured.contains("EVIL"), "{coloured:?}");
    }
    let good = format!("good-{EVIL}.c");
    // The compiler says the rest its own way.
    let ours = |output: &Output| -> String {
        let told = said(output);
        told.lines().filter(|line| line.starts_with("call: ")).collect()
    };
    let none = format!("none-{EVIL}");
    for words in [
        &[none.as_str()][..],
        &["-p", &none],
        &["-o", &good, &good],
        &["script", &none],
        &["run", &none],
        &["cc", &none],
        &["explain", EVIL],
        &["run", &good, "--procs", EVIL],
    ] {
        check(&format!("{words:?}"), &ours(&place.call(words)));
    }
    place.write(&format!("good-{EVIL}.call.sh"), "# mine\n");
    check("edited", &said(&place.call(&[&good])));
}

#[test]
fn instrumented_programs_and_their_scripts_say_nothing_that_terminals_obey() {
    let place = Place::new();
    let name = format!("{EVIL}.c");
    place.write(&name, GOOD);
    let run = place.call(&["run", &name]);
    assert!(run.status.success(), "{run:?}");
    // The compiler says it its own way.
    let ours: String = said(&run).lines().filter(|line| line.starts_with("call: ")).collect();
    check("run", &ours);
    assert!(ours.contains(&format!("wrote {}.call.0.dat", call_grammar::printable(EVIL))), "{run:?}");
    let script = format!("./{EVIL}.call.sh");
    let shown = place.command(&script, &["--nonsense"]).output().unwrap();
    let text = fs::read_to_string(place.folder.path().join(&script)).unwrap();
    let about = text.lines().find(|line| line.contains("owned")).unwrap();
    check("the script's first lines", about);
    // What `tr` knows: bytes.
    assert!(!shown.stderr.iter().any(|byte| byte.is_ascii_control() && *byte != b'\n'), "{shown:?}");
    for variable in [
        "CALL_TRACE",
        "CALL_CLOCK",
        "CALL_COUNTERS",
        "CALL_SAVE",
        "CALL_SUBTRACT",
        "CALL_PROCESSORS",
        "CALL_SUPERSTEPS",
    ] {
        let failed = place.command(&format!("./{EVIL}"), &[]).env(variable, EVIL).output().unwrap();
        let told = String::from_utf8_lossy(&failed.stderr).into_owned();
        check(variable, &told);
    }
    place.write("file", "");
    let failed =
        place.command(&format!("./{EVIL}"), &[]).env("CALL_OUTPUT", format!("file/{EVIL}")).output().unwrap();
    check("CALL_OUTPUT", &said(&failed));
}

/// Names that are shell commands, patterns of `printf`, escapes of C, trigraphs, or marks of our own templates.
#[test]
fn names_are_no_commands_and_no_c() {
    let place = Place::new();
    let names = ["x'; EOF touch obeyed; $(touch obeyed) `touch obeyed` \\", "-n %s%n @NAME@ @TRACES@ \\x41*"];
    for name in names {
        // Folders may have lines, too.
        let folder = format!("in\n'\"EOF\ntouch obeyed\n{name}");
        fs::create_dir(place.folder.path().join(&folder)).unwrap();
        let at = |program: &str| {
            let mut command = place.command(program, &[]);
            command.current_dir(place.folder.path().join(&folder));
            command
        };
        let source = format!("./{name}.c");
        fs::write(place.folder.path().join(&folder).join(&source), GOOD).unwrap();
        let call = env!("CARGO_BIN_EXE_call");
        let flags = "--flags=-DX='$(touch obeyed)'";
        let run =
            at(call).args(["run", flags, &source, "--", "a%Pb", "$(touch obeyed)", "'"]).output().unwrap();
        assert!(run.status.success(), "{run:?}");
        let traces = |folder: &str| -> Vec<String> {
            let entries = fs::read_dir(place.folder.path().join(folder)).unwrap();
            let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
            names.filter(|file| file.ends_with(".dat")).collect()
        };
        assert_eq!(traces(&folder), [format!("{name}.call.0.dat")]);
        // As with `call cc`, from elsewhere, and by other shells.
        let built = at(call)
            .args(["cc", "-std=c99", "-Wall", "-Werror", "-Wno-unknown-pragmas", &source, "-o"])
            .arg(format!("./{name}"))
            .output();
        assert!(built.as_ref().is_ok_and(|built| built.status.success()), "{built:?}");
        let script = at(call).args(["script", &format!("./{name}")]).output();
        assert!(script.as_ref().is_ok_and(|script| script.status.success()), "{script:?}");
        for shell in ["dash", "bash"] {
            let script = format!("{folder}/{name}.call.sh");
            let mut run = place.command(shell, &[&script, "--resume", "--", "%P"]);
            let output = run.env("CALL_OUTPUT", format!("out {shell}{name}")).output();
            assert!(output.as_ref().is_ok_and(|run| run.status.success()), "{output:?}");
            assert_eq!(traces(&format!("out {shell}{name}")), [format!("{name}.call.0.dat")]);
        }
        let obeyed: Vec<String> = place.files().into_iter().filter(|name| name == "obeyed").collect();
        assert_eq!(obeyed, [""; 0]);
        assert!(!place.folder.path().join(&folder).join("obeyed").exists());
    }
}

/// What `#include` would take for more than a name is refused.
#[test]
fn names_of_files_are_no_lines_of_c() {
    let place = Place::new();
    for name in ["x\"\nint obeyed;\n#include \"y.c", "x\ntouch obeyed\n.c", "x\ry.c"] {
        place.write(name, GOOD);
        let output = place.call(&[name]);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            said(&output).contains("has a quote or a line end, which `#include` cannot take"),
            "{output:?}"
        );
        // Elsewhere it is a string.
        let output = place.call(&["-o", "z.call.c", name]);
        assert!(output.status.success(), "{output:?}");
        let help = place.command("sh", &["z.call.sh", "--help"]).output().unwrap();
        assert!(help.status.success() && help.stdout.starts_with(b"usage: z.call.sh"), "{help:?}");
        assert!(!place.files().contains(&"obeyed".to_owned()));
        let compiled = place.call(&[
            "cc",
            "-Wall",
            "-Werror",
            "-Wno-unknown-pragmas",
            "-o",
            "p\nEOF\ntouch obeyed\n: '",
            "z.call.c",
        ]);
        assert!(compiled.status.success(), "{compiled:?}");
        let script = place.call(&["script", "p\nEOF\ntouch obeyed\n: '"]);
        assert!(script.status.success(), "{script:?}");
        let help = place.command("sh", &["p\nEOF\ntouch obeyed\n: '.call.sh", "--help"]).output().unwrap();
        assert!(help.status.success() && help.stdout.starts_with(b"usage: p"), "{help:?}");
        assert!(!place.files().contains(&"obeyed".to_owned()));
    }
    // A comment ends where its lines are joined.
    place.write("c*\\\n", "");
    fs::create_dir(place.folder.path().join("d*\\\n")).unwrap();
    place.write("d*\\\n/obeyed.c", GOOD);
    let output = place.call(&["d*\\\n/obeyed.c"]);
    assert!(output.status.success(), "{output:?}");
    let compiled = place.call(&["cc", "-c", "d*\\\n/obeyed.call.c"]);
    assert!(compiled.status.success(), "{compiled:?}");
    // Nor does it end before its end, or show what is obeyed to who reads it.
    let folder = format!("e{EVIL}*");
    fs::create_dir(place.folder.path().join(&folder)).unwrap();
    place.write(&format!("{folder}/y.c"), GOOD);
    let output = place.call(&[&format!("{folder}/y.c")]);
    assert!(output.status.success(), "{output:?}");
    let compiled = place.call(&["cc", "-c", &format!("{folder}/y.call.c")]);
    assert!(compiled.status.success(), "{compiled:?}");
    let header = fs::read_to_string(place.folder.path().join(&folder).join("y.call.h")).unwrap();
    check("comment", header.lines().next().unwrap());
}

#[test]
fn names_of_selections_are_no_variables() {
    let place = Place::new();
    place.write("g.c", &GOOD.replace("f[0]*N", "f[0]*x let x = _Generic(N, int: N, default: 0)"));
    let output = place.call(&["-q", "--check", "g.c"]);
    assert!(output.status.success(), "{}", said(&output));
    place.write("g.c", &GOOD.replace("f[0]*N", "f[0]*x let x = _Generic(M, int: N, default: 0)"));
    let output = place.call(&["-q", "--check", "g.c"]);
    assert!(said(&output).contains("no variable `M` is visible here"), "{}", said(&output));
}
