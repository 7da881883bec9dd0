"""Sizes of effects, margins and power (docs/metrics.md), with the distributions of SciPy."""

import math

import numpy as np
from scipy import integrate, optimize, special, stats

from . import intervals


def deviation(values):
    return math.sqrt(math.fsum((v - intervals.mean(values)) ** 2 for v in values) / (len(values) - 1))


def noncentral_cdf(t, freedom, ncp):
    """P((Z + ncp) / S <= t), S the root of chi-squared over its degrees of freedom: the normal distribution averaged over S."""
    s = stats.chi(freedom, scale=1 / math.sqrt(freedom))
    low, high = s.ppf(1e-17), s.isf(1e-17)
    # Where the normal distribution goes from 0 to 1, quad must look closely.
    turn = [x for x in ((ncp + k) / t for k in (-6, -2, 0, 2, 6)) if low < x < high] if t else []
    part = lambda x: stats.norm.cdf(t * x - ncp) * s.pdf(x)
    return integrate.quad(part, low, high, points=sorted(turn) or None, epsabs=1e-11, epsrel=1e-11, limit=200)[0]


def noncentral_end(t, freedom, share):
    """The noncentrality under which the share of values below t is this one."""
    of = lambda ncp: noncentral_cdf(t, freedom, ncp) - share
    reach = 1.0
    while of(t - reach) < 0 or of(t + reach) > 0:
        reach *= 2
    return optimize.brentq(of, t - reach, t + reach, xtol=1e-10)


def cohen_d(a, b, paired=False, level=0.95):
    if paired:
        differences = [x - y for x, y in zip(a, b)]
        freedom, s = len(a) - 1, 1 / math.sqrt(len(a))
        spread = deviation(differences)
    else:
        freedom, s = len(a) + len(b) - 2, math.sqrt(1 / len(a) + 1 / len(b))
        squares = (len(a) - 1) * deviation(a) ** 2 + (len(b) - 1) * deviation(b) ** 2
        spread = math.sqrt(squares / freedom)
    if spread == 0:
        return {"d": None, "hedgesG": None, "freedom": freedom}
    d = (intervals.mean(a) - intervals.mean(b)) / spread
    low, high = (s * noncentral_end(d / s, freedom, (1 - side * level) / 2) for side in (-1, 1))
    g = d * math.exp(special.gammaln(freedom / 2) - special.gammaln((freedom - 1) / 2)) / math.sqrt(freedom / 2) if freedom > 1 else None
    return {"d": {"value": d, "low": low, "high": high, "level": level}, "hedgesG": g, "freedom": freedom}


def odds_ratio(a, b, c, d, level=0.95):
    corrected = 0 in (a, b, c, d)
    a, b, c, d = (x + 0.5 * corrected for x in (a, b, c, d))
    log = math.log(a * d / (b * c))
    half = intervals.normal(level) * math.sqrt(1 / a + 1 / b + 1 / c + 1 / d)
    return {"value": math.exp(log), "low": math.exp(log - half), "high": math.exp(log + half), "level": level, "corrected": corrected}


def odds(p):
    return p / (1 - p) if p < 1 else None


def paired_odds_ratio(b, c, level=0.95):
    low, high = intervals.score_ends(b / (b + c), b + c, intervals.normal(level))
    return {"value": odds(b / (b + c)), "low": odds(low), "high": odds(high), "level": level}


def cohen_h(hits1, n1, hits2, n2, level=0.95):
    h = 2 * math.asin(math.sqrt(hits1 / n1)) - 2 * math.asin(math.sqrt(hits2 / n2))
    half = intervals.normal(level) * math.sqrt(1 / n1 + 1 / n2)
    return {"value": h, "low": max(h - half, -math.pi), "high": min(h + half, math.pi), "level": level}


