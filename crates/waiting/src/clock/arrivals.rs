//! What has come to releases.

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use crate::graph::{CallPlace, Give, Graph};
use crate::path::Path;
use crate::timeline::ProcessorTimeline;

const NOTHING: u32 = u32::MAX;

/// What has come to a release that somebody needs still.
#[derive(Debug, Default)]
pub(super) struct Arrived {
    /// How many calls have not come so far, and how many have not asked for it.
    pub(super) missing: u32,
    pub(super) users: u32,
    /// The last one that was entered, when, and its path then.
    pub(super) last: Option<(CallPlace, i64, Path)>,
    pub(super) ideal_ns: i64,
    pub(super) parked: Vec<u32>,
}

/// Those of all releases that are under way; others get their places.
#[derive(Debug)]
pub(super) struct Arrivals<'a> {
    graph: &'a Graph,
    /// Of releases that come before others, which need them, how many these are.
    followers: HashMap<u32, u32>,
    /// By release.
    place_of: Vec<u32>,
    places: Vec<Arrived>,
    free: Vec<u32>,
}

impl<'a> Arrivals<'a> {
    /// Nothing has come.
    pub(super) fn new(graph: &'a Graph) -> Arrivals<'a> {
        let place_of = vec![NOTHING; graph.releases.len()];
        let mut followers = HashMap::new();
        graph.after.values().for_each(|before| *followers.entry(*before).or_default() += 1);
        Arrivals { graph, followers, place_of, places: Vec::new(), free: Vec::new() }
    }

    /// Whether anybody ever asks for it.
    pub(super) fn is_of_use(&self, release: u32) -> bool {
        self.graph.releases.at(release).users > 0 || self.followers(release) > 0
    }

    fn followers(&self, release: u32) -> u32 {
        if self.followers.is_empty() { 0 } else { self.followers.get(&release).copied().unwrap_or(0) }
    }

    pub(super) fn of(&mut self, release: u32) -> &mut Arrived {
        let place = self.place_of[release as usize];
        if place != NOTHING {
            return &mut self.places[place as usize];
        }
        let place = self.free.pop().unwrap_or_else(|| {
            self.places.push(Arrived::default());
            self.places.len() as u32 - 1
        });
        self.place_of[release as usize] = place;
        let (counts, followers) = (self.graph.releases.at(release), self.followers(release));
        let arrived = &mut self.places[place as usize];
        (arrived.missing, arrived.users) = (counts.by, counts.users + followers);
        arrived
    }

    pub(super) fn get(&self, release: u32) -> Option<&Arrived> {
        self.places.get(self.place_of[release as usize] as usize)
    }

    /// Nobody will ask for it, or give to it.
    pub(super) fn forget(&mut self, release: u32) {
        let place = std::mem::replace(&mut self.place_of[release as usize], NOTHING);
        if let Some(arrived) = self.places.get_mut(place as usize) {
            (arrived.last, arrived.ideal_ns) = (None, 0);
            self.free.push(place);
        }
    }
}

/// By timeline and give, whether who needs the release may wait for it: what comes before they ask is no cause of waiting. Where all come
/// together they go on together, too.
pub(super) fn late_gives(timelines: &[ProcessorTimeline], graph: &Graph) -> Vec<FixedBitSet> {
    let mut needed_ns = vec![i64::MAX; graph.releases.len()];
    for (timeline, needs) in timelines.iter().zip(&graph.needs) {
        for needs in needs.chunk_by(|left, right| left.call == right.call) {
            let enter_ns = timeline.calls.at(needs[0].call as usize).enter_ns;
            for need in needs {
                let its_ns = &mut needed_ns[need.release as usize];
                *its_ns = enter_ns.min(*its_ns);
            }
        }
    }
    graph.after.values().for_each(|before| needed_ns[*before as usize] = i64::MIN);
    let together = together(timelines, graph, &needed_ns);
    let of_timeline = |(timeline, gives): (&ProcessorTimeline, &Vec<Give>)| {
        let mut late = FixedBitSet::with_capacity(gives.len());
        let mut number = 0;
        for gives in gives.chunk_by(|left, right| left.call == right.call) {
            let enter_ns = timeline.calls.at(gives[0].call as usize).enter_ns;
            for give in gives {
                let release = give.release as usize;
                late.set(number, enter_ns > needed_ns[release] || together.contains(release));
                number += 1;
            }
        }
        late
    };
    timelines.iter().zip(&graph.gives).map(of_timeline).collect()
}

/// Releases to which all come at the moment at which they are first needed.
fn together(timelines: &[ProcessorTimeline], graph: &Graph, needed_ns: &[i64]) -> FixedBitSet {
    let mut together = FixedBitSet::with_capacity(graph.releases.len());
    graph.group.keys().for_each(|release| together.insert(*release as usize));
    if graph.group.is_empty() {
        return together;
    }
    for (timeline, gives) in timelines.iter().zip(&graph.gives) {
        for give in gives {
            let release = give.release as usize;
            if together.contains(release)
                && timeline.calls.at(give.call as usize).enter_ns != needed_ns[release]
            {
                together.remove(release);
            }
        }
    }
    together
}
