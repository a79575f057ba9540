//! A machine from the traces of the probe: what was planted in them comes out.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that meets None has failed")]

use std::fmt::Write;

use call_machine::{Machine, ProbeError, StridedLoad};
use call_trace::Dataset;

/// The repetitions of each point take longer by these factors: the shortest is exact, the first half has it, and the second half is
/// 2 % off.
const ROUNDS: [f64; 4] = [1.3, 1.0, 1.02, 1.1];

const VARIABLES: [&str; 8] = ["bytes", "page_bytes", "stride", "operations", "passes", "n", "h", "trips"];

/// A trace as the probe writes it.
struct Trace {
    processors: u32,
    /// As the system tells them.
    caches: &'static str,
    experiments: String,
    rows: String,
    count: usize,
}

impl Trace {
    fn of(processors: u32) -> Trace {
        Trace { processors, caches: "", experiments: String::new(), rows: String::new(), count: 0 }
    }

    /// An experiment and its points: values of its variables, and the time in seconds, which processor 0 takes a tenth less than
    /// the last one.
    fn add(&mut self, name: &str, formula: &str, variables: &[&str], points: &[(Vec<f64>, f64)]) {
        writeln!(
            self.experiments,
            "# experiment: {name}\n# formula: {formula}\n# variables: {}",
            variables.join(" ")
        )
        .unwrap();
        for processor in 0..self.processors {
            for factor in ROUNDS {
                for (values, time_s) in points {
                    let lag = if processor + 1 < self.processors { 0.9 } else { 1.0 };
                    let value = |variable: &&str| {
                        let place = variables.iter().position(|own| own == variable);
                        place.map_or("nan".to_owned(), |place| values[place].to_string())
                    };
                    let values: Vec<String> = VARIABLES.iter().map(value).collect();
                    let time_s = time_s * factor * lag;
                    let p = self.processors;
                    writeln!(self.rows, "{name} {processor} {p} {} {time_s:.12}", values.join(" ")).unwrap();
                    self.count += 1;
                }
            }
        }
    }

    fn text(&self) -> String {
        let Trace { processors, caches, experiments, rows, count } = self;
        format!(
            "# call-trace 1\n# program: probe\n# date: 2026-11-21T09:30:00Z\n# host: node7.cluster.example\n# cpu: Some CPU\n\
             # cores: 2\n# caches_bytes: {caches}\n# compiler: gcc 12.2.0\n# flags: -O2,-march=native\n# transport: embedded\n# processors: {processors}\n\
             {experiments}experiment processor P {} time_s\n{rows}# end rows={count}\n",
            VARIABLES.join(" ")
        )
    }
}

/// 1, 1.5, 2, 3, 4, ... times the first.
fn sizes(first: f64, last: f64) -> Vec<f64> {
    let powers = std::iter::successors(Some(first), |size| Some(2.0 * size));
    powers.flat_map(|size| [size, 1.5 * size]).take_while(|size| *size <= last).collect()
}

const KIB: f64 = 1024.0;
const MIB: f64 = 1024.0 * KIB;

/// L1 of 32 KiB and 1 ns, L2 of 1 MiB and 4 ns, L3 of 16 MiB and 15 ns, main memory of 120 ns. At 1.5 MiB and 24 MiB some loads find
/// their line, and some do not; the geometric means of the levels are 7.7 ns and 42 ns, so neither is served by the smaller level.
fn load_ns(bytes: f64) -> f64 {
    match bytes {
        _ if bytes <= 32.0 * KIB => 1.0,
        _ if bytes <= MIB => 4.0,
        _ if bytes <= 1.5 * MIB => 9.0,
        _ if bytes <= 16.0 * MIB => 15.0,
        _ if bytes <= 24.0 * MIB => 60.0,
        _ => 120.0,
    }
}

/// Beyond 64 pages 2 ns more, beyond 2048 pages 20 ns more.
fn page_ns(pages: f64) -> f64 {
    let longer = if pages <= 64.0 {
        0.0
    } else if pages <= 2048.0 {
        2.0
    } else {
        20.0
    };
    load_ns(64.0 * pages) + longer
}

fn computer() -> Trace {
    computer_with(&load_ns)
}

