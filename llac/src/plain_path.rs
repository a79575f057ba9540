//! Whether two paths are the same file.

/// Whether a run was read from a file, however its path is written.
pub fn is_file_of(run: &call_trace::Run, path: &str) -> bool {
    let plain = plain_path(path);
    run.files.iter().any(|file| plain_path(file) == plain)
}

/// A path without detours: `a.csv` for `./b/../a.csv`.
fn plain_path(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for (place, part) in path.split('/').enumerate() {
        match part {
            "." | "" if place > 0 || part == "." => {}
            ".." if parts.last().is_some_and(|last| !matches!(*last, ".." | "")) => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detours_are_left_out() {
        for (path, plain) in [
            ("a.csv", "a.csv"),
            ("./a.csv", "a.csv"),
            ("b/../a.csv", "a.csv"),
            ("b//c/./a.csv", "b/c/a.csv"),
            ("../a.csv", "../a.csv"),
            ("../../a.csv", "../../a.csv"),
            ("/b/../a.csv", "/a.csv"),
            ("/a.csv", "/a.csv"),
        ] {
            assert_eq!(plain_path(path), plain, "{path}");
        }
    }
}
