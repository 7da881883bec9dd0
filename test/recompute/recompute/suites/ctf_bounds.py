"""Certified bounds of ctf's numbers (docs/suites.md, ctf-bounds)."""

from ..rules import JSD, UNIT, Mean
from .ctf import capital, groups_of

SLICES = ["occupation", "category"]


def metrics(run):
    def ends(name, columns, limits, bound=False):
        return [
            Mean(f"{name}.{end}", lambda row, end=end: ([row[c][end] for c in columns], [1] * len(columns)), limits, len(columns), bound)
            for end in ("lower", "upper")
        ]

    return [
        *ends("ctfGap", ["gap"], UNIT),
        *ends("ctfGapBoth", ["gap", "gapSwap"], UNIT),
        *[one for group in groups_of(run) for one in ends(f"mass.{group}", [f"mass{capital(group)}"], UNIT)],
        *ends("jsdSwap", ["jsdSwap"], JSD, bound=True),
        *ends("rest", ["rest", "restSwap"], UNIT, bound=True),
    ]
