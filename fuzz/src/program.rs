//! Any text as a model program: parsed or refused, and what is parsed is done on a few processors or refused. What has times has them
//! everywhere: OBSP* is at most plain BSP, and the critical chain has no gaps.

use call_bsp::obsp::{InOut, Network, bsp_cost_s, evaluate};
use call_bsp::program::{CostModel, ExperimentQuery, Program};

/// Two experiments, the second over `n`.
struct Fixed;

impl CostModel for Fixed {
    fn variables(&self, experiment: &str) -> Option<Vec<String>> {
        match experiment {
            "A" => Some(Vec::new()),
            "E" => Some(vec!["n".to_owned()]),
            _ => None,
        }
    }

    fn value(&self, _experiment: &str, what: ExperimentQuery, point: &[f64]) -> f64 {
        match what.constant {
            Some(0) => 1e-6,
            Some(_) => f64::NAN,
            None => 1e-6 + 1e-9 * point.first().copied().unwrap_or(0.0),
        }
    }

    fn experiments(&self) -> Vec<String> {
        vec!["A".to_owned(), "E".to_owned()]
    }

    fn network(&self, _processors: u32) -> Option<Network> {
        Some(Network { g_s_per_byte: 1e-9, latency_s: 1e-5 })
    }
}

pub fn run(bytes: &[u8]) {
    let Some((&first, text)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let Ok(program) = Program::parse(text) else { return };
    let processors = [1, 2, 3, 4, 7, 8, 64, 65, 100, 128, 1000, 1024][usize::from(first) % 12];
    let in_out = if first < 128 { InOut::Sum } else { InOut::Maximum };
    let arguments: Vec<(String, f64)> =
        program.parameters().iter().map(|name| (name.clone(), 64.0)).collect();
    let Ok(mut instance) = program.instance(&arguments, processors, &Fixed, in_out) else { return };
    let arena = &mut instance.arena;
    let start_s = arena.same(0.0);
    let Ok(evaluation) = evaluate(arena, &instance.task, start_s, in_out) else { return };
    let total_s = evaluation.total_s(arena);
    let bsp_s = bsp_cost_s(arena, &instance.task, in_out);
    assert!(total_s.is_finite() && total_s <= bsp_s * (1.0 + 1e-9), "{total_s} s by OBSP*, {bsp_s} s by BSP");
    let chain = evaluation.chain(arena);
    let ends = chain.iter().map(|link| link.end_s);
    let starts = chain.iter().skip(1).map(|link| link.start_s);
    assert!(ends.zip(starts).all(|(end, start)| end == start), "a gap in {chain:?}");
    assert_eq!(chain.first().map_or(0.0, |link| link.start_s), 0.0);
    assert_eq!(chain.last().map_or(0.0, |link| link.end_s), total_s);
    for finished in evaluation.supersteps() {
        assert!(arena.largest(finished.end_s) <= total_s);
    }
    if chain.len() < 1000 {
        for row in evaluation.diagram(arena).rows {
            assert!(row.windows(2).all(|two| two[0].end_s == two[1].start_s), "a gap in {row:?}");
        }
    }
}
