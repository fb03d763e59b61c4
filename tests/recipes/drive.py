"""Drive a new member through Python, command line and page, in a copy of labelwise: `python drive.py FAMILY FOLDER`.

Prints one JSON document of what was seen; `test_recipes.py` judges it.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

CLASSES = ("cat", "cow", "dog")
MISSES = {"cat": 3, "cow": 15, "dog": 40}  # of 60 items per class: dogs are the worst group
WORDS = {
    "metric": ["--metric", "best-miss-rate"],
    "policy": ["--policy", "fewest-labels:0.2"],
    "question": ["--question", "spread", "--margin", "0.2"],
    "prior": ["--prior", "half-and-half", "--strength", "4"],
    "stop": ["--labels-per-group", "20"],
}
"""The options of `labelwise new` that name the new member."""


def rows() -> list[dict[str, Any]]:
    """Return the pool, with the truth that labellers know."""
    return [
        {"id": f"{name}-{k}", "pred": name, "conf": 0.7 + 0.004 * k,
         "label": name if k >= MISSES[name] else CLASSES[CLASSES.index(name) - 1]}
        for k in range(60)
        for name in CLASSES
    ]  # fmt: skip


def options(family: str) -> dict[str, Any]:
    """Return the arguments of an assessment that name the new member."""
    from labelwise.assessment import stopping
    from labelwise.beliefs import PRIORS
    from labelwise.metrics import METRICS
    from labelwise.policies import POLICIES
    from labelwise.questions import QUESTIONS, Worst

    return {
        "metric": lambda: {"question": Worst(METRICS["best-miss-rate"]())},
        "policy": lambda: {"question": Worst(), "policy": POLICIES["fewest-labels"](0.2)},
        "question": lambda: {"question": QUESTIONS["spread"](margin=0.2)},
        "prior": lambda: {"question": Worst(), "prior": PRIORS["half-and-half"](4.0)},
        "stop": lambda: {"question": Worst(), "stop": stopping.STOP_OPTIONS["labels-per-group"].rule(20)},
    }[family]()


def python(family: str) -> dict[str, Any]:
    """Run an assessment from Python, and check the contract that labelwise ships for this family."""
    from labelwise.assessment import Assessment
    from labelwise.groups import by_prediction
    from labelwise.pool import pool_from_arrays
    from labelwise.testing import check_metric, check_policy

    columns = {name: [row[name] for row in rows()] for name in rows()[0]}
    pool = pool_from_arrays(predicted=columns["pred"], confidence=columns["conf"], ids=columns["id"])
    truth = dict(zip(columns["id"], columns["label"], strict=True))
    chosen = options(family)
    if family == "metric":
        known = pool_from_arrays(predicted=columns["pred"], labels=columns["label"])
        check_metric(chosen["question"].metric, by_prediction(known))
    if family == "policy":
        check_policy(chosen["policy"], chosen["question"], chosen["question"].start(by_prediction(pool)))
    assessment = Assessment(pool, seed=7, **chosen)
    for _ in range(40):
        for ticket in assessment.ask(1):
            assessment.tell(ticket, truth[ticket.item["id"]])
    result = assessment.answer()
    return {
        "sentence": result.answer.sentence,
        "named": list(result.answer.named),
        "verdict": result.verdict.sentence,
        "labels": result.answer.posterior.n_labels.tolist(),
        "setup": [str(assessment.question), repr(assessment.setup.policy), repr(assessment.setup.prior)],
    }


def command(*words: object) -> dict[str, Any]:
    """Run `labelwise WORDS` as the installed command does."""
    from labelwise.cli.main import main

    out, err, code = io.StringIO(), io.StringIO(), 0
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "argv", ["labelwise", *map(str, words)]):
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
    return {"code": code, "out": out.getvalue(), "err": err.getvalue()}


def command_line(family: str, folder: Path) -> dict[str, Any]:
    """Begin, label, answer, draw and simulate from the command line."""
    predictions, store, labels = folder / "predictions.csv", folder / "spring.lw", folder / "to_label.csv"
    with predictions.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows()[0]))
        writer.writeheader()
        writer.writerows(rows())
    truth = {row["id"]: row["label"] for row in rows()}
    found = {"help": command("new", "--help")}
    found["new"] = command("new", store, predictions, "--seed", 7, *WORDS[family])
    found["ask"] = command("ask", store, "-n", 120, "-o", labels)
    with labels.open(newline="", encoding="utf-8") as file:
        asked = list(csv.DictReader(file))
    with labels.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(asked[0]))
        writer.writeheader()
        writer.writerows(row | {"label": truth[row["id"]]} for row in asked)
    found["tell"] = command("tell", store, labels)
    found["answer"] = command("answer", store, "--no-forecast", "--json")
    found["text"] = command("answer", store, "--no-forecast")
    found["report"] = command("report", store, "--format", "md")
    found["chart"] = command("chart", store, "--json")
    found["svg"] = command("chart", store)
    if family == "stop":
        return found  # a simulation ends by its budget alone
    played = [predictions, *WORDS[family], "--seed", 1, "--budget", 8, "--runs", 1, "--json"]
    found["simulate"] = command("study", "simulate", *played, "--exact")
    if family in ("metric", "policy", "question"):
        found["compiled"] = command("study", "simulate", *played)
    if family == "metric":
        found["measure"] = command("measure", predictions, *WORDS[family], "--json")
        found["progress"] = command("chart", store, "--kind", "progress")
    return found


def page(folder: Path) -> dict[str, Any]:
    """Sign in to the page of the store that the command line made, and read what it shows."""
    from starlette.testclient import TestClient

    from labelwise.accounts import Accounts
    from labelwise.store import open_store
    from labelwise.web import Settings
    from labelwise.web.app import make_app

    where, base = str(folder / "spring.lw"), "http://127.0.0.1:8765"
    with open_store(where) as store:
        app = make_app(store, Settings(where, name="main"))
        with TestClient(app, base) as browser:
            token = Accounts(store).begin("ann", "owner", seconds=3600, kind="session")
            browser.cookies.set(app.state.settings.cookie, token)
            documents = {name: browser.get(f"/api/{name}").json() for name in ("assessment", "progress", "answer")}
            documents["groups"] = browser.get("/api/charts/groups").json()
            return {"html": browser.get("/").text, **documents}


if __name__ == "__main__":
    family, folder, parts = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
    found = {"store": str(folder / "spring.lw"), "python": python(family)}
    found["command_line"] = command_line(family, folder)
    if "page" in parts:
        found["page"] = page(folder)
    print(json.dumps(found))
