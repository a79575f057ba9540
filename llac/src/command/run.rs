use super::{Arguments, Command};
use crate::words::Quotes;
use crate::{Completion, Error, Outcome, Session};

pub struct Run;

/// Scripts may run scripts, up to here.
const DEEPEST: usize = 16;

impl Command for Run {
    fn name(&self) -> &'static str {
        "run"
    }

    fn usage(&self) -> &'static str {
        "run FILE.llac"
    }

    fn summary(&self) -> &'static str {
        "run the commands of a file"
    }

    fn details(&self) -> &'static str {
        "A command a line; the first error ends it, and what was done before stays."
    }

    fn completions(&self) -> &'static [Completion] {
        &[Completion::File, Completion::Nothing]
    }

    fn is_about_history(&self) -> bool {
        true
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        let file = arguments.required(0, "the file", self.usage())?;
        arguments.at_most(1, self.usage())?;
        let fail = |text: String| Error::at(file.span.clone(), text);
        if session.depth == DEEPEST {
            return Err(fail(format!("more than {DEEPEST} scripts run inside of each other")));
        }
        let bytes = session
            .workspace
            .read(&file.text)
            .map_err(|error| fail(format!("cannot read {}: {error}", file.text)))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| fail(format!("{} is not a script: it is no UTF-8 text", file.text)))?;
        let mut all = Outcome::default();
        session.depth += 1;
        let result = commands(&text).try_for_each(|(number, line)| {
            if all.quit {
                return Ok(());
            }
            let outcome = session.run(&line).map_err(|error| {
                fail(format!("{}:{number}: {error}", file.text)).help(error.cure().unwrap_or(&line))
            })?;
            all.value.append(outcome.value);
            all.notes.extend(outcome.notes);
            all.warnings.extend(outcome.warnings);
            all.quit |= outcome.quit;
            Ok(())
        });
        session.depth -= 1;
        result.map(|()| all)
    }
}

/// The commands of a script, with the numbers of their first lines. A line that is not complete goes on in the next.
pub fn commands(text: &str) -> impl Iterator<Item = (usize, String)> {
    let mut lines = text.lines().enumerate();
    std::iter::from_fn(move || {
        let (index, first) = lines.next()?;
        let mut command = first.to_owned();
        let mut quotes = Quotes::default();
        quotes.push(first);
        while quotes.are_open() || command.ends_with('\\') {
            let Some((_, next)) = lines.next() else { break };
            for part in ["\n", next] {
                quotes.push(part);
                command.push_str(part);
            }
        }
        Some((index + 1, command))
    })
}

#[cfg(test)]
mod tests {
    use super::commands;

    #[test]
    fn lines_may_go_on() {
        let found: Vec<(usize, String)> = commands("a\nb \\\n c\n\nd 'x\ny'\ne '").collect();
        let expected = [(1, "a"), (2, "b \\\n c"), (4, ""), (5, "d 'x\ny'"), (7, "e '")];
        assert_eq!(found, expected.map(|(number, line)| (number, line.to_owned())));
    }
}
