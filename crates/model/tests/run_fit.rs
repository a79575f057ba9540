//! Constants of single runs: planted ones are found in each cell, and come back from model files.

use call_model::{Forecaster, Model, ModelFile, RunFacts, RunFit, Settings, SignConstraint};
use call_trace::{Experiment, Samples};

const SIZES: [f64; 12] = [10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 110.0, 120.0, 130.0, 140.0, 150.0, 160.0];

/// Times of a run for each factor: 3 + factor*2*N up to 100, so up to 60 of the sizes, and 3 + factor*7*N beyond.
fn experiment(factors: &[f64], sizes: &[f64]) -> Experiment {
    let mut samples =
        Samples { names: vec!["N".to_owned()], columns: vec![Vec::new()], ..Samples::default() };
    for (run, factor) in factors.iter().enumerate() {
        for (index, &n) in sizes.iter().enumerate() {
            let slope = if n <= 100.0 { 2.0 } else { 7.0 };
            let noise = 1.0 + 1e-4 * [1.0, -1.0, 0.5, -0.5][(index + run) % 4];
            samples.columns[0].push(n);
            samples.processor.push(0);
            samples.run.push(run as u32);
            samples.time_s.push((3.0 + factor * slope * n) * noise);
        }
    }
    Experiment {
        name: "f".to_owned(),
        formula: Some("f[0] + f[1]*N".to_owned()),
        samples,
        ..Experiment::default()
    }
}

#[test]
fn points_between_two_intervals_move_no_constant() {
    let all = experiment(&[1.0, 1.0], &SIZES);
    let model = Model::fit(&Settings::default().prepare(&all)).unwrap();
    // The border of the model is at 60, but times grow like this up to anywhere below 110.
    let with_new = experiment(&[1.0], &[&SIZES[..6], &[80.0], &SIZES[6..]].concat());
    let prepared = Settings::default().prepare(&with_new);
    assert_eq!(model.between_intervals(&prepared).unwrap(), [[80.0]]);
    let placed = model.placed_constants();
    let upper = placed.iter().position(|it| it.place.as_deref() == Some("N > 60")).unwrap();
    let found = fit(&model, &experiment(&[1.0], &[&SIZES[..6], &[61.0, 80.0], &SIZES[6..]].concat()));
    assert!((fit(&model, &with_new).constants[upper] / 7.0 - 1.0).abs() < 1e-3);
    assert!((found.constants[upper] / 7.0 - 1.0).abs() < 1e-3);
    assert_eq!(found.design, fit(&model, &all.of_runs(&[0])).design, "the same points are left");
    assert!(model.between_intervals(&Settings::default().prepare(&all)).unwrap().is_empty());
    let none = model.fit_run(&Settings::default().prepare(&experiment(&[1.0], &[80.0])));
    assert!(none.is_err(), "{none:?}");
}

fn fit(model: &Model, experiment: &Experiment) -> RunFit {
    model.fit_run(&Settings::default().prepare(experiment)).unwrap()
}

#[test]
fn each_cell_has_its_constants_in_each_run() {
    let all = experiment(&[1.0, 1.1], &SIZES);
    let prepared = Settings::default().prepare(&all);
    let model = Model::fit(&prepared).unwrap();
    assert_eq!(model.cells().len(), 2);
    let placed = model.placed_constants();
    let slopes: Vec<usize> = (0..placed.len()).filter(|&index| placed[index].term == 1).collect();
    assert_eq!(slopes.len(), 2);
    assert_eq!(placed[slopes[0]].place.as_deref(), Some("N <= 60"));
    for (run, factor) in [(0, 1.0), (1, 1.1)] {
        let found = fit(&model, &all.of_runs(&[run]));
        for (slope, truth) in slopes.iter().zip([2.0, 7.0]) {
            assert!((found.constants[*slope] / (truth * factor) - 1.0).abs() < 1e-3, "{found:?}");
        }
        let (time_s, variance) = found.at(&model.placed_terms(&[200.0])).unwrap();
        assert!((time_s - (3.0 + factor * 1400.0)).abs() < 1.0 && variance > 0.0);
    }
    assert_eq!(fit(&model, &all.of_runs(&[0])).design, fit(&model, &all.of_runs(&[1])).design);
    let fewer = fit(&model, &experiment(&[1.0], &SIZES[..6]));
    assert_ne!(fewer.design, fit(&model, &all.of_runs(&[0])).design);
    assert!(fewer.undetermined.contains(&slopes[1]), "nothing was measured there");
    assert_eq!(fewer.at(&model.placed_terms(&[200.0])), None);
    let one = model.as_one_run();
    assert!((one.constants[slopes[0]] - model.cells()[0].fit.coefficients[1]).abs() < 1e-12);
}

#[test]
fn constants_of_runs_come_back_from_a_file() {
    let all = experiment(&[1.0, 1.1], &SIZES);
    let prepared = Settings::default().prepare(&all);
    let model = Model::fit(&prepared).unwrap();
    let run =
        |number: u32| RunFacts { fit: Some(fit(&model, &all.of_runs(&[number]))), ..RunFacts::default() };
    let mut file = ModelFile {
        forecaster: Forecaster::new(model.clone(), &prepared).unwrap(),
        response: None,
        definitions: Vec::new(),
        machine: None,
        measured_columns: vec!["N".to_owned()],
        runs: vec![run(0), run(1)],
        call: "0.1.0".to_owned(),
    };
    let text = file.to_text();
    assert!(text.contains("\"call-model\": 2,"));
    assert_eq!(ModelFile::read(&text).unwrap().runs, file.runs);
    let wrong = text.replace("\"design\": \"", "\"design\": \"x");
    let error = ModelFile::read(&wrong).unwrap_err().to_string();
    assert!(error.contains("runs[0].fit.design is `x"), "{error}");
    for run in &mut file.runs {
        run.fit.as_mut().unwrap().constants.pop();
    }
    let error = ModelFile::read(&file.to_text()).unwrap_err().to_string();
    assert!(error.contains("runs[0].fit.constants has 2 entries, and 3 are needed"), "{error}");
    file.runs.iter_mut().for_each(|run| run.fit = None);
    assert!(file.to_text().contains("\"call-model\": 1,"), "older programs can read it");
}

#[test]
fn a_model_with_constants_that_were_kept_at_0_is_no_free_fit() {
    let mut all = experiment(&[1.0], &SIZES[..6]);
    for (n, time_s) in all.samples.columns[0].iter().zip(&mut all.samples.time_s) {
        *time_s = n - 0.1;
    }
    let settings = Settings { sign: SignConstraint::NonNegative, ..Settings::default() };
    let prepared = settings.prepare(&all);
    let model = Model::fit(&prepared).unwrap();
    assert_eq!(model.cells()[0].fit.bounded, [0]);
    assert_eq!(model.as_one_run().undetermined, [0, 1]);
    let free = model.fit_run(&prepared).unwrap();
    assert!((free.constants[0] + 0.1).abs() < 1e-9 && free.undetermined.is_empty(), "{free:?}");
}
