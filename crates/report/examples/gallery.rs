//! Draws figures of many kinds into a folder, to be looked at.
//!
//! `cargo run -p call-report --example gallery FOLDER`

use call_report::{
    Axis, BoxPlot, CategoryChart, DisplayUnit, Error, Figure, IntervalBorder, Kinds, Look, RankedValue,
    Reference, ReferenceLine, Series, SeriesGroups, Surface, histogram, normal_plot,
};

fn axis(label: &str) -> Axis {
    Axis::new(label)
}

/// Numbers from -1 to 1 that look like noise and are always the same.
fn noise(seed: u32) -> f64 {
    // The mixing function of MurmurHash3.
    let mixed = (seed ^ (seed >> 16)).wrapping_mul(0x85eb_ca6b);
    let mixed = (mixed ^ (mixed >> 13)).wrapping_mul(0xc2b2_ae35);
    f64::from((mixed ^ (mixed >> 16)) >> 8) / f64::from(1_u32 << 23) - 1.0
}

/// Measured and fitted values of a function of N.
fn series(label: &str, sizes: &[f64], seed: u32, time_s: impl Fn(f64) -> f64) -> Series {
    let disturbed = |(index, n): (usize, &f64)| {
        (*n, time_s(*n) * (1.0 + 0.06 * noise(seed.wrapping_mul(1000).wrapping_add(index as u32))))
    };
    let (first, last) = (sizes[0], sizes[sizes.len() - 1]);
    let between = |index: u32| first * (last / first).powf(f64::from(index) / 200.0);
    Series {
        label: label.into(),
        points: sizes.iter().enumerate().map(disturbed).collect(),
        curve: (0..=200).map(between).map(|n| (n, time_s(n))).collect(),
        ..Series::default()
    }
}

fn powers_of_two(exponents: std::ops::RangeInclusive<i32>) -> Vec<f64> {
    exponents.map(|exponent| 2_f64.powi(exponent)).collect()
}

fn one_series() -> Figure {
    Figure {
        title: "Experiment A: measured and fitted".into(),
        x: axis("N"),
        y: axis("time (s)"),
        series: vec![series("", &powers_of_two(8..=14), 7, |n| 2e-6 + 3.1e-9 * n)],
        notes: vec!["A[0] + A[1]*N".into()],
        ..Figure::default()
    }
}

fn six_series() -> Figure {
    const BORDERS: [f64; 2] = [16_384.0, 262_144.0];
    let fft = |p: f64| {
        move |n: f64| {
            let slower = [1.0, 1.4, 2.3][BORDERS.iter().filter(|border| n > **border).count()];
            8e-6 * (1.0 + p.log2()) + slower * 2.1e-9 * (n / p) * (n / p).log2() + 0.4e-9 * n * (p - 1.0) / p
        }
    };
    let labelled = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0].map(|p| {
        let mut series = series(&format!("P = {p}"), &powers_of_two(10..=22), p as u32, fft(p));
        for border in BORDERS {
            let position = series.curve.partition_point(|(n, _)| *n <= border);
            let end = (border, fft(p)(border));
            let start = (border, fft(p)(border * (1.0 + 1e-12)));
            series.curve.splice(position..position, [end, (border, f64::NAN), start]);
        }
        series
    });
    Figure {
        title: "FFT on node7, AMD EPYC 7B13".into(),
        x: axis("N"),
        y: axis("time (s)"),
        series: labelled.into(),
        borders: BORDERS.map(IntervalBorder::from).into(),
        notes: vec![
            "f[0] + f[1]*log(P) + f[2]*(N/P)*log(N/P) + f[3]*N*(P - 1)/P".into(),
            "13 sizes, 3 runs, maximum over the processors".into(),
        ],
        ..Figure::default()
    }
}

