//! `upsilon f edit`: the statements of an experiment beside its constants, on a page that moves them. What the page asks comes as JSON.

use std::collections::BTreeSet;

use call_grammar::Formula;
use call_model::{Portion, SourceMatch};
use call_report::number;
use call_trace::{CountQuality, LineRange, SourceCounts, SourceLine};
use serde_json::{Value, json};

use super::change::put_behind;
use super::source_text::SourceText;
use super::unknown;
use super::written::{directive, is_plain, script};
use crate::error::{code, no_formula};
use crate::found::SessionExperiment;
use crate::{Error, Session};

/// A copy of the session in which statements are moved.
pub struct Editor {
    session: Session,
    name: String,
    formula: Formula,
    source: SourceText,
    /// The states of the session before each change.
    past: Vec<Session>,
    /// Constants whose statements were named when the page was opened.
    given_before: BTreeSet<u32>,
}

/// Lines as the page names them.
type NamedLines = Vec<SourceLine>;

impl Editor {
    /// An editor of the statements of an experiment that has a formula, and counts in its traces.
    pub fn new(session: &Session, found: &SessionExperiment) -> Result<Editor, Error> {
        let experiment = found.experiment();
        let formula =
            experiment.formula.as_ref().and_then(|text| Formula::parse(&experiment.name, text).ok());
        let formula = formula.ok_or_else(|| Error::new(code::NO_FORMULA, no_formula(&found.name)))?;
        let counts = experiment.source_counts.as_ref().filter(|counts| !counts.terms.is_empty());
        let counts = counts.filter(|_| is_plain(&found.name)).ok_or_else(|| {
            let message = format!("it is not known which statements `{}` has", found.name);
            Error::new(code::NO_ANSWER, message).help(format!("`upsilon {}` says why", found.name))
        })?;
        let statements = counts.terms.iter().flat_map(|term| &term.statements);
        let mut given = statements.filter(|its| its.constant.is_some()).map(|its| &its.place);
        if let Some(place) = given.find(|place| !is_writable(place)) {
            return Err(no_command(place));
        }
        let source = SourceText::read(session, found, counts);
        Ok(Editor {
            session: session.clone(),
            name: found.name.clone(),
            given_before: counts.given.clone(),
            formula,
            source,
            past: Vec::new(),
        })
    }

    /// What the page gets for what it asks.
    pub fn answer(&mut self, request: &Value) -> Value {
        match self.answered(request) {
            Ok(answer) => answer,
            Err(error) => json!({"error": error.message(), "help": error.cure()}),
        }
    }

    fn answered(&mut self, request: &Value) -> Result<Value, Error> {
        match request["do"].as_str().unwrap_or_default() {
            "page" => Ok(self.page()),
            "move" => self.moved(&places(&request["lines"])?, request["to"].as_u64()),
            "auto" => {
                let constant = self.constant(request["constant"].as_u64())?;
                self.put(|session, found| put_behind(session, found, constant, None))
            }
            "undo" => {
                if let Some(before) = self.past.pop() {
                    self.session = before;
                }
                Ok(self.sets())
            }
            "save" => self.save(),
            "end" => Ok(json!({"ended": true})),
            _ => Err(Error::new(code::WRONG_VALUE, "the page asks for something that there is not")),
        }
    }

    /// The command lines that do to another session what was done here.
    pub fn lines(&self) -> Vec<String> {
        let Some(found) = self.session.find(&self.name) else { return Vec::new() };
        let Some(counts) = &found.experiment().source_counts else { return Vec::new() };
        let back = self.given_before.difference(&counts.given);
        let back = back.map(|constant| format!("upsilon {}[{constant}] = auto", self.name));
        back.chain(script(&self.name, counts)).collect()
    }

    /// Whether something is other than at the start.
    pub fn is_changed(&self) -> bool {
        !self.past.is_empty()
    }

    fn found(&self) -> Result<SessionExperiment, Error> {
        let gone = || Error::new(code::UNKNOWN_EXPERIMENT, format!("there is no experiment `{}`", self.name));
        self.session.find(&self.name).ok_or_else(gone)
    }

    fn constant(&self, number: Option<u64>) -> Result<u32, Error> {
        let constants = || self.formula.terms().iter().map(|term| term.coefficient.0);
        let known = number.and_then(|number| constants().find(|known| u64::from(*known) == number));
        known.ok_or_else(|| Error::new(code::UNKNOWN_CONSTANT, "the formula has no such constant"))
    }

    /// Changes the session, and can take it back.
    fn put(
        &mut self,
        change: impl Fn(&mut Session, &SessionExperiment) -> Result<(), Error>,
    ) -> Result<Value, Error> {
        let (before, found) = (self.session.clone(), self.found()?);
        change(&mut self.session, &found)?;
        self.past.push(before);
        Ok(self.sets())
    }

