"""`ask`, `tell`, `skip`, `withdraw`, `renew` and `import`: what goes out, what comes in, and what is refused."""

import csv
import io
import json
import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from command_words import called, with_store

pytestmark = pytest.mark.filterwarnings("ignore::labelwise.errors.DataWarning")  # formulas that differ in spaces alone
DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n")


def tell(command, text, *words):
    return command("tell", "spring.lw", "-", *words, stdin=text)


# files that are not of this store, or whose columns do not belong together


def asked_file(command, store, n=4):
    """A file that was asked for and filled in, as rows."""
    rows = command("ask", store, "-n", n).rows
    return [row | {"label": "cat"} for row in rows]


def as_table(rows):
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


@pytest.fixture
def other(spring, command, items, as_csv):
    """Another store beside, of the same file with other ids."""
    as_csv(spring.parent / "other.csv", [row | {"id": f"o{row['id']}"} for row in items])
    assert command("new", "other.lw", "other.csv", "--content", "text", "--seed", 7).code == 0
    return spring.parent / "other.lw"


def test_a_file_of_another_store_is_refused_whole(spring, other, command):
    rows = asked_file(command, "other.lw")
    command("ask", "spring.lw", "-n", 4)
    own = command("ask", "spring.lw", "--json").document["tickets"][0]["assessment"]
    done = tell(command, as_table(rows))
    assert (done.code, done.err) == (
        4,
        f"Error: Row 1: was asked by another assessment ({rows[0]['assessment']}) than this one ({own}). Nothing was "
        "told.\n",
    )
    for row in rows:
        del row["assessment"]
    done = tell(command, as_table(rows))  # the ids tell by themselves
    assert done.code == 4
    assert "is of item 'i" in done.err
    assert "but the row is of 'oi" in done.err
    assert command("export", "spring.lw").rows == []


@pytest.mark.parametrize("column", ["ticket", "id", "text"])
def test_a_column_that_was_sorted_by_itself_is_noticed(spring, command, column):
    rows = asked_file(command, "spring.lw", 6)
    shuffled = [row[column] for row in rows[1:]] + [rows[0][column]]
    moved = [row | {column: value} for row, value in zip(rows, shuffled, strict=True)]
    done = tell(command, as_table(moved))
    assert done.code == 4
    assert "sorted by itself. Nothing was told." in done.err
    assert command("export", "spring.lw").rows == []
    assert tell(command, as_table(rows[::-1])).code == 0  # whole rows may come in any order


def test_what_a_spreadsheet_changes_in_cells_is_no_reason_to_refuse(spring, command):
    rows = asked_file(command, "spring.lw", 3)
    changed = [row | {"id": f" '{row['id']} ", "text": row["text"].upper(), "assessment": ""} for row in rows]
    assert tell(command, as_table(changed).replace(",", ";")).code == 0


# ask


def test_ask_gives_a_table_with_an_empty_column_for_the_label(spring, command):
    done = command("ask", "spring.lw", "-n", 3)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[0] == "ticket,id,text,assessment,label,skip"
    assert [row["ticket"] for row in done.rows] == ["0", "1", "2"]
    assert all(row["text"] == f"about {row['id'][1:]}" and row["label"] == row["skip"] == "" for row in done.rows)


def test_ask_gives_one_json_document_or_one_line_a_ticket(spring, command):
    document = command("ask", "spring.lw", "-n", 2, "--json").document
    assert document["classes"] == ["cat", "cow", "dog"]
    assert [set(ticket) for ticket in document["tickets"]] == [{"assessment", "ticket", "id", "text"}] * 2
    lines = command("ask", "spring.lw", "-n", 2, "--format", "jsonl").out.splitlines()
    assert [json.loads(line)["ticket"] for line in lines] == [2, 3]


@pytest.mark.parametrize("name", ["to_label.csv", "-"])
def test_ask_writes_where_it_is_told(spring, command, name):
    done = command("ask", "spring.lw", "-n", 2, "-o", name)
    text = done.out if name == "-" else (spring.parent / name).read_text()
    assert text.startswith("ticket,id,text,assessment,label,skip\n0,")
    assert (done.code, done.err) == (0, "")
    assert name == "-" or done.out == ""


