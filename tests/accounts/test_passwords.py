"""Hashes of passwords: strong, checked in the same time for everybody, and the library missed in a sentence."""

import sys
import time
from statistics import median

import pytest

import labelwise as lw
from labelwise.accounts import passwords
from labelwise.accounts.passwords import check_password, hashed, is_outdated, is_right


def test_a_hash_is_of_its_password_alone_and_never_the_same_twice():
    one, two = hashed("correct horse"), hashed("correct horse")
    assert one != two
    assert is_right("correct horse", one)
    assert not is_right("wrong horse!", one)
    assert not is_outdated(one)
    assert is_outdated(one.replace("t=2", "t=1"))


def test_accents_count_however_they_are_put_together():
    assert is_right("Zoe\u0308 Zoe\u0308", hashed("Zo\u00eb Zo\u00eb"))


def test_a_longer_password_than_any_is_wrong_even_if_it_begins_right():
    assert is_right("x" * 1_000, hashed("x" * 1_000))
    assert not is_right("x" * 1_001, hashed("x" * 1_000))


@pytest.mark.parametrize("kept", ["", "no hash", "$argon2id$v=19$m=1"])
def test_an_edited_hash_lets_nobody_in(kept):
    assert not is_right("correct horse", kept)


def test_no_account_takes_as_long_as_a_wrong_password():
    def took(kept):
        start = time.process_time()
        assert not is_right("wrong horse!", kept)
        return time.process_time() - start

    kept = hashed("correct horse")
    with_one, without = zip(*((took(kept), took(None)) for _ in range(9)), strict=True)
    assert 0.5 < median(without) / median(with_one) < 2


def test_a_missing_library_is_said_in_a_sentence(monkeypatch, refusal):
    passwords._hasher.cache_clear()
    monkeypatch.setitem(sys.modules, "argon2", None)
    for call, words in ((hashed, ("correct horse",)), (is_right, ("correct horse", None))):
        sentence = refusal(lw.LabelwiseError, call, *words)
        assert sentence.startswith("Passwords need argon2-cffi (")
        assert sentence.endswith("Install it with `pip install 'labelwise[web]'`.")
    monkeypatch.undo()
    passwords._hasher.cache_clear()


@pytest.mark.parametrize(
    "password", ["12345678", "aaaaaaaa", "Password1", "passwort!!", "0123456789", "abababab", "QWERTYUIOP"]
)
def test_what_everybody_tries_first_is_refused(refusal, password):
    sentence = "This password is too easy to guess. Choose another one."
    assert refusal(lw.ArgumentError, check_password, password) == sentence
