//! The functions of a file, parsed when they are asked for.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use foldhash::fast::FixedState;
use lang_c::ast::{
    DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator, ExternalDeclaration,
    FunctionDefinition, TypeSpecifier,
};
use lang_c::span::{Node, Span};

use super::members::Members;
use super::names::Names;
use crate::c::file_scope::FileScope;
use crate::c::index::names_of_typedef;
use crate::c::items::Tokens;
use crate::c::layout::{LayoutCache, Layouts};
use crate::c::lex::lex;
use crate::c::normalise::Normalised;
use crate::c::parse::{Failure, Parse};
use crate::c::types::{Representation, Type, base_type, declared_name, declared_type, type_specifiers};
use crate::preprocessed::Preprocessed;

/// A file whose functions are counted.
pub struct Program<'a> {
    pub file: FileScope<'a>,
    pub preprocessed: &'a Preprocessed,
    /// Functions with bodies: name, item.
    names: Vec<(String, usize)>,
    by_name: HashMap<String, usize, FixedState>,
    parsed: Vec<OnceLock<Result<Parsed, Failure>>>,
    narrow_types: HashSet<Vec<u8>>,
    /// Other words for `void` and pointers to it.
    untyped_types: HashSet<Vec<u8>>,
    /// Names of types of natural and of real numbers, and of pointers to them.
    kept_types: HashMap<Vec<u8>, Representation>,
    pub members: Members,
    layout_cache: LayoutCache,
    /// Longer functions are not read.
    most_tokens: usize,
}

/// A function as lang-c reads it.
pub struct Parsed {
    normalised: Normalised,
    parse: Parse,
    item: usize,
    parameters: OnceLock<Vec<Parameter>>,
    has_statements_in_expressions: OnceLock<bool>,
}

/// A parameter of a function.
pub struct Parameter {
    pub name: String,
    pub kind: Type,
    /// Whether it is of a type with less bits than `int`.
    pub is_narrow: bool,
    /// Whether it points to `void`.
    pub is_untyped: bool,
    /// What it is, or what it points to: how that is kept.
    pub element: Option<Representation>,
}

impl<'a> Program<'a> {
    pub fn new(preprocessed: &'a Preprocessed) -> Program<'a> {
        let text = preprocessed.text().as_bytes();
        let file = FileScope::new(Tokens::new(text, lex(text, 0, text.len())));
        let names: Vec<(String, usize)> =
            (0..file.items.len()).filter_map(|item| Some((name_of_function(&file, item)?, item))).collect();
        let by_name = names.iter().enumerate().map(|(number, (name, _))| (name.clone(), number)).collect();
        let parsed = names.iter().map(|_| OnceLock::new()).collect();
        let narrow_types = other_words(&file, is_narrow_word, &[b"*", b"(", b"[", b"{"]);
        let untyped_types = other_words(&file, is_void, &[b"(", b"[", b"{"]);
        let is_narrow = |word: &[u8]| is_narrow_word(word) || narrow_types.contains(word);
        let mut kept_types = HashMap::new();
        for kept in [Representation::Natural, Representation::Real] {
            let words = other_words(&file, |word| representation_of_word(word) == Some(kept), &[b"(", b"{"]);
            kept_types.extend(words.into_iter().map(|word| (word, kept)));
        }
        let representation =
            |word: &[u8]| representation_of_word(word).or_else(|| kept_types.get(word).copied());
        let members =
            Members::new(&file.tokens, is_narrow, |word| untyped_types.contains(word), representation);
        Program {
            file,
            preprocessed,
            names,
            by_name,
            parsed,
            narrow_types,
            untyped_types,
            kept_types,
            members,
            layout_cache: LayoutCache::default(),
            most_tokens: usize::MAX,
        }
    }

    /// The same without functions that have more tokens.
    pub fn without_longer(self, most_tokens: usize) -> Program<'a> {
        Program { most_tokens, ..self }
    }

