//! Variables that go on in the same way from iteration to iteration, and how many iterations lie between their ends.

use call_counting::{Atom, Bound, Level, Polynomial};

use super::super::around::Around;
use super::motion::Motion;
use super::real::is_near_only;

/// A variable whose steps may end a loop.
pub struct InductionVariable<'v> {
    pub path: &'v str,
    pub motion: Motion,
    /// Its value when the loop begins, or the one that is the furthest from its end.
    pub first: Polynomial,
    /// Whether it goes by that alone.
    pub is_even: bool,
    /// Whether it begins there.
    pub begins_there: bool,
    pub is_unsigned: bool,
    pub index: u32,
    /// Its value in an iteration.
    pub value: Polynomial,
    /// How the index goes on: by one, or in another way.
    step: IndexStep,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum IndexStep {
    Up,
    Down,
    /// As the variable goes on.
    Other,
}

/// The iterations of a loop between the ends of its variable.
#[derive(Default)]
pub struct CountedIterations {
    /// The loop, and what must hold for it.
    pub around: Vec<Around>,
    /// How many were before this one, where that is a polynomial.
    pub passed: Option<Polynomial>,
    /// The value behind the loop.
    pub behind: Option<Polynomial>,
}

impl<'v> InductionVariable<'v> {
    /// `None`: the variable stays as it is.
    pub fn new(
        path: &'v str,
        (motion, is_even): (Motion, bool),
        (first, begins_there): (Polynomial, bool),
        is_unsigned: bool,
        index: u32,
    ) -> Option<InductionVariable<'v>> {
        let variable = Polynomial::index(index);
        // A variable that goes by one is the index itself; one that goes by more is counted.
        let (value, step) = match &motion {
            Motion::By(step) => match step.integer() {
                Some(0) => return None,
                Some(1) => (variable, IndexStep::Up),
                Some(-1) => (variable, IndexStep::Down),
                Some(step) => (&first + &(&variable * &Polynomial::from(step)), IndexStep::Up),
                None => (variable, IndexStep::Other),
            },
            Motion::Times(_) | Motion::Over(_) => (variable, IndexStep::Other),
        };
        Some(InductionVariable {
            path,
            motion,
            first,
            is_even,
            begins_there,
            is_unsigned,
            index,
            value,
            step,
        })
    }

    /// Whether its values are known.
    pub fn is_sure(&self) -> bool {
        self.is_even && self.begins_there
    }

    /// Whether the index of the loop is the variable.
    pub fn is_index(&self) -> bool {
        self.value == Polynomial::index(self.index)
    }

    pub fn goes_up(&self) -> bool {
        match &self.motion {
            Motion::By(by) => by.has_no_negative_term(),
            Motion::Times(_) => true,
            Motion::Over(_) => false,
        }
    }

    /// Whether the last step of an unsigned one may pass 0, downwards by more than one.
    pub fn may_pass_zero(&self, ends: &[&Polynomial]) -> bool {
        let Motion::By(by) = &self.motion else { return false };
        let least = |end: &&Polynomial| (&(&self.value + by) - end).constant();
        self.is_unsigned
            && !self.goes_up()
            && (!self.is_sure()
                || self.step != IndexStep::Down
                    && !ends.iter().filter_map(least).any(|least| !least.is_negative()))
    }

    /// The iterations between these ends, of which `condition` tells.
    pub fn iterations(
        &self,
        ends: LoopEnds,
        condition: &str,
        is_do: bool,
    ) -> Result<CountedIterations, String> {
        let path = self.path;
        let is_none_positive =
            |all: &[Polynomial]| all.iter().all(|its| its.constant().is_some_and(|its| !its.is_positive()));
        let counted = match (&self.motion, self.step) {
            (Motion::By(by), IndexStep::Other) => {
                let Some(inverse) = by.inverse() else { return Err(format!("`{path}` goes by a sum")) };
                self.by_unknown_steps(by, inverse, &ends)
            }
            (Motion::By(_), IndexStep::Down) => match &ends.from[..] {
                from if !from.is_empty() && self.is_unsigned && is_none_positive(from) => {
                    return Err(format!("`{path}` is unsigned and never below its bound"));
                }
                _ => self.downwards(ends, is_do),
            },
            (Motion::By(_), _) => self.upwards(ends, is_do),
            (Motion::Times(ratio), _) => match &ends.to[..] {
                [_] if is_none_positive(std::slice::from_ref(&self.first)) => {
                    return Err(format!("`{path}` does not grow from {}", self.first));
                }
                [end] => Some(self.multiples(*ratio, &self.first, end)),
                _ => None,
            },
            (Motion::Over(ratio), _) => match &ends.from[..] {
                from @ [_] if is_none_positive(from) => return Err(format!("`{path}` stays 0")),
                [end] => Some(self.multiples(*ratio, end, &self.first)),
                _ => None,
            },
        };
        counted.ok_or_else(|| format!("`{path}` goes away from its bound in `{condition}`"))
    }

    /// A step that is no number: the fraction of the quotient is left out.
    fn by_unknown_steps(
        &self,
        by: &Polynomial,
        inverse: Polynomial,
        ends: &LoopEnds,
    ) -> Option<CountedIterations> {
        let (first, index) = (&self.first, self.index);
        let around = if self.goes_up() {
            let [end] = &ends.to[..] else { return None };
            let level = Level::Steps { index, from: first.clone(), to: end.clone(), step: by.clone() };
            vec![Around::Assumed(end - first), Around::Loop(level)]
        } else {
            let [end] = &ends.from[..] else { return None };
            // Each begun step is one: (length + step - 1)/step is not below their number.
            let rest = &-by - &Polynomial::from(1);
            let level = Level::Range { index, from: vec![end - &rest], to: vec![first.clone()] };
            let times = Around::Loop(Level::Times(-&inverse));
            vec![Around::Assumed(first - end), Around::Rounded, times, Around::Loop(level)]
        };
        Some(CountedIterations { around, ..CountedIterations::default() })
    }

    fn upwards(&self, LoopEnds { mut from, to, .. }: LoopEnds, is_do: bool) -> Option<CountedIterations> {
        if to.is_empty() {
            return None;
        }
        let (one, extra) = (Polynomial::from(1), Polynomial::from(i64::from(is_do)));
        let index = Polynomial::index(self.index);
        let start = if self.is_index() { self.first.clone() } else { Polynomial::default() };
        let behind = match &to[..] {
            [end] if self.is_index() => Some(&(end + &one) + &extra),
            _ => None,
        };
        let assumed = to.iter().filter(|_| is_do).map(|end| Around::Assumed(&(end + &one) - &start));
        let mut around: Vec<Around> = assumed.collect();
        let passed = Some(&index - &start);
        from.push(start);
        let to = to.iter().map(|end| end + &extra).collect();
        around.push(Around::Loop(Level::Range { index: self.index, from, to }));
        Some(CountedIterations { around, passed, behind })
    }

    fn downwards(&self, LoopEnds { from, mut to, .. }: LoopEnds, is_do: bool) -> Option<CountedIterations> {
        if from.is_empty() {
            return None;
        }
        let (one, extra) = (Polynomial::from(1), Polynomial::from(i64::from(is_do)));
        let first = &self.first;
        let behind = match &from[..] {
            [end] => Some(&(end - &one) - &extra),
            _ => None,
        };
        let mut around = Vec::new();
        if let ([end], true) = (&from[..], self.is_unsigned) {
            around.push(Around::Assumed(end - &one));
        }
        around.extend(from.iter().filter(|_| is_do).map(|end| Around::Assumed(&(first + &one) - end)));
        to.push(first.clone());
        let from = from.iter().map(|end| end - &extra).collect();
        around.push(Around::Loop(Level::Range { index: self.index, from, to }));
        Some(CountedIterations { around, passed: Some(first - &Polynomial::index(self.index)), behind })
    }

    fn multiples(&self, ratio: u32, from: &Polynomial, to: &Polynomial) -> CountedIterations {
        let level = Level::Multiples {
            index: self.index,
            from: from.clone(),
            to: to.clone(),
            ratio,
            is_downward: !self.goes_up(),
        };
        CountedIterations { around: vec![Around::Loop(level)], ..CountedIterations::default() }
    }
}

