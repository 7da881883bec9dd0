"""Certified bounds of ctf's numbers (docs/suites.md, ctf-bounds)."""

from ..rules import JSD, UNIT, value_of
from .ctf import capital

SLICES = ["occupation", "category"]


def metrics(run):
    def ends(name, columns, limits, bound=False):
        def of(end):
            return lambda row: sum(row[column][end] for column in columns) / len(columns)

        return [value_of(f"{name}.{end}", of(end), limits, skipped=1, bound=bound) for end in ("lower", "upper")]

    return [
        *ends("ctfGap", ["gap"], UNIT),
        *ends("ctfGapBoth", ["gap", "gapSwap"], UNIT),
        *[one for group in run.groups() for one in ends(f"mass.{group}", [f"mass{capital(group)}"], UNIT)],
        *ends("jsdSwap", ["jsdSwap"], JSD, bound=True),
        *ends("rest", ["rest", "restSwap"], UNIT, bound=True),
    ]
