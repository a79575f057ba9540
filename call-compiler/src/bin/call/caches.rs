//! The caches that `call run --misses` lets valgrind's callgrind simulate.

use std::fs;
use std::path::Path;

use call_grammar::counted;

/// A cache for data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataCache {
    pub bytes: u64,
    pub ways: u64,
    pub line_bytes: u64,
}

/// Where Linux tells of the caches of the first processor.
const OF_SYSTEM: &str = "/sys/devices/system/cpu/cpu0/cache";
/// As valgrind has it where nothing is known.
const WAYS: u64 = 8;
const LINE_BYTES: u64 = 64;

impl DataCache {
    /// `32K/8`; the ways may be left out.
    fn parse(text: &str) -> Result<DataCache, String> {
        let wrong = || {
            format!(
                "--caches: `{text}` is no cache: bytes with K or M and, behind a slash, ways, such as 32K/8"
            )
        };
        let (size, ways) = text.split_once('/').map_or((text, None), |(size, ways)| (size, Some(ways)));
        let bytes = bytes(size.trim()).ok_or_else(wrong)?;
        let ways = ways.map_or(Some(WAYS), |ways| ways.trim().parse().ok()).ok_or_else(wrong)?;
        DataCache { bytes, ways, line_bytes: LINE_BYTES }.rounded().ok_or_else(wrong)
    }

    /// Callgrind wants a power of two of sets: with more or fewer ways any whole number of lines has that, as valgrind does with the last
    /// level. `None` if there is not even one set.
    fn rounded(self) -> Option<DataCache> {
        let DataCache { bytes, ways, line_bytes } = self;
        let sets = bytes.checked_div(line_bytes.checked_mul(ways)?)?;
        let sets = if sets == 0 { return None } else { 1 << sets.ilog2() };
        let ways = bytes / (line_bytes * sets);
        Some(DataCache { bytes: sets * ways * line_bytes, ways, line_bytes })
    }

    /// As options of callgrind say it.
    fn option(self) -> String {
        format!("{},{},{}", self.bytes, self.ways, self.line_bytes)
    }
}

/// `32K`, `1M`, `4096`.
fn bytes(text: &str) -> Option<u64> {
    let text = text.strip_suffix('B').unwrap_or(text).trim_end_matches('i');
    let (number, unit) = match text.strip_suffix(['K', 'k']) {
        Some(number) => (number, 1 << 10),
        None => text.strip_suffix(['M', 'm']).map_or((text, 1), |number| (number, 1 << 20)),
    };
    number.parse::<u64>().ok()?.checked_mul(unit)
}

/// The caches of a run from the first level on, two at least.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caches(Vec<DataCache>);

impl Caches {
    /// Those that the user names, or else those of this computer.
    pub fn new(wanted: Option<&str>) -> Result<Caches, String> {
        let found = match wanted {
            Some(text) => {
                text.split(',').map(|text| DataCache::parse(text.trim())).collect::<Result<_, _>>()?
            }
            None => of_system(Path::new(OF_SYSTEM)),
        };
        match (found.len(), wanted) {
            (2.., _) => Ok(Caches(found)),
            (count, Some(_)) => {
                Err(format!("--caches: {} is too few: callgrind simulates two", counted(count, "level")))
            }
            (_, None) => {
                Err("this computer does not tell its caches: name them, such as --caches 32K/8,1M/16,32M/16"
                    .to_owned())
            }
        }
    }

    /// What experiments count: the misses of the first level, which formulas describe, those of the others, accesses, instructions.
    pub fn counters(&self) -> Vec<String> {
        let misses = (1..=self.0.len()).map(|level| format!("L{level}-misses"));
        misses.chain(["data-accesses".to_owned(), "instructions".to_owned()]).collect()
    }

    /// Callgrind simulates a first level and a last one: a simulation for each level that can be the last, with its options and its description.
    pub fn simulations(&self) -> impl Iterator<Item = (String, String)> {
        let first = self.0[0];
        (2..).zip(&self.0[1..]).map(move |(level, last)| {
            let options = format!("--I1={} --D1={} --LL={}", first.option(), first.option(), last.option());
            let described =
                |level: usize, cache: DataCache| format!("L{level} {}", cache.option().replace(',', "/"));
            (options, format!("{}, {}", described(1, first), described(level, *last)))
        })
    }
}

/// What the system tells of caches that hold data, in the order of their levels.
fn of_system(folder: &Path) -> Vec<DataCache> {
    let caches = (0..16).map_while(|index| {
        let word = |name: &str| {
            let text = fs::read_to_string(folder.join(format!("index{index}/{name}"))).ok()?;
            Some(text.trim().to_owned())
        };
        let kind = word("type")?;
        let number = |name: &str, otherwise: u64| {
            word(name).and_then(|text| text.parse().ok()).filter(|number| *number > 0).unwrap_or(otherwise)
        };
        let cache = word("size").and_then(|size| bytes(&size)).and_then(|bytes| {
            let (ways, line_bytes) =
                (number("ways_of_associativity", WAYS), number("coherency_line_size", LINE_BYTES));
            DataCache { bytes, ways, line_bytes }.rounded()
        });
        Some(cache.filter(|_| kind != "Instruction"))
    });
    caches.flatten().collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that meets an error has failed")]

    use super::*;

    #[test]
    fn caches_are_read_as_they_are_written() {
        let caches = Caches::new(Some("32K/8, 1M/16,33M/11")).unwrap();
        // 33 MiB in 11 ways are 49152 sets: 32768 sets of 16 ways and a half are not to be had, 16 of them are.
        let told: Vec<String> = caches.simulations().map(|(_, described)| described).collect();
        assert_eq!(told, ["L1 32768/8/64, L2 1048576/16/64", "L1 32768/8/64, L3 33554432/16/64"]);
        let (options, _) = caches.simulations().next().unwrap();
        assert_eq!(options, "--I1=32768,8,64 --D1=32768,8,64 --LL=1048576,16,64");
        assert_eq!(
            caches.counters(),
            ["L1-misses", "L2-misses", "L3-misses", "data-accesses", "instructions"]
        );
        assert_eq!(DataCache::parse("48KiB").unwrap().ways, 12);
    }

    #[test]
    fn what_is_no_cache_is_refused() {
        for wrong in ["", "32K", "32K/8,", "32Q/8,1M/8", "32K/0,1M", "32/8,1M", "99999999999999999999,1M"] {
            assert!(Caches::new(Some(wrong)).unwrap_err().starts_with("--caches: "), "{wrong}");
        }
    }

    #[test]
    fn caches_of_instructions_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let told = [
            ("Data", "48K", "12"),
            ("Instruction", "32K", "8"),
            ("Unified", "2048K", "16"),
            ("Unified", "0K", "0"),
        ];
        for (index, (kind, size, ways)) in told.into_iter().enumerate() {
            let cache = folder.path().join(format!("index{index}"));
            fs::create_dir(&cache).unwrap();
            for (name, text) in [("type", kind), ("size", size), ("ways_of_associativity", ways)] {
                fs::write(cache.join(name), format!("{text}\n")).unwrap();
            }
        }
        let caches = [(48 << 10, 12), (2 << 20, 16)];
        let expected = caches.map(|(bytes, ways)| DataCache { bytes, ways, line_bytes: 64 });
        assert_eq!(of_system(folder.path()), expected);
        assert_eq!(of_system(&folder.path().join("nowhere")), []);
    }
}
