//! How constants went over the entries of an archive, as a part of a page.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{LONGEST_NAME, LONGEST_TEXT, section, short};
use crate::plot::{escaped, harmless};
use crate::{Error, Figure, Table};

/// Histories of experiments, in the order in which they are shown.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageHistory {
    /// Where they are from, and what is to be known about all of them.
    pub summary: String,
    /// What a page begins with first.
    pub experiments: Vec<PageExperiment>,
}

/// How the constants of one experiment went.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageExperiment {
    /// Its name.
    pub label: String,
    /// Its formula.
    pub formula: String,
    /// How many entries there are, and of which time.
    pub entries: String,
    /// What changed, a sentence for each change.
    pub changes: Vec<String>,
    /// What else there is to say.
    pub remarks: Vec<String>,
    /// Constants over entries.
    pub figure: Option<Figure>,
    /// What holds between changes.
    pub levels: Table,
    /// Each entry.
    pub values: Table,
}

/// More pictures would fill a page: 50 kB each.
const MOST_FIGURES: usize = 40;

impl PageHistory {
    /// Whoever wrote the sources and the commits has written the names.
    pub(super) fn be_harmless(&mut self) {
        self.summary = short(&harmless(&self.summary), LONGEST_TEXT);
        for experiment in &mut self.experiments {
            experiment.label = short(&harmless(&experiment.label), LONGEST_NAME);
            let PageExperiment { formula, entries, changes, remarks, .. } = experiment;
            for text in changes.iter_mut().chain(remarks).chain([formula, entries]) {
                *text = short(&harmless(text), LONGEST_TEXT);
            }
        }
    }

    pub(super) fn sections(&self) -> Result<String, Error> {
        let mut constants = String::new();
        for (number, experiment) in self.experiments.iter().enumerate() {
            constants += &experiment.article(number)?;
        }
        Ok(section("history", "History", &self.list()) + &section("constants", "Constants", &constants))
    }

    /// What the viewer reads; `page/src/data.ts` describes it.
    pub(super) fn data(&self) -> Value {
        json!({ "experiments": self.experiments.len() })
    }

    fn list(&self) -> String {
        let mut text = format!(
            "<p>{}</p>\n<table>\n<thead><tr><th scope=\"col\">experiment</th><th scope=\"col\">changes</th>\
             <th scope=\"col\" class=\"left\">entries</th></tr></thead>\n<tbody>\n",
            escaped(&self.summary)
        );
        for (number, PageExperiment { label, changes, entries, .. }) in self.experiments.iter().enumerate() {
            let _ = writeln!(
                text,
                "<tr data-history=\"{number}\"><th scope=\"row\">{}</th><td>{}</td><td class=\"words\">{}</td></tr>",
                escaped(label),
                changes.len(),
                escaped(entries)
            );
        }
        text.push_str("</tbody>\n</table>\n");
        text
    }
}

impl PageExperiment {
    fn article(&self, number: usize) -> Result<String, Error> {
        let label = escaped(&self.label);
        let mut text = format!(
            "<article data-history=\"{number}\" aria-label=\"{label}\">\n<h3>{label}</h3>\n<p><code>{}</code></p>\n",
            escaped(&self.formula)
        );
        let none = ["no change".to_owned()];
        let changes = if self.changes.is_empty() { &none[..] } else { &self.changes };
        text += &list(changes);
        if !self.remarks.is_empty() {
            text += &list(&self.remarks);
        }
        let picture = match &self.figure {
            Some(figure) if number < MOST_FIGURES => {
                let title = escaped(&harmless(&figure.title));
                format!("<div class=\"picture\" role=\"img\" aria-label=\"{title}\">{}</div>", figure.svg()?)
            }
            Some(_) => "<p>The page has no room for its picture.</p>".to_owned(),
            None => String::new(),
        };
        let _ = writeln!(text, "<div class=\"beside\">{picture}\n<div>{}</div></div>", table(&self.levels));
        if !self.values.rows().is_empty() {
            let _ =
                writeln!(text, "<details>\n<summary>each entry</summary>\n{}</details>", table(&self.values));
        }
        text.push_str("</article>\n");
        Ok(text)
    }
}

fn list(texts: &[String]) -> String {
    let items: String = texts.iter().map(|text| format!("<li>{}</li>", escaped(text))).collect();
    format!("<ul>{items}</ul>\n")
}

fn table(table: &Table) -> String {
    if table.rows().is_empty() {
        return String::new();
    }
    let class = |column| if table.is_left(column) { " class=\"left\"" } else { "" };
    let mut text = format!("<table>\n<caption>{}</caption>\n<thead><tr>", escaped(table.name()));
    for (column, title) in table.titles().enumerate() {
        let _ = write!(text, "<th scope=\"col\"{}>{}</th>", class(column), escaped(&harmless(title)));
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for row in table.rows() {
        text.push_str("<tr>");
        for (column, cell) in table.texts(row).iter().enumerate() {
            let cell = escaped(&harmless(cell));
            let _ = match column {
                0 => write!(text, "<th scope=\"row\" class=\"left\">{cell}</th>"),
                _ => write!(text, "<td{}>{cell}</td>", class(column)),
            };
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody>\n</table>\n");
    text
}
