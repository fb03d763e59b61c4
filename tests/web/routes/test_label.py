"""Routes of those who label."""

import pytest

import labelwise as lw
from served import PIXEL


@pytest.fixture
def ann(house):
    return house.signed_in("ann", "labeller")


def asked(browser, n=1, **more):
    return browser.post("/api/ask", json={"n": n, **more}).json()["tickets"]


def test_a_page_learns_what_it_must_know(ann):
    about = ann.get("/api/assessment").json()
    assert about["classes"] == ["cat", "dog", "emu"]
    assert about["keys"] == {"1": 0, "2": 1, "3": 2}
    assert about["guidelines"] == "Look twice."
    assert about["me"] == {"name": "ann", "role": "labeller"}
    assert (about["lease"], about["is_blind"], about["n_items"]) == (600.0, True, 60)
    assert len(about["id"]) == 16


def test_ask_tell_undo_tell(house, ann):
    [ticket] = asked(ann)
    assert [part["kind"] for part in ticket["content"]] == ["text", "image"]
    assert ticket["prediction"] is None
    told = ann.post("/api/tell", json={"ticket": ticket["ticket"], "item": ticket["id"], "label": "dog", "key": "k"})
    assert told.json() == {"is_new": True, "n_labels": 1}
    back = ann.post("/api/undo", json={}).json()["ticket"]
    assert (back["id"], back["was"]) == (ticket["id"], {"status": "told", "label": "dog", "reason": ""})
    ann.post("/api/tell", json={"ticket": back["ticket"], "item": back["id"], "label": "cat"})
    assert [event.kind for event in house.events()][1:] == ["asked", "told", "withdrawn", "asked", "told"]
    assert house.events()[-1].labeller == "ann"


def test_skip_and_dont_know_differ_and_keep_their_reason(house, ann):
    one, other = asked(ann, 2)
    ann.post("/api/skip", json={"ticket": one["ticket"], "item": one["id"], "reason": "too dark"})
    ann.post(
        "/api/skip", json={"ticket": other["ticket"], "item": other["id"], "is_unknown": True, "reason": "cat or dog"}
    )
    said = [(event.reason, event.is_unknown, event.labeller) for event in house.events() if event.kind == "skipped"]
    assert said == [("too dark", False, "ann"), ("cat or dog", True, "ann")]


def test_the_prediction_is_shown_only_where_the_assessment_is_not_blind(tmp_path):
    from served import open_house

    for house in open_house(tmp_path, is_blind=False):
        browser = house.signed_in("ann", "labeller")
        assert asked(browser)[0]["prediction"] in ("cat", "dog", "emu")
        assert browser.get("/api/assessment").json()["can_see_answer"]


def test_a_labeller_can_only_speak_for_tickets_of_their_own(house, ann):
    [ticket] = asked(ann)
    bob = house.signed_in("bob", "labeller")
    before = house.events()
    for path, body in {
        "/api/tell": {"ticket": ticket["ticket"], "item": ticket["id"], "label": "cat"},
        "/api/skip": {"ticket": ticket["ticket"], "item": ticket["id"]},
        "/api/withdraw": {"ticket": ticket["ticket"], "item": ticket["id"]},
    }.items():
        assert bob.post(path, json=body).status_code == 403, path
    assert bob.get(f"/api/tickets/{ticket['ticket']}").status_code == 403
    assert bob.get(ticket["content"][1]["value"]).status_code == 403
    assert bob.post("/api/renew", json={"tickets": [{"ticket": ticket["ticket"], "item": ticket["id"]}]}).json() == {
        "held": [],
        "lost": [ticket["ticket"]],
    }
    bob.post("/api/release", json={"tickets": [{"ticket": ticket["ticket"], "item": ticket["id"]}]})
    assert house.events() == before


def test_who_labels_is_who_is_signed_in_whatever_the_body_says(house, ann):
    [ticket] = asked(ann)
    answer = ann.post(
        "/api/tell", json={"ticket": ticket["ticket"], "item": ticket["id"], "label": "cat", "labeller": "bob"}
    )
    assert answer.status_code == 422
    assert "labeller" in answer.json()["error"]
    assert house.events()[-1].kind == "asked"


