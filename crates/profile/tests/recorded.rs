//! Profiles of recorded runs with planted times.

use call_bsp::recording::RecordedRun;
use call_profile::{Centre, Cost, CostQuantity, Position, Profile, View};

/// A trace of sections, each the places and lines of a processor. Times of a line are computing, waiting, communicating.
fn run(sections: &[(&[&str], &[&str])]) -> RecordedRun {
    let mut text =
        "# call-trace 1\n# program: p\n# processors: 4\n# experiment: E\n# variables:\nexperiment processor P time_s\n".to_owned();
    for (processor, (places, lines)) in sections.iter().enumerate() {
        text += &format!("# supersteps of processor {processor}, clock common\n");
        for (number, place) in places.iter().enumerate() {
            text += &format!("# place {}: {place}\n", number + 1);
        }
        text += "# superstep machine depth place start_s computing_s waiting_s communicating_s recording_s out_bytes in_bytes out_messages \
                 in_messages partners experiments inner_waiting_s\n";
        for line in *lines {
            text += &format!("# {line}\n");
        }
    }
    text += "# end rows=0\n";
    let trace = call_trace::read(text.as_bytes()).unwrap();
    RecordedRun::rebuild(&trace.supersteps).unwrap()
}

fn sums(cost: &Cost, quantity: CostQuantity) -> [f64; 4] {
    let its = cost.of(quantity);
    [its.maximum, its.largest_processor(), its.average, its.minimum]
}

const PLACES: [&str; 3] =
    ["bsp_sync a.c:5 in f < main", "bsp_sync a.c:9 in g < f < main", "bsp_end a.c:20 in main"];

fn two_processors() -> RecordedRun {
    run(&[
        (
            &PLACES,
            &[
                "1 0-1.0 0 1 0 1 2 1 0 8 0 1 0 - - 0",
                "2 0-1.0 0 1 4 3 0.5 1 0 0 16 0 1 1 - 0",
                "3 0-1.0 0 2 8.5 1 0.25 0.5 0 0 0 0 0 - - 0",
                "4 0-1.0 0 3 10.25 0.5 0 0 0 0 0 0 0 - - 0",
            ],
        ),
        (
            &PLACES,
            &[
                "1 0-1.0 0 1 0 2.5 0.5 1 0 0 8 0 1 0 - 0",
                "2 0-1.0 0 1 4 1 2.5 1 0 16 0 1 0 - - 0",
                "3 0-1.0 0 2 8.5 1 0.25 0.5 0 0 0 0 0 - - 0",
                "4 0-1.0 0 3 10.25 0.75 0 0 0 0 0 0 0 - - 0",
            ],
        ),
    ])
}

#[test]
fn costs_are_those_that_were_planted() {
    let profile = Profile::of_runs(&[two_processors()]).unwrap();
    let centre =
        |file: &str, line, stack: &[&str]| Centre::new(Position::new(file, line), stack.iter().copied());
    let expected = [
        centre("a.c", 5, &["f", "main"]),
        centre("a.c", 9, &["g", "f", "main"]),
        Centre::new(Position::of_call("bsp_end", Some("a.c"), 20), ["main"]),
    ];
    assert_eq!(profile.centres(), expected);
    let first = &profile.costs()[0];
    assert_eq!(first.synchronisations, 2);
    assert_eq!(sums(first, CostQuantity::Computation), [5.5, 4.0, 3.75, 2.0]);
    // Half a second is waited by both in each of the two.
    assert_eq!(sums(first, CostQuantity::Communication), [3.0; 4]);
    assert_eq!(sums(first, CostQuantity::Waiting), [3.5, 2.0, 1.75, 0.0]);
    assert_eq!(first.latency_s, 1.0);
    assert_eq!(sums(first, CostQuantity::H), [24.0; 4]);
    assert_eq!((&first.in_bytes, &first.out_bytes), (&vec![16.0, 8.0], &vec![8.0, 16.0]));
    let end = &profile.costs()[2];
    assert_eq!((end.synchronisations, sums(end, CostQuantity::Computation)), (0, [0.75, 0.75, 0.625, 0.5]));
    let view = View::by_procedure(&profile);
    let f = profile.cost_of(&view.nodes[view.find("f")[0]].centres);
    assert_eq!((f.synchronisations, f.time_s(), f.saving_s()), (3, 6.5 + 3.75, 1.75));
}

