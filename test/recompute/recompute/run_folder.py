"""A run's folder: rows.jsonl, manifest.json, and what the product made of them."""

import csv
import json
import os


def read_json(*path):
    with open(os.path.join(*path), encoding="utf8") as file:
        return json.load(file)


def read_lines(*path):
    with open(os.path.join(*path), encoding="utf8") as file:
        return [json.loads(line) for line in file if line.strip()]


def read_csv(*path):
    with open(os.path.join(*path), encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


class Run:
    def __init__(self, path):
        self.path = path
        self.rows = read_lines(path, "rows.jsonl")
        self.manifest = read_json(path, "manifest.json")
        self.experiment = self.manifest["experiment"]
        self.options = self.experiment["options"]
        self.suite = self.manifest["suite"]

    @property
    def ok(self):
        return [row for row in self.rows if row["status"] == "ok"]

    @property
    def interval(self):
        return self.experiment["interval"]

    @property
    def ways(self):
        """By what the rows are clustered: the names that the first row with clusters has."""
        return next((list(row["clusters"]) for row in self.rows if row.get("clusters")), [])

    def groups(self):
        """Names of the lexicon's groups, in its order: of those that became token ids where there are such."""
        file = os.path.join(self.path, "lexicon.json")
        if os.path.exists(file):
            return [group["name"] for group in read_json(file)["groups"]]
        return self.manifest["lexicon"]["groups"]

    def counts(self, rows):
        said = {status: sum(row["status"] == status for row in rows) for status in ("ok", "failed", "skipped")}
        return {"rows": len(rows), **said}
