use std::path::{Path, PathBuf};

use call_grammar::ProcessorRange;
use clap::Args;

use super::folder::ProbeFolder;

/// Measures this computer, or several under a launcher, and writes a machine file.
///
/// It takes `call`, a C compiler and two minutes, on a computer that does little else. With --from, the words are traces of the
/// probe, and the name of the machine last.
#[derive(Args)]
pub struct ProbeArguments {
    /// Name of the machine, if not that of this computer or, of traces, theirs; `into FILE`, which ends in `.toml`, writes the file
    /// there instead of your folder of machines
    #[arg(value_name = "NAME | into FILE | TRACES")]
    words: Vec<String>,
    /// Numbers of processors, the first, the last and the factor between them; 1 is always among them
    #[arg(long, value_name = "FIRST:LAST:FACTOR")]
    processors: Option<String>,
    /// Starts the program, with %P for the number of processors: 'mpirun -n %P', 'srun -n %P'
    #[arg(long, value_name = "COMMAND", default_value = "")]
    pub launcher: String,
    /// The C compiler; else CC, else cc, with a launcher mpicc, with smpirun smpicc
    #[arg(long, value_name = "COMMAND")]
    compiler: Option<String>,
    /// Its flags
    #[arg(long, default_value = "-O2", allow_hyphen_values = true)]
    pub flags: String,
    /// Where program and traces stay; without it they are removed
    #[arg(long, value_name = "DIR")]
    directory: Option<PathBuf>,
    /// Some seconds, less exact
    #[arg(long)]
    pub quick: bool,
    /// Write over a machine file that is there
    #[arg(long)]
    pub replace: bool,
    /// Also run on more processors than this computer has cores
    #[arg(long)]
    pub oversubscribe: bool,
    /// Only write the program and its script
    #[arg(long, value_name = "DIR", conflicts_with_all = ["from", "directory", "words"])]
    prepare: Option<PathBuf>,
    /// Make the machine of traces that are there
    #[arg(long, requires = "words")]
    from: bool,
}

/// What is to be done.
pub enum ProbeTask {
    Prepare { directory: PathBuf },
    FromTraces { traces: Vec<PathBuf>, name: Option<String>, into: Option<PathBuf> },
    Measure { name: Option<String>, into: Option<PathBuf> },
}

impl ProbeArguments {
    pub fn task(&self) -> Result<ProbeTask, String> {
        if let Some(directory) = &self.prepare {
            return Ok(ProbeTask::Prepare { directory: directory.clone() });
        }
        let (words, into) = match self.words.iter().position(|word| word == "into") {
            None => (&self.words[..], None),
            Some(at) => match &self.words[at + 1..] {
                [file] => (&self.words[..at], Some(PathBuf::from(file))),
                _ => return Err("llac: behind `into` stands one file".to_owned()),
            },
        };
        let is_trace = |word: &&String| Path::new(word).extension().is_some_and(|end| end == "dat");
        match words {
            [traces @ .., last] if self.from => {
                let name = (!is_trace(&last)).then(|| last.clone());
                let traces = if name.is_some() { traces } else { words };
                Ok(ProbeTask::FromTraces { traces: traces.iter().map(PathBuf::from).collect(), name, into })
            }
            [] => Ok(ProbeTask::Measure { name: None, into }),
            [name] => Ok(ProbeTask::Measure { name: Some(name.clone()), into }),
            _ => Err("llac: a machine has one name; traces stand behind --from".to_owned()),
        }
    }

    /// The numbers of processors, ascending, 1 first: one processor measures the memory and the operations.
    pub fn processors(&self) -> Result<Vec<u32>, String> {
        let cores = std::thread::available_parallelism().map_or(1, |count| count.get() as u32);
        let numbers = self
            .processors
            .as_ref()
            .map_or(Ok(vec![1, cores]), |range| range.split(':').map(str::parse).collect());
        let range = numbers.ok().and_then(|numbers: Vec<u32>| ProcessorRange::of(&numbers).ok()).ok_or_else(
            || {
                let range = self.processors.as_deref().unwrap_or_default();
                format!(
                    "llac: --processors {range}: write FIRST:LAST:FACTOR, for example 1:8:2 for 1, 2, 4, 8"
                )
            },
        )?;
        let without_one = range.counts().filter(|count| *count > 1);
        Ok(std::iter::once(1).chain(without_one).collect())
    }

    /// Runs of each number of processors, several if there is time: where the system has put its memory stays the same in a run.
    pub fn repeat(&self) -> usize {
        if self.quick { 1 } else { 2 }
    }

