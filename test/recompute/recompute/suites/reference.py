"""What the reference project puts behind a mean (docs/suites.md, --compat reference)."""

import math


def half_width(values):
    """1.96 standard errors with the population's standard deviation; 0 where there is no interval."""
    n = len(values)
    if n < 2:
        return 0
    mean = math.fsum(values) / n
    return 1.96 * math.sqrt(math.fsum((x - mean) ** 2 for x in values) / n / n)


def mean_of(values):
    return math.fsum(values) / len(values) if values else 0
