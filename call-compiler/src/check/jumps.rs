//! Jumps into blocks, which are errors, and out of them, which become further ends of the measurement.

use std::collections::{BTreeMap, HashSet};

use call_grammar::{BlockLines, Span};

use super::guard;
use super::places::next_token;
use super::region::{BlockInFunction, Exit, FunctionWithBlocks};
use crate::c::function::{ControlFlow, JumpKind, LeavingJump, ReturnType, is_jump_word};
use crate::capture;
use crate::error::Error;
use crate::locate::{LocatedStatement, Locator};
use crate::subject::DirectiveSubject;

/// A statement that leaves blocks.
pub struct Leaving<'a> {
    pub jump: &'a LeavingJump,
    pub statement: LocatedStatement,
    pub return_type: &'a ReturnType,
    /// The blocks that it leaves and that nothing else ends before it, inner ones first, with their experiments.
    pub places: Vec<(usize, &'a BlockLines)>,
}

/// How blocks are left.
#[derive(Default)]
pub struct Jumps<'a> {
    pub leavings: Vec<Leaving<'a>>,
    /// Begin lines of the blocks whose measurements are ended by a guard, however they are left.
    pub guarded: HashSet<usize>,
}

pub fn check<'a>(subject: &DirectiveSubject<'a>) -> (Jumps<'a>, Vec<Error>) {
    let mut regions: BTreeMap<usize, Vec<BlockInFunction>> = BTreeMap::new();
    for (experiment, place) in subject.places() {
        let Some((function, begin_place, end_place)) = subject.surroundings.around(place.begin, place.end())
        else {
            continue;
        };
        let (begin, end) = (subject.occurrences[place.begin].offset, subject.occurrences[place.end()].offset);
        let can_be_guarded = !capture::takes_at_end(subject, experiment, place)
            && function.could_be_block(&subject.surroundings.program.file, begin_place, end_place);
        let region = BlockInFunction { experiment, place, begin, end, can_be_guarded };
        regions.entry(function.item()).or_default().push(region);
    }
    let tokens = &subject.surroundings.program.file.tokens;
    let mut checker = Checker { subject, locator: None, jumps: Jumps::default(), errors: Vec::new() };
    let mut bodies = Vec::new();
    for (item, mut regions) in regions {
        // Inner blocks begin later.
        regions.sort_by_key(|region| std::cmp::Reverse(region.begin));
        let Some((function, _)) = subject.surroundings.function(regions[0].place.begin) else { continue };
        if function.jumps.is_empty() && function.cases.is_empty() && function.computed_gotos.is_empty() {
            continue;
        }
        let locator = checker.locator.get_or_insert_with(|| {
            let parts = parts(subject);
            Locator::new(subject.sources, subject.preprocessed, tokens, is_jump_word, &parts)
        });
        let statements = locator.statements(&subject.surroundings.program.file.items[item]);
        let statement = |jump: &LeavingJump| statements.get(&jump.start).copied();
        checker.entries(function, &regions, &statement);
        let exits = checker.exits(function, &regions, &statement);
        bodies.push(FunctionWithBlocks { function, regions, exits });
    }
    let guarded = guard::guarded(subject, &bodies);
    for body in bodies {
        checker.body(&body, &guarded);
    }
    checker.jumps.guarded = guarded;
    (checker.jumps, checker.errors)
}

/// For each file the part that the jumps out of its blocks stand in: between its first and its last directive.
fn parts(subject: &DirectiveSubject) -> Vec<Span> {
    let sources = subject.sources;
    let lines = (0..subject.directives.len()).filter(|occurrence| !subject.is_in_macro(*occurrence));
    let mut parts: Vec<Option<Span>> = vec![None; sources.count()];
    for span in lines.map(|occurrence| subject.span(occurrence)) {
        let part = &mut parts[sources.file_of(span.start)];
        *part = Some(part.map_or(span, |known| known.join(span)));
    }
    // A block of directives in macros can stand anywhere.
    let has_macros = (0..subject.directives.len()).any(|occurrence| subject.is_in_macro(occurrence));
    let whole = |file: usize| sources.span(file);
    let nothing = |file: usize| Span::new(whole(file).start, whole(file).start);
    (0..sources.count())
        .map(|file| if has_macros { whole(file) } else { parts[file].unwrap_or_else(|| nothing(file)) })
        .collect()
}

struct Checker<'s, 'a> {
    subject: &'s DirectiveSubject<'a>,
    locator: Option<Locator<'a>>,
    jumps: Jumps<'a>,
    errors: Vec<Error>,
}

