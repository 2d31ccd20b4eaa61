"""Means per method and scorer of a run: python3 examples/read_results.py results/RUN (needs pandas)."""

import sys

import pandas as pd

run = sys.argv[1]
trials = pd.read_json(f"{run}/trials.jsonl", lines=True).query("line == 'trial'")
scores = pd.read_json(f"{run}/scores.jsonl", lines=True)

print(trials.groupby("method").size().rename("trials").to_string())
scored = scores.dropna(subset=["metrics"]).reset_index(drop=True)
metrics = pd.json_normalize(scored["metrics"].tolist())
print(pd.concat([scored[["method", "scorer"]], metrics], axis=1).groupby(["method", "scorer"]).mean().round(3).to_string())
