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
