use std::io;
use std::path::{Path, PathBuf};

use call_trace::ProcessorEvents;
use llac::{Circumstances, MachineFile, PageAnswers, Workspace};
use xdg::BaseDirectories;

use crate::{circumstances, page_server, write};

/// Files as the operating system names them, relative to the current folder.
pub struct Folder;

impl Workspace for Folder {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn io::Read>> {
        Ok(Box::new(std::fs::File::open(path)?))
    }

    fn write(&self, path: &str, contents: &[u8]) -> io::Result<()> {
        write::whole(Path::new(path), contents)
    }

    fn add(&self, path: &str, contents: &[u8]) -> io::Result<()> {
        write::new(Path::new(path), contents)
    }

    fn circumstances(&self) -> Circumstances {
        circumstances::now()
    }

    fn read_archive(&self, anchor: &str) -> Result<call_otf2::ArchiveContents, call_otf2::Error> {
        call_otf2::read(Path::new(anchor))
    }

    fn write_archive(
        &self,
        anchor: &str,
        recorded: &[ProcessorEvents],
    ) -> Result<Vec<call_otf2::ArchiveRemark>, call_otf2::Error> {
        call_otf2::write(Path::new(anchor), recorded)
    }

    fn folder(&self, path: &str) -> io::Result<Option<Vec<String>>> {
        if !Path::new(path).is_dir() {
            return Ok(None);
        }
        let mut found = Vec::new();
        files_below(Path::new(path), DEEPEST, &mut found)?;
        alphanumeric_sort::sort_str_slice(&mut found);
        Ok(Some(found))
    }

    fn open_page(&self, answers: &mut PageAnswers) -> io::Result<()> {
        page_server::serve(answers)
    }

    /// All `.toml` files of `$CALL_MACHINES`, else `$XDG_CONFIG_HOME/call/machines`, else `~/.config/call/machines`.
    fn machines(&self) -> io::Result<Vec<MachineFile>> {
        let Some(folder) = own_machines() else { return Ok(Vec::new()) };
        let is_named = std::env::var_os(VARIABLE).is_some_and(|value| !value.is_empty());
        // Who has no machines has no folder, unless it is named.
        if !is_named && !folder.exists() {
            return Ok(Vec::new());
        }
        let variable = if is_named { format!("${VARIABLE}, ") } else { String::new() };
        machines_in(&folder)
            .map_err(|error| io::Error::new(error.kind(), format!("{variable}{}: {error}", folder.display())))
    }

    /// A name that exists means itself, also if it has wildcards in it.
    fn matching(&self, pattern: &str) -> io::Result<Vec<String>> {
        if Path::new(pattern).exists() {
            return Ok(vec![pattern.to_owned()]);
        }
        let invalid = |error| io::Error::new(io::ErrorKind::InvalidInput, error);
        let mut found = Vec::new();
        for path in glob::glob(pattern).map_err(invalid)? {
            found.push(path.map_err(io::Error::from)?.display().to_string());
        }
        // `x.2` before `x.10`.
        alphanumeric_sort::sort_str_slice(&mut found);
        Ok(found)
    }
}

/// Folders in folders are looked through so far down.
const DEEPEST: usize = 8;
/// More files are no set of measurements.
const MOST_FILES: usize = 100_000;

/// Adds the files below a folder, without hidden ones; what links point to is none.
fn files_below(folder: &Path, depth: usize, found: &mut Vec<String>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let kind = entry.file_type()?;
        if kind.is_dir() && depth > 0 {
            files_below(&entry.path(), depth - 1, found)?;
        } else if !kind.is_dir() {
            found.push(entry.path().display().to_string());
        }
        if found.len() > MOST_FILES {
            let message = format!("there are more than {MOST_FILES} files below {}", folder.display());
            return Err(io::Error::other(message));
        }
    }
    Ok(())
}

/// The `.toml` files of a folder, sorted by path.
pub fn machines_in(folder: &Path) -> io::Result<Vec<MachineFile>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            files.push((path.display().to_string(), std::fs::read_to_string(&path)));
        }
    }
    files.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(files)
}

/// Names the folder of machines.
const VARIABLE: &str = "CALL_MACHINES";

/// Where the machines of the user are.
pub fn own_machines() -> Option<PathBuf> {
    let named = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
    named.or_else(|| Some(BaseDirectories::new().get_config_home()?.join("call/machines")))
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_in_names_sort_by_value() {
        let mut names = ["fft.call.10.dat", "fft.call.2.dat", "a.dat", "fft.call.0.dat"];
        alphanumeric_sort::sort_str_slice(&mut names);
        assert_eq!(names, ["a.dat", "fft.call.0.dat", "fft.call.2.dat", "fft.call.10.dat"]);
    }
}
