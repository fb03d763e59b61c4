"""Accounts: who may sign in, on every store; passwords never shown, the last owner kept, nothing half done."""

import subprocess
import sys
import threading
import time

import pytest

import labelwise as lw
from labelwise.accounts import Account, passwords
from labelwise.accounts.accounts import check_name
from patience import limit

GOOD = "correct horse"
HOSTILE = ["'; DROP TABLE accounts; --", "%s %(x)s {at} ?", "🦉 é שלום", "\\x41", "a" * 100, "👩‍🔬", "' OR '1'='1"]


@pytest.fixture
def accounts(store):
    return lw.accounts.Accounts(store, by="ann")


@pytest.fixture
def team(accounts):
    """An owner and a labeller."""
    accounts.add("ann", "owner", GOOD)
    accounts.add("bob", "labeller", "battery staple")
    return accounts


def test_the_right_password_lets_in_and_a_wrong_one_does_not(team):
    assert team.check("ann", GOOD) == Account("ann", "owner")
    assert team.check("bob", "battery staple") == Account("bob", "labeller")
    for name, password in (("Ann", GOOD), ("eve", GOOD), ("", ""), ("\ud800", GOOD)):
        assert team.check(name, password) is None
    for password in ("battery staple", "", f"{GOOD}\x00", "x" * 5_000, "\ud800" * 9):
        assert team.check("ann", password) is None


def test_accounts_come_back_by_name_after_reopening(where, team, opening):
    team.add("Zoë", "viewer", GOOD)
    found = lw.accounts.Accounts(opening(where)).all()
    assert found == [Account("Zoë", "viewer"), Account("ann", "owner"), Account("bob", "labeller")]
    assert all(abs(account.changed - time.time()) < 60 for account in found)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_any_name_and_password_is_taken_as_it_is(store, team, text):
    password = f"{text}12345678"
    team.add(text, "viewer", password)
    assert team.check(text, password) == Account(text, "viewer")
    assert team.check(text, f"{password} ") is None
    token = team.begin(text, "viewer", seconds=60)
    assert team.session_of(token).name == text
    team.set_role(text, "labeller")
    team.set_password(text, GOOD)
    team.remove(text)
    assert team.check(text, GOOD) is None
    assert [account.name for account in team.all()] == ["ann", "bob"]
    assert lw.accounts.Audit(store).problems() == []


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "An account name must not be empty. Choose one of up to 100 characters."),
        (" \t", "An account name must not be empty. Choose one of up to 100 characters."),
        ("a\x00b", "The name 'a\\x00b' contains a control character ('\\x00'). Remove it."),
        ("a\u202eb", "The name 'a\\u202eb' contains a control character ('\\u202e'). Remove it."),
    ],
)
def test_a_name_that_cannot_be_one_is_refused(accounts, refusal, name, sentence):
    assert refusal(lw.ArgumentError, accounts.add, name, "owner", GOOD) == sentence
    assert accounts.all() == []


def test_a_long_name_and_half_a_character_are_refused(accounts, refusal):
    sentence = refusal(lw.ArgumentError, accounts.add, "a" * 101, "owner", GOOD)
    assert sentence.endswith("has 101. Choose a shorter one.")
    sentence = "Text contains half a character, a lone surrogate ('\\ud800'). Remove it."
    for call in (accounts.remove, check_name, accounts.end_all):
        assert refusal(lw.DataError, call, "\ud800") == sentence
    assert refusal(lw.DataError, accounts.add, "ann", "owner", "\ud800" * 9) == sentence
    assert refusal(lw.DataError, accounts.begin, "\ud800", "owner", seconds=1) == sentence
    assert refusal(lw.DataError, accounts.set_role, "\ud800", "owner") == sentence


@pytest.mark.parametrize("size", [0, 7, 1_001])
def test_a_password_that_is_too_short_or_too_long_is_refused_and_not_shown(team, refusal, size):
    for call, words in ((team.add, ("eve", "viewer")), (team.set_password, ("bob",))):
        sentence = refusal(lw.ArgumentError, call, *words, "q" * size)
        assert sentence == (
            f"A password must have 8 to 1,000 characters, but this one has {size:,}. Choose another one."
        )
    assert team.check("bob", "battery staple")


def test_what_is_not_there_or_there_already_is_said(store, team, refusal):
    assert refusal(lw.ConflictError, team.add, "bob", "owner", GOOD) == (
        f"Account 'bob' already exists in '{store.label}'. Change it with `labelwise user password` or `labelwise "
        "user role`, or choose another name."
    )
    sentence = f"There is no account 'bbo' in '{store.label}'. Did you mean 'bob'?"
    for call, words in ((team.remove, ()), (team.set_password, (GOOD,)), (team.set_role, ("viewer",))):
        assert refusal(lw.NotFoundError, call, "bbo", *words) == sentence
    assert refusal(lw.ArgumentError, team.set_role, "bob", "king") == (
        "`role` must be one of 'viewer', 'labeller', 'owner', but is 'king'."
    )


