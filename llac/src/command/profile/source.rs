use std::collections::BTreeMap;

use call_bsp::recording::{PartsRound, RecordedRun, common_beginning};
use call_grammar::{counted, listed};
use call_machine::table_remarks;
use call_model::Remark;
use call_profile::{Cost, CostQuantity, Facts, Profile, SumInterval, oxford};
use call_report::number;
use call_trace::{Completeness, Experiment, Header, ProcessorSupersteps, Run};

use crate::command::recorded_runs::runs_with_supersteps;
use crate::error::code;
use crate::reading::oddities;
use crate::words::Word;
use crate::{Error, Message, Session};

/// A profile, and what it is called.
pub struct LabelledProfile {
    pub label: String,
    pub profile: Profile,
    pub warnings: Vec<Message>,
    pub remarks: Vec<Remark>,
    /// What is odd about how it was measured, which is told where runs are loaded.
    pub circumstances: Vec<String>,
    pub prediction: Option<PredictionOfProfile>,
    /// The variables of experiments that had one value in the whole run.
    values: BTreeMap<String, f64>,
}

/// What is known of a profile that was not run.
pub struct PredictionOfProfile {
    /// For each cost centre the intervals of the sums of maxima.
    pub intervals: Vec<[SumInterval; 4]>,
    /// The runs that it comes from.
    pub runs: Vec<String>,
}

impl LabelledProfile {
    /// The profile of what a word names: a trace or set that is loaded, else a file. Without a word that of all loaded runs.
    pub fn find(session: &Session, word: Option<&Word>) -> Result<LabelledProfile, Error> {
        match word.filter(|word| !is_loaded(session, word)) {
            None => LabelledProfile::of_runs(&runs_with_supersteps(session, word)?),
            Some(file) => LabelledProfile::of_file(session, file),
        }
    }

    /// Each run by itself of what a word names, or of all that is loaded.
    pub fn of_each(session: &Session, word: Option<&Word>) -> Result<Vec<LabelledProfile>, Error> {
        match word.filter(|word| !is_loaded(session, word)) {
            None => {
                let state = session.state();
                let data = word.and_then(|word| state.sets().get(&word.text)).unwrap_or(state.data());
                let source = |run: &Run| {
                    let mut source = LabelledProfile::of_runs(&[run])?;
                    let place = data.runs().iter().position(|its| std::ptr::eq(its, run));
                    place.inspect(|place| source.know_values(data.experiments(), *place));
                    Ok(source)
                };
                runs_with_supersteps(session, word)?.into_iter().map(source).collect()
            }
            Some(file) => Ok(vec![LabelledProfile::of_file(session, file)?]),
        }
    }

    /// Of a prediction: for each quantity the interval of the sum of maxima of these cost centres, as if all erred to the same side.
    pub fn interval(&self, centres: &[usize]) -> Option<[SumInterval; 4]> {
        let intervals = &self.prediction.as_ref()?.intervals;
        Some(CostQuantity::ALL.map(|quantity| {
            let of = |end: fn(&SumInterval) -> f64| {
                centres.iter().map(|centre| end(&intervals[*centre][quantity as usize])).sum()
            };
            SumInterval { low: of(|its| its.low), high: of(|its| its.high) }
        }))
    }

    /// What a variable was in the whole run, or `P`, the number of its processors; none of what changed.
    pub fn value(&self, variable: &str) -> Option<f64> {
        match variable {
            "P" => Some(self.profile.processors as f64),
            _ => self.values.get(variable).copied(),
        }
    }

