//! Draws figures of many kinds into a folder, to be looked at.
//!
//! `cargo run -p call-report --example gallery FOLDER`

use call_report::{Axis, Figure, Scale, Series};

fn axis(label: &str) -> Axis {
    Axis { label: label.into(), scale: Scale::Automatic }
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
    let disturbed =
        |(index, n): (usize, &f64)| (*n, time_s(*n) * (1.0 + 0.06 * noise(1000 * seed + index as u32)));
    let (first, last) = (sizes[0], sizes[sizes.len() - 1]);
    let between = |index: u32| first * (last / first).powf(f64::from(index) / 200.0);
    Series {
        label: label.into(),
        points: sizes.iter().enumerate().map(disturbed).collect(),
        curve: (0..=200).map(between).map(|n| (n, time_s(n))).collect(),
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
        borders: BORDERS.into(),
        notes: vec![
            "f[0] + f[1]*log(P) + f[2]*(N/P)*log(N/P) + f[3]*N*(P - 1)/P".into(),
            "13 sizes, 3 runs, maximum over the processors".into(),
        ],
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
        borders: vec![1017.5],
        notes: vec![],
    }
}

fn one_point() -> Figure {
    Figure {
        title: "A single measurement".into(),
        x: axis("P"),
        y: axis("time (s)"),
        series: vec![Series { label: "f".into(), points: vec![(4.0, 0.0123)], curve: vec![] }],
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
        borders: vec![1e3, 1.5e3, 2e3, 2.5e3, 1e9],
        notes: vec![],
    }
}

fn speedup() -> Figure {
    let sizes: Vec<f64> = (1..=8).map(f64::from).collect();
    Figure {
        title: "Speedup".into(),
        x: Axis { label: "P".into(), scale: Scale::Linear },
        y: Axis { label: "speedup".into(), scale: Scale::Linear },
        series: vec![series("N = 65536", &sizes, 5, |p| p / (1.0 + 0.05 * (p - 1.0)))],
        ..Figure::default()
    }
}

fn residuals() -> Figure {
    let points: Vec<(f64, f64)> = (0..4000_u32)
        .map(|index| {
            (
                2_f64.powf(10.0 + 10.0 * f64::from(index) / 4000.0),
                4.0 * noise(index) + 3.0 * noise(index / 400),
            )
        })
        .collect();
    Figure {
        title: "Relative errors of 4000 samples".into(),
        x: axis("N"),
        y: axis("error (%)"),
        series: vec![Series { label: String::new(), points, curve: vec![(1024.0, 0.0), (1_048_576.0, 0.0)] }],
        ..Figure::default()
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
        borders: vec![f64::NAN, 40.0, 40.0, f64::INFINITY, -3.0],
        notes: vec!["a note that is longer than the figure is wide, ".repeat(6)],
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
        series: vec![Series { label: "f".into(), points, curve: curve.collect() }],
        ..Figure::default()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("give the folder to draw into")?;
    let figures = [
        ("one_series", one_series()),
        ("six_series", six_series()),
        ("small_ranges", small_ranges()),
        ("one_point", one_point()),
        ("twelve_decades", twelve_decades()),
        ("speedup", speedup()),
        ("residuals", residuals()),
        ("hard_texts", hard_texts()),
        ("crowd", crowd()),
        ("wild_curve", wild_curve()),
    ];
    std::fs::create_dir_all(&folder)?;
    for (name, figure) in figures {
        std::fs::write(format!("{folder}/{name}.svg"), figure.svg()?)?;
    }
    Ok(())
}