def test_ask_hands_every_item_to_one_labeller_only_and_says_when_there_are_no_more(spring, command, contents):
    ann, bob = (command("ask", "spring.lw", "-n", 150, "--labeller", who, "--json") for who in ("ann", "bob"))
    ids = [ticket["id"] for done in (ann, bob) for ticket in done.document["tickets"]]
    assert len(ids) == len(set(ids)) == 240
    assert ann.err == ""
    other = "the other {} items that can change the answer are with labellers until their leases end.\n"
    everyone = "all 240 items that can change the answer are with labellers until their leases end.\n"
    assert (bob.code, bob.err) == (0, "Only 90 of 150: " + other.format(150))
    before = contents(spring.parent)
    done = command("ask", "spring.lw", "--json")
    assert (done.code, done.out, done.err) == (4, "", "Error: There is nothing to hand out: " + everyone)
    assert contents(spring.parent) == before


def test_the_last_items_are_nobody_elses(spring, command):
    done = command("ask", "spring.lw", "-n", 241)
    assert done.err == "Only 240 of 241: every item that can change the answer has been asked.\n"


def test_columns_are_shown_when_asked_for(folder, command):
    command("new", "shown.lw", "predictions.csv", "--content", "text", "--show", "region", "--seed", 1)
    assert command("ask", "shown.lw").out.startswith("ticket,id,text,region,assessment,label,skip\n")
    assert set(command("ask", "shown.lw", "--json").document["tickets"][0]) == {
        "assessment",
        "ticket",
        "id",
        "text",
        "region",
    }


@pytest.fixture
def odd(tmp_path, monkeypatch, command):
    """Contents that JSON and CSV have no word for."""
    n = 6
    dates = pa.array([18_262] * n, pa.int32()).cast(pa.date32())
    columns = {"pred": ["cat", "dog"] * 3, "day": dates, "number": [float("nan")] * n, "list": [[1, 2]] * n}
    pq.write_table(pa.table(columns), tmp_path / "odd.parquet")
    monkeypatch.chdir(tmp_path)
    words = [word for name in ("day", "number", "list") for word in ("--content", name)]
    assert command("new", "odd.lw", "odd.parquet", *words, "--seed", 1).code == 0


def test_dates_lists_and_missing_numbers_stay_readable(odd, command):
    expected = {"day": "2020-01-01", "number": None, "list": [1, 2]}
    ticket = command("ask", "odd.lw", "--json").document["tickets"][0]
    assert {name: ticket[name] for name in expected} == expected
    row = command("ask", "odd.lw").rows[0]
    assert (row["day"], row["number"], row["list"]) == ("2020-01-01", "", "[1, 2]")
    command("ticket", "skip", "odd.lw", 0)
    again = command("ticket", "withdraw", "odd.lw", 0, "--again", "--json").document["again"]
    assert {name: again[name] for name in expected} == expected


def test_dates_as_ids_go_out_and_come_back(tmp_path, monkeypatch, command):
    dates = pa.array(range(18_262, 18_268), pa.int32()).cast(pa.date32())
    pq.write_table(pa.table({"id": dates, "pred": ["cat", "dog"] * 3}), tmp_path / "days.parquet")
    monkeypatch.chdir(tmp_path)
    assert command("new", "days.lw", "days.parquet", "--seed", 1).code == 0
    assert command("ask", "days.lw", "--json").document["tickets"][0]["id"].startswith("2020-01-0")
    assert command("tell", "days.lw", "-", stdin="ticket,label\n0,cat\n").code == 0
    for words in (["store", "history", "days.lw", "--json"], ["export", "days.lw", "--json"]):
        assert "2020-01-0" in json.dumps(command(*words).document)


# tell


def test_a_table_is_told_and_rows_without_a_label_are_left_for_later(asked, command, events):
    done = tell(command, "ticket,label,skip\n0,cat,\n1,,\n2,,too dark\n3,,unknown\n", "--json")
    assert done.document == {"told": 3, "before": 0, "left_for_later": 1, "labels": 1}
    assert [kind for kind, _ in events(asked)][6:] == ["told", "skipped", "skipped"]
    assert [body.get("reason") for _, body in events(asked)][7:] == ["too dark", ""]
    assert [body.get("is_unknown") for _, body in events(asked)][7:] == [False, True]


def test_the_same_label_again_was_told_before(asked, command, contents):
    tell(command, "ticket,label\n0,cat\n1,dog\n")
    before = contents(asked.parent)
    done = tell(command, "ticket,label\n0,cat\n1,dog\n", "--json")
    assert (done.code, done.document) == (0, {"told": 0, "before": 2, "left_for_later": 0, "labels": 2})
    assert contents(asked.parent) == before
    assert tell(command, "ticket,label\n0,cat\n1,dog\n2,cow\n").out == "1 told, 3 labels in all; 2 were told before.\n"


