use std::borrow::Cow;

use call_trace::Samples;

/// What a sample has besides variables and counters.
const TIME: &str = "time";
const PROCESSOR: &str = "processor";
const RUN: &str = "run";

/// The values of a name in conditions and definitions: a variable, a counter, the `time` in seconds, the `processor` that measured,
/// or the number of the `run`, counted from 0. A variable hides the others.
pub fn column<'a>(samples: &'a Samples, name: &str) -> Option<Cow<'a, [f64]>> {
    let counter = || {
        let position = samples.counter_names.iter().position(|known| known == name)?;
        samples.counters.get(position).map(Vec::as_slice)
    };
    if let Some(column) = samples.column(name).or_else(counter) {
        return Some(Cow::Borrowed(column));
    }
    let numbers = |column: &[u32]| Cow::Owned(column.iter().map(|number| f64::from(*number)).collect());
    match name {
        TIME => Some(Cow::Borrowed(&samples.time_s)),
        PROCESSOR => Some(numbers(&samples.processor)),
        RUN => Some(numbers(&samples.run)),
        _ => None,
    }
}

/// The names that [`column`] knows.
pub fn column_names(samples: &Samples) -> impl Iterator<Item = &str> {
    let others = [TIME, PROCESSOR, RUN].into_iter();
    samples.names.iter().chain(&samples.counter_names).map(String::as_str).chain(others)
}

/// Replaces the column of that name, or adds one.
pub fn set_column(samples: &mut Samples, name: &str, values: Vec<f64>) {
    if let Some(position) = samples.names.iter().position(|known| known == name) {
        samples.columns[position] = values;
    } else if name == TIME {
        samples.time_s = values;
    } else {
        samples.names.push(name.to_owned());
        samples.columns.push(values);
    }
}
