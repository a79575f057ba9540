//! Two loop orders, the same formula: the constants of the N² term differ, and the ℵ sets show it (paper, section 2.1).

use call_grammar::CoefficientId;
use call_model::{Model, Settings};
use call_tests::{Transport, Workshop};

/// Table 2 of the paper: of the run that is kept beside the example, A0 and A1 have one interval each, and A2 has two; with the largest
/// sizes, which cross a further border, three.
#[test]
fn table_2_comes_out_of_the_measured_run() {
    let session = |command: &str| {
        let workshop = Workshop::new();
        workshop.bring("examples/matrix_init/measured.dat");
        workshop.shell(&format!("llac --format csv -e 'load measured.dat' -e '{command}'"))
    };
    let intervals = |shown: &str| {
        [0, 1, 2]
            .map(|index| shown.lines().filter(|line| line.starts_with(&format!("columns[{index}],"))).count())
    };
    let shown = session("aleph columns where N <= 1024");
    assert_eq!(intervals(&shown), [1, 1, 2], "{shown}");
    let shown = session("aleph columns");
    assert_eq!(intervals(&shown), [1, 1, 3], "{shown}");
}

#[test]
fn the_loop_orders_have_different_constants_in_the_measured_run() {
    let workshop = Workshop::new();
    workshop.bring("examples/matrix_init/measured.dat");
    let trace = workshop.trace("measured.dat");
    let model = |name: &str| {
        let experiment = trace.experiments.iter().find(|experiment| experiment.name == name).unwrap();
        Model::fit(&Settings::default().prepare(experiment)).unwrap()
    };
    let (columns, rows) = (model("columns"), model("rows"));
    // Within the second level of the cache, yet many lines of it.
    let constant = |model: &Model| {
        let segments = model.aleph(CoefficientId(2)).unwrap().segments;
        segments.into_iter().find(|segment| segment.ranges[0].upper >= 250.0).unwrap().value
    };
    assert!(
        constant(&columns) > 1.5 * constant(&rows),
        "{} s, {} s an element",
        constant(&columns),
        constant(&rows)
    );
    let ratio = columns.predict(&[1500.0]).time_s / rows.predict(&[1500.0]).time_s;
    assert!(ratio > 2.0, "along columns it takes {ratio} times as long");
}

/// How long it takes here is not asked: the computer may be busy.
#[test]
fn both_loop_orders_are_measured() {
    let workshop = Workshop::new();
    workshop.bring("examples/matrix_init/matrix_init.c");
    workshop.build("matrix_init", Transport::Embedded, "-O2");
    workshop.run("matrix_init", Transport::Embedded, 1, "2");
    let trace = workshop.trace("matrix_init.call.0.dat");
    let samples = |name: &str| {
        let experiment = trace.experiments.iter().find(|experiment| experiment.name == name).unwrap();
        experiment.samples.len()
    };
    // 37 sizes, an eighth apart.
    assert_eq!((samples("columns"), samples("rows")), (74, 74));
    workshop.bring("examples/matrix_init/matrix_init.llac");
    let shown = workshop.shell("llac matrix_init.llac");
    assert!(shown.contains("columns[2]") && shown.contains("rows[2]"), "{shown}");
}
