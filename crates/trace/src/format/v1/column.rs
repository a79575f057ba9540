use super::experiment::Declaration;
use crate::lines::excerpt;
use crate::{Error, field};

/// The column of the number of processors, which every experiment has.
pub(super) const PROCESSORS: &str = "P";

/// Reads the line of column names: `P` and the variables between fixed columns, which are known by their places, since a
/// variable may be called `processor` too.
pub(super) fn read_names(text: &[u8], line: u64, experiments: &[Declaration]) -> Result<Vec<String>, Error> {
    let fields: Vec<&[u8]> = field::all(text).collect();
    let [b"experiment", b"processor", columns @ .., b"time_s"] = fields.as_slice() else {
        return Err(Error::ColumnNames { line, text: excerpt(text) });
    };
    if columns.first() != Some(&PROCESSORS.as_bytes()) {
        return Err(Error::ColumnNames { line, text: excerpt(text) });
    }
    let mut names: Vec<String> = Vec::with_capacity(columns.len());
    for column in columns {
        let name = String::from_utf8_lossy(column).into_owned();
        if names.contains(&name) {
            return Err(Error::DuplicateColumn { line, name });
        }
        names.push(name);
    }
    for experiment in experiments {
        if let Some(variable) = experiment.variables.iter().find(|variable| !names.contains(variable)) {
            let (experiment, variable) = (experiment.name.clone(), variable.clone());
            return Err(Error::MissingColumn { line, experiment, variable });
        }
    }
    Ok(names)
}
