"""Exact match (docs/suites.md, em)."""

from ..rules import Share

SLICES = ["category", "lang", "level"]


def metrics(run):
    return [
        Share("em", lambda r: r["answer"] is not None and r["answer"] == r["gold"]),
        Share("unparsed", lambda r: r["answer"] is None),
        Share("truncated", lambda r: r["finish"] in ("length", "context")),
    ]


def columns(run):
    return {
        "correct": lambda row: row["answer"] is not None and row["answer"] == row["gold"],
        "truncated": lambda row: row["finish"] in ("length", "context"),
    }