fn computer_with(load_ns: &dyn Fn(f64) -> f64) -> Trace {
    let mut trace = Trace::of(1);
    let points = |bytes: &[f64], time_ns: &dyn Fn(f64) -> f64, count: f64| -> Vec<(Vec<f64>, f64)> {
        bytes.iter().map(|bytes| (vec![*bytes], count * time_ns(*bytes) * 1e-9)).collect()
    };
    let all = sizes(KIB, 256.0 * MIB);
    trace.add("load", "load[0]*65536*bytes/bytes", &["bytes"], &points(&all, load_ns, 65536.0));
    // 100, 50 and 20 GB/s.
    let stream_ns = |bytes: f64| match bytes {
        _ if bytes <= MIB => 0.01,
        _ if bytes <= 16.0 * MIB => 0.02,
        _ => 0.05,
    };
    let stream = points(&all, &stream_ns, 4194304.0);
    trace.add("stream", "stream[0]*4194304*bytes/bytes", &["bytes"], &stream);
    let pages: Vec<(Vec<f64>, f64)> = sizes(8.0, 65536.0)
        .iter()
        .map(|pages| (vec![4096.0 * pages, 4096.0], 65536e-9 * page_ns(*pages)))
        .collect();
    let formula = "page[0]*65536*bytes/bytes*page_bytes/page_bytes";
    trace.add("page", formula, &["bytes", "page_bytes"], &pages);
    let mut strides = Vec::new();
    for bytes in [32.0 * KIB, 256.0 * KIB, MIB, 4.0 * MIB, 64.0 * MIB] {
        for stride in [8.0, 64.0] {
            // At the border some are served by the next level.
            let longer = if bytes == MIB { 2.0 } else { 1.0 };
            strides.push((vec![bytes, stride], 65536e-9 * longer * load_ns(bytes) * stride / 64.0));
        }
    }
    trace.add("stride", "stride[0]*65536*bytes/bytes*stride/stride", &["bytes", "stride"], &strides);
    for (name, time_s) in [("f64_add", 0.25e-9), ("f64_add_dependent", 1e-9), ("i64_divide", 2e-9)] {
        let points = [(vec![32768.0], 32768.0 * time_s)];
        trace.add(name, &format!("{name}[0]*operations"), &["operations"], &points);
    }
    communicate(&mut trace);
    trace
}

/// Rate and exchanges: L is P µs up to 64 KiB, where g is 2 ns; from there on another 70 µs are paid, and g is 1 ns a byte.
fn communicate(trace: &mut Trace) {
    let p = f64::from(trace.processors);
    communicate_with(trace, &|h| {
        if h <= 65536.0 { p * 1e-6 + 2e-9 * h } else { p * 1e-6 + 70e-6 + 1e-9 * h }
    });
}

/// An exchange of h bytes takes `exchange_s(h)`.
fn communicate_with(trace: &mut Trace, exchange_s: &dyn Fn(f64) -> f64) {
    let rate: Vec<(Vec<f64>, f64)> = [64.0, 128.0, 256.0, 512.0, 1024.0]
        .iter()
        .map(|n| (vec![64.0, *n], 64.0 * (2e-9 + 2.0 * n * 0.125e-9)))
        .collect();
    trace.add("rate", "rate[0]*passes + rate[1]*passes*2*n", &["passes", "n"], &rate);
    let exchange: Vec<(Vec<f64>, f64)> =
        sizes(8.0, 4.0 * MIB).iter().map(|h| (vec![*h], 8.0 * exchange_s(*h))).collect();
    trace.add("exchange", "exchange[0]*8 + exchange[1]*8*h", &["h"], &exchange);
    if trace.processors > 1 {
        let message_s = |bytes: f64| 8.0 * (5e-7 + 1e-9 * bytes);
        let messages: Vec<(Vec<f64>, f64)> =
            [8.0, 1024.0].iter().map(|bytes| (vec![4.0, *bytes], message_s(*bytes))).collect();
        let formula = "message[0]*2*trips + message[1]*2*trips*bytes";
        trace.add("message", formula, &["trips", "bytes"], &messages);
    }
}

fn runs(traces: &[&Trace]) -> Dataset {
    let mut runs = Dataset::new();
    for trace in traces {
        runs.add("probe.call.dat", call_trace::read(trace.text().as_bytes()).unwrap()).unwrap();
    }
    runs
}

fn two_processors() -> Trace {
    let mut trace = Trace::of(2);
    communicate(&mut trace);
    trace
}

fn near(value: f64, expected: f64) {
    assert!((value / expected - 1.0).abs() < 1e-4, "{value} instead of {expected}");
}

