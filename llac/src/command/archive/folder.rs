//! The folder of an archive: files that are added and never changed, so that writers need no lock.

use std::collections::HashMap;

use call_exchange::ColumnarSamples;
use call_trace::Experiment;

use super::entry::Entry;
use crate::command::model_file::original_of;
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Error, Message, Session};

const ENTRY: &str = ".json";
const SAMPLES: &str = ".parquet";
/// So many names are tried; that one is taken is hardly possible.
const TRIES: usize = 100;
/// So many files that are passed over are named.
const FEW: usize = 5;

/// An archive.
pub struct ArchiveFolder<'a> {
    folder: &'a Word,
    session: &'a Session,
}

impl<'a> ArchiveFolder<'a> {
    pub fn at(folder: &'a Word, session: &'a Session) -> ArchiveFolder<'a> {
        ArchiveFolder { folder, session }
    }

    fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.folder.text.trim_end_matches('/'))
    }

    /// Adds an entry. Its samples are written first: until the entry has its name, nothing is in the archive.
    /// `word` makes its name one that nobody else gives.
    pub fn add(&self, mut entry: Entry, samples: Option<Vec<u8>>, word: &str) -> Result<(), Error> {
        let workspace = &self.session.workspace;
        let day: String = entry.about.time.chars().filter(char::is_ascii_alphanumeric).collect();
        let cannot_write = |error: std::io::Error| {
            let message = format!("cannot write into {}: {error}", self.folder.text);
            self.folder.error(code::CANNOT_WRITE, message)
        };
        for number in 0..TRIES {
            let stem = format!("{}-{day}-{word}-{number}", plain(entry.experiment()));
            let samples_name = format!("{stem}{SAMPLES}");
            let added = match &samples {
                Some(bytes) => workspace.add(&self.path(&samples_name), bytes),
                None => Ok(()),
            };
            entry.samples = samples.is_some().then_some(samples_name);
            entry.file = format!("{stem}{ENTRY}");
            let added =
                added.and_then(|()| workspace.add(&self.path(&entry.file), entry.to_text().as_bytes()));
            match added {
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                result => return result.map_err(cannot_write),
            }
        }
        Err(cannot_write(std::io::Error::from(std::io::ErrorKind::AlreadyExists)))
    }

    /// All entries in the order of their times; what is none is told.
    pub fn entries(&self, outcome: &mut CommandOutcome) -> Result<Vec<Entry>, Error> {
        let cannot_read = |why: String| {
            self.folder.error(code::CANNOT_READ, format!("cannot read {}: {why}", self.folder.text))
        };
        let files = self.session.workspace.folder(&self.folder.text);
        let files = files.map_err(|error| cannot_read(error.to_string()))?;
        let files = files.ok_or_else(|| {
            cannot_read("no such folder".to_owned()).help("`archive add f into FOLDER` makes one")
        })?;
        let mut entries: Vec<Entry> = Vec::new();
        let mut passed: Vec<String> = Vec::new();
        for path in files.iter().filter(|path| !path.ends_with(SAMPLES)) {
            match self.entry(path) {
                Ok(entry) => entries.push(entry),
                Err(why) => passed.push(format!("{path} is {why}")),
            }
        }
        let name = |path: &String| path.rsplit('/').next().unwrap_or_default().to_owned();
        let is_lonely = |path: &&String| {
            let stem = path.strip_suffix(SAMPLES);
            stem.is_some_and(|stem| !files.contains(&format!("{stem}{ENTRY}")))
                && !entries.iter().any(|entry| entry.samples.as_ref() == Some(&name(path)))
        };
        let lonely = files.iter().filter(is_lonely);
        passed
            .extend(lonely.map(|path| format!("{path} is samples without an entry: adding it did not end")));
        entries.sort_by(|one, other| one.order().cmp(&other.order()));
        // What is called the same may have been written otherwise.
        let mut newest: HashMap<String, String> = HashMap::new();
        for entry in &entries {
            let original = original_of(&entry.model).map(str::to_owned);
            newest.extend(original.map(|original| (entry.experiment().to_owned(), original)));
        }
        entries.retain(|entry| {
            let others = original_of(&entry.model)
                .and_then(|its| Some((its, newest.get(entry.experiment()).filter(|newest| *newest != its)?)));
            passed.extend(others.map(|(its, newest)| {
                let (file, name) = (&entry.file, entry.experiment());
                format!("{file} is of `{its}`, and the newest entry of `{name}` of `{newest}`")
            }));
            others.is_none()
        });
        tell_passed(&passed, outcome);
        Ok(entries)
    }

    fn entry(&self, path: &str) -> Result<Entry, String> {
        if !path.ends_with(ENTRY) {
            return Err("no file of an archive".to_owned());
        }
        let bytes = self.session.workspace.read(path).map_err(|error| format!("not to be read: {error}"))?;
        let text = String::from_utf8(bytes).map_err(|_| "no text".to_owned())?;
        Entry::read(path.rsplit('/').next().unwrap_or(path), &text)
    }

    /// The samples of an entry; none if it has none.
    pub fn samples(&self, entry: &Entry) -> Result<Option<Experiment>, String> {
        let Some(name) = &entry.samples else { return Ok(None) };
        let path = self.path(name);
        let bytes = self.session.workspace.read(&path).map_err(|error| format!("{path}: {error}"))?;
        let found = ColumnarSamples::read(&bytes).map_err(|error| format!("{path}: {error}"))?;
        let own = found.experiments.into_iter().find(|its| its.name == entry.experiment());
        own.map(Some).ok_or_else(|| format!("{path} has no samples of `{}`", entry.experiment()))
    }
}

fn tell_passed(passed: &[String], outcome: &mut CommandOutcome) {
    outcome.warnings.extend(
        passed.iter().take(FEW).map(|text| Message::new("passed-over", format!("{text}; it is passed over"))),
    );
    if passed.len() > FEW {
        let text = format!("{} more files are passed over", passed.len() - FEW);
        outcome.warnings.push(Message::new("passed-over", text).with(serde_json::json!({ "files": passed })));
    }
}

/// A name that any file system takes.
fn plain(name: &str) -> String {
    const LONGEST: usize = 40;
    let plain = |it: char| if it.is_ascii_alphanumeric() || it == '_' { it } else { '-' };
    name.chars().take(LONGEST).map(plain).collect()
}