fn small_ranges() -> Figure {
    let sizes: Vec<f64> = (0..9).map(|index| 1000.0 + 5.0 * f64::from(index)).collect();
    Figure {
        title: "Linear axes with small ranges".into(),
        x: axis("N"),
        y: axis("time (s)"),
        series: vec![
            series("before the change", &sizes, 1, |n| 4.2e-3 + 1e-6 * n),
            series("after the change of the distribution of the rows", &sizes, 50, |n| 3.9e-3 + 1.1e-6 * n),
        ],
        borders: [1017.5].map(IntervalBorder::from).into(),
        ..Figure::default()
    }
}

fn one_point() -> Figure {
    Figure {
        title: "A single measurement".into(),
        x: axis("P"),
        y: axis("time (s)"),
        series: vec![Series { label: "f".into(), points: vec![(4.0, 0.0123)], ..Series::default() }],
        ..Figure::default()
    }
}

fn twelve_decades() -> Figure {
    let sizes: Vec<f64> = (0..13).map(|index| 10_f64.powi(index)).collect();
    Figure {
        title: "From nanoseconds to quarters of an hour".into(),
        x: axis("N"),
        y: axis("time"),
        series: vec![series("f", &sizes, 3, |n| 1e-9 * n), series("g", &sizes, 30, |n| 5e-9 * n.sqrt())],
        borders: [1e3, 1.5e3, 2e3, 2.5e3, 1e9].map(IntervalBorder::from).into(),
        ..Figure::default()
    }
}

/// Curves beyond what was measured, with their intervals, and every run.
fn everything() -> Figure {
    let sizes = powers_of_two(10..=16);
    let time_s = |p: f64| move |n: f64| 5e-6 * p.log2() + 2.4e-9 * n * n.log2() / p;
    let with_band = |p: f64| {
        let mut series = series(&format!("P = {p}"), &sizes, p as u32, time_s(p));
        let runs = |(n, time): (f64, f64)| {
            (0..5).map(move |run| (n, time * (1.0 + 0.12 * noise(n as u32 + run + 77 * p as u32))))
        };
        series.repetitions = series.points.iter().copied().flat_map(runs).collect();
        let ends = |&(n, time): &(f64, f64)| (n, time * 0.86, time * 1.14);
        series.spread = series.points.iter().map(ends).collect();
        let curve = (0..=200).map(|index| 700.0 * 700_f64.powf(f64::from(index) / 200.0));
        series.curve = curve.map(|n| (n, time_s(p)(n))).collect();
        let wide = |n: f64| 0.1 + 0.12 * (n / 65_536.0).ln().max(0.0) + 0.2 * (1024.0 / n).ln().max(0.0);
        let ends = |&(n, time): &(f64, f64)| (n, time * (1.0 - wide(n)), time * (1.0 + wide(n)));
        series.band = series.curve.iter().map(ends).collect();
        series.sampled = Some((1024.0, 65_536.0));
        series
    };
    Figure {
        title: "Measured, fitted and extrapolated".into(),
        x: axis("N"),
        y: axis("time (s)"),
        series: [1.0, 4.0].map(with_band).into(),
        borders: [8192.0].map(IntervalBorder::from).into(),
        kinds: Kinds { band: "90 % interval".into(), ..Kinds::default() },
        notes: vec!["f[0]*log(P) + f[1]*N*log(N)/P".into()],
        ..Figure::default()
    }
}

/// More curves than there are colours, over a second variable.
fn nine_curves() -> Figure {
    let sizes = powers_of_two(10..=20);
    let of = |k: i32| {
        let p = 2_f64.powi(k);
        let series =
            series(&format!("P = {p}"), &sizes, k as u32, move |n| 1e-5 * (1.0 + p.log2()) + 4e-9 * n / p);
        Series { value: Some(p), ..series }
    };
    Figure {
        title: "Nine numbers of processors".into(),
        x: axis("N"),
        y: axis("time"),
        by: axis("P"),
        series: (0..9).map(of).collect(),
        ..Figure::default()
    }
}

fn forty_curves() -> Figure {
    let sizes = powers_of_two(0..=5);
    let of = |k: u32| {
        let series = series(&format!("N = {k}"), &sizes, k, move |p| f64::from(k) * 1e-3 / p);
        Series { value: Some(f64::from(k)), ..series }
    };
    Figure {
        title: "Forty problem sizes".into(),
        x: axis("P"),
        y: axis("time"),
        by: axis("N (thousands)"),
        series: (1..=40).map(of).collect(),
        ..Figure::default()
    }
}

