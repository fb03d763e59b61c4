"""How assessments stand, and events as a table."""

import labelwise as lw
from labelwise.report import history_of, render_history, render_status, status_of


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
