//! `llac COMMAND FILE… WORD…`: one command without a script. What a word is, its form says; what files there are says nothing.

use call_bsp::program::Program;
use llac::{Command, Completion, LineClauses, Page, Session};

use crate::door::{Door, tell};
use crate::typed::{Typed, TypedLine, TypedWord};

/// What files of samples end in; of those behind the gap, `load` says what to do about them.
const ENDINGS: [&str; 21] = [
    "otf2", "dat", "csv", "tsv", "txt", "json", "jsonl", "ndjson", "xml", "cubex", "cube", "extra-p", //
    "gz", "zst", "bz2", "xz", "xlsx", "ods", "parquet", "arrow", "feather",
];

const DATA_HELP: &str = "load samples first, for example `llac fit timings.csv`; a file that ends otherwise stands behind `--data`";

/// Codes of errors of who has given no samples, or under a name that is not taken for theirs.
const LACKING_DATA: [&str; 3] = ["nothing-loaded", "unknown-experiment", "unknown-data-set"];

/// The lines of a session that a command of the shell means.
pub struct ShellRequest {
    typed: Typed,
    lines: Vec<TypedLine>,
    /// Whether files might be missing among the words.
    lacks_files: bool,
}

/// What a word of the shell is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WordKind {
    Samples,
    /// Samples that the command asks for by their name as well.
    NamedSamples,
    Program,
    /// A profile of the Oxford BSP Toolset, which the command reads itself.
    Profile,
    /// Says how samples are read.
    Option,
    /// The same behind a file that the command reads itself: it is about that one, too.
    SharedOption,
    Formula,
    /// A word of the command.
    Own,
    /// A word of a condition, in which blanks separate.
    Clause,
}

impl ShellRequest {
    /// Files are loaded, those that end with `.obsp` as model programs, a formula is given to the experiment, the rest are words of the
    /// command; if they name nothing, a command that takes programs is about the one among the files. `data` are files whatever their
    /// form.
    pub fn new(command: &Command, words: &[String], data: &[String]) -> ShellRequest {
        let mut typed = Typed::default();
        typed.push("llac");
        let name = typed.push(command.name);
        let mut sorted = Vec::new();
        let mut kinds = kinds(command, words, data.is_empty());
        if command.name == "page" {
            name_compared(words, &mut kinds);
        }
        for (word, kind) in words.iter().zip(kinds) {
            sorted.push((
                kind,
                typed.push(&if kind == WordKind::Clause { word.clone() } else { quoted(word) }),
            ));
        }
        for file in data {
            typed.push("--data");
            sorted.push((WordKind::Samples, typed.push(&quoted(file))));
        }
        let files = [WordKind::Samples, WordKind::NamedSamples, WordKind::Program, WordKind::Profile];
        let is_file = |(kind, _): &(WordKind, TypedWord)| files.contains(kind);
        let lacks_files = command.loads_files && !sorted.iter().any(is_file);
        let program =
            words.iter().find(|word| kind_of(word) == WordKind::Program).and_then(|path| name_of(path));
        ShellRequest { typed, lines: lines(command, &name, &sorted, program), lacks_files }
    }

    /// Runs the lines; only the last one has something to show.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn run(&self, session: &mut Session, door: &mut Door) -> Result<(), String> {
        for (index, line) in self.lines.iter().enumerate() {
            match session.run(&line.text) {
                Ok(outcome) if index + 1 == self.lines.len() => drop(door.show_last(&outcome)?),
                Ok(outcome) => tell(&outcome.render_remarks(&Page::plain(Page::NARROW))),
                Err(error) => {
                    let mut error = line.as_typed(&error);
                    // Maybe the name of a file was taken for that of an experiment.
                    if self.lacks_files && LACKING_DATA.contains(&error.code()) {
                        error = error.help(DATA_HELP);
                    }
                    door.fail(&error, &format!("llac: {}", self.typed.render(&error)));
                    break;
                }
            }
        }
        Ok(())
    }
}

