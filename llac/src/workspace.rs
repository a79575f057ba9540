use std::collections::BTreeMap;
use std::io;

/// The files that a session reads and writes.
pub trait Workspace {
    /// The bytes of a file.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// Writes a file whole or not at all.
    fn write(&mut self, path: &str, contents: &[u8]) -> io::Result<()>;

    /// The files that match a pattern with `*` and `?`, sorted; a name without them matches itself if it exists.
    fn matching(&self, pattern: &str) -> io::Result<Vec<String>>;
}

/// Files that exist in memory only, for tests and for callers without a file system.
#[derive(Debug, Default)]
pub struct MemoryWorkspace {
    files: BTreeMap<String, Vec<u8>>,
}

impl MemoryWorkspace {
    /// A workspace with these files.
    pub fn with<N: Into<String>, C: Into<Vec<u8>>>(
        files: impl IntoIterator<Item = (N, C)>,
    ) -> MemoryWorkspace {
        MemoryWorkspace {
            files: files.into_iter().map(|(name, contents)| (name.into(), contents.into())).collect(),
        }
    }
}

impl Workspace for MemoryWorkspace {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.files.get(path).cloned().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }

    fn write(&mut self, path: &str, contents: &[u8]) -> io::Result<()> {
        self.files.insert(path.to_owned(), contents.to_owned());
        Ok(())
    }

    fn matching(&self, pattern: &str) -> io::Result<Vec<String>> {
        Ok(self.files.keys().filter(|name| matches(pattern.as_bytes(), name.as_bytes())).cloned().collect())
    }
}

fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => (0..=name.len()).any(|skipped| matches(rest, &name[skipped..])),
        ([b'?', pattern @ ..], [_, name @ ..]) => matches(pattern, name),
        ([first, pattern @ ..], [letter, name @ ..]) => first == letter && matches(pattern, name),
        _ => false,
    }
}
