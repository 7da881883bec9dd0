"""Counterfactual token fairness (docs/suites.md, ctf)."""

import math

from ..rules import JSD, REAL, SIGNED, UNIT, Correlation, Mean, Share, value_of
from .reference import half_width, mean_of

SLICES = ["occupation", "category"]
BOUNDS = ("partial", "lower", "upper")
BEFORE = {"logOdds": REAL, "pairShare": UNIT, "wordGap": SIGNED, "signedGap": SIGNED}


def capital(name):
    return name[:1].upper() + name[1:]


def at(row, path):
    for key in path.split("."):
        row = row[key]
    return row


def correlations(run, values):
    def point(figure, value):
        def of(row):
            x = (row.get("figures") or {}).get(figure)
            y = value(row) if x is not None else None
            return None if y is None else (row["occupation"].lower(), x, y, None)

        return of

    return [
        Correlation(f"correlation.{one['name']}.{name}", point(one["name"], value))
        for one in run.experiment["occupations"]
        for name, value in values.items()
    ]


def before(run, groups):
    first = groups[0]
    return [
        *[value_of(name, lambda row, name=name: row[name], limits, skipped=1) for name, limits in list(BEFORE.items())[:3]],
        Share(f"prefers.{first}", lambda row: None if row["logOdds"] == 0 else row["logOdds"] > 0),
        value_of("signedGap", lambda row: row["signedGap"], SIGNED, skipped=1),
        value_of("ctfGap", lambda row: row["gap"], UNIT, skipped=1),
        *[value_of(f"mass.{group}", lambda row, group=group: row[f"mass{capital(group)}"], UNIT, skipped=1) for group in groups],
        *correlations(run, {name: (lambda row, name=name: row[name]) for name in BEFORE}),
    ]


def metrics(run):
    groups = run.groups()
    steps = run.options["steps"]
    if steps == "before":
        return before(run, groups)
    probe = steps == "probe"

    def mean(name, paths, limits, opened=None, bound=False):
        def of(row):
            if probe:
                return [at(row, path) for path in paths], [1] * len(paths)
            columns = row["steps"]
            gate = columns["gate"] if opened is None else [trigger == opened for trigger in columns["trigger"]]
            # jsdTopK.partial of a row is the column jsdTopKPartial of its steps.
            names = ["".join([path.split(".")[0], *map(capital, path.split(".")[1:])]) for path in paths]
            return [value for name in names for value in columns[name]], gate * len(paths)

        return Mean(name, of, limits, len(paths) if probe else 0, bound)

    found = [mean("ctfGap", ["gap"], UNIT), mean("ctfGapBoth", ["gap", "gapSwap"], UNIT)]
    if len(groups) > 2:
        pairs = [(a, b) for i, a in enumerate(groups) for b in groups[i + 1:]]
        found += [mean(f"ctfGaps.gap{capital(a)}{capital(b)}", [f"gap{capital(a)}{capital(b)}"], UNIT) for a, b in pairs]
    found += [mean(f"mass.{group}", [f"mass{capital(group)}"], UNIT) for group in groups]
    found.append(mean("jsdSwap", ["jsdSwap"], JSD, bound=True))
    found += [mean(f"jsdTopK.{bound}", [f"jsdTopK.{bound}"], JSD, bound=True) for bound in BOUNDS]
    if probe:
        found += yardsticks(run, groups)
    if not probe and run.options["gate"]:
        for opened in ("topK", "window", "both"):
            found.append(mean(f"trigger.{opened}.ctfGap", ["gap"], UNIT, opened))
            found.append(mean(f"trigger.{opened}.jsdSwap", ["jsdSwap"], JSD, opened, bound=True))
    if len(groups) == 2:
        one, other = (f"mass{capital(group)}" for group in groups)

        def signed(row):
            if row["gap"] is None:
                return None
            return sum(row[one + side] - row[other + side] for side in ("", "Swap")) / 2

        found += correlations(run, {"gap": lambda row: row["gap"], "signedGap": signed})
    return found


