"""The application: how errors leave it, and its description."""

import pytest

from labelwise.errors import ArgumentError, ConflictError, DataError, LabelwiseError, NotFoundError


@pytest.mark.parametrize(
    ("error", "status"),
    [(NotFoundError, 404), (ConflictError, 409), (DataError, 422), (ArgumentError, 422), (LabelwiseError, 503)],
)
def test_what_is_refused_leaves_with_its_status_and_sentence(house, monkeypatch, error, status):
    def refuse(*_, **__):
        raise error("It cannot be.")

    monkeypatch.setattr(house.app.state.queue, "ask", refuse)
    answer = house.signed_in().post("/api/ask", json={})
    assert (answer.status_code, answer.json()) == (status, {"error": "It cannot be.", "code": "refused"})
    assert ("retry-after" in answer.headers) == (status == 503)


def test_a_reader_that_died_is_not_now(house, monkeypatch):
    from concurrent.futures import Future
    from concurrent.futures.process import BrokenProcessPool

    def broken(*_, **__):
        done = Future()
        done.set_exception(BrokenProcessPool("gone"))
        return done

    monkeypatch.setattr(house.app.state.reader, "look", broken)
    assert house.signed_in("ann", "owner").get("/api/answer").status_code == 503


def test_the_description_names_every_route_for_tools_and_its_errors(shared_house):
    document = shared_house.signed_in().get("/api/openapi.json").json()
    assert document["info"]["title"] == "labelwise"
    paths = document["paths"]
    for word in ("ask", "tell", "skip", "withdraw", "answer", "history", "export"):
        [operation] = paths[f"/api/{word}"].values()
        assert {"401", "403", "409", "422", "429"} <= set(operation["responses"])
        assert operation["description"]
    assert "/sign-in" not in paths
