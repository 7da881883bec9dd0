"""A module a suite, by the suite's name; each has `metrics(run)`, written from docs/suites.md and the page of the suite."""

from importlib import import_module


def module_of(run):
    return import_module(f"{__name__}.{run.suite.replace('-', '_')}")
