//! Experiments without a formula learn from those beside them.

use std::fmt::Write;

use llac::{MemoryWorkspace, Page, Session};

const KERNELS: usize = 12;

/// Halos of cubes of s points: a*cbrt(s) - b, with a little noise, and one experiment of other variables.
fn trace() -> String {
    let (mut head, mut rows, mut count) = (String::new(), String::new(), 0);
    for kernel in 0..KERNELS {
        writeln!(head, "# experiment: k{kernel}\n# variables: s").unwrap();
        for (index, s) in [64.0f64, 512.0, 4096.0, 32768.0].into_iter().enumerate() {
            let noise = 1.0 + 0.002 * ((kernel * 7 + index * 5) % 11) as f64 - 0.01;
            let time_s = ((30.0 + kernel as f64) * s.cbrt() - 80.0 - kernel as f64) * noise;
            writeln!(rows, "k{kernel} 0 1 {s} {time_s:.12}").unwrap();
            count += 1;
        }
    }
    format!(
        "# call-trace 1\n# program: x\n# processors: 1\n{head}experiment processor P s time_s\n{rows}# end rows={count}\n"
    )
}

fn shown(session: &mut Session, line: &str) -> String {
    match session.run(line) {
        Ok(outcome) => outcome.render(&Page::plain(1000)),
        Err(error) => error.render(line),
    }
}

#[test]
fn siblings_are_used_said_and_can_be_switched_off() {
    let mut session = Session::new(Box::new(MemoryWorkspace::with([("x.dat", trace())])));
    session.run("load x.dat").unwrap();
    let together = shown(&mut session, "predict k0 s=262144");
    assert!(together.contains("plausible ones together, with 11 siblings, best"), "{together}");
    assert_eq!(shown(&mut session, "set siblings off"), "siblings is off\n");
    let alone = shown(&mut session, "predict k0 s=262144");
    assert!(!alone.contains("sibling") && alone.contains("there is no formula"), "{alone}");
    assert_ne!(together.lines().next(), alone.lines().next());
    let refused = shown(&mut session, "set siblings perhaps");
    assert!(refused.contains("no value of `siblings`"), "{refused}");
}

#[test]
fn an_experiment_without_a_finite_point_is_not_taken_for_its_sibling() {
    let trace = "# call-trace 1\n# program: x\n# processors: 1\n# experiment: e\n# variables: N\n# experiment: f\n# variables: N\n\
        # experiment: g\n# variables: N\nexperiment processor P N time_s\ne 0 1 inf 0.5\ne 0 1 -inf 0.25\nf 0 1 1 1\nf 0 1 2 2\n\
        f 0 1 4 4\ng 0 1 1 3\ng 0 1 2 6\ng 0 1 4 12\n# end rows=8\n";
    let mut session = Session::new(Box::new(MemoryWorkspace::with([("x.dat", trace)])));
    session.run("load x.dat").unwrap();
    let nothing = shown(&mut session, "predict e N=8");
    assert!(nothing.contains("error: the prediction has no finite value at e(N=8)"), "{nothing}");
    let known = shown(&mut session, "predict g N=8");
    assert!(known.starts_with("g(N=8) = 24 s\n") && known.contains("with 1 sibling,"), "{known}");
}

/// A table of times, one experiment `t`.
fn of_table(header: &str, rows: impl Iterator<Item = String>) -> Session {
    let text: String = std::iter::once(header.to_owned()).chain(rows).map(|row| row + "\n").collect();
    let mut session = Session::new(Box::new(MemoryWorkspace::with([("t.csv", text)])));
    session.run("load t.csv").unwrap();
    session
}

/// As in studies of weak scaling, where N is P times as large.
#[test]
fn what_goes_together_in_all_samples_is_not_told_apart() {
    let rows = (0..7).map(|step| {
        let processors = f64::from(1 << step);
        format!("{processors},{},{}", 1e6 * processors, 1.0 + 0.08 * processors.log2())
    });
    let mut session = of_table("P,N,time_s", rows);
    let beside = shown(&mut session, "predict t P=1 N=64e6");
    assert!(beside.contains("in all samples `N` follows from `P`, here it does not"), "{beside}");
    assert!(beside.contains("∞ s"), "{beside}");
    let along = shown(&mut session, "predict t P=128 N=128e6");
    assert!(!along.contains("follows") && !along.contains('∞'), "{along}");
}

/// No formula of the search grows so: it is a guess.
#[test]
fn that_no_formula_fits_is_said() {
    let mut session = of_table("n,time_s", (5..25).map(|n| format!("{n},{}", 1e-6 * 2f64.powi(n))));
    let guess = shown(&mut session, "predict t n=24");
    assert!(guess.contains("none of the formulas that were found describes the samples"), "{guess}");
    assert!(guess.contains("∞ s"), "{guess}");
    let mut session = of_table("n,time_s", (5..25).map(|n| format!("{n},{}", 1e-6 * f64::from(n * n))));
    let known = shown(&mut session, "predict t n=24");
    assert!(!known.contains("none of the formulas"), "{known}");
}

/// The first line says where its formula holds, as the table below it does.
#[test]
fn a_formula_of_the_last_values_says_where_it_holds() {
    let time = |n: f64| if n < 64.0 { 1e-3 } else { 1e-6 * n * n };
    let rows = (1..12).map(|power| f64::from(1 << power)).map(|n| format!("{n},{}", time(n)));
    let found = shown(&mut of_table("n,time_s", rows), "find t");
    assert!(found.starts_with("t = t[0]*n*n where n >= "), "{found}");
}

/// Where the samples end, what is beyond is predicted otherwise: the jump there is no growth.
#[test]
fn growth_at_the_end_of_the_samples_is_that_of_the_law() {
    let mut session = Session::new(Box::new(MemoryWorkspace::with([("x.dat", trace())])));
    session.run("load x.dat").unwrap();
    let ranking = shown(&mut session, "predict all s=32768");
    let powers: Vec<f64> = ranking
        .lines()
        .filter(|line| line.trim_start().starts_with('k'))
        .filter_map(|line| line.split_whitespace().last()?.parse().ok())
        .collect();
    // d log(30 cbrt(s) - 80) / d log(s) is 0.36; formulas of one experiment have no negative constants, and are somewhat steeper.
    assert!(powers.len() == KERNELS && powers.iter().all(|power| (0.2..0.7).contains(power)), "{ranking}");
}

/// A rate is predicted by the formula of its reciprocal where that is more plausible, and `find` says so.
#[test]
fn a_rate_by_amdahls_law_is_predicted_by_its_reciprocal() {
    let rows = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0].map(|p: f64| format!("{p},{}", 1.0 / (0.02 + 1.0 / p)));
    let rate = shown(&mut of_table("P,GFLOPS", rows.clone().into_iter()), "find t");
    assert!(rate.contains("note: t: 1/(t[0] + t[1]/P) is much more plausible for this rate"), "{rate}");
    let bytes = shown(&mut of_table("P,t_bytes", rows.into_iter()), "find t");
    assert!(!bytes.contains("much more plausible"), "{bytes}");
}
