//! What the source says of the work of statements predicts them on other machines.

use llac::{MemoryWorkspace, Session};

use super::source::{answer, machine, session, trace};

/// A matrix of n x n numbers of 8 bytes that is set along its columns.
const COLUMNS: &str = r#"{"quality":"exact","terms":[{"basis":"1","growth":{},"statements":[{"line":7}]},{"basis":"n*n","growth":{"n":[2.0,0]},"statements":[{"line":9,"operations":{"store":1.0},"accesses":[{"array":"a","bytes":8,"loads":0.0,"stores":1.0,"stride":"n","footprint":"n*n","loops":[{"line":"8","iterations":"n","stride":"n"},{"line":"7","iterations":"n","stride":"1"}]}]}]}]}"#;

#[test]
fn sets_of_machines_are_guessed() {
    // The line of each column stays in the cache of 64 KiB up to 1024 rows; 24 KiB hold those of 384.
    let time = |n: f64, _| if n <= 200.0 { 1e-6 + 8e-10 * n * n } else { 1e-6 + 4e-9 * n * n };
    let files = [
        ("x.call.0.dat", trace("# formula: f[0] + f[1]*n*n\n", COLUMNS, time)),
        ("small.toml", machine("small", 24 << 10, 4.0)),
        ("large.toml", machine("large", 64 << 10, 6.0)),
    ];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    session.run("load x.call.0.dat").unwrap();
    let guessed = answer(&mut session, "aleph f on large.toml n=10..4096");
    let rows: Vec<&str> = guessed.lines().filter(|line| line.contains("f[1]")).collect();
    // In the cache each iteration takes an addition; between 90 and 1024 each eighth store takes a line, which is 0.75 ns; then all.
    let told: Vec<Vec<&str>> = rows.iter().map(|row| row.split_whitespace().collect()).collect();
    assert_eq!(told.len(), 3, "{guessed}");
    for (row, value) in told.iter().zip([4e-10, 7.5e-10, 6e-9]) {
        assert!((row[1].parse::<f64>().unwrap() / value - 1.0).abs() < 1e-9, "{guessed}");
    }
    assert!(rows[1].contains("(90, 10"), "{guessed}");
    assert!(rows[2].contains("4096]") && rows[2].contains("lines from main"), "{guessed}");
    let beyond = answer(&mut session, "aleph f[1] on large.toml n=64..1e9");
    assert!(beyond.contains("1000000000]") && !beyond.contains("1000000001"), "{beyond}");
    assert!(guessed.contains("runs once") || guessed.contains("run once"), "{guessed}");
    // 320 rows: the small cache holds the columns, so each eighth line of 4 ns; the large one likewise with 6 ns.
    answer(&mut session, "machine use small.toml");
    let carried = answer(&mut session, "predict n=320 on large.toml");
    assert!(carried.contains("Υ") && carried.contains("1.5"), "{carried}");
    // 600 rows: no line stays in the small one.
    let carried = answer(&mut session, "predict n=600 on large.toml");
    assert!(carried.contains("0.1875"), "{carried}");
    answer(&mut session, "set source off");
    assert!(session.run("aleph f on large.toml").is_err());
}

/// The same runs in a simulation of these caches, in which a share of the accesses misses the first.
fn simulated(trace: &str, caches: &str, share: f64) -> String {
    let lines = trace.lines().map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["f", _, _, n, _, time_s] => {
                let n: f64 = n.parse().unwrap();
                line.replace(time_s, &format!("{} {time_s}", (share * n * n).round()))
            }
            ["experiment", ..] => line.replace("time_s", "L1-misses time_s"),
            ["#", "source:", ..] => format!("{line}\n# simulated_caches: {caches}"),
            ["#", "variables:", ..] => format!("{line}\n# counters: L1-misses\n# observable: L1-misses"),
            _ => line.to_owned(),
        }
    });
    lines.collect::<Vec<String>>().join("\n") + "\n"
}

