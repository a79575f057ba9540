//! Model programs that are large, deep or mean nothing: done or refused, without much time or memory.

use std::rc::Rc;

use call_bsp::obsp::*;
use call_bsp::program::{Instance, Program, ProgramError};

const NETWORK: Network = Network { g_s_per_byte: 2.0, latency_s: 1.0 };

fn instance(text: &str, processors: u32) -> Result<Instance, ProgramError> {
    Program::parse(text)?.instance(&[], processors, &NETWORK, InOut::Sum)
}

fn total_s(text: &str, processors: u32) -> Result<f64, TaskError> {
    let mut instance = instance(text, processors).unwrap_or_else(|error| panic!("{error:?}"));
    let start_s = instance.arena.same(0.0);
    let evaluation = evaluate(&mut instance.arena, &instance.task, start_s, InOut::Sum)?;
    Ok(evaluation.total_s(&mut instance.arena))
}

#[track_caller]
fn fails(text: &str, processors: u32, message: &str) {
    let error = instance(text, processors).err().unwrap_or_else(|| panic!("no `{message}`"));
    assert!(error.message.contains(message), "{}", error.message);
}

#[test]
fn long_expressions_are_refused() {
    for operator in ["+", "*", "-", "||", "==", "^"] {
        let text = format!("program p {{ compute 1{} }}", format!(" {operator} 1").repeat(100_000));
        fails(&text, 1, "this expression has more than 500 values");
    }
    let nested = format!("program p {{ compute {}1{} }}", "(".repeat(40), "+ 1)".repeat(40));
    assert_eq!(total_s(&nested, 1), Ok(41.0));
    let calls = format!("program p {{ {} }}", "compute 1 + 1; ".repeat(1000));
    assert_eq!(total_s(&calls, 1), Ok(2000.0));
}

/// x = pid 2^50 after 50 doublings, each of which names it twice; 3 · 2^50 on the last of four.
#[test]
fn variables_that_double_in_a_loop() {
    assert_eq!(
        total_s("program p { x = pid; repeat 50 { x = x + x } compute x }", 4),
        Ok(3.0 * 2f64.powi(50))
    );
    // The bits of pid, the last first: 9 of processor 511.
    let bits = "program p { x = pid; n = 0; repeat 20 { if x % 2 == 1 { x = (x - 1)/2; n = n + 1 } else { x = x/2 } } compute n }";
    assert_eq!(total_s(bits, 1000), Ok(9.0));
    let conditions = "program p { x = pid; repeat 50 { if x >= 1 && x + x <= 2*P { x = x + x } } compute x; partition 2, P - 2 { compute x } }";
    assert_eq!(total_s(conditions, 4), Ok(16.0));
    let deep = "program p { x = pid; repeat 100000 { x = x + 1 } compute x }";
    assert_eq!(total_s(deep, 3), Ok(100_002.0));
}

/// Each variable is born inside a condition that names the one before twice: processors 0 to 2 have all of them, 3 none.
#[test]
fn variables_that_double_from_condition_to_condition() {
    let chain = (1..60).map(|x| format!("if x{0} + x{0} > 0 {{ x{x} = 1 }} ", x - 1)).collect::<String>();
    let text = format!("program p {{ if pid < 3 {{ x0 = 1 }} {chain} if x59 > 0 {{ compute x59 }} }}");
    assert_eq!(total_s(&text, 4), Ok(1.0));
}

/// A list of targets is kept once, however often it is used.
#[test]
fn lists_of_targets_are_kept_once() {
    let parts = |rounds: u32| {
        let text = format!("program p {{ repeat {rounds} {{ exchange 8 with (pid*3 + 1) % P }} }}");
        instance(&text, 100_000).map(|instance| instance.arena.len())
    };
    assert_eq!(parts(1), parts(30));
    let text = "program p { repeat 30 { exchange 8 with (pid*3 + 1) % P } }";
    // h = 8 + 8 at 2 s, and L.
    assert_eq!(total_s(text, 100_000), Ok(30.0 * 33.0));
}

#[test]
fn billions_of_processors() {
    let alike = "program p { compute 1; if pid == 7 { compute 2 } if pid < P/3 { compute 1 } send 1 to (pid + 1) % P; oblsync }";
    // 4 s of processor 7, then h = 2 at 2 s a byte, and L.
    assert_eq!(total_s(alike, 1_000_000_000), Ok(9.0));
    assert_eq!(total_s(alike, u32::MAX), Ok(9.0));
    fails("program p { compute pid }", 1_000_000_000, "1000000000 processors are too many");
    fails("program p { send 8 to (5 - pid) % P; sync }", 1_000_000_000, "are too many");
}

/// 20,000 supersteps: 1 s of computing, 2 · 2 bytes at 2 s, L.
#[test]
fn many_supersteps_of_many_processors() {
    let text = "program p { repeat 20000 { compute 1; exchange 2 with (pid + 1) % P } }";
    assert_eq!(total_s(text, 1_000_000), Ok(20_000.0 * 10.0));
}

#[test]
fn what_is_no_amount_is_refused() {
    fails("program p { compute -1/0 }", 1, "the time is -inf");
    fails("program p { relation -1/0; sync }", 2, "the h-relation is -inf");
    fails("program p { send log(0) to 0; sync }", 2, "the length of the message is -inf");
    fails("program p { sync costs -1/0 }", 2, "the cost of the communication is -inf");
    fails("program p { compute 1 }", 0, "a program needs a processor");
    assert_eq!(total_s("program p { compute 1e308; compute 1e308 }", 3), Err(TaskError::TooLong));
    assert_eq!(
        total_s("program p { if pid == 1 { compute 1e308 } sync; compute 1e308; sync }", 3),
        Err(TaskError::TooLong)
    );
}

#[test]
fn machines_without_processors_are_refused() {
    let mut arena = PerProcessorArena::new();
    let start_s = arena.same(0.0);
    let empty = Rc::new(Task { processors: 0, steps: Vec::new() });
    let one = Rc::new(Task { processors: 1, steps: Vec::new() });
    let parts = [&empty, &one].map(Rc::clone);
    let whole = Rc::new(Task { processors: 1, steps: vec![TaskStep::Parts(parts.to_vec())] });
    for task in [&empty, &whole] {
        let error = evaluate(&mut arena, task, start_s, InOut::Sum).expect_err("no times");
        assert_eq!(error, TaskError::NoProcessor);
    }
}

/// Each processor of 100,000 is a part of its own and computes i mod 7 s.
#[test]
fn as_many_parts_as_processors() {
    let mut arena = PerProcessorArena::new();
    let parts = (0..100_000).map(|processor| {
        let time_s = arena.same(f64::from(processor % 7));
        Rc::new(Task { processors: 1, steps: vec![TaskStep::Compute { time_s, centre: 0 }] })
    });
    let task = Rc::new(Task { processors: 100_000, steps: vec![TaskStep::Parts(parts.collect())] });
    let start_s = arena.same(1.0);
    let evaluation = evaluate(&mut arena, &task, start_s, InOut::Sum).expect("times");
    let ends_s = arena.values(evaluation.end_s(), 100_000);
    assert!((0u32..).zip(&ends_s).all(|(processor, end_s)| *end_s == 1.0 + f64::from(processor % 7)));
}
