"""`labelwise store copy`: between files and a database, exactly, or not at all."""

import pytest

import labelwise as lw


@pytest.fixture
def url(postgres):
    return postgres.fresh()


def test_a_copy_goes_on_where_the_original_stood(asked, command):
    done = command("store", "copy", "spring.lw", "archive.lw")
    assert (done.code, done.err) == (0, "")
    assert done.out == "6 events of 'main' copied to 'archive.lw' as 'main', verified.\n"
    assert (
        command("store", "history", "archive.lw", "--json").document
        == command("store", "history", "spring.lw", "--json").document
    )
    assert command("tell", "archive.lw", "-", stdin="ticket,label\n0,cat\n").code == 0
    assert command("store", "verify", "archive.lw").code == 0


def test_there_and_back_again(asked, command, url, events):
    first = command("store", "copy", "spring.lw", url, "--json")
    second = command("store", "copy", url, "back.lw", "--json")
    assert (first.code, second.code, first.err + second.err) == (0, 0, "")
    assert first.document["hash"] == second.document["hash"]
    assert (first.document["store"], first.document["events"]) == (url, 6)
    assert events("back.lw") == events("spring.lw")
    assert command("store", "verify", url).out == "1 assessment: all as written.\n"


def test_a_name_that_is_taken_leaves_with_4_and_changes_nothing(asked, command, contents):
    command("store", "copy", "spring.lw", "archive.lw")
    before = contents(asked.parent)
    done = command("store", "copy", "spring.lw", "archive.lw")
    assert (done.code, done.out) == (4, "")
    assert done.err == (
        "Error: 'archive.lw' already has an assessment 'main'; nothing was copied. Choose another name with --as.\n"
    )
    assert contents(asked.parent) == before
    assert command("store", "copy", "spring.lw", "archive.lw", "--as", "second").code == 0
    assert [row["name"] for row in command("status", "archive.lw", "--json").document["assessments"]] == [
        "main",
        "second",
    ]
    assert command("store", "verify", "archive.lw").code == 0


def test_what_is_not_there_makes_no_file(asked, command, contents):
    before = contents(asked.parent)
    assert command("store", "copy", "autumn.lw", "archive.lw").code == 3
    assert command("store", "copy", "spring.lw", "archive.lw", "--name", "mian").code == 3
    assert contents(asked.parent) == before


def test_an_edited_assessment_is_not_copied(asked, command):
    with lw.SqliteStore(asked) as store:
        store._connection.execute("UPDATE events SET body = replace(body, 'ticket', 'tiket') WHERE number = 2")
    done = command("store", "copy", "spring.lw", "archive.lw")
    assert done.code == 1
    assert "was not copied: Event 2 (asked) was changed after it was written." in done.err
