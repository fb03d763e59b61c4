"""Addresses: what they name, and that they never show a password."""

import pytest

import labelwise as lw
from labelwise.store.postgres.address import Address

SECRET = "s3cret"


@pytest.mark.parametrize(
    ("url", "label"),
    [
        ("postgresql://ann:s3cret@db/team", "postgresql://ann@db/team"),
        ("postgres://ann:s3cret@db:5433/team", "postgres://ann@db:5433/team"),
        ("postgresql://ann:s3cret@@db/team", "postgresql://ann@db/team"),
        ("postgresql://ann:s3c:s3cret@db/team", "postgresql://ann@db/team"),
        ("postgresql://db/team?user=ann&password=s3cret", "postgresql://db/team?user=ann"),
        ("postgresql://db/team?sslpassword=s3cret&schema=x", "postgresql://db/team?schema=x"),
        ("postgresql://ann:s3cret?x@db/team", "postgresql://ann"),
        ("postgresql://ann:s3cret", "postgresql://ann"),
        ("postgresql://[::1]:5433/team", "postgresql://[::1]:5433/team"),
        ("postgresql://a:1,b:2/team", "postgresql://a:1,b:2/team"),
        ("postgresql://", "postgresql://"),
    ],
)
def test_no_password_is_shown(url, label):
    address = Address.of(url)
    assert address.label == label
    assert SECRET not in repr(address) + address.label


def test_a_schema_of_ones_own():
    assert Address.of("postgresql://db/team").schema == "labelwise"
    assert Address.of("postgresql://db/team?schema=a%20b").schema == "a b"
    assert Address.of("postgresql://db/team?schema=a", "b").schema == "b"
    assert Address.of("postgresql://db/team", 'a"b').quoted() == '"a""b"'


@pytest.mark.parametrize("schema", ["pg_mine", "x" * 64, "a\x00b"])
def test_a_schema_that_postgres_would_refuse_or_cut_is_refused(refusal, schema):
    sentence = refusal(lw.ArgumentError, Address.of, "postgresql://db/team", schema)
    assert sentence.startswith("`schema` must be a valid PostgreSQL name, but is '")


def test_what_the_address_says_reaches_the_server_as_it_is():
    found = Address.of("postgresql://ann:a%2Bb+c@db/team?options=-c%20x%3D1&schema=x&sslmode=require").parameters()
    assert (found["user"], found["password"], found["dbname"]) == ("ann", "a+b+c", "team")
    assert (found["options"], found["sslmode"]) == ("-c x=1", "require")
    assert "schema" not in found
    assert found["application_name"] == "labelwise"


@pytest.mark.parametrize("url", ["postgresql://ann:s3cret%zz@db/team", "postgresql://ann@db/team?s3cret=1"])
def test_an_address_that_cannot_be_read_is_not_repeated(url):
    with pytest.raises(lw.ArgumentError) as refusal:
        lw.PostgresStore(url)
    assert "is not a valid address" in str(refusal.value)
    assert SECRET not in str(refusal.value)
    assert refusal.value.__cause__ is None


def test_secrets_are_taken_out_of_what_a_server_says():
    address = Address.of("postgresql://ann:s3cr%20et@db/team?sslpassword=other")
    assert address.scrubbed("no s3cr et, s3cr%20et or other") == "no ***, *** or ***"
