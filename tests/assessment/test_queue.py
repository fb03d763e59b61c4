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


def test_items_that_cannot_matter_are_never_handed_out():
    pool = lw.pool_from_arrays(predicted=[0, 1] * 20)
    groups = lw.by_prediction(pool)
    items = np.arange(40) % 4 < 2
    queue = Queue(groups, seed=1, items=items)
    assert queue.n_open.tolist() == [10, 10]
    seen = []
    while queue.n_open[0]:
        seen.append(queue.peek(0))
        queue.take(seen[-1])
    assert sorted(seen) == [i for i in range(40) if i % 2 == 0 and items[i]]
    queue.put_back(2)  # never was in the queue
    assert queue.n_open[0] == 0
    whole = Queue(groups, seed=1)
    order = []
    while whole.n_open[0]:
        order.append(whole.peek(0))
        whole.take(order[-1])
    assert [i for i in order if items[i]] == seen  # the same order as without the others


def test_a_copy_goes_its_own_way():
    pool = lw.pool_from_arrays(predicted=[0, 1] * 20)
    queue = Queue(lw.by_prediction(pool), seed=1)
    first = queue.peek(0)
    queue.take(first)
    copy = queue.copy()
    copy.put_back(first)
    copy.take(copy.peek(1))
    assert (queue.n_open.tolist(), copy.n_open.tolist()) == ([19, 20], [20, 19])
    assert queue.peek(0) != first
    assert copy.peek(0) == first
