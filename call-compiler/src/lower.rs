//! From directives in their places to the experiments and the C text that they become.

use std::collections::{HashMap, HashSet};

use call_grammar::{
    Begin, BlockLines, DirectiveKind, ParallelKind, RelativeLines, Report, Text, UpsilonClause,
};

use crate::c::function::{DirectivePosition, JumpKind, ReturnType, ReturnedValue};
use crate::c::types::{Representation, Type};
use crate::capture::{self, CapturedVariable};
use crate::check::jumps::{Jumps, Leaving};
use crate::check::variables::is_variable;
use crate::count::experiment::{self as count, ExperimentCounts};
use crate::count::region::MeasuredRegion;
use crate::count::term::CodeLine;
use crate::edit::TextEdit;
use crate::error::Error;
use crate::subject::DirectiveSubject;
use crate::team::InnerTeam;

/// A program ready to be written.
pub struct LoweredProgram {
    /// `None` if the file does not say it.
    pub kind: Option<ParallelKind>,
    /// Whether each superstep is to be recorded.
    pub supersteps: bool,
    pub events: bool,
    pub experiments: Vec<TracedExperiment>,
    /// For each occurrence of a directive the C text that takes its place.
    pub statements: Vec<String>,
    /// What is put around statements that leave blocks; sorted.
    pub edits: Vec<TextEdit>,
    /// Whether a statement refers to the table of the whole file.
    pub refers_to_unit: bool,
}

/// An experiment as the trace describes it.
pub struct TracedExperiment {
    pub name: String,
    pub formula: Option<String>,
    pub variables: Vec<CapturedVariable>,
    pub blocks: Vec<TracedBlock>,
    pub counters: Vec<String>,
    /// The counter that the formula is of.
    pub observable: Option<String>,
    /// How often its statements run, where it has one block.
    pub source_counts: Option<ExperimentCounts>,
}

impl TracedExperiment {
    pub fn end_variables(&self) -> usize {
        self.variables.iter().filter(|variable| variable.at_end).count()
    }
}

/// First and last line of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedBlock {
    /// Index of the file among the sources.
    pub file: usize,
    pub first_line: u32,
    pub last_line: u32,
}

impl LoweredProgram {
    /// Lets all experiments count these and describe the first, if there are any.
    pub(crate) fn count(&mut self, counters: &[&str]) {
        let Some(first) = counters.first() else { return };
        for experiment in &mut self.experiments {
            experiment.counters = counters.iter().map(ToString::to_string).collect();
            experiment.observable = Some((*first).to_owned());
        }
    }
}

/// Lowers checked directives.
pub fn lower(subject: &DirectiveSubject, jumps: &Jumps) -> (LoweredProgram, Vec<Error>) {
    let is_before = |occurrence: &usize| {
        matches!(subject.surroundings.position(*occurrence), DirectivePosition::Before(..))
    };
    let braced = (0..subject.occurrences.len())
        .filter(is_before)
        .map(|occurrence| subject.occurrences[occurrence].directive)
        .collect();
    let guarded = jumps.guarded.iter().map(|occurrence| subject.occurrences[*occurrence].directive).collect();
    let declaring = (0..subject.occurrences.len())
        .filter(|occurrence| subject.surroundings.is_among_declarations(*occurrence))
        .map(|occurrence| subject.occurrences[occurrence].directive)
        .collect();
    let mut lowering = Lowering {
        subject,
        guarded,
        braced,
        declaring,
        experiments: Vec::new(),
        place_of: HashMap::new(),
        errors: Vec::new(),
    };
    lowering.experiments();
    let statements = (0..subject.directives.len()).map(|index| lowering.statement(index)).collect();
    let mut edits: Vec<TextEdit> = jumps
        .leavings
        .iter()
        .enumerate()
        .flat_map(|(number, leaving)| lowering.leave(number, leaving))
        .collect();
    edits.sort_by_key(|edit| edit.span);
    edits.dedup();
    let machines =
        matches!(subject.kind(), Some(ParallelKind::Mpi | ParallelKind::OpenMp | ParallelKind::BspLib));
    let refers_to_unit = subject.directives.iter().any(|directive| match &directive.kind {
        DirectiveKind::Report(_) => true,
        DirectiveKind::Begin(begin) => machines || begin.is_synchronised,
        _ => false,
    });
    let Lowering { experiments, errors, .. } = lowering;
    let parallel = subject.outline.parallel.as_ref();
    let supersteps = parallel.is_some_and(|parallel| parallel.supersteps.is_some());
    let events = parallel.is_some_and(|parallel| parallel.events.is_some());
    let kind = subject.kind();
    (LoweredProgram { kind, supersteps, events, experiments, statements, edits, refers_to_unit }, errors)
}

