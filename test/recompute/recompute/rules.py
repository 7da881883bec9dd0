"""The six rules that make numbers of rows (docs/suites.md, What all have in common). A suite declares its metrics by them."""

from dataclasses import dataclass
from typing import Callable

import math

import numpy as np

from . import intervals, unbiased

INF = math.inf
UNIT, SIGNED, PERCENT, JSD, POSITIVE, REAL = (0, 1), (-1, 1), (0, 100), (0, math.log(2)), (0, INF), (-INF, INF)


@dataclass
class Mean:
    """`steps` gives (values, gates) of a row; `skipped` is how many ungated steps a skipped row has."""

    name: str
    steps: Callable
    limits: tuple
    skipped: int = 0
    bound: bool = False
    # Values are differences of two sides, whose mean is held against 0.
    sides: bool = False


@dataclass
class Share:
    name: str
    hit: Callable
    bound: bool = False


@dataclass
class Difference:
    """`side` gives (pair, 'a' or 'b', value) or None."""

    name: str
    side: Callable
    limits: tuple
    yes_no: bool = False
    bound: bool = False


@dataclass
class PairShare:
    name: str
    side: Callable
    hit: Callable
    bound: bool = False


@dataclass
class Correlation:
    """`point` gives (group, x, y, side or None) or None."""

    name: str
    point: Callable
    bound: bool = False


@dataclass
class Composite:
    """`parts` gives [(numerator, denominator), ...] or None; `cluster` names what is drawn together, whatever the row's clusters."""

    name: str
    parts: Callable
    combine: Callable
    cluster: tuple = None
    alike: bool = False
    limits: tuple = None
    bound: bool = False


def value_of(name, of, limits, skipped=0, bound=False):
    """The mean of one number a row; a row of None takes no part."""

    def steps(row):
        found = of(row)
        return ([], []) if found is None else ([found], [1])

    return Mean(name, steps, limits, skipped, bound)


def column(name):
    return lambda row: row[name]


# Clusters of rows -----------------------------------------------------------------------------------------------------


class Numbers:
    """Clusters in the order in which the rows of the run first name them; a row in none of a way is alone in it, behind all
    others, the last one first (docs/design/statistics.md, Which clusters)."""

    def __init__(self, ways, rows):
        self.ways = ways
        self.known = [{} for _ in ways]
        self.ids = {}
        alone = 0
        for row in rows:
            said = row.get("clusters") or {}
            ids = []
            for way, known in zip(ways, self.known):
                name = said.get(way)
                if name is None:
                    alone += 1
                    ids.append(2**32 - 1 - alone)
                else:
                    ids.append(known.setdefault(name, len(known)))
            self.ids[row["row"]] = ids

    def of(self, rows, own=None):
        """The columns of cluster ids of these rows, and what is said of them; without ways `own`, or the rows' numbers."""
        own = [row["row"] for row in rows] if own is None else own
        if not self.ways or not rows:
            return [own], None
        columns = [[self.ids[row["row"]][way] for row in rows] for way in range(len(self.ways))]
        named = [way for way in range(len(self.ways)) if any(row.get("clusters", {}).get(self.ways[way]) is not None for row in rows)]
        if not named:
            return [columns[0]], None
        scattered = [way for way in named if len(set(columns[way])) > 1][:2] or named[:1]
        counts = [len(set(columns[way])) for way in scattered]
        said = {"by": [self.ways[way] for way in scattered], "count": min(counts), "counts": counts}
        return [columns[way] for way in scattered], said


@dataclass
class Context:
    numbers: Numbers
    interval: dict
    ranges: bool = True
    suite: str = ""

    def unbiased(self, metric):
        return unbiased.value_of(self.suite, metric.name)

    @property
    def level(self):
        return self.interval["level"]

    @property
    def resamples(self):
        return self.interval.get("resamples", 10_000)

    @property
    def seed(self):
        return self.interval.get("seed", 0)

    def mean_interval(self, values, ways, limits):
        return intervals.mean_interval(
            values, ways, limits, self.level,
            self.interval.get("ci", "cluster"), self.interval.get("bootstrap", "bca"), self.resamples, self.seed,
        )


def clustered(said):
    return {} if said is None else {"clusters": said}


