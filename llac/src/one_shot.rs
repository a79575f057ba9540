//! `llac COMMAND FILE… ARGUMENT…`: one command without a script.

use std::path::Path;

use call_bsp::program::Program;
use llac::{Page, Session};

use crate::door::Door;
use crate::script;

/// Commands that take programs.
const OF_PROGRAMS: [&str; 4] = ["predict", "plot", "speedup", "best"];

/// The lines of a session that words of the shell mean: files are loaded, those that end with `.obsp` as model programs, a formula is
/// given to the experiment, the rest are arguments of the command; those of [`OF_PROGRAMS`] are about the program if they name nothing. `None` if the first word is no command, but a script.
pub fn lines(words: &[String]) -> Option<Result<Vec<String>, String>> {
    let (command, arguments) = words.split_first()?;
    if Path::new(command).exists() {
        return None;
    }
    let is_command = Session::commands().any(|known| known == command);
    if !is_command {
        // The message is that of a script which is not there, unless it looks like a word.
        let looks_like_a_path = command.contains(['.', '/']);
        return (!looks_like_a_path).then(|| {
            Err(format!(
                "llac: there is neither a command nor a script `{command}`: `llac -e help` lists the commands"
            ))
        });
    }
    let is_output = |word: &str| word.ends_with(".svg") || word.ends_with(".png");
    let mut files = Vec::new();
    let mut programs = Vec::new();
    let mut options = Vec::new();
    let mut formulas = Vec::new();
    let mut rest = Vec::new();
    let mut clause = false;
    // Behind `on` stand machines, whose files are no samples, and constants, which are no formulas.
    let mut is_on = false;
    for word in arguments {
        clause |= is_clause(word);
        is_on |= OF_PROGRAMS.contains(&command.as_str()) && word == "on";
        if is_on && !clause {
            rest.push(quoted(word));
            continue;
        }
        let is_file = !clause && !is_output(word) && (Path::new(word).exists() || has_wildcards(word));
        if is_file && word.ends_with(".obsp") {
            programs.push(word.as_str());
        } else if is_file {
            files.push(quoted(word));
        } else if !clause && Session::is_option_of_load(word) {
            options.push(quoted(word));
        } else if !clause && is_formula(word) {
            formulas.push(quoted(word));
        } else if clause {
            rest.push(word.clone());
        } else {
            rest.push(quoted(word));
        }
    }
    // These have files of their own.
    if ["load", "run", "save", "machine", "program", "help", "quit"].contains(&command.as_str()) {
        return Some(Ok(vec![line(command, arguments.iter().map(|word| quoted(word)))]));
    }
    let mut lines = Vec::new();
    if !files.is_empty() {
        lines.push(line("load", files.into_iter().chain(options)));
    }
    lines.extend(formulas.iter().map(|formula| line("formula", [formula.clone()])));
    if !programs.is_empty() {
        lines.push(line("program", programs.iter().map(|path| quoted(path))));
    }
    let names_nothing = rest
        .first()
        .is_none_or(|word| word == "on" || word.contains('=') || is_output(word) || is_clause(word));
    if OF_PROGRAMS.contains(&command.as_str()) && names_nothing {
        rest.splice(0..0, programs.first().and_then(|path| name_of(path)));
    }
    lines.push(line(command, rest));
    Some(Ok(lines))
}

/// Runs the lines; only the last one has something to show.
pub fn run(session: &mut Session, lines: &[String], door: &mut Door) -> Result<(), String> {
    let Some((last, before)) = lines.split_last() else { return Ok(()) };
    for line in before {
        match session.run(line) {
            Ok(outcome) => {
                let told = outcome.render_remarks(&Page::plain(Page::NARROW));
                eprint!("{told}");
            }
            Err(error) => {
                door.fail(&error, &format!("llac: {}", error.render(line)));
                return Ok(());
            }
        }
    }
    script::run(session, last, "llac", door).map(drop)
}

fn is_clause(word: &str) -> bool {
    word == "where" || word == "into"
}

/// The name of the program in a file; `None` if it has none, which `program` tells better.
fn name_of(path: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Program::parse(text).ok().map(|program| program.name().to_owned())
}

fn has_wildcards(word: &str) -> bool {
    word.contains(['*', '?']) && !is_formula(word) && !word.contains(['(', '='])
}

/// A constant has an index: `a[0]`.
fn is_formula(word: &str) -> bool {
    let has_index = |(_, rest): (&str, &str)| {
        rest.split_once(']')
            .is_some_and(|(index, _)| !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let is_single_constant = word.ends_with(']') && !word.contains(['*', '+', '-', '/']);
    !is_single_constant && word.split_once('[').is_some_and(has_index)
}

fn line(command: &str, words: impl IntoIterator<Item = String>) -> String {
    std::iter::once(command.to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// The word as the command language takes it.
fn quoted(word: &str) -> String {
    let is_plain = !word.is_empty() && !word.contains([' ', '"', '\'', '#', '\\', '\n', '\t']);
    match (is_plain, word.contains('"')) {
        (true, _) => word.to_owned(),
        (false, false) => format!("\"{word}\""),
        (false, true) => format!("'{word}'"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &[&str], expected: &[&str]) {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(lines(&words).unwrap().unwrap(), expected);
    }

    #[test]
    fn words_become_lines() {
        check(
            &["fit", "*.csv", "a[0]+a[1]*N * log(N)"],
            &["load *.csv", "formula \"a[0]+a[1]*N * log(N)\"", "fit"],
        );
        check(&["predict", "x*.dat", "f", "N=8,16"], &["load x*.dat", "predict f N=8,16"]);
        check(&["aleph", "f[2]"], &["aleph f[2]"]);
        check(&["fit", "f", "where", "P", "<", "3"], &["fit f where P < 3"]);
        check(&["load", "a.dat", "as", "b c"], &["load a.dat as \"b c\""]);
        assert!(lines(&["no/such.llac".to_owned()]).is_none());
        assert!(lines(&["fitt".to_owned()]).unwrap().is_err());
    }
}
