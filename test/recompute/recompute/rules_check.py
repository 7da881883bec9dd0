"""The result files of `run rules` (docs/rules.md, What is written), from the rows of its run: performance_TIME.json and metrics_TIME.csv."""

import glob
import os

import numpy as np

from . import draws
from .differ import differences
from .run_check import check_run, number
from .run_folder import Run, read_csv, read_json

GROUPINGS = {"per_rule_cluster": "rule_cluster_label", "per_subreddit_cluster": "subreddit_cluster_label", "per_language": "subreddit_language"}
SIDES = ("violating", "compliant")
MOST_MISSING = 0.01


def parts(row):
    """Right threads, right violating, right compliant, unread threads, of a pair."""
    right = [int(row[side]["score"] == 1) for side in SIDES]
    return [sum(right), *right, sum(row[side]["unparsed"] is not None for side in SIDES)]


BELOW = np.array([2, 1, 1, 2])
NAMES = ("overall_accuracy", "violating_accuracy", "compliant_accuracy", "unparsed")


def group_of(rows, kept, level, times):
    """What the rows at `kept` come to: hits, ends and resamples without any of them."""
    own = np.array([parts(rows[at]) for at in kept], dtype=float)
    drawn = times[:, kept]
    pairs = drawn.sum(axis=1)
    there = pairs > 0
    ratios = drawn[there] @ own / (pairs[there][:, None] * BELOW)
    ends = [None] * 4
    if there.any():
        low, high = (np.percentile(ratios, 100 * (1 + side * level) / 2, axis=0) for side in (-1, 1))
        ends = [list(map(float, pair)) for pair in zip(low, high)]
    return own.sum(axis=0), ends, int((~there).sum())


def fields(hits, ends, pairs, overall):
    shares = hits / (pairs * BELOW)
    unread = int(hits[3])
    found = {
        **{name: float(share) for name, share in zip(NAMES[:3], shares)},
        "total_threads": 2 * pairs,
        "unparsed": unread,
        "unparsed_rate": float(shares[3]),
        **{f"{name}_ci": end for name, end in zip((*NAMES[:3], "unparsed_rate"), ends)},
    }
    if overall:
        return {**found, "total_pairs": pairs, "total_correct": int(hits[0]), "violating_correct": int(hits[1]), "compliant_correct": int(hits[2])}
    return {**found, "count": pairs}


def unread_by_side(rows, kept):
    return {f"{side}_unparsed": sum(rows[at][side]["unparsed"] is not None for at in kept) for side in SIDES}


def tidy(hits, ends, pairs, missing, resamples, by_side):
    for at, name in enumerate(NAMES):
        end = ends[at]
        told = pairs > 1 and end is not None and missing <= MOST_MISSING * resamples and end[0] != end[1]
        side = name.split("_")[0]
        yield name, {
            "value": float(hits[at] / (pairs * BELOW[at])),
            "low": end[0] if told else None,
            "high": end[1] if told else None,
            "hits": int(hits[at]),
            "n": int(pairs * BELOW[at]),
            "pairs": pairs,
            "unparsed": by_side.get(f"{side}_unparsed", int(hits[3])),
            "reasoned": not told,
        }


def check_results(path):
    """`path` is the folder of the results of one setting."""
    run_path = glob.glob(os.path.join(path, "run_*"))[0]
    run = Run(run_path)
    found = check_run(run_path)
    said = read_json(glob.glob(os.path.join(path, "performance_*.json"))[0])["metrics"]
    bootstrap = said.pop("bootstrap_ci")
    resamples, level = bootstrap["n_bootstrap"], bootstrap["confidence_level"]
    rows = run.ok
    times = draws.counts(len(rows), resamples, bootstrap["seed"])
    groups = {("overall", ""): list(range(len(rows)))}
    for grouping, label in GROUPINGS.items():
        for at, row in enumerate(rows):
            groups.setdefault((grouping, row["metadata"][label]), []).append(at)
    own, table = {grouping: {} for grouping in GROUPINGS}, {}
    for (grouping, group), kept in groups.items():
        hits, ends, missing = group_of(rows, kept, level, times)
        by_side = unread_by_side(rows, kept)
        one = {**fields(hits, ends, len(kept), grouping == "overall"), **by_side}
        if grouping == "overall":
            own["overall"] = one
        else:
            own[grouping][group] = one
        for name, cells in tidy(hits, ends, len(kept), missing, resamples, by_side):
            table[f"{grouping}/{group}/{name}"] = cells
    written = {
        f"{row['grouping']}/{row['group']}/{row['metric']}": {
            **{name: number(row[key]) for name, key in (("value", "value"), ("low", "ciLow"), ("high", "ciHigh"))},
            **{name: number(row[name]) for name in ("hits", "n", "pairs", "unparsed")},
            "reasoned": row["reason"] != "",
        }
        for row in read_csv(glob.glob(os.path.join(path, "metrics_*.csv"))[0])
    }
    more = differences(said, own, "performance") + differences(written, table, "tidy")
    return {"checked": found["checked"] + len(table), "differences": found["differences"] + more}
