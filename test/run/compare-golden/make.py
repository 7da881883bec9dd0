"""Makes golden.json: what `compare` gives beside a difference, by SciPy and statsmodels alone. Run: python make.py > golden.json (then biome format)"""
import json
import sys

import numpy as np
import statsmodels.api as sm
from scipy import optimize, stats
from statsmodels.stats.power import TTestPower
from statsmodels.stats.proportion import proportion_confint, proportions_ztest

rng = np.random.default_rng(17)
LEVEL = 0.95
GROUPS = 8


def robust(values, cluster):
    """Mean, standard error and degrees of freedom of an intercept with cluster-robust errors."""
    fit = sm.OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": cluster}, use_t=True)
    return fit.params[0], fit.bse[0], len(set(cluster)) - 1


def interval(mean, error, freedom, level=LEVEL):
    half = stats.t.ppf((1 + level) / 2, freedom) * error
    return [mean - half, mean + half]


def student(mean, error, freedom):
    return 2 * stats.t.sf(abs(mean / error), freedom)


def dz(a, b):
    d = a - b
    n = len(d)
    t = d.mean() / (d.std(ddof=1) / np.sqrt(n))
    end = lambda tail: optimize.brentq(lambda shift: stats.nct.sf(t, n - 1, shift) - tail, t - 12, t + 12)
    return [t / np.sqrt(n), end(0.025) / np.sqrt(n), end(0.975) / np.sqrt(n)]


def mde(error, freedom):
    shift = TTestPower().solve_power(nobs=freedom + 1, alpha=0.05, power=0.8) * np.sqrt(freedom + 1)
    return shift * error


def on_scale(a, b, cluster, of, slope, shown):
    value = of(a.mean()) - of(b.mean())
    rows = (a - a.mean()) * slope(a.mean()) - (b - b.mean()) * slope(b.mean())
    _, error, freedom = robust(rows, cluster)
    return [shown(value), *(shown(end) for end in interval(value, error, freedom))]


def identity(value):
    return value


SCALES = {
    "h": (lambda p: 2 * np.arcsin(np.sqrt(p)), lambda p: 1 / np.sqrt(p * (1 - p)), identity),
    "oddsRatio": (lambda p: np.log(p / (1 - p)), lambda p: 1 / (p * (1 - p)), np.exp),
    "ratio": (np.log, lambda x: 1 / x, np.exp),
}


def tango_score(b, c, n, shift):
    """Tango's score at a difference, with the restricted likelihood maximised numerically."""

    def loss(q):
        return -((b * np.log(q + shift) if b else 0) + (c * np.log(q) if c else 0) + (n - b - c) * np.log(1 - 2 * q - shift))

    low, high = max(0, -shift), (1 - shift) / 2
    q = optimize.minimize_scalar(loss, bounds=(low + 1e-13, high - 1e-13), method="bounded", options={"xatol": 1e-15}).x
    return (b - c - n * shift) / np.sqrt(n * (2 * q + shift * (1 - shift)))


def tango(b, c, n, level=LEVEL):
    z = stats.norm.ppf((1 + level) / 2)
    end = lambda sign: optimize.brentq(lambda d: tango_score(b, c, n, d) - sign * z, -0.999, 0.999, xtol=1e-13)
    return [end(1), end(-1)]


def image(d, s):
    """What sign(xy) min(|x|, |y|) takes on a rectangle, by a fine grid with its corners, diagonals and axes."""
    cuts = lambda low, high: np.unique(
        np.concatenate([np.linspace(low, high, 1501), [x for v in (*d, *s, 0) for x in (v, -v) if low <= x <= high]])
    )
    x, y = np.meshgrid(cuts(*d), cuts(*s))
    f = np.sign(x * y) * np.minimum(abs(x), abs(y))
    return [f.min(), f.max()]


