"""The queue: a random order that depends on ids and seed alone, and items that come back."""

import numpy as np

import labelwise as lw
from labelwise.assessment.queue import Queue


def groups(order=None):
    ids = np.arange(30)
    order = np.arange(30) if order is None else order
    return lw.by_prediction(lw.pool_from_arrays(predicted=(ids % 3)[order], ids=ids[order]))


def emptied(queue, group, grouping):
    found = []
    while queue.n_open[group]:
        item = queue.peek(group)
        queue.take(item)
        found.append(grouping.pool.id_of(item))
    return found


def test_the_order_does_not_depend_on_the_order_of_rows():
    shuffled = groups(np.random.default_rng(1).permutation(30))
    for g in range(3):
        assert emptied(Queue(groups(), seed=5), g, groups()) == emptied(Queue(shuffled, seed=5), g, shuffled)


def test_another_seed_is_another_order():
    orders = {tuple(emptied(Queue(groups(), seed=s), 0, groups())) for s in range(20)}
    assert len(orders) == 20


def test_every_item_of_a_group_comes_once_and_no_other():
    found = emptied(Queue(groups(), seed=5), 1, groups())
    assert sorted(found) == list(range(1, 30, 3))


def test_an_item_that_comes_back_takes_its_old_place():
    queue = Queue(groups(), seed=5)
    first = queue.peek(0)
    queue.take(first)
    second = queue.peek(0)
    queue.take(second)
    queue.put_back(first)
    queue.put_back(first)  # once is enough
    assert queue.n_open[0] == 9
    assert queue.peek(0) == first
    queue.take(first)
    assert queue.peek(0) not in (first, second)
