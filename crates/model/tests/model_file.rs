//! Models in files: the same to the last digit, and whatever else a file may hold is refused.

use crate::planted;
use crate::planted::{Dice, Scenario};
use call_grammar::Quantity;
use call_model::{
    Forecaster, Loss, MachineText, Method, Model, ModelFile, ModelFileError, Remark, RunFacts, Settings,
    Thresholds, Weighting,
};
use call_trace::{Experiment, Folding, Unit};
use proptest::prelude::*;
use serde_json::{Value, json};

fn file_of(experiment: &Experiment, settings: &Settings) -> ModelFile {
    let prepared = settings.prepare(&Experiment { unit: Unit::Other("J".to_owned()), ..experiment.clone() });
    let model = Model::fit(&prepared).unwrap();
    let fit = model.fit_run(&prepared).ok();
    ModelFile {
        forecaster: Forecaster::new(model, &prepared).unwrap(),
        response: Some("energy".to_owned()),
        definitions: vec![("M".to_owned(), Quantity::parse("N*N/2").unwrap())],
        machine: Some(MachineText { name: "here".to_owned(), file: "name = \"here\"\n".to_owned() }),
        measured_columns: vec!["N".to_owned()],
        runs: vec![RunFacts {
            files: vec!["f \"1\".dat".to_owned()],
            facts: [("host".to_owned(), "ö\n".to_owned())].into(),
            fit,
        }],
        call: "0.1.0".to_owned(),
    }
}

/// Doubles are written with all their digits, so that equal texts are equal bits.
fn text_of(what: &impl std::fmt::Debug) -> String {
    format!("{what:?}")
}

fn check_same(one: &ModelFile, other: &ModelFile, dice: &mut Dice) {
    let (model, read) = (one.forecaster.model(), other.forecaster.model());
    assert_eq!(text_of(&model.alephs()), text_of(&read.alephs()));
    assert_eq!(
        text_of(&(model.weighting(), model.sign(), model.settings())),
        text_of(&(read.weighting(), read.sign(), read.settings()))
    );
    for _ in 0..40 {
        let point: Vec<f64> = model.ranges().iter().map(|_| (2e4f64).powf(dice.uniform()).round()).collect();
        let level = 0.5 + 0.499 * dice.uniform();
        let [expected, found] = [one, other].map(|file| text_of(&file.forecaster.forecast(&point, level)));
        assert_eq!(expected, found, "{point:?}");
    }
}

fn scenarios() -> Vec<Scenario> {
    let mut all = planted::right();
    all.extend(planted::wrong());
    all
}

fn settings() -> impl Strategy<Value = Settings> {
    let weighting = prop_oneof![
        Just(Weighting::Automatic),
        Just(Weighting::Relative),
        Just(Weighting::Absolute),
        Just(Weighting::Repetitions)
    ];
    let loss = prop_oneof![3 => Just(Loss::Squares), 1 => Just(Loss::Huber)];
    let method = prop_oneof![3 => Just(Method::Refined), 1 => Just(Method::Paper)];
    let folding = prop_oneof![Just(Folding::Median), Just(Folding::Minimum), Just(Folding::Each)];
    (weighting, loss, method, folding, any::<bool>(), 1e-3..0.3f64, 1..9usize).prop_map(
        |(weighting, loss, method, folding, sharing, error, intervals)| Settings {
            weighting,
            loss,
            method,
            folding,
            sharing,
            thresholds: Thresholds { error, intervals },
            ..Settings::default()
        },
    )
}

/// A planted experiment of which only the first samples are left, each of them several times.
fn part(scenario: &Scenario, noise: f64, seed: u64, share: f64, repetitions: usize) -> Experiment {
    let mut measured = scenario.measure(noise, seed);
    for repetition in 1..repetitions {
        measured.merge(scenario.measure(noise, seed + 1000 * repetition as u64)).unwrap();
    }
    let count = measured.samples.len();
    let kept = 1 + ((count - 1) as f64 * share) as usize;
    measured.samples = measured.samples.select(|row| row < kept);
    measured
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_model_comes_back_as_it_was(
        place in any::<prop::sample::Index>(),
        settings in settings(),
        noise in prop_oneof![Just(0.0), 1e-3..0.5f64],
        (seed, share, repetitions) in (0..1000u64, prop_oneof![Just(1.0), 0.0..1.0f64], 1..4usize),
    ) {
        let scenarios = scenarios();
        let experiment = part(&scenarios[place.index(scenarios.len())], noise, seed, share, repetitions);
        let file = file_of(&experiment, &settings);
        let text = file.to_text();
        prop_assert!(ModelFile::is_one(text.as_bytes()));
        let read = ModelFile::read(&text).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(read.to_text(), text);
        prop_assert_eq!(read.forecaster.unit(), file.forecaster.unit());
        prop_assert_eq!(&read.machine, &file.machine);
        prop_assert_eq!(text_of(&read.runs), text_of(&file.runs));
        prop_assert_eq!(&read.response, &file.response);
        prop_assert_eq!(text_of(&read.definitions[0].1.evaluate(&[3.0])), "4.5");
        check_same(&file, &read, &mut Dice::new(seed));
    }
}

/// Two variables and several cells.
fn example() -> String {
    let all = scenarios();
    let scenario = all.iter().find(|scenario| scenario.name.starts_with("out of the cache")).unwrap();
    file_of(&scenario.measure(0.01, 1), &Settings::default()).to_text()
}

