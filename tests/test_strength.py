"""The two runs of the tests: what is smaller in the quick one is written down."""

import re
from pathlib import Path

import strength

TESTS = Path(__file__).parent
RECORD = TESTS.parent / "docs" / "decisions" / "0020-two-runs-of-tests.md"
_SMALLER = re.compile(r"mark\.slow|\bsized\(|\bin_quick\(")


def test_every_file_with_a_smaller_or_slow_test_is_in_the_record():
    record = RECORD.read_text(encoding="utf-8")
    for path in TESTS.rglob("test_*.py"):
        if path != Path(__file__) and _SMALLER.search(path.read_text(encoding="utf-8")):
            named = path.stem in record or ("web/browser/" in record and path.parent.name == "browser")
            assert named, f"{path.relative_to(TESTS)} is not named in {RECORD.name}"


def test_a_size_is_that_of_the_run(monkeypatch):
    for is_full, size in ((True, 500), (False, 20)):
        monkeypatch.setattr(strength, "IS_FULL", is_full)
        assert strength.sized(full=500, quick=20) == size


def test_parameters_that_are_not_kept_are_slow():
    first, second = strength.in_quick(["light", "dark"], "light")
    assert first == "light"
    assert second.values == ("dark",)
    assert [mark.name for mark in second.marks] == ["slow"]
