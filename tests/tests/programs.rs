//! Model programs of the examples: what they make of measured blocks, beside the fit of the whole and its measured times.

use call_tests::{Transport, Workshop, repository};

/// A table that `into` wrote: the numbers of its columns by name.
struct Numbers {
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Numbers {
    fn read(workshop: &Workshop, name: &str) -> Numbers {
        let text = workshop.read(name);
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let names = lines.next().unwrap().split(',').map(str::to_owned).collect();
        let rows = lines.map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
        Numbers { names, rows }
    }

    fn column(&self, name: &str) -> Vec<f64> {
        let place = self.names.iter().position(|known| known == name);
        let place = place.unwrap_or_else(|| panic!("{name}: {:?}", self.names));
        self.rows.iter().map(|row| row[place]).collect()
    }
}

/// Sizes of the sampling loop of fft.c.
const SIZES: [f64; 8] = [1024.0, 2048.0, 4096.0, 8192.0, 16384.0, 32768.0, 65536.0, 131072.0];

/// Runs the built transform on 1, 2 and 4 processors; all points, top-down, bottom-up and measured.
fn compared(workshop: &Workshop, variable: &str) -> Numbers {
    for processors in [1, 2, 4] {
        workshop.shell(&format!("{variable} CALL_PROCESSORS={processors} ./fft"));
    }
    workshop.bring("examples/fft/fft.obsp");
    workshop.llac(&["load fft.call.*.dat", "program fft.obsp", "compare f into f.csv"]);
    let found = Numbers::read(workshop, "f.csv");
    let points: Vec<(f64, f64)> = found.column("P").into_iter().zip(found.column("N")).collect();
    let expected: Vec<(f64, f64)> = [1.0, 2.0, 4.0].iter().flat_map(|p| SIZES.map(|n| (*p, n))).collect();
    assert_eq!(points, expected);
    found
}

#[test]
fn a_measured_transform_is_predicted_from_its_parts() {
    let workshop = Workshop::new();
    workshop.bring("examples/fft/fft.c");
    workshop.build("fft", Transport::Embedded, "-O2");
    let found = compared(&workshop, "");
    for name in ["measured_s", "predicted_s", "bottom_up_s"] {
        for time_s in found.column(name) {
            assert!(time_s.is_finite() && time_s > 0.0, "{name}: {time_s}");
        }
    }
    let commands = ["load fft.call.*.dat", "program fft.obsp", "predict fft N=65536 P=4"];
    let shown = workshop.llac(&commands);
    // Levels of the recursion on 4 processors: D and F twice, G once.
    for wanted in
        ["exchange size with pid ^ P/2 costs D", "compute F", "compute G", "critical chain: processor"]
    {
        assert!(shown.contains(wanted), "{wanted}:\n{shown}");
    }
    let curve = ["load fft.call.*.dat", "program fft.obsp", "plot fft N=65536 P=1:64:2 curve.svg"];
    workshop.llac(&curve);
    let curve = workshop.read("curve.svg");
    assert!(curve.contains("measured") && curve.contains("predicted"), "{curve}");
}

/// Nanoseconds that each block of the transform takes, put into its source.
const PLANTED: &[(&str, &str)] = &[
    ("A A[0]", "300"),
    ("B B[0]", "5000"),
    ("C C[0]", "200"),
    ("D D[0] + D[1] * size", "4000 + 3ull * (unsigned)size"),
    ("E E[0] + E[1] * n", "100 + 2ull * (unsigned)n"),
    ("F F[0] + F[1] * n", "600 + 9ull * (unsigned)n"),
];
const PLANTED_IN_G: &str = "800 + (unsigned long long)(3000 * N * log(N) + 0.5)";

/// Equations (5) to (7) for these numbers: log P levels with n = N/2, N/4, … and size = 16 n, then G of N/P.
fn planted_s(n: f64, p: f64) -> f64 {
    let levels = p.log2() as i32;
    let exchanged: f64 = (1..=levels).map(|level| n / f64::from(1 << level)).sum();
    let local = n / p;
    1e-9 * (f64::from(levels) * (300.0 + 5000.0 + 200.0 + 4000.0 + 100.0 + 600.0)
        + (3.0 * 16.0 + 2.0 + 9.0) * exchanged
        + 800.0
        + 3000.0 * local * local.ln())
}

/// With a clock that only the planted times move, the parts, the whole and the measurement are the same.
#[test]
fn planted_times_of_a_transform_come_back() {
    let workshop = Workshop::new();
    let mut source = std::fs::read_to_string(repository().join("examples/fft/fft.c")).unwrap();
    source.insert_str(0, "void cll_clock_advance(unsigned long long nanoseconds);\n");
    for (directive, time_ns) in PLANTED {
        let directive = format!("#pragma cll {directive} counters task-clock\n");
        assert!(source.contains(&directive), "{directive}");
        source = source.replace(&directive, &format!("{directive}    cll_clock_advance({time_ns});\n"));
    }
    let transform = "seqDandCFFT(A, a, W, N, stride);";
    assert!(source.contains(transform));
    // Behind `else` stands one statement.
    source = source.replace(transform, &format!("{{ cll_clock_advance({PLANTED_IN_G}); {transform} }}"));
    workshop.write("fft.c", source);
    workshop.build("fft", Transport::Embedded, "-O2");
    let found = compared(&workshop, "CALL_CLOCK=counting");
    let points: Vec<(f64, f64)> = found.column("P").into_iter().zip(found.column("N")).collect();
    for name in ["measured_s", "predicted_s", "bottom_up_s"] {
        for ((p, n), time_s) in points.iter().zip(found.column(name)) {
            let wanted_s = planted_s(*n, *p);
            assert!(
                (time_s / wanted_s - 1.0).abs() < 1e-6,
                "{name}, N = {n}, P = {p}: {time_s}, not {wanted_s}"
            );
        }
    }
    workshop.llac(&[
        "load fft.call.*.dat",
        "program fft.obsp",
        "predict fft N=2097152 P=1,32,1024 into far.csv",
    ]);
    let far = Numbers::read(&workshop, "far.csv");
    assert_eq!(far.rows.len(), 3);
    for (p, time_s) in far.column("P").into_iter().zip(far.column("predicted_s")) {
        let wanted_s = planted_s(2097152.0, p);
        assert!((time_s / wanted_s - 1.0).abs() < 1e-6, "P = {p}: {time_s}, not {wanted_s}");
    }
}

/// Microseconds for values of n, P and `received`.
type Time = fn(f64, f64, f64) -> f64;

/// An example's program with planted experiments, a point, and the time there.
struct Planted {
    path: &'static str,
    /// Names, formulas, and times.
    experiments: &'static [(&'static str, &'static str, Time)],
    point: &'static str,
    time_us: f64,
}

const EXAMPLES: &[Planted] = &[
    // own 1 + 2 · 250 = 501, sum 3 + 4 · 4 = 19.
    Planted {
        path: "examples/inner_product/inner_product.obsp",
        experiments: &[
            ("own", "own[0] + own[1]*n/P", |n, p, _| 1.0 + 2.0 * n / p),
            ("sum", "sum[0] + sum[1]*P", |_, p, _| 3.0 + 4.0 * p),
        ],
        point: "inner_product n=1000 P=4",
        time_us: 520.0,
    },
    // Twice one_stage of 250 numbers: 2 (5 + 4 + 2 · 250 · 3).
    Planted {
        path: "examples/broadcast/broadcast.obsp",
        experiments: &[("one_stage", "one_stage[0] + one_stage[1]*P + one_stage[2]*n*(P - 1)", |n, p, _| {
            5.0 + p + 2.0 * n * (p - 1.0)
        })],
        point: "two_supersteps n=1000 P=4",
        time_us: 3018.0,
    },
    // local 1 + 2 · 256 · 8, sample 3 + 4, exchange 5 + 4 + 256, merge 256 log2 257 + 2 · 256 · 2.
    Planted {
        path: "examples/sample_sort/sample_sort.obsp",
        experiments: &[
            ("local", "local[0] + local[1]*n/P*log2(n/P)", |n, p, _| 1.0 + 2.0 * n / p * (n / p).log2()),
            ("sample", "sample[0] + sample[1]*P", |_, p, _| 3.0 + p),
            ("exchange", "exchange[0] + exchange[1]*P + exchange[2]*n/P", |n, p, _| 5.0 + p + n / p),
            (
                "merge",
                "merge[1]*received*log2(received + 1) + merge[2]*received*log2(P)",
                |_, p, received| received * (received + 1.0).log2() + 2.0 * received * p.log2(),
            ),
        ],
        point: "sample_sort n=1024 P=4",
        time_us: 4097.0 + 7.0 + 265.0 + 256.0 * 8.005_624_549_193_879 + 1024.0,
    },
    // Twenty times halo 1 + 2 + 3 · 100 and sweep 4 + 2500, then residual 5 + 2 · 2 + 2500.
    Planted {
        path: "examples/jacobi/jacobi.obsp",
        experiments: &[
            ("halo", "halo[0] + halo[1]*min(P - 1, 1) + halo[2]*n*min(P - 1, 1)", |n, p, _| {
                if p > 1.0 { 3.0 + 3.0 * n } else { 1.0 }
            }),
            ("sweep", "sweep[0] + sweep[1]*n*n/P", |n, p, _| 4.0 + n * n / p),
            ("residual", "residual[0] + residual[1]*log2(P) + residual[2]*n*n/P", |n, p, _| {
                5.0 + 2.0 * p.log2() + n * n / p
            }),
        ],
        point: "jacobi n=100 P=4",
        time_us: 20.0 * (303.0 + 2504.0) + 2509.0,
    },
    // Ten steps of 3 + 100² and 1 + 2 · 100.
    Planted {
        path: "examples/nbody/nbody.obsp",
        experiments: &[
            ("pulls", "pulls[0] + pulls[1]*n*n", |n, _, _| 3.0 + n * n),
            ("move", "move[0] + move[1]*n", |n, _, _| 1.0 + 2.0 * n),
        ],
        point: "nbody n=100 steps=10 P=1",
        time_us: 102_040.0,
    },
];

fn trace_of(example: &Planted) -> String {
    let (mut header, mut rows) = (String::new(), Vec::new());
    for (name, formula, time_us) in example.experiments {
        header.push_str(&format!("# experiment: {name}\n# formula: {formula}\n# variables: n received\n"));
        for n in [64.0, 128.0, 200.0, 512.0, 777.0, 1024.0, 2048.0, 4096.0] {
            for p in [1.0, 2.0, 4.0, 8.0] {
                for received in [n / p, n / p + 10.0] {
                    let time_s = 1e-6 * time_us(n, p, received);
                    rows.push(format!("{name} 0 {p} {n} {received} {time_s:.12}\n"));
                }
            }
        }
    }
    format!(
        "# call-trace 1\n# program: x\n# processors: 8\n{header}experiment processor P n received time_s\n{}# end rows={}\n",
        rows.concat(),
        rows.len()
    )
}

#[test]
fn the_programs_of_the_examples_add_up_their_parts() {
    for example in EXAMPLES {
        let workshop = Workshop::new();
        workshop.bring(example.path);
        workshop.write("x.dat", trace_of(example));
        let file = example.path.rsplit('/').next().unwrap();
        // With a second P there is only the table of predictions to write.
        workshop.llac(&[
            "load x.dat",
            &format!("program {file}"),
            &format!("predict {},100 into found.csv", example.point),
        ]);
        let found = Numbers::read(&workshop, "found.csv");
        let (time_us, wanted_us) = (1e6 * found.column("predicted_s")[0], example.time_us);
        assert!((time_us / wanted_us - 1.0).abs() < 1e-6, "{}: {time_us}, not {wanted_us}", example.path);
    }
}
