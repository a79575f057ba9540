use super::{Command, CommandArguments};
use crate::error::code;
use crate::words::OpenMarks;
use crate::{CommandOutcome, Completion, Error, Session};

/// Scripts may run scripts, up to here.
const DEEPEST: usize = 16;

pub const RUN: Command = Command {
    name: "run",
    usage: "run FILE.llac",
    summary: "run the commands of a file",
    details: "A command a line; the first error ends it, and what was done before stays.",
    completions: &[Completion::File, Completion::Nothing],
    is_about_history: true,
    run,
    ..Command::PLAIN
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let file = arguments.required(0, "the file", RUN.usage)?;
    arguments.at_most(1, RUN.usage)?;
    if session.depth == DEEPEST {
        return Err(
            file.error(code::TOO_LARGE, format!("more than {DEEPEST} scripts run inside of each other"))
        );
    }
    let bytes = session
        .workspace
        .read(&file.text)
        .map_err(|error| file.error(code::CANNOT_READ, format!("cannot read {}: {error}", file.text)))?;
    let text = String::from_utf8(bytes).map_err(|_| {
        file.error(code::NOT_TEXT, format!("{} is not a script: it is no UTF-8 text", file.text))
    })?;
    let mut all = CommandOutcome::default();
    session.depth += 1;
    let result = commands(&text).try_for_each(|(number, line)| {
        if all.quit {
            return Ok(());
        }
        let outcome = session.run(&line).map_err(|error| {
            let number = number + error.lines_before(&line);
            file.error(error.code(), format!("{}:{number}: {error}", file.text))
                .help(error.cure().unwrap_or(&line))
        })?;
        if !outcome.is_silent() {
            all.answer = outcome.answer;
        }
        all.value.append(outcome.value);
        all.notes.extend(outcome.notes);
        all.warnings.extend(outcome.warnings);
        all.quit |= outcome.quit;
        Ok(())
    });
    session.depth -= 1;
    result.map(|()| all)
}

/// So many lines stand between brackets at most; where none closes them, the first line is the command, which then says so.
const MOST_LINES_IN_BRACKETS: usize = 100;

/// The commands of a script, with the numbers of their first lines. A line that is not complete goes on in the next.
pub fn commands(text: &str) -> impl Iterator<Item = (usize, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut next = 0;
    std::iter::from_fn(move || {
        let first = next;
        let rest = lines.get(first..).filter(|rest| !rest.is_empty())?;
        let count = lines_of_first(rest);
        next += count;
        Some((first + 1, rest[..count].join("\n")))
    })
}

/// How many of the lines are the first command.
fn lines_of_first(lines: &[&str]) -> usize {
    let mut open = OpenMarks::default();
    let mut without_brackets = 1;
    for (index, line) in lines.iter().enumerate() {
        open.push(line);
        let goes_on = open.has_quote() || line.ends_with('\\');
        if !open.has_brackets() && !goes_on {
            return index + 1;
        }
        if goes_on && without_brackets == index + 1 {
            without_brackets += 1;
        }
        let is_given_up = line.trim().is_empty() || index >= MOST_LINES_IN_BRACKETS;
        if is_given_up && !goes_on {
            break;
        }
        open.push("\n");
    }
    without_brackets.min(lines.len())
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

    #[test]
    fn lines_go_on_in_brackets_that_are_closed_somewhere() {
        let check = |text: &str, expected: &[(usize, &str)]| {
            let found: Vec<(usize, String)> = commands(text).collect();
            let expected: Vec<_> =
                expected.iter().map(|(number, line)| (*number, (*line).to_owned())).collect();
            assert_eq!(found, expected);
        };
        check("let x = (N + # one)\n [1]\n)*2\nfit", &[(1, "let x = (N + # one)\n [1]\n)*2"), (4, "fit")]);
        check("load a(b.csv\nfit f\nlet x = (N)", &[(1, "load a(b.csv"), (2, "fit f"), (3, "let x = (N)")]);
        check("let x = (N\n\nlet y = N)", &[(1, "let x = (N"), (2, ""), (3, "let y = N)")]);
        check("let x = (N \\\n+ 1\n\nfit", &[(1, "let x = (N \\\n+ 1"), (3, ""), (4, "fit")]);
        let long = "(\n".repeat(50) + &"x\n".repeat(100);
        assert_eq!(commands(&long).count(), 150);
    }
}