#[test]
fn caches_are_the_intervals_of_the_access_time() {
    let machine = Machine::from_probe(None, &runs(&[&computer()])).unwrap().machine;
    let sizes: Vec<(&str, Option<u64>)> =
        machine.memory.iter().map(|level| (level.name.as_str(), level.size_bytes)).collect();
    let expected = [("L1", Some(32 << 10)), ("L2", Some(1 << 20)), ("L3", Some(16 << 20)), ("main", None)];
    assert_eq!(sizes, expected);
    for (level, (time_s, bandwidth)) in
        machine.memory.iter().zip([(1e-9, 100e9), (4e-9, 100e9), (15e-9, 50e9), (120e-9, 20e9)])
    {
        near(level.time_s.unwrap(), time_s);
        near(level.bandwidth_bytes_per_s.unwrap(), bandwidth);
    }
    // Of the working set in the middle of the level.
    assert_eq!(
        machine.memory[1].strides,
        [StridedLoad { stride_bytes: 8, time_s: 0.5e-9 }, StridedLoad { stride_bytes: 64, time_s: 4e-9 }]
    );
    near(machine.memory[3].strides[1].time_s, 120e-9);
}

#[test]
fn sizes_are_those_of_the_caches_that_the_system_tells() {
    let sizes = |caches| {
        let trace = Trace { caches, ..computer() };
        let machine = Machine::from_probe(None, &runs(&[&trace])).unwrap().machine;
        machine.memory.iter().map(|level| (level.size_bytes, level.served_bytes)).collect::<Vec<_>>()
    };
    let level = |size: u64, served: u64| (Some(size << 10), Some(served << 10));
    let (first, second, third) = (level(32, 32), level(1024, 1024), level(16384, 16384));
    let shared = level(32768, 16384);
    assert_eq!(sizes("32768 1048576 33554432"), [first, second, shared, (None, None)]);
    // A level that is no cache of the system has the size that it serves: a cache has one level, and of two the larger.
    assert_eq!(sizes("32768 1048576"), [first, second, third, (None, None)]);
    assert_eq!(sizes("32768 33554432"), [first, second, shared, (None, None)]);
}

#[test]
fn levels_are_called_as_the_caches_that_they_are() {
    let caches = "32768 1048576 33554432";
    let machine = |load_ns: &dyn Fn(f64) -> f64| {
        let trace = Trace { caches, ..computer_with(load_ns) };
        Machine::from_probe(None, &runs(&[&trace])).unwrap().machine
    };
    let levels = |machine: &Machine| -> Vec<(String, Option<u64>)> {
        machine.memory.iter().map(|level| (level.name.clone(), level.size_bytes)).collect()
    };
    let missing = |bytes: u64| format!("memory: no level shows the cache of {bytes} bytes");
    let (first, second) = (("L1".to_owned(), Some(32 << 10)), ("L2".to_owned(), Some(1 << 20)));
    let (third, main) = (("L3".to_owned(), Some(32 << 20)), ("main".to_owned(), None));

    // Noise hides the first cache.
    let hidden = machine(&|bytes| load_ns(bytes).max(4.0));
    assert_eq!(levels(&hidden), [second.clone(), third.clone(), main.clone()]);
    assert!(hidden.provenance.remarks.contains(&missing(32 << 10)), "{:?}", hidden.provenance.remarks);

    // Sets that are half as large again as a cache find most of their lines there.
    let overfull = machine(&|bytes| match bytes / KIB {
        48.0 => 1.8,
        1536.0 => 7.0,
        _ => load_ns(bytes),
    });
    assert_eq!(levels(&overfull), [first, second, third, main.clone()]);
    assert_eq!(overfull.memory[0].served_bytes, Some(48 << 10));

    // Two levels in one cache: the larger is the cache.
    let divided = machine(&|bytes| match bytes / MIB {
        mib if 1.0 < mib && mib <= 6.0 => 9.0,
        mib if 6.0 < mib && mib <= 24.0 => 27.0,
        _ => load_ns(bytes),
    });
    let names: Vec<String> = levels(&divided).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["L1", "L2", "6144 KiB", "L3", "main"]);

    // No border at all: the main memory is what is twice as large as the last cache.
    let flat = machine(&|bytes| 1.2_f64.powf((bytes / KIB).log2()));
    assert_eq!(levels(&flat), [main]);
    assert!(flat.memory[0].time_s.unwrap() > 18e-9, "{:?}", flat.memory[0].time_s);
    assert!(
        [32 << 10, 1 << 20, 32 << 20]
            .into_iter()
            .map(missing)
            .all(|text| flat.provenance.remarks.contains(&text))
    );
}

