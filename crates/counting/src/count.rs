//! How often a statement runs: its loops and conditions, counted from the inside out.

use std::collections::BTreeSet;

use crate::assumed::{has_index_beside_elements, where_it_has_a_value};
use crate::bound::Bound;
use crate::decide::relevant;
use crate::guard::{Guard, GuardOrigin, VariableBounds, bound, context, least_over, split_by_index};
use crate::level::Level;
use crate::number::Number;
use crate::polynomial::{Atom, Monomial, Polynomial};
use crate::proofs::Proofs;
use crate::quality::{Assumption, Count, Quality, Unknown};
use crate::sum::{Largest, over_multiples, over_range};
use crate::tiles::{is_no_step, joined};

/// The loops around a statement, the outermost first, and what else must not be negative when it runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Domain {
    /// The loops.
    pub levels: Vec<Level>,
    /// What is not negative when it runs.
    pub guards: Vec<Polynomial>,
    /// What is never negative anyway.
    pub facts: Vec<Polynomial>,
    /// What must not be negative inside of so many levels for those behind to be right: of a loop that runs once at least, that it does.
    pub assumed: Vec<(usize, Polynomial)>,
    /// Whether conditions on parameters are told even where they only exclude some sizes below 17, which are taken for none else.
    pub keeps_conditions: bool,
    /// Whether the number has to be no less than that of the runs.
    pub is_bound: bool,
}

/// A nest deeper than this, or with more cases, is not counted.
const DEEPEST: usize = 12;
const MOST_CASES: usize = 64;

impl Domain {
    /// The sum of `weight` over all runs of the statement: their number for the weight 1.
    ///
    /// Each loop is summed by Faulhaber's formulas between its bounds; where several bounds compete the sum is split (after W. Pugh,
    /// *Counting solutions to Presburger formulas*, 1994).
    pub fn sum(&self, weight: &Polynomial) -> Result<Count, Unknown> {
        self.sum_with(weight, &Proofs::default())
    }

    /// The same, with what was proved for other domains.
    pub fn sum_with(&self, weight: &Polynomial, proofs: &Proofs) -> Result<Count, Unknown> {
        if self.levels.len() > DEEPEST {
            return Err(Unknown::TooLarge);
        }
        let mut summation = Summation { count: Count::default(), domain: self, cases: 0, proofs };
        self.assumed.iter().try_for_each(|(depth, its)| summation.assume(its, &self.levels[..*depth]))?;
        let quotients = self.of_quotients();
        quotients.iter().try_for_each(|(depth, its)| summation.assume(its, &self.levels[..*depth]))?;
        let guards = self
            .guards
            .iter()
            .map(|guard| Guard { positive: guard.clone(), origin: GuardOrigin::Condition })
            .collect();
        let asks: Vec<&Polynomial> = self.guards.iter().chain([weight]).collect();
        let (levels, steps) = joined(&self.levels, &asks);
        for atom in steps.iter().flat_map(Polynomial::atoms) {
            summation.assume(&(&Polynomial::from(atom.clone()) - &Polynomial::from(1)), &[])?;
        }
        // Where quotients cancel out, nothing in the sum says any more that they have values.
        for level in &levels {
            let quotient = match level {
                Level::Times(times) => Some(times.clone()),
                Level::Steps { step, .. } => step.inverse(),
                _ => None,
            };
            let quotient = quotient.filter(|its| !its.has_index());
            summation.count.assumptions.extend(quotient.iter().flat_map(where_it_has_a_value));
        }
        let times = summation.sum(&levels, guards, weight.clone())?;
        // Dividends that are not negative where the loop does not run: C rounds the others the other way.
        let known: Vec<Polynomial> = quotients.iter().map(|(_, its)| its.clone()).collect();
        if let Some(dividend) = known.first().filter(|_| times.constant().is_none())
            && proofs.is_never_negative(&-&times, &known) == Some(None)
        {
            return Err(Unknown::Depends(Assumption(dividend.clone())));
        }
        summation.count.assumptions.extend(where_it_has_a_value(&times));
        let fails = |its: &&Assumption| {
            its.0.constant().is_some_and(|value| value.is_negative()) || has_index_beside_elements(&its.0)
        };
        if let Some(impossible) = summation.count.assumptions.iter().find(fails) {
            return Err(Unknown::Depends(impossible.clone()));
        }
        Ok(Count { times, ..summation.count })
    }

