//! Machine files: what they must look like, and the numbers between and beyond those that stand in them.
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

use call_model::machine::{How, Machine};

const HEAD: &str = "schema_version = 1\nname = \"m\"\n[provenance]\nkind = \"measured\"\ndate = \"2026\"\n";

fn with(rest: &str) -> Result<Machine, String> {
    Machine::parse("m.toml", &format!("{HEAD}{rest}")).map_err(|error| error.to_string())
}

fn entry(processors: u64, rate: f64, g: f64, latency: f64) -> String {
    format!(
        "[[bsp]]\nprocessors = {processors}\nrate_flop_per_s = {rate:?}\ng_s_per_byte = {g:?}\nlatency_s = {latency:?}\n"
    )
}

/// Each wrong file with its message.
#[test]
fn errors_have_line_and_cure() {
    let bsp = |key: &str, value: &str| {
        let keys = [
            ("processors", "2"),
            ("rate_flop_per_s", "1e9"),
            ("g_s_per_byte", "1e-9"),
            ("latency_s", "1e-6"),
        ];
        let lines = keys.map(|(k, v)| format!("{k} = {}\n", if k == key { value } else { v }));
        format!("[[bsp]]\n{}", lines.concat())
    };
    let check = |rest: &str, expected: &str| assert_eq!(with(rest).unwrap_err(), expected, "{rest}");
    check(
        &bsp("latency_s", "-1e-6"),
        "m.toml:10: `latency_s` is -0.000001, but must be a finite number, 0 or more",
    );
    check(
        &bsp("g_s_per_byte", "nan"),
        "m.toml:9: `g_s_per_byte` is NaN, but must be a finite number, 0 or more",
    );
    check(
        &bsp("rate_flop_per_s", "inf"),
        "m.toml:8: `rate_flop_per_s` is inf, but must be a finite number above 0",
    );
    check(
        &bsp("rate_flop_per_s", "0"),
        "m.toml:8: `rate_flop_per_s` is 0, but must be a finite number above 0",
    );
    check(&bsp("processors", "0"), "m.toml:7: `processors` is 0, but must be 1 or more");
    check(&bsp("processors", "-2"), "m.toml:7: invalid value: integer `-2`, expected u64");
    check(
        &bsp("latency_s", "1e-6").replace("latency_s", "latency_us"),
        "m.toml:10: there is no key `latency_us` here: did you mean `latency_s`? Units are parts of the names",
    );
    check(
        &bsp("g_s_per_byte", "1e-6").replace("g_s_per_byte", "g_flop_per_word"),
        "m.toml:9: there is no key `g_flop_per_word` here: did you mean `g_s_per_byte`? Units are parts of the names",
    );
    check(
        &(entry(4, 1e9, 1e-9, 1e-6) + &entry(2, 1e9, 1e-9, 1e-6)),
        "m.toml:12: `processors` is 2 behind 4: sort the `[[bsp]]` entries, each value once",
    );
    check(
        &(entry(4, 1e9, 1e-9, 1e-6) + &entry(4, 1e9, 1e-9, 1e-6)),
        "m.toml:12: `processors` is 4 behind 4: sort the `[[bsp]]` entries, each value once",
    );
    check(
        "[[memory]]\nname = \"L1\"\n[[memory]]\nname = \"main\"\n",
        "m.toml:6: only the last `[[memory]]` level may be without `size_bytes`",
    );
    check(
        "[[operation]]\nname = \"a\"\ntime_s = 1\n[[operation]]\nname = \"a\"\ntime_s = 1\n",
        "m.toml:10: there are two `[[operation]]` entries with the name `a`: keep one",
    );
    check("[[bsp]]\nprocessors = 2\n", "m.toml:6: missing field `rate_flop_per_s`");
    let whole = |text: &str| Machine::parse("m.toml", text).unwrap_err().to_string();
    assert_eq!(
        whole("schema_version = 2\nfoo = 3\n"),
        "m.toml:1: the file has schema_version 2, this program reads 1: get a program of the same age"
    );
    assert_eq!(
        whole(&HEAD.replace("date = \"2026\"\n", "")),
        "m.toml:3: `date` is missing in [provenance] of a machine that was measured: add it"
    );
    assert_eq!(
        whole(&HEAD.replace("\"m\"", "\"two words\"")),
        "m.toml:2: `two words` cannot be a name: write one word without comma, slash, quote and `.toml` at its end"
    );
    assert_eq!(
        whole(&HEAD.replace("kind", "sort")),
        "m.toml:4: there is no key `sort` here: the keys are kind, source, url, date, compiler, flags, host, cpu, \
         transport, repeatability_percent, remarks"
    );
    assert!(whole("").starts_with("m.toml:1: missing field `schema_version`"));
}

/// P = 2 and 8: at 4, half of the way between their logarithms; 6: log(6/2)/log(8/2) = 0.792481.
#[test]
fn parameters_between_and_beyond() {
    let machine = with(&(entry(2, 1e9, 2e-9, 1e-5) + &entry(8, 5e8, 4e-9, 3e-5))).unwrap();
    let check = |processors: f64, rate: f64, g: f64, latency: f64, how: How| {
        let found = machine.parameters(processors).unwrap();
        assert_eq!(found.how, how, "{processors}");
        for (found, expected) in
            [(found.rate_flop_per_s, rate), (found.g_s_per_byte, g), (found.latency_s, latency)]
        {
            assert!((found / expected - 1.0).abs() < 1e-6, "{processors}: {found} {expected}");
        }
    };
    let between = How::Interpolated { between: (2, 8) };
    check(2.0, 1e9, 2e-9, 1e-5, How::Measured);
    check(8.0, 5e8, 4e-9, 3e-5, How::Measured);
    check(4.0, 7.5e8, 3e-9, 2e-5, between);
    check(6.0, 6.037595e8, 3.584962e-9, 2.584962e-5, between);
    check(1.0, 1e9, 2e-9, 1e-5, How::Extrapolated { from: 2 });
    check(64.0, 5e8, 4e-9, 3e-5, How::Extrapolated { from: 8 });
    assert_eq!(machine.parameters(f64::NAN), None);
    assert_eq!(with("").unwrap().parameters(2.0), None);
}

/// The stride 128 is half of the way between the logarithms of 64 and 256.
#[test]
fn access_times() {
    let machine = with(
        "[[memory]]\nname = \"L1\"\nsize_bytes = 32768\ntime_s = 1e-9\nstride = [{ stride_bytes = 64, time_s = 1e-9 }, \
         { stride_bytes = 256, time_s = 3e-9 }]\n[[memory]]\nname = \"main\"\ntime_s = 9e-8\n",
    )
    .unwrap();
    let check = |bytes: f64, stride: Option<u64>, expected: Option<(f64, &str)>| {
        let found = machine.access_time(bytes, stride);
        assert_eq!(found.as_ref().map(|found| found.level.as_str()), expected.map(|(_, level)| level));
        if let (Some(found), Some((time_s, _))) = (found, expected) {
            assert!((found.time_s / time_s - 1.0).abs() < 1e-12, "{bytes} {stride:?} {found:?}");
        }
    };
    check(100.0, None, Some((1e-9, "L1")));
    check(32768.0, None, Some((1e-9, "L1")));
    check(32769.0, None, Some((9e-8, "main")));
    check(100.0, Some(8), Some((1e-9, "L1")));
    check(100.0, Some(64), Some((1e-9, "L1")));
    check(100.0, Some(128), Some((2e-9, "L1")));
    check(100.0, Some(4096), Some((3e-9, "L1")));
    check(1e9, Some(64), None);
}
