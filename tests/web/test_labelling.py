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
    told = ann.post("/api/tell", json={"ticket": ticket["ticket"], "label": "dog", "key": "k"})
    assert told.json() == {"is_new": True, "n_labels": 1}
    back = ann.post("/api/undo", json={}).json()["ticket"]
    assert (back["id"], back["was"]) == (ticket["id"], {"status": "told", "label": "dog", "reason": ""})
    ann.post("/api/tell", json={"ticket": back["ticket"], "label": "cat"})
    assert [event.kind for event in house.events()][1:] == ["asked", "told", "withdrawn", "asked", "told"]
    assert house.events()[-1].labeller == "ann"


def test_skip_and_dont_know_differ_and_keep_their_reason(house, ann):
    one, other = asked(ann, 2)
    ann.post("/api/skip", json={"ticket": one["ticket"], "reason": "too dark"})
    ann.post("/api/skip", json={"ticket": other["ticket"], "is_unknown": True, "reason": "cat or dog"})
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
        "/api/tell": {"ticket": ticket["ticket"], "label": "cat"},
        "/api/skip": {"ticket": ticket["ticket"]},
        "/api/withdraw": {"ticket": ticket["ticket"]},
    }.items():
        assert bob.post(path, json=body).status_code == 403, path
    assert bob.get(f"/api/tickets/{ticket['ticket']}").status_code == 403
    assert bob.get(ticket["content"][1]["value"]).status_code == 403
    assert bob.post("/api/renew", json={"tickets": [ticket["ticket"]]}).json() == {
        "held": [],
        "lost": [ticket["ticket"]],
    }
    bob.post("/api/release", json={"tickets": [ticket["ticket"]]})
    assert house.events() == before


def test_who_labels_is_who_is_signed_in_whatever_the_body_says(house, ann):
    [ticket] = asked(ann)
    answer = ann.post("/api/tell", json={"ticket": ticket["ticket"], "label": "cat", "labeller": "bob"})
    assert answer.status_code == 422
    assert "labeller" in answer.json()["error"]
    assert house.events()[-1].kind == "asked"


WRONG = [
    ("/api/ask", {"n": 0}), ("/api/ask", {"n": 21}), ("/api/ask", {"n": "3"}), ("/api/ask", {"n": True}),
    ("/api/ask", {"n": 1.5}), ("/api/ask", {"tab": "x" * 65}), ("/api/ask", []), ("/api/ask", None),
    ("/api/tell", {}), ("/api/tell", {"ticket": -1, "label": "cat"}), ("/api/tell", {"ticket": "0", "label": "cat"}),
    ("/api/tell", {"ticket": 0, "label": "cow"}), ("/api/tell", {"ticket": 0, "label": None}),
    ("/api/tell", {"ticket": 0, "label": ["cat"]}), ("/api/tell", {"ticket": 0, "label": True}),
    ("/api/tell", {"ticket": 0, "label": "cat", "key": "x" * 201}), ("/api/tell", {"ticket": 2**40, "label": "cat"}),
    ("/api/tell", {"ticket": 0, "label": "x" * 10_001}), ("/api/tell", {"ticket": 0, "label": 10**30}),
    ("/api/tell", {"ticket": 0, "label": "cat", "key": "\ud800"}), ("/api/skip", {"ticket": 0, "reason": "\udfff"}),
    ("/api/skip", {"ticket": 0, "reason": "x" * 2_001}), ("/api/skip", {"ticket": 0, "is_unknown": 1}),
    ("/api/renew", {"tickets": list(range(201))}), ("/api/renew", {"tickets": "0"}), ("/api/withdraw", {"again": True}),
]  # fmt: skip


@pytest.mark.parametrize(("path", "body"), WRONG)
def test_what_is_not_as_it_should_be_gets_one_sentence_and_changes_nothing(house, ann, path, body):
    import json

    asked(ann)
    before = house.events()
    text = json.dumps(body)  # lone surrogates go through as escapes
    answer = ann.post(path, content=text, headers={"content-type": "application/json"})
    assert answer.status_code == 422, answer.text
    assert list(answer.json()) == ["error"]
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
    assert ann.post("/api/tell", json={"ticket": ticket["ticket"], "label": text}).status_code == 422
    assert ann.post("/api/skip", json={"ticket": ticket["ticket"], "reason": text, "key": text}).status_code == 200
    owner = house.signed_in(f"{text} himself", "owner")
    assert owner.post("/api/users", json={"name": text, "role": "labeller", "password": f"{text}12345678"}).json() == {
        "name": text, "role": "labeller",
    }  # fmt: skip
    assert owner.get("/api/users").json()["users"] == [{"name": text, "role": "labeller"}]
    assert owner.get(f"/api/charts/{text.replace('/', '')}").status_code == 404
    assert owner.post("/api/settle", json={"item": 0, "label": text}).status_code in (409, 422)
    assert [event.reason for event in house.events() if event.kind == "skipped"] == [text]
    assert house.store.verify("main") == []
    assert lw.Audit(house.store).problems() == []


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


def test_a_late_answer_counts_once(tmp_path):
    """A lease ran out and somebody else got the item: whoever tells first counts, the other is told so."""
    from served import open_house

    for house in open_house(tmp_path, lease=0.05, n=1):
        ann, bob = house.signed_in("ann"), house.signed_in("bob")
        [first] = asked(ann)
        import time

        time.sleep(0.1)
        [second] = asked(bob)
        assert second["id"] == first["id"]
        assert ann.post("/api/tell", json={"ticket": first["ticket"], "label": "cat"}).status_code == 200
        late = bob.post("/api/tell", json={"ticket": second["ticket"], "label": "dog"})
        assert late.status_code == 409
        assert sum(event.kind == "told" for event in house.events()) == 1
