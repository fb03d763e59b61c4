"""The exceptions that labelwise raises; every message states the problem and the way out."""

from typing import TypeVar

__all__ = [
    "ArgumentError",
    "ConflictError",
    "DataError",
    "DataWarning",
    "LabelwiseError",
    "NotFoundError",
    "UnanswerableError",
]


class LabelwiseError(Exception):
    """Base class of all labelwise errors.

    The command line prints only the message, without a traceback.

    Attributes
    ----------
    is_of_store : whether the store caused the error, not the request, so that the same request may succeed later.
    """

    is_of_store = False


class ArgumentError(LabelwiseError, ValueError):
    """An argument is invalid, regardless of the data."""


class DataError(LabelwiseError, ValueError):
    """The data are invalid: a score is negative, an id is duplicated, a row is ragged."""


class DataWarning(UserWarning):
    """The data are accepted, but may not be what the user intended."""


class UnanswerableError(LabelwiseError, ValueError):
    """The pool lacks something that the metric or grouping needs, such as confidences or labels."""


class ConflictError(LabelwiseError):
    """The request conflicts with the current state: a ticket answered twice, a label after closing."""


class NotFoundError(LabelwiseError, LookupError):
    """A file, column, class or group does not exist."""

    def __str__(self) -> str:
        # so that the message is never quoted, as KeyError does
        return str(self.args[0])


_Error = TypeVar("_Error", bound=LabelwiseError)


def of_store(error: _Error) -> _Error:
    """Mark an error as caused by the store, and return it.

    Examples
    --------
    >>> of_store(ConflictError("Another writer has locked 'spring.lw' for too long.")).is_of_store
    True
    """
    error.is_of_store = True
    return error
