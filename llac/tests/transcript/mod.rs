//! What a session shows.

use std::fmt::Write;

use llac::Session;

/// Runs the lines and shows what a user would see, and the codes of errors.
pub fn transcript(session: &mut Session, lines: &[&str]) -> String {
    let mut shown = String::new();
    for line in lines {
        writeln!(shown, "llac> {line}").unwrap();
        match session.run(line) {
            Ok(outcome) => shown.push_str(&outcome.to_plain_text()),
            Err(error) => {
                writeln!(shown, "[{}]", error.code()).unwrap();
                shown.push_str(&error.render(line));
            }
        }
    }
    shown
}
