/// A tree of names, each with lines of text beside it, such as its numbers. The names get the room that there is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    rows: Vec<OutlineRow>,
}

/// A name in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineRow {
    /// What stands before the name, as deep as it lies.
    pub start: String,
    /// The name; of a long one the end is shown.
    pub name: String,
    /// What stands behind it, and below that.
    pub lines: Vec<String>,
}

/// Characters of names with what stands before them, at least.
const LEAST_NAME_WIDTH: usize = 27;

impl Outline {
    /// Adds a row.
    pub fn push(&mut self, row: OutlineRow) {
        self.rows.push(row);
    }

    /// Lines of so many characters, or of what the narrowest names need.
    pub fn render(&self, width: usize) -> String {
        let characters = |text: &str| text.chars().count();
        let widest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
        let behind = widest(&mut self.rows.iter().flat_map(|row| &row.lines).map(|line| characters(line)));
        let names = widest(&mut self.rows.iter().map(|row| characters(&row.start) + characters(&row.name)));
        // Some terminals break a line that fills them.
        let name_width = names.min(width.saturating_sub(behind + 1)).max(LEAST_NAME_WIDTH);
        let mut text = String::new();
        for row in &self.rows {
            let mut label = row.label(name_width);
            for line in &row.lines {
                let line = format!("{label:name_width$}{line}");
                // Nothing stands where there are neither names nor numbers.
                if !line.trim_end().is_empty() {
                    text.push_str(line.trim_end());
                    text.push('\n');
                }
                label.clear();
            }
        }
        text
    }
}

impl OutlineRow {
    fn label(&self, width: usize) -> String {
        let room = width.saturating_sub(self.start.chars().count()).max(1);
        let length = self.name.chars().count();
        // One line stays one; what else terminals obey is taken out of all texts.
        let shown = |c: char| if c.is_control() { '\u{fffd}' } else { c };
        let name: String = match length <= room {
            true => self.name.chars().map(shown).collect(),
            false => ['…'].into_iter().chain(self.name.chars().skip(length - room + 1).map(shown)).collect(),
        };
        format!("{}{name}", self.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As wide as the page, and no wider than the names are.
    #[test]
    fn names_get_the_room_that_there_is() {
        let name = "a_procedure_with_a_name_that_is_long_indeed";
        let mut outline = Outline::default();
        let row = |start: &str, name: &str, lines: &[&str]| OutlineRow {
            start: start.to_owned(),
            name: name.to_owned(),
            lines: lines.iter().map(|line| (*line).to_owned()).collect(),
        };
        outline.push(row("", "call", &["  seconds", ""]));
        outline.push(row("  · ", name, &["       12", "       34"]));
        let at = |width: usize| outline.render(width);
        for (width, shown) in [(0, "  · …me_that_is_long_indeed"), (40, "  · …_name_that_is_long_indeed")]
        {
            assert!(at(width).contains(shown), "{}", at(width));
        }
        for line in at(45).lines() {
            assert!(line.chars().count() < 45, "{line}");
        }
        let whole =
            format!("call{}  seconds\n  · {name}       12\n{}       34\n", " ".repeat(43), " ".repeat(47));
        assert_eq!([at(57), at(200), at(usize::MAX)], [whole.clone(), whole.clone(), whole]);
    }
}
