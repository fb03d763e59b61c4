"""Sessions: kept by their hash, ended when they should be, a link spent by exactly one."""

import threading

import pytest

import labelwise as lw
from clock import Clock
from labelwise.accounts import Session

GOOD = "correct horse"


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def accounts(store, clock):
    found = lw.accounts.Accounts(store, by="ann", clock=clock)
    found.add("ann", "owner", GOOD)
    found.add("bob", "labeller", GOOD)
    return found


def kept(store):
    return store.read(lambda tables: tables.run("SELECT * FROM {at}sessions"))


def test_a_token_stands_for_its_session_until_it_ends(where, accounts, clock, opening):
    token = accounts.begin("bob", "labeller", seconds=60)
    assert len(token) == 43
    other = lw.accounts.Accounts(opening(where), clock=clock)
    assert other.session_of(token) == Session("bob", "labeller", "session", 1_060.0)
    clock.now = 1_059.9
    assert other.session_of(token)
    clock.now = 1_060.0
    assert accounts.session_of(token) is None


@pytest.mark.parametrize("token", ["", "x", "\x00", "\ud800", "' OR 1=1 --", "a" * 100_000])
def test_a_token_that_is_not_known_stands_for_nothing(accounts, token):
    accounts.begin("bob", "labeller", seconds=60)
    assert accounts.session_of(token) is None
    assert accounts.spend(token) is None
    assert accounts.end(token) is False


def test_only_the_hash_of_a_token_is_kept(store, accounts):
    tokens = [accounts.begin("bob", "labeller", seconds=60, kind=kind) for kind in ("session", "key", "link", "share")]
    said = f"{kept(store)}{lw.accounts.Audit(store).entries()}"
    assert not [token for token in tokens if token in said]


def test_a_session_that_was_ended_is_over(accounts):
    one, two = (accounts.begin("bob", "labeller", seconds=60) for _ in range(2))
    assert accounts.end(one) is True
    assert accounts.end(one) is False
    assert accounts.session_of(one) is None
    assert accounts.session_of(two)


def test_sessions_that_ran_out_are_cleared_away_as_new_ones_begin(store, accounts, clock):
    for _ in range(3):
        accounts.begin("bob", "labeller", seconds=60)
    clock.now += 60
    accounts.begin("bob", "labeller", seconds=60)
    assert len(kept(store)) == 1


@pytest.mark.parametrize("change", ["password", "role", "removed"])
def test_a_change_of_an_account_ends_its_sessions_and_no_other(accounts, change):
    mine = [accounts.begin("bob", "labeller", seconds=60, kind=kind) for kind in ("session", "key", "share")]
    other = accounts.begin("ann", "owner", seconds=60)
    if change == "password":
        accounts.set_password("bob", "battery staple")
    elif change == "role":
        accounts.set_role("bob", "viewer")
    else:
        accounts.remove("bob")
    assert [accounts.session_of(token) for token in mine] == [None] * 3
    assert accounts.session_of(other)


def test_no_session_of_a_removed_account_begins_until_it_is_back(store, accounts, refusal):
    accounts.remove("bob")
    assert refusal(lw.ConflictError, accounts.begin, "bob", "viewer", seconds=60) == (
        f"The account 'bob' was removed from '{store.label}'. Add it again with `labelwise user add`, or choose "
        "another name."
    )
    accounts.add("bob", "labeller", GOOD)
    assert accounts.session_of(accounts.begin("bob", "labeller", seconds=60))


def test_nobody_acts_above_their_account(accounts, edit, refusal):
    assert refusal(lw.ConflictError, accounts.begin, "bob", "owner", seconds=60) == (
        "The account 'bob' is a labeller and cannot act as owner. Change it with `labelwise user role`."
    )
    assert accounts.session_of(accounts.begin("bob", "viewer", seconds=60)).role == "viewer"
    token = accounts.begin("bob", "labeller", seconds=60)
    assert edit("UPDATE accounts SET role = 'viewer' WHERE role = 'labeller'")
    assert accounts.session_of(token) is None


@pytest.mark.parametrize("name", ["guest", "", "a\x00b", "x" * 1_000, "'; DROP TABLE sessions; --", "🦉"])
def test_a_name_without_an_account_may_have_a_session(accounts, name):
    token = accounts.begin(name, "owner", seconds=60, kind="key")
    assert accounts.session_of(token) == Session(name, "owner", "key", 1_060.0)
    assert accounts.end_all(name) == 1


def test_all_sessions_of_a_name_or_kind_end_together(store, accounts):
    for name in ("ann", "bob", "guest"):
        for kind in ("session", "key"):
            accounts.begin(name, "viewer", seconds=60, kind=kind)
    assert accounts.end_all("bob", "key") == 1
    assert accounts.end_all("bob") == 1
    assert accounts.end_all(kind="session") == 2
    assert accounts.end_all() == 2
    assert accounts.end_all() == 0
    assert kept(store) == []
    assert lw.accounts.Audit(store).entries(newest=True, most=1)[0].about == {"name": None, "kind": None, "count": 2}


def test_the_trail_tells_of_keys_and_links_and_not_of_each_session(store, accounts):
    for kind in ("session", "key", "link", "share"):
        token = accounts.begin("bob", "viewer", seconds=60, kind=kind)
        accounts.end(token)
    assert [entry.what for entry in lw.accounts.Audit(store).entries(after=2)] == [
        "key made", "key ended", "link made", "link ended", "share made", "share ended",
    ]  # fmt: skip
    assert lw.accounts.Audit(store).problems() == []


@pytest.mark.parametrize(
    ("options", "words"),
    [({"seconds": 0}, "`seconds`"), ({"seconds": 1, "kind": "ring"}, "`kind`"), ({"seconds": float("nan")}, "seconds")],
)
def test_what_cannot_be_a_session_is_refused(accounts, options, words):
    with pytest.raises(lw.ArgumentError, match=words):
        accounts.begin("bob", "viewer", **options)


def test_a_link_is_spent_once_and_nothing_else_is(accounts, clock):
    link = accounts.begin("bob", "labeller", seconds=60, kind="link")
    assert accounts.spend(link) == Session("bob", "labeller", "link", 1_060.0)
    assert accounts.spend(link) is None
    share = accounts.begin("bob", "viewer", seconds=60, kind="share")
    assert accounts.spend(share) is None
    assert accounts.session_of(share)
    late = accounts.begin("bob", "labeller", seconds=60, kind="link")
    clock.now += 60
    assert accounts.spend(late) is None


def test_a_link_is_spent_by_exactly_one_of_many(where, accounts, clock, opening):
    stores = [opening(where) for _ in range(4)]
    for _ in range(5):
        link = accounts.begin("bob", "labeller", seconds=60, kind="link")
        start, got = threading.Barrier(12), []

        def spend(k, link=link, start=start, got=got):
            mine = lw.accounts.Accounts(stores[k % 4], clock=clock)
            start.wait()
            got.append(mine.spend(link))

        threads = [threading.Thread(target=spend, args=(k,)) for k in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert len(got) == 12
        assert len([one for one in got if one is not None]) == 1
