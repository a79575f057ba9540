use std::io::{self, Write};

use llac::Session;

use crate::style::Painter;

/// Runs a text of commands, a line each, and prints what they show; whether `quit` was among them.
///
/// # Errors
/// The first error with its line; what follows it is not run.
pub fn run(session: &mut Session, text: &str, name: &str, painter: Painter) -> Result<bool, String> {
    for (index, line) in text.lines().enumerate() {
        let outcome =
            session.run(line).map_err(|error| format!("{name}:{}: {}", index + 1, error.render(line)))?;
        let shown = outcome.value.render(|style, text| painter.paint(style, text));
        match io::stdout().write_all(shown.as_bytes()).and_then(|()| io::stdout().flush()) {
            // The reader has seen enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(true),
            Err(error) => return Err(format!("llac: cannot write the output: {error}")),
            Ok(()) => {}
        }
        for warning in &outcome.warnings {
            eprintln!("warning: {warning}");
        }
        if outcome.quit {
            return Ok(true);
        }
    }
    Ok(false)
}
