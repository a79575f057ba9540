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

/// The sites of two runs, matched by call, place and call stack. A place may move to another line of the program: what is left is
/// matched by call and call stack, in the order of the lines, if there are equally many on both sides. What changes most comes first.
pub fn compare_sites(before: &[Site], after: &[Site]) -> Vec<ComparedSite> {
    let mut found = Vec::new();
    let mut moved: BTreeMap<(&str, &[String]), [Vec<usize>; 2]> = BTreeMap::new();
    for (number, site) in before.iter().enumerate() {
        match after.iter().position(|other| other.site == site.site) {
            Some(other) => found.push(ComparedSite { before: Some(number), after: Some(other) }),
            None => moved.entry(name(&site.site)).or_default()[0].push(number),
        }
    }
    for (number, site) in after.iter().enumerate() {
        if !before.iter().any(|other| other.site == site.site) {
            moved.entry(name(&site.site)).or_default()[1].push(number);
        }
    }
    for [mut old, mut new] in moved.into_values() {
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
