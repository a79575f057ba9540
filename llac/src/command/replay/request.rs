use std::ops::Range;
use std::sync::Arc;

use call_bsp::obsp::InOut;
use call_bsp::replay::ReplayError;
use call_machine::{Machine, table_remarks};
use call_model::Remark;
use call_trace::Run;

use super::USAGE;
use crate::command::recorded_runs::runs_with_supersteps;
use crate::command::values::{cost, factors, relation};
use crate::error::code;
use crate::machines::missing_machine;
use crate::words::Word;
use crate::{Error, Session};

/// What is to be replayed, and with which changes.
#[derive(Default)]
pub struct ReplayRequest {
    data: Option<Word>,
    pub g_s_per_byte: Option<f64>,
    pub latency_s: Option<f64>,
    in_out: Option<InOut>,
    /// Whose g and L are meant, and where that is said.
    pub machine: Option<(Arc<Machine>, Range<usize>)>,
    pub faster: Vec<(String, f64)>,
    /// Where each of `faster` is said.
    faster_spans: Vec<Range<usize>>,
}

/// What stands before the experiments that are made faster.
pub const FASTER: &str = "faster";
/// What stands before a machine of the database.
const ON: &str = "on";

impl ReplayRequest {
    /// Of the words of a command, which ends at `end`.
    pub fn parse(session: &Session, all: &[Word], end: Range<usize>) -> Result<ReplayRequest, Error> {
        let mut request = ReplayRequest::default();
        let mut words = all.iter();
        while let Some(word) = words.next() {
            match word.assignment() {
                None if word.text == FASTER => break,
                None if word.text == ON => {
                    let name = words.next().ok_or_else(|| missing_machine(word))?;
                    let mut machines = session.machines_on(word, std::slice::from_ref(name))?;
                    let machine = machines.pop().filter(|_| machines.is_empty() && request.machine.is_none());
                    let (machine, _) = machine.ok_or_else(|| {
                        name.error(code::NOT_APPLICABLE, "`replay` takes one machine")
                            .help("replay once on each")
                    })?;
                    request.machine = Some((machine, name.span.clone()));
                }
                None if request.data.is_none() => request.data = Some(word.clone()),
                Some(("g", text)) => request.g_s_per_byte = Some(cost(word, text)?),
                Some(("L", text)) => request.latency_s = Some(cost(word, text)?),
                Some(("relation", text)) => {
                    request.in_out = Some(relation(word, text)?);
                }
                _ => {
                    let message = format!("`replay` does not know `{}`", word.text);
                    return Err(word.error(code::UNEXPECTED_WORD, message).help(format!("usage: {USAGE}")));
                }
            }
        }
        let has_cost = request.g_s_per_byte.is_some() || request.latency_s.is_some();
        if let Some((_, span)) = request.machine.as_ref().filter(|_| has_cost) {
            return Err(Error::at(
                code::GIVEN_TWICE,
                span.clone(),
                "g and L are those of the machine, and given, too",
            )
            .help("leave out `g=… L=…` or `on MACHINE`"));
        }
        let has_faster = all.iter().any(|word| word.text == FASTER);
        for (word, name, factor) in factors(words, "EXPERIMENT", "`faster E=2` makes E take half the time")? {
            request.faster.push((name.to_owned(), factor));
            request.faster_spans.push(word.span.clone());
        }
        if has_faster && request.faster.is_empty() {
            return Err(
                Error::at(code::MISSING_WORD, end, "which experiment is faster?").help("`faster E=2`")
            );
        }
        Ok(request)
    }

    /// Whether g, L or `@` are other.
    pub fn is_network(&self) -> bool {
        self.g_s_per_byte.is_some()
            || self.latency_s.is_some()
            || self.in_out.is_some()
            || self.machine.is_some()
    }

    /// How bytes in and out are one h-relation: as it is given, or as g was measured, on the machine or by the fit to the recording.
    pub fn in_out(&self) -> InOut {
        let measured = if self.machine.is_some() { InOut::OF_MACHINES } else { InOut::default() };
        self.in_out.unwrap_or(measured)
    }

    /// g and L of so many processors, as far as they are given.
    pub fn network(&self, processors: u32) -> Result<(Option<f64>, Option<f64>), Error> {
        let Some((machine, span)) = &self.machine else { return Ok((self.g_s_per_byte, self.latency_s)) };
        let parameters = machine.parameters(f64::from(processors)).ok_or_else(|| {
            Error::at(
                code::NO_BSP_TABLE,
                span.clone(),
                format!("the machine `{}` has no table of g and L", machine.name),
            )
            .help("give both: `g=… L=…`")
        })?;
        Ok((Some(parameters.g_s_per_byte), Some(parameters.latency_s)))
    }

    /// An error of a replay with these changes, at the experiment that it speaks of.
    pub fn at_experiment(&self, error: ReplayError) -> Error {
        let index = match &error {
            ReplayError::UnknownExperiment { experiment, .. } => {
                self.faster.iter().position(|(name, _)| name == experiment)
            }
            ReplayError::Overlap { .. } | ReplayError::NoExperiments => Some(0),
            _ => None,
        };
        let error = Error::from(error);
        let Some(span) = index.and_then(|index| self.faster_spans.get(index)) else { return error };
        error.with_span(span.clone())
    }

    /// What there is to say of the table of the machine for these numbers of processors.
    pub fn remarks(&self, processors: impl Iterator<Item = u32>) -> Vec<Remark> {
        let Some((machine, _)) = &self.machine else { return Vec::new() };
        processors.flat_map(|processors| table_remarks(machine, f64::from(processors))).collect()
    }

    pub fn is_change(&self) -> bool {
        self.is_network() || !self.faster.is_empty()
    }

    /// The runs that are meant, only those with supersteps.
    pub fn runs<'a>(&self, session: &'a Session) -> Result<Vec<&'a Run>, Error> {
        runs_with_supersteps(session, self.data.as_ref())
    }
}
