/// A function that formulas may call, with C's meaning on doubles.
#[derive(Debug, Clone, Copy)]
pub struct Function {
    name: &'static str,
    body: FunctionBody,
}

#[derive(Debug, Clone, Copy)]
enum FunctionBody {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
}

const fn one(name: &'static str, body: fn(f64) -> f64) -> Function {
    Function { name, body: FunctionBody::One(body) }
}

const fn two(name: &'static str, body: fn(f64, f64) -> f64) -> Function {
    Function { name, body: FunctionBody::Two(body) }
}

/// The list that `call.ebnf` quotes; a test compares the two.
const FUNCTIONS: &[Function] = &[
    one("log", f64::ln),
    one("log2", f64::log2),
    one("log10", f64::log10),
    one("log1p", f64::ln_1p),
    one("exp", f64::exp),
    one("exp2", f64::exp2),
    one("expm1", f64::exp_m1),
    one("sqrt", f64::sqrt),
    one("cbrt", f64::cbrt),
    one("fabs", f64::abs),
    one("abs", f64::abs),
    one("ceil", f64::ceil),
    one("floor", f64::floor),
    one("round", f64::round),
    one("trunc", f64::trunc),
    one("sin", f64::sin),
    one("cos", f64::cos),
    one("tan", f64::tan),
    one("atan", f64::atan),
    one("sinh", f64::sinh),
    one("cosh", f64::cosh),
    one("tanh", f64::tanh),
    Function::POWER,
    two("fmod", |x, y| x % y),
    two("hypot", f64::hypot),
    two("atan2", f64::atan2),
    two("min", f64::min),
    two("fmin", f64::min),
    two("max", f64::max),
    two("fmax", f64::max),
];

/// Those that jump, bend or swing, so that what happens between two values of a variable may be over before the second one.
const UNSTEADY: &[&str] = &[
    "fabs", "abs", "ceil", "floor", "round", "trunc", "sin", "cos", "tan", "fmod", "min", "fmin", "max",
    "fmax",
];

impl Function {
    /// What powers are calls of.
    pub(crate) const POWER: Function = two("pow", f64::powf);

    /// The function of that name, if formulas know one.
    pub fn named(name: &str) -> Option<Function> {
        FUNCTIONS.iter().copied().find(|function| function.name == name)
    }

    /// The names of all functions.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FUNCTIONS.iter().map(|function| function.name)
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Whether it goes without jumps, bends and waves.
    pub fn is_smooth(&self) -> bool {
        !UNSTEADY.contains(&self.name)
    }

    /// How many arguments it takes.
    pub fn arity(&self) -> usize {
        match self.body {
            FunctionBody::One(_) => 1,
            FunctionBody::Two(_) => 2,
        }
    }

    /// Its value; missing arguments count as NaN (the parser has checked their number).
    pub fn apply(&self, mut arguments: impl Iterator<Item = f64>) -> f64 {
        let mut next = || arguments.next().unwrap_or(f64::NAN);
        match self.body {
            FunctionBody::One(function) => function(next()),
            FunctionBody::Two(function) => {
                let first = next();
                function(first, next())
            }
        }
    }
}

/// How the operators and functions of a formula are spelt. What a C program says is in [`Notation::C`]; the others are for what
/// people write elsewhere, and are those of the traces of CALL 1.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Notation {
    /// As in C, which has no operator for powers.
    #[default]
    C,
    /// Besides, `^` and `**` are powers, and functions have also the names of [`Notation::function`].
    Powers,
    /// The same with operators and functions behind their operands, `f[0] f[1] N log * +`; `~` and `NEG` change the sign.
    Postfix,
}

/// Other names that functions have in mathematics and in other languages.
const SYNONYMS: &[(&str, &str)] =
    &[("ln", "log"), ("loge", "log"), ("lg", "log2"), ("ld", "log2"), ("power", "pow")];

impl Notation {
    /// The function of a name. But for C, small and large letters are the same, and `ln`, `loge`, `lg`, `ld` and `power` are
    /// known.
    pub fn function(self, name: &str) -> Option<Function> {
        if self == Notation::C {
            return Function::named(name);
        }
        let name = name.to_ascii_lowercase();
        let synonym = SYNONYMS.iter().find(|(synonym, _)| *synonym == name);
        Function::named(synonym.map_or(name.as_str(), |(_, name)| name))
    }
}

impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_file_lists_the_same_functions() {
        let grammar = include_str!("../call.ebnf");
        let rule = grammar.split("\nfunction ").nth(1).and_then(|rest| rest.split(';').next()).unwrap();
        let listed: Vec<&str> = rule.split('"').skip(1).step_by(2).collect();
        assert_eq!(listed, Function::names().collect::<Vec<_>>());
    }
}
