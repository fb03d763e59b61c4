"""Routes of those who read: what they get, from a reader of the house's own."""

import asyncio
import json

import pytest

import labelwise as lw
from labelwise.web.answer_worker import blind_view
from served import open_house


@pytest.fixture(scope="module")
def labelled(shared_house):
    """A house with a few labels, and its owner."""
    owner = shared_house.signed_in("ann", "owner")
    for ticket in owner.post("/api/ask", json={"n": 12}).json()["tickets"]:
        owner.post("/api/tell", json={"ticket": ticket["ticket"], "item": ticket["id"], "label": "cat"})
    [ticket] = owner.post("/api/ask", json={"n": 1}).json()["tickets"]
    owner.post("/api/skip", json={"ticket": ticket["ticket"], "item": ticket["id"], "reason": "too dark"})
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


def test_nothing_that_a_blind_labeller_sees_moves_with_what_a_label_says(house):
    """Tell, look and take back, for every class: the looks must be the same, or they reveal the prediction."""
    ann = house.signed_in("ann", "labeller")
    [ticket] = ann.post("/api/ask", json={"n": 1}).json()["tickets"]
    seen, whole = [], []
    for label in ("cat", "dog", "emu"):
        body = {"ticket": ticket["ticket"], "item": ticket["id"], "label": label}
        assert ann.post("/api/tell", json=body).json()["n_labels"] == 1
        mine = ann.get("/api/progress").json()
        piece = house.client.portal.call(_first_event, house.app.state.live, blind_view)
        passing = ("at", "version")  # the stream may still show the moment before
        assert {k: mine[k] for k in piece if k not in passing} == {k: piece[k] for k in piece if k not in passing}
        seen.append({key: value for key, value in mine.items() if key not in passing})
        whole.append(house.signed_in("olga", "owner").get("/api/answer").json()["answer"]["probability"])
        ticket = ann.post("/api/undo", json={}).json()["ticket"]
    assert seen[0] == seen[1] == seen[2]
    assert (seen[0]["figure"], seen[0]["is_met"], seen[0]["more"]) == (None, False, None)
    assert len(set(whole)) > 1  # an owner's look does tell


async def _first_event(live, view):
    async for piece in live.stream(lambda: True, view):
        if piece.startswith(b"event: progress"):
            return json.loads(piece.split(b"data: ")[1])
    return None


@pytest.mark.parametrize(
    ("stop", "figure"),
    [
        (lw.Budget(1), {"name": "labels", "title": "Labels spent", "value": 1, "goal": 1}),
        (lw.AnyOf((lw.Sure(0.95), lw.Budget(1))), {"name": "labels", "title": "Labels spent", "value": 1, "goal": 1}),
        (lw.AllOf((lw.Sure(0.95), lw.Budget(1))), None),
    ],
    ids=str,
)
def test_a_budget_is_shown_to_blind_labellers(tmp_path, stop, figure):
    for house in open_house(tmp_path, stop=stop):
        ann = house.signed_in("ann", "labeller")
        [ticket] = ann.post("/api/ask", json={"n": 1}).json()["tickets"]
        ann.post("/api/tell", json={"ticket": ticket["ticket"], "item": ticket["id"], "label": "cat"})
        found = ann.get("/api/progress").json()
        assert (found["figure"], found["is_met"]) == (figure, figure is not None)


def test_too_many_streams_are_refused(house, monkeypatch):
    monkeypatch.setattr(house.app.state.live, "has_room", lambda listener: not listener.endswith("session ann"))
    refused = house.signed_in("ann").get("/api/stream")
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "30")


def test_a_blind_labeller_cannot_tell_a_second_look_from_a_first_by_counts(house):
    def moves(browser, path, body):
        before = browser.get("/api/progress").json()
        found = browser.post(path, json=body).json()
        after = browser.get("/api/progress").json()
        counts = {key: after[key] - before[key] for key in after if key.startswith("n_")}
        return found, counts | {"answered": found.get("n_labels", before["n_labels"]) - before["n_labels"]}

    def look(browser):
        found, asked = moves(browser, "/api/ask", {"n": 1})
        [ticket] = found["tickets"]
        about = {"ticket": ticket["ticket"], "item": ticket["id"]}
        return ticket["id"], [asked, moves(browser, "/api/tell", {**about, "label": "dog"})[1]]

    def pass_by(browser):
        found, asked = moves(browser, "/api/ask", {"n": 1})
        [ticket] = found["tickets"]
        about = {"ticket": ticket["ticket"], "item": ticket["id"]}
        return [asked, moves(browser, "/api/skip", {**about, "reason": "dark"})[1]]

    ann, bob = house.signed_in("ann"), house.signed_in("bob")
    first = [look(ann) for _ in range(3)]
    skipped = pass_by(ann)
    assert house.signed_in("olga", "owner").post("/api/seconds", json={"share": 1.0}).status_code == 200
    second = [look(bob) for _ in range(2)]
    assert {item for item, _ in second} <= {item for item, _ in first}
    assert all(moved == first[0][1] for _, moved in first + second)
    assert pass_by(bob) == skipped
    assert "n_second" not in bob.get("/api/progress").json()
