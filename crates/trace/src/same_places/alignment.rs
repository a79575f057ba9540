use std::collections::BTreeMap;

use super::histories::{CHANGE, Histories, Lines, change};

/// A line where something is done, by which its partner is looked for.
pub(super) struct Stop {
    pub line: u32,
    what: What,
}

enum What {
    /// What is looked for, with how often it was come to on each way.
    Own(BTreeMap<usize, f64>),
    /// Something else, which is the same where it has the same number.
    Sure(usize),
}

/// A line before and one after that are the same place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Aligned {
    pub old_line: u32,
    pub new_line: u32,
    pub is_doubtful: bool,
}

/// What speaks, in bits, against two places being the same whose visits have nothing in common.
const OTHER_VISITS: f64 = 3.0;
/// Another history is nearly as likely if no more than this speaks against it: it is a fourth as likely.
const DOUBT: f64 = 2.0;

impl Stop {
    pub fn new(line: u32, visits: impl Iterator<Item = (usize, f64)>) -> Stop {
        Stop { line, what: What::Own(visits.collect()) }
    }

    pub fn sure((number, line): (usize, u32)) -> Stop {
        Stop { line, what: What::Sure(number) }
    }

    fn visits(&self) -> f64 {
        match &self.what {
            What::Own(visits) => visits.values().sum(),
            What::Sure(_) => 0.0,
        }
    }
}

/// Pairs lines, both in ascending order, by the history of changes that least speaks against.
pub(super) fn aligned(old: &[Stop], new: &[Stop]) -> Vec<Aligned> {
    let own = differences(old, new);
    let line_of = |stop: &Stop| i64::from(stop.line);
    let lines = Lines {
        old: old.iter().map(line_of).collect(),
        new: new.iter().map(line_of).collect(),
        has_start: true,
    };
    let forwards = Histories::of(&lines, |before, after| own[before][after]);
    let behind = |before: usize, after: usize| (old.len() - 1 - before, new.len() - 1 - after);
    let backwards = Histories::of(&lines.turned(), |before, after| {
        let (before, after) = behind(before, after);
        own[before][after]
    });
    let all = || (0..old.len()).flat_map(|before| (0..new.len()).map(move |after| (before, after)));
    let ending_with = |(before, after): (usize, usize)| {
        let (olds, news) = behind(before, after);
        forwards.against[before][after] + change(None, [olds, news])
    };
    let Some(last) = all().min_by(|one, other| ending_with(*one).total_cmp(&ending_with(*other))) else {
        return Vec::new();
    };
    let least = ending_with(last);
    // Nothing is what it was.
    if least > CHANGE + change(None, [old.len(), new.len()]) {
        return Vec::new();
    }
    let pairs: Vec<_> =
        std::iter::successors(Some(last), |(before, after)| forwards.from[*before][*after]).collect();
    let through = |(before, after): (usize, usize)| {
        let (olds, news) = behind(before, after);
        forwards.against[before][after] + backwards.against[olds][news] - own[before][after]
    };
    let likely: Vec<_> = all()
        .filter(|(before, after)| own[*before][*after].is_finite())
        .filter(|pair| through(*pair) < least + DOUBT)
        .collect();
    let is_doubtful = |pair: (usize, usize)| {
        likely.iter().any(|other| *other != pair && (other.0 == pair.0 || other.1 == pair.1))
            || pairs.iter().any(|other| may_be_exchanged(&own, pair, *other))
    };
    let its_own = pairs.iter().rev().filter(|(before, _)| matches!(old[*before].what, What::Own(_)));
    its_own
        .map(|pair| Aligned {
            old_line: old[pair.0].line,
            new_line: new[pair.1].line,
            is_doubtful: is_doubtful(*pair),
        })
        .collect()
}

/// Whether two places may have changed places, as each has the visits of the other one; a change where each was and one where it is speak against that.
fn may_be_exchanged(own: &[Vec<f64>], one: (usize, usize), other: (usize, usize)) -> bool {
    let kept = own[one.0][one.1] + own[other.0][other.1];
    let exchanged = own[one.0][other.1] + own[other.0][one.1];
    exchanged == 0.0 && kept >= 2.0 * CHANGE - DOUBT
}

/// What speaks against places being the same, before any history.
fn differences(old: &[Stop], new: &[Stop]) -> Vec<Vec<f64>> {
    let all = |stops: &[Stop]| stops.iter().map(Stop::visits).sum::<f64>();
    let scale = Some(all(new) / all(old)).filter(|scale| scale.is_finite()).unwrap_or(1.0);
    old.iter().map(|old| new.iter().map(|new| difference(old, new, scale)).collect()).collect()
}

/// The same of two, by their visits, in number or as a part of all; infinite if they cannot be the same.
fn difference(old: &Stop, new: &Stop, scale: f64) -> f64 {
    match (&old.what, &new.what) {
        (What::Sure(old), What::Sure(new)) if old == new => 0.0,
        (What::Own(old), What::Own(new)) if old.keys().any(|way| new.contains_key(way)) => {
            let common = common_share(old, new, 1.0).max(common_share(old, new, scale));
            OTHER_VISITS * (1.0 - common)
        }
        _ => f64::INFINITY,
    }
}

/// The visits that both have, as a part of those that one of them has.
fn common_share(old: &BTreeMap<usize, f64>, new: &BTreeMap<usize, f64>, scale: f64) -> f64 {
    let of_new = |way: &usize| new.get(way).copied().unwrap_or(0.0);
    let common: f64 = old.iter().map(|(way, visits)| (visits * scale).min(of_new(way))).sum();
    let all = old.values().sum::<f64>() * scale + new.values().sum::<f64>() - common;
    if all > 0.0 { common / all } else { 1.0 }
}
