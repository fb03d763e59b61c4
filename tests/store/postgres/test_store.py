"""The PostgreSQL store: refusals by their sentence, and who waits for whom; tests/store/test_store.py has the rest."""

import random
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import labelwise as lw
from assessed import assessment_of, labelled
from labelwise.store.postgres import store as module
from labelwise.store.postgres.migrations import MIGRATIONS
from postgres import PASSWORD


def schema_of(url):
    return url.rsplit("=", 1)[1]


def test_no_server_is_said_at_once(refusal):
    assert refusal(lw.NotFoundError, lw.PostgresStore, "postgresql://ann:s3cret@127.0.0.1:1/team") == (
        "No PostgreSQL server answers at 'postgresql://ann@127.0.0.1:1/team'. Start it, or correct the address."
    )
    assert "is unknown. Correct the address." in refusal(
        lw.NotFoundError, lw.PostgresStore, "postgresql://no.invalid/team"
    )


def test_a_wrong_password_is_said_and_not_repeated(postgres):
    with pytest.raises(lw.LabelwiseError) as refusal:
        lw.PostgresStore(postgres.tcp("s3cret"))
    assert str(refusal.value) == (
        f"'postgresql://labelwise@127.0.0.1:{postgres.port}/postgres' rejected the user or password. Set the password "
        "with PGPASSWORD or ~/.pgpass."
    )
    assert "s3cret" not in repr(refusal.value) + repr(refusal.value.__cause__) + repr(refusal.value.__context__)


def test_the_right_password_opens_and_is_not_shown(postgres):
    with lw.PostgresStore(postgres.tcp(PASSWORD), schema="by_tcp") as store:
        assert store.names() == []
        assert repr(store) == (
            f"<PostgresStore at 'postgresql://labelwise@127.0.0.1:{postgres.port}/postgres?schema=by_tcp'>"
        )


def test_the_password_may_come_from_the_environment(postgres, monkeypatch):
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    url = f"postgresql://labelwise@127.0.0.1:{postgres.port}/postgres"
    lw.PostgresStore(url, schema="by_env").close()


def test_a_missing_database_is_said(postgres, refusal):
    sentence = refusal(lw.NotFoundError, lw.PostgresStore, postgres.url(database="nowhere"))
    assert sentence.startswith("There is no database at 'postgresql://labelwise@/nowhere?")
    assert sentence.endswith("'. Create it with `createdb`, or correct the address.")


def test_an_old_server_is_refused(url, monkeypatch, refusal):
    monkeypatch.setattr(module, "OLDEST", 99)
    assert "; at least 99 is required. Update the server." in refusal(lw.LabelwiseError, lw.PostgresStore, url)


def test_a_database_that_cannot_keep_every_text_is_refused(postgres, refusal):
    postgres.run("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'")
    sentence = refusal(lw.LabelwiseError, lw.PostgresStore, postgres.url(database="latin"))
    assert "is LATIN1, but must be UTF8. " in sentence


def test_without_psycopg_the_way_to_install_it_is_said(monkeypatch, refusal):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    sentence = refusal(lw.LabelwiseError, lw.PostgresStore, "postgresql://ann:s3cret@db/team")
    assert sentence.startswith("A PostgreSQL store needs psycopg (")
    assert sentence.endswith("). Install it with `pip install 'labelwise[postgres]'`.")


def test_a_schema_of_somebody_elses_is_refused_and_left_alone(postgres, url, refusal):
    schema = schema_of(url)
    postgres.run(f"CREATE SCHEMA {schema} CREATE TABLE birds (name text)")
    assert f"Schema '{schema}' at '" in refusal(lw.DataError, lw.PostgresStore, url)
    assert postgres.run("SELECT tablename FROM pg_tables WHERE schemaname = %s", schema) == [("birds",)]


def test_an_empty_schema_that_was_made_for_us_is_used(postgres, url):
    postgres.run(f"CREATE SCHEMA {schema_of(url)}")
    lw.PostgresStore(url).close()


def test_a_store_from_the_future_is_refused(postgres, url, refusal):
    lw.PostgresStore(url).close()
    postgres.run(f"INSERT INTO {schema_of(url)}.form VALUES (99)")
    sentence = refusal(lw.DataError, lw.PostgresStore, url)
    known = f"(schema version 99; this one supports up to {len(MIGRATIONS)}). Update labelwise to open it."
    assert sentence.endswith(f"was written by a newer version of labelwise {known}")