    /// Whether a type has less bits than `int`.
    pub fn is_narrow<'t>(&self, mut specifiers: impl Iterator<Item = &'t TypeSpecifier>) -> bool {
        specifiers.any(|specifier| match specifier {
            TypeSpecifier::Char | TypeSpecifier::Short | TypeSpecifier::Bool => true,
            TypeSpecifier::TypedefName(name) => {
                let name = name.node.name.as_bytes();
                is_narrow_word(name) || self.narrow_types.contains(name)
            }
            _ => false,
        })
    }

    /// Whether what is declared with these points to `void`, if it points to something.
    pub fn is_untyped<'t>(&self, mut specifiers: impl Iterator<Item = &'t TypeSpecifier>) -> bool {
        specifiers.any(|specifier| match specifier {
            TypeSpecifier::Void => true,
            TypeSpecifier::TypedefName(name) => self.untyped_types.contains(name.node.name.as_bytes()),
            _ => false,
        })
    }

    /// Whether a variable of the file has less bits than `int`, as far as its declarations tell.
    pub fn is_narrow_variable(&self, name: &str) -> bool {
        let tokens = &self.file.tokens;
        let is_narrow = |word: &[u8]| is_narrow_word(word) || self.narrow_types.contains(word);
        self.file.declarations_of_variable(name).any(|(item, token)| {
            tokens.text(token.saturating_sub(1)) != b"*"
                && (item.first..token).any(|index| is_narrow(tokens.text(index)))
        })
    }

    /// Whether a variable of the file points to `void`, as far as its declarations tell.
    pub fn is_untyped_variable(&self, name: &str) -> bool {
        let is_untyped = |index: usize| {
            let word = self.file.tokens.text(index);
            is_void(word) || self.untyped_types.contains(word)
        };
        self.file.declarations_of_variable(name).any(|(item, token)| (item.first..token).any(is_untyped))
    }

    /// How the elements of an array of the file are kept, as far as its declarations tell.
    pub fn element_of_variable(&self, name: &str) -> Option<Representation> {
        let tokens = &self.file.tokens;
        let mut words = self.file.declarations_of_variable(name).flat_map(|(item, token)| item.first..token);
        words.find_map(|index| {
            let word = tokens.text(index);
            representation_of_word(word).or_else(|| self.kept_types.get(word).copied())
        })
    }

    /// What its types consist of.
    pub fn layouts(&self) -> Layouts<'_, 'a> {
        Layouts::new(&self.file, &self.layout_cache)
    }

    /// How many functions have bodies.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn name(&self, function: usize) -> &str {
        &self.names[function].0
    }

    /// The function of that name, if it has a body.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The function in whose definition an offset of the preprocessed text lies.
    pub fn function_at(&self, offset: usize) -> Option<usize> {
        let item = self.file.item_at(offset)?;
        self.names.binary_search_by_key(&item, |(_, its)| *its).ok()
    }

    /// Whether a function of the file comes from a header.
    pub fn is_of_main_file(&self, function: usize) -> bool {
        self.preprocessed.origin(self.offset(function)).0.is_main
    }

    /// Whether a function is one of the system's.
    pub fn is_of_system(&self, name: &str) -> bool {
        let declared = self.file.declaration_of_function(name);
        declared.is_some_and(|offset| self.preprocessed.origin(offset).0.is_system)
    }

    /// Where a function begins in the preprocessed text.
    pub fn offset(&self, function: usize) -> usize {
        self.file.tokens.tokens[self.file.items[self.names[function].1].first].start as usize
    }

    /// Whether a function of that name is declared.
    pub fn declares_function(&self, name: &str) -> bool {
        self.file.declaration_of_function(name).is_some()
    }

    /// Functions whose name stands somewhere but where they are called: pointers may name them.
    pub fn addressed_functions(&self) -> Vec<usize> {
        let tokens = &self.file.tokens;
        let is_member = |index: usize| matches!(tokens.text(index), b"." | b"->");
        let mut found: Vec<usize> = (0..tokens.tokens.len())
            .filter(|index| {
                tokens.is_word(*index)
                    && tokens.text(index + 1) != b"("
                    && (*index == 0 || !is_member(index - 1))
            })
            .filter_map(|index| self.find(std::str::from_utf8(tokens.text(index)).ok()?))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Names behind `&` in what variables of the file begin with.
    pub fn addressed_by_initialisers(&self) -> BTreeSet<String> {
        let tokens = &self.file.tokens;
        let items = self.file.items.iter().filter(|item| item.body.is_none());
        let indices = items.flat_map(|item| item.first..item.end);
        indices
            .filter(|index| tokens.text(*index) == b"&" && tokens.is_word(index + 1))
            .filter_map(|index| Some(std::str::from_utf8(tokens.text(index + 1)).ok()?.to_owned()))
            .collect()
    }

    /// The names in the text of a function.
    pub fn names_in(&self, function: usize) -> Names {
        let item = &self.file.items[self.names[function].1];
        let mut names = Names::default();
        let words = (item.first..item.end).filter(|index| self.file.tokens.is_word(*index));
        words.for_each(|index| names.insert(self.file.tokens.text(index)));
        names
    }

    /// Parses the next function of the main file; whether there was one.
    pub fn parse_next(&self, next: &AtomicUsize) -> bool {
        let function = next.fetch_add(1, Ordering::Relaxed);
        if function < self.len() && self.is_of_main_file(function) {
            self.parsed(function).ok();
        }
        function < self.len()
    }

    pub fn parsed(&self, function: usize) -> Result<&Parsed, Failure> {
        let item = self.names[function].1;
        let tokens = &self.file.items[item];
        if tokens.end - tokens.first > self.most_tokens {
            return Err(Failure::TooDeep);
        }
        let parsed = self.parsed[function].get_or_init(|| {
            self.file.parse(item).map(|(normalised, parse)| Parsed {
                normalised,
                parse,
                item,
                parameters: OnceLock::new(),
                has_statements_in_expressions: OnceLock::new(),
            })
        });
        parsed.as_ref().map_err(|failure| *failure)
    }

    /// Whether the number that begins at an offset has the suffix `u`.
    pub fn is_unsigned_literal(&self, offset: usize) -> bool {
        self.token(offset).iter().any(|byte| matches!(byte, b'u' | b'U'))
    }

    /// The value of the number or character that begins at an offset of the preprocessed text. The tree has no values: the C parser
    /// is given simpler literals.
    pub fn literal(&self, offset: usize) -> Option<i64> {
        whole_number(std::str::from_utf8(self.token(offset)).ok()?)
    }

    /// The token that begins at an offset.
    fn token(&self, offset: usize) -> &[u8] {
        let tokens = &self.file.tokens;
        tokens.text(tokens.tokens.partition_point(|token| (token.start as usize) < offset))
    }

    /// File and line of an offset in the preprocessed text; no file for the main one.
    pub fn place(&self, offset: usize) -> (Option<&str>, u32) {
        let (file, line) = self.preprocessed.origin(offset);
        ((!file.is_main).then_some(file.path.as_str()), line)
    }
}

