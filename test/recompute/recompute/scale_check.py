"""The tables of models that play participants (docs/personas.md), from evaluation.csv, covariates.csv and the settings in tables.json."""

import math
import os

import numpy as np

from . import draws, intervals
from .differ import differences
from .run_check import number
from .run_folder import read_csv, read_json

COUNTS = {"rows": None, "failed": "error", "unmatched": "unmatched", "no_truth": "no_truth"}
BY_GROUP = ("mae", "mean_error", "exact_acc", "band_acc")
MISSING = "(missing)"


def truth(cell):
    return None if cell == "" else float(cell == "true")


class Side:
    """What a row has of one subscale; None where it has no part."""

    def __init__(self, name):
        self.name = name
        self.metrics = {
            "mae": ("mean", self.cell("abs_error")),
            "rmse": ("mean", lambda row: None if self.cell("error")(row) is None else self.cell("error")(row) ** 2),
            "mean_error": ("mean", self.cell("error")),
            "exact_acc": ("share", lambda row: truth(row[f"exact_match_{name}"])),
            "mean_norm_score_distance": ("mean", self.cell("norm_score_distance")),
            "band_acc": ("share", lambda row: truth(row[f"band_match_{name}"])),
            "mean_band_distance": ("mean", self.cell("band_distance")),
            "mean_norm_band_distance": ("mean", self.cell("norm_band_distance")),
        }

    def cell(self, column):
        return lambda row: number(row[f"{column}_{self.name}"])

    def share_of_range(self, row):
        return number(row[f"norm_score_distance_{self.name}"])


def metrics_of(sides):
    """(subscale, metric, kind, what a row adds, what is shown of the mean)."""
    for side in sides:
        for key, (kind, of) in side.metrics.items():
            yield side.name, key, kind, of, math.sqrt if key == "rmse" else lambda mean: mean

    def over_all(of):
        def mean(row):
            values = [of(side, row) for side in sides]
            return None if None in values else sum(values) / len(values)

        return mean

    yield "all", "mae_mean", "mean", over_all(lambda side, row: side.cell("abs_error")(row)), lambda mean: mean
    yield "all", "inverse_mae_mean", "mean", over_all(lambda side, row: side.share_of_range(row)), lambda mean: 1 - min(1, mean)


class Column:
    """The mean of what rows add, and of each draw of the participants of `everyone`, who are numbered by their names."""

    def __init__(self, of, rows, everyone, settings):
        names = sorted({row["participant_id"] for row in everyone if row["status"] == "scored"})
        told = [(names.index(row["participant_id"]), of(row)) for row in rows if row["status"] == "scored"]
        told = [(at, value) for at, value in told if value is not None]
        self.n = len(told)
        self.participants = len({at for at, _ in told})
        self.sum = math.fsum(value for _, value in told)
        self.mean = self.sum / self.n if told else None
        self.drawn = None
        if self.participants >= 2:
            above, below = np.zeros(len(names)), np.zeros(len(names))
            for at, value in told:
                above[at] += value
                below[at] += 1
            times = draws.counts(len(names), settings["resamples"], settings["seed"])
            with np.errstate(invalid="ignore", divide="ignore"):
                self.drawn = np.where(times @ below > 0, self.mean + times @ (above - self.mean * below) / (times @ below), np.nan)

    def estimate(self, kind, shown, level):
        found = {"value": None, "low": None, "high": None, "method": ""}
        if self.mean is None:
            return found
        found["value"] = shown(self.mean)
        if kind == "share" and self.participants == self.n:
            low, high = intervals.score_ends(self.mean, self.n, intervals.normal(level))
            return {**found, "low": low, "high": high, "method": "wilson"}
        ci = None if self.drawn is None else intervals.percentile([shown(x) for x in self.drawn], level)[0]
        if ci is None:
            return found
        return {**found, "low": ci["low"], "high": ci["high"], "method": "bootstrap"}


def counts_of(rows):
    return {name: len(rows) if status is None else sum(row["status"] == status for row in rows) for name, status in COUNTS.items()}


def tiers_of(rows, known):
    there = {row["tier"] for row in rows} - {""}
    return [tier for tier in known if tier in there] + sorted(there - set(known))


def cells_of(rows, tiers):
    return [("all", rows), *[(tier, [row for row in rows if row["tier"] == tier]) for tier in tiers_of(rows, tiers)]]


def summary(rows, tiers, sides, settings):
    for tier, own in cells_of(rows, tiers):
        for subscale, key, kind, of, shown in metrics_of(sides):
            column = Column(of, own, own, settings)
            yield f"{tier}/{subscale}/{key}", {
                **column.estimate(kind, shown, settings["level"]), "n": column.n, "participants": column.participants, **counts_of(own),
            }


def groups_of(rows, attribute, covariates):
    """Groups by name, those of whom nothing is said last; rows of nobody are in none."""
    by = {}
    for row in rows:
        if row["participant_id"] != "" and row["status"] != "unmatched":
            by.setdefault(covariates.get(row["participant_id"], {}).get(attribute, ""), []).append(row)
    return sorted(by.items(), key=lambda pair: (pair[0] == "", pair[0]))


