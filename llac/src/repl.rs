use std::path::PathBuf;

use llac::Session;
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{CompletionType, Config, Context, Editor, Helper, Highlighter, Hinter, Validator};

use crate::style::Painter;

/// What the line editor asks while the user types; it owns the session, which knows the names.
#[derive(Helper, Hinter, Highlighter, Validator)]
struct Assistant {
    session: Session,
    files: FilenameCompleter,
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
        if suggestions.files {
            return self.files.complete(line, position, context);
        }
        let alone = suggestions.words.len() == 1;
        let pair = |word: String| {
            // A blank behind the only candidate, unless a value follows it.
            let end = if alone && !word.ends_with('=') { " " } else { "" };
            Pair { display: word.clone(), replacement: word + end }
        };
        Ok((suggestions.start, suggestions.words.into_iter().map(pair).collect()))
    }
}

/// Reads commands from the terminal until the user leaves.
pub fn run(session: Session, painter: Painter) -> rustyline::Result<()> {
    let config = Config::builder().completion_type(CompletionType::List).auto_add_history(true).build();
    let mut editor: Editor<Assistant, FileHistory> = Editor::with_config(config)?;
    editor.set_helper(Some(Assistant { session, files: FilenameCompleter::new() }));
    let history = history_file();
    if let Some(path) = &history {
        // There is none at the first start.
        let _ = editor.load_history(path);
    }
    println!("llac {}: type `help` for the commands, `quit` to leave", env!("CARGO_PKG_VERSION"));
    loop {
        let line = match editor.readline("llac> ") {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(error),
        };
        let Some(assistant) = editor.helper_mut() else { break };
        match assistant.session.run(&line) {
            Ok(outcome) => {
                print!("{}", outcome.render(|style, text| painter.paint(style, text)));
                if outcome.quit {
                    break;
                }
            }
            Err(error) => print!("{}", error.render(&line)),
        }
    }
    if let Some(path) = history
        && let Err(error) = save(&mut editor, &path)
    {
        eprintln!("llac: the history is not saved to {}: {error}", path.display());
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
    let folder =
        |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")))?;
    Some(state.join("llac/history"))
}
