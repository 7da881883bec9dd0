"""Intervals, tests and effect sizes by their definitions in docs/metrics.md, with the distributions of SciPy."""

import itertools
import math

import numpy as np
from scipy import optimize, stats

from . import draws

# Spreads below this part of the size of the values are rounding and no spread (docs/metrics.md, Means).
ROUNDING = 1e-14
TIE = 1e-12


def student(level, freedom):
    return stats.t.ppf(0.5 + level / 2, freedom)


def normal(level):
    return stats.norm.ppf(0.5 + level / 2)


def reference_quantile(level):
    """1.96 is the definition at 0.95 (docs/design/statistics.md)."""
    return 1.96 if level == 0.95 else normal(level)


def codes(cluster):
    """Clusters by ascending id, as 0, 1, ..."""
    _, code = np.unique(np.asarray(cluster), return_inverse=True)
    return code


def sums(values, code):
    return np.bincount(code, weights=values, minlength=code.max() + 1)


def variance(deviations, code):
    """C/(C - 1) sum(u_c^2) / n^2 of one way of clustering, and C."""
    by = sums(deviations, code)
    c = len(by)
    return (c / (c - 1) * math.fsum(by * by) / len(deviations) ** 2 if c > 1 else math.nan), c


def robust(values, ways):
    """Standard error, degrees of freedom and the numbers of clusters, of one way or two (Cameron, Gelbach and Miller)."""
    values = np.asarray(values, dtype=float)
    deviations = values - mean(values)
    coded = [codes(way) for way in ways]
    found = [variance(deviations, code) for code in coded]
    counts = [c for _, c in found]
    if min(counts) < 2:
        return None
    v = found[0][0]
    if len(ways) == 2:
        both = codes(coded[0] * (coded[1].max() + 1) + coded[1])
        v = max(found[0][0], found[1][0], found[0][0] + found[1][0] - variance(deviations, both)[0])
    return math.sqrt(v), min(counts) - 1, counts


def mean(values):
    return math.fsum(values) / len(values)


def spread(error, values):
    """An error that is no rounding, or None."""
    size = math.sqrt(math.fsum(v * v for v in values) / len(values))
    return error if error > ROUNDING * size else None


class Scale:
    """The scale on which the interval of a quantity of that range is made (docs/metrics.md, A range)."""

    def __init__(self, limits):
        low, high = limits
        self.low, self.high = low, high
        self.name = (
            "logit" if math.isfinite(low) and math.isfinite(high)
            else "log" if math.isfinite(low) or math.isfinite(high)
            else "identity"
        )

    def to(self, m):
        if self.name == "logit":
            return math.log((m - self.low) / (self.high - m))
        if self.name == "log":
            return math.log(m - self.low) if math.isfinite(self.low) else -math.log(self.high - m)
        return m

    def slope(self, m):
        if self.name == "logit":
            return (self.high - self.low) / ((m - self.low) * (self.high - m))
        if self.name == "log":
            return 1 / (m - self.low if math.isfinite(self.low) else self.high - m)
        return 1.0

    def back(self, x):
        if self.name == "logit":
            return self.low + (self.high - self.low) / (1 + math.exp(-x))
        if self.name == "log":
            return self.low + math.exp(x) if math.isfinite(self.low) else self.high - math.exp(-x)
        return x

    def holds_zero_inside(self):
        return self.low < 0 < self.high


def ratio_draws(deviations, weights, cluster_ids, resamples, seed, second=None):
    """Resampled sum(u) and sum(w): columns are arrays of rows x k."""
    one = codes(cluster_ids)
    times = draws.counts(int(one.max()) + 1, resamples, seed)
    if second is None:
        part = np.zeros((one.max() + 1, deviations.shape[1], 2))
        np.add.at(part[:, :, 0], one, deviations)
        np.add.at(part[:, :, 1], one, weights)
        return times @ part[:, :, 0], times @ part[:, :, 1]
    two = codes(second)
    other = draws.counts(int(two.max()) + 1, resamples, seed ^ draws.SECOND_WAY)
    by_row = times[:, one] * other[:, two]
    return by_row @ deviations, by_row @ weights


