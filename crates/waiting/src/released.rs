use crate::graph::{Graph, Release};

/// What is known of releases in a replay, while any call needs it.
pub(crate) struct Releases<'a, Time> {
    graph: &'a Graph,
    never: Time,
    /// By release, or `NOTHING`.
    place_of: Vec<u32>,
    places: Vec<Released<Time>>,
    free: Vec<u32>,
}

const NOTHING: u32 = u32::MAX;

/// When the last call of a release was entered, as it was recorded and as it would be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Released<Time> {
    missing: u32,
    users: u32,
    pub(crate) recorded_ns: i64,
    pub(crate) changed: Time,
}

impl<'a, Time: Copy> Releases<'a, Time> {
    /// Of all that is released nothing has come; `never` is earlier than any time.
    pub(crate) fn new(graph: &'a Graph, never: Time) -> Releases<'a, Time> {
        let place_of = vec![NOTHING; graph.releases.len()];
        Releases { graph, never, place_of, places: Vec::new(), free: Vec::new() }
    }

    /// One of its calls was entered: what is known of it, unless nobody needs it.
    pub(crate) fn given(&mut self, release: u32) -> Option<&mut Released<Time>> {
        if self.graph.releases.at(release).users == 0 && self.graph.after.is_empty() {
            return None;
        }
        let its = self.of(release);
        its.missing = its.missing.saturating_sub(1);
        Some(its)
    }

    /// What is known of it if all of its calls were entered: what was not there when a call gave up waiting counts for nothing.
    pub(crate) fn complete(&self, release: u32) -> Option<&Released<Time>> {
        self.places.get(self.place_of[release as usize] as usize).filter(|its| its.missing == 0)
    }

    /// One of those that need it does so no more.
    pub(crate) fn needed(&mut self, release: u32) {
        let its = self.of(release);
        its.users = its.users.saturating_sub(1);
        // Others may come behind a release.
        if its.users == 0 && its.missing == 0 && self.graph.after.is_empty() {
            self.free.push(std::mem::replace(&mut self.place_of[release as usize], NOTHING));
        }
    }

    fn of(&mut self, release: u32) -> &mut Released<Time> {
        let place = &mut self.place_of[release as usize];
        if *place == NOTHING {
            let Release { by, users } = self.graph.releases.at(release);
            let fresh = Released { missing: by, users, recorded_ns: i64::MIN, changed: self.never };
            *place = match self.free.pop() {
                Some(free) => free,
                None => {
                    self.places.push(fresh);
                    self.places.len() as u32 - 1
                }
            };
            self.places[*place as usize] = fresh;
        }
        &mut self.places[*place as usize]
    }
}