struct Lowering<'s, 'a> {
    subject: &'s DirectiveSubject<'a>,
    /// Directives whose measurements a guard ends.
    guarded: HashSet<usize>,
    /// Directives that stand before a statement without a block of its own.
    braced: HashSet<usize>,
    /// Directives before declarations, with no statement before them in their block.
    declaring: HashSet<usize>,
    experiments: Vec<TracedExperiment>,
    /// For begin and end lines the experiment and the block.
    place_of: HashMap<usize, (usize, &'a BlockLines)>,
    errors: Vec<Error>,
}

impl Lowering<'_, '_> {
    fn experiments(&mut self) {
        for (index, place) in self.subject.places() {
            self.place_of.insert(place.begin, (index, place));
            self.place_of.extend(place.ends.iter().map(|end| (*end, (index, place))));
        }
        for (index, experiment) in self.subject.outline.experiments.iter().enumerate() {
            let variables = capture::variables(self.subject, index, &mut self.errors);
            let mut blocks: Vec<TracedBlock> = Vec::new();
            for place in &experiment.places {
                let block = self.block(place);
                if !blocks.contains(&block) {
                    blocks.push(block);
                }
            }
            let formula = experiment.formula.as_ref().map(call_grammar::Formula::to_string);
            self.experiments.push(TracedExperiment {
                name: experiment.name.clone(),
                formula,
                variables,
                blocks,
                counters: experiment.counters.iter().map(|counter| counter.text.clone()).collect(),
                observable: experiment.observable.clone(),
                source_counts: None,
            });
        }
        self.count();
    }

    /// Counts the statements of the experiments that stand at one place.
    fn count(&mut self) {
        let (mut counted, mut regions, mut begins) = (Vec::new(), Vec::new(), Vec::new());
        for (index, (its, experiment)) in
            self.subject.outline.experiments.iter().zip(&self.experiments).enumerate()
        {
            if let [place] = &its.places[..]
                && let [_] = place.ends[..]
            {
                counted.push(index);
                begins.push(place.begin);
                regions.push(self.region(index, experiment, place));
            } else {
                let clauses =
                    its.places.iter().filter_map(|place| self.subject.begin(place.begin)?.upsilon.first());
                let errors = clauses.map(|clause| Error::NoSets { span: clause.span, why: SEVERAL_BLOCKS });
                self.errors.extend(errors);
            }
        }
        if regions.is_empty() {
            return;
        }
        let counts = count::experiments(self.subject.surroundings.program, &regions);
        for ((index, begin), mut counts) in counted.into_iter().zip(begins).zip(counts) {
            self.sets(begin, counts.as_mut());
            self.experiments[index].source_counts = counts;
        }
    }

    /// Puts statements behind the constants that the clauses of a begin line name.
    fn sets(&mut self, begin: usize, counts: Option<&mut ExperimentCounts>) {
        let Some(clauses) = self.subject.begin(begin).map(|begin| &begin.upsilon) else { return };
        let Some(counts) = counts.filter(|counts| !counts.terms.is_empty()) else {
            let errors = clauses.iter().map(|clause| Error::NoSets { span: clause.span, why: NOT_COUNTED });
            self.errors.extend(errors);
            return;
        };
        let (origin, line) = self.subject.preprocessed.origin(self.subject.occurrences[begin].offset);
        let file = (!origin.is_main).then(|| origin.path.clone());
        let is_in = |lines: &RelativeLines, place: &CodeLine| {
            place.file == file
                && (lines.first..=lines.last).contains(&(i64::from(place.line) - i64::from(line)))
        };
        let known: Vec<CodeLine> = counts.lines().into_iter().cloned().collect();
        let mut taken: Vec<(&UpsilonClause, &RelativeLines)> = Vec::new();
        for clause in clauses {
            counts.give(clause.constant.0, |place| clause.lines.iter().any(|lines| is_in(lines, place)));
            for lines in &clause.lines {
                let its: Vec<&CodeLine> = known.iter().filter(|place| is_in(lines, place)).collect();
                if its.is_empty() {
                    let own = known.iter().filter(|place| place.file == file);
                    let there = own.map(|place| i64::from(place.line) - i64::from(line));
                    self.errors.push(Error::NoStatements { span: lines.span, there: shown(there) });
                }
                let is_taken = |(other, taken): &&(&UpsilonClause, &RelativeLines)| {
                    other.constant != clause.constant && its.iter().any(|place| is_in(taken, place))
                };
                if let Some((_, first)) = taken.iter().find(is_taken) {
                    self.errors.push(Error::StatementTwice { span: lines.span, first: first.span });
                }
                taken.push((clause, lines));
            }
        }
    }

