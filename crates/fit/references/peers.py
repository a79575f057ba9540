#!/usr/bin/env python3
"""Times pwlf and ruptures on the 10,000 points of ../examples/bench_fitting.rs and prints the ratios to `segment`.

    python3 -m venv venv && venv/bin/pip install numpy pwlf ruptures
    cargo build --release -p call-fit --example bench_fitting
    venv/bin/python peers.py [path of the bench program]

All work on times relative to a rough fit (y rescaled and weighted alike), so that the residual sums can be compared: pwlf
stops at once with y in seconds. A library that is not installed is left out.
"""

import pathlib
import re
import subprocess
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]


def jitter(rows):
    bits = (np.arange(rows, dtype=np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    bits = ((bits ^ (bits >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)) >> np.uint64(11)
    return bits.astype(float) / 2.0**52 - 1.0


def residual_sum(n, y, borders):
    """Weighted residual sum of a line in each interval (lower, upper]."""
    total = 0.0
    ends = [-np.inf, *borders, np.inf]
    for low, high in zip(ends, ends[1:]):
        inside = (n > low) & (n <= high)
        design = np.column_stack([1 / y[inside], n[inside] / y[inside]])
        norms = np.linalg.norm(design, axis=0)
        c = np.linalg.lstsq(design / norms, np.ones(inside.sum()), rcond=None)[0]
        total += float(np.sum((1 - design / norms @ c) ** 2))
    return total


def timed(run, repeat=3):
    best, answer = np.inf, None
    for _ in range(repeat):
        start = time.perf_counter()
        answer = run()
        best = min(best, time.perf_counter() - start)
    return best, answer


def main():
    bench = sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/release/examples/bench_fitting"
    text = subprocess.run([bench], capture_output=True, text=True, check=True).stdout
    ours = float(re.search(r"([0-9.]+) ms, [0-9.]+ x one fit", text).group(1)) * 1e-3
    borders = [float(word) for word in re.search(r"borders at \[([^]]*)\]", text).group(1).split(",")]
    n = 20.0 * (1 + np.arange(10000.0))
    clean = np.where(n <= 60000, 1e-5 + 1e-9 * n, np.where(n <= 130000, 2e-5 + 2e-9 * n, 5e-5 + 3e-9 * n))
    y = clean * (1 + 0.02 * jitter(len(n)))
    print(f"{'segment':20} {ours * 1e3:9.2f} ms            residual sum {residual_sum(n, y, sorted(borders)):.6f}  {sorted(borders)}")
    try:
        import ruptures

        signal = np.column_stack([np.ones(len(n)), 1 / y, n / y])  # 1 = a / y + b n / y
        run = lambda: ruptures.BottomUp(model="linear").fit_predict(signal, n_bkps=2)
        seconds, ends = timed(run)
        found = [float(n[end - 1]) for end in ends[:-1]]
        print(f"{'ruptures BottomUp':20} {seconds * 1e3:9.2f} ms {seconds / ours:7.0f} x  residual sum {residual_sum(n, y, found):.6f}  {found}")
    except ImportError:
        print("ruptures is not installed")
    try:
        import pwlf

        scaled = y / y.mean()
        run = lambda: pwlf.PiecewiseLinFit(n, scaled, weights=1 / scaled).fitfast(3, pop=3)
        seconds, ends = timed(run, 1)
        found = [float(end) for end in ends[1:-1]]
        print(f"{'pwlf fitfast':20} {seconds * 1e3:9.2f} ms {seconds / ours:7.0f} x  residual sum {residual_sum(n, y, found):.6f}  {found}")
    except ImportError:
        print("pwlf is not installed")


if __name__ == "__main__":
    main()
