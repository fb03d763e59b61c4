"""What every store must do: nothing lost, nothing doubled, edits found, any text kept. Each test runs on both."""

import os
import random
import signal
import threading
import time

import numpy as np
import pytest

import labelwise as lw
from assessed import assessment_of, labelled, pool_of, started, told_of
from labelwise.assessment.events import Closed, Skipped, Told
from patience import limit
from strength import sized

ROUNDS = int(os.environ.get("LABELWISE_KILLS", sized(full=25, quick=6)))


def is_file(where):
    return where.endswith(".lw")


def test_a_reopened_store_believes_the_same_to_the_last_bit(where, opening):
    store = opening(where)
    before = labelled(store)
    store.close()
    again = assessment_of(opening(where))
    assert np.array_equal(before.belief.a, again.belief.a)
    assert again.ask()[0].number == 20


def test_a_store_holds_several_assessments_that_do_not_mix(store):
    one, two = assessment_of(store, "one"), assessment_of(store, "two")
    one.tell(one.ask()[0], 0)
    assert (one.answer().n_labels, two.answer().n_labels) == (1, 0)
    assert store.names() == ["one", "two"]
    assert store.verify("one") == store.verify("two") == []


def test_a_page_that_fails_leaves_no_trace(store):
    journal = store.journal()

    def fail():
        with journal.writing() as page:
            page.append(Closed(1.0), key="k")
            page.keep(b"piece")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert journal.events() == []
    assert store.names() == []
    with pytest.raises(lw.DataError):
        journal.piece("cae66941d9efbd404e4d88758ea67670")
    with journal.writing() as page:
        assert page.keyed("k") is None
        page.append(Told(1.0, 0, 0, "ann"), key="k")
        assert page.keyed("k").ticket == 0


def test_a_page_sees_what_it_wrote_itself(store):
    journal = store.journal()
    with journal.writing() as page:
        page.append(Told(1.0, 0, 0, "ann"))
    with journal.writing() as page:
        page.append(Told(1.0, 1, 0, "ann"))
        assert [event.ticket for event in page.events(0)] == [0, 1]
        assert [event.ticket for event in page.events(1)] == [1]
        assert page.events(2) == []
    assert [event.ticket for event in journal.events(0, 1)] == [0]
    assert [event.ticket for event in journal.events(1)] == [1]


def test_a_store_is_all_that_is_needed_to_go_on(store):
    before = labelled(store)
    again = store.open()
    assert np.array_equal(before.belief.a, again.belief.a)
    assert (again.setup.seed, str(again.question)) == (1, "Which group is the worst in accuracy?")


def test_a_backup_is_whole_and_sound(store, tmp_path, opening):
    before = labelled(store)
    store.backup(tmp_path / "b.lw")
    copy = opening(tmp_path / "b.lw")
    assert copy.verify("main") == []
    assert np.array_equal(copy.open().belief.a, before.belief.a)


def test_two_assessments_of_one_pool_keep_it_once(store, edit):
    pool = pool_of()
    assessment_of(store, "one", pool)
    n_pieces = edit("UPDATE pieces SET name = name")
    assessment_of(store, "two", pool, seed=2)
    assert edit("UPDATE pieces SET name = name") == n_pieces > 0


@pytest.mark.parametrize(
    ("names", "asked", "sentence"),
    [
        ([], None, "'{}' has no assessment."),
        (["one", "two"], None, "'{}' has 2 assessments: 'one', 'two'. Name one with --name."),
        (["spring"], "sprung", "There is no assessment 'sprung' in '{}'. Did you mean 'spring'?"),
    ],
)
def test_an_assessment_that_cannot_be_told_is_asked_for(store, refusal, names, asked, sentence):
    for name in names:
        assessment_of(store, name)
    assert refusal(lw.NotFoundError, store.open, asked) == sentence.format(store.label)


def test_a_set_up_that_fails_leaves_no_assessment_behind(store):
    with pytest.raises(lw.NotFoundError):
        assessment_of(store, "bad", question=lw.Compare("0", "nine"))
    assert store.names() == []


@pytest.mark.parametrize("change", ["UPDATE pieces SET data = {blob}", "DELETE FROM pieces"])
def test_an_edited_pool_is_found_and_refused(store, edit, change):
    labelled(store)
    edit(change)
    [problem] = store.verify("main")
    assert problem.startswith("Piece ")
    assert problem.endswith(" of the pool is not what was written.")
    with pytest.raises(lw.DataError, match="is damaged: a piece of the pool is missing or was changed"):
        store.open()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("UPDATE events SET body = replace(body, '\"label\":0', '\"label\":1') WHERE kind = 'told'", "is not what was"),
        ("UPDATE events SET key = NULL WHERE number = 22", "Event 22 (told) is not what was written."),
        ("UPDATE events SET kind = 'closed' WHERE number = 3", "Event 3 (closed) is not what was written."),
        ("UPDATE events SET hash = {blob} WHERE number = 3", "Event 3 (asked) is not what was written."),
        ("DELETE FROM events WHERE number = 5", "Event 5 is missing: event 6 stands in its place."),
        ("DELETE FROM events WHERE number = 40", "There are 40 events, but 41 were written."),
        ("UPDATE events SET number = -1 WHERE number = 40", "Event 0 is missing: event -1 stands in its place."),
    ],
)
def test_an_edited_event_is_found(store, edit, change, problem):
    labelled(store)
    assert store.verify("main") == []
    assert edit(change)
    assert problem in " ".join(store.verify("main"))