#[test]
fn a_cache_whose_times_rise_slowly_is_a_level() {
    // As measured where others use the cache, too: no two neighbours are within the error threshold.
    let risen_ns = |bytes: f64| match bytes / MIB {
        mib if mib <= 1.0 => load_ns(bytes),
        mib if mib <= 12.0 => 11.8 * (mib / 1.5).powf(0.24),
        mib if mib <= 16.0 => 60.0,
        _ => 140.0,
    };
    let trace = Trace { caches: "32768 1048576 33554432", ..computer_with(&risen_ns) };
    let machine = Machine::from_probe(None, &runs(&[&trace])).unwrap().machine;
    let [_, second, third, main] = &machine.memory[..] else { panic!("{:?}", machine.memory) };
    assert_eq!((second.size_bytes, second.served_bytes), (Some(1 << 20), Some(1 << 20)));
    assert_eq!((third.size_bytes, third.served_bytes), (Some(32 << 20), Some(12 << 20)));
    let time_s = third.time_s.unwrap();
    assert!((13e-9..17e-9).contains(&time_s), "{time_s}");
    near(main.time_s.unwrap(), 140e-9);
}

#[test]
fn what_others_take_of_a_shared_cache_does_not_change_its_time() {
    let time_s = |served_mib: f64| {
        let risen_ns = |bytes: f64| match bytes / MIB {
            mib if mib <= 1.0 => load_ns(bytes),
            mib if mib <= served_mib => 11.8 * (mib / 1.5).powf(0.24),
            _ => 140.0,
        };
        let trace = Trace { caches: "32768 1048576 33554432", ..computer_with(&risen_ns) };
        let machine = Machine::from_probe(None, &runs(&[&trace])).unwrap().machine;
        assert_eq!(machine.memory[2].served_bytes, Some((served_mib * MIB) as u64));
        machine.memory[2].time_s.unwrap()
    };
    // Of 2, 3 and 4 MiB it is 12.6, 13.9 and 14.9 ns.
    assert!((13.7e-9..13.9e-9).contains(&time_s(12.0)), "{}", time_s(12.0));
    near(time_s(6.0), time_s(12.0));
}

#[test]
fn a_main_memory_whose_times_rise_step_by_step_is_one_level() {
    // As measured: the cache of which others have a part serves some loads of sets that are much larger.
    let risen_ns = |bytes: f64| match bytes / MIB {
        mib if mib <= 8.0 => load_ns(bytes),
        mib if mib <= 12.0 => 91.0,
        mib if mib <= 16.0 => 108.0,
        mib if mib <= 24.0 => 125.0,
        mib if mib <= 32.0 => 137.0,
        _ => 151.0,
    };
    let trace = Trace { caches: "32768 1048576 33554432", ..computer_with(&risen_ns) };
    let machine = Machine::from_probe(None, &runs(&[&trace])).unwrap().machine;
    let names: Vec<&str> = machine.memory.iter().map(|level| level.name.as_str()).collect();
    assert_eq!(names, ["L1", "L2", "L3", "main"]);
    assert_eq!(
        (machine.memory[2].size_bytes, machine.memory[2].served_bytes),
        (Some(32 << 20), Some(8 << 20))
    );
    near(machine.memory[3].time_s.unwrap(), 151e-9);
}

#[test]
fn the_table_of_translations_ends_where_accesses_become_slower() {
    let machine = Machine::from_probe(None, &runs(&[&computer()])).unwrap().machine;
    let tlb = machine.tlb.unwrap();
    assert_eq!((tlb.entries, tlb.reach_bytes, tlb.page_bytes), (Some(64), Some(64 << 12), Some(4096)));
    near(tlb.miss_time_s.unwrap(), 2e-9);
    let remark = &machine.provenance.remarks[0];
    assert_eq!(remark, "address translations: beyond 2048 pages a load takes 20.00 ns longer");
}

#[test]
fn s_g_and_l_of_each_number_of_processors() {
    let machine = Machine::from_probe(None, &runs(&[&computer(), &two_processors()])).unwrap().machine;
    assert_eq!(machine.bsp.iter().map(|entry| entry.processors).collect::<Vec<_>>(), [1, 2]);
    for entry in &machine.bsp {
        near(entry.rate_flop_per_s, 8e9);
        near(entry.g_s_per_byte, 1e-9);
        near(entry.latency_s, entry.processors as f64 * 1e-6);
    }
    let [small, large] = &machine.messages[..] else { panic!("{:?}", machine.messages) };
    assert_eq!((small.bytes, large.bytes), (8, 1024));
    near(small.time_s, 5.08e-7);
    near(large.time_s, 1.524e-6);
    let remarks = machine.provenance.remarks.join("\n");
    assert!(remarks.contains("P = 2: L/g of all exchanges is "), "{remarks}");
}