    /// Moves the statements of lines to a constant, or to none.
    fn moved(&mut self, lines: &NamedLines, to: Option<u64>) -> Result<Value, Error> {
        let to = to.map(|number| self.constant(Some(number))).transpose()?;
        let found = self.found()?;
        let counts = found.experiment().source_counts.clone().unwrap_or_default();
        let known = counts.lines();
        if let Some(unknown) = lines.iter().find(|place| !known.contains(place)) {
            let message = format!("`{}` has no statement in line {unknown}", self.name);
            return Err(Error::new(code::UNKNOWN_LINE, message));
        }
        let sets = self.places_of_constants(&counts);
        let changes: Vec<(u32, NamedLines)> = match to {
            Some(constant) => {
                let own = sets.into_iter().find(|(known, _)| *known == constant);
                let mut all = own.map(|(_, places)| places).unwrap_or_default();
                all.extend(lines.iter().cloned());
                vec![(constant, all)]
            }
            None => {
                let touched =
                    sets.into_iter().filter(|(_, places)| places.iter().any(|its| lines.contains(its)));
                let without = |(constant, mut places): (u32, NamedLines)| {
                    places.retain(|place| !lines.contains(place));
                    (constant, places)
                };
                touched.map(without).collect()
            }
        };
        if let Some(place) = changes.iter().flat_map(|(_, places)| places).find(|place| !is_writable(place)) {
            return Err(no_command(place));
        }
        let name = self.name.clone();
        self.put(move |session, _| {
            for (constant, places) in &changes {
                let Some(found) = session.find(&name) else { continue };
                let one = |place: &SourceLine| LineRange {
                    file: place.file.clone(),
                    first: place.line,
                    last: place.line,
                };
                put_behind(session, &found, *constant, Some(places.iter().map(one).collect()))?;
            }
            Ok(())
        })
    }

    /// For each constant the lines of the statements behind it.
    fn places_of_constants(&self, counts: &SourceCounts) -> Vec<(u32, NamedLines)> {
        let constants = self.formula.terms().iter().map(|term| term.coefficient.0);
        let sets = self.matched(counts).map(|its| {
            let places = |set: call_model::StatementSet| -> NamedLines {
                let statements = set.portions.into_iter().flat_map(|portion| portion.statements);
                statements.map(|statement| statement.place.clone()).collect()
            };
            its.behind.into_iter().map(places).collect::<Vec<NamedLines>>()
        });
        constants.zip(sets.unwrap_or_default()).collect()
    }

