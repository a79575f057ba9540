use call_waiting::{Class, Site, Waits};

use super::sentence::Blame;
use super::{MOST_ROWS, headline, sentence, text};
use crate::{Markup, Style};

/// A paragraph for each site, a sentence for each class of its waits.
pub fn sites(markup: &mut Markup, waits: &Waits, names: &[String], blame: &Blame) {
    if waits.sites.is_empty() {
        markup.line(
            Style::Plain,
            if waits.unexplained.is_empty() { "no processor waits" } else { "no wait has a known cause" },
        );
    }
    let shown = most(&waits.sites, |site| site.waiting_ns, 0.99);
    for (index, site) in shown.iter().enumerate() {
        markup.paragraph(headline(index, site));
        let classes = main_classes(site);
        for class in classes {
            markup.item(sentence::sentence(waits, names, blame, site, class));
        }
        tell_more(markup, &site.classes[classes.len()..], |class| class.waiting_ns, "of other causes");
    }
    tell_more(markup, &waits.sites[shown.len()..], |site| site.waiting_ns, "at other sites");
}

/// The classes of a site that are told.
pub fn main_classes(site: &Site) -> &[Class] {
    most(&site.classes, |class| class.waiting_ns, 0.95)
}

/// The first ones that have this share of all, of which no more than people read.
pub fn most<Part>(parts: &[Part], waiting_ns: impl Fn(&Part) -> i64, share: f64) -> &[Part] {
    let all: f64 = parts.iter().map(|part| waiting_ns(part) as f64).sum();
    let mut sum = 0.0;
    let is_enough = |part: &Part| {
        sum += waiting_ns(part) as f64;
        sum >= share * all
    };
    let count = parts.iter().position(is_enough).map_or(parts.len(), |last| last + 1);
    &parts[..count.min(MOST_ROWS)]
}

fn tell_more<Part>(markup: &mut Markup, parts: &[Part], waiting_ns: impl Fn(&Part) -> i64, which: &str) {
    let rest_ns: i64 = parts.iter().map(waiting_ns).fold(0, i64::saturating_add);
    if rest_ns > 0 {
        markup.item(format!("{} {which}", text(rest_ns)));
    }
}
