//! Recorded events of MPI programs on another network.

use call_grammar::{counted, listed};
use call_report::{Column, DisplayUnit, Table, TableCell, number};
use call_trace::Run;
use call_waiting::{MessageNetwork, NetworkDoubt, NetworkRecording, NoWaits, Waits, are_threads};
use serde_json::json;

use super::FASTER;
use crate::command::recorded_runs::named_runs;
use crate::command::values;
use crate::command::waits::{
    Faster, FasterSteps, code_names, doubts_of_change, efficiencies, faults, first_call, parse_faster,
    percent, taken_first, tell_paths, waits_of,
};
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Error, Markup, Message, Session, Style};

const USAGE: &str = "replay [TRACE | SET] [latency=SECONDS] [bandwidth=BYTES/S] [eager=BYTES] [from latency=SECONDS bandwidth=BYTES/S] \
    [faster STEP=FACTOR…]";

const LATENCY: &str = "latency";
const BANDWIDTH: &str = "bandwidth";
const EAGER: &str = "eager";
/// What stands before the network that was recorded.
const FROM: &str = "from";
/// Words that mean events, and no supersteps.
const OWN: [&str; 3] = [LATENCY, BANDWIDTH, EAGER];

/// A network that fewer calls tell, or from which half of them are as far off, may be another one.
const FEW_WAITS: usize = 20;
const LARGE_ERROR: f64 = 0.1;

/// Times that differ by no more are one.
const SAME: f64 = 0.01;

/// What is given of a network.
#[derive(Default)]
struct GivenNetwork {
    latency_s: Option<f64>,
    bandwidth_bytes_per_s: Option<f64>,
}

impl GivenNetwork {
    fn take(&mut self, word: &Word, name: &str, value: &str) -> Result<(), Error> {
        let place = match name {
            LATENCY => &mut self.latency_s,
            _ => &mut self.bandwidth_bytes_per_s,
        };
        let value = match name {
            LATENCY if values::number(value) == Some(0.0) => 0.0,
            LATENCY => values::time(word, value)?,
            _ => values::number(value).filter(|its| *its > 0.0).ok_or_else(|| {
                word.error(code::WRONG_VALUE, format!("`{value}` is no bandwidth"))
                    .help("bytes a second: `bandwidth=12.5e9` or `bandwidth=12.5G`")
            })?,
        };
        match place.replace(value) {
            None => Ok(()),
            Some(_) => Err(word.error(code::GIVEN_TWICE, format!("`{name}` is given twice"))
                .help("before `from` stands the other network, behind it that of the recording: `latency=40us from latency=4us`")),
        }
    }

    fn or(&self, network: &MessageNetwork) -> MessageNetwork {
        MessageNetwork {
            latency_s: self.latency_s.unwrap_or(network.latency_s),
            bandwidth_bytes_per_s: self.bandwidth_bytes_per_s.unwrap_or(network.bandwidth_bytes_per_s),
        }
    }
}

/// What is asked of events.
pub struct EventReplay<'a> {
    data: Option<&'a Word>,
    then: GivenNetwork,
    eager_bytes: Option<f64>,
    recorded: GivenNetwork,
    faster: Vec<Faster<'a>>,
}

/// Whether words ask about events: by what they give, or by naming runs that have nothing else.
pub fn is_meant(session: &Session, words: &[Word]) -> bool {
    let is_before = |word: &&Word| word.text != FASTER;
    if words.iter().take_while(is_before).any(is_own) {
        return true;
    }
    let data = words.first().filter(|word| word.text != FASTER && word.assignment().is_none());
    let has = |runs: Vec<&Run>| {
        runs.iter().any(|run| !run.events.is_empty()) && runs.iter().all(|run| run.supersteps.is_empty())
    };
    named_runs(session, data).is_ok_and(has)
}

fn is_own(word: &Word) -> bool {
    word.text == FROM || word.assignment().is_some_and(|(name, _)| OWN.contains(&name))
}

