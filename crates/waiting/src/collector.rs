use std::collections::BTreeMap;

use call_trace::CallSite;
use fixedbitset::FixedBitSet;

use crate::history::MetWait;
use crate::kind::WaitKind;
use crate::nearest::ClassShares;
use crate::site::{Cause, Class, KindOfSite, Site, WaitReason};
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
}

/// What a wait is added up in, as room for one suffices for the next.
#[derive(Debug, Default)]
pub(crate) struct WaitSums {
    /// By what is done in the whole run, how long the waiting processor itself and others do it, if it came up.
    by_key_ns: Vec<Option<[i64; 2]>>,
    /// In the order in which they come up.
    keys: Vec<usize>,
    /// These sums by number of the site, where they are not 0.
    parts: Vec<(usize, [i64; 2])>,
    /// What others do longer than the waiting processor, by number, and the shares of that.
    signature: Vec<(usize, i64)>,
    shares: Vec<(usize, f64)>,
}

const UNKNOWN: u32 = u32::MAX;

/// Whose part of a cause it is.
const OWN: usize = 0;
const OF_OTHERS: usize = 1;

fn both_ns([own_ns, others_ns]: [i64; 2]) -> i64 {
    own_ns.saturating_add(others_ns)
}

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
    /// What both do together, of all numbers, signs apart.
    size_ns: u128,
}

impl Collector {
    pub(crate) fn add(&mut self, wait: &MetWait, steps: &StepNumbers, sums: &mut WaitSums) {
        let own = wait.place.timeline();
        if own >= self.by_timeline.len() {
            self.by_timeline.resize(own + 1, (0, 0));
        }
        for sum in [&mut self.by_timeline[own], self.kinds.entry(wait.kind).or_default()] {
            *sum = (sum.0 + 1, sum.1.saturating_add(wait.waiting_ns));
        }
        // Steps of a processor lie beside each other.
        let before = wait.cause.partition_point(|(step, _)| steps.timeline(*step) < own);
        let until = wait.cause.partition_point(|(step, _)| steps.timeline(*step) <= own);
        let parts = [(0..before, OF_OTHERS), (before..until, OWN), (until..wait.cause.len(), OF_OTHERS)]
            .map(|(part, whose)| (&wait.cause[part], whose));
        for (part, whose) in parts {
            sums.add(part, whose, steps);
        }
        self.sign(sums);
        let number = self.class(sums);
        let class = &mut self.classes[number];
        class.waits += 1;
        class.waiting_ns = class.waiting_ns.saturating_add(wait.waiting_ns);
        class.waiting.grow_and_insert(own);
        class.causing.grow_and_insert(wait.causer.timeline());
        for (part, whose) in parts {
            class.steps[whose].insert_all(part);
        }
        class.add(&sums.parts, self.keys.len());
        let signed = sums.signature.iter().map(|(number, _)| (*number, both_ns(class.causes_ns[*number])));
        self.shares_of_classes.set(number, signed, class.size_ns);
    }

    /// Gives numbers to what was added up.
    fn sign(&mut self, sums: &mut WaitSums) {
        sums.parts.clear();
        for key in sums.keys.drain(..) {
            let number = self.number(key);
            let times_ns = sums.by_key_ns[key].take().filter(|times_ns| *times_ns != [0; 2]);
            sums.parts.extend(times_ns.map(|times_ns| (number, times_ns)));
        }
        sums.signature.clear();
        let both = sums.parts.iter().map(|(number, times_ns)| (*number, both_ns(*times_ns)));
        sums.signature.extend(both.filter(|(_, time_ns)| *time_ns != 0));
    }

    fn number(&mut self, key: usize) -> usize {
        if key >= self.number_of.len() {
            self.number_of.resize(key + 1, UNKNOWN);
        }
        let number = &mut self.number_of[key];
        if *number == UNKNOWN {
            *number = self.keys.len() as u32;
            self.keys.push(key);
        }
        *number as usize
    }

    /// The class of a wait.
    fn class(&mut self, WaitSums { signature, shares, .. }: &mut WaitSums) -> usize {
        let sizes = signature.iter().map(|(_, time_ns)| time_ns.unsigned_abs() as f64);
        let size = sizes.sum::<f64>().max(1.0);
        shares.clear();
        shares.extend(signature.iter().map(|(number, time_ns)| (*number, *time_ns as f64 / size)));
        let class = self.shares_of_classes.class_of(shares);
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

impl WaitSums {
    /// Adds a part of a cause.
    fn add(&mut self, part: &[(u64, i64)], whose: usize, steps: &StepNumbers) {
        self.by_key_ns.resize(steps.keys().len(), None);
        for (step, time_ns) in part {
            let key = steps.key(*step);
            let sums_ns = self.by_key_ns[key].get_or_insert_with(|| {
                self.keys.push(key);
                [0; 2]
            });
            sums_ns[whose] += time_ns;
        }
    }
}

impl CollectedClass {
    /// Adds what was done longer, of so many numbers.
    fn add(&mut self, parts: &[(usize, [i64; 2])], numbers: usize) {
        self.causes_ns.resize(numbers, [0; 2]);
        for (number, times_ns) in parts {
            let sums_ns = &mut self.causes_ns[*number];
            self.size_ns -= u128::from(both_ns(*sums_ns).unsigned_abs());
            for (sum_ns, time_ns) in sums_ns.iter_mut().zip(times_ns) {
                *sum_ns = sum_ns.saturating_add(*time_ns);
            }
            self.size_ns += u128::from(both_ns(*sums_ns).unsigned_abs());
        }
    }

    /// `keys` are what the numbers stand for, which steps have by what is done in them in the whole run.
    fn finish(self, keys: &[(usize, State)], number_of: &[u32], steps: &StepNumbers) -> Class {
        let mut causes = Vec::new();
        let causes_ns = self.causes_ns;
        for (whose, its_steps) in self.steps.into_iter().enumerate() {
            let [longer, less] = its_steps.into_steps().map(|its_steps| {
                let mut doing = vec![Vec::new(); keys.len()];
                for step in its_steps {
                    doing[number_of[steps.key(step)] as usize].push(steps.timeline(step));
                }
                doing
            });
            let doing = longer.into_iter().zip(less);
            for (((code, state), times_ns), (longer, less)) in keys.iter().zip(&causes_ns).zip(doing) {
                let (code, state, time_ns) = (*code, *state, times_ns[whose]);
                let processors = if time_ns > 0 { longer } else { less };
                if time_ns != 0 {
                    causes.push(Cause { is_own: whose == OWN, processors, code, state, time_ns });
                }
            }
        }
        causes.sort_by_key(|cause| {
            (std::cmp::Reverse(cause.time_ns.unsigned_abs()), cause.is_own, cause.code, cause.state)
        });
        let both_ns = causes_ns.into_iter().map(both_ns);
        let reasons = keys.iter().zip(both_ns).filter(|(_, time_ns)| *time_ns != 0);
        let mut reasons: Vec<WaitReason> = reasons
            .map(|((code, state), time_ns)| WaitReason { code: *code, state: *state, time_ns })
            .collect();
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
