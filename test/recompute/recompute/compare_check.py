"""`compare --json` of two runs, from the rows of both (docs/suites.md, Comparing two runs)."""

import math

from . import intervals, rules, two_runs
from .effects import benjamini_hochberg
from .differ import differences, unexplained
from .rules import Composite, Context, Correlation, Difference, Mean, Numbers, PairShare, Share
from .run_folder import Run, read_json
from .suites import module_of

KINDS = {Mean: "mean", Share: "share", Difference: "difference", PairShare: "pairShare", Correlation: "correlation", Composite: "composite"}
NOTHING = {"a": None, "b": None, "difference": None, "ci": None, "pValue": None, "effects": {}, "mde": None}
# What the table says in words, or repeats of the run.
WORDS = {"label", "shown", "slice", "value"}


def values_of(metric, rows):
    """What each row (or pair of rows) has, with the row whose clusters it is in."""
    if isinstance(metric, Mean):
        found = {}
        for row in rows:
            own = [value for value, gate in zip(*metric.steps(row)) if gate]
            if own:
                found[row["row"]] = (intervals.mean(own), row)
        return found
    if isinstance(metric, Share):
        told = ((metric.hit(row), row) for row in rows)
        return {row["row"]: (float(hit), row) for hit, row in told if hit is not None}
    if isinstance(metric, Composite):
        return {row["row"]: (None, row) for row in rows if metric.parts(row) is not None}
    whole, _ = rules.pairs_of(metric.side, rows)
    value = (lambda a, b: float(metric.hit(a, b))) if isinstance(metric, PairShare) else (lambda a, b: a - b)
    return {key: (value(a, b), row) for key, (a, b, row) in whole.items()}


def limits_of(metric):
    if isinstance(metric, (Share, PairShare)):
        return rules.SIGNED
    low, high = metric.limits
    return (low - high, high - low)


def finite(x):
    return None if x is None or math.isnan(x) else x


def composite(metric, a, b, keys, context):
    rows_a, rows_b = ([side[key][1] for key in keys] for side in (a, b))
    first, drawn_a, said = rules.composite_draws(metric, rows_a, rows_a, context)
    second, drawn_b, _ = rules.composite_draws(metric, rows_b, rows_a, context)
    found = {"a": finite(first), "b": finite(second)}
    if None in found.values():
        return found
    drawn = None if drawn_a is None or drawn_b is None else (drawn_a, drawn_b)
    test = lambda draws: (None, None) if draws is None else intervals.percentile(draws, context.level)
    ci, p = test(drawn and drawn_a - drawn_b) if drawn else (None, None)
    found.update(
        difference=first - second, ci=ci, pValue=p, **rules.clustered(said),
        effects=two_runs.effects_of_draws(first, second, drawn, metric.limits, context.level),
        mde=two_runs.detectable_by_draws(drawn_a - drawn_b, context.level) if drawn else None,
    )
    u = context.unbiased(metric)
    if u is not None:
        mirrored = test(drawn_a + drawn_b - 2 * u) if drawn else (None, None)
        found["distance"] = two_runs.distance(u, first, second, (ci, p), mirrored)
    return found


def tested(metric, a, b, ways, said, context):
    """Interval and p-value of the difference of two columns."""
    if isinstance(metric, (Share, PairShare)) and said is None:
        found = rules.shares_difference(a, b, context.level)
        return found["ci"], found["pValue"]
    return context.mean_interval([x - y for x, y in zip(a, b)], ways, limits_of(metric))


def outcome(metric, a, b, context):
    if isinstance(metric, Correlation):
        return {**NOTHING, "n": 0, "unmatched": 0}
    keys = [key for key in a if key in b]
    head = {**NOTHING, "n": len(keys), "unmatched": len(a) + len(b) - 2 * len(keys)}
    if not keys:
        return head
    if isinstance(metric, Composite):
        return {**head, **composite(metric, a, b, keys, context)}
    first, second = ([side[key][0] for key in keys] for side in (a, b))
    differences_of = [x - y for x, y in zip(first, second)]
    head.update(a=intervals.mean(first), b=intervals.mean(second), difference=intervals.mean(differences_of))
    ways, said = context.numbers.of([a[key][1] for key in keys], own=range(len(keys)))
    ci, p = tested(metric, first, second, ways, said, context)
    if isinstance(metric, (Share, PairShare)):
        sizes = two_runs.effects_of_shares(first, second, ways, said is not None, context.level)
    else:
        sizes = two_runs.effects_of_means(first, second, ways, said is not None, metric.limits, context.level)
    head.update(ci=ci, pValue=p, effects=sizes, mde=two_runs.detectable(differences_of, ways, context.level), **rules.clustered(said))
    u = context.unbiased(metric)
    if u is not None:
        mirrored = tested(metric, first, [2 * u - y for y in second], ways, said, context)
        head["distance"] = two_runs.distance(u, head["a"], head["b"], (ci, p), mirrored)
    return head


def one_tokenizer(a, b):
    """Known by its hash; of endpoints, which have none, by the name of the model."""
    first, second = (run.manifest["model"].get("tokenizerSha256") for run in (a, b))
    if first is None and second is None:
        return a.manifest["model"]["path"] == b.manifest["model"]["path"]
    return first == second


def check_comparison(path_a, path_b, path):
    a, b = Run(path_a), Run(path_b)
    said = read_json(path)
    product = {one["metric"]: {k: v for k, v in one.items() if k not in WORDS} for one in said["comparisons"]}
    known = {metric.name: metric for metric in module_of(a).metrics(a)}
    # The rows of A give the clusters, in the order of those that were measured.
    context = Context(Numbers(a.ways, a.ok), {"ci": "cluster", "level": 0.95, "seed": 0, **said.get("interval", {})}, suite=a.suite)
    together = one_tokenizer(a, b)
    own = {}
    # All of them where all were asked for; else those that were.
    wanted = known if said.get("all") else [name for name in product if name in known]
    for name in wanted:
        metric = known[name]
        sides = ({}, {}) if isinstance(metric, Correlation) else [values_of(metric, run.ok) for run in (a, b)]
        found = outcome(metric, *sides, context)
        comparable = together or not metric.bound
        if not comparable:
            found = {**NOTHING, **{key: found[key] for key in ("a", "b", "n", "unmatched")}}
        own[name] = {"metric": name, "kind": KINDS[type(metric)], "comparable": comparable, **found}
    # Differences are one family, distances another.
    for family in (list(own.values()), [one["distance"] for one in own.values() if "distance" in one]):
        for one in family:
            one.update(pHolm=None, pBH=None)
        members = [one for one in family if one["pValue"] is not None]
        p = [one["pValue"] for one in members]
        for one, by_holm, by_bh in zip(members, intervals.holm(p), benjamini_hochberg(p)):
            one.update(pHolm=by_holm, pBH=by_bh)
    found = differences(product, own, "comparisons") + unexplained({f"comparisons/{name}": one for name, one in product.items()})
    return {"checked": len(own), "differences": found}
