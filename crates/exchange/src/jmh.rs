//! `-rf json` of JMH: a list of benchmarks with parameters, and what each iteration of each fork scored.

use call_trace::Unit;

use crate::benchmarks::{BenchmarkRun, Benchmarks};
use crate::json::Json;
use crate::short_names::NameLengths;
use crate::{Error, FileFormat, Imported, PlaceInText, ReadOptions};

/// Whether a list holds results of JMH.
pub(crate) fn is_jmh(json: &Json) -> bool {
    let Json::List(list) = json else { return false };
    !list.is_empty()
        && list.iter().all(|entry| entry.get("benchmark").is_some() && entry.get("primaryMetric").is_some())
}

/// Reads results. Times an operation are one metric, operations a time, which grow where times fall, another.
pub(crate) fn read(path_name: &str, json: &Json, options: &ReadOptions) -> Result<Imported, Error> {
    let mut benchmarks = Benchmarks::default();
    for (entry, number) in json.entries().iter().zip(1..) {
        let place = PlaceInText::Entry(number);
        let full_name = entry.get("benchmark").and_then(Json::word).unwrap_or_default();
        let mut parts: Vec<&str> = full_name.rsplit('.').take(2).collect();
        parts.reverse();
        let short = parts.join(".");
        let names = NameLengths::new([short, full_name]);
        let mut run = BenchmarkRun::new(names, place).with_parameters(entry.get("params"))?;
        // Iterations, samples of operations and single shots are other times.
        if let Some(mode) = entry.get("mode").and_then(Json::word) {
            run.name.or_with(&format!(" {mode}"));
        }
        run.numbers.insert(0, ("P".to_owned(), entry.get("threads").and_then(Json::number).unwrap_or(1.0)));
        let primary = entry.get("primaryMetric").map(|metric| ("", metric));
        let secondary = match entry.get("secondaryMetrics") {
            Some(Json::Object(metrics)) => metrics.as_slice(),
            _ => &[],
        };
        let secondary = secondary.iter().map(|(name, metric)| (name.as_str(), metric));
        for (name, metric) in primary.into_iter().chain(secondary) {
            let unit = metric.get("scoreUnit").and_then(Json::text).unwrap_or_default();
            let time = unit.strip_suffix("/op").and_then(Unit::of_time);
            let metric_name = match (name, &time) {
                ("", Some(_)) => "time".to_owned(),
                ("", None) => format!("score ({unit})"),
                (name, _) => name.to_owned(),
            };
            let number = benchmarks.metrics.metrics.number(&metric_name);
            // Benchmarks may have times in different units.
            let convert = |value: f64| time.as_ref().map_or(value, |time| time.to_base(value));
            let said = if time.is_some() { Some(Unit::Seconds) } else { Unit::named(unit) };
            if let Some(unit) = said {
                benchmarks.metrics.has_unit(number, unit);
            }
            let scores = scores(metric).ok_or_else(|| Error::Shape {
                at: format!("{place}, key `rawData` or `score`"),
                expected: "numbers",
                found: metric.get("score").map_or("nothing", Json::kind).to_owned(),
            })?;
            let scores: Vec<f64> = scores.into_iter().map(convert).collect();
            benchmarks.push(&run, number, &scores)?;
        }
    }
    benchmarks.metrics.import(FileFormat::Jmh, path_name, options)
}

/// The measurements that the mode `sample` counts: `[value, count]` of each iteration of each fork. Of very many, so many that lie evenly
/// among them.
fn of_histogram(metric: &Json) -> Option<Vec<f64>> {
    const MOST: u64 = 1000;
    let forks = metric.get("rawDataHistogram").map_or(&[] as &[Json], Json::entries);
    let mut bins = Vec::new();
    for bin in forks.iter().flat_map(Json::entries).flat_map(Json::entries) {
        let [value, count] = bin.entries() else { return None };
        let count = count.number().filter(|count| *count >= 0.0 && count.fract() == 0.0)?;
        bins.push((value.number().filter(|value| value.is_finite())?, count as u64));
    }
    bins.sort_by(|one, other| one.0.total_cmp(&other.0));
    let all = bins.iter().fold(0_u64, |sum, (_, count)| sum.saturating_add(*count));
    let kept = all.min(MOST);
    let mut values = Vec::with_capacity(kept as usize);
    let mut below = 0_u64;
    for (value, count) in bins {
        below = below.saturating_add(count);
        // The middles of equal parts that lie below the end of the bin.
        let until = (below as f64 / all as f64 * kept as f64).round() as usize;
        values.resize(until.max(values.len()), value);
    }
    (!values.is_empty()).then_some(values)
}

/// What the iterations of all forks scored, or single operations where those were sampled; else the score that was made of them.
fn scores(metric: &Json) -> Option<Vec<f64>> {
    let raw = metric.get("rawData").map_or(&[] as &[Json], Json::entries);
    let raw: Option<Vec<f64>> = raw.iter().flat_map(Json::entries).map(Json::number).collect();
    let raw = raw.filter(|raw| !raw.is_empty()).or_else(|| of_histogram(metric));
    raw.or_else(|| Some(vec![metric.get("score")?.number()?]))
}
