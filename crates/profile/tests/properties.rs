//! What holds of any profile.

use call_profile::{
    Centre, Charging, ComparedPath, CostQuantity, CriticalPath, MachineSuperstep, Position, Profile,
    ProfileBuilder, View, compare,
};
use proptest::prelude::*;

/// A superstep of a generated program: its call path from `main` on, its line, and for each processor computing, communicating and waiting
/// in nanoseconds and bytes in and out.
type Planted = (Vec<u8>, u8, Vec<[u32; 5]>);

fn supersteps(processors: usize) -> impl Strategy<Value = Vec<Planted>> {
    let values = proptest::collection::vec(proptest::array::uniform5(0..1_000_000_000_u32), processors);
    proptest::collection::vec((proptest::collection::vec(0..4_u8, 0..6), 0..3_u8, values), 1..40)
}

fn programs() -> impl Strategy<Value = (usize, Vec<Planted>)> {
    (1..7_usize).prop_flat_map(|processors| (Just(processors), supersteps(processors)))
}

fn profile(processors: usize, program: &[Planted], renumbered: &[usize]) -> Profile {
    let mut builder = ProfileBuilder::new(processors);
    let mut superstep = MachineSuperstep::new(processors);
    for (path, line, values) in program {
        let mut stack: Vec<String> = path.iter().map(|name| format!("f{name}")).collect();
        stack.insert(0, "main".to_owned());
        stack.reverse();
        let centre = builder.centre(Centre::new(Position::new("a.c", u32::from(*line)), stack));
        superstep.clear();
        for (processor, values) in renumbered.iter().zip(values) {
            let [computing, communicating, waiting, come, gone] = values.map(f64::from);
            superstep.computation_s[*processor] = computing * 1e-9;
            superstep.communication_s[*processor] = communicating * 1e-9;
            superstep.waiting_s[*processor] = waiting * 1e-9;
            superstep.in_bytes[*processor] = come;
            superstep.out_bytes[*processor] = gone;
        }
        superstep.tell_latency(0, processors, None);
        builder.add(centre, &superstep);
    }
    builder.finish()
}

fn is_close(left: f64, right: f64) -> bool {
    (left - right).abs() <= 1e-9 + 1e-12 * left.abs()
}

