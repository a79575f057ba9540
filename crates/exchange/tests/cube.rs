//! Profiles of Cube: single ones, sets of folders, and damaged ones.

use crate::common::describe;
use call_exchange::{FileSet, Imported, ReadOptions, read};

/// A tar archive of these entries.
fn tar(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in entries {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o600);
        header.set_path(name).unwrap();
        header.set_cksum();
        archive.append(&header, bytes.as_slice()).unwrap();
    }
    archive.into_inner().unwrap()
}

fn index(places: &[u32]) -> Vec<u8> {
    let mut bytes = b"CUBEX.INDEX\x01\0\0\0\0\0\x01".to_vec();
    bytes.extend((places.len() as u32).to_le_bytes());
    bytes.extend(places.iter().flat_map(|place| place.to_le_bytes()));
    bytes
}

fn data(values: &[f64]) -> Vec<u8> {
    b"CUBEX.DATA".iter().copied().chain(values.iter().flat_map(|value| value.to_le_bytes())).collect()
}

/// Two pieces that are packed.
fn packed(values: &[u64]) -> Vec<u8> {
    use std::io::Write;
    let mut bytes = b"ZCUBEX.DATA".to_vec();
    let pieces: Vec<Vec<u8>> = values
        .chunks(values.len().div_ceil(2))
        .map(|piece| {
            let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
            let bytes: Vec<u8> = piece.iter().flat_map(|value| value.to_le_bytes()).collect();
            encoder.write_all(&bytes).unwrap();
            encoder.finish().unwrap()
        })
        .collect();
    bytes.extend((pieces.len() as u64).to_le_bytes());
    for piece in &pieces {
        bytes.extend([0_u64, 0, piece.len() as u64].iter().flat_map(|number| number.to_le_bytes()));
    }
    bytes.extend(pieces.concat());
    bytes
}

const SYSTEM: &str = "<system><systemtreenode Id='0'><locationgroup Id='0'><location Id='0'/><location Id='1'/></locationgroup>\
    </systemtreenode></system>";

/// main { solve { spmv }, io }, numbered as they stand there; regions may have the same name.
fn anchor(regions: [&str; 4]) -> String {
    let names: Vec<String> = regions
        .iter()
        .enumerate()
        .map(|(id, name)| format!("<region id='{id}'><name>{name}</name></region>"))
        .collect();
    let metric = |id: u32, kind: &str, name: &str, data_type: &str, unit: &str, inside: &str| {
        format!(
            "<metric id='{id}' type='{kind}'><uniq_name>{name}</uniq_name><dtype>{data_type}</dtype><uom>{unit}</uom>{inside}</metric>"
        )
    };
    let part = metric(3, "POSTDERIVED", "wait", "DOUBLE", "sec", "");
    format!(
        "<?xml version='1.0'?><cube version='4.4'><metrics>{}{}{}</metrics><program>{}<cnode id='0' calleeId='0'>\
         <cnode id='1' calleeId='1'><cnode id='2' calleeId='2'/></cnode><cnode id='3' calleeId='3'/></cnode></program>{SYSTEM}</cube>",
        metric(0, "EXCLUSIVE", "visits", "UINT64", "occ", ""),
        metric(1, "INCLUSIVE", "time", "DOUBLE", "sec", &part),
        metric(2, "INCLUSIVE", "cycles", "UINT64", "", ""),
        names.concat()
    )
}

/// A profile whose times grow with a factor. Of inclusive metrics the calls of a call stand before those in them: main, solve, io, spmv.
fn profile(regions: [&str; 4], factor: f64) -> Vec<u8> {
    let time = [10.0, 20.0, 6.0, 12.0, 1.0, 2.0, 4.0, 8.0].map(|time| time * factor);
    tar(&[
        ("anchor.xml", anchor(regions).into_bytes()),
        ("0.index", index(&[0, 1, 2, 3])),
        ("0.data", packed(&[1, 1, 5, 5, 50, 50, 2, 2])),
        ("1.index", index(&[0, 1, 2, 3])),
        ("1.data", data(&time)),
        ("2.index", index(&[0, 1])),
        ("2.data", packed(&[1 << 60, 3, (1 << 60) - 7, 4])),
    ])
}

const REGIONS: [&str; 4] = ["main", "solve", "spmv", "io"];

