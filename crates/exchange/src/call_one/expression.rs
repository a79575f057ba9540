//! Formulas of CALL 1.0 as those of this project: powers become calls of `pow`, other spellings of functions C's.

use call_grammar::Function;

/// Deeper nesting is nobody's formula.
const DEEPEST: usize = 100;

/// How tightly the outermost operator of a text binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Sum,
    Product,
    Sign,
    Primary,
}

/// A part of a formula.
#[derive(Debug, Clone)]
pub(super) struct Part {
    text: String,
    level: Level,
}

impl Part {
    pub(super) fn primary(text: String) -> Part {
        Part { text, level: Level::Primary }
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// The text, in parentheses if it binds less tightly.
    fn at_least(&self, level: Level) -> String {
        if self.level >= level { self.text.clone() } else { format!("({})", self.text) }
    }

    /// Two parts with an operator between them; `None` if there is no such operator.
    pub(super) fn binary(operator: &str, left: &Part, right: &Part) -> Option<Part> {
        let (level, tighter) = match operator {
            "+" | "-" => (Level::Sum, Level::Product),
            "*" | "/" => (Level::Product, Level::Sign),
            "^" | "**" => return Part::call("pow", &[left.clone(), right.clone()]),
            _ => return None,
        };
        let text = format!("{}{operator}{}", left.at_least(level), right.at_least(tighter));
        Some(Part { text, level })
    }

    pub(super) fn negative(&self) -> Part {
        Part { text: format!("-{}", self.at_least(Level::Primary)), level: Level::Sign }
    }

    /// A call of a function; `None` if formulas know none of that name with so many arguments.
    pub(super) fn call(name: &str, arguments: &[Part]) -> Option<Part> {
        let function = function_named(name)?;
        let texts: Vec<&str> = arguments.iter().map(|part| part.text.as_str()).collect();
        (function.arity() == texts.len())
            .then(|| Part::primary(format!("{}({})", function.name(), texts.join(", "))))
    }
}

/// The function of a name in any spelling.
pub(super) fn function_named(name: &str) -> Option<Function> {
    let name = name.to_ascii_lowercase();
    Function::named(match name.as_str() {
        "ln" | "loge" => "log",
        "lg" | "ld" => "log2",
        "power" => "pow",
        other => other,
    })
}

/// Spells an expression as C does. `rename` gives the names of variables.
pub(super) fn in_c(text: &str, rename: &dyn Fn(&str) -> String) -> Option<String> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, next: 0, depth: 0, rename };
    let part = parser.sum()?;
    (parser.next == tokens.len()).then(|| part.into_text())
}

/// Words, numbers and symbols.
fn tokens(text: &str) -> Option<Vec<&str>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_ascii_digit() || first == '.' {
            number_length(rest)
        } else if first.is_ascii_alphabetic() || first == '_' {
            rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()
        } else if rest.starts_with("**") || rest.starts_with("->") {
            2
        } else if "+-*/^()[],".contains(first) {
            1
        } else {
            return None;
        };
        let (token, behind) = rest.split_at(length);
        tokens.push(token);
        rest = behind.trim_start();
    }
    Some(tokens)
}

fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(|byte| byte.is_ascii_digit() || *byte == b'.') {
            at += 1;
        }
        at
    };
    let end = digits(0);
    if !matches!(bytes.get(end), Some(b'e' | b'E')) {
        return end.max(1);
    }
    let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
    let exponent = digits(end + 1 + sign);
    if exponent > end + 1 + sign { exponent } else { end.max(1) }
}

