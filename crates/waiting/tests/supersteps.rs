//! Supersteps as they stand in traces.

use call_trace::{CallSite, ProcessorSupersteps};
use call_waiting::{Code, NoWaits, WaitKind, Waits};

/// Lines `SUPERSTEP MACHINE DEPTH PLACE START COMPUTING WAITING COMMUNICATING RECORDING … PARTNERS [INNER WAITING]`, seconds.
fn recorded(sections: &[&[&str]]) -> Vec<ProcessorSupersteps> {
    let mut text = "# call-trace 1\n# program: p\n# processors: 4\n# experiment: E\n# variables:\nexperiment processor P time_s\n".to_owned();
    for (processor, lines) in sections.iter().enumerate() {
        text += &format!("# supersteps of processor {processor}, clock common\n");
        text += "# place 1: bsp_sync a.c:9 in main\n# place 2: bsp_oblsync a.c:12 in f < main\n# place 3: bsp_done a.c:20 in main\n";
        text += "# place 4: bsp_sumI a.c:15 in main\n";
        text += "# superstep machine depth place start_s computing_s waiting_s communicating_s recording_s out_bytes in_bytes \
                 out_messages in_messages partners experiments inner_waiting_s\n";
        lines.iter().for_each(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let (times, partners) = words.split_at(9);
            let inner = partners.get(1).unwrap_or(&"0");
            text += &format!("# {} 0 0 0 0 {} - {inner}\n", times.join(" "), partners[0]);
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

/// A collective function of BSPlib is a barrier as well.
#[test]
fn collectives_wait_for_the_last_one() {
    let waits = Waits::of_supersteps(&recorded(&[
        &["1 0-1.0 0 4 0 2 3 0 0 -", "2 0-1.0 0 4 5 1 0 0 0 -", "3 0-1.0 0 3 6 0 0 0 0 -"],
        &["1 0-1.0 0 4 0 5 0 0 0 -", "2 0-1.0 0 4 5 1 0 0 0 -", "3 0-1.0 0 3 6 0 0 0 0 -"],
    ]))
    .unwrap();
    assert_eq!(waits.remarks, []);
    let site = &waits.sites[0];
    assert_eq!((site.site.call.as_str(), site.kinds[0].kind), ("bsp_sumI", WaitKind::Barrier));
    assert_eq!(site.waiting_by_processor_ns, [3_000_000_000, 0]);
    assert_eq!(waits.efficiency.parallel, 9.0 / 12.0);
}

/// Processor 1 waits 3 s in a collective function for nobody knows whom, and 1 s in the synchronisation.
#[test]
fn waits_within_supersteps_have_no_cause() {
    let waits = Waits::of_supersteps(&recorded(&[
        &["1 0-1.0 0 1 0 6 0 1 0 -", "2 0-1.0 0 3 7 1 0 0 0 -"],
        &["1 0-1.0 0 1 0 2 4 1 0 - 3", "2 0-1.0 0 3 7 1 0 0 0 -"],
    ]))
    .unwrap();
    assert_eq!(waits.remarks, []);
    assert_eq!((waits.efficiency.parallel, waits.efficiency.waiting), (10.0 / 16.0, 4.0 / 16.0));
    let [first, second] = [&waits.times[0], &waits.times[1]];
    assert_eq!(
        (first.computing_ns, first.waiting_ns, first.communicating_ns),
        (7_000_000_000, 0, 1_000_000_000)
    );
    assert_eq!(
        (second.computing_ns, second.waiting_ns, second.communicating_ns),
        (3_000_000_000, 4_000_000_000, 1_000_000_000)
    );
    let [inner] = &waits.unexplained[..] else { panic!("one") };
    assert_eq!((inner.before.call.as_str(), inner.waits, inner.time_ns), ("bsp_sync", 1, 3_000_000_000));
    assert_eq!((waits.unanalysed.len(), waits.calls()), (0, 2));
    // The known wait is 6 s of computing, less 2 s of it and the 3 s.
    let site = &waits.sites[0];
    assert_eq!((waits.sites.len(), site.waiting_ns), (1, 1_000_000_000));
    let causes: Vec<(bool, String, i64)> = site.classes[0]
        .causes
        .iter()
        .map(|cause| (cause.is_own, before(&waits, cause.code), cause.time_ns))
        .collect();
    assert_eq!(
        causes,
        [
            (false, "before bsp_sync".to_owned(), 6_000_000_000),
            (true, "waits before bsp_sync".to_owned(), -3_000_000_000),
            (true, "before bsp_sync".to_owned(), -2_000_000_000)
        ]
    );
    let parts = waits.parts(8);
    let waiting: Vec<i64> = parts[1].iter().map(|part| part.waiting_ns / 1_000_000_000).collect();
    assert_eq!(waiting, [0, 0, 1, 1, 1, 1, 0, 0]);
    // The end of a machine is no synchronisation: all that was waited before it is inside.
    let ended = Waits::of_supersteps(&recorded(&[&["1 0-0.0 0 3 0 1 2 0 0 - 2"]])).unwrap();
    assert_eq!((ended.efficiency.parallel, ended.efficiency.waiting), (1.0 / 3.0, 2.0 / 3.0));
}

/// The processor waits 5 s before its part and 1 s behind it, but only how long is recorded: no part computes or waits for it.
#[test]
fn waits_around_parts_lie_beside_them() {
    let of_processor = ["1 0-0.0 1 1 6 1 0 1 0 -", "2 0-0.0 1 3 8 1 0 0 0 -", "1 0-1.0 0 1 0 6 6 1 0 - 6"];
    let waits = Waits::of_supersteps(&recorded(&[&of_processor, &["1 0-1.0 0 1 0 12 0 1 0 -"]])).unwrap();
    assert_eq!(waits.remarks, []);
    let times = &waits.times[0];
    // One second of communicating is the part's.
    assert_eq!(
        (times.computing_ns, times.waiting_ns, times.communicating_ns),
        (5_000_000_000, 6_000_000_000, 2_000_000_000)
    );
    let parts = waits.parts(13);
    let waiting: Vec<i64> = parts[0].iter().map(|part| part.waiting_ns / 1_000_000_000).collect();
    assert_eq!(waiting, [0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0]);
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
