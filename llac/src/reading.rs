//! From the names of files to samples.

mod file;
mod oddities;
mod options;
mod remarks;

use std::io::Read;

use call_exchange::{FileSet, OriginalNames};
use call_model::ModelFile;
use call_trace::{Completeness, Dataset, Experiment, Limits, MergeError, Trace};

use crate::error::code;
use crate::experiments::formula_cure;
use crate::plain_path::is_file_of;
use crate::words::Word;
use crate::{Error, Session};
use file::{cannot_read, fill, refuse_unused};

pub use file::MAGIC;
pub(crate) use file::{FileRuns, ReadRun, read_file};
pub(crate) use oddities::oddities;
pub use options::{ReadingOptions, is_option};
pub use remarks::ReadingRemarks;

/// So much of a file tells whether it holds a model.
const START_BYTES: usize = 256;

/// What the anchors of archives of OTF2 end in.
pub const ARCHIVE: &str = ".otf2";

impl Session {
    /// The files that a word of the command line means; at least one.
    pub(crate) fn files(&self, word: &Word) -> Result<Vec<String>, Error> {
        let fail = |text: String| word.error(code::CANNOT_READ, text);
        let is_folder = self.workspace.folder(&word.text).is_ok_and(|files| files.is_some());
        if is_folder {
            return Ok(vec![word.text.clone()]);
        }
        let files = self
            .workspace
            .matching(&word.text)
            .map_err(|error| fail(format!("cannot look for {}: {error}", word.text)))?;
        if files.is_empty() {
            let error = fail(match word.text.contains(['*', '?', '[']) {
                true => format!("no file matches {}", word.text),
                false => format!("cannot read {}: no such file", word.text),
            });
            return Err(match formula_cure(&word.text) {
                Some(cure) => error.help(cure),
                None => error,
            });
        }
        Ok(files)
    }

    /// Reads a file into `data`, with the names that its files have given so far, and remarks what is to be reported of it. False if it holds nothing but
    /// copies of runs that are there.
    pub(crate) fn add(
        &self,
        (data, names): (&mut Dataset, &mut OriginalNames),
        path: &str,
        word: &Word,
        options: &ReadingOptions,
        remarks: &mut ReadingRemarks,
    ) -> Result<bool, Error> {
        let fail = |error: Error| error.with_span(word.span.clone());
        if data.runs.iter().any(|run| is_file_of(run, path)) {
            remarks.is_known(path.to_owned());
            return Ok(false);
        }
        let held = data.experiments.iter().map(|known| known.samples.len()).sum();
        let runs = match path.ends_with(ARCHIVE) {
            true => {
                refuse_unused(path, options, "an archive of OTF2", "leave it out, or load the archive apart")
                    .map_err(fail)?;
                vec![ReadRun::of(path, self.archive(path, remarks).map_err(fail)?)]
            }
            false => {
                let options = options.clone().with_names(names.clone());
                let read = self.read(path, &options, Limits::default().beside(held)).map_err(fail)?;
                *names = read.names;
                remarks.note(path, read.notes);
                read.runs
            }
        };
        let has_several = runs.len() > 1;
        let (count, mut copies) = (runs.len(), 0);
        for ReadRun { files, mut trace } in runs {
            let label = match files.first().filter(|_| has_several) {
                Some(file) => format!("{path}:{file}"),
                None => path.to_owned(),
            };
            if let Some((names, run)) = leave_out_loaded(data, path, &mut trace) {
                remarks.is_known(format!("{} of {label}, as {run},", call_grammar::listed(&names)));
                if trace.experiments.iter().all(Experiment::is_empty) {
                    continue;
                }
            }
            let content = trace.content();
            let same =
                |run: &&call_trace::Run| content.is_some_and(|content| run.contents.contains(&content));
            if let Some(run) = data.runs.iter().find(same) {
                remarks.is_copy(label, run.label().to_owned());
                copies += 1;
                continue;
            }
            if let Some((names, run)) = data.leave_out_same(&mut trace)
                && remarks.are_same(names, &label, run, &trace)
            {
                copies += 1;
                continue;
            }
            remarks.look(&label, &trace);
            let changes =
                data.add_with(content, &label, trace).map_err(|error| fail(not_one(error, path)))?;
            remarks.change(changes);
            // What is loaded is known by the name of its file.
            let run = data.runs.iter_mut().rev().find(|run| run.files.contains(&label));
            if let Some(run) = run.filter(|_| label != path) {
                run.files.push(path.to_owned());
            }
        }
        Ok(copies == 0 || copies < count)
    }

