//! What `call-runtime-hot.c` writes, and the lines of its addresses.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A line of a program; no file where the program does not tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampledLine {
    pub file: Option<PathBuf>,
    pub line: u32,
}

/// An address in a file of machine code.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    object: PathBuf,
    offset: u64,
}

#[derive(Default)]
pub struct StackSamples {
    pub count: usize,
    pub lost: u64,
    /// Stacks, the innermost address first, with how often each was seen.
    pub stacks: BTreeMap<Vec<Address>, usize>,
    /// The line of each address; of code that was inlined those that it was inlined in behind it.
    pub lines: HashMap<Address, Vec<SampledLine>>,
    nanoseconds: u64,
    computed_ns: u64,
}

/// A part of a process that is executed.
struct Object {
    bias: u64,
    first: u64,
    end: u64,
    path: PathBuf,
}

impl StackSamples {
    /// Reads all files of a folder.
    pub fn read(folder: &Path) -> Result<StackSamples, String> {
        let unreadable =
            |path: &Path, error: std::io::Error| format!("cannot read {}: {error}", path.display());
        let mut samples = StackSamples::default();
        let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, error))?;
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "objects")) {
            let text = fs::read_to_string(path).map_err(|error| unreadable(path, error))?;
            let stacks = path.with_extension("");
            let bytes = fs::read(&stacks).map_err(|error| unreadable(&stacks, error))?;
            samples.add(&text, &bytes);
        }
        samples.find_lines(folder)?;
        Ok(samples)
    }

    /// The part of the time that taking samples took.
    pub fn cost(&self) -> f64 {
        self.nanoseconds as f64 / self.computed_ns.max(1) as f64
    }

    /// Those of a process.
    fn add(&mut self, objects: &str, bytes: &[u8]) {
        let mut known = Vec::new();
        for line in objects.lines() {
            let words: Vec<&str> = line.splitn(5, ' ').collect();
            let hex = |position: usize| u64::from_str_radix(words.get(position).unwrap_or(&""), 16).ok();
            match words[0] {
                "object" => {
                    if let (Some(bias), Some(first), Some(end), Some(path)) =
                        (hex(1), hex(2), hex(3), words.get(4))
                    {
                        known.push(Object { bias, first, end, path: PathBuf::from(path) });
                    }
                }
                "cost" => {
                    let number = |position: usize| {
                        words.get(position).and_then(|word| word.parse().ok()).unwrap_or(0u64)
                    };
                    self.nanoseconds += number(2);
                    self.lost += number(3);
                    self.computed_ns += number(4);
                }
                _ => {}
            }
        }
        let mut words =
            bytes.chunks_exact(8).map(|word| u64::from_ne_bytes(word.try_into().unwrap_or_default()));
        while let Some(count) = words.next() {
            let addresses: Vec<u64> = words.by_ref().take(count as usize).collect();
            // A process that was killed may have left a part of its last sample.
            if addresses.len() as u64 != count {
                break;
            }
            let address = |(position, address): (usize, &u64)| {
                let object = known.iter().find(|its| (its.first..its.end).contains(address))?;
                // Further out it is where a call returns to, which may be the next line.
                let at = address - u64::from(position > 0);
                Some(Address { object: object.path.clone(), offset: at.wrapping_sub(object.bias) })
            };
            let stack = addresses.iter().enumerate().filter_map(address).collect();
            *self.stacks.entry(stack).or_insert(0) += 1;
            self.count += 1;
        }
    }

    fn find_lines(&mut self, folder: &Path) -> Result<(), String> {
        let mut by_object: BTreeMap<&Path, BTreeSet<u64>> = BTreeMap::new();
        for address in self.stacks.keys().flatten() {
            by_object.entry(&address.object).or_default().insert(address.offset);
        }
        let mut lines = HashMap::new();
        for (object, offsets) in by_object {
            // Such as the kernel's page, which is no file.
            if !object.is_file() {
                continue;
            }
            let found = addr2line(object, &offsets, folder)?;
            lines.extend(
                found
                    .into_iter()
                    .map(|(offset, lines)| (Address { object: object.to_owned(), offset }, lines)),
            );
        }
        self.lines = lines;
        Ok(())
    }
}

/// Asks addr2line for the lines of addresses in a file.
fn addr2line(
    object: &Path,
    offsets: &BTreeSet<u64>,
    folder: &Path,
) -> Result<Vec<(u64, Vec<SampledLine>)>, String> {
    let asked = folder.join("addresses");
    let write = || -> std::io::Result<File> {
        let mut file = BufWriter::new(File::create(&asked)?);
        offsets.iter().try_for_each(|offset| writeln!(file, "{offset:#x}"))?;
        file.flush()?;
        File::open(&asked)
    };
    let input = write().map_err(|error| format!("cannot write {}: {error}", asked.display()))?;
    let output = Command::new("addr2line")
        .args(["-a", "-i", "-e"])
        .arg(object)
        .stdin(input)
        .output()
        .map_err(|error| format!("cannot run addr2line: {error}"))?;
    Ok(told(&String::from_utf8_lossy(&output.stdout)))
}

/// `0x0000000000001149`, then lines `FILE:LINE`.
fn told(text: &str) -> Vec<(u64, Vec<SampledLine>)> {
    let mut found: Vec<(u64, Vec<SampledLine>)> = Vec::new();
    for line in text.lines() {
        let address = line.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
        match (address, found.last_mut()) {
            (Some(address), _) => found.push((address, Vec::new())),
            (None, Some((_, lines))) => lines.extend(source_line(line)),
            (None, None) => {}
        }
    }
    found
}

fn source_line(text: &str) -> Option<SampledLine> {
    let text = text.split_once(" (discriminator").map_or(text, |(before, _)| before);
    let (file, line) = text.rsplit_once(':')?;
    let line = line.parse().ok()?;
    let path = PathBuf::from(file);
    let file = (!file.starts_with("??")).then(|| path.canonicalize().unwrap_or(path));
    Some(SampledLine { file, line })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_addr2line_tells() {
        let text = "0x0000000000001149\n/no/such/a.c:12 (discriminator 3)\n/no/such/b.c:40\n0x0000000000002000\n??:0\n??:?\n";
        let line = |file: &str, line| SampledLine { file: Some(PathBuf::from(file)), line };
        assert_eq!(
            told(text),
            [
                (0x1149, vec![line("/no/such/a.c", 12), line("/no/such/b.c", 40)]),
                (0x2000, vec![SampledLine { file: None, line: 0 }]),
            ]
        );
    }

    #[test]
    fn stacks_of_a_process() {
        let objects = "object 1000 1000 2000 /bin/a b\nobject 0 5000 6000 /lib/c\ncost 2 900 1 8000\n";
        let words: [u64; 8] = [2, 0x1010, 0x5020, 3, 0x1010, 0x9999, 0x5021, 7];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let mut samples = StackSamples::default();
        samples.add(objects, &bytes);
        let address = |object: &str, offset| Address { object: PathBuf::from(object), offset };
        assert_eq!((samples.count, samples.lost, samples.nanoseconds), (2, 1, 900));
        let stacks: Vec<_> = samples.stacks.into_iter().collect();
        assert_eq!(
            stacks,
            [
                (vec![address("/bin/a b", 0x10), address("/lib/c", 0x501f)], 1),
                (vec![address("/bin/a b", 0x10), address("/lib/c", 0x5020)], 1),
            ]
        );
    }
}