    fn region(&self, index: usize, experiment: &TracedExperiment, place: &BlockLines) -> MeasuredRegion {
        let subject = self.subject;
        let expressions = capture::expressions(subject, index, place, &experiment.variables);
        let (mut variables, mut unseen) = (Vec::new(), Vec::new());
        for (variable, expression) in experiment.variables.iter().zip(expressions) {
            if !variable.at_end && is_variable(subject, place.begin, &expression) {
                variables.push((variable.name.clone(), count::without_brackets(&expression)));
            } else {
                unseen.push(variable.name.clone());
            }
        }
        let offset = |occurrence: usize| subject.occurrences[occurrence].offset;
        MeasuredRegion {
            name: experiment.name.clone(),
            begin: offset(place.begin),
            end: offset(place.end()),
            variables,
            unseen,
        }
    }

    fn block(&self, place: &BlockLines) -> TracedBlock {
        let sources = self.subject.sources;
        let (begin, end) = (self.subject.span(place.begin), self.subject.span(place.end()));
        let file = sources.file_of(begin.start);
        let first_line = sources.line(begin.start);
        let last_line = if sources.file_of(end.start) == file { sources.line(end.end) } else { first_line };
        TracedBlock { file, first_line, last_line: last_line.max(first_line) }
    }

    /// Whether a guard ends the measurements that a begin line begins.
    fn is_guarded(&self, occurrence: usize) -> bool {
        self.guarded.contains(&self.subject.occurrences[occurrence].directive)
    }

    /// Whether a begin line needs a brace, in one of its places at least if it is in a macro: its text is the same everywhere.
    fn is_braced(&self, occurrence: usize) -> bool {
        self.braced.contains(&self.subject.occurrences[occurrence].directive)
    }

    /// Whether a directive must become a declaration, which may stand where a statement may.
    fn declares(&self, occurrence: usize) -> bool {
        self.declaring.contains(&self.subject.occurrences[occurrence].directive)
    }

    fn statement(&mut self, index: usize) -> String {
        match &self.subject.directives[index].kind {
            DirectiveKind::Parallel(_) | DirectiveKind::Uses(_) | DirectiveKind::Script(_) => String::new(),
            DirectiveKind::For(header) => format!("for {} {{", header.text),
            DirectiveKind::EndFor => "}".to_owned(),
            DirectiveKind::Begin(begin) => {
                let name = &begin.name.text;
                let machine = self.machine_action(index, begin);
                let Some(&(experiment, place)) = self.place_of.get(&index) else { return String::new() };
                let values = self.values(experiment, place, false);
                let team = self.team_action(place);
                let brace = if self.is_guarded(index) || self.is_braced(index) { "{ " } else { "" };
                let form = match (self.is_guarded(index), self.declares(index)) {
                    (true, _) => MarkerForm::Guard,
                    (false, true) if brace.is_empty() => MarkerForm::Declaration,
                    _ => MarkerForm::Statement,
                };
                let open = if self.is_guarded(index) { "CLL_OPEN_GUARDED" } else { "CLL_OPEN" };
                let actions = [machine, team, format!("{open}({name}, {values})")];
                let actions: Vec<String> = actions.into_iter().filter(|action| !action.is_empty()).collect();
                let action =
                    if actions.len() == 1 { actions.concat() } else { format!("({})", actions.join(", ")) };
                format!("{brace}{}", form.text(name, index, &action))
            }
            DirectiveKind::End(_) => {
                let Some(&(experiment, place)) = self.place_of.get(&index) else { return String::new() };
                let is_last = place.end() == index;
                if self.is_guarded(place.begin) {
                    return match is_last {
                        // Before a brace C wants a statement behind a label.
                        true if self
                            .subject
                            .surroundings
                            .is_behind_label(self.subject.occurrences[index].offset) =>
                        {
                            "; }".to_owned()
                        }
                        true => "}".to_owned(),
                        false => format!("CLL_CLOSE_GUARDED({});", self.experiments[experiment].name),
                    };
                }
                let brace = if self.is_braced(place.begin) && is_last { " }" } else { "" };
                let form = if brace.is_empty() && self.declares(index) {
                    MarkerForm::Declaration
                } else {
                    MarkerForm::Statement
                };
                format!(
                    "{}{brace}",
                    form.text(&self.experiments[experiment].name, index, &self.end(experiment, place))
                )
            }
            DirectiveKind::Report(report) => {
                let names = match report {
                    Report::All => "0".to_owned(),
                    Report::Names(names) => {
                        let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
                        format!("\"{}\"", names.join(" "))
                    }
                };
                let machine = self.machine(index, None);
                format!("cll_report(CLL_UNIT, {machine}, {names});")
            }
        }
    }

