//! How constants went, in sentences.

use std::collections::BTreeSet;

use call_check::{ChangePoint, Drift, MovedBorder, SteadyValue, Untold};
use call_grammar::{counted, listed};
use call_report::number;

use super::entry::Entry;
use super::of_entries;
use super::timeline::{ConstantHistory, ConstantLine};
use crate::Message;
use crate::command::moved_borders::in_words;
use crate::command::units;

/// Pairs of parts that follow each other more often take turns.
const INTERRUPTED: usize = 2;
/// So many places where entries are parted are told.
const MOST_PARTINGS: usize = 5;

/// Why timelines are not one: each place where an entry of one follows that of another, from the oldest on, and once where two take turns.
pub fn partings<'a>(timelines: &'a [ConstantHistory]) -> Vec<Message> {
    let of_part = |(part, timeline): (usize, &'a ConstantHistory)| {
        timeline.entries.iter().map(move |entry| (entry, part))
    };
    let mut all: Vec<(&Entry, usize)> = timelines.iter().enumerate().flat_map(of_part).collect();
    all.sort_by(|(one, _), (other, _)| one.order().cmp(&other.order()));
    let places = all.windows(2).filter(|pair| pair[0].1 != pair[1].1);
    let places: Vec<(usize, usize, &Entry)> = places.map(|pair| (pair[0].1, pair[1].1, pair[1].0)).collect();
    let pair_of = |(before, after, _): &(usize, usize, &Entry)| (*before.min(after), *before.max(after));
    let mut taking_turns = BTreeSet::new();
    let mut messages = Vec::new();
    for place in &places {
        let is_in_turns =
            places.iter().filter(|other| pair_of(other) == pair_of(place)).count() > INTERRUPTED;
        if is_in_turns && !taking_turns.insert(pair_of(place)) {
            continue;
        }
        let (before, after, entry) = (&timelines[place.0], &timelines[place.1], place.2);
        let is_again = after.entries.first().map(Entry::order) < Some(entry.order());
        let text = format!(
            "entries are parted by what makes them incomparable: {} from {} on{}",
            listed(&before.conditions().differences(&after.conditions())),
            entry.title(),
            match (is_in_turns, is_again) {
                (true, _) => ", in turns",
                (false, true) => " again",
                (false, false) => "",
            }
        );
        messages.push(Message::new("history-parted", text).about(after.model().formula().experiment()));
    }
    let more = messages.len().saturating_sub(MOST_PARTINGS);
    if more > 0 {
        messages.truncate(MOST_PARTINGS);
        let text = format!("entries are parted at {} more", counted(more, "place"));
        let experiment = timelines[0].model().formula().experiment();
        messages.push(Message::new("history-parted", text).about(experiment));
    }
    messages
}

/// That nothing says what was first.
pub fn ties(timelines: &[ConstantHistory]) -> Option<Message> {
    let pairs = timelines.iter().flat_map(|timeline| timeline.entries.windows(2));
    let tied: Vec<&[Entry]> = pairs.filter(|pair| pair[0].is_tied(&pair[1])).collect();
    let first = tied.first()?;
    let more = match tied.len() - 1 {
        0 => String::new(),
        more => format!(", and of {more} more such pairs"),
    };
    let text = format!(
        "nothing tells which one of {} and {} was first{more}: their order is arbitrary; `date=` with a time tells",
        first[0].title(),
        first[1].title()
    );
    Some(Message::new("order-unknown", text).about(timelines.first()?.model().formula().experiment()))
}

