"""Simulation-based calibration of whole assessments: every policy with every stopping rule, and planted mistakes.

The claim: labels so far may decide which groups are asked and when to stop, and the posterior still holds the truth as
often as it says, on average over the prior. (Not for every fixed truth: that is the frequentist claim, which optional
stopping does break.) Each simulation draws a truth from the prior and labels from the truth, asks and tells until the
rule is met or `MOST` labels are told, and gives the PIT values of two true values under the last belief: that of the
group asked last in the population, where a fault at the moment of stopping shows most, and what the answer is about
(the named groups, the difference, the whole) in the pool. Both are chosen by the labels, as a reader would choose them.

Error rate: 500 simulations per cell (300 in `make test`, more with LABELWISE_SIMULATIONS), 99 % simultaneous band
corrected for all cells of this file and their two values. Right code fails somewhere with probability at most 0.01 for
random seeds; the seeds are fixed. Each planted mistake meets the same band at the same number of simulations.
"""

import inspect
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import labelwise as lw
from clock import Clock
from labelwise import policies
from labelwise.assessment import stopping
from labelwise.assessment.proving import proven
from labelwise.assessment.stopping import STOPPING_RULES
from labelwise.beliefs.trail import Trail
from labelwise.testing import check_calibration, pit_of_draws
from labelwise.testing.worlds import make_world
from strength import SIMULATIONS, sized

N_SIMULATIONS = sized(full=SIMULATIONS, quick=300)
CLASSES = ["cat", "dog", "emu", "fox"]
SIZES = [5, 6, 6, 6]  # a group that is asked again and again is labelled to its end
CONFIDENCE = [0.7, 0.85, 0.6, 0.75]
PRIOR = lw.InformedPrior(3)  # another one for every group, so that groups mixed up do not go unseen
AT_ONCE = 3  # labels between two looks
MOST = 12
DRAWS = 30

POOL = lw.pool_from_arrays(
    predicted=np.repeat(np.arange(4), SIZES), confidence=np.repeat(CONFIDENCE, SIZES), classes=CLASSES
)
GROUPS = lw.by_prediction(POOL)
POLICIES = [kind() for _, kind in inspect.getmembers(policies, inspect.isclass) if kind is not lw.policies.Policy]
ESTIMATE, WORST, COMPARE = lw.Estimate(), lw.Worst(m=2), lw.Compare("emu", "fox", lw.calibration_bias)
BEST = lw.Best(within=0.7)  # little else is proven with so few labels
RULES = {
    ESTIMATE: {
        "budget": lw.Budget(6),
        "every width": lw.Width(0.8),
        "guaranteed width": lw.Width(0.85, "mean", is_guaranteed=True),
        "mean width": lw.Width(0.65, "mean"),
        "overall width": lw.Width(0.36, "overall"),
        "price": lw.Price(0.0022),
        "all of": lw.AllOf((lw.Width(0.85), lw.Width(0.68, "mean"), lw.Budget(4))),
    },
    WORST: {
        "sure": lw.Sure(0.6),
        "any of": lw.AnyOf((lw.Sure(0.5), lw.Width(0.6, "mean"), lw.Budget(9))),
    },
    BEST: {"guaranteed": lw.Guaranteed(0.2)},
    COMPARE: {"sure": lw.Sure(0.7), "guaranteed": lw.Guaranteed(0.3)},
}
CELLS = [(policy, question) for policy in POLICIES for question in RULES]
IN_QUICK = (lw.Thompson, lw.TopTwo)  # the others in `make test-all`
END_TO_END = {
    "the worst two": (WORST, lw.policies.MultiplePlay(), lw.Sure(0.6), "population"),
    "every group": (ESTIMATE, lw.TopTwo(), lw.Width(0.8), "pool"),
    "a difference": (COMPARE, lw.Thompson(), lw.Sure(0.7), "pool"),
}
N_CELLS = sum(len(RULES[question]) for _, question in CELLS) + len(END_TO_END)


