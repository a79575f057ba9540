//! What is said of a file before it is read, and what was read.

use std::borrow::Cow;
use std::fmt;

use call_grammar::excerpt;
use call_trace::{Trace, Unit};

use crate::name::usable;
use crate::{DecimalSign, Error, Note, OriginalNames};

/// The formats that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFormat {
    /// `.dat` files of this project.
    CallTrace,
    /// Text traces of CALL 1.0.
    CallOneText,
    /// XML traces of CALL 1.0.
    CallOneXml,
    /// JSON traces of CALL 1.0.
    CallOneJson,
    /// A table with a header line, with commas, semicolons, tabulators, bars or blanks between the fields.
    Table,
    /// An object a line, or a list of objects.
    JsonLines,
    /// Text input of Extra-P.
    ExtraPText,
    /// JSON lines of Extra-P.
    ExtraPJsonLines,
    /// Lines of Talpas: JSON with semicolons between the entries.
    Talpas,
    /// JSON input of Extra-P.
    ExtraPJson,
    /// Experiments that Extra-P 4 saved, `.extra-p`.
    ExtraPArchive,
    /// Experiments that Extra-P 3 saved.
    ExtraP3,
    /// Profiles of Cube, as Score-P writes them: `.cubex`, or the XML of before.
    Cube,
    /// `pytest --benchmark-json`.
    PytestBenchmark,
    /// Folders of Criterion.
    Criterion,
    /// `-rf json` of JMH.
    Jmh,
    /// `json-split` of Caliper.
    Caliper,
    /// `likwid-perfctr -O`.
    Likwid,
    /// `nsys stats --format csv`.
    NsightSystems,
    /// `hyperfine --export-json`.
    Hyperfine,
    /// `--benchmark_format=json` of Google Benchmark.
    GoogleBenchmark,
    /// A table in Parquet; ours have formulas and summaries besides.
    Parquet,
    /// A table in Arrow (IPC), a file or a stream; Feather is the former.
    Arrow,
    /// A sheet of an Excel workbook, `.xlsx`.
    Workbook,
}

impl FileFormat {
    /// Whether its files have several metrics, which are read at once.
    pub(crate) fn has_metrics(self) -> bool {
        matches!(
            self,
            FileFormat::ExtraPText
                | FileFormat::ExtraPJsonLines
                | FileFormat::Talpas
                | FileFormat::ExtraPJson
                | FileFormat::ExtraPArchive
                | FileFormat::ExtraP3
                | FileFormat::Cube
                | FileFormat::PytestBenchmark
                | FileFormat::Criterion
                | FileFormat::Jmh
                | FileFormat::Caliper
                | FileFormat::Likwid
                | FileFormat::NsightSystems
        )
    }

    /// Whether its files are rows with the names of their columns, in whatever form.
    pub(crate) fn is_table(self) -> bool {
        matches!(
            self,
            FileFormat::Table
                | FileFormat::JsonLines
                | FileFormat::Parquet
                | FileFormat::Arrow
                | FileFormat::Workbook
        )
    }

    /// The options that say nothing about a file of this format.
    pub(crate) fn unused_options(self) -> &'static [&'static str] {
        match self {
            FileFormat::CallTrace => OF_TABLES,
            FileFormat::CallOneText | FileFormat::CallOneXml | FileFormat::CallOneJson => {
                &["decimal", "experiment", "name", "processors", "without", "keep"]
            }
            FileFormat::GoogleBenchmark => &["experiment", "name"],
            FileFormat::Hyperfine => &["decimal", "experiment"],
            format if format.has_metrics() => &["decimal", "experiment"],
            _ => &[],
        }
    }
}

/// The options that say what stands in a table. What was measured here says that itself.
pub const OF_TABLES: &[&str] = &["unit", "decimal", "experiment", "name", "processors", "without", "keep"];

impl fmt::Display for FileFormat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            FileFormat::CallTrace => "a trace",
            FileFormat::CallOneText => "a text trace of CALL 1.0",
            FileFormat::CallOneXml => "an XML trace of CALL 1.0",
            FileFormat::CallOneJson => "a JSON trace of CALL 1.0",
            FileFormat::Table => "a table",
            FileFormat::JsonLines => "JSON lines",
            FileFormat::ExtraPText => "text input of Extra-P",
            FileFormat::ExtraPJsonLines => "JSON lines of Extra-P",
            FileFormat::Talpas => "lines of Talpas",
            FileFormat::ExtraPJson => "JSON input of Extra-P",
            FileFormat::ExtraPArchive => "an experiment of Extra-P",
            FileFormat::ExtraP3 => "an experiment of Extra-P 3",
            FileFormat::Cube => "a profile of Cube",
            FileFormat::PytestBenchmark => "results of pytest-benchmark",
            FileFormat::Criterion => "results of Criterion",
            FileFormat::Jmh => "results of JMH",
            FileFormat::Caliper => "a profile of Caliper",
            FileFormat::Likwid => "counters of LIKWID",
            FileFormat::NsightSystems => "statistics of Nsight Systems",
            FileFormat::Hyperfine => "results of hyperfine",
            FileFormat::GoogleBenchmark => "results of Google Benchmark",
            FileFormat::Parquet => "a table in Parquet",
            FileFormat::Arrow => "a table in Arrow",
            FileFormat::Workbook => "an Excel workbook",
        })
    }
}

