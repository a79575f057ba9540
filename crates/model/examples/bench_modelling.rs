//! Time to read and to fit a trace of a million rows, step by step: `cargo run --release -p call-model --example bench_modelling`.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark reads the clock and prints")]

use std::fmt::Write;
use std::time::Instant;

use call_model::{Forecaster, MeasuringConditions, Model, Settings};

const ROWS: u32 = 1_000_000;

/// Rows of one experiment on 4 processors: 1,000 sizes, 250 repetitions, two intervals, noise of a few percent.
fn trace() -> String {
    let mut text = String::from(
        "# call-trace 1\n# program: bench\n# processors: 4\n# experiment: f\n\
         # formula: f[0] + f[1]*N + f[2]*N*log(N) + f[3]*N*P\n# variables: N\nexperiment processor P N time_s\n",
    );
    let mut state = 1u32;
    for row in 0..ROWS {
        let (size, processor) = (row / 4 % 1000, row % 4);
        let n = f64::from(1000 + 100 * size);
        let slope = if size < 400 { 3e-9 } else { 5e-9 };
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let noise = 1.0 + 0.03 * f64::from(state >> 8) / f64::from(1 << 24);
        let time = (4e-6 + slope * n + 1e-10 * n * n.ln()) * noise;
        // Writing to a String cannot fail.
        let _ = writeln!(text, "f {processor} 4 {n} {time:.9}");
    }
    let _ = writeln!(text, "# end rows={ROWS}");
    text
}

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    let seconds = start.elapsed().as_secs_f64();
    println!("{what:54} {:8.1} ms {:8.1} ns a row", 1e3 * seconds, 1e9 * seconds / f64::from(ROWS));
    result
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = trace();
    println!("{ROWS} rows, {} MB of text", text.len() / 1_000_000);
    let trace = timed("read the text", || call_trace::read(text.as_bytes()))?;
    let experiment = &trace.experiments[0];
    let settings = Settings::default();
    let sum = timed("sum the columns (what reading memory costs)", || {
        let columns = experiment.samples.columns.iter().flatten();
        columns.chain(&experiment.samples.time_s).sum::<f64>()
    });
    assert!(sum.is_finite());
    timed("join the processors (maximum)", || experiment.samples.join(settings.joining));
    let prepared = timed("join processors and fold repetitions", || settings.prepare(experiment));
    let model = timed("fit with intervals", || Model::fit(&prepared))?;
    let largest = model.cells().iter().map(|cell| cell.fit.rms_relative_error).fold(0.0, f64::max);
    println!("{} cells, largest error {:.2} % rms", model.cells().len(), 100.0 * largest);
    let forecaster = timed("make its forecaster", || Forecaster::new(model.clone(), &prepared))?;
    let for_outliers = settings.for_outliers().prepare(experiment);
    let outliers = timed("name outliers", || call_model::outliers(&for_outliers, 3.5))?;
    println!("{} outliers", outliers.len());
    timed("1000 forecasts with intervals", || {
        let points = (1..=1000).map(|step| [f64::from(step) * 200.0, 4.0]);
        points.map(|point| forecaster.forecast(&point, 0.9).upper_s).sum::<f64>()
    });
    timed("judge it", || model.judge(&prepared, &MeasuringConditions::default(), 0.95))?;
    let each = Settings {
        joining: call_trace::Joining::Each,
        folding: call_trace::Folding::Each,
        ..Settings::default()
    };
    let prepared = timed("prepare every row", || each.prepare(experiment));
    let model = timed("fit with intervals", || Model::fit(&prepared))?;
    let forecaster = timed("make its forecaster", || Forecaster::new(model.clone(), &prepared))?;
    assert!(forecaster.forecast(&[1e5, 4.0], 0.9).upper_s.is_finite());
    timed("judge it", || model.judge(&prepared, &MeasuringConditions::default(), 0.95))?;
    println!(
        "{} cells, {} samples",
        model.cells().len(),
        model.cells().iter().map(|cell| cell.fit.samples_used).sum::<usize>()
    );
    Ok(())
}
