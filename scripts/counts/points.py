"""At which sizes a function runs: each variable alone around a base point, all together, some at random (also below zero), and growing."""

import random
from dataclasses import dataclass

ALONE = (-3, -1, 0, 1, 2, 3, 5, 8, 13, 21)
BASE = (9, 14, 6, 11, 17, 7)
DOUBLINGS = 11
RANDOM_POINTS = 14


@dataclass(frozen=True)
class Point:
    """`series` groups points that only grow: their order is that of `values`. `pattern` chooses what data and unknown functions give."""

    values: tuple[int, ...]
    pattern: int = 0
    series: str = ""


def base(count: int) -> list[int]:
    return [BASE[index % len(BASE)] + index // len(BASE) for index in range(count)]


def small(count: int, seed: str) -> list[Point]:
    """Sizes around zero, where guards and rounding show."""
    middle = base(count)
    wanted = [tuple(middle)]
    for index in range(count):
        wanted += [tuple(middle[:index] + [value] + middle[index + 1 :]) for value in ALONE]
    wanted += [(size,) * count for size in (-2, 0, 1, 4, 16)]
    wanted += [tuple(sorted(middle)), tuple(sorted(middle, reverse=True))]
    chance = random.Random(seed)
    wanted += [tuple(chance.randint(-5, 30) for _ in range(count)) for _ in range(RANDOM_POINTS)]
    if count == 0:
        return [Point((), pattern) for pattern in range(8)]
    return [Point(values, number % 4) for number, values in enumerate(dict.fromkeys(wanted))]


def growing(count: int) -> list[list[Point]]:
    """Each series doubles one variable, or all; whoever runs them stops at the first that takes too long."""
    middle = base(count)
    series = []
    for index in range(count):
        steps = [middle[:index] + [10 << doubling] + middle[index + 1 :] for doubling in range(DOUBLINGS + 1)]
        series.append([Point(tuple(step), 1, f"variable {index + 1}") for step in steps])
    if count > 1:
        series.append([Point(tuple(value << doubling for value in middle), 1, "all") for doubling in range(DOUBLINGS + 1)])
    return series
