"""The words that `new` and `plan` share: each becomes an option, and a pool can be read again by them."""

import inspect
from dataclasses import fields
from pathlib import Path

import pytest

from labelwise.cli.new import new, plan
from labelwise.cli.request import Request, takes_request


def test_a_command_gets_every_word_as_an_option_of_its_own():
    seen = []

    @takes_request
    def act(file: str, request: Request, name: str = "main") -> None:
        """Say something."""
        seen.append((file, request, name))

    parameters = inspect.signature(act).parameters
    assert list(parameters) == ["file", "name", *(f.name for f in fields(Request))]
    assert act.__doc__ == "Say something."
    act(file="x", name="n", **{f.name: f.default for f in fields(Request)} | {"question": "best"})
    assert seen == [("x", Request(question="best"), "n")]


@pytest.mark.parametrize("command", [new, plan])
def test_new_and_plan_take_all_words(command):
    words = {f.name for f in fields(Request)}
    assert words <= set(inspect.signature(command).parameters)


def test_every_word_is_explained_once():
    for parameter in inspect.signature(new).parameters.values():
        assert parameter.annotation.__metadata__[0].help, parameter.name


def test_the_origin_keeps_how_a_pool_was_read_and_nothing_else():
    request = Request(scores="s*", id="key", by=["region"], against=Path("old.csv"), question="best", seed=3)
    origin = request.origin(Path("p.csv"))
    assert origin == {"file": "p.csv", "scores": "s*", "id": "key", "by": ["region"], "against": "old.csv"}
    again = Request.of_origin(origin)
    assert again == Request(scores="s*", id="key", by=["region"], against=Path("old.csv"))


def test_words_can_be_typed_again():
    request = Request(scores="s*", by=["region", "site"], compare=("a", "b"), stop_at_all=True, budget=9, width=0.1)
    assert request.words() == [
        "--scores", "s*", "--by", "region", "--by", "site", "--compare", "a", "b", "--width", "0.1", "--budget", "9",
        "--stop-at-all",
    ]  # fmt: skip
    assert Request.of_origin({"file": "p.csv", "command": request.words()}) == Request()


def test_an_origin_without_words_is_a_file():
    assert Request().origin(Path("p.csv")) == {"file": "p.csv"}
    assert Request.of_origin({"file": "p.csv"}) == Request()
