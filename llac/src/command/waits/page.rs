use std::collections::BTreeMap;

use call_report::{PageChain, PageEfficiency, PageLink, PageSite, PageWaits};
use call_trace::{CallSite, Run};
use call_waiting::{Chain, Site, Waits};

use super::{chain, introduction, list, place, seconds, sentence};
use crate::{Markup, MarkupBlock};

/// So many parts of a run can be told apart on a screen.
const PARTS: usize = 300;
/// So many sites, and so many causes, have a row and a column.
const MOST_SITES: usize = 40;
const MOST_CAUSES: usize = 12;

/// What a page tells of the waits of a run; `node_of` finds the node of the profile that ends at a call.
pub fn page_waits(run: &Run, waits: &Waits, node_of: impl Fn(&CallSite) -> Option<usize>) -> PageWaits {
    let names = sentence::code_names(waits);
    let blame = sentence::Blame::of(&waits.delays());
    let shown = &waits.sites[..waits.sites.len().min(MOST_SITES)];
    let causes = main_causes(shown);
    let site = |(number, site): (usize, &Site)| PageSite {
        label: place(&site.site),
        kinds: site.kinds.iter().map(|kind| kind.kind.name()).collect::<Vec<_>>().join(", "),
        waits: site.waits,
        waiting_s: seconds(site.waiting_ns),
        sentences: list::main_classes(site)
            .iter()
            .map(|class| sentence::sentence(waits, &names, &blame, site, class))
            .collect(),
        causes_s: causes.iter().map(|code| seconds(time_of_cause_ns(site, *code))).collect(),
        node: node_of(&site.site),
        chain: waits.chain(Some(number)).map(|chain| page_chain(run, waits, &names, &chain)),
    };
    let parts = waits.parts(PARTS).into_iter();
    PageWaits {
        summary: introduction(run, waits),
        run_time_s: seconds(waits.efficiency.run_time_ns),
        processors: waits.processors.clone(),
        efficiencies: efficiencies(waits),
        sites: shown.iter().enumerate().map(site).collect(),
        causes: causes.iter().map(|code| names[*code].clone()).collect(),
        parts_s: parts
            .map(|of_processor| {
                let times = of_processor
                    .into_iter()
                    .map(|its| [its.computing_ns, its.waiting_ns, its.communicating_ns].map(seconds));
                times.collect()
            })
            .collect(),
    }
}

/// By how much a code makes the waits of a site longer.
fn time_of_cause_ns(site: &Site, code: usize) -> i64 {
    let causes = site.classes.iter().flat_map(|class| &class.causes);
    causes.filter(|cause| cause.code == code).map(|cause| cause.time_ns).sum()
}

/// The codes that matter most at the sites together.
fn main_causes(sites: &[Site]) -> Vec<usize> {
    let mut sizes_ns: BTreeMap<usize, i64> = BTreeMap::new();
    for site in sites {
        let mut of_site_ns: BTreeMap<usize, i64> = BTreeMap::new();
        for cause in site.classes.iter().flat_map(|class| &class.causes) {
            *of_site_ns.entry(cause.code).or_default() += cause.time_ns;
        }
        of_site_ns
            .into_iter()
            .for_each(|(code, time_ns)| *sizes_ns.entry(code).or_default() += time_ns.abs());
    }
    let mut causes: Vec<(usize, i64)> = sizes_ns.into_iter().filter(|(_, size_ns)| *size_ns > 0).collect();
    causes.sort_by_key(|(_, size_ns)| std::cmp::Reverse(*size_ns));
    causes.into_iter().take(MOST_CAUSES).map(|(code, _)| code).collect()
}

fn page_chain(run: &Run, waits: &Waits, names: &[String], chain: &Chain) -> PageChain {
    let mut told = Markup::new();
    chain::tell(&mut told, run.label(), waits, names, chain);
    let lines = told.blocks().iter().filter_map(|block| match block {
        MarkupBlock::Paragraph(text) => Some(text.clone()),
        MarkupBlock::Line(fragments) => Some(fragments.iter().map(|its| its.text.as_str()).collect()),
        _ => None,
    });
    let wait = PageLink {
        processor: chain.waiting,
        from_s: seconds(chain.from_ns),
        to_s: seconds(chain.from_ns + chain.waiting_ns),
    };
    let causing = chain.causing.iter().map(|link| PageLink {
        processor: link.processor,
        from_s: seconds(link.until_ns - link.time_ns),
        to_s: seconds(link.until_ns),
    });
    PageChain { lines: lines.collect(), links: std::iter::once(wait).chain(causing).collect() }
}

/// As POP defines them: each is the product of those one level deeper.
pub fn efficiencies(waits: &Waits) -> Vec<PageEfficiency> {
    let its = &waits.efficiency;
    let all = [
        ("parallel efficiency", 0, its.parallel, "mean of computing / run time"),
        ("load balance", 1, its.load_balance, "mean of computing / its maximum"),
        ("communication efficiency", 1, its.serialisation * its.transfer, "maximum of computing / run time"),
        (
            "serialisation",
            2,
            its.serialisation,
            "maximum of computing / run time if calls took no time but for waits",
        ),
        ("transfer", 2, its.transfer, "that run time / run time"),
    ];
    let efficiency = |(name, level, share, definition): (&str, usize, f64, &str)| PageEfficiency {
        name: name.to_owned(),
        level,
        share,
        definition: definition.to_owned(),
    };
    all.map(efficiency).to_vec()
}
