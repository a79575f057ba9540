//! What was found in a file, for editors and other tools.

use std::collections::HashMap;

use call_grammar::ParallelKind;

use crate::check::jumps::Leaving;
use crate::lower::LoweredProgram;
use crate::subject::DirectiveSubject;

/// What a file says and measures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Findings {
    /// `None` if the file has no `parallel` directive.
    pub kind: Option<ParallelKind>,
    /// The numbers of processors that the batch script runs.
    pub processors: Vec<u32>,
    /// The experiments in order of their first begin.
    pub experiments: Vec<FoundExperiment>,
}

/// An experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundExperiment {
    /// Its name.
    pub name: String,
    /// Its formula in canonical form.
    pub formula: Option<String>,
    /// The variables that a measurement takes along.
    pub variables: Vec<FoundVariable>,
    /// What is counted beside the time.
    pub counters: Vec<String>,
    /// Its blocks.
    pub places: Vec<FoundPlace>,
}

/// A variable of a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundVariable {
    /// As the formula names it.
    pub name: String,
    /// Whether its value is taken when the measurement ends.
    pub at_end: bool,
}

/// A block. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct FoundPlace {
    pub file: String,
    pub begin_line: u32,
    pub end_lines: Vec<u32>,
    /// The statements that leave the block early.
    pub leaves: Vec<FoundJump>,
}

/// A statement that leaves a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundJump {
    /// Its first word.
    pub word: String,
    /// Its line.
    pub line: u32,
}

impl Findings {
    pub(crate) fn of(subject: &DirectiveSubject, program: &LoweredProgram, leavings: &[Leaving]) -> Findings {
        let mut leaving: HashMap<usize, Vec<&Leaving>> = HashMap::new();
        for jump in leavings {
            for (_, place) in &jump.places {
                leaving.entry(place.begin).or_default().push(jump);
            }
        }
        let experiments = program.experiments.iter().enumerate().map(|(index, experiment)| {
            let variables = experiment.variables.iter();
            FoundExperiment {
                name: experiment.name.clone(),
                formula: experiment.formula.clone(),
                variables: variables
                    .map(|variable| FoundVariable { name: variable.name.clone(), at_end: variable.at_end })
                    .collect(),
                counters: experiment.counters.clone(),
                places: places(subject, index, &leaving),
            }
        });
        let parallel = subject.outline.parallel.as_ref();
        let range = parallel.and_then(|parallel| parallel.processors);
        Findings {
            kind: program.kind,
            processors: range.map_or(Vec::new(), |range| range.counts().collect()),
            experiments: experiments.collect(),
        }
    }
}

/// The blocks of an experiment; `leaving` has the jumps out of the block with each begin line.
fn places(
    subject: &DirectiveSubject,
    experiment: usize,
    leaving: &HashMap<usize, Vec<&Leaving>>,
) -> Vec<FoundPlace> {
    let sources = subject.sources;
    let line = |occurrence: usize| sources.line(subject.span(occurrence).start);
    let places = subject.outline.experiments[experiment].places.iter();
    places
        .map(|place| {
            let leaves = leaving.get(&place.begin).into_iter().flatten();
            FoundPlace {
                file: sources.path(sources.file_of(subject.span(place.begin).start)).to_owned(),
                begin_line: line(place.begin),
                end_lines: place.ends.iter().map(|end| line(*end)).collect(),
                leaves: leaves
                    .map(|leaving| FoundJump {
                        word: leaving.jump.kind.word().to_owned(),
                        line: sources.line(leaving.statement.word.start),
                    })
                    .collect(),
            }
        })
        .collect()
}
