"""History and labels in words."""

import labelwise as lw
from labelwise.report.history import history_of, labels_of


def assessment_of():
    pool = lw.pool_from_arrays(
        predicted=["cat", "dog"] * 5, confidence=[0.875, 0.625] * 5, ids=[f"i{k}" for k in range(10)],
        classes=["cat", "dog", "emu"],
    )  # fmt: skip
    assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=1, clock=lambda: 0.0)
    tickets = assessment.ask(4, labeller="ann")
    assessment.tell(tickets[0], "emu")
    assessment.tell(tickets[1], "cat", labeller="bob")
    assessment.skip(tickets[2], "dark")
    assessment.withdraw(tickets[1])
    taken = {ticket.item["id"] for ticket in tickets}
    free = next(f"i{k}" for k in range(10) if f"i{k}" not in taken)
    assessment.import_labels({free: "dog"}, were_drawn_at_random=True)
    assessment.close()
    return assessment, tickets, free


def test_every_event_is_told_in_words():
    assessment, tickets, free = assessment_of()
    found = history_of(assessment)
    assert [row["kind"] for row in found] == [
        "opened", *["asked"] * 4, "told", "told", "skipped", "withdrawn", "imported", "closed",
    ]  # fmt: skip
    assert found[5]["label"] == "emu"
    assert (found[6]["labeller"], found[6]["item"]) == ("bob", tickets[1].item["id"])
    assert found[7]["reason"] == "dark"
    assert found[9]["labels"] == {free: "dog"}


def doubled():
    """Two labellers disagree on two items; one of them is settled, and so is an imported one."""
    pool = lw.pool_from_arrays(
        predicted=["cat", "dog"] * 5, ids=[f"i{k}" for k in range(10)], classes=["cat", "dog", "emu"],
    )  # fmt: skip
    clock = iter(range(100))
    assessment = lw.Assessment(
        pool, lw.by_prediction(pool), question=lw.Worst(), seed=1, clock=lambda: float(next(clock)), lease=1_000
    )
    first = assessment.ask(2, labeller="ann")
    for ticket in first:
        assessment.tell(ticket, "cat")
    assessment.want_second_opinions(1.0)
    for ticket in assessment.ask(2, labeller="bob"):
        assessment.tell(ticket, "dog")
    free = next(f"i{k}" for k in range(10) if f"i{k}" not in {ticket.item["id"] for ticket in first})
    assessment.import_labels({free: "dog"}, were_drawn_at_random=True)
    assessment.settle(first[0].item["id"], "emu", labeller="eve")
    assessment.settle(free, "cat", labeller="joe")
    return assessment, [ticket.item["id"] for ticket in first], free


def test_second_opinions_and_what_was_settled_are_told_in_words():
    assessment, (one, two), free = doubled()
    found = history_of(assessment)
    assert [row["kind"] for row in found] == [
        "opened", "asked", "asked", "told", "told", "doubled", "seconded", "seconded", "told", "told", "imported",
        "settled", "settled",
    ]  # fmt: skip
    assert found[5]["share"] == 1.0
    assert {row["item"] for row in found[6:8]} == {one, two}
    assert [(row["labeller"], row["label"]) for row in found[8:10]] == [("bob", "dog")] * 2
    assert {key: found[11][key] for key in ("item", "label", "labeller")} == {
        "item": one, "label": "emu", "labeller": "eve",
    }  # fmt: skip
    assert found[12]["item"] == free


def test_an_item_has_one_row_whatever_was_said_of_it_and_what_was_settled_counts():
    assessment, (one, two), free = doubled()
    found = labels_of(assessment)
    assert [(row["id"], row["label"], row["status"], row["labeller"]) for row in found] == [
        (one, "emu", "settled", "eve"), (two, "cat", "told", "ann"), (free, "cat", "settled", "joe"),
    ]  # fmt: skip
    assert "second_label" not in found[0]
    opinions = labels_of(assessment, with_opinions=True)
    names = ("first_label", "first_labeller", "second_label", "second_labeller")
    assert [tuple(row[name] for name in names) for row in opinions] == [
        ("cat", "ann", "dog", "bob"), ("cat", "ann", "dog", "bob"), ("dog", "import", None, None),
    ]  # fmt: skip


def test_only_labels_that_count_are_given_and_no_prediction_unless_asked():
    assessment, tickets, free = assessment_of()
    found = labels_of(assessment)
    assert [(row["id"], row["label"], row["status"]) for row in found] == [
        (tickets[0].item["id"], "emu", "told"), (tickets[2].item["id"], None, "skipped"), (free, "dog", "imported"),
    ]  # fmt: skip
    assert not {"prediction", "confidence", "group"} & set(found[0])
    seeing = labels_of(assessment, with_predictions=True)[0]
    assert (seeing["prediction"], seeing["group"]) in (("cat", "cat"), ("dog", "dog"))
    assert seeing["confidence"] in (0.875, 0.625)
