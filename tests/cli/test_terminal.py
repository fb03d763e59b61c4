"""`labelwise label`: in a real terminal with single keys, and with lines when there is none."""

import getpass
import io
import json
import re
import termios
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import labelwise as lw
from labelwise.cli import terminal as module


def items_of(screen):
    """Return the ids in the order in which they were shown."""
    return re.findall(r"^  id: (\S+)$", screen, re.MULTILINE)


def said(events, store):
    """Return what was told, skipped and taken back, in order."""
    return [(kind, body["ticket"]) for kind, body in events(store) if kind in ("told", "skipped", "withdrawn")]


class Lines(io.StringIO):
    """Lines of a labeller, with something that happens elsewhere before one of them."""

    def __init__(self, text, **meanwhile):
        super().__init__(text)
        self._meanwhile = {int(number.removeprefix("before_")): act for number, act in meanwhile.items()}
        self._number = 0

    def readline(self, size=-1):
        self._number += 1
        self._meanwhile.get(self._number, lambda: None)()
        return super().readline(size)


# lines


def test_lines_label_skip_undo_and_leave(spring, command, events):
    done = command("label", "spring.lw", "--labeller", "ann", stdin="cat\n:s too dark\n:d\ndog\n:u\ncow\n:q\n")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Type one of 3 classes (its beginning is enough) and Enter.\n:u undo  :s skip  :d don't")
    assert said(events, spring) == [
        ("told", 0), ("skipped", 1), ("skipped", 2), ("told", 3), ("withdrawn", 3), ("told", 5),
    ]  # fmt: skip
    shown = items_of(done.out)
    assert shown[4] != shown[3]  # the next one, put aside by the undo
    assert shown[5] == shown[3]  # the same item again
    assert shown[6] == shown[4]  # and then the one put aside
    rows = command("export", "spring.lw").rows
    assert [(row["id"], row["label"], row["status"], row["reason"]) for row in rows] == [
        (shown[0], "cat", "told", ""),
        (shown[1], "", "skipped", "too dark"),
        (shown[2], "", "unknown", ""),
        (shown[3], "cow", "told", ""),
    ]
    assert {row["labeller"] for row in rows} == {"ann"}
    assert done.out.endswith("4 settled in this session; all of them are kept.\n")


def test_the_beginning_of_a_class_is_enough_unless_several_begin_so(spring, command):
    done = command("label", "spring.lw", stdin="d\nc\nCO\nx\n\n:q\n")
    assert "2 classes begin with 'c': cat, cow\n" in done.out
    assert "No class begins with 'x': cat, cow, dog\n" in done.out
    assert "No class begins with '': cat, cow, dog\n" in done.out
    assert [row["label"] for row in command("export", "spring.lw").rows] == ["dog", "cow"]
    assert len(set(items_of(done.out))) == 3  # what was not understood shows the same item again


def test_a_class_that_begins_another_is_meant_when_it_is_typed_whole(tmp_path, monkeypatch, command):
    (tmp_path / "p.csv").write_text("id,pred\na,cat\nb,catfish\n")
    monkeypatch.chdir(tmp_path)
    command("new", "p.lw", "p.csv", "--seed", 1)
    done = command("label", "p.lw", stdin="cat\ncatf\n")
    assert [row["label"] for row in command("export", "p.lw").rows] == ["cat", "catfish"]
    assert "There is nothing to hand out: every item that can change the answer has been asked.\n" in done.out


@pytest.mark.parametrize("word", [":s too dark", ":skip too dark", ":S too dark"])
def test_a_reason_is_what_stands_after_the_command(spring, command, word):
    command("label", "spring.lw", stdin=f"{word}\n:q\n")
    row = command("export", "spring.lw").rows[0]
    assert (row["status"], row["reason"]) == ("skipped", "too dark")


def test_help_is_given_when_asked_and_when_a_command_is_not_known(spring, command):
    done = command("label", "spring.lw", stdin=":h\n:x\n:q\n")
    assert done.out.count(":u undo  :s skip  :d don't know  :h help  :q quit") == 3
    assert len(set(items_of(done.out))) == 1


def test_nothing_to_undo_is_said(spring, command, events):
    done = command("label", "spring.lw", stdin=":u\n:q\n")
    assert "Nothing to undo in this session; `labelwise ticket withdraw` takes back earlier labels.\n" in done.out
    assert said(events, spring) == []


def test_many_steps_can_be_undone_and_the_answer_returns(spring, command, events):
    before = command("answer", "spring.lw", "--no-forecast", "--json").document["groups"]
    done = command("label", "spring.lw", stdin="cat\n" * 12 + ":u\n" * 12 + ":q\n")
    shown = items_of(done.out)
    assert shown[13:] == shown[11::-1]
    assert [kind for kind, _ in said(events, spring)] == ["told"] * 12 + ["withdrawn"] * 12
    after = command("answer", "spring.lw", "--no-forecast", "--json").document
    means = ({row["group"]: row["mean"] for row in groups} for groups in (before, after["groups"]))
    assert next(means) == next(means)
    assert after["labels"]["out"] == 0


