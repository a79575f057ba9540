//! Recorded supersteps, evaluated again.

mod events;
mod picture;
mod request;
mod tables;

use call_bsp::obsp::{InOut, Network};
use call_bsp::recording::RecordedRun;
use call_bsp::replay::{NetworkCosts, NetworkEstimate, Replay as Replayed, Scenario};
use call_report::number;
use call_trace::Run;

use super::diagram::network;
use super::recorded_runs::runs_with_supersteps;
use super::{Command, CommandArguments, LineClauses};
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Completion, Error, Markup, Message, Session, Style};
pub use picture::picture;
pub use request::FASTER;
use request::ReplayRequest;

const USAGE: &str = "replay [TRACE | SET] [g=VALUE] [L=VALUE] [relation=max|sum] [on MACHINE] [faster EXPERIMENT=FACTOR…] · replay [TRACE | SET] \
    [latency=SECONDS] [bandwidth=BYTES/S] [eager=BYTES] [from latency=SECONDS bandwidth=BYTES/S] [faster STEP=FACTOR…]";

pub const REPLAY: Command = Command {
    name: "replay",
    usage: USAGE,
    summary: "evaluate a recorded run again, as if something were faster or the network another one",
    details: "For runs that recorded supersteps. `replay faster E=2`: what is gained if experiment E is twice as fast, and which wait absorbs \
        the rest. `replay g=1e-9 L=2e-6`, seconds a byte and seconds, or `on MACHINE` for another network; what is not given is fitted \
        to the recording. `relation` says how bytes in and out make the h-relation: `max`, the larger \
        of both, is that of machines, as in `profile`; `sum` that of what is fitted and of `g=… L=…`. Alone it tells waits and the critical chain. \
        `plot replay` with the same words shows what the processors do when. Of MPI programs that recorded events it is \
        `latency=2e-6 bandwidth=12.5e9`, seconds and bytes a second of each processor's link; with `eager=64Ki` larger messages wait for their \
        receivers, without it those that did. `from latency=… bandwidth=…` says what the recording's network is, where its messages do not tell.",
    completions: &[Completion::DataSet, Completion::Experiment],
    clauses: LineClauses::Own,
    run,
    ..Command::OF_SAMPLES
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    check_condition(arguments)?;
    if events::is_meant(session, arguments.words()) {
        return events::run(session, arguments.words());
    }
    let request = ReplayRequest::parse(session, arguments.words(), arguments.end())?;
    let runs = request.runs(session)?;
    let mut outcome = CommandOutcome::default();
    let mut compared = Vec::new();
    for run in &runs {
        match RecordedAndReplayed::of(run, &request) {
            Ok(one) => compared.push(one),
            // Of several runs the others are told.
            Err(error) if runs.len() > 1 => {
                outcome.warnings.push(Message::from(&error.of(run.label())));
            }
            Err(error) => return Err(error),
        }
    }
    if compared.is_empty() {
        return Err(
            Error::new(code::NO_ANSWER, "none of the runs can be replayed").help(joined(&outcome.warnings))
        );
    }
    outcome.warnings.extend(compared.iter().filter_map(RecordedAndReplayed::warning));
    crate::remarks::tell(&mut outcome, request.remarks(compared.iter().map(|one| one.recorded.processors())));
    let mut markup = Markup::new();
    if let [one] = compared.as_mut_slice() {
        one.introduce(&mut markup);
    }
    tables::totals(&mut markup, &mut compared, request.is_change());
    match compared.as_mut_slice() {
        [one] => tables::details(&mut markup, one, request.is_change()),
        several => {
            if several.iter().any(|one| one.is_refitted) {
                let text =
                    "replayed, which the gain is counted from, is with g and L as they fit each recording";
                markup.line(Style::Plain, text);
            }
            markup.line(Style::Plain, "waits and critical chain are told of one run: `replay TRACE …`");
        }
    }
    outcome.value = markup;
    Ok(outcome)
}

/// The recorded run that a question is about: the only one, or that of the trace which the first word names; the word is taken, and
/// returned.
pub fn recorded_run(
    session: &Session,
    words: &mut Vec<Word>,
) -> Result<(RecordedRun, Option<String>), Error> {
    let is_run = |word: &Word| session.state().data().runs().iter().any(|run| run.files.contains(&word.text));
    let named = words.first().is_some_and(is_run).then(|| words.remove(0));
    let runs = runs_with_supersteps(session, named.as_ref())?;
    let [run] = runs[..] else {
        return Err(Error::new(
            code::SEVERAL_RUNS,
            format!("there are {} runs, and a question is about one", runs.len()),
        )
        .help("name its trace behind `replay`; `show` lists the traces"));
    };
    Ok((RecordedRun::rebuild(&run.supersteps)?, named.map(|word| word.text)))
}

