//! TextInput PARAMETER, POINTS, REGION, METRIC and DATA.

use call_grammar::excerpt;

use crate::measurements::MOST_PARAMETERS;
use crate::metrics::{Metrics, NO_METRIC, NO_REGION};
use crate::{Error, FileFormat, Imported, PlaceInText, ReadOptions};

/// Whether a text consists of lines of Extra-P: the first one that is no comment says so.
pub(crate) fn is_extra_p(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let Some(first) = lines.next() else { return false };
    let mut words = first.split_whitespace();
    matches!(words.next(), Some("PARAMETER" | "POINTS" | "REGION" | "METRIC")) && words.next().is_some()
        || first.starts_with("PARAMETER ")
}

/// Reads text input.
pub(crate) fn read(path_name: &str, text: &str, options: &ReadOptions) -> Result<Imported, Error> {
    let mut lines = TextInput {
        metrics: Metrics::default(),
        points: Vec::new(),
        region: NO_REGION.to_owned(),
        metric: NO_METRIC.to_owned(),
        next_point: 0,
    };
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            lines.push(line, PlaceInText::Line(number))?;
        }
    }
    if lines.metrics.is_empty() {
        return Err(Error::ExtraPNoData);
    }
    lines.check_points(PlaceInText::Line(text.lines().count() as u64))?;
    lines.metrics.import(FileFormat::ExtraPText, path_name, options)
}

/// What the lines up to here say.
struct TextInput {
    metrics: Metrics,
    points: Vec<Vec<f64>>,
    region: String,
    metric: String,
    /// The point of the next line DATA.
    next_point: usize,
}

impl TextInput {
    fn push(&mut self, line: &str, place: PlaceInText) -> Result<(), Error> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "PARAMETER" => {
                for name in rest.split_whitespace() {
                    let parameters = &mut self.metrics.rows.variables;
                    if parameters.len() >= MOST_PARAMETERS {
                        return Err(Error::Parameters { place, most: MOST_PARAMETERS });
                    }
                    if let Some(first) = parameters.iter().position(|(known, _)| known == name) {
                        let (name, second) = (excerpt(name), parameters.len() + 1);
                        return Err(Error::DuplicateColumn { place, name, first: first + 1, second });
                    }
                    if !self.points.is_empty() {
                        return Err(Error::ExtraPParameters { place, word: "POINTS" });
                    }
                    parameters.push((name.to_owned(), Vec::new()));
                }
            }
            "POINTS" => self.push_points(rest, place)?,
            "REGION" => {
                self.check_points(place)?;
                self.region = rest.to_owned();
                self.next_point = 0;
            }
            "METRIC" => {
                self.check_points(place)?;
                self.metric = rest.to_owned();
                self.next_point = 0;
            }
            "DATA" => self.push_data(rest, place)?,
            _ => return Err(Error::ExtraPWord { place, word: excerpt(word) }),
        }
        Ok(())
    }

    /// A line that is missing would give all behind it the values of other points.
    fn check_points(&self, place: PlaceInText) -> Result<(), Error> {
        let (found, points) = (self.next_point, self.points.len());
        if found == 0 || found == points {
            return Ok(());
        }
        Err(Error::ExtraPMissingData { place, region: excerpt(&self.region), found, points })
    }

    fn push_points(&mut self, text: &str, place: PlaceInText) -> Result<(), Error> {
        let parameters = self.metrics.rows.variables.len();
        if parameters == 0 {
            return Err(Error::ExtraPParameters { place, word: "POINTS" });
        }
        let fail = |text: &str| Error::ExtraPPoint { place, parameters, text: excerpt(text) };
        let numbers = |text: &str| -> Result<Vec<f64>, Error> {
            let words = text.split([' ', '\t', ',', ';']).filter(|word| !word.is_empty());
            words.map(|word| word.parse().map_err(|_| fail(word))).collect()
        };
        if text.contains('(') {
            for part in text.split(')') {
                let part = part.trim_matches([' ', '\t', ',', ';']);
                let Some(inside) = part.strip_prefix('(') else {
                    if part.is_empty() {
                        continue;
                    }
                    return Err(fail(part));
                };
                let point = numbers(inside)?;
                if point.len() != parameters {
                    return Err(fail(inside));
                }
                self.points.push(point);
            }
        } else {
            let all = numbers(text)?;
            // Without brackets, a line is one point of several parameters or many points of one.
            if all.is_empty() || parameters > 1 && all.len() != parameters {
                return Err(fail(text));
            }
            self.points.extend(all.chunks(parameters).map(<[f64]>::to_vec));
        }
        Ok(())
    }

    fn push_data(&mut self, text: &str, place: PlaceInText) -> Result<(), Error> {
        let Some(point) = self.points.get(self.next_point) else {
            return Err(Error::ExtraPData { place, points: self.points.len() });
        };
        let (region, metric) =
            (self.metrics.regions.number(&self.region), self.metrics.metrics.number(&self.metric));
        for word in text.split([' ', '\t', ',', ';']).filter(|word| !word.is_empty()) {
            let value = word.parse().map_err(|_| Error::Number {
                place,
                column: "DATA".to_owned(),
                text: excerpt(word),
            })?;
            self.metrics.push(region, metric, point, value, place);
        }
        self.next_point += 1;
        Ok(())
    }
}