    /// The variables that have a value in the whole run.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str).chain(["P"])
    }

    /// Takes the values of variables from the samples of a data set that the run belongs to.
    fn know_values(&mut self, experiments: &[Experiment], run: usize) {
        let mut values: BTreeMap<&str, Option<f64>> = BTreeMap::new();
        for samples in experiments.iter().map(|experiment| &experiment.samples) {
            for (name, column) in samples.names.iter().zip(&samples.columns) {
                let of_run = samples.run.iter().zip(column).filter(|(its, _)| **its as usize == run);
                for (_, value) in of_run {
                    let known = values.entry(name).or_insert(Some(*value));
                    *known = known.filter(|known| known == value);
                }
            }
        }
        let constant = values.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        self.values = constant.filter(|(name, _)| name != "P").collect();
    }

    fn of_runs(runs: &[&Run]) -> Result<LabelledProfile, Error> {
        let mut recorded = Vec::new();
        let mut warnings = Vec::new();
        for run in runs {
            let rebuilt = |sections: &[ProcessorSupersteps]| {
                let its =
                    RecordedRun::rebuild(sections).map_err(|error| Error::from(error).of(run.label()))?;
                Ok::<_, Error>(if is_over_network(&run.header) { its.over_network() } else { its })
            };
            if !matches!(run.completeness, Completeness::Unfinished { .. }) {
                recorded.push(rebuilt(&run.supersteps)?);
                continue;
            }
            let (beginning, left_out) = common_beginning(&run.supersteps);
            let its = rebuilt(&beginning)?;
            let kept = its.machine().supersteps.len();
            warnings.push(Message::new("unfinished-profile", unfinished(run, kept, left_out)));
            recorded.push(its);
        }
        let mut profile = Profile::of_runs(&recorded).ok_or_else(|| {
            let counts: Vec<String> = runs
                .iter()
                .zip(&recorded)
                .map(|(run, its)| format!("{} {}", run.label(), its.processors()))
                .collect();
            Error::new(
                code::SEVERAL_RUNS,
                format!("the runs have different numbers of processors: {}", counts.join(", ")),
            )
            .help("name one: `profile TRACE`; `show` lists the traces")
        })?;
        let label = match runs {
            [run] => {
                profile.facts = facts(run);
                run.label().to_owned()
            }
            several => format!("{} runs together", several.len()),
        };
        profile.facts.elapsed_s = Some(recorded.iter().map(RecordedRun::recorded_s).sum());
        let mut source = LabelledProfile::new(label, profile);
        source.warnings.splice(0..0, warnings);
        source.warnings.extend(several_programs(runs));
        source.warnings.extend(unexplained_waiting(&source.label, &source.profile.total()));
        source.warnings.extend(recorded.iter().any(has_concurrent_parts).then(|| {
            let text = "parts of the machine ran beside each other: what each of them took is added up, so where another one takes longer, \
                balancing a part saves less than is said, or nothing";
            Message::new("concurrent-parts", text)
        }));
        source.circumstances = runs.iter().copied().flat_map(circumstances).collect();
        Ok(source)
    }

    fn of_file(session: &Session, file: &Word) -> Result<LabelledProfile, Error> {
        let bytes = session.workspace.read(&file.text).map_err(|error| {
            let message =
                format!("there is no loaded trace and no data set `{}`, and as a file: {error}", file.text);
            file.error(code::CANNOT_READ, message).help("name a file, or a trace of those that `show` lists")
        })?;
        if bytes.starts_with(b"# call-trace") {
            let message = format!("`{}` is a trace that is not loaded", file.text);
            return Err(file
                .error(code::NOTHING_LOADED, message)
                .help(format!("`load {}` first", file.text)));
        }
        let profile = oxford::read(&bytes)
            .map_err(|error| Error::from(error).of(&file.text).with_span(file.span.clone()))?;
        let mut source = LabelledProfile::new(file.text.clone(), profile);
        if source.profile.facts.elapsed_s.is_none() {
            let text =
                format!("{}: the line `E` at the end is missing: the trace may have been cut", file.text);
            source.warnings.push(Message::new("maybe-cut", text));
        }
        Ok(source)
    }

    /// Computes communication by the g and L of a machine.
    pub fn be_on_machine(&mut self, session: &Session, word: &Word) -> Result<(), Error> {
        let machine = session.machine(word, &word.text)?;
        let processors = self.profile.processors as f64;
        let parameters = machine.parameters(processors).ok_or_else(|| {
            let message = format!("the machine `{}` has no table of g and L", machine.name);
            word.error(code::NO_BSP_TABLE, message).help("`machine list` says which machines have one")
        })?;
        let network = (parameters.g_s_per_byte, parameters.latency_s);
        self.profile.be_on_network(network.0, network.1);
        let intervals = self.prediction.iter_mut().flat_map(|prediction| &mut prediction.intervals);
        let counts = self.profile.costs().iter().map(|cost| cost.synchronisations as f64);
        for (interval, count) in intervals.zip(counts) {
            let h = interval[CostQuantity::H as usize];
            let of_h = |h_bytes: f64| network.0 * h_bytes + network.1 * count;
            interval[CostQuantity::Communication as usize] =
                SumInterval { low: of_h(h.low), high: of_h(h.high) };
        }
        self.profile.facts.elapsed_s = None;
        self.label = format!("{}, communication on {}", self.label, machine.name);
        self.remarks.extend(table_remarks(&machine, processors));
        Ok(())
    }

    pub fn new(label: String, profile: Profile) -> LabelledProfile {
        let mut warnings = Vec::new();
        let divergent = profile.divergent_supersteps;
        if divergent > 0 {
            let text = format!(
                "{label}: {divergent} supersteps were ended at different places by different processors; each counts where most of them did"
            );
            warnings.push(Message::new("divergent-supersteps", text));
        }
        LabelledProfile {
            label,
            profile,
            warnings,
            remarks: Vec::new(),
            circumstances: Vec::new(),
            prediction: None,
            values: BTreeMap::new(),
        }
    }
}

