//! The names that a file declares outside of its functions. Declarations are parsed when somebody asks for them.

use std::collections::{BTreeSet, HashMap};
use std::sync::{OnceLock, PoisonError, RwLock};

use lang_c::ast::{
    Declaration, DeclarationSpecifier, Declarator, Enumerator, ExternalDeclaration, StructType,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use super::index::{Index, NameRole, names_of_typedef};
use super::items::{Item, Tokens, items};
use super::lex::CTokenKind;
use super::normalise::{ERASED_TYPE, Normalised, normalise};
use super::parse::{Failure, Parse, parse};
use super::types::{Representation, Type, declared_name, declared_type, is_typedef, type_specifiers};

/// Names of types that compilers know without a declaration and lang-c does not.
const BUILT_IN_TYPES: &[&str] = &[
    "bool",
    "__int128_t",
    "__uint128_t",
    "__float128",
    "__float80",
    "__bf16",
    "__fp16",
    "__builtin_ms_va_list",
    "__builtin_sysv_va_list",
];

pub struct FileScope<'a> {
    pub tokens: Tokens<'a>,
    pub items: Vec<Item>,
    /// The first item that declares each name of a type.
    type_names: HashMap<&'a [u8], usize>,
    /// Which items declare which names; made when somebody asks.
    index: OnceLock<Index>,
    /// Which item has the members of each tag; made when somebody asks.
    tags: OnceLock<HashMap<Vec<u8>, usize>>,
    /// What was asked for before: for each name its declarations, with the item of each.
    known: RwLock<HashMap<String, Vec<(usize, Type)>>>,
}

impl<'a> FileScope<'a> {
    pub fn new(tokens: Tokens<'a>) -> FileScope<'a> {
        let items = items(&tokens);
        let mut type_names = HashMap::new();
        for (index, item) in items.iter().enumerate() {
            if item.is_typedef {
                for name in names_of_typedef(&tokens, item) {
                    type_names.entry(tokens.text(name)).or_insert(index);
                }
            }
        }
        FileScope {
            tokens,
            items,
            type_names,
            index: OnceLock::new(),
            tags: OnceLock::new(),
            known: RwLock::default(),
        }
    }

    /// The item in which an offset lies.
    pub fn item_at(&self, offset: usize) -> Option<usize> {
        let start = |item: &Item| self.tokens.tokens[item.first].start as usize;
        let index = self.items.partition_point(|item| start(item) <= offset).checked_sub(1)?;
        let end = self.tokens.tokens[self.items[index].end - 1].end as usize;
        (offset < end).then_some(index)
    }

    /// Parses an item behind declarations of the names of types that it uses.
    pub fn parse(&self, index: usize) -> Result<(Normalised, Parse), Failure> {
        let item = &self.items[index];
        let with_all = self.parse_with(item, &self.type_names_in(index, |_| true));
        match with_all {
            // A parameter or variable may have the name of a type.
            Err(Failure::Syntax(_)) => {
                let names = self.type_names_in(index, |name| self.looks_like_type(item, name));
                self.parse_with(item, &names).or(with_all)
            }
            result => result,
        }
    }

    fn parse_with(&self, item: &Item, type_names: &BTreeSet<&str>) -> Result<(Normalised, Parse), Failure> {
        let mut prelude = format!("typedef int {ERASED_TYPE}");
        for name in type_names {
            prelude.push_str(", ");
            prelude.push_str(name);
        }
        prelude.push_str("; ");
        let mut normalised = normalise(&self.tokens, item, &prelude);
        let text = std::mem::take(&mut normalised.text);
        match parse(text) {
            Ok(parse) => Ok((normalised, parse)),
            Err(Failure::Syntax(offset)) => Err(Failure::Syntax(normalised.original(offset))),
            Err(failure) => Err(failure),
        }
    }

    /// The names of types that an item uses and that were declared before it.
    fn type_names_in(&self, index: usize, is_wanted: impl Fn(&[u8]) -> bool) -> BTreeSet<&str> {
        let item = &self.items[index];
        let mut found = BTreeSet::new();
        for token in &self.tokens.tokens[item.first..item.end] {
            if token.kind != CTokenKind::Word {
                continue;
            }
            let name = token.text(self.tokens.source);
            let is_type = self.type_names.get(name).is_some_and(|declared| *declared < index)
                || BUILT_IN_TYPES.iter().any(|built_in| built_in.as_bytes() == name);
            if let (true, Ok(name)) = (is_type && is_wanted(name), std::str::from_utf8(name)) {
                found.insert(name);
            }
        }
        found
    }

    /// Whether a name stands somewhere in the item where only a type can: before another name, or in a cast.
    fn looks_like_type(&self, item: &Item, name: &[u8]) -> bool {
        (item.first..item.end).any(|index| {
            let tokens = &self.tokens;
            tokens.text(index) == name
                && (tokens.is_word(index + 1)
                    || (tokens.text(index + 1) == b"*"
                        && matches!(
                            tokens.text(index.wrapping_sub(1)),
                            b"(" | b"," | b"{" | b";" | b"}" | b"const"
                        )))
        })
    }

    /// What a name stands for in the item with that index; `None` if no item before declares it.
    pub fn lookup(&self, name: &str, before: usize) -> Option<Type> {
        let last = |declarations: &Vec<(usize, Type)>| {
            declarations.iter().rev().find(|(item, _)| *item < before).map(|(_, kind)| kind.clone())
        };
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).get(name).map(last);
        known.unwrap_or_else(|| {
            let declarations = self.declarations_of(name);
            let found = last(&declarations);
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            known.insert(name.to_owned(), declarations);
            found
        })
    }