def test_a_key_makes_a_label_safe_to_send_again(asked, command):
    assert tell(command, "ticket,label,key\n0,cat,a\n", "--json").document["told"] == 1
    command("ticket", "withdraw", "spring.lw", 0)
    assert tell(command, "ticket,label,key\n0,cat,a\n", "--json").document["told"] == 0
    done = tell(command, "ticket,label,key\n1,cat,a\n")
    assert done.code == 4
    assert done.err == (
        "Error: Row 1: Key 'a' was used before for something else. Use a new key for every label. Nothing was told.\n"
    )


def test_who_labelled_is_who_the_row_says_then_who_the_command_says_then_who_was_asked(spring, command):
    command("ask", "spring.lw", "-n", 3, "--labeller", "ann")
    tell(command, "ticket,label,labeller\n0,cat,bob\n1,cat,\n", "--labeller", "eve")
    tell(command, "ticket,label\n2,cat\n")
    labellers = [row["labeller"] for row in command("export", "spring.lw").rows]
    assert labellers == ["bob", "eve", "ann"]


def filled_in(document):
    return json.dumps(document | {"tickets": [ticket | {"label": "cat"} for ticket in document["tickets"]]})


def as_list(document):
    return json.dumps([{"ticket": ticket["ticket"], "label": "cat"} for ticket in document["tickets"]])


def as_lines(document):
    return "".join(json.dumps(ticket | {"label": "cat"}) + "\n" for ticket in document["tickets"])


def as_labels(document):
    return json.dumps({"labels": json.loads(as_list(document))})


@pytest.mark.parametrize("labeller", [filled_in, as_list, as_lines, as_labels])
def test_what_ask_gives_comes_back_through_a_pipe(spring, command, labeller):
    for n_labels in (4, 8):
        asked = command("ask", "spring.lw", "-n", 4, "--json").document
        done = tell(command, labeller(asked), "--json")
        assert (done.code, done.err) == (0, "")
        assert done.document == {"told": 4, "before": 0, "left_for_later": 0, "labels": n_labels}


@pytest.mark.parametrize("text", ["x" * 1_000_000, 'a\u2028b\x85c\x0bd "quoted", and\nmore'])
@pytest.mark.parametrize("kind", ["csv", "json", "jsonl"])
def test_long_and_strange_contents_come_back(tmp_path, monkeypatch, command, text, kind):
    pq.write_table(pa.table({"pred": ["cat", "dog"], "text": [text, text]}), tmp_path / "long.parquet")
    monkeypatch.chdir(tmp_path)
    assert command("new", "spring.lw", "long.parquet", "--content", "text", "--seed", 1).code == 0
    asked = command("ask", "spring.lw", "-n", 2, "--format", kind).out
    if kind == "csv":
        assert asked.count(text.replace('"', '""')) == 2
        answer = asked.replace(",,\n", ",dog,\n")
    else:
        tickets = json.loads(asked)["tickets"] if kind == "json" else list(map(json.loads, asked.split("\n")[:2]))
        assert [ticket["text"] for ticket in tickets] == [text, text]
        rows = [json.dumps(ticket | {"label": "dog"}, ensure_ascii=False) for ticket in tickets]
        answer = f"[{', '.join(rows)}]" if kind == "json" else "\n".join(rows)
    done = tell(command, answer)
    assert (done.code, done.err) == (0, "")
    assert [row["label"] for row in command("export", "spring.lw").rows] == ["dog", "dog"]


def test_a_table_of_a_spreadsheet_with_semicolons_and_a_byte_order_mark_is_understood(asked, command):
    (asked.parent / "excel.csv").write_bytes("\ufeffticket;label\r\n0;cat\r\n1;dog\r\n".encode())
    assert command("tell", "spring.lw", "excel.csv", "--json").document["told"] == 2
    assert tell(command, "\ufeffticket,label\r\n2,cat\r\n", "--json").document["told"] == 1


