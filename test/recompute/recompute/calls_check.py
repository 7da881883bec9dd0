"""Calls of logit-audit/metrics with what they returned: [{"name", "args", "options", "result"}]."""

from .differ import differences
from .effects import FUNCTIONS, plain
from .run_folder import read_json


def check_calls(path):
    calls = read_json(path)
    found = []
    for at, call in enumerate(calls):
        own = plain(FUNCTIONS[call["name"]](*call["args"], **call["options"]))
        said = plain(call["result"])
        if isinstance(said, dict) and said.get("ci"):
            said["ci"] = {end: said["ci"][end] for end in ("low", "high")}
        found += differences(said, own, f"{call['name']} {at}")
    return {"checked": len(calls), "differences": found}
