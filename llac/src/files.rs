use std::io;
use std::path::Path;

use llac::Workspace;

/// Files as the operating system names them, relative to the current folder.
pub struct Folder;

impl Workspace for Folder {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn io::Read>> {
        Ok(Box::new(std::fs::File::open(path)?))
    }

    /// Writes beside the file and renames, so that a full disk leaves no half a file.
    fn write(&self, path: &str, contents: &[u8]) -> io::Result<()> {
        let temporary = format!("{path}.{}.tmp", std::process::id());
        let result = std::fs::write(&temporary, contents).and_then(|()| std::fs::rename(&temporary, path));
        if result.is_err() {
            // It may not exist; the first error is the one to tell.
            let _ = std::fs::remove_file(&temporary);
        }
        result
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
        found.sort_by_key(|name| natural(name));
        Ok(found)
    }
}

/// `x.2` before `x.10`: digits count as numbers.
fn natural(name: &str) -> Vec<(String, u64)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (text, tail) = rest.split_at(digits);
        let end = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
        let (number, tail) = tail.split_at(end);
        parts.push((text.to_owned(), number.parse().unwrap_or(u64::MAX)));
        rest = tail;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_sort_by_value() {
        let mut names = ["fft.call.10.dat", "fft.call.2.dat", "a.dat", "fft.call.0.dat"];
        names.sort_by_key(|name| natural(name));
        assert_eq!(names, ["a.dat", "fft.call.0.dat", "fft.call.2.dat", "fft.call.10.dat"]);
    }
}
