use std::collections::BTreeMap;

use call_trace::CallSite;
use fixedbitset::FixedBitSet;

use crate::history::MetWait;
use crate::kind::WaitKind;
use crate::nearest::ClassShares;
use crate::site::{Cause, Class, KindOfSite, Reason, Site};
use crate::step::{State, StepNumbers};
use crate::step_set::StepSet;

/// The waits of a site as they come. Causes have numbers of the site, by what is done and how.
#[derive(Debug, Default)]
pub(crate) struct Collector {
    /// How often and how long each timeline waits.
    by_timeline: Vec<(u64, i64)>,
    kinds: BTreeMap<WaitKind, (u64, i64)>,
    /// By number, what it is in the whole run.
    keys: Vec<usize>,
    /// That number, by what it is in the whole run.
    number_of: Vec<u32>,
    classes: Vec<CollectedClass>,
    shares_of_classes: ClassShares,
    /// Of the wait that comes, by number; all 0 between.
    sums_ns: Vec<i64>,
    /// Of the wait that comes, as room for one suffices for the next: the number of each part of its cause, what others do longer than the
    /// waiting processor by number, and the shares of that.
    numbers: Vec<usize>,
    signature: Vec<(usize, i64)>,
    shares: Vec<(usize, f64)>,
}

const UNKNOWN: u32 = u32::MAX;

/// Whose part of a cause it is.
const OWN: usize = 0;
const OF_OTHERS: usize = 1;

#[derive(Debug, Default)]
struct CollectedClass {
    waits: u64,
    waiting_ns: i64,
    waiting: FixedBitSet,
    causing: FixedBitSet,
    /// By number, how long the waiting processor itself and others do it.
    causes_ns: Vec<[i64; 2]>,
    /// Who does what, of these two.
    steps: [StepSet; 2],
    /// By number.
    signature_ns: Vec<i64>,
    /// Of all in the signature, signs apart.
    size_ns: u128,
}

impl Collector {
    pub(crate) fn add(&mut self, wait: &MetWait, steps: &StepNumbers) {
        let own = wait.place.timeline();
        if own >= self.by_timeline.len() {
            self.by_timeline.resize(own + 1, (0, 0));
        }
        for sum in [&mut self.by_timeline[own], self.kinds.entry(wait.kind).or_default()] {
            *sum = (sum.0 + 1, sum.1.saturating_add(wait.waiting_ns));
        }
        self.sign(wait.cause, steps);
        let number = self.class();
        let class = &mut self.classes[number];
        class.waits += 1;
        class.waiting_ns = class.waiting_ns.saturating_add(wait.waiting_ns);
        class.waiting.grow_and_insert(own);
        class.causing.grow_and_insert(wait.causer.timeline());
        class.causes_ns.resize(self.keys.len(), [0; 2]);
        // Steps of a processor lie beside each other.
        let before = wait.cause.partition_point(|(step, _)| steps.timeline(*step) < own);
        let until = wait.cause.partition_point(|(step, _)| steps.timeline(*step) <= own);
        for (part, whose) in
            [(0..before, OF_OTHERS), (before..until, OWN), (until..wait.cause.len(), OF_OTHERS)]
        {
            class.add(&wait.cause[part.clone()], &self.numbers[part], whose);
        }
        class.sign(&self.signature, self.keys.len());
        self.shares_of_classes.set(number, &class.signature_ns, class.size_ns);
    }

    /// Gives numbers to the parts of a cause, and adds up those of one number.
    fn sign(&mut self, cause: &[(u64, i64)], steps: &StepNumbers) {
        self.numbers.clear();
        for (step, time_ns) in cause {
            let number = self.number(steps.key(*step));
            self.numbers.push(number);
            self.sums_ns[number] += time_ns;
        }
        self.signature.clear();
        let sums = self.numbers.iter().map(|number| (*number, std::mem::take(&mut self.sums_ns[*number])));
        self.signature.extend(sums.filter(|(_, time_ns)| *time_ns != 0));
    }

    fn number(&mut self, key: usize) -> usize {
        if key >= self.number_of.len() {
            self.number_of.resize(key + 1, UNKNOWN);
        }
        let number = &mut self.number_of[key];
        if *number == UNKNOWN {
            *number = self.keys.len() as u32;
            self.keys.push(key);
            self.sums_ns.push(0);
        }
        *number as usize
    }