impl<'a> Checker<'_, 'a> {
    /// The jumps out of blocks.
    fn exits(
        &self,
        function: &'a ControlFlow,
        regions: &[BlockInFunction<'a>],
        statement: &impl Fn(&LeavingJump) -> Option<LocatedStatement>,
    ) -> Vec<Exit<'a>> {
        let left = |jump: &LeavingJump| -> Vec<usize> {
            (0..regions.len())
                .filter(|index| regions[*index].holds(jump.start))
                .filter(|index| function.leaves(jump, regions[*index].begin, regions[*index].end))
                .filter(|index| !self.is_ended_before(&regions[*index], jump))
                .filter(|index| !self.is_in_team(&regions[*index], jump))
                .collect()
        };
        let exit =
            |jump| Exit { jump, statement: statement(jump).filter(|_| jump.is_statement), left: left(jump) };
        function.jumps.iter().map(exit).filter(|exit| !exit.left.is_empty()).collect()
    }

    fn body(&mut self, body: &FunctionWithBlocks<'a>, guarded: &HashSet<usize>) {
        let regions = &body.regions;
        let is_guarded = |index: usize| guarded.contains(&regions[index].place.begin);
        for (index, region) in regions.iter().enumerate() {
            self.tell(region, is_guarded(index), index, &body.exits, &body.function.computed_gotos);
        }
        for exit in &body.exits {
            let ended = exit.left.iter().filter(|index| exit.is_final() || !is_guarded(**index));
            let places: Vec<(usize, &BlockLines)> =
                ended.map(|index| (regions[*index].experiment, regions[*index].place)).collect();
            if let (Some(statement), false) = (exit.statement, places.is_empty()) {
                let return_type = body.function.return_type(exit.jump);
                self.jumps.leavings.push(Leaving { jump: exit.jump, statement, return_type, places });
            }
        }
    }

    /// One note or warning for each block that is left.
    fn tell(
        &mut self,
        region: &BlockInFunction,
        is_guarded: bool,
        index: usize,
        exits: &[Exit],
        computed_gotos: &[usize],
    ) {
        let (mut seen, mut unseen) = (LinesOfWords::default(), LinesOfWords::default());
        for exit in exits.iter().filter(|exit| exit.left.contains(&index)) {
            let (word, ends) = (exit.jump.kind.word(), exit.is_final());
            match exit.statement {
                Some(statement) => seen.add(word, self.subject.sources.line(statement.word.start)),
                None if is_guarded && !ends => seen.add(word, self.line(exit.jump.start)),
                // What ends the program ends its measurements.
                None if ends => {}
                None => unseen.add(word, self.line(exit.jump.start)),
            }
        }
        for offset in computed_gotos.iter().filter(|offset| region.holds(**offset)) {
            let lines = if is_guarded { &mut seen } else { &mut unseen };
            lines.add("goto *", self.line(*offset));
        }
        let name = self.subject.name(region.experiment);
        let Some(begin) = self.subject.begin(region.place.begin) else { return };
        let span = begin.name.span;
        if let Some(jumps) = seen.text() {
            self.errors.push(Error::Leaves { span, name: name.to_owned(), jumps });
        }
        if let Some(jumps) = unseen.text() {
            self.errors.push(Error::LeavesUnseen { span, name: name.to_owned(), jumps });
        }
    }

    fn line(&self, offset: usize) -> u32 {
        let line = self.subject.line_of(offset).map(|span| self.subject.sources.line(span.start));
        line.unwrap_or_else(|| self.subject.preprocessed.origin(offset).1)
    }

    fn entries(
        &mut self,
        function: &ControlFlow,
        regions: &[BlockInFunction<'a>],
        statement: &impl Fn(&LeavingJump) -> Option<LocatedStatement>,
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

    /// Whether a call that ends the program may be one of another thread than that which began the measurement.
    fn is_in_team(&self, region: &BlockInFunction, jump: &LeavingJump) -> bool {
        let pragmas = self.subject.preprocessed.pragmas();
        let first = pragmas.partition_point(|pragma| pragma.offset < region.begin);
        let inside = pragmas[first..].iter().take_while(|pragma| pragma.offset < jump.start);
        let starts_team = |text: &str| {
            let mut words = text.split(|c: char| !c.is_ascii_alphabetic());
            words.next() == Some("omp")
                && words.any(|word| matches!(word, "parallel" | "task" | "taskloop" | "teams" | "target"))
        };
        jump.kind.is_final()
            && inside.map(|pragma| self.subject.preprocessed.pragma_text(*pragma)).any(starts_team)
    }

    /// Whether an end of the block stands directly before a jump.
    fn is_ended_before(&self, region: &BlockInFunction, jump: &LeavingJump) -> bool {
        let ends = region.place.ends.iter().filter(|end| **end != region.place.end());
        ends.map(|end| next_token(self.subject, self.subject.occurrences[*end].offset))
            .any(|next| next == jump.start)
    }
}

/// Words with the lines on which they stand.
#[derive(Default)]
struct LinesOfWords(Vec<(String, Vec<u32>)>);

impl LinesOfWords {
    fn add(&mut self, word: &str, line: u32) {
        match self.0.iter_mut().find(|(known, _)| known == word) {
            Some((_, lines)) => lines.push(line),
            None => self.0.push((word.to_owned(), vec![line])),
        }
    }

    /// "`return` on lines 3, 5 and `goto` on line 8".
    fn text(self) -> Option<String> {
        let texts: Vec<String> = self
            .0
            .into_iter()
            .map(|(word, mut lines)| {
                lines.dedup();
                let plural = if lines.len() == 1 { "line" } else { "lines" };
                let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
                format!("`{word}` on {plural} {}", lines.join(", "))
            })
            .collect();
        (!texts.is_empty()).then(|| texts.join(" and "))
    }
}
