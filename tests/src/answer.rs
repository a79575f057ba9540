//! What `llac --format json` answers.

use serde_json::Value;

/// The rows of the first table of that name; none if there is no such table.
pub fn rows(answer: &Value, table: &str) -> Vec<Value> {
    let tables =
        answer["results"].as_array().unwrap().iter().flat_map(|result| result["tables"].as_array().unwrap());
    let mut found = tables.filter(|its| its["name"] == table);
    found.next().map(|its| its["rows"].as_array().unwrap().clone()).unwrap_or_default()
}

/// A number in a row.
///
/// # Panics
/// If there is none.
pub fn number(row: &Value, key: &str) -> f64 {
    row[key].as_f64().unwrap_or_else(|| panic!("no {key}: {row}"))
}
