//! Workbooks of Excel.

use call_exchange::{DecimalSign, ReadOptions, read};

use crate::common::file;

/// `tests/files/timings.xlsx`, which openpyxl wrote, has the sheets `Runs`, `Second`, `Clock` and an empty one.
#[test]
fn sheets_of_workbooks() {
    let bytes = file("timings.xlsx");
    let sheet = |name: &str| ReadOptions { sheet: Some(name.to_owned()), ..ReadOptions::default() };
    let second = read("x.xlsx", &bytes, &sheet("Second")).unwrap();
    assert_eq!(second.trace.experiments[0].samples.time_s, [0.125, 0.25]);
    assert!(!second.notes.iter().any(|note| note.to_string().contains("sheet")), "{:?}", second.notes);
    // A comma before decimals is how others show numbers, which sheets hold as such.
    let comma = ReadOptions { decimal: Some(DecimalSign::Comma), ..sheet("Second") };
    assert_eq!(read("x.xlsx", &bytes, &comma).unwrap().trace, second.trace);
    // Durations are kept as parts of a day; times of the day may be moments.
    let clock = read("x.xlsx", &bytes, &sheet("Clock")).unwrap();
    assert_eq!(clock.trace.experiments[0].samples.time_s, [90.0, 0.25]);
    let moment = ReadOptions { response: Some("started".to_owned()), ..sheet("Clock") };
    let error = read("x.xlsx", &bytes, &moment).unwrap_err();
    assert!(error.to_string().starts_with("column `started` cannot be the "), "{error}");
    let error = read("x.xlsx", &bytes, &sheet("Third")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no sheet `Third`; the sheets are `Runs`, `Second`, `Clock`, `Empty`"
    );
    assert!(matches!(read("x.xlsx", &bytes, &sheet("Empty")), Err(call_exchange::Error::Empty)));
    for text in ["n time_s\n1 2\n", "# call-trace 1\n", "{\"n\": 1}"] {
        let error = read("x", text.as_bytes(), &sheet("Runs")).unwrap_err();
        assert_eq!(error.to_string(), "this is no Excel workbook, and has no sheet `Runs`");
    }
    // Cut anywhere it is no workbook, and nothing panics.
    for length in (4..bytes.len()).step_by(97) {
        assert!(read("x.xlsx", &bytes[..length], &ReadOptions::default()).is_err(), "{length}");
    }
}

/// `tests/files/formulas.xlsx` has times that are formulas without the values that a spreadsheet program stores with them.
#[test]
fn formulas_that_were_never_computed_are_named() {
    let error = read("x.xlsx", &file("formulas.xlsx"), &ReadOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "3 formulas, the first at B2, were never computed");
    assert_eq!(error.code(), "never-computed");
}
