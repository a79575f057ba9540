use std::collections::{BTreeSet, HashMap};

use call_report::number;
use call_trace::CallSite;
use call_waiting::{Cause, Class, Code, Delays, Site, State, WaitReason, Waits};

use super::{seconds, text};
use crate::command::call_site_view::{first_ranges, name_of, ranges};

/// What each processor makes others wait by spending longer with something than they do, nanoseconds. On the way of a wait lie also those that
/// spend no longer with it than the waiting one: they are not to blame.
pub struct Blame(HashMap<(usize, usize, State), f64>);

/// Whose delays come to less than this share of a reason has no part in it.
const BLAMED_SHARE: f64 = 0.05;

impl Blame {
    pub fn of(delays: &Delays) -> Blame {
        let costs = delays.costs.iter();
        Blame(
            costs
                .map(|its| ((its.processor, its.code, its.state), its.short_term_ns + its.long_term_ns))
                .collect(),
        )
    }

    /// Those of some processors that are to blame for a reason; all, if nothing tells.
    fn narrowed(&self, doers: Vec<usize>, reason: &WaitReason) -> Vec<usize> {
        let cost_ns = |doer: &usize| self.0.get(&(*doer, reason.code, reason.state)).copied().unwrap_or(0.0);
        let enough_ns = BLAMED_SHARE * reason.time_ns as f64;
        let blamed: Vec<usize> = doers.iter().copied().filter(|doer| cost_ns(doer) >= enough_ns).collect();
        if blamed.is_empty() { doers } else { blamed }
    }
}

/// `processors 0,2-3 wait 1.8 s (12 times) for processor 1, which spends 1.5 s longer in smooth`: the main reasons.
pub fn sentence(waits: &Waits, names: &[String], blame: &Blame, site: &Site, class: &Class) -> String {
    told(waits, names, blame, site, class, class.main_reasons())
}

/// The same with all reasons.
pub fn sentence_of_all(waits: &Waits, names: &[String], blame: &Blame, site: &Site, class: &Class) -> String {
    told(waits, names, blame, site, class, &class.reasons)
}

fn told(
    waits: &Waits,
    names: &[String],
    blame: &Blame,
    site: &Site,
    class: &Class,
    reasons: &[WaitReason],
) -> String {
    let [waiting, causing] = [&class.waiting, &class.causing].map(|places| processors(waits, places));
    let times = match class.waits {
        1 => String::new(),
        times => format!(" ({times} times)"),
    };
    let mut reasons = reasons.to_vec();
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.time_ns));
    // Reasons of those that were waited for, then of some of them, and of others that these had waited for.
    let mut by_whom: Vec<(Vec<usize>, Vec<String>)> = vec![(Vec::new(), Vec::new())];
    for reason in &reasons {
        let doers = doers(class, reason);
        let whose = blame.narrowed(doers.clone(), reason);
        let are_waited_for =
            whose.len() == doers.len() && whose.iter().all(|one| class.causing.contains(one));
        let whose = if are_waited_for || whose == class.causing { Vec::new() } else { whose };
        let told = reason_text(waits, names, site, reason);
        match by_whom.iter_mut().find(|(known, _)| *known == whose) {
            Some((_, all)) => all.push(told),
            None => by_whom.push((whose, vec![told])),
        }
    }
    let spends = |count: usize| if count == 1 { "spends" } else { "spend" };
    let parts = by_whom.iter().filter(|(_, reasons)| !reasons.is_empty()).map(|(whose, reasons)| {
        let reasons = reasons.join(", ");
        let spend = spends(whose.len());
        match whose[..] {
            [] => format!(", which {} {reasons}", spends(class.causing.len())),
            _ if whose.iter().all(|one| class.causing.contains(one)) => {
                format!(", of which {} {spend} {reasons}", processors(waits, whose))
            }
            _ => format!(", after {}, which {spend} {reasons}", processors(waits, whose)),
        }
    });
    let verb = if class.waiting.len() == 1 { "waits" } else { "wait" };
    format!("{waiting} {verb} {}{times} for {causing}{}", text(class.waiting_ns), parts.collect::<String>())
}

