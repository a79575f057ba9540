//! Who waits for whom, as a part of a page: text and tables, and what the viewer draws of it.

use std::fmt::Write;

use serde_json::{Value, json};

use super::section;
use super::tables::percent;
use super::timeline::{TimelineRow, picture};
use crate::number;
use crate::plot::{escaped, harmless};

/// Which part of a run's time was waited, where and for whom.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageWaits {
    /// One number first: how many processors, how long, how much of it they waited.
    pub summary: String,
    /// From the first start to the last end.
    pub run_time_s: f64,
    /// Numbers of the processors.
    pub processors: Vec<u32>,
    /// Efficiencies as products of those one level deeper.
    pub efficiencies: Vec<PageEfficiency>,
    /// The sites, the longest waiting first.
    pub sites: Vec<PageSite>,
    /// What [`PageSite::causes_s`] speaks of.
    pub causes: Vec<String>,
    /// By processor and part of the run the seconds of computing, waiting and communicating.
    pub parts_s: Vec<Vec<[f64; 3]>>,
}

/// A figure of how well the processors were used.
#[derive(Debug, Clone, Default, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct PageEfficiency {
    pub name: String,
    /// 0, or more for factors of what stands before.
    pub level: usize,
    pub share: f64,
    pub definition: String,
}

/// A call in which processors wait.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageSite {
    /// The call with its place.
    pub label: String,
    /// Names of its waits.
    pub kinds: String,
    /// How often something was waited for.
    pub waits: u64,
    /// How long, of all processors together.
    pub waiting_s: f64,
    /// Why, a sentence for each class of its waits.
    pub sentences: Vec<String>,
    /// For each cause of the page by how much it makes the waits longer.
    pub causes_s: Vec<f64>,
    /// The node of the profile that ends here.
    pub node: Option<usize>,
    /// How its longest wait came about.
    pub chain: Option<PageChain>,
}

/// A wait, and who did what before it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageChain {
    /// It in words, a line for each link.
    pub lines: Vec<String>,
    /// The wait itself, then what was waited for, the latest first, each of which goes on when the next one ends.
    pub links: Vec<PageLink>,
}

/// What one processor did in a chain.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct PageLink {
    /// Position in the list of the processors of [`PageWaits`].
    pub processor: usize,
    pub from_s: f64,
    pub to_s: f64,
}

/// More rows of processors cannot be told apart: beyond, each is the mean of several.
const MOST_ROWS: usize = 96;

impl PageWaits {
    /// Whoever wrote the source has written the names.
    pub(super) fn be_harmless(&mut self) {
        let names = self.sites.iter_mut().map(|site| &mut site.label);
        for name in names.chain(&mut self.causes).chain([&mut self.summary]) {
            *name = super::short(&harmless(name), super::LONGEST_NAME);
        }
        let texts = self.sites.iter_mut().flat_map(|site| {
            site.sentences.iter_mut().chain(site.chain.iter_mut().flat_map(|chain| &mut chain.lines))
        });
        for text in texts {
            *text = super::short(&harmless(text), super::LONGEST_TEXT);
        }
    }

    pub(super) fn sections(&self) -> String {
        let timeline =
            section("timeline", "Timeline", &picture(&self.processors, &self.parts_s, self.run_time_s));
        let efficiency = section("efficiency", "Efficiency", &self.efficiency());
        let waits = section("waits", "Waits", &self.list());
        let causes = section("causes", "Sites and causes", &self.matrix());
        let processors = section("processors", "Processors", &self.processors());
        format!("{timeline}{efficiency}{waits}{causes}{processors}")
    }

    fn efficiency(&self) -> String {
        let mut text = format!("<p>{}</p>\n<table>\n<tbody>\n", escaped(&self.summary));
        for PageEfficiency { name, level, share, definition } in &self.efficiencies {
            let _ = writeln!(
                text,
                "<tr><th scope=\"row\" class=\"level{level}\">{}</th><td>{}</td><td class=\"words\">{}</td></tr>",
                escaped(name),
                percent(*share, 1.0),
                escaped(definition)
            );
        }
        text.push_str("</tbody>\n</table>\n");
        text
    }

