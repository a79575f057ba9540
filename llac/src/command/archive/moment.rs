//! Dates as people write them.

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};

/// A moment as entries have it, in UTC: `2026-11-21`, or `2026-11-21T09:30:00Z`, of which `2026-11-21T10:30:00+01:00` is another form. None if the text is
/// no date that there is.
pub fn moment(text: &str) -> Option<String> {
    const DAY: usize = "2026-11-21".len();
    let is_day = text.len() == DAY && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    if is_day {
        return NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().map(|day| day.to_string());
    }
    // Parts of seconds would be lost, and blanks are no form of an entry.
    let has_form = text.is_ascii() && text.as_bytes().get(DAY) == Some(&b'T') && !text.contains('.');
    let colon = text
        .len()
        .checked_sub(2)
        .filter(|place| has_form && text[..*place].ends_with(|it: char| it.is_ascii_digit()));
    // `+0100` is ISO 8601, too.
    let with_colon =
        colon.filter(|place| text.get(place - 3..place - 2).is_some_and(|sign| sign == "+" || sign == "-"));
    let text = with_colon.map_or(text.to_owned(), |place| format!("{}:{}", &text[..place], &text[place..]));
    let moment = DateTime::parse_from_rfc3339(&text).ok().filter(|_| has_form)?;
    Some(moment.with_timezone(&Utc).to_rfc3339_opts(SecondsFormat::Secs, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_that_there_are() {
        for (text, utc) in [
            ("2026-11-21", "2026-11-21"),
            ("2024-02-29", "2024-02-29"),
            ("2026-11-21T09:30:00Z", "2026-11-21T09:30:00Z"),
            ("2026-11-21T09:30:00+02:00", "2026-11-21T07:30:00Z"),
            ("2026-12-31T23:30:00-0530", "2027-01-01T05:00:00Z"),
            ("2024-03-01T00:30:00+01:00", "2024-02-29T23:30:00Z"),
            ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"),
        ] {
            assert_eq!(moment(text).as_deref(), Some(utc), "{text}");
        }
        for text in [
            "",
            "2026",
            "2026-13-45",
            "2026-02-29",
            "2026-04-31",
            "9999-99-99",
            "2026-00-10",
            "2026-11-21T25:61:61Z",
            "2026-11-21T09:30:00",
            "2026-11-21 09:30:00Z",
            "2026-11-21T09:30:00+25:00",
            "2026-11-21T09:30:00.5Z",
            "yesterday",
            "2026-11-2\u{f6}",
            "2026/11/21",
        ] {
            assert_eq!(moment(text), None, "{text}");
        }
    }
}