    fn declarations_of(&self, name: &str) -> Vec<(usize, Type)> {
        let index = self.index.get_or_init(|| Index::new(&self.tokens, &self.items));
        index
            .candidates(&self.tokens, name)
            .filter_map(|candidate| {
                let kind = match candidate.role {
                    NameRole::Function => Some(Type::Other("a function")),
                    NameRole::Enumerator => Some(Type::Arithmetic(Representation::Integer)),
                    NameRole::Declared => self.declared(candidate.item, name),
                };
                kind.map(|kind| (candidate.item, kind))
            })
            .collect()
    }

    /// The items before another one that may declare a variable or a type of that name, the last first.
    pub fn items_naming(&self, name: &str, before: usize) -> Vec<usize> {
        let index = self.index.get_or_init(|| Index::new(&self.tokens, &self.items));
        let candidates = index.candidates(&self.tokens, name);
        let named = candidates.filter(|its| its.role == NameRole::Declared && its.item < before);
        let mut items: Vec<usize> = named.map(|its| its.item).collect();
        items.reverse();
        items.dedup();
        items
    }

    /// Reads what an item declares a name to be, if it does.
    pub fn declaration_in<T>(
        &self,
        item: usize,
        name: &str,
        read: impl Fn(&[Node<DeclarationSpecifier>], &Declarator) -> T,
    ) -> Option<T> {
        let (_, parse) = self.parse(item).ok()?;
        parse.unit.0.iter().skip(1).find_map(|external| match &external.node {
            ExternalDeclaration::Declaration(declaration) => {
                let mut declarators =
                    declaration.node.declarators.iter().map(|its| &its.node.declarator.node);
                let its = declarators.find(|its| declared_name(its) == Some(name))?;
                Some(read(&declaration.node.specifiers, its))
            }
            _ => None,
        })
    }

