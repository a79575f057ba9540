use call_grammar::counted;

use crate::Message;

/// So many places are named.
const MOST_NAMED: usize = 3;

/// That places of two runs could be matched otherwise.
pub fn doubtful_places(names: &[String]) -> Option<Message> {
    (!names.is_empty()).then(|| {
        let mut text = names[..names.len().min(MOST_NAMED)].join(", ");
        if let Some(more @ 1..) = names.len().checked_sub(MOST_NAMED) {
            text += &format!(" and {}", counted(more, "further place"));
        }
        let text = format!(
            "lines moved, and another place is nearly as likely to be the same one of the other run: {text}; \
             what the places of a function gain together does not depend on it"
        );
        Message::new("doubtful-places", text)
    })
}
