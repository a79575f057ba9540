//! `json-split` of Caliper: a table whose columns are values or numbers of nodes, and a tree of those. One column of nodes holds call paths.

use std::collections::{BTreeSet, HashMap};

use call_trace::Unit;

use crate::benchmarks::{BenchmarkRun, Benchmarks};
use crate::heading::is_moment;
use crate::json::Json;
use crate::metrics::{NO_REGION, PathRoom, TOO_LONG};
use crate::quantity::words;
use crate::response_name::time_name;
use crate::{Error, FileFormat, Imported, LeftOutReason, Note, PlaceInText, ReadOptions, cube};

/// Whether an object is such a table.
pub(crate) fn is_caliper(json: &Json) -> bool {
    ["data", "columns", "column_metadata", "nodes"]
        .iter()
        .all(|key| matches!(json.get(key), Some(Json::List(_))))
}

/// The columns that say which process measured, and which thread of it.
const RANKS: &[&str] = &["mpi.rank", "rank"];
const THREADS: &[&str] = &["omp.thread.id", "pthread.id", "thread.id", "thread"];

/// The columns that hold call paths, the best one first; else one whose name has a word of them does.
const PATHS: &[&str] = &["path", "region", "function", "annotation"];

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
        match (&metric.unit, columns.default_unit(metric)) {
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

/// How values of several rows become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Combination {
    Sum,
    Least,
    Most,
    /// A sum over nodes side by side; else parts may be in one another.
    Inclusive,
    /// Means and shares of parts are none of the whole.
    None,
}

impl Combination {
    fn of(metric: &str) -> Combination {
        let words = words(metric);
        let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
        match () {
            () if has(&["min", "minimum"]) => Combination::Least,
            () if has(&["max", "maximum"]) => Combination::Most,
            () if has(&["avg", "average", "mean", "percent", "ratio", "rate", "variance"]) => {
                Combination::None
            }
            () if metric.contains('%') => Combination::None,
            () if has(&["inclusive"]) => Combination::Inclusive,
            () => Combination::Sum,
        }
    }

    fn combined(self, one: f64, other: f64) -> f64 {
        match self {
            Combination::Least => one.min(other),
            Combination::Most => one.max(other),
            Combination::Sum | Combination::Inclusive | Combination::None => one + other,
        }
    }
}

/// A column of values.
struct MetricColumn {
    position: usize,
    name: String,
    alias: Option<String>,
    unit: Option<Unit>,
}

/// What the columns of a table are.
struct Columns<'a> {
    data: &'a [Json],
    names: Vec<String>,
    paths: Vec<String>,
    path: Option<usize>,
    /// Those of ranks and threads.
    of_locations: Vec<usize>,
    /// What tells rows of a call path apart besides.
    others: Vec<usize>,
    metrics: Vec<MetricColumn>,
}

