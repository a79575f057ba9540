//! An entry of an archive: a model, and when, where and of which sources its samples were measured.

use std::collections::BTreeSet;

use call_model::ModelFile;
use serde_json::{Value, json};

/// The version of entries; later ones are not read.
const SCHEMA_VERSION: u64 = 1;
/// The key that makes a file one.
const KEY: &str = "call-archive";

/// One time that an experiment was added.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The name of its file.
    pub file: String,
    pub about: MeasurementOrigin,
    /// The name of the file beside it that has its samples.
    pub samples: Option<String>,
    pub model: ModelFile,
    /// When it was added, in nanoseconds since 1970: the order of those that were measured at the same time. Entries of before do not say it.
    pub added_ns: Option<u64>,
}

/// What is known beside the samples; empty is what is not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MeasurementOrigin {
    /// When it was measured, in UTC: `2026-11-21T09:30:00Z`.
    pub time: String,
    /// Of which sources.
    pub commit: String,
    /// Where.
    pub machine: String,
    pub label: String,
}

impl Entry {
    pub fn experiment(&self) -> &str {
        self.model.forecaster.model().formula().experiment()
    }

    /// What comes before what.
    pub fn order(&self) -> (&str, Option<u64>, &str) {
        (&self.about.time, self.added_ns, &self.file)
    }

    /// Whether nothing says which of two neighbours was first.
    pub fn is_tied(&self, other: &Entry) -> bool {
        const DAY: usize = 10;
        let (one, two) = (&self.about.time, &other.about.time);
        if one == two {
            return self.added_ns.is_none() || other.added_ns.is_none() || self.added_ns == other.added_ns;
        }
        // One has its day alone.
        one.len().min(two.len()) == DAY && one.get(..DAY) == two.get(..DAY)
    }

    /// What compiled the programs of its runs.
    pub fn compiler(&self) -> String {
        let known = self.model.runs.iter().filter_map(|run| run.facts.get("compiler"));
        known.cloned().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join("; ")
    }

    /// What people call it: its label, its commit, or its time.
    pub fn title(&self) -> String {
        let MeasurementOrigin { time, commit, label, .. } = &self.about;
        match (label.is_empty(), commit.is_empty()) {
            (false, _) => label.clone(),
            (true, false) => short(commit),
            (true, true) => time.clone(),
        }
    }

    pub fn to_text(&self) -> String {
        let MeasurementOrigin { time, commit, machine, label } = &self.about;
        // What has just been written can be read.
        let model: Value = serde_json::from_str(&self.model.to_text()).unwrap_or_default();
        let entry = json!({
            KEY: SCHEMA_VERSION, "time": time, "commit": commit, "machine": machine, "label": label,
            "samples": self.samples, "added_ns": self.added_ns, "model": model,
        });
        format!("{entry:#}\n")
    }

    /// Reads an entry, or says why the text is none.
    pub fn read(file: &str, text: &str) -> Result<Entry, String> {
        let entry: Value = serde_json::from_str(text).map_err(|error| format!("no JSON: {error}"))?;
        let version = entry.get(KEY).ok_or("no entry of an archive")?;
        match version.as_u64() {
            Some(1..=SCHEMA_VERSION) => {}
            _ => {
                return Err(format!(
                    "an entry of schema version {version}, and this program reads 1 to {SCHEMA_VERSION}"
                ));
            }
        }
        let word = |key: &str| -> Result<String, String> {
            let value = entry.get(key).and_then(Value::as_str);
            value.map(str::to_owned).ok_or_else(|| format!("an entry without the text `{key}`"))
        };
        let about = MeasurementOrigin {
            time: word("time")?,
            commit: word("commit")?,
            machine: word("machine")?,
            label: word("label")?,
        };
        let samples = entry.get("samples").and_then(Value::as_str).map(str::to_owned);
        if samples.as_ref().is_some_and(|name| name.contains(['/', '\\'])) {
            return Err("an entry whose samples are in another folder".to_owned());
        }
        let model = entry.get("model").ok_or("an entry without a model")?;
        let model = ModelFile::read(&model.to_string()).map_err(|error| format!("an entry, and {error}"))?;
        let added_ns = entry.get("added_ns").and_then(Value::as_u64);
        Ok(Entry { file: file.to_owned(), about, samples, model, added_ns })
    }
}

/// A commit as people write it: ten digits, and the sign for changes since.
pub fn short(commit: &str) -> String {
    const DIGITS: usize = 10;
    let plain = commit.trim_end_matches('+');
    let is_hash = plain.len() > DIGITS && plain.bytes().all(|byte| byte.is_ascii_hexdigit());
    match is_hash {
        true => format!("{}{}", &plain[..DIGITS], &commit[plain.len()..]),
        false => commit.to_owned(),
    }
}
