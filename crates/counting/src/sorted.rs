//! A map of few entries in one piece of memory.

/// Entries in the order of their keys.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortedMap<K, V>(Vec<(K, V)>);

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> SortedMap<K, V> {
        SortedMap(Vec::new())
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        self.position(key).ok().map(|position| &self.0[position].1)
    }

    /// The entries.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> + Clone {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// The keys.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }

    /// The values.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }

    /// The map with another entry; if there is one with that key, `join` makes one value of both, or none.
    pub fn add(&mut self, key: K, value: V, join: impl FnOnce(&V, V) -> Option<V>) {
        match self.position(&key) {
            Ok(position) => match join(&self.0[position].1, value) {
                Some(both) => self.0[position].1 = both,
                None => _ = self.0.remove(position),
            },
            Err(position) => self.0.insert(position, (key, value)),
        }
    }

    fn position(&self, key: &K) -> Result<usize, usize> {
        // Most entries come in order.
        match self.0.last() {
            Some((last, _)) if last < key => Err(self.0.len()),
            None => Err(0),
            _ => self.0.binary_search_by(|(own, _)| own.cmp(key)),
        }
    }
}

impl<K: Ord + Clone, V: Clone> SortedMap<K, V> {
    /// The entries of both; `join` makes one value of two with the same key, or none.
    pub fn joined(&self, other: &SortedMap<K, V>, join: impl Fn(&V, &V) -> Option<V>) -> SortedMap<K, V> {
        let (mut own, mut its) = (&self.0[..], &other.0[..]);
        let mut joined = Vec::with_capacity(own.len() + its.len());
        while let ([first, own_rest @ ..], [second, its_rest @ ..]) = (own, its) {
            match first.0.cmp(&second.0) {
                std::cmp::Ordering::Less => {
                    joined.push(first.clone());
                    own = own_rest;
                }
                std::cmp::Ordering::Greater => {
                    joined.push(second.clone());
                    its = its_rest;
                }
                std::cmp::Ordering::Equal => {
                    joined.extend(join(&first.1, &second.1).map(|value| (first.0.clone(), value)));
                    (own, its) = (own_rest, its_rest);
                }
            }
        }
        joined.extend(own.iter().chain(its).cloned());
        SortedMap(joined)
    }

    /// The map with other values.
    pub fn with_values(&self, value: impl Fn(&V) -> V) -> SortedMap<K, V> {
        SortedMap(self.0.iter().map(|(key, own)| (key.clone(), value(own))).collect())
    }

    /// The entries that are wanted.
    pub fn only(&self, is_wanted: impl Fn(&K) -> bool) -> SortedMap<K, V> {
        SortedMap(self.0.iter().filter(|(key, _)| is_wanted(key)).cloned().collect())
    }
}

impl<K: Ord, V> From<(K, V)> for SortedMap<K, V> {
    fn from(only: (K, V)) -> SortedMap<K, V> {
        SortedMap(vec![only])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_as_one_would_by_hand() {
        let sum = |own: &i32, its: &i32| Some(own + its).filter(|sum| *sum != 0);
        let mut map: SortedMap<char, i32> = ('d', 4).into();
        for (key, value) in [('b', 2), ('e', 5), ('b', 1), ('d', -4)] {
            map.add(key, value, |own, its| sum(own, &its));
        }
        assert_eq!(map.iter().collect::<Vec<_>>(), [(&'b', &3), (&'e', &5)]);
        let mut other: SortedMap<char, i32> = ('a', 7).into();
        other.add('e', -5, |_, its| Some(its));
        other.add('f', 1, |_, its| Some(its));
        assert_eq!(map.joined(&other, sum).iter().collect::<Vec<_>>(), [(&'a', &7), (&'b', &3), (&'f', &1)]);
        assert_eq!(map.get(&'e'), Some(&5));
        assert_eq!(map.get(&'c'), None);
    }
}