/// Processor 0 sends to both others and goes on at once, 1 comes last; what they wait after second 3 the data were on their way.
#[test]
fn data_on_their_way_are_communication() {
    let places = ["bsp_sync a.c:5 in main"];
    let sections: [(&[&str], &[&str]); 3] = [
        (&places, &["1 0-2.0 0 1 0 2 1 0.25 0 16 0 2 0 - - 0"]),
        (&places, &["1 0-2.0 0 1 0 3 4 0.5 0 0 8 0 1 0 - 0"]),
        (&places, &["1 0-2.0 0 1 0 1 6 0.5 0 0 8 0 1 0 - 0.5"]),
    ];
    let its = |run: RecordedRun| {
        let total = Profile::of_runs(&[run]).unwrap().total();
        let [waiting, communication] = [CostQuantity::Waiting, CostQuantity::Communication];
        (
            total.of(communication).by_processor.clone(),
            total.of(waiting).by_processor.clone(),
            total.latency_s,
        )
    };
    // In memory they are there at once: whoever waits longer than all has woken up late.
    assert_eq!(its(run(&sections)), (vec![1.25, 1.5, 1.5], vec![0.0, 3.0, 5.0], 1.0));
    // Processor 2 has waited half a second before it came to the synchronisation, at 1.5, and 1.5 there before processor 1 did.
    let over_network = its(run(&sections).over_network());
    assert_eq!(over_network, (vec![0.25, 4.5, 4.5], vec![1.0, 0.0, 2.0], 0.0));
}

/// Collective functions of BSPlib synchronise; the machine ends without.
#[test]
fn collectives_are_synchronisations() {
    let places = ["bsp_bcast a.c:5 in main", "bsp_sumI ? in fold < main", "report ? in main"];
    let lines = |computing: [&str; 2]| {
        [
            format!("1 0-1.0 0 1 0 {} 0 0 0 8 8 1 1 - - 0", computing[0]),
            format!("2 0-1.0 0 2 5 {} 0 0 0 0 0 0 0 - - 0", computing[1]),
            "3 0-1.0 0 3 9 1 0 0 0 0 0 0 0 - - 0".to_owned(),
            "3 0-1.0 0 3 10 1 0 0 0 0 0 0 0 - - 0".to_owned(),
        ]
    };
    let (first, second) = (lines(["1", "4"]), lines(["5", "2"]));
    let [first, second] = [&first, &second].map(|lines| lines.each_ref().map(String::as_str));
    let profile = Profile::of_runs(&[run(&[(&places, &first), (&places, &second)])]).unwrap();
    let centre =
        |file: &str, line, stack: &[&str]| Centre::new(Position::new(file, line), stack.iter().copied());
    let expected = [
        centre("a.c", 5, &["main"]),
        Centre::new(Position::of_call("bsp_sumI", None, 0), ["fold", "main"]),
        Centre::new(Position::of_call("report", None, 0), ["main"]),
    ];
    assert_eq!(profile.centres(), expected);
    let synchronisations: Vec<u64> = profile.costs().iter().map(|cost| cost.synchronisations).collect();
    assert_eq!(synchronisations, [1, 1, 0]);
    assert_eq!(profile.costs()[0].time_s(), 5.0);
}

