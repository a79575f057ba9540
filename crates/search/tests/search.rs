use call_grammar::Formula;
use call_search::{FoundFormulas, Measurements, advise_formula, find};

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Normal numbers from a linear congruence, the same on every machine.
struct Noise(u64);

impl Noise {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
}

/// All combinations of some values for each variable, as columns.
fn grid(levels: &[&[f64]]) -> Vec<Vec<f64>> {
    let count: usize = levels.iter().map(|levels| levels.len()).product();
    let mut repeat = 1;
    let mut columns = Vec::new();
    for levels in levels {
        columns.push((0..count).map(|row| levels[row / repeat % levels.len()]).collect());
        repeat *= levels.len();
    }
    columns
}

fn measure(variables: &[&str], columns: &[Vec<f64>], value: impl FnMut(&[f64]) -> f64) -> Measurements {
    let rows = columns.first().map_or(0, Vec::len);
    let points = (0..rows).map(|row| columns.iter().map(|column| column[row]).collect::<Vec<f64>>());
    let mut value = value;
    let values: Vec<f64> = points.map(|point| value(&point)).collect();
    let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    Measurements::new(&names(variables), &columns, &values)
}

const DOUBLING: [f64; 6] = [2.0, 4.0, 8.0, 16.0, 32.0, 64.0];
const STEPS: [f64; 5] = [10.0, 20.0, 30.0, 40.0, 50.0];

fn best(finding: &FoundFormulas) -> String {
    finding.ranked("f").first().map(|model| model.formula.text.clone()).unwrap_or_default()
}

#[test]
fn exact_formulas_of_one_variable_are_found() {
    type Case = (fn(f64) -> f64, &'static str);
    let cases: [Case; 9] = [
        (|_| 3.0, "f[0]"),
        (|x| 2.0 * x, "f[0]*N"),
        (|x| 5.0 + x, "f[0] + f[1]*N"),
        (|x| 5.0 + 0.1 * x * x, "f[0] + f[1]*N*N"),
        (|x| 5.0 + 0.1 * x * x.ln(), "f[0] + f[1]*N*log(N)"),
        (|x| 1.0 + 20.0 / x, "f[0] + f[1]/N"),
        (|x| 3.0 + x.ln(), "f[0] + f[1]*log(N)"),
        (|x| 0.5 * x.sqrt(), "f[0]*sqrt(N)"),
        (|x| 1.0 + 30.0 / x + 0.5 * x, "f[0] + f[1]/N + f[2]*N"),
    ];
    for (truth, formula) in cases {
        let finding = find(&measure(&["N"], &[DOUBLING.to_vec()], |point| truth(point[0])));
        assert_eq!(best(&finding), formula);
        let prediction = finding.predict(&[128.0], 0.9);
        let error = prediction.value / truth(128.0) - 1.0;
        assert!(error.abs() < 1e-6, "{formula}: {error:e}");
        assert!(finding.ranked("f")[0].held_out_error.is_none_or(|error| error < 1e-6), "{formula}");
    }
}

#[test]
fn exact_formulas_of_several_variables_are_found() {
    let two = grid(&[&DOUBLING[..5], &STEPS]);
    let found = |truth: fn(&[f64]) -> f64| best(&find(&measure(&["P", "N"], &two, truth)));
    assert_eq!(found(|x| 1.0 + 0.3 * x[1] * x[1] / x[0]), "f[0] + f[1]*N*N/P");
    assert_eq!(found(|x| 2.0 + 3.0 * x[1]), "f[0] + f[1]*N");
    assert_eq!(found(|x| 2.0 * x[0].ln() + 3.0 * x[1]), "f[0]*N + f[1]*log(P)");
    let three = grid(&[&DOUBLING[..5], &STEPS, &[100.0, 200.0, 300.0, 400.0]]);
    let finding = find(&measure(&["P", "N", "M"], &three, |x| 7.0 + 0.2 * x[1] * x[2] / x[0]));
    assert_eq!(best(&finding), "f[0] + f[1]*N*M/P");
    let four = grid(&[&DOUBLING[..3], &STEPS[..3], &[1.0, 2.0, 3.0], &[5.0, 10.0, 20.0]]);
    let finding = find(&measure(&["a", "b", "c", "d"], &four, |x| 1.0 + x[0] * x[3]));
    assert_eq!(best(&finding), "f[0] + f[1]*a*d");
}

/// Neither term is a good model alone, nor are their shapes the best of their variables.
#[test]
fn sums_of_work_and_joining_are_found() {
    let columns = grid(&[&[1e4, 2e4, 4e4, 8e4, 16e4], &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0]]);
    let mut chance = Noise(7);
    for joining in [3e-4, 1e-3] {
        let finding = find(&measure(&["n", "P"], &columns, |at| {
            (1e-6 * at[0] / at[1] + joining * at[1].log2()) * (1.0 + 1e-4 * chance.normal())
        }));
        let text = best(&finding);
        assert!(["f[0]*n/P + f[1]*log(P)", "f[0]*log(P) + f[1]*n/P"].contains(&text.as_str()), "{text}");
    }
    let finding = find(&measure(&["n", "P"], &columns, |at| {
        let time = 2e-3 + 1e-6 * at[0] * at[0].log2() / at[1] + 1e-3 * at[1].log2();
        time * (1.0 + 5e-4 * chance.normal())
    }));
    let text = best(&finding);
    let either = ["f[0] + f[1]*n*log(n)/P + f[2]*log(P)", "f[0] + f[1]*log(P) + f[2]*n*log(n)/P"];
    assert!(either.contains(&text.as_str()), "{text}");
    let predicted = finding.predict(&[16e4, 1024.0], 0.9);
    let truth = 2e-3 + 0.16 * 16e4f64.log2() / 1024.0 + 1e-2;
    assert!(predicted.low < truth && truth < predicted.high, "{predicted:?}, {truth}");
}

