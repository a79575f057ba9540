//! Profiles of planted computation, idle time, latency and h, at every number of processors and on every transport.

use std::collections::BTreeMap;

use call_tests::{Transport, Workshop};
use serde_json::Value;

const LATENCY_NS: f64 = 250.0;

/// The first of several names for each of the four, and what is a nanosecond or byte in it.
const QUANTITIES: [(&str, &str, f64); 4] =
    [("computation", "s", 1e9), ("communication", "s", 1e9), ("idle", "s", 1e9), ("h", "bytes", 1.0)];

/// What tests/programs/planted_profile.c does, by call stack, outermost first, and which superstep there.
struct Planted {
    processors: usize,
    /// The four of each processor.
    supersteps: BTreeMap<(Vec<String>, usize), Vec<[f64; 4]>>,
    /// Where `work` and `divide` synchronise.
    leaves: [String; 2],
}

impl Planted {
    fn of(processors: usize, source: &str) -> Planted {
        let numbered = source.lines().enumerate();
        let syncs = numbered.filter(|(_, line)| line.contains("bsp_sync(")).map(|(at, _)| at + 1);
        let leaves: Vec<String> = syncs.map(|line| format!("planted_profile.c line {line}")).collect();
        let mut planted =
            Planted { processors, supersteps: BTreeMap::new(), leaves: leaves.try_into().unwrap() };
        let all = vec![0.0; processors];
        let work = [("foo", 0, 0), ("foo", 1, 1), ("bar", 0, 2), ("down", 0, 2)];
        for (procedure, at, k) in work {
            planted.work(&["main", procedure], at, 0, k, &all);
        }
        planted.work(&["main", "down", "down"], 0, 0, 1, &all);
        planted.work(&["main", "down", "down", "down"], 0, 0, 0, &all);
        planted.divide(&["main", "divide"], 0, processors);
        planted
    }

    fn work(&mut self, stack: &[&str], at: usize, first: usize, k: usize, before_ns: &[f64]) -> f64 {
        let leaf = self.leaves[0].clone();
        self.superstep(&[stack, &["work", &leaf]].concat(), at, first, k, before_ns)
    }

    /// How long that takes.
    fn divide(&mut self, stack: &[&str], first: usize, count: usize) -> f64 {
        let mut before_ns = vec![0.0; count];
        if count > 1 {
            for (part, times) in [(0..count / 2, 1), (count / 2..count, 2)] {
                let start = first + part.start;
                let works = (0..times).map(|k| self.work(stack, k, start, k, &vec![0.0; part.len()]));
                let works_ns: f64 = works.collect::<Vec<f64>>().iter().sum();
                before_ns[part.clone()]
                    .fill(works_ns + self.divide(&[stack, &["divide"]].concat(), start, part.len()));
            }
        }
        let leaf = self.leaves[1].clone();
        self.superstep(&[stack, &[leaf.as_str()]].concat(), 0, first, 3, &before_ns)
    }

    /// Of the processors from `first` on that have come so far when it begins; returns when they leave it.
    fn superstep(&mut self, path: &[&str], at: usize, first: usize, k: usize, before_ns: &[f64]) -> f64 {
        let count = before_ns.len();
        let computing_ns = |s: usize| 1000.0 * ((s + k) % count + 1) as f64;
        let ready_ns: Vec<f64> = (0..count).map(|s| before_ns[s] + computing_ns(s)).collect();
        let slowest_ns = ready_ns.iter().copied().fold(0.0, f64::max);
        let path = path.iter().map(|its| (*its).to_owned()).collect();
        let costs = self.supersteps.entry((path, at)).or_insert_with(|| vec![[0.0; 4]; self.processors]);
        for s in 0..count {
            // Processor 0 gets what the last one sends, the others send more than they get.
            let h = if s == 0 { count } else { s + 1 };
            let h = if count == 1 { 0.0 } else { 8.0 * h as f64 };
            costs[first + s] = [computing_ns(s), LATENCY_NS, slowest_ns - ready_ns[s], h];
        }
        slowest_ns + LATENCY_NS
    }