/// Single values that are no changes.
pub fn spikes(timeline: &ConstantHistory) -> Vec<Message> {
    let mut spikes = Vec::new();
    for line in &timeline.constants {
        for &value in &line.history.outlying {
            let level = line.history.levels.iter().find(|level| level.runs.contains(&value));
            let by = level.map_or(f64::NAN, |level| line.values[value].value / level.value - 1.0);
            // The next entry shows whether it is one.
            let is_last = value + 1 == line.values.len();
            let what = if is_last { "a spike, or the first entry of a change" } else { "a spike, no change" };
            let text = format!(
                "{} is far from the others of its level, by {} %: {what}",
                timeline.entries[line.entry_of[value]].title(),
                number::significant(100.0 * by, 2)
            );
            spikes.push(Message::new("outlying-run", text).about(timeline.name_of(line)));
        }
    }
    spikes
}

/// What changed, a sentence for each change.
pub fn changes(timeline: &ConstantHistory) -> Vec<String> {
    let of_line = |line: &ConstantLine| {
        line.history.changes.iter().map(|change| moved(timeline, line, change)).collect::<Vec<_>>()
    };
    timeline.constants.iter().flat_map(of_line).collect()
}

/// Borders of intervals that moved, each with the entries that have it elsewhere.
pub fn borders(timeline: &ConstantHistory) -> Vec<String> {
    let mut places: Vec<(MovedBorder, Vec<usize>)> = Vec::new();
    for (entry, moved) in timeline.moved.iter().enumerate() {
        for border in moved {
            match places.iter_mut().find(|(known, _)| known == border) {
                Some((_, entries)) => entries.push(entry),
                None => places.push((border.clone(), vec![entry])),
            }
        }
    }
    let sentence = |(border, entries): (MovedBorder, Vec<usize>)| {
        let (first, last) = (entries[0], entries[entries.len() - 1]);
        let title = |entry: usize| timeline.entries[entry].title();
        let text = format!("the border of intervals at {}", in_words(&[border]));
        match last + 1 - first == entries.len() {
            true if last + 1 < timeline.entries.len() => format!("{text} from {} on", title(last + 1)),
            _ => {
                format!("{text} now; it was there in {}, the last {}", of_entries(entries.len()), title(last))
            }
        }
    };
    places.into_iter().map(sentence).collect()
}

/// What grows or shrinks steadily between changes, a sentence for each stretch.
pub fn drifts(timeline: &ConstantHistory) -> Vec<String> {
    let of_line = |line: &ConstantLine| {
        let known = line.history.levels.iter().filter_map(|level| Some((level, level.drift?)));
        known.map(|(level, drift)| drifting(timeline, line, level, &drift)).collect::<Vec<_>>()
    };
    timeline.constants.iter().flat_map(of_line).collect()
}

/// `f[1], the cost of each N/P, grows steadily by 20 % [18, 22] from 12345 to 23456, no jump`.
fn drifting(timeline: &ConstantHistory, line: &ConstantLine, level: &SteadyValue, drift: &Drift) -> String {
    let title = |value: usize| timeline.entries[line.entry_of[value]].title();
    let grows = drift.last > drift.first;
    let (verb, sign) = if grows { ("grows", 1.0) } else { ("shrinks", -1.0) };
    let (lower, upper) = if grows { (drift.lower, drift.upper) } else { (drift.upper, drift.lower) };
    let share = |value: f64| number::significant(sign * 100.0 * value / drift.first.abs(), 2);
    format!(
        "{}, {}, {verb} steadily by {} % [{}, {}] from {} to {}, no jump",
        timeline.name_of(line),
        cost_of(timeline, line),
        share(drift.last - drift.first),
        share(lower),
        share(upper),
        title(level.runs.start),
        title(level.runs.end - 1)
    )
}

/// `the cost of each N/P`.
fn cost_of(timeline: &ConstantHistory, line: &ConstantLine) -> String {
    let formula = timeline.model().formula();
    let basis = formula.text_of(&formula.terms()[line.placed.term].basis);
    units::of_each(timeline.model().unit(), &basis)
}

