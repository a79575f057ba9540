//! From directives in their places to the experiments and the C text that they become.

mod experiments;
mod marker;
mod program;

use std::collections::{HashMap, HashSet};

use call_grammar::{Begin, BlockLines, DirectiveKind, ParallelKind, Report, Text};

use crate::c::function::{DirectivePosition, JumpKind, ReturnType, ReturnedValue};
use crate::c::types::Type;
use crate::capture;
use crate::check::jumps::{Jumps, Leaving};
use crate::edit::TextEdit;
use crate::error::Error;
use crate::subject::DirectiveSubject;
use crate::team::InnerTeam;
use marker::{MarkerForm, value};
pub use program::{LoweredProgram, TracedExperiment};

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
    let (experiments, errors) = experiments::experiments(subject);
    let mut lowering =
        Lowering { subject, guarded, braced, declaring, experiments, place_of: HashMap::new(), errors };
    lowering.find_places();
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
    fn find_places(&mut self) {
        for (index, place) in self.subject.places() {
            self.place_of.insert(place.begin, (index, place));
            self.place_of.extend(place.ends.iter().map(|end| (*end, (index, place))));
        }
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