fn speedup() -> Figure {
    let of = |n: f64| {
        let speedup = move |p: f64| p / (1.0 + (p - 1.0) * 2000.0 / n);
        let curve = (0..=100).map(|index| 1.0 + 0.63 * f64::from(index)).map(|p| (p, speedup(p)));
        Series {
            label: format!("N = {n}"),
            curve: curve.collect(),
            sampled: Some((1.0, 32.0)),
            ..Series::default()
        }
    };
    Figure {
        title: "Speed-up".into(),
        x: Axis::linear("P"),
        y: Axis::linear("speed-up"),
        series: [16_384.0, 65_536.0, 1_048_576.0].map(of).into(),
        references: vec![Reference { label: "ideal".into(), line: ReferenceLine::Proportional(1.0) }],
        ..Figure::default()
    }
}

/// The time of a program on so many machines, of which the first is this one.
fn machines(count: usize) -> Figure {
    // Name, seconds per operation, gap in seconds per byte, latency in seconds.
    const MACHINES: [(&str, f64, f64, f64); 10] = [
        ("this machine", 4e-10, 2e-10, 2e-6),
        ("Cray T3E", 2.1e-8, 4e-9, 1.8e-6),
        ("SGI Origin 2000", 1e-8, 6e-9, 1e-5),
        ("IBM SP2", 3.8e-8, 2.4e-8, 1.2e-4),
        ("Digital Alpha farm", 1.6e-8, 5e-8, 3e-5),
        ("Pentium cluster", 2e-8, 9e-8, 5e-4),
        ("node of 2016", 6e-10, 4e-10, 1e-6),
        ("node of 2024", 2.5e-10, 1.2e-10, 1.5e-6),
        ("two clouds", 3.5e-10, 2e-9, 8e-4),
        ("ideal network", 4e-10, 1e-13, 1e-9),
    ];
    const N: f64 = 2_097_152.0;
    let time_s = |(_, operation_s, gap_s, latency_s): (&str, f64, f64, f64), p: f64| {
        2.0 * operation_s * N * N.log2() / p + (16.0 * gap_s * N / p.sqrt() + latency_s) * p.log2()
    };
    let of = |(index, machine): (usize, (&str, f64, f64, f64))| {
        let places = (0..=160).map(|k| 2_f64.powf(f64::from(k) / 20.0));
        let measured = powers_of_two(0..=5).into_iter().enumerate().filter(|_| index == 0);
        let disturbed = |(k, p): (usize, f64)| (p, time_s(machine, p) * (1.0 + 0.08 * noise(k as u32)));
        Series {
            label: machine.0.into(),
            points: measured.map(disturbed).collect(),
            curve: places.map(|p| (p, time_s(machine, p))).collect(),
            ..Series::default()
        }
    };
    Figure {
        title: format!("FFT of 2 Mi complex numbers on {count} machines"),
        x: Axis::logarithmic("P"),
        y: Axis::logarithmic("time Φ (s)"),
        series: MACHINES.into_iter().take(count).enumerate().map(of).collect(),
        names_at_curves: true,
        kinds: Kinds { curve: "predicted".into(), ..Kinds::default() },
        ..Figure::default()
    }
}

fn efficiency() -> Figure {
    let of = |n: f64| {
        let sizes = powers_of_two(0..=10);
        let efficiency = move |p: f64| 100.0 / (1.0 + (p - 1.0) * 20_000.0 / n);
        series(&format!("N = {n}"), &sizes, n as u32, efficiency)
    };
    Figure {
        title: "Efficiency".into(),
        x: axis("P"),
        y: Axis::linear("efficiency (%)"),
        series: [1e6, 1e7].map(of).into(),
        references: vec![
            Reference { label: "ideal".into(), line: ReferenceLine::Horizontal(100.0) },
            Reference { label: "a node".into(), line: ReferenceLine::Vertical(48.0) },
        ],
        ..Figure::default()
    }
}

