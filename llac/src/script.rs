use std::io::{self, BufRead};

use llac::Session;

use crate::door::{Audience, Door};

/// Runs a text of commands and shows what they have to show; whether the program ends: `quit` was among them, an error was met and
/// told, or nobody reads on. `place` names a line of the text, for messages.
///
/// # Errors
/// If the output cannot be written.
pub fn run(
    session: &mut Session,
    text: &str,
    place: impl Fn(usize) -> String,
    door: &mut Door,
) -> Result<bool, String> {
    for (number, command) in llac::commands(text) {
        match session.run(&command) {
            Ok(outcome) => {
                if door.show_last(&outcome)? == Audience::IsGone || outcome.quit {
                    return Ok(true);
                }
            }
            Err(error) => {
                let place = place(number + error.lines_before(&command));
                door.fail(&error, &format!("{place}: {}", error.render(&command)));
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Reads a command a line from standard input and answers each with one object, errors, too, until the input ends.
///
/// # Errors
/// If the input cannot be read or the output not be written.
pub fn answer(session: &mut Session, door: &mut Door) -> Result<(), String> {
    for line in io::stdin().lock().split(b'\n') {
        let line = line.map_err(|error| format!("llac: cannot read standard input: {error}"))?;
        let reader = match session.run(&String::from_utf8_lossy(&line)) {
            Ok(outcome) if outcome.quit => return door.show(&outcome).map(drop),
            Ok(outcome) => door.show(&outcome)?,
            Err(error) => door.show_error(&error)?,
        };
        if reader == Audience::IsGone {
            break;
        }
    }
    Ok(())
}
