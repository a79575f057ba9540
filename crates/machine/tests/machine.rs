//! Machine files: what they must look like, and the numbers between and beyond those that stand in them.

use call_machine::{
    Lacking, Machine, MachineFileError, ProvenanceKind, Resource, TableLookup, Transfer, carried, shipped,
};
use call_model::{Forecaster, Model, Settings};

pub(crate) const HEAD: &str =
    "schema_version = 1\nname = \"m\"\n[provenance]\nkind = \"measured\"\ndate = \"2026\"\n";

/// An error with its cure.
pub(crate) fn told(error: &MachineFileError) -> String {
    error.cure().map_or_else(|| error.to_string(), |cure| format!("{error}: {cure}"))
}

pub(crate) fn with(rest: &str) -> Result<Machine, String> {
    Machine::parse("m.toml", &format!("{HEAD}{rest}")).map_err(|error| told(&error))
}

pub(crate) fn entry(processors: u64, rate: f64, g: f64, latency: f64) -> String {
    format!(
        "[[bsp]]\nprocessors = {processors}\nrate_flop_per_s = {rate:?}\ng_s_per_byte = {g:?}\nlatency_s = {latency:?}\n"
    )
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
