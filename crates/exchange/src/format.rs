use std::fmt;

/// The formats that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `.dat` files of this project.
    CallTrace,
    /// Text traces of CALL 1.0.
    CallOneText,
    /// XML traces of CALL 1.0.
    CallOneXml,
    /// JSON traces of CALL 1.0.
    CallOneJson,
    /// A table with a header line, with commas, semicolons, tabulators, bars or blanks between the fields.
    Table,
    /// An object a line, or a list of objects.
    JsonLines,
    /// Text input of Extra-P.
    ExtraPText,
    /// JSON lines of Extra-P.
    ExtraPJsonLines,
    /// `hyperfine --export-json`.
    Hyperfine,
    /// `--benchmark_format=json` of Google Benchmark.
    GoogleBenchmark,
}

impl fmt::Display for Format {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Format::CallTrace => "a trace",
            Format::CallOneText => "a text trace of CALL 1.0",
            Format::CallOneXml => "an XML trace of CALL 1.0",
            Format::CallOneJson => "a JSON trace of CALL 1.0",
            Format::Table => "a table",
            Format::JsonLines => "JSON lines",
            Format::ExtraPText => "text input of Extra-P",
            Format::ExtraPJsonLines => "JSON lines of Extra-P",
            Format::Hyperfine => "results of hyperfine",
            Format::GoogleBenchmark => "results of Google Benchmark",
        })
    }
}
