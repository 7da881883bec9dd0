"""A panel (docs/suites.md, A panel) and a run of BBQ by cells (docs/bbq.md): its table is that of its parts, and BBQ's scores are made of all of them."""

import os

from .bbq_scores import check_scores
from .differ import differences
from .run_check import as_summary, check_run, recomputed, summary_entry
from .run_folder import Run, read_csv, read_json


def part_entries(path, part):
    """By metric what the panel's table says of a part; coverage of what has no steps is the share of measured rows."""
    run = Run(os.path.join(path, part["folder"]))
    counts = run.counts(run.rows)
    found = {}
    for name, one in recomputed(run).items():
        cells = as_summary(one, counts)
        if cells["coverage"] is None and counts["rows"]:
            cells["coverage"] = counts["ok"] / counts["rows"]
        found[f"{part['name']}/{name}"] = cells
    return found


def check_panel(path):
    parts = [part for part in read_json(path, "panel.json")["parts"] if part["status"] == "complete"]
    checked = [check_run(os.path.join(path, part["folder"])) for part in parts]
    found = [{**one, "at": f"{part['name']}/{one['at']}"} for part, own in zip(parts, checked) for one in own["differences"]]
    table = {f"{row['name']}/{row['metric']}": summary_entry(row) for row in read_csv(path, "summary.csv") if row["metric"]}
    own = {}
    for part in parts:
        own.update(part_entries(path, part))
    found += differences(table, own, "panel")
    if os.path.exists(os.path.join(path, "scores.json")):
        found += check_scores(path, [Run(os.path.join(path, part["folder"])) for part in parts])
    return {"checked": sum(one["checked"] for one in checked) + len(own), "differences": found}
