"""What `compare` gives beside a difference (docs/metrics.md, Two runs): sizes of effects, what could be detected, distances to a value."""

import math
from functools import lru_cache

import numpy as np
from scipy import optimize, stats

from . import effects, intervals

POWER = 0.8


def finite(x):
    return None if x is None or not math.isfinite(x) else x


class Logit:
    def __init__(self, most):
        self.most = most

    def of(self, x):
        return math.log(x / (self.most - x)) if 0 < x < self.most else math.nan

    def slope(self, x):
        return self.most / (x * (self.most - x)) if 0 < x < self.most else math.nan

    shown = staticmethod(math.exp)


class Log:
    of = staticmethod(lambda x: math.log(x) if x > 0 else math.nan)
    slope = staticmethod(lambda x: 1 / x if x > 0 else math.nan)
    shown = staticmethod(math.exp)


class ArcSine:
    of = staticmethod(lambda x: 2 * math.asin(math.sqrt(x)))
    slope = staticmethod(lambda x: 1 / math.sqrt(x * (1 - x)) if 0 < x < 1 else math.nan)
    shown = staticmethod(lambda x: x)


def scale_of(limits):
    """The name of the effect, and its scale; None of what has no natural one."""
    if limits is None or limits[0] != 0:
        return None
    return ("oddsRatio", Logit(limits[1])) if limits[1] in (1, 100) else ("ratio", Log())


def on_scale(a, b, ways, scale, level):
    of_a, of_b = intervals.mean(a), intervals.mean(b)
    slope_a, slope_b, d = scale.slope(of_a), scale.slope(of_b), scale.of(of_a) - scale.of(of_b)
    if not all(map(math.isfinite, (slope_a, slope_b, d))):
        return None
    rows = [(x - of_a) * slope_a - (y - of_b) * slope_b for x, y in zip(a, b)]
    ci, _ = intervals.mean_interval(rows, ways, None, level)
    return {"value": scale.shown(d), "low": ci and scale.shown(d + ci["low"]), "high": ci and scale.shown(d + ci["high"])}


def noncentral(t, freedom, ncp):
    """By SciPy, which has no number for some of few degrees of freedom; of these by the integral."""
    found = stats.nct.cdf(t, freedom, ncp)
    return found if math.isfinite(found) else effects.noncentral_cdf(t, freedom, ncp)


@lru_cache(maxsize=None)
def noncentral_end(t, freedom, share):
    reach = 1.0
    of = lambda ncp: noncentral(t, freedom, ncp) - share
    while of(t - reach) < 0 or of(t + reach) > 0:
        reach *= 2
    return optimize.brentq(of, t - reach, t + reach, xtol=1e-11)


def standardised(a, b, ways, clustered, level):
    if len(a) < 2:
        return None
    d = [x - y for x, y in zip(a, b)]
    mean, s = intervals.mean(d), effects.deviation(d)
    # Differences that are all equal but for their rounding scatter by nothing.
    if s <= 1e-14 * math.sqrt(math.fsum(x * x for x in d)):
        return None
    if not clustered:
        t, root = mean / s * math.sqrt(len(a)), math.sqrt(len(a))
        low, high = (noncentral_end(t, len(a) - 1, (1 - side * level) / 2) / root for side in (-1, 1))
        return {"value": mean / s, "low": low, "high": high}
    ci, _ = intervals.mean_interval(d, ways, None, level)
    return {"value": mean / s, "low": ci and ci["low"] / s, "high": ci and ci["high"] / s}


def disagreements(a, b, ways, clustered, level):
    only_a, only_b = ([int(x > y) for x, y in zip(*pair)] for pair in ((a, b), (b, a)))
    if sum(only_a) + sum(only_b) == 0:
        return None
    if clustered:
        return on_scale(only_a, only_b, ways, Log, level)
    found = effects.paired_odds_ratio(sum(only_a), sum(only_b), level)
    return {name: finite(found[name]) for name in ("value", "low", "high")}


def there(found):
    return {name: one for name, one in found.items() if one is not None}


def effects_of_shares(a, b, ways, clustered, level):
    return there({
        "h": on_scale(a, b, ways, ArcSine, level),
        "pairedOddsRatio": disagreements(a, b, ways, clustered, level),
        "oddsRatio": on_scale(a, b, ways, Logit(1), level),
    })


def effects_of_means(a, b, ways, clustered, limits, level):
    named = scale_of(limits)
    return there({
        "dz": standardised(a, b, ways, clustered, level),
        **({named[0]: on_scale(a, b, ways, named[1], level)} if named else {}),
    })


def effects_of_draws(a, b, draws, limits, level):
    named = scale_of(limits)
    if named is None:
        return {}
    name, scale = named
    d = scale.of(a) - scale.of(b)
    if not math.isfinite(d):
        return {}
    ci = None
    if draws is not None:
        of = np.vectorize(lambda x: scale.of(x) if math.isfinite(x) else math.nan)
        ci, _ = intervals.percentile(of(draws[0]) - of(draws[1]), level)
    return {name: {"value": scale.shown(d), "low": ci and scale.shown(ci["low"]), "high": ci and scale.shown(ci["high"])}}


@lru_cache(maxsize=None)
def detectable_d(n, level):
    """The d of pairs that the t-test finds with the power."""
    root, freedom = math.sqrt(n), n - 1
    t = stats.t.ppf(0.5 + level / 2, freedom)
    of = lambda d: 1 - noncentral(t, freedom, d * root) + noncentral(-t, freedom, d * root) - POWER
    high = 1e-3
    while of(high) < 0:
        high *= 2
    return optimize.brentq(of, high / 4, high, xtol=1e-12)


def detectable(differences, ways, level):
    found = intervals.robust(differences, ways)
    if found is None or POWER <= 1 - level:
        return None
    error, freedom, _ = found
    error = intervals.spread(error, differences)
    clusters = freedom + 1
    return None if not error else detectable_d(clusters, level) * math.sqrt(clusters) * error


@lru_cache(maxsize=None)
def detectable_shift(level):
    z = intervals.normal(level)
    return optimize.brentq(lambda h: stats.norm.sf(z - h) + stats.norm.cdf(-z - h) - POWER, 0, 100, xtol=1e-12)


def detectable_by_draws(draws, level):
    own = [x for x in draws if not math.isnan(x)]
    return detectable_shift(level) * effects.deviation(own) or None


def nearer(d, s):
    return np.sign(d) * np.sign(s) * min(abs(d), abs(s))


def distance(u, a, b, d, s):
    """`d` and `s` are (interval, p-value) of A - B and of A + B - 2 u."""
    ci = None
    if d[0] and s[0]:
        cuts = [0.0, *[side * one[end] for one in (d[0], s[0]) for end in ("low", "high") for side in (-1, 1)]]
        inside = lambda one: [x for x in cuts if one["low"] <= x <= one["high"]]
        values = [nearer(x, y) for x in inside(d[0]) for y in inside(s[0])]
        ci = {"method": d[0]["method"], "level": d[0]["level"], "low": float(min(values)), "high": float(max(values))}
    p = None if d[1] is None or s[1] is None else max(d[1], s[1])
    return {"unbiased": u, "a": abs(a - u), "b": abs(b - u), "difference": abs(a - u) - abs(b - u), "ci": ci, "pValue": p}
