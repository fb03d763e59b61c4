"""Files of every form that was ever released open, verify, answer and go on; they stay here for ever."""

import shutil
from pathlib import Path

import numpy as np
import pytest

import labelwise as lw
from labelwise.store.migrations import MIGRATIONS

FROZEN = Path(__file__).parent / "frozen"


def test_there_is_a_file_of_every_form():
    assert [path.name for path in sorted(FROZEN.glob("*.lw"))] == [f"form-{n + 1}.lw" for n in range(len(MIGRATIONS))]


@pytest.fixture(params=sorted(FROZEN.glob("*.lw")), ids=lambda path: path.stem)
def store(request, tmp_path):
    shutil.copy(request.param, tmp_path / "old.lw")
    return lw.SqliteStore(tmp_path / "old.lw", create=False)


def test_an_old_file_is_whole(store):
    assert store.names() == ["worst", "ended"]
    assert [store.verify(name) for name in store.names()] == [[], []]


def test_an_old_file_believes_what_it_believed(store):
    worst = store.open("worst")
    assert worst.belief.n_labels.tolist() == [3, 1, 3]
    assert worst.belief.hits.tolist() == [0, 0, 1]
    found = worst.answer(n_draws=500)
    assert (found.n_labels, found.n_skipped, found.n_unknown) == (7, 1, 1)
    ended = store.open("ended")
    assert ended.answer(n_draws=500).verdict.sentence == "5 of 5 labels spent"
    assert (ended.setup.policy, ended.setup.prior) == (lw.policies.EpsilonGreedy(0.2), lw.InformedPrior(4))
    assert ended.groups.names[0] == "north × cat"


def test_an_old_file_goes_on(store):
    worst = store.open("worst")
    before = worst.belief.n_labels.sum()
    worst.tell(3, "cat", key="key-3")  # said before, under the same key
    assert worst.belief.n_labels.sum() == before
    for ticket in worst.ask(4):
        assert set(ticket.item) == {"id", "text"}
        worst.tell(ticket, "cat")
    assert worst.belief.n_labels.sum() == before + 4
    assert store.verify("worst") == []
    with pytest.raises(lw.ConflictError, match="closed"):
        store.open("ended").ask()


def test_the_random_order_of_items_never_changes(store):
    """It comes from ids and seed by a hash of our own, whatever the version of any library."""
    order = np.argsort(store.open("worst").pool.shuffled_keys(7))
    assert order[:5].tolist() == [56, 26, 30, 21, 33]


def test_an_old_file_has_accounts_and_a_trail(store, tmp_path):
    """Of form 1 they are empty, and can be begun; of later ones they are what they were."""
    accounts, trail = lw.accounts.Accounts(store), lw.accounts.Audit(store)
    assert trail.problems() == []
    if not accounts.all():
        assert trail.entries() == []
        accounts.add("ann", "owner", "correct horse")
    else:
        assert [(one.name, one.role) for one in accounts.all()] == [("ann", "owner"), ("bob", "labeller")]
        assert [entry.what for entry in trail.entries()] == [*["account added"] * 3, "account removed", "key made"]
        with pytest.raises(lw.ConflictError, match="was removed"):
            accounts.begin("eve", "viewer", seconds=60)
    assert accounts.check("ann", "correct horse").role == "owner"
    accounts.add("Zoë", "viewer", "battery staple")
    assert trail.problems() == []
    store.backup(tmp_path / "copy.lw")
    with lw.SqliteStore(tmp_path / "copy.lw") as copy:
        assert lw.accounts.Accounts(copy).all() == accounts.all()
        assert lw.accounts.Audit(copy).entries() == trail.entries()
