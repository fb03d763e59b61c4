"""Routes of those who read: what they get, from a reader of the house's own."""

import asyncio
import json

import pytest


@pytest.fixture(scope="module")
def labelled(shared_house):
    """A house with a few labels, and its owner."""
    owner = shared_house.signed_in("ann", "owner")
    for ticket in owner.post("/api/ask", json={"n": 12}).json()["tickets"]:
        owner.post("/api/tell", json={"ticket": ticket["ticket"], "label": "cat"})
    [ticket] = owner.post("/api/ask", json={"n": 1}).json()["tickets"]
    owner.post("/api/skip", json={"ticket": ticket["ticket"], "reason": "too dark"})
    return shared_house, owner


def test_progress_counts_what_is_mine(labelled):
    house, owner = labelled
    mine = owner.get("/api/progress").json()
    assert (mine["n_labels"], mine["n_mine"], mine["n_skipped"]) == (12, 13, 1)
    assert house.signed_in("bob", "labeller").get("/api/progress").json()["n_mine"] == 0


def test_the_answer_the_charts_and_the_people(labelled):
    _, owner = labelled
    assert owner.get("/api/answer").json()["labels"]["told"] == 12
    kinds = [chart["kind"] for chart in owner.get("/api/charts").json()["charts"]]
    assert kinds[0] == "groups"
    assert "vega-lite" in owner.get("/api/charts/groups?theme=dark").json()["spec"]["$schema"]
    assert owner.get("/api/charts/groups?theme=pink").status_code == 422
    assert owner.get("/api/labellers").json()["labellers"][0]["name"] == "ann"
    assert owner.get("/api/agreement").json()["n_twice"] == 0
    assert owner.get("/api/skipped").json()["items"][0]["reason"] == "too dark"


def test_history_has_limits(labelled):
    _, owner = labelled
    assert len(owner.get("/api/history?limit=5").json()["rows"]) == 5
    assert owner.get("/api/history?limit=0").status_code == 422
    assert owner.get("/api/history?before=-1").status_code == 422


def test_the_stream_says_how_it_stands_and_tells_of_a_change(labelled):
    house, _ = labelled

    async def listen():
        live, found = house.app.state.live, []
        async for piece in live.stream(lambda: True):
            found.append(piece)
            if piece.startswith(b"event: progress"):
                return json.loads(piece.split(b"data: ")[1])
        return found

    heard = house.client.portal.call(asyncio.wait_for, listen(), 60)
    assert heard["n_labels"] == 12
    assert "n_mine" not in heard
