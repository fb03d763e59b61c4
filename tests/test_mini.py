"""docs/mini.py, the whole idea in one small file: it runs, and it says what it promises."""

import re
import subprocess
import sys
from pathlib import Path

from patience import limit

MINI = Path(__file__).parents[1] / "docs" / "mini.py"


def test_it_is_small_and_needs_numpy_alone():
    text = MINI.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150
    assert set(re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE)) == {"__future__", "collections", "numpy"}


def test_it_runs_and_finds_the_worst_group():
    done = subprocess.run([sys.executable, str(MINI)], capture_output=True, text=True, timeout=limit(60), check=True)
    assert "P(group 5 is the worst) = 0.9" in done.stdout
    spent = {name: int(n) for name, n in re.findall(r"(\w+): sure after (\d+) labels", done.stdout)}
    assert spent["top_two"] < spent["at_random"]
