//! Where a replay of what was recorded may be wrong, as who waits for whom may change with the times.

use call_grammar::counted;
use call_report::number;
use call_trace::{CallSite, Run};
use call_waiting::{Saving, StepChange, UndecidedMessages, WaitKind, Waits};

use super::savings::{MOST_STEPS, saved_ns};
use super::text;
use crate::Message;
use crate::command::call_site_view::name_of;

/// Run times that differ by no more than this share are alike.
const ALIKE: f64 = 0.001;

/// Calls that take what comes first.
const TAKING_FIRST: [&str; 4] = ["MPI_Waitany", "MPI_Waitsome", "MPI_Testany", "MPI_Testsome"];

/// So many places are told.
const MOST_PLACES: usize = 3;

/// What is doubtful about what steps save.
pub fn doubts_of_savings(run: &Run, waits: &Waits, names: &[String]) -> Vec<Message> {
    let savings = || waits.savings(MOST_STEPS);
    let receivers = undecided(run, waits, |waiting| {
        let then = waiting.savings(MOST_STEPS);
        let differing = |saving: &Saving| {
            let its = then.iter().find(|its| its.code == saving.code)?;
            let is_other = !are_alike(its.run_time_ns, saving.run_time_ns);
            is_other.then(|| format!("{} would save {}", names[saving.code], text(saved_ns(waiting, its))))
        };
        savings().iter().find_map(differing)
    });
    let first = taken_first(run, waits).filter(|_| !savings().is_empty());
    receivers.into_iter().chain(first).collect()
}

/// What is doubtful about the run time after a change.
pub fn doubts_of_change(run: &Run, waits: &Waits, after: &Waits, change: &StepChange) -> Vec<Message> {
    let receivers = undecided(run, waits, |waiting| {
        let its_ns = waiting.replay(change).efficiency.run_time_ns;
        let is_other = !are_alike(its_ns, after.efficiency.run_time_ns);
        is_other.then(|| format!("the run would take {}", text(its_ns)))
    });
    receivers.into_iter().chain(taken_first(run, waits)).collect()
}

fn are_alike(left_ns: i64, right_ns: i64) -> bool {
    (left_ns - right_ns).abs() as f64 <= ALIKE * left_ns.max(right_ns) as f64
}

/// With what would come out if messages of which nothing is known waited for their receivers, if that is something else.
fn undecided(run: &Run, waits: &Waits, outcome: impl FnOnce(&Waits) -> Option<String>) -> Option<Message> {
    let UndecidedMessages { messages, above_bytes } = waits.undecided()?;
    let above = match above_bytes > 0.0 {
        true => format!(" of more than {} bytes", number::short(above_bytes)),
        false => String::new(),
    };
    let (many, outcome) = match messages {
        Some(messages) => (
            counted(messages, "message"),
            format!("if they did, {}", outcome(&waits.as_if_undecided_waited()?)?),
        ),
        None => ("messages".to_owned(), "they are too many to try that".to_owned()),
    };
    let text = format!(
        "{}: {many}{above} had been asked for before they were sent, and nothing recorded shows whether their senders would wait for \
         receivers that come later, as most libraries have it of long messages; {outcome}",
        run.label()
    );
    Some(Message::new("undecided-messages", text))
}

/// Who comes first stays who it was.
pub fn taken_first(run: &Run, waits: &Waits) -> Option<Message> {
    let is_taken = |kind: WaitKind, site: &CallSite| {
        kind == WaitKind::Lock || TAKING_FIRST.contains(&site.call.as_str())
    };
    let sites = waits.sites.iter();
    let sites = sites.filter(|site| site.kinds.iter().any(|its| is_taken(its.kind, &site.site)));
    let places: Vec<String> = sites.map(|site| name_of(&site.site)).collect();
    let more = match places.len().saturating_sub(MOST_PLACES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let told = places.get(..MOST_PLACES.min(places.len())).filter(|told| !told.is_empty())?.join(", ");
    let text = format!(
        "{}: who comes first in {told}{more} stays who it was in the recording: with other times another one may, and the run take less or more",
        run.label()
    );
    Some(Message::new("recorded-order", text))
}
