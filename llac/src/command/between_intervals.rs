use call_grammar::counted;
use call_model::Model;
use call_report::number::exact;
use serde_json::json;

use crate::Message;

/// That points are left out where one interval of a model ends and the next begins; nothing if there are none. `of` has the points, `whose` the intervals,
/// and `cure` stands at the end.
pub fn between_intervals(
    model: &Model,
    points: &[Vec<f64>],
    of: &str,
    whose: &str,
    cure: &str,
) -> Option<Message> {
    let names = || model.formula().variables().iter().map(|variable| variable.name());
    let in_words = |point: &Vec<f64>| {
        let values = names().zip(point).map(|(name, value)| format!("{name} = {}", exact(*value)));
        values.collect::<Vec<_>>().join(", ")
    };
    let first = points.first()?;
    let is = if points.len() == 1 { "is" } else { "are" };
    let text = format!(
        "{} of {of} {is} left out, the first at {}: there an interval of {whose} ends and the next begins, and nobody knows where{cure}",
        counted(points.len(), "point"),
        in_words(first),
    );
    let message = Message::new("between-intervals", text).about(model.formula().experiment());
    Some(message.with(json!({ "points": points })))
}
