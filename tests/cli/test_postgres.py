"""Every command on a PostgreSQL store: the same words, the same answers, and never a password."""

import pytest

from command_words import with_store
from postgres import PASSWORD


@pytest.fixture
def url(postgres):
    """The address of a store that is not there yet, with its password in it."""
    schema = postgres.fresh().rsplit("=", 1)[1]
    return f"{postgres.tcp(PASSWORD)}?schema={schema}"


@pytest.fixture
def team(folder, url, command):
    """A store in a database with five tickets out."""
    done = command("new", url, "predictions.csv", "--content", "text", "--seed", 7, "--prior", "flat")
    assert (done.code, done.err) == (0, "")
    assert command("ask", url, "-n", 5).code == 0
    return url


LINES = {
    "ask": ["ask", "-n", 2],
    "tell": ["tell", "-"],
    "label": ["label", "--labeller", "ann"],
    "ticket skip": ["ticket", "skip", 1],
    "ticket withdraw": ["ticket", "withdraw", 4, "--again"],
    "ticket renew": ["ticket", "renew", 1],
    "store import": ["store", "import", "-", "--drawn-at-random"],
    "answer": ["answer", "--no-forecast"],
    "status": ["status"],
    "store history": ["store", "history"],
    "export": ["export"],
    "store close": ["store", "close"],
    "store verify": ["store", "verify"],
    "store backup": ["store", "backup", "copy.lw"],
    "store copy": ["store", "copy", "copy.lw"],
    "plan": ["plan", "--worlds", 2, "--limit", 5],
    "chart": ["chart"],
    "report": ["report"],
}


@pytest.mark.parametrize("name", LINES)
def test_every_command_takes_an_address_and_shows_no_password(team, command, name):
    assert command("tell", team, "-", stdin="ticket,label\n4,cat\n").code == 0
    handed = [row["item"] for row in command("store", "history", team, "--json").document["events"][1:]]
    free = next(f"i{k:03}" for k in range(240) if f"i{k:03}" not in handed)
    texts = {"tell": "ticket,label\n0,cat\n", "store import": f"id,label\n{free},cat\n", "label": "cat\n:q\n"}
    words = LINES[name]
    done = command(*with_store(words, team), "--json", stdin=texts.get(name, ""))
    assert done.code == (5 if name == "answer" else 0), done.err
    assert isinstance(done.document, dict)
    assert "sesame" not in done.out + done.err
    assert command("store", "verify", team).code == 0


def test_the_answers_are_those_of_a_file(team, spring, command):
    command("ask", "spring.lw", "-n", 5)
    said = {"stdin": "ticket,label\n0,cat\n1,dog\n2,cow\n"}
    assert command("tell", team, "-", **said).out == command("tell", "spring.lw", "-", **said).out
    answers = [command("answer", store, "--no-forecast", "--json").document for store in (team, "spring.lw")]
    assert answers[0] == answers[1]
    exports = [command("export", store, "--with-predictions").rows for store in (team, "spring.lw")]
    for row in (row for rows in exports for row in rows):
        row.pop("at")  # they were told a moment apart
    assert exports[0] == exports[1] != []


def test_the_next_step_can_be_copied_into_a_shell(folder, url, command):
    done = command("new", url, "predictions.csv", "--seed", 7)
    assert done.code == 0
    assert "sesame" not in done.out
    assert "\nNext: labelwise ask 'postgresql://labelwise@127.0.0.1:" in done.out


def test_a_second_assessment_of_the_same_name_is_refused(team, command):
    done = command("new", team, "predictions.csv")
    assert done.code == 4
    assert "has an assessment 'main' already" in done.err
    assert "sesame" not in done.err


@pytest.mark.parametrize("name", [name for name in LINES if name != "store backup"])
def test_a_store_that_is_not_there_is_said_and_not_made(folder, postgres, url, command, name):
    done = command(*with_store(LINES[name], url), stdin="id,ticket,label\ni000,0,cat\n")
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("Error: There is no assessment at 'postgresql://labelwise@127.0.0.1:")
    schema = url.rsplit("=", 1)[1]
    assert postgres.run("SELECT 1 FROM pg_namespace WHERE nspname = %s", schema) == []


def test_no_server_and_a_wrong_password_are_sentences(folder, postgres, command):
    done = command("status", "postgresql://ann:s3cret@127.0.0.1:1/team")
    assert (done.code, done.out) == (3, "")
    where = "postgresql://ann@127.0.0.1:1/team"
    assert done.err == f"Error: No PostgreSQL server answers at '{where}'. Start it, or correct the address.\n"
    done = command("status", postgres.tcp("s3cret"))
    assert (done.code, done.out) == (1, "")
    assert "rejected the user or password" in done.err
    assert "s3cret" not in done.err
    assert command("status", "mysql://ann:s3cret@db/team").code == 2
