use std::sync::Arc;

use call_trace::{Experiment, Samples, Summaries};
use parquet::basic::{Compression, ConvertedType, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};
use serde_json::json;

use super::{EXPERIMENT, KEY, RUN, SCHEMA_VERSION, SUMS, SampledRun, TIME, VARIABLE};
use crate::roles::{COUNT, COUNTER, PROCESSOR, UNIT, VALUE};

/// A column of all rows.
enum WrittenColumn {
    Texts(Vec<String>),
    Places(Vec<i32>),
    Counts(Vec<i64>),
    /// NaN where a row has none.
    Numbers(Vec<f64>),
}

/// Writes samples and summaries as Parquet, with what is known of each run. The samples that were kept beside summaries have the count 0, as
/// the summary of their point has counted them: counts add up to the number of measurements. `originals`
/// say how the names of experiments were written where they are called otherwise here.
///
/// # Errors
/// If there is too much for a file of this format.
pub fn write_parquet(
    experiments: &[&Experiment],
    originals: &[Option<String>],
    runs: &[SampledRun],
) -> Result<Vec<u8>, String> {
    let columns = columns(experiments);
    written(&columns, about(experiments, originals, runs)).map_err(|error| error.to_string())
}

/// The name of the column of a variable.
pub(super) fn variable_column(name: &str) -> String {
    let is_ours =
        [EXPERIMENT, RUN, PROCESSOR, TIME, VALUE, UNIT, COUNT].contains(&name) || SUMS.contains(&name);
    if is_ours { format!("{VARIABLE}{name}") } else { name.to_owned() }
}

fn about(experiments: &[&Experiment], originals: &[Option<String>], runs: &[SampledRun]) -> String {
    let one = |(number, experiment): (usize, &&Experiment)| {
        let mut about = json!({
            "name": experiment.name,
            "formula": experiment.formula,
            "unit": experiment.unit.symbol(),
            "variables": experiment.samples.names,
            "counters": experiment.samples.counter_names,
            "observable": experiment.observable,
            "lines": experiment.lines,
            "source_counts": experiment.source_counts,
        });
        if let Some(original) = originals.get(number).and_then(Option::as_ref) {
            about["original"] = json!(original);
        }
        about
    };
    let experiments: Vec<_> = experiments.iter().enumerate().map(one).collect();
    let files: Vec<_> = runs.iter().map(|run| &run.files).collect();
    json!({ "schema_version": SCHEMA_VERSION, "experiments": experiments, "runs": files, "known": runs })
        .to_string()
}

fn columns(experiments: &[&Experiment]) -> Vec<(String, WrittenColumn)> {
    let parts: Vec<SamplesOrSummaries> =
        experiments.iter().flat_map(|its| SamplesOrSummaries::of(its)).collect();
    let mut columns = vec![
        (EXPERIMENT.to_owned(), WrittenColumn::Texts(each(&parts, |part, _| part.experiment.name.clone()))),
        (RUN.to_owned(), WrittenColumn::Places(each(&parts, |part, row| part.samples.run[row] as i32))),
        (
            PROCESSOR.to_owned(),
            WrittenColumn::Places(each(&parts, |part, row| part.samples.processor[row] as i32)),
        ),
    ];
    let names = distinct(experiments.iter().flat_map(|its| &its.samples.names));
    columns.extend(names.iter().map(|name| {
        let value = |part: &SamplesOrSummaries, row: usize| {
            part.samples.column(name).map_or(f64::NAN, |its| its[row])
        };
        (variable_column(name), WrittenColumn::Numbers(each(&parts, value)))
    }));
    let response = if experiments.iter().all(|its| its.unit.is_time()) { TIME } else { VALUE };
    columns.push((
        response.to_owned(),
        WrittenColumn::Numbers(each(&parts, |part, row| part.samples.time_s[row])),
    ));
    let unit = |part: &SamplesOrSummaries, _| part.experiment.unit.symbol().to_owned();
    columns.push((UNIT.to_owned(), WrittenColumn::Texts(each(&parts, unit))));
    columns.push((COUNT.to_owned(), WrittenColumn::Counts(each(&parts, |part, row| part.count(row)))));
    if parts.iter().any(|part| part.summaries.is_some()) {
        columns.extend((0..SUMS.len()).map(|sum| {
            let value =
                |part: &SamplesOrSummaries, row: usize| part.sum(sum).map_or(f64::NAN, |its| its[row]);
            (SUMS[sum].to_owned(), WrittenColumn::Numbers(each(&parts, value)))
        }));
    }
    let counters = distinct(experiments.iter().flat_map(|its| &its.samples.counter_names));
    columns.extend(counters.iter().map(|name| {
        let value =
            |part: &SamplesOrSummaries, row: usize| part.counter(name).map_or(f64::NAN, |its| its[row]);
        (format!("{COUNTER}{name}"), WrittenColumn::Numbers(each(&parts, value)))
    }));
    columns
}

