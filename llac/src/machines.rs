//! The machines that a session knows: those of the user, and those that come along.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use call_grammar::{listed, suggest};
use call_machine::{Machine, shipped};

use crate::error::code;
use crate::words::Word;
use crate::{Error, Message, Session};

/// What a name of a machine means.
pub struct KnownMachine {
    /// The machine, or what is wrong with its file.
    pub machine: Result<Arc<Machine>, Error>,
    /// The user's file; none if it comes along.
    pub file: Option<String>,
}

/// All machines by their names, and what is wrong with files of the user.
#[derive(Default)]
pub struct Machines {
    pub known: BTreeMap<String, KnownMachine>,
    pub problems: Vec<Message>,
}

impl Session {
    /// The machines that come along, and those of the user, which hide others of the same name, also where their file is broken.
    pub(crate) fn machines(&self) -> Machines {
        let mut machines = Machines::default();
        for (name, text) in shipped::FILES {
            if let Ok(machine) = Machine::parse(name, text) {
                machines
                    .known
                    .insert((*name).to_owned(), KnownMachine { machine: Ok(Arc::new(machine)), file: None });
            }
        }
        let files = self.workspace.machines().unwrap_or_else(|error| {
            let text = format!("the folder of machines cannot be read: {error}");
            machines.problems.push(Message::new(code::CANNOT_READ, text));
            Vec::new()
        });
        for (file, text) in files {
            machines.add(file, text);
        }
        machines
    }

    /// The machine that a word means: a name, or the path of a file that ends in `.toml`.
    pub(crate) fn machine(&self, word: &Word, name: &str) -> Result<Arc<Machine>, Error> {
        if name.ends_with(".toml") {
            return self.machine_of_file(word, name);
        }
        let mut machines = self.machines();
        if let Some(known) = machines.known.remove(name) {
            return known.machine.map_err(|problem| {
                let cure =
                    problem.cure().map_or(format!("repair the file: `{name}` is its machine"), str::to_owned);
                problem.with_span(word.span.clone()).help(cure)
            });
        }
        machines.known.retain(|_, known| known.machine.is_ok());
        let names: Vec<String> = machines.known.into_keys().collect();
        let near = suggest(name, names.iter().map(String::as_str));
        let mut message = format!("there is no machine `{name}`");
        match &machines.problems[..] {
            [] => {}
            [only] => message.push_str(&format!(" ({only})")),
            _ => message.push_str(" (some of your files cannot be read: `machine list` says why)"),
        }
        Err(word
            .error(code::UNKNOWN_MACHINE, message)
            .suggesting(near, format!("the machines are {}", listed(&names))))
    }

    /// The machines behind the word `on`, at least one: several are joined by commas or stand one behind the other.
    pub(crate) fn machines_on<'a>(
        &self,
        on: &Word,
        words: &'a [Word],
    ) -> Result<Vec<(Arc<Machine>, &'a Word)>, Error> {
        let names = words.iter().flat_map(|word| word.text.split(',').map(move |name| (word, name)));
        let machines: Vec<_> = names
            .filter(|(_, name)| !name.is_empty())
            .map(|(word, name)| Ok((self.machine(word, name)?, word)))
            .collect::<Result<_, Error>>()?;
        if machines.is_empty() { Err(missing_machine(on)) } else { Ok(machines) }
    }

    fn machine_of_file(&self, word: &Word, path: &str) -> Result<Arc<Machine>, Error> {
        let bytes = self
            .workspace
            .read(path)
            .map_err(|error| word.error(code::CANNOT_READ, format!("cannot read {path}: {error}")))?;
        let text =
            String::from_utf8(bytes).map_err(|_| word.error(code::NOT_TEXT, format!("{path} is no text")))?;
        Machine::parse(path, &text)
            .map(Arc::new)
            .map_err(|error| Error::from(error).with_span(word.span.clone()))
    }
}

/// No machine stands behind the word `on`.
pub fn missing_machine(on: &Word) -> Error {
    on.error(code::MISSING_WORD, "the machine behind `on` is missing").help("`machine list` lists machines")
}

impl Machines {
    /// A file of the user. Of several with the same name the first counts.
    fn add(&mut self, file: String, text: io::Result<String>) {
        let text = text.map_err(|error| Error::new(code::CANNOT_READ, format!("{file}: {error}")));
        let (name, machine) = match &text {
            Err(problem) => (None, Err(problem.clone())),
            Ok(text) => match Machine::parse(&file, text) {
                Ok(machine) => (Some(machine.name.clone()), Ok(Arc::new(machine))),
                Err(error) => (Machine::name_in(text), Err(Error::from(error))),
            },
        };
        let name = name.unwrap_or_else(|| stem(&file));
        let first = self.known.get(&name).and_then(|known| known.file.as_ref());
        match (&machine, first) {
            (Err(problem), _) => self.problems.push(Message::from(problem)),
            (Ok(_), Some(first)) => {
                let text =
                    format!("{file}: the name `{name}` is that of {first}, which counts; choose another");
                self.problems.push(Message::new(code::NAME_TAKEN, text));
            }
            (Ok(_), None) => {}
        }
        if first.is_none() {
            self.known.insert(name, KnownMachine { machine, file: Some(file) });
        }
    }
}

/// The name that the machine of a file probably has.
fn stem(file: &str) -> String {
    let stem = Path::new(file).file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}
