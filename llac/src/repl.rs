use std::borrow::Cow;
use std::path::PathBuf;

use llac::{Session, wrapped_error};
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use xdg::BaseDirectories;

use crate::door::tell_error;
use crate::interrupt::{Ending, Runner};
use crate::style::Painter;

const PROMPT: &str = "llac> ";

/// What the line editor asks while the user types; it owns the session, which knows the names.
#[derive(Helper)]
struct Assistant {
    session: Session,
    files: FilenameCompleter,
    painter: Painter,
}

impl Completer for Assistant {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        position: usize,
        context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let suggestions = self.session.complete(&line[..position]);
        let (start, mut pairs) = match suggestions.files {
            true => self.files.complete(line, position, context)?,
            false => (suggestions.start, Vec::new()),
        };
        let alone = suggestions.words.len() == 1 && pairs.is_empty();
        pairs.extend(suggestions.words.into_iter().map(|word| {
            // A blank behind the only candidate, unless a value follows it.
            let end = if alone && !word.ends_with('=') { " " } else { "" };
            Pair { display: word.clone(), replacement: word + end }
        }));
        Ok((start, pairs))
    }
}

impl Hinter for Assistant {
    type Hint = String;

    /// Behind the name of a command its arguments; of a word that can become only one, the rest of that.
    fn hint(&self, line: &str, position: usize, _: &Context<'_>) -> Option<String> {
        if position < line.len() || line.trim().is_empty() {
            return None;
        }
        if let Some(command) = line.trim_start().strip_suffix(' ')
            && !command.contains(' ')
        {
            return self.session.usage(command).map(str::to_owned);
        }
        let suggestions = self.session.complete(line);
        match &suggestions.words[..] {
            [only] if suggestions.start < line.len() => {
                only.strip_prefix(&line[suggestions.start..]).map(str::to_owned)
            }
            _ => None,
        }
    }
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        let mut shown = String::with_capacity(line.len());
        for piece in line.split_inclusive([' ', '\n']) {
            let word = piece.trim_end();
            if self.session.knows(word) {
                shown.push_str(&self.painter.paint(llac::Style::Name, word));
            } else {
                shown.push_str(word);
            }
            shown.push_str(&piece[word.len()..]);
        }
        Cow::Owned(shown)
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        Cow::Owned(self.painter.paint(llac::Style::Strong, prompt))
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Owned(self.painter.faint(hint))
    }

    fn highlight_char(&self, _: &str, _: usize, kind: CmdKind) -> bool {
        kind != CmdKind::MoveCursor
    }
}

impl Validator for Assistant {
    fn validate(&self, context: &mut ValidationContext) -> rustyline::Result<ValidationResult> {
        Ok(match llac::is_complete(context.input()) {
            true => ValidationResult::Valid(None),
            false => ValidationResult::Incomplete,
        })
    }
}

/// Reads commands from the terminal until the user leaves.
pub fn run(session: Session) -> Result<(), String> {
    let runner = Runner::new().map_err(|error| error.to_string())?;
    let painter = Painter::for_standard_output();
    let config = Config::builder().completion_type(CompletionType::List).auto_add_history(true).build();
    let mut editor: Editor<Assistant, FileHistory> =
        Editor::with_config(config).map_err(|error| error.to_string())?;
    editor.set_helper(Some(Assistant { session, files: FilenameCompleter::new(), painter }));
    let history = history_file();
    if let Some(path) = &history {
        // There is none at the first start.
        let _ = editor.load_history(path);
    }
    println!("llac {}: type `help` for the commands, `quit` to leave", env!("CARGO_PKG_VERSION"));
    loop {
        let line = match editor.readline(PROMPT) {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(error.to_string()),
        };
        // Written at once: what kills the session does not take it away.
        if let Some(path) = &history
            && let Err(error) = save(&mut editor, path)
        {
            tell_error(&format!("llac: the history is not saved to {}: {error}", path.display()));
        }
        let Some(assistant) = editor.helper_mut() else { break };
        match runner.run(&mut assistant.session, &line) {
            Ending::Done(Ok(outcome)) => {
                print!("{}", painter.page(|page| outcome.render(page)));
                if outcome.quit {
                    break;
                }
            }
            Ending::Done(Err(error)) => {
                print!("{}", painter.page(|page| wrapped_error(&error.render(&line), page.width)));
            }
            Ending::Interrupted => println!("interrupted: the session is as before this command"),
        }
    }
    Ok(())
}

fn save(editor: &mut Editor<Assistant, FileHistory>, path: &PathBuf) -> rustyline::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    editor.save_history(path)
}

fn history_file() -> Option<PathBuf> {
    Some(BaseDirectories::new().get_state_home()?.join("llac/history"))
}
