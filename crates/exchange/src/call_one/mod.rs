//! Traces of CALL 1.0, the tool of the paper: text, later XML, later JSON, with the same keys.

mod expression;
mod formula;
pub(crate) mod json;
pub(crate) mod mended;
mod observable;
mod postfix;
pub(crate) mod text;
pub(crate) mod xml;

use call_trace::{Completeness, Experiment, Header, LineRange, Trace};

use crate::measured::Measured;
use crate::{Error, Format, Imported, Note, Options, Place, name};

/// A trace as it stands in the file.
#[derive(Default)]
struct Raw {
    header: Header,
    /// `SYSNAME`, `RELEASE` and `VERSION`.
    system: [String; 3],
    /// The end of the file is missing.
    is_cut: bool,
    experiments: Vec<RawExperiment>,
}

/// An experiment as it stands in the file. What is missing is empty.
#[derive(Default, Clone)]
struct RawExperiment {
    name: String,
    begin_lines: Vec<u32>,
    end_lines: Vec<u32>,
    /// Formula in postfix notation.
    postfix: String,
    /// Formula as the user wrote it.
    infix: String,
    /// What each constant is multiplied by.
    components: Vec<String>,
    dimension: Option<usize>,
    identifiers: Vec<String>,
    observables: Vec<String>,
    /// Measurements of each processor.
    tests: Vec<u64>,
    nodes: Vec<String>,
    /// Names of the columns.
    titles: Vec<String>,
    /// Values of the rows, one after another.
    values: Vec<f64>,
    places: Vec<Place>,
}

/// The columns that stand in front of the identifiers.
const PROCESSOR: &str = "CPU";
const PROCESSORS: &str = "NCPUS";

impl RawExperiment {
    fn named(name: String) -> RawExperiment {
        RawExperiment { name, ..RawExperiment::default() }
    }

    /// Titles for rows that have none.
    fn default_titles(&self) -> Vec<String> {
        let fixed = [PROCESSOR, PROCESSORS].map(str::to_owned).into_iter();
        let observables =
            if self.observables.is_empty() { vec!["CLOCK".to_owned()] } else { self.observables.clone() };
        fixed.chain(self.identifiers.iter().cloned()).chain(observables).collect()
    }

    /// Takes a row of values.
    fn push_row(&mut self, values: &[f64], place: Place) -> Result<(), Error> {
        if values.len() != self.titles.len() {
            return Err(Error::FieldCount { place, expected: self.titles.len(), found: values.len() });
        }
        self.values.extend(values);
        self.places.push(place);
        Ok(())
    }

    fn column(&self, position: usize) -> Vec<f64> {
        self.values.iter().skip(position).step_by(self.titles.len().max(1)).copied().collect()
    }
}

impl Raw {
    /// Takes a key of the run; `false` if it is none.
    fn set(&mut self, key: &str, value: &str) -> bool {
        let target = match key {
            "PROGRAM" => &mut self.header.source,
            "NODE_NAME" => &mut self.header.host,
            "SYSNAME" => &mut self.system[0],
            "RELEASE" => &mut self.system[1],
            "VERSION" => &mut self.system[2],
            "PARALLEL_ID" => &mut self.header.kind,
            "CALL_VERSION" => return true,
            _ => return false,
        };
        // Of traces that were put together, the first one speaks.
        if target.is_empty() {
            *target = value.to_owned();
        }
        true
    }

    fn import(mut self, format: Format, path_name: &str, options: &Options) -> Result<Imported, Error> {
        if self.experiments.is_empty() {
            return Err(Error::NoExperiments);
        }
        let mut notes = Vec::new();
        let mut trace = Trace::default();
        let (mut rows, mut announced, mut nothing) = (0, 0, None);
        let raws = joined(self.experiments, &mut notes)?;
        let count = raws.len();
        for raw in raws {
            let tests: u64 = raw.tests.iter().fold(0, |sum, tests| sum.saturating_add(*tests));
            let found = raw.places.len() as u64;
            (rows, announced) = (rows + found, tests.max(found).saturating_add(announced));
            if found < tests {
                let experiment = raw.name.clone();
                notes.push(Note::Missing { experiment, found, announced: tests });
            }
            if self.header.host.is_empty() {
                self.header.host = raw.nodes.join(" ");
            }
            let name = raw.name.clone();
            match import(raw, options, &mut self.header, &mut notes) {
                Ok(experiment) => trace.experiments.push(experiment),
                // One that measured nothing is no reason not to read the others.
                Err(Error::NoSamples { rows, first, reason }) if count > 1 => {
                    notes.push(Note::Rows { count: rows, first, reason });
                    trace.experiments.push(Experiment { name, ..Experiment::default() });
                    nothing = Some(Error::NoSamples { rows, first, reason });
                }
                Err(error) => return Err(error),
            }
        }
        if let Some(error) = nothing.filter(|_| trace.experiments.iter().all(|its| its.samples.is_empty())) {
            return Err(error);
        }
        if rows < announced || self.is_cut {
            let announced = (rows < announced).then_some(announced);
            trace.completeness = Completeness::Cut { rows, announced };
        }
        let source = &self.header.source;
        self.header.program = name::of_file(if source.is_empty() { path_name } else { source });
        self.header.system =
            self.system.iter().filter(|text| !text.is_empty()).cloned().collect::<Vec<_>>().join(" ");
        self.header.processors = self.header.processors.max(1);
        trace.header = self.header;
        Ok(Imported { format, trace, notes })
    }
}