fn errors(count: u32) -> Vec<f64> {
    (0..count).map(|index| (0..6).map(|k| noise(7 * index + k)).sum::<f64>() * 2.0).collect()
}

/// Relative errors over a variable.
fn residuals() -> Figure {
    let place = |(index, error): (usize, f64)| (2_f64.powf(10.0 + index as f64 / 400.0), error);
    Figure {
        title: "Relative residuals of 4000 samples".into(),
        x: axis("N"),
        y: axis("residual (%)"),
        series: vec![Series {
            points: errors(4000).into_iter().enumerate().map(place).collect(),
            ..Series::default()
        }],
        references: vec![Reference { label: String::new(), line: ReferenceLine::Horizontal(0.0) }],
        ..Figure::default()
    }
}

fn few_residuals() -> Figure {
    let sizes = powers_of_two(8..=16);
    let of = |label: &str, seed: u32| Series {
        label: label.into(),
        points: sizes.iter().enumerate().map(|(k, n)| (1e-8 * n, 5.0 * noise(seed + k as u32))).collect(),
        ..Series::default()
    };
    Figure {
        title: "Relative residuals over the predicted time".into(),
        x: axis("predicted time (s)"),
        y: axis("residual (%)"),
        series: vec![of("f", 3), of("g", 90)],
        references: vec![Reference { label: String::new(), line: ReferenceLine::Horizontal(0.0) }],
        ..Figure::default()
    }
}

fn surface() -> Surface {
    let places = |low: f64, high: f64, count: u32| -> Vec<f64> {
        (0..=count).map(|k| low * (high / low).powf(f64::from(k) / f64::from(count))).collect()
    };
    let (columns, rows) = (places(1024.0, 1_048_576.0, 60), places(1.0, 256.0, 40));
    let time_s = |n: f64, p: f64| 4e-9 * n * n.log2() / p + 6e-6 * p;
    let measured = |p: f64| (10..=20).step_by(2).map(move |k| (2_f64.powi(k), p));
    let disturbed = |(n, p): (f64, f64)| (n, p, time_s(n, p) * (1.0 + 0.3 * noise(n as u32 + p as u32)));
    Surface {
        title: "Time over the size of the problem and the number of processors".into(),
        x: axis("N"),
        y: axis("P"),
        value: axis("time (s)"),
        values: rows.iter().flat_map(|p| columns.iter().map(|n| time_s(*n, *p))).collect(),
        columns,
        rows,
        points: [1.0, 4.0, 16.0, 64.0].into_iter().flat_map(measured).map(disturbed).collect(),
        points_label: "measured".into(),
        notes: vec!["f[0]*N*log(N)/P + f[1]*P".into()],
        ..Surface::default()
    }
}

/// Waves on linear axes, with a hole.
fn hills() -> Surface {
    let places: Vec<f64> = (0..=50).map(|k| f64::from(k) / 10.0).collect();
    let height = |x: f64, y: f64| {
        if (x - 1.0).hypot(y - 4.0) < 0.5 { f64::NAN } else { 10.0 * (2.0 * x).sin() * (1.5 * y).cos() }
    };
    Surface {
        title: "Hills".into(),
        x: axis("x"),
        y: axis("y"),
        value: axis("residual (%)"),
        values: places.iter().flat_map(|y| places.iter().map(|x| height(*x, *y))).collect(),
        columns: places.clone(),
        rows: places,
        borders: [2.5].map(IntervalBorder::from).into(),
        ..Surface::default()
    }
}

fn hard_texts() -> Figure {
    let names = ["a <b> & \"c\"", "ℵ", "Υ", "x", "y", "z", "u", "v", "w"];
    let sizes = [10.0, 20.0, 50.0, 130.0];
    let labelled = names
        .iter()
        .enumerate()
        .map(|(index, name)| series(name, &sizes, index as u32, move |n| n * (index as f64 + 1.0)));
    Figure {
        title: "The set ℵ of <f[0]> & what is \"left\" of a title that is much too long for one line and must be broken somewhere".into(),
        x: axis("N < M"),
        y: axis("cost & <more>"),
        series: labelled.collect(),
        borders: [f64::NAN, 40.0, 40.0, f64::INFINITY, -3.0].map(IntervalBorder::from).into(),
        notes: vec!["a note that is longer than the figure is wide, ".repeat(6)],
        ..Figure::default()
    }
}