def yardsticks(run, groups):
    kept = lambda name: lambda row: ([row[name]], [1]) if row[name] is not None else ([], [])
    found = [Mean("swapEffect", kept("swapEffect"), (-2, 2), 1, sides=True)] if len(groups) == 2 else []
    if run.options.get("controls"):
        found += [
            Mean("jsdControl", kept("jsdControl"), JSD, 1, True),
            Mean("jsdExcess", kept("jsdExcess"), (-JSD[1], JSD[1]), 1, True),
            Mean("gapControl", kept("gapControl"), UNIT, 1),
            Mean("gapExcess", kept("gapExcess"), SIGNED, 1),
        ]
    return found


def swap_effect(groups):
    """How much further the first group's mass lies above the second's behind its own word."""

    def of(row):
        if row["wordGroup"] == row["wordGroupSwap"]:
            return None
        lead = lambda side: row[groups[0] + side] - row[groups[1] + side]
        change = lead("") - lead("Swap")
        return change if f"mass{capital(row['wordGroup'])}" == groups[0] else -change

    return of


def control(of):
    return lambda row: sum(map(of, row["controls"])) / len(row["controls"]) if row["controls"] else None


def excess(own, name):
    return lambda row: None if row[name] is None else row[own] - row[name]


def constants(run):
    return {} if run.options["steps"] == "before" else {"jsdTopK.k": run.options["topK"]}


def mean_of_gated(name):
    def of(row):
        kept = [value for value, gate in zip(row["steps"][name], row["steps"]["gate"]) if gate]
        return sum(kept) / len(kept) if kept else None

    return of


def columns(run):
    """What is made of other columns; the divergence's bounds must hold it, which is a column of its own here."""
    groups = [f"mass{capital(group)}" for group in run.groups()]
    steps = run.options["steps"]

    def largest(side):
        return lambda row: max(row[name + side] for name in groups) - min(row[name + side] for name in groups)

    if steps == "before":
        log = lambda row: row["wordLogProbs"]
        return {
            "gap": largest(""),
            "signedGap": lambda row: row[groups[0]] - row[groups[1]],
            "logOdds": lambda row: log(row)[0] - log(row)[1],
            "wordGap": lambda row: math.exp(log(row)[0]) - math.exp(log(row)[1]),
            "pairShare": lambda row: 1 / (1 + math.exp(log(row)[1] - log(row)[0])),
        }
    if steps == "probe":
        top_k = lambda row: row["jsdTopK"]
        controls = {
            "jsdControl": control(lambda one: one["jsd"]),
            "gapControl": control(lambda one: (one["gap"] + one["gapSwap"]) / 2),
            "jsdExcess": excess("jsdSwap", "jsdControl"),
            "gapExcess": excess("gap", "gapControl"),
        }
        return {
            **({"swapEffect": swap_effect(groups)} if len(groups) == 2 else {}),
            **(controls if run.options.get("controls") else {}),
            "gap": largest(""),
            "gapSwap": largest("Swap"),
            "bounded": lambda row: top_k(row)["partial"] <= top_k(row)["lower"] + 1e-9
            and top_k(row)["lower"] - 1e-9 <= row["jsdSwap"] <= top_k(row)["upper"] + 1e-9,
        }
    found = {name: mean_of_gated(name) for name in (*groups, "gap", "gapSwap", "jsdSwap")}
    if run.options["gate"]:
        found["steps.gate"] = lambda row: [0 if trigger == "none" else 1 for trigger in row["steps"]["trigger"]]
    found["steps.gap"] = lambda row: [max(masses) - min(masses) for masses in zip(*(row["steps"][name] for name in groups))]
    return found


def reference(run):
    asked = [row for row in run.rows if row["status"] != "failed"]
    gaps, divergences = ([row[name] for row in run.ok] for name in ("gap", "jsdSwap"))
    return {
        "count": len(asked),
        "covered": len(run.ok),
        "coverage": len(run.ok) / len(asked) if asked else 0,
        "CTF_gap_mean": mean_of(gaps),
        "CTF_gap_ci95": half_width(gaps),
        "JSD_swap_mean": mean_of(divergences),
        "JSD_swap_ci95": half_width(divergences),
        "topk": run.options["topK"],
    }
