"""The writer: what is decided is decided after catching up, again if others were faster, and anew if it is not kept."""

from contextlib import contextmanager

import pytest

import labelwise as lw
from labelwise.assessment.events import Closed, Doubled
from labelwise.assessment.journal import OvertakenError
from labelwise.assessment.writer import Writer
from labelwise.testing.worlds import small_pool


def setup_of():
    return lw.Setup(lw.by_prediction(small_pool()), lw.Worst(), seed=1)


class Overtaken(lw.assessment.MemoryJournal):
    """A journal that loses so many pages before it keeps one, as if others had been faster."""

    n_lost = 0

    @contextmanager
    def writing(self):
        with super().writing() as page:
            yield page
            if self.n_lost:
                self.n_lost -= 1
                raise OvertakenError("others were faster")


def writer_of(journal=None):
    writer = Writer(setup_of(), journal or lw.assessment.MemoryJournal(), lambda: 0.0)
    writer.write(writer.open)
    return writer


def test_a_page_that_was_lost_is_decided_again():
    journal = Overtaken()
    writer, looks = writer_of(journal), []

    def decide(page):
        looks.append(writer.ledger.n_events)
        writer.append(page, Doubled(0.0, 0.5))
        return "done"

    journal.n_lost = 3
    assert writer.write(decide) == "done"
    assert looks == [1, 1, 1, 1]
    assert [event.kind for event in journal.events()] == ["opened", "doubled"]
    assert writer.ledger.n_events == 2


def test_after_too_many_losses_it_is_given_up_and_nothing_is_believed_that_was_not_kept():
    journal = Overtaken()
    writer = writer_of(journal)
    journal.n_lost = 1_000
    with pytest.raises(OvertakenError):
        writer.write(lambda page: writer.append(page, Closed(0.0)))
    assert not writer.ledger.is_closed
    assert writer.ledger.n_events == 1


def test_an_error_after_an_append_leaves_no_trace():
    writer = writer_of()

    def decide(page):
        writer.append(page, Closed(0.0))
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        writer.write(decide)
    assert not writer.ledger.is_closed
    writer.write(lambda page: writer.ledger.check_open())


def test_what_others_wrote_is_taken_in_before_it_is_decided():
    journal = lw.assessment.MemoryJournal()
    one, other = writer_of(journal), writer_of(journal)
    one.write(lambda page: one.append(page, Doubled(0.0, 0.25)))
    assert other.ledger.seconds.share == 0
    assert other.write(lambda page: other.ledger.seconds.share) == 0.25
