//! Machine files: what is wrong in them, and how they are written.

use crate::machine::{HEAD, entry, told, with};
use call_machine::Machine;

/// Each wrong file with its message.
#[test]
fn errors_have_line_and_cure() {
    let bsp = |key: &str, value: &str| {
        let keys = [
            ("processors", "2"),
            ("rate_flop_per_s", "1e9"),
            ("g_s_per_byte", "1e-9"),
            ("latency_s", "1e-6"),
        ];
        let lines = keys.map(|(k, v)| format!("{k} = {}\n", if k == key { value } else { v }));
        format!("[[bsp]]\n{}", lines.concat())
    };
    let check = |rest: &str, expected: &str| assert_eq!(with(rest).unwrap_err(), expected, "{rest}");
    check(
        &bsp("latency_s", "-1e-6"),
        "m.toml:10: `latency_s` is -0.000001, but must be a finite number, 0 or more",
    );
    check(
        &bsp("g_s_per_byte", "nan"),
        "m.toml:9: `g_s_per_byte` is NaN, but must be a finite number, 0 or more",
    );
    check(
        &bsp("rate_flop_per_s", "inf"),
        "m.toml:8: `rate_flop_per_s` is inf, but must be a finite number above 0",
    );
    check(
        &bsp("rate_flop_per_s", "0"),
        "m.toml:8: `rate_flop_per_s` is 0, but must be a finite number above 0",
    );
    check(&bsp("processors", "0"), "m.toml:7: `processors` is 0, but must be 1 or more");
    check(&bsp("processors", "-2"), "m.toml:7: `processors` is -2, but must be a whole number, 0 or more");
    check(&bsp("processors", "4.5"), "m.toml:7: `processors` is 4.5, but must be a whole number, 0 or more");
    check(
        &bsp("latency_s", "\"2.1 us\""),
        "m.toml:10: `latency_s` is \"2.1 us\", but must be a number, in the unit that ends the name of the key",
    );
    check(
        "[[memory]]\nname = \"main\"\nstride = [{ stride_bytes = 8, time_s = true }]\n",
        "m.toml:8: `time_s` is true, but must be a number, in the unit that ends the name of the key",
    );
    check(
        "[bsp]\nprocessors = 2\n",
        "m.toml:6: `bsp` is a single table, but must be one of several: write `[[bsp]]`",
    );
    check(
        &bsp("latency_s", "2.1 us"),
        "m.toml:10: `latency_s`: string values must be quoted, expected literal string",
    );
    check("[[operation]]\nname = 3\ntime_s = 1\n", "m.toml:7: `name` is 3, but must be a text in quotes");
    check(
        &bsp("latency_s", "1e-6").replace("latency_s", "latency_us"),
        "m.toml:10: there is no key `latency_us` here: did you mean `latency_s`? It is in seconds: convert the value, too",
    );
    check(
        &bsp("g_s_per_byte", "1e-6").replace("g_s_per_byte", "g_flop_per_word"),
        "m.toml:9: there is no key `g_flop_per_word` here: did you mean `g_s_per_byte`? It is in seconds a byte: \
         convert the value, too",
    );
    check(
        &bsp("latency_s", "1e-6").replace("latency_s", "latncy_s"),
        "m.toml:10: there is no key `latncy_s` here: did you mean `latency_s`?",
    );
    check(
        &(entry(4, 1e9, 1e-9, 1e-6) + &entry(2, 1e9, 1e-9, 1e-6)),
        "m.toml:12: `processors` of `[[bsp]]` is 2 behind 4: sort the entries, each value once",
    );
    check(
        &(entry(4, 1e9, 1e-9, 1e-6) + &entry(4, 1e9, 1e-9, 1e-6)),
        "m.toml:12: `processors` of `[[bsp]]` is 4 behind 4: sort the entries, each value once",
    );
    check(
        "[[memory]]\nname = \"L1\"\n[[memory]]\nname = \"main\"\n",
        "m.toml:6: only the last `[[memory]]` level may be without `size_bytes`",
    );
    check(
        "[[operation]]\nname = \"a\"\ntime_s = 1\n[[operation]]\nname = \"a\"\ntime_s = 1\n",
        "m.toml:10: there are two `[[operation]]` entries with the name `a`: keep one",
    );
    check("[[bsp]]\nprocessors = 2\n", "m.toml:6: `rate_flop_per_s` is missing here: add it");
    check(
        &bsp("latency_s", "99e999"),
        "m.toml:10: `latency_s` is inf, but must be a finite number, 0 or more",
    );
    check(
        &bsp("latency_s", "\"\"\"a\nb\"\"\""),
        "m.toml:10: `latency_s` is a string, but must be a number, in the unit that ends the name of the key",
    );
    check(
        "bsp = 3\n",
        "m.toml:6: there is no key `bsp` here: the keys are kind, source, url, date, compiler, flags, host, \
         cpu, transport, repeatability_percent, remarks",
    );
    check("remarks = [\"a\", 2]\n", "m.toml:6: `remarks` is 2, but must be a text in quotes");
    check(
        "[[memory]]\nname = \"main\"\nstride = [{ stride_bytes = 8, time_us = 1 }]\n",
        "m.toml:8: there is no key `time_us` here: did you mean `time_s`? It is in seconds: convert the value, too",
    );
    let whole = |text: &str| told(&Machine::parse("m.toml", text).unwrap_err());
    assert_eq!(
        whole("schema_version = 2\nfoo = 3\n"),
        "m.toml:1: the file has schema_version 2, this program reads 1: get a program of the same age"
    );
    assert_eq!(
        whole(&HEAD.replace("date = \"2026\"\n", "")),
        "m.toml:3: `date` is missing in [provenance] of a machine that was measured: add it"
    );
    assert_eq!(
        whole(&HEAD.replace("\"m\"", "\"two words\"")),
        "m.toml:2: `two words` cannot be a name: write one word without comma, slash, quote and `.toml` at its end"
    );
    assert_eq!(
        whole(&HEAD.replace("kind", "sort")),
        "m.toml:4: there is no key `sort` here: the keys are kind, source, url, date, compiler, flags, host, cpu, \
         transport, repeatability_percent, remarks"
    );
    let flat = "schema_version = 1\nname = \"m\"\n";
    assert_eq!(
        whole(&format!("{flat}bsp = 3\nprovenance = 3\n")),
        "m.toml:3: `bsp` is 3, but must be a list in brackets"
    );
    assert_eq!(
        whole(&format!("{flat}provenance = 3\n")),
        "m.toml:3: `provenance` is 3, but must be a table: write `[provenance]`"
    );
    assert_eq!(
        whole(&HEAD.replace("\"measured\"", "true")),
        "m.toml:4: `kind` is true, but must be a text in quotes"
    );
    assert_eq!(whole(""), "m.toml:1: `schema_version` is missing here: add `schema_version = 1`");
    assert_eq!(
        whole("schema_version = 1\nname = \"m\"\n"),
        "m.toml:1: `[provenance]` is missing here: add it, with `kind = \"measured\"` and `date`, or `kind = \"published\"` and \
         `source`"
    );
    assert_eq!(
        whole(&HEAD.replace("measured", "guessed")),
        "m.toml:4: `kind` is \"guessed\", but must be `measured` or `published`"
    );
    let dated =
        |date: &str| Machine::parse("m.toml", &HEAD.replace("\"2026\"", date)).map_err(|error| told(&error));
    for date in ["\"2026-11-20\"", "\"2024-02-29\"", "\"2026-11\"", "\"1998\""] {
        assert!(dated(date).is_ok(), "{date}");
    }
    for date in ["20.11.2026", "2026-02-31", "2026-13", "98", "10:30:00.0", "yesterday", ""] {
        let expected = format!(
            "m.toml:5: `date` is \"{date}\", but must be a day as in \"2026-11-21\", a month as in \"2026-11\", or a year"
        );
        assert_eq!(dated(&format!("\"{date}\"")).unwrap_err(), expected);
    }
    assert_eq!(
        dated("2026-11-20").unwrap_err(),
        "m.toml:5: `date` is 2026-11-20, but must be a text in quotes"
    );
}

