//! Jumps into blocks, which are errors, and out of them, which become further ends of the measurement.

use std::collections::BTreeMap;

use call_grammar::Place;

use super::places::next_token;
use crate::c::function::{Function, Jump, JumpKind, ReturnType, is_jump_word};
use crate::error::Error;
use crate::locate::{Locator, Statement};
use crate::subject::Subject;

/// A statement that leaves blocks.
pub struct Leaving<'a> {
    pub jump: &'a Jump,
    pub statement: Statement,
    pub return_type: &'a ReturnType,
    /// The blocks that it leaves and that no explicit end closes before it, inner ones first, with their experiments.
    pub places: Vec<(usize, &'a Place)>,
}

/// A block in its function. Offsets count bytes of the preprocessed text.
struct Region<'a> {
    experiment: usize,
    place: &'a Place,
    begin: usize,
    end: usize,
}

impl Region<'_> {
    fn holds(&self, offset: usize) -> bool {
        self.begin < offset && offset < self.end
    }
}

pub fn check<'a>(subject: &Subject<'a>) -> (Vec<Leaving<'a>>, Vec<Error>) {
    let mut regions: BTreeMap<usize, Vec<Region>> = BTreeMap::new();
    for (experiment, place) in subject.places() {
        let Some((function, ..)) = subject.surroundings.around(place.begin, place.end()) else { continue };
        let (begin, end) = (subject.occurrences[place.begin].offset, subject.occurrences[place.end()].offset);
        regions.entry(function.item()).or_default().push(Region { experiment, place, begin, end });
    }
    let tokens = &subject.surroundings.file.tokens;
    let mut checker = Checker { subject, locator: None, leavings: Vec::new(), errors: Vec::new() };
    for (item, mut regions) in regions {
        // Inner blocks begin later.
        regions.sort_by_key(|region| std::cmp::Reverse(region.begin));
        let Some((function, _)) = subject.surroundings.function(regions[0].place.begin) else { continue };
        if function.jumps.is_empty() && function.cases.is_empty() && function.computed_gotos.is_empty() {
            continue;
        }
        let locator = checker
            .locator
            .get_or_insert_with(|| Locator::new(subject.sources, subject.preprocessed, tokens, is_jump_word));
        let statements = locator.statements(&subject.surroundings.file.items[item]);
        checker.function(function, &regions, |jump| statements.get(&jump.start).copied());
    }
    (checker.leavings, checker.errors)
}

struct Checker<'s, 'a> {
    subject: &'s Subject<'a>,
    locator: Option<Locator<'a>>,
    leavings: Vec<Leaving<'a>>,
    errors: Vec<Error>,
}

impl<'a> Checker<'_, 'a> {
    fn function(
        &mut self,
        function: &'a Function,
        regions: &[Region<'a>],
        statement: impl Fn(&Jump) -> Option<Statement>,
    ) {
        self.entries(function, regions, &statement);
        let mut jumps_of: Vec<Vec<(&Jump, Statement)>> = regions.iter().map(|_| Vec::new()).collect();
        for jump in &function.jumps {
            let left: Vec<usize> = (0..regions.len())
                .filter(|index| regions[*index].holds(jump.start))
                .filter(|index| function.leaves(jump, regions[*index].begin, regions[*index].end))
                .filter(|index| !self.is_ended_before(&regions[*index], jump))
                .collect();
            if left.is_empty() {
                continue;
            }
            match statement(jump).filter(|_| jump.is_statement) {
                Some(statement) => {
                    left.iter().for_each(|index| jumps_of[*index].push((jump, statement)));
                    self.leavings.push(Leaving {
                        jump,
                        statement,
                        return_type: &function.return_type,
                        places: left
                            .iter()
                            .map(|index| (regions[*index].experiment, regions[*index].place))
                            .collect(),
                    });
                }
                None => {
                    left.iter().for_each(|index| self.unseen(&regions[*index], jump.kind.word(), jump.start))
                }
            }
        }
        for (region, jumps) in regions.iter().zip(&jumps_of) {
            self.errors.extend(self.note(region, jumps));
            for offset in function.computed_gotos.iter().filter(|offset| region.holds(**offset)) {
                self.unseen(region, "goto *", *offset);
            }
        }
    }

    fn entries(
        &mut self,
        function: &Function,
        regions: &[Region<'a>],
        statement: &impl Fn(&Jump) -> Option<Statement>,
    ) {
        for region in regions {
            let (name, begin) = (self.subject.name(region.experiment), self.subject.span(region.place.begin));
            for jump in &function.jumps {
                let JumpKind::Goto { label } = &jump.kind else { continue };
                let Some(target) = function.labels.get(label) else { continue };
                if region.holds(*target) && !region.holds(jump.start) {
                    let own = statement(jump).map(|statement| statement.word.join(statement.semicolon));
                    let span = own.or_else(|| self.subject.line_of(jump.start)).unwrap_or(begin);
                    let (word, name) = (format!("goto {label}"), name.to_owned());
                    self.errors.push(Error::Enters { span, word, name, begin });
                }
            }
            for case in function.cases.iter().filter(|case| region.holds(case.offset)) {
                if case.switch.0 < region.begin {
                    let span = self.subject.line_of(case.offset).unwrap_or(begin);
                    let (word, name) = ("switch".to_owned(), name.to_owned());
                    self.errors.push(Error::Enters { span, word, name, begin });
                }
            }
        }
    }

    /// Whether an end of the block stands directly before a jump.
    fn is_ended_before(&self, region: &Region, jump: &Jump) -> bool {
        let ends = region.place.ends.iter().filter(|end| **end != region.place.end());
        ends.map(|end| next_token(self.subject, self.subject.occurrences[*end].offset))
            .any(|next| next == jump.start)
    }

    fn unseen(&mut self, region: &Region, word: &str, offset: usize) {
        let begin = self.subject.span(region.place.begin);
        let span = self.subject.line_of(offset).unwrap_or(begin);
        let (word, name) = (word.to_owned(), self.subject.name(region.experiment).to_owned());
        self.errors.push(Error::LeavesUnseen { span, word, name, begin });
    }

    /// One note for each block that is left.
    fn note(&self, region: &Region, jumps: &[(&Jump, Statement)]) -> Option<Error> {
        let begin = self.subject.begin(region.place.begin)?;
        let mut lines: Vec<(&str, Vec<String>)> = Vec::new();
        for (jump, statement) in jumps {
            let line = self.subject.sources.line(statement.word.start).to_string();
            match lines.iter_mut().find(|(word, _)| *word == jump.kind.word()) {
                Some((_, lines)) => lines.push(line),
                None => lines.push((jump.kind.word(), vec![line])),
            }
        }
        let texts: Vec<String> = lines
            .into_iter()
            .map(|(word, lines)| {
                let plural = if lines.len() == 1 { "line" } else { "lines" };
                format!("`{word}` on {plural} {}", lines.join(", "))
            })
            .collect();
        let name = self.subject.name(region.experiment).to_owned();
        (!texts.is_empty()).then(|| Error::Leaves { span: begin.name.span, name, jumps: texts.join(" and ") })
    }
}
