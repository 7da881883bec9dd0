"""Answer consistency (docs/suites.md, consistency)."""

from ..rules import SIGNED, Share, value_of

SLICES = ["occupation", "category"]


def metrics(run):
    def told(name):
        return lambda row: row[name]

    def gap(row):
        if row["correct"] is None or row["correctSwap"] is None:
            return None
        return int(row["correct"]) - int(row["correctSwap"])

    def correctness(row):
        if row["correct"] is None or row["correctSwap"] is None:
            return None
        return row["correct"] == row["correctSwap"]

    def choice(row):
        if row["choiceTie"] is None or row["choiceTie"]:
            return None
        return row["choice"] == row["choiceSwap"]

    def cut(row):
        return any(row.get(name) in ("length", "context") for name in ("finish", "finishSwap"))

    return [
        Share("ansCons.exact", told("sameText")),
        Share("ansCons.normalised", told("sameNormalised")),
        Share("ansCons.swapNormalised", told("sameSwapNormalised")),
        Share("ansCons.choice", choice),
        Share("ansCons.correctness", correctness),
        Share("accuracy.x", told("correct")),
        Share("accuracy.swap", told("correctSwap")),
        value_of("accuracy.gap", gap, SIGNED),
        Share("notSwappable", lambda r: r["sameSwapNormalised"] is None),
        Share("choiceTies", told("choiceTie")),
        Share("truncated", cut),
    ]


def columns(run):
    by = {"sum": "logProb", "token": "logProbPerToken", "byte": "logProbPerByte"}[run.options.get("normalise", "sum")]

    def best(scores):
        """The likeliest option, or None where several are."""
        values = [one[by] for one in scores]
        return None if values.count(max(values)) > 1 else values.index(max(values))

    def chosen(side):
        return lambda row: best(row[side]) if row.get(side) else row[side.replace("optionScores", "choice")]

    def both(first, second):
        return lambda row: None if row[first] is None or row[second] is None else row[first] == row[second]

    return {
        "sameText": lambda row: row["answer"] == row["answerSwap"],
        "choice": chosen("optionScores"),
        "choiceSwap": chosen("optionScoresSwap"),
        "sameChoice": both("choice", "choiceSwap"),
        "sameCorrectness": both("correct", "correctSwap"),
    }
