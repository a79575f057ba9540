use std::collections::HashMap;
use std::fmt;

use crate::ordered::ordered;
use crate::reader::FormulaReader;
use crate::spelling::{Spelling, names, sign_before};
use crate::syntax::{SyntaxNode, SyntaxNodeKind, constants};
use crate::token::tokens;
use crate::{Error, Expression, Notation, Quotient, Sign, Span, Variable, VariableId};

/// The `k` of a constant `f[k]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CoefficientId(pub u32);

/// The name of the constants in the formula of an experiment: its own, or of a call path such as `main/solve` or `main/solve:visits` that of
/// the last call.
pub fn constants_of(experiment: &str) -> &str {
    let last = experiment.rsplit('/').next().unwrap_or(experiment);
    last.split(':').next().unwrap_or(last)
}

/// One constant of the experiment times an expression without constants.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// The `k` of the constant.
    pub coefficient: CoefficientId,
    /// What multiplies it; the number 1 in a bare constant.
    pub basis: Expression,
}

/// A complexity formula in canonical form: a sum of terms (paper, section 3). Nothing else can be constructed.
#[derive(Debug, Clone)]
pub struct Formula {
    experiment: String,
    variables: Vec<Variable>,
    terms: Vec<Term>,
}

impl Formula {
    /// Parses the formula of an experiment.
    ///
    /// # Errors
    /// All errors of the text, with spans that count bytes of it.
    pub fn parse(experiment: &str, text: &str) -> Result<Formula, Vec<Error>> {
        Formula::parse_in(Notation::C, experiment, text)
    }

    /// Parses a formula that is spelt otherwise than in C.
    ///
    /// # Errors
    /// As [`Formula::parse`].
    pub fn parse_in(notation: Notation, experiment: &str, text: &str) -> Result<Formula, Vec<Error>> {
        let (tokens, mut errors) = tokens(text.as_bytes(), Span::new(0, text.len()));
        let reader = FormulaReader::new(text.as_bytes(), &tokens, constants_of(experiment));
        let formula = reader.formula(notation).map_err(|error| errors.push(error)).ok();
        let formula = formula.and_then(|node| Formula::canonical(experiment, &node, &mut errors));
        match formula {
            Some(formula) if errors.is_empty() => Ok(formula),
            _ => Err(errors),
        }
    }

    /// The canonical form of a formula as written.
    pub(crate) fn canonical(experiment: &str, node: &SyntaxNode, errors: &mut Vec<Error>) -> Option<Formula> {
        let before = errors.len();
        let mut builder = Builder::new(constants_of(experiment));
        builder.add(Sign::Plus, node, errors);
        (errors.len() == before).then(|| Formula {
            experiment: experiment.to_owned(),
            variables: builder.variables,
            terms: builder.terms,
        })
    }

    /// The same formula for an experiment of another name, whose constants it then has.
    pub fn renamed(self, experiment: &str) -> Formula {
        Formula { experiment: experiment.to_owned(), ..self }
    }

    /// The same formula with other names for its variables; those that get the same name become one.
    #[must_use]
    pub fn with_variables(self, name: impl Fn(&str) -> String) -> Formula {
        let mut builder = Builder::new(constants_of(&self.experiment));
        let new: Vec<VariableId> =
            self.variables.iter().map(|old| builder.variable(&name(&old.name), old.first_use)).collect();
        let term = |term: &Term| Term { basis: term.basis.with_variables(&new), ..*term };
        Formula { terms: self.terms.iter().map(term).collect(), variables: builder.variables, ..self }
    }

    /// The same formula in one spelling for all that differ in the order of terms, factors and items alone, or by factors of 1. Its terms stand in the
    /// order of their constants.
    #[must_use]
    pub fn in_order(&self) -> Formula {
        let names = names(&self.variables);
        let term = |term: &Term| Term { basis: ordered(&term.basis, &names), ..*term };
        let mut terms: Vec<Term> = self.terms.iter().map(term).collect();
        terms.sort_by_key(|term| term.coefficient);
        Formula { terms, ..self.clone() }
    }

