"""The cache: what was written comes back whole or not at all, and a folder that cannot be written to is no error."""

import pytest

from labelwise.caching import cache_folder, cache_text, cached_text


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "labelwise"


def test_a_text_comes_back(folder):
    assert cached_text("a.js") is None
    cache_text("a.js", "let π = 3;\r\n")
    assert cached_text("a.js") == "let π = 3;\r\n"
    cache_text("a.js", "")
    assert cached_text("a.js") == ""
    assert [path.name for path in folder.iterdir()] == ["a.js"]
    assert cache_folder() == folder


@pytest.mark.parametrize(
    "damage", [lambda b: b[:-1], lambda b: b.replace(b"3", b"4"), lambda b: b"", lambda b: b"\xff"]
)
def test_a_damaged_text_is_none(folder, damage):
    cache_text("a.js", "let x = 3;")
    (folder / "a.js").write_bytes(damage((folder / "a.js").read_bytes()))
    assert cached_text("a.js") is None


def test_a_folder_that_cannot_be_made_is_no_error(folder):
    folder.write_text("a file")
    cache_text("a.js", "let x = 3;")
    assert cached_text("a.js") is None
