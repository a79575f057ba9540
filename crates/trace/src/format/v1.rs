//! Version 1: header lines `# key: value`, column names, rows, `# end rows=N`.

mod column;
mod experiment;
mod header;
mod row;
mod rows;
mod supersteps;
mod value;

use crate::lines::Lines;
use crate::{Error, Trace};

/// Reads what follows the first line.
pub(crate) fn read(mut lines: Lines) -> Result<Trace, Error> {
    let head = header::read(&mut lines)?;
    let (experiments, supersteps) = rows::read(&mut lines, &head)?;
    Ok(Trace { header: head.header, experiments, supersteps })
}