#[test]
fn guesses_take_what_was_counted() {
    let formula = "# formula: f[0] + f[1]*n*n\n";
    let irregular = COLUMNS.replace(r#""stride":"n"},"#, r#""stride":"irregular"},"#);
    let measured = |counts: &str| trace(formula, counts, |n, _| 1e-6 + 1e-9 * n * n);
    let another = "[[memory]]\nname = \"L2\"\nsize_bytes = 9000000\nbandwidth_bytes_per_s = 1e10\n[[memory]]\nname = \"main\"";
    let deep = machine("deep", 64 << 10, 6.0).replace("[[memory]]\nname = \"main\"", another);
    let files = [
        ("x.call.0.dat", measured(&irregular)),
        ("quarter.dat", simulated(&measured(&irregular), "L1 65536/8/64, L2 1048576/8/64", 0.25)),
        ("other.dat", simulated(&measured(&irregular), "L1 32768/8/64, L2 1048576/8/64", 0.25)),
        ("y.call.0.dat", measured(COLUMNS)),
        ("large.toml", machine("large", 64 << 10, 6.0)),
        ("small.toml", machine("small", 24 << 10, 4.0)),
        ("deep.toml", deep),
    ];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    for line in ["load quarter.dat as misses", "load other.dat as other", "load x.call.0.dat as x"] {
        session.run(line).unwrap();
    }
    // A quarter of the accesses takes a line, of 6 ns.
    let constants = |shown: &str| -> Vec<f64> {
        let rows = shown.lines().filter(|line| line.contains("f[1]"));
        rows.map(|row| row.split_whitespace().nth(1).unwrap().parse().unwrap()).collect()
    };
    let guessed = answer(&mut session, "aleph f on large.toml n=100..4096 misses=misses");
    let found = constants(&guessed);
    assert!(!found.is_empty() && found.iter().all(|its| (its / 1.5e-9 - 1.0).abs() < 0.02), "{guessed}");
    // What is known to be reached is scaled: of what came along columns beyond 1024 rows, a quarter.
    session.run("load y.call.0.dat as y").unwrap();
    let guessed = answer(&mut session, "aleph f on large.toml n=2000..4096 misses=misses");
    assert!((constants(&guessed)[0] / 1.5e-9 - 1.0).abs() < 0.02, "{guessed}");
    // What the caches here miss was not counted, so nothing can be carried from here.
    answer(&mut session, "machine use small.toml");
    let guessed = answer(&mut session, "aleph f[1] on large.toml n=2000..4096 misses=misses");
    assert!(guessed.contains("carried") && guessed.contains("unknown"), "{guessed}");
    // Of a machine with another cache behind, of which nothing was counted, nothing is guessed with these counts.
    answer(&mut session, "data x");
    let refused = session.run("aleph f[1] on deep.toml n=2000..4096 misses=misses").unwrap_err().to_string();
    assert!(refused.contains("did not simulate all of those of deep: L1 65536/8/64"), "{refused}");
    // Where misses themselves are the data, guesses are of times, and nothing is carried.
    answer(&mut session, "data misses");
    let table = answer(&mut session, "aleph f[1] on large.toml n=100..4096");
    assert!(table.contains("guessed (s)") && !table.contains("carried"), "{table}");
    let wrong = |session: &mut Session, set: &str| {
        session.run(&format!("aleph f on large.toml misses={set}")).unwrap_err().to_string()
    };
    let other = wrong(&mut session, "other");
    assert!(other.contains("caches of another size") && other.contains("L1 32768/8/64"), "{other}");
    assert!(wrong(&mut session, "nothing").contains("no data set `nothing`"));
    assert!(wrong(&mut session, "x").contains("caches of another size"));
}

#[test]
fn predictions_on_machines_take_what_was_counted_on_both() {
    let formula = "# formula: f[0] + f[1]*n*n\n";
    let irregular = COLUMNS.replace(r#""stride":"n"},"#, r#""stride":"irregular"},"#);
    let measured = |counts: &str| trace(formula, counts, |n, _| 1e-6 + 1e-9 * n * n);
    let files = [
        ("x.call.0.dat", measured(&irregular)),
        ("there.dat", simulated(&measured(&irregular), "L1 65536/8/64, L2 1048576/8/64", 0.25)),
        ("here.dat", simulated(&measured(&irregular), "L1 24576/8/64, L2 1048576/8/64", 0.5)),
        ("large.toml", machine("large", 64 << 10, 6.0)),
        ("small.toml", machine("small", 24 << 10, 4.0)),
    ];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    for line in ["load there.dat as there", "load here.dat as here", "load x.call.0.dat as x"] {
        session.run(line).unwrap();
    }
    session.run("machine use small.toml").unwrap();
    // The words by which a constant is carried, and its factor.
    let carried = |shown: &str| -> (bool, Vec<f64>) {
        let row = shown.lines().rfind(|line| line.contains("f[1]")).unwrap();
        (row.contains('Υ'), row.split_whitespace().filter_map(|word| word.parse().ok()).collect())
    };
    let shown = answer(&mut session, "predict n=2000 on large.toml");
    assert!(!carried(&shown).0, "nobody knows which lines data choose: {shown}");
    // A half of the accesses misses here, 4 ns each, a quarter there, 6 ns each.
    for sets in ["here,there", "there,here"] {
        let shown = answer(&mut session, &format!("predict n=2000 on large.toml misses={sets}"));
        let (is_by_statements, numbers) = carried(&shown);
        assert!(is_by_statements && numbers.iter().any(|its| (its - 0.75).abs() < 0.02), "{shown}");
    }
    // A guess is carried in the same way.
    let guessed = answer(&mut session, "aleph f[1] on large.toml n=2000..4096 misses=there,here");
    let row = guessed.lines().find(|line| line.contains("f[1]")).unwrap();
    let value: f64 = row.split_whitespace().nth(2).unwrap().parse().unwrap();
    assert!((value / 0.75e-9 - 1.0).abs() < 0.03, "{guessed}");
    let wrong = |session: &mut Session, line: &str| {
        session.run(&format!("predict n=2000 {line}")).unwrap_err().to_string()
    };
    assert!(wrong(&mut session, "on large.toml misses=there").contains("those of small"));
    assert!(wrong(&mut session, "on large.toml misses=here").contains("those of large"));
    assert!(wrong(&mut session, "misses=here").contains("machine"));
    assert!(wrong(&mut session, "on large.toml scale f[1]=s misses=here,there").contains("`scale`"));
    assert!(wrong(&mut session, "on large.toml misses=nothing").contains("no data set `nothing`"));
    // Counts of caches of several sizes under one name say nothing of either.
    session.run("load there.dat here.dat as both").unwrap();
    answer(&mut session, "data x");
    assert!(wrong(&mut session, "on large.toml misses=both").contains("several sizes as L1"));
    session.run("set source off").unwrap();
    assert!(
        wrong(&mut session, "on large.toml misses=here,there").contains("do not say what the statements")
    );
}

#[test]
fn what_cannot_be_guessed_is_told() {
    let irregular = COLUMNS.replace(r#""stride":"n"},"#, r#""stride":"irregular"},"#);
    let files = [
        ("x.call.0.dat", trace("# formula: f[0] + f[1]*n*n\n", &irregular, |n, _| 1e-6 + 1e-9 * n * n)),
        ("large.toml", machine("large", 64 << 10, 6.0)),
        ("bare.toml", machine("bare", 64 << 10, 6.0).replace("bandwidth_bytes_per_s = 1e11\n", "")),
    ];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    session.run("load x.call.0.dat").unwrap();
    let guessed = answer(&mut session, "aleph f[1] on large.toml");
    assert!(guessed.contains("not guessed") && guessed.contains("`a`"), "{guessed}");
    let wrong = |session: &mut Session, line: &str| session.run(line).unwrap_err().to_string();
    assert!(wrong(&mut session, "aleph f on nowhere").contains("nowhere"));
    assert!(wrong(&mut session, "aleph f on large.toml m=1..9").contains("no variable `m`"));
    assert!(wrong(&mut session, "aleph f on large.toml n=0..9").contains("positive"));
    assert!(wrong(&mut session, "aleph f on large.toml n=1..9 n=2..3").contains("range"));
}

/// The median of what an element took, in seconds, for sizes in between; an empty pair of clock readings is taken off.
fn median_per_element(trace: &str, experiment: &str, [from, to]: [f64; 2]) -> f64 {
    let rows = trace.lines().filter_map(|line| line.strip_prefix(experiment)?.strip_prefix(' '));
    let numbers = rows.map(|row| row.split(' ').map(|word| word.parse().unwrap()).collect::<Vec<f64>>());
    let chosen = numbers.filter(|row| row[2] > from && row[2] <= to);
    let mut times: Vec<f64> = chosen.map(|row| (row[3] - 30e-9) / (row[2] * row[2])).collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

#[test]
fn guesses_beside_what_was_measured() {
    let measured = include_str!("../../examples/matrix_init/measured.dat");
    // The example sets a[i][j] of `double (*a)[N]` along columns and along rows.
    let counts = |strides: [&str; 2]| {
        let loops = [("8", strides[0]), ("7", strides[1])]
            .map(|(line, stride)| format!(r#"{{"line":"{line}","iterations":"N","stride":"{stride}"}}"#));
        format!(
            r#"{{"quality":"exact","terms":[{{"basis":"N*N","growth":{{"N":[2.0,0]}},"statements":[{{"line":44,"operations":{{"store":1.0}},"accesses":[{{"array":"a","bytes":8,"loads":0.0,"stores":1.0,"loops":[{}]}}]}}]}}]}}"#,
            loops.join(",")
        )
    };
    let trace = measured
        .replace("# lines: 41-45", &format!("# source_counts: {}\n# lines: 41-45", counts(["N", "1"])))
        .replace("# lines: 49-53", &format!("# source_counts: {}\n# lines: 49-53", counts(["1", "N"])));
    let mut session = session(trace);
    for (experiment, intervals) in [("columns", 2), ("rows", 2)] {
        let guessed = answer(&mut session, &format!("aleph {experiment}[2] on epyc-genoa-vm N=32..2048"));
        let mut from = 32.0;
        for row in guessed.lines().filter(|line| line.contains("[2]")).take(intervals) {
            let value: f64 = row.split_whitespace().nth(1).unwrap().parse().unwrap();
            let to: f64 =
                row.split([',', ']']).nth(1 + row.matches("[2]").count()).unwrap().trim().parse().unwrap();
            let ratio = value / median_per_element(measured, experiment, [from, to]);
            assert!((0.7..1.3).contains(&ratio), "{experiment}, {from} to {to}: {ratio}\n{guessed}");
            from = to;
        }
        assert!((900.0..1100.0).contains(&from), "{guessed}");
    }
}
