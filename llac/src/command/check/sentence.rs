//! What was found, in sentences.

use call_check::{
    ComparisonSubject, CostChange, Finding, Missing, RequirementFinding, RunsNeeded, StructureChange, Verdict,
};
use call_grammar::{counted, listed};
use call_report::number::{self, exact};

use super::Checked;
use crate::Message;
use crate::command::units;

pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Fine => "fine",
        Verdict::Worse => "worse",
        Verdict::CannotTell => "cannot tell",
    }
}

/// All sentences: what is worse, what cannot be told, what is better, limits, and what is left.
pub fn all(checked: &Checked) -> Vec<String> {
    let report = &checked.report;
    let mut sentences: Vec<String> = Vec::new();
    let judged = || report.findings.iter().filter(|finding| finding.is_judged);
    let of = |wanted: Verdict| judged().filter(move |finding| finding.verdict == wanted);
    sentences.extend(of(Verdict::Worse).map(|finding| moved(checked, finding)));
    // Beside targets, constants say why.
    let others = || report.findings.iter().filter(|finding| !finding.is_judged);
    let has_risen = |finding: &&Finding| finding.verdict == Verdict::Worse;
    sentences.extend(others().filter(has_risen).map(|finding| moved(checked, finding)));
    sentences.extend(report.requirements.iter().map(|kept| limit(checked, kept)));
    sentences.extend(of(Verdict::CannotTell).map(|finding| unknown(checked, finding)));
    sentences.extend(checked.lost.clone());
    let has_fallen = |finding: &&Finding| finding.change == CostChange::Fell && is_large(finding);
    sentences.extend(report.findings.iter().filter(has_fallen).map(|finding| moved(checked, finding)));
    let rest: Vec<String> = judged()
        .filter(|finding| finding.verdict == Verdict::Fine && !has_fallen(finding))
        .map(|finding| subject(checked, &finding.subject))
        .collect();
    if !rest.is_empty() {
        sentences.push(format!("{}: not worse", listed(&rest)));
    }
    sentences
}

/// Rises of more than this share of a number are told as factors.
const MANY_TIMES: f64 = 9.0;

/// What there is to say of one number.
pub fn of(checked: &Checked, finding: &Finding) -> String {
    match finding.verdict {
        Verdict::Worse => moved(checked, finding),
        Verdict::CannotTell => unknown(checked, finding),
        Verdict::Fine => format!("{}: not worse", subject(checked, &finding.subject)),
    }
}

/// Whether a fall is more than what does not matter.
fn is_large(finding: &Finding) -> bool {
    finding.comparison.as_ref().is_some_and(|it| it.change().abs() > finding.tolerance)
}

/// `f[1]`, with the place if it has several values; `the time at N = 8`.
pub fn subject(checked: &Checked, subject: &ComparisonSubject) -> String {
    match subject {
        ComparisonSubject::Constant(placed) => {
            let name = constant(checked, placed.term);
            placed.place.as_ref().map_or(name.clone(), |place| format!("{name} where {place}"))
        }
        ComparisonSubject::Target(target) => {
            format!("the {} at {}", units::noun(checked.baseline.model().unit()), target.name)
        }
    }
}

pub fn constant(checked: &Checked, term: usize) -> String {
    let formula = checked.baseline.model().formula();
    format!("{}[{}]", formula.experiment(), formula.terms()[term].coefficient.0)
}

/// What the constant is multiplied with.
fn basis(checked: &Checked, subject: &ComparisonSubject) -> String {
    let ComparisonSubject::Constant(placed) = subject else { return String::new() };
    let formula = checked.baseline.model().formula();
    let basis = formula.text_of(&formula.terms()[placed.term].basis);
    format!(", {}", units::of_each(checked.baseline.model().unit(), &basis))
}

/// `12 %`.
fn percent(share: f64) -> String {
    format!("{} %", digits(share))
}

fn digits(share: f64) -> String {
    let percent = 100.0 * share;
    if percent.abs() < 0.05 { "0".to_owned() } else { number::significant(percent, 2) }
}

fn signed(share: f64) -> String {
    let text = percent(share);
    if share > 0.0 && text != "0 %" { format!("+{text}") } else { text }
}