def pairs_of(side, rows):
    """Pairs with both sides (value a, value b, row a), in the order in which their keys came; and rows without a partner."""
    found, repeated = {}, 0
    for row in rows:
        own = side(row)
        if own is None:
            continue
        key, which, value = own
        pair = found.setdefault(key, {})
        if which in pair:
            repeated += 1
        else:
            pair[which] = (value, row)
    whole = {key: (pair["a"][0], pair["b"][0], pair["a"][1]) for key, pair in found.items() if len(pair) == 2}
    return whole, len(found) - len(whole) + repeated


def share_of(metric, hits, rows, context):
    ways, said = context.numbers.of(rows)
    # Rows of which none is in a cluster are rows by themselves.
    ci = intervals.share_interval(hits, ways if said else [], context.level)
    u = context.unbiased(metric)
    mean = sum(hits) / len(hits)
    test = {} if u is None else unbiased.from_unbiased(mean, ci, unbiased.share_p(hits, ways if said else [], u), u)
    return {"mean": mean, "hits": sum(hits), "n": len(hits), "ci": ci, **clustered(said), **test}


def shares_difference(a, b, level):
    only_a, only_b = sum(x > y for x, y in zip(a, b)), sum(x < y for x, y in zip(a, b))
    n = len(a)
    return {"ci": intervals.tango(only_a, only_b, n, level), "pValue": intervals.mcnemar(only_a, only_b)}


def composite_draws(metric, rows, keys, context):
    """The number, its resamples (None for a single cluster) and what is said of the clusters."""
    parts = [metric.parts(row) for row in rows]
    numerators = np.array([[p[0] for p in part] for part in parts], dtype=float)
    denominators = np.array([[p[1] for p in part] for part in parts], dtype=float)
    if metric.cluster:
        by, of = metric.cluster
        order = {}
        ids = [order.setdefault(("own", row["row"]) if of(key) is None else ("named", of(key)), len(order)) for row, key in zip(rows, keys)]
        ways, said = [ids], {"by": [by], "count": len(order), "counts": [len(order)]}
    else:
        ways, said = context.numbers.of(keys)
    if metric.alike:
        code = intervals.codes(ways[0])
        above = np.array([intervals.sums(numerators[:, k], code) for k in range(numerators.shape[1])]).T
        below = np.array([intervals.sums(denominators[:, k], code) for k in range(numerators.shape[1])]).T
        with np.errstate(invalid="ignore", divide="ignore"):
            numerators, denominators = np.where(below > 0, above / below, 0.0), (below > 0).astype(float)
        ways = [np.arange(len(numerators))]

    def ratio(above, below):
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(below > 0, above / below, np.nan)

    def number(ratios):
        found = metric.combine(list(ratios))
        return found if math.isfinite(found) else math.nan

    totals = ratio(
        np.array([math.fsum(numerators[:, k]) for k in range(numerators.shape[1])]),
        np.array([math.fsum(denominators[:, k]) for k in range(numerators.shape[1])]),
    )
    value = number(totals)
    if min(len(set(list(way))) for way in ways) < 2:
        return value, None, said
    second = ways[1] if len(ways) == 2 else None
    # Deviations from the ratio of the data are what is summed, so that small spreads keep their digits.
    base = np.where(np.isnan(totals), 0.0, totals)
    u, w = intervals.ratio_draws(numerators - base * denominators, denominators, ways[0], context.resamples, context.seed, second)
    resampled = np.array([number(line) for line in base + ratio(u, w)])
    return value, resampled, said


# From a metric and rows to its entry in metrics.json -------------------------------------------------------------------


def mean_entry(metric, rows, context):
    values, gated, kept, total = [], [], [], 0
    for row in rows:
        if row["status"] == "skipped":
            total += metric.skipped
        if row["status"] != "ok":
            continue
        own, gates = metric.steps(row)
        total += len(own)
        for value, gate in zip(own, gates):
            if gate:
                values.append(value)
                kept.append(row)
    entry = {"kind": "mean", "n": total, "gatedSteps": len(values), "coverage": len(values) / total if total else 0}
    if not values:
        return {**entry, "mean": 0, "ci": None}
    # Steps of one row are one cluster.
    ways, said = context.numbers.of(kept)
    ci, _ = context.mean_interval(values, ways, metric.limits if context.ranges else None)
    return {**entry, "mean": intervals.mean(values), "ci": ci, **clustered(said), **mean_test(metric, values, ways, ci, context)}


