"""The recipes of CONTRIBUTING.md are true: a new member needs its file, its test and one registration."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import labelwise
from patience import limit
from strength import IS_FULL, in_quick

TOYS = Path(__file__).parent / "recipes"
CONTRIBUTING = Path(__file__).parent.parent / "CONTRIBUTING.md"


@dataclass(frozen=True)
class Recipe:
    """What a recipe has somebody touch: the member's file, its test, and one registration."""

    heading: str
    member: str
    file: str
    test: str
    registry: str
    entries: tuple[tuple[str, str], ...]

    @property
    def toy(self) -> str:
        """The file in tests/recipes that has the member, without its ending."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", self.member).lower()

    @property
    def places(self) -> list[str]:
        """The files that are touched, each once."""
        return list(dict.fromkeys([self.file, self.test, self.registry]))


RECIPE_OF = {
    "metric": Recipe(
        "Add a metric", "BestMissRate", "metrics/best_miss_rate.py", "tests/metrics/test_best_miss_rate.py",
        "metrics/__init__.py", (("METRICS", "BestMissRate"),),
    ),
    "policy": Recipe(
        "Add a policy", "FewestLabels", "policies/fewest_labels.py", "tests/policies/test_fewest_labels.py",
        "policies/__init__.py", (("POLICIES", "FewestLabels"),),
    ),
    "question": Recipe(
        "Add a question", "Spread", "questions/spread.py", "tests/questions/test_spread.py",
        "questions/__init__.py", (("QUESTIONS", "Spread"),),
    ),
    "prior": Recipe(
        "Add a prior", "HalfAndHalf", "beliefs/half_and_half.py", "tests/beliefs/test_half_and_half.py",
        "beliefs/__init__.py", (("PRIORS", "HalfAndHalf"),),
    ),
    "stop": Recipe(
        "Add a stopping rule", "LabelsPerGroup", "assessment/stopping.py",
        "tests/assessment/test_calibration_of_stopping.py", "assessment/stopping.py",
        (
            ("STOP_OPTIONS", '"labels-per-group": StopOption(LabelsPerGroup, "N", "Stop when every group has this many '
                             'labels.", is_count=True)'),
            ("STOPPING_RULES", "LabelsPerGroup"),
        ),
    ),
}  # fmt: skip
"""What a new member of each family touches."""
NAME_OF = {
    "metric": "best-miss-rate", "policy": "fewest-labels[:X]", "question": "spread", "prior": "half-and-half",
    "stop": "--labels-per-group",
}  # fmt: skip
"""How the help of the command line names the new members."""
QUICK_PAGES = ("metric",)
"""Families whose page is opened in the quick run too: a server takes seconds to start."""


def registered(source: str, registry: str, entry: str) -> str:
    """Return a module's source with one more entry at the end of a registry: the tuple or dict of that name."""
    for node in ast.parse(source).body:
        target = node.target if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [None])[0]
        if isinstance(target, ast.Name) and target.id == registry:
            value = node.value.generators[0].iter if isinstance(node.value, ast.DictComp) else node.value
            last = (value.values if isinstance(value, ast.Dict) else value.elts)[-1]
            lines = source.splitlines()
            line = lines[last.end_lineno - 1]
            # an offset counts bytes; registries are plain ASCII
            lines[last.end_lineno - 1] = f"{line[: last.end_col_offset]}, {entry}{line[last.end_col_offset :]}"
            return "\n".join(lines) + "\n"
    raise AssertionError(f"there is no {registry}")


def follow(recipe: Recipe, package: Path) -> None:
    """Do what the recipe says in a copy of the package."""
    member = TOYS / f"{recipe.toy}.py"
    path = package / recipe.registry
    source = path.read_text(encoding="utf-8")
    for registry, entry in recipe.entries:
        source = registered(source, registry, entry)
    if recipe.file == recipe.registry:  # the member and its registration are in one file
        text = member.read_text(encoding="utf-8")
        source = source.replace("\n\nSTOP_OPTIONS", f"\n\n{text[text.index('@dataclass') :]}\n\nSTOP_OPTIONS", 1)
    else:
        shutil.copy(member, package / recipe.file)
        module = recipe.file.removesuffix(".py").replace("/", ".")
        lines = source.splitlines()
        first = next(k for k, line in enumerate(lines) if line.startswith("from labelwise."))
        lines.insert(first, f"from labelwise.{module} import {recipe.member}")
        source = "\n".join(lines) + "\n"
    path.write_text(source, encoding="utf-8")


