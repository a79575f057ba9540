#!/usr/bin/env python3
"""Writes quality.txt: a small experiment and the figures of its fit of f[0] + f[1]*N + f[2]*N*N, by numpy and scipy.

    python3 -m venv venv && venv/bin/pip install numpy scipy
    venv/bin/python quality.py > quality.txt

Weights are 1 / fitted time², fit and weights taking turns until they agree, from 1 / time² on. Samples are left out by fitting the others
anew, with their weights.
"""

import numpy as np
from scipy.stats import t

LEVEL = 0.95
random = np.random.default_rng(5)
n = np.array([16, 24, 32, 48, 64, 96, 128, 192, 256, 384], dtype=float)
time_s = np.round((2e-4 + 3e-6 * n + 4e-9 * n * n) * (1 + 0.04 * random.standard_normal(len(n))), 9)
design = np.column_stack([np.ones_like(n), n, n * n])
roots = 1 / time_s


def fit(rows):
    scaled = design[rows] * roots[rows, None]
    scale = np.linalg.norm(scaled, axis=0)
    return np.linalg.lstsq(scaled / scale, time_s[rows] * roots[rows], rcond=None)[0] / scale


everything = np.arange(len(n))
for _ in range(50):
    roots = 1 / (design @ fit(everything))
constants = fit(everything)
predicted = design @ constants
scaled = design * roots[:, None]
freedom = len(n) - 3
variance = np.sum(((time_s - predicted) * roots) ** 2) / freedom
inverse = np.linalg.inv(scaled.T @ scaled)
errors = np.sqrt(variance * np.diag(inverse))
reach = t.ppf(0.5 + LEVEL / 2, freedom)
left_out = np.array([time_s[row] - design[row] @ fit(np.delete(everything, row)) for row in everything])
leverage = np.diag(scaled @ inverse @ scaled.T)
standardised = (time_s - predicted) * roots / np.sqrt(variance * (1 - leverage))


def smape(f):
    return 100 * np.mean(2 * np.abs(time_s - f) / (np.abs(time_s) + np.abs(f)))


def rms(f):
    return np.sqrt(np.mean(((time_s - f) / time_s) ** 2))


def line(name, values):
    print(name, *[repr(float(value)) for value in np.atleast_1d(values)])


print("# made by quality.py")
line("n", n)
line("time_s", time_s)
line("value", constants)
line("standard_error", errors)
line("lower", constants - reach * errors)
line("upper", constants + reach * errors)
line("r_squared", 1 - np.sum((time_s - predicted) ** 2) / np.sum((time_s - time_s.mean()) ** 2))
line("smape_percent", smape(predicted))
line("rms_relative", rms(predicted))
line("worst_relative", np.max(np.abs((time_s - predicted) / time_s)))
line("noise_relative", np.sqrt(np.sum(((time_s - predicted) / time_s) ** 2) / freedom))
line("left_out_s", left_out)
line("left_out_rms", rms(time_s - left_out))
line("left_out_smape", smape(time_s - left_out))
line("standardised", standardised)
# The interval of a measurement at N = 200, if the formula is right: on the logarithm of the time.
point = np.array([1, 200, 200 * 200.0])
time = point @ constants
deviation = np.sqrt(np.log1p(variance * (time**2 + point @ inverse @ point) / time**2)) * time
line("noise_s", np.sqrt(variance) * time)
line("constants_s", np.sqrt(variance * (point @ inverse @ point)))
factor = np.exp(t.ppf(0.95, freedom) * deviation / time)
line("interval", [time / factor, time * factor])
