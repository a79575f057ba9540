//! The experiments as the trace describes them, with how often their statements run.

use call_grammar::{BlockLines, RelativeLines, UpsilonClause};

use super::program::{TracedBlock, TracedExperiment};
use crate::capture;
use crate::check::variables::is_variable;
use crate::count::experiment::{self as count, ExperimentCounts};
use crate::count::region::MeasuredRegion;
use crate::count::term::CodeLine;
use crate::error::Error;
use crate::subject::DirectiveSubject;

/// The experiments of a file, in the order of its outline.
pub fn experiments(subject: &DirectiveSubject) -> (Vec<TracedExperiment>, Vec<Error>) {
    let mut lowering = ExperimentLowering { subject, experiments: Vec::new(), errors: Vec::new() };
    lowering.experiments();
    (lowering.experiments, lowering.errors)
}

struct ExperimentLowering<'s, 'a> {
    subject: &'s DirectiveSubject<'a>,
    experiments: Vec<TracedExperiment>,
    errors: Vec<Error>,
}

impl ExperimentLowering<'_, '_> {
    fn experiments(&mut self) {
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
