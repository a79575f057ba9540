//! Splitting equilibration in simulated time: several causes at one call in one run, and run times on other numbers of processors.

use std::collections::{BTreeMap, BTreeSet};

use call_tests::answer::{number, rows};
use call_tests::{Transport, Workshop};
use serde_json::Value;

#[test]
fn one_call_has_several_causes_at_once() {
    if !Transport::Smpi.is_available() {
        return;
    }
    let workshop = Workshop::new();
    workshop.bring("examples/equilibration/equilibration.c");
    workshop.bring("examples/fft/cluster.xml");
    workshop.write("hosts", (0..12).map(|host| format!("n-{host}.x\n")).collect::<String>());
    workshop.build("equilibration", Transport::Smpi, "-O2 -g");
    let mut run_time_s = Vec::new();
    for processors in [2, 3, 4, 5, 6, 8, 10, 12] {
        let planted = format!("{} --cfg=smpi/simulate-computation:no", Transport::Smpi.launcher());
        let shown = workshop
            .shell(&format!("{} ./equilibration 60 12 50", planted.replace("%P", &processors.to_string())));
        assert!(shown.ends_with("right\n"), "{shown}");
        let name = format!("on.{processors}.dat");
        std::fs::rename(workshop.path().join("equilibration.call.0.dat"), workshop.path().join(&name))
            .unwrap();
        let answer = workshop.answer(&format!("waits {name}"));
        run_time_s.push((f64::from(processors), number(&rows(&answer, "efficiency")[0], "run_time_s")));
        if processors >= 4 {
            let causes = steps_of_causes(&answer);
            assert!(causes.contains("in rows") && causes.contains("in verify"), "{processors}: {causes:?}");
        }
    }
    for (sampled, places, most) in
        [("2,3,4,6,8,12", vec![5.0, 10.0], 0.04), ("2,3,4,5,6", vec![8.0, 10.0, 12.0], 0.1)]
    {
        let files: Vec<String> = sampled.split(',').map(|its| format!("on.{its}.dat")).collect();
        let wanted: Vec<String> = places.iter().map(f64::to_string).collect();
        let question = format!("waits model {} P={}", files.join(" "), wanted.join(","));
        let predicted = rows(&workshop.answer(&question), "run_times");
        assert_eq!(predicted.len(), places.len());
        for row in &predicted {
            let found = run_time_s.iter().find(|(processors, _)| *processors == number(row, "P"));
            let (_, true_s) = found.unwrap();
            let error = (number(row, "predicted_s") / true_s - 1.0).abs();
            assert!(error < most, "{row}, took {true_s} s");
            assert!(
                (number(row, "lower_s")..=number(row, "upper_s")).contains(true_s),
                "{row}, took {true_s} s"
            );
        }
    }
}

/// By name, the steps that the longest waits are explained with: of each class that makes a twentieth of their time, the step that is longer by most.
fn steps_of_causes(answer: &Value) -> BTreeSet<String> {
    let waiting_s = number(&rows(answer, "waits")[0], "waiting_s");
    let mut classes: BTreeMap<u64, BTreeMap<String, f64>> = BTreeMap::new();
    for row in rows(answer, "causes").iter().filter(|row| row["number"] == 1) {
        let steps = classes.entry(row["class"].as_u64().unwrap()).or_default();
        *steps.entry(row["cause"].as_str().unwrap().to_owned()).or_default() += number(row, "time_s");
    }
    let long = classes.into_values().filter(|steps| steps.values().sum::<f64>() > 0.05 * waiting_s);
    long.filter_map(|steps| steps.into_iter().max_by(|left, right| left.1.total_cmp(&right.1)))
        .map(|(step, _)| step)
        .collect()
}