impl Parsed {
    pub fn definition(&self) -> Option<&FunctionDefinition> {
        self.parse.unit.0.iter().find_map(|declaration| match &declaration.node {
            ExternalDeclaration::FunctionDefinition(definition) => Some(&definition.node),
            _ => None,
        })
    }

    /// The offset in the preprocessed text.
    pub fn original(&self, offset: usize) -> usize {
        self.normalised.original(offset)
    }

    /// Where a part of the tree ends in the preprocessed text, the blanks behind it left out.
    pub fn end(&self, span: Span) -> usize {
        let text = self.parse.source[span.start..span.end].trim_end();
        self.original(span.start + text.len().max(1) - 1) + 1
    }

    /// The text of a part of the tree, without blanks.
    pub fn text(&self, span: Span) -> String {
        self.parse.source[span.start..span.end].split_whitespace().collect()
    }

    /// The text of a part of the tree, with one blank where there are some.
    pub fn spaced_text(&self, span: Span) -> String {
        self.parse.source[span.start..span.end].split_whitespace().collect::<Vec<&str>>().join(" ")
    }

    /// Whether an expression may have statements in it, `({ … })`.
    pub fn has_statements_in_expressions(&self) -> bool {
        *self.has_statements_in_expressions.get_or_init(|| {
            let mut parts = self.parse.source.split('{');
            // What stands behind the last brace is no part before one.
            parts.next_back();
            parts.any(|before| before.trim_ascii_end().ends_with('('))
        })
    }

