//! The machines that a session knows: those of the user, and those that come along.

use std::collections::BTreeMap;
use std::sync::Arc;

use call_grammar::suggest;
use call_model::machine::{Machine, shipped};

use crate::experiments::listed;
use crate::words::Word;
use crate::{Error, Session};

/// A machine and where it is from.
pub struct Known {
    pub machine: Arc<Machine>,
    /// The user's file; none if it comes along.
    pub file: Option<String>,
}

/// All machines by their names, and what is wrong with files of the user.
#[derive(Default)]
pub struct Machines {
    pub known: BTreeMap<String, Known>,
    pub problems: Vec<String>,
}

impl Session {
    /// The machines that come along, and those of the user, which hide others of the same name.
    pub(crate) fn machines(&self) -> Machines {
        let mut machines = Machines::default();
        for (name, text) in shipped::FILES {
            if let Ok(machine) = Machine::parse(name, text) {
                machines.known.insert((*name).to_owned(), Known { machine: Arc::new(machine), file: None });
            }
        }
        let files = self.workspace.machines().unwrap_or_else(|error| {
            machines.problems.push(format!("the folder of machines cannot be read: {error}"));
            Vec::new()
        });
        for (file, text) in files {
            match Machine::parse(&file, &text) {
                Err(error) => machines.problems.push(error.to_string()),
                Ok(machine) => machines.add(machine, file),
            }
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
            return Ok(known.machine);
        }
        let names: Vec<String> = machines.known.keys().cloned().collect();
        let near = suggest(name, names.iter().map(String::as_str));
        let mut message = format!("there is no machine `{name}`");
        if !machines.problems.is_empty() {
            message.push_str(" (some of your files cannot be read: `machine list` says why)");
        }
        Err(Error::at(word.span.clone(), message)
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
        let fail = |message: String| Error::at(word.span.clone(), message);
        let bytes =
            self.workspace.read(path).map_err(|error| fail(format!("cannot read {path}: {error}")))?;
        let text = String::from_utf8(bytes).map_err(|_| fail(format!("{path} is no text")))?;
        Machine::parse(path, &text).map(Arc::new).map_err(|error| fail(error.to_string()))
    }
}

/// No machine stands behind the word `on`.
pub fn missing_machine(on: &Word) -> Error {
    Error::at(on.span.clone(), "the machine behind `on` is missing").help("`machine list` lists machines")
}

impl Machines {
    fn add(&mut self, machine: Machine, file: String) {
        let name = machine.name.clone();
        match self.known.get(&name) {
            Some(Known { file: Some(other), .. }) => {
                self.problems.push(format!(
                    "{file}: the name `{name}` is that of {other}, which counts; choose another"
                ));
            }
            _ => {
                self.known.insert(name, Known { machine: Arc::new(machine), file: Some(file) });
            }
        }
    }
}
