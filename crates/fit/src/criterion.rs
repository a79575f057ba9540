//! When more coefficients are worth having.

use crate::factorisation::triangle::Triangle;
use crate::joint::{ResidualAndRank, Sets, cost, share};
use crate::partition::{FittedLeaf, touch};
use crate::search::Search;

/// What a model of some points leaves and costs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FitEvidence {
    /// What there is to be explained, n: points, and degrees of freedom of pure error, of which a point counts one at
    /// most. Repetitions within one run are more alike than measurements on another day, and hundreds of them at a few
    /// points would make every wobble of the points significant.
    pub(crate) samples: usize,
    /// Weighted residual sum of squares of the points, and as much pure error as counts.
    pub(crate) residual_sum_of_squares: f64,
    /// Determined coefficients of all cells, p.
    pub(crate) parameters: usize,
    /// Borders, b: places that were fitted too.
    pub(crate) borders: usize,
    /// Logarithm of the number of models of this kind among which the data have chosen: where the borders are, and
    /// which constants change there.
    pub(crate) choice: f64,
}

impl FitEvidence {
    /// The Bayesian information criterion with its correction for small samples and the extension for choices; the
    /// smaller the better.
    ///
    /// ```text
    /// n ln(rss / n) + p ln(n) n / (n - p - b - 2) + 2 ln(choices)
    /// ```
    ///
    /// (Schwarz 1978; McQuarrie, Statistics and Probability Letters 44, 1999; Chen and Chen, Biometrika 95, 2008.) The
    /// correction tends to 1 as n grows. Without it, and with the border chosen among all, 46 % of noisy samples of 8
    /// points and 17 % of those of 20 points are split (two terms, 15 % noise); with it, less than 3 %. For n <= p + b + 2
    /// the criterion is as large as a number can be: so few samples cannot show that so many parameters are real.
    ///
    /// A residual sum below `floor`, the rounding level of the data, is rounding and counts as `floor`: there the
    /// logarithm would reward noise of the arithmetic.
    pub(crate) fn information(&self, floor: f64) -> f64 {
        let taken = self.parameters + self.borders + 2;
        if self.samples <= taken {
            return f64::MAX;
        }
        let samples = self.samples as f64;
        let sum = self.residual_sum_of_squares.max(floor).max(f64::MIN_POSITIVE);
        let correction = samples / (self.samples - taken) as f64;
        samples * (sum / samples).ln()
            + self.parameters as f64 * samples.ln() * correction
            + 2.0 * self.choice
    }
}

