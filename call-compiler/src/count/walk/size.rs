//! Sizes of types and variables in bytes, told in names that are there when the block begins.

use call_counting::Polynomial;
use lang_c::ast::{
    BinaryOperator, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator, Expression,
    UnaryOperator,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use super::super::element::array_sizes;
use super::super::place::names_of;
use super::super::value::{UnknownReason, Value};
use super::CountingWalk;
use crate::c::shape::{ArrayExtent, extents};
use crate::c::types::{Type, declared_name};

impl<'p> CountingWalk<'p, '_> {
    /// What `sizeof`, `_Alignof` and `offsetof` say, as C writes it.
    pub fn size(&self, expression: &Node<Expression>) -> Value {
        if let Expression::SizeOfVal(operand) = &expression.node
            && let Some(size) = self.size_of_declared(&operand.node.0)
        {
            return size.ok_or_else(|| self.size_is_unknown(expression));
        }
        let text = self.parsed.spaced_text(expression.span);
        if self.is_of_block(&text) {
            return Err(self.size_is_unknown(expression));
        }
        if self.varies(expression, &text) {
            let why = format!("`{}` is the size of an array of variable length", self.shown(expression));
            return Err(UnknownReason::new(self.at(expression), why));
        }
        let Some(what) = text.strip_prefix("sizeof").map(str::trim) else {
            return Ok(Polynomial::name(&text));
        };
        let inside = what.strip_prefix('(').and_then(|its| its.strip_suffix(')')).unwrap_or(what);
        Ok(Polynomial::name(&format!("sizeof({})", inside.trim())))
    }

    fn size_is_unknown(&self, expression: &Node<Expression>) -> UnknownReason {
        let why = format!("`{}` is a size of what the block declares", self.shown(expression));
        UnknownReason::new(self.at(expression), why)
    }

    /// Whether a size that the block does not tell depends on variables.
    fn varies(&self, expression: &Node<Expression>, text: &str) -> bool {
        match &expression.node {
            Expression::SizeOfVal(operand) => element_of(&operand.node.0).is_some_and(|(name, depth)| {
                let varies = match self.local(name) {
                    Some(local) => local.varies.clone(),
                    None => {
                        let mut parameters = self.parsed.parameter_declarations().into_iter();
                        let its = parameters.find(|(_, its)| declared_name(its) == Some(name));
                        its.map(|(_, its)| self.varying_sizes(its, |_| false)).unwrap_or_default()
                    }
                };
                varies.get(depth) == Some(&true)
            }),
            Expression::SizeOfTy(_) => {
                text.contains('[') && self.mentions(text, |name| self.is_variable(name))
            }
            _ => false,
        }
    }

    /// Whether variables say how large something is that is declared, what it consists of, what that does, and so on, as far as
    /// the first pointer among them.
    pub fn varying_sizes(&self, declarator: &Declarator, is_local: impl Fn(&str) -> bool) -> Vec<bool> {
        let lengths = extents(declarator, |length| {
            let mut names = NamesOutsideOfSizes::default();
            names.visit_expression(&length.node, &length.span);
            Some(names.0.into_iter().any(|name| is_local(name) || self.is_variable(name)))
        });
        let arrays = |from: usize| {
            lengths[from..]
                .iter()
                .map_while(|its| if let ArrayExtent::Array(varies) = its { Some(*varies) } else { None })
        };
        (0..lengths.len()).map(|from| arrays(from).any(|varies| varies == Some(true))).collect()
    }

    /// Whether a name is one of a variable, and none of a macro, a constant of an enumeration, a function.
    fn is_variable(&self, name: &str) -> bool {
        let is_parameter = || self.parsed.parameters(self.program).iter().any(|its| its.name == name);
        let is_of_file = || !self.program.file.items_naming(name, self.parsed.item()).is_empty();
        self.local(name).is_some() || is_parameter() || is_of_file()
    }

    /// That of a variable of the block, `None` in it where it is not known, or of a parameter, or of elements of those.
    fn size_of_declared(&self, operand: &Node<Expression>) -> Option<Option<Polynomial>> {
        let (name, depth) = element_of(operand)?;
        if let Some(local) = self.environment.local(name) {
            return Some(local.sizes.get(depth).cloned().flatten());
        }
        let is_of_function = self.local(name).is_some();
        let mut parameters = self.parsed.parameter_declarations().into_iter().filter(|_| !is_of_function);
        let (specifiers, declarator) = parameters.find(|(_, its)| declared_name(its) == Some(name))?;
        let sizes: Vec<Option<Polynomial>> = array_sizes(declarator)
            .iter()
            .map(|size| self.program.literal(self.at((*size)?)).map(Polynomial::from))
            .collect();
        let mut found = self.sizes_of(specifiers, declarator, &sizes);
        // Arrays are handed over as pointers.
        let is_array = count_arrays(declarator) > 0;
        let may_be_array = declarator.derived.is_empty()
            && !matches!(
                self.parsed.kind_of(self.program, name),
                Some(Type::Arithmetic(_) | Type::Other("a structure" | "a pointer"))
            );
        if (is_array || may_be_array)
            && let Some(first) = found.first_mut()
        {
            *first = is_array.then(|| Polynomial::name(POINTER));
        }
        found.get(depth).cloned().flatten().map(Some)
    }

    /// The size of what is declared and, if it is an array or pointer, those of its elements, and so on.
    pub fn sizes_of(
        &self,
        specifiers: &[Node<DeclarationSpecifier>],
        declarator: &Declarator,
        array_sizes: &[Option<Polynomial>],
    ) -> Vec<Option<Polynomial>> {
        if !matches!(declarator.kind.node, DeclaratorKind::Identifier(_)) {
            return Vec::new();
        }
        let types =
            specifiers.iter().filter(|its| matches!(its.node, DeclarationSpecifier::TypeSpecifier(_)));
        let base = types.map(|its| self.parsed.spaced_text(its.span)).collect::<Vec<String>>().join(" ");
        let is_named = !base.contains('{') && !self.is_of_block(&base);
        let mut sizes = vec![is_named.then(|| Polynomial::name(&format!("sizeof({base})")))];
        // Pointers are what arrays consist of.
        for derived in &declarator.derived {
            match derived.node {
                DerivedDeclarator::Pointer(_) => sizes.push(Some(Polynomial::name(POINTER))),
                DerivedDeclarator::Array(_) => {}
                _ => return Vec::new(),
            }
        }
        for elements in array_sizes.iter().take(count_arrays(declarator)).rev() {
            let size = elements.as_ref().zip(sizes.last().and_then(Option::as_ref));
            sizes.push(size.map(|(elements, size)| elements * size));
        }
        sizes.reverse();
        sizes
    }

    /// Whether a text of C names something that the block declares.
    fn is_of_block(&self, text: &str) -> bool {
        self.mentions(text, |name| self.environment.local(name).is_some())
    }

    /// Whether a size that a function tells is not the same where it is called: it names one of its parameters, or what its caller
    /// has under that name, or what is declared behind the caller.
    pub fn is_size_of_another(&self, path: &str, parameters: &[String]) -> bool {
        let own = self.parsed.parameters(self.program);
        // The size of a pointer to a structure is known before the structure is.
        let is_behind = |name: &str| match name.strip_prefix(TAG) {
            Some(tag) => {
                !path.ends_with("*)") && self.program.file.is_structure_behind(tag, self.parsed.item())
            }
            None => self.is_declared_behind(name),
        };
        path.contains('(')
            && self.mentions(path, |name| {
                parameters.iter().chain(own.iter().map(|its| &its.name)).any(|its| its == name)
                    || self.local(name).is_some()
                    || is_behind(name)
            })
    }

    fn mentions(&self, text: &str, is_meant: impl Fn(&str) -> bool) -> bool {
        let mut is_tag = false;
        names_of(text).any(|name| {
            let was_tag = std::mem::replace(&mut is_tag, matches!(name, "struct" | "union" | "enum"));
            if was_tag { is_meant(&tag(name)) } else { is_meant(name) }
        })
    }
}

