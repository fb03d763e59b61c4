"""Writes the frozen store of the newest schema: run once when a schema is released, never again for that one.

python tests/store/frozen.py tests/store/frozen/form-3.lw
"""

import sys
from itertools import count
from pathlib import Path

import labelwise as lw
from labelwise.assessment import writer


def main(path):
    writer._EVERY = 5  # so that there is a snapshot in it
    pool = lw.pool_from_arrays(
        predicted=[0, 1, 2] * 20,
        confidence=[0.9, 0.7, 0.5] * 20,
        ids=[f"item-{k}" for k in range(60)],
        classes=["cat", "dog", "emu"],
        columns={"text": [f"text of {k}" for k in range(60)], "site": ["north", "south"] * 30},
        content=["text"],
    )
    store = lw.SqliteStore(path)
    ticks = count(1_700_000_000)
    common = {"seed": 7, "clock": lambda: float(next(ticks))}
    worst = lw.Assessment(
        pool, lw.by_prediction(pool), question=lw.Worst(lw.accuracy, m=2), journal=store.journal("worst"), **common
    )
    tickets = worst.ask(10, labeller="ann")
    for k, ticket in enumerate(tickets[:6]):
        worst.tell(ticket, ["cat", "dog", "emu"][k % 3], key=f"key-{k}")
    worst.skip(tickets[6], "too dark")
    worst.skip(tickets[7], is_unknown=True, labeller="bob")
    worst.withdraw(tickets[0])
    worst.tell(worst.ask_again(tickets[0]), "emu")
    worst.renew(tickets[8])
    free = next(i for i in pool.all_ids().tolist() if i not in {t.item["id"] for t in tickets})
    worst.import_labels({free: "dog"}, were_drawn_at_random=True)
    both = lw.crossed(lw.by_column(pool, "site"), lw.by_prediction(pool))
    ended = lw.Assessment(
        pool, both, question=lw.Estimate(lw.metrics.ECE(bins=3)), journal=store.journal("ended"),
        prior=lw.InformedPrior(4), policy=lw.policies.EpsilonGreedy(0.2),
        stop=lw.AnyOf((lw.Width(0.2), lw.Budget(5))), target="pool", show=["site"], is_blind=False, **common,
    )  # fmt: skip
    for ticket in ended.ask(5):
        ended.tell(ticket, "cat")
    ended.close()
    accounts = lw.accounts.Accounts(store, by="ann", clock=common["clock"])
    accounts.add("ann", "owner", "correct horse")
    accounts.add("bob", "labeller", "battery staple")
    accounts.add("eve", "viewer", "staple battery")
    accounts.remove("eve")
    accounts.begin("bob", "labeller", seconds=60, kind="key")
    store.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