#[test]
fn files_that_are_cut_are_refused() {
    let text = example();
    for end in (0..text.len() - 2).step_by(37) {
        let Some(cut) = text.get(..end) else { continue };
        assert!(matches!(ModelFile::read(cut), Err(ModelFileError::Shape(_))), "{end}");
    }
}

/// All values within a value, by their paths.
fn paths(value: &Value, path: &str, all: &mut Vec<String>) {
    all.push(path.to_owned());
    match value {
        Value::Object(parts) => {
            parts.iter().for_each(|(key, part)| paths(part, &format!("{path}/{key}"), all))
        }
        Value::Array(parts) => {
            parts.iter().enumerate().for_each(|(index, part)| paths(part, &format!("{path}/{index}"), all));
        }
        _ => {}
    }
}

#[test]
fn whatever_a_file_says_nothing_panics() {
    let whole: Value = serde_json::from_str(&example()).unwrap();
    let mut all = Vec::new();
    paths(&whole, "", &mut all);
    let hostile = [
        json!(null),
        json!(-1),
        json!(0),
        json!(1e308),
        json!(u64::MAX),
        json!("NaN"),
        json!("infinity"),
        json!("x"),
        json!("f[0] + f[1]*M"),
        json!("N) + f[9]*(N"),
        json!([]),
        json!({}),
        json!([0, 0]),
        json!(true),
    ];
    let (mut refused, mut read) = (0, 0);
    for (index, path) in all.iter().enumerate().filter(|(index, path)| index % 5 == 0 || path.len() < 30) {
        let mut changed = whole.clone();
        *changed.pointer_mut(path).unwrap() = hostile[index % hostile.len()].clone();
        match ModelFile::read(&changed.to_string()) {
            Err(_) => refused += 1,
            Ok(file) => {
                read += 1;
                let variables = file.forecaster.model().formula().variables().len();
                file.forecaster.forecast(&vec![1e9; variables], 0.9);
            }
        }
    }
    assert!(refused > 100 && read > 10, "{refused} {read}");
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let check = |path: &str, value: Value, expected: &str| {
        let mut changed: Value = serde_json::from_str(&example()).unwrap();
        *changed.pointer_mut(path).unwrap() = value;
        let error = ModelFile::read(&changed.to_string()).unwrap_err().to_string();
        assert!(error.contains(expected), "{path}: {error}");
    };
    check("/call-model", json!(4), "the file has schema version 4, and this program reads 1 to 3");
    check("/cells/1/fit/constants/0", json!("NaN"), "cells[1].fit.constants[0] is not finite");
    check("/cells/1/fit/covariance", json!([1.0]), "cells[1].fit.covariance has 1 entries, and 4 are needed");
    check("/cells/0/fit/covariance/1", json!(1.0), "cells[0].fit.covariance[2] does not fit the diagonal");
    check("/cells/0/fit/covariance/3", json!(-1.0), "cells[0].fit.covariance[3] is negative");
    check("/cells/0/intervals/0/1", json!(5.0), "cells are not what the borders make of the space");
    check("/borders", json!([]), "cells are not what the borders make of the space");
    check("/formula", json!("f[0] + f[1]*("), "formula cannot be: ");
    check("/formula", json!("f[0] + f[1]*M"), "variables are not those of the formula");
    check("/cells/0/rivals/0/term", json!("M"), "is `M`, which is no term over the variables of the formula");
    check("/cells/0/rivals/0/probability", json!(2), "cells[0].rivals[0].probability is more than 1");
    check("/sets/0/0", json!(u64::MAX), "sets[0] has a set 18446744073709551615");
    check("/settings/loss", json!("cubes"), "settings.loss is `cubes`, and can be `squares`, `huber`");
    check("/runs/0/fit/covariance/0", json!(-1.0), "runs[0].fit.covariance[0] is negative");
    check("/runs/0/fit/design", json!("ü"), "runs[0].fit.design is `ü`, which is no number");
    check("/unit", json!(""), "unit is ``, which is no unit");
    check("/definitions/0/value", json!("2*"), "definitions[0].value is no expression");
    check("/shortest_s", json!("soon"), "a number, \"infinity\"");
    check("/sampled/N/lowest", json!(1e300), "sampled.N is no range of values");
}

/// All samples have M = 2 N, as in a study of weak scaling: what the formula says beside that line nothing confirms.
#[test]
fn points_beside_what_all_samples_have_in_common_are_told() {
    let points: Vec<Vec<f64>> = [5.0, 10.0, 20.0, 40.0, 80.0].iter().map(|n| vec![*n, 2.0 * n]).collect();
    let times = points.iter().map(|point| 1e-6 * point[1] * point[1]).collect();
    let experiment = planted::experiment("f[0] + f[1]*N*M", &["N", "M"], &points, times);
    let file = file_of(&experiment, &Settings::default());
    let read = ModelFile::read(&file.to_text()).unwrap();
    let told = Remark::OffTheLine { variables: ["N".to_owned(), "M".to_owned()] };
    for forecaster in [&file.forecaster, &read.forecaster] {
        assert!(forecaster.forecast(&[160.0, 40.0], 0.9).remarks.contains(&told));
        assert!(!forecaster.forecast(&[160.0, 320.0], 0.9).remarks.contains(&told));
    }
}