/// The lines that words mean; `program` is the name of the model program among them.
fn lines(
    command: &Command,
    name: &TypedWord,
    sorted: &[(WordKind, TypedWord)],
    program: Option<String>,
) -> Vec<TypedLine> {
    let of = |wanted: &[WordKind]| -> Vec<TypedWord> {
        sorted.iter().filter(|(kind, _)| wanted.contains(kind)).map(|(_, word)| word.clone()).collect()
    };
    let samples = of(&[WordKind::Samples, WordKind::NamedSamples]);
    let programs = of(&[WordKind::Program]);
    let mut own = of(&[
        WordKind::Own,
        WordKind::NamedSamples,
        WordKind::SharedOption,
        WordKind::Profile,
        WordKind::Clause,
    ]);
    if takes_programs(command) && own.first().is_none_or(|word| names_nothing(&word.text)) {
        let named = programs.first().zip(program).map(|(path, name)| path.instead(&name));
        own.splice(0..0, named);
    }
    let mut lines = Vec::new();
    if !samples.is_empty() {
        let options = of(&[WordKind::Option, WordKind::SharedOption]);
        lines.push(TypedLine::new(name.instead("load"), [samples, options].concat()));
    }
    for formula in of(&[WordKind::Formula]) {
        lines.push(TypedLine::new(formula.instead("formula"), vec![formula]));
    }
    if !programs.is_empty() {
        lines.push(TypedLine::new(name.instead("program"), programs));
    }
    lines.push(TypedLine::new(name.clone(), own));
    lines
}

/// What each word is.
fn kinds(command: &Command, words: &[String], is_alone: bool) -> Vec<WordKind> {
    let mut kinds = vec![WordKind::Own; words.len()];
    if !command.loads_files && command.clauses == LineClauses::None {
        return kinds;
    }
    let end = words.iter().position(|word| is_clause(word)).unwrap_or(words.len());
    kinds[end..].fill(WordKind::Clause);
    if let Some(into) = words.iter().position(|word| word == "into") {
        kinds[into + 1..].fill(WordKind::Own);
    }
    if !command.loads_files {
        return kinds;
    }
    // Behind `on` stand machines, whose files are no samples, and constants, which are no formulas; behind `in` archives.
    let end = words[..end]
        .iter()
        .position(|word| word == "on" || word == "in")
        .unwrap_or(end - written(command, end));
    // Whose first word is a trace takes traces for files, too.
    let takes_traces = completion(command, 0) == Some(Completion::DataSet);
    let mut own = 0;
    let mut is_behind_file = false;
    for (place, (kind, word)) in kinds.iter_mut().zip(&words[..end]).enumerate() {
        *kind = kind_of(word);
        let is_written = place > 0 && words[place - 1] == "to";
        let takes_file = is_written || (own > 0 && completion(command, own) == Some(Completion::File));
        // `wait/absolute` is none.
        if takes_file && !is_written && *kind == WordKind::Samples && takes_traces && has_ending(word) {
            *kind = WordKind::NamedSamples;
        } else if takes_file && *kind == WordKind::Samples {
            *kind = WordKind::Own;
            is_behind_file |= !is_written;
        } else if is_behind_file && *kind == WordKind::Option {
            *kind = WordKind::SharedOption;
        }
        own += usize::from(*kind == WordKind::Own);
    }
    if is_alone && !kinds.contains(&WordKind::Samples) {
        // Nothing is read, so nothing says how.
        let options = [WordKind::Option, WordKind::SharedOption];
        kinds.iter_mut().filter(|kind| options.contains(kind)).for_each(|kind| *kind = WordKind::Own);
    }
    kinds
}

/// Of a page, what stands behind `compare` is named, and so are all others beside it, and beside a history; two files are BEFORE and AFTER,
/// unless a profile is predicted from both.
fn name_compared(words: &[String], kinds: &mut [WordKind]) {
    let history = words.iter().position(|word| word == "history");
    if let Some(folder) = history.and_then(|at| kinds.get_mut(at + 1)) {
        *folder = WordKind::Own;
    }
    let is_pattern = |word: &str| word.contains(['*', '?']) || word.ends_with('/');
    let samples: Vec<usize> = (0..kinds.len()).filter(|at| kinds[*at] == WordKind::Samples).collect();
    if samples.iter().any(|at| is_pattern(&words[*at])) {
        return;
    }
    let end = words.iter().position(|word| word == "into").unwrap_or(words.len());
    let is_compared = words[..end].iter().any(|word| word == "compare");
    let is_predicted =
        words[..end].iter().zip(&*kinds).any(|(word, kind)| *kind == WordKind::Own && word.contains('='));
    if is_compared || history.is_some() || (samples.len() == 2 && !is_predicted) {
        samples.into_iter().for_each(|at| kinds[at] = WordKind::NamedSamples);
    }
}

