/// Names in a message: quoted, and not a million of them.
pub(crate) fn listed(names: &[String]) -> String {
    const MOST: usize = 12;
    let mut quoted: Vec<String> =
        names.iter().take(MOST).map(|name| format!("`{}`", excerpt(name))).collect();
    if names.len() > MOST {
        quoted.push(format!("{} more", names.len() - MOST));
    }
    if quoted.is_empty() { "none".to_owned() } else { quoted.join(", ") }
}

/// A piece of the file for a message: on one line and not long.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut short: String = text
        .chars()
        .take(LONGEST)
        .map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c })
        .collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push_str("...");
    }
    short
}

/// As [`excerpt`], of bytes.
pub(crate) fn excerpt_of(bytes: &[u8]) -> String {
    excerpt(&String::from_utf8_lossy(&bytes[..bytes.len().min(300)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_short() {
        let names: Vec<String> = (0..100).map(|number| format!("c{number}")).collect();
        assert!(listed(&names).ends_with("`c11`, 88 more"));
        assert_eq!((listed(&names[..2]), listed(&[])), ("`c0`, `c1`".to_owned(), "none".to_owned()));
        assert_eq!(excerpt_of(b"a\x00\xff"), "a\u{fffd}\u{fffd}");
        assert_eq!(excerpt(&"x".repeat(61)), format!("{}...", "x".repeat(60)));
    }
}