    /// Reads what stands between the braces of the structure or union with a tag, outside of functions; `read` is told whether it has
    /// attributes that lay it out otherwise than usual.
    pub fn structure_of<T>(&self, tag: &str, read: impl Fn(&StructType, bool) -> T) -> Option<T> {
        struct StructureFinder<'t, T> {
            tag: &'t str,
            read: &'t dyn Fn(&StructType) -> T,
            found: Option<T>,
        }
        impl<'ast, T> Visit<'ast> for StructureFinder<'_, T> {
            fn visit_struct_type(&mut self, structure: &'ast StructType, span: &'ast Span) {
                let is_named = structure.identifier.as_ref().is_some_and(|its| its.node.name == self.tag);
                if is_named && structure.declarations.is_some() {
                    self.found = Some((self.read)(structure));
                }
                visit::visit_struct_type(self, structure, span);
            }
        }
        let item = *self.tags.get_or_init(|| self.find_tags()).get(tag.as_bytes())?;
        let is_laid_out_otherwise = self.has_attributes_of_layout(&self.items[item]);
        let (_, parse) = self.parse(item).ok()?;
        let read = |structure: &StructType| read(structure, is_laid_out_otherwise);
        let mut finder = StructureFinder { tag, read: &read, found: None };
        finder.visit_translation_unit(&parse.unit);
        finder.found
    }

    /// Whether the structure or union with a tag gets its members behind an item.
    pub fn is_structure_behind(&self, tag: &str, item: usize) -> bool {
        self.tags.get_or_init(|| self.find_tags()).get(tag.as_bytes()).is_some_and(|defined| *defined > item)
    }

    /// Whether a type of that name has attributes that lay it out otherwise than usual.
    pub fn is_laid_out_otherwise(&self, name: &str) -> bool {
        self.declarations_of_variable(name).any(|(item, _)| self.has_attributes_of_layout(item))
    }

    fn has_attributes_of_layout(&self, item: &Item) -> bool {
        let is_one = |word: &[u8]| {
            matches!(word, b"packed" | b"__packed__" | b"aligned" | b"__aligned__" | b"_Alignas" | b"alignas")
        };
        (item.first..item.end).any(|index| is_one(self.tokens.text(index)))
    }

    /// The items in which structures and unions with tags have their members.
    fn find_tags(&self) -> HashMap<Vec<u8>, usize> {
        let mut found = HashMap::new();
        for (number, item) in self.items.iter().enumerate() {
            for index in item.first..item.body.map_or(item.end, |(open, _)| open) {
                let is_structure = matches!(self.tokens.text(index), b"struct" | b"union");
                if is_structure && self.tokens.text(index + 2) == b"{" {
                    found.entry(self.tokens.text(index + 1).to_vec()).or_insert(number);
                }
            }
        }
        found
    }

    /// The items that declare a variable of that name, with the token of the name.
    pub fn declarations_of_variable(&self, name: &str) -> impl Iterator<Item = (&Item, usize)> {
        let index = self.index.get_or_init(|| Index::new(&self.tokens, &self.items));
        let declared = index.candidates(&self.tokens, name).filter(|its| its.role == NameRole::Declared);
        declared.map(|its| (&self.items[its.item], its.token))
    }

    /// Where a function of that name is declared first: the offset of the declaration.
    pub fn declaration_of_function(&self, name: &str) -> Option<usize> {
        let index = self.index.get_or_init(|| Index::new(&self.tokens, &self.items));
        let mut candidates = index.candidates(&self.tokens, name);
        let first = candidates.find(|candidate| candidate.role == NameRole::Function)?;
        Some(self.tokens.tokens[self.items[first.item].first].start as usize)
    }

    /// Whether the file defines a function of that name.
    pub fn defines_function(&self, name: &str) -> bool {
        let index = self.index.get_or_init(|| Index::new(&self.tokens, &self.items));
        index.candidates(&self.tokens, name).any(|candidate| {
            candidate.role == NameRole::Function && self.items[candidate.item].body.is_some()
        })
    }

    /// What the declaration with that index makes of a name.
    fn declared(&self, index: usize, name: &str) -> Option<Type> {
        let Ok((_, parse)) = self.parse(index) else { return Some(Type::Unknown) };
        let mut finder = DeclaredTypeFinder { scope: self, index, name, found: None };
        // The first declaration is the prelude.
        for declaration in parse.unit.0.iter().skip(1) {
            if let ExternalDeclaration::Declaration(declaration) = &declaration.node {
                finder.visit_declaration(&declaration.node, &declaration.span);
            }
        }
        finder.found
    }

    /// Names of arithmetic variables that the user's own text declares before an item, sorted: candidates for a misspelt name.
    pub fn arithmetic_names(&self, before: usize) -> Vec<String> {
        let index = self.index.get_or_init(|| Index::new(&self.tokens, &self.items));
        let mut names: Vec<String> = index
            .names(&self.tokens)
            .into_iter()
            .filter_map(|name| std::str::from_utf8(name).ok())
            .filter(|name| !name.starts_with("__"))
            .filter(|name| matches!(self.lookup(name, before), Some(Type::Arithmetic(_))))
            .map(str::to_owned)
            .collect();
        names.sort_unstable();
        names
    }
}

