//! The Python package: its own tests, with a real kernel, against the program that was built.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

use std::process::Command;

use call_tests::{binaries, repository};

/// A Python that has pandas and a kernel.
fn python() -> Option<&'static str> {
    ["python3", "/usr/bin/python3"].into_iter().find(|python| {
        let output = Command::new(python).args(["-c", "import pandas, nbclient, ipykernel"]).output();
        output.is_ok_and(|output| output.status.success())
    })
}

#[test]
fn the_package_works_in_a_notebook() {
    let Some(python) = python() else {
        assert!(
            std::env::var_os("CALL_TEST_REQUIRE_MPI").is_none(),
            "pandas, nbclient or ipykernel is missing"
        );
        eprintln!("skipped: Python without pandas, nbclient or ipykernel");
        return;
    };
    let output = Command::new(python)
        .args(["-W", "ignore", "-B", "-m", "unittest"])
        .current_dir(repository().join("python/tests"))
        .env("LLAC", binaries().join("llac"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
