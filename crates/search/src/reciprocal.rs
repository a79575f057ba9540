use crate::{Combined, FormulaFinder, FoundFormulas, LeftOutPoint};

/// The formulas of the reciprocal of a rate, which are sums of times.
#[derive(Debug, Clone)]
pub(crate) struct Reciprocal {
    pub finding: FoundFormulas,
    pub belief: Belief,
}

/// What is believed of the reciprocal beside the rate itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Belief {
    /// Its formulas are much more plausible.
    Likelier,
    /// Nobody can tell, or not for sure.
    Alike,
}

/// Odds that tell which of both it is: strong evidence, as it is called.
const CERTAIN_ODDS: f64 = 20.0;

impl FoundFormulas {
    /// The best formula of the reciprocal, where that is much more plausible than those found: of a rate, by which it is predicted then.
    pub fn likelier_reciprocal(&self, experiment: &str) -> Option<String> {
        let its = Reciprocal::of(self).filter(|its| its.belief == Belief::Likelier)?;
        Some(its.finding.ranked(experiment).into_iter().next()?.formula.text)
    }
}

impl Reciprocal {
    /// The formulas of the reciprocal of what was found formulas for; none if they are much less plausible. Noise is relative, and so is
    /// that of a reciprocal, so that both have one measure.
    pub fn of(direct: &FoundFormulas) -> Option<Reciprocal> {
        let measurements = direct.measurements().reciprocal()?;
        let finding = FormulaFinder::new().find(&measurements);
        let odds = finding.log_evidence - direct.log_evidence;
        let belief = if odds > CERTAIN_ODDS.ln() { Belief::Likelier } else { Belief::Alike };
        (odds > -CERTAIN_ODDS.ln()).then_some(Reciprocal { finding, belief })
    }

    /// The prediction of the rate beside that of its own formulas: where nobody can tell, the interval holds both.
    pub fn beside(&self, direct: impl Fn() -> Combined, point: &[f64], probability: f64) -> Combined {
        let time = self.finding.predict(point, probability);
        let own = Combined { value: 1.0 / time.value, low: 1.0 / time.high, high: 1.0 / time.low };
        if self.belief == Belief::Likelier && own.value.is_finite() {
            return own;
        }
        let direct = direct();
        Combined { value: direct.value, low: direct.low.min(own.low), high: direct.high.max(own.high) }
    }

    /// The points that are taken for disturbed, with the factors of the rate.
    pub fn left_out(&self) -> Vec<LeftOutPoint> {
        let inverse = |it: LeftOutPoint| LeftOutPoint { factor: 1.0 / it.factor, ..it };
        self.finding.left_out().into_iter().map(inverse).collect()
    }
}