    /// The call that ends a measurement.
    fn end(&self, experiment: usize, place: &BlockLines) -> String {
        let its = &self.experiments[experiment];
        if its.end_variables() == 0 {
            return format!("CLL_CLOSE({})", its.name);
        }
        format!("CLL_CLOSE_WITH({}, {})", its.name, self.values(experiment, place, true))
    }

    /// An array with the values of the variables, at the begin with placeholders for those that are taken at the end.
    fn values(&self, experiment: usize, place: &BlockLines, at_end: bool) -> String {
        let variables = &self.experiments[experiment].variables;
        let expressions = capture::expressions(self.subject, experiment, place, variables);
        let mut values = Vec::new();
        for (variable, expression) in variables.iter().zip(&expressions) {
            if variable.at_end == at_end {
                values.push(value(variable.representation, expression));
            } else if !at_end {
                values.push("CLL_LATER_VALUE".to_owned());
            }
        }
        if values.is_empty() {
            return "0".to_owned();
        }
        format!("CLL_VALUES({})", values.join(", "))
    }

    /// What is put around a statement that leaves blocks; `number` tells it from the others of the file.
    fn leave(&self, number: usize, leaving: &Leaving) -> Vec<TextEdit> {
        let ends: Vec<String> =
            leaving.places.iter().map(|(experiment, place)| self.end(*experiment, place)).collect();
        let word = leaving.statement.word;
        if leaving.jump.kind.is_final() {
            let replacement = format!("{}, {}", ends.join(", "), leaving.jump.kind.word());
            return vec![TextEdit { span: word, replacement }];
        }
        let ends = format!("{};", ends.join("; "));
        let behind =
            call_grammar::Span::new(leaving.statement.semicolon.end, leaving.statement.semicolon.end);
        let (replacement, closing) = match (&leaving.jump.kind, leaving.return_type) {
            (JumpKind::Return(ReturnedValue::Computed { .. }), ReturnType::Void) => {
                ("{".to_owned(), format!(" {ends} return; }}"))
            }
            (JumpKind::Return(ReturnedValue::Computed { is_list }), ReturnType::Value { before, behind }) => {
                let (open, close) = if *is_list { (" (", ")") } else { ("", "") };
                let value = format!("cll_value_{number}");
                let replacement = format!("{{ CLL_EXTENSION {} {value}{behind} ={open}", before.trim());
                let closing = format!("{close}; {ends} return {value}; }}");
                let semicolon = leaving.statement.semicolon;
                return vec![
                    TextEdit { span: word, replacement },
                    TextEdit { span: semicolon, replacement: closing },
                ];
            }
            (kind, _) => (format!("{{ {ends} {}", kind.word()), " }".to_owned()),
        };
        vec![TextEdit { span: word, replacement }, TextEdit { span: behind, replacement: closing }]
    }

    /// What has to be said of the machine before a measurement begins; empty if nothing.
    fn machine_action(&mut self, index: usize, begin: &Begin) -> String {
        let call = match (begin.is_synchronised, self.subject.kind()) {
            (true, _) => "cll_sync",
            (false, Some(ParallelKind::Mpi | ParallelKind::OpenMp | ParallelKind::BspLib)) => "cll_use",
            (false, _) => return String::new(),
        };
        let machine = self.machine(index, begin.machine.as_ref());
        format!("{call}(CLL_UNIT, {machine})")
    }