proptest! {
    #[test]
    fn the_four_sums_have_their_order_and_leaves_add_up_to_the_root((processors, program) in programs()) {
        let given: Vec<usize> = (0..processors).collect();
        let profile = profile(processors, &program, &given);
        let total = profile.total();
        prop_assert_eq!(total.synchronisations, program.len() as u64);
        for view in [View::by_procedure(&profile), View::by_call_path(&profile)] {
            prop_assert_eq!(view.roots.len(), 1);
            let mut leaves = call_profile::Cost::new(processors);
            let has_children: Vec<bool> = view.edges_from().iter().map(|edges| !edges.is_empty()).collect();
            for (node, has_children) in view.nodes.iter().zip(has_children) {
                let cost = profile.cost_of(&node.centres);
                for quantity in CostQuantity::ALL {
                    let its = cost.of(quantity);
                    let slack = 1e-6;
                    prop_assert!(its.maximum + slack >= its.largest_processor());
                    prop_assert!(its.largest_processor() + slack >= its.average);
                    prop_assert!(its.average + slack >= its.minimum);
                    let mean = its.by_processor.iter().sum::<f64>() / processors as f64;
                    prop_assert!(is_close(mean, its.average));
                }
                for path in CriticalPath::all() {
                    prop_assert!((0.0..=1.0).contains(&path.score(&cost, &total)));
                }
                if !has_children {
                    leaves.add(&cost);
                }
            }
            prop_assert_eq!(leaves.synchronisations, total.synchronisations);
            let root = profile.cost_of(&view.nodes[view.roots[0]].centres);
            for quantity in CostQuantity::ALL {
                prop_assert!(is_close(leaves.of(quantity).maximum, root.of(quantity).maximum));
                prop_assert_eq!(root.of(quantity), total.of(quantity));
            }
        }
    }

    #[test]
    fn waiting_and_communication_share_the_latency((processors, program) in programs()) {
        let given: Vec<usize> = (0..processors).collect();
        let cost = profile(processors, &program, &given).total();
        let sum = |at: usize| -> f64 {
            program.iter().flat_map(|(_, _, values)| values).map(|values| f64::from(values[at]) * 1e-9).sum()
        };
        let of = |quantity| cost.of(quantity).by_processor.iter().sum::<f64>();
        let latency_s = cost.latency_s * processors as f64;
        prop_assert!(is_close(of(CostQuantity::Communication), sum(1) + latency_s));
        prop_assert!(is_close(of(CostQuantity::Waiting) + latency_s, sum(2)));
        prop_assert_eq!(cost.of(CostQuantity::Waiting).minimum, 0.0);
    }

    #[test]
    fn numbers_of_processors_do_not_matter((processors, program) in programs(), by in 0..7_usize) {
        let given: Vec<usize> = (0..processors).collect();
        let turned: Vec<usize> = given.iter().rev().map(|its| (its + by) % processors).collect();
        let (left, right) = (profile(processors, &program, &given), profile(processors, &program, &turned));
        for (left, right) in left.costs().iter().zip(right.costs()) {
            for quantity in CostQuantity::ALL {
                let (left, right) = (left.of(quantity), right.of(quantity));
                prop_assert_eq!(left.maximum, right.maximum);
                prop_assert_eq!(left.minimum, right.minimum);
                prop_assert!(is_close(left.average, right.average));
                prop_assert!(is_close(left.largest_processor(), right.largest_processor()));
                for (processor, turned) in turned.iter().enumerate() {
                    prop_assert_eq!(left.by_processor[processor], right.by_processor[*turned]);
                }
            }
        }
    }

    #[test]
    fn a_shared_procedure_is_apportioned_to_its_callers((processors, program) in programs()) {
        let given: Vec<usize> = (0..processors).collect();
        let profile = profile(processors, &program, &given);
        let view = View::by_procedure(&profile);
        for (number, node) in view.nodes.iter().enumerate() {
            // Each way in has its share; with recursion a cost centre comes in by several.
            let callers = view.edges.iter().filter(|edge| edge.to == number);
            let mut centres: Vec<usize> = callers.flat_map(|edge| edge.centres.clone()).collect();
            centres.sort_unstable();
            centres.dedup();
            if !view.roots.contains(&number) {
                prop_assert_eq!(&centres, &node.centres);
            }
        }
    }

    #[test]
    fn a_profile_gains_nothing_on_itself((processors, program) in programs()) {
        let given: Vec<usize> = (0..processors).collect();
        let profile = profile(processors, &program, &given);
        let compared = compare(&profile, &profile);
        prop_assert_eq!(compared.len(), View::by_call_path(&profile).nodes.len());
        prop_assert!(compared.iter().all(|row| row.gain_s() == 0.0 && row.before == row.after));
    }
}

#[test]
fn ten_thousand_frames_are_walked() {
    let mut builder = ProfileBuilder::new(2);
    let mut superstep = MachineSuperstep::new(2);
    superstep.computation_s.copy_from_slice(&[1.0, 2.0]);
    let stack: Vec<String> = (0..10_000).map(|depth| format!("f{depth}")).collect();
    let deep = builder.centre(Centre::new(Position::new("a.c", 1), stack.clone()));
    let recursive = builder.centre(Centre::new(Position::new("a.c", 2), vec!["f"; 10_000]));
    builder.add(deep, &superstep);
    builder.add(recursive, &superstep);
    let profile = builder.finish();
    let graph = View::by_procedure(&profile);
    assert_eq!((graph.nodes.len(), graph.edges.len()), (10_003, 10_001));
    let f = graph.find("f")[0];
    assert_eq!(graph.nodes[f].centres, [recursive]);
    let each = View::call_graph(&profile, Charging::EachFrame);
    assert_eq!(each.nodes.len(), 10_001);
    assert_eq!(View::by_call_path(&profile).nodes.len(), 20_002);
    let compared = compare(&profile, &profile);
    assert_eq!(compared.len(), 20_002);
}

