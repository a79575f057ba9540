use std::borrow::Cow;

use call_grammar::excerpt;

use crate::import::text;
use crate::inclusive::make_inclusive;
use crate::json::{Json, lines};
use crate::metrics::ALL;
use crate::name::{usable, with_metric};
use crate::packed::{Packed, gunzipped};
use crate::response_name::is_statistic;
use crate::{
    Error, FileFormat, Imported, LeftOutReason, Note, ReadOptions, caliper, call_one, columnar, cube,
    extra_p, google_benchmark, hyperfine, jmh, json_lines, likwid, nsys, pytest_benchmark, spreadsheet,
    table,
};

/// What the traces of this project begin with.
const CALL_TRACE: &[u8] = b"# call-trace ";

/// Files that people take for tables.
const NO_TEXT: &[(&[u8], &str, &str)] = &[
    (b"\x1f\x8b", "a file that was packed twice", "unpack it with `gunzip` first"),
    (b"\x28\xb5\x2f\xfd", "a compressed file", "unpack it with `zstd -d` first"),
    (b"BZh", "a compressed file", "unpack it with `bunzip2` first"),
    (b"\xfd7zXZ", "a compressed file", "unpack it with `unxz` first"),
    (b"FEA1", "a Feather file of the first version", "write it with `version=2`, which is Arrow"),
    (b"SQLite format 3", "a database", "save the table as CSV"),
    (b"\xff\xfe", "text in UTF-16", "save it as UTF-8"),
    (b"\xfe\xff", "text in UTF-16", "save it as UTF-8"),
    (b"\x7fELF", "a program", "run it, and read the trace that it writes"),
];

/// What files that gzip packed begin with.
const GZIP: &[u8] = b"\x1f\x8b";

/// What zip archives begin with; also spreadsheets are some.
const ZIP: &[u8] = b"PK\x03\x04";