FIRST = {"ticket": 0, "item": "i0"}
WRONG = [
    ("/api/ask", {"n": 0}),
    ("/api/ask", {"n": 21}),
    ("/api/ask", {"n": "3"}),
    ("/api/ask", {"n": True}),
    ("/api/ask", {"n": 1.5}),
    ("/api/ask", {"tab": "x" * 65}),
    ("/api/ask", []),
    ("/api/ask", None),
    ("/api/tell", {}),
    ("/api/tell", {"ticket": -1, "item": "i0", "label": "cat"}),
    ("/api/tell", {"ticket": "0", "item": "i0", "label": "cat"}),
    ("/api/tell", {**FIRST, "label": "cow"}),
    ("/api/tell", {**FIRST, "label": None}),
    ("/api/tell", {**FIRST, "label": ["cat"]}),
    ("/api/tell", {**FIRST, "label": True}),
    ("/api/tell", {**FIRST, "label": "cat", "key": "x" * 201}),
    ("/api/tell", {"ticket": 2**40, "item": "i0", "label": "cat"}),
    ("/api/tell", {**FIRST, "label": "x" * 10_001}),
    ("/api/tell", {**FIRST, "label": 10**30}),
    ("/api/tell", {**FIRST, "label": "cat", "key": "\ud800"}),
    ("/api/skip", {**FIRST, "reason": "\udfff"}),
    ("/api/skip", {**FIRST, "reason": "x" * 2_001}),
    ("/api/skip", {**FIRST, "is_unknown": 1}),
    ("/api/renew", {"tickets": [FIRST] * 201}),
    ("/api/renew", {"tickets": "0"}),
    ("/api/withdraw", {"again": True}),
]  # fmt: skip


@pytest.mark.parametrize(("path", "body"), WRONG)
def test_what_is_not_as_it_should_be_gets_one_sentence_and_changes_nothing(house, ann, path, body):
    import json

    [ticket] = asked(ann)
    if isinstance(body, dict) and "item" in body:
        body = body | {"item": ticket["id"]}
    before = house.events()
    text = json.dumps(body)  # lone surrogates go through as escapes
    answer = ann.post(path, content=text, headers={"content-type": "application/json"})
    assert answer.status_code == 422, answer.text
    assert answer.json()["code"] == "refused"
    assert house.events() == before


SQL = [
    "'; DROP TABLE events; --",
    '" OR ""="',
    "1; DELETE FROM accounts",
    "Robert'); --",
    "\\'; SELECT 1",
    "%00' UNION",
]


@pytest.mark.parametrize("text", SQL)
def test_sql_in_every_field_is_text(house, ann, text):
    [ticket] = asked(ann, tab=text)
    assert (
        ann.post("/api/tell", json={"ticket": ticket["ticket"], "item": ticket["id"], "label": text}).status_code == 422
    )
    assert (
        ann.post(
            "/api/skip", json={"ticket": ticket["ticket"], "item": ticket["id"], "reason": text, "key": text}
        ).status_code
        == 200
    )
    owner = house.signed_in(f"{text} himself", "owner")
    assert owner.post("/api/users", json={"name": text, "role": "labeller", "password": f"{text}12345678"}).json() == {
        "name": text, "role": "labeller",
    }  # fmt: skip
    assert owner.get("/api/users").json()["users"] == [{"name": text, "role": "labeller"}]
    assert owner.get(f"/api/charts/{text.replace('/', '')}").status_code == 404
    assert owner.post("/api/settle", json={"item": ticket["id"], "label": text}).status_code in (409, 422)
    assert [event.reason for event in house.events() if event.kind == "skipped"] == [text]
    assert house.store.verify("main") == []
    assert lw.accounts.Audit(house.store).problems() == []


def test_a_picture_comes_from_the_folder_with_a_policy_of_its_own(house, ann):
    [ticket] = asked(ann)
    answer = ann.get(ticket["content"][1]["value"])
    assert (answer.status_code, answer.headers["content-type"], answer.content) == (200, "image/png", PIXEL)
    assert "sandbox" in answer.headers["content-security-policy"]
    number = ticket["ticket"]
    for column in ("text", "id", "none", "%2e%2e%2fsecret", "file%00"):
        assert ann.get(f"/api/tickets/{number}/image/{column}").status_code == 404, column
    (house.folder / "pictures").rename(house.folder / "elsewhere")
    assert ann.get(ticket["content"][1]["value"]).status_code == 404