/// How many of the words before the clauses are the file that the command writes.
fn written(command: &Command, words: usize) -> usize {
    usize::from(command.writes_last_word).min(words)
}

/// Whether a name is that of a file that nobody takes for a script.
pub fn is_table(name: &str) -> bool {
    kind_of(name) == WordKind::Samples
        && [".dat", ".csv", ".tsv", ".jsonl"].iter().any(|end| name.ends_with(end))
}

fn ending(word: &str) -> String {
    word.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase()
}

/// Whether a word ends as files of samples do.
fn has_ending(word: &str) -> bool {
    ENDINGS.contains(&ending(word).as_str())
}

/// What a word is by its form.
fn kind_of(word: &str) -> WordKind {
    let ending = ending(word);
    let before_value = word.split('=').next().unwrap_or(word);
    if is_output(word) {
        WordKind::Own
    } else if Session::is_option_of_load(word) {
        WordKind::Option
    } else if ending == "obsp" {
        WordKind::Program
    } else if ending == "bsp" {
        WordKind::Profile
    } else if ENDINGS.contains(&ending.as_str()) {
        WordKind::Samples
    } else if is_formula(word) {
        WordKind::Formula
    } else if before_value.contains('/') || (word.contains(['*', '?']) && !word.contains(['(', '='])) {
        WordKind::Samples
    } else {
        WordKind::Own
    }
}

fn is_clause(word: &str) -> bool {
    word == "where" || word == "into"
}

fn is_output(word: &str) -> bool {
    word.ends_with(".svg") || word.ends_with(".png")
}

fn completion(command: &Command, place: usize) -> Option<Completion> {
    let completions = command.completions;
    completions.get(place).or(completions.last()).copied()
}

fn takes_programs(command: &Command) -> bool {
    matches!(completion(command, 0), Some(Completion::ExperimentOrProgram | Completion::Plot))
}

/// Whether the first word of a command leaves open what the command is about.
fn names_nothing(word: &str) -> bool {
    word == "on" || word.contains('=') || is_output(word) || is_clause(word)
}

