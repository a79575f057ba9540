use call_trace::CallSite;
use hashbrown::HashMap;

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
    /// Inside the measurements of an experiment.
    Experiment(String),
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

/// Numbers of steps, from 0 in the order in which they come up: a table, as each event asks for one.
pub(crate) struct StepNumbers {
    pub(crate) steps: Vec<Step>,
    /// By timeline, code and state: plus 1, or 0 of what has not come up.
    number_of: Vec<Vec<u32>>,
}

impl StepNumbers {
    pub(crate) fn new(timelines: usize) -> StepNumbers {
        StepNumbers { steps: Vec::new(), number_of: vec![Vec::new(); timelines] }
    }

    /// Of a timeline whose processor the step is of.
    pub(crate) fn number(&mut self, timeline: usize, step: Step) -> u32 {
        let its = &mut self.number_of[timeline];
        let place = 2 * step.code + step.state.bit();
        if place >= its.len() {
            its.resize(place + 1, 0);
        }
        if its[place] == 0 {
            self.steps.push(step);
            its[place] = self.steps.len() as u32;
        }
        its[place] - 1
    }
}
