//! Supersteps as they stand in traces.

use call_trace::{CallSite, ProcessorSupersteps};
use call_waiting::{Code, NoWaits, WaitKind, Waits};

/// Lines `SUPERSTEP MACHINE DEPTH PLACE START COMPUTING WAITING COMMUNICATING RECORDING … PARTNERS`, seconds.
fn recorded(sections: &[&[&str]]) -> Vec<ProcessorSupersteps> {
    let mut text = "# call-trace 1\n# program: p\n# processors: 4\n# experiment: E\n# variables:\nexperiment processor P time_s\n".to_owned();
    for (processor, lines) in sections.iter().enumerate() {
        text += &format!("# supersteps of processor {processor}, clock common\n");
        text += "# place 1: bsp_sync a.c:9 in main\n# place 2: bsp_oblsync a.c:12 in f < main\n# place 3: bsp_done a.c:20 in main\n";
        text += "# superstep machine depth place start_s computing_s waiting_s communicating_s recording_s out_bytes in_bytes \
                 out_messages in_messages partners experiments inner_waiting_s\n";
        lines.iter().for_each(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let (times, partners) = words.split_at(9);
            text += &format!("# {} 0 0 0 0 {} - 0\n", times.join(" "), partners[0]);
        });
    }
    call_trace::read(format!("{text}# end rows=0\n").as_bytes()).unwrap().supersteps
}

fn before(waits: &Waits, code: usize) -> String {
    match &waits.codes[code] {
        Code::Before(CallSite { call, .. }) => format!("before {call}"),
        Code::Region(CallSite { call, .. }) => call.clone(),
        other => format!("{other:?}"),
    }
}

#[test]
fn synchronisations_wait_for_the_last_one() {
    let waits = Waits::of_supersteps(&recorded(&[
        &["1 0-1.0 0 1 0 2 3 1 0.5 -", "2 0-1.0 0 1 6.5 1 0 1 0 -"],
        &["1 0-1.0 0 1 0 5 0 1 0.5 -", "2 0-1.0 0 1 6.5 0.25 0.75 1 0 -"],
    ]))
    .unwrap();
    assert_eq!(waits.remarks, []);
    let site = &waits.sites[0];
    assert_eq!((site.kinds[0].kind, site.waits), (WaitKind::Barrier, 2));
    assert_eq!(site.waiting_by_processor_ns, [3_000_000_000, 750_000_000]);
    let causes: Vec<(bool, String, i64)> = site.classes[0]
        .causes
        .iter()
        .map(|cause| (cause.is_own, before(&waits, cause.code), cause.time_ns))
        .collect();
    assert_eq!(causes[0], (false, "before bsp_sync".to_owned(), 6_000_000_000));
    let sum_ns: i64 = causes.iter().map(|(_, _, time_ns)| time_ns).sum();
    assert_eq!(sum_ns, site.waiting_ns);
    assert_eq!(waits.efficiency.run_time_ns, 8_500_000_000);
}

/// Processor 2 is the last one, and only processor 1 needs it; 0 needs 1, which has come, and waits for nobody.
#[test]
fn oblivious_synchronisations_wait_for_their_partners_only() {
    let waits = Waits::of_supersteps(&recorded(&[
        &["1 0-2.0 0 2 0 2 0 1 0 1"],
        &["1 0-2.0 0 2 0 1 7 1 0 2"],
        &["1 0-2.0 0 2 0 8 0 1 0 -"],
    ]))
    .unwrap();
    assert_eq!(waits.sites[0].waiting_by_processor_ns, [0, 7_000_000_000, 0]);
    assert_eq!(waits.sites[0].classes[0].causing, [2]);
}

/// Parts of two processors, within a superstep of all.
#[test]
fn parts_wait_for_themselves() {
    let waits = Waits::of_supersteps(&recorded(&[
        &["1 0-1.0 1 1 0 1 2 0 0.5 -", "1 0-3.0 0 1 0 4 1.5 0 0.5 -"],
        &["1 0-1.0 1 1 0 3 0 0 0.5 -", "1 0-3.0 0 1 0 5 0.5 0 0.5 -"],
        &["1 2-3.0 1 1 0 2 0 0 0.5 -", "1 0-3.0 0 1 0 5.5 0 0 0.5 -"],
        &["1 2-3.0 1 1 0 2 0 0 0.5 -", "1 0-3.0 0 1 0 5.5 0 0 0.5 -"],
    ]))
    .unwrap();
    assert_eq!(waits.remarks, []);
    // 2 s in the part, then until 6 s.
    assert_eq!(waits.sites[0].waiting_by_processor_ns, [3_500_000_000, 500_000_000, 0, 0]);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let mut sections = recorded(&[&["1 0-1.0 0 1 0 2 3 1 0 -"], &["1 0-1.0 0 1 0 5 0 1 0 -"]]);
    sections[1].has_common_clock = false;
    assert_eq!(Waits::of_supersteps(&sections).unwrap_err(), NoWaits::OwnClock { processor: 1 });
    assert_eq!(Waits::of_supersteps(&[]).unwrap_err(), NoWaits::Nothing);
    // A range of processors that nobody has.
    let one = recorded(&[&["1 0-4294967295.0 0 1 0 2 3 1 0 1-4294967295"]]);
    assert_eq!(Waits::of_supersteps(&one).unwrap().sites, []);
}
