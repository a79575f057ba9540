//! The values of variables, taken at the begin and at the end.

use crate::support::{ON_THIS_COMPUTER, Run};

#[test]
fn values_lose_nothing() {
    let reals = [
        0.1,
        1.0 / 3.0,
        1e15,
        1e15 + 0.5,
        123_456_789.25,
        -2.5,
        -0.0,
        0.0,
        1e300,
        f64::MAX,
        f64::MIN_POSITIVE,
        4.9e-324,
        5e-310,
        999_999_999_999_999.0,
        1e14,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ];
    for flavour in ON_THIS_COMPUTER {
        let run = Run::of(flavour, "values").variable("LC_ALL", "de_DE.UTF-8");
        run.succeed();
        let trace = run.trace("values.call.0.dat");
        assert_eq!(trace.columns, ["experiment", "processor", "P", "i", "n", "r", "time_s"]);
        let column = |experiment: &str, at: usize| -> Vec<&str> {
            trace.rows.iter().filter(|row| row[0] == experiment).map(|row| row[at].as_str()).collect()
        };
        assert_eq!(column("integers", 3), ["-9223372036854775808", "-1", "0", "1", "9223372036854775807"]);
        assert_eq!(column("naturals", 4), ["0", "1", "18446744073709551615"]);
        assert!(column("reals", 3).iter().all(|value| *value == "nan"));
        let written = column("reals", 5);
        assert_eq!(written.len(), reals.len());
        for (text, real) in written.iter().zip(reals) {
            let read: f64 = text.parse().expect("a real can be read back");
            assert!(
                read.to_bits() == real.to_bits() || read.is_nan() && real.is_nan(),
                "{text} is not {real:?}"
            );
        }
    }
}

#[test]
fn values_at_the_end() {
    for flavour in ON_THIS_COMPUTER {
        let run = Run::of(flavour, "end_values").counting();
        run.succeed();
        let trace = run.trace("end_values.call.0.dat");
        assert_eq!(trace.values("variables"), ["N steps error", "steps", ""]);
        let all = |steps| ["all", "0", "1", "nan", steps, "nan", "0.000000010"];
        assert_eq!(
            trace.rows,
            [
                ["some", "0", "1", "2", "2", "0.16666666666666666", "0.000000030"],
                all("0"),
                all("1"),
                ["some", "0", "1", "1", "1", "0.25", "0.000000010"],
                all("0"),
                ["some", "0", "1", "0", "0", "0.5", "0.000000000"],
                ["none", "0", "1", "nan", "nan", "nan", "0.000000000"],
            ]
        );
        let plain = Run::of(flavour, "end_values").counting().with("plain");
        plain.fail(
            2,
            "call: end all: 1 of its variables are taken at the end, and this end hands over no values: translate the file again",
        );
    }
}
