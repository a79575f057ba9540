//! Machine files: what they must look like, and the numbers between and beyond those that stand in them.

use call_machine::{
    Lacking, Machine, MachineFileError, ProvenanceKind, Resource, TableLookup, Transfer, carried, shipped,
};
use call_model::{Forecaster, Model, Settings};

const HEAD: &str = "schema_version = 1\nname = \"m\"\n[provenance]\nkind = \"measured\"\ndate = \"2026\"\n";

/// An error with its cure.
fn told(error: &MachineFileError) -> String {
    error.cure().map_or_else(|| error.to_string(), |cure| format!("{error}: {cure}"))
}

fn with(rest: &str) -> Result<Machine, String> {
    Machine::parse("m.toml", &format!("{HEAD}{rest}")).map_err(|error| told(&error))
}

fn entry(processors: u64, rate: f64, g: f64, latency: f64) -> String {
    format!(
        "[[bsp]]\nprocessors = {processors}\nrate_flop_per_s = {rate:?}\ng_s_per_byte = {g:?}\nlatency_s = {latency:?}\n"
    )
}

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

/// P = 2 and 8: at 4, half of the way between their logarithms; 6: log(6/2)/log(8/2) = 0.792481.
#[test]
fn parameters_between_and_beyond() {
    let machine = with(&(entry(2, 1e9, 2e-9, 1e-5) + &entry(8, 5e8, 4e-9, 3e-5))).unwrap();
    let check = |processors: f64, rate: f64, g: f64, latency: f64, how: TableLookup| {
        let found = machine.parameters(processors).unwrap();
        assert_eq!(found.how, how, "{processors}");
        for (found, expected) in
            [(found.rate_flop_per_s, rate), (found.g_s_per_byte, g), (found.latency_s, latency)]
        {
            assert!((found / expected - 1.0).abs() < 1e-6, "{processors}: {found} {expected}");
        }
    };
    let between = TableLookup::Interpolated { between: (2, 8) };
    check(2.0, 1e9, 2e-9, 1e-5, TableLookup::Measured);
    check(8.0, 5e8, 4e-9, 3e-5, TableLookup::Measured);
    check(4.0, 7.5e8, 3e-9, 2e-5, between);
    check(6.0, 6.037595e8, 3.584962e-9, 2.584962e-5, between);
    check(1.0, 1e9, 2e-9, 1e-5, TableLookup::Extrapolated { from: 2 });
    check(64.0, 5e8, 4e-9, 3e-5, TableLookup::Extrapolated { from: 8 });
    assert_eq!(machine.parameters(f64::NAN), None);
    assert_eq!(with("").unwrap().parameters(2.0), None);
}

#[test]
fn the_level_that_holds_a_working_set() {
    let level = |name: &str, rest: &str| format!("[[memory]]\nname = \"{name}\"\n{rest}");
    let first = level("L1", "size_bytes = 32768\n");
    let second = level("L2", "size_bytes = 1048576\nserved_bytes = 524288\n");
    let check = |machine: &Machine, bytes: f64, expected: Option<&str>| {
        assert_eq!(machine.memory_level(bytes).map(|level| level.name.as_str()), expected, "{bytes}");
    };
    let open = with(&(first.clone() + &second + &level("main", ""))).unwrap();
    check(&open, 32768.0, Some("L1"));
    check(&open, 32769.0, Some("L2"));
    check(&open, 524289.0, Some("main"));
    check(&with(&(first + &second)).unwrap(), 524289.0, None);
}

