"""The audit trail: only added to, by many at once, and every edit of it found."""

import threading
from datetime import date

import pytest

import labelwise as lw
from assessed import labelled
from labelwise.accounts import Entry

HOSTILE = ["'; DROP TABLE audit; --", "\x00", "", "%s {at} ?", "🦉 é שלום", "\u2028\n\x1b[31m", "ß" * 100_000]


@pytest.fixture
def trail(store):
    """A trail of five entries."""
    found = lw.accounts.Audit(store, clock=iter(range(100, 1_000)).__next__)
    for k in range(5):
        found.note(f"user-{k}", "signed in", k=k)
    return found


def test_entries_come_back_in_order(trail):
    assert trail.entries()[0] == Entry(1, 100.0, "user-0", "signed in", {"k": 0})
    assert [entry.number for entry in trail.entries()] == [1, 2, 3, 4, 5]
    assert [entry.number for entry in trail.entries(after=3)] == [4, 5]
    assert [entry.number for entry in trail.entries(after=1, most=2)] == [2, 3]
    assert [entry.number for entry in trail.entries(most=2, newest=True)] == [5, 4]
    assert trail.entries(most=0) == trail.entries(after=5) == []
    assert trail.note("ann", "signed out") == 6


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_any_text_is_kept_as_it_is(store, text):
    trail = lw.accounts.Audit(store)
    trail.note(text, "said", text=text, nested=[{text: text}], day=date(2026, 5, 4))
    [entry] = trail.entries()
    assert entry.who == text
    assert entry.about == {"text": text, "nested": [{text: text}], "day": "2026-05-04"}
    assert trail.problems() == []


def test_what_cannot_be_an_entry_is_refused(store, refusal):
    trail = lw.accounts.Audit(store)
    half = "Text contains half a character, a lone surrogate ('\\ud800'). Remove it."
    assert refusal(lw.DataError, trail.note, "\ud800", "x") == half
    assert refusal(lw.DataError, trail.note, "ann", "x", text="\ud800") == half
    for what in ("", "x" * 101, "a\x00b", "a\nb"):
        assert "`what` must be 1 to 100 printable characters" in refusal(lw.ArgumentError, trail.note, "ann", what)
    assert "cannot be written as JSON" in refusal(lw.ArgumentError, trail.note, "ann", "x", number=float("nan"))
    assert trail.entries() == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            "UPDATE audit SET who = {blob} WHERE number = 2",
            "Entry 2 of the audit trail was changed after it was written.",
        ),
        (
            "UPDATE audit SET what = 'slept' WHERE number = 3",
            "Entry 3 of the audit trail was changed after it was written.",
        ),
        (
            "UPDATE audit SET about = '{{}}' WHERE number = 3",
            "Entry 3 of the audit trail was changed after it was written.",
        ),
        (
            "UPDATE audit SET at = at + 1 WHERE number = 5",
            "Entry 5 of the audit trail was changed after it was written.",
        ),
        (
            "UPDATE audit SET hash = {blob} WHERE number = 1",
            "Entry 1 of the audit trail was changed after it was written.",
        ),
        ("DELETE FROM audit WHERE number = 2", "Entry 2 of the audit trail is missing: entry 3 is in its place."),
        ("DELETE FROM audit WHERE number = 5", "There are 4 entries in the audit trail, but 5 were written."),
        ("DELETE FROM audit", "There are 0 entries in the audit trail, but 5 were written."),
        ("UPDATE audit SET number = 0 WHERE number = 5", "Entry 1 of the audit trail is missing: entry 0 is in"),
        ("UPDATE audit_head SET n_entries = 4", "There are 5 entries in the audit trail, but 4 were written."),
        ("UPDATE audit_head SET last_hash = {blob}", "Entry 5 of the audit trail is not the last one that was written"),
        ("DELETE FROM audit_head", "The record of where the audit trail ends was removed"),
    ],
)
def test_an_edited_trail_is_found(trail, edit, change, problem):
    assert trail.problems() == []
    assert edit(change)
    assert trail.problems()[0].startswith(problem)


def test_two_entries_that_changed_places_are_found(trail, edit):
    for old, new in ((2, 99), (3, 2), (99, 3)):
        edit(f"UPDATE audit SET number = {new} WHERE number = {old}")
    assert trail.problems()[0] == "Entry 2 of the audit trail was changed after it was written."


def test_a_trail_without_its_end_takes_nothing_more(trail, edit, refusal):
    edit("DELETE FROM audit_head")
    assert refusal(lw.DataError, trail.note, "ann", "x") == (
        "The audit trail is damaged: the record of where it ends is missing. Restore the store from a backup."
    )


@pytest.mark.parametrize("about", ["'no'", f"'{'[' * 100_000}'"], ids=["no JSON", "deep JSON"])
def test_an_entry_that_cannot_be_read_says_so(store, trail, edit, refusal, about):
    edit(f"UPDATE audit SET about = {about} WHERE number = 2")
    assert refusal(lw.DataError, trail.entries) == (
        f"Entry 2 of the audit trail in '{store.label}' was changed after it was written. Run `labelwise store "
        "verify` to check the rest."
    )


def test_many_writers_make_one_chain(where, opening):
    stores = [opening(where) for _ in range(4)]

    def note(k):
        for _ in range(10):
            lw.accounts.Audit(stores[k % 4]).note(f"user-{k}", "signed in")

    threads = [threading.Thread(target=note, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    trail = lw.accounts.Audit(stores[0])
    assert [entry.number for entry in trail.entries()] == list(range(1, 81))
    assert trail.problems() == []


def test_trail_and_accounts_are_of_the_store_and_are_not_copied_with_an_assessment(store, trail, tmp_path, opening):
    labelled(store)
    lw.accounts.Accounts(store).add("ann", "owner", "correct horse")
    other = opening(tmp_path / "other.lw")
    lw.store.copy_assessment(store, other)
    assert (lw.accounts.Audit(other).entries(), lw.accounts.Accounts(other).all()) == ([], [])
    assert other.verify("main") == lw.accounts.Audit(other).problems() == []


def test_a_backup_takes_a_file_whole_and_of_a_database_the_assessments(where, store, trail, tmp_path, opening):
    labelled(store)
    lw.accounts.Accounts(store).add("ann", "owner", "correct horse")
    store.backup(tmp_path / "copy.lw")
    copy = opening(tmp_path / "copy.lw")
    is_whole = where.endswith(".lw")
    assert [account.name for account in lw.accounts.Accounts(copy).all()] == (["ann"] if is_whole else [])
    assert len(lw.accounts.Audit(copy).entries()) == (6 if is_whole else 0)
    assert copy.verify("main") == lw.accounts.Audit(copy).problems() == []
