use std::path::{Path, PathBuf};

use call_machine::{Machine, ProbeError, is_name};
use llac::Workspace;

use super::traces::failed;
use crate::files;

/// The machine file that is to be written, known before anything is measured.
pub struct Destination {
    path: PathBuf,
    /// What `machine show` finds it by.
    shown: String,
}

impl Destination {
    /// The file that is named, else that of the machine in the user's folder of machines.
    ///
    /// # Errors
    /// Why it cannot be written there, or what would be lost.
    pub fn of(name: &str, into: Option<&Path>, may_replace: bool) -> Result<Destination, String> {
        if !is_name(name) {
            let error = ProbeError::Name(name.to_owned());
            return Err(failed(&error, error.cure()));
        }
        let (destination, other) = match into {
            Some(file) => (Destination::named(file)?, "file"),
            None => (Destination::own(name)?, "name"),
        };
        let path = destination.path.display();
        if destination.path.is_dir() {
            return Err(format!("llac: {path} is a folder: choose another {other}"));
        }
        if destination.path.symlink_metadata().is_ok() && !may_replace {
            return Err(format!(
                "llac: {path} is there already: choose another {other}, or write over it with --replace"
            ));
        }
        Ok(destination)
    }

    fn named(file: &Path) -> Result<Destination, String> {
        let shown = file.display().to_string();
        if !shown.ends_with(".toml") {
            let with_end = file.with_extension("toml");
            return Err(format!(
                "llac: the name of a machine file ends in `.toml`: `into {}`",
                with_end.display()
            ));
        }
        match file.parent() {
            Some(folder) if folder != Path::new("") && !folder.is_dir() => {
                Err(format!("llac: there is no folder {}: make it first", folder.display()))
            }
            _ => Ok(Destination { path: file.to_owned(), shown }),
        }
    }

    fn own(name: &str) -> Result<Destination, String> {
        let folder = files::own_machines().ok_or(
            "llac: neither CALL_MACHINES nor XDG_CONFIG_HOME nor HOME says where your machines are: name the file with `into FILE`",
        )?;
        if folder.exists() && !folder.is_dir() {
            return Err(format!("llac: {}, where your machines should be, is no folder", folder.display()));
        }
        let path = folder.join(format!("{name}.toml"));
        // Where no folder is, or it cannot be read, there is none whose name this is.
        for (file, text) in files::machines_in(&folder).unwrap_or_default() {
            let has_name =
                text.is_ok_and(|text| Machine::parse(&file, &text).is_ok_and(|machine| machine.name == name));
            if has_name && Path::new(&file) != path {
                return Err(format!("llac: `{name}` is the name of the machine in {file}: choose another"));
            }
        }
        Ok(Destination { path, shown: name.to_owned() })
    }

    /// Writes the file, whole or not at all.
    pub fn write(&self, machine: &Machine) -> Result<(), String> {
        let path = self.path.display();
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|error| format!("llac: cannot make the folder {}: {error}", folder.display()))?;
        }
        files::Folder
            .write(&self.path.to_string_lossy(), machine.to_toml().as_bytes())
            .map_err(|error| format!("llac: cannot write {path}: {error}"))?;
        eprintln!("llac: wrote {path}");
        Ok(())
    }

    /// A word of `machine show`.
    pub fn shown(&self) -> &str {
        &self.shown
    }
}