BAD_TELLS = {
    "unknown ticket": (
        "ticket,label\n0,cat\n99,cat\n",
        3,
        "Row 2: There is no ticket 99; 5 have been handed out so far, from 0. Nothing was told.",
    ),
    "label outside the classes": (
        "ticket,label\n0,cat\n1,dgo\n",
        1,
        "Row 2: Label 'dgo' is not one of the 3 classes. Did you mean 'dog'? Nothing was told.",
    ),
    "label in JSON outside the classes": (
        '[{"ticket": 0, "label": 7}]',
        1,
        "Row 1: Label '7' is not one of the 3 classes. Available: 'cat', 'cow', 'dog'. Nothing was told.",
    ),
    "two labels for a ticket": (
        "ticket,label\n0,cat\n0,dog\n",
        4,
        "Row 2: Ticket 0 was already told 'cat'. Withdraw it before telling it again. Nothing was told.",
    ),
    "another label than before": (
        "ticket,label\n1,cat\n4,dog\n",
        4,
        "Row 2: Ticket 4 was already told 'cow'. Withdraw it before telling it again. Nothing was told.",
    ),
    "a label and a skip": (
        "ticket,label,skip\n0,cat,dark\n",
        1,
        "Row 1: has both a label ('cat') and a reason to skip. Keep one of them.",
    ),
    "a ticket that is no number": (
        "ticket,label\nx7,cat\n",
        1,
        "Row 1: the ticket must be a whole number, but is 'x7'. Nothing was told.",
    ),
    "no column of tickets": (
        "tickets,label\n0,cat\n",
        1,
        "Row 1 of '-' has no 'ticket'. It has: 'tickets', 'label'.",
    ),
    "a ragged row": (
        "ticket,label\n0,cat\n1\n",
        1,
        "Row 2 of '-' does not have 2 cells as the header has. Complete it.",
    ),
    "nothing": ("\n", 1, "'-' is empty. Check that it was written completely."),
    "a list of numbers": ("[1, 2]", 1, "Row 1 of '-' is not a JSON object. Write one object a label."),
    "broken JSON": (
        '{"ticket": 0, "label": "cat"}\n{"ticket": 1, "label": \n',
        1,
        "Row 2 of '-' is not JSON: Expecting value at character 24.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_TELLS)
def test_a_file_with_one_wrong_row_tells_nothing(asked, command, contents, case):
    text, code, sentence = BAD_TELLS[case]
    tell(command, "ticket,label\n4,cow\n")
    before = contents(asked.parent)
    done = tell(command, text)
    assert (done.code, done.out, done.err) == (code, "", f"Error: {sentence}\n")
    assert contents(asked.parent) == before


@pytest.mark.parametrize("row", [1, 500, 1_000])
def test_one_bad_row_among_a_thousand_is_named_and_nothing_is_told(tmp_path, monkeypatch, command, contents, row):
    rows = "".join(f"{k},{k % 4}\n" for k in range(1_000))
    (tmp_path / "many.csv").write_text(f"id,pred\n{rows}")
    monkeypatch.chdir(tmp_path)
    command("new", "spring.lw", "many.csv", "--seed", 1)
    command("ask", "spring.lw", "-n", 1_000, "-o", "asked.csv")
    labels = [f"{k},{9 if k == row - 1 else 3}\n" for k in range(1_000)]
    (tmp_path / "labelled.csv").write_text("ticket,label\n" + "".join(labels))
    before = contents(tmp_path)
    done = command("tell", "spring.lw", "labelled.csv")
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        f"Error: Row {row}: Label '9' is not one of the 4 classes. Available: 0, 1, 2, 3. Nothing was told.\n"
    )
    assert contents(tmp_path) == before
    (tmp_path / "labelled.csv").write_text("ticket,label\n" + "".join(labels).replace(",9\n", ",3\n"))
    assert command("tell", "spring.lw", "labelled.csv", "--json").document["told"] == 1_000


def test_a_conflict_in_row_1000_takes_back_the_999_before(tmp_path, monkeypatch, command, contents):
    (tmp_path / "many.csv").write_text("id,pred\n" + "".join(f"{k},{k % 4}\n" for k in range(1_000)))
    monkeypatch.chdir(tmp_path)
    command("new", "spring.lw", "many.csv", "--seed", 1)
    command("ask", "spring.lw", "-n", 1_000, "-o", "asked.csv")
    command("ticket", "skip", "spring.lw", 999)
    before = contents(tmp_path)
    done = tell(command, "ticket,label\n" + "".join(f"{k},3\n" for k in range(1_000)))
    assert done.code == 4
    assert done.err == (
        "Error: Row 1000: Ticket 999 was already skipped. Withdraw it before telling it again. Nothing was told.\n"
    )
    assert contents(tmp_path) == before


@pytest.mark.parametrize("where", ["-", "labelled.csv"])
def test_text_that_is_not_utf_8_is_refused_in_a_sentence(asked, command, contents, where):
    raw = "ticket,label\n0,cät\n".encode("latin-1")
    (asked.parent / "labelled.csv").write_bytes(raw)
    before = contents(asked.parent)
    done = command("tell", "spring.lw", where, stdin=raw)
    assert done.code in (1, 3)
    assert done.err == f"Error: '{where}' cannot be read as UTF-8 text. Check the path, and save it as UTF-8.\n"
    assert contents(asked.parent) == before


def test_a_file_that_is_not_there_is_not_found(asked, command):
    done = command("tell", "spring.lw", "labeled.csv")
    assert (done.code, done.err) == (3, "Error: 'labeled.csv' does not exist. Check the path.\n")


@pytest.mark.parametrize(
    "words",
    [
        ["ask"], ["tell", "-"], ["ticket", "skip", 1], ["ticket", "withdraw", 0], ["ticket", "renew", 1],
        ["store", "import", "-", "--drawn-at-random"], ["store", "close"], ["label"],
    ],
    ids=called,
)  # fmt: skip
def test_after_close_nothing_more_is_taken(asked, command, contents, words):
    tell(command, "ticket,label\n0,cat\n")
    free = next(row["id"] for row in command("ask", "spring.lw").rows)
    command("store", "close", "spring.lw")
    before = contents(asked.parent)
    text = f"id,label\n{free},cat\n" if words[1:2] == ["import"] else "ticket,label\n1,cat\n"
    done = command(*with_store(words, "spring.lw"), stdin=text)
    row = "Row 1: " if words[0] == "tell" else ""
    end = " Nothing was told." if words[0] == "tell" else ""
    sentence = f"Error: {row}This assessment is closed; nothing more can be asked or told.{end}\n"
    assert (done.code, done.err) == (4, sentence)
    assert contents(asked.parent) == before


def test_what_was_told_before_the_close_may_be_sent_again(asked, command):
    tell(command, "ticket,label\n0,cat\n")
    command("store", "close", "spring.lw")
    assert tell(command, "ticket,label\n0,cat\n", "--json").document["before"] == 1


def test_a_late_label_counts_if_nobody_was_faster(folder, command):
    command("new", "spring.lw", "predictions.csv", "--lease", "0.000001", "--budget", 3, "--seed", 1)
    late = command("ask", "spring.lw").rows[0]
    assert tell(command, f"ticket,label\n{late['ticket']},cat\n").code == 0
    late = command("ask", "spring.lw", "--labeller", "ann").rows[0]
    handed = command("ask", "spring.lw", "-n", 240, "--labeller", "bob").rows
    other = next(row["ticket"] for row in handed if row["id"] == late["id"])
    assert tell(command, f"ticket,label\n{other},cat\n").code == 0
    done = tell(command, f"ticket,label\n{late['ticket']},dog\n")
    assert done.code == 4
    assert done.err == (
        f"Error: Row 1: Ticket {late['ticket']} ran out, and its item has been labelled or skipped since; "
        "nothing was changed. Nothing was told.\n"
    )


# skip, withdraw, renew


def test_skip_takes_a_reason_or_that_one_does_not_know(asked, command, events):
    assert command("ticket", "skip", "spring.lw", 3, "--reason", "image is broken").out == "Ticket 3 is skipped.\n"
    done = command("ticket", "skip", "spring.lw", 4, "--unknown", "--labeller", "ann", "--json")
    assert done.document == {"ticket": 4, "status": "unknown"}
    assert [(body["reason"], body["is_unknown"], body["labeller"]) for _, body in events(asked)[-2:]] == [
        ("image is broken", False, ""),
        ("", True, "ann"),
    ]
    found = command("answer", "spring.lw", "--no-forecast", "--json").document
    assert (found["labels"]["skipped"], found["labels"]["unknown"]) == (1, 1)
    assert found["notes"][0].startswith("2 items have no label (1 because nobody knew, 1 skipped)")


def test_withdraw_brings_the_answer_back_exactly_and_the_history_keeps_both(asked, command):
    groups = command("answer", "spring.lw", "--no-forecast", "--json").document["groups"]
    tell(command, "ticket,label\n3,cat\n")
    assert command("ticket", "withdraw", "spring.lw", 3).out == "Ticket 3 is withdrawn.\n"
    again = command("answer", "spring.lw", "--no-forecast", "--json").document["groups"]
    before, after = ({row["group"]: [row["mean"], row["low"], row["high"]] for row in g} for g in (groups, again))
    assert before == after
    kinds = [row["kind"] for row in command("store", "history", "spring.lw", "--json").document["events"]]
    assert kinds[-2:] == ["told", "withdrawn"]


def test_withdraw_again_hands_the_same_item_out_under_a_new_number(asked, command):
    before = next(
        row for row in command("store", "history", "spring.lw", "--json").document["events"] if row.get("ticket") == 3
    )
    tell(command, "ticket,label\n3,cat\n")
    found = command("ticket", "withdraw", "spring.lw", 3, "--again", "--json").document
    assert (found["ticket"], found["status"], found["again"]["ticket"]) == (3, "withdrawn", 5)
    assert found["again"]["id"] == before["item"]
    assert tell(command, "ticket,label\n5,dog\n", "--json").document["told"] == 1
    done = command("ticket", "withdraw", "spring.lw", 5, "--again")
    assert done.out == "Ticket 5 is withdrawn. Its item is out again as ticket 6.\n"


def test_renew_holds_a_ticket_longer(asked, command, events):
    done = command("ticket", "renew", "spring.lw", 0)
    assert re.fullmatch(r"Ticket 0 is held until \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\.\n", done.out)
    (_, first), *_, (kind, renewed) = events(asked)[1:]
    assert (kind, renewed["ticket"]) == ("renewed", 0)
    assert renewed["until"] > first["until"]
    assert set(command("ticket", "renew", "spring.lw", 0, "--json").document) == {"ticket", "until"}


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["ticket", "skip", 99], 3, "There is no ticket 99; 5 have been handed out so far, from 0."),
        (["ticket", "withdraw", 99], 3, "There is no ticket 99; 5 have been handed out so far, from 0."),
        (["ticket", "renew", 99], 3, "There is no ticket 99; 5 have been handed out so far, from 0."),
        (["ticket", "skip", 0], 4, "Ticket 0 was already told 'cat'. Withdraw it before telling it again."),
        (["ticket", "renew", 0], 4, "Ticket 0 was already told 'cat'. Withdraw it before telling it again."),
        (["ticket", "skip", 1], 4, "Ticket 1 was already skipped. Withdraw it before telling it again."),
        (["ticket", "skip", 2], 4, "Ticket 2 was withdrawn. Ask for a new one."),
        (["ticket", "withdraw", 3], 4, "Ticket 3 is open; there is nothing to withdraw."),
        (["ticket", "withdraw", 2, "--again"], 4, "Ticket 2 is withdrawn; there is nothing to withdraw."),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else "",
)
def test_what_a_ticket_does_not_allow_is_refused(asked, command, contents, words, code, sentence):
    tell(command, "ticket,label,skip\n0,cat,\n1,,dark\n2,dog,\n")
    command("ticket", "withdraw", "spring.lw", 2)
    before = contents(asked.parent)
    done = command(*with_store(words, "spring.lw"))
    assert (done.code, done.out, done.err) == (code, "", f"Error: {sentence}\n")
    assert contents(asked.parent) == before


