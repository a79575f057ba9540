//! Counts that rounding makes: of the largest block of a grid that is distributed over processors.

/// A count that is exactly a·⌈c/P^(1/r)⌉^d at all processors that were run: something for each point on a side, a face or in all of a
/// block, whose grid has c points on a side and is cut r times. No smooth function of P says what rounding does to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BlockLaw {
    /// For each point.
    factor: f64,
    /// How many dimensions of the grid are distributed, and how many the counted part of a block has.
    shape: (u32, u32),
    /// The fewest and the most points on a side that explain the counts.
    extents: (u64, u64),
}

/// As many numbers of processors, and blocks of as many sizes: fewer are explained by chance.
const LEAST_POINTS: usize = 4;
const LEAST_SIZES: usize = 3;
/// On larger blocks rounding does not matter.
const LONGEST_SIDE: u64 = 1000;
/// Of counts that are added up and divided.
const EXACT: f64 = 1e-9;
/// Exponents of P in what needs no rounding.
const EXPONENTS: [f64; 13] =
    [-3.0, -2.0, -1.5, -1.0, -2.0 / 3.0, -0.5, -1.0 / 3.0, 0.0, 1.0 / 3.0, 0.5, 1.0, 1.5, 2.0];

impl BlockLaw {
    /// The law of counts on so many processors each; `None` if none explains them all, or a sum of two powers of P does.
    pub(crate) fn of(processors: &[u64], counts: &[f64]) -> Option<BlockLaw> {
        let mut points: Vec<(u64, f64)> = processors
            .iter()
            .copied()
            .zip(counts.iter().copied())
            .filter(|(processors, _)| *processors > 0)
            .collect();
        points.sort_by(|one, other| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)));
        points.dedup();
        let is_positive = points.iter().all(|(_, count)| *count > 0.0);
        if points.len() < LEAST_POINTS || !is_positive || is_smooth(&points) {
            return None;
        }
        let shapes = (1..=3).flat_map(|cuts| (1..=3).map(move |dimensions| (cuts, dimensions)));
        // The coarsest explanation.
        shapes.filter_map(|shape| BlockLaw::of_shape(shape, &points)).min_by_key(|law| law.extents.0)
    }

    fn of_shape(shape: (u32, u32), points: &[(u64, f64)]) -> Option<BlockLaw> {
        let (cuts, dimensions) = shape;
        let parts: Vec<u64> =
            points.iter().map(|(processors, _)| root(*processors, cuts)).collect::<Option<_>>()?;
        let (_, most) = points[0];
        let ratios: Vec<f64> =
            points.iter().map(|(_, count)| (count / most).powf(1.0 / f64::from(dimensions))).collect();
        (1..=LONGEST_SIDE).find_map(|side| {
            let sides = ratios.iter().map(|ratio| whole(side, *ratio));
            // Most are no whole ones, so nothing is kept before.
            let mut sides =
                sides.clone().all(|its| its.is_some()).then(|| sides.flatten().collect::<Vec<u64>>())?;
            let bounds = sides.iter().zip(&parts);
            let least = bounds.clone().map(|(side, parts)| (side - 1) * parts + 1).max()?;
            let largest = bounds.map(|(side, parts)| side * parts).min()?;
            sides.dedup();
            let factor = most / (side as f64).powf(f64::from(dimensions));
            (least <= largest && sides.len() >= LEAST_SIZES).then_some(BlockLaw {
                factor,
                shape,
                extents: (least, largest),
            })
        })
    }

    /// The lowest and the highest count that the law allows on so many processors; `None` where the grid has no such cuts.
    pub(crate) fn range(&self, processors: u64) -> Option<(f64, f64)> {
        let parts = root(processors, self.shape.0)?;
        let count = |extent: u64| self.factor * (extent.div_ceil(parts) as f64).powf(f64::from(self.shape.1));
        Some((count(self.extents.0), count(self.extents.1)))
    }

    /// Of the counts that are allowed the one that is nearest to a guess.
    pub(crate) fn nearest(&self, processors: u64, guess: f64) -> Option<f64> {
        let parts = root(processors, self.shape.0)?;
        let sides = self.extents.0.div_ceil(parts)..=self.extents.1.div_ceil(parts);
        let counts = sides.map(|side| self.factor * (side as f64).powf(f64::from(self.shape.1)));
        let distance = |count: &f64| (count / guess).ln().abs();
        counts.min_by(|one, other| distance(one).total_cmp(&distance(other)))
    }
}