    /// Name of the experiment; [`constants_of`] it is the name of its constants.
    pub fn experiment(&self) -> &str {
        &self.experiment
    }

    /// The variables in order of their first use.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The terms as written, from left to right; at least one, no constant twice.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Whether its terms go without jumps, bends and waves.
    pub fn is_smooth(&self) -> bool {
        self.terms.iter().all(|term| term.basis.is_smooth())
    }

    /// One of its expressions as text that parses back to it.
    pub fn text_of(&self, expression: &Expression) -> String {
        Spelling::of_formulas(&names(&self.variables)).write(expression)
    }
}

impl fmt::Display for Formula {
    /// Canonical spelling: equal formulas print alike, and what is printed parses back to the same formula.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = names(&self.variables);
        let spelling = Spelling::of_formulas(&names);
        for (position, term) in self.terms.iter().enumerate() {
            let (negative, basis) = match &term.basis {
                Expression::Negate(inside) => (true, inside.as_ref()),
                basis => (false, basis),
            };
            out.write_str(sign_before(position == 0, negative))?;
            write!(out, "{}[{}]", constants_of(&self.experiment), term.coefficient.0)?;
            match basis {
                Expression::Number(1.0) => {}
                Expression::Product(items) => {
                    let quotient_only = items[0] == (Quotient::Times, Expression::Number(1.0))
                        && items.get(1).is_some_and(|(operator, _)| *operator == Quotient::Over);
                    for (operator, item) in items.iter().skip(usize::from(quotient_only)) {
                        out.write_str(if *operator == Quotient::Times { "*" } else { "/" })?;
                        out.write_str(&spelling.operand(item))?;
                    }
                }
                basis => write!(out, "*{}", spelling.operand(basis))?,
            }
        }
        Ok(())
    }
}

