//! Types of Parquet: spans of time, decimals, intervals.

use std::sync::Arc;

use call_exchange::{LeftOutReason, Note, ReadOptions, read};
use parquet::data_type::{
    ByteArray, ByteArrayType, FixedLenByteArray, FixedLenByteArrayType, Int32Type, Int64Type,
};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use crate::common::file;

/// `spans.parquet` is what pandas wrote of 0.2, 0.4, 0.8 and 1.6 s with sizes: whole nanoseconds, whose unit stands in the schema of Arrow alone.
#[test]
fn spans_of_pandas_are_times() {
    let found = read("spans.parquet", &file("spans.parquet"), &ReadOptions::default()).unwrap();
    let samples = &found.trace.experiments[0].samples;
    assert_eq!(samples.time_s, [0.2, 0.4, 0.8, 1.6]);
    let told: Vec<String> = found.notes.iter().map(ToString::to_string).collect();
    assert!(told.iter().any(|note| note.ends_with("in seconds")), "{told:?}");
}

#[test]
fn decimals_are_numbers_and_intervals_are_told() {
    let schema = "message m {
        required int32 small (DECIMAL(9, 2));
        required int64 large (DECIMAL(18, 3));
        required fixed_len_byte_array(5) fixed (DECIMAL(11, 4));
        required binary free (DECIMAL(38, 1));
        required fixed_len_byte_array(12) span (INTERVAL);
        required int64 time_s;
    }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut bytes = Vec::new();
    let mut writer =
        SerializedFileWriter::new(&mut bytes, schema, Arc::new(WriterProperties::builder().build())).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let fixed = |number: i64| FixedLenByteArray::from(number.to_be_bytes()[3..].to_vec());
    let free = |number: i16| ByteArray::from(number.to_be_bytes().to_vec());
    let span = || FixedLenByteArray::from(vec![0; 12]);
    for column in 0..6 {
        let mut writer = group.next_column().unwrap().unwrap();
        match column {
            0 => writer.typed::<Int32Type>().write_batch(&[125, -50], None, None),
            1 => writer.typed::<Int64Type>().write_batch(&[1_500, 2_000], None, None),
            2 => writer.typed::<FixedLenByteArrayType>().write_batch(
                &[fixed(12_345), fixed(-10_000)],
                None,
                None,
            ),
            3 => writer.typed::<ByteArrayType>().write_batch(&[free(7), free(-256)], None, None),
            4 => writer.typed::<FixedLenByteArrayType>().write_batch(&[span(), span()], None, None),
            _ => writer.typed::<Int64Type>().write_batch(&[1, 2], None, None),
        }
        .unwrap();
        writer.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
    let found = read("x.parquet", &bytes, &ReadOptions::default()).unwrap();
    let samples = &found.trace.experiments[0].samples;
    let column = |name: &str| samples.column(name).unwrap().to_vec();
    assert_eq!(column("small"), [1.25, -0.5]);
    assert_eq!(column("large"), [1.5, 2.0]);
    assert_eq!(column("fixed"), [1.2345, -1.0]);
    assert_eq!(column("free"), [0.7, -25.6]);
    assert!(
        found
            .notes
            .contains(&Note::LeftOut { names: vec!["span".to_owned()], reason: LeftOutReason::Interval }),
        "{:?}",
        found.notes
    );
}

/// `interval.parquet` is what DuckDB wrote of a size and an interval.
#[test]
fn a_time_that_is_an_interval_is_named() {
    let error = read("interval.parquet", &file("interval.parquet"), &ReadOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "column `time` holds intervals of months, days and milliseconds, which are not read"
    );
}
