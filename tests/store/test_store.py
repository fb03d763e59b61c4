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
from labelwise.assessment import writer
from labelwise.assessment.events import Closed, Skipped, Told, event_of
from labelwise.store import journal
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
        (["one", "two"], None, "'{}' has 2 assessments: 'one', 'two'. Choose one with --name."),
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
    assert problem.startswith("Part ")
    assert problem.endswith(" of the pool is missing or was changed.")
    with pytest.raises(lw.DataError, match="is damaged: part of the pool is missing or was changed"):
        store.open()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            "UPDATE events SET body = replace(body, '\"label\":0', '\"label\":1') WHERE kind = 'told'",
            "was changed after it was written.",
        ),
        ("UPDATE events SET key = NULL WHERE number = 22", "Event 22 (told) was changed after it was written."),
        ("UPDATE events SET kind = 'closed' WHERE number = 3", "Event 3 (closed) was changed after it was written."),
        ("UPDATE events SET hash = {blob} WHERE number = 3", "Event 3 (asked) was changed after it was written."),
        ("DELETE FROM events WHERE number = 5", "Event 5 is missing: event 6 is in its place."),
        ("DELETE FROM events WHERE number = 40", "There are 40 events, but 41 were written."),
        ("UPDATE events SET number = -1 WHERE number = 40", "Event 0 is missing: event -1 is in its place."),
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
    sentence = "Text contains half a character, a lone surrogate ('\\ud800'). Remove it."
    assert refusal(lw.DataError, assessment.tell, ticket, 0, labeller="\ud800") == sentence
    assert refusal(lw.DataError, assessment.skip, ticket, key="\ud800") == sentence
    assert refusal(lw.DataError, store.journal, "\ud800").startswith("Text contains half a character, a lone surrogate")
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
    assert sentence == f"Another writer has locked '{other.label}' for too long; nothing was changed. Try again."
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
    print(f"{killed} killed, {len(acknowledged):,} labels acknowledged, {len(told):,} kept, none lost, none twice")


def acknowledged_in(said):
    """Return what a labeller said, without the line in whose middle it was killed."""
    lines = [line.split() for line in said.read_text().splitlines(keepends=True) if line.endswith("\n")]
    return {int(ticket): (int(item), int(label)) for ticket, item, label in lines}


# snapshots


@pytest.fixture
def often(monkeypatch):
    """Has a snapshot kept every few events, and not every ten thousand."""
    monkeypatch.setattr(writer, "_EVERY", 7)


def state_of(assessment):
    return list(assessment.ledger.slips), assessment.ledger.label_of, assessment.ledger.n_events


def test_an_assessment_goes_on_from_a_snapshot_as_from_its_events(store, edit, often, tmp_path, opening):
    whole = labelled(store, 25)
    assert edit("UPDATE snapshots SET n_events = n_events") == 1
    again = store.open()
    assert state_of(again) == state_of(whole)
    other = opening(tmp_path / "other.lw")
    lw.store.copy_assessment(store, other)  # the events alone
    copied = other.open()
    assert state_of(copied) == state_of(whole)
    assert [ticket.item for ticket in again.ask(5)] == [ticket.item for ticket in copied.ask(5)]


def test_what_is_in_a_snapshot_is_not_read_again(store, often, monkeypatch):
    labelled(store, 25)
    read = []
    monkeypatch.setattr(journal, "event_of", lambda kind, body: read.append(kind) or event_of(kind, body))
    n_events = store.open().ledger.n_events
    assert n_events == 51
    assert len(read) < 12


@pytest.mark.parametrize(
    "change",
    ["UPDATE snapshots SET data = {blob}", "UPDATE snapshots SET hash = {blob}", "UPDATE snapshots SET n_events = 9"],
)
def test_a_damaged_snapshot_is_found_and_not_used(store, edit, often, change):
    whole = labelled(store, 25)
    assert edit(change) == 1
    assert state_of(store.open()) == state_of(whole)
    [problem] = store.verify("main")
    assert "snapshot" in problem


def test_a_snapshot_that_was_swapped_for_that_of_another_assessment_is_not_used(store, edit, often):
    whole = labelled(store, 25, "first")
    labelled(store, 15, "second")
    edit(
        "UPDATE snapshots SET n_events = (SELECT max(n_events) FROM snapshots), "
        "data = (SELECT data FROM snapshots ORDER BY n_events LIMIT 1), "
        "hash = (SELECT hash FROM snapshots ORDER BY n_events LIMIT 1) "
        "WHERE n_events = (SELECT max(n_events) FROM snapshots)"
    )
    assert state_of(store.open("first")) == state_of(whole)
    assert "snapshot" in store.verify("first")[0]


def test_a_write_that_fails_leaves_the_old_snapshot(store, often):
    assessment = labelled(store, 25)

    def act():
        assessment.ask(8)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        assessment.together([act])
    assert store.verify("main") == []
    assert state_of(store.open()) == state_of(assessment)


# events that are not as they were written


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE events SET body = replace(body, '\"label\":', '\"label\": ') WHERE number = 30",
        "UPDATE events SET kind = 'skipped' WHERE number = 30",
        "UPDATE events SET hash = {blob} WHERE number = 30",
        "DELETE FROM events WHERE number = 30",
        "DELETE FROM events WHERE number = 40",  # the last
        "UPDATE events SET body = '[' WHERE number = 30",
    ],
)
def test_a_store_whose_events_were_changed_is_not_opened(store, edit, refusal, change):
    labelled(store)
    assert edit(change) == 1
    assert refusal(lw.DataError, store.open).endswith("recover the intact part with `labelwise store salvage`.")


def test_what_was_said_comes_in_pages_newest_first(store):
    assessment = labelled(store)
    events = assessment.history()
    numbers = [number for number, event in enumerate(events) if event.kind == "told"]
    kept = assessment.journal
    page = kept.newest(5, without=["asked", "opened"])
    assert page == [(number, events[number]) for number in numbers[-5:][::-1]]
    assert kept.newest(3, before=numbers[3], without=["asked", "opened"]) == [
        (number, events[number]) for number in numbers[2::-1]
    ]
    assert kept.numbered([7, 3, 3]) == [events[7], events[3], events[3]]
    assert kept.numbered(list(range(len(events))) * 20) == events * 20
    assert kept.numbered([]) == []


def test_pages_of_changed_events_are_refused(store, edit, refusal):
    kept = labelled(store).journal
    assert edit("UPDATE events SET kind = 'skipped' WHERE number = 30") == 1
    assert "Event 30" in refusal(lw.DataError, lambda: kept.newest(50))
    assert "Event 30" in refusal(lw.DataError, lambda: kept.numbered([30]))
