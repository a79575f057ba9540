use serde::Serialize;

use crate::Machine;
use crate::file::SCHEMA_VERSION;

#[derive(Serialize)]
struct PrintedFile<'a> {
    schema_version: u64,
    #[serde(flatten)]
    machine: &'a Machine,
}

impl Machine {
    /// The file of the machine; [`Machine::parse`] reads the same machine from it.
    pub fn to_toml(&self) -> String {
        let file = PrintedFile { schema_version: SCHEMA_VERSION, machine: self };
        // Nothing in these structs can fail to be TOML: all keys are names, all counts were read from TOML.
        with_exponents(toml::to_string_pretty(&file).unwrap_or_default())
    }
}

/// Writes 0.000000000021 as 2.1e-11: `toml` knows no exponents. Not beside texts of several lines, in which anything may stand.
fn with_exponents(text: String) -> String {
    if text.contains(r#"""""#) || text.contains("'''") {
        return text;
    }
    let line = |line: &str| {
        let number = line.split_once(" = ").filter(|(_, value)| value.contains('.'));
        match number.and_then(|(key, value)| Some((key, value.parse::<f64>().ok()?))) {
            Some((key, number)) if !(1e-3..1e6).contains(&number.abs()) && number != 0.0 => {
                format!("{key} = {number:e}\n")
            }
            _ => format!("{line}\n"),
        }
    };
    text.lines().map(line).collect()
}
