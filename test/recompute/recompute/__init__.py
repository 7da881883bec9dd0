"""Recomputes every number of a run from its rows, by the definitions in docs/ alone. Shares no code with the product."""