fn check_condition(arguments: &CommandArguments) -> Result<(), Error> {
    match arguments.condition() {
        None => Ok(()),
        Some(_) => {
            let message = "`replay` has whole runs and no samples to choose from";
            Err(Error::new(code::NOT_APPLICABLE, message).help("leave `where` out"))
        }
    }
}

/// A run as it was, and as it would be.
struct RecordedAndReplayed {
    label: String,
    recorded: RecordedRun,
    before: Replayed,
    after: Replayed,
    /// What the user wants to be faster.
    faster: Vec<(String, f64)>,
    /// How synchronisations are counted.
    costs: String,
    /// Whether they are so before the changes, too: by fitted g and L, not as they were.
    is_refitted: bool,
    /// How near the replay with everything as it was comes.
    off_s: f64,
}

/// Traces have times with nine decimals.
const RESOLUTION_S: f64 = 1e-9;

impl RecordedAndReplayed {
    fn of(run: &Run, request: &ReplayRequest) -> Result<RecordedAndReplayed, Error> {
        let recorded = RecordedRun::rebuild(&run.supersteps)?;
        let fitted = recorded.fit_network(InOut::default());
        let mut old = Scenario::default();
        let mut new = Scenario { faster: request.faster.clone(), ..Scenario::default() };
        let mut costs = "as recorded".to_owned();
        if request.is_network() {
            let (g, latency) = request.network(recorded.processors())?;
            let (g_s_per_byte, latency_s) = match (g, latency, &fitted) {
                (Some(g_s_per_byte), Some(latency_s), _) => (g_s_per_byte, latency_s),
                (g, latency, Ok(fitted)) => {
                    (g.unwrap_or(fitted.g_s_per_byte), latency.unwrap_or(fitted.latency_s))
                }
                (_, _, Err(error)) => return Err(error.clone().into()),
            };
            new.costs = NetworkCosts::Linear(Network { g_s_per_byte, latency_s });
            new.in_out = request.in_out();
            if let Ok(fitted) = &fitted {
                old.costs = fitted.costs();
                let relation = relation_word(old.in_out);
                costs = format!("fitted to the recording, {} ({relation})", quality(fitted));
            }
            let relation = relation_word(new.in_out);
            costs.push_str(&format!("; then {} ({relation})", network(g_s_per_byte, latency_s)));
        } else if let Ok(fitted) = &fitted {
            costs.push_str(&format!("; they fit {}", quality(fitted)));
        }
        Ok(RecordedAndReplayed {
            label: run.label().to_owned(),
            before: recorded.replay(&old)?,
            after: recorded.replay(&new).map_err(|error| request.at_experiment(error))?,
            is_refitted: old.costs != NetworkCosts::Recorded,
            off_s: recorded.fidelity()?.largest_s,
            faster: new.faster,
            costs,
            recorded,
        })
    }

    fn introduce(&self, markup: &mut Markup) {
        markup.line(Style::Plain, format!("synchronisations: {}", self.costs));
        if self.is_refitted {
            let off_s = self.before.total_s() - self.recorded.recorded_s();
            let part = number::percent(100.0 * off_s.abs() / self.recorded.recorded_s());
            let off = number::seconds(off_s.abs());
            let than = match off_s {
                off_s if off_s.abs() < RESOLUTION_S => "as recorded".to_owned(),
                ..0.0 => format!("{off} ({part} %) less than recorded"),
                _ => format!("{off} ({part} %) more than recorded"),
            };
            let text =
                format!("replayed, which the gain is counted from, is with the fitted g and L: {than}");
            markup.line(Style::Plain, text);
            return;
        }
        let off = number::seconds(self.off_s.max(RESOLUTION_S));
        markup
            .line(Style::Plain, format!("with all as it was, supersteps end within {off} of the recording"));
    }

    fn warning(&self) -> Option<Message> {
        own_clocks(&self.label, &self.recorded)
    }
}

/// What is assumed where processors have clocks of their own.
pub fn own_clocks(label: &str, recorded: &RecordedRun) -> Option<Message> {
    (!recorded.has_common_clock()).then(|| {
        let text = format!(
            "{label}: the clocks of its processors have no common start: all are taken to start at once, and synchronisations to take \
             what the trace calls communicating"
        );
        Message::new("no-common-clock", text)
    })
}

fn joined(messages: &[Message]) -> String {
    messages.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// Fitted g and L, and how far synchronisations are from what they make of them.
fn quality(fitted: &NetworkEstimate) -> String {
    let network = network(fitted.g_s_per_byte, fitted.latency_s);
    match fitted.scatter_s.is_finite() {
        true => format!("{network}, off by {}", number::seconds(fitted.scatter_s)),
        false => network,
    }
}

/// An h-relation as it is asked for.
fn relation_word(in_out: InOut) -> &'static str {
    match in_out {
        InOut::Maximum => "relation=max",
        InOut::Sum => "relation=sum",
    }
}