    /// Those whose path is so, added up: for each of the four the sums of maxima, means and minima, and the largest sum.
    fn sums(&self, is_meant: impl Fn(&[String]) -> bool) -> (usize, [[f64; 4]; 4]) {
        let meant: Vec<_> =
            self.supersteps.iter().filter(|((path, _), _)| is_meant(path)).map(|(_, costs)| costs).collect();
        let sums = [0, 1, 2, 3].map(|quantity| {
            let mut sums = [0.0; 4];
            let mut by_processor = vec![0.0; self.processors];
            for costs in &meant {
                let values: Vec<f64> = costs.iter().map(|its| its[quantity]).collect();
                sums[0] += values.iter().copied().fold(0.0, f64::max);
                sums[1] += values.iter().sum::<f64>() / self.processors as f64;
                sums[2] += values.iter().copied().fold(f64::INFINITY, f64::min);
                by_processor.iter_mut().zip(&values).for_each(|(sum, value)| *sum += value);
            }
            sums[3] = by_processor.into_iter().fold(0.0, f64::max);
            sums
        });
        (meant.len(), sums)
    }
}

/// A row of a table against what was planted.
fn assert_row(row: &Value, planted: (usize, [[f64; 4]; 4]), what: &str) {
    assert_eq!(row["synchronisations"], planted.0, "{what}");
    for ((name, unit, scale), sums) in QUANTITIES.into_iter().zip(planted.1) {
        for (sum, value) in ["max", "avg", "min", "largest_processor"].into_iter().zip(sums) {
            let found = scale * row[format!("{name}_{sum}_{unit}")].as_f64().unwrap();
            assert!((found - value).abs() < 1e-6, "{what}, {name} {sum}: {found}, planted {value}");
        }
    }
}

fn rows<'a>(answer: &'a Value, table: &str) -> &'a Vec<Value> {
    let mut tables = answer["results"][0]["tables"].as_array().unwrap().iter();
    tables.find(|its| its["name"] == table).unwrap()["rows"].as_array().unwrap()
}

/// smpicc compiles with the whole name of the file.
fn label(cell: &Value) -> String {
    let label = cell.as_str().unwrap();
    label.rsplit_once('/').map_or(label, |(_, name)| name).to_owned()
}

fn check(answer: &Value, planted: &Planted, run: &str) {
    let mut nodes = 0;
    for row in rows(answer, "nodes").iter().filter(|row| row["synchronisations"] != 0) {
        let node = label(&row["node"]);
        assert_row(row, planted.sums(|path| path.contains(&node)), &format!("{run}, {node}"));
        nodes += 1;
    }
    assert_eq!(nodes, 8, "{run}");
    for row in rows(answer, "edges").iter().filter(|row| row["synchronisations"] != 0) {
        let call = [label(&row["from"]), label(&row["to"])];
        let (count, sums) = planted.sums(|path| path.windows(2).any(|pair| pair == call));
        assert_eq!(row["synchronisations"], count, "{run}, {call:?}");
        let time_ns = 1e9 * row["time_s"].as_f64().unwrap();
        assert!((time_ns - sums[0][0] - sums[1][0]).abs() < 1e-6, "{run}, {call:?}");
    }
    let mut paths: Vec<Vec<String>> = Vec::new();
    for row in rows(answer, "paths") {
        let mut path = row["above"].as_u64().map_or(Vec::new(), |above| paths[above as usize].clone());
        path.push(label(&row["node"]));
        if row["synchronisations"] != 0 {
            assert_row(row, planted.sums(|its| its.starts_with(&path)), &format!("{run}, {path:?}"));
        }
        paths.push(path);
    }
    let mut planted_paths = planted.supersteps.keys().map(|(path, _)| path);
    assert!(planted_paths.all(|path| paths.contains(path)), "{run}");
}

