//! Which blocks are guarded: their measurements end however they are left, and nothing is put before the jumps out of them.

use std::collections::HashSet;

use super::region::{BlockInFunction, Exit, FunctionWithBlocks};
use crate::subject::DirectiveSubject;

/// The begin lines of guarded blocks. A directive that comes up several times, in a macro or a header that is read twice, has one
/// text: if one of its blocks is guarded, all are.
pub fn guarded(subject: &DirectiveSubject, bodies: &[FunctionWithBlocks]) -> HashSet<usize> {
    let directive = |region: &BlockInFunction| subject.occurrences[region.place.begin].directive;
    let mut wanted: HashSet<usize> = HashSet::new();
    loop {
        let mut found = HashSet::new();
        let mut directives = HashSet::new();
        for body in bodies {
            let is_wanted: HashSet<usize> = (0..body.regions.len())
                .filter(|index| wanted.contains(&directive(&body.regions[*index])))
                .collect();
            for index in in_function(&body.regions, &body.exits, &body.function.computed_gotos, is_wanted) {
                found.insert(body.regions[index].place.begin);
                directives.insert(directive(&body.regions[index]));
            }
        }
        if directives.is_subset(&wanted) {
            return found;
        }
        wanted.extend(directives);
    }
}

/// The regions whose measurements a guard ends: those that some jump leaves. A guard acts after the text that is put before a jump, so a jump out of a guarded block may have no such text for the blocks around it: they are guarded as well, or none is.
fn in_function(
    regions: &[BlockInFunction],
    exits: &[Exit],
    computed_gotos: &[usize],
    wanted: HashSet<usize>,
) -> HashSet<usize> {
    let mut guarded = wanted;
    guarded.extend(exits.iter().filter(|exit| !exit.is_final()).flat_map(|exit| exit.left.iter().copied()));
    guarded.extend(
        (0..regions.len()).filter(|index| computed_gotos.iter().any(|offset| regions[*index].holds(*offset))),
    );
    let mut can_be: Vec<bool> = regions.iter().map(|region| region.can_be_guarded).collect();
    loop {
        guarded.retain(|index| can_be[*index]);
        let mut wanted = Vec::new();
        let mut impossible = Vec::new();
        for exit in exits.iter().filter(|exit| !exit.is_final()) {
            let Some(inner) = exit.left.iter().position(|index| guarded.contains(index)) else { continue };
            for outer in exit.left[inner + 1..].iter().filter(|outer| !guarded.contains(outer)) {
                if can_be[*outer] {
                    wanted.push(*outer);
                } else {
                    impossible.push(exit.left[inner]);
                }
            }
        }
        if wanted.is_empty() && impossible.is_empty() {
            return guarded;
        }
        guarded.extend(wanted);
        impossible.iter().for_each(|index| can_be[*index] = false);
    }
}
