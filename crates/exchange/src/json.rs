//! JSON values whose keys keep their order and may come twice, as those of the traces of CALL 1.0 do.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::{Error, PlaceInText};

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads a text that is one value. Nesting is limited to 128 levels.
    pub(crate) fn read(text: &[u8]) -> Result<Json, Error> {
        serde_json::from_slice(text).map_err(|error| problem(&error, 1))
    }

    /// Reads values that stand one behind another.
    pub(crate) fn read_several(text: &[u8]) -> Result<Vec<Json>, Error> {
        let values = serde_json::Deserializer::from_slice(text).into_iter();
        values.collect::<Result<_, _>>().map_err(|error| problem(&error, 1))
    }

    /// Reads a line of a file.
    pub(crate) fn read_line(text: &[u8], line: u64) -> Result<Json, Error> {
        serde_json::from_slice(text).map_err(|error| problem(&error, line))
    }

    /// The first value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Json> {
        self.all(key).next()
    }

    /// All values of a key.
    pub(crate) fn all(&self, key: &str) -> impl Iterator<Item = &Json> {
        let entries = if let Json::Object(entries) = self { entries.as_slice() } else { &[] };
        entries.iter().filter(move |(name, _)| name == key).map(|(_, value)| value)
    }

    /// The entries of a list; a value that is no list is the only one.
    pub(crate) fn entries(&self) -> &[Json] {
        if let Json::List(entries) = self { entries } else { std::slice::from_ref(self) }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        if let Json::Text(text) = self { Some(text) } else { None }
    }

    /// A number, also one that is written as text.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Json::Number(number) => Some(*number),
            Json::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
    }

    /// A text, or a number as text.
    pub(crate) fn word(&self) -> Option<String> {
        match self {
            Json::Text(text) => Some(text.clone()),
            Json::Number(number) => Some(number.to_string()),
            Json::Bool(bool) => Some(bool.to_string()),
            _ => None,
        }
    }

    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "true or false",
            Json::Number(_) => "a number",
            Json::Text(_) => "a text",
            Json::List(_) => "a list",
            Json::Object(_) => "an object",
        }
    }
}

/// The lines with something on them, with their numbers.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    let numbered = bytes.split(|byte| *byte == b'\n').zip(1..);
    numbered.map(|(line, number)| (number, line.trim_ascii())).filter(|(_, line)| !line.is_empty())
}

fn problem(error: &serde_json::Error, line: u64) -> Error {
    let place = PlaceInText::Character {
        line: line + (error.line().max(1) as u64 - 1),
        column: error.column() as u64,
    };
    let text = error.to_string();
    let problem = text.split(" at line ").next().unwrap_or(&text).to_owned();
    Error::Json { place, problem }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(entry) = entries.next_element()? {
            list.push(entry);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let mut object = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            object.push(entry);
        }
        Ok(Json::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_their_order_and_may_come_twice() {
        let json = Json::read(br#"{"b": 1, "a": [true, null, "x"], "b": "2"}"#).unwrap();
        assert_eq!(json.all("b").filter_map(Json::number).collect::<Vec<_>>(), [1.0, 2.0]);
        assert_eq!(json.get("a").unwrap().entries().len(), 3);
        assert_eq!(json.get("a").unwrap().entries()[2].text(), Some("x"));
    }

    #[test]
    fn errors_have_places() {
        let error = Json::read(b"{\n  \"a\": 1,,\n}").unwrap_err();
        assert_eq!(error.to_string(), "line 2, column 10: key must be a string");
        assert_eq!(error.cure(), Some("mend the JSON there"));
        let deep = "[".repeat(1_000_000);
        assert!(Json::read(deep.as_bytes()).unwrap_err().to_string().contains("recursion limit"));
    }
}
