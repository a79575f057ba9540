//! What `toml` and `serde` say of a file, in the words of the user: with the key, and what to do.

use std::ops::Range;

use crate::{Problem, wire};

/// The types of values, as `serde` calls them, and as people do.
const TYPES: [(&str, &str); 6] = [
    ("f64", "a number, in the unit that ends the name of the key"),
    ("u64", "a whole number, 0 or more"),
    ("a string", "a text in quotes"),
    ("a sequence", "a list in brackets"),
    ("struct Provenance", "a table: write `[provenance]`"),
    ("struct Tlb", "a table: write `[tlb]`"),
];

/// The units at the ends of keys; the longest first, as some end in others.
const UNITS: [(&str, &str); 6] = [
    ("_s_per_byte", "seconds a byte"),
    ("_flop_per_s", "floating-point operations a second"),
    ("_bytes_per_s", "bytes a second"),
    ("_bytes", "bytes"),
    ("_percent", "percent"),
    ("_s", "seconds"),
];

/// Longer values are not shown.
const MOST_SHOWN: usize = 40;

/// The problem at a place of a file that a message is about.
pub fn problem(text: &str, span: Range<usize>, message: &str) -> Problem {
    let key = text.get(..span.start).and_then(key_before);
    let known = unknown_key(message)
        .or_else(|| missing_key(message))
        .or_else(|| single_table(text, &span, message))
        .or_else(|| wrong_value(text, span, message, key?));
    known.unwrap_or_else(|| {
        let message = message.replace('\n', ": ");
        Problem::Toml(key.map_or(message.clone(), |key| format!("`{key}`: {message}")))
    })
}

/// A key that is not known, such as one with another unit, with the key that is meant.
fn unknown_key(message: &str) -> Option<Problem> {
    let rest = message.strip_prefix("unknown field ")?;
    let words: Vec<&str> = rest.split('`').skip(1).step_by(2).collect();
    let (key, known) = words.split_first()?;
    let stem = |key: &str| key.split('_').next().unwrap_or(key).to_owned();
    let same_stem = known.iter().find(|other| stem(other) == stem(key)).copied();
    let meant = call_grammar::suggest(key, known.iter().copied()).or(same_stem);
    let cure = match meant {
        Some(meant) => match unit(meant).filter(|own| unit(key) != Some(own)) {
            Some(unit) => format!("did you mean `{meant}`? It is in {unit}: convert the value, too"),
            None => format!("did you mean `{meant}`?"),
        },
        None => format!("the keys are {}", known.join(", ")),
    };
    Some(Problem::UnknownKey { key: (*key).to_owned(), cure })
}

fn unit(key: &str) -> Option<&'static str> {
    UNITS.iter().find(|(end, _)| key.ends_with(end)).map(|(_, unit)| *unit)
}

fn missing_key(message: &str) -> Option<Problem> {
    let key = message.strip_prefix("missing field `")?.strip_suffix('`')?;
    Some(match key {
        "schema_version" => Problem::Missing {
            key: key.to_owned(),
            cure: format!("add `schema_version = {}`", wire::SCHEMA_VERSION),
        },
        "provenance" => Problem::Missing {
            key: "[provenance]".to_owned(),
            cure: "add it, with `kind = \"measured\"` and `date`, or `kind = \"published\"` and `source`"
                .to_owned(),
        },
        _ => Problem::Missing { key: key.to_owned(), cure: "add it".to_owned() },
    })
}

/// A table of which there may be several, written as one.
fn single_table(text: &str, span: &Range<usize>, message: &str) -> Option<Problem> {
    let header = text.get(span.start..)?.lines().next()?.trim();
    let name = header.strip_prefix('[')?.strip_suffix(']')?;
    (message == "invalid type: map, expected a sequence").then(|| Problem::Value {
        key: name.to_owned(),
        value: "a single table".to_owned(),
        needed: format!("one of several: write `[[{name}]]`"),
    })
}

/// A value of another type than its key takes, or not among its values.
fn wrong_value(text: &str, span: Range<usize>, message: &str, key: &str) -> Option<Problem> {
    let (found, needed) = message.split_once(", expected ")?;
    let kinds = ["invalid type: ", "invalid value: ", "unknown variant "];
    let found = kinds.iter().find_map(|kind| found.strip_prefix(kind))?;
    let written = text.get(span)?.trim();
    let is_short = written.len() <= MOST_SHOWN && !written.contains('\n') && !written.is_empty();
    let needed = TYPES.iter().find(|(name, _)| *name == needed).map_or(needed, |(_, words)| *words);
    Some(Problem::Value {
        key: key.to_owned(),
        value: if is_short { written } else { found }.to_owned(),
        needed: needed.to_owned(),
    })
}

/// The key whose value comes next.
fn key_before(text: &str) -> Option<&str> {
    let before = text.trim_end().strip_suffix('=')?.trim_end();
    let start = before.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
    // What is not a letter may take several bytes.
    before.get(start..).filter(|key| !key.is_empty())
}
