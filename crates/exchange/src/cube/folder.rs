//! Values of parameters in names of folders, `PREFIX.p4.n100.r1`, as Extra-P has them.

use crate::Error;

/// The name of the folder of a file.
pub(super) fn name_of(path_name: &str) -> &str {
    path_name.rsplit(['/', '\\']).nth(1).unwrap_or("")
}

/// Names and values of the parameters in the name of the folder of a file: from behind its first point to its last part, the number of the
/// repetition. Between digits, a comma is a point.
pub(super) fn parameters(path_name: &str) -> Result<Vec<(String, f64)>, Error> {
    let folder = name_of(path_name);
    let fail = || Error::NoParametersInName { folder: folder.to_owned() };
    let behind = folder.find('.').map_or(folder, |at| &folder[at + 1..]);
    let text = match folder.find(".r") {
        Some(end) => folder.get(folder.find('.').map_or(0, |at| at + 1)..end).unwrap_or(""),
        None => behind,
    };
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let mut parameters: Vec<(String, f64)> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let name = &rest[..rest.find(is_number).ok_or_else(fail)?];
        let from_number = &rest[name.len()..];
        let end = from_number.find(|c| !is_number(c)).unwrap_or(from_number.len());
        let (number, behind) = from_number.split_at(end);
        let value = number.replace(',', ".").trim_end_matches('.').parse().map_err(|_| fail())?;
        if name.is_empty() || parameters.iter().any(|(known, _)| known == name) || parameters.len() >= 64 {
            return Err(fail());
        }
        parameters.push((name.to_owned(), value));
        rest = behind;
    }
    if parameters.is_empty() { Err(fail()) } else { Ok(parameters) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_say_values_of_parameters() {
        let check = |folder: &str, expected: &[(&str, f64)]| {
            let found = parameters(&format!("runs/{folder}/profile.cubex")).unwrap_or_default();
            let found: Vec<(&str, f64)> = found.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            assert_eq!(found, expected, "{folder}");
        };
        check("mm.p4.n100.r1", &[("p", 4.0), ("n", 100.0)]);
        check("mm.x10y1z1.r1", &[("x", 10.0), ("y", 1.0), ("z", 1.0)]);
        check("x10y1", &[("x", 10.0), ("y", 1.0)]);
        check("mm.x20,5.y2.25,z1,5.r12", &[("x", 20.5), ("y", 2.25), ("z", 1.5)]);
        for none in ["", "mm", "mm.x", "mm.4x.r1", "mm.x1.2.3.r1", "mm.x1x2", "mm.r1"] {
            check(none, &[]);
        }
    }
}
