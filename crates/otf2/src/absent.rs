use std::path::Path;

use call_trace::ProcessorEvents;

use crate::{ArchiveContents, ArchiveRemark, Error};

/// Reads the archive with this anchor file.
///
/// # Errors
/// Always: libotf2 was not there when this was built.
pub fn read(_anchor: &Path) -> Result<ArchiveContents, Error> {
    Err(Error::NotBuilt)
}

/// Writes an archive with this anchor file.
///
/// # Errors
/// Always: libotf2 was not there when this was built.
pub fn write(_anchor: &Path, _recorded: &[ProcessorEvents]) -> Result<Vec<ArchiveRemark>, Error> {
    Err(Error::NotBuilt)
}