fn crowd() -> Figure {
    let sizes = powers_of_two(0..=5);
    let labelled = (1..=40).map(|k| series(&format!("run {k}"), &sizes, k, move |p| f64::from(k) * 1e-3 / p));
    Figure {
        title: "Forty runs".into(),
        x: axis("P"),
        y: axis("time (s)"),
        series: labelled.collect(),
        ..Figure::default()
    }
}

fn wild_curve() -> Figure {
    let points: Vec<(f64, f64)> = powers_of_two(10..=16).into_iter().map(|n| (n, 1e-8 * n)).collect();
    let curve =
        (0..=300).map(|index| 700.0 * 400_f64.powf(f64::from(index) / 300.0)).map(|n| (n, 1.3e-8 * n - 2e-5));
    Figure {
        title: "A fit that falls below zero, extrapolated".into(),
        x: axis("N"),
        y: axis("time (s)"),
        series: vec![Series { label: "f".into(), points, curve: curve.collect(), ..Series::default() }],
        ..Figure::default()
    }
}

/// Measured points beside predicted curves, over numbers of processors that double.
fn measured_speedup() -> Figure {
    let predicted = |p: f64| p / (1.0 + 0.03 * (p - 1.0));
    let run = |k: i32| {
        let p = 2_f64.powi(k);
        (0..3).map(move |run| {
            (p, predicted(p) * (1.0 + 0.1 * noise(17 * k as u32 + run) - 0.02 * f64::from(k)))
        })
    };
    let repetitions: Vec<(f64, f64)> = (0..=4).flat_map(run).collect();
    let of_place =
        |runs: &[(f64, f64)]| (runs[0].0, runs.iter().map(|run| run.1).sum::<f64>() / runs.len() as f64);
    Figure {
        title: "Measured and predicted speed-up".into(),
        x: axis("P"),
        y: axis("speed-up"),
        series: vec![Series {
            points: repetitions.chunks(3).map(of_place).collect(),
            repetitions,
            curve: (0..=100).map(|k| 64_f64.powf(f64::from(k) / 100.0)).map(|p| (p, predicted(p))).collect(),
            band: (0..=100)
                .map(|k| 64_f64.powf(f64::from(k) / 100.0))
                .map(|p| (p, predicted(p) * 0.93, predicted(p) * 1.07))
                .collect(),
            sampled: Some((1.0, 16.0)),
            ..Series::default()
        }],
        references: vec![Reference { label: "ideal".into(), line: ReferenceLine::Proportional(1.0) }],
        kinds: Kinds { curve: "predicted".into(), band: "90 % interval".into(), ..Kinds::default() },
        ..Figure::default()
    }
}

/// Two variables: colours for the one, markers for the other.
fn groups(machines: usize, is_sampled: bool) -> Figure {
    const MACHINES: [&str; 4] = ["this machine", "node of 2016", "node of 2024", "cluster of workstations"];
    let sizes = powers_of_two(10..=20);
    let of = |(machine, k): (usize, i32)| {
        let p = 2_f64.powi(k);
        let factor = [1.0, 3.0, 0.5, 12.0][machine];
        let name = MACHINES[machine];
        let time_s = move |n: f64| factor * (3e-6 * (1.0 + p.log2()) + 2e-9 * n * n.log2() / p);
        Series {
            groups: Some(SeriesGroups { colour: format!("P = {p}"), marker: name.into() }),
            value: Some(p),
            sampled: is_sampled.then_some((1024.0, 65_536.0)),
            ..series(&format!("{name}, P = {p}"), &sizes, 100 * machine as u32 + k as u32, time_s)
        }
    };
    let last = if is_sampled { 8 } else { 4 };
    Figure {
        title: "Numbers of processors on several machines".into(),
        x: axis("N"),
        y: axis("time (s)"),
        by: axis("P"),
        series: (0..machines)
            .flat_map(|machine| (0..=last).step_by(2).map(move |k| (machine, k)))
            .map(of)
            .collect(),
        ..Figure::default()
    }
}

