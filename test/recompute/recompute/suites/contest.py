"""Two continuations of one prompt, and which is likelier (docs/suites.md, wino)."""

BY = {"sum": "logProb", "token": "logProbPerToken", "byte": "logProbPerByte"}


def contest_columns(run, names, gold):
    """Columns of a row with `continuations`; `names` gives what either is called, `gold` the right one."""
    by = BY[run.options["normalise"]]
    if run.experiment.get("compat") == "reference":
        return {"logOdds": lambda row: row["continuations"][0]["logProb"] - row["continuations"][1]["logProb"]}

    def values(row):
        return [one[by] for one in row["continuations"]]

    def pred(row):
        a, b = values(row)
        return None if a == b else names(row)[0 if a > b else 1]

    def margin(row):
        a, b = values(row)
        return a - b if gold(row) == names(row)[0] else b - a

    return {
        "tie": lambda row: values(row)[0] == values(row)[1],
        "pred": pred,
        "correct": lambda row: pred(row) == gold(row),
        "margin": margin,
        "logOdds": lambda row: row["continuations"][0]["logProb"] - row["continuations"][1]["logProb"],
    }