#[test]
fn formulas_are_canonical() {
    let mut noise = Noise(3);
    let columns = grid(&[&DOUBLING, &STEPS]);
    for _ in 0..10 {
        let finding = find(&measure(&["P", "size"], &columns, |x| {
            (1.0 + x[1] * x[1] / x[0] + x[0]) * (1.0 + 0.1 * noise.normal()).abs()
        }));
        for model in finding.ranked("f") {
            let parsed = Formula::parse("f", &model.formula.text).unwrap();
            assert_eq!(parsed.to_string(), model.formula.text);
            assert_eq!(parsed.terms().len(), model.formula.constants.len());
            assert_eq!(parsed.terms().len(), model.formula.standard_errors.len());
        }
    }
}

/// The rates of a benchmark: planted truths of many kinds under noise, extrapolated by one step.
#[test]
fn planted_truths_are_predicted_within_their_intervals() {
    let shapes: [fn(f64) -> f64; 5] = [|_| 1.0, |x| x, |x| x * x.ln(), |x| 1.0 / x, |x| x.sqrt()];
    for (sigma, least_within) in [(0.0, 0.95), (0.02, 0.9), (0.05, 0.85), (0.1, 0.6)] {
        let mut noise = Noise(17);
        let (mut within, mut covered, mut count) = (0, 0, 0);
        for first in shapes {
            for second in shapes {
                let (offset, share) = (noise.uniform(), 0.1 + 10.0 * noise.uniform());
                let truth = |x: f64| offset + first(x) / first(16.0) + share * second(x) / second(16.0);
                let mut measured = |x: f64| truth(x) * (sigma * noise.normal()).exp();
                let columns = [DOUBLING.to_vec()];
                let finding = find(&measure(&["N"], &columns, |point| measured(point[0])));
                let prediction = finding.predict(&[128.0], 0.9);
                let value = measured(128.0);
                let slack = 1e-6 * value;
                within += usize::from((prediction.value / truth(128.0) - 1.0).abs() < 0.2);
                covered += usize::from(prediction.low - slack <= value && value <= prediction.high + slack);
                count += 1;
            }
        }
        let rate = |number: usize| number as f64 / f64::from(count);
        assert!(rate(within) >= least_within, "noise {sigma}: {} within 20 % of the truth", rate(within));
        assert!(rate(covered) >= 0.85, "noise {sigma}: {} covered", rate(covered));
    }
}

