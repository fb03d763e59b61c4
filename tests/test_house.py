"""The counts of the code base, on a small package whose counts are known, and on labelwise itself."""

from pathlib import Path

import pytest
from benchmarks.house import (
    COMMANDS,
    FRAMES_OF_TELL,
    PUBLIC_NAMES,
    any_at_the_seam,
    checks_of_classes,
    code_lines,
    loaded_by_ask,
    longest_chain,
    measured,
    packages,
    places,
)  # fmt: skip

import labelwise

SRC = Path(labelwise.__file__).parent.parent
FILES = {
    "__init__.py": '"""A package."""\n',
    "beliefs/__init__.py": "from labelwise.beliefs.flat import FlatBelief\n",
    "beliefs/flat.py": '''"""A belief."""

# a comment


class FlatBelief:
    """What is believed."""

    level: float = 0.95
    """An attribute with its own docstring."""

    def update(
        self, labels: list[int]
    ) -> "FlatBelief":
        return self  # what is returned

    def mean(self) -> float:
        return 0.5
''',
    "metrics/__init__.py": "from labelwise.metrics.loss import loss\n",
    "metrics/loss.py": """from typing import TYPE_CHECKING, Any

from labelwise.beliefs import FlatBelief

if TYPE_CHECKING:
    from labelwise.report import text


def loss(belief: Any, prior: Any | None, level: Any) -> float:
    if isinstance(belief, (FlatBelief, int)) or isinstance(level, float):
        return 1.0
    match belief:
        case FlatBelief():
            return 2.0
    return 0.0


def start(groups: int) -> Any:
    return groups
""",
    "report.py": "from labelwise.metrics import loss\n",
}


@pytest.fixture
def src(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / "labelwise" / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_lines_of_code_leave_out_blank_lines_comments_and_docstrings(src):
    # class, level, three lines of a signature, return, def, return
    assert code_lines(src / "labelwise" / "beliefs" / "flat.py") == 8
    assert packages(src)["beliefs"] == (2, 9, 1 + 18)
    assert packages(src)["labelwise"] == (2, 1, 2)


def test_checks_of_domain_classes_count_isinstance_and_match(src):
    assert checks_of_classes(src) == 2


def test_any_counts_at_the_seam_alone(src):
    assert any_at_the_seam(src) == 3  # belief, prior, and what start returns; not level


def test_the_longest_chain_ignores_imports_for_types(src):
    assert longest_chain(src) == [
        "labelwise.report", "labelwise.metrics", "labelwise.metrics.loss", "labelwise.beliefs",
        "labelwise.beliefs.flat",
    ]  # fmt: skip


def test_labelwise_itself_is_measured():
    assert loaded_by_ask(SRC) > 20
    for code in (FRAMES_OF_TELL, PUBLIC_NAMES, COMMANDS):
        assert min(measured(SRC, code)) > 5
    assert len(longest_chain(SRC)) > 10


def test_a_new_metric_or_policy_touches_three_files():
    assert places(SRC) == {"metric": 3, "policy": 3}


def test_what_a_commit_does_not_have_is_not_counted(src):
    assert places(src) == {"metric": None, "policy": None}
    assert measured(src, PUBLIC_NAMES) is None
