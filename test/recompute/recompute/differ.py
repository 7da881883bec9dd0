"""Holds two trees of numbers against each other."""

import math

VALUE = 1e-9
INTERVAL = 1e-6
# p-values of tails: within 1e-8 (docs/metrics.md), held against as intervals are.
LOOSE = {"low", "high", "pValue", "pHolm", "pBH", "distanceLow", "distanceHigh", "effectiveN", "pNonInferiority", "pEquivalence", "d", "h", "mde"}
# An end near 0 is known to this part of the interval's larger end: where a quantile lies between resamples is known to 1e-10.
END = 1e-9
# Words; `unexplained` looks at reasons.
IGNORED = {"reason"}
# Below this a number is the rounding of others.
ABSOLUTE = 1e-12


def close(a, b, key, size):
    tolerance = INTERVAL if key in LOOSE else VALUE
    return a == b or abs(a - b) <= tolerance * max(abs(a), abs(b)) + ABSOLUTE + END * size


def size_of(tree):
    """The larger end of an interval; 0 of what is none."""
    ends = [tree.get(end) for end in ("low", "high")]
    return max((abs(end) for end in ends if isinstance(end, (int, float))), default=0)


def differences(product, own, at="", size=0):
    """Paths at which the two do not agree, each with what either has. What only one has is a difference."""
    key = at.rsplit("/", 1)[-1]
    if isinstance(product, dict) and isinstance(own, dict):
        found = []
        for name in list(dict.fromkeys([*product, *own])):
            if name in IGNORED:
                continue
            path = f"{at}/{name}"
            if name not in own:
                found.append({"at": path, "product": product[name], "recomputed": "missing"})
            elif name not in product:
                found.append({"at": path, "product": "missing", "recomputed": own[name]})
            else:
                found += differences(product[name], own[name], path, size_of(product) if name in ("low", "high") else 0)
        return found
    if isinstance(product, list) and isinstance(own, list) and len(product) == len(own):
        return [d for i, (a, b) in enumerate(zip(product, own)) for d in differences(a, b, f"{at}/{i}")]
    numbers = [isinstance(x, (int, float)) and not isinstance(x, bool) for x in (product, own)]
    if all(numbers):
        if math.isfinite(product) and math.isfinite(own) and close(product, own, key, size):
            return []
    elif product == own and type(product) is type(own):
        return []
    return [{"at": at, "product": product, "recomputed": own}]


def unexplained(entries):
    """A null number must have a reason beside it, and an entry that has all of its numbers none."""
    found = []
    for path, entry in entries.items():
        null = [name for name in ("mean", "value", "estimate", "difference", "ci", "pValue") if name in entry and entry[name] is None]
        if bool(null) != bool(entry.get("reason")):
            found.append({"at": f"{path}/reason", "product": entry.get("reason"), "recomputed": f"null: {null}"})
    return found
