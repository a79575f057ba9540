//! `misses=SET,SET…` behind a machine: what its caches miss, counted by a run of `call run --misses`, in the place of what loops let expect.

use call_machine::guess::CountedMisses;
use call_machine::{Machine, MemoryLevel};
use call_model::{Model, Settings};
use call_trace::{Experiment, Run};

use super::points::name_of;
use crate::error::code;
use crate::found::SessionExperiment;
use crate::words::Word;
use crate::{Error, Session};

/// The word that names the data sets.
pub const MISSES: &str = "misses";

/// Sizes of a cache that differ by less are those of the same cache: ways are rounded where sets are to be a power of two.
const SAME_SIZE: f64 = 1.05;

/// The misses of all caches of a machine, by the experiment of that name in one of the data sets `SET,SET…`. With those of some caches only, of
/// irregular accesses nothing could be said, and what was counted would be compared with what was expected.
pub fn all_counted_misses(
    session: &Session,
    word: &Word,
    found: &SessionExperiment,
    machine: &Machine,
) -> Result<CountedMisses, Error> {
    let (counted, told) = counted_misses(session, word, found, machine)?;
    match counted.is_of_all_caches() {
        true => Ok(counted),
        false => Err(other_caches(machine, word, &told, "did not simulate all of")),
    }
}

/// Those of the data set whose runs simulated most of the caches, with the caches of all runs as traces tell them.
fn counted_misses(
    session: &Session,
    word: &Word,
    found: &SessionExperiment,
    machine: &Machine,
) -> Result<(CountedMisses, Vec<String>), Error> {
    let sets = word.assignment().map_or("", |(_, text)| text);
    let mut best: Vec<Option<Model>> = Vec::new();
    let mut told: Vec<String> = Vec::new();
    for set in sets.split(',') {
        let name = &found.experiment().name;
        let Some(counted) = session.find(&format!("{set}.{name}")) else {
            return Err(word
                .error(code::UNKNOWN_DATA_SET, format!("there is no data set `{set}` with `{name}`"))
                .help(format!("`load FILE… as {set}` reads traces of `call run --misses`")));
        };
        let simulated = simulated(counted.runs());
        of_one_size(&simulated, set, word)?;
        told.extend(simulated.iter().map(|cache| cache.described.clone()));
        let levels = machine.memory.iter().map(|level| {
            let of_level = simulated.iter().find(|cache| cache.is(level));
            of_level.map(|cache| cache.model(counted.experiment(), found, word)).transpose()
        });
        let levels: Vec<Option<Model>> = levels.collect::<Result<_, _>>()?;
        if known(&levels) > known(&best) {
            best = levels;
        }
    }
    match best.is_empty() {
        false => Ok((CountedMisses::new(best), told)),
        true => Err(other_caches(machine, word, &told, "simulated caches of another size than")),
    }
}

fn known(levels: &[Option<Model>]) -> usize {
    levels.iter().flatten().count()
}

/// Counts of one name are those of one cache only where all runs simulated the same.
fn of_one_size(simulated: &[SimulatedCache], set: &str, word: &Word) -> Result<(), Error> {
    let differ = |one: &&SimulatedCache| {
        simulated.iter().any(|other| other.level == one.level && !is_same_size(other.bytes, one.bytes))
    };
    match simulated.iter().find(differ) {
        None => Ok(()),
        Some(cache) => Err(word
            .error(
                code::NO_ANSWER,
                format!("the runs of `{set}` simulated caches of several sizes as {}", cache.level),
            )
            .help(format!("load those of each into a data set of its own: `{MISSES}=ONE,OTHER`"))),
    }
}

fn other_caches(machine: &Machine, word: &Word, told: &[String], did: &str) -> Error {
    let sets = word.assignment().map_or("", |(_, text)| text);
    let sizes = machine.memory.iter().filter_map(|level| level.size_bytes);
    let wanted: Vec<String> = sizes.map(|bytes| format!("{}K", bytes / 1024)).collect();
    let told = if told.is_empty() { String::new() } else { format!(": {}", told.join(", ")) };
    let text = format!("the runs of `{sets}` {did} those of {}{told}", machine.name);
    word.error(code::NO_ANSWER, text)
        .help(format!("`call run --misses --caches {}` simulates them", wanted.join(",")))
}

fn is_same_size(one: f64, other: f64) -> bool {
    let ratio = one / other;
    ratio < SAME_SIZE && ratio > 1.0 / SAME_SIZE
}

/// A cache that runs have simulated.
struct SimulatedCache {
    /// `L2`
    level: String,
    bytes: f64,
    /// `L2 1048576/16/64`, as traces say it.
    described: String,
}

/// Those of some runs, each once.
fn simulated(runs: &[Run]) -> Vec<SimulatedCache> {
    let mut found: Vec<SimulatedCache> = Vec::new();
    for described in runs.iter().flat_map(|run| run.header.simulated_caches.split(", ")) {
        let Some((level, rest)) = described.split_once(' ') else { continue };
        let bytes = rest.split('/').next().and_then(|bytes| bytes.parse().ok());
        let is_new = found.iter().all(|known| known.described != described);
        let (level, described) = (level.to_owned(), described.to_owned());
        found.extend(bytes.filter(|_| is_new).map(|bytes| SimulatedCache { level, bytes, described }));
    }
    found
}

impl SimulatedCache {
    fn is(&self, level: &MemoryLevel) -> bool {
        level.size_bytes.is_some_and(|bytes| is_same_size(bytes as f64, self.bytes))
    }

    /// The formula, fitted to the misses of this cache.
    fn model(&self, counted: &Experiment, found: &SessionExperiment, word: &Word) -> Result<Model, Error> {
        let counter = format!("{}-misses", self.level);
        let fail = |error: Error| error.with_span(word.span.clone());
        let mut counted = counted.clone();
        if counted.observable.as_ref() != Some(&counter) {
            counted.respond_with(&counter).map_err(|error| fail(Error::from(error)))?;
        }
        if counted.formula != found.experiment().formula {
            let text =
                format!("the formula of `{}` is another one in `{}`", found.experiment().name, name_of(word));
            return Err(word.error(code::NO_ANSWER, text));
        }
        Model::fit(&Settings::default().prepare(&counted)).map_err(|error| fail(Error::from(error)))
    }
}
