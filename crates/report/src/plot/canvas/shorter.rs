//! SVG in fewer bytes.

use std::fmt::Write;

/// Polygons with fewer corners stay as they are.
const FEW: usize = 16;

/// Writes polygons of many corners as paths of steps from corner to corner, which takes a third of the bytes.
pub(super) fn with_paths(svg: &str) -> String {
    let mut shorter = String::with_capacity(svg.len());
    for line in svg.split_inclusive('\n') {
        match path(line) {
            Some(path) => shorter.push_str(&path),
            None => shorter.push_str(line),
        }
    }
    shorter
}

fn path(line: &str) -> Option<String> {
    let (attributes, points) = line.strip_prefix("<polygon ")?.split_once("points=\"")?;
    let (points, _) = points.split_once('"')?;
    let corner = |pair: &str| {
        let (x, y) = pair.split_once(',')?;
        Some((x.parse().ok()?, y.parse().ok()?))
    };
    let corners: Vec<(i64, i64)> = points.split_whitespace().map(corner).collect::<Option<_>>()?;
    let first = corners.first().filter(|_| corners.len() > FEW)?;
    let mut path = format!("<path {attributes}d=\"M{},{}", first.0, first.1);
    for pair in corners.windows(2) {
        let (x, y) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        // Writing to a text cannot fail.
        let _ = match (x, y) {
            (0, 0) => Ok(()),
            (x, 0) => write!(path, "h{x}"),
            (0, y) => write!(path, "v{y}"),
            (x, y) => write!(path, "l{x},{y}"),
        };
    }
    path.push_str("z\"/>\n");
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_polygons_become_paths() {
        let corners: Vec<String> = (0..9)
            .flat_map(|k| [(100 + 10 * k, 100 - k % 2), (110 + 10 * k, 100 - k % 2)])
            .map(|(x, y)| format!("{x},{y}"))
            .collect();
        let polygon = |corners: &[String]| {
            format!("<polygon opacity=\"1\" fill=\"#000000\" points=\"{} \"/>\n", corners.join(" "))
        };
        let short = polygon(&corners[..3]);
        let expected = "<path opacity=\"1\" fill=\"#000000\" \
                        d=\"M100,100h10v-1h10v1h10v-1h10v1h10v-1h10v1h10v-1h10v1h10z\"/>\n";
        assert_eq!(with_paths(&format!("{short}{}", polygon(&corners))), format!("{short}{expected}"));
    }

    #[test]
    fn everything_else_stays() {
        let text = "<svg>\n<text>\n&lt;polygon points=\n</text>\n<polygon points=\"a,b\"/>";
        assert_eq!(with_paths(text), text);
    }
}