HOSTILE = [
    "'; DROP TABLE events; --", "\x00", "a\x00b", "", "%s %(x)s {at} ?", "🦉 é שלום", "\\x41", "\u2028\n\r\t\x1b[31m",
    "ß" * 500_000,
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_any_text_comes_back_as_it_was(where, opening, text):
    store = opening(where)
    journal = store.journal(text)
    with journal.writing() as page:
        page.append(Skipped(1.0, 3, text, text, False), key=text)
        page.append(Told(1.0, 3, 0, "ann"), key=f"{text}.")
    store.close()
    again = opening(where)
    assert again.names() == [text]
    assert again.journal(text).events()[0] == Skipped(1.0, 3, text, text, False)
    with again.journal(text).writing() as page:
        assert page.keyed(text).labeller == text
        assert page.keyed(f"{text}.").labeller == "ann"
        assert page.keyed(f"{text}..") is None
    assert again.verify(text) == []


def test_half_a_character_is_refused_in_a_sentence(store, refusal):
    assessment = assessment_of(store)
    [ticket] = assessment.ask()
    sentence = "A text has half a character in it ('\\ud800'). Take it out."
    assert refusal(lw.DataError, assessment.tell, ticket, 0, labeller="\ud800") == sentence
    assert refusal(lw.DataError, assessment.skip, ticket, key="\ud800") == sentence
    assert refusal(lw.DataError, store.journal, "\ud800").startswith("A text has half a character in it")
    assessment.tell(ticket, 0)
    assert store.verify("main") == []


def test_a_key_counts_once_and_for_one_thing(store):
    assessment = assessment_of(store)
    one, two = assessment.ask(2)
    assessment.tell(one, 0, key="k")
    assessment.tell(one, 0, key="k")
    assert assessment.answer().n_labels == 1
    with pytest.raises(lw.ConflictError, match="was used before"):
        assessment.tell(two, 0, key="k")
    assert [event.kind for event in assessment.history()] == ["opened", "asked", "asked", "told"]


def test_a_writer_that_waits_too_long_is_told_so(where, opening, refusal):
    holder, other = opening(where), opening(where, patience=0.1)
    with holder.journal().writing():
        sentence = refusal(lw.ConflictError, assessment_of, other)
    assert sentence == f"'{other.label}' is held by another writer for too long; nothing was changed. Try again."
    assert assessment_of(other).ask()


def test_threads_share_a_store_without_a_lost_or_doubled_label(store):
    pool = pool_of(120)
    mine = [assessment_of(store, "shared", pool) for _ in range(4)]

    def label(assessment):
        while tickets := assessment.ask():
            assessment.tell(tickets[0], 0)

    threads = [threading.Thread(target=label, args=(one,)) for one in mine]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(limit(60))
    told = told_of(store, "shared")
    assert len(told) == len({item for _, item, _ in told}) == 120
    assert store.verify("shared") == []


def test_a_store_that_was_closed_says_so(store):
    store.close()
    with pytest.raises(lw.LabelwiseError):
        store.names()


def test_many_processes_share_a_store_without_a_lost_or_doubled_label(where, opening):
    n_items, n_labellers = (sized(full=2_000, quick=400), sized(full=8, quick=4)) if is_file(where) else (400, 4)
    labellers = [started(where, "shared", n_items) for _ in range(n_labellers)]
    outputs = [labeller.communicate(timeout=limit(100)) for labeller in labellers]
    assert [error for _, error in outputs] == [""] * n_labellers
    said = sorted(tuple(map(int, line.split())) for output, _ in outputs for line in output.splitlines())
    store = opening(where)
    assert said == sorted(told_of(store, "shared"))
    assert len(said) == len({item for _, item, _ in said}) == n_items
    assert store.verify("shared") == []


def test_a_killed_labeller_loses_nothing_that_was_acknowledged(where, opening, tmp_path):
    """SIGKILL at random moments, four writers at a time; afterwards every acknowledged label is there exactly once."""
    draw = random.Random(7)
    acknowledged = {}
    running = []
    killed = 0
    while killed < (ROUNDS if is_file(where) else max(8, ROUNDS // 5)):
        while len(running) < 4:
            said = tmp_path / f"said-{killed}-{len(running)}.txt"
            with said.open("w") as file:
                running.append((started(where, "shared", 100_000, file, pause=0.01), said))
        victim, said = running.pop(draw.randrange(len(running)))
        # one in five is killed while it starts, the others in the middle of their work
        patience = time.monotonic() + (0 if draw.uniform(0, 1) < 0.2 else limit(60))
        while time.monotonic() < patience and said.stat().st_size == 0 and victim.poll() is None:
            time.sleep(0.01)
        time.sleep(draw.uniform(0.0, 0.2))
        victim.send_signal(signal.SIGKILL)
        victim.communicate()
        killed += 1
        acknowledged |= acknowledged_in(said)
    for labeller, _ in running:
        labeller.send_signal(signal.SIGKILL)
        labeller.communicate()
    store = opening(where)
    told = told_of(store, "shared")
    assert len(told) == len({ticket for ticket, _, _ in told}) == len({item for _, item, _ in told})
    kept = {ticket: (item, label) for ticket, item, label in told}
    assert acknowledged.items() <= kept.items()
    assert acknowledged, "no labeller lived long enough to say anything"
    assert store.verify("shared") == []


def acknowledged_in(said):
    """Give what a labeller said, without the line in whose middle it was killed."""
    lines = [line.split() for line in said.read_text().splitlines(keepends=True) if line.endswith("\n")]
    return {int(ticket): (int(item), int(label)) for ticket, item, label in lines}
