//! `misses=SET` behind a machine: what its caches miss, counted by a run of `call run --misses`, in the place of what loops let expect.

use call_machine::{Machine, MemoryLevel};
use call_model::{Model, Settings};
use call_trace::{Experiment, Run};

use super::named::name_of;
use crate::error::code;
use crate::found::FoundExperiment;
use crate::words::Word;
use crate::{Error, Session};

/// The word that names the data set.
pub const MISSES: &str = "misses";

/// Sizes of a cache that differ by less are those of the same cache: ways are rounded where sets are to be a power of two.
const SAME_SIZE: f64 = 1.05;

/// The misses of each level of a machine as fitted formulas.
pub struct CountedMisses {
    /// In the order of the levels; none where that one was not simulated.
    levels: Vec<Option<Model>>,
}

impl CountedMisses {
    /// Those of the experiment of that name in the data set that the word gives, as far as its runs simulated the caches of the machine.
    pub fn of(
        session: &Session,
        word: &Word,
        found: &FoundExperiment,
        machine: &Machine,
    ) -> Result<CountedMisses, Error> {
        let set = word.assignment().map_or("", |(_, text)| text);
        let name = &found.experiment().name;
        let Some(counted) = session.find(&format!("{set}.{name}")) else {
            return Err(word
                .error(code::UNKNOWN_DATA_SET, format!("there is no data set `{set}` with `{name}`"))
                .help(format!("`load FILE… as {set}` reads traces of `call run --misses`")));
        };
        let simulated = simulated(counted.runs());
        let levels = machine.memory.iter().map(|level| {
            let of_level = simulated.iter().find(|cache| cache.is(level));
            of_level.map(|cache| cache.model(counted.experiment(), found, word)).transpose()
        });
        let levels: Vec<Option<Model>> = levels.collect::<Result<_, _>>()?;
        if levels.iter().all(Option::is_none) {
            let told: Vec<&str> = simulated.iter().map(|cache| cache.described.as_str()).collect();
            let told = if told.is_empty() { "none".to_owned() } else { told.join(", ") };
            let wanted: Vec<String> = machine
                .memory
                .iter()
                .filter_map(|level| level.size_bytes)
                .map(|bytes| format!("{}K", bytes / 1024))
                .collect();
            return Err(word
                .error(
                    code::NO_ANSWER,
                    format!(
                        "the runs of `{set}` simulated caches of another size than those of {}: {told}",
                        machine.name
                    ),
                )
                .help(format!("`call run --misses --caches {}` simulates them", wanted.join(","))));
        }
        Ok(CountedMisses { levels })
    }

    /// Whether all caches of the machine were simulated; its last level is the memory, which misses nothing.
    pub fn is_of_all_caches(&self) -> bool {
        self.levels.split_last().is_some_and(|(_, caches)| caches.iter().all(Option::is_some))
    }

    /// How many lines each level misses for one of the terms of the formula, whose basis has this value at a point.
    pub fn at(&self, term: usize, basis: f64, point: &[f64]) -> Vec<Option<f64>> {
        let of = |model: &Model| {
            let cell = model.predict(point).cell;
            f64::max(model.cells()[cell].fit.coefficients[term] * basis, 0.0)
        };
        self.levels.iter().map(|model| model.as_ref().map(of)).collect()
    }
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
        let ratio = level.size_bytes.map(|bytes| bytes as f64 / self.bytes);
        ratio.is_some_and(|ratio| ratio < SAME_SIZE && ratio > 1.0 / SAME_SIZE)
    }

    /// The formula, fitted to the misses of this cache.
    fn model(&self, counted: &Experiment, found: &FoundExperiment, word: &Word) -> Result<Model, Error> {
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
