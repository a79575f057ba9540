//! Which functions keep an address that they are handed: they put it where it is found when they have returned.

use std::collections::{BTreeSet, HashMap};

use fixedbitset::FixedBitSet;
use foldhash::fast::FixedState;
use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, Declaration, DeclarationSpecifier, Expression,
    FunctionDefinition, Initializer, StorageClassSpecifier, UnaryOperator,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use super::handed::Called;
use super::place::{is_assignment, path_of, root_of};
use crate::c::types::declared_name;

/// What one function does with addresses.
#[derive(Default)]
struct Handling {
    /// Each of its own variables with what it is given.
    given: Vec<(String, String)>,
    /// What is put elsewhere.
    stored: BTreeSet<String>,
    declared: BTreeSet<String>,
    lasting: BTreeSet<String>,
}

/// A function whose keeping is asked for.
pub struct Keeper<'p> {
    parameters: Vec<&'p str>,
    handling: Handling,
    /// What it hands over to which parameter of another function.
    passed_on: Vec<(String, (usize, usize))>,
}

/// The positions of the parameters that are kept.
pub struct KeptParameters {
    pub of_functions: Vec<FixedBitSet>,
    /// By any function that a pointer may name.
    pub by_pointers: FixedBitSet,
}

impl KeptParameters {
    /// Those that functions keep, also by handing them on.
    pub fn of(functions: &[Keeper], addressed: &[usize]) -> KeptParameters {
        let origins: Vec<_> = functions.iter().map(Keeper::origins).collect();
        let mut kept: Vec<FixedBitSet> = functions
            .iter()
            .zip(&origins)
            .map(|(function, origins)| {
                let stored = function.handling.stored.iter().filter_map(|name| origins.get(name.as_str()));
                stored.flatten().copied().collect()
            })
            .collect();
        let mut is_finished = false;
        while !is_finished {
            is_finished = true;
            for (number, (function, origins)) in functions.iter().zip(&origins).enumerate() {
                for (name, (callee, position)) in &function.passed_on {
                    let own = origins.get(name.as_str()).filter(|_| kept[*callee].contains(*position));
                    for parameter in own.into_iter().flatten() {
                        is_finished &= kept[number].contains(*parameter);
                        kept[number].grow_and_insert(*parameter);
                    }
                }
            }
        }
        let mut by_pointers = FixedBitSet::new();
        addressed.iter().for_each(|function| by_pointers.union_with(&kept[*function]));
        KeptParameters { of_functions: kept, by_pointers }
    }
}

impl Handling {
    fn give(&mut self, place: Option<&str>, value: &Node<Expression>) {
        let mut sources = Vec::new();
        addresses(value, &mut sources);
        // What is behind a pointer is not the function's own.
        let own = place.filter(|path| !path.contains('>')).map(root_of);
        let own = own.filter(|name| self.declared.contains(*name) && !self.lasting.contains(*name));
        match own {
            Some(name) => self.given.extend(sources.into_iter().map(|source| (name.to_owned(), source))),
            None => self.stored.extend(sources),
        }
    }

    fn initialise(&mut self, name: &str, initializer: &Initializer) {
        match initializer {
            Initializer::Expression(value) => self.give(Some(name), value),
            Initializer::List(items) => {
                items.iter().for_each(|item| self.initialise(name, &item.node.initializer.node))
            }
        }
    }
}

impl<'p> Keeper<'p> {
    /// A function with what it declares, its body, and the calls of others by their numbers.
    pub fn of<'c>(
        parameters: Vec<&'p str>,
        declared: &BTreeSet<String>,
        definition: Option<&FunctionDefinition>,
        calls: impl Iterator<Item = (usize, &'c Called)>,
    ) -> Keeper<'p> {
        let own = parameters.iter().map(|name| (*name).to_owned());
        let declared = declared.iter().cloned().chain(own).collect();
        let mut handling = Handling { declared, ..Handling::default() };
        if let Some(definition) = definition {
            handling.visit_statement(&definition.statement.node, &definition.statement.span);
        }
        let mut passed_on = Vec::new();
        for (callee, called) in calls {
            for (position, arguments) in called.arguments.iter().enumerate() {
                // A pointer itself, or the address of what it points to.
                let names = arguments.iter().filter_map(|argument| match argument.strip_prefix('&') {
                    Some(path) => Some(root_of(path)),
                    None => Some(argument.as_str()).filter(|name| root_of(name) == *name),
                });
                passed_on.extend(names.map(|name| (name.to_owned(), (callee, position))));
            }
        }
        Keeper { parameters, handling, passed_on }
    }

    /// The parameters whose addresses each variable may hold, itself included.
    fn origins(&self) -> HashMap<&str, BTreeSet<usize>, FixedState> {
        let parameters = self.parameters.iter().enumerate();
        let mut found: HashMap<&str, BTreeSet<usize>, FixedState> =
            parameters.map(|(position, name)| (*name, BTreeSet::from([position]))).collect();
        let mut is_finished = false;
        while !is_finished {
            is_finished = true;
            for (name, source) in &self.handling.given {
                let Some(more) = found.get(source.as_str()).cloned() else { continue };
                let its = found.entry(name).or_default();
                let before = its.len();
                its.extend(more);
                is_finished &= its.len() == before;
            }
        }
        found
    }
}