#[test]
fn planted_costs_come_back() {
    for transport in [Transport::Embedded, Transport::Smpi, Transport::Mpi] {
        if !transport.is_available() {
            continue;
        }
        let workshop = Workshop::new();
        workshop.bring("tests/programs/planted_profile.c");
        workshop.bring("examples/fft/cluster.xml");
        workshop.write("hosts", (0..32).map(|host| format!("n-{host}.x\n")).collect::<String>());
        let source = workshop.read("planted_profile.c");
        let (compiler, mpi) =
            (transport.compiler(), if transport == Transport::Embedded { "" } else { "--mpi" });
        workshop.shell(&format!(
            "{compiler} -Wall -Wextra -Wpedantic -Werror $(call cflags {mpi} -O1 -fno-inline) planted_profile.c $(call libs {mpi}) \
             -o planted_profile"
        ));
        for p in 1..=16 {
            let launcher = transport.launcher().replace("%P", &p.to_string());
            workshop.shell(&format!(
                "CALL_PROFILE=1 CALL_CLOCK=counting CALL_PROCESSORS={p} {launcher} ./planted_profile"
            ));
            let name = workshop.traces().pop().unwrap();
            let answer = workshop.shell(&format!("llac --format json profile {name}"));
            std::fs::remove_file(workshop.path().join(name)).unwrap();
            let answer: Value = serde_json::from_str(&answer).unwrap();
            check(&answer, &Planted::of(p, &source), &format!("{transport:?}, P = {p}"));
        }
    }
}

/// Over a network of 125 MB/s the sender goes on at once, and its data are on their way for P − 1 times their bytes.
/// 2, 3 and 4 processors say what they take on 8.
#[test]
fn data_of_one_sender_take_what_the_network_needs() {
    if !Transport::Smpi.is_available() {
        return;
    }
    let workshop = Workshop::new();
    workshop.bring("tests/programs/unbalanced.c");
    workshop.write("hosts", (0..8).map(|host| format!("n-{host}.x\n")).collect::<String>());
    let cluster = "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n\
        <cluster id=\"c\" prefix=\"n-\" suffix=\".x\" radical=\"0-7\" speed=\"1Gf\" bw=\"125MBps\" lat=\"20us\"/>\n</platform>\n";
    workshop.write("cluster.xml", cluster);
    workshop
        .shell("smpicc $(call cflags --mpi -O1 -fno-inline) unbalanced.c $(call libs --mpi) -o unbalanced");
    let mut measured_s = BTreeMap::new();
    for p in [2, 3, 4, 8] {
        let launcher = Transport::Smpi.launcher().replace("%P", &p.to_string());
        let plain = "--cfg=smpi/simulate-computation:no --cfg=smpi/bw-factor:0:1 --cfg=smpi/lat-factor:0:1 --cfg=network/crosstraffic:0";
        workshop.shell(&format!(
            "CALL_PROFILE=1 {launcher} {plain} ./unbalanced && mv unbalanced.call.0.dat {p}.dat"
        ));
        let answer: Value =
            serde_json::from_str(&workshop.shell(&format!("llac --format json profile {p}.dat"))).unwrap();
        let of = |name: &str, key: &str| {
            let row = rows(&answer, "nodes").iter().find(|row| row["node"] == name);
            row.unwrap_or_else(|| panic!("P = {p}: {name}"))[key].as_f64().unwrap()
        };
        let wire_s = 5.0 * 50_000.0 / 125e6;
        let star_s = of("star", "communication_max_s");
        let expected_s = wire_s * f64::from(p - 1);
        assert!((0.98..1.25).contains(&(star_s / expected_s)), "P = {p}: {star_s} s, {expected_s} s");
        for name in ["star", "ring"] {
            assert!((of(name, "computation_max_s") - 0.020).abs() < 1e-5, "P = {p}, {name}");
        }
        assert!((0.98..1.25).contains(&(of("ring", "communication_max_s") / wire_s)), "P = {p}");
        measured_s.insert(p, star_s);
        let warnings = answer["results"][0]["warnings"].as_array().unwrap();
        assert!(warnings.iter().all(|its| its["code"] != "unexplained-waiting"), "P = {p}: {warnings:?}");
    }
    let predicted = workshop.shell("llac --format json profile 2.dat 3.dat 4.dat P=8");
    let answer: Value = serde_json::from_str(&predicted).unwrap();
    let star = rows(&answer, "nodes").iter().find(|row| row["node"] == "star").unwrap();
    let ratio = star["communication_max_s"].as_f64().unwrap() / measured_s[&8];
    assert!((0.9..1.1).contains(&ratio), "predicted {ratio} times what P = 8 took");
}
