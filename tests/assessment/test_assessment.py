"""Assessments: asking, telling, leases, refusals, replay; and a state machine against a small model."""

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, rule

import labelwise as lw
from clock import Clock
from strength import sized

CLASSES = ["cat", "dog", "emu"]


def pool_of(n=60, seed=1):
    rng = np.random.default_rng(seed)
    columns = {"text": [f"text {i}" for i in range(n)], "site": ["n", "s"] * (n // 2)}
    predicted, confidence = rng.integers(0, 2, n), rng.uniform(0.4, 1, n)
    ids = [f"item-{i}" for i in range(n)]
    return lw.pool_from_arrays(
        predicted=predicted, confidence=confidence, classes=CLASSES, ids=ids, columns=columns, content=["text"]
    )


def assessment_of(pool=None, **options):
    pool = pool or pool_of()
    settings = {"question": lw.Worst(lw.accuracy), "seed": 7, "clock": Clock()} | options
    return lw.Assessment(pool, lw.by_prediction(pool), **settings)


def truth(pool, ticket):
    """A made-up truth that depends on the item alone."""
    number = int(ticket.item["id"].removeprefix("item-"))
    return CLASSES[(number * 7) % 3]


def test_a_label_counts_once_it_is_told():
    assessment = assessment_of()
    [ticket] = assessment.ask()
    assert assessment.belief.n_labels.sum() == 0
    assessment.tell(ticket, "cat")
    assert assessment.belief.n_labels.sum() == 1
    assert assessment.answer().n_labels == 1


def test_what_is_learned_of_the_scores_holds_for_every_metric():
    assessment = assessment_of(prior=lw.LearnedPrior())
    for ticket in assessment.ask(20):
        assessment.tell(ticket, truth(assessment.pool, ticket))
    assert assessment.belief_about(lw.accuracy) is assessment.belief
    right = assessment.belief_about(lw.recall).mean()[[0, 1], [0, 1]]
    assert np.allclose(right, assessment.belief.mean()[:2], rtol=0, atol=1e-9)
    cells = assessment.belief_about(lw.metrics.ECE(4))
    assert isinstance(cells.beta, lw.beliefs.LearnedAccuracy)
    assert cells.n_labels.sum() == 20


@pytest.mark.parametrize("prior", [lw.FlatPrior(), lw.FlatPrior(8), lw.CustomPrior(9, 1)])
def test_pseudo_counts_for_one_metric_are_not_those_of_another(prior):
    assessment = assessment_of(prior=prior)
    assert (assessment.belief_about(lw.recall).prior_alpha == lw.recall.start(assessment.groups).prior_alpha).all()


def test_no_item_is_handed_out_twice_and_the_pool_can_be_emptied():
    assessment = assessment_of()
    tickets = assessment.ask(100)
    assert len(tickets) == 60
    assert len({ticket.item["id"] for ticket in tickets}) == 60
    assert assessment.ask() == []


def test_tickets_are_blind_unless_asked_for():
    ticket = assessment_of().ask()[0]
    assert set(ticket.item) == {"id", "text"}
    assert ticket.prediction is None
    seeing = assessment_of(is_blind=False, show=["site"]).ask()[0]
    assert seeing.prediction in CLASSES
    assert set(seeing.item) == {"id", "text", "site"}
    assert assessment_of(is_blind=False).history()[0].setup["is_blind"] is False


def test_a_lease_that_ran_out_gives_the_item_to_somebody_else():
    clock = Clock()
    assessment = assessment_of(clock=clock, lease=10)
    tickets = assessment.ask(60, labeller="ann")
    assert assessment.ask(labeller="bob") == []
    clock.now += 11
    again = assessment.ask(60, labeller="bob")
    assert {t.item["id"] for t in again} == {t.item["id"] for t in tickets}


def test_a_late_label_is_taken_if_nobody_was_faster_and_refused_if_somebody_was():
    clock = Clock()
    assessment = assessment_of(clock=clock, lease=10)
    first = {t.item["id"]: t for t in assessment.ask(60, labeller="ann")}
    clock.now += 11
    second = assessment.ask(60, labeller="bob")
    late = first[second[0].item["id"]]
    with pytest.raises(lw.ConflictError) as refusal:
        assessment.tell(late, "cat")
    assert str(refusal.value) == (
        f"Ticket {late.number} ran out, and its item was handed to somebody else; nothing was changed."
    )
    assessment.tell(second[0], "dog")
    with pytest.raises(lw.ConflictError) as refusal:
        assessment.tell(late, "cat")
    assert str(refusal.value) == (
        f"Ticket {late.number} ran out, and its item has been labelled or skipped since; nothing was changed."
    )
    clock.now += 11  # bob's tickets run out too, and nobody has the items
    assessment.tell(first[second[1].item["id"]], "cat")
    assert assessment.answer().n_labels == 2
    assert second[0].item["id"] not in {t.item["id"] for t in assessment.ask(60)}  # it is labelled, and stays so


def test_who_asked_again_may_still_tell_the_first_ticket():
    """A file of labels may come back after its leases ran out and the same person asked for more."""
    clock = Clock()
    assessment = assessment_of(clock=clock, lease=10)
    [first] = assessment.ask(1)
    clock.now += 11
    second = {ticket.item["id"]: ticket for ticket in assessment.ask(60)}[first.item["id"]]
    assessment.tell(first, "cat")
    assert assessment.ledger.slip(second.number).status == "expired"
    with pytest.raises(lw.ConflictError, match="has been labelled or skipped since"):
        assessment.tell(second, "dog")


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_clock_that_is_set_back_holds_no_item_for_longer_than_its_lease(share):
    clock = Clock(now=400 * 86_400.0)  # the clock is far ahead
    assessment = assessment_of(clock=clock, lease=10)
    assessment.want_second_opinions(share)
    [told] = assessment.ask(1, labeller="eve")
    assessment.tell(told, "cat")
    held = {ticket.item["id"] for ticket in assessment.ask(60, labeller="ann")}
    clock.now = 1_000.0  # and is set right
    assert not held & {ticket.item["id"] for ticket in assessment.ask(60, labeller="bob")}
    clock.now += 11
    assert held <= {ticket.item["id"] for ticket in assessment.ask(60, labeller="bob")}


def test_clocks_that_differ_by_minutes_leave_leases_alone():
    clock = Clock()
    assessment = assessment_of(clock=clock, lease=600)
    held = {ticket.item["id"] for ticket in assessment.ask(5, labeller="ann")}
    for _ in range(20):  # servers on two machines write in turn
        clock.now += 120
        assessment.ask(1, labeller="bob")
        clock.now -= 120
        taken = {ticket.item["id"] for ticket in assessment.ask(1, labeller="eve")}
        assert not held & taken


def test_a_renewed_lease_holds_and_a_lost_one_cannot_be_renewed():
    clock = Clock()
    assessment = assessment_of(clock=clock, lease=10)
    ticket, *_ = assessment.ask(60)
    clock.now += 8
    assert assessment.renew(ticket) == clock.now + 10
    clock.now += 8
    assert ticket.item["id"] not in {t.item["id"] for t in assessment.ask(60)}
    clock.now += 20
    assessment.ask(60, labeller="bob")
    with pytest.raises(lw.ConflictError, match="its item was handed to somebody else"):
        assessment.renew(ticket)


def test_withdrawing_returns_the_belief_exactly_and_the_item_to_its_place():
    assessment = assessment_of()
    for ticket in assessment.ask(10):
        assessment.tell(ticket, truth(assessment.pool, ticket))
    before = assessment.belief
    [ticket] = assessment.ask()
    assessment.tell(ticket, "emu")
    assessment.withdraw(ticket)
    assert np.array_equal(assessment.belief.a, before.a)
    assert np.array_equal(assessment.belief.b, before.b)
    assert ticket.item["id"] in {t.item["id"] for t in assessment.ask(60)}


def test_skipped_and_unknown_items_are_counted_and_bound_the_answer():
    assessment = assessment_of()
    tickets = assessment.ask(20)
    for ticket in tickets[:10]:
        assessment.tell(ticket, truth(assessment.pool, ticket))
    for ticket in tickets[10:14]:
        assessment.skip(ticket, "blurred", is_unknown=True)
    assessment.skip(tickets[14], "not my field")
    result = assessment.answer()
    assert (result.n_skipped, result.n_unknown, result.n_out) == (1, 4, 5)
    assert (result.bounds.if_misses <= result.answer.posterior.mean).all()
    assert (result.bounds.if_hits >= result.answer.posterior.mean).all()
    assert "5 items without a label: 4 not known" in result.sentence()
    assert tickets[10].item["id"] not in {t.item["id"] for t in assessment.ask(60)}


def test_a_key_makes_telling_safe_to_repeat():
    assessment = assessment_of()
    one, two = assessment.ask(2)
    for _ in range(3):
        assessment.tell(one, "cat", key="abc")
    assert assessment.answer().n_labels == 1
    with pytest.raises(lw.ConflictError) as refusal:
        assessment.tell(two, "cat", key="abc")
    assert str(refusal.value) == "Key 'abc' was used before for something else. Use a new key for every label."


def test_labels_from_elsewhere_are_imported_only_on_the_users_word():
    assessment = assessment_of()
    with pytest.raises(lw.DataError, match="were not drawn at random"):
        assessment.import_labels({"item-1": "cat"}, were_drawn_at_random=False)
    assessment.import_labels({"item-1": "cat", "item-2": "dog"}, were_drawn_at_random=True)
    assert assessment.answer().n_labels == 2
    assert not {"item-1", "item-2"} & {t.item["id"] for t in assessment.ask(60)}
    with pytest.raises(
        lw.ConflictError, match="Item 'item-1' has been labelled or skipped already; nothing was imported"
    ):
        assessment.import_labels({"item-3": "cat", "item-1": "cat"}, were_drawn_at_random=True)
    with pytest.raises(lw.DataError, match="Item 'item-x' is not in the pool; nothing was changed"):
        assessment.import_labels({"item-x": "cat"}, were_drawn_at_random=True)
    assert assessment.answer().n_labels == 2


@pytest.mark.parametrize(
    ("act", "error", "sentence"),
    [
        (lambda a, t: a.tell(99, "cat"), lw.NotFoundError,
         "There is no ticket 99; 3 have been handed out so far, from 0."),
        (lambda a, t: a.tell(t, "cow"), lw.DataError,
         "Label 'cow' is not one of the 3 classes. Available: 'cat', 'dog', 'emu'."),
        (lambda a, t: (a.tell(t, "cat"), a.tell(t, "dog")), lw.ConflictError,
         "Ticket 0 was already told 'cat'. Withdraw it before telling it again."),
        (lambda a, t: (a.skip(t), a.tell(t, "dog")), lw.ConflictError,
         "Ticket 0 was already skipped. Withdraw it before telling it again."),
        (lambda a, t: (a.tell(t, "cat"), a.withdraw(t), a.tell(t, "dog")), lw.ConflictError,
         "Ticket 0 was withdrawn. Ask for a new one."),
        (lambda a, t: a.withdraw(t), lw.ConflictError, "Ticket 0 is open; there is nothing to withdraw."),
        (lambda a, t: (a.close(), a.tell(t, "cat")), lw.ConflictError,
         "This assessment is closed; nothing more can be asked or told."),
        (lambda a, t: (a.close(), a.ask()), lw.ConflictError,
         "This assessment is closed; nothing more can be asked or told."),
        (lambda a, t: a.ask(0), lw.ArgumentError, "`n` must be a whole number of at least 1, but is 0."),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_and_changes_nothing(act, error, sentence):
    assessment = assessment_of()
    first, *_ = assessment.ask(3)
    with pytest.raises(error) as refusal:
        act(assessment, first)
    assert str(refusal.value).startswith(sentence)
    events = len(assessment.history())
    with pytest.raises(error):
        act(assessment, first)
    # the part that was allowed happened once, and the refusal left no event
    assert len(assessment.history()) in (events, events + 1)


def test_a_reopened_assessment_asks_what_it_would_have_asked():
    journal = lw.assessment.MemoryJournal()
    pool = pool_of()
    straight = assessment_of(pool)
    for _ in range(30):
        for ticket in straight.ask():
            straight.tell(ticket, truth(pool, ticket))
    for _ in range(30):
        broken = assessment_of(pool, journal=journal)  # a new process, as it were
        for ticket in broken.ask():
            broken.tell(ticket, truth(pool, ticket))
    asked = [[e.item for e in a.history() if e.kind == "asked"] for a in (straight, broken)]
    assert asked[0] == asked[1]
    assert np.array_equal(straight.belief.a, broken.belief.a)


def test_two_writers_on_one_journal_never_get_the_same_item():
    journal, pool = lw.assessment.MemoryJournal(), pool_of()
    one, two = (assessment_of(pool, journal=journal) for _ in range(2))
    items = []
    for _ in range(30):
        for writer in (one, two):
            for ticket in writer.ask():
                items.append(ticket.item["id"])
                writer.tell(ticket, truth(pool, ticket))
    assert len(items) == len(set(items)) == 60
    assert np.array_equal(one.answer().answer.posterior.mean, two.answer().answer.posterior.mean)


def test_another_pool_or_seed_is_refused_by_the_journal():
    journal = lw.assessment.MemoryJournal()
    assessment_of(journal=journal)
    with pytest.raises(lw.ConflictError, match=r"opened with another pool \(its fingerprint\)"):
        assessment_of(pool_of(seed=2), journal=journal)
    with pytest.raises(lw.ConflictError, match="opened with another seed: 7, not 8"):
        assessment_of(journal=journal, seed=8)


@pytest.mark.parametrize(
    "policy",
    [
        lw.RandomItem(), lw.policies.RandomGroup(), lw.Thompson(), lw.TopTwo(), lw.policies.Border(),
        lw.policies.MultiplePlay(), lw.policies.EpsilonGreedy(), lw.policies.BayesianUpperBound(), lw.policies.Greedy(),
    ],
    ids=lambda policy: policy.name,
)  # fmt: skip
def test_items_within_a_group_are_uniform_for_every_policy_with_labellers_and_expired_leases(policy):
    """How often each item is among the first five labelled of its group: chi-square, p > 10^-4.

    Over 600 seeds, 120 in `make test`.
    """
    pool = pool_of(40)
    members = np.flatnonzero(pool.prediction == 0)
    # the default with its own prior; the order within a group does not depend on the prior, and a flat one is quick
    prior = lw.LearnedPrior() if policy == lw.TopTwo() else lw.FlatPrior()
    counts = np.zeros(pool.n_items)
    for seed in range(sized(full=600, quick=120)):
        clock = Clock()
        assessment = assessment_of(pool, policy=policy, prior=prior, seed=seed, clock=clock, lease=10)
        while (assessment.belief.labels[:2] < 5).any() and assessment.n_open[:2].min() > 0:
            tickets = assessment.ask(2, labeller="ann") + assessment.ask(1, labeller="bob")
            for ticket in tickets[:2]:  # bob never answers
                assessment.tell(ticket, truth(pool, ticket))
            clock.now += 11
        events = {e.ticket: e for e in assessment.history() if e.kind == "asked"}
        told = [events[e.ticket].item for e in assessment.history() if e.kind == "told"]
        for item in [item for item in told if item in members][:5]:
            counts[item] += 1
    expected = counts[members].sum() / len(members)
    statistic = ((counts[members] - expected) ** 2 / expected).sum()
    degrees = len(members) - 1
    # draws without replacement vary less than the chi-square allows, so the bound is safe
    assert statistic < degrees + 3.72 * np.sqrt(2 * degrees) + 8


class Model(RuleBasedStateMachine):
    """An assessment against the obvious model: dictionaries from item to what was said of it."""

    tickets = Bundle("tickets")

    @initialize()
    def begin(self):
        self.clock, self.journal, self.pool = Clock(), lw.assessment.MemoryJournal(), pool_of(12)
        self.labels = {}  # those that count
        self.first = {}  # who said it, and what
        self.opinions = {}  # by ticket: item, who, label, when
        self.passed = {}  # by ticket: item of which there is no second opinion
        self.settled = {}  # when
        self.share = 0.0
        self.reopen()

    @rule()
    def reopen(self):
        options = {"prior": lw.FlatPrior(), "lease": 10}  # counts that the model can add up
        self.assessment = assessment_of(self.pool, journal=self.journal, clock=self.clock, **options)

    @rule(seconds=st.sampled_from([1, 6, 11]))
    def wait(self, seconds):
        self.clock.now += seconds

    @rule(share=st.sampled_from([0.0, 0.5, 1.0]))
    def want_second_opinions(self, share):
        self.assessment.want_second_opinions(share)
        self.share = share

    @rule(target=tickets, labeller=st.sampled_from(["", "ann", "bob"]))
    def ask(self, labeller):
        self.assessment.refresh()
        wanted = self._wanted(labeller)
        found = self.assessment.ask(labeller=labeller)
        if not found:
            assert not wanted
            return 10_000
        assert self._is_second(found[0]) == bool(wanted)
        assert not wanted or found[0].item["id"] == wanted[0]
        return found[0]

    def _is_second(self, ticket):
        return ticket != 10_000 and self.assessment.ledger.slip(ticket.number).is_second

    def _wanted(self, labeller):
        """Items of which a labeller is to be asked for a second opinion, by their keys."""
        out = {self.pool.id_of(slip.item) for slip in self.assessment.ledger.with_status("open", is_second=True)}
        keys = dict(zip(self.pool.all_ids().tolist(), self.pool.shuffled_keys(7 + 1_000_003).tolist(), strict=True))
        done = {item for item, who, *_ in self.opinions.values() if item in self.first and who != self.first[item][0]}
        done |= {*self.passed.values(), *self.settled, *out}
        fit = [item for item, (who, _) in self.first.items() if item not in done and who != labeller and labeller]
        return sorted((item for item in fit if keys[item] < self.share * 2**64), key=keys.get)

    @rule(ticket=tickets, label=st.sampled_from(CLASSES), key=st.sampled_from([None, "k"]))
    def tell(self, ticket, label, key):
        before = len(self.journal.events())
        try:
            self.assessment.tell(ticket, label, key=key)
        except (lw.ConflictError, lw.NotFoundError):
            assert len(self.journal.events()) == before
            return
        if len(self.journal.events()) > before:
            self._heard(ticket, label)

    def _heard(self, ticket, label):
        item = ticket.item["id"]
        if self._is_second(ticket):
            self.opinions[ticket.number] = (item, ticket.labeller, label, len(self.journal.events()))
            return
        assert item not in self.labels
        self.labels[item], self.first[item] = label, (ticket.labeller, label)

    def _taken_back(self, ticket):
        if self._is_second(ticket):
            self.opinions.pop(ticket.number, None)
            self.passed.pop(ticket.number, None)
        else:
            self.labels.pop(ticket.item["id"], None)
            self.first.pop(ticket.item["id"], None)

    @rule(ticket=consumes(tickets))
    def withdraw(self, ticket):
        try:
            self.assessment.withdraw(ticket)
        except (lw.ConflictError, lw.NotFoundError):
            return
        self._taken_back(ticket)

    @rule(ticket=consumes(tickets), target=tickets)
    def correct(self, ticket):
        try:
            self.assessment.withdraw(ticket)
        except (lw.ConflictError, lw.NotFoundError):
            return ticket
        self._taken_back(ticket)
        try:
            again = self.assessment.ask_again(ticket)
        except lw.ConflictError:
            assert self._is_second(ticket)  # somebody else is asked: its labeller gave the label too
            return ticket
        assert again.item == ticket.item
        assert self._is_second(again) == self._is_second(ticket)
        return again

    @rule(ticket=tickets)
    def release(self, ticket):
        if ticket != 10_000:
            self.assessment.release(ticket)

    @rule(one=tickets, other=tickets, label=st.sampled_from(CLASSES))
    def tell_two_at_once(self, one, other, label):
        before = len(self.journal.events())
        try:
            n_new = self.assessment.tell_all([lw.assessment.Said(one, label), lw.assessment.Said(other, label)])
        except (lw.ConflictError, lw.NotFoundError):
            assert len(self.journal.events()) == before
            return
        assert n_new == 2
        for ticket in (one, other):
            self._heard(ticket, label)

    @rule(ticket=tickets)
    def skip(self, ticket):
        try:
            self.assessment.skip(ticket)
        except (lw.ConflictError, lw.NotFoundError):
            return
        if self._is_second(ticket):
            self.passed[ticket.number] = ticket.item["id"]
        else:
            assert ticket.item["id"] not in self.labels

    @rule(number=st.integers(0, 11), label=st.sampled_from(CLASSES))
    def settle(self, number, label):
        item = f"item-{number}"
        try:
            self.assessment.settle(item, label)
        except lw.ConflictError:
            assert item not in self.labels
            return
        self.labels[item], self.settled[item] = label, len(self.journal.events())

    @invariant()
    def second_opinions_and_disputes_are_those_of_the_model(self):
        if not hasattr(self, "assessment"):
            return
        found = {
            said.ticket: (self.pool.id_of(item), said.labeller, CLASSES[said.label])
            for item, entries in self.assessment.ledger.opinions.items()
            for said in entries
        }
        assert found == {number: entry[:3] for number, entry in self.opinions.items()}
        newest = {}
        for item, who, label, when in sorted(self.opinions.values(), key=lambda entry: entry[-1]):
            if item in self.first and who != self.first[item][0]:
                newest[item] = (label, when)
        apart = {item for item, (label, when) in newest.items()
                 if label != self.labels[item] and when > self.settled.get(item, 0)}  # fmt: skip
        assert {dispute.item for dispute in self.assessment.disputes()} == apart

    @invariant()
    def the_belief_is_that_of_the_model(self):
        if not hasattr(self, "assessment"):
            return
        place = {name: i for i, name in enumerate(self.pool.all_ids())}
        items = [place[name] for name in self.labels]
        codes = [CLASSES.index(label) for label in self.labels.values()]
        expected = lw.beliefs.BetaBelief.start(lw.by_prediction(self.pool))
        expected = expected.update(items, codes) if items else expected
        assert np.array_equal(self.assessment.belief.a, expected.a)
        assert np.array_equal(self.assessment.belief.b, expected.b)


TestModel = Model.TestCase
TestModel.settings = settings(max_examples=50, stateful_step_count=50, deadline=None, derandomize=True)


def test_many_are_told_at_once_or_none():
    assessment = assessment_of()
    tickets = assessment.ask(5)
    said = [lw.assessment.Said(t, "cat", labeller="ann") for t in tickets[:3]]
    with pytest.raises(lw.DataError) as refusal:
        assessment.tell_all([*said, lw.assessment.Said(tickets[3], "cow")])
    assert str(refusal.value) == (
        "Row 4: Label 'cow' is not one of the 3 classes. Available: 'cat', 'dog', 'emu'. Nothing was told."
    )
    assert assessment.answer(n_draws=50).n_labels == 0
    assert len(assessment.history()) == 6
    assert (
        assessment.tell_all(
            [*said, lw.assessment.Said(tickets[3], reason="dark"), lw.assessment.Said(tickets[4], is_unknown=True)]
        )
        == 5
    )
    found = assessment.answer(n_draws=50)
    assert (found.n_labels, found.n_skipped, found.n_unknown) == (3, 1, 1)


def test_what_was_said_before_may_be_repeated_in_the_same_words_only():
    assessment = assessment_of()
    one, two = assessment.ask(2)
    said = [lw.assessment.Said(one, "cat"), lw.assessment.Said(two, reason="dark")]
    assert assessment.tell_all(said) == 2
    assert assessment.tell_all(said, may_repeat=True) == 0
    with pytest.raises(lw.ConflictError, match=r"^Row 1: Ticket 0 was already told 'cat'"):
        assessment.tell_all(said)
    with pytest.raises(lw.ConflictError, match=r"^Row 7: Ticket 0 was already told 'cat'"):
        assessment.tell_all([lw.assessment.Said(one, "dog")], rows=[7], may_repeat=True)


def test_a_key_makes_a_skip_safe_to_repeat_too():
    assessment = assessment_of()
    [ticket] = assessment.ask()
    for _ in range(2):
        assessment.skip(ticket, "dark", key="k")
    with pytest.raises(lw.ConflictError, match="Key 'k' was used before for something else"):
        assessment.tell(ticket, "cat", key="k")
    assert [event.kind for event in assessment.history()] == ["opened", "asked", "skipped"]


def test_a_withdrawn_item_can_be_asked_again_at_once_and_both_labels_stay_in_the_history():
    assessment = assessment_of()
    [ticket] = assessment.ask(labeller="ann")
    with pytest.raises(lw.ConflictError, match="Ticket 0 is open; withdraw it before asking again"):
        assessment.ask_again(ticket)
    assessment.tell(ticket, "cat")
    assessment.withdraw(ticket)
    again = assessment.ask_again(ticket)
    assert (again.item, again.number, again.labeller) == (ticket.item, 1, "ann")
    assessment.tell(again, "dog")
    labels = [event.label for event in assessment.history() if event.kind == "told"]
    assert [CLASSES[label] for label in labels] == ["cat", "dog"]
    assert list(assessment.ledger.label_of.values()) == [1]


def test_asking_again_takes_no_random_choice_from_the_others():
    plain, corrected = assessment_of(), assessment_of()
    for assessment in (plain, corrected):
        [ticket] = assessment.ask()
        assessment.tell(ticket, "cat")
    corrected.withdraw(0)
    corrected.tell(corrected.ask_again(0), "cat")
    assert [t.item for t in plain.ask(20)] == [t.item for t in corrected.ask(20)]


def test_an_item_that_was_withdrawn_and_taken_by_another_is_not_handed_out_twice():
    assessment = assessment_of()
    for ticket in assessment.ask(60):
        assessment.tell(ticket, "cat")
    assessment.withdraw(3)
    [other] = assessment.ask(labeller="bob")
    with pytest.raises(lw.ConflictError, match="was handed to somebody else meanwhile"):
        assessment.ask_again(3)
    assert assessment.ticket_of(assessment.ledger.slip(3)).item == other.item


def test_a_ticket_that_is_given_back_can_be_had_at_once():
    clock = Clock()
    assessment = assessment_of(clock=clock)
    tickets = assessment.ask(60, labeller="ann")
    assessment.release(tickets[0])
    clock.now += 0.001
    [again] = assessment.ask(60, labeller="bob")
    assert again.item == tickets[0].item
    assessment.release(again.number)
    assessment.release(tickets[0])  # nothing happens: it is not open any more


@pytest.mark.parametrize("label", ["cow", 0, True, None, ["cat"], 1.0])
def test_a_label_that_is_no_class_is_refused_whatever_it_is(label):
    assessment = assessment_of()
    [ticket] = assessment.ask()
    with pytest.raises(lw.DataError, match="is not one of the 3 classes"):
        assessment.tell(ticket, label)
    assert len(assessment.history()) == 2


def test_a_journal_brings_pool_and_set_up_along(tmp_path):
    store = lw.SqliteStore(tmp_path / "a.lw")
    pool = pool_of()
    first = lw.Assessment(
        pool, lw.by_prediction(pool), question=lw.Worst(lw.accuracy), seed=7, journal=store.journal("x"), show=["site"]
    )
    for ticket in first.ask(10):
        first.tell(ticket, truth(pool, ticket))
    again = store.open("x")
    assert np.array_equal(again.belief.a, first.belief.a)
    assert again.answer(n_draws=100).answer.sentence == first.answer(n_draws=100).answer.sentence
    [ticket] = again.ask()
    assert ticket.item == pool.item(again.ledger.slips[-1].item)  # id, text and site
    assert again.setup.pool.fingerprint == pool.fingerprint


def test_an_empty_journal_has_nothing_to_reopen():
    with pytest.raises(lw.NotFoundError, match="There is no assessment in this journal yet"):
        lw.Assessment.reopen(lw.assessment.MemoryJournal())


def test_a_pool_with_nothing_left_to_ask_says_stop():
    assessment = assessment_of(stop=lw.Sure(1 - 1e-12), target="population")
    tickets = assessment.ask(100)
    assert not assessment.answer(n_draws=100).may_stop  # all are out with labellers
    for ticket in tickets:
        assessment.tell(ticket, truth(assessment.pool, ticket))
    found = assessment.answer(n_draws=100)
    assert (found.may_stop, found.is_spent, found.verdict.is_met) == (True, True, False)
    assert found.sentence().startswith("stop: nothing is left to ask, though P(")


def test_a_rule_that_the_question_cannot_meet_is_refused_before_anything_is_kept(refusal):
    journal = lw.assessment.MemoryJournal()
    sentence = refusal(lw.UnanswerableError, assessment_of, question=lw.Estimate(), stop=lw.Sure(0.9), journal=journal)
    assert sentence == "An estimate is not right or wrong; stop it by width or budget."
    assert journal.events() == []
