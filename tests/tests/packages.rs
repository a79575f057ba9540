//! The packages that users download are well formed, and what they hold runs wherever it is unpacked.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;

use call_tests::{Workshop, binaries, is_there, repository};

/// A folder `made` with packages. Stand-ins of the programs call those of the tests, which would take long to pack.
fn packages(parts: &str) -> Workshop {
    let workshop = Workshop::new();
    workshop.shell("mkdir bin");
    for program in ["call", "llac"] {
        let path = workshop.path().join("bin").join(program);
        std::fs::write(&path, format!("#!/bin/sh\nexec {}/{program} \"$@\"\n", binaries().display()))
            .unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    }
    let script = repository().join("packaging/build.sh");
    let build = |folder: &str, mask: &str| {
        workshop.shell(&format!(
            "umask {mask} && BINARIES=$PWD/bin SOURCE_DATE_EPOCH=1700000000 {} {folder} {parts}",
            script.display()
        ))
    };
    assert_eq!(build("made", "022"), build("again", "077"), "the same sources give other bytes");
    assert!(!workshop.shell("cd made && sha256sum -c SHA256SUMS").contains("FAILED"));
    workshop
}

/// A program measured by hand, compiled with what pkg-config says, and what CMake finds.
fn is_usable(workshop: &Workshop, prefix: &str, pkgconfig: &str) {
    workshop.bring("call-runtime/tests/programs/by_hand.c");
    let compiled = format!(
        "export PKG_CONFIG_PATH=$PWD/{pkgconfig} PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 && \
         cc $(pkg-config --cflags call) by_hand.c $(pkg-config --libs call) -o by_hand && CALL_OUTPUT={prefix} ./by_hand"
    );
    if is_there("pkg-config") {
        workshop.shell(&compiled);
        let rows = workshop.shell(&format!("{prefix}/bin/llac -e 'load {prefix}/by_hand.call.0.dat'"));
        assert!(rows.contains("5 samples of none, one, eight, unsaid, left"), "{rows}");
    }
    if is_there("cmake") {
        workshop.bring("tests/programs/several.h");
        workshop.bring("tests/programs/several_main.c");
        workshop.bring("tests/programs/several_other.c");
        workshop.write(
            "CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.16)\nproject(several C)\nfind_package(CALL 0.1 REQUIRED)\n\
             add_executable(several several_main.c several_other.c)\ncall_instrument(several)\n",
        );
        workshop.shell(&format!(
            "cmake -B {prefix}/build -DCMAKE_PREFIX_PATH=$PWD/{prefix} && cmake --build {prefix}/build && \
             cd {prefix} && CALL_CLOCK=counting build/several && test -f several_main.call.0.dat"
        ));
    }
}

#[test]
fn the_archive_runs_wherever_it_is_unpacked() {
    let workshop = packages("archive");
    let name = format!("call-{}-linux-{}", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH);
    workshop.shell(&format!(
        "mkdir 'far away' && tar xzf made/{name}.tar.gz -C 'far away' && mv 'far away/{name}' moved"
    ));
    let told =
        workshop.shell("moved/bin/call --version && moved/bin/llac --version && readlink moved/bin/call-cc");
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(told, format!("call {version}\nllac {version}\ncall\n"));
    is_usable(&workshop, "moved", "moved/lib/pkgconfig");
    let listed = workshop.shell(&format!("tar tvzf made/{name}.tar.gz"));
    for line in listed.lines() {
        assert!(line.contains(" 0/0 ") && line.contains("2023-11-14"), "{line}");
        assert!(line.starts_with('l') || !line[..10].ends_with("w-") && &line[5..6] != "w", "{line}");
    }
    for file in ["include/call/call.F90", "include/call/call.hpp", "share/doc/call/THIRD-PARTY-LICENCES.txt"]
    {
        assert!(listed.contains(file), "{file}");
    }
    // No path of this machine is in it; the stand-ins of the programs have one.
    let found = workshop.shell(&format!(
        "grep -rl -e $PWD -e {} moved/lib moved/include moved/share || true",
        repository().display()
    ));
    assert_eq!(found, "");
}

