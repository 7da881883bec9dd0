"""Rules of communities (docs/rules.md): accuracies over threads, two a pair."""

from ..rules import UNIT, Composite, Share

SLICES = ["ruleCluster", "subredditCluster", "language"]
SIDES = ("violating", "compliant")


def metrics(run):
    def threads(name, hit):
        return Composite(name, lambda row: [(sum(bool(hit(row[side])) for side in SIDES), 2)], lambda x: x[0], limits=UNIT)

    right = lambda side: side["score"] == 1
    return [
        threads("accuracy", right),
        *[Share(side, lambda row, side=side: right(row[side])) for side in SIDES],
        threads("unparsed", lambda side: side["unparsed"] is not None),
        threads("truncated", lambda side: side["truncated"]),
    ]
