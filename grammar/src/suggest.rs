/// The candidate nearest to a misspelt `word`, if one is near enough to be meant: at most a third of its letters differ.
pub fn suggest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let count = word.chars().count();
    if count > LONGEST {
        return None;
    }
    let limit = (count / 3).max(1);
    candidates
        .into_iter()
        // So many insertions are needed at least.
        .filter(|candidate| {
            candidate.len() <= 4 * LONGEST && candidate.chars().count().abs_diff(count) <= limit
        })
        .map(|candidate| (distance(&word.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= limit && *distance < candidate.chars().count())
        .min()
        .map(|(_, candidate)| candidate)
}

/// Longer words are no misspelt ones, and comparing them takes long.
const LONGEST: usize = 100;

/// Number of insertions, deletions, replacements and swaps of neighbours between two words (optimal string alignment).
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut current = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            current[j] = replaced.min(last[j] + 1).min(current[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                current[j] = current[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, expected) in [
            ("", "", 0),
            ("abc", "", 3),
            ("cll", "ll", 1),
            ("cll", "lcl", 1),
            ("report", "reprot", 1),
            ("end", "enf", 1),
        ] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn only_near_words_are_suggested() {
        assert_eq!(suggest("lgo", ["exp", "log", "log2"]), Some("log"));
        assert_eq!(suggest("sieze", ["size", "n"]), Some("size"));
        assert_eq!(suggest("M", ["N", "P"]), None, "one letter for another is not a misspelling");
        assert_eq!(suggest("rows", ["columns"]), None);
        let long = "x".repeat(1_000_000);
        assert_eq!(suggest(&long, [long.as_str()]), None, "comparing these would take hours");
        assert_eq!(suggest("log", [long.as_str(), "lgo"]), Some("lgo"));
    }
}
