use call_trace::Samples;

use super::{counter, counters, number, variables};
use crate::roles::{COUNT, COUNTER, PROCESSOR};

/// Writes samples as a table with commas: `experiment`, `processor`, `P`, the variables of all experiments, `time_s`, and, if
/// there are any, the number of measurements behind each sample and `counter:NAME`. Fields of what an experiment does not
/// have are empty. Runs are not told apart. [`read`](crate::read) gives the same samples back.
pub fn write_csv(experiments: &[(&str, &Samples)]) -> String {
    let (variables, counters) = (variables(experiments), counters(experiments));
    let has_counts = experiments.iter().any(|(_, samples)| !samples.count.is_empty());
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut row: Vec<String> = vec!["experiment".to_owned(), PROCESSOR.to_owned()];
    row.extend(variables.iter().map(|name| (*name).to_owned()));
    row.push("time_s".to_owned());
    row.extend(has_counts.then(|| COUNT.to_owned()));
    row.extend(counters.iter().map(|name| format!("{COUNTER}{name}")));
    // Writing to memory does not fail.
    let mut write = |row: &[String]| drop(writer.write_record(row));
    write(&row);
    for (name, samples) in experiments {
        let columns: Vec<Option<&[f64]>> = variables.iter().map(|name| samples.column(name)).collect();
        let counted: Vec<Option<&[f64]>> = counters.iter().map(|name| counter(samples, name)).collect();
        let field = |column: &Option<&[f64]>, index: usize| {
            column.map_or_else(String::new, |column| number(column[index]))
        };
        for index in 0..samples.len() {
            row.clear();
            row.push((*name).to_owned());
            row.push(samples.processor[index].to_string());
            row.extend(columns.iter().map(|column| field(column, index)));
            row.push(number(samples.time_s[index]));
            row.extend(has_counts.then(|| samples.count_of(index).to_string()));
            row.extend(counted.iter().map(|column| field(column, index)));
            write(&row);
        }
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}