impl Search<'_> {
    /// Logarithm of the number of choices: a border may be at any gap between values of a variable, and each further value
    /// of a constant belongs to one of the constants.
    fn choice(&self, borders: usize, further: usize) -> f64 {
        let gaps: usize = (0..self.points.variables()).map(|v| self.points.value_count(v) - 1).sum();
        borders as f64 * (gaps.max(1) as f64).ln() + further as f64 * (self.points.terms() as f64).ln()
    }

    /// What pieces together have as evidence, with a joint fit that leaves and costs so much, and has `extra` columns more
    /// than one piece.
    fn evidence(&self, pieces: &[&FittedLeaf], cost: ResidualAndRank, extra: usize) -> (FitEvidence, f64) {
        let count: usize = pieces.iter().map(|piece| piece.points.len()).sum();
        let (mut within, mut freedom, mut floor) = (0.0, 0, 0.0);
        for piece in pieces {
            let (sum, more) = self.points.pure_error(&piece.points);
            within += sum;
            freedom += more;
            floor += self.points.rounding(&piece.points);
        }
        // Of the repetitions in the samples, and of those that were folded before, one a point at most.
        let here = freedom.min(count);
        let mut noise = if freedom > 0 { within * (here as f64 / freedom as f64) } else { 0.0 };
        let mut folded = 0;
        if let Some(pure) = self.options.pure_error {
            let share = pure.freedom as f64 * count as f64 / self.points.len() as f64;
            folded = (share as usize).min(count - here);
            noise += folded as f64 * self.points.to_row_units(pure.variance);
        }
        let evidence = FitEvidence {
            samples: count + here + folded,
            residual_sum_of_squares: cost.residual_sum_of_squares + noise,
            parameters: cost.rank,
            borders: pieces.len() - 1,
            choice: self.choice(pieces.len() - 1, extra),
        };
        (evidence, floor)
    }

    /// The criterion of pieces with the given sets.
    pub(crate) fn judge(&self, pieces: &[&FittedLeaf], sets: &Sets) -> f64 {
        let cost = cost(&triangles(pieces), sets, self.is_bounded);
        let (evidence, floor) = self.evidence(pieces, cost, sets.columns() - self.points.terms());
        evidence.information(floor)
    }

    /// The best sets for pieces, and the criterion with them.
    pub(crate) fn share(&self, pieces: &[&FittedLeaf]) -> (Sets, f64) {
        if !self.options.sharing || pieces.len() < 2 {
            let sets = Sets::separate(self.points.terms(), pieces.len());
            let information = self.judge(pieces, &sets);
            return (sets, information);
        }
        let pairs = (0..pieces.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let neighbours: Vec<(usize, usize)> =
            pairs.filter(|&(a, b)| touch(&pieces[a].region, &pieces[b].region)).collect();
        // Points, pure error and floor are the same for all sets.
        let (evidence, floor) =
            self.evidence(pieces, ResidualAndRank { residual_sum_of_squares: 0.0, rank: 0 }, 0);
        let judge = |cost: ResidualAndRank, sets: &Sets| {
            if !is_shown(pieces, sets) {
                return f64::MAX;
            }
            let further = sets.columns() - self.points.terms();
            let with_cost = FitEvidence {
                residual_sum_of_squares: evidence.residual_sum_of_squares + cost.residual_sum_of_squares,
                parameters: cost.rank,
                choice: self.choice(evidence.borders, further),
                ..evidence
            };
            with_cost.information(floor)
        };
        share(&triangles(pieces), &neighbours, self.is_bounded, judge)
    }
}

/// Whether each piece has more points than constants of its own: else it is as its points are, whatever these are.
fn is_shown(pieces: &[&FittedLeaf], sets: &Sets) -> bool {
    let is_own = |cell: usize, of_term: &&Vec<usize>| {
        of_term.iter().enumerate().all(|(other, set)| other == cell || *set != of_term[cell])
    };
    pieces.iter().enumerate().all(|(cell, piece)| {
        let own = sets.of_term().iter().filter(|of_term| is_own(cell, of_term)).count();
        piece.points.len() > own.min(piece.solution.design_rank)
    })
}

fn triangles<'p>(pieces: &[&'p FittedLeaf]) -> Vec<&'p Triangle> {
    pieces.iter().map(|piece| &piece.triangle).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether two fits with k coefficients each beat one, the border being one of the gaps.
    fn check(samples: usize, terms: usize, sum_of_one: f64, sum_of_two: f64, floor: f64) -> bool {
        let of = |residual_sum_of_squares, borders: usize| {
            let parameters = (borders + 1) * terms;
            let choice = borders as f64 * (samples as f64 - 1.0).ln();
            FitEvidence { samples, residual_sum_of_squares, parameters, borders, choice }.information(floor)
        };
        of(sum_of_two, 1) < of(sum_of_one, 0)
    }

    #[test]
    fn a_split_must_pay() {
        assert!(check(1000, 2, 1.0, 0.5, 0.0));
        assert!(!check(1000, 2, 1.0, 0.99, 0.0));
        // exp(-4 ln(1000) / 1000) = 0.9727 is where it starts to pay
        assert!(check(1000, 2, 1.0, 0.971, 0.0));
        assert!(!check(1000, 2, 1.0, 0.974, 0.0));
    }

    #[test]
    fn rounding_does_not_pay() {
        assert!(!check(1000, 2, 1e-28, 1e-32, 1e-27));
        assert!(check(1000, 2, 1.0, 0.0, 1e-27));
        assert!(check(1000, 2, 1.0, 0.0, 0.0));
    }

    #[test]
    fn so_few_samples_show_nothing() {
        assert!(!check(7, 2, 1.0, 0.0, 1e-30));
        assert!(check(8, 2, 1.0, 0.0, 1e-30));
    }
}