/// `f[1], the cost of each N/P, rose 12 % [8, 16]`.
fn moved(checked: &Checked, finding: &Finding) -> String {
    let Some(comparison) = &finding.comparison else { return unknown(checked, finding) };
    let name = subject(checked, &finding.subject);
    let basis = basis(checked, &finding.subject);
    let name = if basis.is_empty() { name } else { format!("{name}{basis},") };
    if finding.has_appeared() {
        let effect = percent(finding.effect().unwrap_or(f64::NAN));
        return format!(
            "{name} appeared: the baseline shows nothing of it, and it is up to {effect} of a sampled time"
        );
    }
    if finding.has_vanished() {
        return format!("{name} vanished: it is no longer told from 0");
    }
    let verb = if comparison.change() > 0.0 { "rose" } else { "fell" };
    let size = match (finding.relative(), finding.relative_interval()) {
        (Some(change), Some((lower, upper))) if change > MANY_TIMES => {
            let times = |share: f64| number::significant(1.0 + share, 2);
            format!("to {} times what it was [{}, {}]", times(change), times(lower), times(upper))
        }
        (Some(change), Some((lower, upper))) => {
            let (lower, upper) = if change < 0.0 { (-upper, -lower) } else { (lower, upper) };
            format!("{} [{}, {}]", percent(change.abs()), digits(lower), digits(upper))
        }
        _ => "from what could not be told from 0".to_owned(),
    };
    let effect = match (&finding.subject, finding.effect()) {
        (ComparisonSubject::Constant(_), Some(effect)) if effect.is_finite() => {
            format!(
                ": up to {} of a sampled {}",
                signed(effect),
                units::noun(checked.baseline.model().unit())
            )
        }
        _ => String::new(),
    };
    format!("{name} {verb} {size}{effect}")
}

/// What keeps a finding from being told, and what would tell it.
fn unknown(checked: &Checked, finding: &Finding) -> String {
    let name = subject(checked, &finding.subject);
    let why = match finding.missing {
        Some(Missing::InBaseline) => {
            "the baseline does not determine it: save it anew, from several runs".to_owned()
        }
        Some(Missing::InNewRuns) => match &checked.unvaried[..] {
            [] => "no new run determines it: measure other sizes".to_owned(),
            names => format!("no new run determines it: measure other values of {}, too", listed(names)),
        },
        Some(Missing::Scatter) => {
            "one run of each does not tell how runs scatter: make at least two more new runs, and save the \
            baseline from five or more"
                .to_owned()
        }
        None => String::new(),
    };
    let Some(comparison) = &finding.comparison else { return format!("{name}: cannot tell, {why}") };
    let worst = if finding.is_turned { comparison.lower.min(0.0) } else { comparison.upper.max(0.0) };
    let verb = if finding.is_turned { "fell" } else { "rose" };
    let spread = match (finding.relative(), finding.relative_interval()) {
        (Some(change), Some((lower, upper))) => {
            format!("{} [{}, {}]", signed(change), digits(lower), digits(upper))
        }
        _ => format!(
            "up to {} of a sampled {}",
            signed(worst * finding.weight),
            units::noun(checked.baseline.model().unit())
        ),
    };
    let needed = match comparison.is_hidden_by_rounding {
        true => "the measurements are rounded too coarsely to tell: write more of their digits".to_owned(),
        false => needed(comparison.needed),
    };
    if finding.change == CostChange::Rose && finding.is_determined {
        let allowed = percent(finding.tolerance_share);
        return format!(
            "{name}: it {verb}, {spread}, but it cannot tell whether by more than {allowed}; {needed}"
        );
    }
    format!("{name}: cannot tell whether it {verb}, {spread}; {needed}")
}

fn needed(needed: Option<RunsNeeded>) -> String {
    match needed {
        Some(RunsNeeded { after, before: 0 }) => {
            format!("{} would tell", counted(after, "more new run"))
        }
        Some(RunsNeeded { after, before }) => {
            let more = counted(after, "more new run");
            format!("{more} and {before} more of the baseline would tell")
        }
        None => "a hundred more runs would not tell: they scatter too much, or the tolerance is too small"
            .to_owned(),
    }
}

pub fn limit(checked: &Checked, kept: &RequirementFinding) -> String {
    let time = units::shown(checked.baseline.model().unit()).text(kept.time_s);
    let text = &kept.requirement.text;
    match kept.verdict {
        Verdict::Fine => format!("`{text}` holds: {time}"),
        Verdict::Worse => format!("`{text}` does not hold: {time}"),
        Verdict::CannotTell if kept.time_s.is_nan() => {
            format!("`{text}`: cannot tell, the new runs do not determine it")
        }
        Verdict::CannotTell => format!("`{text}`: cannot tell, {time} is too near for so few runs"),
    }
}

/// A change of another kind.
pub fn structure(change: &StructureChange) -> Message {
    match change {
        StructureChange::Border { variable, before, after } => {
            let text = match (before.map(exact), after.map(exact)) {
                (Some(before), Some(after)) => {
                    format!("the border of intervals at {variable} = {before} is at {after} now")
                }
                (Some(before), None) => {
                    format!("there is no border of intervals at {variable} = {before} any more")
                }
                (None, after) => {
                    let after = after.unwrap_or_default();
                    format!("there is a new border of intervals at {variable} = {after}")
                }
            };
            Message::new("border-moved", text)
        }
        StructureChange::Formula(warning) => {
            let text = format!("the new runs need what those of the baseline did not: {warning}");
            Message::new("formula-misfits", text)
        }
        StructureChange::Outside { outside, measurements, level } => {
            let expected = number::significant((1.0 - level) * *measurements as f64, 2);
            let text = format!(
                "{outside} of {measurements} new measurements are outside of the {} intervals that the baseline predicts, where {expected} are expected",
                percent(*level),
            );
            Message::new("outside-intervals", text)
        }
    }
}