def mean_test(metric, values, ways, ci, context):
    """Against the value of an unbiased model: by the method of the interval; of two sides by sign flips, but where two ways cross."""
    u = context.unbiased(metric)
    if u is None:
        return {}
    number = intervals.mean(values)
    if metric.sides and len(ways) == 1:
        p, high = intervals.sign_flips(values, ways[0], context.level, context.resamples, context.seed)
        return unbiased.from_unbiased(number, ci, p, u, nullHigh=high)
    limits = tuple(end - u for end in metric.limits) if context.ranges else None
    _, p = context.mean_interval([value - u for value in values], ways, limits)
    return unbiased.from_unbiased(number, ci, p, u)


def share_entry(metric, rows, context):
    told = [(metric.hit(row), row) for row in rows if row["status"] == "ok"]
    counted = [(int(hit), row) for hit, row in told if hit is not None]
    if not counted:
        return {"kind": "share", "mean": None, "hits": 0, "n": 0, "ci": None}
    hits, kept = zip(*counted)
    return {"kind": "share", **share_of(metric, list(hits), list(kept), context)}


def difference_entry(metric, rows, context):
    whole, unpaired = pairs_of(metric.side, [row for row in rows if row["status"] == "ok"])
    head = {"kind": "difference", "n": len(whole), "unpaired": unpaired}
    if not whole:
        return {**head, "mean": None, "ci": None, "pValue": None}
    a, b, kept = ([pair[at] for pair in whole.values()] for at in range(3))
    differences = [x - y for x, y in zip(a, b)]
    head["mean"] = intervals.mean(differences)
    ways, said = context.numbers.of(kept, own=range(len(kept)))
    if metric.yes_no and said is None:
        found = shares_difference(a, b, context.level)
        return {**head, **found, **own_test(metric, head["mean"], found["ci"], found["pValue"], context)}
    ci, p = context.mean_interval(differences, ways, metric.limits if context.ranges else None)
    return {**head, "ci": ci, "pValue": p, **clustered(said), **own_test(metric, head["mean"], ci, p, context)}


def own_test(metric, number, ci, p, context):
    """Of what has a p-value of 0 of its own."""
    u = context.unbiased(metric)
    return {} if u is None or number is None else unbiased.from_unbiased(number, ci, p, u)


def pair_share_entry(metric, rows, context):
    whole, unpaired = pairs_of(metric.side, [row for row in rows if row["status"] == "ok"])
    head = {"kind": "share", "unpaired": unpaired}
    if not whole:
        return {**head, "mean": None, "hits": 0, "n": 0, "ci": None}
    hits = [int(metric.hit(a, b)) for a, b, _ in whole.values()]
    return {**head, **share_of(metric, hits, [row for _, _, row in whole.values()], context)}


def correlation_entry(metric, rows, context):
    groups = {}
    for row in rows:
        point = metric.point(row) if row["status"] == "ok" else None
        if point is None:
            continue
        group, x, y, side = point
        found = groups.setdefault(group, {"x": x, "a": [], "b": [], "sided": side is not None})
        found[side or "a"].append(y)
    points = []
    for group in groups.values():
        if not group["a"] or (group["sided"] and not group["b"]):
            continue
        points.append((group["x"], intervals.mean(group["a"]) - (intervals.mean(group["b"]) if group["sided"] else 0)))
    head = {"kind": "correlation", "n": len(points)}
    if not points:
        return {**head, "value": None, "ci": None, "pValue": None}
    x, y = zip(*points)
    r, ci, p = intervals.pearson(x, y, context.level)
    return {**head, "value": r, "ci": ci, "pValue": p, **own_test(metric, r, ci, p, context)}


def composite_entry(metric, rows, context):
    kept = [row for row in rows if row["status"] == "ok" and metric.parts(row) is not None]
    head = {"kind": "composite", "n": len(kept)}
    if not kept:
        return {**head, "value": None, "ci": None}
    value, resampled, said = composite_draws(metric, kept, kept, context)
    head = {**head, **clustered(said)}
    if math.isnan(value):
        return {**head, "value": None, "ci": None}
    if resampled is None:
        return {**head, "value": value, "ci": None}
    ci, _ = intervals.percentile(resampled, context.level)
    u = context.unbiased(metric)
    if u is None:
        return {**head, "value": value, "ci": ci}
    _, p = intervals.percentile(resampled - u, context.level)
    return {**head, "value": value, "ci": ci, **unbiased.from_unbiased(value, ci, p, u)}


ENTRIES = {
    Mean: mean_entry, Share: share_entry, Difference: difference_entry,
    PairShare: pair_share_entry, Correlation: correlation_entry, Composite: composite_entry,
}


def entry(metric, rows, context):
    return ENTRIES[type(metric)](metric, rows, context)
