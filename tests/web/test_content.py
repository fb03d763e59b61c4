"""What labellers see of an item; and the one folder that pictures come from."""

import os

import pytest

from labelwise.errors import NotFoundError
from labelwise.web.content import is_picture, parts_of, picture
from served import PIXEL

UP = [f"{'../' * k}secret.png" for k in range(1, 8)]
TRAVERSALS = [
    *UP, *(f"inside/{path}" for path in UP), *(path.replace("/", "\\") for path in UP[:4]),
    "/secret.png", "//secret.png", "///secret.png", "\\secret.png", "C:\\secret.png", "c:secret.png", "file:///secret.png",
    "http://evil.example/secret.png", "./1.png", "inside/./1.png", "inside//1.png", "inside/", ".", "..", "", "/", "//",
    "inside/..", "inside/../../secret.png", "....//secret.png", "..%2fsecret.png", "%2e%2e/secret.png",
    "..%252fsecret.png", "..\u2215secret.png", "\uff0e\uff0e/secret.png", "secret.png\x00.png", "1.png\x00",
    "\x001.png", "1\n.png",
    "inside\x00/1.png", "~/secret.png", "$HOME/secret.png", "/proc/self/environ.png", "/dev/stdin.png",
    "secret.txt", "1.png.txt", "CON.png/../../secret.png", "a" * 5000 + ".png", "inside/1.png/../1.png",
    "..;/secret.png",
    "..\\..\\secret.png", "inside\\..\\..\\secret.png", "link.png", "linked/1.png", "up/secret.png", "loop/1.png",
]  # fmt: skip


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "root"
    (folder / "inside").mkdir(parents=True)
    for name in ("1.png", "inside/1.png"):
        (folder / name).write_bytes(PIXEL)
    (tmp_path / "secret.png").write_bytes(b"secret")
    (tmp_path / "secret.txt").write_bytes(b"secret")
    os.symlink(tmp_path / "secret.png", folder / "link.png")
    os.symlink(folder / "inside", folder / "linked")
    os.symlink(tmp_path, folder / "up")
    os.symlink(folder / "loop", folder / "loop")
    os.mkfifo(folder / "pipe.png")
    return folder


def test_there_are_at_least_fifty_ways_out():
    assert len(set(TRAVERSALS)) >= 50


@pytest.mark.parametrize("value", TRAVERSALS)
def test_none_of_them_leads_out(root, value):
    with pytest.raises(NotFoundError, match="no such picture"):
        picture(root, value)


def test_what_is_inside_is_sent(root):
    assert picture(root, "1.png") == (PIXEL, "image/png")
    assert picture(root, "inside/1.png") == (PIXEL, "image/png")


def test_a_folder_named_like_a_picture_and_a_pipe_do_not_hang_the_server(root):
    (root / "folder.png").mkdir()
    for name in ("folder.png", "pipe.png"):
        with pytest.raises(NotFoundError):
            picture(root, name)


def test_a_column_is_shown_as_what_it_holds():
    item = {"id": "i1", "text": "two\nlines", "n": 3, "facts": {"a": [1]}, "said": '{"b": 2}', "file": "x/7.JPG"}
    parts = {part["name"]: part for part in parts_of(item, 5, has_images=True)}
    assert {name: part["kind"] for name, part in parts.items()} == {
        "text": "text", "n": "value", "facts": "json", "said": "json", "file": "image",
    }  # fmt: skip
    assert parts["file"]["value"] == "/api/tickets/5/image/file"
    assert parts["said"]["value"] == {"b": 2}


def test_short_texts_beside_others_are_values_and_a_long_one_is_a_text():
    kinds = [part["kind"] for part in parts_of({"id": 1, "a": "x", "b": "y" * 200}, 0, has_images=False)]
    assert kinds == ["value", "text"]


def test_what_only_looks_like_json_is_text():
    [part] = parts_of({"id": 1, "a": "{not json"}, 0, has_images=False)
    assert (part["kind"], part["value"]) == ("text", "{not json")
    deep = "[" * 100_000
    assert parts_of({"id": 1, "a": deep}, 0, has_images=False)[0]["kind"] == "text"


def test_a_picture_is_known_by_its_ending():
    assert is_picture("a/B.PNG")
    assert not is_picture("a.png.exe")