/// Numbers as TOML lets them be written: 16 in hexadecimal digits, 10.5e-9 with an underscore, whole numbers for times.
#[test]
fn numbers_may_be_written_in_all_ways() {
    let machine = with(
        "[[bsp]]\nprocessors = 0x10\nrate_flop_per_s = 1_000\ng_s_per_byte = 1_0.5e-9\nlatency_s = +2\n",
    );
    let entry = machine.unwrap().bsp[0];
    assert_eq!((entry.processors, entry.rate_flop_per_s), (16, 1000.0));
    assert_eq!((entry.g_s_per_byte, entry.latency_s), (10.5e-9, 2.0));
}

/// Small and large numbers have exponents in a file; what only looks like a number stays as it is.
#[test]
fn files_are_written_for_people() {
    let text = "schema_version = 1\nname = \"m\"\n\n\
        [provenance]\nkind = \"published\"\nsource = \"x = 0.00001\"\nremarks = [\"x = 0.00001\"]\n\n\
        [[bsp]]\nprocessors = 2\nrate_flop_per_s = 7340800000\ng_s_per_byte = 0.00000000002154\nlatency_s = 0.125\n";
    let machine = Machine::parse("m", text).unwrap();
    let written = machine.to_toml();
    let numbers = "\nrate_flop_per_s = 7.3408e9\ng_s_per_byte = 2.154e-11\nlatency_s = 0.125\n";
    assert!(written.contains(numbers), "{written}");
    assert_eq!(Machine::parse("m", &written).as_ref(), Ok(&machine));
    let described = Machine { description: Some("a\nx = 0.00001\n\"\"\"'''\n0.00001".to_owned()), ..machine };
    assert_eq!(Machine::parse("m", &described.to_toml()), Ok(described));
}

