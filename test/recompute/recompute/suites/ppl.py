"""Perplexity and bits per byte (docs/suites.md, ppl)."""

import math

from ..rules import POSITIVE, Composite, value_of

SLICES = ["category", "lang"]


def exponential(x):
    return math.exp(x) if x < 709 else math.inf


def metrics(run):
    def nats(row):
        return None if row["tokens"] == 0 else [(-row["sumLogProb"], row["tokens"])]

    def bits(row):
        return None if not row["bytes"] else [(-row["sumLogProb"] / math.log(2), row["bytes"])]

    return [
        Composite("ppl", nats, lambda x: exponential(x[0]), limits=POSITIVE, bound=True),
        Composite("bitsPerByte", bits, lambda x: x[0], limits=POSITIVE),
        value_of("tokens", lambda r: r["tokens"], POSITIVE, bound=True),
    ]


def columns(run):
    return {
        "ppl": lambda row: None if row["tokens"] == 0 else exponential(-row["sumLogProb"] / row["tokens"]),
        "bitsPerByte": lambda row: None if not row["bytes"] else -row["sumLogProb"] / math.log(2) / row["bytes"],
    }


def reference(run):
    tokens = sum(row["tokens"] for row in run.ok)
    nats = -math.fsum(row["sumLogProb"] for row in run.ok)
    return {"rows": len(run.ok), "tokens": tokens, "ppl": math.exp(nats / tokens) if tokens else None}