    fn list(&self) -> String {
        if self.sites.is_empty() {
            return "<p>No processor waits.</p>\n".to_owned();
        }
        let mut text = "<ol>\n".to_owned();
        for (number, site) in self.sites.iter().enumerate() {
            let times = if site.waits == 1 { "1 wait".to_owned() } else { format!("{} waits", site.waits) };
            let _ = write!(
                text,
                "<li data-site=\"{number}\"><p><strong>{} in {times}</strong> at <code>{}</code> ({})</p>\n<ul>",
                number::seconds(site.waiting_s),
                escaped(&site.label),
                escaped(&site.kinds)
            );
            site.sentences.iter().for_each(|sentence| {
                let _ = write!(text, "<li>{}</li>", escaped(sentence));
            });
            text.push_str("</ul></li>\n");
        }
        text.push_str("</ol>\n");
        text
    }

    fn matrix(&self) -> String {
        let mut text = "<table>\n<thead><tr><th scope=\"col\">site</th>".to_owned();
        for cause in &self.causes {
            let _ = write!(text, "<th scope=\"col\">{}</th>", escaped(cause));
        }
        text.push_str("</tr></thead>\n<tbody>\n");
        for (number, site) in self.sites.iter().enumerate() {
            let label = escaped(&site.label);
            let _ = write!(text, "<tr data-site=\"{number}\"><th scope=\"row\">{label}</th>");
            for time_s in &site.causes_s {
                let shown = if *time_s == 0.0 { String::new() } else { number::seconds(*time_s) };
                let _ = write!(text, "<td data-seconds=\"{time_s}\">{shown}</td>");
            }
            text.push_str("</tr>\n");
        }
        text.push_str("</tbody>\n</table>\n");
        text
    }

    fn processors(&self) -> String {
        let mut text = "<table>\n<thead><tr><th scope=\"col\">processor</th><th scope=\"col\">computing</th>\
            <th scope=\"col\">waiting</th><th scope=\"col\">communicating</th></tr></thead>\n<tbody>\n"
            .to_owned();
        for TimelineRow { name, parts_s, .. } in self.rows() {
            let _ = write!(text, "<tr><th scope=\"row\">{name}</th>");
            for state in 0..3 {
                let time_s: f64 = parts_s.iter().map(|part| part[state]).sum();
                let _ = write!(text, "<td>{}</td>", number::seconds(time_s));
            }
            text.push_str("</tr>\n");
        }
        text.push_str("</tbody>\n</table>\n");
        text
    }

    fn rows(&self) -> Vec<TimelineRow> {
        TimelineRow::all(&self.processors, &self.parts_s, MOST_ROWS)
    }

    /// What the viewer reads; `page/src/data.ts` describes it.
    pub(super) fn data(&self) -> Value {
        let rows = self.rows();
        let together = self.processors.len().div_ceil(MOST_ROWS).max(1);
        let count = rows.first().map_or(0, |row| row.parts_s.len());
        let part_s = self.run_time_s / count.max(1) as f64;
        let chain = |chain: &PageChain| {
            let links =
                chain.links.iter().map(|link| json!([link.processor / together, link.from_s, link.to_s]));
            json!({ "lines": chain.lines, "links": links.collect::<Vec<_>>() })
        };
        let site = |site: &PageSite| {
            json!({
                "label": site.label,
                "waiting": site.waiting_s,
                "node": site.node,
                "chain": site.chain.as_ref().map(chain),
            })
        };
        json!({
            "runTime": self.run_time_s,
            "rows": rows.iter().map(|row| json!({ "name": row.name, "shares": row.digits(part_s) })).collect::<Vec<_>>(),
            "sites": self.sites.iter().map(site).collect::<Vec<_>>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_processors_or_means_of_them() {
        let waits = |count: u32| PageWaits {
            run_time_s: 2.0,
            processors: (0..count).collect(),
            parts_s: (0..count)
                .map(|number| vec![[1.0, 0.0, 0.0], [f64::from(number % 2), 0.5, 0.0]])
                .collect(),
            ..PageWaits::default()
        };
        let rows = waits(3).rows();
        assert_eq!((rows.len(), rows[2].name.as_str()), (3, "P2"));
        // 90 steps of a second: the first digit is 0, the last one 90.
        assert_eq!(rows[1].digits(1.0), "~!!~P!");
        let rows = waits(192).rows();
        assert_eq!((rows.len(), rows[0].name.as_str(), rows[0].parts_s[1][0]), (96, "P0–1, mean", 0.5));
    }
}
