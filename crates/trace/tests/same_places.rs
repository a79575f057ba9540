use call_trace::{SamePlace, VisitedPlace, same_places};

/// A place of `f` in `a.c`: its line, its call and its visits.
type Place = (u32, &'static str, u32);

fn visited(places: &[Place]) -> Vec<VisitedPlace<'static>> {
    let place = |(line, call, visits): &Place| VisitedPlace {
        procedure: "f",
        call,
        file: "a.c",
        line: *line,
        way: 0,
        visits: f64::from(*visits),
    };
    places.iter().map(place).collect()
}

/// Lines that are the same before and after, with `?` where that is doubtful.
fn pairs(before: &[Place], after: &[Place]) -> String {
    let same = same_places(&visited(before), &visited(after));
    let text = |pair: &SamePlace| {
        let doubt = if pair.is_doubtful { "?" } else { "" };
        format!("{}={}{doubt}", before[pair.before].0, after[pair.after].0)
    };
    same.iter().map(text).collect::<Vec<_>>().join(" ")
}

/// Places of one call that are visited once.
fn barriers(lines: &[u32]) -> Vec<Place> {
    lines.iter().map(|line| (*line, "barrier", 1)).collect()
}

#[test]
fn places_are_the_same_by_the_fewest_changes() {
    let table: &[(&str, &[u32], &[u32], &str)] = &[
        ("identical", &[10, 20, 30], &[10, 20, 30], "10=10 20=20 30=30"),
        ("a comment in front", &[5, 6], &[6, 7], "5=6 6=7"),
        ("a comment between", &[5, 6, 20], &[5, 6, 23], "5=5 6=6 20=23"),
        ("the function moved", &[5, 9, 17], &[205, 209, 217], "5=205 9=209 17=217"),
        ("removed in front, added behind", &[10, 17, 30], &[16, 29, 45], "17=16 30=29"),
        ("the same of many", &[10, 17, 30, 62, 70], &[16, 29, 61, 69, 80], "17=16 30=29 62=61 70=69"),
        ("added in front, removed behind", &[16, 29, 45], &[10, 17, 30], "16=17 29=30"),
        ("removed", &[10, 20, 30], &[10, 29], "10=10 30=29"),
        ("removed, and a comment", &[5, 9, 20], &[7, 22], "5=7 20=22"),
        ("added", &[10, 30], &[10, 15, 31], "10=10 30=31"),
        ("added behind a comment", &[5, 6], &[6, 7, 9], "5=6 6=7"),
        ("the same of two", &[10, 17], &[16, 45], "17=16"),
        ("the only one", &[8], &[309], "8=309"),
    ];
    for (name, before, after, expected) in table {
        assert_eq!(pairs(&barriers(before), &barriers(after)), *expected, "{name}");
    }
}

#[test]
fn other_calls_and_ways_are_other_places() {
    assert_eq!(pairs(&[(5, "send", 1), (9, "barrier", 1)], &[(5, "recv", 1), (9, "wait", 1)]), "", "all new");
    let swapped = pairs(&[(5, "send", 1), (9, "barrier", 1)], &[(5, "barrier", 1), (9, "send", 1)]);
    assert_eq!(swapped, "5=9 9=5", "two that are swapped");
    let on_ways = |places: &[(u32, usize)]| -> Vec<VisitedPlace> {
        places
            .iter()
            .map(|(line, way)| VisitedPlace { way: *way, ..visited(&barriers(&[*line]))[0] })
            .collect()
    };
    let same = same_places(&on_ways(&[(5, 0), (5, 1), (9, 1)]), &on_ways(&[(6, 1), (6, 2), (12, 1)]));
    let same: Vec<_> = same.iter().map(|pair| (pair.before, pair.after)).collect();
    assert_eq!(same, [(1, 0), (2, 2)], "a line is the same on each way");
}

/// Each place is as many lines behind the other, so lines do not tell a longer comment from one that is removed.
#[test]
fn visits_tell_places_apart() {
    let of = |lines: [u32; 3], visits: [u32; 3]| -> Vec<Place> {
        lines.into_iter().zip(visits).map(|(line, visits)| (line, "barrier", visits)).collect()
    };
    let (early, late) = ([10, 20, 30], [20, 30, 40]);
    assert_eq!(pairs(&of(early, [1; 3]), &of(late, [1; 3])), "10=20? 20=30? 30=40?");
    assert_eq!(pairs(&of(early, [1, 100, 1000]), &of(late, [1, 100, 1000])), "10=20 20=30 30=40");
    assert_eq!(pairs(&of(early, [1, 100, 1000]), &of(late, [100, 1000, 5])), "20=20 30=30");
    // Ten times as large an input.
    assert_eq!(pairs(&of(early, [1, 100, 1000]), &of(early, [10, 1000, 10_000])), "10=10 20=20 30=30");
    // Each has the visits that the other one had, though the lines are the same.
    let two = |visits: [u32; 2]| [(10, "barrier", visits[0]), (20, "barrier", visits[1])];
    assert_eq!(pairs(&two([1, 1000]), &two([1000, 1])), "10=10? 20=20?");
}

/// A call that stands once says where the others have moved to.
#[test]
fn calls_beside_them_tell_how_lines_moved() {
    let with_others = |lines: &[u32]| -> Vec<Place> {
        let others = [(5, "send", 1), (60, "recv", 1)];
        barriers(lines).into_iter().chain(others).collect()
    };
    assert_eq!(pairs(&with_others(&[10, 17]), &with_others(&[16, 45])), "17=16 5=5 60=60");
    assert_eq!(pairs(&with_others(&[10, 20]), &with_others(&[20, 30])), "20=20 5=5 60=60");
}

#[test]
fn files_are_the_same_with_other_folders() {
    let of = |files: &[&'static str]| -> Vec<VisitedPlace> {
        files.iter().map(|file| VisitedPlace { file, ..visited(&barriers(&[9]))[0] }).collect()
    };
    let same = |before: &[&'static str], after: &[&'static str]| same_places(&of(before), &of(after)).len();
    assert_eq!(same(&["q.c", "r.c"], &["/src/r.c", "/src/q.c"]), 2);
    assert_eq!(same(&["a/q.c", "b/q.c"], &["q.c"]), 0, "either of them could be meant");
    assert_eq!(same(&["q.c", "r.c"], &["/src/seq.c", "/src/r.c"]), 1);
    assert_eq!(same(&["q.c"], &["queue.c"]), 1, "the only one has another name");
    assert_eq!(same(&["q.c"], &[""]), 1, "no names of files");
}

/// A place that comes among a thousand moves none of the others.
#[test]
fn many_places() {
    let lines: Vec<u32> = (1..400).map(|number| 10 * number + number % 7).collect();
    let after: Vec<u32> = lines.iter().map(|line| line + u32::from(*line > 2000)).collect();
    let (removed, added) = (&lines[1..], &after[..after.len() - 1]);
    let same = same_places(&visited(&barriers(removed)), &visited(&barriers(added)));
    assert_eq!(same.len(), 397);
    assert!(same.iter().all(|pair| pair.after == pair.before + 1 && !pair.is_doubtful));
}