#[test]
fn the_debian_package_is_well_formed() {
    if !is_there("dpkg-deb") {
        return;
    }
    let workshop = packages("deb");
    let package = workshop.shell("ls made/*.deb").trim().to_owned();
    let fields = workshop.shell(&format!("dpkg-deb --field {package}"));
    for field in [
        "Package: call-llac\n",
        &format!("Version: {}\n", env!("CARGO_PKG_VERSION")),
        "Maintainer: ",
        "Architecture: ",
        "Installed-Size: ",
        "Description: ",
    ] {
        assert!(fields.contains(field), "{field}: {fields}");
    }
    let contents = workshop.shell(&format!("dpkg-deb --contents {package}"));
    for line in contents.lines() {
        assert!(line.contains(" root/root "), "{line}");
        let path = line.split_whitespace().nth(5).unwrap();
        assert!(path == "./" || path.starts_with("./usr/"), "{line}");
    }
    workshop.shell(&format!(
        "dpkg-deb --raw-extract {package} unpacked && cd unpacked && md5sum --quiet -c DEBIAN/md5sums && \
         zcat usr/share/man/man1/call.1.gz usr/share/doc/call-llac/changelog.gz >/dev/null && \
         grep -q Apache usr/share/doc/call-llac/copyright"
    ));
    let listed: BTreeSet<String> =
        workshop.shell("cd unpacked && find usr -type f | sort").lines().map(str::to_owned).collect();
    let summed = workshop.read("unpacked/DEBIAN/md5sums");
    assert_eq!(listed, summed.lines().map(|line| line.split_once("  ").unwrap().1.to_owned()).collect());
    let triplet = workshop.shell("cc -print-multiarch").trim().to_owned();
    is_usable(&workshop, "unpacked/usr", &format!("unpacked/usr/lib/{triplet}/pkgconfig"));
}

#[test]
fn licences_of_third_parties_are_those_of_the_lock_file() {
    if is_there("python3") {
        Workshop::new().shell(&format!("{} --check", repository().join("scripts/licences.py").display()));
    }
}

#[test]
fn the_version_is_the_same_everywhere() {
    let version = env!("CARGO_PKG_VERSION");
    for (file, line) in [
        ("CITATION.cff", format!("\nversion: {version}\n")),
        ("docs/install.md", format!("call-llac_{version}_amd64.deb")),
        ("packaging/spack/package.py", format!("version(\"{version}\"")),
        ("packaging/easybuild/CALL.eb", format!("\nversion = '{version}'\n")),
        ("packaging/conda/meta.yaml", format!("{{% set version = \"{version}\" %}}")),
        ("packaging/nix/package.nix", format!("version = \"{version}\";")),
        ("packaging/cargo/Cargo.toml", format!("\nversion = \"{version}\"\n")),
    ] {
        let text = std::fs::read_to_string(repository().join(file)).unwrap();
        assert!(text.contains(&line), "{file} has not{line}");
    }
}

/// The names behind `[dependencies]` of a manifest of the workspace, or all that the workspace lists, with what is said of each.
fn listed(manifest: &str, section: &str) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(repository().join(manifest)).unwrap();
    let (_, behind) = text.split_once(&format!("\n[{section}]\n")).unwrap();
    let lines = behind.split("\n[").next().unwrap().lines();
    let pairs = lines.filter_map(|line| line.split_once(" = "));
    pairs.map(|(name, value)| (name.trim_end_matches(".workspace").to_owned(), value.to_owned())).collect()
}

#[test]
fn the_crate_of_both_programs_has_what_they_need() {
    let workspace = listed("Cargo.toml", "workspace.dependencies");
    let mut needed: BTreeSet<String> = ["call-compiler".to_owned(), "llac".to_owned()].into();
    for manifest in ["call-compiler/Cargo.toml", "llac/Cargo.toml"] {
        needed.extend(listed(manifest, "dependencies").into_iter().map(|(name, _)| name));
    }
    let own = listed("packaging/cargo/Cargo.toml", "dependencies");
    assert_eq!(own.iter().map(|(name, _)| name.clone()).collect::<BTreeSet<_>>(), needed);
    for (name, value) in own {
        let value = value.replace("path = \"../../", "path = \"");
        assert!(workspace.contains(&(name.clone(), value.clone())), "{name} = {value}");
    }
    // What cargo would build is what was tested.
    let packages = |path: &str| -> BTreeSet<String> {
        let text = std::fs::read_to_string(repository().join(path)).unwrap();
        let parts = text.split("[[package]]\n").skip(1);
        parts.map(|part| part.lines().take(2).collect::<Vec<_>>().join(" ")).collect()
    };
    let (tested, built) = (packages("Cargo.lock"), packages("packaging/cargo/Cargo.lock"));
    let others: Vec<&String> = built.difference(&tested).collect();
    assert_eq!(
        others.len(),
        1,
        "run `cargo metadata` in packaging/cargo after a change of Cargo.lock: {others:?}"
    );
}