@pytest.mark.parametrize("end", [":q\n", ""], ids=["quit", "end of input"])
def test_leaving_gives_the_item_back_at_once(spring, command, end):
    done = command("label", "spring.lw", stdin=f"cat\n:u\n{end}")
    assert done.code == 0
    handed = command("ask", "spring.lw", "-n", 240, "--labeller", "bob").rows
    assert len(handed) == 240
    assert set(items_of(done.out)) <= {row["id"] for row in handed}


def test_every_label_is_kept_before_the_next_item_is_shown(spring, command, events):
    seen = []
    lines = Lines("cat\ndog\n:q\n", before_2=lambda: seen.extend(said(events, spring)))
    command("label", "spring.lw", stdin=lines)
    assert seen == [("told", 0)]


def test_it_leaves_after_so_many_labels(spring, command, events):
    done = command("label", "spring.lw", "-n", 2, stdin="cat\ndog\ncow\n")
    assert [kind for kind, _ in said(events, spring)] == ["told", "told"]
    assert done.out.endswith("2 settled in this session; all of them are kept.\n")


def test_running_it_again_goes_on(spring, command):
    first = command("label", "spring.lw", "-n", 2, stdin="cat\ncat\n").out
    second = command("label", "spring.lw", "-n", 2, stdin="cat\ncat\n").out
    assert "\n2 labels; go on" in second
    assert not set(items_of(first)) & set(items_of(second))


def test_two_labellers_never_have_the_same_item(spring, command):
    other = []
    lines = Lines("cat\n:q\n", before_1=lambda: other.extend(command("ask", "spring.lw", "-n", 100).rows))
    done = command("label", "spring.lw", "--labeller", "ann", stdin=lines)
    assert not set(items_of(done.out)) & {row["id"] for row in other}


def test_a_label_that_came_too_late_is_said_and_cannot_be_undone(spring, command, events):
    def faster():
        store = lw.SqliteStore(spring)
        later = lw.Assessment.reopen(store.journal("main"), clock=lambda: time.time() + 3_600)  # the lease is over
        later.tell_all([lw.assessment.Said(ticket, "dog") for ticket in later.ask(200, labeller="bob")])
        store.close()

    done = command("label", "spring.lw", "--labeller", "ann", stdin=Lines("cat\n:u\n:q\n", before_1=faster))
    assert "Ticket 0 ran out, and its item has been labelled or skipped since; nothing was changed. On to" in done.out
    assert "Nothing to undo in this session" in done.out
    assert done.out.endswith("0 settled in this session; all of them are kept.\n")
    assert (done.code, done.err) == (0, "")
    assert len(said(events, spring)) == 200


def test_contents_cannot_steer_the_terminal(tmp_path, monkeypatch, command):
    columns = {
        "id": ["a\x1b[2J", "b\x07"],
        "pred": ["cat\x1b[31m\x07", "dog"],
        "text": ["red \x1b[31m\u202e", "two\nlines"],
    }
    pq.write_table(pa.table(columns), tmp_path / "p.parquet")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("labelwise.cli.terminal.has_keys", lambda: True)  # the classes are printed too
    monkeypatch.setattr("labelwise.cli.terminal.read_key", iter("12").__next__)
    command("new", "p.lw", "p.parquet", "--content", "text", "--seed", 1)
    done = command("label", "p.lw")
    assert "  text: red ?[31m?\n" in done.out
    assert "  text: two\nlines\n" in done.out
    assert not set(done.out) & {"\x1b", "\x07", "\u202e"}


def test_whoever_is_logged_in_labels_and_nobody_if_there_is_no_login(spring, command, monkeypatch):
    monkeypatch.setattr(getpass, "getuser", lambda: "mary")
    command("label", "spring.lw", stdin="cat\n")

    def nobody():
        raise KeyError("getpwuid(): uid not found: 1234")  # as in a container with a user of its own

    monkeypatch.setattr(getpass, "getuser", nobody)
    assert command("label", "spring.lw", stdin="cat\n").code == 0
    assert [row["labeller"] for row in command("export", "spring.lw").rows] == ["mary", ""]


def test_the_session_ends_in_one_document_for_machines_and_the_screen_goes_elsewhere(spring, command):
    done = command("label", "spring.lw", "--json", stdin="cat\n:s\n:q\n")
    assert done.code == 0
    assert done.document["settled"] == 2
    assert "  id: " in done.err


# keys, without a terminal


@pytest.fixture
def keys(monkeypatch, command):
    """Labels with these keys, as if there were a terminal."""

    def run(store, pressed):
        monkeypatch.setattr(module, "has_keys", lambda: True)
        monkeypatch.setattr(module, "read_key", iter(pressed).__next__)
        return command("label", store, "--labeller", "ann")

    return run


@pytest.mark.parametrize("undo", ["u", "U", "\x7f", "\x08"])
def test_keys_that_undo(spring, keys, events, undo):
    done = keys("spring.lw", ["1", undo, "q"])
    assert [kind for kind, _ in said(events, spring)] == ["told", "withdrawn"]
    assert "Ticket 0 is withdrawn; here is its item again.\n" in done.out


