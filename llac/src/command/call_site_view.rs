//! How places of recorded calls, and numbers of processors, are shown.

use call_trace::CallSite;

/// `bsp_sync a.c:9`.
pub fn name_of(place: &CallSite) -> String {
    match &place.position {
        Some(position) => format!("{} {}:{}", place.call, position.file, position.line),
        None => place.call.clone(),
    }
}

/// `exchange < main`; empty where nothing is known.
pub fn stack_of(place: &CallSite) -> String {
    place.call_stack.join(" < ")
}

/// `1-3,7` of ascending numbers.
pub fn ranges(numbers: &[u64]) -> String {
    let mut parts: Vec<(u64, u64)> = Vec::new();
    for number in numbers {
        match parts.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(*number) => *last = *number,
            _ => parts.push((*number, *number)),
        }
    }
    let text = |(first, last): &(u64, u64)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    parts.iter().map(text).collect::<Vec<_>>().join(",")
}

/// So many ranges stand in a sentence; tables have all.
const MOST_RANGES: usize = 16;

/// The same, for sentences: `0,2,4,… (2048 in all)` where there are many gaps.
pub fn first_ranges(numbers: &[u64]) -> String {
    let text = ranges(numbers);
    match text.match_indices(',').nth(MOST_RANGES - 1) {
        Some((end, _)) => format!("{},… ({} in all)", &text[..end], numbers.len()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_of_numbers_are_short() {
        let all: Vec<u64> = (0..4096).collect();
        let even: Vec<u64> = (0..4096).step_by(2).collect();
        assert_eq!([ranges(&all), first_ranges(&all)], ["0-4095", "0-4095"]);
        assert_eq!([ranges(&[0, 2, 3, 7]), first_ranges(&[0, 2, 3, 7])], ["0,2-3,7", "0,2-3,7"]);
        assert_eq!(first_ranges(&even), "0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,… (2048 in all)");
        assert_eq!(first_ranges(&even[..16]), "0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30");
    }
}