def means(unbiased, margin, clustered):
    n = 24
    cluster = np.arange(n) % GROUPS if clustered else np.arange(n)
    effect = rng.normal(size=n)[cluster] * 0.4
    a = np.round(rng.normal(0.55, 0.8, n) + effect, 4)
    b = np.round(rng.normal(-0.2, 0.8, n) + effect / 2, 4)
    d, s = robust(a - b, cluster), robust(a + b - 2 * unbiased, cluster)
    difference, error, freedom = d
    deviation = (a - b).std(ddof=1)
    own = robust(a, cluster)
    above = stats.t.sf((difference + margin) / error, freedom)
    below = stats.t.sf((margin - difference) / error, freedom)
    return {
        **{"unbiased": unbiased, "margin": margin, "cluster": cluster.tolist() if clustered else None},
        **{"a": a.tolist(), "b": b.tolist(), "mde": mde(error, freedom)},
        "dz": [difference / deviation, *(end / deviation for end in interval(*d))] if clustered else dz(a, b),
        "distance": {
            "difference": abs(a.mean() - unbiased) - abs(b.mean() - unbiased),
            "ci": image(interval(*d), interval(*s)),
            "pValue": max(student(*d), student(*s)),
        },
        "within": {"pEquivalence": max(above, below), "pNonInferiority": above, "ci": interval(*d, level=0.9)},
        "own": {"ci": interval(*own), "pValue": student(own[0] - unbiased, *own[1:])},
    }


def positives():
    n = 20
    cluster = np.arange(n)
    a, b = (np.round(rng.exponential(scale, n), 4) for scale in (1, 2))
    return {"a": a.tolist(), "b": b.tolist(), "ratio": on_scale(a, b, cluster, *SCALES["ratio"])}


def shares(clustered):
    n = 48
    cluster = np.arange(n) % (2 * GROUPS) if clustered else np.arange(n)
    a = (rng.random(n) < 0.7).astype(float)
    b = np.where(rng.random(n) < 0.6, a, rng.random(n) < 0.45).astype(float)
    only_a, only_b = int(((a == 1) & (b == 0)).sum()), int(((a == 0) & (b == 1)).sum())
    both, none = int((a + b == 2).sum()), int((a + b == 0).sum())
    found = {
        **{"a": a.tolist(), "b": b.tolist(), "cluster": cluster.tolist() if clustered else None},
        "mde": mde(*robust(a - b, cluster)[1:]),
        "h": on_scale(a, b, cluster, *SCALES["h"]),
        "oddsRatio": on_scale(a, b, cluster, *SCALES["oddsRatio"]),
    }
    if clustered:
        of = lambda one, other: ((one == 1) & (other == 0)).astype(float)
        found["pairedOddsRatio"] = on_scale(of(a, b), of(b, a), cluster, *SCALES["ratio"])
        mean, error, freedom = robust(a, cluster)
        effective = min(mean * (1 - mean) / error**2, n)
        z = (mean - 0.5) / np.sqrt(0.25 / effective)
        found["own"] = {"pValue": 2 * stats.t.sf(abs(z), freedom)}
        return found
    odds = [p / (1 - p) for p in proportion_confint(only_a, only_a + only_b, method="wilson")]
    found["pairedOddsRatio"] = [only_a / only_b, *odds]
    d, s = tango(only_a, only_b, n), tango(both, none, n)
    exact = lambda x, y: stats.binomtest(x, x + y, 0.5).pvalue
    found["distance"] = {
        "difference": abs(a.mean() - 0.5) - abs(b.mean() - 0.5),
        "ci": image(d, s),
        "pValue": max(exact(only_a, only_b), exact(both, none)),
    }
    margin = 0.3
    above = stats.norm.sf(tango_score(only_a, only_b, n, -margin))
    below = stats.norm.sf(tango_score(only_b, only_a, n, -margin))
    found["margin"] = margin
    found["within"] = {"pEquivalence": max(above, below), "pNonInferiority": above, "ci": tango(only_a, only_b, n, 0.9)}
    found["own"] = {"pValue": proportions_ztest(a.sum(), n, 0.5, prop_var=0.5)[1]}
    return found


json.dump(
    {
        "means": [means(0.0, 1.5, False), means(0.1, 1.2, True), means(0.3, 0.2, True)],
        "positives": [positives()],
        "shares": [shares(False), shares(True)],
    },
    sys.stdout,
    indent=1,
)
print()