/// Between these the index of a loop goes on.
#[derive(Default)]
pub struct LoopEnds {
    /// It is not below these,
    pub from: Vec<Polynomial>,
    /// and not above these.
    pub to: Vec<Polynomial>,
    /// What is not negative where some of these are roots.
    pub roots: Vec<Polynomial>,
}

impl LoopEnds {
    /// The ends that these say of an index, of which none may be negative; `None`: one is no bound that is linear or a power.
    pub fn of(bounds: &[&Polynomial], index: &Atom) -> Option<LoopEnds> {
        let mut ends = LoopEnds::default();
        for bound in bounds {
            // `floor(i/2) - 1` is not negative where `i - 2` is not.
            let opened = bound.inside_out().filter(|_| !is_near_only(bound));
            let bound = opened.as_ref().unwrap_or(bound);
            if bound.linear_in(index).is_some() {
                match bound.bound_of(index)? {
                    Bound::Lower(value) => ends.from.push(value),
                    Bound::Upper(value) => ends.to.push(value),
                }
            } else {
                ends.to.push(root_end(bound, index)?.1);
                ends.roots.push((*bound).clone());
            }
        }
        Some(ends)
    }
}

/// What a power of a variable is not above, and the root of that: `n` of `n - i*i`, which is not negative.
pub fn root_end(positive: &Polynomial, atom: &Atom) -> Option<(Polynomial, Polynomial)> {
    let mut degree = 0;
    let mut rest = Polynomial::default();
    for (monomial, coefficient) in positive.terms() {
        match monomial.power(atom) {
            0 => rest.add_term(monomial.clone(), coefficient.clone()),
            power if power > 1 && degree == 0 && (-coefficient).is_one() && monomial.0.len() == 1 => {
                degree = u32::try_from(power).ok()?;
            }
            _ => return None,
        }
    }
    (!rest.mentions(atom) && degree > 1).then(|| {
        let root = rest.root(degree);
        (rest, root)
    })
}
