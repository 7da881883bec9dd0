"""A questionnaire that the model itself answered (docs/scales.md, Item by item): metrics.json from rows.jsonl; which item is in which subscale, from items.csv."""

import math

import numpy as np
from scipy import stats

from . import intervals
from .differ import differences
from .run_folder import read_csv, read_json, read_lines

# What the scale's file says in words.
WORDS = {"title", "band"}


def without(tree, names):
    if isinstance(tree, dict):
        return {key: without(one, names) for key, one in tree.items() if key not in names}
    return [without(one, names) for one in tree] if isinstance(tree, list) else tree


def ends(ci, factor=1):
    return ci and {"low": ci["low"] * factor, "high": ci["high"] * factor}


def share(hits, level):
    if not hits:
        return {"value": None, "ci": None, "n": 0}
    return {"value": sum(hits) / len(hits), "ci": ends(intervals.share_interval(hits, [], level)), "n": len(hits)}


def mean_of(values, limits, level, factor=1):
    if not values:
        return {"value": None, "ci": None, "n": 0}, None
    ci, p = intervals.mean_interval(values, [range(len(values))], limits, level)
    return {"value": intervals.mean(values) * factor, "ci": ends(ci, factor), "n": len(values)}, p


def deviation(values):
    return math.sqrt(math.fsum((x - intervals.mean(values)) ** 2 for x in values) / (len(values) - 1)) if len(values) > 1 else None


def alpha_of(table):
    """Cronbach's alpha of orders x items; None where nothing varies or there are too few."""
    n, k = table.shape
    if n < 2 or k < 2:
        return None
    total = table.sum(axis=1).var(ddof=1)
    return None if total == 0 else k / (k - 1) * (1 - table.var(axis=0, ddof=1).sum() / total)


def feldt(alpha, n, k, level):
    if alpha is None or alpha >= 1:
        return None
    low, high = (1 - (1 - alpha) * stats.f.ppf(0.5 + side * level / 2, n - 1, (n - 1) * (k - 1)) for side in (1, -1))
    return {"low": low, "high": high}


def rest_correlation(table, at):
    rest = np.delete(table, at, axis=1)
    if table.shape[0] < 2 or rest.shape[1] == 0 or table[:, at].std() == 0 or rest.sum(axis=1).std() == 0:
        return None
    return float(np.corrcoef(table[:, at], rest.sum(axis=1))[0, 1])


def check_administered(path):
    product = read_json(path, "metrics.json")
    level = product["level"]
    rows = [row for row in read_lines(path, "rows.jsonl") if row["status"] == "ok"]
    at = {(row["item"], int(row["order"])): row for row in rows}
    orders = sorted({int(row["order"]) for row in rows})
    values = sorted(rows[0]["listed"])
    subscales = {}
    for row in read_csv(path, "items.csv"):
        subscales.setdefault(row["subscale"], []).append((row["item"], row["reversed"] == "true"))
    found = []
    for row in rows:
        turned = dict(item for items in subscales.values() for item in items)[row["item"]]
        if row["value"] is not None:
            score = values[0] + values[-1] - row["value"] if turned else row["value"]
            found += differences(row["score"], score, f"row {row['row']}/score")
    scores, tables, statistics = [], [], []
    for name, items in subscales.items():
        cells = [[at[item, order] for item, _ in items] for order in orders]
        for order, own in zip(orders, cells):
            there = [row["score"] for row in own if row["score"] is not None]
            whole = len(there) == len(items)
            scores.append({
                "order": order, "subscale": name, "score": sum(there) if whole else None,
                "expectedScore": math.fsum(row["expectedScore"] for row in own), "answered": len(there), "items": len(items),
            })
        sums = [one["score"] for one in scores if one["subscale"] == name and one["score"] is not None]
        limits = (values[0] * len(items), values[-1] * len(items))
        table = np.array([[row["score"] for row in own] for own in cells if all(row["score"] is not None for row in own)], dtype=float)
        alpha = alpha_of(table)
        tables.append({
            "subscale": name, "items": len(items), "min": limits[0], "max": limits[1],
            "score": mean_of(sums, limits, level)[0], "sd": deviation(sums), "lowest": min(sums), "highest": max(sums),
            "alpha": {"value": alpha, "ci": feldt(alpha, *table.shape, level), "n": len(table)},
        })
        for place, (item, turned) in enumerate(items):
            own = [at[item, order] for order in orders]
            statistics.append({
                "subscale": name, "item": item, "reversed": turned, "n": len(table), "mean": float(table[:, place].mean()),
                "sd": deviation(list(table[:, place])), "restCorrelation": rest_correlation(table, place),
                "alphaWithout": alpha_of(np.delete(table, place, axis=1)),
                "refused": sum(row["refused"] for row in own) / len(own),
                "unparsed": sum(row["textAnswer"] is None and not row["refused"] for row in own) / len(own), "failed": 0,
            })
    width = values[-1] - values[0]
    items = list(dict.fromkeys(item for own in subscales.values() for item, _ in own))
    first, second = orders[:2]
    pairs = {item: (at[item, first], at[item, second]) for item in items}

    def difference(name, key, own):
        measured, p = mean_of([pairs[item][0][key] - pairs[item][1][key] for item in own], (-width, width), level, 1 if key == "value" else len(own))
        return {"of": name, **measured, "pValue": p}

    def disagreement(item):
        answers = [at[item, order]["value"] for order in orders]
        n = len(answers)
        return 1 - sum(answers.count(v) * (answers.count(v) - 1) for v in set(answers)) / (n * (n - 1))

    texts = [row for row in rows if row["textAnswer"] is not None]
    own = {
        "level": level,
        "counts": product["counts"],
        "refused": share([int(row["refused"]) for row in rows], level),
        "unparsed": share([int(row["textAnswer"] is None and not row["refused"]) for row in rows], level),
        "agreement": share([int(row["textAnswer"] == row["letterAnswer"]) for row in texts], level),
        "letterMass": intervals.mean([row["letterMass"] for row in rows]),
        "scores": scores,
        "subscales": tables,
        "items": statistics,
        "orderEffects": {
            "differences": [difference("answers", "value", items), *[difference(name, "score", [item for item, _ in own]) for name, own in subscales.items()]],
            "changed": share([int(a["value"] != b["value"]) for a, b in pairs.values()], level),
            "disagreement": mean_of([disagreement(item) for item in items], (0, 1), level)[0],
            "positions": [sum(row["position"] == place + 1 for row in rows) / len(rows) for place in range(len(values))],
        },
    }
    found += differences(without(product, WORDS), own, "metrics")
    return {"checked": len(scores) + len(statistics) + len(tables), "differences": found}