/// A border that holds for some series only, and energy with its own unit between ends that are asked for.
fn borders_of_some() -> Figure {
    let sizes = powers_of_two(10..=22);
    let of = |k: i32| {
        let p = 2_f64.powi(k);
        let border = 65_536.0 * p;
        let energy = move |n: f64| 2.0 + 3e-4 * n / p * if n > border { 2.4 } else { 1.0 };
        let mut series = series(&format!("P = {p}"), &sizes, k as u32, energy);
        let position = series.curve.partition_point(|(n, _)| *n <= border);
        let jump = [(border, energy(border)), (border, f64::NAN), (border, energy(border * (1.0 + 1e-12)))];
        series.curve.splice(position..position, jump);
        series
    };
    let border =
        |k: i32| IntervalBorder { x: 65_536.0 * 2_f64.powi(k), series: vec![k as usize / 2], y: None };
    Figure {
        title: "Energy of three numbers of processors".into(),
        x: Axis { from: Some(4096.0), to: Some(2_097_152.0), ..axis("N (bytes)") },
        y: Axis::quantity(
            "energy of all nodes of the machine, their memory and its network",
            &DisplayUnit::parse("joules"),
        ),
        series: [0, 2, 4].map(of).into(),
        borders: [0, 2, 4].map(border).into(),
        size: Some((1000, 500)),
        ..Figure::default()
    }
}

/// Runs at places that double, of two programs.
fn boxes() -> Figure {
    let runs = |seed: u32, p: f64| -> Vec<f64> {
        let run = |k: u32| {
            let slow = if k % 17 == 3 { 1.5 } else { 1.0 };
            slow * (2e-3 / p + 1e-4 * p.sqrt())
                * (1.0 + 0.1 * noise(seed + 31 * k) + 0.1 * noise(7 * seed + k))
        };
        (0..60).map(run).collect()
    };
    let of = |(label, seed, factor): (&str, u32, f64)| Series {
        label: label.into(),
        boxes: powers_of_two(0..=4)
            .into_iter()
            .filter_map(|p| Some((p, BoxPlot::of(&runs(seed + p as u32, p * factor))?)))
            .collect(),
        ..Series::default()
    };
    Figure {
        title: "Sixty runs at each number of processors".into(),
        x: axis("P"),
        y: axis("time (s)"),
        series: [("before", 1, 1.0), ("after", 500, 1.4)].map(of).into(),
        ..Figure::default()
    }
}

const EXPERIMENTS: [&str; 9] = [
    "exchange",
    "fft",
    "transpose_of_the_distributed_matrix",
    "read",
    "scatter",
    "gather",
    "sum",
    "broadcast",
    "report",
];

fn ranked() -> CategoryChart {
    let value = |(index, label): (usize, &&'static str)| {
        let value = 14.0 / (1.0 + index as f64).powf(1.7);
        RankedValue { label, value, interval: (index != 3).then_some((0.9 * value, 1.15 * value)) }
    };
    let values: Vec<RankedValue> = EXPERIMENTS.iter().enumerate().map(value).collect();
    let chart = CategoryChart::ranked(
        "All experiments at N = 1 Mi, P = 64",
        "predicted time",
        &DisplayUnit::seconds(),
        &values,
    );
    CategoryChart { notes: vec!["bars: 90 % interval".into()], ..chart }
}

/// More bars than have room, with names that are too long to stand beside them.
fn many_ranked() -> CategoryChart {
    let labels: Vec<String> = (0..40)
        .map(|k| format!("the experiment number {k} of a program with long names, in the loop over all rows"))
        .collect();
    let ranked = labels.iter().enumerate();
    let values: Vec<RankedValue> = ranked
        .map(|(index, label)| RankedValue { label, value: 5e8 / (index + 1) as f64, interval: None })
        .collect();
    CategoryChart::ranked("Forty experiments", "memory", &DisplayUnit::parse("bytes"), &values)
}