def test_a_late_answer_counts_unless_the_item_is_with_somebody_else(house, ann, monkeypatch):
    now = [1_000.0]
    monkeypatch.setattr(house.app.state.queue.assessment._writer, "now", lambda: now[0])
    [first], bob = asked(ann), house.signed_in("bob")
    [own] = asked(ann, tab="another")
    now[0] += 601
    taken = asked(bob, n=20) + asked(bob, n=20) + asked(bob, n=20)
    second = next(ticket for ticket in taken if ticket["id"] == first["id"])
    late = ann.post("/api/tell", json={"ticket": first["ticket"], "item": first["id"], "label": "cat"})
    assert late.status_code == 409
    assert late.json()["error"] == (
        f"Ticket {first['ticket']} ran out, and its item was handed to somebody else; nothing was changed."
    )
    assert (
        bob.post("/api/tell", json={"ticket": second["ticket"], "item": second["id"], "label": "dog"}).status_code
        == 200
    )
    late = ann.post("/api/tell", json={"ticket": first["ticket"], "item": first["id"], "label": "cat"})
    assert late.status_code == 409
    assert "has been labelled or skipped since" in late.json()["error"]
    now[0] += 601  # bob's tickets run out too
    assert ann.post("/api/tell", json={"ticket": own["ticket"], "item": own["id"], "label": "cat"}).status_code == 200
    assert sum(event.kind == "told" for event in house.events()) == 2


def test_a_page_of_another_assessment_changes_nothing_and_is_told_so(house, ann):
    [ticket] = asked(ann)
    ref = {"ticket": ticket["ticket"], "item": ticket["id"]}
    before = house.events()
    calls = {
        "tell": {**ref, "label": "cat"}, "skip": ref, "undo": {}, "withdraw": ref, "renew": {"tickets": [ref]},
        "release": {"tickets": [ref]}, "ask": {},
    }  # fmt: skip
    for path, body in calls.items():
        answer = ann.post(f"/api/{path}", json=body, headers={"labelwise-assessment": "0123456789abcdef"})
        assert (answer.status_code, answer.json()["code"]) == (409, "other-assessment"), path
    tool = house.signed_in("ann", "labeller", kind="key")
    tool.cookies.clear()
    for name in ("labelwise-assessment", "labelwise-labeller"):
        del tool.headers[name]
    key = {"authorization": f"Bearer {tool.token}"}
    assert tool.post("/api/tell", json=calls["tell"], headers=key).status_code == 422
    assert house.events() == before
    named = {**key, "labelwise-assessment": house.app.state.queue.id}  # a key tells who it is by itself
    assert tool.post("/api/tell", json=calls["tell"], headers=named).status_code == 200


def test_a_page_of_another_person_changes_nothing_and_is_told_so(house, ann):
    [ticket] = asked(ann)
    bob = house.signed_in("bob")
    body = {"ticket": ticket["ticket"], "item": ticket["id"], "label": "cat"}
    for browser in (ann, bob):
        before = house.events()
        other = "bob" if browser is ann else "ann"
        answer = browser.post("/api/tell", json=body, headers={"labelwise-labeller": other})
        assert (answer.status_code, answer.json()["code"]) == (409, "other-labeller")
        assert house.events() == before
    del ann.headers["labelwise-labeller"]
    assert ann.post("/api/tell", json=body).status_code == 422
    odd = house.signed_in("Ann \u00e9\u4e2d")  # percent-encoded in the header
    assert odd.post("/api/ask", json={}).status_code == 200


def test_a_ticket_of_another_item_is_refused(house, ann):
    [one, other] = asked(ann, n=2)
    before = house.events()
    mixed = {"ticket": one["ticket"], "item": other["id"]}
    for path, body in {"tell": {**mixed, "label": "cat"}, "skip": mixed, "withdraw": mixed}.items():
        answer = ann.post(f"/api/{path}", json=body)
        assert (answer.status_code, answer.json()["code"]) == (409, "refused"), path
        assert answer.json()["error"] == (
            f"Ticket {one['ticket']} is not for item '{other['id']}'; nothing was changed. Reload the page."
        )
    assert ann.post("/api/renew", json={"tickets": [mixed]}).json() == {"held": [], "lost": [one["ticket"]]}
    assert ann.post("/api/release", json={"tickets": [mixed]}).status_code == 409
    assert house.events() == before


def test_a_labeller_holds_at_most_a_hundred_items(tmp_path):
    from served import open_house

    for house in open_house(tmp_path, n=300):
        ann = house.signed_in("ann")
        counts = [len(asked(ann, n=20, tab=f"{k}")) for k in range(7)]
        assert sum(counts) == 100
        answer = ann.post("/api/ask", json={"n": 1}).json()
        assert (answer["tickets"], answer["why"]) == (
            [], "You already hold 100 items, the maximum. Label or release some of them first."
        )  # fmt: skip
        assert len(asked(house.signed_in("bob"), n=20)) == 20
