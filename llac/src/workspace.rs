use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, PoisonError};

use call_trace::ProcessorEvents;

/// The path of a machine file of the user and its text, or why it cannot be read.
pub type MachineFile = (String, io::Result<String>);

/// Answers what a page asks, both as JSON. The answer `{"ended": true}` ends the page.
pub type PageAnswers<'a> = dyn FnMut(&serde_json::Value) -> serde_json::Value + 'a;

/// When and where a session works.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Circumstances {
    /// The moment, in UTC: `2026-11-21T09:30:00Z`; empty where there is no clock.
    pub time: String,
    /// The same in nanoseconds since 1970; none where there is no clock.
    pub now_ns: Option<u64>,
    /// The name of the computer; empty if it is not known.
    pub host: String,
    /// The commit of the sources in the current folder, with a `+` behind it if they were changed since; none where there is none.
    pub commit: Option<String>,
    /// A word that no other call gives, on any computer.
    pub word: String,
}

/// The files that a session reads and writes, and the pages that it opens.
pub trait Workspace: Send + Sync {
    /// The bytes of a file.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// A file to be read piece by piece, from its start.
    fn open(&self, path: &str) -> io::Result<Box<dyn io::Read>> {
        Ok(Box::new(io::Cursor::new(self.read(path)?)))
    }

    /// Writes a file whole or not at all.
    fn write(&self, path: &str, contents: &[u8]) -> io::Result<()>;

    /// Writes a file whole or not at all under a name that nothing has, and makes its folder if there is none. Who reads the folder meanwhile
    /// sees either nothing of it or all of it.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if something has the name; then nothing is changed.
    fn add(&self, path: &str, contents: &[u8]) -> io::Result<()> {
        let _ = (path, contents);
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }

    /// When and where the session works.
    fn circumstances(&self) -> Circumstances {
        Circumstances::default()
    }

    /// Reads the archive of OTF2 with this anchor file.
    ///
    /// # Errors
    /// As those of [`call_otf2::read`]; where there are no folders, that.
    fn read_archive(&self, anchor: &str) -> Result<call_otf2::ArchiveContents, call_otf2::Error> {
        let _ = anchor;
        Err(call_otf2::Error::NoFolders)
    }

    /// Writes an archive of OTF2 with this anchor file, and says what it leaves out.
    ///
    /// # Errors
    /// As those of [`call_otf2::write`]; where there are no folders, that.
    fn write_archive(
        &self,
        anchor: &str,
        recorded: &[ProcessorEvents],
    ) -> Result<Vec<call_otf2::ArchiveRemark>, call_otf2::Error> {
        let _ = (anchor, recorded);
        Err(call_otf2::Error::NoFolders)
    }

    /// The files below a folder, without hidden ones, sorted; `None` if there is no folder of that name, or where there are none.
    ///
    /// # Errors
    /// Why they cannot be listed.
    fn folder(&self, path: &str) -> io::Result<Option<Vec<String>>> {
        let _ = path;
        Ok(None)
    }

    /// Lets the user work on the page that moves statements between constants, until the page ends or the user interrupts.
    ///
    /// # Errors
    /// Why there can be no page.
    fn open_page(&self, answers: &mut PageAnswers) -> io::Result<()> {
        let _ = answers;
        Err(io::Error::new(io::ErrorKind::Unsupported, "llac runs in a program that opens none"))
    }

    /// The machine files of the user, sorted by path.
    ///
    /// # Errors
    /// Why their folder cannot be read, with its name.
    fn machines(&self) -> io::Result<Vec<MachineFile>> {
        Ok(Vec::new())
    }

    /// The files that match a pattern with `*` and `?`, sorted; a name without them matches itself if it exists.
    fn matching(&self, pattern: &str) -> io::Result<Vec<String>>;
}

/// Files that exist in memory only, for tests and for callers without a file system.
#[derive(Debug, Default)]
pub struct MemoryWorkspace {
    files: Mutex<BTreeMap<String, Vec<u8>>>,
    machines: Vec<(String, String)>,
}

impl MemoryWorkspace {
    /// A workspace with these files.
    pub fn with<N: Into<String>, C: Into<Vec<u8>>>(
        files: impl IntoIterator<Item = (N, C)>,
    ) -> MemoryWorkspace {
        let files = files.into_iter().map(|(name, contents)| (name.into(), contents.into())).collect();
        MemoryWorkspace { files: Mutex::new(files), machines: Vec::new() }
    }

    /// The same with these machine files of the user.
    #[must_use]
    pub fn and_machines<N: Into<String>, T: Into<String>>(
        mut self,
        machines: impl IntoIterator<Item = (N, T)>,
    ) -> MemoryWorkspace {
        self.machines.extend(machines.into_iter().map(|(path, text)| (path.into(), text.into())));
        self.machines.sort();
        self
    }

    fn with_files<T>(&self, action: impl FnOnce(&mut BTreeMap<String, Vec<u8>>) -> T) -> T {
        action(&mut self.files.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Workspace for MemoryWorkspace {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.with_files(|files| files.get(path).cloned())
            .ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }

    fn write(&self, path: &str, contents: &[u8]) -> io::Result<()> {
        self.with_files(|files| files.insert(path.to_owned(), contents.to_owned()));
        Ok(())
    }

    fn add(&self, path: &str, contents: &[u8]) -> io::Result<()> {
        self.with_files(|files| match files.contains_key(path) {
            true => Err(io::Error::from(io::ErrorKind::AlreadyExists)),
            false => {
                files.insert(path.to_owned(), contents.to_owned());
                Ok(())
            }
        })
    }

    fn circumstances(&self) -> Circumstances {
        // What is added later finds more files.
        let files = self.with_files(|files| files.len());
        Circumstances { word: format!("{files:04}"), now_ns: Some(files as u64), ..Circumstances::default() }
    }

    fn folder(&self, path: &str) -> io::Result<Option<Vec<String>>> {
        let start = format!("{}/", path.trim_end_matches('/'));
        let files: Vec<String> =
            self.with_files(|files| files.keys().filter(|name| name.starts_with(&start)).cloned().collect());
        Ok((!files.is_empty()).then_some(files))
    }

    fn machines(&self) -> io::Result<Vec<MachineFile>> {
        Ok(self.machines.iter().map(|(path, text)| (path.clone(), Ok(text.clone()))).collect())
    }

    fn matching(&self, pattern: &str) -> io::Result<Vec<String>> {
        let pattern = glob::Pattern::new(pattern)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        let matches = |name: &&String| pattern.matches(name);
        Ok(self.with_files(|files| files.keys().filter(matches).cloned().collect()))
    }
}
