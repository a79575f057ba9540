use lang_c::ast::{
    DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator, FunctionDefinition, TypeSpecifier,
};

use super::super::file_scope::FileScope;
use super::super::types::{Type, declared_type, type_specifiers};

/// What a function returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReturnType {
    Void,
    /// The C text that declares a variable of the type stands before and behind the variable's name.
    Value {
        before: String,
        behind: String,
    },
    /// A type that cannot be written a second time.
    Unnameable,
}

impl ReturnType {
    /// The return type of a function whose tree has offsets that `original` maps to the preprocessed text.
    pub fn of(
        function: &FunctionDefinition,
        file: &FileScope,
        item: usize,
        original: impl Fn(usize) -> usize,
    ) -> ReturnType {
        let Some((name, parameters_end)) = name_with_parameters(&function.declarator.node) else {
            return ReturnType::Unnameable;
        };
        let mut specifiers = Vec::new();
        let mut has_type = false;
        for specifier in &function.specifiers {
            match &specifier.node {
                DeclarationSpecifier::TypeSpecifier(kind) => match &kind.node {
                    TypeSpecifier::Struct(structure) if structure.node.declarations.is_some() => {
                        return ReturnType::Unnameable;
                    }
                    TypeSpecifier::Enum(enumeration) if !enumeration.node.enumerators.is_empty() => {
                        return ReturnType::Unnameable;
                    }
                    _ => {
                        let kind = text(file, original(kind.span.start), original(kind.span.end));
                        // The type that was inserted where there is none has no text.
                        has_type |= !kind.is_empty();
                        specifiers.push(kind);
                    }
                },
                // `const` would keep nobody from anything here, and `_Atomic` may not be dropped.
                DeclarationSpecifier::TypeQualifier(qualifier) => {
                    specifiers.push(text(file, original(qualifier.span.start), original(qualifier.span.end)));
                }
                _ => {}
            }
        }
        let whole = function.declarator.span;
        let before = text(file, original(whole.start), original(name));
        let behind = text(file, original(parameters_end), original(whole.end));
        if before.is_empty() && behind.is_empty() {
            let kinds = type_specifiers(&function.specifiers);
            let nothing = Declarator {
                kind: lang_c::span::Node::new(DeclaratorKind::Abstract, lang_c::span::Span::none()),
                derived: Vec::new(),
                extensions: Vec::new(),
            };
            if declared_type(kinds, &nothing, |name| file.lookup(name, item)) == Type::Other("void") {
                return ReturnType::Void;
            }
        }
        if !has_type {
            specifiers.push("int".to_owned());
        }
        specifiers.retain(|specifier| !specifier.is_empty());
        ReturnType::Value { before: format!("{} {before}", specifiers.join(" ")), behind }
    }
}

/// Start of the function's name and end of its parameters.
fn name_with_parameters(declarator: &Declarator) -> Option<(usize, usize)> {
    if let DeclaratorKind::Declarator(inner) = &declarator.kind.node
        && let Some(found) = name_with_parameters(&inner.node)
    {
        return Some(found);
    }
    let parameters = declarator.derived.iter().find(|derived| {
        matches!(derived.node, DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_))
    })?;
    Some((declarator.kind.span.start, parameters.span.end))
}

/// The tokens between two offsets of the preprocessed text, attributes left out, on one line.
fn text(file: &FileScope, from: usize, to: usize) -> String {
    let tokens = &file.tokens;
    let mut index = tokens.tokens.partition_point(|token| (token.start as usize) < from);
    let mut words = Vec::new();
    while index < tokens.len() && (tokens.tokens[index].end as usize) <= to {
        if let Some(last) = tokens.decoration(index) {
            index = last + 1;
            continue;
        }
        words.push(String::from_utf8_lossy(tokens.text(index)));
        index += 1;
    }
    words.join(" ")
}
