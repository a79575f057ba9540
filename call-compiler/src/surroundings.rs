//! What is known about the places where directives come up.

use crate::c::function::{ControlFlow, DirectivePosition};
use crate::c::parse::Failure;
use crate::c::types::Type;
use crate::count::program::CountedProgram;
use crate::directives::Occurrence;

/// The functions that hold directives. Directives are named by their position in the list of occurrences.
pub struct DirectiveSurroundings<'a> {
    pub program: &'a CountedProgram<'a>,
    functions: Vec<ControlFlow>,
    /// For each occurrence the function around it, and its position among the places of that function.
    places: Vec<Option<(usize, usize)>>,
    /// Occurrences outside of functions that stand in the middle of a declaration.
    is_inside: Vec<bool>,
    /// Functions that lang-c cannot read: an occurrence in each, and why.
    pub failures: Vec<(usize, Failure)>,
}

impl<'a> DirectiveSurroundings<'a> {
    pub fn look(program: &'a CountedProgram<'a>, occurrences: &[Occurrence]) -> DirectiveSurroundings<'a> {
        let mut surroundings = DirectiveSurroundings {
            program,
            functions: Vec::new(),
            places: vec![None; occurrences.len()],
            is_inside: vec![false; occurrences.len()],
            failures: Vec::new(),
        };
        let mut first = 0;
        while first < occurrences.len() {
            let item = program.file.item_at(occurrences[first].offset);
            let same = |other: &Occurrence| program.file.item_at(other.offset) == item;
            let count = occurrences[first..].iter().take_while(|other| same(other)).count();
            if let Some(item) = item {
                surroundings.item(item, first, &occurrences[first..first + count]);
            }
            first += count;
        }
        surroundings
    }

    fn item(&mut self, item: usize, first: usize, occurrences: &[Occurrence]) {
        let file = &self.program.file;
        if file.items[item].body.is_none() {
            self.is_inside[first..first + occurrences.len()].fill(true);
            return;
        }
        let offsets: Vec<usize> = occurrences.iter().map(|occurrence| occurrence.offset).collect();
        let function = look(self.program, item, &offsets).unwrap_or_else(|failure| {
            self.failures.push((first, failure));
            ControlFlow::guess(file, item, &offsets)
        });
        self.functions.push(function);
        for place in 0..offsets.len() {
            self.places[first + place] = Some((self.functions.len() - 1, place));
        }
    }

    pub fn position(&self, occurrence: usize) -> DirectivePosition {
        match self.places[occurrence] {
            Some((function, place)) => self.functions[function].places[place].position,
            None if self.is_inside[occurrence] => DirectivePosition::Inside,
            None => DirectivePosition::File,
        }
    }

    /// Whether declarations alone stand before an occurrence in its block, and one follows it.
    pub fn is_among_declarations(&self, occurrence: usize) -> bool {
        self.function(occurrence)
            .is_some_and(|(function, place)| function.places[place].is_among_declarations)
    }

    /// Whether the last token before an offset ends a label.
    pub fn is_behind_label(&self, offset: usize) -> bool {
        let tokens = &self.program.file.tokens;
        let next = tokens.tokens.partition_point(|token| (token.start as usize) < offset);
        next > 0 && tokens.text(next - 1) == b":"
    }

    /// The function around two occurrences, and their places in it; `None` if they have no function in common.
    pub fn around(&self, first: usize, second: usize) -> Option<(&ControlFlow, usize, usize)> {
        let (function, first_place) = self.places[first]?;
        let (other, second_place) = self.places[second]?;
        (function == other).then(|| (&self.functions[function], first_place, second_place))
    }

    /// The function around an occurrence, and its place in it.
    pub fn function(&self, occurrence: usize) -> Option<(&ControlFlow, usize)> {
        self.places[occurrence].map(|(function, place)| (&self.functions[function], place))
    }

    /// What a name stands for at an occurrence; `None` if nothing visible has it.
    pub fn lookup(&self, occurrence: usize, name: &str) -> Option<Type> {
        // In the middle of a statement nothing was noted.
        if self.position(occurrence) == DirectivePosition::Inside {
            return Some(Type::Unknown);
        }
        match self.function(occurrence) {
            Some((function, place)) => function.lookup(&self.program.file, place, name),
            None => Some(Type::Unknown),
        }
    }

    /// Names of arithmetic variables at an occurrence, sorted.
    pub fn arithmetic_names(&self, occurrence: usize) -> Vec<String> {
        let Some((function, place)) = self.function(occurrence) else { return Vec::new() };
        let mut names = self.program.file.arithmetic_names(function.item());
        names.extend(function.arithmetic_names(place).into_iter().map(str::to_owned));
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// Looks at a function with directives at ascending offsets in it.
fn look(program: &CountedProgram, item: usize, offsets: &[usize]) -> Result<ControlFlow, Failure> {
    match program.function_of(item) {
        Some(function) => {
            let parsed = program.parsed_if_long(function)?;
            Ok(ControlFlow::look(&program.file, item, (&parsed.normalised, &parsed.parse), offsets))
        }
        None => {
            let (normalised, parse) = program.file.parse(item)?;
            Ok(ControlFlow::look(&program.file, item, (&normalised, &parse), offsets))
        }
    }
}
