//! Problems with their solutions in text files: `# comment`, `KEY NUMBERS`, and `row BASIS… OBSERVED WEIGHT`.

use std::collections::BTreeMap;
use std::path::Path;

use call_fit::FitSamples;

pub struct ProblemFile {
    pub name: String,
    /// What is known of the solution, by its key.
    pub known: BTreeMap<String, Vec<f64>>,
    pub basis: Vec<Vec<f64>>,
    pub observed: Vec<f64>,
    pub weights: Vec<f64>,
}

impl ProblemFile {
    /// The files of a folder of `tests`, which are so many at least.
    pub fn all(folder: &str, least: usize) -> Vec<ProblemFile> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
        let entries = std::fs::read_dir(folder).expect("the folder");
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        assert!(paths.len() >= least, "only {} problems found", paths.len());
        paths.iter().map(|path| ProblemFile::read(path)).collect()
    }

    fn read(path: &Path) -> ProblemFile {
        let text = std::fs::read_to_string(path).expect("the problem can be read");
        let mut problem = ProblemFile {
            name: path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default(),
            known: BTreeMap::new(),
            basis: Vec::new(),
            observed: Vec::new(),
            weights: Vec::new(),
        };
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
            let numbers: Vec<f64> =
                rest.split_whitespace().map(|word| word.parse().expect("a number")).collect();
            match key {
                "terms" => problem.basis = vec![Vec::new(); numbers[0] as usize],
                "row" => {
                    let terms = problem.basis.len();
                    for (column, value) in problem.basis.iter_mut().zip(&numbers) {
                        column.push(*value);
                    }
                    problem.observed.push(numbers[terms]);
                    problem.weights.push(numbers[terms + 1]);
                }
                _ => drop(problem.known.insert(key.to_owned(), numbers)),
            }
        }
        problem
    }

    /// Takes the numbers of a key; what is not there has none.
    pub fn take(&mut self, key: &str) -> Vec<f64> {
        self.known.remove(key).unwrap_or_default()
    }

    /// Every key has to be understood.
    pub fn nothing_is_left(&self) {
        assert!(self.known.is_empty(), "{}: unknown keys {:?}", self.name, self.known.keys());
    }

    pub fn samples(&self) -> FitSamples<'_> {
        FitSamples {
            basis: self.basis.iter().map(Vec::as_slice).collect(),
            observed: &self.observed,
            weights: &self.weights,
        }
    }
}