def test_who_may_not_write_is_told_so(postgres, url, refusal):
    with lw.PostgresStore(url) as store:
        labelled(store)
    schema = schema_of(url)
    postgres.run(f"CREATE ROLE guest_{schema} LOGIN; GRANT USAGE ON SCHEMA {schema} TO guest_{schema}; "
                 f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO guest_{schema}")  # fmt: skip
    guest = url.replace("labelwise@", f"guest_{schema}@")
    with lw.PostgresStore(guest) as store:
        assert len(store.journal().events()) == 41
        assert store.verify("main") == []
        assert store.open().answer().n_labels == 20
        assert refusal(lw.LabelwiseError, store.open().ask).startswith("You do not have permission to write to '")
    elsewhere = guest.replace(f"schema={schema}", f"schema=new_{schema}")
    assert "CREATE SCHEMA" in refusal(lw.LabelwiseError, lw.PostgresStore, elsewhere)


@pytest.mark.parametrize("schema", ["Straße; DROP", 'a"b', "select", "%s ?{x}"])
def test_a_schema_may_have_any_name(postgres, schema):
    with lw.PostgresStore(postgres.url(), schema=schema) as store:
        labelled(store, 2)
        assert store.verify("main") == []


def test_many_may_make_the_same_schema_at_once(postgres):
    at_once = threading.Barrier(8)

    def opened(url):
        at_once.wait()
        with lw.PostgresStore(url) as store:
            return store.names()

    with ThreadPoolExecutor(8) as threads:
        for _ in range(8):
            assert list(threads.map(opened, [postgres.fresh()] * 8)) == [[]] * 8


def test_two_assessments_do_not_wait_for_each_other(url):
    with lw.PostgresStore(url, patience=0.2) as store:
        one, two = assessment_of(store, "one"), assessment_of(store, "two")
        with store.journal("one").writing():
            two.tell(two.ask()[0], 0)
            with pytest.raises(lw.ConflictError, match="Another writer has locked"):
                one.ask()
        one.tell(one.ask()[0], 0)


def test_commits_are_acknowledged_when_they_are_on_disk(postgres, url):
    postgres.run("ALTER ROLE labelwise SET synchronous_commit = off")
    try:
        with lw.PostgresStore(url) as store, store.held("x") as tables:
            assert tables.run("SELECT current_setting('synchronous_commit')") == [("on",)]
    finally:
        postgres.run("ALTER ROLE labelwise RESET synchronous_commit")


EDITS = [
    "UPDATE events SET body = replace(body, 'label\":0', 'label\":1') WHERE number = {n} AND body LIKE '%label\":0%'",
    "UPDATE events SET body = replace(body, 'at\":', 'at\": ') WHERE number = {n}",
    "UPDATE events SET key = 'new' WHERE number = {n}",
    "UPDATE events SET kind = 'closed' WHERE number = {n}",
    "UPDATE events SET hash = sha256(hash) WHERE number = {n}",
    "DELETE FROM events WHERE number = {n}",
    "UPDATE events SET number = number + 1000 WHERE number = {n}",
]


def test_verify_finds_every_one_of_many_random_edits(url):
    import psycopg

    with lw.PostgresStore(url) as store, psycopg.connect(url.split("&schema")[0], autocommit=True) as connection:
        labelled(store, 40)
        connection.execute(f"SET search_path = {schema_of(url)}")
        connection.execute("CREATE TABLE as_it_was AS SELECT * FROM events")
        draw = random.Random(1)
        found = 0
        while found < 100:
            if connection.execute(draw.choice(EDITS).format(n=draw.randrange(81))).rowcount:
                assert store.verify("main") != []
                found += 1
                connection.execute("TRUNCATE events")
                connection.execute("INSERT INTO events SELECT * FROM as_it_was")
        assert store.verify("main") == []


def test_people_can_read_the_history_with_sql(postgres, url):
    with lw.PostgresStore(url) as store:
        labelled(store, 2, "früh\x00ling")
        labelled(store, 2, "früh")
    found = postgres.run(f"SELECT assessment, kind, key, body::json->>'ticket' FROM {schema_of(url)}.history "
                         "WHERE kind = 'told' AND assessment = 'früh' ORDER BY number")  # fmt: skip
    assert found == [("früh", "told", "key-0", "0"), ("früh", "told", "key-1", "1")]


def test_importing_labelwise_does_not_load_psycopg_and_opening_a_file_neither(tmp_path):
    code = (
        "import sys, labelwise as lw; lw.open_store(sys.argv[1]).close(); lw.PostgresStore; "
        "sys.exit('psycopg' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(tmp_path / "a.lw")], check=False).returncode == 0