fn box_rows() -> CategoryChart {
    let runs: Vec<Vec<f64>> = (0..9)
        .map(|row| {
            (0..80)
                .map(|k| (1.0 + f64::from(row)) * 1e-3 * (1.0 + 0.2 * noise(row * 99 + k)).powi(3))
                .collect()
        })
        .collect();
    let rows: Vec<(&str, &[f64])> = EXPERIMENTS.iter().copied().zip(runs.iter().map(Vec::as_slice)).collect();
    CategoryChart::box_plots("Eighty runs of each experiment", axis("time (s)"), &rows)
}

fn write(
    folder: &str,
    name: &str,
    files: [Result<Vec<u8>, Error>; 6],
) -> Result<(), Box<dyn std::error::Error>> {
    let endings = ["svg", "png", "80.txt", "120.txt", "ansi", "ascii.txt"];
    for (ending, file) in endings.iter().zip(files) {
        std::fs::write(format!("{folder}/{name}.{ending}"), file?)?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("give the folder to draw into")?;
    let figures = [
        ("one_series", one_series()),
        ("everything", everything()),
        ("six_series", six_series()),
        ("nine_curves", nine_curves()),
        ("forty_curves", forty_curves()),
        ("small_ranges", small_ranges()),
        ("one_point", one_point()),
        ("twelve_decades", twelve_decades()),
        ("machines_2", machines(2)),
        ("machines_6", machines(6)),
        ("machines_10", machines(10)),
        ("speedup", speedup()),
        ("efficiency", efficiency()),
        ("residuals", residuals()),
        ("few_residuals", few_residuals()),
        ("histogram", histogram("Residuals of 4000 samples", axis("residual (%)"), &errors(4000), None)),
        ("normal_plot", normal_plot("Are 60 residuals normal?", axis("residual (%)"), &errors(60))),
        ("hard_texts", hard_texts()),
        ("crowd", crowd()),
        ("wild_curve", wild_curve()),
        ("measured_speedup", measured_speedup()),
        ("groups", groups(4, false)),
        ("groups_extrapolated", groups(2, true)),
        ("borders_of_some", borders_of_some()),
        ("boxes", boxes()),
        ("bins", histogram("Residuals in 12 bins", axis("residual (%)"), &errors(4000), Some(12))),
    ];
    std::fs::create_dir_all(&folder)?;
    for (name, figure) in figures {
        let text = |columns, rows, look| figure.text(columns, rows, look).map(String::into_bytes);
        write(
            &folder,
            name,
            [
                figure.svg().map(String::into_bytes),
                figure.png(1200, 800),
                text(80, 24, Look::Unicode),
                text(120, 36, Look::Unicode),
                text(120, 36, Look::Coloured),
                text(80, 24, Look::Ascii),
            ],
        )?;
    }
    for (name, chart) in [("ranked", ranked()), ("many_ranked", many_ranked()), ("box_rows", box_rows())] {
        let text = |columns, rows, look| chart.text(columns, rows, look).map(String::into_bytes);
        let files = [
            chart.svg().map(String::into_bytes),
            chart.png(1200, chart.height(1200).min(1000)),
            text(80, 24, Look::Unicode),
            text(120, 36, Look::Unicode),
            text(120, 36, Look::Coloured),
            text(80, 24, Look::Ascii),
        ];
        write(&folder, name, files)?;
    }
    for (name, surface) in [("surface", surface()), ("hills", hills())] {
        let text = |columns, rows, look| surface.text(columns, rows, look).map(String::into_bytes);
        write(
            &folder,
            name,
            [
                surface.svg().map(String::into_bytes),
                surface.png(1200, 800),
                text(80, 24, Look::Unicode),
                text(120, 36, Look::Unicode),
                text(120, 36, Look::Coloured),
                text(80, 24, Look::Ascii),
            ],
        )?;
    }
    Ok(())
}
