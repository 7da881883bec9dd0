"""Recomputes what a run's folder says from its rows, and prints what does not agree as JSON.

    python test/recompute/check.py RUN...
    python test/recompute/check.py --compare RUN_A RUN_B COMPARISON.json

Prints one object for each run: {"path", "checked", "differences": [{"at", "product", "recomputed"}]}. Exit code 0 where all agree, 1 where not.
Needs NumPy and SciPy.
"""

import json
import sys

from recompute.compare_check import check_comparison
from recompute.run_check import check_run


def main(arguments):
    if arguments[:1] == ["--compare"]:
        found = [{"path": arguments[3], **check_comparison(*arguments[1:4])}]
    else:
        found = [{"path": path, **check_run(path)} for path in arguments]
    print(json.dumps(found))
    return 1 if any(one["differences"] for one in found) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
