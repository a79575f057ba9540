//! Files that are read together, as they lie in a folder.

use crate::cube::ProfileSet;
use crate::{Error, Imported, ReadOptions};

/// Files of a folder that one tool wrote and that are read together.
pub struct FileSet {
    folder: String,
    profiles: ProfileSet,
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
        let set = FileSet { folder: folder.to_owned(), profiles: ProfileSet::default() };
        (!profiles.is_empty()).then_some((set, profiles))
    }

    /// Adds the bytes of one of its files.
    ///
    /// # Errors
    /// If nothing can be made of it.
    pub fn push(&mut self, path: &str, bytes: &[u8], options: &ReadOptions) -> Result<(), Error> {
        if bytes.starts_with(b"\x1f\x8b") {
            return self.profiles.push_of_set(path, &crate::packed::gunzipped(bytes)?, options);
        }
        self.profiles.push_of_set(path, bytes, options)
    }

    /// What all of them say.
    ///
    /// # Errors
    /// If nothing can be made of them together.
    pub fn finish(self, options: &ReadOptions) -> Result<Imported, Error> {
        let name = self.folder.trim_end_matches('/');
        self.profiles.import(name, options)
    }
}