struct DeclaredTypeFinder<'s, 'a> {
    scope: &'s FileScope<'a>,
    index: usize,
    name: &'s str,
    found: Option<Type>,
}

impl<'ast> Visit<'ast> for DeclaredTypeFinder<'_, '_> {
    fn visit_declaration(&mut self, declaration: &'ast Declaration, span: &'ast Span) {
        visit::visit_declaration(self, declaration, span);
        for item in &declaration.declarators {
            let declarator = &item.node.declarator.node;
            if declared_name(declarator) != Some(self.name) {
                continue;
            }
            let specifiers = type_specifiers(&declaration.specifiers);
            let kind = declared_type(specifiers, declarator, |name| self.scope.lookup(name, self.index));
            let is_type = is_typedef(&declaration.specifiers);
            self.found = Some(if is_type { Type::Name(Box::new(kind)) } else { kind });
        }
    }

    fn visit_enumerator(&mut self, enumerator: &'ast Enumerator, span: &'ast Span) {
        if enumerator.identifier.node.name == self.name {
            self.found = Some(Type::Arithmetic(Representation::Integer));
        }
        visit::visit_enumerator(self, enumerator, span);
    }
}

#[cfg(test)]
mod tests {
    use super::super::lex::lex;
    use super::*;

    fn scope(source: &str) -> FileScope<'_> {
        FileScope::new(Tokens::new(source.as_bytes(), lex(source.as_bytes(), 0, source.len())))
    }

    #[test]
    fn declarations_are_looked_up() {
        let scope = scope(
            "typedef unsigned long size_t; typedef size_t count_t; extern count_t n; double x, *y, z[3]; \
             enum colour { RED, GREEN }; struct s { int a; } point; int f(int n) { return n; } int g(void), (*fp)(int); extern double later, m[2]; \
             static const int late = 1;",
        );
        let end = scope.items.len();
        for (name, expected) in [
            ("n", Some(Type::Arithmetic(Representation::Natural))),
            ("x", Some(Type::Arithmetic(Representation::Real))),
            ("y", Some(Type::Other("a pointer"))),
            ("z", Some(Type::Other("an array"))),
            ("GREEN", Some(Type::Arithmetic(Representation::Integer))),
            ("point", Some(Type::Other("a structure"))),
            ("f", Some(Type::Other("a function"))),
            ("g", Some(Type::Other("a function"))),
            ("a", None),
            ("fp", Some(Type::Other("a pointer"))),
            ("later", Some(Type::Arithmetic(Representation::Real))),
            ("size_t", Some(Type::Name(Box::new(Type::Arithmetic(Representation::Natural))))),
        ] {
            assert_eq!(scope.lookup(name, end), expected, "{name}");
        }
        assert_eq!(scope.lookup("late", 3), None, "declared later");
        assert_eq!(scope.arithmetic_names(end), ["GREEN", "RED", "late", "later", "n", "x"]);
    }
}
