//! The program `llac`: its doors, exit status and streams.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

pub const TRACE: &str = "# call-trace 1\n# program: x\n# processors: 1\n# experiment: f\n# formula: f[0] + f[1]*N\n# variables: N\n\
    experiment processor P N time_s\nf 0 1 1 0.000005\nf 0 1 2 0.000007\nf 0 1 4 0.000011\nf 0 1 8 0.000019\n# end rows=4\n";

pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("llac-cli-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("x.call.0.dat"), TRACE).unwrap();
        Folder(folder)
    }

    pub fn llac(&self, arguments: &[&str], input: &str) -> Output {
        let mut child = Command::new(env!("CARGO_BIN_EXE_llac"))
            .current_dir(&self.0)
            .env("COLUMNS", "80")
            .env("CALL_MACHINES", self.0.join("machines"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // It may have ended without reading.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn commands_scripts_and_standard_input_do_the_same() {
    let folder = Folder::new("doors");
    let commands = "load x.call.*.dat\npredict f N=100\n";
    fs::write(folder.0.join("x.llac"), commands).unwrap();
    let by_command = folder.llac(&["-e", "load x.call.*.dat", "-e", "predict f N=100"], "");
    let by_script = folder.llac(&["x.llac"], "");
    let by_input = folder.llac(&[], commands);
    assert!(by_command.status.success(), "{}", text(&by_command.stderr));
    assert!(text(&by_command.stdout).contains("203 µs"), "{}", text(&by_command.stdout));
    assert_eq!(by_command.stdout, by_script.stdout);
    assert_eq!(by_command.stdout, by_input.stdout);
    assert!(
        text(&by_input.stderr).starts_with("warning: N = 100 extrapolates"),
        "{}",
        text(&by_input.stderr)
    );
}

#[test]
fn an_error_names_the_line_and_ends_with_status_2() {
    let folder = Folder::new("errors");
    fs::write(folder.0.join("x.llac"), "load x.call.0.dat\n\nfit g\npredict f N=1\n").unwrap();
    let output = folder.llac(&["x.llac"], "");
    assert_eq!(output.status.code(), Some(2));
    let message = text(&output.stderr);
    assert!(message.starts_with("x.llac:3: error: there is no experiment `g`"), "{message}");
    assert!(!text(&output.stdout).contains("f(N=1)"), "what follows an error is not run");
    for (name, contents, expected) in [
        ("cut.dat", TRACE[..40].to_owned(), "cut"),
        ("foreign.dat", "hello\n".to_owned(), "no rows follow the header line"),
        ("empty.dat", String::new(), "empty"),
        ("newer.dat", TRACE.replace("call-trace 1", "call-trace 2"), "2"),
    ] {
        fs::write(folder.0.join(name), contents).unwrap();
        let output = folder.llac(&["-e", &format!("load {name}")], "");
        assert_eq!(output.status.code(), Some(2), "{name}");
        let message = text(&output.stderr);
        assert!(message.contains(name) && message.contains(expected), "{name}: {message}");
    }
    assert_eq!(folder.llac(&["nowhere.llac"], "").status.code(), Some(2));
}

#[test]
fn plots_are_written_whole_or_not_at_all() {
    let folder = Folder::new("plots");
    let output = folder.llac(&["-e", "load x.call.0.dat", "-e", "plot f f.svg"], "");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(fs::read_to_string(folder.0.join("f.svg")).unwrap().trim_end().ends_with("</svg>"));
    let output = folder.llac(&["-e", "load x.call.0.dat", "-e", "plot f N nowhere/f.svg"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("cannot write nowhere/f.svg"), "{}", text(&output.stderr));
}

#[test]
fn machines_are_those_of_the_folder_and_of_files() {
    let folder = Folder::new("machines");
    let machine = "schema_version = 1\nname = \"mine\"\n[provenance]\nkind = \"measured\"\ndate = \"2026\"\n\
        [[bsp]]\nprocessors = 1\nrate_flop_per_s = 1e9\ng_s_per_byte = 0\nlatency_s = 0\n";
    let listed = || text(&folder.llac(&["machine", "list"], "").stdout);
    assert!(!listed().contains("mine"), "{}", listed());
    fs::create_dir(folder.0.join("machines")).unwrap();
    fs::write(folder.0.join("machines/a.toml"), machine).unwrap();
    fs::write(folder.0.join("machines/notes.txt"), "no machine").unwrap();
    fs::write(folder.0.join("fast.toml"), machine.replace("1e9", "4e9")).unwrap();
    assert!(listed().contains("  mine                a.toml "), "{}", listed());
    assert!(listed().contains("  files are in /"), "{}", listed());
    let by_file = folder.llac(&["machine", "show", "fast.toml"], "");
    assert!(text(&by_file.stdout).contains("4000000000"), "{}", text(&by_file.stdout));
    // 203 µs here, a quarter of that there; the file behind `on` is no table of times, `f[0]=s` no formula.
    let words = [
        "-e",
        "machine use mine",
        "predict",
        "x.call.0.dat",
        "f",
        "N=100",
        "on",
        "fast.toml",
        "scale",
        "f[0]=s",
    ];
    let carried = folder.llac(&words, "");
    assert!(text(&carried.stdout).contains("f(P=1, N=100) on mine = 50.75 µs"), "{}", text(&carried.stderr));
}

#[test]
fn what_cannot_be_read_hides_no_other_machine() {
    let folder = Folder::new("unreadable");
    let nowhere = folder.llac(&["machine", "list"], "");
    let told = text(&nowhere.stderr);
    assert!(told.starts_with("warning: the folder of machines cannot be read: $CALL_MACHINES,"), "{told}");
    let machines = folder.0.join("machines");
    fs::create_dir_all(machines.join("x.toml")).unwrap();
    let machine = "schema_version = 1\nname = \"mine\"\n[provenance]\nkind = \"measured\"\ndate = \"2026\"\n";
    fs::write(machines.join("good.toml"), machine).unwrap();
    fs::write(machines.join("zz.toml"), b"name = \"\xff\"").unwrap();
    let shown = folder.llac(&["machine", "show", "mine"], "");
    assert!(text(&shown.stdout).starts_with("mine"), "{}", text(&shown.stderr));
    let told = text(&folder.llac(&["machine", "list"], "").stderr);
    assert!(told.contains("x.toml:") && told.contains("zz.toml:"), "{told}");
    let broken = folder.llac(&["machine", "show", "zz"], "");
    assert_eq!(broken.status.code(), Some(2));
    assert!(text(&broken.stderr).contains("machines/zz.toml: "), "{}", text(&broken.stderr));
}

#[test]
fn help_knows_all_commands_and_fits_80_columns() {
    let folder = Folder::new("help");
    for command in llac::Session::commands().chain(["completions", ""]) {
        let output = folder.llac(&["help", command][..if command.is_empty() { 1 } else { 2 }], "");
        let told = text(&output.stdout);
        assert!(
            output.status.success() && told.contains(&format!("Usage: llac {command}")),
            "{command}: {told}"
        );
        let by_option = folder.llac(&[command, "--help"][usize::from(command.is_empty())..], "");
        assert_eq!(told, text(&by_option.stdout));
        assert!(told.lines().all(|line| line.chars().count() <= 80), "{told}");
    }
    let told = text(&folder.llac(&["help"], "").stdout);
    assert!(told.contains("\n  isoefficiency  find sizes") && told.contains("Exit status: 0"), "{told}");
    let told = text(&folder.llac(&["help", "set", "weights"], "").stdout);
    assert!(
        told.contains("set weights automatic | relative") && told.contains("default: automatic"),
        "{told}"
    );
    assert!(text(&folder.llac(&["help", "set", "wheights"], "").stderr).contains("did you mean `weights`?"));
}

#[test]
fn csv_never_mixes_tables_of_different_columns() {
    let folder = Folder::new("csv");
    let csv = |command: &str| folder.llac(&["--format", "csv", "-e", "load *.dat", "-e", command], "");
    let fit = text(&csv("fit f").stdout);
    let keys: Vec<&str> = fit.lines().filter(|line| line.starts_with("constant,")).collect();
    assert_eq!((keys.len(), fit.contains("r_squared")), (1, false), "{fit}");
    let judge = csv("judge f");
    assert_eq!((judge.status.code(), judge.stdout.as_slice()), (Some(2), &b""[..]));
    let told = text(&judge.stderr);
    assert!(told.contains("the result has 3") && told.contains("`into FILE.errors.csv`"), "{told}");
    assert!(csv("judge f into j.errors.csv").status.success());
    let errors = fs::read_to_string(folder.0.join("j.errors.csv")).unwrap();
    assert!(errors.starts_with("errors,rms_percent,SMAPE_percent\n"), "{errors}");
    assert!(csv("fit f into f.quality.csv").status.success());
    let quality = fs::read_to_string(folder.0.join("f.quality.csv")).unwrap();
    assert!(
        quality.starts_with("samples,points,r_squared,rms_percent,worst_percent,SMAPE_percent\n4,4,"),
        "{quality}"
    );
}

/// They are no options of the command line.
#[test]
fn negative_numbers_with_units_are_words() {
    let folder = Folder::new("negative");
    let fails = |arguments: &[&str]| {
        let output = folder.llac(arguments, "");
        assert_eq!(output.status.code(), Some(2));
        text(&output.stderr)
    };
    assert!(
        folder
            .llac(&["-e", "load x.call.0.dat", "-e", "save model f into f.model.json"], "")
            .status
            .success()
    );
    let check = |share: &str| fails(&["check", "f.model.json", "x.call.0.dat", "tolerance", share]);
    for share in ["-3%", "-.5%", "-3"] {
        let told = check(share);
        assert!(told.contains(&format!("`{share}` is below 0")) && !told.contains("option"), "{told}");
    }
    let told = fails(&["largest", "x.call.0.dat", "f", "N", "-3s"]);
    assert!(told.contains("-3s") && !told.contains("unexpected argument") && !told.contains('\0'), "{told}");
    for arguments in [&["quit", "-3%"][..], &["--format", "-3%"]] {
        let told = fails(arguments);
        assert!(told.contains("-3%") && !told.contains('\0'), "{told}");
    }
}

#[test]
fn nobody_has_to_read_errors_and_warnings() {
    let folder = Folder::new("unread");
    let status = |arguments: &[&str]| {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_llac"));
        let command =
            command.current_dir(&folder.0).args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(writer).status().unwrap().code()
    };
    assert_eq!(status(&["-e", "nonsense"]), Some(2));
    assert_eq!(status(&["predict", "nothing.csv", "f"]), Some(2));
    assert_eq!(status(&["predict", "x.call.0.dat", "f", "N=1e6"]), Some(0), "with a warning");
}

/// Eight programs that add twenty entries each at once, and one that is killed while it adds.
#[test]
fn many_programs_add_to_an_archive_at_once() {
    let folder = Folder::new("archive");
    let script = |entries: usize| "archive add f into h machine=ci\n".repeat(entries);
    fs::write(folder.0.join("add.llac"), format!("load x.call.0.dat\n{}", script(20))).unwrap();
    fs::write(folder.0.join("many.llac"), format!("load x.call.0.dat\n{}", script(2000))).unwrap();
    let start = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_llac"));
        command
            .current_dir(&folder.0)
            .arg(name)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.spawn().unwrap()
    };
    let entries = || {
        let listed = folder.llac(&["--format", "csv", "archive", "list", "in", "h"], "");
        assert!(listed.status.success(), "{}", text(&listed.stderr));
        (text(&listed.stdout).lines().count() - 1, text(&listed.stderr))
    };
    let mut writers: Vec<_> = (0..8).map(|_| start("add.llac")).collect();
    assert!(writers.iter_mut().all(|writer| writer.wait().unwrap().success()));
    assert_eq!(entries(), (160, String::new()));

    let mut killed = start("many.llac");
    while fs::read_dir(folder.0.join("h")).unwrap().count() < 325 {
        assert!(killed.try_wait().unwrap().is_none(), "it was to be killed");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    let (count, told) = entries();
    assert!(
        count > 160 && told.lines().all(|line| line.starts_with("warning") || line.starts_with("  ")),
        "{told}"
    );
    assert!(told.matches("without").count() <= 1, "{told}");
}