/// The summaries of an experiment, or its samples.
struct SamplesOrSummaries<'a> {
    experiment: &'a Experiment,
    samples: &'a Samples,
    summaries: Option<&'a Summaries>,
    /// For each sample whether a summary has counted it.
    is_counted: Vec<bool>,
}

impl SamplesOrSummaries<'_> {
    fn of<'a>(experiment: &'a Experiment) -> [SamplesOrSummaries<'a>; 2] {
        let summaries = &experiment.summaries;
        let summarised = summaries.runs();
        let is_counted = experiment.samples.run.iter().map(|run| summarised.contains(run)).collect();
        let points = &summaries.points;
        [
            SamplesOrSummaries {
                experiment,
                samples: points,
                summaries: Some(summaries),
                is_counted: Vec::new(),
            },
            SamplesOrSummaries { experiment, samples: &experiment.samples, summaries: None, is_counted },
        ]
        .map(|part| SamplesOrSummaries { summaries: part.summaries.filter(|its| !its.is_empty()), ..part })
    }

    fn count(&self, row: usize) -> i64 {
        match self.is_counted.get(row) {
            Some(true) => 0,
            _ => self.samples.count_of(row) as i64,
        }
    }

    fn sum(&self, which: usize) -> Option<&[f64]> {
        let its = self.summaries?;
        Some([&its.sum_s, &its.sum_squares_s2, &its.min_s, &its.max_s][which])
    }

    fn counter(&self, name: &str) -> Option<&[f64]> {
        let position = self.samples.counter_names.iter().position(|known| known == name)?;
        Some(&self.samples.counters[position])
    }
}

fn each<T>(parts: &[SamplesOrSummaries], value: impl Fn(&SamplesOrSummaries, usize) -> T) -> Vec<T> {
    parts.iter().flat_map(|part| (0..part.samples.len()).map(|row| value(part, row))).collect()
}

fn distinct<'a>(names: impl Iterator<Item = &'a String>) -> Vec<&'a str> {
    let mut known: Vec<&str> = Vec::new();
    names.for_each(|name| {
        if !known.contains(&name.as_str()) {
            known.push(name);
        }
    });
    known
}

fn schema(columns: &[(String, WrittenColumn)]) -> Result<TypePtr, ParquetError> {
    let field = |(name, values): &(String, WrittenColumn)| {
        let (physical, repetition) = match values {
            WrittenColumn::Texts(_) => (PhysicalType::BYTE_ARRAY, Repetition::REQUIRED),
            WrittenColumn::Places(_) => (PhysicalType::INT32, Repetition::REQUIRED),
            WrittenColumn::Counts(_) => (PhysicalType::INT64, Repetition::REQUIRED),
            WrittenColumn::Numbers(_) => (PhysicalType::DOUBLE, Repetition::OPTIONAL),
        };
        let converted = match values {
            WrittenColumn::Texts(_) => ConvertedType::UTF8,
            _ => ConvertedType::NONE,
        };
        let builder = Type::primitive_type_builder(name, physical);
        builder.with_repetition(repetition).with_converted_type(converted).build().map(Arc::new)
    };
    let fields: Vec<TypePtr> = columns.iter().map(field).collect::<Result<_, _>>()?;
    Type::group_type_builder("samples").with_fields(fields).build().map(Arc::new)
}

fn written(columns: &[(String, WrittenColumn)], about: String) -> Result<Vec<u8>, ParquetError> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(concat!("CALL version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(vec![KeyValue::new(KEY.to_owned(), about)]))
        .build();
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, schema(columns)?, Arc::new(properties))?;
    let mut group = file.next_row_group()?;
    for (_, values) in columns {
        write_column(&mut group, values)?;
    }
    group.close()?;
    file.close()?;
    Ok(bytes)
}

fn write_column(
    group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>,
    values: &WrittenColumn,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    match values {
        WrittenColumn::Texts(texts) => {
            let texts: Vec<ByteArray> = texts.iter().map(|text| ByteArray::from(text.as_str())).collect();
            column.typed::<ByteArrayType>().write_batch(&texts, None, None)?;
        }
        WrittenColumn::Places(places) => {
            column.typed::<Int32Type>().write_batch(places, None, None)?;
        }
        WrittenColumn::Counts(counts) => {
            column.typed::<Int64Type>().write_batch(counts, None, None)?;
        }
        WrittenColumn::Numbers(numbers) => {
            let known: Vec<f64> = numbers.iter().copied().filter(|number| !number.is_nan()).collect();
            let is_known: Vec<i16> = numbers.iter().map(|number| i16::from(!number.is_nan())).collect();
            column.typed::<DoubleType>().write_batch(&known, Some(&is_known), None)?;
        }
    }
    column.close()
}
