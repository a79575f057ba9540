//! One name for one original, in all files of a data set.

use std::collections::{BTreeMap, BTreeSet};

use crate::Note;
use crate::name::{identifier, is_call_path, spelt_out, usable};
use crate::short_names::{NameLengths, ShortNames};

/// Which names that formulas can use were given to those of files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OriginalNames {
    calls: GivenNames,
    variables: GivenNames,
    metrics: GivenNames,
    shortened: ShortNames,
}

impl OriginalNames {
    /// The names of things that have several, as short as they can be without standing for two of them, also in other files; and what is to be
    /// told of those that are longer.
    pub(crate) fn of_lengths(&mut self, all: &[NameLengths]) -> (Vec<String>, Vec<Note>) {
        self.shortened.give(all)
    }

    /// The names of experiments of one file, call paths among them.
    pub(crate) fn of_experiments(&mut self, originals: &[String]) -> Vec<String> {
        let calls: BTreeSet<&str> = originals.iter().flat_map(|original| parts(original).0).collect();
        self.calls.give(&calls, "", identifier);
        let call = |call: &str| self.calls.name(call).unwrap_or_else(|| identifier(call));
        let name = |original: &String| {
            let (calls, metric) = parts(original);
            calls.into_iter().map(call).collect::<Vec<_>>().join("/") + metric
        };
        originals.iter().map(name).collect()
    }

    /// The names of the variables of one file, beside a name that is another's.
    pub(crate) fn of_variables(&mut self, originals: &[&str], reserved: &str) -> Vec<String> {
        let distinct = originals.iter().copied().collect();
        self.variables.give(&distinct, reserved, usable);
        let name = |original: &&str| self.variables.name(original).unwrap_or_else(|| usable(original));
        originals.iter().map(name).collect()
    }

    /// What stands behind the names of experiments of further metrics.
    pub(crate) fn of_metrics(&mut self, originals: &[&str]) -> Vec<String> {
        let distinct = originals.iter().copied().filter(|original| !original.is_empty()).collect();
        self.metrics.give(&distinct, "", identifier);
        originals.iter().map(|original| self.of_metric(original)).collect()
    }

    /// The same of one that was given its name.
    pub(crate) fn of_metric(&self, original: &str) -> String {
        self.metrics.name(original).unwrap_or_else(|| identifier(original))
    }

    /// Calls of these experiments that go by one name with what is written otherwise in other files: how they are written, and how those.
    pub(crate) fn shared_calls(&self, originals: &[String]) -> Vec<(String, String)> {
        let calls: BTreeSet<&str> = originals.iter().flat_map(|original| parts(original).0).collect();
        self.calls.shared(calls)
    }

    /// The same of variables.
    pub(crate) fn shared_variables(&self, originals: &[&str]) -> Vec<(String, String)> {
        self.variables.shared(originals.iter().copied().collect())
    }

    /// Names of the calls of all files, that go by what these call their experiments and not by the order of the files.
    pub fn of_all<'a>(files: impl Iterator<Item = &'a OriginalNames>) -> OriginalNames {
        let mut originals = BTreeSet::new();
        for OriginalNames { calls, .. } in files {
            for original in calls.name_of.keys() {
                originals.insert(original.as_str());
                // In its file the name is that of something else.
                let plain = identifier(original);
                originals.extend(calls.own.get(&plain).map(String::as_str));
            }
        }
        let mut names = OriginalNames::default();
        names.calls.give(&originals, "", identifier);
        names
    }

    /// Lets calls that are written so have the names that they have in that of an experiment, whatever is read later.
    #[must_use]
    pub fn with_experiment(mut self, name: &str, original: &str) -> OriginalNames {
        for (name, original) in name.split('/').zip(original.split("->")).filter(|(name, its)| name != its) {
            self.calls.name_of.insert(original.to_owned(), name.to_owned());
            self.calls.original_of.insert(name.to_owned(), original.to_owned());
        }
        self
    }

    /// How the calls of an experiment of this name are written, where that is otherwise.
    pub fn original_of(&self, name: &str) -> Option<String> {
        let path = name.split(':').next().unwrap_or_default();
        let calls: Vec<&str> = path.split('/').collect();
        let original =
            |call: &&str| self.calls.original_of.get(*call).map_or((*call).to_owned(), String::clone);
        let originals: Vec<String> = calls.iter().map(original).collect();
        (calls != originals).then(|| originals.join("->"))
    }

    /// Takes what was found of a file alone, unless it calls anything otherwise than those before. Returns whether it did.
    pub fn take(&mut self, of_file: &OriginalNames) -> bool {
        let pairs = [
            (&self.calls, &of_file.calls),
            (&self.variables, &of_file.variables),
            (&self.metrics, &of_file.metrics),
        ];
        let is_same = pairs.iter().all(|(known, its)| known.agrees_with(its));
        if !is_same || !self.shortened.agrees_with(&of_file.shortened) {
            return false;
        }
        self.calls.take(&of_file.calls);
        self.variables.take(&of_file.variables);
        self.metrics.take(&of_file.metrics);
        self.shortened.take(&of_file.shortened);
        true
    }
}

