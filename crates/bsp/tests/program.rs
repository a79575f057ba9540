//! Model programs: the paper's worked example, each statement with numbers worked by hand, and what is refused.

use call_bsp::obsp::{InOut, Network, bsp_cost_s, evaluate};
use call_bsp::program::{CostModel, ExperimentQuery, Instance, Program, ProgramError};

/// Experiments that are functions of their variables.
#[derive(Default)]
pub(crate) struct Table {
    network: Option<Network>,
}

/// A[0], B[0], C[0], D[0], D[1], E[0], E[1], F[0], F[1], G[0], G[1].
const CONSTANTS: &[(&str, &[&str], &[f64])] = &[
    ("A", &[], &[3e-7]),
    ("B", &[], &[5e-6]),
    ("C", &[], &[2e-7]),
    ("D", &["size"], &[4e-6, 7e-10]),
    ("E", &["n"], &[1e-7, 2e-9]),
    ("F", &["n"], &[6e-7, 9e-9]),
    ("G", &["N"], &[8e-7, 3e-9]),
    ("exchange", &["m"], &[1e-6, 1e-9]),
    ("hop", &["h"], &[1e-6, 2e-9]),
];

impl CostModel for Table {
    fn variables(&self, experiment: &str) -> Option<Vec<String>> {
        let known = CONSTANTS.iter().find(|(name, ..)| *name == experiment);
        known.map(|(_, variables, _)| variables.iter().map(|name| (*name).to_owned()).collect())
    }

    fn value(&self, experiment: &str, what: ExperimentQuery, point: &[f64]) -> f64 {
        let (_, _, constants) = CONSTANTS.iter().find(|(name, ..)| *name == experiment).expect("it is known");
        let basis = |variable: f64| if experiment == "G" { variable * variable.ln() } else { variable };
        match what.constant {
            Some(index) => constants.get(index as usize).copied().unwrap_or(f64::NAN),
            None => constants[0] + point.first().map_or(0.0, |&variable| constants[1] * basis(variable)),
        }
    }

    fn experiments(&self) -> Vec<String> {
        CONSTANTS.iter().map(|(name, ..)| (*name).to_owned()).collect()
    }

    fn network(&self, _processors: u32) -> Option<Network> {
        self.network
    }
}

pub(crate) fn instance(
    text: &str,
    processors: u32,
    arguments: &[(&str, f64)],
) -> Result<Instance, ProgramError> {
    let arguments: Vec<(String, f64)> =
        arguments.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    Program::parse(text)?.instance(
        &arguments,
        processors,
        &Table { network: Some(Network { g_s_per_byte: 2.0, latency_s: 1.0 }) },
        InOut::Sum,
    )
}

/// When each processor ends, and the plain BSP cost.
fn times(text: &str, processors: u32, arguments: &[(&str, f64)]) -> (Vec<f64>, f64) {
    let mut instance = instance(text, processors, arguments).unwrap_or_else(|error| panic!("{error:?}"));
    let arena = &mut instance.arena;
    let start_s = arena.same(0.0);
    let evaluation = evaluate(arena, &instance.task, start_s, InOut::Sum).expect("times");
    let bsp_s = bsp_cost_s(arena, &instance.task, InOut::Sum);
    (arena.values(evaluation.end_s(), processors), bsp_s)
}

#[track_caller]
fn check(text: &str, processors: u32, expected_s: &[f64]) {
    assert_eq!(times(text, processors, &[]).0, expected_s, "{text}");
}

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-12 * expected.abs(), "{found:e} is not {expected:e}");
}

const FFT: &str = include_str!("../../../examples/fft/fft.obsp");

/// Equation (8). The paper leaves E[1] out of it, though equation (6) has it; here it stands beside F[1].
fn equation_8(n: f64, p: f64) -> f64 {
    let constant = |name: &str, index: usize| {
        CONSTANTS.iter().find(|(known, ..)| *known == name).expect("it is known").2[index]
    };
    let (log_p, part, local) = (p.log2(), (p - 1.0) / p, n / p);
    log_p * (constant("A", 0) + constant("B", 0) + constant("C", 0) + constant("E", 0))
        + constant("G", 0)
        + constant("G", 1) * local * local.ln()
        + log_p * constant("F", 0)
        + (constant("E", 1) + constant("F", 1)) * part * n
        + constant("D", 1) * part * 16.0 * n
        + log_p * constant("D", 0)
}

