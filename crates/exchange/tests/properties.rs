//! No bytes make a reader panic or hang, and what it returns fits together.

use crate::common::{FILES, file};
use call_exchange::{FileFormat, Imported, ReadOptions, read};
use proptest::prelude::*;

const FORMATS: &[Option<FileFormat>] = &[
    None,
    Some(FileFormat::CallTrace),
    Some(FileFormat::CallOneText),
    Some(FileFormat::CallOneXml),
    Some(FileFormat::CallOneJson),
    Some(FileFormat::Table),
    Some(FileFormat::JsonLines),
    Some(FileFormat::ExtraPText),
    Some(FileFormat::ExtraPJsonLines),
    Some(FileFormat::Talpas),
    Some(FileFormat::ExtraPJson),
    Some(FileFormat::ExtraPArchive),
    Some(FileFormat::ExtraP3),
    Some(FileFormat::Cube),
    Some(FileFormat::PytestBenchmark),
    Some(FileFormat::Jmh),
    Some(FileFormat::Likwid),
    Some(FileFormat::NsightSystems),
    Some(FileFormat::Caliper),
    Some(FileFormat::Hyperfine),
    Some(FileFormat::GoogleBenchmark),
];

fn check(bytes: &[u8]) {
    for format in FORMATS {
        let options = ReadOptions { format: *format, ..ReadOptions::default() };
        match read("a.csv", bytes, &options) {
            Ok(imported) => check_import(&imported),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

fn check_import(imported: &Imported) {
    for its in &imported.trace.experiments {
        let samples = &its.samples;
        assert_eq!(samples.names[0], "P");
        assert_eq!(samples.columns.len(), samples.names.len());
        let columns = samples.columns.iter().chain(&samples.counters);
        assert!(columns.into_iter().all(|column| column.len() == samples.len()));
        assert_eq!((samples.processor.len(), samples.run.len()), (samples.len(), samples.len()));
        if imported.format != FileFormat::CallTrace {
            assert!(samples.time_s.iter().all(|time_s| time_s.is_finite() && *time_s >= 0.0));
            assert!(samples.columns.iter().flatten().all(|value| value.is_finite()));
        }
        let mut names = samples.names.clone();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), samples.names.len());
    }
    for note in &imported.notes {
        assert!(!note.to_string().is_empty());
    }
}

/// Pieces that readers look for.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"",
    ",",
    ":",
    ";",
    "\t",
    " ",
    "\n",
    "\r\n",
    "#",
    "nan",
    "inf",
    "-1e999",
    "1e308",
    "N",
    "time",
    "time_s",
    "P",
    "(",
    ")",
    "EXPERIMENT: f",
    "SAMPLE:",
    "CALL_VERSION: 1",
    "INFORMULA: f[0]^f[1]",
    "NUMTESTS: 99999999999999999999",
    "PARAMETER x",
    "POINTS (1 2)",
    "DATA 1 2",
    "<",
    ">",
    "/>",
    "<cll_data>",
    "&lt;",
    "\u{feff}",
    "ℵ",
    "\0",
    "|",
    "---",
    "null",
    "true",
    "\\u0000",
    "ms",
    "experiment",
    "processor",
    "count_of_time_s",
    "counter:x",
    "0",
    "00",
    "4294967296",
    "-",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        check(&bytes);
    }

    #[test]
    fn any_pieces(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60)) {
        check(pieces.concat().as_bytes());
    }

    #[test]
    fn files_with_damage(
        name in prop::sample::select(FILES),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..20_usize, prop::sample::select(PIECES)), 1..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = file(name);
        for (at, length, piece) in edits {
            let start = at.index(bytes.len() + 1);
            let end = (start + length).min(bytes.len());
            bytes.splice(start..end, piece.bytes());
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len() + 1));
        }
        check(&bytes);
    }
}