mod round_trip {
    use call_machine::*;
    use proptest::prelude::*;

    prop_compose! {
        fn optional_time()(time in proptest::option::of(1e-12..1e3_f64)) -> Option<f64> { time }
    }

    type Numbers = (f64, f64, f64, Option<f64>, Option<f64>);

    fn bsp() -> impl Strategy<Value = Vec<BspEntry>> {
        let entry = (1e-3..1e15_f64, 0.0..1e3_f64, 0.0..1e3_f64, optional_time(), optional_time());
        proptest::collection::btree_map(1..1_000_000_u64, entry, 0..5).prop_map(|entries| {
            let of = |(processors, (rate, g, latency, a, b)): (u64, Numbers)| BspEntry {
                processors,
                rate_flop_per_s: rate,
                g_s_per_byte: g,
                latency_s: latency,
                rate_standard_error_flop_per_s: a,
                g_standard_error_s_per_byte: b,
                latency_standard_error_s: a,
            };
            entries.into_iter().map(of).collect()
        })
    }

    fn memory() -> impl Strategy<Value = Vec<MemoryLevel>> {
        let strides = proptest::collection::btree_map(1..100_000_u64, 1e-12..1.0_f64, 0..4);
        let level = (optional_time(), optional_time(), optional_time(), strides);
        let sizes = proptest::collection::btree_map(1..1_u64 << 50, level, 0..4);
        (sizes, any::<bool>()).prop_map(|(levels, is_open)| {
            let count = levels.len();
            let of = |(index, (size, (time_s, error, bandwidth, strides))): (usize, (u64, _))| {
                let strides: std::collections::BTreeMap<u64, f64> = strides;
                MemoryLevel {
                    name: format!("level \"{index}\" ℵ"),
                    size_bytes: (!is_open || index + 1 < count).then_some(size),
                    served_bytes: (index % 2 == 1).then_some(size / 2),
                    time_s,
                    standard_error_s: error,
                    bandwidth_bytes_per_s: bandwidth,
                    strides: strides
                        .into_iter()
                        .map(|(stride_bytes, time_s)| StridedLoad { stride_bytes, time_s })
                        .collect(),
                }
            };
            levels.into_iter().enumerate().map(of).collect()
        })
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read(
            bsp in bsp(), memory in memory(), text in proptest::option::of(".*"), time in optional_time(),
            name in "[a-zA-Z0-9_.-]{1,8}x", messages in proptest::collection::btree_map(0..1_u64 << 40, 0.0..9.0_f64, 0..4),
            operations in proptest::collection::btree_map(".{0,9}", 1e-15..1.0_f64, 0..4),
            is_published in any::<bool>(), count in proptest::option::of(1..1_u64 << 60),
        ) {
            let machine = Machine {
                name,
                description: text.clone(),
                processors: count,
                provenance: Provenance {
                    kind: if is_published { ProvenanceKind::Published } else { ProvenanceKind::Measured },
                    source: Some("s".into()),
                    url: text.clone(),
                    date: Some("2026-11-21".into()),
                    compiler: text.clone(),
                    flags: None,
                    host: text.clone(),
                    cpu: None,
                    transport: text.clone(),
                    repeatability_percent: time,
                    remarks: text.into_iter().collect(),
                },
                bsp,
                operations: operations.into_iter().map(|(name, time_s)| OperationCost {
                    name, time_s, standard_error_s: time, dependent_time_s: time,
                }).collect(),
                memory,
                tlb: count.map(|entries| Tlb {
                    entries: Some(entries), reach_bytes: None, page_bytes: count, miss_time_s: time,
                }),
                messages: messages.into_iter().map(|(bytes, time_s)| MessageTime { bytes, time_s }).collect(),
            };
            prop_assert_eq!(Machine::parse("m", &machine.to_toml()).unwrap(), machine);
        }

        /// A file with something replaced is another machine or an error in one of its lines.
        #[test]
        fn broken_files_are_read_or_refused(
            file in 0..shipped::FILES.len(), start in 0.0..1.0_f64, length in 0..40_usize,
            text in "(-|=|\\[|\\]|\"|\n|nan|inf|1e999|[0-9]{1,25}|[a-z_]{1,9}|.{0,9})",
        ) {
            let whole: Vec<char> = shipped::FILES[file].1.chars().collect();
            let start = (start * whole.len() as f64) as usize;
            let end = whole.len().min(start + length);
            let broken: String = whole[..start].iter().copied().chain(text.chars()).chain(whole[end..].iter().copied()).collect();
            if let Err(error) = Machine::parse("m", &broken) {
                prop_assert!((1..=broken.lines().count() + 1).contains(&error.line), "{}", error);
            }
        }
    }
}
