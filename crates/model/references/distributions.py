#!/usr/bin/env python3
"""Writes distributions.txt: quantiles of Student's t and upper tails of Fisher's F, by scipy.

    python3 -m venv venv && venv/bin/pip install scipy
    venv/bin/python distributions.py > distributions.txt
"""

from scipy.stats import f, t

print("# t PROBABILITY FREEDOM QUANTILE; F RATIO FREEDOM_ABOVE FREEDOM_BELOW CHANCE")
for freedom in [1, 2, 3, 4, 5, 10, 30, 100, 1000, 9999, 10000, 1e5, 1e7, 1e9]:
    for probability in [0.05, 0.6, 0.75, 0.9, 0.95, 0.975, 0.995, 0.9995]:
        print("t", probability, freedom, repr(float(t.ppf(probability, freedom))))
for above in [1, 2, 5]:
    for below in [1, 2, 8, 40, 1000]:
        for ratio in [0.1, 1.0, 3.0, 10.0, 40.0]:
            print("F", ratio, above, below, repr(float(f.sf(ratio, above, below))))