def test_the_last_owner_is_kept(store, team, refusal):
    label, way_out = store.label, "Make another account an owner first with `labelwise user role`."
    assert refusal(lw.ConflictError, team.remove, "ann") == (
        f"'ann' is the only owner of '{label}' and cannot be removed. {way_out}"
    )
    assert refusal(lw.ConflictError, team.set_role, "ann", "viewer") == (
        f"'ann' is the only owner of '{label}' and cannot be made a viewer. {way_out}"
    )
    team.set_role("ann", "owner")
    team.set_role("bob", "owner")
    team.remove("ann")
    assert team.all() == [Account("bob", "owner")]


def test_of_two_owners_one_stays_whoever_is_faster(where, team, opening):
    team.set_role("bob", "owner")
    both = threading.Barrier(2)
    refused = []

    def remove(name):
        mine = lw.accounts.Accounts(opening(where))
        both.wait()
        try:
            mine.remove(name)
        except lw.ConflictError:
            refused.append(name)

    in_threads(remove, ["ann", "bob"])
    assert [account.name for account in team.all()] == refused
    assert len(refused) == 1


def test_a_name_that_was_removed_can_come_back(team):
    team.remove("bob")
    assert team.check("bob", "battery staple") is None
    team.add("bob", "viewer", GOOD)
    assert team.check("bob", "battery staple") is None
    assert team.check("bob", GOOD) == Account("bob", "viewer")


def test_no_password_is_in_the_store_or_in_its_trail(store, team):
    team.set_password("bob", "staple battery")
    rows = store.read(lambda tables: tables.run("SELECT password FROM {at}accounts"))
    assert all(kept.startswith("$argon2id$v=19$m=47104,t=2,p=1$") for (kept,) in rows)
    trail = lw.accounts.Audit(store).entries()
    assert [(entry.who, entry.what, entry.about) for entry in trail] == [
        ("ann", "account added", {"name": "ann", "role": "owner"}),
        ("ann", "account added", {"name": "bob", "role": "labeller"}),
        ("ann", "password changed", {"name": "bob"}),
    ]


def test_a_change_that_is_refused_leaves_no_entry(store, team):
    before = lw.accounts.Audit(store).entries()
    for call in (lambda: team.remove("ann"), lambda: team.remove("eve"), lambda: team.add("bob", "owner", GOOD)):
        with pytest.raises(lw.LabelwiseError):
            call()
    assert lw.accounts.Audit(store).entries() == before


def test_a_hash_of_other_parameters_is_made_anew_when_its_password_is_known(store, team, monkeypatch):
    def kept():
        return store.read(lambda tables: tables.run("SELECT password FROM {at}accounts WHERE role = 'owner'"))[0][0]

    before = kept()
    token = team.begin("ann", "owner", seconds=60)
    monkeypatch.setattr(passwords, "_PASSES", 3)
    passwords._hasher.cache_clear()
    try:
        assert team.check("ann", "wrong horse") is None
        assert kept() == before
        assert team.check("ann", GOOD)
        assert "t=3" in kept()
        assert team.check("ann", GOOD)
        assert team.session_of(token)
    finally:
        monkeypatch.undo()
        passwords._hasher.cache_clear()


ADD = """
import sys
import labelwise as lw

with lw.open_store(sys.argv[1]) as store:
    accounts = lw.accounts.Accounts(store, by=sys.argv[2])
    for k in range(5):
        accounts.add(f"{sys.argv[2]}-{k}", "labeller", "correct horse")
        try:
            accounts.add(f"both-{k}", "labeller", "correct horse")
        except lw.ConflictError:
            pass
"""


def test_two_processes_add_at_once_and_the_trail_is_whole(where, store):
    running = [
        subprocess.Popen([sys.executable, "-c", ADD, where, name], stderr=subprocess.PIPE, text=True)
        for name in ("one", "two")
    ]
    assert [process.communicate(timeout=limit(60))[1] for process in running] == ["", ""]
    assert len(lw.accounts.Accounts(store).all()) == 15
    trail = lw.accounts.Audit(store)
    assert sorted(entry.about["name"] for entry in trail.entries()) == [
        one.name for one in lw.accounts.Accounts(store).all()
    ]
    assert trail.problems() == []


def in_threads(call, values):
    threads = [threading.Thread(target=call, args=(value,)) for value in values]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)


@pytest.mark.parametrize("twin", ["Ann", " ann", "ann ", "a\u0301nn", "\uff41nn"])
def test_a_name_that_looks_like_another_is_refused(team, refusal, twin):
    other = "\u00e1nn" if "\u0301" in twin else "ann"
    if other not in [account.name for account in team.all()]:
        team.add(other, "labeller", "correct horse")
    before = team.all()
    sentence = refusal(lw.ConflictError, team.add, twin, "labeller", "correct horse")
    assert sentence.startswith("The name ")
    assert " looks like " in sentence
    assert team.all() == before
