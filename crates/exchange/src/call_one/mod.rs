//! Traces of CALL 1.0, the tool of the paper: text, later XML, later JSON, with the same keys.

mod experiment;
pub(crate) mod json;
pub(crate) mod mended;
pub(crate) mod text;
pub(crate) mod xml;

use call_trace::{Completeness, Experiment, Header, Trace};

use crate::{Error, FileFormat, Imported, Note, PlaceInText, ReadOptions, name};

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
    /// ImportedRows of each processor.
    tests: Vec<u64>,
    nodes: Vec<String>,
    /// Names of the columns.
    titles: Vec<String>,
    /// Values of the rows, one after another.
    values: Vec<f64>,
    places: Vec<PlaceInText>,
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
    fn push_row(&mut self, values: &[f64], place: PlaceInText) -> Result<(), Error> {
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

    fn import(
        mut self,
        format: FileFormat,
        path_name: &str,
        options: &ReadOptions,
    ) -> Result<Imported, Error> {
        if self.experiments.is_empty() {
            return Err(Error::NoExperiments);
        }
        let mut notes = Vec::new();
        let mut trace = Trace::default();
        let mut names = options.names.clone();
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
            match experiment::import(raw, options, &mut self.header, &mut names, &mut notes) {
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
        Ok(Imported { format, trace, notes, names })
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
