//! Macros that are sizes, `#define N 1000`: they stay names, so that formulas speak of `N` and not of 1000.

use std::collections::BTreeSet;

/// Lesser numbers are no sizes: counts of dimensions, values of flags.
const LEAST_SIZE: i64 = 10;

/// A source and the flags for its preprocessor, without the definitions of its sizes.
pub struct WithSizes {
    pub source: Vec<u8>,
    pub flags: Vec<String>,
}

/// Takes the definitions of sizes out of a source; the lines stay.
pub fn kept_as_names(source: &[u8], flags: &[String]) -> WithSizes {
    let text = String::from_utf8_lossy(source);
    let asked = asked_by_preprocessor(&text);
    let is_size = |name: &str, value: &str| {
        let is_name = name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
        is_name && !asked.contains(name) && whole_number(value).is_some_and(|value| value >= LEAST_SIZE)
    };
    let is_definition = |line: &&str| definition(line).is_some_and(|(name, value)| is_size(name, value));
    let mut kept = Vec::with_capacity(source.len());
    for line in source.split_inclusive(|byte| *byte == b'\n') {
        match std::str::from_utf8(line).ok().filter(is_definition) {
            Some(line) => kept.extend(line.bytes().filter(|byte| matches!(byte, b'\n' | b'\r'))),
            None => kept.extend(line),
        }
    }
    let is_flag = |flag: &&String| {
        let definition = flag.strip_prefix("-D").and_then(|definition| definition.split_once('='));
        !definition.is_some_and(|(name, value)| is_size(name, value))
    };
    WithSizes { source: kept, flags: flags.iter().filter(is_flag).cloned().collect() }
}

/// Name and value of a macro that a line defines.
fn definition(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
    let rest = rest.strip_prefix([' ', '\t'])?.trim_start();
    let end = rest.find(|character: char| !character.is_ascii_alphanumeric() && character != '_')?;
    let (name, value) = rest.split_at(end);
    let value = value.strip_prefix([' ', '\t'])?;
    let value = value.split("/*").next().unwrap_or_default().split("//").next().unwrap_or_default();
    Some((name, value.trim()))
}

fn whole_number(text: &str) -> Option<i64> {
    let plain = text.trim_start_matches('(').trim_end_matches(')').trim();
    plain.trim_end_matches(['u', 'U', 'l', 'L']).parse().ok()
}

/// Names of which conditions of the preprocessor ask more than whether they are defined, before they are.
fn asked_by_preprocessor(text: &str) -> BTreeSet<&str> {
    let mut asked = BTreeSet::new();
    for line in text.lines() {
        let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim_start) else { continue };
        // `#ifndef N` before `#define N` asks nothing.
        if ["if ", "if(", "if\t", "ifdef", "elif", "undef", "pragma"]
            .iter()
            .any(|word| directive.starts_with(word))
        {
            let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
            asked.extend(directive.split(|character| !is_word(character)).filter(|word| !word.is_empty()));
        }
    }
    asked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_stay_names() {
        let source = "#ifndef N\n# define N 1000 /* rows */\n#endif\n#define DEBUG 0\n#define M (64)\n#if M > 3\n#endif\n\
                      #define F(x) 100\n#define REAL 1.5\nint a[N];\n";
        let kept = kept_as_names(
            source.as_bytes(),
            &["-DK=20".into(), "-DL=2".into(), "-DM=20".into(), "-O2".into()],
        );
        let expected = source.replace("# define N 1000 /* rows */", "");
        assert_eq!(String::from_utf8_lossy(&kept.source), expected);
        assert_eq!(kept.flags, ["-DL=2", "-DM=20", "-O2"]);
    }
}
