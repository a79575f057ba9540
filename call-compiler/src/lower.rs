//! From directives in their places to the experiments and the C statements that they become.

use call_grammar::{
    Barrier, Begin, Directive, DirectiveKind, Formula, Outline, ParallelKind, Report, Span, Text, suggest,
};

use crate::error::Error;
use crate::preprocessed::{LineTable, Preprocessed};
use crate::surroundings::{Position, Surroundings, is_blank};
use crate::types::{Representation, Type};

/// A program ready to be written.
pub struct Program {
    pub kind: ParallelKind,
    pub experiments: Vec<Experiment>,
    /// For each directive the C text that takes its place.
    pub statements: Vec<String>,
    /// Whether a statement refers to the table of the whole program.
    pub refers_to_program: bool,
}

/// An experiment as the trace describes it.
pub struct Experiment {
    pub name: String,
    pub formula: Option<String>,
    pub variables: Vec<(String, Representation)>,
    /// First and last line of each block.
    pub blocks: Vec<(u32, u32)>,
}

/// Checks the directives in their places and lowers them. `offsets` are their places in the preprocessed text; without
/// `surroundings` nothing is known about scope and types, and the compiler has the last word.
pub fn lower(
    directives: &[Directive],
    outline: &Outline,
    offsets: &[usize],
    surroundings: Option<&[Surroundings]>,
    preprocessed: &Preprocessed,
    lines: &LineTable,
) -> (Program, Vec<Error>) {
    let mut lowering =
        Lowering { directives, outline, offsets, surroundings, preprocessed, errors: Vec::new() };
    lowering.check_kind();
    lowering.check_places();
    let experiments: Vec<Experiment> =
        outline.experiments.iter().map(|experiment| lowering.experiment(experiment, lines)).collect();
    let statements = (0..directives.len()).map(|index| lowering.statement(index, &experiments)).collect();
    let refers_to_program = directives.iter().any(|directive| match &directive.kind {
        DirectiveKind::Report(_) => true,
        DirectiveKind::Begin(begin) => begin.barrier.is_some(),
        _ => false,
    });
    let kind = lowering.kind();
    (Program { kind, experiments, statements, refers_to_program }, lowering.errors)
}

/// What the programmer should know although the translation goes on.
pub fn warnings(directives: &[Directive], not_understood: bool, elsewhere: Vec<String>) -> Vec<Error> {
    let start = directives.first().map_or(Span::new(0, 0), |directive| directive.span);
    let mut warnings = Vec::new();
    if not_understood {
        warnings.push(Error::NotUnderstood { span: start });
    }
    warnings.extend(elsewhere.into_iter().map(|place| Error::Elsewhere { span: start, place }));
    for directive in directives {
        match &directive.kind {
            DirectiveKind::Uses(_) => warnings.push(Error::UsesIgnored { span: directive.span }),
            DirectiveKind::Script(_) => warnings.push(Error::ScriptIgnored { span: directive.span }),
            _ => {}
        }
    }
    warnings
}

struct Lowering<'a> {
    directives: &'a [Directive],
    outline: &'a Outline,
    offsets: &'a [usize],
    surroundings: Option<&'a [Surroundings]>,
    preprocessed: &'a Preprocessed,
    errors: Vec<Error>,
}