/// The name of the program in a file; `None` if it has none, which `program` tells better.
fn name_of(path: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Program::parse(text).ok().map(|program| program.name().to_owned())
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

/// The word as the command language takes it.
fn quoted(word: &str) -> String {
    // `"'on'"` is a name in quotes.
    let inside = word.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    if inside.is_some_and(|name| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    }) {
        return word.to_owned();
    }
    let is_plain = !word.is_empty() && !word.contains([' ', '"', '\'', '#', '\\', '\n', '\t']);
    match (is_plain, word.contains('"')) {
        (true, _) => word.to_owned(),
        (false, false) => format!("\"{word}\""),
        (false, true) => format!("'{}'", word.replace('\'', "'\"'\"'")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(words: &[&str], data: &[&str]) -> ShellRequest {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        ShellRequest::new(Session::command(words[0]).unwrap(), &owned(&words[1..]), &owned(data))
    }

    fn check(words: &[&str], expected: &[&str]) {
        let lines: Vec<String> = request(words, &[]).lines.into_iter().map(|line| line.text).collect();
        assert_eq!(lines, expected);
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
        check(&["fit", "f", "where", "N > 3", "into", "a b.csv"], &["fit f where N > 3 into \"a b.csv\""]);
        check(
            &["check", "b.json", "x.dat", "where", "N > 3", "into", "a b.json"],
            &["check b.json x.dat where N > 3 into \"a b.json\""],
        );
        check(&["fit", "it's \"x\""], &["fit 'it'\"'\"'s \"x\"'"]);
    }

    #[test]
    fn forms_say_what_is_a_file() {
        check(
            &["predict", "t.csv", "fft[0]+fft[1]*N/P", "fft", "N=8000"],
            &["load t.csv", "formula fft[0]+fft[1]*N/P", "predict fft N=8000"],
        );
        check(&["fit", "runs/P=4/t", "T.CSV", "f"], &["load runs/P=4/t T.CSV", "fit f"]);
        check(&["fit", "t.csv", "unit=ms", "f"], &["load t.csv unit=ms", "fit f"]);
        check(&["predict", "f", "time=3", "N=1/2"], &["predict f time=3 N=1/2"]);
        check(&["plot", "t.csv", "f", "out/a.svg"], &["load t.csv", "plot f out/a.svg"]);
        check(&["profile", "a/b.bsp", "by", "comp"], &["profile a/b.bsp by comp"]);
        check(&["profile", "t.dat", "to", "u.bsp"], &["load t.dat", "profile to u.bsp"]);
        check(&["waits", "a/b.otf2", "by", "processor"], &["load a/b.otf2", "waits by processor"]);
        check(&["waits", "t.dat", "to", "u.otf2"], &["load t.dat", "waits to u.otf2"]);
        check(&["predict", "t.csv", "f", "on", "a/b.toml"], &["load t.csv", "predict f on a/b.toml"]);
        check(&["find", "t.extra-p", "main->solve"], &["load t.extra-p", "find main->solve"]);
        check(&["find", "runs/", "a.cubex"], &["load runs/ a.cubex", "find"]);
        check(&["compare", "t.csv", "u.csv"], &["load t.csv u.csv", "compare"]);
        check(&["compare", "t.csv", "f", "u.csv"], &["load t.csv", "compare f u.csv"]);
        check(
            &["compare", "t.csv", "processors=p", "f", "u.csv", "name=f"],
            &["load t.csv processors=p name=f", "compare f u.csv name=f"],
        );
        check(&["export", "t.csv", "f", "u.csv"], &["load t.csv", "export f u.csv"]);
        check(&["export", "t.csv", "u.csv", "where", "N<3"], &["load t.csv", "export u.csv where N<3"]);
        check(&["page", "a.dat", "into", "x.html"], &["load a.dat", "page into x.html"]);
        check(
            &["page", "a.dat", "history", "runs/all", "into", "x.html"],
            &["load a.dat", "page a.dat history runs/all into x.html"],
        );
        check(&["page", "history", "runs/", "into", "x.html"], &["page history runs/ into x.html"]);
        check(
            &["page", "a.dat", "b.dat", "into", "x.html"],
            &["load a.dat b.dat", "page a.dat b.dat into x.html"],
        );
        check(
            &["page", "a.dat", "b.dat", "compare", "into", "x.html"],
            &["load a.dat b.dat", "page a.dat b.dat compare into x.html"],
        );
        check(
            &["page", "a.dat", "b.dat", "P=8", "into", "x.html"],
            &["load a.dat b.dat", "page P=8 into x.html"],
        );
        check(
            &["page", "a.dat", "b.dat", "c.dat", "P=8", "compare", "d.dat", "into", "x.html"],
            &["load a.dat b.dat c.dat d.dat", "page a.dat b.dat c.dat P=8 compare d.dat into x.html"],
        );
        check(&["page", "runs/*", "b.dat", "into", "x.html"], &["load runs/* b.dat", "page into x.html"]);
        check(&["machine", "show", "a/b.toml"], &["machine show a/b.toml"]);
        check(
            &["archive", "add", "t.csv", "f", "into", "h/x", "label=a.csv"],
            &["load t.csv", "archive add f into h/x label=a.csv"],
        );
        check(&["archive", "list", "in", "h/"], &["archive list in h/"]);
        check(&["history", "f[1]", "in", "h/", "f.svg"], &["history f[1] in h/ f.svg"]);
        let lines = request(&["fit", "f"], &["timings", "a b"]).lines;
        assert_eq!(lines[0].text, "load timings \"a b\"");
    }
}
