//! Traces of the Oxford toolset against what its own program makes of them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use call_profile::{
    Centre, Charging, Cost, CostQuantity, CriticalPath, MachineSuperstep, Position, Profile, ProfileBuilder,
    View, oxford,
};
use serde_json::Value;

fn data() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// Each trace with its oracle.
fn traces() -> Vec<(String, Vec<u8>, Value)> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(data()).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "bsp"));
    paths.sort();
    let read = |path: &PathBuf| {
        let oracle = std::fs::read(format!("{}.oracle.json", path.display())).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read(path).unwrap(), serde_json::from_slice(&oracle).unwrap())
    };
    paths.iter().map(read).collect()
}

/// That a node is labelled so by the original, which calculates with single precision: what lies in the middle between two numbers that it
/// could print can be either.
fn check_label(expected: &[&str], label: &str, cost: &Cost) {
    let [name, synchronisations, _, sums @ ..] = expected else { panic!("{expected:?}") };
    assert_eq!((*name, *synchronisations), (label, format!("[{} syncs]", cost.synchronisations).as_str()));
    for ((quantity, name), sum) in
        CostQuantity::ALL.into_iter().zip(["Comp", "Comm", "Wait", "Hrel"]).zip(sums)
    {
        let its = cost.of(quantity);
        let separate = sum.replace(['s', '%'], " ");
        let words: Vec<&str> = separate.split_whitespace().collect();
        let number = |place: usize| words[place].parse::<f64>().unwrap();
        assert_eq!((words[0], words.len()), (name, 4));
        match quantity {
            CostQuantity::H => {
                assert_eq!(number(1), format!("{:.1e}", its.maximum / 4.0).parse::<f64>().unwrap(), "{label}")
            }
            _ => assert!((its.maximum - number(1)).abs() < 0.005 + 1e-6, "{label}: {sum} {its:?}"),
        }
        for (part, place) in [(its.average, 2), (its.minimum, 3)] {
            let percent = if its.maximum == 0.0 { 0.0 } else { 100.0 * part / its.maximum };
            assert!((percent - number(place)).abs() < 0.5 + 1e-4, "{label}: {sum} {its:?}");
        }
    }
}

#[test]
fn nodes_edges_sums_and_shades_are_those_of_the_original() {
    let all = traces();
    assert_eq!(all.len(), 10);
    let mut shades = 0;
    for (name, bytes, oracle) in all {
        let profile = oxford::read(&bytes).unwrap();
        assert_eq!(profile.processors as u64, oracle["p"].as_u64().unwrap(), "{name}");
        let view = View::call_graph(&profile, Charging::EachFrame);
        let nodes = oracle["nodes"].as_object().unwrap();
        assert_eq!(view.nodes.len(), nodes.len(), "{name}");
        let total = view.total(&profile);
        for (number, node) in view.nodes.iter().enumerate() {
            let expected: Vec<&str> = nodes[&number.to_string()]
                .as_array()
                .unwrap()
                .iter()
                .map(|line| line.as_str().unwrap())
                .collect();
            let cost = profile.cost_of(&node.centres);
            check_label(&expected, &node.label, &cost);
            for path in CriticalPath::all() {
                let expected = oracle["critical"][path.key()][number.to_string()].as_i64().unwrap();
                let shade = i64::from(path.shade(&cost, &total));
                assert!((shade - expected).abs() <= 1, "{name}, {}: {shade} {expected}", node.label);
                shades += 1;
            }
        }
        let edges: BTreeSet<(u64, u64)> =
            view.edges.iter().map(|edge| (edge.from as u64, edge.to as u64)).collect();
        let expected = oracle["edges"].as_array().unwrap().iter();
        let expected = expected.map(|pair| (pair[0].as_u64().unwrap(), pair[1].as_u64().unwrap())).collect();
        assert_eq!(edges, expected, "{name}");
        assert_eq!(oracle["critical"].as_object().unwrap().len(), CriticalPath::all().count());
        // None of these programs is recursive.
        assert_eq!(View::by_procedure(&profile).nodes, view.nodes, "{name}");
    }
    assert_eq!(shades, 17 * 432);
}

#[test]
fn a_trace_is_written_as_it_was_read() {
    for (name, bytes, _) in traces() {
        let profile = oxford::read(&bytes).unwrap();
        let written = oxford::write(&profile);
        assert_eq!(written.changed_names, 0, "{name}");
        assert_eq!(oxford::read(written.text.as_bytes()).unwrap(), profile, "{name}");
        assert_eq!(written.text, String::from_utf8(bytes).unwrap(), "{name}");
    }
}