def is_hit(items, labels):
    return POOL.prediction[items] == labels


class Bookkeeping:
    """How items are handed out, labels learned and the belief reported when nothing goes wrong."""

    def order(self, items, labels, rng):
        """Return all items in the order in which each group hands out its own."""
        return rng.permutation(items)

    def learn(self, belief, items, labels, rng):
        return belief.update(items, labels)

    def report(self, beliefs, items, labels):
        """Return the belief to report, from those of all looks and the labels of the last one."""
        return beliefs[-1]


@dataclass
class Simulation:
    """An assessment by hand: policy, belief, answer and rules without the ledger between them.

    A policy does not know the rule, so one course of labels serves several rules, each of which stops it in its time.
    """

    question: lw.questions.Question
    policy: lw.policies.Policy
    rules: dict[str, lw.assessment.StoppingRule]
    books: Bookkeeping = field(default_factory=Bookkeeping)

    def __post_init__(self):
        self.start = self.question.start(GROUPS, PRIOR)
        self.n_labels = {name: [] for name in self.rules}  # told when it stopped, one entry a simulation

    def __call__(self, rng):
        world = make_world(self.start, 0, rng)
        target = ["pool", "population"][rng.integers(2)]  # what the rules look at
        order = self.books.order(np.arange(POOL.n_items), world.labels, rng)
        queues = [order[GROUPS.of_item[order] == g].tolist() for g in range(GROUPS.n_groups)]
        n_open = np.where(self.question.asked(GROUPS), GROUPS.n_items, 0)
        beliefs, trail, n_labels, pit = [self.start], Trail.of(self.start), 0, {}
        while len(pit) < len(self.rules):
            items = self._ask(beliefs[-1], queues, n_open, rng)
            beliefs.append(self.books.learn(beliefs[-1], items, world.labels[items], rng))
            trail = trail.extended(items, world.labels[items])
            n_labels += len(items)
            answer = self.question.answer(beliefs[-1], target=target, n_draws=DRAWS, rng=rng)
            answer = proven(answer, self.question, trail, level=0.95, target=target)
            stopped = self._stopped(answer, n_labels, beliefs[-1], n_open, target) - set(pit)
            if stopped:
                belief = self.books.report(beliefs, items, world.labels[items])
                values = pit_values(world, self.question, belief, answer, items[-1], rng)
                pit |= dict.fromkeys(stopped, values)
            for name in stopped:
                self.n_labels[name].append(n_labels)
        return np.concatenate([pit[name] for name in self.rules])

    def _stopped(self, answer, n_labels, belief, n_open, target):
        """Return the names of the rules that are met; all of them when there is nothing more to ask."""
        if n_labels >= MOST or not n_open.any():
            return set(self.rules)
        best_gain = stopping.best_gain(self.question, belief, n_open, target)
        return {name for name, rule in self.rules.items() if rule.judge(answer, n_labels, best_gain).is_met}

    def _ask(self, belief, queues, n_open, rng):
        """Take a few items without labels in between, as `Assessment.ask` does."""
        items = []
        while len(items) < AT_ONCE and (chosen := self.policy.choose(belief, self.question, n_open, rng=rng)):
            for group in chosen:
                items.append(queues[group].pop())
                n_open[group] -= 1
        return np.array(items)


def pit_values(world, question, belief, answer, last_item, rng):
    """Return the PIT values of the group asked last (population) and of what the answer is about (pool)."""
    pit = []
    for target, weights in (
        ("population", np.arange(GROUPS.n_groups) == GROUPS.of_item[last_item]),
        ("pool", subject(question, answer)),
    ):
        truth = world.truth(question.metric, target, rng) @ weights
        draws = question.metric.draw(belief, DRAWS, target=target, rng=rng) @ weights
        pit.append(pit_of_draws(truth, draws, rng))
    return pit


