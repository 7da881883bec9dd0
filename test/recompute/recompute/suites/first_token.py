"""Rows that hang on the first token (docs/suites.md, Sequences)."""

from ..rules import Share


def first_token_metrics():
    said = lambda row: row.get("firstTokenDiffers")
    return [
        Share("firstToken.differs", lambda r: None if said(r) is None else said(r) in ("too", "only"), bound=True),
        Share("firstToken.differsOnlyThere", lambda r: None if said(r) is None else said(r) == "only", bound=True),
    ]
