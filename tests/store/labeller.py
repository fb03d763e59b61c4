"""A labeller in a process of its own: asks and tells until there is nothing left, or until it is killed.

Usage: python labeller.py STORE NAME N_ITEMS PAUSE

Each label that was acknowledged is printed as "ticket item label", after the fact.
"""

import sys
import time

import numpy as np

import labelwise as lw


def assessment(where, name, n_items):
    rng = np.random.default_rng(3)
    pool = lw.pool_from_arrays(predicted=rng.integers(0, 5, n_items), ids=np.arange(n_items))
    store = lw.open_store(where)
    groups = lw.by_prediction(pool)
    return lw.Assessment(pool, groups, question=lw.Worst(), seed=5, journal=store.journal(name), lease=3600)


def main():
    where, name, n_items, pause = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
    mine = assessment(where, name, n_items)
    while tickets := mine.ask(labeller=name):
        label = int(tickets[0].item["id"]) % 5
        mine.tell(tickets[0], label, key=f"{name}-{tickets[0].number}")
        print(tickets[0].number, tickets[0].item["id"], label, flush=True)
        time.sleep(pause)


if __name__ == "__main__":
    main()