    fn matched<'c>(&self, counts: &'c SourceCounts) -> Option<SourceMatch<'c>> {
        let found = self.session.find(&self.name)?;
        SourceMatch::of(&self.formula, counts, |name| found.was_loaded_with(name))
    }

    /// All that the page shows.
    fn page(&mut self) -> Value {
        let values = self.values();
        let constants: Vec<Value> = self
            .formula
            .terms()
            .iter()
            .zip(values)
            .map(|(term, value)| {
                json!({
                    "number": term.coefficient.0,
                    "name": self.constant_name(term.coefficient.0),
                    "term": self.formula.text_of(&term.basis),
                    "value": value,
                })
            })
            .collect();
        let mut page = self.sets();
        page["experiment"] = json!(self.name);
        page["formula"] = json!(self.formula.to_string());
        page["constants"] = json!(constants);
        page["source"] = self.source.shown();
        page["remarks"] = json!(self.remarks());
        page
    }

    /// What counts are worth that are not exact, and what they leave out.
    fn remarks(&self) -> Vec<String> {
        let Ok(found) = self.found() else { return Vec::new() };
        let counts = found.experiment().source_counts.as_ref();
        let remarks = counts.map_or_else(Vec::new, |counts| unknown(&found, counts));
        remarks.into_iter().map(|remark| remark.text).collect()
    }

    fn constant_name(&self, constant: u32) -> String {
        format!("{}[{constant}]", call_grammar::constants_of(self.formula.experiment()))
    }

    /// The fitted values of the constants, as far as there are.
    fn values(&mut self) -> Vec<Option<String>> {
        let model = self.found().and_then(|found| self.session.model(found.experiment())).ok();
        let value = |term: &call_grammar::Term| {
            let model = model.as_ref()?;
            let segments = model.aleph(term.coefficient)?.segments;
            let values = segments.iter().map(|segment| number::significant(segment.value, 4));
            Some(format!("{} {}", values.collect::<Vec<_>>().join(", "), model.unit().symbol()))
        };
        self.formula.terms().iter().map(value).collect()
    }

    /// The statements of each constant with what they do, and what would be written.
    fn sets(&self) -> Value {
        let counts = self.found().ok().and_then(|found| found.experiment().source_counts.clone());
        let counts = counts.unwrap_or_default();
        let its = self.matched(&counts);
        let all = || counts.terms.iter().filter_map(|term| Portion::of(term, |_| true));
        let (behind, beside) =
            its.map_or_else(|| (Vec::new(), all().collect()), |its| (its.behind, its.beside));
        let none = || (false, Vec::new());
        let sets = self.formula.terms().iter().enumerate().map(|(position, term)| {
            let (is_given, portions) =
                behind.get(position).map_or_else(none, |set| (set.is_given, set.portions.clone()));
            let portions: Vec<Value> = portions
                .iter()
                .flat_map(Portion::by_conditions)
                .map(|its| portion(&its, counts.quality))
                .collect();
            json!({"number": term.coefficient.0, "given": is_given, "portions": portions})
        });
        let begin = self.found().ok().and_then(|found| found.experiment().lines.first().cloned());
        json!({
            "sets": sets.collect::<Vec<_>>(),
            "beside": beside.iter().flat_map(Portion::by_conditions).map(|its| portion(&its, counts.quality)).collect::<Vec<_>>(),
            "script": self.text(&counts),
            "directive": directive(self.formula.experiment(), &counts, begin.as_ref(), self.source.is_stale()),
            "file": self.source.beside(&self.name),
            "changes": self.past.len(),
        })
    }

    /// The file beside the source.
    fn text(&self, counts: &SourceCounts) -> String {
        let lines: Vec<String> = script(&self.name, counts).collect();
        format!("{}{}\n", self.heading(), lines.join("\n"))
    }

    /// By its first words a file is known that may be written over.
    fn heading(&self) -> String {
        format!("# The statements behind the constants of {}, for `run` behind `load`.\n", self.name)
    }

    fn save(&mut self) -> Result<Value, Error> {
        let counts = self.found()?.experiment().source_counts.clone().unwrap_or_default();
        let file = self.source.beside(&self.name);
        let workspace = &self.session.workspace;
        if let Ok(there) = workspace.read(&file)
            && !there.starts_with(self.heading().as_bytes())
        {
            let message = format!("{file} is there already, and not of this page");
            return Err(Error::new(code::CANNOT_WRITE, message).help("rename it, or copy the lines"));
        }
        let written = workspace.write(&file, self.text(&counts).as_bytes());
        written.map_err(|error| Error::new(code::CANNOT_WRITE, format!("cannot write {file}: {error}")))?;
        let mut answer = self.sets();
        answer["saved"] = json!(file);
        Ok(answer)
    }
}

/// Whether a command line can name a line.
fn is_writable(place: &SourceLine) -> bool {
    place.file.as_deref().is_none_or(is_plain)
}

fn no_command(place: &SourceLine) -> Error {
    Error::new(code::NOT_A_NAME, format!("the file of {place} has a name that no command can have"))
}

/// Statements that run equally often; those of which data decide how often, or how much of them, are told at most.
fn portion(portion: &Portion, quality: CountQuality) -> Value {
    let is_bound = quality == CountQuality::AtMost || portion.statements.iter().any(|its| its.at_most);
    let accesses: Vec<Value> = portion
        .accesses()
        .iter()
        .map(|its| {
            json!({
                "array": call_grammar::printable(&its.array), "bytes": its.bytes, "loads": its.loads, "stores": its.stores,
                "stride": its.stride, "elements": its.footprint,
            })
        })
        .collect();
    let lines: Vec<String> = portion.statements.iter().map(|its| its.place.to_string()).collect();
    let term = match portion.conditions() {
        [] => portion.term.basis.clone(),
        conditions => format!("{} where {}", portion.term.basis, conditions.join(" and ")),
    };
    json!({
        "term": term,
        "lines": lines,
        "atMost": is_bound,
        "operations": portion.operations(),
        "accesses": accesses,
    })
}

/// Lines such as `34` and `solver.c:7`.
fn places(lines: &Value) -> Result<NamedLines, Error> {
    let place = |text: &Value| {
        let text = text.as_str()?;
        let (file, line) = text.rsplit_once(':').map_or((None, text), |(file, line)| (Some(file), line));
        Some(SourceLine { file: file.map(str::to_owned), line: line.parse().ok()? })
    };
    let places = lines.as_array().and_then(|lines| lines.iter().map(place).collect::<Option<NamedLines>>());
    let places = places.filter(|places| !places.is_empty());
    places.ok_or_else(|| Error::new(code::WRONG_VALUE, "no lines are named"))
}