# import


def test_labels_drawn_at_random_are_imported(spring, command, truth):
    known = "".join(f"{item},{label}\n" for item, label in list(truth.items())[:30])
    done = command("store", "import", "spring.lw", "-", "--drawn-at-random", stdin=f"id,label\n{known}")
    assert (done.code, done.out) == (0, "30 labels imported.\n")
    assert command("answer", "spring.lw", "--no-forecast", "--json").document["labels"]["told"] == 30
    rows = command("export", "spring.lw").rows
    assert {row["id"]: row["label"] for row in rows} == dict(list(truth.items())[:30])
    assert {row["status"] for row in rows} == {"imported"}


def test_ids_that_are_numbers_are_found(tmp_path, monkeypatch, command):
    (tmp_path / "numbers.csv").write_text("id,pred\n" + "".join(f"{k},{k % 2}\n" for k in range(10)))
    monkeypatch.chdir(tmp_path)
    command("new", "n.lw", "numbers.csv", "--seed", 1)
    document = json.dumps([{"id": 3, "label": 1}, {"id": "4", "label": "0"}])
    assert command("store", "import", "n.lw", "-", "--drawn-at-random", "--json", stdin=document).document == {
        "imported": 2
    }


@pytest.mark.parametrize(
    ("text", "words", "code", "sentence"),
    [
        ("id,label\ni000,cat\n", [], 1, "Labels that were not drawn at random within each group make intervals wrong, "
                                        "and are not imported. Say --drawn-at-random if they were."),
        ("id,label\ni000,cat\nnone,cat\n", ["--drawn-at-random"], 1,
         "Row 2: Item 'none' is not in the pool. Nothing was imported."),
        ("id,label\ni000,cat\ni000,cat\n", ["--drawn-at-random"], 1,
         "Row 2: Item 'i000' comes twice. Nothing was imported."),
        ("id,label\ni000,cta\n", ["--drawn-at-random"], 1,
         "Row 1: Label 'cta' is not one of the 3 classes. Did you mean 'cat'? Nothing was imported."),
        ("item,label\ni000,cat\n", ["--drawn-at-random"], 1, "Row 1 of '-' has no 'id'. It has: 'item', 'label'."),
    ],
    ids=["not drawn at random", "unknown item", "an item twice", "label outside the classes", "no ids"],
)  # fmt: skip
def test_what_cannot_be_imported_changes_nothing(spring, command, contents, text, words, code, sentence):
    before = contents(spring.parent)
    done = command("store", "import", "spring.lw", "-", *words, stdin=text)
    assert (done.code, done.out, done.err) == (code, "", f"Error: {sentence}\n")
    assert contents(spring.parent) == before


