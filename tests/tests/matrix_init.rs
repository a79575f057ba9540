//! Two loop orders, the same formula: the constants of the N² term differ, and the ℵ sets show it (paper, section 2.1).
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

use call_grammar::CoefficientId;
use call_model::{Model, Settings};
use call_tests::{Transport, Workshop};

#[test]
fn the_loop_orders_have_different_constants() {
    let workshop = Workshop::new();
    workshop.bring("examples/matrix_init/matrix_init.c");
    workshop.build("matrix_init", Transport::Embedded, "-O2");
    workshop.run("matrix_init", Transport::Embedded, 1, "");
    let trace = workshop.trace("matrix_init.call.0.dat");
    let value = |name: &str| {
        let experiment = trace.experiments.iter().find(|experiment| experiment.name == name).unwrap();
        let model = Model::fit(experiment, &Settings::default()).unwrap();
        // The constant that holds for large matrices.
        model.aleph(CoefficientId(2)).unwrap().segments.last().unwrap().value
    };
    let (columns, rows) = (value("columns"), value("rows"));
    assert!(columns > 2.0 * rows, "columns {columns:e} s, rows {rows:e} s an element");
    let shown = workshop.llac(&["load matrix_init.call.0.dat", "aleph columns[2]", "aleph rows[2]"]);
    assert!(shown.contains("columns[2]") && shown.contains("rows[2]"), "{shown}");
}
