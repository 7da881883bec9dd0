"""
Coverage of the interval of |A - u| - |B - u| that compare gives (docs/design/statistics.md), with u = 0 and normal rows: A and B are the true
means in standard errors, rho the correlation of the two runs' rows. NumPy and SciPy alone. Run: python coverage.py
"""
import itertools

import numpy as np
from scipy import stats

EXPERIMENTS = 20_000
rng = np.random.default_rng(1)


def nearer(x, y):
    return np.sign(x) * np.sign(y) * np.minimum(abs(x), abs(y))


def image(d, s):
    cuts = [end * sign for end in (*d, *s) for sign in (1, -1)] + [np.zeros_like(d[0])]
    low, high = np.full(d[0].shape, np.inf), np.full(d[0].shape, -np.inf)
    for x, y in itertools.product(cuts, cuts):
        inside = (x >= d[0]) & (x <= d[1]) & (y >= s[0]) & (y <= s[1])
        value = nearer(x, y)
        low, high = np.where(inside, np.minimum(low, value), low), np.where(inside, np.maximum(high, value), high)
    return low, high


def student(rows):
    n = rows.shape[1]
    half = stats.t.ppf(0.975, n - 1) * rows.std(1, ddof=1) / np.sqrt(n)
    return rows.mean(1) - half, rows.mean(1) + half


for n, rho in itertools.product((10, 30, 100), (0, 0.6)):
    cells = []
    for a, b in ((0, 0), (1, 0), (1, 1), (3, 0), (3, 1), (3, -3), (3, 2.5)):
        first = rng.normal(size=(EXPERIMENTS, n))
        second = rho * first + np.sqrt(1 - rho**2) * rng.normal(size=(EXPERIMENTS, n))
        first, second = first + a / np.sqrt(n), second + b / np.sqrt(n)
        low, high = image(student(first - second), student(first + second))
        truth = (abs(a) - abs(b)) / np.sqrt(n)
        cells.append(f"{a},{b}: {100 * np.mean((low <= truth) & (truth <= high)):.1f}")
    print(f"n {n} rho {rho}   " + "   ".join(cells))
