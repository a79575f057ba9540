//! The texts of the three files.

mod header;
mod script;
mod source;
mod source_counts;

pub use header::header;
pub use script::{BatchPart, batch_parts, batch_script, is_unedited};
pub use source::{edits, source};

/// Text as a C string literal.
pub fn c_string(text: &str) -> String {
    let mut literal = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                literal.push('\\');
                literal.push(char::from(byte));
            }
            // `??` starts a trigraph under -std=c99.
            b'?' => literal.push_str("\\?"),
            b' '..=b'~' => literal.push(char::from(byte)),
            _ => literal.push_str(&format!("\\{byte:03o}")),
        }
    }
    literal.push('"');
    literal
}

#[cfg(test)]
mod tests {
    #[test]
    fn c_strings() {
        assert_eq!(super::c_string("a\"b\\c??\n1é"), r#""a\"b\\c\?\?\0121\303\251""#);
    }
}
