"""Password hashing; argon2 is imported only here, and only when a password is hashed or checked."""

from __future__ import annotations

import secrets
import unicodedata
from base64 import b64encode
from functools import cache
from typing import TYPE_CHECKING

from labelwise.errors import ArgumentError, LabelwiseError
from labelwise.store.journal import check_whole

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST, LONGEST = 8, 1_000  # characters
_FEWEST = 4  # distinct characters
_COMMON = {
    "12345678",
    "123456789",
    "1234567890",
    "0123456789",
    "87654321",
    "qwertyuiop",
    "asdfghjkl",
    "1q2w3e4r",
    "abcd1234",
}
_COMMON_WORDS = {"password", "passwort", "qwerty", "letmein", "welcome", "labelwise", "admin", "iloveyou", "abc"}
# Above OWASP's minimum for argon2id (46 MiB and one pass, or 19 MiB and two); one lane, as logins run in parallel.
_MEMORY, _PASSES, _LANES = 47_104, 2, 1  # memory in KiB


def check_password(password: str) -> None:
    """Raise ArgumentError for a password that is too short, too long or too common; the message never shows it.

    Examples
    --------
    >>> check_password("sesame")
    Traceback (most recent call last):
    ...
    labelwise.errors.ArgumentError: A password must have 8 to 1,000 characters, but this one has 6. Choose another one.
    """
    if not SHORTEST <= len(password) <= LONGEST:
        raise ArgumentError(
            f"A password must have {SHORTEST} to {LONGEST:,} characters, but this one has {len(password):,}. "
            "Choose another one."
        )
    check_whole(password)
    plain = unicodedata.normalize("NFKC", password).casefold()
    if len(set(plain)) < _FEWEST or plain in _COMMON or plain.strip("0123456789!.") in _COMMON_WORDS:
        raise ArgumentError("This password is too easy to guess. Choose another one.")


def hashed(password: str) -> str:
    """Return the hash of a password, with its salt and parameters."""
    return _hasher().hash(_normal(password))


def is_right(password: str, kept: str | None) -> bool:
    """Return whether a password matches a hash; without a hash, do the same work and return False."""
    hasher = _hasher()
    from argon2.exceptions import InvalidHashError, VerificationError

    may_be = kept is not None and len(password) <= LONGEST
    try:
        is_same = hasher.verify(_dummy() if kept is None else kept, _normal(password[:LONGEST]))
    except InvalidHashError:
        return False
    except VerificationError as error:
        if "emory" in str(error):  # out of memory, not a wrong password
            raise LabelwiseError("There is not enough memory to check a password. Try again.") from None
        return False
    return is_same and may_be


def is_outdated(kept: str) -> bool:
    """Return whether a hash was computed with parameters other than the current ones."""
    return _hasher().check_needs_rehash(kept)


def _normal(password: str) -> bytes:
    """Return the normalised bytes of a password, equal for composed and decomposed accents."""
    return unicodedata.normalize("NFKC", password).encode(errors="replace")


def _dummy() -> str:
    """Return a random hash that no password matches, which takes as long to check as a real one."""
    salt, end = (b64encode(secrets.token_bytes(size)).decode().rstrip("=") for size in (16, 32))
    return f"$argon2id$v=19$m={_MEMORY},t={_PASSES},p={_LANES}${salt}${end}"


@cache
def _hasher() -> PasswordHasher:
    try:
        from argon2 import PasswordHasher, Type
    except ImportError as error:
        raise LabelwiseError(
            f"Passwords need argon2-cffi ({error}). Install it with `pip install 'labelwise[web]'`."
        ) from None
    return PasswordHasher(
        time_cost=_PASSES, memory_cost=_MEMORY, parallelism=_LANES, hash_len=32, salt_len=16, type=Type.ID
    )
