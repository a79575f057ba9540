//! Postfix notation: `k[0] k[1] N * +`.

use super::expression::{Part, function_named};

/// Spells an expression in postfix notation as C does. `rename` gives the names of variables.
pub(super) fn in_c(text: &str, rename: &dyn Fn(&str) -> String) -> Option<String> {
    let mut stack: Vec<Part> = Vec::new();
    for word in text.split_whitespace() {
        let part = match (word, function_named(word)) {
            ("+" | "-" | "*" | "/" | "^" | "**", _) => {
                let (right, left) = (stack.pop()?, stack.pop()?);
                Part::binary(word, &left, &right)?
            }
            ("~" | "NEG" | "neg", _) => stack.pop()?.negative(),
            (_, Some(function)) => {
                let at = stack.len().checked_sub(function.arity())?;
                let arguments = stack.split_off(at);
                Part::call(word, &arguments)?
            }
            _ => Part::primary(operand(word, rename)?),
        };
        // Texts double with each step of `a dup *`, which nobody writes.
        stack.push(part);
    }
    let last = stack.pop()?;
    stack.is_empty().then(|| last.into_text())
}

fn operand(word: &str, rename: &dyn Fn(&str) -> String) -> Option<String> {
    let is_name = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if is_name {
        let end = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(word.len());
        return Some(format!("{}{}", rename(&word[..end]), &word[end..]));
    }
    word.parse::<f64>().ok().map(|_| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_stand_behind_their_operands() {
        let check = |text: &str| in_c(text, &|name| name.to_owned());
        assert_eq!(check("k[0] k[1] N * +").as_deref(), Some("k[0]+k[1]*N"));
        assert_eq!(check("k[0] N 1 - 2 ^ * P log *").as_deref(), Some("k[0]*pow(N-1, 2)*log(P)"));
        for wrong in ["", "+", "a b", "a +", "a b c +", "log", "a ] +"] {
            assert_eq!(check(wrong), None, "{wrong}");
        }
    }
}