#[test]
fn shipped_machines_are_those_of_the_folder() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/machines");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let listed: Vec<String> = shipped::FILES.iter().map(|(name, _)| format!("{name}.toml")).collect();
    assert_eq!(files, listed, "list the file in src/machine/shipped.rs");
    for (name, text) in shipped::FILES {
        let machine = Machine::parse(name, text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(machine.name, *name);
        let provenance = &machine.provenance;
        assert!(provenance.source.is_some() && provenance.host.is_none(), "{name}");
        assert!(provenance.url.is_some() || provenance.kind == ProvenanceKind::Measured, "{name}");
        assert_eq!(Machine::parse(name, &machine.to_toml()), Ok(machine));
    }
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

/// The entries against the published figures in the remarks: s Mflop/s; l flop; g (the last number) flop for a word of 4 bytes.
#[test]
fn shipped_tables_have_the_published_figures() {
    let mut checked = 0;
    for (name, _) in shipped::FILES {
        let machine = shipped::named(name).unwrap();
        let Some(text) = machine.provenance.remarks[0].strip_prefix("as published, s = ") else { continue };
        let (s, text) = text.split_once(" Mflop/s and p: ").unwrap();
        let s = 1e6 * s.parse::<f64>().unwrap();
        let rows: Vec<&str> = text.split_once("): ").unwrap().1.split("; ").collect();
        assert_eq!(rows.len(), machine.bsp.len(), "{name}");
        for (row, entry) in rows.iter().zip(&machine.bsp) {
            let (p, numbers) = row.split_once(": ").unwrap();
            let numbers: Vec<f64> = numbers.split(", ").map(|number| number.parse().unwrap()).collect();
            assert_eq!(p.parse(), Ok(entry.processors));
            let near =
                |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-5, "{name} {row}");
            near(entry.rate_flop_per_s, s);
            near(entry.latency_s, numbers[0] / s);
            near(entry.g_s_per_byte, numbers.last().unwrap() / s / 4.0);
            checked += 1;
        }
    }
    assert_eq!(checked, 32);
}

/// Times of operations and memory against the published cycles and clocks in the remarks.
#[test]
fn shipped_processors_have_the_published_cycles() {
    let mut checked = 0;
    for (name, _) in shipped::FILES {
        let machine = shipped::named(name).unwrap();
        let [clocks, operations, memory, ..] = &machine.provenance.remarks[..] else { continue };
        let Some(clocks) = clocks.split_once("the clock that the files tell, ") else { continue };
        let numbers = clocks.1.split(' ').filter_map(|word| word.parse::<f64>().ok());
        let clocks_hz: Vec<f64> = numbers.map(|mhz| 1e6 * mhz).collect();
        let near = |found: f64, expected: f64| {
            assert!((found / expected - 1.0).abs() < 1e-4, "{name} {found} {expected}")
        };
        let operations: Vec<&str> = operations.split_once(": ").unwrap().1.split("; ").collect();
        assert_eq!(operations.len(), machine.operations.len());
        for (operation, text) in machine.operations.iter().zip(operations) {
            let (rest, independent) = text.rsplit_once(", ").unwrap();
            let (_, dependent) = rest.rsplit_once(' ').unwrap();
            near(operation.time_s, independent.parse::<f64>().unwrap() / clocks_hz[0]);
            near(operation.dependent_time_s.unwrap(), dependent.parse::<f64>().unwrap() / clocks_hz[0]);
            checked += 1;
        }
        let levels: Vec<&str> = memory.split_once(": ").unwrap().1.split("; ").collect();
        assert_eq!(levels.len(), machine.memory.len());
        for (level, text) in machine.memory.iter().zip(levels) {
            let words: Vec<&str> = text.split(' ').collect();
            assert_eq!(words[0], level.name);
            near(level.time_s.unwrap(), words[1].parse::<f64>().unwrap() / clocks_hz.last().unwrap());
            checked += 1;
        }
    }
    assert_eq!(checked, 3 * (7 + 4));
}

/// PowerChallenge and T3E, P = 4: s 74 and 47 Mflop/s; g 9.3/74e6 and 2.1/47e6 s a word; L 1902/74e6 and 357/47e6 s.
#[test]
fn factors_between_machines() {
    let named = |name: &str| shipped::named(name).unwrap();
    let (here, there) = (named("sgi-powerchallenge"), named("cray-t3e"));
    let (modern, other) = (named("core-i9-7900x"), named("epyc-7742"));
    let near = |transfer: Transfer, resource: Resource, expected: f64| {
        let found = transfer.factor(&resource).unwrap().value;
        assert!((found / expected - 1.0).abs() < 1e-5, "{resource}: {found} {expected}");
    };
    let transfer = Transfer::between(&here, &there, 4.0);
    near(transfer, Resource::Computation, 1.574468);
    near(transfer, Resource::Gap, (2.1 / 47.0) / (9.3 / 74.0));
    near(transfer, Resource::Latency, (357.0 / 47.0) / (1902.0 / 74.0));
    let same = Transfer::between(&here, &here, 3.0);
    near(same, Resource::Gap, 1.0);
    // 0.51 cycles of 2250 MHz against 0.5 of 3312 MHz; L3 45 of 2250 against 76 of 3312; 12 MB are L3 in both.
    let nodes = Transfer::between(&modern, &other, 4.0);
    let add = Resource::named("f64 add", &[&modern, &other]).unwrap();
    near(nodes, add, (0.51 / 2250.0) / (0.5 / 3312.0));
    near(nodes, Resource::named("L3", &[&modern]).unwrap(), (45.0 / 2249.99) / (76.0 / 3311.94));
    near(nodes, Resource::WorkingSet(12e6), (45.0 / 2249.99) / (76.0 / 3311.94));
    let lacking =
        |transfer: Transfer, resource: Resource| transfer.factor(&resource).unwrap_err().to_string();
    assert_eq!(lacking(nodes, Resource::Gap), "core-i9-7900x has no table of s, g and L");
    assert_eq!(lacking(transfer, Resource::MainMemory), "sgi-powerchallenge has no time of its main memory");
    assert_eq!(
        lacking(Transfer::between(&modern, &here, 1.0), Resource::Operation("f64 add".into())),
        "sgi-powerchallenge has no operation `f64 add`"
    );
    let mut free = here.clone();
    free.bsp[0].g_s_per_byte = 0.0;
    let zero = Transfer::between(&free, &here, 2.0).factor(&Resource::Gap);
    assert!(matches!(zero, Err(Lacking::Zero { .. })), "{zero:?}");
}

