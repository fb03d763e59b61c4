"""`labelwise store audit`, and what `verify` says of the trail."""

import sqlite3

import pytest

import labelwise as lw


@pytest.fixture
def noted(spring):
    """A store whose trail has five entries."""
    with lw.open_store(spring) as store:
        trail = lw.accounts.Audit(store, clock=lambda: 0.0)
        for k in range(5):
            trail.note(f"user-{k}\x1b[31m", "signed in", browser="<b>\x1b[31m")
    return spring


def test_a_store_without_entries_says_so(spring, command):
    assert command("store", "audit", "spring.lw").out == "No entry yet.\n"
    assert command("store", "audit", "spring.lw", "--json").document == {"entries": [], "n_entries": 0}


def test_entries_are_listed_oldest_first(noted, command):
    lines = command("store", "audit", "spring.lw").out.splitlines()
    assert lines[0].split() == ["at", "who", "what", "about"]
    assert lines[1].split()[:5] == ["1", "1970-01-01T00:00:00Z", "user-0?[31m", "signed", "in"]
    assert len(lines) == 6
    assert "\x1b" not in "".join(lines)


def test_the_newest_are_shown_and_all_if_so_wished(noted, command):
    done = command("store", "audit", "spring.lw", "--rows", 2)
    assert [line.split()[0] for line in done.out.splitlines()[1:3]] == ["4", "5"]
    assert done.out.endswith("  The newest 2 of 5; --rows 0 shows all.\n")
    document = command("store", "audit", "spring.lw", "--rows", 2, "--json").document
    assert ([entry["number"] for entry in document["entries"]], document["n_entries"]) == ([4, 5], 5)
    assert len(command("store", "audit", "spring.lw", "--rows", 0, "--json").document["entries"]) == 5


def test_verify_finds_an_edited_trail(noted, command):
    assert command("store", "verify", "spring.lw", "--json").document["trail"] == []
    with sqlite3.connect(noted) as connection:
        connection.execute("UPDATE audit SET who = 'eve' WHERE number = 3")
    connection.close()
    done = command("store", "verify", "spring.lw")
    assert (done.code, done.out, done.err) == (1, "Entry 3 of the audit trail was changed after it was written.\n", "")
    document = command("store", "verify", "spring.lw", "--json").document
    assert (document["is_whole"], document["problems"]) == (False, {"main": []})
    assert document["trail"] == ["Entry 3 of the audit trail was changed after it was written."]
