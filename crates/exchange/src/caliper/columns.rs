//! What the columns of a table of Caliper are.

use std::collections::BTreeSet;

use call_trace::Unit;

use crate::json::Json;
use crate::metrics::{PathRoom, TOO_LONG};
use crate::{Error, PlaceInText};

/// The columns that say which process measured, and which thread of it.
const RANKS: &[&str] = &["mpi.rank", "rank"];
const THREADS: &[&str] = &["omp.thread.id", "pthread.id", "thread.id", "thread"];

/// The columns that hold call paths, the best one first; else one whose name has a word of them does.
const PATHS: &[&str] = &["path", "region", "function", "annotation"];

/// A column of values.
pub(super) struct MetricColumn {
    pub(super) position: usize,
    pub(super) name: String,
    pub(super) alias: Option<String>,
    pub(super) unit: Option<Unit>,
}

impl MetricColumn {
    /// Microseconds are what Caliper counted before it said a unit, but for names that say one.
    pub(super) fn default_unit(&self) -> Option<Unit> {
        let measured = self.name.rsplit('#').next().unwrap_or_default();
        matches!(measured, "time.duration" | "time.inclusive.duration").then_some(Unit::Microseconds)
    }
}

/// What the columns of a table are.
pub(super) struct Columns<'a> {
    pub(super) data: &'a [Json],
    pub(super) names: Vec<String>,
    pub(super) paths: Vec<String>,
    pub(super) path: Option<usize>,
    /// Those of ranks and threads.
    pub(super) of_locations: Vec<usize>,
    /// What tells rows of a call path apart besides.
    pub(super) others: Vec<usize>,
    pub(super) metrics: Vec<MetricColumn>,
}

impl<'a> Columns<'a> {
    pub(super) fn of(json: &'a Json) -> Result<Columns<'a>, Error> {
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
        let speaks = |word: &&str| nodes.iter().copied().find(|at| names[*at].contains(*word));
        let by_name = PATHS.iter().find_map(called).or_else(|| PATHS.iter().find_map(speaks));
        let path = by_name.or(nodes.first().copied());
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

    /// The rank and thread of a row; what it lacks is 0.
    pub(super) fn location(&self, row: &Json) -> Vec<u64> {
        // They are numbers, or nodes that numbers label.
        let number = |at: &usize| row.entries().get(*at).and_then(Json::number).unwrap_or(0.0);
        self.of_locations.iter().map(|at| number(at).max(0.0) as u64).collect()
    }

    /// All of them, in order.
    pub(super) fn locations(&self) -> Vec<Vec<u64>> {
        let all: BTreeSet<Vec<u64>> = self.data.iter().map(|row| self.location(row)).collect();
        all.into_iter().collect()
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
