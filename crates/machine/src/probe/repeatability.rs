use crate::Machine;

/// How far two halves of the rounds are apart, number by number.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Repeatability {
    /// The numbers that both halves have, in the order of the machine file.
    pub numbers: Vec<Repeated>,
}

/// A number of a machine that was measured twice.
#[derive(Debug, Clone, PartialEq)]
pub struct Repeated {
    /// What it is.
    pub what: String,
    /// How far the two measurements are apart, in percent of the one of all rounds.
    pub apart_percent: f64,
}

impl Repeatability {
    /// Compares the halves of a measurement; what is not in all three is left out.
    pub(super) fn of(all: &Machine, first: &Machine, second: &Machine) -> Repeatability {
        let (first, second) = (numbers(first), numbers(second));
        let find = |numbers: &[(String, f64)], what: &str| {
            numbers.iter().find(|(name, _)| name == what).map(|(_, value)| *value)
        };
        let repeated = numbers(all).into_iter().filter_map(|(what, value)| {
            let apart_percent = 100.0 * (find(&first, &what)? - find(&second, &what)?).abs() / value;
            Some(Repeated { what, apart_percent })
        });
        Repeatability { numbers: repeated.collect() }
    }

    /// The largest distance of all numbers.
    pub fn worst(&self) -> Option<&Repeated> {
        self.numbers.iter().max_by(|one, other| one.apart_percent.total_cmp(&other.apart_percent))
    }

    /// With one digit behind the point.
    pub(super) fn worst_percent(&self) -> Option<f64> {
        self.worst().map(|worst| (10.0 * worst.apart_percent).round() / 10.0)
    }

    pub(super) fn remark(&self) -> Option<String> {
        let worst = self.worst()?;
        Some(format!(
            "the first and the second half of the rounds are apart by {:.1} % at most, {}",
            worst.apart_percent, worst.what
        ))
    }
}

/// The numbers of a machine that are times or rates, with their names.
fn numbers(machine: &Machine) -> Vec<(String, f64)> {
    let mut all = Vec::new();
    for entry in &machine.bsp {
        let p = entry.processors;
        all.push((format!("s of {p} processors"), entry.rate_flop_per_s));
        all.push((format!("g of {p} processors"), entry.g_s_per_byte));
        all.push((format!("L of {p} processors"), entry.latency_s));
    }
    for operation in &machine.operations {
        all.push((operation.name.clone(), operation.time_s));
        all.extend(
            operation.dependent_time_s.map(|time_s| (format!("dependent {}", operation.name), time_s)),
        );
    }
    for level in &machine.memory {
        all.extend(level.time_s.map(|time_s| (format!("access to {}", level.name), time_s)));
        all.extend(level.bandwidth_bytes_per_s.map(|rate| (format!("bandwidth of {}", level.name), rate)));
    }
    all
}

/// No measurement is that exact, and the file is for people, too.
const DIGITS: usize = 5;

/// Rounds all measured numbers.
pub fn round(machine: &mut Machine) {
    for entry in &mut machine.bsp {
        let numbers = [&mut entry.rate_flop_per_s, &mut entry.g_s_per_byte, &mut entry.latency_s];
        numbers.into_iter().for_each(shorten);
        let errors = [
            &mut entry.rate_standard_error_flop_per_s,
            &mut entry.g_standard_error_s_per_byte,
            &mut entry.latency_standard_error_s,
        ];
        errors.into_iter().flatten().for_each(shorten);
    }
    for operation in &mut machine.operations {
        shorten(&mut operation.time_s);
        let others = [&mut operation.standard_error_s, &mut operation.dependent_time_s];
        others.into_iter().flatten().for_each(shorten);
    }
    for level in &mut machine.memory {
        let numbers = [&mut level.time_s, &mut level.standard_error_s, &mut level.bandwidth_bytes_per_s];
        numbers.into_iter().flatten().for_each(shorten);
        level.strides.iter_mut().for_each(|stride| shorten(&mut stride.time_s));
    }
    if let Some(tlb) = &mut machine.tlb {
        tlb.miss_time_s.iter_mut().for_each(shorten);
    }
    machine.messages.iter_mut().for_each(|message| shorten(&mut message.time_s));
}

fn shorten(number: &mut f64) {
    // What is printed as a number is one.
    *number = format!("{number:.*e}", DIGITS - 1).parse().unwrap_or(*number);
}
