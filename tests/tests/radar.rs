//! The radar's pipeline in simulated time, of processes of MPI and of parts of a BSP machine: recorded at 14 of 20 allocations, its run time
//! predicted at the others, and the best allocation found.

use std::collections::BTreeMap;

use call_tests::answer::{number, rows};
use call_tests::{Transport, Workshop};

/// The error of the paper's model at its six points.
const PAPERS_ERROR: f64 = 0.07;

/// Computing takes what its operations take.
const PLANTED: &str = "--cfg=smpi/simulate-computation:no";

fn allocations() -> impl Iterator<Item = (u32, u32)> {
    (1..=4).flat_map(|p0| (1..=5).map(move |p1| (p0, p1)))
}

fn is_border((p0, p1): (u32, u32)) -> bool {
    [1, 4].contains(&p0) || [1, 5].contains(&p1)
}

fn launcher(processors: u32) -> String {
    format!("{} {PLANTED}", Transport::Smpi.launcher().replace("%P", &processors.to_string()))
}

/// Runs the built program, and tells run time and parallel efficiency.
fn run(workshop: &Workshop, program: &str, (p0, p1): (u32, u32), name: &str) -> (f64, f64) {
    let shown = workshop.shell(&format!("{} ./{program} {p0} {p1} 1 4 60 64 10 50", launcher(p0 + p1 + 1)));
    assert!(shown.ends_with("right\n"), "{shown}");
    std::fs::rename(workshop.path().join(format!("{program}.call.0.dat")), workshop.path().join(name))
        .unwrap();
    let answer = workshop.answer(&format!("waits {name}"));
    let row = &rows(&answer, "efficiency")[0];
    (number(row, "run_time_s"), number(row, "parallel"))
}

fn bring(workshop: &Workshop, program: &str) {
    workshop.bring("examples/radar/stages.h");
    workshop.bring(&format!("examples/radar/{program}.c"));
    workshop.bring("examples/fft/cluster.xml");
    workshop.write("hosts", (0..32).map(|host| format!("n-{host}.x\n")).collect::<String>());
}

#[test]
fn runs_on_the_border_predict_those_inside() {
    if !Transport::Smpi.is_available() {
        return;
    }
    let workshop = Workshop::new();
    bring(&workshop, "radar");
    workshop.shell(&format!(
        "CC=smpicc call run --events --procs 6:6 --launcher '{}' radar.c -- 2 3 1 4 60 64 10 50",
        launcher(6)
    ));
    std::fs::rename(workshop.path().join("radar.call.0.dat"), workshop.path().join("again.dat")).unwrap();
    let measured = check_predictions(&workshop, "radar", ["transform", "samples"]);

    // Simulated times are the same each time.
    let again = workshop.answer("waits again.dat");
    assert_eq!(number(&rows(&again, "efficiency")[0], "run_time_s"), measured[&(2, 3)].0);
}

/// Steps are named by the synchronisation that ends them: that of the whole machine behind the transforms, that of group 0 behind the samples.
#[test]
fn parts_of_a_bsp_machine_are_predicted_too() {
    if !Transport::Smpi.is_available() {
        return;
    }
    let workshop = Workshop::new();
    bring(&workshop, "radar_pub");
    workshop.build("radar_pub", Transport::Smpi, "-O1");
    let source = std::fs::read_to_string(workshop.path().join("radar_pub.c")).unwrap();
    let step = |synchronisation: &str| {
        let line = source.lines().position(|line| line.trim() == synchronisation).unwrap() + 1;
        format!("before bsp_sync radar_pub.c:{line}")
    };
    let transform = format!("{} of group 2", step("bsp_sync(&machine);"));
    check_predictions(&workshop, "radar_pub", [&transform, &step("bsp_sync(&own);")]);
}

/// `first`: the steps that the two sums begin with, the largest of which is the run time. Returns run times and efficiencies.
fn check_predictions(
    workshop: &Workshop,
    program: &str,
    first: [&str; 2],
) -> BTreeMap<(u32, u32), (f64, f64)> {
    let measured: BTreeMap<(u32, u32), (f64, f64)> = allocations()
        .map(|its| {
            let place = if is_border(its) { "border" } else { "inside" };
            (its, run(workshop, program, its, &format!("{place}.{}.{}.dat", its.0, its.1)))
        })
        .collect();

    let answer = workshop.answer("waits model border.*.dat");
    let sums = rows(&answer, "sums");
    let sum = |number: u32| sums.iter().find(|row| row["what"] == "run time" && row["sum"] == number);
    assert_eq!([1, 2].map(|number| &sum(number).unwrap()["step"]), first);
    assert!(sum(3).is_none(), "{answer}");
    assert_eq!(number(sum(1).unwrap(), "runs") + number(sum(2).unwrap(), "runs"), 14.0);

    let answer = workshop.answer("waits model p0=2,3 p1=2..4 border.*.dat");
    let predicted = rows(&answer, "run_times");
    assert_eq!(predicted.len(), 6);
    let mut error_sum = 0.0;
    for row in &predicted {
        let its = (number(row, "p0") as u32, number(row, "p1") as u32);
        let (time_s, efficiency) = measured[&its];
        let error = (number(row, "predicted_s") / time_s - 1.0).abs();
        assert!(error < PAPERS_ERROR, "{its:?}: {row}, took {time_s} s");
        assert!((number(row, "by_groups_s") / number(row, "predicted_s") - 1.0).abs() < 0.02, "{row}");
        let found = number(row, "parallel_efficiency_percent") / 100.0;
        assert!((found - efficiency).abs() < 0.03, "{row}, was {efficiency}");
        error_sum += error;
    }
    assert!(error_sum / 6.0 < PAPERS_ERROR / 2.0, "{}", error_sum / 6.0);

    for total in [5, 8, 10, 12] {
        let answer = workshop.answer(&format!("best allocation total={total} p0=1..4 p1=1..5 border.*.dat"));
        let band = rows(&answer, "allocations");
        let fits = measured.iter().filter(|((p0, p1), _)| p0 + p1 < total);
        let (best, (best_s, _)) = fits.min_by(|left, right| left.1.0.total_cmp(&right.1.0)).unwrap();
        let places: Vec<(u32, u32)> =
            band.iter().map(|row| (number(row, "p0") as u32, number(row, "p1") as u32)).collect();
        assert!(places.contains(best), "{total}: {places:?} without {best:?}, {best_s} s");
        for place in places {
            assert!(measured[&place].0 < (1.0 + PAPERS_ERROR) * best_s, "{total}: {place:?} is not as good");
        }
        assert!(band.is_sorted_by_key(|row| number(row, "processors") as u64));
    }
    measured
}