struct Parser<'a> {
    tokens: &'a [&'a str],
    next: usize,
    depth: usize,
    rename: &'a dyn Fn(&str) -> String,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> &'a str {
        self.tokens.get(self.next).copied().unwrap_or("")
    }

    fn take(&mut self, token: &str) -> Option<()> {
        (self.peek() == token).then(|| self.next += 1)
    }

    fn sum(&mut self) -> Option<Part> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut left = self.product()?;
        while let operator @ ("+" | "-") = self.peek() {
            self.next += 1;
            left = Part::binary(operator, &left, &self.product()?)?;
        }
        self.depth -= 1;
        Some(left)
    }

    fn product(&mut self) -> Option<Part> {
        let mut left = self.unary()?;
        while let operator @ ("*" | "/") = self.peek() {
            self.next += 1;
            left = Part::binary(operator, &left, &self.unary()?)?;
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<Part> {
        let mut is_negative = false;
        while let sign @ ("+" | "-") = self.peek() {
            is_negative ^= sign == "-";
            self.next += 1;
        }
        let part = self.power()?;
        Some(if is_negative { part.negative() } else { part })
    }

    /// `a^b^c` is `a^(b^c)`.
    fn power(&mut self) -> Option<Part> {
        let base = self.primary()?;
        let operator = self.peek();
        if !matches!(operator, "^" | "**") {
            return Some(base);
        }
        self.next += 1;
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let exponent = self.unary()?;
        self.depth -= 1;
        Part::binary(operator, &base, &exponent)
    }

    fn primary(&mut self) -> Option<Part> {
        let token = self.peek();
        self.next += 1;
        match token.chars().next()? {
            '(' => {
                let inside = self.sum()?;
                self.take(")")?;
                Some(inside)
            }
            first if first.is_ascii_digit() || first == '.' => Some(Part::primary(token.to_owned())),
            first if first.is_ascii_alphabetic() || first == '_' => {
                if self.take("(").is_some() {
                    let mut arguments = vec![self.sum()?];
                    while self.take(",").is_some() {
                        arguments.push(self.sum()?);
                    }
                    self.take(")")?;
                    return Part::call(token, &arguments);
                }
                self.variable(token)
            }
            _ => None,
        }
    }

    /// A variable or a constant with what stands behind its name.
    fn variable(&mut self, name: &str) -> Option<Part> {
        let mut text = (self.rename)(name);
        loop {
            if self.take("[").is_some() {
                let index = self.sum()?;
                self.take("]")?;
                text = format!("{text}[{}]", index.into_text());
            } else if self.take("->").is_some() {
                text = format!("{text}->{}", self.peek());
                self.next += 1;
            } else if self.peek().starts_with('.') && self.peek().len() > 1 {
                text.push_str(self.peek());
                self.next += 1;
            } else {
                return Some(Part::primary(text));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(in_c(text, &|name| name.to_owned()).as_deref(), Some(expected), "{text}");
    }

    #[test]
    fn powers_become_calls() {
        check("k[0] + k[1]*N^2", "k[0]+k[1]*pow(N, 2)");
        check("k[0]*(N+1)**-0.5", "k[0]*pow(N+1, -0.5)");
        check("N^2^3", "pow(N, pow(2, 3))");
        check("-N^2", "-pow(N, 2)");
        check("k[0]*ln(N)*LOG(P)/SQRT(2)", "k[0]*log(N)*log(P)/sqrt(2)");
    }

    #[test]
    fn what_belongs_together_stays_together() {
        check("a-(b-c)", "a-(b-c)");
        check("a/(b*c)", "a/(b*c)");
        check("(a+b)*c", "(a+b)*c");
        check("((a))*-(b+c)", "a*-(b+c)");
        check("m->rows*x[i+1]*1.5e-3", "m->rows*x[i+1]*1.5e-3");
    }

    #[test]
    fn what_is_no_formula_is_refused() {
        for text in ["", "a+", "a b", "f(", "f(a)", "log(a, b)", "a[", "a @ b", "a=b", "1 2"] {
            assert_eq!(in_c(text, &|name| name.to_owned()), None, "{text}");
        }
        assert_eq!(in_c(&"(".repeat(1_000_000), &|name| name.to_owned()), None);
        assert_eq!(in_c(&"2^".repeat(1_000_000), &|name| name.to_owned()), None);
    }
}
