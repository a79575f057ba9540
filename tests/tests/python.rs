//! The Python package: its own tests, with a real kernel, against the program that was built; and the wheel that brings both.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use std::path::Path;
use std::process::Command;

use call_tests::{Workshop, binaries, repository};

/// The first Python that runs a line.
fn python_with(line: &str) -> Option<&'static str> {
    ["python3", "/usr/bin/python3"].into_iter().find(|python| {
        let output = Command::new(python).args(["-c", line]).output();
        output.is_ok_and(|output| output.status.success())
    })
}

/// Tells that something is missing, which is an error where the environment says that it must be there.
fn skip(missing: &str) {
    assert!(std::env::var_os("CALL_TEST_REQUIRE_MPI").is_none(), "{missing} is missing");
    eprintln!("skipped: {missing}");
}

#[test]
fn the_package_works_in_a_notebook() {
    let Some(python) = python_with("import pandas, nbclient, ipykernel") else {
        return skip("Python with pandas, nbclient and ipykernel");
    };
    let output = Command::new(python)
        .args(["-W", "ignore", "-B", "-m", "unittest"])
        .current_dir(repository().join("python/tests"))
        .env("LLAC", binaries().join("llac"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A session of the installed package, with nothing but its own folder on the PATH.
const SESSION: &str = r#"
import os, sys, llac
assert os.path.dirname(llac.__file__).startswith(sys.argv[1]), llac.__file__
with open("timings.csv", "w") as file:
    file.write("N,time_s\n1,3\n2,5\n4,9\n")
with llac.Session() as session:
    print(session._process.args[0])
    session.load("timings.csv")
    session("formula timings = a[0] + a[1]*N")
    print(session.predict("timings", N=8).table("predictions")[0]["predicted_s"])
"#;

#[test]
fn the_wheel_brings_programs_and_package() {
    let Some(python) = python_with("import pip, venv, ensurepip") else {
        return skip("Python with pip and venv");
    };
    let workshop = Workshop::new();
    // What builds the wheel stays installed for the next time.
    let backend = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hatchling");
    let install = format!(
        "cd {} && {{ test -e whole || {{ {python} -m pip install --quiet --upgrade --target . 'hatchling>=1.27' && touch whole; }}; }}",
        backend.display()
    );
    std::fs::create_dir_all(&backend).unwrap();
    if !workshop.command("sh").args(["-c", &install]).status().unwrap().success() {
        return skip("hatchling, which pip could not install,");
    }
    // Programs of a test run are large; without symbols they are packed soon.
    workshop.shell(&format!(
        "mkdir bin && strip -o bin/call {0}/call && strip -o bin/llac {0}/llac && dist=$PWD && \
         export PYTHONPATH={2} BINARIES=$PWD/bin && cd {1}/python && {python} -B -m hatchling build -t wheel -d $dist/dist",
        binaries().display(),
        repository().display(),
        backend.display()
    ));
    workshop.write("session.py", SESSION);
    let installed = |python: &str, folder: &str| {
        let found = workshop.shell(&format!("PATH=/nowhere LLAC= {python} session.py $PWD/{folder}"));
        let (program, predicted) = found.trim().split_once('\n').unwrap();
        assert!(program.starts_with(&workshop.path().join(folder).display().to_string()), "{program}");
        assert!((predicted.parse::<f64>().unwrap() - 17.0).abs() < 1e-9, "{predicted}");
    };
    // An environment with a pip of its own takes longer than all that is tried here.
    let pip = format!("{python} -m pip --python own/bin/python");
    workshop.shell(&format!(
        "{python} -m venv --without-pip own && {pip} install --quiet --no-index dist/call_llac-*.whl"
    ));
    installed("own/bin/python", "own");
    let version = format!("{}\n", env!("CARGO_PKG_VERSION"));
    let told = workshop.shell(&format!(
        "{pip} show call-llac && export PATH=$PWD/own/bin:/usr/bin:/bin && command -v call && command -v llac && call --version && \
         llac --version"
    ));
    assert!(told.contains("own/bin/call\n") && told.contains("own/bin/llac\n"), "{told}");
    assert_eq!(told.matches(&version).count(), 3, "{told}");

    workshop.shell(&format!(
        "{pip} uninstall --quiet --yes call-llac && test ! -e own/bin/call && test ! -e own/bin/llac"
    ));

    // With a target, pip puts programs beside the package.
    workshop.shell(&format!("{pip} install --quiet --no-index --target beside dist/call_llac-*.whl"));
    installed("PYTHONPATH=$PWD/beside own/bin/python", "beside");
}