/// The sums are what the values of the processors allow, but for the digits that were cut off.
#[test]
fn sums_of_maxima_maxima_of_sums_averages_and_minima_come_in_this_order() {
    for (name, bytes, _) in traces() {
        let profile = oxford::read(&bytes).unwrap();
        for (centre, cost) in profile.centres().iter().zip(profile.costs()) {
            for quantity in CostQuantity::ALL {
                let its = cost.of(quantity);
                let slack = if quantity == CostQuantity::H { 8.0 } else { 3e-6 };
                let place = format!("{name} {centre:?} {quantity:?} {its:?}");
                assert!(its.maximum + slack >= its.largest_processor(), "{place}");
                // What came and what went, each over all supersteps, says less than the h-relations.
                let least = if quantity == CostQuantity::H { its.minimum.min(0.0) } else { its.average };
                assert!(its.largest_processor() + slack >= least, "{place}");
                assert!(its.average + slack >= its.minimum, "{place}");
            }
        }
    }
}

const SMALL: &str = "D today\nF -O3\nN here\nX shared\nP 2\ns 1 26 main.c\ns 0 9 a b.c\n\
    A <26 of main.c bar,main, > with 1 SYNCS 0.300000 0.200000 0.100000 COMP 0.200000 0.150000 0.100000 COMM 0.200000 0.100000 \
    0.000000 COMPIDLE 4 3 2 HREL 0.300000,0.100000,0.000000,0,4;0.100000,0.200000,0.200000,2,1;\n\
    A <9 of a b.c main, > with 0 SYNCS 0.000001 0.000000 -0.000001 COMP 0.000000 0.000000 0.000000 COMM 0.000000 0.000000 0.000000 \
    COMPIDLE 0 0 0 HREL 0.000000,0.000000,0.000000,0,0;0.000000,0.000000,0.000000,0,0;\nE 0.500000\n";

fn small() -> String {
    SMALL.replace("a b.c", "ab.c")
}

fn refused(from: &str, to: &str) -> String {
    let text = small();
    assert!(text.contains(from), "{from}");
    oxford::read(text.replacen(from, to, 1).as_bytes()).unwrap_err().to_string()
}

#[test]
fn damaged_files_are_refused_with_their_line() {
    let profile = oxford::read(small().as_bytes()).unwrap();
    assert_eq!(oxford::write(&profile).text, small());
    for (from, to, expected) in [
        ("P 2", "P two", "line 5 has `two` where the number of processors belongs"),
        ("P 2", "P 0", "line 5 has `0` where"),
        ("P 2", "P 3", "line 8 has the values of 2 processors, and there are 3"),
        ("P 2\n", "", "it has no line `P PROCESSORS`"),
        ("P 2", "P 2\nP 2", "line 6 says `P` again"),
        ("with 1 SYNCS", "with one SYNCS", "line 8 has `one` where the number of synchronisations belongs"),
        (
            "with 1 SYNCS",
            "with 18446744073709551615 SYNCS",
            "line 8 has `18446744073709551615` where the number of",
        ),
        ("0.300000 0.2", "1e308 0.2", "line 8 has `1e308` where a time belongs"),
        ("0.300000 0.2", "nan 0.2", "line 8 has `nan` where a time belongs"),
        ("0.300000 0.2", "1e999 0.2", "line 8 has `1e999` where a time belongs"),
        ("0.300000 0.2", "0.200000 0.3", "line 8 has COMP of 0.2|0.3"),
        ("0.300000 0.2", "-0.300000 -0.2", "line 8 has COMP of -0.3|-0.2"),
        ("COMM 0.2", "COMX 0.2", "line 8 has `COMX` where COMM belongs"),
        ("4 3 2 HREL", "4 -3 2 HREL", "line 8 has `-3` where a whole number of words belongs"),
        ("0,4;", "0,4,5;", "line 8 has `0.300000,0.100000,0.000000,0,4,5` where"),
        ("2,1;\n", "2,1; 7\n", "line 8 has `7` behind its values"),
        (", > with 1", ", with 1", "line 8 breaks off before the end of the call stack"),
        ("s 0 9 ab.c\n", "", "there are 1 cost centres (`s`), and 2 have costs (`A`)"),
        (
            "s 0 9 ab.c",
            "s 0 10 ab.c",
            "line 9 speaks of ab.c line 9, and the cost centre of that place is ab.c line 10",
        ),
        ("D today", "hello", "line 1 is of no kind"),
    ] {
        let message = refused(from, to);
        assert!(message.contains(expected), "{message}");
    }
    let stacks = small().find("A <").unwrap();
    let error = oxford::read(&small().as_bytes()[..stacks]).unwrap_err();
    assert!(error.to_string().contains("no call stacks"), "{error}");
    assert_eq!(error.cure(), Some("link the program with `-cgprof` and record it anew"));
}

#[test]
fn a_file_cut_anywhere_is_refused_or_lacks_its_last_lines_only() {
    let text = small();
    let whole = oxford::read(text.as_bytes()).unwrap();
    let end = text.find("\nE ").unwrap();
    for cut in 0..text.len() {
        match oxford::read(&text.as_bytes()[..cut]) {
            Err(error) => assert!(cut < end || !error.to_string().is_empty(), "{cut}: {error}"),
            Ok(profile) => assert!(cut >= end && profile.costs() == whole.costs(), "{cut}"),
        }
    }
}

