"""Second opinions from the command line: wished for, given, compared, disputed, settled."""

import pytest

from command_words import with_store


@pytest.fixture
def doubled(spring, command):
    """A store in which ann labelled four items cat, and bob the same ones cat, cat, dog, dog."""
    assert command("review", "request", "spring.lw", "--share", 1).code == 0
    for who, labels in (("ann", ["cat"] * 4), ("bob", ["cat", "cat", "dog", "dog"])):
        tickets = command("ask", "spring.lw", "-n", 4, "--labeller", who, "--json").document["tickets"]
        rows = "".join(f"{ticket['ticket']},{label}\n" for ticket, label in zip(tickets, labels, strict=True))
        assert command("tell", "spring.lw", "-", stdin=f"ticket,label\n{rows}").code == 0
    return [ticket["id"] for ticket in tickets]


def test_a_wish_is_kept_and_can_be_ended(spring, command, events):
    done = command("review", "request", "spring.lw", "--share", 0.1)
    assert (done.code, done.out) == (0, "10 % of the items are to be labelled twice, by people with different names.\n")
    assert command("review", "request", "spring.lw", "--share", 0, "--json").document == {"share": 0.0}
    assert [body["share"] for kind, body in events(spring) if kind == "doubled"] == [0.1, 0.0]
    assert command("review", "request", "spring.lw", "--share", 1.5).code == 2
    assert command("review", "request", "spring.lw").code == 2


def test_new_can_wish_for_it_at_once(folder, command, events):
    done = command("new", "team.lw", "predictions.csv", "--second-opinions", 0.2, "--seed", 1)
    assert (done.code, "; 20 % of the items to be labelled twice\n" in done.out) == (0, True)
    assert [(kind, body["share"]) for kind, body in events(folder / "team.lw")[1:]] == [("doubled", 0.2)]


def test_a_store_without_the_wish_has_no_event_of_it(spring, events):
    assert [kind for kind, _ in events(spring)] == ["opened"]


def test_how_far_labellers_agree(doubled, command):
    found = command("review", "agreement", "spring.lw", "--json").document
    assert (found["items"], found["agree"], found["kind"]) == (4, 2, "cohen")
    assert found["kappa"]["mean"] == 0  # ann says nothing but cat
    text = command("review", "agreement", "spring.lw", "--level", 0.9).out
    assert "4 items labelled twice, 2 of them alike" in text
    assert "90 % of share: if the prior is right, holds with 90 % probability" in text


def test_disputes_are_listed_and_settled(doubled, command):
    found = command("review", "disputes", "spring.lw", "--json").document["disputes"]
    assert [row["id"] for row in found] == doubled[2:]
    assert [(row["label"], row["other"]) for row in found] == [("cat", "dog")] * 2
    assert found[0]["id"] in command("review", "disputes", "spring.lw").out
    done = command("review", "settle", "spring.lw", doubled[2], "dog", "--labeller", "eve")
    assert (done.code, done.out) == (0, f"Item '{doubled[2]}' is settled as 'dog'; 1 in dispute.\n")
    done = command("review", "settle", "spring.lw", doubled[3], "cat", "--json")
    assert done.document == {"id": doubled[3], "label": "cat", "labeller": "", "disputes": 0}
    assert command("review", "disputes", "spring.lw").out == "Nothing is in dispute.\n"
    assert command("review", "agreement", "spring.lw", "--json").document["agree"] == 2  # what was said stays said


def test_what_was_settled_is_in_export_history_and_status_and_the_store_is_whole(doubled, command):
    command("review", "settle", "spring.lw", doubled[2], "cow", "--labeller", "eve")
    rows = command("export", "spring.lw", "--with-opinions").rows
    settled = [row for row in rows if row["id"] == doubled[2]]
    assert len(rows) == 4
    names = ("label", "status", "labeller", "first_label", "first_labeller", "second_label", "second_labeller")
    assert [settled[0][name] for name in names] == ["cow", "settled", "eve", "cat", "ann", "dog", "bob"]
    assert "first_label" not in command("export", "spring.lw").rows[0]
    newest = command("store", "history", "spring.lw", "--json").document["events"][-1]
    assert (newest["kind"], newest["item"], newest["label"]) == ("settled", doubled[2], "cow")
    kinds = [line.split()[2] for line in command("store", "history", "spring.lw").out.splitlines()]
    assert [kinds.count(kind) for kind in ("doubled", "seconded", "settled")] == [1, 4, 1]
    status = command("status", "spring.lw").out
    assert "second opinions on 1 of the items: 4 told, 0 with labellers, 1 disputed, 1 settled" in status
    assert command("store", "verify", "spring.lw").code == 0


def test_a_copy_has_the_second_opinions_too(doubled, command):
    command("review", "settle", "spring.lw", doubled[2], "cow")
    assert command("store", "copy", "spring.lw", "archive.lw").code == 0
    for line in (["review", "agreement"], ["review", "disputes"], ["export", "--with-opinions"]):
        one, other = (command(*with_store(line, store), "--json").out for store in ("spring.lw", "archive.lw"))
        assert one == other


@pytest.mark.parametrize(
    ("item", "label", "code", "sentence"),
    [
        ("x", "cat", 1, "Error: Item 'x' is not in the pool; nothing was changed.\n"),
        ("labelled", "emu", 1,
         "Error: Label 'emu' is not one of the 3 classes. Available: 'cat', 'cow', 'dog'.\n"),
        ("free", "cat", 4, "Error: Item 'FREE' has no label; only an item that has one can be settled.\n"),
    ],
)  # fmt: skip
def test_what_cannot_be_settled_is_said_in_a_sentence(doubled, command, item, label, code, sentence):
    free = next(f"i{k:03}" for k in range(240) if f"i{k:03}" not in doubled)
    said = {"labelled": doubled[0], "free": free}.get(item, item)
    done = command("review", "settle", "spring.lw", said, label)
    assert (done.code, done.out, done.err) == (code, "", sentence.replace("FREE", free))


def test_an_item_whose_id_is_a_number_is_settled_by_its_digits(folder, command, as_csv):
    as_csv(folder / "numbers.csv", [{"id": k, "pred": k % 3} for k in range(30)])
    command("new", "numbers.lw", "numbers.csv", "--seed", 1)
    [ticket] = command("ask", "numbers.lw", "--json").document["tickets"]
    command("tell", "numbers.lw", "-", stdin=f"ticket,label\n{ticket['ticket']},0\n")
    done = command("review", "settle", "numbers.lw", ticket["id"], 2, "--json")
    assert (done.document["id"], done.document["label"]) == (ticket["id"], 2)


def test_fewer_items_than_wished_are_explained_though_second_opinions_came_first(doubled, command):
    done = command("ask", "spring.lw", "-n", 500, "--labeller", "eve", "--json")
    assert len(done.document["tickets"]) == 236
    assert done.err == "Only 236 of 500: every item that can change the answer has been asked.\n"


def test_what_a_labeller_sees_does_not_tell_a_second_opinion_from_a_first(spring, command):
    command("review", "request", "spring.lw", "--share", 1)
    [first] = command("ask", "spring.lw", "--labeller", "ann", "--json").document["tickets"]
    command("tell", "spring.lw", "-", stdin=f"ticket,label\n{first['ticket']},cat\n")
    second, fresh = command("ask", "spring.lw", "-n", 2, "--labeller", "bob", "--json").document["tickets"]
    assert second == first | {"ticket": 1}
    assert list(second) == list(fresh)