/// Experiments of the same name as one, with the formula of the first.
fn joined(raws: Vec<RawExperiment>, notes: &mut Vec<Note>) -> Result<Vec<RawExperiment>, Error> {
    let mut joined: Vec<RawExperiment> = Vec::new();
    let mut position_of = std::collections::HashMap::new();
    for raw in raws {
        let Some(known) = position_of.get(&raw.name).and_then(|position: &usize| joined.get_mut(*position))
        else {
            position_of.insert(raw.name.clone(), joined.len());
            joined.push(raw);
            continue;
        };
        if known.places.is_empty() {
            known.titles = raw.titles;
        } else if !raw.places.is_empty() && known.titles != raw.titles {
            return Err(Error::OtherColumns { experiment: raw.name });
        }
        if known.infix.is_empty() {
            known.infix = raw.infix;
        } else if !raw.infix.is_empty() && raw.infix != known.infix {
            let problem = format!("`{}` of the same experiment stands before it", known.infix);
            notes.push(Note::Formula { experiment: raw.name, text: raw.infix, problem });
        }
        let pairs = known.begin_lines.len().min(known.end_lines.len());
        known.begin_lines.truncate(pairs);
        known.end_lines.truncate(pairs);
        known.begin_lines.extend(raw.begin_lines);
        known.end_lines.extend(raw.end_lines);
        known.values.extend(raw.values);
        known.places.extend(raw.places);
        known.tests.extend(raw.tests);
    }
    Ok(joined)
}

/// Makes an experiment of what stands in the file.
fn import(
    mut raw: RawExperiment,
    options: &Options,
    header: &mut Header,
    notes: &mut Vec<Note>,
) -> Result<Experiment, Error> {
    if raw.titles.is_empty() {
        raw.titles = raw.default_titles();
    }
    let position = |name: &str| raw.titles.iter().position(|title| title.eq_ignore_ascii_case(name));
    let (processor, processors) = (position(PROCESSOR), position(PROCESSORS));
    let is_fixed = |at: usize| Some(at) == processor || Some(at) == processors;
    let results = observable::results(&raw, is_fixed);
    let Some(time) = observable::choose(&raw, &results, options)? else {
        return Err(Error::NoObservable { experiment: raw.name, columns: raw.titles });
    };
    let observable = raw.titles[time].clone();
    let unit = options.time_unit.or_else(|| observable::seconds_of(&observable));
    let note = match unit {
        Some(unit) => Note::Time { column: observable.clone(), unit, is_assumed: false },
        None => Note::NotATime { experiment: raw.name.clone(), observable: observable.clone() },
    };
    // Experiments mostly measure the same.
    if !notes.iter().take(20).any(|known| *known == note) {
        notes.push(note);
    }
    if header.clock.is_empty() {
        header.clock = observable.clone();
    }
    if let Some(at) = processors {
        header.processors = raw.column(at).into_iter().map(as_natural).fold(header.processors, u32::max);
    }
    let has_own_p = raw.titles.iter().enumerate().any(|(at, title)| title == "P" && !results.contains(&at));
    let mut variables = Vec::new();
    for (at, title) in raw.titles.iter().enumerate() {
        if Some(at) == processors {
            let column = raw.column(at);
            let differs = || position("P").is_some_and(|own| raw.column(own) != column);
            if !has_own_p {
                variables.push(("P".to_owned(), column));
            } else if differs() {
                variables.push((PROCESSORS.to_owned(), column));
            }
        } else if Some(at) != processor && !results.contains(&at) {
            variables.push((title.clone(), raw.column(at)));
        }
    }
    let measured = Measured {
        experiments: vec![raw.name.clone()],
        variables,
        processor: processor.map_or_else(Vec::new, |at| raw.column(at).into_iter().map(as_natural).collect()),
        time_s: raw.column(time).into_iter().map(|value| unit.unwrap_or_default().seconds(value)).collect(),
        counters: results
            .iter()
            .filter(|at| **at != time)
            .map(|at| (raw.titles[*at].clone(), raw.column(*at)))
            .collect(),
        places: std::mem::take(&mut raw.places),
        ..Measured::default()
    };
    let mut experiment = measured.into_experiments(notes)?.pop().unwrap_or_default();
    let processors_name = if has_own_p { None } else { Some(PROCESSORS) };
    experiment.formula = formula::of(&raw, &experiment, &observable, processors_name, notes);
    let lines = raw.begin_lines.iter().zip(&raw.end_lines);
    experiment.lines =
        lines.map(|(first, last)| LineRange { file: None, first: *first, last: *last }).collect();
    experiment.lines.sort_by_key(|lines| (lines.first, lines.last));
    experiment.lines.dedup();
    Ok(experiment)
}

fn as_natural(value: f64) -> u32 {
    if (0.0..=f64::from(u32::MAX)).contains(&value) { value as u32 } else { 0 }
}