def quantile(ascending, share):
    """The (B + 1) share-th of B, interpolated."""
    b = len(ascending)
    at = min(max((b + 1) * share, 1), b)
    below = int(math.floor(at))
    part = at - below
    high = ascending[min(below, b - 1)]
    return ascending[below - 1] + part * (high - ascending[below - 1])


def share_below(values, x, tie):
    return (np.count_nonzero(values < x - tie) + np.count_nonzero(values <= x + tie)) / 2 / len(values)


def bootstrap_mean(values, cluster, level, kind, resamples, seed, null):
    """Ends of the interval of a mean by a cluster bootstrap and the p-value of `null`, or None."""
    values = np.asarray(values, dtype=float)
    m = mean(values)
    code = codes(cluster)
    u = sums(values - m, code)
    w = sums(np.ones(len(values)), code)
    if len(u) < 2 or spread(np.abs(u).sum() / w.sum(), values) is None:
        return None
    times = draws.counts(len(u), resamples, seed)
    offsets = np.sort((times @ u) / (times @ w))
    tie = TIE * np.abs(u).sum() / w.sum() + 1e-15 * abs(m)
    z0 = a = 0.0
    if kind == "bca":
        share = share_below(offsets, 0, tie)
        if share <= 0 or share >= 1:
            return None
        moved = -u / (w.sum() - w)
        d = moved.mean() - moved
        z0 = stats.norm.ppf(share)
        a = (d**3).sum() / (6 * (d**2).sum() ** 1.5) if (d**2).sum() > 0 else 0.0

    def adjusted(z):
        return stats.norm.cdf(z0 + (z0 + z) / (1 - a * (z0 + z)))

    z = normal(level)
    if 1 - a * (z0 - z) <= 0 or 1 - a * (z0 + z) <= 0:
        return None
    low, high = m + quantile(offsets, adjusted(-z)), m + quantile(offsets, adjusted(z))
    if low >= high:
        return None
    least = 1 / (resamples + 1)
    below = min(max(share_below(offsets, null - m, tie), least), 1 - least)
    moved = stats.norm.ppf(below) - z0
    stretch = 1 + a * moved
    zp = moved / stretch - z0 if stretch > 0 else math.copysign(math.inf, moved)
    return low, high, min(max(2 * stats.norm.cdf(-abs(zp)), 2 * least), 1.0)


def mean_interval(values, ways, limits, level, method="cluster", kind="bca", resamples=10_000, seed=0):
    """Interval of a mean and the p-value of a mean of 0 by the same method: {low, high, method, ...} or None, p or None."""
    values = np.asarray(values, dtype=float)
    n = len(values)
    head = {"method": method, "level": level}
    if n == 0:
        return None, None
    m = mean(values)
    scale = Scale(limits) if limits else None
    if method == "normal":
        if n < 2:
            return None, None
        error = spread(math.sqrt(math.fsum((values - m) ** 2) / n / n), values)
        if error is None:
            return None, None
        half = reference_quantile(level) * error
        low, high = m - half, m + half
        if scale:
            head["scale"] = "identity"
            if low < scale.low or high > scale.high:
                head["clipped"] = True
            low, high = max(low, scale.low), min(high, scale.high)
        return {**head, "low": low, "high": high}, 2 * stats.norm.sf(abs(m / error))
    if method == "bootstrap":
        if len(ways) > 1:
            return None, None
        found = bootstrap_mean(values, ways[0], level, kind, resamples, seed, 0.0)
        if found is None:
            return None, None
        head.update(clusters=len(set(ways[0])), bootstrap=kind, resamples=resamples, seed=seed)
        if scale:
            head["scale"] = "identity"
        return {**head, "low": found[0], "high": found[1]}, found[2]
    found = robust(values, ways)
    if found is None:
        return None, None
    error, freedom, counts = found
    error = spread(error, values)
    if error is None:
        return None, None
    head["clusters"] = counts[0]
    if len(counts) == 2:
        head["clusters2"] = counts[1]
    t = student(level, freedom)
    if scale is None:
        p = 2 * stats.t.sf(abs(m / error), freedom)
        return {**head, "low": m - t * error, "high": m + t * error}, p
    x, e = scale.to(m), error * scale.slope(m)
    null = scale.to(0.0) if scale.holds_zero_inside() else None
    p = 2 * stats.t.sf(abs((x - null) / e), freedom) if null is not None else 2 * stats.t.sf(abs(m / error), freedom)
    return {**head, "scale": scale.name, "low": scale.back(x - t * e), "high": scale.back(x + t * e)}, p


