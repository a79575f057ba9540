use call_trace::CallSite;
use hashbrown::HashMap;

use crate::path::Path;

/// What a processor does for some time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// Its number in the run.
    pub processor: u32,
    /// Index into [`Waits::codes`](crate::Waits::codes).
    pub code: usize,
    /// How it spends the time there.
    pub state: State,
}

/// How a processor spends time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum State {
    /// Outside of the library.
    Computing,
    /// In a call of the library, without what it waits for others.
    Communicating,
}

/// The part of the program that a step belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Code {
    /// Before the first event of the processor.
    Start,
    /// Inside the measurements of an experiment. What others wait for is what they do between two calls, so each call in an experiment
    /// begins another step of it.
    Experiment {
        /// Of the experiment.
        name: String,
        /// The call in the experiment that it leads to; `None` where it leads to none.
        before: Option<CallSite>,
    },
    /// In no experiment and no procedure that was recorded: what leads to this call.
    Before(CallSite),
    /// In this call or procedure.
    Region(CallSite),
    /// Behind the last call.
    End,
}

/// Gives numbers to things, from 0 in the order of their first mention.
#[derive(Debug)]
pub(crate) struct Numbering<Thing> {
    pub(crate) things: Vec<Thing>,
    number_of: HashMap<Thing, usize>,
}

impl<Thing> Default for Numbering<Thing> {
    fn default() -> Numbering<Thing> {
        Numbering { things: Vec::new(), number_of: HashMap::new() }
    }
}

impl State {
    /// A number below 2.
    pub(crate) fn bit(self) -> usize {
        usize::from(self == State::Communicating)
    }
}

impl<Thing: Clone + Eq + std::hash::Hash> Numbering<Thing> {
    pub(crate) fn number(&mut self, thing: &Thing) -> usize {
        if let Some(number) = self.number_of.get(thing) {
            return *number;
        }
        let number = self.things.len();
        self.things.push(thing.clone());
        self.number_of.insert(thing.clone(), number);
        number
    }
}

/// Numbers of the steps of all timelines. Those of a timeline lie beside each other, in the order in which their codes and states come up
/// anywhere, so that what two paths have from one processor differs in few places.
#[derive(Debug)]
pub(crate) struct StepNumbers {
    /// What is done, and how, by its number.
    keys: Vec<(usize, State)>,
    /// By code and state: that number plus 1, or 0 of what has not come up.
    key_of: Vec<u32>,
    /// So many bits of a step's number are that of what is done; those above are the timeline.
    key_bits: u32,
}

impl StepNumbers {
    /// Of so many codes.
    pub(crate) fn new(codes: usize) -> StepNumbers {
        let most = 2 * codes.max(1);
        // A node of a path has steps of one timeline only.
        let key_bits = most.next_power_of_two().ilog2().next_multiple_of(Path::NODE_BITS);
        StepNumbers { keys: Vec::new(), key_of: vec![0; most], key_bits }
    }

    #[inline]
    pub(crate) fn number(&mut self, timeline: usize, code: usize, state: State) -> u64 {
        let key = &mut self.key_of[2 * code + state.bit()];
        if *key == 0 {
            self.keys.push((code, state));
            *key = self.keys.len() as u32;
        }
        (timeline as u64) << self.key_bits | u64::from(*key - 1)
    }

    #[inline]
    pub(crate) fn timeline(&self, step: u64) -> usize {
        (step >> self.key_bits) as usize
    }

    /// The number of what is done in a step, and how.
    #[inline]
    pub(crate) fn key(&self, step: u64) -> usize {
        (step & ((1 << self.key_bits) - 1)) as usize
    }

    /// What is done, and how, by its number.
    pub(crate) fn keys(&self) -> &[(usize, State)] {
        &self.keys
    }

    /// A step on the processor of its timeline.
    pub(crate) fn step(&self, number: u64, processor: u32) -> Step {
        let (code, state) = self.keys[self.key(number)];
        Step { processor, code, state }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_a_timeline_lie_beside_each_other() {
        // 20 codes have 40 keys, for which two levels of a path have room.
        let mut steps = StepNumbers::new(20);
        let first = steps.number(0, 19, State::Communicating);
        let other = steps.number(3, 19, State::Communicating);
        let next = steps.number(3, 0, State::Computing);
        assert_eq!((first, other, next), (0, 3 * 256, 3 * 256 + 1));
        assert_eq!(steps.number(3, 19, State::Communicating), other);
        assert_eq!((steps.timeline(next), steps.key(next)), (3, 1));
        assert_eq!(steps.step(next, 7), Step { processor: 7, code: 0, state: State::Computing });
        assert_eq!(steps.keys(), [(19, State::Communicating), (0, State::Computing)]);
    }
}
