//! The traces that programs write.

/// A trace, read by rules of its own, so that writer and reader do not share a mistake.
#[derive(Debug)]
pub struct Trace {
    pub header: Vec<(String, String)>,
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Trace {
    pub fn read(text: &str) -> Trace {
        let mut lines: Vec<&str> = text.split('\n').collect();
        assert_eq!(lines.pop(), Some(""), "the last line must end with a line feed");
        assert_eq!(lines.first(), Some(&"# call-trace 1"));
        let end = lines.pop().expect("a trace has a last line");
        let columns_at =
            lines.iter().position(|line| !line.starts_with('#')).expect("a trace has column names");
        let header = lines[1..columns_at].iter().map(|line| {
            let line = line.strip_prefix("# ").expect("header lines start with `# `");
            let (key, value) = line.split_once(':').expect("header lines have a colon");
            (key.to_owned(), value.strip_prefix(' ').unwrap_or(value).to_owned())
        });
        let words = |line: &&str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let trace = Trace {
            header: header.collect(),
            columns: words(&lines[columns_at]),
            rows: lines[columns_at + 1..].iter().map(words).collect(),
        };
        assert_eq!(end, format!("# end rows={}", trace.rows.len()));
        for row in &trace.rows {
            assert_eq!(row.len(), trace.columns.len(), "{row:?}");
        }
        trace
    }

    pub fn value(&self, key: &str) -> Option<&str> {
        self.header.iter().find(|(its_key, _)| its_key == key).map(|(_, value)| value.as_str())
    }

    pub fn values(&self, key: &str) -> Vec<&str> {
        self.header.iter().filter(|(its_key, _)| its_key == key).map(|(_, value)| value.as_str()).collect()
    }
}

/// Nanoseconds of a time in seconds with nine decimals.
pub fn nanoseconds(time_s: &str) -> u64 {
    let (seconds, decimals) = time_s.split_once('.').expect("a time has decimals");
    assert_eq!(decimals.len(), 9, "{time_s}");
    let number = |digits: &str| digits.parse::<u64>().expect("a time has digits");
    number(seconds) * 1_000_000_000 + number(decimals)
}