def sign_flips(values, cluster, level, resamples, seed):
    """The p-value of a mean of 0 where the sides of clusters are exchanged, and the size that `level` of such means do not exceed."""
    n, places = len(values), sorted(set(cluster))
    own = np.array([math.fsum(v for v, c in zip(values, cluster) if c == place) for place in places])
    if len(own) < 2:
        return None, None
    if len(own) <= 16:
        bits = (np.arange(2 ** len(own))[:, None] >> np.arange(len(own))) & 1
    else:
        batches = [draws.words(seed, resamples, batch) for batch in range(-(-len(own) // (32 * 64)))]
        words = np.concatenate(batches, axis=1)
        bits = np.stack([(words[:, c // 32] >> np.uint64(c % 32)) & np.uint64(1) for c in range(len(own))], axis=1)
    sizes = np.sort(np.abs((1 - 2 * bits.astype(float)) @ own))
    far = int((sizes >= abs(math.fsum(own)) * (1 - 1e-12) - 1e-300).sum())
    extra = 0 if len(own) <= 16 else 1
    high = sizes[max(1, math.ceil(level * len(sizes))) - 1]
    return (far + extra) / (len(sizes) + extra), high / n


def score_ends(p, n, z):
    """Wilson's score interval; its ends at 0 and n hits are 0 and 1."""
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (0.0 if p == 0 else centre - half), (1.0 if p == 1 else centre + half)


def share_interval(hits, ways, level):
    """Of hits (0 or 1) a row; `ways` is empty where rows are independent."""
    hits = np.asarray(hits, dtype=float)
    n, p = len(hits), mean(hits)
    if not ways:
        low, high = score_ends(p, n, normal(level))
        return {"method": "wilson", "level": level, "low": low, "high": high}
    found = robust(hits, ways)
    if found is None:
        return None
    error, freedom, counts = found
    if 0 < p < 1:
        effective = min(p * (1 - p) / error**2, n) if error > 0 else float(n)
    else:
        sizes = [np.bincount(codes(way)).astype(float) for way in ways]
        effective = min(n * n / (m * m).sum() for m in sizes)
    low, high = score_ends(p, effective, student(level, freedom))
    head = {"method": "clusterWilson", "level": level, "clusters": counts[0], "effectiveN": effective}
    if len(counts) == 2:
        head["clusters2"] = counts[1]
    return {**head, "low": low, "high": high}


def tango_score(b, c, n, d):
    """(b - c - n D) / sqrt(n (2 q + D (1 - D))), q the likeliest share of rows that only the second got right (Tango 1998)."""
    top = b - c - n * d
    # The likelihood b ln(q + D) + c ln q + (n - b - c) ln(1 - 2 q - D) has its maximum at a root of A q^2 + B q + C.
    big_a, big_b, big_c = 2 * n, -b - c + (2 * n - b + c) * d, -c * d * (1 - d)
    q = (math.sqrt(max(big_b * big_b - 4 * big_a * big_c, 0.0)) - big_b) / (2 * big_a)
    below = n * (2 * q + d * (1 - d))
    if below <= 0:
        return 0.0 if top == 0 else math.copysign(math.inf, top)
    return top / math.sqrt(below)


def tango(b, c, n, level):
    z = normal(level)
    m = (b - c) / n

    def root(end, target):
        edge = end * (1 - 1e-15)
        if (tango_score(b, c, n, edge) - target) * end > 0:
            return end
        return optimize.brentq(lambda d: tango_score(b, c, n, d) - target, m, edge, xtol=1e-15, rtol=1e-14)

    low = -1.0 if m == -1 else root(-1.0, z)
    high = 1.0 if m == 1 else root(1.0, -z)
    return {"method": "tango", "level": level, "low": low, "high": high}


def mcnemar(b, c):
    n = b + c
    if n == 0:
        return None
    if n <= 1000:
        return min(1.0, 2 * stats.binom.cdf(min(b, c), n, 0.5))
    return stats.chi2.sf((abs(b - c) - 1) ** 2 / n, 1)


def pearson(x, y, level):
    """r, interval, p-value of one correlation; each may be None (docs/metrics.md, Two columns)."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    n = len(x)
    dx, dy = x - mean(x), y - mean(y)
    flat = [math.sqrt((d * d).sum()) <= 1e-14 * math.sqrt((v * v).sum()) for d, v in ((dx, x), (dy, y))]
    if n < 2 or any(flat):
        return None, None, None
    r = math.fsum(dx * dy) / math.sqrt(math.fsum(dx * dx) * math.fsum(dy * dy))
    if 1 - abs(r) < 1e-14:
        return math.copysign(1.0, r), None, None
    p = 2 * stats.t.sf(abs(r) * math.sqrt((n - 2) / (1 - r * r)), n - 2)
    if n < 4:
        return r, None, p
    half = normal(level) / math.sqrt(n - 3)
    ci = {"method": "fisher", "level": level, "low": math.tanh(math.atanh(r) - half), "high": math.tanh(math.atanh(r) + half)}
    return r, ci, p


def percentile(values, level):
    """Interval and p-value of 0 of a number that each resample has (docs/metrics.md, percentileInterval)."""
    values = np.asarray(values, dtype=float)
    there = np.sort(values[~np.isnan(values)])
    if len(values) - len(there) > 0.01 * len(values) or len(there) == 0:
        return None, None
    if there[-1] - there[0] <= ROUNDING * np.abs(there).max():
        return None, None
    low, high = (quantile(there, (1 + side * level) / 2) for side in (-1, 1))
    ci = None if low >= high else {"method": "percentile", "level": level, "low": low, "high": high, "resamples": len(there)}
    b = len(there)
    least = 1 / (b + 1)
    below = min(max(share_below(there, 0.0, TIE * np.abs(there).max()), least), 1 - least)
    return ci, min(max(2 * min(below, 1 - below), 2 * least), 1.0)


def holm(p_values):
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, largest = [0.0] * len(p_values), 0.0
    for place, at in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - place) * p_values[at]))
        adjusted[at] = largest
    return adjusted


def spearman(x, y, level):
    """Correlation of ranks, its interval (Bonett and Wright) and p-value: by all orders up to 9 pairs, else Student's t."""
    rx, ry = stats.rankdata(x), stats.rankdata(y)
    n = len(rx)
    if n < 2 or len(set(rx)) == 1 or len(set(ry)) == 1:
        return None, None, None
    dx, dy = rx - rx.mean(), ry - ry.mean()
    size = math.sqrt((dx @ dx) * (dy @ dy))
    r = dx @ dy / size
    one_order = 1 - abs(r) < 1e-14
    if one_order:
        r = math.copysign(1.0, r)
    if n <= 9:
        orders = np.array(list(itertools.permutations(dy)))
        p = np.mean(np.abs(orders @ dx) / size >= abs(r) - 1e-12)
    elif one_order:
        # Of n! orders those that give r or -r: the ones that permute ties, in both directions.
        ties = [math.prod(math.factorial(k) for k in np.unique(rank, return_counts=True)[1]) for rank in (rx, ry)]
        mirrored = np.allclose(np.sort(dy), np.sort(-dy)) or np.allclose(np.sort(dx), np.sort(-dx))
        p = min(1.0, (2 if mirrored else 1) * ties[1] / math.factorial(n))
    else:
        p = 2 * stats.t.sf(abs(r) * math.sqrt((n - 2) / (1 - r * r)), n - 2)
    if n < 4 or one_order:
        return r, None, p
    half = normal(level) * math.sqrt((1 + r * r / 2) / (n - 3))
    return r, (math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)), p


def kruskal(values, groups):
    """H, degrees of freedom, p-value and epsilon squared; None for a single group, one value each, or all equal."""
    names = sorted(set(groups))
    n, k = len(values), len(names)
    if k < 2 or n == k or len(set(values)) == 1:
        return None, None, None, None
    h = stats.kruskal(*[[v for v, g in zip(values, groups) if g == name] for name in names]).statistic
    h = max(h, 0.0)
    return h, k - 1, stats.chi2.sf(h, k - 1), (h - k + 1) / (n - k)