/// Which others do what takes longer; nobody, if it is the waiting one that does less.
fn doers(class: &Class, reason: &WaitReason) -> Vec<usize> {
    let is_it = |cause: &&Cause| !cause.is_own && (cause.code, cause.state) == (reason.code, reason.state);
    match reason.time_ns > 0 {
        true => {
            class.causes.iter().filter(is_it).flat_map(|cause| cause.processors.iter().copied()).collect()
        }
        false => Vec::new(),
    }
}

/// `0,2-3`.
pub fn numbers(waits: &Waits, places: &[usize]) -> String {
    ranges(&places.iter().map(|place| u64::from(waits.processors[*place])).collect::<Vec<_>>())
}

/// `processors 0,2-3`; of many with gaps the first.
pub fn processors(waits: &Waits, places: &[usize]) -> String {
    let word = if places.len() == 1 { "processor" } else { "processors" };
    let numbers: Vec<u64> = places.iter().map(|place| u64::from(waits.processors[*place])).collect();
    format!("{word} {}", first_ranges(&numbers))
}

fn reason_text(waits: &Waits, names: &[String], at: &Site, reason: &WaitReason) -> String {
    let more = if reason.time_ns > 0 { "longer" } else { "less" };
    let time = number::seconds(seconds(reason.time_ns).abs());
    let place = match &waits.codes[reason.code] {
        Code::Before(site) if *site == at.site => "before it".to_owned(),
        Code::Experiment { name, before: Some(site) } if *site == at.site => format!("in {name} before it"),
        Code::Region(site) if *site == at.site => "in it".to_owned(),
        _ => names[reason.code].clone(),
    };
    format!("{time} {more} {place}")
}

/// Of each code: `in smooth`, `before bsp_sync a.c:9`; where there are several of that name, with the functions that tell them apart.
pub fn code_names(waits: &Waits) -> Vec<String> {
    let texts: Vec<String> = waits.codes.iter().map(short_code_text).collect();
    let mut sites_of: HashMap<&str, Vec<&CallSite>> = HashMap::new();
    for (code, text) in waits.codes.iter().zip(&texts) {
        sites_of.entry(text).or_default().extend(site_of(code));
    }
    let name = |(code, text): (&Code, &String)| {
        let Some(site) = site_of(code) else { return text.clone() };
        let others = sites_of[text.as_str()].iter();
        let frames: BTreeSet<usize> = others.filter_map(|other| difference(site, other)).collect();
        let frames: Vec<&str> = frames.into_iter().map(|frame| site.call_stack[frame].as_str()).collect();
        match frames[..] {
            [] => text.clone(),
            _ => format!("{text} below {}", frames.join(" < ")),
        }
    };
    waits.codes.iter().zip(&texts).map(name).collect()
}

/// The innermost function that two call stacks do not have in common.
fn difference(site: &CallSite, other: &CallSite) -> Option<usize> {
    (0..site.call_stack.len()).find(|frame| site.call_stack.get(*frame) != other.call_stack.get(*frame))
}

/// `MPI_Recv a.c:9`, of the code of a call.
pub fn code_place(waits: &Waits, code: usize) -> String {
    site_of(&waits.codes[code]).map_or_else(String::new, name_of)
}

pub fn site_of(code: &Code) -> Option<&CallSite> {
    match code {
        Code::Before(site) | Code::Region(site) | Code::Experiment { before: Some(site), .. } => Some(site),
        Code::Start | Code::Experiment { before: None, .. } | Code::End => None,
    }
}

fn short_code_text(code: &Code) -> String {
    match code {
        Code::Start => "until its start".to_owned(),
        Code::Experiment { name, before: None } => format!("in {name}"),
        Code::Experiment { name, before: Some(site) } => format!("in {name} before {}", name_of(site)),
        Code::Before(site) => format!("before {}", name_of(site)),
        Code::Region(site) => format!("in {}", name_of(site)),
        Code::End => "at the end".to_owned(),
    }
}
