"""Messages of the compiler, and what the instrumented file has that the original has not."""

import os
import re
from collections import Counter
from typing import NamedTuple

# These come from the optimiser: they depend on what is inlined, so they may come and go with any call that is added.
FLOW = re.compile(
    r"\[-W(?:error=)?(?:maybe-uninitialized|stringop-|array-bounds|format-truncation|format-overflow|restrict|null-dereference|"
    r"free-nonheap|use-after-free|clobbered|inline|strict-overflow|dangling-pointer|return-local|aggressive-loop|nonnull\b|"
    r"suggest-|alloc-size|unused-result|infinite-recursion|uninitialized|array-parameter|overflow)"
)
_MESSAGE = re.compile(r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):(?:\d+:)? (?P<level>warning|error|fatal error): (?P<text>.*)$")


class Message(NamedTuple):
    file: str
    line: int
    text: str

    @property
    def kind(self) -> str:
        """The option that asks for it; the beginning of the text where there is none."""
        option = re.search(r"\[-W(?:error=)?([^\]]+)\]$", self.text)
        return f"-W{option[1]}" if option else re.sub(r"[‘'][^’']*[’']", "…", self.text)[:60]

    @property
    def is_flow(self) -> bool:
        return FLOW.search(self.text) is not None

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


def messages(stderr: str) -> list[Message]:
    """With the true names of the files: a header is found by another way from the folder of the instrumented file."""
    found = map(_MESSAGE.match, stderr.splitlines())
    return [Message(os.path.realpath(m["file"]), int(m["line"]), f"{m['level']}: {m['text']}") for m in found if m]


class Difference(NamedTuple):
    """New in the instrumented file; on another line than in the original; missing in it; of the optimiser (no fault)."""

    new: list[Message]
    moved: list[Message]
    lost: list[Message]
    flow: list[Message]


def compare(original: list[Message], instrumented: list[Message]) -> Difference:
    """Both with line numbers of the original. Columns are not compared: a line may have gained text."""
    more = Counter(instrumented) - Counter(original)
    less = Counter(original) - Counter(instrumented)
    unmatched = [message for message in less.elements() if not message.is_flow]
    new, moved, flow = [], [], [message for message in less.elements() if message.is_flow]
    for message in more.elements():
        if message.is_flow:
            flow.append(message)
            continue
        partner = next((other for other in unmatched if (other.file, other.text) == (message.file, message.text)), None)
        if partner is not None:
            unmatched.remove(partner)
            moved.append(message)
        else:
            new.append(message)
    return Difference(new, moved, unmatched, flow)
