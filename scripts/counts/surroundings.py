"""What a driver of one function sets: its parameters, globals that it may read, members of structs; each integer is a variable."""

from dataclasses import dataclass, field

from statements import Function, Source, Token

POINTEES = {"int": 1, "double": 2, "char": 3}
DECORATION = ("static", "extern", "const", "volatile", "register", "inline", "restrict", "struct", "union", "enum")


@dataclass
class Variable:
    place: str  # an lvalue, or "" for what the first calls of unknown functions give
    unsigned: bool


@dataclass
class Setup:
    variables: list[Variable] = field(default_factory=list)
    statements: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    definitions: list[str] = field(default_factory=list)  # of what the source only declares extern

    def variable(self, place: str, words: list[str]) -> str:
        self.variables.append(Variable(place, any(word == "unsigned" or word == "size_t" or word.startswith("uint") for word in words)))
        return f"cll_probe_value({len(self.variables) - 1})"


def words_of(tokens: list[Token]) -> list[str]:
    return [token.text for token in tokens]


def declared(words: list[str]) -> list[tuple[list[str], list[str]]]:
    """`static int a, *b = 0;` as the words of the type and those of each declarator."""
    words = words[:-1] if words and words[-1] == ";" else words
    groups, depth = [[]], 0
    for word in words:
        depth += (word in "([{") - (word in ")]}")
        if word == "," and depth == 0:
            groups.append([])
        else:
            groups[-1].append(word)
    head = groups[0]
    stop = next((at for at, word in enumerate(head) if at and word in "*=[(:"), len(head))
    split = stop if stop < len(head) and head[stop] == "*" else stop - 1
    return [(head[:split], declarator) for declarator in [head[split:], *groups[1:]]]


class Types:
    """Structs and typedefs of the source."""

    def __init__(self, source: Source):
        self.members: dict[str, list[tuple[list[str], list[str]]]] = {}
        self.aliases: dict[str, list[str]] = {}
        for declaration in source.outside:
            words = words_of(declaration)
            if "{" in words and "enum" not in words and "=" not in words:
                opening, closing = words.index("{"), len(words) - 1 - words[::-1].index("}")
                names = [words[opening - 1]] + ([word for word in words[closing + 1 :] if word not in "*,;"] if "typedef" in words else [])
                inside = self.split(words[opening + 1 : closing])
                self.members.update({name: inside for name in names})
            elif "typedef" in words and "(" not in words:
                self.aliases[words[-2]] = [word for word in words[:-2] if word != "typedef"]

    def split(self, words: list[str]) -> list[tuple[list[str], list[str]]]:
        members, part = [], []
        for word in words:
            if word != ";":
                part.append(word)
            elif part:
                if "{" not in part and "(" not in part and "}" not in part:
                    members += declared(part)
                part = []
        return members

    def resolve(self, words: list[str]) -> list[str]:
        for _ in range(8):
            words = [inside for word in words for inside in self.aliases.get(word, [word])]
        return words

    def struct(self, words: list[str]) -> str | None:
        return next((word for word in words if word in self.members), None)


class Surroundings:
    def __init__(self, source: Source, atoms: set[str]):
        self.source = source
        self.types = Types(source)
        self.atoms = atoms
        self.setup = Setup()

    def members(self, place: str, struct: str) -> None:
        for kind, declarator in self.types.members[struct]:
            kind = self.types.resolve(kind)
            if "[" in declarator or self.types.struct(kind) and "*" not in declarator:
                continue
            # Of `unsigned n : 3` what stands before its width.
            name = declarator[declarator.index(":") - 1] if ":" in declarator else declarator[-1]
            if "*" in declarator:
                self.setup.statements.append(f"{place}{name} = {self.buffer(kind)};")
            else:
                self.setup.statements.append(f"{place}{name} = {self.setup.variable(place + name, kind)};")

    def buffer(self, kind: list[str]) -> str:
        return f"cll_probe_buffer({next((number for word, number in POINTEES.items() if word in kind), 0)})"

    def parameter(self, index: int, words: list[str]) -> None:
        setup = self.setup
        if words == ["..."]:
            return
        if "(" in words and "*" in words[words.index("(") :][:2]:
            setup.arguments.append("(void *)cll_probe_unknown")
            return
        names = [word for word in words[: words.index("[") if "[" in words else len(words)] if word[0].isalpha() or word[0] == "_"]
        name = names[-1]
        kind = self.types.resolve(names[:-1])
        struct, pointer = self.types.struct(kind), "*" in words or "[" in words or "*" in kind or "(" in words
        made = f"cll_argument_{index}"
        plain = " ".join(word for word in names[:-1] if word not in ("const", "register", "volatile"))
        if pointer and struct:
            setup.statements.append(f"{plain} *{made} = cll_probe_buffer(0);")
            self.members(f"{made}->", struct)
        elif pointer:
            setup.statements.append(f"void *{made} = {self.buffer(kind)};")
            if "int" in kind and self.atoms & {f"*{name}", f"{name}[0]"}:
                setup.statements.append(f"*(int *){made} = {setup.variable('*' + name, kind)};")
        elif struct:
            setup.statements.append(f"static {plain} {made};")
            self.members(f"{made}.", struct)
        else:
            made = setup.variable(name, kind)
        setup.arguments.append(made)

    def reached(self, function: Function) -> set[str]:
        bodies = {}
        for made in self.source.functions:
            after = [other.body for other in self.source.functions if other.body > made.body]
            body = self.source.statements[made.body : min(after, default=len(self.source.statements) + 1) - 1]
            bodies[made.name] = {token.text for part in body for token in self.source.tokens[part.begin : part.end]}
        names, fresh = set(), {function.name}
        while fresh:
            more = set().union(*(bodies.get(name, set()) for name in fresh))
            fresh = more - names
            names |= more
        return names

    def globals(self, function: Function) -> None:
        reached = self.reached(function)
        for declaration in self.source.outside:
            words = words_of(declaration)
            if "(" in words[:-3] and words[words.index("(") + 1] == "*" and not {"typedef", "=", "{"} & set(words):
                name = words[words.index("(") + 2]
                self.setup.statements += [f"{name} = (void *)cll_probe_unknown;"] if name in reached else []
            if not words or {"typedef", "(", "{"} & set(words):
                continue
            if words[0] == "extern":
                self.setup.definitions.append(" ".join(words[1:]))
            for kind, declarator in declared(words):
                self.global_variable(self.types.resolve(kind), declarator, reached)

    def global_variable(self, kind: list[str], declarator: list[str], reached: set[str]) -> None:
        bare = declarator[: declarator.index("=")] if "=" in declarator else declarator
        name = next((word for word in bare if word[0].isalpha() or word[0] == "_"), "")
        if name not in reached or "const" in kind or "[" in bare or ("static" in kind and name not in self.atoms):
            return
        struct, given = self.types.struct(kind), "=" in declarator
        if "*" in bare and not given:
            self.setup.statements.append(f"{name} = {self.buffer(kind)};")
        if struct and not given:
            self.members(name + ("->" if "*" in bare else "."), struct)
        elif "*" not in bare and not struct and (not given or name in self.atoms):
            self.setup.statements.append(f"{name} = {self.setup.variable(name, kind)};")


def setup_of(source: Source, function: Function, atoms: set[str]) -> Setup:
    made = Surroundings(source, atoms)
    for index, parameter in enumerate(function.parameters):
        made.parameter(index, words_of(parameter))
    made.globals(function)
    return made.setup