#[test]
fn the_transform_has_the_time_of_equation_8() {
    for exponent in 0..=10 {
        let processors = 1u32 << exponent;
        for n in [1024.0, 65536.0, 2097152.0] {
            let (ends_s, bsp_s) = times(FFT, processors, &[("N", n)]);
            for end_s in &ends_s {
                near(*end_s, equation_8(n, f64::from(processors)));
            }
            near(bsp_s, ends_s[0]);
        }
    }
}

/// One level, N = 64, P = 2, n = 32, size = 512. Equation (7): G[0] + G[1] 32 log 32. Equation (5): A[0] + B[0] before, C[0] behind, D[0] +
/// D[1] 512. Equation (6): E[0] + F[0] + (E[1] + F[1]) 32.
#[test]
fn the_supersteps_of_the_transform_are_equations_5_to_7() {
    let mut instance = instance(FFT, 2, &[("N", 64.0)]).unwrap();
    let arena = &mut instance.arena;
    let start_s = arena.same(0.0);
    let evaluation = evaluate(arena, &instance.task, start_s, InOut::Sum).unwrap();
    let supersteps = evaluation.supersteps();
    let [first, second] = supersteps[..] else { panic!("{supersteps:?}") };
    let equation_7 = 8e-7 + 3e-9 * 32.0 * 32f64.ln();
    let equation_5 = 3e-7 + 5e-6 + equation_7 + 2e-7 + 4e-6 + 7e-10 * 512.0;
    near(arena.largest(first.end_s), equation_5);
    near(arena.largest(second.end_s), equation_5 + 1e-7 + 6e-7 + (2e-9 + 9e-9) * 32.0);
    // Equation (4): in + out = 2 · 512 = N sizeof(Complex).
    let call_bsp::obsp::TaskStep::Synchronise(synchronisation) = &instance.task.steps[4] else { panic!() };
    let h = synchronisation.h_relation(arena, 2, InOut::Sum);
    assert_eq!(arena.values(h, 2), [1024.0, 1024.0]);
}