    /// The C compiler.
    pub fn compiler(&self) -> String {
        let named =
            self.compiler.clone().or_else(|| std::env::var("CC").ok().filter(|name| !name.is_empty()));
        named.unwrap_or_else(|| {
            let launcher = self.launcher.split_whitespace().next();
            match launcher.and_then(|word| Path::new(word).file_name()?.to_str()) {
                None => "cc",
                Some("smpirun") => "smpicc",
                Some(_) => "mpicc",
            }
            .to_owned()
        })
    }

    /// The launcher as it is run, in another folder: files that it names by their way from the current one have their whole path.
    pub fn launcher_elsewhere(&self) -> String {
        let words = self.launcher.split_whitespace().enumerate();
        let words = words.map(|(number, word)| {
            let (option, path) = word.split_once('=').map_or(("", word), |(option, path)| (option, path));
            // A command without a slash is looked for elsewhere.
            let is_meant = Path::new(path).is_file() && (number > 0 || path.contains('/'));
            let whole = std::path::absolute(path).ok().filter(|_| is_meant);
            // The script takes words apart at blanks.
            match whole
                .as_ref()
                .and_then(|whole| whole.to_str())
                .filter(|whole| !whole.contains(char::is_whitespace))
            {
                None => word.to_owned(),
                Some(whole) if option.is_empty() => whole.to_owned(),
                Some(whole) => format!("{option}={whole}"),
            }
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// Where the program is built and run. What a launcher starts may stand on other computers, which rarely see the folder for
    /// temporary files of this one, but mostly the current one.
    pub fn folder(&self) -> Result<ProbeFolder, String> {
        match &self.directory {
            Some(directory) => ProbeFolder::named(directory),
            None if self.launcher.is_empty() => ProbeFolder::temporary(&std::env::temp_dir()),
            None => ProbeFolder::temporary(Path::new(".")),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::{Command, FromArgMatches};

    use super::*;

    fn parse(words: &[&str]) -> ProbeArguments {
        let words = std::iter::once("probe").chain(words.iter().copied());
        let matches = ProbeArguments::augment_args(Command::new("probe")).get_matches_from(words);
        ProbeArguments::from_arg_matches(&matches).unwrap()
    }

    #[test]
    fn one_processor_is_always_among_them() {
        let processors = |range: &str| parse(&["--processors", range]).processors();
        assert_eq!(processors("2:20:3").unwrap(), [1, 2, 6, 18]);
        assert_eq!(processors("1:4").unwrap(), [1, 2, 4]);
        assert_eq!(processors("4").unwrap(), [1, 4]);
        for wrong in ["", "0:4:2", "4:2:2", "1:4:1", "1:2:3:4", "a"] {
            assert!(processors(wrong).unwrap_err().contains("FIRST:LAST:FACTOR"), "{wrong}");
        }
    }

    /// Tests run in the folder of the crate.
    #[test]
    fn files_that_a_launcher_names_are_found_from_elsewhere() {
        let here = std::env::current_dir().unwrap();
        let here = here.to_str().unwrap();
        let launcher = |text: &str| parse(&["--launcher", text]).launcher_elsewhere();
        let expected = format!("smpirun -platform {here}/Cargo.toml --hosts={here}/src/lib.rs -np %P");
        assert_eq!(launcher("smpirun -platform Cargo.toml --hosts=src/lib.rs -np %P"), expected);
        for same in ["mpirun -n %P", "Cargo.toml -n 8", "srun --ntasks=%P no-such.xml", "a /etc/hosts"] {
            assert_eq!(launcher(same), same);
        }
    }

    #[test]
    fn the_name_stands_behind_the_traces() {
        let task = parse(&["--from", "a.dat", "b.dat", "big", "into", "x.toml"]).task();
        let Ok(ProbeTask::FromTraces { traces, name, into }) = task else { panic!() };
        assert_eq!((traces.len(), name.as_deref(), into), (2, Some("big"), Some(PathBuf::from("x.toml"))));
        let Ok(ProbeTask::FromTraces { traces, name: None, into: None }) =
            parse(&["--from", "a.dat", "b.dat"]).task()
        else {
            panic!()
        };
        assert_eq!(traces.len(), 2);
        assert!(parse(&["one", "two"]).task().is_err());
        assert!(parse(&["one", "into"]).task().is_err());
    }

    #[test]
    fn the_compiler_goes_with_the_launcher() {
        assert_eq!(parse(&["--compiler", "gcc-12"]).compiler(), "gcc-12");
        if std::env::var_os("CC").is_none() {
            assert_eq!(parse(&[]).compiler(), "cc");
            assert_eq!(parse(&["--launcher", "/opt/bin/smpirun -np %P"]).compiler(), "smpicc");
            assert_eq!(parse(&["--launcher", "srun -n %P"]).compiler(), "mpicc");
        }
    }
}
