use hashbrown::HashTable;

use crate::Samples;

/// Numbers points in the order in which they are met first. A point has a place and values, always as many. Consecutive
/// samples of one point are cheap.
#[derive(Debug)]
pub(crate) struct PointNumbers {
    /// Words of a key: the place, then the values.
    width: usize,
    /// The keys of the points, one behind another.
    keys: Vec<u64>,
    /// Points by the hashes of their keys.
    table: HashTable<usize>,
    /// The key that is asked for.
    key: Vec<u64>,
    previous: usize,
}

impl PointNumbers {
    /// Points of so many values.
    pub(crate) fn new(values: usize) -> PointNumbers {
        let width = values + 1;
        PointNumbers { width, keys: Vec::new(), table: HashTable::new(), key: vec![0; width], previous: 0 }
    }

    /// The number of points.
    pub(crate) fn len(&self) -> usize {
        self.keys.len() / self.width
    }

    /// The place of a point and its values.
    pub(crate) fn key(&self, point: usize) -> (u64, impl Iterator<Item = f64>) {
        let key = &self.keys[self.width * point..self.width * (point + 1)];
        (key[0], key[1..].iter().map(|bits| f64::from_bits(*bits)))
    }

    /// The hash of a point's values; its place does not matter.
    pub(crate) fn values_hash(&self, point: usize) -> u64 {
        hash(&self.keys[self.width * point + 1..self.width * (point + 1)])
    }

    /// The number of the point of a sample.
    pub(crate) fn number(&mut self, samples: &Samples, index: usize, place: u64) -> usize {
        self.take(samples, index, place);
        self.number_of_key(None)
    }

    /// The number of the point of a sample, if the hash of its values is one of those that `is_wanted`.
    pub(crate) fn wanted_number(
        &mut self,
        samples: &Samples,
        index: usize,
        place: u64,
        is_wanted: impl Fn(u64) -> bool,
    ) -> Option<usize> {
        self.take(samples, index, place);
        let values_hash = hash(&self.key[1..]);
        is_wanted(values_hash).then(|| self.number_of_key(Some(values_hash)))
    }

    #[inline]
    fn take(&mut self, samples: &Samples, index: usize, place: u64) {
        self.key[0] = place;
        for (word, column) in self.key[1..].iter_mut().zip(&samples.columns) {
            *word = equality_bits(column[index]);
        }
    }

    #[inline]
    fn number_of_key(&mut self, values_hash: Option<u64>) -> usize {
        let (key, keys, width) = (&self.key, &self.keys, self.width);
        if is_key(keys, width, self.previous, key) {
            return self.previous;
        }
        let hash = mixed(values_hash.unwrap_or_else(|| hash(&key[1..])), key[0]);
        let point = match self.table.find(hash, |point| is_key(keys, width, *point, key)) {
            Some(point) => *point,
            None => {
                let point = self.len();
                let hash_of = |point: &usize| key_hash(keys, width, *point);
                if self.table.len() == self.table.capacity() {
                    // Hashing all anew is dear, so that it happens rarely.
                    self.table.reserve(7 * point + 1, hash_of);
                }
                self.table.insert_unique(hash, point, hash_of);
                self.keys.extend_from_slice(&self.key);
                point
            }
        };
        self.previous = point;
        point
    }

    /// Forgets the points for which `is_kept` is false; the others keep their order.
    pub(crate) fn retain(&mut self, is_kept: &[bool]) {
        let keys = std::mem::take(&mut self.keys);
        self.table.clear();
        self.previous = 0;
        for (key, _) in keys.chunks_exact(self.width).zip(is_kept).filter(|(_, is_kept)| **is_kept) {
            let point = self.len();
            self.keys.extend_from_slice(key);
            let hash_of = |point: &usize| key_hash(&self.keys, self.width, *point);
            self.table.insert_unique(hash_of(&point), point, hash_of);
        }
    }
}

/// Whether a key is that of a point, of which there may be none. Keys are short: a call to compare them takes longer than that.
#[inline]
fn is_key(keys: &[u64], width: usize, point: usize, key: &[u64]) -> bool {
    keys.get(width * point..width * (point + 1))
        .is_some_and(|known| known.iter().zip(key).all(|(known, word)| known == word))
}

fn key_hash(keys: &[u64], width: usize, point: usize) -> u64 {
    let key = &keys[width * point..width * (point + 1)];
    mixed(hash(&key[1..]), key[0])
}

/// A hash all of whose bits depend on all bits of the words.
#[inline]
fn hash(words: &[u64]) -> u64 {
    words.iter().fold(0, |hash, word| mixed(hash, *word))
}

/// The halves of a long product, put together (as wyhash and others do it).
#[inline]
pub(crate) fn mixed(hash: u64, word: u64) -> u64 {
    // Digits of the fractional part of pi: odd numbers without a pattern.
    const KEYS: [u64; 2] = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7345];
    let product = u128::from(hash ^ KEYS[0]) * u128::from(word ^ KEYS[1]);
    (product >> 64) as u64 ^ product as u64
}

/// Equal for equal values: both zeros are one value, and so are all NaNs.
#[inline]
fn equality_bits(value: f64) -> u64 {
    if value.is_nan() { f64::NAN.to_bits() } else { (value + 0.0).to_bits() }
}

/// The samples of each point together.
pub(crate) struct PointMembers {
    /// Indices of samples, ascending at each point, one point after another.
    members: Vec<usize>,
    /// Where the members of each point end.
    ends: Vec<usize>,
}

impl PointMembers {
    /// Points are told apart by what `place` says of a sample's index and by the values of all columns.
    pub(crate) fn of(samples: &Samples, place: impl Fn(usize) -> u64) -> PointMembers {
        let mut points = PointNumbers::new(samples.columns.len());
        let mut counts: Vec<usize> = Vec::new();
        let mut point_of = Vec::with_capacity(samples.len());
        for index in 0..samples.len() {
            let point = points.number(samples, index, place(index));
            if point == counts.len() {
                counts.push(0);
            }
            counts[point] += 1;
            point_of.push(point);
        }
        // Where the next member of each point belongs; in the end that is where its members end.
        let mut next = 0;
        let mut ends = counts;
        for end in &mut ends {
            next += std::mem::replace(end, next);
        }
        let mut members = vec![0; samples.len()];
        for (index, point) in point_of.into_iter().enumerate() {
            members[ends[point]] = index;
            ends[point] += 1;
        }
        PointMembers { members, ends }
    }

    /// Indices of samples, those of one point after those of another.
    pub(crate) fn members(&self) -> &[usize] {
        &self.members
    }

    /// Where the members of each point end.
    pub(crate) fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// The members of each point; there is at least one.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[usize]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.members[start..*end])
    }
}