#[test]
fn a_changed_program_is_matched_by_its_paths() {
    let of = |sites: &[(u32, &[&str], f64)]| {
        let mut builder = ProfileBuilder::new(2);
        let mut superstep = MachineSuperstep::new(2);
        for (line, stack, computing_s) in sites {
            let centre = builder.centre(Centre::new(Position::new("q.c", *line), stack.iter().copied()));
            superstep.computation_s.copy_from_slice(&[*computing_s, 0.0]);
            builder.add(centre, &superstep);
        }
        builder.finish()
    };
    let before = of(&[(5, &["sort", "query", "main"], 8.0), (9, &["join", "query", "main"], 2.0)]);
    let after = of(&[(5, &["sort", "query", "main"], 3.0), (7, &["merge", "sort", "query", "main"], 1.0)]);
    let rows: Vec<_> = compare(&before, &after)
        .into_iter()
        .map(|row| (row.label.clone(), row.above, row.before.is_some(), row.after.is_some(), row.gain_s()))
        .collect();
    let row = |label: &str, above, before, after, gain| (label.to_owned(), above, before, after, gain);
    assert_eq!(
        rows,
        [
            row("main", None, true, true, 6.0),
            row("query", Some(0), true, true, 6.0),
            row("sort", Some(1), true, true, 4.0),
            row("q.c line 5", Some(2), true, true, 5.0),
            row("join", Some(1), true, false, 2.0),
            row("q.c line 9", Some(4), true, false, 2.0),
            row("merge", Some(2), false, true, -1.0),
            row("q.c line 7", Some(6), false, true, -1.0),
        ]
    );
}

/// A line more above two that follow each other: the first one stands where the second one stood.
#[test]
fn places_move_with_the_lines_of_their_file() {
    let of = |lines: &[u32]| {
        let mut builder = ProfileBuilder::new(1);
        let mut superstep = MachineSuperstep::new(1);
        for (number, line) in lines.iter().enumerate() {
            let centre = builder.centre(Centre::new(Position::new("q.c", *line), ["main"]));
            superstep.computation_s[0] = 10.0 * (number + 1) as f64;
            builder.add(centre, &superstep);
        }
        builder.finish()
    };
    let gains = |before: &[u32], after: &[u32]| -> Vec<f64> {
        compare(&of(before), &of(after)).iter().skip(1).map(ComparedPath::gain_s).collect()
    };
    assert_eq!(gains(&[5, 6], &[6, 7]), [0.0, 0.0]);
    assert_eq!(gains(&[5, 6], &[6, 7, 9]), [0.0, 0.0, -30.0]);
    // The first one is removed, and another one added behind.
    assert_eq!(gains(&[10, 17, 30], &[16, 29, 45]), [10.0, 10.0, 10.0, -30.0]);
}

/// `smpicc` names files with all their folders.
#[test]
fn a_file_is_the_same_with_more_of_its_folders() {
    let of = |files: &[&str]| {
        let mut builder = ProfileBuilder::new(1);
        for file in files {
            builder.centre(Centre::new(Position::new(*file, 9), ["main"]));
        }
        builder.finish()
    };
    let both = |before: &[&str], after: &[&str]| {
        let rows = compare(&of(before), &of(after));
        rows.iter().filter(|row| row.before.is_some() && row.after.is_some()).count() - 1
    };
    assert_eq!(both(&["q.c", "r.c"], &["/src/r.c", "/src/q.c"]), 2);
    assert_eq!(both(&["src/q.c"], &["q.c"]), 1);
    assert_eq!(both(&["q.c", "r.c"], &["/src/seq.c", "/src/r.c"]), 1);
    assert_eq!(both(&["q.c"], &["seq.c"]), 1, "it has another name");
    assert_eq!(both(&["a/q.c", "b/q.c"], &["q.c"]), 0, "either of them could be meant");
}

#[test]
fn small_nodes_are_those_with_little_time_and_little_waiting() {
    let mut builder = ProfileBuilder::new(2);
    let mut superstep = MachineSuperstep::new(2);
    for (line, computing_s, waiting_s) in [(1, 100.0, 0.0), (2, 0.5, 0.0), (3, 0.0, 5.0)] {
        let centre = builder.centre(Centre::new(Position::new("a.c", line), ["main"]));
        superstep.computation_s.fill(computing_s);
        superstep.waiting_s[1] = waiting_s;
        builder.add(centre, &superstep);
    }
    let profile = builder.finish();
    let view = View::by_procedure(&profile);
    let whole = view.total(&profile);
    let small: Vec<&str> = view
        .nodes
        .iter()
        .filter(|node| profile.cost_of(&node.centres).is_small(&whole, 0.01))
        .map(|node| node.label.as_str())
        .collect();
    assert_eq!(small, ["a.c line 2"]);
}
