use csv::ByteRecord;

use crate::PlaceInText;

/// The fields before those with a heading: names or numbers of rows, as R writes them, or the thousands of `1,000` without quotes.
#[derive(Default)]
pub(super) struct RowNames {
    /// Where the first row with one stands.
    pub(super) place: Option<PlaceInText>,
    rows: u64,
    /// How many are quoted or texts.
    names: u64,
    /// How many are numbers that count from the first, which is 0 or 1.
    counted: u64,
    first: Option<u64>,
    /// How many are followed by three digits, by three that begin with 0, and by what follows the first one.
    with_three: u64,
    with_zero: u64,
    with_same: u64,
    second: Vec<u8>,
}

impl RowNames {
    /// One more row.
    pub(super) fn look(&mut self, record: &ByteRecord, is_quoted: bool) {
        let (name, next) = (&record[0], &record[1]);
        let number = std::str::from_utf8(name).ok().and_then(|name| name.parse::<u64>().ok());
        let is_number = std::str::from_utf8(name).is_ok_and(|name| name.parse::<f64>().is_ok());
        let first = *self.first.get_or_insert(number.unwrap_or(u64::MAX));
        if self.rows == 0 {
            self.second = next.to_vec();
        }
        let is_three = next.len() == 3 && next.iter().all(u8::is_ascii_digit);
        self.names += u64::from(is_quoted || !is_number);
        self.counted += u64::from(first <= 1 && number == Some(first.saturating_add(self.rows)));
        self.with_three += u64::from(is_three);
        self.with_zero += u64::from(is_three && next[0] == b'0');
        self.with_same += u64::from(next == self.second);
        self.rows += 1;
    }

    /// Whether they are names: all are texts, or count the rows and cannot be thousands.
    pub(super) fn are_names(&self) -> bool {
        let are_thousands = self.with_three == self.rows
            && (self.with_zero > 0 || self.with_same == self.rows && self.rows > 1);
        self.names == self.rows || self.counted == self.rows && !are_thousands
    }
}
