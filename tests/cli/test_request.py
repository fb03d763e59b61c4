"""The words that `new` and `plan` share: each becomes an option, and a pool can be read again by them."""

import inspect
from dataclasses import fields
from pathlib import Path

import pytest

from labelwise.cli.new import new
from labelwise.cli.plan import plan
from labelwise.cli.request import Request, takes_request

RULES = ["sure", "width", "mean_width", "overall_width", "budget", "price"]
WORDS = [word for f in fields(Request) for word in (RULES if f.name == "rules" else [f.name])]


def test_a_command_gets_every_word_as_an_option_of_its_own():
    seen = []

    @takes_request
    def act(file: str, request: Request, name: str = "main") -> None:
        """Say something."""
        seen.append((file, request, name))

    parameters = inspect.signature(act).parameters
    assert list(parameters) == ["file", "name", *WORDS]
    assert act.__doc__ == "Say something."
    words = {name: parameter.default for name, parameter in parameters.items() if name != "file"}
    act(**words | {"file": "x", "name": "n", "question": "best", "mean_width": 0.1})
    assert seen == [("x", Request(question="best", rules={"mean-width": 0.1}), "n")]


@pytest.mark.parametrize("command", [new, plan])
def test_new_and_plan_take_all_words(command):
    assert set(WORDS) <= set(inspect.signature(command).parameters)


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
    request = Request(scores="s*", by=["region", "site"], compare=("a", "b"), stop_at_all=True,
                      rules={"width": 0.1, "budget": 9})  # fmt: skip
    assert request.words() == [
        "--scores", "s*", "--by", "region", "--by", "site", "--compare", "a", "b", "--stop-at-all", "--width", "0.1",
        "--budget", "9",
    ]  # fmt: skip
    assert Request.of_origin({"file": "p.csv", "command": request.words()}) == Request()


def test_an_origin_without_words_is_a_file():
    assert Request().origin(Path("p.csv")) == {"file": "p.csv"}
    assert Request.of_origin({"file": "p.csv"}) == Request()