def mean_equivalence(a, b, margin, cluster=None, level=0.95):
    differences = np.array(a) - np.array(b)
    m = intervals.mean(differences)
    found = intervals.robust(differences, [cluster if cluster is not None else range(len(a))])
    error = found and intervals.spread(found[0], differences)
    if not error:
        return {"difference": m, "low": None, "high": None, "pNonInferiority": None, "pEquivalence": None}
    freedom = found[1]
    inferior, superior = stats.t.sf((m + margin) / error, freedom), stats.t.cdf((m - margin) / error, freedom)
    reach = stats.t.ppf(level, freedom) * error
    return {"difference": m, "low": m - reach, "high": m + reach, "pNonInferiority": inferior, "pEquivalence": max(inferior, superior)}


def share_equivalence(b, c, n, margin, level=0.95):
    inferior = stats.norm.sf(intervals.tango_score(b, c, n, -margin))
    superior = stats.norm.cdf(intervals.tango_score(b, c, n, margin))
    ci = intervals.tango(b, c, n, 2 * level - 1)
    return {
        "difference": (b - c) / n, "low": ci["low"], "high": ci["high"],
        "pNonInferiority": inferior, "pEquivalence": max(inferior, superior),
    }


def minimum_detectable_effect(n, independent=False, level=0.95, power=0.8):
    freedom = 2 * n - 2 if independent else n - 1
    root = math.sqrt(n / 2) if independent else math.sqrt(n)
    t, z = stats.t.ppf(0.5 + level / 2, freedom), intervals.normal(level)
    by_t = lambda d: 1 - noncentral_cdf(t, freedom, d * root) + noncentral_cdf(-t, freedom, d * root) - power
    by_z = lambda h: stats.norm.sf(z - h * root) + stats.norm.cdf(-z - h * root) - power
    return {name: optimize.brentq(of, 1e-12, 2000 / root, xtol=1e-10) for name, of in (("d", by_t), ("h", by_z))}


def benjamini_hochberg(p_values):
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, least = [0.0] * len(p_values), 1.0
    for place in range(len(order), 0, -1):
        at = order[place - 1]
        least = min(least, len(order) * p_values[at] / place)
        adjusted[at] = least
    return adjusted


def kruskal_wallis(values, group):
    h, freedom, p, epsilon = intervals.kruskal(values, group)
    return {
        "h": h, "freedom": len(set(group)) - 1, "pValue": p, "epsilonSquared": epsilon, "n": len(values), "groups": len(set(group)),
    }


def correlation(x, y, method="pearson", level=0.95):
    if method == "pearson":
        r, ci, p = intervals.pearson(x, y, level)
        ends = ci and {"low": ci["low"], "high": ci["high"]}
    else:
        r, ends, p = intervals.spearman(x, y, level)
        ends = ends and dict(zip(("low", "high"), ends))
    return {"r": r, "n": len(x), "ci": ends, "pValue": p}


def mcnemar(b, c):
    return {"pValue": intervals.mcnemar(b, c), "n": b + c}


def tango(b, c, n, level=0.95):
    ci = intervals.tango(b, c, n, level)
    return {"mean": (b - c) / n, "low": ci["low"], "high": ci["high"], "n": n, "level": level}


FUNCTIONS = {
    "cohenD": cohen_d,
    "oddsRatio": odds_ratio,
    "pairedOddsRatio": paired_odds_ratio,
    "cohenH": cohen_h,
    "meanEquivalence": mean_equivalence,
    "shareEquivalence": share_equivalence,
    "minimumDetectableEffect": minimum_detectable_effect,
    "holm": intervals.holm,
    "benjaminiHochberg": benjamini_hochberg,
    "kruskalWallis": kruskal_wallis,
    "correlation": correlation,
    "mcnemar": mcnemar,
    "tango": tango,
}
# What either says in words, or which branch it took.
WORDS = ("reason", "test", "method", "statistic")


def plain(x):
    """Without NumPy's own numbers and NaN."""
    if isinstance(x, dict):
        return {key: plain(value) for key, value in x.items() if key not in WORDS}
    if isinstance(x, list):
        return [plain(value) for value in x]
    return float(x) if isinstance(x, np.floating) else x
