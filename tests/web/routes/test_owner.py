"""Routes of owners."""

import csv
import io

import pytest

import labelwise as lw


@pytest.fixture
def owner(house):
    return house.signed_in("ann", "owner")


def test_labels_are_exported_harmless_for_spreadsheets(house, owner):
    [ticket] = owner.post("/api/ask", json={"n": 1}).json()["tickets"]
    owner.post("/api/skip", json={"ticket": ticket["ticket"], "item": ticket["id"], "reason": "=HYPERLINK(1)"})
    answer = owner.get("/api/export?format=csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="labels.csv"'
    [row] = csv.DictReader(io.StringIO(answer.text))
    assert (row["status"], row["reason"], row["labeller"]) == ("skipped", "'=HYPERLINK(1)", "ann")
    assert owner.get("/api/export?format=json").json()["labels"][0]["reason"] == "=HYPERLINK(1)"
    assert owner.get("/api/export?format=xml").status_code == 422
    assert lw.accounts.Audit(house.store).entries()[-1].what == "exported labels"


def test_the_report_is_the_one_of_the_command_line(house, owner):
    answer = owner.get("/api/report?format=md")
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    own = lw.report_of(house.store.open("main"), source=house.where).markdown()
    assert answer.text == own


def test_second_opinions_disputes_and_settling(house, owner):
    assert owner.post("/api/seconds", json={"share": 1}).json() == {"share": 1.0}
    assert owner.get("/api/assessment").json()["seconds"] == 1.0
    ann, bob = house.signed_in("ann", "labeller"), house.signed_in("bob", "labeller")
    [first] = ann.post("/api/ask", json={"n": 1}).json()["tickets"]
    ann.post("/api/tell", json={"ticket": first["ticket"], "item": first["id"], "label": "cat"})
    [second] = bob.post("/api/ask", json={"n": 1}).json()["tickets"]
    assert second["id"] == first["id"]
    bob.post("/api/tell", json={"ticket": second["ticket"], "item": second["id"], "label": "dog"})
    [dispute] = owner.get("/api/disputes").json()["disputes"]
    assert (dispute["id"], dispute["label"]) == (first["id"], "cat")
    settled = {"item": dispute["id"], "label": "dog", "key": "s"}
    assert owner.post("/api/settle", json=settled).status_code == 200
    assert owner.post("/api/settle", json=settled).status_code == 200
    assert owner.get("/api/disputes").json()["disputes"] == []
    assert list(house.store.open("main").ledger.label_of.values()) == [1]
    assert sum(event.kind == "settled" for event in house.events()) == 1
    assert owner.post("/api/settle", json={"item": "i59", "label": "dog"}).status_code == 409
    assert owner.post("/api/settle", json={"item": "i10000", "label": "dog"}).status_code == 404


def test_accounts_are_added_and_removed_and_the_trail_says_by_whom(house, owner):
    account = {"name": "bob", "role": "labeller", "password": "battery staple"}
    assert owner.post("/api/users", json=account).status_code == 201
    assert owner.post("/api/users", json=account).status_code == 409
    assert owner.post("/api/users", json=account | {"name": "c", "password": "short"}).status_code == 422
    assert owner.post("/api/users", json=account | {"name": "c", "role": "king"}).status_code == 422
    assert owner.get("/api/users").json() == {"users": [{"name": "bob", "role": "labeller"}]}
    assert owner.delete("/api/users/bob").status_code == 200
    assert owner.delete("/api/users/nobody").status_code == 404
    entries = owner.get("/api/audit").json()["entries"]
    assert [(entry["who"], entry["what"]) for entry in entries[:2]] == [
        ("ann", "account removed"), ("ann", "account added"),
    ]  # fmt: skip
    assert "battery" not in str(entries)


def test_a_closed_assessment_takes_nothing_more(house, owner):
    [ticket] = owner.post("/api/ask", json={"n": 1}).json()["tickets"]
    assert owner.post("/api/close").status_code == 200
    assert (
        owner.post("/api/tell", json={"ticket": ticket["ticket"], "item": ticket["id"], "label": "cat"}).status_code
        == 409
    )
    assert owner.post("/api/ask", json={"n": 1}).status_code == 409
