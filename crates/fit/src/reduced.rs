//! What is left of the rows of a fit, and what can be made of several of them without the rows.

use crate::householder::absorb;
use crate::spread::Spread;
use crate::triangle::times_power_of_two;

/// The triangle of n rows: R, z and p of the header of [`crate::triangle`], and the counts.
#[derive(Debug, Clone)]
pub(crate) struct Reduced {
    pub(crate) terms: usize,
    /// R, k x k, row-major; column j is divided by `2^exponents[j]`.
    pub(crate) triangle: Vec<f64>,
    /// z, k entries, divided by `2^exponents[k]`.
    pub(crate) image: Vec<f64>,
    /// |p|, divided by `2^exponents[k]`.
    pub(crate) remainder: f64,
    pub(crate) exponents: Vec<i32>,
    pub(crate) total: Spread,
    pub(crate) samples_used: usize,
    pub(crate) samples_dropped: usize,
}

impl Reduced {
    /// From the (k + 1) x (k + 1) triangle of basis and observations.
    pub(crate) fn of(
        terms: usize,
        upper: &[f64],
        exponents: Vec<i32>,
        total: Spread,
        (samples_used, samples_dropped): (usize, usize),
    ) -> Self {
        let width = terms + 1;
        let entry = |i: usize, j: usize| upper[i * width + j];
        Reduced {
            terms,
            triangle: (0..terms).flat_map(|i| (0..terms).map(move |j| entry(i, j))).collect(),
            image: (0..terms).map(|i| entry(i, terms)).collect(),
            remainder: entry(terms, terms).abs(),
            exponents,
            total,
            samples_used,
            samples_dropped,
        }
    }

    /// The problem of all rows of several parts together, in `terms` new terms: term j of a part becomes the term that
    /// its map names, or is left out. Two terms of one part that become the same are added: their coefficients are one.
    pub(crate) fn stack(parts: &[(&Reduced, &[Option<usize>])], terms: usize) -> Reduced {
        let width = terms + 1;
        let rows: usize = parts.iter().map(|(part, _)| part.terms + 1).sum();
        let mut block = vec![0.0; width * rows];
        let mut exponents = vec![i32::MIN; width];
        for (part, map) in parts {
            for (j, target) in map.iter().enumerate() {
                let Some(target) = *target else { continue };
                exponents[target] = exponents[target].max(part.exponents[j]);
            }
            exponents[terms] = exponents[terms].max(part.exponents[part.terms]);
        }
        exponents.iter_mut().filter(|exponent| **exponent == i32::MIN).for_each(|exponent| *exponent = 0);
        let mut total = Spread::default();
        let (mut used, mut dropped, mut first) = (0, 0, 0);
        for (part, map) in parts {
            let old = part.terms;
            for (j, target) in map.iter().enumerate() {
                let Some(target) = *target else { continue };
                let exponent = part.exponents[j] - exponents[target];
                for i in 0..=j {
                    block[target * rows + first + i] +=
                        times_power_of_two(part.triangle[i * old + j], exponent);
                }
            }
            let exponent = part.exponents[old] - exponents[terms];
            for (i, &value) in part.image.iter().chain([&part.remainder]).enumerate() {
                block[terms * rows + first + i] = times_power_of_two(value, exponent);
            }
            total.merge(part.total);
            used += part.samples_used;
            dropped += part.samples_dropped;
            first += old + 1;
        }
        let mut upper = vec![0.0; width * width];
        absorb(&mut upper, width, &mut block, rows, rows);
        Reduced::of(terms, &upper, exponents, total, (used, dropped))
    }

    /// The problem in some of its terms only, the others having the coefficient 0.
    pub(crate) fn restrict(&self, terms: &[usize]) -> Reduced {
        let mut map = vec![None; self.terms];
        for (new, &old) in terms.iter().enumerate() {
            map[old] = Some(new);
        }
        Reduced::stack(&[(self, &map)], terms.len())
    }
}
