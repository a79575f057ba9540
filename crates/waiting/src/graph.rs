use crate::kind::WaitKind;
use crate::matching::Release;

/// Which calls wait for which: the releases, and by timeline what its calls have to do with them.
#[derive(Debug, Clone)]
pub(crate) struct Graph {
    pub(crate) releases: Vec<Release>,
    /// For each timeline calls with the releases that they take part in, in their order.
    pub(crate) gives: Vec<Vec<(usize, usize)>>,
    /// For each timeline calls with the releases that they need, likewise.
    pub(crate) needs: Vec<Vec<(usize, usize, WaitKind)>>,
}

impl Graph {
    pub(crate) fn new(timelines: usize, releases: Vec<Release>) -> Graph {
        let mut gives = vec![Vec::new(); timelines];
        let mut needs = vec![Vec::new(); timelines];
        for (number, release) in releases.iter().enumerate() {
            release.by.iter().for_each(|place| gives[place.timeline].push((place.call, number)));
            release
                .waiting
                .iter()
                .for_each(|(place, kind)| needs[place.timeline].push((place.call, number, *kind)));
        }
        gives.iter_mut().for_each(|all| all.sort_unstable());
        needs.iter_mut().for_each(|all| all.sort_unstable_by_key(|(call, release, _)| (*call, *release)));
        Graph { releases, gives, needs }
    }
}