    /// The model that a file holds; none if it holds samples.
    pub(crate) fn model_in(&self, path: &str) -> Result<Option<ModelFile>, Error> {
        let cannot_read = |error| cannot_read(path, &error);
        if self.workspace.folder(path).map_err(cannot_read)?.is_some() {
            return Ok(None);
        }
        let mut file = self.workspace.open(path).map_err(cannot_read)?;
        let mut bytes = vec![0; START_BYTES];
        let length = fill(&mut *file, &mut bytes).map_err(cannot_read)?;
        bytes.truncate(length);
        if !ModelFile::is_one(&bytes) && !path.ends_with(".model.json") {
            return Ok(None);
        }
        file.read_to_end(&mut bytes).map_err(cannot_read)?;
        let text =
            String::from_utf8(bytes).map_err(|_| Error::new(code::NOT_TEXT, format!("{path} is no text")))?;
        ModelFile::read(&text).map(Some).map_err(|error| Error::new(error.code(), format!("{path}: {error}")))
    }

    /// The events of an archive of OTF2.
    fn archive(&self, path: &str, remarks: &mut ReadingRemarks) -> Result<Trace, Error> {
        let archive = self.workspace.read_archive(path).map_err(|error| Error::from(error).of(path))?;
        remarks.warnings.extend(archive.remarks.iter().map(|remark| (path.to_owned(), remark.to_string())));
        Ok(archive.trace)
    }

    /// Reads the files of a folder that belong together.
    fn read_folder(&self, path: &str, files: &[String], options: &ReadingOptions) -> Result<FileRuns, Error> {
        let Some((mut set, of_set)) = FileSet::of(path, files) else {
            return Err(Error::new(code::CANNOT_READ, format!("{path} is a folder, and nothing in it is a set of measurements"))
                .help("profiles of Cube lie in folders such as `NAME.p4.n1000.r1`; single files are named: `load FOLDER/*.csv`"));
        };
        for file in &of_set {
            let bytes = self.workspace.read(file).map_err(|error| cannot_read(file, &error))?;
            set.push(file, &bytes, &options.exchange).map_err(|error| Error::from(error).of(file))?;
        }
        let imported = set.finish(&options.exchange).map_err(|error| Error::from(error).of(path))?;
        let (notes, names) = (imported.notes, imported.names);
        Ok(FileRuns { runs: vec![ReadRun::of(path, imported.trace)], notes, names })
    }

    /// Reads the runs of a file of any format, with notes. A trace is never in memory as a whole.
    fn read(&self, path: &str, options: &ReadingOptions, limits: Limits) -> Result<FileRuns, Error> {
        let cannot_read = |error| cannot_read(path, &error);
        if let Some(files) = self.workspace.folder(path).map_err(cannot_read)? {
            return self.read_folder(path, &files, options);
        }
        read_file(&*self.workspace, path, options, limits)
    }
}

/// Why a file does not go with those before it.
fn not_one(error: MergeError, path: &str) -> Error {
    let is_other = matches!(error, MergeError::Variables { .. } | MergeError::Units { .. });
    let error = Error::from(error);
    match is_other {
        true => error.help(format!("`load {path} as NAME` reads it into a data set of its own")),
        false => error,
    }
}

/// Leaves out of a trace the experiments that its run is loaded with already, where a summary of it or it itself is one; returns their names
/// and what the run is called.
fn leave_out_loaded(data: &Dataset, path: &str, trace: &mut Trace) -> Option<(Vec<String>, String)> {
    let has_summary =
        |path: &str| [".parquet", ".arrow", ".feather"].iter().any(|ending| path.ends_with(ending));
    let is_same = |run: &call_trace::Run| {
        run.header == trace.header
            && (has_summary(path) || run.files.iter().any(|file| has_summary(file)))
            && !run.files.iter().any(|file| file == path)
    };
    let same = data.runs.iter().enumerate().filter(|(_, run)| is_same(run));
    let same: Vec<usize> = same.map(|(number, _)| number).filter(|_| is_whole_report(trace)).collect();
    let first = *same.first()?;
    let has_run = |known: &Experiment| {
        let mut runs = known.samples.run.iter().chain(&known.summaries.points.run);
        runs.any(|run| same.contains(&(*run as usize)))
    };
    let loaded: Vec<String> =
        data.experiments.iter().filter(|known| has_run(known)).map(|known| known.name.clone()).collect();
    let mut names = Vec::new();
    trace.experiments.retain(|its| {
        let is_loaded = !its.is_empty() && loaded.contains(&its.name);
        names.extend(is_loaded.then(|| its.name.clone()));
        !is_loaded
    });
    (!names.is_empty()).then(|| (names, data.runs[first].label().to_owned()))
}

/// Whether no other trace has this header.
pub(crate) fn is_whole_report(trace: &Trace) -> bool {
    let header = &trace.header;
    header.reports > 0 && !header.run.is_empty() && trace.completeness == Completeness::Complete
}
