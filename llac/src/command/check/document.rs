//! A check as other tools read it.

use call_check::{ComparisonSubject, Finding, Verdict};
use call_grammar::suggest;
use serde_json::{Map, Value, json};

use super::{Checked, sentence};
use crate::error::code;
use crate::words::Word;
use crate::{Error, Markup};

/// Another tool's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Markdown,
    GitHub,
    JUnit,
    Bencher,
}

const FORMATS: [(&str, Format); 4] = [
    ("markdown", Format::Markdown),
    ("github", Format::GitHub),
    ("junit", Format::JUnit),
    ("bencher", Format::Bencher),
];

/// The words for formats.
pub fn formats() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|(name, _)| *name)
}

pub fn format(word: &Word) -> Result<Format, Error> {
    let known = FORMATS.iter().find(|(name, _)| *name == word.text);
    known.map(|(_, format)| *format).ok_or_else(|| {
        let names: Vec<&str> = formats().collect();
        word.error(code::UNKNOWN_FORMAT, format!("there is no format `{}`", word.text))
            .suggesting(suggest(&word.text, formats()), format!("it can be {}", call_grammar::listed(&names)))
    })
}

pub fn written(format: Format, checked: &Checked) -> Markup {
    let mut markup = Markup::new();
    markup.document(match format {
        Format::Markdown => markdown(checked),
        Format::GitHub => github(checked),
        Format::JUnit => junit(checked),
        Format::Bencher => bencher(checked),
    });
    markup.data(super::tables::findings(checked));
    markup.data(super::tables::tests(checked));
    markup.data(super::tables::verdict(checked));
    markup
}

fn markdown(checked: &Checked) -> String {
    let sign = match checked.report.verdict {
        Verdict::Fine => "✅",
        Verdict::CannotTell => "❔",
        Verdict::Worse => "❌",
    };
    let (name, verdict) =
        (escaped(&format!("`{}`", checked.name())), sentence::verdict(checked.report.verdict));
    let (before, after) = checked.report.runs;
    let mut text = format!("### {sign} {name}: {verdict}\n\n");
    for sentence in sentence::all(checked) {
        text.push_str(&format!("- {}\n", escaped(&sentence)));
    }
    text.push_str(&format!("\n{after} new runs against {before} of the baseline.\n\n"));
    let table = super::tables::findings(checked);
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    text.push_str(&row(table.titles().map(escaped).collect()));
    text.push_str(&row(table.titles().map(|_| "---".to_owned()).collect()));
    for cells in table.rows() {
        text.push_str(&row(table.texts(cells).iter().map(|cell| escaped(cell)).collect()));
    }
    text
}

/// Marks of Markdown that names may have. What stands between backticks is shown as it is, but for the bars of tables.
fn escaped(text: &str) -> String {
    // An odd one has no end.
    let last = text.matches('`').count() / 2 * 2;
    let part = |(index, part): (usize, &str)| match index % 2 == 1 && index < last {
        true => part.replace('|', "\\|").replace('\n', " "),
        false => escaped_words(part),
    };
    text.split('`').enumerate().map(part).collect::<Vec<_>>().join("`")
}

fn escaped_words(text: &str) -> String {
    text.replace('|', "\\|").replace('*', "\\*").replace('<', "&lt;").replace('[', "\\[").replace('\n', " ")
}

/// Commands of a workflow: each becomes an annotation at the directive.
fn github(checked: &Checked) -> String {
    let level = match checked.report.verdict {
        Verdict::Fine => "notice",
        Verdict::CannotTell => "warning",
        Verdict::Worse => "error",
    };
    let mut properties: Vec<String> = Vec::new();
    if let Some((file, line)) = place(checked) {
        properties.push(format!("file={}", property(&file)));
        properties.push(format!("line={line}"));
    }
    let title = format!("{}: {}", checked.name(), sentence::verdict(checked.report.verdict));
    properties.push(format!("title={}", property(&title)));
    let message = sentence::all(checked).join("\n");
    format!("::{level} {}::{}\n", properties.join(","), data(&message))
}

/// Where the first block of the experiment stands.
fn place(checked: &Checked) -> Option<(String, u32)> {
    let first = checked.lines.first()?;
    let file = first.file.clone().unwrap_or_else(|| checked.source.clone());
    (!file.is_empty()).then_some((file, first.first))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// A test case for each number and each limit that is judged; what cannot be told is skipped.
fn junit(checked: &Checked) -> String {
    let report = &checked.report;
    let judged = report.findings.iter().filter(|finding| finding.is_judged);
    let findings = judged.map(|finding| {
        let name = sentence::subject(checked, &finding.subject);
        (name, finding.verdict, sentence::of(checked, finding))
    });
    let limits = report
        .requirements
        .iter()
        .map(|kept| (kept.requirement.text.clone(), kept.verdict, sentence::limit(checked, kept)));
    let cases: Vec<(String, Verdict, String)> = findings.chain(limits).collect();
    let count = |wanted: Verdict| cases.iter().filter(|(_, verdict, _)| *verdict == wanted).count();
    let (class, all) = (xml(checked.name()), cases.len());
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"llac check {class}\" tests=\"{all}\" \
         failures=\"{}\" errors=\"0\" skipped=\"{}\">\n",
        count(Verdict::Worse),
        count(Verdict::CannotTell)
    );
    let place = place(checked)
        .map_or(String::new(), |(file, line)| format!(" file=\"{}\" line=\"{line}\"", xml(&file)));
    for (name, verdict, message) in cases {
        let (name, message) = (xml(&name), xml(&message));
        text.push_str(&format!("    <testcase classname=\"{class}\" name=\"{name}\"{place}"));
        text.push_str(&match verdict {
            Verdict::Fine => "/>\n".to_owned(),
            Verdict::Worse => format!(">\n      <failure message=\"{message}\"/>\n    </testcase>\n"),
            Verdict::CannotTell => format!(">\n      <skipped message=\"{message}\"/>\n    </testcase>\n"),
        });
    }
    text + "  </testsuite>\n</testsuites>\n"
}

fn xml(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // Other control characters cannot stand in XML at all.
            character if character.is_control() => escaped.push(' '),
            character => escaped.push(character),
        }
    }
    escaped
}

/// Bencher's metric format: a measure for each number, with the ends of its interval.
fn bencher(checked: &Checked) -> String {
    let mut measures = Map::new();
    for finding in &checked.report.findings {
        if let Some((value, lower, upper)) = bounds(finding) {
            let name = match &finding.subject {
                ComparisonSubject::Target(target) => format!("at {}", target.name),
                constant @ ComparisonSubject::Constant(_) => sentence::subject(checked, constant),
            };
            let metric = json!({ "value": value, "lower_value": lower, "upper_value": upper });
            measures.insert(name, metric);
        }
    }
    let mut all = Map::new();
    all.insert(checked.name().to_owned(), Value::Object(measures));
    serde_json::to_string_pretty(&Value::Object(all)).unwrap_or_default() + "\n"
}

/// The new value with its interval, as if the baseline were known exactly.
fn bounds(finding: &Finding) -> Option<(f64, f64, f64)> {
    let comparison = finding.comparison.as_ref()?;
    Some((comparison.after, comparison.before + comparison.lower, comparison.before + comparison.upper))
}
