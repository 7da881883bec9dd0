"""A run: metrics.json and summary.csv, from rows.jsonl and manifest.json."""

from .differ import differences, unexplained
from .effects import benjamini_hochberg
from .intervals import holm
from .rules import Context, Numbers, entry
from .run_folder import Run, read_csv, read_json
from .suites import module_of
from .unbiased import adjust


def flat(tree, at=""):
    """Metrics by their full names: an entry is what has a kind, and may have others below it (unparsed, unparsed.no_answer)."""
    found = {}
    for name, value in tree.items():
        path = f"{at}.{name}" if at else name
        if not isinstance(value, dict):
            found[path] = value
        elif "kind" in value:
            below = {key: one for key, one in value.items() if isinstance(one, dict) and "kind" in one}
            found[path] = {key: one for key, one in value.items() if key not in below}
            found.update(flat(below, path))
        else:
            found.update(flat(value, path))
    return found


def number(cell):
    return None if cell == "" else float(cell)


def joined(parts):
    return "+".join(str(part) for part in parts)


def summary_entry(cells):
    """A row of summary.csv, as far as it repeats an entry of metrics.json."""
    return {
        "kind": cells["kind"],
        "estimate": number(cells["estimate"]),
        "low": number(cells["ciLow"]),
        "high": number(cells["ciHigh"]),
        "method": cells["ciMethod"],
        "level": number(cells["ciLevel"]),
        **{name: number(cells[name]) for name in TEST},
        "n": number(cells["n"]),
        "gatedSteps": number(cells["gatedSteps"]),
        "coverage": number(cells["coverage"]),
        "by": cells["clusteredBy"],
        "clusters": cells["clusters"],
        **{name: number(cells[name]) for name in ("rows", "ok", "failed", "skipped")},
    }


TEST = ("pValue", "pHolm", "pBH", "unbiased", "distance", "distanceLow", "distanceHigh")


def test_of(found):
    """An entry's own p-value, else that of its unbiased value; and what is said of that value."""
    test = found.get("unbiased") or {}
    ci = test.get("ci") or {}
    return {
        "pValue": found["pValue"] if "pValue" in found else test.get("pValue"),
        "pHolm": test.get("pHolm"), "pBH": test.get("pBH"), "unbiased": test.get("value"), "distance": test.get("distance"),
        "distanceLow": ci.get("low"), "distanceHigh": ci.get("high"),
    }


def as_summary(found, counts):
    ci = found["ci"] or {}
    said = found.get("clusters") or {"by": [], "counts": []}
    steps = found.get("gatedSteps")
    estimate = found["value"] if "value" in found else found["mean"]
    return {
        "kind": found["kind"],
        "estimate": None if steps == 0 else estimate,
        "low": ci.get("low"),
        "high": ci.get("high"),
        "method": ci.get("method", ""),
        "level": ci.get("level"),
        **test_of(found),
        "n": found["n"],
        "gatedSteps": steps,
        "coverage": found["coverage"] if found["kind"] == "mean" and found["n"] else None,
        "by": joined(said["by"]),
        "clusters": joined(said["counts"]),
        **counts,
    }


def parts_of(run, slices):
    """All rows, then those of each value of each slice, in the order in which values come."""
    yield "", "", run.rows
    for name in slices:
        values = dict.fromkeys(row[name] for row in run.rows if row.get(name) is not None)
        for value in values:
            yield name, value, [row for row in run.rows if row.get(name) == value]


def at(row, path):
    for key in path.split("."):
        row = row[key]
    return row


def check_columns(run, suite):
    """Columns of rows that are made of others. One that rows do not have must be true."""
    found = []
    for name, of in getattr(suite, "columns", lambda run: {})(run).items():
        for row in run.ok:
            said = at(row, name) if name.split(".")[0] in row else True
            found += differences(said, of(row), f"row {row['row']}/{name}")
    return found


def context_of(run):
    """`--compat reference` knows of no range."""
    return Context(Numbers(run.ways, run.rows), run.interval, run.experiment.get("compat") != "reference", run.suite)


def recomputed_parts(run):
    """By slice and value, the metrics by their names; those of all rows are at ("", "")."""
    context, suite = context_of(run), module_of(run)
    metrics = suite.metrics(run)
    parts = {
        (slice_name, value): {metric.name: entry(metric, rows, context) for metric in metrics}
        for slice_name, value, rows in parts_of(run, suite.SLICES)
    }
    adjust([one for part in parts.values() for one in part.values()], holm, benjamini_hochberg)
    return parts


def recomputed(run):
    """Every metric over all rows, by its name."""
    return recomputed_parts(run)["", ""]


def check_run(path):
    run = Run(path)
    suite = module_of(run)
    metrics = suite.metrics(run)
    product = read_json(path, "metrics.json")
    written = flat(product["metrics"])
    constants = {name: value for name, value in written.items() if not isinstance(value, dict)}
    parts = recomputed_parts(run)
    own = parts["", ""]
    found = differences(constants, getattr(suite, "constants", lambda run: {})(run), "constants")
    found += differences(product["counts"], run.counts(run.rows), "counts")
    found += check_columns(run, suite)
    if run.experiment.get("compat") == "reference":
        found += differences(read_json(path, "reference.json"), suite.reference(run), "reference")
    found += differences({k: v for k, v in written.items() if k not in constants}, own, "metrics")
    found += unexplained({f"metrics/{name}": one for name, one in written.items() if name not in constants})
    table = {(row["slice"], row["value"], row["metric"]): row for row in read_csv(path, "summary.csv")}
    wanted = {}
    for slice_name, value, rows in parts_of(run, suite.SLICES):
        counts = run.counts(rows)
        for metric in metrics:
            wanted[slice_name, value, metric.name] = as_summary(parts[slice_name, value][metric.name], counts)
    found += differences(
        {"/".join(key): summary_entry(row) for key, row in table.items()},
        {"/".join(key): one for key, one in wanted.items()},
        "summary",
    )
    found += unexplained({
        f"summary/{'/'.join(key)}": {"estimate": number(row["estimate"]), "ci": number(row["ciLow"]), "reason": row["reason"]}
        for key, row in table.items()
        if row["pValue"] != "" or row["kind"] not in ("difference", "correlation")
    })
    return {"checked": len(own) + len(wanted), "differences": found}
