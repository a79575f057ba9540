//! The loops around an access within an experiment, those around the calls of its function among them.

use std::collections::BTreeMap;
use std::rc::Rc;

use call_counting::{Monomial, Number, Polynomial, leading_terms};

use super::around::{CountedPart, StatementId};
use super::call_sites::{CallSites, MOST_DEEP};
use super::footprint::AccessLoop;
use super::given_arrays::GivenArrays;
use super::number::ExecutionCount;
use super::program::CountedProgram;
use super::work::{AccessStride, ElementAccess, LoopAround};

/// The loops of an experiment.
pub struct AccessLoops<'a, 'p> {
    pub program: &'a CountedProgram<'p>,
    /// That of the experiment.
    pub function: usize,
    pub times: &'a BTreeMap<StatementId, Rc<ExecutionCount>>,
    pub given: &'a GivenArrays,
    pub sites: &'a CallSites,
}

/// A loop around an access.
struct ChainedLoop {
    /// Where it begins in the preprocessed text.
    offset: usize,
    stride: AccessStride,
    is_even: bool,
    /// How often it begins, as that grows.
    begins: (Monomial, Number),
}

impl AccessLoops<'_, '_> {
    /// The loops around an access within the experiment, the outermost first, with how many iterations each has when it begins, as that
    /// grows. Those around the calls of its function are among them.
    pub fn around(
        &self,
        id: &StatementId,
        around: &[LoopAround],
        access: &ElementAccess,
    ) -> Option<Vec<(usize, AccessLoop)>> {
        let of_calls = self.stride_of_calls(id.function, access);
        let mut chain = self.around_calls(id.function, &of_calls, 0)?;
        for (its, stride) in around.iter().zip(&access.strides) {
            chain.extend(self.chained(id.function, its, around, &self.told(id.function, stride))?);
        }
        let own = only(self.times.get(id)?)?;
        // Of calls from several places only their number is known.
        let first = chain.first().map_or(&own, |its| &its.begins);
        if id.function != self.function && *first != (Monomial::default(), Number::ONE) {
            let offset = self.program.offset(id.function);
            let begins = (Monomial::default(), Number::ONE);
            chain.insert(0, ChainedLoop { offset, stride: of_calls, is_even: true, begins });
        }
        let ends: Vec<(Monomial, Number)> =
            chain.iter().skip(1).map(|its| its.begins.clone()).chain([own]).collect();
        let loops = chain.into_iter().zip(ends).map(|(its, (ends, second))| {
            let (begins, first) = its.begins;
            let growth = Polynomial::from(ends.times(&begins.inverse()));
            let iterations = growth.scaled(&(&second * &first.inverse()?));
            Some((its.offset, AccessLoop { stride: its.stride, iterations, is_even: its.is_even }))
        });
        loops.collect()
    }

    /// The loops around all calls of a function, where these stand in one place.
    fn around_calls(&self, function: usize, stride: &AccessStride, depth: usize) -> Option<Vec<ChainedLoop>> {
        let call = self.sites.only(function).filter(|_| function != self.function && depth <= MOST_DEEP);
        let Some((caller, around)) = call else { return Some(Vec::new()) };
        let mut chain = self.around_calls(caller, stride, depth + 1)?;
        for its in around {
            chain.extend(self.chained(caller, its, around, stride)?);
        }
        Some(chain)
    }

    /// A stride of a function in the names of that of the experiment.
    pub fn told(&self, function: usize, stride: &AccessStride) -> AccessStride {
        self.sites.told((self.program, self.function, self.given), function, stride)
    }

    /// From one call of a function to the next.
    fn stride_of_calls(&self, function: usize, access: &ElementAccess) -> AccessStride {
        let is_same = self.given.is_one_part(function, &access.array)
            && (!access.is_own_name || self.given.is_known(function, &access.array));
        if is_same && access.is_repeated { AccessStride::none() } else { AccessStride::Unknown }
    }

    /// A loop of a function; none if the experiment is within it.
    ///
    /// Not known if it begins in several cases.
    fn chained(
        &self,
        function: usize,
        its: &LoopAround,
        around: &[LoopAround],
        stride: &AccessStride,
    ) -> Option<Option<ChainedLoop>> {
        let entry = |offset: usize| StatementId::new(function, offset, CountedPart::LoopEntry);
        // A loop may stand outside of a condition in it.
        let in_any_case = |id: StatementId| {
            let mut all = self.times.range(id..=StatementId { case: usize::MAX, ..id }).map(|(_, its)| its);
            all.next().map(|first| if all.next().is_none() { Some(first) } else { None })
        };
        let Some(times) = in_any_case(entry(its.offset)) else { return Some(None) };
        let is_in = |offset: usize| {
            around.iter().any(|its| its.offset == offset) && in_any_case(entry(offset)).is_some()
        };
        let is_even = !its.uneven_in.is_some_and(is_in);
        Some(Some(ChainedLoop { offset: its.offset, stride: stride.clone(), is_even, begins: only(times?)? }))
    }
}

/// The one term that a number grows as.
fn only(times: &ExecutionCount) -> Option<(Monomial, Number)> {
    match &leading_terms(&times.count.as_ref()?.times)[..] {
        [only] => Some(only.clone()),
        _ => None,
    }
}