def test_an_item_that_has_a_label_is_not_imported(asked, command, contents):
    tell(command, "ticket,label\n0,cat\n")
    item = command("export", "spring.lw").rows[0]["id"]
    before = contents(asked.parent)
    done = command("store", "import", "spring.lw", "-", "--drawn-at-random", stdin=f"id,label\n{item},dog\n")
    assert done.code == 4
    assert done.err == f"Error: Item '{item}' has been labelled or skipped already; nothing was imported.\n"
    assert contents(asked.parent) == before


# safety of cells


@pytest.fixture
def formulas(tmp_path, monkeypatch, command):
    """A pool whose ids, contents, column names and classes are what a spreadsheet would run."""
    n = len(DANGEROUS)
    columns = {
        "id": [f"{sign}1+{k}" for k, sign in enumerate(DANGEROUS)],
        "pred": [f"{sign}cat" for sign in DANGEROUS],
        "=text": [f"{sign}SUM(A1)" for sign in DANGEROUS],
    }
    pq.write_table(pa.table(columns), tmp_path / "formulas.parquet")
    monkeypatch.chdir(tmp_path)
    for name in ("spring.lw", "autumn.lw"):
        words = ["--content", "=text", "--by", "nothing", "--question", "estimate", "--seed", 1]
        assert command("new", name, "formulas.parquet", *words).code == 0
    return [columns["id"], columns["pred"], n]