/// A block that is so many times as long as the first one, if it has a whole side.
fn whole(first: u64, ratio: f64) -> Option<u64> {
    let side = first as f64 * ratio;
    ((side - side.round()).abs() <= 1e-7 && side >= 0.5).then_some(side.round() as u64)
}

/// The whole number whose power is that.
fn root(number: u64, power: u32) -> Option<u64> {
    let root = (number as f64).powf(1.0 / f64::from(power)).round() as u64;
    (root.checked_pow(power) == Some(number)).then_some(root)
}

/// Whether a sum of two powers of P has all of these values.
fn is_smooth(points: &[(u64, f64)]) -> bool {
    let power = |point: &(u64, f64), exponent: f64| (point.0 as f64).powf(exponent);
    let [first, .., last] = points else { return true };
    let pairs = EXPONENTS
        .into_iter()
        .enumerate()
        .flat_map(|(at, one)| EXPONENTS[..at].iter().map(move |other| (one, *other)));
    pairs.into_iter().any(|(one, other)| {
        let [a, b, c, d] = [power(first, one), power(first, other), power(last, one), power(last, other)];
        let determinant = a * d - b * c;
        let factors = [(first.1 * d - b * last.1) / determinant, (a * last.1 - first.1 * c) / determinant];
        points.iter().all(|point| {
            let value = factors[0] * power(point, one) + factors[1] * power(point, other);
            (value - point.1).abs() <= EXACT * point.1
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTENTS: [u64; 5] = [37, 64, 100, 102, 250];

    fn law_of(processors: &[u64], count: impl Fn(u64) -> f64) -> Option<BlockLaw> {
        BlockLaw::of(processors, &processors.iter().map(|its| count(*its)).collect::<Vec<_>>())
    }

    /// Rows in one dimension, blocks of square and of cubic meshes: sides, faces and all of them.
    #[test]
    fn blocks_are_known_where_nothing_ran() {
        let one: &[u64] = &[3, 4, 6, 8, 12];
        for (cuts, processors, beyond) in
            [(1, one, 16), (2, &[9, 16, 25, 36, 49], 64), (3, &[8, 27, 64, 125, 216], 343)]
        {
            for (extent, dimensions) in
                EXTENTS.into_iter().flat_map(|extent| (1..=3).map(move |its| (extent, its)))
            {
                let count = |processors: u64| {
                    let parts = root(processors, cuts).unwrap();
                    24.0 * (extent.div_ceil(parts) as f64).powf(f64::from(dimensions))
                };
                let Some(law) = law_of(processors, count) else {
                    panic!("{extent} points, {dimensions} of {cuts} dimensions");
                };
                let (low, high) = law.range(beyond).unwrap();
                let truth = count(beyond);
                assert!(low <= truth * (1.0 + 1e-9) && truth * (1.0 - 1e-9) <= high, "{law:?}: {truth}");
                let nearest = law.nearest(beyond, 1.01 * truth).unwrap();
                assert!((nearest - truth).abs() <= 1e-9 * truth, "{law:?}: {nearest}, {truth}");
            }
        }
    }

    #[test]
    fn what_is_smooth_or_noisy_is_no_law_of_blocks() {
        let processors = [1, 2, 4, 8, 16];
        let laws: [fn(f64) -> f64; 6] = [
            |p| 960.0 / p,
            |p| 1.0 + 16.0 / p,
            |p| 64.0 + 8.0 * p,
            |p| 1000.0 * (p - 1.0) / p + 7.0,
            |p| 300.0 / p.sqrt() + 2.0 * p.log2(),
            |p| 1000.0 / p * (1.0 + 0.01 * (7.0 * p).sin()),
        ];
        for (number, law) in laws.into_iter().enumerate() {
            assert_eq!(law_of(&processors, |its| law(its as f64)), None, "law {number}");
        }
        // Three points tell nothing, and a mesh of 2 by 2 by 2 is not one of squares.
        assert_eq!(law_of(&[9, 16, 25], |its| 65_u64.div_ceil(root(its, 2).unwrap()) as f64), None);
        let square =
            law_of(&[25, 36, 49, 64], |its| 65_u64.div_ceil(root(its, 2).unwrap()).pow(2) as f64).unwrap();
        assert_eq!((square.extents, square.shape), ((65, 65), (2, 2)));
        assert_eq!((square.range(225), square.range(8)), (Some((25.0, 25.0)), None));
    }
}
