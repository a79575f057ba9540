use crate::message::sentences;
use crate::{Markup, Message, Page, Style};

/// What a command has to show.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CommandOutcome {
    /// The result.
    pub value: Markup,
    /// What was done that the user may not expect.
    pub notes: Vec<Message>,
    /// What the user should beware of.
    pub warnings: Vec<Message>,
    /// Whether the session ends.
    pub quit: bool,
    /// Whether a question has an answer.
    pub answer: AnswerStatus,
    /// Whether the answer is that of a gate, which later commands do not take back.
    pub is_gate: bool,
}

/// Whether a question has an answer; what is no question has given what it was asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AnswerStatus {
    /// It has.
    #[default]
    Given,
    /// What was asked for does not exist: the exit status is 1.
    No,
    /// What there is does not tell: the exit status is 3.
    Unknown,
}

impl CommandOutcome {
    /// A result without warnings.
    pub fn of(value: Markup) -> CommandOutcome {
        CommandOutcome { value, ..CommandOutcome::default() }
    }

    /// A result that is one line of text.
    pub(crate) fn line(text: impl Into<String>) -> CommandOutcome {
        let mut markup = Markup::new();
        markup.line(Style::Plain, text);
        CommandOutcome::of(markup)
    }

    /// Whether nothing was asked and nothing is shown, as by an empty line.
    pub fn is_silent(&self) -> bool {
        self.answer == AnswerStatus::Given && self.value.blocks().is_empty()
    }

    /// The result, then notes and warnings, for a page.
    pub fn render(&self, page: &Page) -> String {
        self.value.render(page) + &self.render_remarks(page)
    }

    /// Notes and warnings alone.
    pub fn render_remarks(&self, page: &Page) -> String {
        let mut markup = Markup::new();
        let notes = sentences(&self.notes).map(|note| (Style::Name, "note:", note));
        let warnings = sentences(&self.warnings).map(|warning| (Style::Warning, "warning:", warning));
        for (style, label, text) in notes.chain(warnings) {
            markup.fragments([(style, label.to_owned()), (Style::Plain, format!(" {text}"))]);
        }
        markup.render(page)
    }

    /// Result and warnings without styles, for a narrow terminal.
    pub fn to_plain_text(&self) -> String {
        self.render(&Page::plain(Page::NARROW))
    }
}