/// The variables whose value, or the address of which, a value may be or hold.
fn addresses(value: &Node<Expression>, found: &mut Vec<String>) {
    match &value.node {
        Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Address => {
            found.extend(path_of(&unary.node.operand).map(|path| root_of(&path).to_owned()));
        }
        Expression::BinaryOperator(binary) => {
            let both: &[_] = match &binary.node.operator.node {
                BinaryOperator::Plus => &[&binary.node.lhs, &binary.node.rhs],
                BinaryOperator::Minus => &[&binary.node.lhs],
                operator if is_assignment(operator) => &[&binary.node.rhs],
                _ => &[],
            };
            both.iter().for_each(|part| addresses(part, found));
        }
        Expression::Conditional(conditional) => {
            addresses(&conditional.node.then_expression, found);
            addresses(&conditional.node.else_expression, found);
        }
        Expression::Comma(parts) => parts.last().into_iter().for_each(|part| addresses(part, found)),
        Expression::Cast(cast) => addresses(&cast.node.expression, found),
        // A structure that holds it.
        _ => found
            .extend(path_of(value).filter(|path| !path.contains('>')).map(|path| root_of(&path).to_owned())),
    }
}

impl<'a> Visit<'a> for Handling {
    fn visit_declaration(&mut self, declaration: &'a Declaration, span: &'a Span) {
        let is_static = |specifier: &Node<DeclarationSpecifier>| {
            matches!(&specifier.node, DeclarationSpecifier::StorageClass(class)
                if matches!(class.node, StorageClassSpecifier::Static | StorageClassSpecifier::Extern))
        };
        let lasts = declaration.specifiers.iter().any(is_static);
        for item in &declaration.declarators {
            let Some(name) = declared_name(&item.node.declarator.node) else { continue };
            if lasts {
                self.lasting.insert(name.to_owned());
            } else if let Some(initializer) = &item.node.initializer {
                self.initialise(name, &initializer.node);
            }
        }
        visit::visit_declaration(self, declaration, span);
    }

    fn visit_binary_operator_expression(&mut self, binary: &'a BinaryOperatorExpression, span: &'a Span) {
        if binary.operator.node == BinaryOperator::Assign {
            self.give(path_of(&binary.lhs).as_deref(), &binary.rhs);
        }
        visit::visit_binary_operator_expression(self, binary, span);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keeper<'p>(parameters: &[&'p str], given: &[(&str, &str)], stored: &[&str]) -> Keeper<'p> {
        let given = given.iter().map(|(name, source)| ((*name).to_owned(), (*source).to_owned())).collect();
        let stored = stored.iter().map(|name| (*name).to_owned()).collect();
        let handling = Handling { given, stored, ..Handling::default() };
        Keeper { parameters: parameters.to_vec(), handling, passed_on: Vec::new() }
    }

    #[test]
    fn an_address_that_is_handed_on_is_kept_where_that_is_kept() {
        let keeps_second = keeper(&["p", "q"], &[("t", "q")], &["t"]);
        let hands_on =
            Keeper { passed_on: vec![("u".to_owned(), (0, 1))], ..keeper(&["v"], &[("u", "v")], &[]) };
        let keeps_nothing = Keeper { passed_on: vec![("w".to_owned(), (0, 0))], ..keeper(&["w"], &[], &[]) };
        let kept = KeptParameters::of(&[keeps_second, hands_on, keeps_nothing], &[1, 2]);
        let of_functions: Vec<Vec<usize>> =
            kept.of_functions.iter().map(|its| its.ones().collect()).collect();
        assert_eq!(of_functions, [vec![1], vec![0], vec![]]);
        assert_eq!(kept.by_pointers.ones().collect::<Vec<usize>>(), [0]);
    }
}