def subject(question, answer):
    """Return the weights of the groups in what an answer is about."""
    names = np.array(GROUPS.names)
    if isinstance(question, lw.Compare):
        return (names == question.one) * 1.0 - (names == question.other)
    return np.isin(names, answer.named) / question.m if isinstance(question, lw.Worst) else GROUPS.share


def check(simulation, n_rules, seed):
    level = 1 - 0.01 * n_rules / N_CELLS  # the harness divides by the number of values, two a rule
    return check_calibration(simulation, n_simulations=N_SIMULATIONS, level=level, seed=seed)


def test_every_kind_of_rule_has_a_cell():
    tested = {type(rule) for rules in RULES.values() for rule in rules.values()}
    assert tested == set(STOPPING_RULES)


@pytest.mark.parametrize(
    ("policy", "question"),
    [pytest.param(*cell, marks=[] if isinstance(cell[0], IN_QUICK) else pytest.mark.slow) for cell in CELLS],
    ids=lambda x: getattr(x, "name", type(x).__name__),
)
def test_every_policy_stays_calibrated_with_every_rule(policy, question):
    rules = RULES[question]
    simulation = Simulation(question, policy, rules)
    found = check(simulation, len(rules), seed=1_000 + CELLS.index((policy, question)))
    assert found.passed, dict(zip(rules, found.p_values.reshape(-1, 2).tolist(), strict=True))
    for name, n_labels in simulation.n_labels.items():
        assert min(n_labels) < MOST, f"the rule, not the cap, must have decided when to stop ({name})"


@pytest.mark.parametrize("question", RULES, ids=lambda x: type(x).__name__)
def test_every_rule_but_a_budget_stops_sooner_or_later_by_the_labels(question):
    simulation = Simulation(question, lw.Thompson(), RULES[question])
    rng = np.random.default_rng(1)
    for _ in range(50):
        simulation(rng)
    for name, n_labels in simulation.n_labels.items():
        assert (len(set(n_labels)) > 1) == (name != "budget")


@dataclass
class RealSimulation:
    """An `Assessment` from end to end, with labellers who fall silent, err and take it back, pass, and send twice.

    None of this depends on the label, so none of it may bend the belief.
    """

    question: lw.questions.Question
    policy: lw.policies.Policy
    rule: lw.assessment.StoppingRule
    target: str
    fold: Any = lambda assessment, start: assessment.belief
    n_labels: list[int] = field(default_factory=list)

    def __post_init__(self):
        self.start = self.question.start(GROUPS, PRIOR)

    def __call__(self, rng):
        world = make_world(self.start, 0, rng)
        clock = Clock(0.0)
        assessment = lw.Assessment(
            POOL, GROUPS, question=self.question, policy=self.policy, prior=PRIOR, stop=self.rule, target=self.target,
            seed=int(rng.integers(2**32)), lease=10, clock=clock,
        )  # fmt: skip
        last_item, is_over = int(rng.integers(POOL.n_items)), False
        while not is_over:
            tickets = assessment.ask(AT_ONCE)
            for ticket in tickets:
                item = ticket.item["id"]
                if self._handle(assessment, ticket, int(world.labels[item]), rng):
                    last_item = item
            clock.now += 11
            result = assessment.answer(n_draws=DRAWS)
            is_over = result.may_stop or result.n_labels >= MOST or not tickets
        self.n_labels.append(result.n_labels)
        return pit_values(world, self.question, self.fold(assessment, self.start), result.answer, last_item, rng)

    def _handle(self, assessment, ticket, label, rng):
        """Do with a ticket what labellers do, and say whether its label was told for good."""
        fate = rng.uniform()
        if fate < 0.1:
            return False  # the lease will run out
        if fate < 0.15:
            assessment.skip(ticket)
            return False
        if fate < 0.4:  # a slip that is noticed before anything is decided by it
            assessment.tell(ticket, CLASSES[(label + 1) % 4])
            assessment.withdraw(ticket)
            return False
        for _ in range(2 if fate < 0.7 else 1):
            assessment.tell(ticket, CLASSES[label], key=f"ticket {ticket.number}")
        return True