def cells(text):
    return [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]


@pytest.mark.parametrize("where", ["-", "to_label.csv"])
def test_no_cell_that_is_asked_begins_a_formula(formulas, tmp_path, command, where):
    done = command("ask", "spring.lw", "-n", len(DANGEROUS), "-o", where)
    text = done.out if where == "-" else (tmp_path / where).read_bytes().decode()
    assert len(cells(text)) == (1 + len(DANGEROUS)) * 6
    assert not [cell for cell in cells(text) if cell.startswith(DANGEROUS)]
    assert {cell.removeprefix("'") for cell in cells(text)[7::6]} == set(formulas[0])


@pytest.mark.parametrize("apostrophe", ["", "'"], ids=["as it is", "with an apostrophe"])
@pytest.mark.parametrize("kind", ["csv", "json", "file"])
def test_labels_that_look_like_formulas_go_round(formulas, tmp_path, command, apostrophe, kind):
    _, classes, n = formulas
    tickets = command("ask", "spring.lw", "-n", n, "--json").document["tickets"]
    rows = [{"ticket": t["ticket"], "label": apostrophe + name} for t, name in zip(tickets, classes, strict=True)]
    table = io.StringIO(newline="")
    writer = csv.DictWriter(table, ["ticket", "label"])
    writer.writeheader()
    writer.writerows(rows)
    (tmp_path / "labelled.csv").write_bytes(table.getvalue().encode())
    where = "labelled.csv" if kind == "file" else "-"
    done = command("tell", "spring.lw", where, stdin=json.dumps(rows) if kind == "json" else table.getvalue())
    assert (done.code, done.err) == (0, "")
    exported = command("export", "spring.lw", "--json").document["labels"]
    assert [row["label"] for row in exported] == classes