/// The names in an expression, without those whose size alone is asked for.
#[derive(Default)]
struct NamesOutsideOfSizes<'a>(Vec<&'a str>);

impl<'a> Visit<'a> for NamesOutsideOfSizes<'a> {
    fn visit_expression(&mut self, expression: &'a Expression, span: &'a Span) {
        match expression {
            Expression::Identifier(name) => self.0.push(&name.node.name),
            Expression::SizeOfVal(_) | Expression::SizeOfTy(_) => {}
            _ => visit::visit_expression(self, expression, span),
        }
    }
}

const POINTER: &str = "sizeof(void *)";

const TAG: &str = "struct ";

/// The name that a structure is kept by which the block declares.
pub fn tag(name: &str) -> String {
    format!("{TAG}{name}")
}

/// The variable in `a`, `*a`, `a[0][1]`, and how far inside.
fn element_of(expression: &Node<Expression>) -> Option<(&str, usize)> {
    let inner = match &expression.node {
        Expression::Identifier(name) => return Some((&name.node.name, 0)),
        Expression::BinaryOperator(binary) if binary.node.operator.node == BinaryOperator::Index => {
            &binary.node.lhs
        }
        Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Indirection => {
            &unary.node.operand
        }
        _ => return None,
    };
    element_of(inner).map(|(name, depth)| (name, depth + 1))
}

fn count_arrays(declarator: &Declarator) -> usize {
    declarator.derived.iter().filter(|its| matches!(its.node, DerivedDeclarator::Array(_))).count()
}