@pytest.mark.parametrize("name", END_TO_END)
def test_an_assessment_stays_calibrated_from_end_to_end(name):
    simulation = RealSimulation(*END_TO_END[name])
    found = check(simulation, 1, seed=2_000 + list(END_TO_END).index(name))
    assert found.passed, found
    assert len(set(simulation.n_labels)) > 3


class RetriesCountTwice(Bookkeeping):
    """Half of the labels are sent again because no answer was heard, and count again."""

    def learn(self, belief, items, labels, rng):
        again = rng.uniform(size=len(items)) < 0.5
        for some in (np.ones(len(items), bool), again):
            for item, label in zip(items[some], labels[some], strict=True):
                group = GROUPS.of_item[item]
                if belief.n_labels[group] < GROUPS.n_items[group]:  # more labels than items would be refused
                    belief = belief.update([item], [label])
        return belief


class WithdrawnLabelsStay(Bookkeeping):
    """A third of the labels are told wrong, withdrawn and told right, but the belief is not made anew."""

    def learn(self, belief, items, labels, rng):
        is_slip = rng.uniform(size=len(items)) < 1 / 3
        return belief.update(items, np.where(is_slip, (labels + 1) % 4, labels))


class HitsComeFirst(Bookkeeping):
    """Items within a group are not handed out at random: hits tend to come first."""

    def order(self, items, labels, rng):
        return items[np.argsort(rng.uniform(size=len(items)) + 0.5 * is_hit(items, labels))]  # taken from the end


class LastMissesAreDropped(Bookkeeping):
    """The rule leaves out the last label if it was a miss, and so on back to the last hit."""

    def report(self, beliefs, items, labels):
        dropped = np.logical_and.accumulate(~is_hit(items, labels)[::-1])[::-1]
        return beliefs[-1].forget(items[dropped], labels[dropped])


class BestLookIsReported(Bookkeeping):
    """What is reported is not the last look but the one that flatters most: stopping with hindsight."""

    def report(self, beliefs, items, labels):
        return max(beliefs, key=lambda belief: belief.mean().sum())


class MissesAreSkipped(Bookkeeping):
    """Items that the classifier gets wrong are hard for labellers too, and half of them are skipped."""

    def learn(self, belief, items, labels, rng):
        told = is_hit(items, labels) | (rng.uniform(size=len(items)) < 0.5)
        return belief.update(items[told], labels[told])


class BadLooksAreThrownAway(Bookkeeping):
    """Labels that came in together and are mostly misses are taken for a labeller's fault."""

    def learn(self, belief, items, labels, rng):
        return belief.update(items, labels) if is_hit(items, labels).mean() >= 0.5 else belief


MISTAKES = [
    RetriesCountTwice, WithdrawnLabelsStay, HitsComeFirst, LastMissesAreDropped, BestLookIsReported, MissesAreSkipped,
    BadLooksAreThrownAway,
]  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_planted_mistakes_are_caught(mistake):
    simulation = Simulation(WORST, lw.Thompson(), {"sure": RULES[WORST]["sure"]}, mistake())
    found = check(simulation, 1, seed=3_000 + MISTAKES.index(mistake))
    assert not found.passed, found


def deaf_to_withdrawals(assessment, start):
    """Fold the journal by hand, and let the first label of every item stand."""
    item_of, label_of = {}, {}
    for event in assessment.history():
        if event.kind == "asked":
            item_of[event.ticket] = event.item
        elif event.kind == "told":
            label_of.setdefault(item_of[event.ticket], event.label)
    return start.update(list(label_of), list(label_of.values())) if label_of else start


def test_a_fold_that_is_deaf_to_withdrawals_is_caught_from_end_to_end():
    simulation = RealSimulation(*END_TO_END["the worst two"], fold=deaf_to_withdrawals)
    found = check(simulation, 1, seed=4_000)
    assert not found.passed, found
