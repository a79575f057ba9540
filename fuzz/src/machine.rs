//! Any text as a machine file: read or refused, and what is read prints as a file of the same machine.

use call_machine::Machine;

pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let machine = match Machine::parse("m.toml", text) {
        Ok(machine) => machine,
        Err(error) => return drop(error.to_string()),
    };
    let printed = machine.to_toml();
    let again = Machine::parse("m.toml", &printed);
    assert_eq!(again.as_ref(), Ok(&machine), "{printed}");
    for processors in [0.0, 1.0, 3.0, 1e9] {
        if let Some(found) = machine.parameters(processors) {
            assert!(found.g_s_per_byte.is_finite() && found.latency_s.is_finite());
        }
    }
    for bytes in [0.0, 1.0, 4096.0, 1e300] {
        machine.memory_level(bytes);
    }
}
