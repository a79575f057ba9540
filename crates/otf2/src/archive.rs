use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use call_trace::{Header, ProcessorEvents, Trace};

use crate::export::{CREATOR, export};
use crate::import::Importer;
use crate::library::{ArchiveReader, Writer};
use crate::{ArchiveContents, ArchiveRemark, Error};

/// Reads the archive with this anchor file: the events of each process of MPI that it has.
///
/// # Errors
/// If there is no archive, or what its events speak of cannot be read. Events that are missing are told in [`ArchiveContents::remarks`].
pub fn read(anchor: &Path) -> Result<ArchiveContents, Error> {
    let mut reader = ArchiveReader::open(anchor)?;
    let files = ArchiveFiles::of(anchor);
    files.check(&files.definitions).map_err(|problem| Error::Definitions { problem })?;
    // Each definition has some bytes of the file that they are in.
    let most = fs::metadata(&files.definitions).map_or(0, |file| file.len());
    let mut importer = Importer::new(reader.definitions(most)?)?;
    let locations = importer.locations();
    reader.select(&locations.iter().map(|(_, location)| *location).collect::<Vec<_>>())?;
    let has_local = locations.iter().any(|(_, location)| files.local(*location).exists());
    let mut events = Vec::new();
    for (processor, location) in &locations {
        let checked = [files.events(*location)].into_iter().chain(has_local.then(|| files.local(*location)));
        let problem = checked.into_iter().find_map(|file| files.check(&file).err());
        let read = |take: &mut dyn FnMut(_)| match problem {
            Some(problem) => (0, Some(problem)),
            None => reader.events(*location, take),
        };
        events.extend(importer.processor(*processor, *location, read));
    }
    if events.is_empty() {
        return Err(Error::NoProcess);
    }
    let program = anchor.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let header = Header { program, processors: locations.len() as u32, ..Header::default() };
    Ok(ArchiveContents { trace: Trace { header, events, ..Trace::default() }, remarks: importer.finish() })
}

/// The files of an archive.
struct ArchiveFiles {
    definitions: PathBuf,
    folder: PathBuf,
}

impl ArchiveFiles {
    fn of(anchor: &Path) -> ArchiveFiles {
        ArchiveFiles { definitions: anchor.with_extension("def"), folder: anchor.with_extension("") }
    }

    fn events(&self, location: u64) -> PathBuf {
        self.folder.join(format!("{location}.evt"))
    }

    /// What the numbers in its events mean, where they are its own.
    fn local(&self, location: u64) -> PathBuf {
        self.folder.join(format!("{location}.def"))
    }

    /// Why a file cannot be read. Of one that was cut libotf2 reads whatever its memory had before as the rest.
    fn check(&self, path: &Path) -> Result<(), String> {
        const END: [u8; 2] = [2, 1];
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let failed = |error: io::Error| format!("{name}: {error}");
        let mut file = fs::File::open(path).map_err(failed)?;
        let mut last = [0; END.len()];
        let is_whole = file.metadata().map_err(failed)?.len() >= END.len() as u64
            && file.seek(SeekFrom::End(-(END.len() as i64))).is_ok()
            && file.read_exact(&mut last).is_ok()
            && last == END;
        if is_whole { Ok(()) } else { Err(format!("the end of {name} is missing")) }
    }
}

/// Writes what the processors of a run did as an archive with this anchor file, `NAME.otf2`; the file `NAME.def` and the folder `NAME` come
/// beside it. All of it is there in the end, or nothing.
///
/// # Errors
/// If there is something of these names, it cannot be written, or the processors have no common clock.
pub fn write(anchor: &Path, recorded: &[ProcessorEvents]) -> Result<Vec<ArchiveRemark>, Error> {
    let name = anchor.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".otf2"));
    let name = name.filter(|name| !name.is_empty()).ok_or(Error::NoName)?;
    let folder = anchor.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let parts = [name.to_owned(), format!("{name}.def"), format!("{name}.otf2")];
    if let Some(path) =
        parts.iter().map(|part| folder.join(part)).find(|path| fs::symlink_metadata(path).is_ok())
    {
        return Err(Error::Exists { path });
    }
    let unwritable = |error: io::Error| Error::Unwritable { problem: error.to_string() };
    let temporary = tempfile::Builder::new().prefix(".otf2-").tempdir_in(folder).map_err(unwritable)?;
    let remarks = write_in(temporary.path(), name, recorded)?;
    let mut moved: Vec<PathBuf> = Vec::new();
    // The anchor comes last: what has one is whole.
    for part in &parts {
        let to = folder.join(part);
        if let Err(error) = fs::rename(temporary.path().join(part), &to) {
            for path in moved {
                drop(fs::rename(&path, temporary.path().join(path.file_name().unwrap_or_default())));
            }
            return Err(unwritable(error));
        }
        moved.push(to);
    }
    Ok(remarks)
}

fn write_in(folder: &Path, name: &str, recorded: &[ProcessorEvents]) -> Result<Vec<ArchiveRemark>, Error> {
    let mut writer = Writer::open(folder, name, CREATOR)?;
    let exported = export(recorded, |location, event| writer.event(location, event))?;
    let locations = exported.definitions.locations.iter();
    for (location, _) in locations.filter(|(_, its)| its.events == 0) {
        writer.begin(*location)?;
    }
    writer.definitions(&exported.definitions)?;
    writer.paradigm(crate::record::number::PARADIGM_MPI, exported.mpi)?;
    writer.machine(exported.machine, exported.machine)?;
    writer.structure(&exported.definitions)?;
    writer.close()?;
    Ok(exported.remarks)
}