#[test]
fn recursion_is_charged_once_or_as_the_original_does() {
    let text = "P 1\ns 0 5 f.c\ns 1 9 g.c\n\
        A <5 of f.c f,g,f,main, > with 2 SYNCS 3.0 3.0 3.0 COMP 0 0 0 COMM 0 0 0 COMPIDLE 0 0 0 HREL 3.0,0,0,0,0;\n\
        A <9 of g.c g,other, > with 1 SYNCS 1.0 1.0 1.0 COMP 0 0 0 COMM 0 0 0 COMPIDLE 0 0 0 HREL 1.0,0,0,0,0;\n";
    let profile = oxford::read(text.as_bytes()).unwrap();
    let charged = |view: &View, label: &str| {
        let cost = profile.cost_of(&view.nodes[view.find(label)[0]].centres);
        (cost.synchronisations, cost.of(CostQuantity::Computation).maximum)
    };
    let once = View::by_procedure(&profile);
    assert_eq!((charged(&once, "f"), charged(&once, "g")), ((2, 3.0), (3, 4.0)));
    assert_eq!(once.total(&profile).synchronisations, 3);
    assert_eq!(once.roots.len(), 2);
    let each = View::call_graph(&profile, Charging::EachFrame);
    assert_eq!((charged(&each, "f"), charged(&each, "g")), ((4, 6.0), (3, 4.0)));
    // Nothing leads from `main`, the root, to `other`.
    assert_eq!(each.find("other"), [0; 0]);
    assert_eq!(each.total(&profile).synchronisations, 2);
    let edges = |view: &View| view.edges.iter().map(|edge| (edge.from, edge.to)).collect::<Vec<_>>();
    assert_eq!(edges(&each), [(1, 0), (2, 1), (1, 2), (3, 1), (2, 4)]);
}

#[test]
fn names_that_the_format_cannot_have_are_changed_and_counted() {
    let mut builder = ProfileBuilder::new(1);
    let names = ["f<a,b>", "</script>", "\u{202e}gnp\u{1b}[31m\n", "main"];
    let centre = builder.centre(Centre::new(Position::new("my file.c", 7), names));
    let mut superstep = MachineSuperstep::new(1);
    superstep.computation_s[0] = 1.5;
    builder.add(centre, &superstep);
    let profile = builder.finish();
    let written = oxford::write(&profile);
    assert_eq!(written.changed_names, 4);
    let again: Profile = oxford::read(written.text.as_bytes()).unwrap();
    assert_eq!(again.costs(), profile.costs());
    let expected = ["f<a_b_", "</script_", "\u{202e}gnp_[31m_", "main"];
    assert_eq!(again.centres()[0], Centre::new(Position::new("my_file.c", 7), expected));
}

/// The superstep that all but one processor wait for, its numbers rounded to microseconds: the mean of idle times is half of one above their average.
#[test]
fn calls_that_end_without_a_synchronisation_are_no_files() {
    let mut builder = ProfileBuilder::new(1);
    let end = builder.centre(Centre::new(Position::of_call("bsp_end", Some("a.c"), 20), ["main"]));
    builder.add(end, &MachineSuperstep::new(1));
    let text = oxford::write(&builder.finish()).text;
    assert!(text.contains("A <20 of bsp_end main, >"), "{text}");
    let again = oxford::read(text.as_bytes()).unwrap();
    assert_eq!(again.centres()[0], Centre::new(Position::of_call("bsp_end", None, 20), ["main"]));
    assert_eq!(oxford::write(&again).text, text);
}

#[test]
fn idle_time_is_never_less_than_nothing() {
    let text = "P 2\ns 0 5 a.c\n\
        A <5 of a.c main, > with 1 SYNCS 0.080000 0.050000 0.020000 COMP 0 0 0 COMM 0.060001 0.030000 0.000000 COMPIDLE 0 0 0 HREL \
        0.020000,0,0.060001,0,0;0.080000,0,0.000000,0,0;\nE 1\n";
    let profile = oxford::read(text.as_bytes()).unwrap();
    let idle = profile.costs()[0].of(CostQuantity::Waiting);
    assert_eq!(idle.by_processor[1], 0.0);
    assert!((idle.by_processor[0] - 0.06).abs() < 1e-5, "{idle:?}");
}

/// Means of equal numbers are off by their last digit: that is no imbalance.
#[test]
fn rounding_is_no_imbalance() {
    let mut builder = ProfileBuilder::new(6);
    let mut superstep = MachineSuperstep::new(6);
    let [even, odd] = [3, 4].map(|line| builder.centre(Centre::new(Position::new("a.c", line), ["main"])));
    for step in 1..100 {
        superstep.computation_s.fill(0.1 / f64::from(step));
        builder.add(even, &superstep);
    }
    superstep.computation_s[0] *= 1.0 + 1e-9;
    builder.add(odd, &superstep);
    let profile = builder.finish();
    assert_eq!(profile.costs()[0].saving_s(), 0.0);
    assert!(profile.costs()[1].saving_s() > 0.0);
}
