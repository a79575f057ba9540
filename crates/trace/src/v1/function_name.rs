use std::fmt;

use cpp_demangle::{DemangleOptions, DemangleWrite, Symbol};

/// As people write it: names of C++ without their parameters, all others as they are. A name that would become too long stays what the
/// compiler has made of it: a short one can stand for gigabytes.
pub(super) fn readable(name: String) -> String {
    if !name.starts_with("_Z") {
        return name;
    }
    let Ok(symbol) = Symbol::new(&name) else { return name };
    let mut text = Short(String::new());
    let options = DemangleOptions::new().no_params().no_return_type();
    match symbol.structured_demangle(&mut text, &options) {
        Ok(()) => text.0,
        Err(_) => name,
    }
}

const LONGEST_BYTES: usize = 1000;

struct Short(String);

impl DemangleWrite for Short {
    fn write_string(&mut self, part: &str) -> fmt::Result {
        if self.0.len() + part.len() > LONGEST_BYTES {
            return Err(fmt::Error);
        }
        self.0.push_str(part);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn names_of_cpp_are_those_of_the_source() {
        let of = |name: &str| readable(name.to_owned());
        assert_eq!(of("_ZN4Comm19reverse_communicateER4Atom"), "Comm::reverse_communicate");
        assert_eq!(of("_Z5solveIdEvT_"), "solve<double>");
        assert_eq!([of("main"), of("_Zebra"), of("_Z")], ["main", "_Zebra", "_Z"]);
        // Each level doubles the parameter: 2^40 of them.
        let doubled: String = (0..40).map(|level| format!("4PairIS{level}_S{level}_E")).collect();
        let bomb = format!("_Z1fI1A{doubled}EvT_");
        assert!(of(&bomb).len() <= bomb.len().max(1000));
    }
}
