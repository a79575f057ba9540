"""What a compiler's command line asks for: the small part of it that the wrapper has to understand."""

from dataclasses import dataclass, field
from pathlib import Path

# Options whose value is the next word (it may also be attached).
SEPARATE = set(
    "-o -I -D -U -include -imacros -isystem -iquote -idirafter -iprefix -iwithprefix -iwithprefixbefore -isysroot -imultilib "
    "-x -L -l -T -Xlinker -Xpreprocessor -Xassembler -Xclang -MF -MT -MQ -u -z -e -A -aux-info --param -dumpbase -dumpdir "
    "-target -arch -wrapper -specs".split()
)
DEPENDENCY_WITH_VALUE = ("-MF", "-MT", "-MQ")
DEPENDENCY = set("-MD -MMD -MP -MG".split())
NO_COMPILE = set("-E -M -MM -### -dumpmachine -dumpversion -dumpfullversion --version -V -qversion --help".split())
NO_LINK = set("-c -S -E -fsyntax-only -r -M -MM".split())
PREPROCESSOR = ("-D", "-U", "-I", "-i", "-std", "-f", "-m", "-O", "-nostdinc", "-undef", "-trigraphs", "-X", "-Wp,")
PREPROCESSOR_WORDS = set("-ansi -pthread -pthreads -include".split())


@dataclass
class Words:
    """One option with its value, or one input; `kind` is one of flag, input, output, dependency."""

    kind: str
    words: list[str]


@dataclass
class CommandLine:
    items: list[Words] = field(default_factory=list)

    def of(self, *kinds: str) -> list[str]:
        return [word for item in self.items if item.kind in kinds for word in item.words]

    @property
    def flags(self) -> list[str]:
        return self.of("flag")

    @property
    def inputs(self) -> list[str]:
        return self.of("input")

    @property
    def sources(self) -> list[str]:
        return [word for word in self.inputs if word.endswith(".c")]

    @property
    def output(self) -> str | None:
        found = [item.words for item in self.items if item.kind == "output"]
        if not found:
            return None
        return found[-1][1] if len(found[-1]) == 2 else found[-1][0][2:]

    @property
    def stops_early(self) -> bool:
        """Nothing is compiled: preprocessing, questions to the compiler, another language, standard input."""
        words = set(self.flags)
        other = "-x" in words or any(word.startswith(("-x", "-print-", "@")) for word in words)
        return bool(words & NO_COMPILE) or other or "-" in self.inputs

    @property
    def compiles_only(self) -> bool:
        return bool({"-c", "-S"} & set(self.flags))

    @property
    def links(self) -> bool:
        words = set(self.flags)
        return bool(self.inputs) and not words & (NO_LINK | NO_COMPILE) and "-nostdlib" not in words

    def preprocessing(self) -> list[str]:
        """The flags that `call` needs to see what the compiler sees."""
        chosen: list[str] = []
        for item in self.items:
            if item.kind == "flag" and wanted_by_preprocessor(item.words[0]):
                chosen += item.words
        return chosen


def wanted_by_preprocessor(word: str) -> bool:
    if word.startswith(("-Xlinker", "-Xassembler", "-fsyntax-only", "-fdiagnostics", "-fdump", "-fuse-ld")):
        return False
    return word in PREPROCESSOR_WORDS or word.startswith(PREPROCESSOR)


def parse(arguments: list[str]) -> CommandLine:
    line = CommandLine()
    at = 0
    while at < len(arguments):
        word = arguments[at]
        count = 2 if word in SEPARATE and at + 1 < len(arguments) else 1
        line.items.append(Words(kind_of(word), arguments[at : at + count]))
        at += count
    return line


def kind_of(word: str) -> str:
    if word == "-" or not word.startswith(("-", "@")):
        return "input"
    if word.startswith("-o") and not word.startswith("-objc"):
        return "output"
    if word in DEPENDENCY or word.startswith(DEPENDENCY_WITH_VALUE) or word.startswith(("-Wp,-MD,", "-Wp,-MMD,")):
        return "dependency"
    return "flag"


def is_probe(path: str) -> bool:
    """A test program of configure, CMake or meson: what it finds out must not depend on instrumentation."""
    pure = Path(path).absolute()
    stems = ("conftest", "ztest", "sanitycheckc", "testfile", "CMakeCCompilerId", "testCCompiler", "feature_tests", "ac_nonexistent")
    folders = {"CMakeTmp", "CMakeScratch", "meson-private"}
    return pure.name.startswith(stems) or bool(folders & set(pure.parts))