#[test]
fn a_lucky_exchange_does_not_change_l() {
    // As measured: a fit of the three shortest says 0.25 µs.
    let mut trace = Trace::of(2);
    communicate_with(&mut trace, &|h| {
        let lucky = if h == 8.0 {
            0.82
        } else if h == 12.0 {
            0.94
        } else {
            1.0
        };
        lucky * 0.385e-6 + 2.3e-11 * h
    });
    let machine = Machine::from_probe(None, &runs(&[&computer(), &trace])).unwrap().machine;
    let entry = &machine.bsp[1];
    assert!((entry.latency_s / 0.385e-6 - 1.0).abs() < 0.03, "{}", entry.latency_s);
    near(entry.g_s_per_byte, 2.3e-11);
}

#[test]
fn operations_and_where_the_numbers_come_from() {
    let probed = Machine::from_probe(None, &runs(&[&computer()])).unwrap();
    let machine = probed.machine;
    let operations: Vec<_> = machine
        .operations
        .iter()
        .map(|operation| (operation.name.as_str(), operation.time_s, operation.dependent_time_s))
        .collect();
    assert_eq!(operations, [("f64 add", 0.25e-9, Some(1e-9)), ("i64 divide", 2e-9, None)]);
    let provenance = &machine.provenance;
    assert_eq!((machine.name.as_str(), machine.processors), ("node7", Some(2)));
    assert_eq!(provenance.date.as_deref(), Some("2026-11-21"));
    assert_eq!(provenance.flags.as_deref(), Some("-O2 -march=native"));
    assert_eq!(provenance.transport.as_deref(), Some("embedded"));
    // Each number of the second half is 2 % more: a rate 2 % less, in the percentages of the first.
    assert_eq!(provenance.repeatability_percent, Some(2.0));
    assert!(probed.repeatability.numbers.iter().all(|number| (1.95..2.05).contains(&number.apart_percent)));
    let read = Machine::parse("node7.toml", &machine.to_toml()).unwrap();
    assert_eq!(read, machine);
}

#[test]
fn what_is_missing_is_told() {
    let fail = |name: Option<&str>, runs: &Dataset| Machine::from_probe(name, runs).unwrap_err();
    assert_eq!(fail(None, &Dataset::new()), ProbeError::NoRuns);
    let mut other = Trace::of(1);
    other.add("f", "f[0]*n", &["n"], &[(vec![8.0], 1e-6)]);
    assert_eq!(fail(None, &runs(&[&other])), ProbeError::NotTheProbe { experiment: "exchange" });
    assert_eq!(fail(Some("a b"), &runs(&[&two_processors()])), ProbeError::Name("a b".to_owned()));
    let undated = two_processors().text().replace("2026-11-21T09:30:00Z", "today");
    let mut of_today = Dataset::new();
    of_today.add("probe.call.dat", call_trace::read(undated.as_bytes()).unwrap()).unwrap();
    assert_eq!(fail(None, &of_today), ProbeError::Date("today".to_owned()));
    // Experiments of the same names in another program.
    let mut alien = Trace::of(1);
    communicate(&mut alien);
    let points: Vec<(Vec<f64>, f64)> = (1..9).map(|n| (vec![f64::from(n); 2], f64::from(n) * 1e-6)).collect();
    for name in ["stream", "stride", "f64_add"] {
        alien.add(name, &format!("{name}[0]*n*h"), &["n", "h"], &points);
    }
    alien.add("load", "load[0]*65536*bytes/bytes", &["bytes"], &[(vec![1024.0], 65536e-9)]);
    let machine = Machine::from_probe(None, &runs(&[&alien])).unwrap().machine;
    assert_eq!((machine.memory.len(), machine.memory[0].bandwidth_bytes_per_s), (1, None));
    alien.add("page", "page[0]*n*h", &["n", "h"], &points);
    assert_eq!(fail(None, &runs(&[&alien])), ProbeError::NotTheProbe { experiment: "page" });
    // Computation that takes no time, as simulators offer it.
    let mut idle = Trace::of(2);
    idle.add(
        "rate",
        "rate[0]*passes + rate[1]*passes*2*n",
        &["passes", "n"],
        &[(vec![64.0, 64.0], 0.0), (vec![64.0, 128.0], 0.0)],
    );
    let exchange: Vec<(Vec<f64>, f64)> = [8.0, 64.0].iter().map(|h| (vec![*h], 1e-6 + 1e-9 * h)).collect();
    idle.add("exchange", "exchange[0] + exchange[1]*h", &["h"], &exchange);
    let error = fail(None, &runs(&[&idle]));
    assert!(
        error.to_string().starts_with("with 2 processors the probe measured the time of an operation as 0"),
        "{error}"
    );
}
