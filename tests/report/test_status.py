"""How assessments stand, and events as a table."""

import labelwise as lw
from labelwise.report.history import history_of
from labelwise.report.status import render_history, render_status, status_of


def assessment_of():
    pool = lw.pool_from_arrays(predicted=[0, 1] * 10)
    assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=3, clock=lambda: 0.0)
    for number, ticket in enumerate(assessment.ask(6)):
        if number < 3:
            assessment.tell(ticket, 0, labeller="ann" if number else "bob")
    assessment.skip(3)
    assessment.withdraw(1)
    return assessment


def test_the_state_counts_everything_once():
    state = status_of(assessment_of())
    counts = {key: state[key] for key in ("labels", "out", "skipped", "unknown", "withdrawn", "open", "events")}
    assert counts == {
        "labels": 2, "out": 2, "skipped": 1, "unknown": 0, "withdrawn": 1, "open": 15, "events": 12,
    }  # fmt: skip
    assert state["labellers"] == {"bob": 1, "ann": 1}
    assert not state["is_closed"]


def test_second_opinions_are_counted_apart_and_said_only_if_there_are_any():
    assessment = assessment_of()
    assert "second opinions" not in render_status([{"name": "main"} | status_of(assessment)])
    before = status_of(assessment)
    assessment.want_second_opinions(1.0)
    one, two = assessment.ask(2, labeller="eve")
    assessment.tell(one, 1)
    assessment.skip(two)
    assessment.settle(one.item["id"], 1)
    state = status_of(assessment)
    same = ("labels", "out", "skipped", "unknown", "withdrawn", "open")
    assert {key: state[key] for key in same} == {key: before[key] for key in same}
    assert state["second_opinions"] == {"share": 1.0, "told": 1, "out": 0, "disputed": 0, "settled": 1}
    text = render_status([{"name": "main"} | state])
    assert "second opinions on 1 of the items: 1 told, 0 with labellers, 0 disputed, 1 settled\n" in text


def test_the_text_says_it_all():
    text = render_status([{"name": "main"} | status_of(assessment_of())])
    assert text.startswith("main: Which group is the worst in accuracy?")
    assert "2 labels, 2 with labellers, 1 skipped, 0 not known, 1 withdrawn, 15 can be asked" in text
    assert "labelled by bob 1, ann 1" in text
    assert render_status([]) == "No assessment yet."


def test_events_are_a_table_and_what_is_left_out_is_counted():
    found = history_of(assessment_of())
    text = render_history(found[-2:], len(found))
    assert text.startswith("... 10 earlier events\n")
    assert "withdrawn" in text
    assert len(text.splitlines()) == 4
