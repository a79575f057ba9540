use std::fmt;

use crate::error::WALL_TIME;
use crate::{Formula, Span, UpsilonClause, Variable};

/// A name with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// C text with its place; comments and line continuations are blanks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The C text, on one line.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// What kind of program it is, from `parallel KIND`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum ParallelKind {
    Sequential,
    OpenMp,
    Mpi,
    BspLib,
    Pub,
    Pvm,
}

impl ParallelKind {
    /// All spellings with their kinds, those of CALL 1.0 at the end.
    pub const SPELLINGS: &[(&str, ParallelKind)] = &[
        ("sequential", ParallelKind::Sequential),
        ("OpenMP", ParallelKind::OpenMp),
        ("MPI", ParallelKind::Mpi),
        ("BSPlib", ParallelKind::BspLib),
        ("PUB", ParallelKind::Pub),
        ("SEQ", ParallelKind::Sequential),
        ("OMP", ParallelKind::OpenMp),
        ("OBSP", ParallelKind::BspLib),
        ("PUB_BSP", ParallelKind::Pub),
        ("PVM", ParallelKind::Pvm),
    ];
}

impl fmt::Display for ParallelKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spelling =
            Self::SPELLINGS.iter().find(|(_, kind)| kind == self).map_or("", |(spelling, _)| spelling);
        out.write_str(spelling)
    }
}

/// `procs = first:last:factor`: the numbers of processors first, first·factor, first·factor², … up to last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct ProcessorRange {
    pub first: u32,
    pub last: u32,
    pub factor: u32,
}

impl ProcessorRange {
    /// The range of one to three numbers: first, last (as first) and factor (2).
    ///
    /// # Errors
    /// What is wrong with the numbers.
    pub fn of(numbers: &[u32]) -> Result<ProcessorRange, &'static str> {
        let (first, last, factor) = match *numbers {
            [only] => (only, only, 2),
            [first, last] => (first, last, 2),
            [first, last, factor] => (first, last, factor),
            _ => return Err("there are one to three numbers"),
        };
        if factor < 2 {
            Err("the factor is at least 2")
        } else if first < 1 {
            Err("processors are counted from 1")
        } else if first > last {
            Err("first is not above last")
        } else {
            Ok(ProcessorRange { first, last, factor })
        }
    }

    /// The numbers of processors, from small to large.
    pub fn counts(self) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(self.first), move |count| count.checked_mul(self.factor))
            .take_while(move |count| *count <= self.last)
    }
}

/// `parallel KIND [object] [procs = a:b:f] [supersteps] [events]`.
#[derive(Debug, Clone)]
pub struct Parallel {
    /// The kind of program.
    pub kind: ParallelKind,
    /// Where the kind stands.
    pub kind_span: Span,
    /// The machine: an expression of the kind's own type.
    pub object: Option<Text>,
    /// The numbers of processors that the batch script runs.
    pub processors: Option<ProcessorRange>,
    /// The word `supersteps`: each superstep is to be recorded.
    pub supersteps: Option<Span>,
    /// The word `events`: the calls of MPI, or what threads do together, are to be recorded.
    pub events: Option<Span>,
}

/// The clause `let NAME = EXPRESSION`: a variable of the formula that is a C expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetClause {
    /// Name of the variable.
    pub name: Name,
    /// Its value, computed as C computes it.
    pub expression: Text,
}

/// The clause `at end [(NAMES)]`: variables whose values are taken when the measurement ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AtEnd {
    /// Where the clause stands.
    pub span: Span,
    /// The variables; all of the formula when there are none.
    pub names: Vec<Name>,
}

/// `[sync | sync(MACHINE) | on(MACHINE)] NAME [[OBSERVABLE =] FORMULA] {CLAUSE}`: an experiment begins.
#[derive(Debug, Clone)]
pub struct Begin {
    /// Name of the experiment and of its constants.
    pub name: Name,
    /// The word `sync`: all processors of the machine wait for each other before the experiment starts.
    pub is_synchronised: bool,
    /// The machine behind `sync` or `on`, when it is not that of the `parallel` directive.
    pub machine: Option<Text>,
    /// What the formula describes; wall time when it is not said.
    pub observable: Option<Name>,
    /// The complexity formula.
    pub formula: Option<Formula>,
    /// Where the formula stands, even if it is wrong.
    pub formula_span: Option<Span>,
    /// The clauses `variables`: values that are recorded whether or not the formula has them.
    pub variables: Vec<Variable>,
    /// The clauses `let`.
    pub lets: Vec<LetClause>,
    /// The clause `at end`.
    pub at_end: Option<AtEnd>,
    /// The clauses `counters`: names of PAPI or perf.
    pub counters: Vec<Name>,
    /// The clauses `upsilon`, one for a constant at most.
    pub upsilon: Vec<UpsilonClause>,
}

impl Begin {
    /// Whether it says what is recorded beside the time.
    pub fn says_variables(&self) -> bool {
        self.formula_span.is_some() || !self.variables.is_empty()
    }

    /// What is recorded: the variables of its formula and those that it names beside it.
    pub fn recorded(&self) -> impl Iterator<Item = &Variable> {
        self.formula.iter().flat_map(Formula::variables).chain(&self.variables)
    }

    /// What stands left of `=`, unless it is wall time.
    pub fn counted_observable(&self) -> Option<&Name> {
        self.observable.as_ref().filter(|observable| observable.text != WALL_TIME)
    }

    /// All that is counted: an observable that is no time, and the names of the clauses.
    pub fn counted(&self) -> impl Iterator<Item = &Name> {
        self.counted_observable().into_iter().chain(&self.counters)
    }
}

/// `report all | NAMES`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    /// Every experiment of the program.
    All,
    /// Only these.
    Names(Vec<Name>),
}

/// What a directive says.
#[derive(Debug, Clone)]
pub enum DirectiveKind {
    /// `parallel KIND …`
    Parallel(Parallel),
    /// `uses LIBRARY …` of CALL 1.0.
    Uses(Vec<Name>),
    /// `script …` of CALL 1.0.
    Script(Text),
    /// `for(init; cond; step)`, the parenthesis included.
    For(Text),
    /// `end for`
    EndFor,
    /// `[sync] NAME FORMULA`
    Begin(Box<Begin>),
    /// `end NAME`
    End(Name),
    /// `report …`
    Report(Report),
}

/// One directive of a file.
#[derive(Debug, Clone)]
pub struct Directive {
    /// The whole directive, from `#` to the end of its logical line.
    pub span: Span,
    /// What it says.
    pub kind: DirectiveKind,
}
