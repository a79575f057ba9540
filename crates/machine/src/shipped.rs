//! The machines that come along: published numbers, each with its source, and a computer of today that the probe has measured.

use crate::Machine;

/// Names and files, sorted.
pub const FILES: &[(&str, &str)] = &[
    ("core-i9-7900x", include_str!("../machines/core-i9-7900x.toml")),
    ("cray-t3d", include_str!("../machines/cray-t3d.toml")),
    ("cray-t3e", include_str!("../machines/cray-t3e.toml")),
    ("epyc-7742", include_str!("../machines/epyc-7742.toml")),
    ("epyc-genoa-vm", include_str!("../machines/epyc-genoa-vm.toml")),
    ("ibm-sp2", include_str!("../machines/ibm-sp2.toml")),
    ("pentium-ii-cluster", include_str!("../machines/pentium-ii-cluster.toml")),
    ("pentium-pro-now", include_str!("../machines/pentium-pro-now.toml")),
    ("ryzen-9-5900x", include_str!("../machines/ryzen-9-5900x.toml")),
    ("sgi-origin-2000", include_str!("../machines/sgi-origin-2000.toml")),
    ("sgi-powerchallenge", include_str!("../machines/sgi-powerchallenge.toml")),
    ("sparc-20-smp", include_str!("../machines/sparc-20-smp.toml")),
];

/// The machine of a name.
pub fn named(name: &str) -> Option<Machine> {
    let (_, text) = FILES.iter().find(|(known, _)| *known == name)?;
    Machine::parse(name, text).ok()
}