/// The calls of a call path, also of one as this project writes it, and the metric behind that.
fn parts(original: &str) -> (Vec<&str>, &str) {
    if !is_call_path(original) {
        return (original.split("->").collect(), "");
    }
    let (path, metric) = original.split_at(original.find(':').unwrap_or(original.len()));
    (path.split('/').collect(), metric)
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct GivenNames {
    name_of: BTreeMap<String, String>,
    original_of: BTreeMap<String, String>,
    /// What is called by its own name.
    own: BTreeSet<String>,
}

impl GivenNames {
    fn name(&self, original: &str) -> Option<String> {
        self.name_of.get(original).cloned()
    }

    /// Gives names to the originals of a file that have none: that which `plain` makes of them where it is no other's, else one that goes by the
    /// original alone, whatever else stands in the file.
    fn give<'a>(&mut self, originals: &BTreeSet<&'a str>, reserved: &'a str, plain: fn(&str) -> String) {
        let (own, changed): (Vec<&str>, Vec<&str>) =
            originals.iter().copied().partition(|original| plain(original) == *original);
        let mut taken: BTreeSet<&str> = own.iter().copied().chain([reserved]).collect();
        // A name that another original of this file was given in a file before.
        for original in own {
            let other = self.original_of.get(original);
            if other.is_some_and(|other| originals.contains(other.as_str())) {
                taken.remove(original);
                self.give_one(original, &[], original, &taken);
            } else if !self.name_of.contains_key(original) && !self.own.contains(original) {
                self.own.insert(original.to_owned());
            }
        }
        let mut groups: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for original in changed.into_iter().filter(|original| !self.name_of.contains_key(*original)) {
            groups.entry(plain(original)).or_default().push(original);
        }
        for (name, mut group) in groups {
            let spelt = |original: &str| plain(&spelt_out(original));
            group.sort_by_key(|original| (spelt(original) != name, original.len(), *original));
            let is_alone = group.len() == 1;
            for (position, original) in group.into_iter().enumerate() {
                let spelt = spelt(original);
                let is_plain = is_alone || position == 0 && spelt == name;
                let candidates =
                    [is_plain.then(|| name.clone()), Some(spelt.clone()).filter(|_| spelt != name)];
                self.give_one(
                    original,
                    &candidates.into_iter().flatten().collect::<Vec<_>>(),
                    &spelt,
                    &taken,
                );
            }
        }
    }

    fn give_one(&mut self, original: &str, candidates: &[String], stem: &str, taken: &BTreeSet<&str>) {
        let hash = hash(original);
        let with_hash = [format!("{stem}_{:04x}", hash >> 16), format!("{stem}_{hash:08x}")];
        let is_free =
            |name: &&String| !taken.contains(name.as_str()) && !self.original_of.contains_key(*name);
        let Some(name) = candidates.iter().chain(&with_hash).find(is_free).cloned() else { return };
        self.original_of.insert(name.clone(), original.to_owned());
        self.name_of.insert(original.to_owned(), name);
    }

    /// Those that go by one name with what is written otherwise: how they are written, and how the others.
    fn shared(&self, originals: BTreeSet<&str>) -> Vec<(String, String)> {
        let other = |original: &str| match self.name_of.get(original) {
            Some(name) => self.own.get(name),
            None => self.original_of.get(original),
        };
        let pair = |original: &str| Some((original.to_owned(), other(original)?.clone()));
        originals.into_iter().filter_map(pair).collect()
    }

    /// Whether nothing has another name in the other ones, or a name of them is that of something else.
    fn agrees_with(&self, other: &GivenNames) -> bool {
        let is_same = |known: Option<&String>, its: &String| known.is_none_or(|known| known == its);
        let is_new = |original: &String| !self.name_of.contains_key(original);
        let is_shared = |original: &String| self.original_of.contains_key(original);
        other.own.iter().all(|original| is_new(original) && !is_shared(original))
            && other.name_of.iter().all(|(original, name)| {
                is_same(self.name_of.get(original), name)
                    && is_same(self.original_of.get(name), original)
                    && !self.own.contains(name)
            })
    }

    fn take(&mut self, other: &GivenNames) {
        let copied = |(from, to): (&String, &String)| (from.clone(), to.clone());
        self.name_of.extend(other.name_of.iter().map(copied));
        self.original_of.extend(other.original_of.iter().map(copied));
        self.own.extend(other.own.iter().cloned());
    }
}

