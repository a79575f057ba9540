//! The viewer of pages: its bundle is what its sources make, and pages work in browsers.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test that is skipped has to say so")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use call_tests::{binaries, repository};

#[allow(dead_code, reason = "it is a program, too")]
#[path = "../../crates/report/examples/profile_page.rs"]
mod profile_page;

const BUNDLE: [&str; 3] = ["viewer.js", "page.css", "waits.js"];
const EDITOR: [&str; 2] = ["editor.js", "editor.css"];

#[test]
fn pages_in_browsers() {
    if Command::new("npm").arg("--version").output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "npm is not installed");
        eprintln!("npm is not installed: pages are not tried");
        return;
    }
    // A copy has the modules, so that the tree stays as it is.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
    let copy = folder.join("page");
    let bundles = [("crates/report/src/profile_page", &BUNDLE[..]), ("llac/src/page_server", &EDITOR)];
    for part in ["", "src", "test"] {
        copy_files(&repository().join("page").join(part), &copy.join(part));
    }
    install_packages(&copy);
    run(Command::new("npm").args(["run", "--silent", "build"]).current_dir(&copy));
    for (place, names) in bundles {
        for name in names {
            let kept = fs::read(repository().join(place).join(name)).unwrap();
            let made = fs::read(folder.join(place).join(name)).unwrap();
            assert!(kept == made, "{name} is out of date: npm run build, in page/");
            assert!(made.len() < 60_000);
        }
    }
    let pages = folder.join("pages");
    fs::create_dir_all(&pages).unwrap();
    profile_page::write_pages(&pages, profile_page::NODES, profile_page::PROCESSORS);
    let mut test = Command::new("npm");
    test.args(["run", "--silent", "test"]).env("PAGES", &pages).env("LLAC", binaries().join("llac"));
    run(test.current_dir(&copy));
}

/// What was installed for these versions stays for the next time.
fn install_packages(folder: &Path) {
    let wanted = fs::read(folder.join("package-lock.json")).unwrap();
    let installed = folder.join("node_modules/.installed-package-lock.json");
    if fs::read(&installed).is_ok_and(|installed| installed == wanted) {
        return;
    }
    run(Command::new("npm").args(["ci", "--no-fund", "--no-audit"]).current_dir(folder));
    fs::write(installed, wanted).unwrap();
}

fn copy_files(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    let files = fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path());
    for file in files.filter(|path| path.is_file()).collect::<Vec<PathBuf>>() {
        fs::copy(&file, to.join(file.file_name().unwrap())).unwrap();
    }
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&text));
}