/// g = 2 s a byte, L = 1 s, @ = +.
#[test]
fn statements() {
    check("program p { compute 3; compute pid }", 3, &[3.0, 4.0, 5.0]);
    // h = 1 + 1: 2 · 2 + 1 = 5 behind the slower of two: 1 and 3.
    check("program p { compute pid; exchange 1 with pid ^ 1 }", 4, &[6.0, 6.0, 8.0, 8.0]);
    // Round the ring each waits for the one before: 0 for 2. h = 2.
    check("program p { compute pid; exchange 1 with (pid + 1) % P }", 3, &[7.0, 6.0, 7.0]);
    check("program p { compute pid; exchange 1 with (pid + P - 1) % P }", 3, &[6.0, 7.0, 7.0]);
    // A chain: only the ends have one message. h = 1, 2, 2 over the partners: 0 hears nobody.
    check("program p { if pid < P - 1 { send 1 to pid + 1 } oblsync }", 3, &[3.0, 5.0, 5.0]);
    // The root sends 2 messages: h = 2 everywhere. They wait for it; it waits for nobody.
    check("program p { compute 4 - pid; broadcast 1 from 0 }", 3, &[9.0, 9.0, 9.0]);
    check("program p { compute pid; broadcast 1 from P - 1 }", 3, &[7.0, 7.0, 7.0]);
    // All send to processor 0: h = 2 there, 1 elsewhere.
    check("program p { compute pid; send 1 to 0; oblsync }", 3, &[7.0, 4.0, 5.0]);
    // A total exchange: 2 in and 2 out.
    check("program p { compute pid; send 1 to all; sync }", 3, &[11.0, 11.0, 11.0]);
    check("program p { compute pid; relation 3; sync }", 2, &[14.0, 14.0]);
    check("program p { compute pid; sync costs 10 }", 2, &[11.0, 11.0]);
    check("program p { if pid == 0 { send 8 to 1 } oblsync costs 100 + h }", 2, &[108.0, 108.0]);
    check("program p { if pid == 0 { send 8 to 1 } sync costs h*pid }", 2, &[0.0, 8.0]);
    // Elements are dealt out: 7 to 3 processors.
    check("program p { n = floor(7/P) + (pid < 7 % P); compute n }", 3, &[3.0, 2.0, 2.0]);
    check("program p { t = 1; if pid == 1 { t = 5 } else { compute 10 } compute t }", 3, &[11.0, 5.0, 11.0]);
    // What both blocks give a value has one behind them; a loop in a condition has a variable of its own.
    check("program p { if pid == 0 { x = 1 } else { x = 2 } compute x }", 2, &[1.0, 2.0]);
    check("program p { if pid == 0 { k = 2; repeat k { compute k } } else { compute 1 } }", 2, &[4.0, 1.0]);
    check("program p { if pid > 0 { x = 1; if pid > 1 { x = 2 } compute x } }", 3, &[0.0, 1.0, 2.0]);
    check(
        "program p { if P == 2 { compute 1 } else if P == 3 { compute 2 } else { compute 3 } }",
        3,
        &[2.0; 3],
    );
    check(
        "program p { for i = 1 .. 3 { compute i } for i = 8 .. 1 times 1/2 { compute 10*i } }",
        1,
        &[156.0],
    );
    check("program p { for i = 3 .. 1 step -1 { compute i } repeat 2 { compute 10 } }", 1, &[26.0]);
    check("program p { x = 1; for i = 1 .. 5 { x = 2*x } compute x }", 1, &[32.0]);
    check("task t(a, b) { compute a/b } program p { t(6, 2); t(pid, 1) }", 2, &[3.0, 4.0]);
    check(
        "program p { compute !0 + (2 > 1 && 3 != 3 || 1 <= 1) + -2 + 5 % 3 + (6 & 3) + (6 ^ 3) }",
        1,
        &[9.0],
    );
    check("program p { compute 1e-1 + .5 + max(1, 2) }", 1, &[2.6]);
}

#[test]
fn parts() {
    // The parts have numbers of their own, and variables that depend on `pid` keep their values.
    check("program p { x = pid; partition 1, P - 1 { compute 10*pid + x } }", 3, &[0.0, 1.0, 12.0]);
    check("program p { partition 1 { compute 1 }, 2 { compute 2*pid } }", 3, &[1.0, 0.0, 2.0]);
    check("program p { partition 1, 1, 1 { compute part } }", 3, &[0.0, 1.0, 2.0]);
    // Unequal groups join a barrier: g h + L = 1 in the groups, 1 for all.
    check("program p { partition 2, 3 { compute P; sync } compute pid; sync }", 5, &[9.0; 5]);
    // A recursion over numbers that are no powers of two: 5 = 2 + 3, 3 = 1 + 2.
    let text = "program p { if P > 1 { half = floor(P/2); partition half, P - half { p() } compute 1 } else { compute 10 } }";
    check(text, 5, &[12.0, 12.0, 12.0, 13.0, 13.0]);
}

/// What some processors do changes nothing for the others.
#[test]
fn loops_of_some_processors() {
    check("program p { i = 7; if pid == 0 { for i = 1 .. 2 { compute 1 } } compute i }", 2, &[4.0, 7.0]);
    check(
        "program p { i = 5; if pid == 0 { for i = 1 .. 2 { compute 1 } } else { compute i } }",
        2,
        &[2.0, 5.0],
    );
    // In round i processor i does the inner loop, 3 s, and has 12 then instead of i.
    check(
        "program p { for i = 1 .. 3 { if pid == i { for i = 10 .. 12 { compute 1 } } compute i } }",
        4,
        &[6.0, 20.0, 19.0, 18.0],
    );
    check("program p { if pid == 0 { for i = 1 .. 2 { compute 1 } compute i } }", 2, &[4.0, 0.0]);
}