    pub fn item(&self) -> usize {
        self.item
    }

    /// The parameters.
    pub fn parameters(&self, program: &Program) -> &[Parameter] {
        self.parameters.get_or_init(|| self.declared_parameters(program))
    }

    fn declared_parameters(&self, program: &Program) -> Vec<Parameter> {
        let Some(definition) = self.definition() else { return Vec::new() };
        let mut found = Vec::new();
        for (specifiers, declarator) in declared_parameters(definition) {
            let typedefs = |name: &str| program.file.lookup(name, self.item);
            let kind = declared_type(type_specifiers(specifiers), declarator, typedefs);
            let is_narrow = declarator.derived.is_empty() && program.is_narrow(type_specifiers(specifiers));
            let is_untyped = program.is_untyped(type_specifiers(specifiers));
            let name = declared_name(declarator).map(str::to_owned);
            let element = representation_of(base_type(type_specifiers(specifiers), typedefs));
            found.extend(name.map(|name| Parameter { name, kind, is_narrow, is_untyped, element }));
        }
        let Some(DerivedDeclarator::KRFunction(names)) = parameter_list(&definition.declarator.node) else {
            return found;
        };
        // In the order of the names; `int` where nothing is declared.
        let in_order = names.iter().map(|name| &name.node.name).map(|name| {
            match found.iter().position(|its| its.name == *name) {
                Some(position) => found.swap_remove(position),
                None => Parameter {
                    name: name.clone(),
                    kind: Type::Arithmetic(Representation::Integer),
                    is_narrow: false,
                    is_untyped: false,
                    element: Some(Representation::Integer),
                },
            }
        });
        in_order.collect()
    }

    /// The parameters as they are written.
    pub fn parameter_declarations(&self) -> Vec<(&[Node<DeclarationSpecifier>], &Declarator)> {
        self.definition().map_or(Vec::new(), declared_parameters)
    }

    /// What a name stands for that the body does not declare.
    pub fn kind_of(&self, program: &Program, name: &str) -> Option<Type> {
        let parameter = self.parameters(program).iter().find(|its| its.name == name);
        parameter.map_or_else(|| program.file.lookup(name, self.item), |its| Some(its.kind.clone()))
    }

    /// A `goto` to a label that is computed.
    pub fn computed_goto(&self) -> Option<usize> {
        self.normalised.computed_gotos.first().copied()
    }
}

/// Words for types with less bits than `int`.
fn is_narrow_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"char" | b"short" | b"_Bool" | b"bool" | b"int8_t" | b"uint8_t" | b"int16_t" | b"uint16_t"
    )
}

/// What a word of C makes of the values of a type, but for whole numbers with a sign.
fn representation_of_word(word: &[u8]) -> Option<Representation> {
    match word {
        b"unsigned" => Some(Representation::Natural),
        b"float" | b"double" => Some(Representation::Real),
        _ => None,
    }
}

pub fn representation_of(kind: Type) -> Option<Representation> {
    match kind {
        Type::Arithmetic(representation) => Some(representation),
        _ => None,
    }
}

fn is_void(word: &[u8]) -> bool {
    word == b"void"
}

