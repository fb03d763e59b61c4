"""Which errors pass, and which are told in what sentence."""

import psycopg
import pytest

import labelwise as lw
from labelwise.store.postgres.address import Address
from labelwise.store.postgres.errors import code_of, explained, is_passing, refused

ADDRESS = Address.of("postgresql://ann:s3cret@db/team")


@pytest.mark.parametrize(
    ("error", "passes"),
    [
        (psycopg.errors.AdminShutdown(), True),
        (psycopg.errors.DeadlockDetected(), True),
        (psycopg.errors.ReadOnlySqlTransaction(), True),
        (psycopg.errors.ConnectionFailure(), True),
        (psycopg.OperationalError("server closed the connection unexpectedly"), True),
        (psycopg.errors.DiskFull(), False),
        (psycopg.errors.LockNotAvailable(), False),
        (psycopg.errors.UniqueViolation(), False),
        (psycopg.errors.InsufficientPrivilege(), False),
        (psycopg.ProgrammingError("the query has 1 placeholder but 0 parameters were passed"), False),
    ],
    ids=lambda value: type(value).__name__,
)
def test_only_what_passes_is_tried_again(error, passes):
    assert is_passing(error, None) is passes


def test_the_first_error_is_the_one_that_counts():
    def leave():
        try:
            raise psycopg.errors.DiskFull
        finally:
            raise psycopg.OperationalError("cannot exit pipeline mode while busy")

    with pytest.raises(psycopg.OperationalError) as caught:
        leave()
    assert code_of(caught.value) == "53100"
    assert not is_passing(caught.value, None)


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (psycopg.errors.DiskFull(), lw.LabelwiseError, "The disk is full; nothing was written to "),
        (psycopg.errors.UndefinedTable(), lw.DataError, "are damaged, or were not created by labelwise"),
        (psycopg.errors.AdminShutdown(), lw.LabelwiseError, "was lost; nothing was changed. Try again."),
        (
            psycopg.errors.OutOfMemory("out of memory: s3cret\nDETAIL: x"),
            lw.LabelwiseError,
            "written: out of memory: ***.",
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_errors_are_sentences_without_a_password(error, kind, words):
    found = explained(error, ADDRESS)
    assert type(found) is kind
    assert words in str(found)
    assert "s3cret" not in str(found)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ('FATAL:  password authentication failed for user "ann"', "rejected the user or password"),
        ("fe_sendauth: no password supplied", "rejected the user or password"),
        ('FATAL:  no pg_hba.conf entry for host "1.2.3.4"', "rejected the user or password"),
        ('FATAL:  database "team" does not exist', "There is no database at"),
        ("connection timeout expired", "No PostgreSQL server answers"),
        ("session is read-only", "is a read-only standby"),
        ("FATAL:  le mot de passe s3cret est faux", "cannot be opened: FATAL:  le mot de passe *** est faux."),
    ],
)
def test_a_connection_that_is_refused_is_explained(said, words):
    found = str(refused(psycopg.OperationalError(said), ADDRESS))
    assert words in found
    assert "s3cret" not in found
