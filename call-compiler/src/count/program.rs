//! The functions of a file, parsed when they are asked for.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use foldhash::fast::FixedState;
use lang_c::ast::{
    DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator, ExternalDeclaration,
    FunctionDefinition,
};
use lang_c::span::{Node, Span};

use super::behind_loops::unread_behind_loops;
use super::communication::PROCESSORS;
use super::literal::whole_number;
use super::members::MemberTypes;
use super::names::NamesRead;
use super::words::TypeWords;
use crate::c::file_scope::FileScope;
use crate::c::items::Tokens;
use crate::c::layout::{LayoutCache, Layouts};
use crate::c::lex::lex;
use crate::c::normalise::Normalised;
use crate::c::normalise::literal::is_plain_number;
use crate::c::parse::{Failure, Parse};
use crate::c::types::{Representation, Type, base_type, declared_name, declared_type, type_specifiers};
use crate::preprocessed::Preprocessed;

/// A file whose functions are counted.
pub struct CountedProgram<'a> {
    pub file: FileScope<'a>,
    pub preprocessed: &'a Preprocessed,
    /// Functions with bodies: name, item.
    names: Vec<(String, usize)>,
    by_name: HashMap<String, usize, FixedState>,
    parsed: Vec<OnceLock<Result<ParsedFunction, Failure>>>,
    pub words: TypeWords,
    pub members: MemberTypes,
    layout_cache: LayoutCache,
    has_word_of_processors: OnceLock<bool>,
    /// Longer functions are not counted.
    most_tokens: usize,
}

/// A function as lang-c reads it.
pub struct ParsedFunction {
    pub normalised: Normalised,
    pub parse: Parse,
    item: usize,
    parameters: OnceLock<Vec<Parameter>>,
    has_statements_in_expressions: OnceLock<bool>,
    unread_behind_loops: OnceLock<HashSet<String>>,
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

impl<'a> CountedProgram<'a> {
    pub fn new(preprocessed: &'a Preprocessed) -> CountedProgram<'a> {
        let text = preprocessed.text().as_bytes();
        let file = FileScope::new(Tokens::new(text, lex(text, 0, text.len())));
        let names: Vec<(String, usize)> =
            (0..file.items.len()).filter_map(|item| Some((name_of_function(&file, item)?, item))).collect();
        let by_name = names.iter().enumerate().map(|(number, (name, _))| (name.clone(), number)).collect();
        let parsed = names.iter().map(|_| OnceLock::new()).collect();
        let words = TypeWords::of(&file);
        let members = MemberTypes::new(
            &file.tokens,
            |word| words.is_narrow(word),
            |word| words.is_untyped_name(word),
            |word| words.representation(word),
        );
        CountedProgram {
            file,
            preprocessed,
            names,
            by_name,
            parsed,
            words,
            members,
            layout_cache: LayoutCache::default(),
            has_word_of_processors: OnceLock::new(),
            most_tokens: usize::MAX,
        }
    }

    /// Whether the program has something else of the name that formulas have for the number of processors.
    pub fn has_word_of_processors(&self) -> bool {
        let tokens = &self.file.tokens;
        let is_word = |index: usize| tokens.text(index) == PROCESSORS.as_bytes();
        *self.has_word_of_processors.get_or_init(|| (0..tokens.tokens.len()).any(is_word))
    }

    /// The same without functions that have more tokens.
    pub fn without_longer(self, most_tokens: usize) -> CountedProgram<'a> {
        CountedProgram { most_tokens, ..self }
    }

    /// Whether a variable of the file has less bits than `int`, as far as its declarations tell.
    pub fn is_narrow_variable(&self, name: &str) -> bool {
        let tokens = &self.file.tokens;
        self.file.declarations_of_variable(name).any(|(item, token)| {
            tokens.text(token.saturating_sub(1)) != b"*"
                && (item.first..token).any(|index| self.words.is_narrow(tokens.text(index)))
        })
    }

    /// Whether a variable of the file points to `void`, as far as its declarations tell.
    pub fn is_untyped_variable(&self, name: &str) -> bool {
        let is_untyped = |index: usize| self.words.is_untyped(self.file.tokens.text(index));
        self.file.declarations_of_variable(name).any(|(item, token)| (item.first..token).any(is_untyped))
    }

