//! Models written as C, gnuplot and LaTeX.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that meets None has failed, and says what it skips"
)]

use std::process::Command;

use call_model::{Model, Settings};
use call_trace::{Experiment, Samples};

/// A model of exact times at points of two variables, the first of which has values in steps of 5 up to this one.
fn model_up_to(largest: i32, formula: &str, names: [&str; 2], time_s: impl Fn(f64, f64) -> f64) -> Model {
    let points = (1..=largest / 5).flat_map(|n| [1.0, 2.0, 4.0].map(|p| (f64::from(n * 5), p)));
    let (n, p): (Vec<f64>, Vec<f64>) = points.unzip();
    let samples = Samples {
        names: names.map(str::to_owned).to_vec(),
        time_s: n.iter().zip(&p).map(|(n, p)| time_s(*n, *p)).collect(),
        processor: vec![0; n.len()],
        run: vec![0; n.len()],
        columns: vec![n, p],
        ..Samples::default()
    };
    let experiment =
        Experiment { name: "f".into(), formula: Some(formula.into()), samples, ..Experiment::default() };
    Model::fit(&Settings::default().prepare(&experiment)).unwrap()
}

fn model(formula: &str, names: [&str; 2], time_s: impl Fn(f64, f64) -> f64) -> Model {
    model_up_to(60, formula, names, time_s)
}

fn with_jump() -> Model {
    let time_s =
        |n: f64, p: f64| if n <= 100.0 { 1e-6 + 3e-8 * n * n.ln() / p } else { 1e-5 + 9e-8 * n * n.ln() / p };
    model_up_to(200, "f[0] + f[1]*N*log(N)/P", ["N", "P"], time_s)
}

/// Prints what the C function says at each point, with all digits.
fn run_c(text: &str, function: &str, points: &[[f64; 2]]) -> Option<Vec<f64>> {
    if Command::new("cc").arg("--version").output().is_err() {
        println!("skipped: cc");
        return None;
    }
    let folder = std::env::temp_dir().join(format!("call-model-texts-{}-{function}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let calls: String = points
        .iter()
        .map(|[n, p]| format!("    printf(\"%.17g\\n\", {function}({n:?}, {p:?}));\n"))
        .collect();
    let (source, program) = (folder.join("model.c"), folder.join("model"));
    std::fs::write(
        &source,
        format!("#include <stdio.h>\n{text}\nint main(void)\n{{\n{calls}    return 0;\n}}\n"),
    )
    .unwrap();
    let flags = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o"];
    let compiled = Command::new("cc").args(flags).arg(&program).arg(&source).arg("-lm").output().unwrap();
    assert!(compiled.status.success(), "{}\n{text}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&program).output().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    Some(lines.lines().map(|line| line.parse().unwrap()).collect())
}

fn check_c(model: &Model, name: &str, function: &str) {
    let points: Vec<[f64; 2]> = [1.0, 5.0, 99.5, 100.0, 100.00000001, 105.0, 150.0, 1e6]
        .iter()
        .flat_map(|n| [[*n, 1.0], [*n, 3.0]])
        .collect();
    let text = model.c_function(name);
    let Some(times) = run_c(&text, function, &points) else { return };
    assert_eq!(times.len(), points.len());
    for (point, time_s) in points.iter().zip(times) {
        let expected = model.predict(point).time_s;
        assert!(
            (time_s - expected).abs() <= 1e-15 * expected.abs(),
            "{point:?}: {time_s} {expected}\n{text}"
        );
    }
}

#[test]
fn the_c_function_predicts_as_the_model() {
    let model = with_jump();
    assert_eq!(model.cells().len(), 2);
    check_c(&model, "time_s", "time_s");
    assert_eq!(
        model.c_function("time_s").lines().nth(3),
        Some("double time_s(double N, double P)"),
        "{}",
        model.c_function("time_s")
    );
}

#[test]
fn every_function_and_operator_compiles_and_agrees() {
    let one = "f[0]*log(N) + f[1]*log2(N) - f[2]*log10(N + 1)*2 + f[3]*log1p(N) + f[4]*exp(-N/P)";
    let two =
        "f[0]*exp2(-N) + f[1]*expm1(1/N) + f[2]*sqrt(N) + f[3]*cbrt(N) + f[4]*fabs(P - N) + f[5]*abs(-N)";
    let three =
        "f[0]*ceil(N/3) + f[1]*floor(N/3) + f[2]*round(N/3) + f[3]*trunc(N/3) + f[4]*sin(N) + f[5]*cos(N)/P";
    let four =
        "f[0]*tan(P/4) + f[1]*atan(N) + f[2]*sinh(1/N) + f[3]*cosh(1/N) + f[4]*tanh(1/N) + f[5]*pow(N, 1.5)";
    let five =
        "f[0]*fmod(N, 7) + f[1]*hypot(N, P) + f[2]*atan2(N, P) + f[3]*min(N, 50*P) + f[4]*max(N, 50*P)";
    let six =
        "f[0]*fmin(N, P*(N - 2)/(-3 + 10*P)/1e-7) + f[1]*fmax(1e300, P) - f[2]*(N*(P/2))/(N/P) + f[3]/N/P";
    for formula in [one, two, three, four, five, six] {
        let model = model(formula, ["N", "P"], |n, p| 1e-3 * n / p + 0.2);
        check_c(&model, "f", "f");
        assert!(!model.gnuplot_function().contains("NaN"));
        assert!(model.latex().matches('{').count() == model.latex().matches('}').count());
    }
}

#[test]
fn names_that_c_does_not_allow_are_changed() {
    let model = model("f[0] + f[1]*m->rows*size[i]", ["m->rows", "size[i]"], |n, p| 1.0 + n * p);
    check_c(&model, "while", "while_");
    let text = model.c_function("2 times");
    assert!(text.contains("double v2_times(double m_rows, double size_i_)\n"), "{text}");
}

#[test]
fn gnuplot_and_latex_have_rounded_constants() {
    let model = with_jump();
    assert_eq!(
        model.gnuplot_function(),
        "f(N, P) = N <= 100.0 ? 1.000e-6 + 3.000e-8*(N*log(N)/P) : 1.000e-5 + 9.000e-8*(N*log(N)/P)"
    );
    assert_eq!(
        model.latex(),
        "f(N, P) = \\begin{cases}\n  1.000\\times 10^{-6} + 3.000\\times 10^{-8}\\,\\frac{N\\,\\log N}{P} & N \\le 100 \\\\\n  \
         1.000\\times 10^{-5} + 9.000\\times 10^{-8}\\,\\frac{N\\,\\log N}{P} & N > 100 \\\\\n\\end{cases}"
    );
}

#[test]
fn functions_of_call_paths_have_names_that_gnuplot_takes() {
    let samples = Samples {
        names: vec!["P".into(), "N".into()],
        columns: vec![vec![1.0; 3], vec![1.0, 2.0, 4.0]],
        processor: vec![0; 3],
        run: vec![0; 3],
        time_s: vec![2.0, 4.0, 8.0],
        ..Samples::default()
    };
    let (name, formula) = ("main/solve:time".to_owned(), Some("solve[0]*N".to_owned()));
    let experiment = Experiment { name, formula, samples, ..Experiment::default() };
    let model = Model::fit(&Settings::default().prepare(&experiment)).unwrap();
    assert_eq!(model.gnuplot_function(), "main_solve_time(N) = 2.000e0*N");
}