pub(crate) struct Builder<'a> {
    experiment: &'a str,
    pub(crate) variables: Vec<Variable>,
    by_name: HashMap<String, VariableId>,
    terms: Vec<Term>,
    first_place: HashMap<CoefficientId, Span>,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(experiment: &'a str) -> Builder<'a> {
        Builder {
            experiment,
            variables: Vec::new(),
            by_name: HashMap::new(),
            terms: Vec::new(),
            first_place: HashMap::new(),
        }
    }

    /// Adds the terms of a sum, however it is parenthesised.
    fn add(&mut self, sign: Sign, node: &SyntaxNode, errors: &mut Vec<Error>) {
        match &node.kind {
            SyntaxNodeKind::Sum(items) => {
                for (item_sign, item) in items {
                    let sign = if *item_sign == sign { Sign::Plus } else { Sign::Minus };
                    self.add(sign, item, errors);
                }
            }
            SyntaxNodeKind::Negate(inside) => {
                self.add(sign.flipped(), inside, errors);
            }
            _ => self.add_term(sign, node, errors),
        }
    }

    fn add_term(&mut self, sign: Sign, node: &SyntaxNode, errors: &mut Vec<Error>) {
        let mut found = Vec::new();
        constants(node, &mut found);
        match found[..] {
            [] => {
                let experiment = self.experiment.to_owned();
                let free = 1 + self.terms.iter().map(|term| term.coefficient.0).max().unwrap_or(0);
                errors.push(Error::NoConstant { span: node.span, experiment, free });
            }
            [(index, place)] => match self.strip(node) {
                Err(error) => errors.push(error),
                Ok((inner_sign, basis)) => {
                    let coefficient = CoefficientId(index);
                    if let Some(first) = self.first_place.insert(coefficient, place) {
                        errors.push(Error::ConstantTwice { span: place, first });
                    }
                    let basis = basis.unwrap_or(Expression::Number(1.0));
                    let basis = if sign == inner_sign { basis } else { basis.negated() };
                    self.terms.push(Term { coefficient, basis });
                }
            },
            [(_, first), (_, second), ..] => errors.push(Error::TwoConstants { span: second, first }),
        }
    }

    /// Removes the one constant from a term and tells the sign in front of it; `None` means that nothing else is left.
    fn strip(&mut self, node: &SyntaxNode) -> Result<(Sign, Option<Expression>), Error> {
        match &node.kind {
            SyntaxNodeKind::Constant(_) => Ok((Sign::Plus, None)),
            SyntaxNodeKind::Negate(inside) => self.strip(inside).map(|(sign, basis)| (sign.flipped(), basis)),
            SyntaxNodeKind::Product(items) => self.strip_product(items),
            SyntaxNodeKind::Sum(_) => Err(Error::ConstantInSum { span: node.span }),
            SyntaxNodeKind::Call(function, _) => {
                let span = crate::syntax::first_constant(node).unwrap_or(node.span);
                Err(Error::ConstantInFunction { span, name: function.name() })
            }
            SyntaxNodeKind::Number(_) | SyntaxNodeKind::Variable(_) | SyntaxNodeKind::Condition(_) => {
                Ok((Sign::Plus, Some(self.lower(node))))
            }
        }
    }

    fn strip_product(
        &mut self,
        items: &[(Quotient, SyntaxNode)],
    ) -> Result<(Sign, Option<Expression>), Error> {
        let mut sign = Sign::Plus;
        let mut kept: Vec<(Quotient, Expression)> = Vec::new();
        for (operator, item) in items {
            let Some(constant) = crate::syntax::first_constant(item) else {
                let expression = self.lower(item);
                kept.push((*operator, expression));
                continue;
            };
            if *operator == Quotient::Over {
                return Err(Error::ConstantInDenominator { span: constant });
            }
            let (item_sign, basis) = self.strip(item)?;
            sign = item_sign;
            match basis {
                None => {}
                Some(Expression::Product(inner)) => kept.extend(inner),
                Some(basis) => kept.push((Quotient::Times, basis)),
            }
        }
        if kept.first().is_some_and(|(operator, _)| *operator == Quotient::Over) {
            kept.insert(0, (Quotient::Times, Expression::Number(1.0)));
        }
        let basis = match kept.len() {
            0 => None,
            1 => kept.pop().map(|(_, basis)| basis),
            _ => Some(Expression::Product(kept)),
        };
        Ok((sign, basis))
    }

    /// An expression without constants.
    pub(crate) fn lower(&mut self, node: &SyntaxNode) -> Expression {
        match &node.kind {
            SyntaxNodeKind::Number(value) => Expression::Number(*value),
            SyntaxNodeKind::Variable(name) => Expression::Variable(self.variable(name, node.span)),
            SyntaxNodeKind::Call(function, arguments) => {
                Expression::Call(*function, arguments.iter().map(|argument| self.lower(argument)).collect())
            }
            SyntaxNodeKind::Negate(inside) => self.lower(inside).negated(),
            SyntaxNodeKind::Sum(items) => {
                Expression::Sum(items.iter().map(|(sign, item)| (*sign, self.lower(item))).collect())
            }
            SyntaxNodeKind::Product(items) => Expression::Product(
                items.iter().map(|(operator, item)| (*operator, self.lower(item))).collect(),
            ),
            SyntaxNodeKind::Constant(_) => unreachable!("constants are stripped before"),
            SyntaxNodeKind::Condition(_) => unreachable!("conditions are no quantities"),
        }
    }

    fn variable(&mut self, name: &str, span: Span) -> VariableId {
        if let Some(id) = self.by_name.get(name) {
            return *id;
        }
        let id = VariableId(self.variables.len());
        self.variables.push(Variable { name: name.to_owned(), first_use: span });
        self.by_name.insert(name.to_owned(), id);
        id
    }
}
