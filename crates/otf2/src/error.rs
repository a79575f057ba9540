use std::path::PathBuf;

/// Why an archive cannot be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Error {
    #[error("this llac was built without OTF2")]
    NotBuilt,
    #[error("archives of OTF2 are folders on a disk, of which there are none here")]
    NoFolders,
    #[error("this is no archive of OTF2 that can be read: {problem}")]
    Unreadable { problem: String },
    #[error("the definitions of the archive cannot be read: {problem}")]
    Definitions { problem: String },
    #[error("the archive does not say how long a tick of its clock is")]
    NoClock,
    #[error("no process in the archive has events")]
    NoProcess,
    #[error("no processor has recorded the events of an MPI program")]
    NoEvents,
    #[error("the clock of processor {processor} counts from its own start, and an archive has one clock")]
    OwnClock { processor: u32 },
    #[error("the name of an archive ends in .otf2")]
    NoName,
    #[error("{} is there already, and an archive replaces nothing", path.display())]
    Exists { path: PathBuf },
    #[error("the archive cannot be written: {problem}")]
    Unwritable { problem: String },
}

impl Error {
    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Error::NotBuilt => "built-without-otf2",
            Error::NoFolders => "no-folders",
            Error::Unreadable { .. } => "no-archive",
            Error::Definitions { .. } | Error::NoClock => "archive-definitions",
            Error::NoProcess => "no-processes",
            Error::NoEvents => "no-events",
            Error::OwnClock { .. } => "no-common-clock",
            Error::NoName => "archive-name",
            Error::Exists { .. } => "archive-exists",
            Error::Unwritable { .. } => "archive-not-written",
        }
    }

    /// What to do.
    pub fn cure(&self) -> Option<&'static str> {
        Some(match self {
            Error::NotBuilt => "install libopen-trace-format2-dev (Debian) and build again",
            Error::NoFolders | Error::NoProcess => return None,
            Error::Unreadable { .. } => "name the anchor file, beside which NAME.def and the folder NAME are",
            Error::Definitions { .. } | Error::NoClock => {
                "the file NAME.def beside the anchor was cut or changed: record again, or copy the whole archive"
            }
            Error::NoEvents => "run the program with CALL_EVENTS=1",
            Error::OwnClock { .. } => "record on one computer, or under SMPI",
            Error::NoName => "for example `waits to run.otf2`",
            Error::Exists { .. } => "choose another name, or remove the old archive",
            Error::Unwritable { .. } => "see whether the folder is there, and whether its disk has room",
        })
    }
}
