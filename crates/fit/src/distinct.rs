//! Numbers for distinct rows of columns.

use crate::order::is_ascending;

/// Multiplier of a multiplicative hash: 2^64 divided by the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Numbers the rows of some columns, equal rows alike, in the order in which they are met first.
///
/// A table of our own: it keeps no copy of the rows, a row equal to the last one is found without it, and the order of
/// its answers does not depend on the hash. The columns hold numbers, not NaN; 0 and -0 are equal.
pub(crate) struct Distinct<'a> {
    columns: &'a [&'a [f64]],
    /// Number + 1 of the row in each slot, 0 for an empty one. The number of slots is a power of two.
    slots: Vec<u32>,
    /// Hash and first row of each number.
    known: Vec<(u64, usize)>,
    last: Option<(usize, usize)>,
    /// Whether the rows ascend, so that one that differs from the last is new.
    is_ascending: bool,
}

impl<'a> Distinct<'a> {
    pub(crate) fn new(columns: &'a [&'a [f64]]) -> Self {
        let is_ascending = is_ascending(columns);
        Distinct { columns, slots: vec![0; 64], known: Vec::new(), last: None, is_ascending }
    }

    /// The number of a row, asked for in ascending order; the next free one for a row that was not met before.
    pub(crate) fn number(&mut self, row: usize) -> usize {
        if let Some((last, number)) = self.last
            && self.equal(last, row)
        {
            return number;
        }
        let number = if self.is_ascending { self.add(0, row) } else { self.look_up(row) };
        self.last = Some((row, number));
        number
    }

    /// The first row of each number.
    pub(crate) fn firsts(&self) -> Vec<usize> {
        self.known.iter().map(|(_, first)| *first).collect()
    }

    fn look_up(&mut self, row: usize) -> usize {
        let hash = self.hash(row);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while let Some(number) = (self.slots[slot] as usize).checked_sub(1) {
            let (known, first) = self.known[number];
            if known == hash && self.equal(first, row) {
                return number;
            }
            slot = (slot + 1) & mask;
        }
        let number = self.add(hash, row);
        self.slots[slot] = number as u32 + 1;
        if 2 * self.known.len() > self.slots.len() {
            self.grow();
        }
        number
    }

    fn add(&mut self, hash: u64, row: usize) -> usize {
        self.known.push((hash, row));
        self.known.len() - 1
    }

    fn grow(&mut self) {
        let mask = 4 * self.slots.len() - 1;
        self.slots = vec![0; mask + 1];
        for (number, (hash, _)) in self.known.iter().enumerate() {
            let mut slot = *hash as usize & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = number as u32 + 1;
        }
    }

    fn equal(&self, a: usize, b: usize) -> bool {
        self.columns.iter().all(|column| column[a] == column[b])
    }

    fn hash(&self, row: usize) -> u64 {
        let mix = |hash: u64, column: &&[f64]| {
            let mixed = (hash ^ (column[row] + 0.0).to_bits()).wrapping_mul(GOLDEN);
            mixed ^ (mixed >> 29)
        };
        self.columns.iter().fold(0, mix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_have_one_number() {
        let ascending: [&[f64]; 1] = [&[1.0, 1.0, 3.0, 4.0, 4.0]];
        let mut distinct = Distinct::new(&ascending);
        assert_eq!([0, 1, 3, 4].map(|row| distinct.number(row)), [0, 0, 1, 1]);

        let (a, b) = ([1.0, 0.0, 1.0, -0.0, 2.0], [5.0, 7.0, 5.0, 7.0, 5.0]);
        let columns: [&[f64]; 2] = [&a, &b];
        let mut distinct = Distinct::new(&columns);
        let numbers: Vec<usize> = (0..5).map(|row| distinct.number(row)).collect();
        assert_eq!(numbers, [0, 1, 0, 1, 2]);
        assert_eq!(distinct.firsts(), [0, 1, 4]);
    }

    #[test]
    fn many_rows_are_told_apart() {
        let column: Vec<f64> = (0..20_000).map(|i| f64::from(i % 10_000) * 0.1).collect();
        let columns: [&[f64]; 1] = [&column];
        let mut distinct = Distinct::new(&columns);
        for row in 0..column.len() {
            assert_eq!(distinct.number(row), row % 10_000);
        }
    }

    #[test]
    fn without_columns_all_rows_are_equal() {
        let mut distinct = Distinct::new(&[]);
        assert_eq!((distinct.number(3), distinct.number(9)), (0, 0));
    }
}