impl<'a> Columns<'a> {
    fn of(json: &'a Json) -> Result<Columns<'a>, Error> {
        let list = |key: &str| json.get(key).map_or(&[] as &[Json], Json::entries);
        let names: Vec<String> = list("columns").iter().map(|name| name.word().unwrap_or_default()).collect();
        let metadata = list("column_metadata");
        let is_value =
            |at: &usize| metadata.get(*at).and_then(|of| of.get("is_value")) == Some(&Json::Bool(true));
        let named = |wanted: &[&str]| names.iter().position(|name| wanted.contains(&name.as_str()));
        let of_locations: Vec<usize> = [named(RANKS), named(THREADS)].into_iter().flatten().collect();
        let nodes: Vec<usize> =
            (0..names.len()).filter(|at| !is_value(at) && !of_locations.contains(at)).collect();
        let called = |name: &&str| nodes.iter().copied().find(|at| names[*at] == **name);
        let speaks = || nodes.iter().copied().find(|at| PATHS.iter().any(|path| names[*at].contains(path)));
        let path = PATHS.iter().find_map(|name| called(&name)).or_else(speaks).or(nodes.first().copied());
        let is_iteration = |at: &usize| names[*at].starts_with("iteration#");
        let others = (0..names.len()).filter(|at| {
            !of_locations.contains(at) && Some(*at) != path && (!is_value(at) || is_iteration(at))
        });
        let others = others.collect();
        let is_metric = |at: &usize| is_value(at) && !of_locations.contains(at) && !is_iteration(at);
        let metric = |position: usize| {
            let said = |key: &str| metadata[position].get(key).and_then(Json::text);
            MetricColumn {
                position,
                name: names[position].clone(),
                alias: said("attribute.alias").map(str::to_owned),
                unit: said("attribute.unit").or_else(|| said("unit")).and_then(Unit::named),
            }
        };
        let metrics = (0..names.len()).filter(is_metric).map(metric).collect();
        let paths = paths(list("nodes"))?;
        Ok(Columns { data: list("data"), names, paths, path, of_locations, others, metrics })
    }

    /// Microseconds are what Caliper counted before it said a unit, but for names that say one.
    fn default_unit(&self, metric: &MetricColumn) -> Option<Unit> {
        let measured = metric.name.rsplit('#').next().unwrap_or_default();
        let is_duration = matches!(measured, "time.duration" | "time.inclusive.duration");
        is_duration.then_some(Unit::Microseconds)
    }

    /// The rank and thread of a row; what it lacks is 0.
    fn location(&self, row: &Json) -> Vec<u64> {
        // They are numbers, or nodes that numbers label.
        let number = |at: &usize| row.entries().get(*at).and_then(Json::number).unwrap_or(0.0);
        self.of_locations.iter().map(|at| number(at).max(0.0) as u64).collect()
    }

    /// All of them, in order.
    fn locations(&self) -> Vec<Vec<u64>> {
        let all: BTreeSet<Vec<u64>> = self.data.iter().map(|row| self.location(row)).collect();
        all.into_iter().collect()
    }
}

/// A call path on a location.
struct SummedRow {
    path: String,
    place: PlaceInText,
    processor: Option<u32>,
    /// Of each metric.
    values: Vec<Option<f64>>,
    /// The row that it began with.
    first: usize,
}

/// The rows of a table, those of one call path and location as one.
struct SummedRows {
    rows: Vec<SummedRow>,
    /// For each metric how values were put together, if any were.
    combined: Vec<Option<Combination>>,
    /// The columns in which rows of one call path and location differ.
    differing: BTreeSet<usize>,
}

impl SummedRows {
    fn of(columns: &Columns, locations: &[Vec<u64>]) -> Result<SummedRows, Error> {
        let fail = |at: String, expected: &'static str, found: &Json| Error::Shape {
            at,
            expected,
            found: found.kind().to_owned(),
        };
        let mut summed = SummedRows {
            rows: Vec::new(),
            combined: vec![None; columns.metrics.len()],
            differing: BTreeSet::new(),
        };
        let mut position_of: HashMap<(String, Option<u32>), usize> = HashMap::new();
        for (index, row) in columns.data.iter().enumerate() {
            let number = index as u64 + 1;
            let cells = row.entries();
            let node = columns.path.and_then(|at| cells.get(at)).and_then(Json::number);
            let path = match node.filter(|node| *node >= 0.0) {
                None => NO_REGION.to_owned(),
                Some(node) => columns.paths.get(node as usize).cloned().ok_or_else(|| {
                    let at = format!("entry {number} of `data`");
                    fail(at, "the number of an entry of `nodes`", &Json::Number(node))
                })?,
            };
            let location = columns.location(row);
            let processor = locations.binary_search(&location).ok().map(|at| at as u32);
            let processor = processor.filter(|_| !columns.of_locations.is_empty());
            let mut values = Vec::with_capacity(columns.metrics.len());
            for metric in &columns.metrics {
                let cell = cells.get(metric.position).filter(|value| **value != Json::Null);
                let at =
                    || format!("entry {number} of `data`, column `{}`", call_grammar::excerpt(&metric.name));
                let value = |cell: &Json| cell.number().ok_or_else(|| fail(at(), "a number", cell));
                values.push(cell.map(value).transpose()?);
            }
            if values.iter().all(Option::is_none) {
                continue;
            }
            let at = *position_of.entry((path.clone(), processor)).or_insert(summed.rows.len());
            if at == summed.rows.len() {
                let place = PlaceInText::Entry(number);
                summed.rows.push(SummedRow { path, place, processor, values, first: index });
            } else {
                summed.add(at, columns, cells, &values);
            }
        }
        Ok(summed)
    }

    /// Adds a row to one of the same call path and location.
    fn add(&mut self, at: usize, columns: &Columns, cells: &[Json], values: &[Option<f64>]) {
        let known = &mut self.rows[at];
        let first = columns.data[known.first].entries();
        self.differing.extend(columns.others.iter().filter(|at| first.get(**at) != cells.get(**at)));
        for (position, (known, value)) in known.values.iter_mut().zip(values).enumerate() {
            *known = match (*known, *value) {
                (Some(one), Some(other)) => {
                    let kind = Combination::of(&columns.metrics[position].name);
                    self.combined[position] = Some(kind);
                    Some(kind.combined(one, other))
                }
                (one, other) => one.or(other),
            };
        }
    }

    fn kinds(&self) -> Vec<Option<Combination>> {
        let kind = |kind: Combination| match kind {
            Combination::Inclusive if self.differing.is_empty() => Combination::Sum,
            Combination::Inclusive => Combination::None,
            kind => kind,
        };
        self.combined.iter().map(|combined| combined.map(kind)).collect()
    }

    /// What is to be told of metrics that were put together.
    fn note(&self, columns: &Columns) -> Option<Note> {
        let kinds = self.kinds();
        let is_sum = |at: &usize| kinds[*at] == Some(Combination::Sum);
        let name = |at: usize| {
            let metric = &columns.metrics[at];
            metric.alias.clone().unwrap_or_else(|| metric.name.clone())
        };
        let metrics: Vec<String> = (0..self.combined.len()).filter(is_sum).map(name).collect();
        let over: Vec<String> = self.differing.iter().map(|at| columns.names[*at].clone()).collect();
        let over = if over.is_empty() { vec!["nodes".to_owned()] } else { over };
        (!metrics.is_empty()).then_some(Note::Summed { metrics, over })
    }
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