/// f = 1 + 2 N with some noise, N = 1 … 10: 8 degrees of freedom, t(0.95, 8) = 1.859548.
#[test]
fn carried_intervals() {
    let rows: String = (1..=10)
        .map(|n| format!("f 0 1 {n} {:.9}\n", f64::from(2 * n + 1) * (1.0 + 0.02 * f64::from(n * 7 % 5 - 2))))
        .collect();
    let text = format!(
        "# call-trace 1\n# program: x\n# processors: 1\n# experiment: f\n# formula: f[0] + f[1]*N\n# variables: N\n\
         experiment processor P N time_s\n{rows}# end rows=10\n"
    );
    let trace = call_trace::read(text.as_bytes()).unwrap();
    let prepared = Settings::default().prepare(&trace.experiments[0]);
    let model = Model::fit(&prepared).unwrap();
    let [cell] = model.cells() else { panic!("one cell") };
    let (fit, point) = (&cell.fit, [8.0]);
    let here = Forecaster::new(model.clone(), &prepared).unwrap().forecast(&point, 0.9);

    // All terms grow 50 times: so does all else.
    let there = carried(&model, &here, &point, &[50.0, 400.0]);
    let near =
        |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
    near(there.prediction.time_s, 50.0 * here.prediction.time_s);
    near(there.lower_s, 50.0 * here.lower_s);
    near(there.upper_s, 50.0 * here.upper_s);
    near(there.noise_s, 50.0 * here.noise_s);
    near(there.constants_s, 50.0 * here.constants_s);
    near(there.prediction.shares[1].time_s, 400.0 * fit.coefficients[1]);

    // Only the first constant, which is known badly, grows: x = (50, 8), x' C x = 2500 C00 + 800 C01 + 64 C11.
    let there = carried(&model, &here, &point, &[50.0, 8.0]);
    let time_s = 50.0 * fit.coefficients[0] + 8.0 * fit.coefficients[1];
    let variance = |x: f64, y: f64| {
        x * x * fit.covariance[0] + 2.0 * x * y * fit.covariance[1] + y * y * fit.covariance[3]
    };
    near(there.prediction.time_s, time_s);
    near(there.prediction.standard_error_s, variance(50.0, 8.0).sqrt());
    near(there.constants_s, here.constants_s * (variance(50.0, 8.0) / variance(1.0, 8.0)).sqrt());
    let excess = (there.constants_s / time_s).powi(2) - (here.constants_s / here.prediction.time_s).powi(2);
    assert!(excess > 0.0);
    let here_width = (here.upper_s / here.prediction.time_s).ln();
    let width = (here_width.powi(2) + 1.859_548_f64.powi(2) * excess).sqrt();
    assert!((there.upper_s / (time_s * width.exp()) - 1.0).abs() < 1e-6);
    assert!(there.lower_s > 0.0 && there.lower_s < time_s);

    // A time that is not positive here says nothing of the error there.
    let mut senseless = here.clone();
    senseless.prediction.time_s = -1.0;
    let there = carried(&model, &senseless, &point, &[50.0, 8.0]);
    assert_eq!((there.lower_s, there.upper_s), (0.0, f64::INFINITY));
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
