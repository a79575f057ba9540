use std::borrow::Cow;

use call_grammar::excerpt;

use crate::import::text;
use crate::json::{Json, lines};
use crate::{
    Error, FileFormat, Imported, ReadOptions, call_one, extra_p, google_benchmark, hyperfine, json_lines,
    table,
};

/// What the traces of this project begin with.
const CALL_TRACE: &[u8] = b"# call-trace ";

/// Files that people take for tables.
const NO_TEXT: &[(&[u8], &str, &str)] = &[
    (b"\x1f\x8b", "a compressed file", "unpack it with `gunzip` first"),
    (b"\x28\xb5\x2f\xfd", "a compressed file", "unpack it with `zstd -d` first"),
    (b"BZh", "a compressed file", "unpack it with `bunzip2` first"),
    (b"\xfd7zXZ", "a compressed file", "unpack it with `unxz` first"),
    (b"PK\x03\x04", "a packed file or a spreadsheet", "save the table as CSV"),
    (b"PAR1", "a Parquet file", "save the table as CSV"),
    (b"ARROW1", "an Arrow file", "save the table as CSV"),
    (b"SQLite format 3", "a database", "save the table as CSV"),
    (b"\xff\xfe", "text in UTF-16", "save it as UTF-8"),
    (b"\xfe\xff", "text in UTF-16", "save it as UTF-8"),
    (b"\x7fELF", "a program", "run it, and read the trace that it writes"),
];

/// Reads the bytes of a file, whatever tool wrote it. The format is seen from the content; the name of the file, which need
/// not exist, lends its name to an experiment that has none.
///
/// # Errors
/// If nothing can be made of the file; see [`Error`].
pub fn read(path_name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Imported, Error> {
    let is_trace = bytes.starts_with(CALL_TRACE) || !bytes.is_empty() && CALL_TRACE.starts_with(bytes);
    if options.format == Some(FileFormat::CallTrace) || options.format.is_none() && is_trace {
        let trace = call_trace::read(bytes)?;
        return Ok(Imported { format: FileFormat::CallTrace, trace, notes: Vec::new() });
    }
    if let Some((_, what, cure)) = NO_TEXT.iter().find(|(start, ..)| bytes.starts_with(start)) {
        return Err(Error::NotText { what, cure });
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.iter().take(4096).any(|byte| *byte == 0) {
        return Err(Error::NotText { what: "no text", cure: "give a trace or a table as text" });
    }
    let body = bytes.trim_ascii_start();
    let Some(first) = body.first() else { return Err(Error::Empty) };
    match (options.format, first) {
        (Some(FileFormat::CallOneXml), _) | (None, b'<') => {
            call_one::xml::read(path_name, &text(body), options)
        }
        (Some(FileFormat::CallOneJson), _) => call_one::json::read_text(path_name, &text(bytes), options),
        (Some(FileFormat::Hyperfine | FileFormat::GoogleBenchmark), _) => {
            document(path_name, &Json::read(bytes)?, options)
        }
        (Some(FileFormat::JsonLines), _) => json(path_name, bytes, options),
        (Some(FileFormat::ExtraPJsonLines), _) => extra_p::read_json_lines(path_name, bytes, options),
        (Some(FileFormat::ExtraPText), _) => extra_p::text::read(path_name, &text(bytes), options),
        (Some(FileFormat::CallOneText), _) => call_one::text::read(path_name, &text(bytes), options),
        (None, b'{' | b'[') => json(path_name, bytes, options),
        (None, _) if extra_p::text::is_extra_p(&beginning(bytes)) => {
            extra_p::text::read(path_name, &text(bytes), options)
        }
        (None, _) if call_one::text::is_call_one(&beginning(bytes)) => {
            call_one::text::read(path_name, &text(bytes), options)
        }
        (Some(FileFormat::Table | FileFormat::CallTrace) | None, _) => table::read(path_name, bytes, options),
    }
}

/// Enough of the text to see the format.
fn beginning(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(&bytes[..bytes.len().min(65_536)])
}

/// JSON of any kind. If the first line is a whole object and there are more, there is one on each.
fn json(path_name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Imported, Error> {
    let mut lines = lines(bytes);
    let first = lines.next().and_then(|(line, text)| Json::read_line(text, line).ok());
    if let Some(object @ Json::Object(_)) = first
        && !call_one::json::is_call_one(&object)
        && (lines.next().is_some() || extra_p::is_measurement(&object) || is_flat(&object))
    {
        return if options.format.is_none() && extra_p::is_measurement(&object) {
            extra_p::read_json_lines(path_name, bytes, options)
        } else {
            json_lines::read(path_name, bytes, options)
        };
    }
    match Json::read(bytes) {
        Ok(json) => document(path_name, &json, options),
        Err(_) if call_one::json::may_be_call_one(&beginning(bytes)) => {
            call_one::json::read_text(path_name, &text(bytes), options)
        }
        Err(error) => Err(error),
    }
}

fn is_flat(object: &Json) -> bool {
    let Json::Object(entries) = object else { return false };
    !entries.is_empty() && entries.iter().all(|(_, value)| !matches!(value, Json::List(_) | Json::Object(_)))
}

/// A file that is one JSON value.
fn document(path_name: &str, json: &Json, options: &ReadOptions) -> Result<Imported, Error> {
    match json {
        _ if google_benchmark::is_google_benchmark(json) => google_benchmark::read(path_name, json, options),
        _ if hyperfine::is_hyperfine(json) => hyperfine::read(path_name, json, options),
        _ if call_one::json::is_call_one(json) => {
            call_one::json::read(path_name, std::slice::from_ref(json), options)
        }
        Json::List(objects) if objects.iter().any(|object| matches!(object, Json::Object(_))) => {
            json_lines::of_list(path_name, objects, options)
        }
        Json::Object(_) if is_flat(json) => json_lines::of_list(path_name, json.entries(), options),
        Json::Object(entries) => {
            Err(Error::UnknownJson { keys: entries.iter().map(|(key, _)| excerpt(key)).collect() })
        }
        _ => Err(Error::UnknownJson { keys: Vec::new() }),
    }
}
