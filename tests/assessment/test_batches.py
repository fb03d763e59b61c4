"""Tickets that are out count as imagined answers: a batch is spread nearly as single asks are."""

import numpy as np
import pytest

import labelwise as lw
from strength import sized

POOL = lw.datasets.digits().labelled()
N_RUNS = sized(full=40, quick=12)
METRICS = {"accuracy": lw.accuracy, "cost": lw.ExpectedCost(1 - np.eye(10)), "recall": lw.recall}
PRIORS = {"flat": lw.FlatPrior(), "learned": lw.LearnedPrior()}


def assessment_of(metric, prior, seed):
    question = lw.Estimate(METRICS[metric])
    return lw.Assessment(POOL, question=question, prior=PRIORS[prior], stop=lw.Budget(10_000), seed=seed)


def told(assessment, n_labels, batch):
    """Tell so many labels, asked for in batches."""
    done = 0
    while done < n_labels:
        for ticket in assessment.ask(min(batch, n_labels - done)):
            item = assessment.ledger.slip(ticket.number).item
            assessment.tell(ticket, POOL.classes[POOL.labels[item]])
            done += 1
    return assessment


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("metric", METRICS)
def test_twenty_tickets_at_once_do_not_all_go_to_one_class(metric, prior):
    assessment = assessment_of(metric, prior, 1)
    groups = [assessment.ledger.slip(ticket.number).group for ticket in assessment.ask(20)]
    assert np.bincount(groups).max() <= 10


def test_tickets_of_other_labellers_count_too():
    one, two = assessment_of("cost", "flat", 1), assessment_of("cost", "flat", 1)
    together = [one.ledger.slip(t.number).group for t in one.ask(20)]
    by_turns = [two.ledger.slip(two.ask(1, labeller=who)[0].number).group for who in ["ann", "bob"] * 10]
    assert by_turns == together


@pytest.mark.parametrize("prior", PRIORS)
def test_batches_of_twenty_err_little_more_than_single_asks(prior):
    hit = POOL.labels == POOL.prediction
    errors = {}
    for batch in (1, 20):
        found = []
        for seed in range(N_RUNS):
            assessment = told(assessment_of("accuracy", prior, seed), 60, batch)
            groups = assessment.groups
            true = np.array([hit[groups.of_item == g].mean() for g in range(groups.n_groups)])
            found.append(groups.share @ (assessment.belief.mean(target="pool") - true) ** 2)
        errors[batch] = np.sqrt(found)
    slack = 3 * np.hypot(errors[1].std(), errors[20].std()) / np.sqrt(N_RUNS)
    assert errors[20].mean() <= 1.05 * errors[1].mean() + slack


def test_single_asks_are_as_they_were():
    """A ticket that is told before the next is asked leaves nothing to imagine."""
    one = assessment_of("accuracy", "flat", 3)
    picks = []
    for _ in range(15):
        [ticket] = one.ask()
        slip = one.ledger.slip(ticket.number)
        picks.append(slip.group)
        one.tell(ticket, POOL.classes[POOL.labels[slip.item]])
    belief, expected = one.setup.start(), []
    n_open = np.bincount(POOL.prediction, minlength=10)
    for k in range(15):
        rng = np.random.default_rng([3, k])
        [group] = one.setup.policy.choose(belief, one.question, n_open, target="pool", rng=rng)
        expected.append(group)
        item = one.ledger.slip(k).item
        belief = belief.update([item], [POOL.labels[item]])
        n_open[group] -= 1
    assert picks == expected


def test_tickets_that_run_out_while_a_batch_is_handed_out_are_imagined_once():
    clock = iter(np.arange(0, 10_000, 0.3))
    assessment = lw.Assessment(
        POOL, question=lw.Estimate(), stop=lw.Budget(10), seed=1, lease=1.0, clock=lambda: float(next(clock))
    )
    assert len(assessment.ask(30)) == 30


def test_labels_from_elsewhere_of_items_that_are_out_are_not_imagined_again():
    assessment = assessment_of("accuracy", "flat", 1)
    tickets = assessment.ask(5)
    labels = {ticket.item["id"]: POOL.classes[0] for ticket in tickets}
    assessment.import_labels(labels, were_drawn_at_random=True)
    assert len(assessment.ask(5)) == 5