/// FNV-1a: the same on all machines and in all releases.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn experiments(names: &mut OriginalNames, originals: &[&str]) -> Vec<String> {
        names.of_experiments(&originals.iter().map(|its| (*its).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn what_is_else_in_a_file_changes_no_name_there() {
        let originals =
            ["scale(float)", "scale(float*)", "a b", "a-b", "f<int>", "f(int)", "main->scale(float*)"];
        let expected = [
            "scale_float",
            "scale_float_ptr",
            "a_b",
            "a_minus_b",
            "f_int_c38d",
            "f_int",
            "main/scale_float_ptr",
        ];
        assert_eq!(experiments(&mut OriginalNames::default(), &originals), expected);
        let reversed: Vec<&str> = originals.into_iter().rev().collect();
        let mut of_reversed = experiments(&mut OriginalNames::default(), &reversed);
        of_reversed.reverse();
        assert_eq!(of_reversed, expected);
    }

    #[test]
    fn files_of_a_set_share_their_names() {
        let mut names = OriginalNames::default();
        assert_eq!(experiments(&mut names, &["a-b"]), ["a_b"]);
        assert_eq!(experiments(&mut names, &["a b", "a-b"]), ["a_b_10a3", "a_b"]);
        assert_eq!(experiments(&mut names, &["a b"]), ["a_b_10a3"]);
        // As an export has it; beside what was called so before, it is another one.
        assert_eq!(experiments(&mut names, &["a_b", "main/solve"]), ["a_b", "main/solve"]);
        let both = experiments(&mut names, &["a_b", "a-b"]);
        assert!(both[1] == "a_b" && both[0].starts_with("a_b_"), "{both:?}");
    }

    #[test]
    fn variables_do_not_swap() {
        let mut names = OriginalNames::default();
        assert_eq!(names.of_variables(&["x+", "x-", "n", "P "], "P"), ["x_plus", "x_minus", "n", "P_10ff"]);
        assert_eq!(names.of_variables(&["x-", "x+"], "P"), ["x_minus", "x_plus"]);
        let mut others = OriginalNames::default();
        assert_eq!(others.of_variables(&["size (MB)"], "P"), ["size_MB"]);
        assert_eq!(others.of_variables(&["size [MB]"], "P"), ["size_MB_0a49"]);
        assert_eq!(others.of_variables(&["size_MB"], "P"), ["size_MB"]);
    }

    #[test]
    fn one_name_for_two_spellings_is_told() {
        let mut names = OriginalNames::default();
        names.of_variables(&["size (MB)", "n"], "P");
        assert_eq!(names.shared_variables(&["size (MB)", "n"]), []);
        names.of_variables(&["size_MB", "n"], "P");
        let pair = |one: &str, other: &str| vec![(one.to_owned(), other.to_owned())];
        assert_eq!(names.shared_variables(&["size_MB", "n"]), pair("size_MB", "size (MB)"));
        assert_eq!(names.shared_variables(&["size (MB)"]), pair("size (MB)", "size_MB"));
        // Of one file both are apart, whatever was before.
        let both = names.of_variables(&["size_MB", "size (MB)"], "P");
        assert!(both[0] != both[1], "{both:?}");
    }

    #[test]
    fn files_that_were_read_alone_agree_or_not() {
        let of = |originals: &[&str]| {
            let mut names = OriginalNames::default();
            experiments(&mut names, originals);
            names
        };
        let mut names = of(&["a-b", "f"]);
        assert!(names.take(&of(&["f", "g h", "a-b"])));
        assert_eq!(names, of(&["a-b", "f", "g h"]));
        for other in ["a b", "a_b"] {
            assert!(!names.take(&of(&[other])), "{other}");
        }
        assert_eq!(names, of(&["a-b", "f", "g h"]));
    }

    #[test]
    fn metrics_do_not_go_by_their_order() {
        let mut names = OriginalNames::default();
        assert_eq!(names.of_metrics(&["L1 misses", "L1-misses"]), ["L1_misses", "L1_minus_misses"]);
        assert_eq!(names.of_metrics(&["L1-misses", "L1 misses"]), ["L1_minus_misses", "L1_misses"]);
    }

    #[test]
    fn call_paths_keep_their_calls() {
        let call_path = |text: &str| OriginalNames::default().of_experiments(&[text.to_owned()]).remove(0);
        for (text, name) in [
            ("main->solve(int)->spmv", "main/solve_int/spmv"),
            ("main/solve:visits", "main/solve:visits"),
            ("ns::f", "ns_f"),
            ("a/b.c", "a_b_c"),
            ("main->", "main/_"),
            ("/a", "a"),
        ] {
            assert_eq!(call_path(text), name, "{text}");
        }
    }
}