fn set(profiles: &[(&str, Vec<u8>)], metrics: &[&str]) -> Result<Imported, call_exchange::Error> {
    let options = ReadOptions {
        metrics: metrics.iter().map(|metric| (*metric).to_owned()).collect(),
        ..ReadOptions::default()
    };
    let paths: Vec<String> =
        profiles.iter().map(|(folder, _)| format!("runs/{folder}/profile.cubex")).collect();
    let (mut set, of_set) = FileSet::of("runs", &paths).unwrap();
    assert_eq!(of_set, paths);
    for ((_, bytes), path) in profiles.iter().zip(&paths) {
        set.push(path, bytes, &options)?;
    }
    set.finish(&options)
}

#[track_caller]
fn check(imported: &Imported, expected: &str) {
    let found = describe(imported);
    let expected: Vec<&str> = expected.trim().lines().map(str::trim).collect();
    assert_eq!(found.lines().map(str::trim).collect::<Vec<_>>(), expected);
}

#[test]
fn a_profile_has_the_times_of_the_calls_themselves() {
    let imported =
        read("runs/cg.n100.r1/profile.cubex", &profile(REGIONS, 1.0), &ReadOptions::default()).unwrap();
    check(
        &imported,
        "a profile of Cube, 2 processors
         main: P n time_s
         0: 2 100 3
         1: 2 100 6
         main/solve: P n time_s
         0: 2 100 2
         1: 2 100 4
         main/io: P n time_s
         0: 2 100 1
         1: 2 100 2
         main/solve/spmv: P n time_s
         0: 2 100 4
         1: 2 100 8
         - the times are `time`, in seconds
         - left out: `visits`, `wait`, `cycles` (another metric)",
    );
}

#[test]
fn inclusive_values_are_those_that_the_profile_has() {
    let options = ReadOptions {
        metrics: vec!["time".into(), "visits".into()],
        is_inclusive: true,
        ..ReadOptions::default()
    };
    let bytes = profile(REGIONS, 1.0);
    // Times are stored with those of the calls below, visits without.
    check(
        &read("runs/cg.n100.r1/profile.cubex", &bytes, &options).unwrap(),
        "a profile of Cube, 2 processors
         main: P n time_s
         0: 2 100 10
         1: 2 100 20
         main/solve: P n time_s
         0: 2 100 6
         1: 2 100 12
         main/io: P n time_s
         0: 2 100 1
         1: 2 100 2
         main/solve/spmv: P n time_s
         0: 2 100 4
         1: 2 100 8
         main:visits: P n time_s
         0: 2 100 58
         1: 2 100 58
         main/solve:visits: P n time_s
         0: 2 100 55
         1: 2 100 55
         main/io:visits: P n time_s
         0: 2 100 2
         1: 2 100 2
         main/solve/spmv:visits: P n time_s
         0: 2 100 50
         1: 2 100 50
         - the times are `time`, in seconds
         - the response is `visits`, in occ
         - left out: `wait`, `cycles` (another metric)
         - inclusive: the values of calls below are added to those of `main`, `main/solve`, `main:visits`, `main/solve:visits`",
    );
}

#[test]
fn metrics_have_their_units_and_counts_are_exact() {
    let options = ReadOptions {
        metrics: vec!["cycles".into(), "visits".into(), "wait".into()],
        ..ReadOptions::default()
    };
    let imported = read("profile.cubex", &profile(REGIONS, 1.0), &options).unwrap();
    check(
        &imported,
        "a profile of Cube, 2 processors
         main: P time_s
         0: 2 7
         1: 2 0
         main/solve: P time_s
         0: 2 1152921504606847000
         1: 2 4
         main:visits: P time_s
         0: 2 1
         1: 2 1
         main/solve:visits: P time_s
         0: 2 5
         1: 2 5
         main/solve/spmv:visits: P time_s
         0: 2 50
         1: 2 50
         main/io:visits: P time_s
         0: 2 2
         1: 2 2
         - the response is `cycles`, in cycles
         - the response is `visits`, in occ
         - the times are `wait`, in seconds
         - left out: `time` (another metric)
         - left out: `wait` (no values)",
    );
}

