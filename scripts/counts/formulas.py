"""Counts and assumptions as `call propose` says them, C expressions over real numbers: read, and evaluated exactly where that is possible."""

import math
from fractions import Fraction

from statements import tokens_of

LEVELS = [["||"], ["&&"], ["==", "!="], ["<", ">", "<=", ">="], ["+", "-"], ["*", "/", "%"]]


class Unclear(Exception):
    """An expression cannot be read, or has no value at these sizes."""


class NoValue(Unclear):
    """A root of what is negative, a quotient by zero."""


def exact(value: float | Fraction) -> float | Fraction:
    if isinstance(value, float) and not math.isfinite(value):
        raise Unclear("not a finite number")
    return value


def power(base, exponent):
    if isinstance(base, Fraction) and exponent == int(exponent) and abs(exponent) < 4096:
        return base ** int(exponent)
    return float(base) ** float(exponent)


def remainder(left, right):
    return left - right * math.trunc(left / right)


FUNCTIONS = {
    "log2": lambda x: math.log2(x), "log": lambda x: math.log(x), "log10": lambda x: math.log10(x), "sqrt": lambda x: math.sqrt(x),
    "cbrt": lambda x: math.cbrt(x), "exp": lambda x: math.exp(x), "exp2": lambda x: power(Fraction(2), x), "pow": power,
    "floor": lambda x: Fraction(math.floor(x)), "ceil": lambda x: Fraction(math.ceil(x)), "trunc": lambda x: Fraction(math.trunc(x)),
    "fabs": abs, "abs": abs, "max": max, "min": min, "fmax": max, "fmin": min,
}  # fmt: skip

BINARY = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b, "%": remainder,
    "<": lambda a, b: Fraction(a < b), ">": lambda a, b: Fraction(a > b), "<=": lambda a, b: Fraction(a <= b),
    ">=": lambda a, b: Fraction(a >= b), "==": lambda a, b: Fraction(a == b), "!=": lambda a, b: Fraction(a != b),
}  # fmt: skip


class Formula:
    """`atoms` are the places of the program it reads, as C: `n`, `p->n`, `a[0]`, `*p`."""

    def __init__(self, text: str):
        self.text = text
        self.words = [token.text for token in tokens_of(text)]
        self.at = 0
        self.atoms: set[str] = set()
        self.tree = self.choice()
        if self.at != len(self.words):
            raise Unclear(f"`{text}`: `{self.words[self.at]}` is not expected")

    def peek(self) -> str:
        return self.words[self.at] if self.at < len(self.words) else ""

    def take(self, wanted: str | None = None) -> str:
        word = self.peek()
        if not word or (wanted and word != wanted):
            raise Unclear(f"`{self.text}`: `{wanted or 'an operand'}` is missing")
        self.at += 1
        return word

    def choice(self):
        condition = self.binary(0)
        if self.peek() != "?":
            return condition
        self.take()
        yes = self.choice()
        self.take(":")
        return ("?", condition, yes, self.choice())

    def binary(self, level: int):
        if level == len(LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.peek() in LEVELS[level]:
            left = (self.take(), left, self.binary(level + 1))
        return left

    def unary(self):
        word = self.peek()
        if word in ("-", "+", "!"):
            return ("unary" + self.take(), self.unary())
        if word == "*":
            self.take()
            return self.atom("*" + self.take())
        if word == "(":
            self.take()
            inside = self.choice()
            self.take(")")
            return inside
        self.take()
        if word[:1].isdigit() or word[:1] == ".":
            return ("number", self.number(word))
        if not (word[:1].isalpha() or word[:1] == "_"):
            raise Unclear(f"`{self.text}`: `{word}` is not expected")
        return self.call(word) if self.peek() == "(" else self.place(word)

    def call(self, word: str):
        if word == "sizeof":
            return self.size()
        if word not in FUNCTIONS:
            raise Unclear(f"`{self.text}`: no function `{word}` is known")
        self.take("(")
        arguments = [self.choice()]
        while self.peek() == ",":
            self.take()
            arguments.append(self.choice())
        self.take(")")
        return ("call", word, arguments)

    def size(self):
        """`sizeof(struct s)` is a number that C knows."""
        words, depth = [], 0
        while not words or depth > 0:
            words.append(self.take())
            depth += (words[-1] == "(") - (words[-1] == ")")
        return self.atom("sizeof" + " ".join(words))

    def place(self, word: str):
        while self.peek() in ("->", ".", "["):
            sign = self.take()
            word += sign
            depth = sign == "["
            while depth > 0:
                depth += (self.peek() == "[") - (self.peek() == "]")
                part = self.take()
                # C's subscripts are whole numbers.
                word += "(long)__builtin_floor" if part == "floor" else part
            if sign != "[":
                word += self.take()
        return self.atom(word)

    def atom(self, word: str):
        self.atoms.add(word)
        return ("atom", word)

    def number(self, word: str) -> Fraction:
        try:
            return Fraction(int(word.rstrip("uUlL"), 16)) if word[:2].lower() == "0x" else Fraction(word.rstrip("uUlLfF"))
        except ValueError as error:
            raise Unclear(f"`{self.text}`: `{word}` is not a number") from error

    def value(self, values: dict[str, float]):
        try:
            return exact(self.evaluate(self.tree, values))
        except (ValueError, ZeroDivisionError, OverflowError, TypeError) as error:
            raise NoValue(f"`{self.text}` has no value where {values}: {error}") from error

    def evaluate(self, tree, values):
        kind = tree[0]
        if kind == "number":
            return tree[1]
        if kind == "atom":
            if tree[1] not in values:
                raise Unclear(f"`{self.text}`: `{tree[1]}` has no value when the block begins")
            value = values[tree[1]]
            return Fraction(int(value)) if float(value).is_integer() else float(value)
        if kind == "call":
            return FUNCTIONS[tree[1]](*[self.evaluate(part, values) for part in tree[2]])
        if kind == "?":
            return self.evaluate(tree[2] if self.evaluate(tree[1], values) else tree[3], values)
        if kind == "&&":
            return Fraction(bool(self.evaluate(tree[1], values) and self.evaluate(tree[2], values)))
        if kind == "||":
            return Fraction(bool(self.evaluate(tree[1], values) or self.evaluate(tree[2], values)))
        if kind.startswith("unary"):
            inside = self.evaluate(tree[1], values)
            return {"-": lambda: -inside, "+": lambda: inside, "!": lambda: Fraction(not inside)}[kind[-1]]()
        return BINARY[kind](self.evaluate(tree[1], values), self.evaluate(tree[2], values))