def measure(rows, attribute, covariates, tiers, sides, settings):
    """Of each group and tier each metric's column; groups are drawn from apart, by seed + 1 + their place."""
    for place, (group, own) in enumerate(groups_of(rows, attribute, covariates)):
        apart = {**settings, "seed": settings["seed"] + 1 + place}
        for tier, cell in cells_of(own, tiers):
            for side in sides:
                for key in BY_GROUP:
                    kind, of = side.metrics[key]
                    yield (group or MISSING, tier, side.name, key), kind, Column(of, cell, own, apart), counts_of(cell)


def gap_of(columns, attribute, tier, subscale, settings):
    """Largest less smallest MAE of the groups that are large enough, and its draws."""
    parts = {
        group: column for (group, own_tier, own_side, key), column in columns.items()
        if (own_tier, own_side, key) == (tier, subscale, "mae") and group != MISSING and column.n >= settings["minGroup"]
    }
    if len(parts) < 2:
        return None, None, parts
    means = [column.mean for column in parts.values()]
    drawn = [column.drawn for column in parts.values()]
    spread = None if any(one is None for one in drawn) else np.max(drawn, axis=0) - np.min(drawn, axis=0)
    return max(means) - min(means), spread, parts


def ends(drawn, level):
    ci, p = (None, None) if drawn is None else intervals.percentile(drawn, level)
    return {"low": ci["low"] if ci else None, "high": ci["high"] if ci else None}, p


def has_groups(attribute):
    return attribute["making"]["kind"] != "number"


def rank_of(attribute, group):
    """The place of a label in an order, or the number itself."""
    making = attribute["making"]
    if making["kind"] == "number":
        return float(group)
    return making["labels"].index(group)


def groups_test(told, least):
    sizes = {group: sum(one == group for one, _ in told) for group, _ in told}
    kept = [(group, value) for group, value in told if sizes[group] >= least]
    groups, values = [group for group, _ in kept], [value for _, value in kept]
    h, df, p, epsilon = intervals.kruskal(values, groups)
    return {**NO_TEST, "n": len(kept), "groups": len(set(groups)), "h": h, "df": df, "epsilon_squared": epsilon, "pValue": p}


def order_test(attribute, told, level):
    found = {**NO_TEST, "n": len(told)}
    if not told:
        return found
    rho, ends, p = intervals.spearman([rank_of(attribute, group) for group, _ in told], [value for _, value in told], level)
    low, high = ends or (None, None)
    return {**found, "rho": rho, "low": low, "high": high, "pValue": p}


NO_TEST = dict.fromkeys(("groups", "h", "df", "epsilon_squared", "rho", "low", "high", "pValue"))


def association(rows, attributes, covariates, tiers, sides, settings):
    found = {}
    for attribute in attributes:
        of = lambda row: covariates.get(row["participant_id"], {}).get(attribute["name"], "")
        for tier, own in cells_of(rows, tiers)[1:]:
            for side in sides:
                for error in ("abs_error", "error"):
                    told = [(of(row), side.cell(error)(row)) for row in own if row["status"] == "scored"]
                    told = [(group, value) for group, value in told if group != "" and value is not None]
                    name = f"{attribute['name']}/{tier}/{side.name}/{error}"
                    if has_groups(attribute):
                        found[f"{name}/kruskal"] = groups_test(told, max(2, settings["minGroup"]))
                    if attribute["making"]["kind"] in ("order", "number"):
                        found[f"{name}/spearman"] = order_test(attribute, told, settings["level"])
    return with_holm(found)


def with_holm(found):
    tested = [one for one in found.values() if one["pValue"] is not None]
    adjusted = intervals.holm([one["pValue"] for one in tested])
    for one in found.values():
        one["pHolm"] = None
    for one, p in zip(tested, adjusted):
        one["pHolm"] = p
    return found


def confusion(rows, tiers, side, settings):
    """Of the rows whose participants are in a band, the share of those that were given another, or the same."""
    name = side.name
    for row in read_csv(settings["path"], f"confusion_{name}.csv"):
        own = dict(cells_of(rows, tiers))[row["tier"]]

        def of(one, row=row):
            if one[f"band_match_{name}"] == "" or one[f"gt_{name}_band"] != row["gt_band"]:
                return None
            return float(one[f"pred_{name}_band_resolved"] == row["pred_band"])

        column = Column(of, own, own, settings)
        estimate = column.estimate("share", lambda mean: mean, settings["level"])
        said = {"value": number(row["share"]), "low": number(row["ci_low"]), "high": number(row["ci_high"]), "method": row["ci_method"]}
        at = f"confusion_{name}/{row['tier']}/{row['gt_band']}/{row['pred_band']}"
        yield at, {**said, "n": number(row["n"]), "count": number(row["count"])}, {**estimate, "n": column.n, "count": column.sum}