/// What the user says about a file beyond what stands in it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReadOptions {
    /// How the file is to be read; else it is seen from its content, then from its name.
    pub format: Option<FileFormat>,
    /// The column, metric or observable that is the response; else a time is found by its name.
    pub response: Option<String>,
    /// Of a file with several metrics those that are to be read, or `all` for all of them; else [`ReadOptions::response`]. Experiments of
    /// the first are called as they are in the file, those of others have `:METRIC` behind that.
    pub metrics: Vec<String>,
    /// Whether values of call paths become those with all calls below (inclusive); else they are those of the file, of profiles of Cube
    /// those of the calls themselves (exclusive).
    pub is_inclusive: bool,
    /// The unit of the response; else it is seen from the name, or the values are seconds.
    pub unit: Option<Unit>,
    /// What stands before the decimals of a table; else its columns say it.
    pub decimal: Option<DecimalSign>,
    /// The sheet of a workbook that is read; else the first one that holds anything.
    pub sheet: Option<String>,
    /// Columns whose texts together name the experiment of a row; else one is found by its name.
    pub experiment_columns: Vec<String>,
    /// Name of the experiment of a file that names none; else it is made of the name of the file.
    pub experiment_name: Option<String>,
    /// The column that says on how many processors was measured; it becomes `P`.
    pub processors_column: Option<String>,
    /// Columns that are to stay out.
    pub leave_out: Vec<String>,
    /// Columns that are variables though their names speak of something else.
    pub keep: Vec<String>,
    /// What other files of the same set called what they have, so that the same is called the same here.
    pub names: OriginalNames,
}

impl ReadOptions {
    /// These options with the names that columns have in the file, where they give them those that formulas know them by: `energy_J` is
    /// `energy (J)`.
    pub(crate) fn of_columns(&self, names: &[String]) -> ReadOptions {
        let of_file = |given: &mut String| {
            if !names.contains(given)
                && let Some(name) = names.iter().find(|name| usable(name) == *given)
            {
                given.clone_from(name);
            }
        };
        let mut options = self.clone();
        let single = options.response.iter_mut().chain(&mut options.processors_column);
        let lists = [&mut options.experiment_columns, &mut options.leave_out, &mut options.keep];
        single.chain(lists.into_iter().flatten()).for_each(of_file);
        options
    }

    /// Of a file that cannot use options of these names, as they stand before `=`; `cure` says what to do instead.
    ///
    /// # Errors
    /// If one of them is given: it must not be forgotten.
    pub fn refuse(
        &self,
        unused: &[&'static str],
        what: &'static str,
        cure: &'static str,
    ) -> Result<(), Error> {
        let is_given = |name: &&&str| match **name {
            "time" => self.response.is_some(),
            "metric" => !self.metrics.is_empty(),
            "values" => self.is_inclusive,
            "unit" => self.unit.is_some(),
            "decimal" => self.decimal.is_some(),
            "sheet" => self.sheet.is_some(),
            "experiment" => !self.experiment_columns.is_empty(),
            "name" => self.experiment_name.is_some(),
            "processors" => self.processors_column.is_some(),
            "without" => !self.leave_out.is_empty(),
            "keep" => !self.keep.is_empty(),
            _ => false,
        };
        match unused.iter().find(is_given) {
            Some(option) => Err(Error::UnusedOption { option, what, cure }),
            None => Ok(()),
        }
    }

    /// Of a file that has no sheets.
    ///
    /// # Errors
    /// If a sheet is asked for: that must not be forgotten.
    pub fn refuse_sheet(&self) -> Result<(), Error> {
        match &self.sheet {
            Some(name) => Err(Error::NoSheets { name: excerpt(name) }),
            None => Ok(()),
        }
    }
}

/// What was read from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The format that the file was seen to have.
    pub format: FileFormat,
    /// The experiments with their samples; they may have no formulas.
    pub trace: Trace,
    /// What the user should know.
    pub notes: Vec<Note>,
    /// How experiments and variables of the file are called, with what was known before.
    pub names: OriginalNames,
}

/// The text; bytes that are none in UTF-8 are taken for characters of Latin-1, in which older programs wrote names.
pub(crate) fn text(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().copied().map(char::from));
    }
    Cow::Owned(text)
}
