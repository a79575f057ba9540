//! What is said of names that formulas cannot use.

use std::collections::BTreeSet;

use crate::Note;

/// A table with a million odd names is not worth a million notes.
const MOST_RENAMED: usize = 20;

/// What is called otherwise here than in its file.
#[derive(Default)]
pub(crate) struct RenamedNames {
    known: BTreeSet<(String, String)>,
    /// In their order, those that do not look alike in a message.
    told: Vec<Note>,
}

impl RenamedNames {
    pub(crate) fn take(&mut self, from: &str, to: &str) {
        if from == to || !self.known.insert((from.to_owned(), to.to_owned())) {
            return;
        }
        let note = Note::Renamed { from: from.to_owned(), to: to.to_owned() };
        if self.told.len() < MOST_RENAMED && self.told.iter().all(|told| told.to_string() != note.to_string())
        {
            self.told.push(note);
        }
    }

    /// Takes the calls of a call path one by one: many paths have the same ones.
    pub(crate) fn take_path(&mut self, from: &str, to: &str) {
        let (calls, names): (Vec<&str>, Vec<&str>) = (from.split("->").collect(), to.split('/').collect());
        match calls.len() == names.len() {
            true => calls.iter().zip(names).for_each(|(call, name)| self.take(call, name)),
            false => self.take(&from.replace("->", "/"), to),
        }
    }

    pub(crate) fn notes(self) -> impl Iterator<Item = Note> {
        let count = self.known.len() - self.told.len();
        let further = (count > 0).then_some(Note::RenamedFurther { count });
        self.told.into_iter().chain(further)
    }
}

/// Says what goes by one name though it is written in two ways.
pub(crate) fn tell_shared(pairs: Vec<(String, String)>, notes: &mut Vec<Note>) {
    notes.extend(pairs.into_iter().take(MOST_RENAMED).map(|(name, other)| Note::SameName { name, other }));
}
