#!/usr/bin/env python3
"""Writes the robust problems of ../tests/robust with the solutions of scipy.optimize.least_squares(loss=...).

    python3 -m venv venv && venv/bin/pip install numpy scipy
    venv/bin/python make_robust.py

The scale s is given, so that only the minimum is compared: scipy's f_scale is 1.345 s for Huber's loss and s for soft_l1.
Random numbers have fixed seeds.
"""

import pathlib

import numpy as np
import scipy.optimize

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tests" / "robust"


def write(name, title, basis, observed, scale, weights=None):
    basis = np.column_stack([np.asarray(column, dtype=float) for column in basis])
    observed = np.asarray(observed, dtype=float)
    weights = np.ones(len(observed)) if weights is None else np.asarray(weights, dtype=float)
    roots = np.sqrt(weights)
    design, image = basis * roots[:, None], observed * roots
    # Columns orthonormal, residuals in units of the scale: scipy stops by absolute tolerances.
    q, r = np.linalg.qr(design / np.linalg.norm(design, axis=0))
    lines = [f"# {title}", f"terms {basis.shape[1]}", f"scale {scale!r}"]
    for loss, tuning in [("huber", 1.345), ("soft_l1", 1.0)]:
        found = scipy.optimize.least_squares(
            lambda c: q @ c - image / scale, q.T @ image / scale, jac=lambda c: q, loss=loss, f_scale=tuning,
            ftol=1e-15, xtol=1e-15, gtol=1e-15, max_nfev=10000,
        )
        coefficients = np.linalg.solve(r, found.x * scale) / np.linalg.norm(design, axis=0)
        z = ((q @ found.x - image / scale) / tuning) ** 2
        slope = np.where(z <= 1, 1, 1 / np.sqrt(np.maximum(z, 1))) if loss == "huber" else 1 / np.sqrt(1 + z)
        gradient = q.T @ (slope * (q @ found.x - image / scale))
        assert np.max(np.abs(gradient)) < 1e-6, (name, loss, gradient)
        lines.append(" ".join([loss, *(repr(float(b)) for b in coefficients)]))
        print(f"{name:12} {loss:8} {coefficients} gradient {np.max(np.abs(gradient)):.1e}")
    lines.append("# basis..., observed, weight")
    for row, y, weight in zip(basis, observed, weights):
        lines.append("row " + " ".join(repr(float(value)) for value in [*row, y, weight]))
    (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n")


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(21)
    x = np.linspace(1, 50, 60)
    y = 3 + 2 * x + rng.standard_normal(60)
    y[::7] += 40 * rng.random(9)
    write("line", "A line, every seventh point disturbed upwards.", [np.ones(60), x], y, 1.0)

    n = np.unique(np.round(np.geomspace(16, 1e6, 80)))
    y = (2e-4 + 3e-9 * n + 1e-10 * n * np.log(n)) * (1 + 0.02 * rng.standard_normal(len(n)))
    y[rng.choice(len(n), 8, replace=False)] *= 5
    write("timings", "1, N, N log N, relative, a tenth of the times five times too long.", [np.ones(len(n)), n, n * np.log(n)], y, 0.02, 1 / y**2)

    basis = [np.ones(200), *rng.standard_normal((3, 200))]
    y = np.column_stack(basis) @ [1, -2, 0.5, 3] + 0.1 * rng.standard_t(2, 200)
    write("long-tails", "Noise with long tails.", basis, y, 0.1)

    n = np.round(np.linspace(2.0e5, 2.1e5, 100))
    y = (3e-9 * n + 2e-12 * n * n) * (1 + 0.01 * rng.standard_t(3, 100))
    write("narrow", "1, N, N^2 on a narrow interval.", [np.ones(100), n, n * n], y, 1e-3)


if __name__ == "__main__":
    main()