/// The names of types that a typedef without certain signs makes other words for those that `is_word` tells.
fn other_words(file: &FileScope, is_word: impl Fn(&[u8]) -> bool, signs: &[&[u8]]) -> HashSet<Vec<u8>> {
    let tokens = &file.tokens;
    let mut found: HashSet<Vec<u8>> = HashSet::new();
    for item in file.items.iter().filter(|item| item.is_typedef) {
        let mut words = (item.first..item.end).map(|index| tokens.text(index));
        let is_plain = !words.clone().any(|word| signs.contains(&word));
        if is_plain && words.any(|word| is_word(word) || found.contains(word)) {
            found.extend(names_of_typedef(tokens, item).into_iter().map(|name| tokens.text(name).to_vec()));
        }
    }
    found
}

fn parameter_list(declarator: &Declarator) -> Option<&DerivedDeclarator> {
    if let DeclaratorKind::Declarator(inner) = &declarator.kind.node
        && let Some(found) = parameter_list(&inner.node)
    {
        return Some(found);
    }
    let is_list = |its: &&DerivedDeclarator| {
        matches!(its, DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_))
    };
    declarator.derived.iter().map(|derived| &derived.node).find(is_list)
}

/// Each parameter of a function with its specifiers. Those of old, `f(n) int n; { … }`, are declared behind their names.
fn declared_parameters(definition: &FunctionDefinition) -> Vec<(&[Node<DeclarationSpecifier>], &Declarator)> {
    match parameter_list(&definition.declarator.node) {
        Some(DerivedDeclarator::Function(function)) => {
            let parameters = function.node.parameters.iter();
            let named = parameters
                .filter_map(|its| Some((&its.node.specifiers[..], &its.node.declarator.as_ref()?.node)));
            named.collect()
        }
        Some(DerivedDeclarator::KRFunction(names)) => {
            let declared = |name: &str| {
                definition.declarations.iter().find_map(|declaration| {
                    let mut declarators =
                        declaration.node.declarators.iter().map(|its| &its.node.declarator.node);
                    let its = declarators.find(|its| declared_name(its) == Some(name))?;
                    Some((&declaration.node.specifiers[..], its))
                })
            };
            names.iter().filter_map(|name| declared(&name.node.name)).collect()
        }
        _ => Vec::new(),
    }
}

/// The word before the first parenthesis of an item with a body.
fn name_of_function(file: &FileScope, item: usize) -> Option<String> {
    let (open, _) = file.items[item].body?;
    let tokens = &file.tokens;
    let mut index = file.items[item].first;
    while index < open {
        if let Some(last) = tokens.decoration(index) {
            index = last + 1;
            continue;
        }
        if tokens.is_word(index) && tokens.text(index + 1) == b"(" && !is_type_word(tokens.text(index)) {
            return std::str::from_utf8(tokens.text(index)).ok().map(str::to_owned);
        }
        index += 1;
    }
    None
}

fn is_type_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"typeof" | b"__typeof__" | b"__typeof" | b"_Atomic" | b"_BitInt" | b"_Alignas" | b"alignas"
    )
}

/// The value of a whole number or a plain character as C writes it.
fn whole_number(text: &str) -> Option<i64> {
    if let Some(character) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        let mut bytes = character.bytes();
        return match (bytes.next()?, bytes.next(), bytes.next()) {
            (byte, None, _) if byte.is_ascii() => Some(i64::from(byte)),
            (b'\\', Some(b'n'), None) => Some(10),
            (b'\\', Some(b't'), None) => Some(9),
            (b'\\', Some(b'0'), None) => Some(0),
            _ => None,
        };
    }
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L', 'z', 'Z']).replace('\'', "");
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&digits[2..], 16),
        [b'0', b'b' | b'B', ..] => (&digits[2..], 2),
        [b'0', _, ..] => (&digits[1..], 8),
        _ => (&digits[..], 10),
    };
    i64::from_str_radix(digits, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals() {
        for (text, expected) in [
            ("10", Some(10)),
            ("0x1F", Some(31)),
            ("017", Some(15)),
            ("0", Some(0)),
            ("0b101", Some(5)),
            ("1'000UL", Some(1000)),
            ("'a'", Some(97)),
            ("'\\n'", Some(10)),
            ("1.5", None),
            ("1e3", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(whole_number(text), expected, "{text}");
        }
    }
}
