use strsim::osa_distance;

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
        .map(|candidate| (osa_distance(&word.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= limit && *distance < candidate.chars().count())
        .min()
        .map(|(_, candidate)| candidate)
}

/// Longer words are no misspelt ones, and comparing them takes long.
const LONGEST: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

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
