#!/usr/bin/env python3
"""Ends of parallel programs by a simulation of single processors that knows nothing of model programs: prints what
`programs.txt` has, which `tests/simulated_programs.rs` reads. g = 2 s a byte, L = 1 s; bytes in and out are added."""
import math

G, L = 2.0, 1.0


def ended(ready, messages):
    """Each processor waits for those that sent it something; messages are (from, to, bytes)."""
    messages = [(a, b, m) for a, b, m in messages if a != b]
    count = len(ready)
    moved = [0.0] * count
    partners = [{i} for i in range(count)]
    for a, b, m in messages:
        moved[a] += m
        moved[b] += m
        partners[b].add(a)
    return [max(ready[j] for j in partners[i]) + G * max(moved[j] for j in partners[i]) + L for i in range(count)]


def barrier(ready, messages=()):
    moved = [0.0] * len(ready)
    for a, b, m in messages:
        if a != b:
            moved[a] += m
            moved[b] += m
    return [max(ready) + G * max(moved) + L] * len(ready)


def cannon(count, b):
    q = math.isqrt(count)
    now = [0.0] * count
    for _ in range(q):
        now = [t + b ** 3 + 5 * ((i * 7) % 4) for i, t in enumerate(now)]
        messages = []
        for i in range(count):
            row, column = divmod(i, q)
            messages.append((i, row * q + (column - 1) % q, 8 * b * b))
            messages.append((i, (row - 1) % q * q + column, 8 * b * b))
        now = ended(now, messages)
    return now


def elimination(count, n):
    now = [0.0] * count
    for k in range(count):
        now[k] += n
        now = ended(now, [(k, j, 8 * (count - k)) for j in range(count)])
        now = [t + (i + 1) * n / 4 if i > k else t for i, t in enumerate(now)]
    return now


def sort(count, n):
    now = [0.0] * count
    for s in range(count):
        messages = []
        for i in range(count):
            partner = i + 1 if (i + s) % 2 == 0 else i - 1
            if 0 <= partner < count:
                messages.append((i, partner, n))
        now = ended(now, messages)
        now = [t + n * (i % 3) for i, t in enumerate(now)]
    return now


def tree(count, n):
    now = [float(n * i) for i in range(count)]
    k = 1
    while k < count:
        now = ended(now, [(i, i - k, 8) for i in range(count) if i % (2 * k) == k])
        now = [t + n if i % (2 * k) == 0 else t for i, t in enumerate(now)]
        k *= 2
    return now


def parts(count, n):
    """Messages that were sent before a partition arrive behind it; parts have 1, 2 and the rest, and the last is divided again."""
    now = [float(i % 5) for i in range(count)]
    messages = [(i, (i + 3) % count, i) for i in range(count)]
    one, two, rest = now[:1], now[1:3], now[3:]
    one = [t + n for t in one]
    for step in range(4):
        two = [t + step + i for i, t in enumerate(two)]
        two = ended(two, [(0, 1, 4)])
    rest = barrier([t + i for i, t in enumerate(rest)])
    half = len(rest) // 2
    low, high = rest[:half], rest[half:]
    low = ended(low, [(i, len(low) - 1 - i, n) for i in range(len(low))])
    for _ in range(3):
        high = barrier([t + i for i, t in enumerate(high)], [(i, 0, 2) for i in range(len(high))])
    return ended(one + two + low + high, messages)


for name, program, arguments in [
    ("cannon", cannon, [(1, 4), (9, 4), (100, 3)]),
    ("elimination", elimination, [(1, 8), (7, 8), (70, 16)]),
    ("sort", sort, [(2, 8), (13, 5), (130, 3)]),
    ("tree", tree, [(1, 3), (13, 3), (1000, 2)]),
    ("parts", parts, [(7, 10), (200, 6)]),
]:
    for count, n in arguments:
        print(name, count, n, *program(count, n))