#[test]
fn folders_hold_the_parameters_and_paths_become_common() {
    let imported = set(
        &[
            ("cg.p2.n10.r1", profile(REGIONS, 1.0)),
            ("cg.p2.n10.r2", profile(REGIONS, 2.0)),
            ("cg.p2.n20.r1", profile(["main", "solve", "other", "io"], 4.0)),
        ],
        &[],
    );
    // What spmv or other took is that of solve.
    check(
        &imported.unwrap(),
        "a profile of Cube, 2 processors
         main: P n time_s
         0: 2 10 3
         1: 2 10 6
         0: 2 10 6
         1: 2 10 12
         0: 2 20 12
         1: 2 20 24
         main/solve: P n time_s
         0: 2 10 6
         1: 2 10 12
         0: 2 10 12
         1: 2 10 24
         0: 2 20 24
         1: 2 20 48
         main/io: P n time_s
         0: 2 10 1
         1: 2 10 2
         0: 2 10 2
         1: 2 10 4
         0: 2 20 4
         1: 2 20 8
         - the times are `time`, in seconds
         - left out: `visits`, `wait`, `cycles` (another metric)
         - left out: `p` (another column is that of the processors)",
    );
    let lost =
        set(&[("x1", profile(REGIONS, 1.0)), ("x2", profile(["start", "solve", "spmv", "io"], 1.0))], &[]);
    let error = lost.unwrap_err();
    assert_eq!(error.to_string(), "there are no results in the list `metrics`");
    let twice = set(&[("x1", profile(["main", "f", "g", "f"], 1.0))], &[]).unwrap();
    // Both calls of f.
    assert_eq!(twice.trace.experiments[1].samples.time_s, [3.0, 6.0]);
    let other = set(&[("x1.y2", profile(REGIONS, 1.0)), ("y2.x1", profile(REGIONS, 1.0))], &[]).unwrap_err();
    assert_eq!(other.code(), "other-parameters");
}

/// As profiles of many threads have it, whose main thread alone runs all of main.
#[test]
fn what_rounding_leaves_of_a_call_is_nothing() {
    let times = [0.3, 0.3, 0.1, 0.1, 0.2, 0.2, 0.05, 0.05];
    let bytes = tar(&[
        ("anchor.xml", anchor(REGIONS).into_bytes()),
        ("1.index", index(&[0, 1, 2, 3])),
        ("1.data", data(&times)),
    ]);
    let imported = read("runs/cg.n100.r1/profile.cubex", &bytes, &ReadOptions::default()).unwrap();
    assert_eq!(imported.trace.experiments[0].samples.time_s, [0.0, 0.0]);
    let options = ReadOptions { is_inclusive: true, ..ReadOptions::default() };
    let imported = read("runs/cg.n100.r1/profile.cubex", &bytes, &options).unwrap();
    let main = &imported.trace.experiments[0].samples.time_s;
    assert!(main.len() == 2 && main.iter().all(|time_s| (time_s - 0.3).abs() < 1e-12), "{main:?}");
}

#[test]
fn a_call_without_a_value_has_none_of_it() {
    let cycles = |places: &[u32], values: &[u64]| {
        tar(&[
            ("anchor.xml", anchor(REGIONS).into_bytes()),
            ("2.index", index(places)),
            ("2.data", packed(values)),
        ])
    };
    let one = cycles(&[0], &[3, 4]);
    let two = cycles(&[0, 1], &[30, 40, 10, 20]);
    let imported = set(&[("n1", one), ("n2", two)], &["cycles"]).unwrap();
    check(
        &imported,
        "a profile of Cube, 2 processors
         main: P n time_s
         0: 2 1 3
         1: 2 1 4
         0: 2 2 20
         1: 2 2 20
         main/solve: P n time_s
         0: 2 1 0
         1: 2 1 0
         0: 2 2 10
         1: 2 2 20
         - the response is `cycles`, in cycles
         - left out: `visits`, `time`, `wait` (another metric)",
    );
}

#[test]
fn folders_of_other_names_are_refused() {
    let error = set(&[("runs", profile(REGIONS, 1.0))], &[]).unwrap_err();
    assert_eq!(error.to_string(), "the name of the folder `runs` holds no values of parameters");
    let error = set(&[("a.x1", profile(REGIONS, 1.0)), ("a.y1", profile(REGIONS, 1.0))], &[]).unwrap_err();
    assert_eq!(error.to_string(), "folder `a.y1` has the parameters `y`, others have `x`");
    assert!(FileSet::of("runs", &["runs/a.csv".to_owned(), "runs/x1/.hidden.cubex".to_owned()]).is_none());
}

