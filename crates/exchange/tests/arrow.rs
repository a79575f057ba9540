//! Arrow: what pyarrow wrote (`make_arrow.py`), as other tools read it, and damaged files.

use call_exchange::{ColumnarSamples, Error, FileFormat, Imported, ReadOptions, is_own_table, read};

use crate::common::{describe, file, read_file};

fn read_bytes(bytes: &[u8]) -> Result<Imported, Error> {
    read("x.arrow", bytes, &ReadOptions::default())
}

#[test]
fn files_and_streams_hold_the_same_however_they_are_packed() {
    assert_eq!(describe(&read_file("timings.feather")), describe(&read_file("timings.arrow")));
    let found = read_file("growing.arrow").trace.experiments;
    let times: Vec<_> = found.iter().map(|its| (its.name.as_str(), its.samples.time_s.as_slice())).collect();
    // The text that only the second dictionary has is that of its rows.
    let expected =
        [("sort", [0.25, 0.75].as_slice()), ("scan", &[0.5, 1.0, 1.25, 0.75]), ("merge", &[0.5, 1.0])];
    assert_eq!(times, expected);
}

#[test]
fn samples_of_parquet_stay_what_they_are() {
    let bytes = file("samples.feather");
    assert!(is_own_table(&bytes) && !is_own_table(&file("timings.feather")) && !is_own_table(&bytes[..99]));
    let found = ColumnarSamples::read(&bytes).unwrap();
    let stored = &found.experiments[0];
    assert_eq!(stored.formula.as_deref(), Some("stored[0]*N"));
    assert_eq!((&stored.samples.time_s, &stored.samples.run), (&vec![0.5, 1.0], &vec![0, 1]));
    assert_eq!((&stored.summaries.sum_s, &stored.summaries.points.count), (&vec![6.0], &vec![4]));
    let files: Vec<_> = found.into_traces().into_iter().map(|(files, _)| files.concat()).collect();
    assert_eq!(files, ["a.dat", "b.dat"]);
    let message = ColumnarSamples::read(&file("timings.arrow")).unwrap_err().to_string();
    assert_eq!(message, "this is a table of another tool");
}

#[test]
fn cut_files_are_refused() {
    for name in ["timings.feather", "timings.arrow", "growing.arrow", "spans.feather"] {
        let bytes = file(name);
        for cut in (8..bytes.len()).step_by(7).chain([bytes.len() - 1]) {
            let error = read_bytes(&bytes[..cut]).unwrap_err();
            assert_eq!(error.code(), "wrong-binary", "{name}, {cut}: {error}");
        }
    }
    // Between two batches of rows nothing but the end is missing.
    let bytes = file("timings.arrow");
    let error = read_bytes(&bytes[..bytes.len() - 8]).unwrap_err();
    let problem = "its end is missing: it was cut, or its writer was not closed";
    assert_eq!(
        error.to_string(),
        format!("byte {}: this Arrow file cannot be read: {problem}", bytes.len() - 8)
    );
}

#[test]
fn damaged_files_are_refused_or_read_and_nothing_else() {
    for name in ["timings.feather", "growing.arrow", "samples.feather"] {
        let bytes = file(name);
        for place in (0..bytes.len()).step_by(13) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << (place % 8);
            if let Err(error) = read_bytes(&damaged) {
                assert!(!error.to_string().contains('\n'), "{error}");
            }
        }
    }
}

/// The place of the length of a packed buffer that has so many bytes unpacked.
fn length_at(bytes: &[u8], length: u64) -> usize {
    // Behind the length of LZ4 comes the magic of its frame.
    let start: Vec<u8> = length.to_le_bytes().into_iter().chain([0x04, 0x22, 0x4d, 0x18]).collect();
    bytes.windows(start.len()).position(|window| window == start).unwrap()
}

#[test]
fn what_packed_buffers_say_of_their_length_is_not_believed() {
    let bytes = file("timings.feather");
    // Eight times, in milliseconds.
    let at = length_at(&bytes, 64);
    let told = |length: i64| {
        let mut damaged = bytes.clone();
        damaged[at..at + 8].copy_from_slice(&length.to_le_bytes());
        read_bytes(&damaged).unwrap_err().to_string()
    };
    for (length, expected) in [
        (1 << 40, "unpacked it becomes larger than 1073741824 bytes"),
        (1 << 29, "a buffer has not the 536870912 bytes that it says"),
        (63, "a buffer has not the 63 bytes that it says"),
        (-2, "a buffer has -2 bytes"),
    ] {
        assert!(told(length).contains(expected), "{length}: {}", told(length));
    }
}

#[test]
fn old_feather_files_are_refused_with_a_cure() {
    let error = read_bytes(b"FEA1\0\0\0\0").unwrap_err();
    assert_eq!((error.code(), error.cure()), ("not-text", Some("write it with `version=2`, which is Arrow")));
    assert_eq!(read_file("spans.feather").format, FileFormat::Arrow);
}
