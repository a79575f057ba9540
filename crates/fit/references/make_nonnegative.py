#!/usr/bin/env python3
"""Writes the non-negative least squares problems of ../tests/nonnegative with the solutions of scipy.optimize.nnls.

    python3 -m venv venv && venv/bin/pip install numpy scipy
    venv/bin/python make_nonnegative.py

scipy solves the weighted problem with columns scaled to norm 1; before a file is written, the solution is held against
the conditions of Karush, Kuhn and Tucker and against scipy.optimize.lsq_linear. Random numbers have fixed seeds.
"""

import pathlib

import numpy as np
import scipy.optimize

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tests" / "nonnegative"


def write(name, title, basis, observed, weights=None):
    basis = np.column_stack([np.asarray(column, dtype=float) for column in basis])
    observed = np.asarray(observed, dtype=float)
    weights = np.ones(len(observed)) if weights is None else np.asarray(weights, dtype=float)
    roots = np.sqrt(weights)
    design, image = basis * roots[:, None], observed * roots
    norms = np.linalg.norm(design, axis=0)
    scaled, residual = scipy.optimize.nnls(design / norms, image)
    gradient = (design / norms).T @ (image - (design / norms) @ scaled)
    size = np.linalg.norm(image)
    assert np.all(scaled >= 0) and np.all(gradient < 1e-9 * size), (name, scaled, gradient)
    assert np.all(np.abs(gradient[scaled > 0]) < 1e-9 * size), (name, gradient)
    peer = scipy.optimize.lsq_linear(design / norms, image, bounds=(0, np.inf), method="bvls", tol=1e-14).x
    assert np.max(np.abs(peer - scaled)) < 1e-6 * np.max(scaled, initial=1e-300), (name, peer, scaled)
    lines = [f"# {title}", f"terms {basis.shape[1]}", f"residual_sum_of_squares {residual**2!r}"]
    lines.append(" ".join(["coefficients", *(repr(float(b)) for b in scaled / norms)]))
    lines.append("# basis..., observed, weight")
    for row, y, weight in zip(basis, observed, weights):
        lines.append("row " + " ".join(repr(float(value)) for value in [*row, y, weight]))
    (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n")
    print(f"{name:20} {scaled / norms}")


def formula(n):
    return [np.ones(len(n)), n, n * np.log(n), n * n]


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(11)
    n = np.unique(np.round(np.geomspace(16, 1e6, 60)))
    y = (2e-4 + 3e-9 * n * np.log(n)) * (1 + 0.1 * rng.standard_normal(len(n)))
    write("two-of-four", "f[0] and f[2] of 1, N, N log N, N^2, 10 % noise, relative.", formula(n), y, 1 / y**2)
    write("absolute", "The same, all seconds alike.", formula(n), y)
    y = 1e-3 / n**0.5
    write("falling", "A falling cost under growing terms: only the constant is left.", formula(n)[:3], y)
    write("all-negative", "Negative observations: nothing is left.", formula(n)[:2], -y)
    for seed, rows, terms in [(12, 30, 6), (13, 200, 12), (14, 9, 9), (15, 1000, 3)]:
        rng = np.random.default_rng(seed)
        basis = rng.standard_normal((terms, rows))
        y = basis.T @ rng.standard_normal(terms) + 0.1 * rng.standard_normal(rows)
        write(f"random-{rows}-{terms}", "Random columns, half of the constants negative.", basis, y)
    rng = np.random.default_rng(16)
    n = np.round(np.linspace(2.0e5, 2.1e5, 100))
    y = (3e-9 * n + 2e-12 * n * n) * (1 + 0.01 * rng.standard_normal(100))
    write("narrow", "1, N, N^2 on a narrow interval.", [np.ones(100), n, n * n], y, 1 / y**2)
    x = rng.uniform(1, 10, 80)
    weights = 10 ** rng.uniform(-3, 3, 80)
    y = -3 + 2 * x + rng.standard_normal(80) / np.sqrt(weights)
    write("weighted", "Weights over six decades, a negative constant.", [np.ones(80), x], y, weights)


if __name__ == "__main__":
    main()