@pytest.fixture(scope="module")
def driven(tmp_path_factory):
    """What is seen of the new member of a family, each in a copy of the package of its own."""
    kept = {}

    def drive(family, *parts):
        if family not in kept or not set(parts) <= set(kept[family]):
            folder = tmp_path_factory.mktemp(family)
            package = folder / "copy" / "labelwise"
            shutil.copytree(Path(labelwise.__file__).parent, package)
            follow(RECIPE_OF[family], package)
            wanted = {*parts, *(["page"] if family in QUICK_PAGES or IS_FULL else [])}
            done = subprocess.run(
                [sys.executable, TOYS / "drive.py", family, folder, *wanted],
                capture_output=True, text=True, check=False, timeout=limit(30), cwd=folder,
                env=os.environ | {"PYTHONPATH": str(package.parent)},
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
            kept[family] = json.loads(done.stdout)
        return kept[family]

    return drive


def ended_well(found, *names):
    """Return what commands wrote, having checked that none of them failed."""
    for name in names:
        assert found[name]["code"] in (0, 5 if name in ("answer", "text") else 0), found[name]["err"]
    return [json.loads(found[name]["out"]) if found[name]["out"].startswith("{") else found[name]["out"]
            for name in names]  # fmt: skip


@pytest.mark.parametrize("family", RECIPE_OF)
def test_a_new_member_touches_its_file_its_test_and_one_registration(family):
    recipe = RECIPE_OF[family]
    assert len(recipe.places) <= 3
    text = CONTRIBUTING.read_text(encoding="utf-8")
    steps = text[text.index(f"## {recipe.heading}\n") :].partition("\n## ")[0]
    assert recipe.file.rpartition("/")[0] in steps
    assert all(f"`{registry}`" in steps for registry, _ in recipe.entries)
    assert recipe.test.replace(recipe.toy, "NAME") in steps


@pytest.mark.parametrize("family", RECIPE_OF)
def test_python_knows_the_member_after_one_registration(driven, family):
    found = driven(family)["python"]
    question, policy, prior = found["setup"]
    assert sum(found["labels"]) == 40
    said = {"metric": question, "policy": policy, "question": question, "prior": prior, "stop": found["verdict"]}
    assert (
        said[family]
        == {
            "metric": "Which group is the worst in best-miss-rate?",
            "policy": "FewestLabels(random=0.2)",
            "question": "Do groups differ in accuracy by more than 0.2?",
            "prior": "HalfAndHalf(strength=4.0)",
            "stop": f"the group with the fewest has {min(found['labels'])} of 20 labels",
        }[family]
    )
    assert found["named"] == ([] if family == "question" else ["dog"])


@pytest.mark.parametrize("family", RECIPE_OF)
def test_the_command_line_begins_labels_answers_reports_and_draws_with_the_member(driven, family):
    found = driven(family)["command_line"]
    words, _, _, _, answer, text, report, chart, svg = ended_well(
        found, "help", "new", "ask", "tell", "answer", "text", "report", "chart", "svg"
    )
    assert NAME_OF[family] in re.sub(r"\s+", "", words)
    assert answer["labels"]["told"] == 120
    assert answer["stop"]["sentence"] in text
    assert [row["group"] for row in chart["rows"]] == ["dog", "cow", "cat"]
    assert svg.startswith("<svg")
    in_answer, in_report = {
        "metric": ("Which group is the worst in best-miss-rate?", "'dog' is the worst of 3 groups in best-miss-rate"),
        "policy": ("policy fewest-labels", "fewest-labels"),
        "question": (
            "P(groups differ in accuracy by more than 0.2) = ",
            "Groups differ in accuracy by more than 0.2",
        ),
        "prior": ("Which group is the worst in accuracy?", "HalfAndHalf(strength=4.0)"),
        "stop": ("the group with the fewest has ", "every group has 20 labels"),
    }[family]
    assert in_answer in text
    assert in_report in report


@pytest.mark.parametrize("family", in_quick(RECIPE_OF, *QUICK_PAGES))
def test_the_page_shows_the_member(driven, family):
    page, answer = driven(family, "page")["page"], driven(family)["command_line"]["answer"]
    assert page["html"].startswith("<!doctype html>")
    assert page["progress"]["n_labels"] == 120
    known = json.loads(answer["out"])
    assert page["assessment"]["question"] == page["answer"]["question"] == known["question"]
    assert page["assessment"]["stop"] == page["progress"]["rule"] == known["stop"]["rule"]
    assert page["answer"]["settings"]["policy"] == known["settings"]["policy"]
    assert page["answer"]["settings"]["prior"] == known["settings"]["prior"]
    assert page["answer"]["answer"]["named"] == known["answer"]["named"]
    assert [row["group"] for row in page["groups"]["rows"]] == ["dog", "cow", "cat"]


@pytest.mark.parametrize("family", ["metric", "policy", "question", "prior"])
def test_simulate_plays_the_member_with_the_exact_engine(driven, family):
    [document] = ended_well(driven(family)["command_line"], "simulate")
    first = document["rows"][0]
    column, value = {
        "metric": ("question", "Which group is the worst in best-miss-rate?"),
        "policy": ("policy", "fewest-labels:0.2"),
        "question": ("question", "Do groups differ in accuracy by more than 0.2?"),
        "prior": ("prior", "half-and-half:4"),
    }[family]
    assert first[column] == value
    assert first["runs"] == 1


@pytest.mark.parametrize(
    ("family", "sentence"),
    [
        ("metric", "cannot simulate Worst of best-miss-rate about the pool with prove. Use the exact engine"),
        ("policy", "cannot simulate Worst of accuracy about the pool with fewest-labels. Use the exact engine"),
        ("question", "cannot simulate Spread of accuracy about the pool with thompson. Use the exact engine"),
    ],
)
def test_the_compiled_engine_refuses_the_member_with_a_sentence(driven, family, sentence):
    refused = driven(family)["command_line"]["compiled"]
    assert refused["code"] == 1
    assert sentence in refused["err"]


def test_a_metric_that_is_worse_when_high_is_worst_where_it_is_high_whatever_its_name(driven):
    found = driven("metric")["command_line"]
    answer, text, report, measured = ended_well(found, "answer", "text", "report", "measure")
    assert answer["answer"]["named"] == ["dog"]
    assert answer["question_kind"] == "worst"
    rows = answer["groups"]
    assert [row["group"] for row in rows] == ["dog", "cow", "cat"]
    assert [row["mean"] for row in rows] == sorted((row["mean"] for row in rows), reverse=True)
    assert rows[0]["p_worst"] > 0.9 > rows[0]["p_best"]
    assert "P(worst)" in text
    assert "P(best)" not in text
    table = report[report.index("Best-miss-rate by prediction, worst first") :].partition("\n\n#")[0]
    assert "P(worst)" in table
    assert "P(best)" not in table
    assert [row["group"] for row in measured["groups"]] == ["dog", "cow", "cat"]
    assert [row["p_worst"] > 0.9 for row in measured["groups"]] == [True, False, False]


def test_a_metric_is_drawn_with_its_own_axis_title_and_the_worst_group_first(driven):
    found = driven("metric", "page")
    chart, groups, progress = ended_well(found["command_line"], "chart", "svg", "progress")
    assert chart["title"] == "Best-miss-rate of 3 groups, worst first"
    assert [row["status"] for row in chart["rows"]] == ["worst", "better than the worst", "better than the worst"]
    assert ">Share of misses<" in groups
    assert ">Share of misses<" in progress
    assert '"title": "Share of misses"' in json.dumps(found["page"]["groups"]["spec"])


def test_stores_made_with_a_member_are_refused_by_a_labelwise_that_does_not_know_it(driven, tmp_path):
    driven("metric")
    done = subprocess.run(
        [sys.executable, "-m", "labelwise", "answer", driven("metric")["store"]],
        capture_output=True, text=True, check=False, timeout=limit(10), cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 1
    assert "names 'BestMissRate', which this labelwise does not know. Update labelwise." in done.stderr
