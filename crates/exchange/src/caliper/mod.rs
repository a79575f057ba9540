//! `json-split` of Caliper: a table whose columns are values or numbers of nodes, and a tree of those. One column of nodes holds call paths.

mod columns;
mod rows;

use crate::benchmarks::{BenchmarkRun, Benchmarks};
use crate::heading::is_moment;
use crate::json::Json;
use crate::response_name::time_name;
use crate::{Error, FileFormat, Imported, LeftOutReason, Note, ReadOptions, cube};
use columns::Columns;
use rows::{Combination, SummedRows};

/// Whether an object is such a table.
pub(crate) fn is_caliper(json: &Json) -> bool {
    ["data", "columns", "column_metadata", "nodes"]
        .iter()
        .all(|key| matches!(json.get(key), Some(Json::List(_))))
}

/// Reads a table. Numbers that hold for the whole run are variables, and so are those in the name of its folder. Rows of one call path that
/// differ in something else are one, their sum.
pub(crate) fn read(path_name: &str, json: &Json, options: &ReadOptions) -> Result<Imported, Error> {
    let columns = Columns::of(json)?;
    let mut benchmarks = Benchmarks::default();
    let locations = columns.locations();
    let mut variables = cube::parameters_of(path_name);
    if let Json::Object(entries) = json {
        for (name, value) in entries {
            let is_other = name.starts_with("cali.") || is_moment(name) || time_name(name).is_some();
            let number = value.number().filter(|number| number.is_finite() && !is_other);
            if let Some(number) = number.filter(|_| variables.iter().all(|(known, _)| known != name)) {
                variables.push((name.clone(), number));
            }
        }
    }
    if !columns.of_locations.is_empty() {
        variables.retain(|(name, _)| name != "P");
        variables.insert(0, ("P".to_owned(), locations.len().max(1) as f64));
    }
    let summed = SummedRows::of(&columns, &locations)?;
    let kinds = summed.kinds();
    if let Some(metric) =
        columns.metrics.first().filter(|_| kinds.iter().all(|kind| *kind == Some(Combination::None)))
    {
        return Err(Error::Shape {
            at: format!("column `{}`", call_grammar::excerpt(&metric.name)),
            expected: "one row of each call path, as means and inclusive values do not add up",
            found: "several".to_owned(),
        });
    }
    for (metric, kind) in columns.metrics.iter().zip(&kinds) {
        let name = metric.alias.as_deref().unwrap_or(&metric.name);
        if *kind == Some(Combination::None) {
            benchmarks
                .metrics
                .notes
                .push(Note::LeftOut { names: vec![name.to_owned()], reason: LeftOutReason::NoSum });
            continue;
        }
        let number = benchmarks.metrics.metrics.number(name);
        match (&metric.unit, metric.default_unit()) {
            (Some(unit), _) => benchmarks.metrics.has_unit(number, unit.clone()),
            (None, Some(unit)) => benchmarks.metrics.has_assumed_unit(number, unit),
            (None, None) => {}
        }
    }
    benchmarks.metrics.notes.extend(summed.note(&columns));
    for row in &summed.rows {
        let mut run = BenchmarkRun::new(row.path.clone(), row.place);
        run.numbers.clone_from(&variables);
        for ((metric, value), kind) in columns.metrics.iter().zip(&row.values).zip(&kinds) {
            let Some(value) = value.filter(|_| *kind != Some(Combination::None)) else { continue };
            let number = benchmarks.metrics.metrics.number(metric.alias.as_deref().unwrap_or(&metric.name));
            match row.processor {
                None => benchmarks.push(&run, number, &[value])?,
                Some(processor) => benchmarks.push_of(processor, &run, number, value)?,
            }
        }
    }
    if benchmarks.metrics.is_empty() {
        return Err(Error::NoResults { list: "data" });
    }
    benchmarks.metrics.import(FileFormat::Caliper, path_name, options)
}
