//! `json-split` of Caliper: a table whose columns are values or numbers of nodes, and a tree of those, of which paths are call paths.

use std::collections::BTreeSet;

use call_trace::Unit;

use crate::benchmarks::{BenchmarkRun, Benchmarks};
use crate::heading::is_moment;
use crate::json::Json;
use crate::metrics::{NO_REGION, PathRoom, TOO_LONG};
use crate::response_name::time_name;
use crate::{Error, FileFormat, Imported, PlaceInText, ReadOptions, cube};

/// Whether an object is such a table.
pub(crate) fn is_caliper(json: &Json) -> bool {
    ["data", "columns", "column_metadata", "nodes"]
        .iter()
        .all(|key| matches!(json.get(key), Some(Json::List(_))))
}

/// The column that says which processor measured.
const RANKS: [&str; 2] = ["mpi.rank", "rank"];

/// Reads a table. Numbers that hold for the whole run are variables, and so are those in the name of its folder.
pub(crate) fn read(path_name: &str, json: &Json, options: &ReadOptions) -> Result<Imported, Error> {
    let list = |key: &str| json.get(key).map_or(&[] as &[Json], Json::entries);
    let fail = |at: String, expected: &'static str, found: &Json| Error::Shape {
        at,
        expected,
        found: found.kind().to_owned(),
    };
    let paths = paths(list("nodes"))?;
    let columns: Vec<String> = list("columns").iter().map(|name| name.word().unwrap_or_default()).collect();
    let is_value: Vec<bool> =
        list("column_metadata").iter().map(|of| of.get("is_value") == Some(&Json::Bool(true))).collect();
    let rank = columns.iter().position(|name| RANKS.contains(&name.as_str()));
    let mut benchmarks = Benchmarks::default();
    let mut numbers: Vec<(usize, u32)> = Vec::new();
    for (position, name) in columns.iter().enumerate() {
        if is_value.get(position) != Some(&true) || Some(position) == rank {
            continue;
        }
        let metadata = &list("column_metadata")[position];
        let said = |key: &str| metadata.get(key).and_then(Json::text);
        let number = benchmarks.metrics.metrics.number(said("attribute.alias").unwrap_or(name));
        if let Some(unit) = said("attribute.unit").and_then(Unit::named) {
            benchmarks.metrics.has_unit(number, unit);
        }
        numbers.push((position, number));
    }
    let path_column = (0..columns.len()).find(|at| is_value.get(*at) == Some(&false));
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
    if let Some(rank) = rank {
        let ranks = list("data").iter().filter_map(|row| row.entries().get(rank)?.number());
        let ranks: BTreeSet<u64> = ranks.map(f64::to_bits).collect();
        variables.retain(|(name, _)| name != "P");
        variables.insert(0, ("P".to_owned(), ranks.len().max(1) as f64));
    }
    let mut run = BenchmarkRun { name: String::new(), numbers: variables, place: PlaceInText::Entry(1) };
    for (row, number) in list("data").iter().zip(1..) {
        run.place = PlaceInText::Entry(number);
        let cells = row.entries();
        let node = path_column.and_then(|at| cells.get(at)).and_then(Json::number);
        run.name = match node.filter(|node| *node >= 0.0) {
            None => NO_REGION.to_owned(),
            Some(node) => paths.get(node as usize).cloned().ok_or_else(|| {
                let at = format!("entry {number} of `data`");
                fail(at, "the number of an entry of `nodes`", &Json::Number(node))
            })?,
        };
        let processor = rank.and_then(|rank| cells.get(rank)).and_then(Json::number);
        for (position, metric) in &numbers {
            let Some(value) = cells.get(*position).filter(|value| **value != Json::Null) else { continue };
            let at = || {
                format!("entry {number} of `data`, column `{}`", call_grammar::excerpt(&columns[*position]))
            };
            let value = value.number().ok_or_else(|| fail(at(), "a number", value))?;
            match processor {
                None => benchmarks.push(&run, *metric, &[value])?,
                Some(processor) => benchmarks.push_of(processor.max(0.0) as u32, &run, *metric, value)?,
            }
        }
    }
    if benchmarks.metrics.is_empty() {
        return Err(Error::NoResults { list: "data" });
    }
    benchmarks.metrics.import(FileFormat::Caliper, path_name, options)
}

/// The path of each node, whose parent stands before it.
fn paths(nodes: &[Json]) -> Result<Vec<String>, Error> {
    let mut paths: Vec<String> = Vec::with_capacity(nodes.len());
    let mut room = PathRoom::default();
    for (node, number) in nodes.iter().zip(1..) {
        let label = node.get("label").and_then(Json::word).unwrap_or_default();
        let parent = node.get("parent").and_then(Json::number).filter(|parent| *parent >= 0.0);
        let path = match parent.map(|parent| paths.get(parent as usize)) {
            None => label,
            Some(Some(caller)) => format!("{caller}->{label}"),
            Some(None) => {
                return Err(Error::Shape {
                    at: format!("entry {number} of `nodes`, key `parent`"),
                    expected: "the number of an entry before it",
                    found: "another one".to_owned(),
                });
            }
        };
        if !room.has_room_for(&path) {
            return Err(Error::Binary { place: PlaceInText::Entry(number), problem: TOO_LONG.to_owned() });
        }
        paths.push(path);
    }
    Ok(paths)
}
