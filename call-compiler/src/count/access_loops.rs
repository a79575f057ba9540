//! The loops around an access within an experiment, those around the calls of its function among them.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::LazyLock;

use call_counting::{Monomial, Number, Polynomial, leading_terms};

use super::around::{CountedPart, StatementId};
use super::footprint::AccessLoop;
use super::given_arrays::GivenArrays;
use super::number::ExecutionCount;
use super::program::CountedProgram;
use super::work::{AccessStride, ElementAccess, LoopAround};

/// From where functions are called: by their numbers the caller, and the loops around the call in it.
pub type Callers = HashMap<usize, Vec<(usize, Vec<LoopAround>)>>;

/// Calls are followed through so many others.
const MOST_DEEP: usize = 8;

/// The stride of what stays where it is.
static SAME: LazyLock<AccessStride> = LazyLock::new(AccessStride::none);

/// The loops of an experiment.
pub struct AccessLoops<'a, 'p> {
    pub program: &'a CountedProgram<'p>,
    /// That of the experiment.
    pub function: usize,
    pub times: &'a BTreeMap<StatementId, Rc<ExecutionCount>>,
    pub given: &'a GivenArrays,
    pub callers: &'a Callers,
}

/// A loop around an access.
struct ChainedLoop<'w> {
    /// Where it begins in the preprocessed text.
    offset: usize,
    stride: &'w AccessStride,
    is_even: bool,
    /// How often it begins, as that grows.
    begins: (Monomial, Number),
}

impl AccessLoops<'_, '_> {
    /// The loops around an access within the experiment, the outermost first, with how many iterations each has when it begins, as that
    /// grows. Those around the calls of its function are among them.
    pub fn around<'w>(
        &self,
        id: &StatementId,
        around: &[LoopAround],
        access: &'w ElementAccess,
    ) -> Option<Vec<(usize, AccessLoop<'w>)>> {
        let mut chain = self.around_calls(id.function, self.stride_of_calls(id.function, access), 0)?;
        for (its, stride) in around.iter().zip(&access.strides) {
            chain.extend(self.chained(id.function, its, around, stride)?);
        }
        let own = only(self.times.get(id)?)?;
        // Of calls from several places only their number is known.
        let first = chain.first().map_or(&own, |its| &its.begins);
        if id.function != self.function && *first != (Monomial::default(), Number::ONE) {
            let stride = self.stride_of_calls(id.function, access);
            let offset = self.program.offset(id.function);
            let begins = (Monomial::default(), Number::ONE);
            chain.insert(0, ChainedLoop { offset, stride, is_even: true, begins });
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
    fn around_calls<'w>(
        &self,
        function: usize,
        stride: &'w AccessStride,
        depth: usize,
    ) -> Option<Vec<ChainedLoop<'w>>> {
        let calls = self.callers.get(&function).map_or(&[][..], Vec::as_slice);
        let [(caller, around)] = calls else { return Some(Vec::new()) };
        if function == self.function || depth > MOST_DEEP {
            return Some(Vec::new());
        }
        let mut chain = self.around_calls(*caller, stride, depth + 1)?;
        for its in around {
            chain.extend(self.chained(*caller, its, around, stride)?);
        }
        Some(chain)
    }

    /// From one call of a function to the next.
    fn stride_of_calls<'w>(&self, function: usize, access: &ElementAccess) -> &'w AccessStride {
        let is_same = self.given.is_one_part(function, &access.array)
            && (!access.is_own_name || self.given.is_known(function, &access.array));
        if is_same && access.is_repeated { &SAME } else { &AccessStride::Unknown }
    }

    /// A loop of a function; none if the experiment is within it.
    ///
    /// Not known if it begins in several cases.
    fn chained<'w>(
        &self,
        function: usize,
        its: &LoopAround,
        around: &[LoopAround],
        stride: &'w AccessStride,
    ) -> Option<Option<ChainedLoop<'w>>> {
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
        Some(Some(ChainedLoop { offset: its.offset, stride, is_even, begins: only(times?)? }))
    }
}

/// The one term that a number grows as.
fn only(times: &ExecutionCount) -> Option<(Monomial, Number)> {
    match &leading_terms(&times.count.as_ref()?.times)[..] {
        [only] => Some(only.clone()),
        _ => None,
    }
}
