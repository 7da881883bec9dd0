"""Recomputes what a run's folder says from its rows, and prints what does not agree as JSON.

    python test/recompute/check.py FOLDER...        a run, a panel, a questionnaire, or the results of one setting of run rules
    python test/recompute/check.py --tables FOLDER TIER...
    python test/recompute/check.py --pipeline BBQ_RUN OUT [BBQ_RUN OUT ...]
    python test/recompute/check.py --calls CALLS.json
    python test/recompute/check.py --compare RUN_A RUN_B COMPARISON.json [RUN_C RUN_D COMPARISON.json ...]

COMPARISON.json is what `compare --json` prints, with the options of the intervals beside it under `interval` ({ci, level, seed}) unless
these are the defaults, and `all: true` where all metrics were asked for.

TIERs are those of the scale, in its order. Prints one object for each run: {"path", "checked", "differences": [{"at", "product", "recomputed"}]}. Exit code 0 where all agree, 1 where not.
Needs NumPy and SciPy.
"""

import json
import os
import sys

from recompute.administer_check import check_administered
from recompute.bbq_pipeline import check_pipeline
from recompute.calls_check import check_calls
from recompute.compare_check import check_comparison
from recompute.panel_check import check_panel
from recompute.rules_check import check_results
from recompute.run_check import check_run
from recompute.scale_check import check_tables


def check(path):
    if os.path.exists(os.path.join(path, "panel.json")):
        return check_panel(path)
    if os.path.exists(os.path.join(path, "reliability.csv")):
        return check_administered(path)
    if any(name.startswith("performance_") for name in os.listdir(path)):
        return check_results(path)
    return check_run(path)


def main(arguments):
    if arguments[:1] == ["--compare"]:
        triples = [arguments[at:at + 3] for at in range(1, len(arguments), 3)]
        found = [{"path": triple[2], **check_comparison(*triple)} for triple in triples]
    elif arguments[:1] == ["--pipeline"]:
        pairs = [arguments[at:at + 2] for at in range(1, len(arguments), 2)]
        found = [{"path": pair[1], **check_pipeline(*pair)} for pair in pairs]
    elif arguments[:1] == ["--calls"]:
        found = [{"path": arguments[1], **check_calls(arguments[1])}]
    elif arguments[:1] == ["--tables"]:
        found = [{"path": arguments[1], **check_tables(arguments[1], arguments[2:])}]
    else:
        found = [{"path": path, **check(path)} for path in arguments]
    print(json.dumps(found))
    return 1 if any(one["differences"] for one in found) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