#[test]
fn several_runs_are_added_up() {
    let one = Profile::of_runs(&[two_processors()]).unwrap();
    let two = Profile::of_runs(&[two_processors(), two_processors()]).unwrap();
    assert_eq!(two.centres(), one.centres());
    assert_eq!(two.total().time_s(), 2.0 * one.total().time_s());
    assert_eq!(Profile::of_runs(&[]), None);
    let single = run(&[(&PLACES, &["1 0-0.0 0 1 0 1 0 0 0 0 0 0 0 - - 0"])]);
    assert_eq!(Profile::of_runs(&[two_processors(), single]), None);
}

/// Processors 0 and 1 are a part, 2 and 3 another, and both synchronise at the same place, the second one twice.
#[test]
fn parts_run_at_the_same_time() {
    let places = ["bsp_sync a.c:5 in part < main", "bsp_done a.c:6 in main", "bsp_sync a.c:9 in main"];
    let once = |computing: &str, part: &str| {
        [
            format!("1 {part} 1 1 0 {computing} 0 0 0 0 0 0 0 - - 0"),
            format!("2 {part} 1 2 {computing} 0 0 0 0 0 0 0 0 - - 0"),
        ]
    };
    let twice = |part: &str| {
        [
            format!("1 {part} 1 1 0 2 0 0 0 0 0 0 0 - - 0"),
            format!("2 {part} 1 1 2 1 0 0 0 0 0 0 0 - - 0"),
            format!("3 {part} 1 2 3 0 0 0 0 0 0 0 0 - - 0"),
        ]
    };
    let whole = |computing: &str| format!("1 0-3.0 0 3 0 {computing} 0 0 0 0 0 0 0 - - 0");
    let mut sections: Vec<Vec<String>> = Vec::new();
    for computing in ["1", "1"] {
        let mut lines = once(computing, "0-1.0").to_vec();
        lines.push(whole("5"));
        sections.push(lines);
    }
    for _ in 0..2 {
        let mut lines = twice("2-3.0").to_vec();
        lines.push(whole("5"));
        sections.push(lines);
    }
    let lines: Vec<Vec<&str>> =
        sections.iter().map(|lines| lines.iter().map(String::as_str).collect()).collect();
    let sections: Vec<(&[&str], &[&str])> =
        lines.iter().map(|lines| (places.as_slice(), lines.as_slice())).collect();
    let profile = Profile::of_runs(&[run(&sections)]).unwrap();
    let cost = |line| {
        let centre =
            profile.centres().iter().position(|centre| centre.position == Position::new("a.c", line));
        &profile.costs()[centre.unwrap()]
    };
    // First 1, 1, 2, 2, then 0, 0, 1, 1.
    assert_eq!(cost(5).synchronisations, 2);
    assert_eq!(sums(cost(5), CostQuantity::Computation), [3.0, 3.0, 2.0, 1.0]);
    // What is not in the parts: 4 and 2 of 5 seconds.
    assert_eq!(sums(cost(9), CostQuantity::Computation), [4.0, 4.0, 3.0, 2.0]);
}

#[test]
fn a_superstep_that_ends_at_different_places_belongs_to_the_commonest() {
    let places = |line: u32| [format!("bsp_sync a.c:{line} in main")];
    let lines = ["1 0-2.0 0 1 0 1 0 0 0 0 0 0 0 - - 0"];
    let profile_of = |order: [u32; 3]| {
        let texts = order.map(places);
        let places: Vec<[&str; 1]> = texts.iter().map(|[place]| [place.as_str()]).collect();
        let sections: Vec<(&[&str], &[&str])> =
            places.iter().map(|places| (places.as_slice(), lines.as_slice())).collect();
        Profile::of_runs(&[run(&sections)]).unwrap()
    };
    for order in [[8, 5, 8], [5, 8, 8]] {
        let profile = profile_of(order);
        assert_eq!((profile.divergent_supersteps, profile.centres()[0].position.line), (1, 8));
        assert_eq!(profile.total().time_s(), 1.0);
    }
    assert_eq!(profile_of([9, 7, 8]).centres()[0].position.line, 7);
    assert_eq!(profile_of([7, 7, 7]).divergent_supersteps, 0);
}