/// Which constants did not change, and which may have.
pub fn constancies(timeline: &ConstantHistory) -> Vec<String> {
    let mut sentences: Vec<String> = Vec::new();
    for line in &timeline.constants {
        sentences.extend(line.history.untold.iter().map(|untold| unknown(timeline, line, untold)));
    }
    let lines = timeline.constants.iter();
    let quiet = lines.filter(|line| line.history.is_constant());
    let (known, few): (Vec<&ConstantLine>, Vec<_>) = quiet.partition(|line| line.least_told.is_some());
    let names = |lines: &[&ConstantLine]| {
        listed(&lines.iter().map(|line| timeline.name_of(line)).collect::<Vec<_>>())
    };
    if !known.is_empty() {
        let sizes: Vec<String> = known.iter().filter_map(|line| line.would_show()).map(percent).collect();
        let where_shown = match sizes.len() == known.len() {
            true => format!(", where {} would show", listed(&sizes)),
            false => String::new(),
        };
        sentences.push(format!("{}: no change{where_shown}", names(&known)));
    }
    if !few.is_empty() {
        let most = few.iter().map(|line| line.values.len()).max().unwrap_or_default();
        let needed = match most < timeline.fewest {
            true => format!("{} are needed", timeline.fewest),
            false => "they scatter too much".to_owned(),
        };
        sentences.push(format!(
            "{}: cannot tell yet, {} {} no change of any size: {needed}",
            names(&few),
            of_entries(most),
            if most == 1 { "shows" } else { "show" }
        ));
    }
    sentences
}

fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent < 0.05 { "0.1 %".to_owned() } else { format!("{} %", number::significant(percent, 2)) }
}

/// `f[1]: cannot tell yet whether it rose: +100 % at c13 (3 entries); 4 more entries like these would tell`.
fn unknown(timeline: &ConstantHistory, line: &ConstantLine, untold: &Untold) -> String {
    let title = |value: usize| timeline.entries[line.entry_of[value]].title();
    let change = untold.after - untold.before;
    let verb = if change > 0.0 { "rose" } else { "fell" };
    let sign = if change > 0.0 { "+" } else { "-" };
    let size = percent((change / untold.before).abs());
    let (first, last) = (untold.runs.start, untold.runs.end - 1);
    let place = if last + 1 == line.values.len() {
        format!("since {}", title(first))
    } else {
        format!("from {} to {}", title(first), title(last))
    };
    let more = match untold.more {
        Some(more) => format!("{} like the last would tell", more_entries(more)),
        None if untold.runs.len() < call_check::SHORTEST => {
            "so few entries beside others do not tell it from spikes".to_owned()
        }
        None => "more entries like these do not tell it from how they scatter".to_owned(),
    };
    format!(
        "{}: cannot tell yet whether it {verb}, {sign}{size} {place} ({}); {more}",
        timeline.name_of(line),
        of_entries(untold.runs.len())
    )
}

fn more_entries(count: usize) -> String {
    if count == 1 { "1 more entry".to_owned() } else { format!("{count} more entries") }
}

/// `f[1], the cost of each N/P, rose 12 % [8, 16] at 1234567890 (between 0123456789 and 2345678901)`.
fn moved(timeline: &ConstantHistory, line: &ConstantLine, change: &ChangePoint) -> String {
    let basis = cost_of(timeline, line);
    let difference = change.after - change.before;
    let verb = if difference > 0.0 { "rose" } else { "fell" };
    let percent = |value: f64| number::significant(100.0 * value / change.before.abs(), 2);
    let (lower, upper) = match difference < 0.0 {
        true => (-change.upper, -change.lower),
        false => (change.lower, change.upper),
    };
    let title = |value: usize| timeline.entries[line.entry_of[value]].title();
    let place = match change.earliest == change.latest {
        true => format!("behind {}", title(change.first - 1)),
        false => format!("between {} and {}", title(change.earliest - 1), title(change.latest)),
    };
    format!(
        "{}, {basis}, {verb} {} % [{}, {}] at {} ({place})",
        timeline.name_of(line),
        percent(difference.abs()),
        percent(lower),
        percent(upper),
        title(change.first),
    )
}