#[test]
fn old_profiles_are_xml() {
    let text = "<cube version='3.0'><metrics><metric id='0'><uniq_name>time</uniq_name><uom>sec</uom>\
        <metric id='1'><uniq_name>mpi</uniq_name><uom>sec</uom></metric></metric></metrics>\
        <program><region id='0'><name>main</name></region><region id='1'><name>operator-&gt;</name></region>\
        <cnode id='0' calleeId='0'><cnode id='1' calleeId='1'/></cnode></program>\
        <system><machine><node><process><thread Id='0'/><thread Id='1'/></process></node></machine></system>\
        <severity><matrix metricId='0'><row cnodeId='0'>1.5 2.5</row></matrix>\
        <matrix metricId='1'><row cnodeId='0'>0.5\n0.25</row><row cnodeId='1'>1</row></matrix></severity></cube>";
    let expected = "a profile of Cube, 2 processors
         main: P x time_s
         0: 2 3 2
         1: 2 3 2.75
         main/operator_: P x time_s
         0: 2 3 1
         1: 2 3 0
         - the times are `time`, in seconds
         - left out: `mpi` (another metric)";
    check(&read("runs/a.x3/summary.cube", text.as_bytes(), &ReadOptions::default()).unwrap(), expected);
    use std::io::Write;
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(text.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    check(&read("runs/a.x3/summary.cube.gz", &packed, &ReadOptions::default()).unwrap(), expected);
    let error = read("x.cube.gz", &packed[..packed.len() / 2], &ReadOptions::default()).unwrap_err();
    assert_eq!(error.code(), "wrong-archive");
}

#[test]
fn damaged_profiles_are_refused() {
    let whole = profile(REGIONS, 1.0);
    let refused = |bytes: &[u8], told: &str| {
        let error = read("a.x1/profile.cubex", bytes, &ReadOptions::default()).unwrap_err();
        assert!(error.to_string().contains(told), "{error}");
        assert!(error.cure().is_some(), "{error}");
    };
    refused(&whole[..whole.len() - 1500], "the file was cut");
    for length in (512..whole.len() - 1500).step_by(100) {
        assert!(read("profile.cubex", &whole[..length], &ReadOptions::default()).is_err(), "{length}");
    }
    let with = |name: &str, bytes: Vec<u8>| {
        let mut entries = vec![
            ("1.index", index(&[0, 1, 2, 3])),
            ("1.data", data(&[1.0; 8])),
            ("anchor.xml", anchor(REGIONS).into_bytes()),
        ];
        for (entry, content) in &mut entries {
            if *entry == name {
                content.clone_from(&bytes);
            }
        }
        tar(&entries)
    };
    refused(&with("1.index", index(&[0, 1, 2, 99])), "call 99, and there are 4");
    refused(&with("1.index", index(&[0, 1, 2, 3, 3])), "values of 5 calls, and there are 4");
    refused(&with("1.index", b"nothing".to_vec()), "`1.data` in it: byte 0");
    refused(&with("1.data", data(&[1.0; 7])), "56 bytes of values, and 64 are wanted");
    // A bomb becomes no larger than what is wanted.
    refused(&with("1.data", packed(&[0; 4_000_000])), "more than 64 bytes");
    let mut pieces = packed(&[0; 8]);
    pieces[11..19].copy_from_slice(&u64::MAX.to_le_bytes());
    refused(&with("1.data", pieces), "entries cannot stand in the rest of the file");
    refused(&with("anchor.xml", b"<cube><metrics/>".to_vec()), "line 1");
    let bomb = "<!DOCTYPE a [<!ENTITY b 'bbbb'><!ENTITY c '&b;&b;&b;'>]><cube >&c;</cube>";
    refused(&with("anchor.xml", bomb.as_bytes().to_vec()), "DTD");
    let mut names = whole.clone();
    let header = names.windows(8).position(|window| window == b"0.index\0").unwrap();
    names[header..header + 12].copy_from_slice(b"../../../etc");
    // Names are looked up and never opened.
    assert!(read("a.x1/profile.cubex", &names, &ReadOptions::default()).is_ok());
    let mut huge = whole;
    huge[124..136].copy_from_slice(b"77777777777\0");
    refused(&huge, "the file was cut");
}
