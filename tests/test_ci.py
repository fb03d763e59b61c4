"""The lock agrees with pyproject.toml, and an unreachable database of vulnerabilities is never an all-clear."""

import re
import runpy
import tomllib
from pathlib import Path

import pytest

HOUSE = Path(__file__).parent.parent
verdict = runpy.run_path(str(HOUSE / ".ci" / "audit"))["verdict"]


def normalized(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_dependency_is_locked_within_its_bounds():
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    locked = dict(re.findall(r"^([\w.-]+)==([\w.]+)", (HOUSE / ".ci" / "lock.txt").read_text("utf-8"), re.M))
    wanted = [*project["dependencies"], *(one for extra in project["optional-dependencies"].values() for one in extra)]

    def version(text):
        return tuple(int(part) for part in re.findall(r"\d+", text)[:3])

    for requirement in wanted:
        if not requirement.startswith("labelwise["):
            name, least, _, below = re.fullmatch(r"([\w.-]+)(?:\[\w+\])?>=([\d.]+)(,<([\d.]+))?", requirement).groups()
            have = version(locked[normalized(name)])
            assert have >= version(least), requirement
            assert below is None or have < version(below), requirement


def test_what_users_install_has_an_upper_bound():
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [one for name, extra in project["optional-dependencies"].items() if name != "dev" for one in extra]
    unbounded = {one for one in [*project["dependencies"], *extras] if "<" not in one and "labelwise[" not in one}
    # pyarrow's majors come every few months and keep what we call; those of argon2-cffi are years
    assert unbounded == {"pyarrow>=18", "argon2-cffi>=23.1"}


def test_every_locked_package_has_hashes():
    lines = [line for line in (HOUSE / ".ci" / "lock.txt").read_text("utf-8").splitlines() if "==" in line]
    assert lines
    assert all(line.endswith("\\") for line in lines)


SOUND = {"name": "a", "version": "1", "vulns": []}
HOLE = {"name": "b", "version": "2", "vulns": [{"id": "CVE-1"}]}
UNKNOWN = {"name": "c", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("packages", "text", "code"),
    [
        ([SOUND, UNKNOWN], "1 of 2 locked packages checked, 0 known vulnerabilities.", 0),
        ([SOUND, HOLE], "2 of 2 locked packages checked, 1 known vulnerabilities.\nb 2: CVE-1", 1),
        ([UNKNOWN], "No database of known vulnerabilities can be reached from here: NOTHING was checked.", 0),
        ([], "No database of known vulnerabilities can be reached from here: NOTHING was checked.", 0),
    ],
)
def test_what_could_not_be_looked_up_is_not_called_sound(packages, text, code):
    assert verdict({"dependencies": packages}) == (text, code)