#[test]
fn rounds_of_loops() {
    // In binary 3 · 0.1 is above 0.3, and 1.1³ above 1.331.
    check("program p { for i = 0 .. 0.3 step 0.1 { compute 1 } }", 1, &[4.0]);
    check("program p { for i = 1 .. 1.331 times 1.1 { compute 1 } compute i }", 1, &[4.0 + 1.331]);
    check("program p { for i = 8 .. 1 step -2 { compute i } }", 1, &[20.0]);
    check("program p { for i = 8 .. 1 times 0.5 { compute i } }", 1, &[15.0]);
    check("program p { for i = 243 .. 1 times 1/3 { compute 1 } }", 1, &[6.0]);
    check(
        "program p { for i = 2 .. 1 { compute 1 } for i = 8 .. 9 times 0.5 { compute 1 } repeat 0 { compute 1 } }",
        1,
        &[0.0],
    );
}

/// A message that nobody sends needs no end of a superstep.
#[test]
fn what_nobody_sends() {
    check("program p { if pid > 0 { send 8 to pid - 1 } if P > 1 { oblsync } }", 1, &[0.0]);
    check("program p { if pid == P - 1 { if !pid { send 1 to 0; relation 8 } } }", 2, &[0.0; 2]);
}

/// In `costs`, `h` is the h-relation, for experiments as well.
#[test]
fn the_h_relation_is_a_variable_of_experiments() {
    near(times("program p { send 100 to 0; sync costs hop }", 2, &[]).0[0], 1e-6 + 2e-9 * 100.0);
    near(times("program p { send 100 to 0; sync costs hop(h = h/2) }", 2, &[]).0[0], 1e-6 + 2e-9 * 50.0);
}

/// As in C: 3 & 1 is 1, and 7 ^ 1 is 6.
#[test]
fn and_binds_tighter_than_exclusive_or() {
    check("program p { compute 7 ^ 3 & 1 }", 1, &[6.0]);
}

/// A processor whose condition is no number has no value, whatever the others have.
#[test]
fn conditions_that_are_no_numbers() {
    let text = "program p { if pid ^ 1.5 { x = 5 } else { x = 2 } compute x > 1 }";
    for processors in [1, 4, 100] {
        check(text, processors, &vec![0.0; processors as usize]);
    }
}

#[test]
fn experiments() {
    near(times("program p(n) { compute F }", 1, &[("n", 100.0)]).0[0], 6e-7 + 9e-7);
    near(times("program p(n) { compute F(n = 2*n) }", 1, &[("n", 100.0)]).0[0], 6e-7 + 18e-7);
    near(times("program p { n = 100; compute F[0] + F[1]*n }", 1, &[]).0[0], 6e-7 + 9e-7);
    // Experiments that are called like statements.
    near(
        times(
            "program p(m) { compute exchange() exchange 8 with pid costs exchange(m = 2*m) }",
            1,
            &[("m", 100.0)],
        )
        .0[0],
        2.3e-6,
    );
    near(times("program p { m = 1; sync costs 1000*exchange[1] }", 1, &[]).0[0], 1e-6);
    let ends = times("program p { compute F(n = 100*pid) }", 2, &[]).0;
    near(ends[0], 6e-7);
    near(ends[1], 15e-7);
}

/// Many processors: log P levels of a tree that adds up, whose senders are every second, fourth, … processor.
#[test]
fn a_reduction_over_many_processors() {
    let text = "program p { for k = 1 .. P/2 times 2 { if pid % (2*k) == k { send 1 to pid - k } oblsync; if pid % (2*k) == 0 { compute 1 } } }";
    let processors = 1u32 << 17;
    let mut instance = instance(text, processors, &[]).unwrap();
    let arena = &mut instance.arena;
    let start_s = arena.same(0.0);
    let evaluation = evaluate(arena, &instance.task, start_s, InOut::Sum).unwrap();
    // Each level: h = 1, 2 · 1 + 1, and 1 of computing at processor 0.
    assert_eq!(arena.at(evaluation.end_s(), processors, 0), 17.0 * 4.0);
    assert_eq!(evaluation.total_s(arena), 68.0);
    assert!(arena.len() < 5000, "{}", arena.len());
}
