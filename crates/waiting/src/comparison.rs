use std::collections::BTreeMap;

use call_trace::CallSite;

use crate::site::Site;

/// A site of two runs, as positions in their lists of sites; `None` where nothing waits there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct ComparedSite {
    pub before: Option<usize>,
    pub after: Option<usize>,
}

impl ComparedSite {
    /// How much less all processors together wait afterwards, in nanoseconds.
    pub fn gain_ns(&self, before: &[Site], after: &[Site]) -> i64 {
        waiting_ns(before, self.before).saturating_sub(waiting_ns(after, self.after))
    }
}

fn waiting_ns(sites: &[Site], place: Option<usize>) -> i64 {
    place.and_then(|place| sites.get(place)).map_or(0, |site| site.waiting_ns)
}

/// The sites of two runs, matched by call, call stack and place. Lines move as a file is changed: where there are as many sites of a call and
/// call stack as before, they are the same in the order of their lines, else those at the same line are. What changes most comes first.
pub fn compare_sites(before: &[Site], after: &[Site]) -> Vec<ComparedSite> {
    let mut found = Vec::new();
    let mut alike: BTreeMap<(&str, &[String]), [Vec<usize>; 2]> = BTreeMap::new();
    for (run, sites) in [before, after].into_iter().enumerate() {
        for (number, site) in sites.iter().enumerate() {
            alike.entry(name(&site.site)).or_default()[run].push(number);
        }
    }
    for [mut old, mut new] in alike.into_values() {
        if old.len() != new.len() {
            old.retain(|number| {
                let same = new.iter().position(|other| after[*other].site == before[*number].site);
                let pair =
                    same.map(|other| ComparedSite { before: Some(*number), after: Some(new.remove(other)) });
                found.extend(pair);
                pair.is_none()
            });
        }
        old.sort_by_key(|number| line(&before[*number].site));
        new.sort_by_key(|number| line(&after[*number].site));
        if old.len() == new.len() {
            let pairs = old.into_iter().zip(new);
            found.extend(pairs.map(|(old, new)| ComparedSite { before: Some(old), after: Some(new) }));
        } else {
            found.extend(old.into_iter().map(|old| ComparedSite { before: Some(old), after: None }));
            found.extend(new.into_iter().map(|new| ComparedSite { before: None, after: Some(new) }));
        }
    }
    found.sort_by_key(|one| {
        (
            std::cmp::Reverse(one.gain_ns(before, after).unsigned_abs()),
            one.before.is_none(),
            one.before,
            one.after,
        )
    });
    found
}

fn name(site: &CallSite) -> (&str, &[String]) {
    (&site.call, &site.call_stack)
}

fn line(site: &CallSite) -> Option<(&str, u32)> {
    site.position.as_ref().map(|position| (position.file.as_str(), position.line))
}
