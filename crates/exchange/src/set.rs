//! Files that are read together, as they lie in a folder.

use crate::criterion::{self, CriterionFolder};
use crate::cube::ProfileSet;
use crate::inclusive::make_inclusive;
use crate::read::refuse_unused;
use crate::{Error, Imported, ReadOptions};

/// Files of a folder that one tool wrote and that are read together.
pub struct FileSet {
    folder: String,
    files: Files,
}

enum Files {
    Profiles(Box<ProfileSet>),
    Criterion(CriterionFolder),
}

impl FileSet {
    /// What lies in a folder: a set, and which of the files belong to it. `paths` are all files below the folder, whose name they begin with.
    /// `None` if nothing there is known as a set.
    pub fn of(folder: &str, paths: &[String]) -> Option<(FileSet, Vec<String>)> {
        let is_profile = |path: &&String| {
            let below = path.strip_prefix(folder).unwrap_or(path).trim_start_matches('/');
            let mut parts = below.split('/');
            let (Some(_), Some(file), None) = (parts.next(), parts.next(), parts.next()) else {
                return false;
            };
            [".cubex", ".cube", ".cube.gz"].iter().any(|ending| file.ends_with(ending))
                && !file.starts_with('.')
        };
        let profiles: Vec<String> = paths.iter().filter(is_profile).cloned().collect();
        let results: Vec<String> = paths.iter().filter(|path| criterion::is_result(path)).cloned().collect();
        let set = |files: Files| FileSet { folder: folder.to_owned(), files };
        match (profiles.is_empty(), results.is_empty()) {
            (false, _) => Some((set(Files::Profiles(Box::default())), profiles)),
            (true, false) => Some((set(Files::Criterion(CriterionFolder::default())), results)),
            (true, true) => None,
        }
    }

    /// Adds the bytes of one of its files.
    ///
    /// # Errors
    /// If nothing can be made of it.
    pub fn push(&mut self, path: &str, bytes: &[u8], options: &ReadOptions) -> Result<(), Error> {
        match &mut self.files {
            Files::Criterion(folder) => folder.push(path, bytes),
            Files::Profiles(profiles) if bytes.starts_with(b"\x1f\x8b") => {
                profiles.push_of_set(path, &crate::packed::gunzipped(bytes)?, options)
            }
            Files::Profiles(profiles) => profiles.push_of_set(path, bytes, options),
        }
    }

    /// What all of them say.
    ///
    /// # Errors
    /// If nothing can be made of them together.
    pub fn finish(self, options: &ReadOptions) -> Result<Imported, Error> {
        let name = self.folder.trim_end_matches('/');
        let imported = match self.files {
            Files::Profiles(profiles) => profiles.import(name, options)?,
            Files::Criterion(folder) => folder.import(name, options)?,
        };
        refuse_unused(&imported, options)?;
        if options.is_inclusive { make_inclusive(imported) } else { Ok(imported) }
    }
}