#[test]
fn a_disturbed_measurement_does_not_bend_the_formula() {
    let columns = [[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0].to_vec()];
    for disturbed in [1.0, 8.0, 64.0] {
        let finding =
            find(&measure(&["N"], &columns, |x| if x[0] == disturbed { 300.0 } else { 10.0 + 0.01 * x[0] }));
        let prediction = finding.predict(&[128.0], 0.9);
        assert!((prediction.value / 11.28 - 1.0).abs() < 0.1, "{disturbed}: {prediction:?}");
        // The first point may as well be an interval of its own.
        if disturbed > 1.0 {
            assert_eq!(finding.ranked("f")[0].disturbed, vec![vec![disturbed]]);
        }
    }
}

/// Alone neither term need be a good formula, and two of them with a start-up time neither.
#[test]
fn sums_of_two_terms_of_one_variable_are_found() {
    type Case = (fn(f64) -> f64, &'static str);
    let cases: [Case; 5] = [
        (|x| 1e-6 * x + 3e-10 * x * x, "f[0]*N + f[1]*N*N"),
        (|x| 5e-5 + 1e-7 * x + 3e-11 * x * x, "f[0] + f[1]*N + f[2]*N*N"),
        (|x| 5e-5 + 1e-7 * x + 3e-15 * x * x * x, "f[0] + f[1]*N + f[2]*N*N*N"),
        (|x| 1e-7 * x * x + 3e-11 * x * x * x, "f[0]*N*N + f[1]*N*N*N"),
        (|x| 1.0 / x + 1e-6 * x, "f[0]/N + f[1]*N"),
    ];
    let sizes: Vec<f64> = (6..14).map(|power| f64::from(1 << power)).collect();
    for (time_s, formula) in cases {
        for sigma in [0.0, 0.0005, 0.003] {
            let mut noise = Noise(7);
            let columns: Vec<Vec<f64>> = vec![sizes.iter().flat_map(|size| [*size; 4]).collect()];
            let measured = measure(&["N"], &columns, |x| time_s(x[0]) * (1.0 + sigma * noise.normal()));
            let finding = find(&measured);
            if sigma < 0.001 {
                assert_eq!(best(&finding), formula, "noise {sigma}");
            }
            for size in [32768.0, 131072.0] {
                let found = finding.predict(&[size], 0.9);
                let truth = time_s(size);
                assert!(
                    found.low <= truth * (1.0 + 2.0 * sigma) && truth * (1.0 - 2.0 * sigma) <= found.high,
                    "{formula}, noise {sigma}, N = {size}: {found:?}, not {truth}"
                );
            }
        }
    }
}

/// The law may be another one from there on.
#[test]
fn a_last_value_that_departs_is_no_certain_accident() {
    let sizes: Vec<f64> = (6..12).map(|power| f64::from(1 << power)).collect();
    for factor in [1.28, 2.0, 0.5] {
        let mut noise = Noise(3);
        let columns: Vec<Vec<f64>> = vec![sizes.iter().flat_map(|size| [*size; 4]).collect()];
        let time_s = |x: &[f64]| 3e-9 * x[0] * x[0] * if x[0] == 2048.0 { factor } else { 1.0 };
        let finding = find(&measure(&["N"], &columns, |x| time_s(x) * (1.0 + 0.003 * noise.normal())));
        let measured = finding.predict(&[2048.0], 0.9);
        let value = time_s(&[2048.0]);
        assert!(measured.low < value * 1.01 && value * 0.99 < measured.high, "{factor}: {measured:?}");
        let beyond = finding.predict(&[16384.0], 0.9);
        let usual = 3e-9 * 16384.0 * 16384.0;
        for truth in [usual, factor * usual] {
            assert!(
                beyond.low < truth * 1.01 && truth * 0.99 < beyond.high,
                "{factor}: {beyond:?}, not {truth}"
            );
        }
    }
}

#[test]
fn an_interval_is_found_where_the_formula_changes() {
    let sizes: Vec<f64> = (1..=10).map(f64::from).collect();
    let finding =
        find(&measure(&["N"], &[sizes], |x| if x[0] < 6.0 { x[0] * x[0] } else { 40.0 + 2.0 * x[0] }));
    let model = &finding.ranked("f")[0];
    let interval = model.interval.as_ref().unwrap();
    assert_eq!((interval.variable.as_str(), interval.from), ("N", 6.0));
    assert_eq!((interval.below.text.as_str(), model.formula.text.as_str()), ("f[0]*N*N", "f[0] + f[1]*N"));
    assert!((finding.predict(&[11.0], 0.9).value - 62.0).abs() < 1e-6);
    assert!((finding.predict(&[2.5], 0.9).value - 6.25).abs() < 1e-6);
}

/// Nobody knows where between two measured values another law begins.
#[test]
fn between_two_laws_either_may_hold() {
    let processors = vec![25.0, 49.0, 64.0, 100.0, 144.0];
    let time_s = |p: &[f64]| if p[0] < 40.0 { 0.032 } else { 0.44 / p[0] };
    let finding = find(&measure(&["P"], &[processors], time_s));
    let near_above = finding.predict(&[46.0], 0.9);
    assert!(near_above.value < 1.2 * 0.44 / 46.0, "{near_above:?}");
    assert!(finding.predict(&[27.0], 0.9).value > 0.6 * 0.032);
    for p in 29..45 {
        let between = finding.predict(&[f64::from(p)], 0.9);
        assert!(between.low <= 0.44 / f64::from(p) && 0.032 <= between.high, "{p}: {between:?}");
    }
}

#[test]
fn repetitions_are_folded_and_give_the_noise() {
    let repeated: Vec<f64> = DOUBLING.iter().flat_map(|n| [*n; 5]).collect();
    let mut noise = Noise(5);
    let quiet =
        find(&measure(&["N"], std::slice::from_ref(&repeated), |x| x[0] * (1.0 + 0.001 * noise.normal())));
    let mut noise = Noise(5);
    let loud = find(&measure(&["N"], &[repeated], |x| x[0] * (1.0 + 0.1 * noise.normal())));
    assert_eq!(quiet.measurements().values().len(), 6);
    let width = |finding: &FoundFormulas| {
        let prediction = finding.predict(&[32.0], 0.8);
        prediction.high / prediction.low
    };
    assert!(width(&quiet) < 1.01 && width(&loud) > 1.05, "{} {}", width(&quiet), width(&loud));
}

#[test]
fn the_order_of_the_rows_does_not_matter() {
    let mut noise = Noise(9);
    let columns = grid(&[&DOUBLING, &STEPS]);
    let values: Vec<f64> = (0..columns[0].len()).map(|_| 1.0 + noise.uniform()).collect();
    let measured = |order: &[usize]| {
        let pick = |column: &Vec<f64>| order.iter().map(|row| column[*row]).collect::<Vec<f64>>();
        let (first, second) = (pick(&columns[0]), pick(&columns[1]));
        Measurements::new(&names(&["P", "N"]), &[&first, &second], &pick(&values))
    };
    let forward: Vec<usize> = (0..values.len()).collect();
    let backward: Vec<usize> = forward.iter().rev().copied().collect();
    let (left, right) = (find(&measured(&forward)), find(&measured(&backward)));
    assert_eq!(left.ranked("f"), right.ranked("f"));
    assert_eq!(left.predict(&[128.0, 60.0], 0.9), right.predict(&[128.0, 60.0], 0.9));
    assert_eq!(left.advise(&[128.0, 60.0]), right.advise(&[128.0, 60.0]));
}

#[test]
fn strange_data_have_an_answer() {
    let one = |values: &[f64]| {
        let sizes: Vec<f64> = (1..=values.len()).map(|size| size as f64).collect();
        find(&Measurements::new(&names(&["N"]), &[&sizes], values))
    };
    assert!(one(&[]).predict(&[1.0], 0.9).value.is_nan());
    assert!(one(&[]).ranked("f").is_empty() && one(&[]).advise(&[1.0]).is_empty());
    assert_eq!(one(&[0.0; 5]).predict(&[9.0], 0.9).value, 0.0);
    assert_eq!(one(&[0.0; 5]).ranked("f")[0].formula.constants, [0.0]);
    let alone = one(&[7.0]).predict(&[1.0], 0.9);
    assert!((alone.value - 7.0).abs() < 1e-9 && alone.low < 7.0 && alone.high > 7.0);
    let negative = one(&[-1.0, -2.0, -3.0, -4.0]).predict(&[5.0], 0.9);
    assert!(
        (negative.value + 5.0).abs() < 1e-6
            && negative.low <= negative.value
            && negative.value <= negative.high
    );
    let with_holes = one(&[1.0, f64::NAN, 3.0, f64::INFINITY, 5.0, 6.0]);
    assert_eq!(with_holes.measurements().values(), [1.0, 3.0, 5.0, 6.0]);
    assert!((with_holes.predict(&[8.0], 0.9).value - 8.0).abs() < 1e-6);
    for values in [
        [1e-320, 2e-320, 3e-320, 4e-320],
        [1e308, 1.2e308, 1.4e308, 1.6e308],
        [1e-300, 1.0, 1e300, 2.0],
        [-1.0, 2.0, 0.0, 1.0],
    ] {
        let finding = one(&values);
        finding.ranked("f");
        finding.advise(&[8.0]);
        let prediction = finding.predict(&[8.0], 0.9);
        assert!(
            prediction.value.is_nan()
                || prediction.low <= prediction.value && prediction.value <= prediction.high
        );
    }
    let no_variables = find(&Measurements::new(&[], &[], &[1.0, 2.0, 3.0]));
    assert!((no_variables.predict(&[], 0.9).value - 2.0).abs() < 1e-9);
    let constant_column = find(&measure(&["N", "P"], &[DOUBLING.to_vec(), vec![4.0; 6]], |x| x[0]));
    assert_eq!(best(&constant_column), "f[0]*N");
    let same_point = find(&measure(&["N"], &[vec![3.0; 9]], |_| 2.0));
    assert!((same_point.predict(&[3.0], 0.9).value - 2.0).abs() < 1e-9);
    let signs = find(&measure(&["N"], &[vec![-2.0, -1.0, 0.0, 1.0, 2.0]], |_| 2.0));
    assert!((signs.predict(&[0.5], 0.9).value - 2.0).abs() < 1e-9);
    let eight = vec![DOUBLING.to_vec(); 8];
    find(&measure(&["a", "b", "c", "d", "e", "f", "g", "h"], &eight, |x| x[7])).predict(&[1.0; 8], 0.9);
}

#[test]
fn predictions_of_non_negative_data_are_not_negative() {
    let mut noise = Noise(23);
    for _ in 0..40 {
        let sizes: Vec<f64> = (0..5).map(|power| f64::from(1 << power)).collect();
        let measured = measure(&["N"], &[sizes], |_| {
            (noise.normal() * 2.0).exp() * f64::from(u8::from(noise.uniform() > 0.1))
        });
        let finding = find(&measured);
        for point in [0.5, 3.0, 32.0, 1e6] {
            let prediction = finding.predict(&[point], 0.9);
            assert!(
                !(prediction.value < 0.0 || prediction.low < 0.0),
                "{:?} {prediction:?}",
                measured.values()
            );
            assert!(!(prediction.low > prediction.value || prediction.value > prediction.high));
        }
    }
}

#[test]
fn many_samples_are_condensed() {
    let sizes: Vec<f64> = (1..=50_000).map(f64::from).collect();
    let mut noise = Noise(1);
    let measured = measure(&["N"], &[sizes], |x| (10.0 + 0.1 * x[0]) * (1.0 + 0.02 * noise.normal()));
    assert!(measured.values().len() <= 1024);
    let prediction = find(&measured).predict(&[100_000.0], 0.9);
    assert!((prediction.value / 10_010.0 - 1.0).abs() < 0.01, "{prediction:?}");
}

#[test]
fn advice_is_worth_its_cost() {
    let mut noise = Noise(4);
    let columns = [vec![100.0, 200.0, 400.0, 800.0]];
    let finding = find(&measure(&["N"], &columns, |x| {
        (1.0 + 0.001 * x[0] * x[0].ln()) * (1.0 + 0.02 * noise.normal())
    }));
    assert_eq!(finding.beyond(), [1600.0]);
    let advice = finding.advise(&[12_800.0]);
    assert!(!advice.is_empty());
    assert!(advice.windows(2).all(|pair| pair[0].cost <= pair[1].cost && pair[0].left > pair[1].left));
    // Far out the rivals differ most.
    let last = advice.last().unwrap();
    assert!(last.point == [3200.0] && last.left < 0.7, "{advice:?}");
    // Measuring there narrows the interval as much as was said, roughly.
    let now = finding.predict(&[12_800.0], 0.9);
    let mut noise = Noise(4);
    let columns = [vec![100.0, 200.0, 400.0, 800.0, 3200.0]];
    let more = find(&measure(&["N"], &columns, |x| {
        (1.0 + 0.001 * x[0] * x[0].ln()) * (1.0 + 0.02 * noise.normal())
    }));
    let then = more.predict(&[12_800.0], 0.9);
    assert!((then.high / then.low).ln() < 0.9 * (now.high / now.low).ln(), "{now:?} {then:?}");
}

#[test]
fn advice_for_a_formula_separates_its_terms() {
    // With N/P and N alone at one P, the terms cannot be told apart; another P can.
    let formula = Formula::parse("f", "f[0]*N + f[1]*N/P").unwrap();
    let measured =
        measure(&["P", "N"], &[vec![4.0; 4], vec![10.0, 20.0, 40.0, 80.0]], |x| x[1] + x[1] / x[0]);
    // N comes first in the formula.
    let variables = |point: &[f64]| vec![point[1], point[0]];
    let advice = advise_formula(&formula, &[1.0, 1.0], 1.0, &measured, variables);
    let best = advice.last().unwrap();
    assert!(best.point[0] > 4.0 && best.left < 1e-3, "{advice:?}");
    assert!(advise_formula(&formula, &[1.0], 1.0, &measured, variables).is_empty());
}

/// What is left of the volume is the root of det M / det (M + x x'), with rows of the errors that were asked for.
#[test]
fn advice_for_a_formula_goes_by_its_errors() {
    let formula = Formula::parse("f", "f[0] + f[1]*N").unwrap();
    let sizes: Vec<f64> = (1..=8).map(|n| f64::from(10 * n)).collect();
    let time = |n: f64| 1.0 + 0.1 * n;
    let measured = measure(&["N"], std::slice::from_ref(&sizes), |x| time(x[0]));
    for exponent in [0.0, 0.3, 1.0] {
        let row = |n: f64| [1.0, n].map(|term| term / time(n).powf(exponent));
        let determinant = |rows: &[[f64; 2]]| {
            let sum = |one: usize, other: usize| rows.iter().map(|row| row[one] * row[other]).sum::<f64>();
            sum(0, 0) * sum(1, 1) - sum(0, 1).powi(2)
        };
        let rows: Vec<[f64; 2]> = sizes.iter().map(|n| row(*n)).collect();
        let advice = advise_formula(&formula, &[1.0, 0.1], exponent, &measured, <[f64]>::to_vec);
        assert!(!advice.is_empty());
        for one in &advice {
            let more = [rows.clone(), vec![row(one.point[0])]].concat();
            let left = (determinant(&rows) / determinant(&more)).sqrt();
            assert!((one.left - left).abs() < 1e-6, "{exponent}: {one:?} {left}");
        }
    }
}

#[test]
fn nothing_panics_whatever_comes_in() {
    const STRANGE: [f64; 16] = [
        0.0,
        -0.0,
        1.0,
        2.0,
        4.0,
        8.0,
        0.5,
        3.0,
        -1.0,
        1e-320,
        1e308,
        -1e308,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::EPSILON,
    ];
    let mut noise = Noise(77);
    for _ in 0..120 {
        // Tame data half of the time, so that the search gets far.
        let tame = noise.uniform() < 0.5;
        let (rows, variables) = ((noise.uniform() * 14.0) as usize, (noise.uniform() * 4.0) as usize);
        let mut number = || {
            let index = (noise.uniform() * if tame { 6.0 } else { 16.0 }) as usize;
            STRANGE[index]
        };
        let columns: Vec<Vec<f64>> = (0..variables).map(|_| (0..rows).map(|_| number()).collect()).collect();
        let values: Vec<f64> = (0..rows).map(|_| number()).collect();
        let slices: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let finding = find(&Measurements::new(&names(&["P", "N", "M"][..variables]), &slices, &values));
        finding.ranked("f");
        let point: Vec<f64> = (0..variables).map(|_| number()).collect();
        let prediction = finding.predict(&point, number());
        assert!(
            !(prediction.low > prediction.value || prediction.value > prediction.high),
            "{columns:?} {values:?}"
        );
        finding.advise(&point);
        finding.advise(&finding.beyond());
        let probabilities: f64 = finding.ranked("f").iter().map(|model| model.probability).sum();
        assert!(
            finding.ranked("f").is_empty() || (probabilities - 1.0).abs() < 1e-9,
            "{columns:?} {values:?}"
        );
    }
}

/// On four values of a variable its shapes can hardly be told apart, and the shortlist has few of them.
#[test]
fn rivals_of_each_term_of_several_variables_are_weighed() {
    let columns = grid(&[&[1e3, 2e3, 4e3, 8e3, 16e3], &[1.0, 2.0, 4.0, 8.0]]);
    let truth = |at: &[f64]| 2e-4 + 1e-6 * at[0] / at[1] + 5e-5 * at[1];
    let mut chance = Noise(29);
    let points = [[16e3, 16.0], [16e3, 32.0]];
    let (mut covered, mut with_planted) = ([0; 2], 0);
    const SETS: usize = 30;
    for _ in 0..SETS {
        let finding = find(&measure(&["N", "P"], &columns, |at| truth(at) * (1.0 + 0.01 * chance.normal())));
        for (count, point) in covered.iter_mut().zip(&points) {
            let predicted = finding.predict(point, 0.9);
            *count += usize::from(predicted.low <= truth(point) && truth(point) <= predicted.high);
        }
        let planted = ["f[0] + f[1]*N/P + f[2]*P", "f[0] + f[1]*P + f[2]*N/P"];
        let ranked = finding.ranked("f");
        with_planted += usize::from(ranked.iter().any(|its| planted.contains(&its.formula.text.as_str())));
    }
    let least = SETS * 85 / 100;
    assert!(
        covered[0] >= least && covered[1] >= least && with_planted >= least,
        "{covered:?} {with_planted}"
    );
}

/// Intervals are for single measurements where that is asked for, whatever these were folded to.
#[test]
fn intervals_of_single_measurements_hold_them() {
    const REPETITIONS: usize = 25;
    let sizes: Vec<f64> = (7..14).map(|power| f64::from(1 << power)).collect();
    let repeated: Vec<f64> = sizes.iter().flat_map(|size| [*size; REPETITIONS]).collect();
    let truth = |size: f64| 1e-4 + 1e-6 * size;
    let mut chance = Noise(31);
    let (mut singles, mut folded, mut count) = (0, 0, 0u32);
    for _ in 0..20 {
        let mut measured = |size: f64| truth(size) * (1.0 + 0.05 * chance.normal());
        let measurements = measure(&["N"], std::slice::from_ref(&repeated), |at| measured(at[0]));
        let (of_single, of_medians) = (find(&measurements.clone().for_single()), find(&measurements));
        for size in [1024.0, 16384.0] {
            let [single, median] = [&of_single, &of_medians].map(|finding| finding.predict(&[size], 0.9));
            assert!((single.value / median.value - 1.0).abs() < 0.01, "{single:?} {median:?}");
            for _ in 0..20 {
                let new = measured(size);
                singles += usize::from(single.low <= new && new <= single.high);
                folded += usize::from(median.low <= new && new <= median.high);
                count += 1;
            }
        }
    }
    let share = |inside: usize| inside as f64 / f64::from(count);
    assert!((0.85..0.97).contains(&share(singles)), "{}", share(singles));
    assert!(share(folded) < 0.7, "{}", share(folded));
}

/// No term that is exchanged alone leads from the best model of two terms to them.
#[test]
fn pairs_of_terms_that_neither_is_good_alone_are_found() {
    let columns = grid(&[&[1e3, 2e3, 4e3, 8e3, 16e3, 32e3, 64e3, 128e3], &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0]]);
    let mut chance = Noise(37);
    let mut found = |truth: fn(f64, f64) -> f64, noise: f64| {
        let finding =
            find(&measure(&["N", "P"], &columns, |at| truth(at[0], at[1]) * (1.0 + noise * chance.normal())));
        for point in [[128e3, 64.0], [128e3, 256.0], [512e3, 64.0]] {
            let (predicted, truth) = (finding.predict(&point, 0.9), truth(point[0], point[1]));
            assert!((predicted.value / truth - 1.0).abs() < 0.01, "{truth} {predicted:?}");
        }
        let text = best(&finding);
        let mut terms: Vec<String> = text.split(" + ").map(|term| term[4..].to_owned()).collect();
        terms.sort();
        terms.concat()
    };
    let squared = |n: f64, p: f64| 3e-8 * n + 1e-4 * p + 2e-6 * p * p;
    assert_eq!(found(squared, 0.0), "*N*P*P*P");
    assert_eq!(found(squared, 1e-4), "*N*P*P*P");
    let four = |n: f64, p: f64| 1e-3 + 1e-6 * n / p + 1e-3 * p.ln() + 1e-4 * p;
    assert_eq!(found(four, 1e-4), "*N/P*P*log(P)");
}

/// Two values of a variable say nothing of its growth beyond them: what passes through both is weighed by how common it is.
#[test]
fn two_values_of_a_variable_do_not_make_its_growth_certain() {
    let columns = grid(&[&[1e3, 2e3, 4e3, 8e3, 16e3], &[1.0, 2.0]]);
    let truth = |n: f64, p: f64| 2e-5 + 1e-7 * n / p + 1e-5 * p;
    let mut chance = Noise(41);
    let mut covered = 0;
    for _ in 0..30 {
        let finding =
            find(&measure(&["N", "P"], &columns, |at| truth(at[0], at[1]) * (1.0 + 0.01 * chance.normal())));
        let predicted = finding.predict(&[16e3, 8.0], 0.9);
        covered += usize::from(predicted.low <= truth(16e3, 8.0) && truth(16e3, 8.0) <= predicted.high);
    }
    assert!(covered >= 25, "{covered}");
}