    /// The team of the parallel regions inside a block, where the kind of the program, which another file may say, lets it count.
    fn team_action(&self, place: &BlockLines) -> String {
        if !matches!(self.subject.kind(), None | Some(ParallelKind::OpenMp)) {
            return String::new();
        }
        let inside = InnerTeam::of(self.subject, place);
        inside.map_or_else(String::new, |team| format!("cll_use_team((int)({}))", team.threads))
    }

    /// The machine that a barrier, measurement or report means: its own object, that of `parallel` where it is visible, or the
    /// one in use.
    fn machine(&mut self, occurrence: usize, own: Option<&Text>) -> String {
        const IN_USE: &str = "0";
        let kind = self.subject.kind();
        let has_objects =
            !matches!(kind, Some(ParallelKind::Sequential | ParallelKind::OpenMp | ParallelKind::BspLib));
        let of_program = self.subject.outline.parallel.as_ref().and_then(|parallel| parallel.object.as_ref());
        let Some(object) = own.or(of_program).filter(|_| has_objects) else { return IN_USE.to_owned() };
        match self.check_machine(occurrence, object) {
            Ok(()) if kind == Some(ParallelKind::Mpi) => format!("CLL_COMMUNICATOR({})", object.text),
            Ok(()) => object.text.clone(),
            Err(Error::UnknownMachine { .. }) if own.is_none() => IN_USE.to_owned(),
            Err(error) => {
                if !self.errors.contains(&error) {
                    self.errors.push(error);
                }
                IN_USE.to_owned()
            }
        }
    }

    fn check_machine(&self, occurrence: usize, object: &Text) -> Result<(), Error> {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let root = object.text.trim_start_matches(['&', '*', '(', ' ']);
        let root = &root[..root.find(|c| !is_word(c)).unwrap_or(root.len())];
        let is_plain = root == object.text;
        let is_pointer_wanted = is_plain && self.subject.kind() != Some(ParallelKind::Mpi);
        let (span, name) = (object.span, root.to_owned());
        match self.subject.surroundings.lookup(occurrence, root) {
            None if !root.is_empty() && !self.subject.macros.has(root) => {
                Err(Error::UnknownMachine { span, name })
            }
            Some(Type::Other(what)) if is_pointer_wanted && what != "a pointer" => {
                Err(Error::NotAMachine { span, name, what })
            }
            Some(Type::Arithmetic(_)) if is_pointer_wanted => {
                Err(Error::NotAMachine { span, name, what: "a number" })
            }
            _ => Ok(()),
        }
    }
}

const SEVERAL_BLOCKS: &str = "the statements of an experiment with several blocks or ends are not counted";
const NOT_COUNTED: &str = "how often the statements of this block run is not known";

/// Distances from the directive as a clause has them: `+3-5, +8, -40`.
fn shown(distances: impl Iterator<Item = i64>) -> String {
    let mut ranges: Vec<(i64, i64)> = Vec::new();
    for distance in distances {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == distance && (*last < 0) == (distance < 0) => *last = distance,
            _ => ranges.push((distance, distance)),
        }
    }
    let range = |(first, last): (i64, i64)| match first == last {
        true => format!("{first:+}"),
        false => format!("{first:+}-{}", last.abs()),
    };
    ranges.into_iter().map(range).collect::<Vec<_>>().join(", ")
}

/// As what a begin or end stands in its block.
enum MarkerForm {
    Statement,
    Declaration,
    /// The declaration of what ends the measurement.
    Guard,
}

impl MarkerForm {
    /// `number` tells a declaration from the others of its block.
    fn text(&self, name: &str, number: usize, action: &str) -> String {
        match self {
            MarkerForm::Statement => format!("{action};"),
            MarkerForm::Declaration => format!("CLL_DECLARING({number}, {action});"),
            MarkerForm::Guard => format!("CLL_GUARDING({name}, {action});"),
        }
    }
}

fn value(representation: Representation, expression: &str) -> String {
    match representation {
        Representation::Integer => format!("CLL_INTEGER_VALUE({expression})"),
        Representation::Natural => format!("CLL_NATURAL_VALUE({expression})"),
        Representation::Real => format!("CLL_DOUBLE_VALUE({expression})"),
    }
}
