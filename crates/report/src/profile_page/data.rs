//! What the viewer reads; `page/src/data.ts` describes it.

use serde_json::{Value, json};

use super::{PageAmount, PageCosts, PageNode, ProfilePage};

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Two digits of 6 bits.
const LARGEST: f64 = 4095.0;
/// So many digits at most: a page must open quickly. What is beyond has no values of processors.
const MOST_DIGITS: usize = 2_500_000;

/// As text for a script element: no `<` closes it.
pub(super) fn json(page: &ProfilePage) -> String {
    let mut digits = 0;
    let nodes: Vec<Value> = page.nodes.iter().map(|node| node_data(page, node, &mut digits)).collect();
    let data = json!({
        "schema": 1,
        "title": page.title,
        "runs": page.runs.iter().map(|run| json!({ "name": run.name, "processors": run.processors })).collect::<Vec<_>>(),
        "metrics": page.metrics.iter().map(|metric| json!({ "name": metric.name, "unit": metric.unit })).collect::<Vec<_>>(),
        "paths": page.paths.iter()
            .map(|path| json!({ "name": path.name, "metric": path.metric, "criterion": path.criterion }))
            .collect::<Vec<_>>(),
        "nodes": nodes,
        "calls": page.calls,
    });
    data.to_string().replace('<', "\\u003c")
}

fn node_data(page: &ProfilePage, node: &PageNode, digits: &mut usize) -> Value {
    let runs: Vec<Value> = node
        .runs
        .iter()
        .map(|costs| costs.as_ref().map_or(Value::Null, |costs| costs_data(page, costs, digits)))
        .collect();
    json!({ "label": node.label, "superstep": node.is_superstep, "runs": runs })
}

fn costs_data(page: &ProfilePage, costs: &PageCosts, digits: &mut usize) -> Value {
    let amounts = &costs.amounts[..costs.amounts.len().min(page.metrics.len())];
    let values: Vec<String> = amounts.iter().map(|its| shares(&its.by_processor, its.maximum)).collect();
    *digits += values.iter().map(String::len).sum::<usize>();
    let figures =
        |figure: fn(&PageAmount) -> f64| amounts.iter().map(|its| rounded(figure(its))).collect::<Vec<_>>();
    json!({
        "syncs": costs.syncs,
        "max": figures(|its| its.maximum),
        "average": figures(|its| its.average),
        "minimum": figures(|its| its.minimum),
        "shades": costs.shades,
        "values": if *digits > MOST_DIGITS { Value::Null } else { json!(values) },
    })
}

/// Six digits are more than anybody sees.
fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

/// The share of the maximum of each processor; nothing if all have it.
fn shares(values: &[f64], maximum: f64) -> String {
    if values.iter().all(|value| *value == maximum) {
        return String::new();
    }
    let mut digits = String::with_capacity(2 * values.len());
    for value in values {
        let share =
            if maximum > 0.0 { (value / maximum * LARGEST).round().clamp(0.0, LARGEST) as usize } else { 0 };
        digits.push(char::from(DIGITS[share / 64]));
        digits.push(char::from(DIGITS[share % 64]));
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_two_digits() {
        assert_eq!(shares(&[2.0, 2.0], 2.0), "");
        assert_eq!(shares(&[2.0, 0.0, 1.0, f64::NAN], 2.0), "//AAgAAA");
    }

    #[test]
    fn figures_have_six_digits() {
        assert_eq!(rounded(0.123_456_789), 0.123_457);
        assert_eq!(rounded(0.0), 0.0);
    }
}
