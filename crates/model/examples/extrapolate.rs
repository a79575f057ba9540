//! Finds formulas for the groups of a table of measurements and predicts the held-out points.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods, reason = "a program")]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::time::Instant;

use call_model::search::{Finder, Measurements};
use flate2::read::MultiGzDecoder;
use rayon::prelude::*;
use serde_json::json;

#[derive(Default)]
struct Group {
    variables: Vec<String>,
    columns: Vec<Vec<f64>>,
    values: Vec<f64>,
    held_out: Vec<Vec<f64>>,
    measured: Vec<f64>,
}

type Name = [String; 4];

fn read(path: &str) -> Result<BTreeMap<Name, Group>, Box<dyn Error>> {
    let file = File::open(path)?;
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
    for row in table.records() {
        let row = row?;
        let group = groups.entry(name.map(|column| row[column].to_owned())).or_default();
        let used: Vec<_> = parameters.iter().filter(|(name, value)| !row[*name].is_empty() && !row[*value].is_empty()).collect();
        if group.variables.is_empty() {
            group.variables = used.iter().map(|(name, _)| row[*name].to_owned()).collect();
            group.columns = vec![Vec::new(); used.len()];
        }
        let point: Vec<f64> = used.iter().map(|(_, value)| row[*value].parse()).collect::<Result<_, _>>()?;
        if &row[is_holdout] == "1" {
            if !group.held_out.contains(&point) {
                group.held_out.push(point);
                group.measured.push(row[measured].parse().unwrap_or(f64::NAN));
            }
        } else {
            group.columns.iter_mut().zip(&point).for_each(|(column, value)| column.push(*value));
            group.values.push(row[measured].parse()?);
        }
    }
    Ok(groups)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, input, output, ..] = &arguments[..] else { return Err("usage: extrapolate DATA.csv.gz OUT.jsonl".into()) };
    let show = arguments.get(3);
    let groups: Vec<(Name, Group)> = read(input)?.into_iter().collect();
    let start = Instant::now();
    let lines: Vec<String> = groups
        .par_iter()
        .map(|(name, group)| {
            let columns: Vec<&[f64]> = group.columns.iter().map(Vec::as_slice).collect();
            let measurements = Measurements::new(&group.variables, &columns, &group.values);
            let t0=Instant::now(); let mut finder=Finder::default();
            let finding = finder.find(&measurements); let t1=Instant::now(); let finding2=finder.find(&measurements);let _=finding2.predict(&group.held_out[0],0.9);
            if std::env::var("TIME").is_ok() {println!("TIME {} {} {} {:.1} {:.1}",group.variables.len(),name[0],measurements.values().len(),1e6*(t1-t0).as_secs_f64(),1e6*t1.elapsed().as_secs_f64());}
            if show.is_some_and(|show| name.join(" ").contains(show.as_str())) {
                println!("{name:?} {:?} {:?}", measurements.values(), group.measured);
                for line in finding.describe().iter().take(12) {
                    println!("   {line}");
                }
                if let Some(p)=group.held_out.last() {println!("   -> {p:?} {:?}", finding.predict(p, 0.9));}
            }
            group
                .held_out
                .iter()
                .map(|point| {
                    let prediction = finding.predict(point, 0.9);
                    format!(
                        "{}\n",
                        json!({"dataset": name[0], "split": name[1], "kernel": name[2], "metric": name[3], "coordinate": point,
                            "predicted": prediction.value, "low": prediction.low, "high": prediction.high})
                    )
                })
                .collect()
        })
        .collect();
    eprintln!("{} groups, {:.3} s", groups.len(), start.elapsed().as_secs_f64());
    let mut out = BufWriter::new(File::create(output)?);
    for line in lines {
        out.write_all(line.as_bytes())?;
    }
    out.flush()?;
    Ok(())
}
