use crate::Machine;

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
