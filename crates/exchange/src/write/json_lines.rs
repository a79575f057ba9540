use call_trace::Samples;

use super::number;
use crate::roles::{COUNT, COUNTER, PROCESSOR};

/// Writes samples as an object a line, with the keys of [`write_csv`](crate::write_csv). Values that are not finite, which
/// JSON does not have, are `null`.
pub fn write_json_lines(experiments: &[(&str, &Samples)]) -> String {
    let mut text = String::new();
    for (name, samples) in experiments {
        let name = quoted(name);
        let keys: Vec<String> = samples.names.iter().map(|name| quoted(name)).collect();
        let counters: Vec<String> =
            samples.counter_names.iter().map(|name| quoted(&format!("{COUNTER}{name}"))).collect();
        for index in 0..samples.len() {
            let mut push = |key: &str, value: &str| {
                text.push_str(key);
                text.push_str(": ");
                text.push_str(value);
            };
            push("{\"experiment\"", &name);
            push(&format!(", \"{PROCESSOR}\""), &samples.processor[index].to_string());
            for (key, column) in keys.iter().zip(&samples.columns) {
                push(&format!(", {key}"), &value(column[index]));
            }
            push(", \"time_s\"", &value(samples.time_s[index]));
            if !samples.count.is_empty() {
                push(&format!(", \"{COUNT}\""), &samples.count_of(index).to_string());
            }
            for (key, column) in counters.iter().zip(&samples.counters) {
                push(&format!(", {key}"), &value(column[index]));
            }
            text.push_str("}\n");
        }
    }
    text
}

/// A text of JSON.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn value(value: f64) -> String {
    if value.is_finite() { number(value) } else { "null".to_owned() }
}
