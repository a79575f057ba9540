//! Whether what a block grows as grows faster than in another version.

use call_compiler::{Monomial, is_bounded, may_be_bounded};

use crate::propose::renamed::{Renamings, paths, renamed, ways};

/// Of more names than this it is not told which are which.
const MOST_NAMES: usize = 4;

/// What became of what a block grows as.
pub enum Growth {
    /// It grows no faster.
    None,
    /// It grows faster, whatever the values.
    Faster,
    /// It is told in other names, which may have any values; what it would be if they had those of the old ones.
    InOtherNames(String),
    /// It may grow faster, as values of the names are.
    OfValues,
}

/// Compares monomials, the old ones in the names of the new version but for those that are gone. `greater` has names for some that are no
/// more: of `n - m` it is `n` that grows.
pub fn growth(old: &[Monomial], new: &[Monomial], greater: &Renamings) -> Growth {
    let is_within = |its: &&Monomial| is_bounded(its, old) || is_bounded(&renamed(its, greater), old);
    let grown: Vec<&Monomial> = new.iter().filter(|its| !is_within(its)).collect();
    if grown.is_empty() {
        return Growth::None;
    }
    let (known, used) = (paths(old), paths(new));
    let gone: Vec<String> = known.difference(&used).cloned().collect();
    let come: Vec<String> = used.difference(&known).cloned().collect();
    let is_more = |its: &&Monomial| {
        old.iter().any(|own| !own.0.is_empty() && is_bounded(own, std::slice::from_ref(*its)))
    };
    let is_other = |its: &&Monomial| paths(std::slice::from_ref(*its)).iter().any(|name| come.contains(name));
    if !gone.is_empty() && grown.iter().any(is_other) && !grown.iter().any(is_more) {
        return Growth::InOtherNames(as_if(old, new, &gone, &come));
    }
    match grown.iter().all(|its| may_be_bounded(its, old)) {
        true => Growth::OfValues,
        false => Growth::Faster,
    }
}

/// Whether a block surely grows slower than before: not where it is told in other names.
pub fn is_slower(old: &[Monomial], new: &[Monomial]) -> bool {
    paths(new).is_subset(&paths(old)) && old.iter().any(|its| !may_be_bounded(its, new))
}

/// What it would be if the names that have come were those that are gone; nothing where they are not as many.
fn as_if(old: &[Monomial], new: &[Monomial], gone: &[String], come: &[String]) -> String {
    if gone.len() != come.len() || gone.len() > MOST_NAMES {
        return String::new();
    }
    let told = |way: &Renamings| old.iter().map(|its| renamed(its, way)).collect::<Vec<_>>();
    let all_bounded = |ones: &[Monomial], others: &[Monomial]| ones.iter().all(|its| is_bounded(its, others));
    let ways = ways(gone, come);
    let is_same = |way: &&Renamings| {
        let told = told(way);
        all_bounded(new, &told) && all_bounded(&told, new)
    };
    let is_no_more = |way: &&Renamings| all_bounded(new, &told(way));
    let (way, what) = match (ways.iter().find(is_same), ways.iter().find(is_no_more)) {
        (Some(way), _) => (way, "the same"),
        (None, Some(way)) => (way, "no more"),
        (None, None) => match ways.first() {
            Some(way) => (way, "it grows faster"),
            None => return String::new(),
        },
    };
    let names: Vec<String> = way.iter().map(|(own, its)| format!("{its} is {own}")).collect();
    format!(" (if {}, {what})", names.join(" and "))
}
