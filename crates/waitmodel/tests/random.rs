//! Runs that have nothing to do with each other: whatever comes in, nothing panics, ends lie around values, and a path through a run is never
//! longer than the run.

use crate::planted::Planted;
use call_trace::CollectiveOperation;
use call_waiting::Account;
use call_waitmodel::{Ends, RunAtPoint, WaitModel, best_allocations, left_out_s};
use proptest::prelude::*;

/// Who does what: two processors, an operation, how long.
type Operation = (u32, u32, u8, i64);

fn account(processors: u32, operations: &[Operation]) -> Account {
    let mut planted = Planted::new(processors, &[]);
    for (first, second, kind, time_ns) in operations {
        let (first, second) = (first % processors, second % processors);
        match kind % 5 {
            0 => planted.work(first, ["a", "b", "c"][(second % 3) as usize], *time_ns),
            1 if first != second => planted.eager(first, second, time_ns / 4),
            2 if first != second => planted.synchronous(first, second, time_ns / 4),
            3 => planted.collective(CollectiveOperation::Reduce, 0, first, time_ns / 4),
            _ => planted.collective(CollectiveOperation::Barrier, 0, 0, time_ns / 4),
        }
    }
    planted.work(0, "a", 1);
    Account::of_events(&planted.recorded).unwrap()
}

fn are_ordered(ends: &Ends) -> bool {
    ends.value_s.is_nan() || (ends.low_s <= ends.value_s && ends.value_s <= ends.high_s)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn anything_is_taken(
        recorded in prop::collection::vec((1_u32..5, prop::collection::vec((0_u32..9, 0_u32..9, 0_u8..5, 0_i64..1_000_000), 0..20)), 1..9),
        values in prop::collection::vec((0_u8..4, -1e3_f64..1e3), 9),
        asked in (-10_f64..1e4, -1e3_f64..1e3),
    ) {
        let accounts: Vec<Account> = recorded.iter().map(|(processors, operations)| account(*processors, operations)).collect();
        let variables = ["P", "x"].map(str::to_owned);
        let runs: Vec<RunAtPoint> = accounts
            .iter()
            .zip(&recorded)
            .zip(&values)
            .map(|((account, (processors, _)), (same, value))| {
                let value = if *same == 0 { 1.0 } else { *value };
                RunAtPoint { point: vec![f64::from(*processors), value], account }
            })
            .collect();
        let Ok(model) = WaitModel::fit(&variables, &runs) else { return Ok(()) };
        for point in model.points.iter().cloned().chain([vec![asked.0, asked.1], vec![f64::NAN, 1.0], vec![0.0, 0.0]]) {
            let run = model.predict(&point, 0.9);
            prop_assert!(are_ordered(&run.time), "{run:?}");
            prop_assert!(run.roles.iter().all(|role| are_ordered(&role.waiting)), "{run:?}");
            prop_assert!(run.waiting_s.iter().all(|time_s| time_s.is_nan() || *time_s >= 0.0), "{run:?}");
        }
        for (account, time_s) in accounts.iter().zip(&model.run_time_s) {
            let path_ns: i64 = account.waits.critical_path.iter().map(|part| part.time_ns).sum();
            prop_assert!((path_ns as f64 * 1e-9 - time_s).abs() < 1e-12);
        }
        let _ = best_allocations(&model, &[(1, vec![1.0])], 6, 0.9);
        let _ = left_out_s(&variables, &runs);
    }
}
