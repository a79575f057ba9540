//! Finds formulas for the kernels of a table and predicts the points that are held out:
//! `cargo run --release -p call-search --example extrapolate -- DATA.csv.gz OUT.jsonl`.
//!
//! The table has the columns dataset, split, kernel, metric, p1, v1, p2, v2, … (names and values of the parameters; empty where there
//! are fewer), measured, repetition, is_holdout. The kernels of a (dataset, split) are one program's and inform each other. Of each
//! (dataset, split, kernel, metric) the rows with is_holdout 0 are fitted, several at one point are repetitions, and each point of the others gets a line with its prediction and the bounds of
//! a 90 % interval, null where nothing can be predicted. Held-out rows may come without a value.
#![allow(clippy::print_stderr, clippy::disallowed_methods, reason = "a program")]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::time::Instant;

use call_search::{Measurements, Siblings};
use flate2::read::MultiGzDecoder;
use rayon::prelude::*;
use serde_json::{Value, json};

/// dataset, split, kernel and metric.
type Name = [String; 4];

#[derive(Default)]
struct Group {
    variables: Vec<String>,
    columns: Vec<Vec<f64>>,
    values: Vec<f64>,
    held_out: Vec<Vec<f64>>,
}

fn read(path: &str) -> Result<BTreeMap<Name, Group>, Box<dyn Error>> {
    let file = File::open(path).map_err(|error| format!("{path}: {error}"))?;
    let reader: Box<dyn Read> =
        if path.ends_with(".gz") { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    let mut table = csv::Reader::from_reader(reader);
    let header = table.headers()?.clone();
    let position = |name: &str| {
        header.iter().position(|column| column == name).ok_or_else(|| format!("{path}: no column `{name}`"))
    };
    let name = [position("dataset")?, position("split")?, position("kernel")?, position("metric")?];
    let (measured, is_holdout) = (position("measured")?, position("is_holdout")?);
    let parameters: Vec<(usize, usize)> = (1..)
        .map_while(|index| Some((position(&format!("p{index}")).ok()?, position(&format!("v{index}")).ok()?)))
        .collect();
    let mut groups: BTreeMap<Name, Group> = BTreeMap::new();
    for (number, row) in table.records().enumerate() {
        let row = row?;
        let number_at = |column: usize| -> Result<f64, String> {
            let text = row[column].trim();
            text.parse().map_err(|_| format!("{path}: row {}: `{text}` is no number", number + 1))
        };
        let group = groups.entry(name.map(|column| row[column].to_owned())).or_default();
        let used: Vec<&(usize, usize)> =
            parameters.iter().filter(|(_, value)| !row[*value].is_empty()).collect();
        if group.columns.is_empty() {
            group.variables = used.iter().map(|(name, _)| row[*name].to_owned()).collect();
            group.columns = vec![Vec::new(); used.len()];
        }
        let point = used.iter().map(|(_, value)| number_at(*value)).collect::<Result<Vec<f64>, _>>()?;
        if point.len() != group.columns.len() {
            return Err(format!(
                "{path}: row {} has another number of parameters than its group",
                number + 1
            )
            .into());
        }
        if &row[is_holdout] != "0" {
            if !group.held_out.contains(&point) {
                group.held_out.push(point);
            }
        } else {
            group.columns.iter_mut().zip(&point).for_each(|(column, value)| column.push(*value));
            group.values.push(number_at(measured)?);
        }
    }
    Ok(groups)
}

/// The lines of a program: kernels that inform each other.
fn predict(program: &[(&Name, &Group)]) -> String {
    let measurements = |(_, group): &(&Name, &Group)| {
        let columns: Vec<&[f64]> = group.columns.iter().map(Vec::as_slice).collect();
        Measurements::new(&group.variables, &columns, &group.values)
    };
    let siblings = Siblings::new(program.iter().map(measurements).collect());
    let mut lines = String::new();
    for (member, ([dataset, split, kernel, metric], group)) in program.iter().enumerate() {
        for point in &group.held_out {
            let prediction = siblings.predict(member, point, 0.9);
            let line: Value = json!({
                "dataset": dataset, "split": split, "kernel": kernel, "metric": metric, "coordinate": point,
                "predicted": prediction.value, "low": prediction.low, "high": prediction.high,
            });
            lines.push_str(&line.to_string());
            lines.push('\n');
        }
    }
    lines
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, input, output] = &arguments[..] else {
        return Err("usage: extrapolate DATA.csv.gz OUT.jsonl".into());
    };
    let groups = read(input)?;
    let start = Instant::now();
    let groups: Vec<(&Name, &Group)> = groups.iter().collect();
    let same_program = |left: &(&Name, &Group), right: &(&Name, &Group)| left.0[..2] == right.0[..2];
    let programs: Vec<&[(&Name, &Group)]> = groups.chunk_by(same_program).collect();
    let lines: Vec<String> = programs.par_iter().map(|program| predict(program)).collect();
    eprintln!(
        "{} kernels of {} programs in {:.3} s",
        groups.len(),
        programs.len(),
        start.elapsed().as_secs_f64()
    );
    let mut out = BufWriter::new(File::create(output)?);
    lines.iter().try_for_each(|lines| out.write_all(lines.as_bytes()))?;
    out.flush()?;
    Ok(())
}
