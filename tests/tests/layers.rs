//! Dependencies point down: the manifests say what ARCHITECTURE.md draws.
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

use std::collections::BTreeSet;

use call_tests::repository;

/// Each crate with the crates of this repository that it may use, lowest first.
const LAYERS: &[(&str, &str, &[&str])] = &[
    ("call-grammar", "grammar", &[]),
    ("call-runtime", "call-runtime", &[]),
    ("call-trace", "crates/trace", &[]),
    ("call-fit", "crates/fit", &[]),
    ("call-report", "crates/report", &[]),
    ("call-exchange", "crates/exchange", &["call-grammar", "call-trace"]),
    ("call-model", "crates/model", &["call-fit", "call-grammar", "call-trace"]),
    ("call-search", "crates/search", &["call-fit", "call-grammar", "call-model"]),
    ("call-machine", "crates/machine", &["call-grammar", "call-model", "call-trace"]),
    ("call-bsp", "crates/bsp", &["call-fit", "call-grammar", "call-machine", "call-model", "call-trace"]),
    ("call-compiler", "call-compiler", &["call-grammar", "call-runtime"]),
    (
        "llac",
        "llac",
        &[
            "call-bsp",
            "call-exchange",
            "call-grammar",
            "call-machine",
            "call-model",
            "call-report",
            "call-search",
            "call-trace",
        ],
    ),
];

#[test]
fn dependencies_point_down() {
    for (name, folder, allowed) in LAYERS {
        let manifest = std::fs::read_to_string(repository().join(folder).join("Cargo.toml")).unwrap();
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{folder}");
        let section = manifest.split("[dependencies]").nth(1).unwrap().split("\n[").next().unwrap();
        let ours: BTreeSet<&str> = section
            .lines()
            .filter_map(|line| line.split(['.', ' ', '=']).next())
            .filter(|dependency| dependency.starts_with("call-") || *dependency == "llac")
            .collect();
        assert_eq!(ours, allowed.iter().copied().collect(), "{name}: is the change worth a new arrow?");
    }
}

#[test]
fn every_crate_can_be_published() {
    let workspace = std::fs::read_to_string(repository().join("Cargo.toml")).unwrap();
    let version = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
    for (name, folder, _) in LAYERS {
        let dependency = format!("\n{name} = {{ path = \"{folder}\", {version} }}");
        assert!(
            workspace.contains(&dependency),
            "{name}: path and version belong into [workspace.dependencies]"
        );
        let manifest = std::fs::read_to_string(repository().join(folder).join("Cargo.toml")).unwrap();
        for key in ["description = ", "categories = ", "keywords.", "license.", "readme.", "rust-version."] {
            assert!(manifest.contains(&format!("\n{key}")), "{folder}: {key}");
        }
        for license in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let ours = std::fs::read(repository().join(license)).unwrap();
            assert_eq!(std::fs::read(repository().join(folder).join(license)).unwrap(), ours, "{folder}");
        }
    }
}

#[test]
fn every_crate_has_its_place() {
    let manifest = std::fs::read_to_string(repository().join("Cargo.toml")).unwrap();
    let members = manifest.split("members = [").nth(1).unwrap().split(']').next().unwrap();
    let members: BTreeSet<&str> = members.split('"').skip(1).step_by(2).collect();
    let mut drawn: BTreeSet<&str> = LAYERS.iter().map(|(_, folder, _)| *folder).collect();
    drawn.insert("tests");
    assert_eq!(members, drawn);
}
