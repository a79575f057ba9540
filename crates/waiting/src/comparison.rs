use std::collections::HashMap;

use call_trace::{CallSite, SamePlace, VisitedPlace, same_places};

use crate::site::Site;

/// A site of two runs, as positions in their lists of sites; `None` where nothing waits there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct ComparedSite {
    pub before: Option<usize>,
    pub after: Option<usize>,
    /// Whether another site is nearly as likely to be it.
    pub is_doubtful: bool,
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

/// The sites of two runs, matched by call, call stack and place, which moves as a file is changed ([`same_places`]). What changes most comes first.
pub fn compare_sites(before: &[Site], after: &[Site]) -> Vec<ComparedSite> {
    let mut ways: HashMap<&[String], usize> = HashMap::new();
    let older: Vec<VisitedPlace> = before.iter().map(|site| visited_place(site, &mut ways)).collect();
    let newer: Vec<VisitedPlace> = after.iter().map(|site| visited_place(site, &mut ways)).collect();
    let mut is_matched = [vec![false; before.len()], vec![false; after.len()]];
    let mut found = Vec::new();
    for SamePlace { before, after, is_doubtful } in same_places(&older, &newer) {
        (is_matched[0][before], is_matched[1][after]) = (true, true);
        found.push(ComparedSite { before: Some(before), after: Some(after), is_doubtful });
    }
    let alone = |is_matched: &[bool]| -> Vec<usize> {
        (0..is_matched.len()).filter(|site| !is_matched[*site]).collect()
    };
    let [of_old, of_new] = is_matched.each_ref().map(|its| alone(its));
    let gone = |site| ComparedSite { before: Some(site), after: None, is_doubtful: false };
    let new = |site| ComparedSite { before: None, after: Some(site), is_doubtful: false };
    found.extend(of_old.into_iter().map(gone).chain(of_new.into_iter().map(new)));
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

fn visited_place<'a>(site: &'a Site, ways: &mut HashMap<&'a [String], usize>) -> VisitedPlace<'a> {
    let CallSite { call, position, call_stack } = &site.site;
    let number = ways.len();
    VisitedPlace {
        procedure: call_stack.first().map_or("", String::as_str),
        call,
        file: position.as_ref().map_or("", |position| &position.file),
        line: position.as_ref().map_or(0, |position| position.line),
        way: *ways.entry(call_stack).or_insert(number),
        visits: site.waits as f64,
    }
}