def test_what_is_exported_is_harmless_and_can_be_imported_elsewhere(formulas, tmp_path, command):
    ids, classes, n = formulas
    tickets = command("ask", "spring.lw", "-n", n, "--labeller", "=who", "--json").document["tickets"]
    said = [{"ticket": ticket["ticket"], "label": classes[ids.index(ticket["id"])]} for ticket in tickets[:-1]]
    assert tell(command, json.dumps([*said, {"ticket": tickets[-1]["ticket"], "skip": "@why"}])).code == 0
    assert command("export", "spring.lw", "-o", "labels.csv", "--with-predictions").code == 0
    text = (tmp_path / "labels.csv").read_bytes().decode()
    assert not [cell for cell in cells(text) if cell.startswith(DANGEROUS)]
    assert "'=who" in cells(text)
    assert "'@why" in cells(text)
    lines = list(csv.reader(io.StringIO(text, newline="")))
    told = io.StringIO(newline="")
    csv.writer(told).writerows(line[:2] for line in lines if line[1])
    (tmp_path / "told.csv").write_bytes(told.getvalue().encode())
    done = command("store", "import", "autumn.lw", "told.csv", "--drawn-at-random")
    assert (done.code, done.err) == (0, "")
    found = {row["id"]: row["label"] for row in command("export", "autumn.lw", "--json").document["labels"]}
    assert found == {ticket["id"]: classes[ids.index(ticket["id"])] for ticket in tickets[:-1]}


# blindness


@pytest.mark.parametrize("words", [[], ["--by", "score", "--bins", "3"], ["--question", "versus", "--rival", "rival"]])
@pytest.mark.parametrize("kind", ["csv", "json", "jsonl"])
def test_a_blind_labeller_is_told_nothing_by_ask(secret, command, told_secrets, words, kind):
    store = secret(*words)
    done = command("ask", store, "-n", 20, "--format", kind)
    text = json.dumps(done.document["tickets"]) if kind == "json" else done.out
    assert text.count("about ") == 20
    assert told_secrets(text) == []


@pytest.mark.parametrize("with_json", [[], ["--json"]])
def test_a_blind_labeller_is_told_nothing_by_the_other_commands(secret, command, told_secrets, with_json):
    store = secret()
    command("ask", store, "-n", 4)
    steps = [
        ["tell", store, "-"], ["ticket", "renew", store, 3], ["ticket", "skip", store, 2],
        ["ticket", "withdraw", store, 1], ["ticket", "withdraw", store, 0, "--again"],
    ]  # fmt: skip
    for words in steps:
        done = command(*words, *with_json, stdin="ticket,label\n0,yes\n1,no\n")
        assert (done.code, done.err) == (0, "")
        assert told_secrets(done.out) == []


def test_who_is_to_see_the_prediction_sees_it_and_the_settings_say_so(secret, command):
    store = secret("--show-prediction")
    assert command("ask", store).out.splitlines()[0] == "ticket,id,text,prediction,assessment,label,skip"
    assert command("ask", store).rows[0]["prediction"].startswith("PREDICTED-")
    assert command("ask", store, "--json").document["tickets"][0]["prediction"].startswith("PREDICTED-")
    assert "PREDICTED-" in command("ask", store, "--format", "jsonl").out
    command("ticket", "skip", store, 0)
    assert "PREDICTED-" in command("ticket", "withdraw", store, 0, "--again", "--json").document["again"]["prediction"]
    assert command("status", store, "--json").document["assessments"][0]["settings"]["is_blind"] is False
    assert command("answer", store, "--no-forecast", "--json").document["settings"]["is_blind"] is False


@pytest.mark.parametrize("named", [["--predicted", "pred", "--confidence", "conf"], []], ids=["named", "guessed"])
@pytest.mark.parametrize("column", ["pred", "conf"])
@pytest.mark.parametrize("word", ["--show", "--content"])
def test_a_column_that_is_the_prediction_is_not_shown_under_another_name(secret_pool, command, named, column, word):
    classes = ["--classes", "yes,no,PREDICTED-A,PREDICTED-B"]
    done = command("new", "named.lw", "secret.csv", *named, *classes, word, column)
    assert (done.code, done.out) == (2, "")
    assert f"'{column}'" in done.err
    assert "--show-prediction" in done.err
    done = command("new", "named.lw", "secret.csv", *named, *classes, word, column, "--show-prediction", "--json")
    assert done.document["settings"]["is_blind"] is False


def test_an_unwritable_file_is_said_before_a_ticket_is_handed_out(spring, command, contents):
    before = contents(spring.parent)
    done = command("ask", "spring.lw", "-n", 3, "-o", "nowhere/to_label.csv")
    assert (done.code, done.out) == (3, "")
    assert done.err == "Error: 'nowhere/to_label.csv' cannot be written: No such file or directory.\n"
    assert contents(spring.parent) == before


def test_an_unknown_format_is_wrong_usage(spring, command, contents):
    before = contents(spring.parent)
    done = command("ask", "spring.lw", "--format", "xml")
    assert (done.code, done.out) == (2, "")
    assert done.err == "Error: `--format` must be one of 'csv', 'json', 'jsonl', but is 'xml'.\n"
    assert contents(spring.parent) == before