impl<'a> EventReplay<'a> {
    fn parse(words: &'a [Word]) -> Result<EventReplay<'a>, Error> {
        let (mut data, mut eager_bytes, mut faster) = (None, None, Vec::new());
        let [mut then, mut recorded]: [GivenNetwork; 2] = Default::default();
        let mut is_recorded = false;
        let mut place = 0;
        while let Some(word) = words.get(place) {
            match word.assignment() {
                None if word.text == FASTER && faster.is_empty() => {
                    // The steps end with `from`, which may stand before `faster` or behind it.
                    let behind = &words[place + 1..];
                    let ends = |word: &Word| word.text == FROM && !is_recorded;
                    let steps = &behind[..behind.iter().position(ends).unwrap_or(behind.len())];
                    faster = parse_faster(word, steps)?;
                    place += steps.len();
                }
                None if word.text == FROM && !is_recorded => is_recorded = true,
                None if data.is_none() && place == 0 => data = Some(word),
                Some((name @ (LATENCY | BANDWIDTH), value)) => {
                    let given = if is_recorded { &mut recorded } else { &mut then };
                    given.take(word, name, value)?;
                }
                Some((EAGER, value)) if !is_recorded && eager_bytes.is_none() => {
                    let bytes = values::number(value).filter(|bytes| *bytes >= 0.0).ok_or_else(|| {
                        word.error(code::WRONG_VALUE, format!("`{value}` is no number of bytes"))
                            .help("larger messages wait for their receivers: `eager=64Ki`")
                    })?;
                    eager_bytes = Some(bytes);
                }
                Some(("g" | "L" | "relation", _)) => {
                    let message = format!("`{}` is for recorded supersteps, and these are events", word.text);
                    return Err(word
                        .error(code::NOT_APPLICABLE, message)
                        .help("of events, `latency=2e-6 bandwidth=12.5e9` are another network"));
                }
                _ => {
                    let message = format!("`replay` of events does not know `{}`", word.text);
                    return Err(word.error(code::UNEXPECTED_WORD, message).help(format!("usage: {USAGE}")));
                }
            }
            place += 1;
        }
        Ok(EventReplay { data, then, eager_bytes, recorded, faster })
    }

    fn is_change(&self) -> bool {
        self.is_network() || !self.faster.is_empty()
    }

    /// Whether it matters what the recording's network is.
    fn is_network(&self) -> bool {
        let GivenNetwork { latency_s, bandwidth_bytes_per_s } = self.then;
        latency_s.is_some() || bandwidth_bytes_per_s.is_some() || self.eager_bytes.is_some()
    }
}

/// `replay` of runs that recorded events.
pub fn run(session: &Session, words: &[Word]) -> Result<CommandOutcome, Error> {
    let asked = EventReplay::parse(words)?;
    let mut runs = named_runs(session, asked.data)?;
    let has_supersteps = runs.iter().any(|run| !run.supersteps.is_empty());
    runs.retain(|run| !run.events.is_empty());
    if runs.is_empty() {
        let own = words.iter().find(|word| is_own(word)).filter(|_| has_supersteps);
        return Err(own.map_or_else(
            || NoWaits::Nothing.into(),
            |word| {
                let message = format!("`{}` is for recorded events, and these are supersteps", word.text);
                word.error(code::NOT_APPLICABLE, message)
                    .help("of supersteps, `g=1e-9 L=2e-6` are another network")
            },
        ));
    }
    let mut outcome = CommandOutcome::default();
    let mut refused = 0;
    for run in &runs {
        match replayed(run, &asked) {
            Ok((markup, warnings)) => {
                outcome.value.append(markup);
                outcome.warnings.extend(warnings);
            }
            // Of several runs the others are told.
            Err(error) if runs.len() > 1 && refused + 1 < runs.len() => {
                refused += 1;
                outcome.warnings.push(Message::from(&error.of(run.label())));
            }
            Err(error) => return Err(error.of(run.label())),
        }
    }
    Ok(outcome)
}

fn replayed(run: &Run, asked: &EventReplay) -> Result<(Markup, Vec<Message>), Error> {
    if are_threads(&run.events) {
        let message = "threads share memory: there is no network between them";
        return Err(Error::new(code::NOT_APPLICABLE, message)
            .help("`waits faster STEP=FACTOR` replays with a step that is faster"));
    }
    let before = waits_of(run)?;
    let recording = NetworkRecording::of_events(&run.events)?;
    let names = code_names(&before);
    let mut warnings = faults(run, &before);
    let accesses = recording.remote_accesses();
    if accesses > 0 {
        let text = format!(
            "{}: what {} to the memory of other processors carry does not count in this replay: their calls take what they took",
            run.label(),
            counted_accesses(accesses)
        );
        warnings.push(Message::new("not-analysed", text));
    }
    let mut markup = Markup::new();
    let change = FasterSteps::of(&before, &names, &asked.faster)?.change();
    let after = if asked.is_network() || asked.faster.is_empty() {
        let on = recorded_network(run, asked, &recording, &mut markup, &mut warnings)?;
        if !asked.is_change() {
            let usage = "what the run would take on another one: `replay latency=SECONDS bandwidth=BYTES/S`";
            markup.line(Style::Plain, usage);
            return Ok((markup, warnings));
        }
        if let Some((word, name)) = first_call(&before, &names, &asked.faster) {
            let message =
                format!("`{name}` is a call: on another network it takes what that network makes of it");
            return Err(word.error(code::NOT_APPLICABLE, message).help(format!(
                "on another network computing may be faster; `replay faster {name}=2` alone divides what the call takes beyond its waits"
            )));
        }
        let then = asked.then.or(&on);
        if let Ok(Some(doubt)) = recording.doubt(&on, &then, asked.eager_bytes, &change) {
            warnings.extend(doubtful(run, &doubt));
        }
        warnings.extend(taken_first(run, &before));
        markup.line(Style::Plain, changes(&format!("then: {}", network(&then)), asked));
        recording.replay(&on, &then, asked.eager_bytes, &change)?
    } else {
        // Who waits for whom stays, whatever the network is.
        let text = "then, calls taking what they take beyond their waits";
        markup.line(Style::Plain, changes(text, asked));
        let after = before.replay(&change);
        warnings.extend(doubts_of_change(run, &before, &after, &change));
        after
    };
    markup.table(totals(run, &before, &after));
    let [old, new] = [&before.efficiency, &after.efficiency];
    markup.paragraph(format!(
        "parallel efficiency {}, not {}; transfer {}, not {}; they wait {} of their time, not {}",
        percent(new.parallel),
        percent(old.parallel),
        percent(new.transfer),
        percent(old.transfer),
        percent(new.waiting),
        percent(old.waiting)
    ));
    markup.data(efficiencies(&before, &after).about_the("trace", run.label()));
    tell_paths(&mut markup, run.label(), &before, &after, &names);
    Ok((markup, warnings))
}

/// The network that the run had, which is told, and what is uncertain of it.
fn recorded_network(
    run: &Run,
    asked: &EventReplay,
    recording: &NetworkRecording,
    markup: &mut Markup,
    warnings: &mut Vec<Message>,
) -> Result<MessageNetwork, Error> {
    let on = match asked.recorded {
        GivenNetwork { latency_s: Some(latency_s), bandwidth_bytes_per_s: Some(bandwidth_bytes_per_s) } => {
            let on = MessageNetwork { latency_s, bandwidth_bytes_per_s };
            markup.line(Style::Plain, format!("network of the recording, as given: {}", network(&on)));
            on
        }
        _ => {
            let found = recording.fitted()?;
            let on = asked.recorded.or(&found.network);
            let text = format!(
                "network of the recording, from {} that waited for messages: {}; half of them are off by less than {} %",
                counted(found.waits, "call"),
                network(&found.network),
                number::percent(100.0 * found.relative_error)
            );
            markup.line(Style::Plain, text);
            if found.waits < FEW_WAITS || found.relative_error > LARGE_ERROR {
                let text = format!(
                    "{}: {} {} little of the recording's network: say what a ping-pong measures there, `from latency=SECONDS bandwidth=BYTES/S`",
                    run.label(),
                    counted(found.waits, "call"),
                    if found.waits == 1 { "tells" } else { "tell" }
                );
                warnings.push(Message::new("uncertain-network", text));
            }
            on
        }
    };
    if let Some(bytes) = recording.eager_bytes(&on) {
        let which = match bytes {
            ..0.0 => "all messages".to_owned(),
            _ => format!("messages of more than {} bytes", number::exact(bytes)),
        };
        let text = format!("{which} waited for their receivers");
        markup.line(Style::Plain, text);
    }
    Ok(on)
}

/// That a recording does not tell what some operations take, if it matters.
fn doubtful(run: &Run, doubt: &NetworkDoubt) -> Option<Message> {
    let [least_s, most_s] = [doubt.least_ns, doubt.most_ns].map(|its_ns| 1e-9 * its_ns as f64);
    if most_s <= (1.0 + SAME) * least_s {
        return None;
    }
    let operations = doubt.operations.iter().map(|(operation, processors)| {
        format!("{} of {processors} processors", format!("{operation:?}").to_lowercase())
    });
    let operations: Vec<String> = operations.collect();
    let text = format!(
        "{}: what {} takes does not show, as processors came one after the other or did not stay for it: then the run takes {} to {}, by the \
        quickest and the slowest algorithm of libraries",
        run.label(),
        listed(&operations),
        number::seconds(least_s),
        number::seconds(most_s)
    );
    let fields = json!({ "operations": operations, "least_s": least_s, "most_s": most_s });
    Some(Message::new("hidden-collectives", text).with(fields))
}

fn counted_accesses(count: usize) -> String {
    if count == 1 { "1 access".to_owned() } else { format!("{count} accesses") }
}

fn network(its: &MessageNetwork) -> String {
    format!("latency {}, bandwidth {}", number::seconds(its.latency_s), bandwidth(its.bandwidth_bytes_per_s))
}

fn bandwidth(bytes_per_s: f64) -> String {
    format!("{}/s", DisplayUnit::parse("bytes").text(bytes_per_s))
}

fn changes(begins: &str, asked: &EventReplay) -> String {
    let mut text = begins.to_owned();
    if let Some(bytes) = asked.eager_bytes {
        text.push_str(&format!(
            ", messages of more than {} bytes wait for their receivers",
            number::exact(bytes)
        ));
    }
    if !asked.faster.is_empty() {
        let faster: Vec<String> = asked.faster.iter().map(Faster::to_string).collect();
        text.push_str(&format!(", {} faster", faster.join(" and ")));
    }
    text
}

fn totals(run: &Run, before: &Waits, after: &Waits) -> Table {
    let columns = [
        Column::left("trace"),
        Column::right("P").key("processors"),
        Column::seconds("recorded"),
        Column::seconds("then"),
        Column::seconds("gain"),
        Column::percent("gain"),
    ];
    let mut table = Table::new(columns).named("replay");
    let [before_s, after_s] = [before, after].map(|waits| 1e-9 * waits.efficiency.run_time_ns as f64);
    table.row([
        TableCell::from(run.label()),
        TableCell::from(before.processors.len() as f64),
        before_s.into(),
        after_s.into(),
        (before_s - after_s).into(),
        TableCell::number_or(100.0 * (before_s - after_s) / before_s, "none"),
    ]);
    table
}
