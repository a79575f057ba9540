//! Places in the source of a program that are the same in two runs, between which it was changed.

mod alignment;
mod histories;

use std::collections::BTreeMap;

use alignment::Stop;

/// A place in the source that a run came to on some way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VisitedPlace<'a> {
    /// The function that it is in.
    pub procedure: &'a str,
    /// What is done there: only places that do the same can be the same.
    pub call: &'a str,
    /// Its file, or nothing if that is not known.
    pub file: &'a str,
    /// Counted from 1, or 0 if it is not known.
    pub line: u32,
    /// Numbers the ways to the function, alike in both runs.
    pub way: usize,
    /// How often the run came there on that way.
    pub visits: f64,
}

/// A place on a way in two runs, as positions in their lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub struct SamePlace {
    pub before: usize,
    pub after: usize,
    /// Whether another place is nearly as likely to be it.
    pub is_doubtful: bool,
}

/// Finds which places are the same, though lines move as a file is changed: of all that can have been done to a function, what takes the fewest
/// changes, where each place that comes or goes counts, too, and visits that became more or fewer. Places that do the same thing keep their
/// order. A file is the same with more or fewer of its folders in front, as compilers differ in that.
pub fn same_places(before: &[VisitedPlace], after: &[VisitedPlace]) -> Vec<SamePlace> {
    let mut procedures: BTreeMap<&str, [BTreeMap<&str, Stops>; 2]> = BTreeMap::new();
    for (run, places) in [before, after].into_iter().enumerate() {
        for (number, place) in places.iter().enumerate() {
            let files = &mut procedures.entry(place.procedure).or_default()[run];
            let calls = files.entry(place.file).or_default();
            let ways = calls.entry(place.call).or_default().entry(place.line).or_default();
            ways.entry(place.way).or_insert((number, 0.0)).1 += place.visits;
        }
    }
    let mut found = Vec::new();
    for [old, new] in procedures.values() {
        for (old_file, new_file) in same_files(old, new) {
            places_of_a_file(&old[old_file], &new[new_file], &mut found);
        }
    }
    found.sort_unstable();
    found
}

/// The places of a function in one file, by what they do and by line, with the ways to them.
type Stops<'a> = BTreeMap<&'a str, BTreeMap<u32, Ways>>;

/// For each way the position of the place in the list, and its visits.
type Ways = BTreeMap<usize, (usize, f64)>;

/// The files of a function that are the same: of like names, or the only ones.
fn same_files<'a>(old: &BTreeMap<&'a str, Stops>, new: &BTreeMap<&'a str, Stops>) -> Vec<(&'a str, &'a str)> {
    if let (1, 1) = (old.len(), new.len()) {
        return old.keys().copied().zip(new.keys().copied()).collect();
    }
    let beside = |file: &str, others: &BTreeMap<&'a str, Stops>| {
        let is_end = |long: &str, short: &str| {
            long.strip_suffix(short).is_some_and(|folders| folders.is_empty() || folders.ends_with('/'))
        };
        let mut alike = others.keys().copied().filter(|other| is_end(other, file) || is_end(file, other));
        let exact = others.get_key_value(file).map(|(other, _)| *other);
        exact.or_else(|| alike.next().filter(|_| alike.next().is_none()))
    };
    let pairs = old.keys().copied().filter_map(|file| beside(file, new).map(|other| (file, other)));
    pairs.filter(|(file, other)| beside(other, old) == Some(file)).collect()
}

fn places_of_a_file(old: &Stops, new: &Stops, found: &mut Vec<SamePlace>) {
    let shared: Vec<_> = old.iter().filter_map(|(call, old)| new.get(call).map(|new| (old, new))).collect();
    let (single, several): (Vec<_>, Vec<_>) =
        shared.into_iter().partition(|(old, new)| old.len() == 1 && new.len() == 1);
    let single = single.into_iter().flat_map(|(old, new)| old.iter().zip(new));
    // Those who stand once before and once after say how lines have moved.
    let sure: Vec<_> =
        single.filter(|((_, old), (_, new))| old.keys().any(|way| new.contains_key(way))).collect();
    for ((_, old), (_, new)) in &sure {
        add_ways(old, new, false, found);
    }
    for (old, new) in several {
        let pairs = alignment::aligned(
            &sequence(old, sure.iter().map(|(old, _)| *old.0)),
            &sequence(new, sure.iter().map(|(_, new)| *new.0)),
        );
        for pair in pairs {
            add_ways(&old[&pair.old_line], &new[&pair.new_line], pair.is_doubtful, found);
        }
    }
}

/// The places of one call and the lines of sure ones, by line.
fn sequence(places: &BTreeMap<u32, Ways>, sure: impl Iterator<Item = u32>) -> Vec<Stop> {
    let own = places
        .iter()
        .map(|(line, ways)| Stop::new(*line, ways.iter().map(|(way, (_, visits))| (*way, *visits))));
    let mut stops: Vec<Stop> = own.chain(sure.enumerate().map(Stop::sure)).collect();
    stops.sort_by_key(|stop| stop.line);
    stops
}

fn add_ways(old: &Ways, new: &Ways, is_doubtful: bool, found: &mut Vec<SamePlace>) {
    let ways = old.iter().filter_map(|(way, (before, _))| new.get(way).map(|(after, _)| (*before, *after)));
    found.extend(ways.map(|(before, after)| SamePlace { before, after, is_doubtful }));
}
