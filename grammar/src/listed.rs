/// So many names of a list are in a message.
const MOST: usize = 12;
/// So many characters of a text are in one.
const LONGEST: usize = 60;

/// Names for a message: `f, g, h`; of many the first ones and how many more there are, as `a, b, ... and 88 more`.
pub fn listed(names: &[impl AsRef<str>]) -> String {
    joined(names.iter().map(|name| name.as_ref().to_owned()), names.len())
}

/// The same with names that come from a file, in back-quotes and cut where they are long; `none` if there are none.
pub fn quoted(names: &[impl AsRef<str>]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    joined(names.iter().map(|name| format!("`{}`", excerpt(name.as_ref()))), names.len())
}

fn joined(names: impl Iterator<Item = String>, count: usize) -> String {
    let mut text = names.take(MOST).collect::<Vec<_>>().join(", ");
    if count > MOST {
        text.push_str(&format!(" and {} more", count - MOST));
    }
    text
}

/// A piece of a file for a message: on one line and not long.
pub fn excerpt(text: &str) -> String {
    let printable = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    let mut short: String = text.chars().take(LONGEST).map(printable).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push_str("...");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_short() {
        let names: Vec<String> = (0..100).map(|number| format!("c{number}")).collect();
        assert!(quoted(&names).ends_with("`c11` and 88 more"));
        assert!(listed(&names).ends_with("c11 and 88 more"));
        assert_eq!((quoted(&names[..2]), quoted(&names[..0])), ("`c0`, `c1`".to_owned(), "none".to_owned()));
        assert_eq!((listed(&["f", "g"]), listed(&names[..0])), ("f, g".to_owned(), String::new()));
        assert_eq!(excerpt("a\0b"), "a\u{fffd}b");
        assert_eq!(excerpt(&"x".repeat(61)), format!("{}...", "x".repeat(60)));
    }
}
