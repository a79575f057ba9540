//! Macros that are sizes, `#define N 1000` or `-DN=1000`: they stay names, so that formulas speak of `N` and not of 1000.

use std::collections::{BTreeMap, BTreeSet};

use call_compiler::BlockCounts;

use super::processors::is_word;

/// Lesser numbers are no sizes: counts of dimensions, values of flags.
const LEAST_SIZE: i64 = 10;

/// A source and the flags for its preprocessor, in which sizes are defined as themselves.
pub struct WithSizes {
    pub source: Vec<u8>,
    pub flags: Vec<String>,
    pub sizes: BTreeMap<String, Size>,
}

/// What a macro stands for.
pub struct Size {
    value: String,
    /// The line from 1 that defines it; 0 for flags.
    line: u32,
}

/// Defines sizes as themselves, but for those that are to be numbers; the lines stay.
pub fn kept_as_names(source: &[u8], flags: &[String], numbers: &BTreeSet<String>) -> WithSizes {
    let mut sizes = BTreeMap::new();
    let mut is_size = |name: &str, value: &str, line: u32| {
        let is_name = name.chars().all(is_word);
        let is_size = is_name && whole_number(value).is_some_and(|value| value >= LEAST_SIZE);
        if is_size && !numbers.contains(name) {
            sizes.insert(name.to_owned(), Size { value: value.to_owned(), line });
            return true;
        }
        false
    };
    let mut kept = Vec::with_capacity(source.len());
    for (number, line) in (1..).zip(source.split_inclusive(|byte| *byte == b'\n')) {
        let text = std::str::from_utf8(line).unwrap_or_default();
        match definition(text).filter(|(name, value)| is_size(name, value, number)) {
            Some((name, _)) => {
                kept.extend(format!("#define {name} {name}").bytes());
                kept.extend(text.bytes().filter(|byte| matches!(byte, b'\n' | b'\r')));
            }
            None => kept.extend(line),
        }
    }
    let flags = flags.iter().map(|flag| {
        let definition = flag.strip_prefix("-D").and_then(|definition| definition.split_once('='));
        match definition.filter(|(name, value)| is_size(name, value, 0)) {
            Some((name, _)) => format!("-D{name}={name}"),
            None => flag.clone(),
        }
    });
    let flags = flags.collect();
    WithSizes { source: kept, flags, sizes }
}

/// The sizes that directives name above the lines that define them, as of functions further down that a block calls.
pub fn named_too_early(blocks: &[BlockCounts], sizes: &BTreeMap<String, Size>) -> BTreeSet<String> {
    let is_early =
        |block: &BlockCounts, word: &str| sizes.get(word).is_some_and(|size| size.line > block.begin.line);
    let early = |block: &BlockCounts| {
        let directive = block.directive();
        words(directive.trim_start_matches('#'))
            .filter(|word| is_early(block, word))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    blocks.iter().filter(|block| block.begin.file.is_none()).flat_map(early).collect()
}

/// Whether two outputs of the preprocessor are the same program, one with names where the other has numbers: conditions of the
/// preprocessor may ask for the number.
pub fn is_same(with_names: &[u8], with_numbers: &[u8], sizes: &BTreeMap<String, Size>) -> bool {
    let (names, numbers) = (String::from_utf8_lossy(with_names), String::from_utf8_lossy(with_numbers));
    let mut numbers = words(&numbers);
    for word in words(&names) {
        let next = numbers.next();
        if next == Some(word) {
            continue;
        }
        let Some(size) = sizes.get(word) else { return false };
        let mut value = words(&size.value);
        if value.next() != next || !value.all(|part| numbers.next() == Some(part)) {
            return false;
        }
    }
    numbers.next().is_none()
}

/// Words and single signs of C, without lines of the preprocessor.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim_start().starts_with('#')).flat_map(|line| {
        let mut rest = line;
        std::iter::from_fn(move || {
            rest = rest.trim_start();
            let first = rest.chars().next()?;
            let is_word = |character: char| character.is_alphanumeric() || character == '_';
            let end = if is_word(first) {
                rest.find(|character| !is_word(character)).unwrap_or(rest.len())
            } else {
                first.len_utf8()
            };
            let (word, behind) = rest.split_at(end);
            rest = behind;
            Some(word)
        })
    })
}

/// Name and value of a macro that a line defines.
fn definition(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
    let rest = rest.strip_prefix([' ', '\t'])?.trim_start();
    let end = rest.find(|character| !is_word(character))?;
    let (name, value) = rest.split_at(end);
    let value = value.strip_prefix([' ', '\t'])?;
    let value = value.split("/*").next().unwrap_or_default().split("//").next().unwrap_or_default();
    Some((name, value.trim()))
}

fn whole_number(text: &str) -> Option<i64> {
    let plain = text.trim_start_matches('(').trim_end_matches(')').trim();
    plain.trim_end_matches(['u', 'U', 'l', 'L']).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_stay_names() {
        let source = "#ifndef N\n# define N 1000 /* rows */\n#endif\n#define DEBUG 0\n#define M (64)\n#define F(x) 100\n#define REAL 1.5\nint a[N];\n";
        let flags = ["-DK=20".into(), "-DL=2".into(), "-O2".into()];
        let kept = kept_as_names(source.as_bytes(), &flags, &BTreeSet::new());
        let expected = source.replace("# define N 1000 /* rows */", "#define N N").replace("M (64)", "M M");
        assert_eq!(String::from_utf8_lossy(&kept.source), expected);
        assert_eq!(kept.flags, ["-DK=K", "-DL=2", "-O2"]);
        let without = kept_as_names(source.as_bytes(), &flags, &["M".to_owned()].into());
        assert_eq!(without.sizes.keys().collect::<Vec<_>>(), ["K", "N"]);
    }

    #[test]
    fn programs_are_compared() {
        let sizes = BTreeMap::from([("N".to_owned(), Size { value: "(64)".to_owned(), line: 1 })]);
        for (names, numbers, expected) in [
            ("# 1 \"a\"\nint a[N]; f(\"N\")", "int a[(64)];\nf(\"N\")", true),
            ("int a[N];", "int a[65];", false),
            ("int a[N];", "int a[(64)]; int b;", false),
            ("int a[M];", "int a[64];", false),
        ] {
            assert_eq!(is_same(names.as_bytes(), numbers.as_bytes(), &sizes), expected, "{names}");
        }
    }
}