impl Lowering<'_> {
    fn kind(&self) -> ParallelKind {
        self.outline.parallel.as_ref().map_or(ParallelKind::Sequential, |parallel| parallel.kind)
    }

    fn check_kind(&mut self) {
        if let Some(parallel) = &self.outline.parallel
            && !matches!(parallel.kind, ParallelKind::Sequential | ParallelKind::Pub)
        {
            self.errors
                .push(Error::KindNotSupported { span: parallel.kind_span, kind: parallel.kind.to_string() });
        }
        for directive in self.directives {
            if let DirectiveKind::Begin(Begin { observable: Some(observable), .. }) = &directive.kind
                && observable.text != "CLOCK"
            {
                let (span, name) = (observable.span, observable.text.clone());
                self.errors.push(Error::ObservableNotSupported { span, name });
            }
        }
    }

    fn position(&self, directive: usize) -> Option<Position> {
        self.surroundings.map(|surroundings| surroundings[directive].position)
    }

    /// Directives that become statements stand where statements may stand, and both lines of a block in the same block.
    fn check_places(&mut self) {
        let Some(surroundings) = self.surroundings else { return };
        let mut ends = Vec::new();
        for experiment in &self.outline.experiments {
            ends.extend(
                experiment.places.iter().map(|place| (place.begin, place.end, experiment.name.as_str())),
            );
        }
        ends.extend(self.outline.loops.iter().map(|place| (place.begin, place.end, "for")));
        for (index, directive) in self.directives.iter().enumerate() {
            let span = directive.span;
            match (&directive.kind, surroundings[index].position) {
                (DirectiveKind::Parallel(_) | DirectiveKind::Uses(_) | DirectiveKind::Script(_), _) => {}
                (DirectiveKind::End(_) | DirectiveKind::EndFor, _) => {}
                (_, Position::File) => self.errors.push(Error::OutsideFunction { span }),
                (_, Position::Inside) => self.errors.push(Error::InsideStatement { span }),
                (_, Position::Block(..) | Position::Before(..)) => {}
            }
        }
        for (begin, end, name) in ends {
            let (name, span, begin_span) =
                (name.to_owned(), self.directives[end].span, self.directives[begin].span);
            match surroundings[begin].position {
                Position::Block(..) if surroundings[end].position != surroundings[begin].position => {
                    self.errors.push(Error::OtherBlock { span, name, begin: begin_span });
                }
                Position::Before(_, statement_end)
                    if !is_blank(self.preprocessed.text(), statement_end, self.offsets[end]) =>
                {
                    self.errors.push(Error::BehindMore { span, name, begin: begin_span });
                }
                _ => {}
            }
        }
    }

    /// What a name stands for at a directive; `None` if nothing visible has it.
    fn lookup(&self, directive: usize, name: &str) -> Option<Type> {
        let Some(surroundings) = self.surroundings else { return Some(Type::Unknown) };
        if self.preprocessed.has_macro(name) {
            return Some(Type::Unknown);
        }
        surroundings[directive].names.get(name).cloned()
    }

    /// Whether `P` means the processors in use: the C program declares none of its own.
    fn is_processors(&self, directive: usize, name: &str) -> bool {
        name == "P" && (self.surroundings.is_none() || self.lookup(directive, name).is_none())
    }

    fn experiment(&mut self, experiment: &call_grammar::Experiment, lines: &LineTable) -> Experiment {
        let mut variables: Vec<(String, Representation)> = Vec::new();
        let mut blocks = Vec::new();
        for place in &experiment.places {
            let (begin, end) = (self.directives[place.begin].span, self.directives[place.end].span);
            blocks.push((lines.line(begin.start), lines.line(end.end)));
            let Some(formula) = &experiment.formula else { continue };
            for (name, representation) in self.captured(place.begin, formula) {
                match variables.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, known)) => *known = known.common(representation),
                    None => variables.push((name, representation)),
                }
            }
        }
        let formula = experiment.formula.as_ref().map(Formula::to_string);
        Experiment { name: experiment.name.clone(), formula, variables, blocks }
    }

    /// The variables that a begin line captures, with the representation that they have there.
    fn captured(&mut self, directive: usize, formula: &Formula) -> Vec<(String, Representation)> {
        let DirectiveKind::Begin(begin) = &self.directives[directive].kind else { return Vec::new() };
        let mut captured = Vec::new();
        for variable in formula.variables() {
            if self.is_processors(directive, variable.name()) {
                continue;
            }
            // A place without a formula of its own is blamed where it stands.
            let span = if begin.formula.is_some() { variable.first_use() } else { begin.name.span };
            let plain = variable.name() == variable.root();
            let name = variable.root().to_owned();
            let representation = match self.lookup(directive, variable.root()) {
                Some(Type::Arithmetic(representation)) if plain => representation,
                Some(Type::Other(what)) if plain => {
                    self.errors.push(Error::NotArithmetic { span, name, what });
                    Representation::Real
                }
                Some(Type::Name(_)) => {
                    self.errors.push(Error::TypeName { span, name });
                    Representation::Real
                }
                Some(_) => Representation::Real,
                None => {
                    let suggestion = self.suggestion(directive, &name);
                    self.errors.push(Error::UnknownVariable { span, name, suggestion });
                    Representation::Real
                }
            };
            captured.push((variable.name().to_owned(), representation));
        }
        captured
    }

    fn suggestion(&self, directive: usize, name: &str) -> Option<String> {
        let visible = &self.surroundings?[directive].names;
        let mut arithmetic: Vec<&str> = visible
            .iter()
            .filter(|(name, kind)| matches!(kind, Type::Arithmetic(_)) && !name.starts_with("__"))
            .map(|(name, _)| name.as_str())
            .collect();
        arithmetic.sort_unstable();
        suggest(name, arithmetic).map(str::to_owned)
    }

    fn statement(&mut self, index: usize, experiments: &[Experiment]) -> String {
        let before_statement = matches!(self.position(index), Some(Position::Before(..)));
        match &self.directives[index].kind {
            DirectiveKind::Parallel(_) | DirectiveKind::Uses(_) | DirectiveKind::Script(_) => String::new(),
            DirectiveKind::For(header) => format!("for {} {{", header.text),
            DirectiveKind::EndFor => "}".to_owned(),
            DirectiveKind::Begin(begin) => {
                let mut text = String::new();
                if before_statement {
                    text.push_str("{ ");
                }
                if let Some(barrier) = &begin.barrier {
                    let machine = self.machine(index, barrier);
                    text.push_str(&format!("cll_sync(&cll_program_here, {machine}); "));
                }
                let name = &begin.name.text;
                let variables = experiments.iter().find(|experiment| experiment.name == *name);
                let values = variables.map_or(String::new(), |experiment| values(&experiment.variables));
                text.push_str(&format!("cll_begin(&cll_experiment_{name}, {values});"));
                text
            }
            DirectiveKind::End(name) => {
                let begin = self.begin_of(index);
                let braced =
                    begin.is_some_and(|begin| matches!(self.position(begin), Some(Position::Before(..))));
                format!("cll_end(&cll_experiment_{});{}", name.text, if braced { " }" } else { "" })
            }
            DirectiveKind::Report(report) => {
                let names = match report {
                    Report::All => "0".to_owned(),
                    Report::Names(names) => {
                        let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
                        format!("\"{}\"", names.join(" "))
                    }
                };
                let machine = self.machine(index, &Barrier { object: None });
                let call = format!("cll_report(&cll_program_here, {machine}, {names});");
                if before_statement { format!("{{ {call} }}") } else { call }
            }
        }
    }

    fn begin_of(&self, end: usize) -> Option<usize> {
        let places = self.outline.experiments.iter().flat_map(|experiment| &experiment.places);
        places.filter(|place| place.end == end).map(|place| place.begin).next()
    }

    /// The machine that a barrier or report means: its own object, that of `parallel` where it is visible, or the one in use.
    fn machine(&mut self, directive: usize, barrier: &Barrier) -> String {
        const IN_USE: &str = "0";
        if self.kind() == ParallelKind::Sequential {
            return IN_USE.to_owned();
        }
        let outline = self.outline;
        let of_program = || outline.parallel.as_ref().and_then(|parallel| parallel.object.as_ref());
        let (object, own) = match &barrier.object {
            Some(object) => (object, true),
            None => match of_program() {
                Some(object) => (object, false),
                None => return IN_USE.to_owned(),
            },
        };
        match self.check_machine(directive, object) {
            Ok(()) => object.text.clone(),
            Err(Error::UnknownMachine { .. }) if !own => IN_USE.to_owned(),
            Err(error) => {
                if !self.errors.contains(&error) {
                    self.errors.push(error);
                }
                IN_USE.to_owned()
            }
        }
    }

    fn check_machine(&self, directive: usize, object: &Text) -> Result<(), Error> {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let root = object.text.trim_start_matches(['&', '*', '(', ' ']);
        let root = &root[..root.find(|c| !is_word(c)).unwrap_or(root.len())];
        let plain = root == object.text;
        let (span, name) = (object.span, root.to_owned());
        match self.lookup(directive, root) {
            None if !root.is_empty() => Err(Error::UnknownMachine { span, name }),
            Some(Type::Other(what)) if plain && what != "a pointer" => {
                Err(Error::NotAMachine { span, name, what })
            }
            Some(Type::Arithmetic(_)) if plain => Err(Error::NotAMachine { span, name, what: "a number" }),
            _ => Ok(()),
        }
    }
}

fn values(variables: &[(String, Representation)]) -> String {
    if variables.is_empty() {
        return "0".to_owned();
    }
    let values: Vec<String> = variables
        .iter()
        .map(|(name, representation)| match representation {
            Representation::Integer => format!("{{.integer = (long long)({name})}}"),
            Representation::Natural => format!("{{.natural = (unsigned long long)({name})}}"),
            Representation::Real => format!("{{.real = (double)({name})}}"),
        })
        .collect();
    format!("(const cll_value[]){{{}}}", values.join(", "))
}