def parse_success(path, rows, tiers, level):
    """Rows that were read are those without an error; the gate counts them before anybody is looked for."""
    said = {
        row["tier"]: {**cells(row, {**named("rows", "parsed", "parse_success"), **ENDS})}
        for row in read_csv(path, "parse_success.csv")
    }
    own = {}
    for tier, cell in cells_of(rows, tiers):
        parsed = sum(row["status"] != "error" for row in cell)
        low, high = intervals.score_ends(parsed / len(cell), len(cell), intervals.normal(level))
        own[tier] = {"rows": len(cell), "parsed": parsed, "parse_success": parsed / len(cell), "low": low, "high": high}
    return differences(said, own, "parse_success")


def cells(row, names):
    return {own: number(row[column]) for own, column in names.items()}


def named(*columns):
    return {column: column for column in columns}


ENDS = {"low": "ci_low", "high": "ci_high"}
TESTS = {"pValue": "p_value", "pHolm": "p_holm"}


def estimates(row):
    names = {"value": "value", **ENDS, **named("n", "participants", *COUNTS)}
    return {**cells(row, names), "method": row["ci_method"]}


def check_tables(path, tiers):
    """`tiers` are those of the scale, in its order."""
    rows = read_csv(path, "evaluation.csv")
    settings = read_json(path, "tables.json")
    evaluation = read_json(path, "evaluation.json")
    sides = [Side(name) for name in evaluation["subscales"]]
    attributes = evaluation["attributes"]["attributes"]
    covariates = {row["participant_id"]: row for row in read_csv(path, "covariates.csv")}
    level = settings["level"]
    own = {"summary": dict(summary(rows, tiers, sides, settings)), "by_group": {}, "gaps": {}, "gap_deltas": {}}
    for attribute in (one["name"] for one in attributes if has_groups(one)):
        columns = {}
        for key, kind, column, counts in measure(rows, attribute, covariates, tiers, sides, settings):
            columns[key] = column
            own["by_group"]["/".join((attribute, *key))] = {
                **column.estimate(kind, lambda mean: mean, level), "n": column.n, "participants": column.participants, **counts,
            }
        there = tiers_of([row for row in rows if row["participant_id"] != "" and row["status"] != "unmatched"], tiers)
        for tier in there:
            for side in sides:
                gap, drawn, parts = gap_of(columns, attribute, tier, side.name, settings)
                name = f"{attribute}/{tier}/{side.name}"
                order = sorted(parts.items(), key=lambda pair: pair[1].mean) if gap is not None else []
                least, most = (order[0], order[-1]) if order else ((None, None), (None, None))
                own["gaps"][name] = {
                    "gap": gap, **ends(drawn, level)[0], "groups": len(parts),
                    **{f"{end}_{what}": getattr(one[1], of, None) for end, one in (("min", least), ("max", most)) for what, of in (("mae", "mean"), ("n", "n"))},
                }
                if tier == settings["baseline"]:
                    continue
                base, before, _ = gap_of(columns, attribute, settings["baseline"], side.name, settings)
                change = None if None in (gap, base) else gap - base
                told, p = ends(None if drawn is None or before is None else drawn - before, level)
                own["gap_deltas"][name] = {"delta": change, **told, "pValue": p}
    with_holm(own["gap_deltas"])
    own["association"] = association(rows, attributes, covariates, tiers, sides, settings)

    def table(name, keys, of):
        return {"/".join(row[key] for key in keys): of(row) for row in read_csv(path, f"{name}.csv")}

    place = ("attribute", "tier", "subscale")
    said = {
        "summary": table("summary", ("tier", "subscale", "metric"), estimates),
        "by_group": table("by_group", ("attribute", "group", "tier", "subscale", "metric"), estimates),
        "gaps": table("gaps", place, lambda row: cells(row, {**named("gap", "groups", "min_mae", "min_n", "max_mae", "max_n"), **ENDS})),
        "gap_deltas": table("gap_deltas", place, lambda row: cells(row, {"delta": "delta", **ENDS, **TESTS})),
        "association": table(
            "association", (*place, "error", "test"),
            lambda row: cells(row, {**named("n", "groups", "h", "df", "epsilon_squared", "rho"), **ENDS, **TESTS}),
        ),
    }
    found = differences(said, own, "tables") + check_rows(rows, sides) + parse_success(path, rows, tiers, level)
    bands = [one for side in sides for one in confusion(rows, tiers, side, {**settings, "path": path})]
    for at, product, recomputed in bands:
        found += differences(product, recomputed, at)
    return {"checked": sum(map(len, own.values())) + len(bands), "differences": found}


def check_rows(rows, sides):
    """A row's errors are made of its scores."""
    found = []
    for row in rows:
        for side in sides:
            pred, gt = number(row[f"pred_{side.name}_score"]), number(row[f"gt_{side.name}_score"])
            if row["status"] != "scored" or None in (pred, gt):
                continue
            own = {"error": pred - gt, "abs_error": abs(pred - gt), "score_distance": abs(pred - gt), "exact": float(pred == gt)}
            said = {**{key: side.cell(key)(row) for key in ("error", "abs_error", "score_distance")}, "exact": truth(row[f"exact_match_{side.name}"])}
            found += differences(said, own, f"evaluation/{row['caseid']}/{side.name}")
    return found
