//! What the viewer reads; `page/src/data.ts` describes it.

use serde_json::{Value, json};

use super::{DIGITS, PageAmount, PageCallPath, PageCosts, PageHistory, PageWaits, ProfilePage};

/// Three digits hold two values below this: 868² is just below 91³.
const STEPS: usize = 868;
/// So many digits at most: a page must open quickly. What is beyond has no values of processors.
const MOST_DIGITS: usize = 2_500_000;

/// As text for a script element: no `<` closes it.
pub(super) fn json(page: &ProfilePage) -> String {
    let mut digits = 0;
    let sums = CalleeSums::of(page);
    let nodes = page.nodes.iter().zip(&sums.callees);
    let nodes: Vec<Value> = nodes
        .map(|(node, callees)| {
            let runs = node.runs.iter().enumerate().map(|(run, costs)| {
                let costs = costs.as_ref()?;
                let is_sum = callees.as_ref().is_some_and(|callees| sums.hold(page, run, costs, callees));
                Some(costs_data(page, costs, is_sum, &mut digits))
            });
            json!({ "label": node.label, "superstep": node.is_superstep, "runs": runs.collect::<Vec<_>>() })
        })
        .collect();
    let data = json!({
        "schema": 1,
        "title": page.title,
        "runs": page.runs.iter().map(|run| json!({ "name": run.name, "processors": run.processors, "predicted": run.predicted })).collect::<Vec<_>>(),
        "metrics": page.metrics.iter().map(|metric| json!({ "name": metric.name, "unit": metric.unit })).collect::<Vec<_>>(),
        "paths": page.paths.iter()
            .map(|path| json!({ "name": path.name, "metric": path.metric, "criterion": path.criterion }))
            .collect::<Vec<_>>(),
        "nodes": nodes,
        "calls": page.calls,
        "callPaths": page.call_paths.iter().map(call_path).collect::<Vec<_>>(),
        "waits": page.waits.as_ref().map(PageWaits::data),
        "history": page.history.as_ref().map(PageHistory::data),
    });
    data.to_string().replace('<', "\\u003c")
}

/// Node, path above, and what is spent in each run.
fn call_path(path: &PageCallPath) -> Value {
    let times = path.times_s.iter().map(|time_s| json!(time_s.map(rounded)));
    Value::Array([json!(path.node), json!(path.above)].into_iter().chain(times).collect())
}

fn costs_data(page: &ProfilePage, costs: &PageCosts, is_sum: bool, digits: &mut usize) -> Value {
    let amounts = &costs.amounts[..costs.amounts.len().min(page.metrics.len())];
    let is_known = amounts.iter().all(|its| !its.by_processor.is_empty());
    let values =
        if is_sum || !is_known { Vec::new() } else { amounts.iter().map(steps).collect::<Vec<String>>() };
    *digits += values.iter().map(String::len).sum::<usize>();
    let figures =
        |figure: fn(&PageAmount) -> f64| amounts.iter().map(|its| rounded(figure(its))).collect::<Vec<_>>();
    let intervals: Option<Vec<[f64; 2]>> =
        amounts.iter().map(|its| Some(its.interval?.map(rounded))).collect();
    let mut data = json!({
        "syncs": costs.syncs,
        "max": figures(|its| its.maximum),
        "average": figures(|its| its.average),
        "minimum": figures(|its| its.minimum),
        "shades": costs.shades.iter().map(|shade| format!("{shade:02x}")).collect::<String>(),
    });
    // What most nodes do not have would fill pages.
    if let Some(intervals) = intervals {
        data["intervals"] = json!(intervals);
    }
    if is_known && *digits <= MOST_DIGITS {
        data["values"] = json!(values);
    }
    data
}

/// Which nodes have of each processor the sum of what they call.
struct CalleeSums {
    /// For each node what it calls, if these are supersteps that nothing else calls.
    callees: Vec<Option<Vec<usize>>>,
}

impl CalleeSums {
    fn of(page: &ProfilePage) -> CalleeSums {
        let mut callees = vec![Vec::new(); page.nodes.len()];
        let mut callers = vec![0; page.nodes.len()];
        for (from, to) in page.calls.iter().copied() {
            callees[from].push(to);
            callers[to] += 1;
        }
        let is_own = |callee: &usize| page.nodes[*callee].is_superstep && callers[*callee] == 1;
        let callees = callees
            .into_iter()
            .map(|its: Vec<usize>| (!its.is_empty() && its.iter().all(is_own)).then_some(its));
        CalleeSums { callees: callees.collect() }
    }

    /// Whether these costs are, for each processor, the sums of those of the callees.
    fn hold(&self, page: &ProfilePage, run: usize, costs: &PageCosts, callees: &[usize]) -> bool {
        let of_callees = || callees.iter().filter_map(|callee| page.nodes[*callee].runs[run].as_ref());
        costs.amounts.iter().enumerate().all(|(metric, its)| {
            its.by_processor.iter().enumerate().all(|(processor, value)| {
                let parts =
                    of_callees().filter_map(|callee| callee.amounts.get(metric)?.by_processor.get(processor));
                (parts.sum::<f64>() - value).abs() <= 1e-9 * its.maximum
            })
        })
    }
}

/// Six digits are more than anybody sees.
fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

/// Where between the sums of minima and of maxima each processor is; nothing if all have the maximum.
fn steps(amount: &PageAmount) -> String {
    let PageAmount { maximum, minimum, by_processor, .. } = amount;
    if by_processor.iter().all(|value| value == maximum) {
        return String::new();
    }
    let step = |value: &f64| {
        let share = (value - minimum) / (maximum - minimum);
        (share * (STEPS - 1) as f64).round().clamp(0.0, (STEPS - 1) as f64) as usize
    };
    let two = |pair: &[f64]| step(&pair[0]) * STEPS + pair.get(1).map_or(0, step);
    let digits = by_processor.chunks(2).map(two).flat_map(|both| {
        let base = DIGITS.len();
        [both / (base * base), both / base % base, both % base]
    });
    digits.map(|digit| char::from(DIGITS[digit])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_processors_have_three_digits() {
        let of = |minimum, by_processor: &[f64]| {
            let by_processor = by_processor.to_vec();
            steps(&PageAmount { maximum: 2.0, minimum, by_processor, ..PageAmount::default() })
        };
        assert_eq!(of(2.0, &[2.0, 2.0]), "");
        // 867 · 868 + 867 is 90 · 91² + 89 · 91 + 34, and 434 · 868 is 45 · 91² + 44 · 91 + 63.
        assert_eq!(of(0.0, &[2.0, 2.0, 1.0]), "~}EPOc");
        assert_eq!(of(1.0, &[1.0, f64::NAN]), "!!!");
    }

    #[test]
    fn figures_have_six_digits() {
        assert_eq!(rounded(0.123_456_789), 0.123_457);
        assert_eq!(rounded(0.0), 0.0);
    }
}