/// What is odd about how a run was measured.
pub fn circumstances(run: &Run) -> Vec<String> {
    oddities(&run.header, &run.events).into_iter().map(|text| format!("{}: {text}", run.label())).collect()
}

/// Whether several parts of a machine did something at the same time.
fn has_concurrent_parts(run: &RecordedRun) -> bool {
    let mut found = false;
    run.machine().each_superstep(&mut |_, step| {
        let are_several =
            |round: &PartsRound| round.parts.iter().filter(|its| !its.supersteps.is_empty()).count() > 1;
        found |= step.rounds.iter().any(are_several);
    });
    found
}

/// Whether data were on their way while processors waited; where times are planted, nothing was.
fn is_over_network(header: &Header) -> bool {
    matches!(header.transport.as_str(), "MPI" | "SMPI") && header.clock != "counting"
}

/// That the BSP time is far below what passed, as where data are on their way while everybody but their sender waits.
fn unexplained_waiting(label: &str, total: &Cost) -> Option<Message> {
    const EXPLAINED_SHARE: f64 = 0.5;
    let times = [CostQuantity::Computation, CostQuantity::Communication, CostQuantity::Waiting];
    let of_processors = times.map(|quantity| &total.of(quantity).by_processor);
    let passed_s = (0..of_processors[0].len())
        .map(|processor| of_processors.iter().map(|times_s| times_s[processor]).sum::<f64>())
        .fold(0.0, f64::max);
    (total.time_s() < EXPLAINED_SHARE * passed_s).then(|| {
        let text = format!(
            "{label}: the longest computation and communication of all supersteps are {} of the {} that passed: the rest is waiting \
             that no other processor explains, for data on their way or for busy cores, and predictions do not have it",
            number::seconds(total.time_s()),
            number::seconds(passed_s)
        );
        Message::new("unexplained-waiting", text)
    })
}

/// That runs which are added up are of different programs.
fn several_programs(runs: &[&Run]) -> Option<Message> {
    let mut programs: Vec<(&str, &str)> = Vec::new();
    for run in runs.iter().filter(|run| !run.header.program.is_empty()) {
        if programs.iter().all(|(program, _)| *program != run.header.program) {
            programs.push((&run.header.program, run.label()));
        }
    }
    (programs.len() > 1).then(|| {
        let each = programs.iter().map(|(program, label)| format!("`{program}` ({label})"));
        let text = format!("runs of different programs are added up: {}", listed(&each.collect::<Vec<_>>()));
        Message::new("several-programs", text)
    })
}

fn is_loaded(session: &Session, word: &Word) -> bool {
    let state = session.state();
    state.sets().contains_key(&word.text)
        || state.data().runs().iter().any(|run| run.files.contains(&word.text))
}

fn unfinished(run: &Run, kept: usize, left_out: usize) -> String {
    let mut text = format!(
        "{}: the run was ended before it reported: this is the profile of the first {} that it saved",
        run.label(),
        counted(kept, "superstep")
    );
    if left_out > 0 {
        text.push_str(&format!(
            "; {left_out} more, which not all processors had saved, {} left out",
            if left_out == 1 { "is" } else { "are" }
        ));
    }
    text
}

fn facts(run: &Run) -> Facts {
    let known = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let header = &run.header;
    Facts {
        date: known(&header.date),
        flags: known(&header.flags),
        machine: known(&header.host),
        device: known(&header.transport),
        elapsed_s: None,
    }
}