@pytest.mark.parametrize("leave", ["q", "Q", "\x04", ""])
def test_keys_that_leave(spring, keys, events, leave):
    assert keys("spring.lw", ["3", leave]).code == 0
    assert said(events, spring) == [("told", 0)]


def test_other_keys_give_help(spring, keys, events):
    done = keys("spring.lw", ["9", "\x1b", "h", "q"])
    assert done.out.count("1 cat  2 cow  3 dog\nu undo  s skip  d don't know  h help  q quit\n") == 4
    assert said(events, spring) == []


def test_more_classes_than_keys_are_typed(tmp_path, monkeypatch, command):
    (tmp_path / "many.csv").write_text("id,pred\n" + "".join(f"{k},class{k}\n" for k in range(40)))
    monkeypatch.chdir(tmp_path)
    command("new", "many.lw", "many.csv", "--by", "nothing", "--question", "estimate", "--seed", 1)
    monkeypatch.setattr(module, "has_keys", lambda: True)
    done = command("label", "many.lw", stdin="class1\nclass39\nno\n:q\n")
    assert done.out.startswith("Type one of 40 classes")
    assert [row["label"] for row in command("export", "many.lw").rows] == ["class1", "class39"]
    assert "No class begins with 'no': class0, class1, " in done.out
    assert " ...\n" in done.out


# a real terminal


def test_a_session_in_a_terminal(spring, terminal, command, events):
    screen = terminal("label", "spring.lw", "--labeller", "ann", cwd=spring.parent)
    assert "1 cat  2 cow  3 dog\nu undo  s skip  d don't know  h help  q quit\n" in screen.wait_for("about ")
    for key, echo in (("1", "> cat\n"), ("2", "> cow\n"), ("u", "> undo\n"), ("3", "> dog\n"), ("s", "> skip\n"),
                      ("d", "> don't know\n"), ("\x1b[D", "\n"), ("3", "> dog\n")):  # fmt: skip
        screen.press(key)
        screen.wait_for(echo)
        screen.wait_for("about ")
    screen.press("q")
    assert screen.end() == 0
    assert said(events, spring) == [
        ("told", 0), ("told", 1), ("withdrawn", 1), ("told", 3), ("skipped", 2), ("skipped", 4), ("told", 5),
    ]  # fmt: skip
    labels = [(row["label"], row["status"]) for row in command("export", "spring.lw").rows]
    assert labels == [("cat", "told"), ("dog", "told"), ("", "skipped"), ("", "unknown"), ("dog", "told")]
    assert "\x1b" not in screen.screen
    shown = items_of(screen.screen)
    assert shown[3] == shown[1]  # undone, and shown again
    freed = {row["id"] for row in command("ask", "spring.lw", "-n", 240, "--labeller", "bob").rows}
    assert len(freed) == 235
    assert shown[-1] in freed


def test_control_c_in_a_terminal_leaves_with_130_and_a_sound_store(spring, terminal, command, events):
    screen = terminal("label", "spring.lw", "--labeller", "ann", cwd=spring.parent)
    screen.wait_for("about ")
    screen.press("1")
    screen.wait_for("> cat\n")
    screen.wait_for("about ")
    screen.press("\x03")
    assert screen.end() == 130
    assert "Traceback" not in screen.screen
    assert "1 settled in this session; all of them are kept." in screen.screen
    assert termios.tcgetattr(screen._master)[3] & (termios.ICANON | termios.ECHO) == termios.ICANON | termios.ECHO
    assert said(events, spring) == [("told", 0)]
    assert command("store", "verify", "spring.lw").code == 0
    assert len(command("ask", "spring.lw", "-n", 240).rows) == 239


# blindness


def session(out):
    """Return the screens of a session without the list of classes at its head, which every labeller has to know."""
    return out.split("\n\n", 1)[1]


@pytest.mark.parametrize("words", [[], ["--by", "score"], ["--question", "versus", "--rival", "rival"]])
@pytest.mark.parametrize("with_keys", [False, True])
def test_a_blind_labeller_is_told_nothing_by_the_screen(secret, command, told_secrets, monkeypatch, words, with_keys):
    monkeypatch.setattr(module, "has_keys", lambda: with_keys)
    monkeypatch.setattr(module, "read_key", iter("1212suq").__next__)
    done = command("label", secret(*words), stdin="yes\nno\nyes\nno\n:s\n:u\n:q\n")
    assert done.out.count("  text: about ") == 7
    assert told_secrets(session(done.out)) == []


def test_who_is_to_see_the_prediction_sees_it_on_the_screen(secret, command):
    done = command("label", secret("--show-prediction"), stdin=":q\n")
    assert re.search(r"  the classifier says: PREDICTED-[AB]\n", done.out)


def test_the_screen_says_how_far_one_is(spring, command):
    done = command("label", "spring.lw", stdin="cat\n:q\n")
    assert "\n0 labels; go on" in done.out
    assert re.search(r"\n1 labels?; go on", done.out)
    assert json.loads(command("status", "spring.lw", "--json").out)["assessments"][0]["labels"] == 1