/// A zip archive.
fn archive(path_name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Imported, Error> {
    let packed = Packed::new(bytes)?;
    if spreadsheet::is_workbook(&packed) {
        packed.check_size()?;
        return spreadsheet::read(path_name, bytes, options);
    }
    options.refuse_sheet()?;
    if extra_p::archive::is_experiment(&packed) {
        return extra_p::archive::read(path_name, packed, options);
    }
    Err(Error::NotText {
        what: "a packed file, or a spreadsheet of another kind",
        cure: "save the table as CSV or .xlsx",
    })
}

/// Reads the bytes of a file, whatever tool wrote it. The format is seen from the content; the name of the file, which need
/// not exist, lends its name to an experiment that has none.
///
/// # Errors
/// If nothing can be made of the file; see [`Error`].
pub fn read(path_name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Imported, Error> {
    let imported = read_metrics(path_name, bytes, options)?;
    refuse_unused(&imported, options)?;
    if options.is_inclusive { make_inclusive(imported) } else { Ok(imported) }
}

/// Of what was read.
///
/// # Errors
/// If there is an option that its format cannot use.
pub(crate) fn refuse_unused(imported: &Imported, options: &ReadOptions) -> Result<(), Error> {
    options.refuse(
        imported.format.unused_options(),
        "a file of this format",
        "leave it out, or load the file apart",
    )
}

fn read_metrics(path_name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Imported, Error> {
    let Some((first, others)) = options.metrics.split_first() else {
        return read_file(path_name, bytes, options);
    };
    let one = |metric: &String| ReadOptions { response: Some(metric.clone()), ..options.clone() };
    let (mut imported, others) = match read_file(path_name, bytes, &one(first)) {
        // A table has no column of that name: its results are the metrics.
        Err(Error::UnknownColumn { columns, .. }) if first == ALL && others.is_empty() => {
            let imported = read_file(path_name, bytes, options)?;
            let others = match imported.format {
                FileFormat::GoogleBenchmark | FileFormat::Hyperfine => {
                    columns.into_iter().filter(|name| *name != imported.trace.header.clock).collect()
                }
                _ => further_results(&imported.notes),
            };
            (imported, others)
        }
        imported => (imported?, others.to_vec()),
    };
    if !imported.format.has_metrics() {
        without_read(&mut imported.notes, &others);
        let metrics: Vec<&str> = others.iter().map(String::as_str).collect();
        let names = imported.names.of_metrics(&metrics);
        for (metric, name) in others.iter().zip(names) {
            let options = ReadOptions { names: imported.names.clone(), ..one(metric) };
            let mut further = read_file(path_name, bytes, &options)?;
            imported.names = further.names;
            for experiment in &mut further.trace.experiments {
                experiment.name = with_metric(std::mem::take(&mut experiment.name), &name);
            }
            imported.trace.experiments.append(&mut further.trace.experiments);
            let is_of_metric = |note: &Note| {
                let is_lacking = matches!(note, Note::LeftOut { reason: LeftOutReason::Lacking, .. });
                is_lacking || matches!(note, Note::Response { .. })
            };
            let notes = further.notes.into_iter().filter(is_of_metric);
            imported.notes.extend(notes);
        }
    }
    Ok(imported)
}

/// The results of a table that were left out, and its further times, which are no statistics.
fn further_results(notes: &[Note]) -> Vec<String> {
    let names = notes.iter().flat_map(|note| match note {
        Note::LeftOut { names, reason: LeftOutReason::Result | LeftOutReason::OtherTime } => names.as_slice(),
        _ => &[],
    });
    names.filter(|name| !is_statistic(name)).cloned().collect()
}

/// Says no more of columns that they were left out when they are read as further metrics.
fn without_read(notes: &mut Vec<Note>, metrics: &[String]) {
    notes.retain_mut(|note| match note {
        Note::LeftOut { names, reason: LeftOutReason::Result | LeftOutReason::OtherTime } => {
            names.retain(|name| !metrics.contains(name) && !metrics.contains(&usable(name)));
            !names.is_empty()
        }
        _ => true,
    });
}

fn read_file(path_name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Imported, Error> {
    if bytes.starts_with(ZIP) {
        return archive(path_name, bytes, options);
    }
    options.refuse_sheet()?;
    let is_trace = bytes.starts_with(CALL_TRACE) || !bytes.is_empty() && CALL_TRACE.starts_with(bytes);
    if options.format == Some(FileFormat::CallTrace) || options.format.is_none() && is_trace {
        let trace = call_trace::read(bytes)?;
        return Ok(Imported {
            format: FileFormat::CallTrace,
            trace,
            notes: Vec::new(),
            names: options.names.clone(),
        });
    }
    if let Some(format) = columnar::format_of(bytes) {
        return columnar::read(format, path_name, bytes, options);
    }
    if cube::is_archive(bytes) {
        return cube::read(path_name, bytes, options);
    }
    if extra_p::three::is_experiment(bytes) {
        return extra_p::three::read(path_name, bytes, options);
    }
    if bytes.starts_with(GZIP) {
        let unpacked = gunzipped(bytes)?;
        // What was packed twice is packed still.
        if !unpacked.starts_with(GZIP) {
            return read_file(path_name.strip_suffix(".gz").unwrap_or(path_name), &unpacked, options);
        }
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
        (Some(FileFormat::Cube), b'<') => cube::read(path_name, body, options),
        (None, b'<') if cube::is_xml(&beginning(body)) => cube::read(path_name, body, options),
        (Some(FileFormat::CallOneXml), _) | (None, b'<') => {
            call_one::xml::read(path_name, &text(body), options)
        }
        (Some(FileFormat::CallOneJson), _) => call_one::json::read_text(path_name, &text(bytes), options),
        (
            Some(
                FileFormat::Hyperfine
                | FileFormat::GoogleBenchmark
                | FileFormat::ExtraPJson
                | FileFormat::PytestBenchmark
                | FileFormat::Jmh
                | FileFormat::Caliper,
            ),
            _,
        ) => document(path_name, &Json::read(bytes)?, options),
        (Some(FileFormat::JsonLines), _) => json(path_name, bytes, options),
        (Some(format @ (FileFormat::ExtraPJsonLines | FileFormat::Talpas)), _) => {
            extra_p::read_lines(format, path_name, bytes, options)
        }
        (Some(FileFormat::ExtraPText), _) => extra_p::text::read(path_name, &text(bytes), options),
        (Some(FileFormat::CallOneText), _) => call_one::text::read(path_name, &text(bytes), options),
        (None, b'{' | b'[') => json(path_name, bytes, options),
        (None, _) if extra_p::text::is_extra_p(&beginning(bytes)) => {
            extra_p::text::read(path_name, &text(bytes), options)
        }
        (None, _) if call_one::text::is_call_one(&beginning(bytes)) => {
            call_one::text::read(path_name, &text(bytes), options)
        }
        (Some(FileFormat::Likwid), _) => likwid::read(path_name, &text(bytes), options),
        (Some(FileFormat::NsightSystems), _) => nsys::read(path_name, &text(bytes), options),
        (None, _) if likwid::is_likwid(&beginning(bytes)) => likwid::read(path_name, &text(bytes), options),
        (None, _) if nsys::is_nsys(&beginning(bytes)) => nsys::read(path_name, &text(bytes), options),
        (Some(_) | None, _) => table::read(path_name, bytes, options),
    }
}

/// Enough of the text to see the format.
fn beginning(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(&bytes[..bytes.len().min(65_536)])
}

/// JSON of any kind. If the first line is a whole object and there are more, there is one on each.
fn json(path_name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Imported, Error> {
    let is_talpas = |(_, line): (u64, &[u8])| extra_p::is_talpas(line);
    if options.format.is_none() && lines(bytes).next().is_some_and(is_talpas) {
        return extra_p::read_lines(FileFormat::Talpas, path_name, bytes, options);
    }
    let mut lines = lines(bytes);
    let first = lines.next().and_then(|(line, text)| Json::read_line(text, line).ok());
    if let Some(object @ Json::Object(_)) = first
        && !call_one::json::is_call_one(&object)
        && (lines.next().is_some() || extra_p::is_measurement(&object) || is_flat(&object))
    {
        return if options.format.is_none() && extra_p::is_measurement(&object) {
            extra_p::read_lines(FileFormat::ExtraPJsonLines, path_name, bytes, options)
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
        _ if pytest_benchmark::is_pytest_benchmark(json) => pytest_benchmark::read(path_name, json, options),
        _ if jmh::is_jmh(json) => jmh::read(path_name, json, options),
        _ if caliper::is_caliper(json) => caliper::read(path_name, json, options),
        _ if google_benchmark::is_google_benchmark(json) => google_benchmark::read(path_name, json, options),
        _ if hyperfine::is_hyperfine(json) => hyperfine::read(path_name, json, options),
        _ if extra_p::json::is_input(json) => extra_p::read_json(path_name, json, options),
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