    /// The class of the wait that comes.
    fn class(&mut self) -> usize {
        let sizes = self.signature.iter().map(|(_, time_ns)| time_ns.unsigned_abs() as f64);
        let size = sizes.sum::<f64>().max(1.0);
        self.shares.clear();
        self.shares.extend(self.signature.iter().map(|(number, time_ns)| (*number, *time_ns as f64 / size)));
        let class = self.shares_of_classes.class_of(&self.shares);
        if class == self.classes.len() {
            self.classes.push(CollectedClass::default());
        }
        class
    }

    /// Of so many processors.
    pub(crate) fn finish(
        mut self,
        code: usize,
        site: CallSite,
        steps: &StepNumbers,
        processors: usize,
    ) -> Site {
        self.by_timeline.resize(processors, (0, 0));
        let kinds = self.kinds.into_iter();
        let mut kinds: Vec<KindOfSite> =
            kinds.map(|(kind, (waits, waiting_ns))| KindOfSite { kind, waits, waiting_ns }).collect();
        kinds.sort_by_key(|kind| std::cmp::Reverse(kind.waiting_ns));
        let keys: Vec<(usize, State)> = self.keys.iter().map(|key| steps.keys()[*key]).collect();
        let classes = self.classes.into_iter();
        let mut classes: Vec<Class> =
            classes.map(|class| class.finish(&keys, &self.number_of, steps)).collect();
        classes.sort_by_key(|class| std::cmp::Reverse(class.waiting_ns));
        Site {
            code,
            site,
            waits: kinds.iter().map(|kind| kind.waits).sum(),
            waiting_ns: kinds.iter().fold(0, |sum: i64, kind| sum.saturating_add(kind.waiting_ns)),
            waiting_by_processor_ns: self.by_timeline.iter().map(|(_, time_ns)| *time_ns).collect(),
            waits_by_processor: self.by_timeline.iter().map(|(waits, _)| *waits).collect(),
            kinds,
            classes,
        }
    }
}

impl CollectedClass {
    /// Adds a part of a cause, which has these numbers.
    fn add(&mut self, part: &[(u64, i64)], numbers: &[usize], whose: usize) {
        for (number, (_, time_ns)) in numbers.iter().zip(part) {
            let sum_ns = &mut self.causes_ns[*number][whose];
            *sum_ns = sum_ns.saturating_add(*time_ns);
        }
        self.steps[whose].insert_all(part);
    }

    /// Adds a signature, of so many numbers.
    fn sign(&mut self, signature: &[(usize, i64)], numbers: usize) {
        self.signature_ns.resize(numbers, 0);
        for (number, time_ns) in signature {
            let sum_ns = &mut self.signature_ns[*number];
            self.size_ns -= u128::from(sum_ns.unsigned_abs());
            *sum_ns = sum_ns.saturating_add(*time_ns);
            self.size_ns += u128::from(sum_ns.unsigned_abs());
        }
    }

    /// `keys` are what the numbers stand for, which steps have by what is done in them in the whole run.
    fn finish(self, keys: &[(usize, State)], number_of: &[u32], steps: &StepNumbers) -> Class {
        let mut causes = Vec::new();
        for (whose, its_steps) in self.steps.into_iter().enumerate() {
            let mut doing = vec![Vec::new(); keys.len()];
            for step in its_steps.into_steps() {
                doing[number_of[steps.key(step)] as usize].push(steps.timeline(step));
            }
            for (((code, state), times_ns), processors) in keys.iter().zip(&self.causes_ns).zip(doing) {
                let (code, state, time_ns) = (*code, *state, times_ns[whose]);
                if time_ns != 0 {
                    causes.push(Cause { is_own: whose == OWN, processors, code, state, time_ns });
                }
            }
        }
        causes.sort_by_key(|cause| {
            (std::cmp::Reverse(cause.time_ns.unsigned_abs()), cause.is_own, cause.code, cause.state)
        });
        let reasons = keys.iter().zip(self.signature_ns).filter(|(_, time_ns)| *time_ns != 0);
        let mut reasons: Vec<Reason> =
            reasons.map(|((code, state), time_ns)| Reason { code: *code, state: *state, time_ns }).collect();
        reasons.sort_by_key(|reason| {
            (std::cmp::Reverse(reason.time_ns.unsigned_abs()), reason.code, reason.state)
        });
        Class {
            waits: self.waits,
            waiting_ns: self.waiting_ns,
            waiting: self.waiting.ones().collect(),
            causing: self.causing.ones().collect(),
            causes,
            reasons,
        }
    }
}