    /// What must not be negative for C's divisions, with the number of levels around them: dividends, and divisors less 1.
    fn of_quotients(&self) -> Vec<(usize, Polynomial)> {
        let of_levels = self.levels.iter().enumerate().flat_map(|(depth, level)| {
            level.polynomials().into_iter().map(move |polynomial| (depth, polynomial))
        });
        let of_guards = self.guards.iter().map(|guard| (self.levels.len(), guard));
        let positive = |atom: &Atom| match atom {
            Atom::Floor { of, is_truncated: true, .. } => vec![(**of).clone()],
            Atom::Quotient(of) => vec![of[0].clone(), &of[1] - &Polynomial::from(1)],
            _ => Vec::new(),
        };
        let all = of_levels.chain(of_guards).flat_map(|(depth, polynomial)| {
            polynomial.atoms().into_iter().flat_map(positive).map(move |its| (depth, its)).collect::<Vec<_>>()
        });
        all.collect()
    }
}

struct Summation<'a> {
    count: Count,
    domain: &'a Domain,
    cases: usize,
    proofs: &'a Proofs,
}

impl Summation<'_> {
    fn sum(
        &mut self,
        levels: &[Level],
        guards: Vec<Guard>,
        weight: Polynomial,
    ) -> Result<Polynomial, Unknown> {
        let Some((last, outer)) = levels.split_last() else { return self.with_guards(&guards, weight) };
        match last {
            Level::Times(times) => self.sum(outer, guards, &weight * times),
            Level::Multiples { index, from, to, ratio, is_downward } => {
                if guards.iter().any(|guard| guard.positive.mentions(&Atom::Index(*index))) {
                    return Err(Unknown::NotLinear);
                }
                self.count.quality = self.count.quality.max(Quality::Rounded);
                let is_bound = self.domain.is_bound;
                let known = if is_bound {
                    Largest::OfBound
                } else if *is_downward {
                    Largest::Upper
                } else {
                    Largest::Lower
                };
                // Of one end that is a product this is said where its quotient has a logarithm.
                let length = to - from;
                if from.inverse().is_none() && !length.has_index() {
                    self.assume(&length, &[])?;
                }
                let sum = over_multiples(&weight, *index, [from, to], *ratio, known)?;
                // Below 0 it does not run, and a power of that would be no bound.
                let mut guards = guards;
                if is_bound
                    && weight.terms().any(|(its, _)| its.power(&Atom::Index(*index)) > 0)
                    && !self.is_never_negative(to, &context(outer, &guards))
                {
                    guards.push(Guard { positive: to.clone(), origin: GuardOrigin::Length });
                }
                self.sum(outer, guards, sum)
            }
            Level::Range { .. } | Level::Steps { .. } => {
                let (index, from, to) = last.bounds().ok_or(Unknown::NoSum)?;
                let mut ends =
                    VariableBounds { from: from.into_owned(), to: to.into_owned(), are_of_conditions: false };
                let mut others = Vec::new();
                let variable = Atom::Index(index);
                for guard in guards {
                    if !guard.positive.mentions(&variable) {
                        others.push(guard);
                        continue;
                    }
                    ends.are_of_conditions = true;
                    match bound(&guard.positive, &variable).ok_or(Unknown::NotLinear)? {
                        Bound::Lower(value) => ends.from.push(value),
                        Bound::Upper(value) => ends.to.push(value),
                    }
                }
                let weight = match last {
                    Level::Steps { step, .. } if is_no_step(step) => return Err(Unknown::NoSum),
                    Level::Steps { step, .. } => {
                        self.count.quality = self.count.quality.max(Quality::Rounded);
                        // The first of each `step` values stands for all of them.
                        let falls = |(its, factor): (&Monomial, &Number)| {
                            its.mentions(&variable) && factor.is_negative()
                        };
                        if self.domain.is_bound && weight.terms().any(falls) {
                            return Err(Unknown::NoSum);
                        }
                        &weight * &step.inverse().ok_or(Unknown::NoSum)?
                    }
                    _ => weight,
                };
                self.range(outer, others, weight, index, ends)
            }
        }
    }

    /// The sum over one variable with the largest of its lower and the smallest of its upper bounds.
    fn range(
        &mut self,
        outer: &[Level],
        mut guards: Vec<Guard>,
        weight: Polynomial,
        index: u32,
        mut ends: VariableBounds,
    ) -> Result<Polynomial, Unknown> {
        self.cases += 1;
        if self.cases > MOST_CASES {
            return Err(Unknown::TooLarge);
        }
        split_by_index(&mut ends.from, false);
        split_by_index(&mut ends.to, true);
        let mut context = context(outer, &guards);
        context.extend(self.domain.facts.iter().filter(|fact| !fact.mentions(&Atom::Index(index))).cloned());
        for is_lower in [true, false] {
            loop {
                let bounds = if is_lower { &mut ends.from } else { &mut ends.to };
                let [first, second, rest @ ..] = &bounds[..] else { break };
                let difference = if is_lower { first - second } else { second - first };
                // The first one counts if the difference is not negative.
                if self.is_never_negative(&difference, &context) {
                    bounds.remove(1);
                    continue;
                }
                if self.is_never_negative(&-&difference, &context) {
                    bounds.remove(0);
                    continue;
                }
                if !difference.has_index() && !ends.are_of_conditions {
                    bounds[1] = first.extreme(second, !is_lower);
                    bounds.remove(0);
                    continue;
                }
                let less = difference.opposite();
                let cases = [(first, difference), (second, less)].map(|(chosen, condition)| {
                    let chosen: Vec<Polynomial> = [chosen].into_iter().chain(rest).cloned().collect();
                    (chosen, Guard { positive: condition, origin: GuardOrigin::Case })
                });
                let shortest = if ends.are_of_conditions { None } else { ends.shortest() };
                let before = self.count.clone();
                let mut sum = Ok(Polynomial::default());
                for (chosen, guard) in cases {
                    let mut of_case = VariableBounds { are_of_conditions: true, ..ends.clone() };
                    *(if is_lower { &mut of_case.from } else { &mut of_case.to }) = chosen;
                    let guards = guards.iter().cloned().chain([guard]).collect();
                    sum = sum.and_then(|sum| {
                        Ok(&sum + &self.range(outer, guards, weight.clone(), index, of_case)?)
                    });
                }
                // Where it depends on parameters which of the bounds counts, there are at most so many values between them.
                return match (sum, shortest) {
                    (Err(Unknown::Depends(_)), Some(length)) if !weight.mentions(&Atom::Index(index)) => {
                        self.count = Count { quality: Quality::AtMost, ..before };
                        guards.push(Guard { positive: length.clone(), origin: GuardOrigin::Length });
                        self.sum(outer, guards, &weight * &length)
                    }
                    (sum, _) => sum,
                };
            }
        }
        let (Some(from), Some(to)) = (ends.from.pop(), ends.to.pop()) else { return Err(Unknown::NoSum) };
        let length = &(&to - &from) + &Polynomial::from(1);
        let is_condition = ends.are_of_conditions;
        if !self.is_decided(&length, &context, is_condition) {
            if self.is_never_negative(&-&length, &context) {
                return Ok(Polynomial::default());
            }
            let is_of_elements = |atom: &&Atom| matches!(atom, Atom::Element { .. });
            if length.atoms().iter().any(is_of_elements) {
                self.count.assumptions.insert(Assumption(least_over(length, outer)));
            } else {
                let origin = if is_condition { GuardOrigin::Condition } else { GuardOrigin::Length };
                guards.push(Guard { positive: length, origin });
            }
        }
        let (sum, quality) = over_range(&weight, index, [&from, &to], self.domain.is_bound)?;
        self.count.quality = self.count.quality.max(quality);
        self.sum(outer, guards, sum)
    }

    /// Takes for granted what can be proved, or what depends on parameters alone: that it is so where it is least in the loops around.
    fn assume(&mut self, positive: &Polynomial, levels: &[Level]) -> Result<(), Unknown> {
        let context = context(levels, &[]);
        if self.is_never_negative(positive, &context) {
            return Ok(());
        }
        let least = least_over(positive.clone(), levels);
        if least.has_index() || self.is_never_negative(&least.opposite(), &[]) {
            return Err(Unknown::Depends(Assumption(positive.clone())));
        }
        let name = least.atoms().into_iter().next().filter(|atom| matches!(atom, Atom::Name(_))).cloned();
        let size = |name: &Atom| (&Polynomial::from(name.clone()) - &least).integer();
        match name.and_then(|name| Some((size(&name)?, name))) {
            Some((size, name)) => self.assume_at_least(&name, least, size),
            None => _ = self.count.assumptions.insert(Assumption(least)),
        }
        Ok(())
    }

    /// Behind the outermost loop: what is left are conditions on the parameters.
    fn with_guards(&mut self, guards: &[Guard], weight: Polynomial) -> Result<Polynomial, Unknown> {
        for guard in guards {
            let is_condition = guard.origin == GuardOrigin::Condition;
            if self.is_decided(&guard.positive, &[], is_condition) {
                continue;
            }
            let opposite = guard.positive.opposite();
            if self.is_decided(&opposite, &[], is_condition) {
                return Ok(Polynomial::default());
            }
            let assumption = Assumption(guard.positive.clone());
            match guard.origin {
                GuardOrigin::Case => return Err(Unknown::Depends(assumption)),
                GuardOrigin::Condition => _ = self.count.conditions.insert(assumption.clone()),
                GuardOrigin::Length => {}
            }
            self.count.assumptions.insert(assumption);
        }
        Ok(weight)
    }

    /// Whether it is; of a condition that is to be told, only where no sizes have to be assumed for that but those of no work.
    fn is_decided(&mut self, question: &Polynomial, context: &[Polynomial], is_condition: bool) -> bool {
        const LARGEST_END: i64 = 2;
        let is_told = is_condition
            && self.domain.keeps_conditions
            && matches!(self.proofs.is_never_negative(question, context), Some(Some(size)) if size > LARGEST_END);
        !is_told && self.is_never_negative(question, context)
    }

    /// Whether it is; what had to be assumed for that is noted.
    fn is_never_negative(&mut self, question: &Polynomial, context: &[Polynomial]) -> bool {
        let Some(size) = self.proofs.is_never_negative(question, context) else { return false };
        if let Some(size) = size {
            let names = relevant(question, context).into_iter().chain([question]).flat_map(Polynomial::atoms);
            let names: BTreeSet<&Atom> = names.filter(|atom| matches!(atom, Atom::Name(_))).collect();
            for name in names {
                let above = &Polynomial::from(name.clone()) - &Polynomial::from(size);
                self.assume_at_least(name, above, size);
            }
        }
        true
    }

    /// Of several sizes of one parameter the largest is assumed.
    fn assume_at_least(&mut self, name: &Atom, above: Polynomial, size: i64) {
        let assumptions = &mut self.count.assumptions;
        let size_of = |assumption: &Assumption| {
            (&Polynomial::from(name.clone()) - &assumption.0).integer().unwrap_or(i64::MIN)
        };
        if assumptions.iter().any(|assumption| size_of(assumption) >= size) {
            return;
        }
        assumptions.retain(|assumption| size_of(assumption) == i64::MIN);
        assumptions.insert(Assumption(above));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Polynomial {
        Polynomial::name(text)
    }

    fn number(value: i64) -> Polynomial {
        Polynomial::from(value)
    }

    fn range(index: u32, from: Polynomial, to: Polynomial) -> Level {
        Level::Range { index, from: vec![from], to: vec![&to - &number(1)] }
    }

    fn check(levels: Vec<Level>, guards: Vec<Polynomial>, expected: &str) {
        let count = Domain { levels, guards, ..Domain::default() }.sum(&number(1));
        let shown = match count {
            Ok(count) => {
                let assumptions: Vec<String> = count.assumptions.iter().map(ToString::to_string).collect();
                format!("{:?} {} if {}", count.quality, count.times, assumptions.join(", "))
            }
            Err(error) => error.to_string(),
        };
        assert_eq!(shown, expected);
    }

    #[test]
    fn conditions_on_parameters_are_told_apart() {
        let (i, n, m, one) = (Polynomial::index(0), name("n"), name("m"), number(1));
        let conditions = |levels: Vec<Level>, guards: Vec<Polynomial>| {
            let count = Domain { levels, guards, ..Domain::default() }.sum(&one).unwrap();
            assert!(count.conditions.is_subset(&count.assumptions));
            count.conditions.iter().map(ToString::to_string).collect::<Vec<String>>()
        };
        let plain = || vec![range(0, number(0), n.clone())];
        assert_eq!(conditions(plain(), vec![&n - &number(101)]), ["n >= 101"]);
        assert_eq!(conditions(plain(), vec![&number(31) - &n]), ["31 >= n"]);
        assert_eq!(conditions(plain(), vec![&i - &number(100)]), ["n >= 100"]);
        // What only a loop needs to run is none.
        assert_eq!(conditions(vec![range(0, m.clone(), n.clone())], vec![]), [""; 0]);
    }

    #[test]
    fn nests() {
        let (i, j, n, m) = (Polynomial::index(0), Polynomial::index(1), name("n"), name("m"));
        let one = number(1);
        check(vec![range(0, number(0), n.clone())], vec![], "Exact n if n >= 0");
        check(vec![range(0, number(2), &n - &one)], vec![], "Exact n - 3 if n >= 3");
        check(vec![range(0, m.clone(), n.clone())], vec![], "Exact n - m if n >= m");
        // No quotient is left, and for n = 0 there was none.
        let by_n =
            Level::Steps { index: 1, from: number(0), to: &n.scaled(&2.into()) - &one, step: n.clone() };
        check(vec![range(0, number(0), n.clone()), by_n], vec![], "Rounded 3*n - 1 if n >= 1");
        let triangle = vec![range(0, number(0), n.clone()), range(1, &i + &one, n.clone())];
        check(triangle.clone(), vec![], "Exact (n*n - n)/2 if n >= 0");
        // Empty for i = 0 and 1.
        let shifted = vec![range(0, number(0), n.clone()), range(1, number(0), &i - &number(2))];
        check(shifted, vec![], "Exact (n*n - 5*n + 6)/2 if n >= 2");
        // LU: k, i > k, j > k
        let cube = vec![
            range(0, number(0), n.clone()),
            range(1, &i + &one, n.clone()),
            range(2, &i + &one, n.clone()),
        ];
        check(cube, vec![], "Exact (2*n*n*n - 3*n*n + n)/6 if n >= 0");
        check(triangle.clone(), vec![&(&j - &i) - &number(2)], "Exact (n*n - 3*n + 2)/2 if n >= 1");
        // max(i, n - i): two cases
        let two = vec![
            range(0, number(0), n.clone()),
            Level::Range { index: 1, from: vec![i.clone(), &n - &i], to: vec![&n - &one] },
        ];
        check(
            two,
            vec![],
            "Exact (floor((n + 1)/2)*floor((n + 1)/2) + floor(n/2)*floor(n/2) + floor(n/2) - floor((n + 1)/2))/2 if n >= 0",
        );
        check(vec![range(0, number(0), n.clone())], vec![&m - &i], "it depends on whether m >= n - 1");
        let both = Level::Range { index: 0, from: vec![number(0)], to: vec![&n - &one, m.clone()] };
        check(vec![both], vec![], "Exact min(n - 1, m) + 1 if min(n - 1, m) >= -1");
        let multiples =
            Level::Multiples { index: 0, from: number(2), to: n.clone(), ratio: 2, is_downward: false };
        let butterflies =
            vec![multiples.clone(), Level::Times(&n * &i.inverse().unwrap()), range(1, number(0), i.over(2))];
        check(butterflies, vec![], "Rounded (n*log2(n/2) + n)/2 if n >= 2");
        // Down to a variable, and in a loop over it: the sum of log2(n/i) is less than 3/2 for each.
        let above = |end: &Polynomial| Level::Multiples {
            index: 1,
            from: end + &one,
            to: n.clone(),
            ratio: 2,
            is_downward: true,
        };
        check(vec![above(&m)], vec![], "Rounded log2(n/m) + 1 if n >= m + 1, m >= 1, n >= m");
        check(vec![above(&n.truncated_quotient(8))], vec![], "Rounded 3 if n >= 1");
        check(vec![range(0, one.clone(), n.clone()), above(&i)], vec![], "Rounded (7*n - 7)/2 if n >= 1");
        let harmonic = vec![range(0, number(1), n.clone()), Level::Times(&n * &i.inverse().unwrap())];
        check(harmonic, vec![], "Rounded n*log2(n - 1) if n >= 2, n >= 1");
        let element = |index: Polynomial| {
            Polynomial::from(Atom::Element { array: "start".into(), index: index.into() })
        };
        let sparse = vec![range(0, number(0), n.clone()), range(1, element(i.clone()), element(&i + &one))];
        check(sparse, vec![], "Exact start[n] - start[0] if n >= 0, start[i + 1] >= start[i]");
        // Bounds of one element: what is assumed holds in each iteration, and names none.
        let first = element(number(0));
        for (to, expected) in [
            (&first + &i, "Exact (2*n*start[0] + n*n - n)/2 if n >= 0, start[0] >= 0"),
            (&first - &i, "Exact (2*n*start[0] - n*n + n)/2 if start[0] >= n - 1, n >= 0"),
            (&first + &(&i * &m), "it depends on whether i*m + start[0] >= 0"),
        ] {
            check(vec![range(0, number(0), n.clone()), range(1, number(0), to)], vec![], expected);
        }
        let ragged = vec![range(0, number(0), n), range(1, number(0), element(i))];
        check(ragged, vec![], "it is a sum of elements such as start[i]");
    }
}
