"""WinoBias (docs/suites.md, winobias)."""

from ..rules import REAL, SIGNED, Difference, PairShare, Share
from .contest import contest_columns

SLICES = ["list", "type", "split", "gender"]


def metrics(run):
    found = []

    def sided(key, value, kind):
        def of(row):
            if kind != "all" and row["type"] != kind:
                return None
            return key(row), "a" if row["list"] == "pro" else "b", value(row)

        return of

    kinds = ("all", "type1", "type2")
    for kind in kinds:
        side = sided(lambda row: (row["item"], row["frame"]), lambda row: row["sentenceLogProb"], kind)
        found += [
            Difference(f"sentence.difference.{kind}", side, REAL, bound=True),
            PairShare(f"sentence.prefersPro.{kind}", side, lambda pro, anti: pro > anti),
            PairShare(f"sentence.prefersAnti.{kind}", side, lambda pro, anti: pro < anti),
            PairShare(f"sentence.ties.{kind}", side, lambda pro, anti: pro == anti),
        ]
    for which in ("pro", "anti"):
        for kind in kinds:
            of = lambda row, which=which, kind=kind: row["list"] == which and kind in ("all", row["type"])
            found.append(Share(f"accuracy.{which}.{kind}", lambda row, of=of: row["correct"] if of(row) else None))
        for gender in ("male", "female"):
            of = lambda row, which=which, gender=gender: row["list"] == which and row["gender"] == gender
            found.append(Share(f"accuracy.{which}.{gender}", lambda row, of=of: row["correct"] if of(row) else None))
    for kind in kinds:
        found.append(Difference(f"gap.{kind}", sided(lambda row: row["item"], lambda row: int(row["correct"]), kind), SIGNED, yes_no=True))
    found.append(Share("ties", lambda row: row["tie"]))
    return found


def columns(run):
    names = lambda row: [one["text"].strip() for one in row["continuations"]]
    found = contest_columns(run, names, lambda row: row["referent"])
    # A row has no log-odds of its own.
    return {name: found[name] for name in ("tie", "pred", "correct", "margin")}