    /// How the elements of an array of the file are kept, as far as its declarations tell.
    pub fn element_of_variable(&self, name: &str) -> Option<Representation> {
        let mut words = self.file.declarations_of_variable(name).flat_map(|(item, token)| item.first..token);
        words.find_map(|index| self.words.representation(self.file.tokens.text(index)))
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

    /// The function that is defined by an item of the file.
    pub fn function_of(&self, item: usize) -> Option<usize> {
        self.names.binary_search_by_key(&item, |(_, its)| *its).ok()
    }

    /// The function in whose definition an offset of the preprocessed text lies.
    pub fn function_at(&self, offset: usize) -> Option<usize> {
        self.function_of(self.file.item_at(offset)?)
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
    pub fn names_in(&self, function: usize) -> NamesRead {
        let item = &self.file.items[self.names[function].1];
        let mut names = NamesRead::default();
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

    /// A function, unless it is longer than those that are counted.
    pub fn parsed(&self, function: usize) -> Result<&ParsedFunction, Failure> {
        let tokens = &self.file.items[self.names[function].1];
        if tokens.end - tokens.first > self.most_tokens {
            return Err(Failure::TooDeep);
        }
        self.parsed_if_long(function)
    }

    /// A function, however long it is.
    pub fn parsed_if_long(&self, function: usize) -> Result<&ParsedFunction, Failure> {
        let item = self.names[function].1;
        let parsed = self.parsed[function].get_or_init(|| {
            self.file.parse(item).map(|(normalised, parse)| ParsedFunction {
                normalised,
                parse,
                item,
                parameters: OnceLock::new(),
                has_statements_in_expressions: OnceLock::new(),
                unread_behind_loops: OnceLock::new(),
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
        whole_number(self.literal_text(offset))
    }

    /// As the source writes it.
    pub fn literal_text(&self, offset: usize) -> &str {
        std::str::from_utf8(self.token(offset)).unwrap_or_default()
    }

    /// A part of a function as the source writes it, without blanks. Where that has no characters or numbers that are replaced before it is parsed
    /// it is the text that was parsed.
    pub fn written(&self, parsed: &ParsedFunction, span: Span) -> String {
        let (begin, end) = (parsed.original(span.start), parsed.end(span));
        let tokens = &self.file.tokens;
        let first = tokens.tokens.partition_point(|token| (token.start as usize) < begin);
        let behind = tokens.tokens.partition_point(|token| (token.start as usize) < end);
        let texts = (first..behind).map(|index| tokens.text(index));
        let is_replaced = |text: &[u8]| match text {
            [first, ..] if first.is_ascii_digit() => !is_plain_number(text),
            [b'.', second, ..] => second.is_ascii_digit(),
            _ => text.ends_with(b"'"),
        };
        if !texts.clone().any(is_replaced) {
            return parsed.text(span);
        }
        texts.map(String::from_utf8_lossy).collect()
    }

    /// The text that begins at an offset, its parts together and without their quotes.
    pub fn text_literal(&self, offset: usize) -> String {
        let tokens = &self.file.tokens;
        let first = tokens.tokens.partition_point(|token| (token.start as usize) < offset);
        let texts = (first..tokens.tokens.len())
            .map(|position| std::str::from_utf8(tokens.text(position)).unwrap_or_default());
        let parts = texts.skip_while(|text| *text == "(").take_while(|text| text.ends_with('"'));
        parts.filter_map(|part| Some(part.strip_suffix('"')?.split_once('"')?.1)).collect()
    }

    /// The token that begins at an offset, without brackets around it.
    fn token(&self, offset: usize) -> &[u8] {
        let tokens = &self.file.tokens;
        let first = tokens.tokens.partition_point(|token| (token.start as usize) < offset);
        let texts = (first..tokens.tokens.len()).map(|position| tokens.text(position));
        texts.into_iter().find(|text| *text != b"(").unwrap_or_default()
    }

    /// File and line of an offset in the preprocessed text; no file for the main one.
    pub fn place(&self, offset: usize) -> (Option<&str>, u32) {
        let (file, line) = self.preprocessed.origin(offset);
        ((!file.is_main).then_some(file.path.as_str()), line)
    }
}

impl ParsedFunction {
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

    /// Whether a variable is read nowhere behind a loop that it counts.
    pub fn is_unread_behind_loops(&self, name: &str) -> bool {
        let names = self
            .unread_behind_loops
            .get_or_init(|| self.definition().map(unread_behind_loops).unwrap_or_default());
        names.contains(name)
    }

    pub fn item(&self) -> usize {
        self.item
    }

    /// The parameters.
    pub fn parameters(&self, program: &CountedProgram) -> &[Parameter] {
        self.parameters.get_or_init(|| self.declared_parameters(program))
    }

    fn declared_parameters(&self, program: &CountedProgram) -> Vec<Parameter> {
        let Some(definition) = self.definition() else { return Vec::new() };
        let mut found = Vec::new();
        for (specifiers, declarator) in declared_parameters(definition) {
            let typedefs = |name: &str| program.file.lookup(name, self.item);
            let kind = declared_type(type_specifiers(specifiers), declarator, typedefs);
            let is_narrow =
                declarator.derived.is_empty() && program.words.have_narrow(type_specifiers(specifiers));
            let is_untyped = program.words.have_untyped(type_specifiers(specifiers));
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
    pub fn kind_of(&self, program: &CountedProgram, name: &str) -> Option<Type> {
        let parameter = self.parameters(program).iter().find(|its| its.name == name);
        parameter.map_or_else(|| program.file.lookup(name, self.item), |its| Some(its.kind.clone()))
    }

    /// A `goto` to a label that is computed.
    pub fn computed_goto(&self) -> Option<usize> {
        self.normalised.computed_gotos.first().copied()
    }
}

pub fn representation_of(kind: Type) -> Option<Representation> {
    match kind {
        Type::Arithmetic(representation) => Some(representation),
        _ => None,
    }
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
