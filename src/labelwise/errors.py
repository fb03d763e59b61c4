"""The exceptions labelwise raises; every message is one or two plain sentences with the way out."""

from typing import TypeVar

__all__ = [
    "ArgumentError",
    "ConflictError",
    "DataError",
    "DataWarning",
    "LabelwiseError",
    "NotFoundError",
    "UnanswerableError",
    "of_store",
]


class LabelwiseError(Exception):
    """Anything labelwise refuses.

    Catch this one to catch them all. The command line prints its message alone.

    Attributes
    ----------
    is_of_store : whether the store is the reason and not the request, so that the same request may work later.
    """

    is_of_store = False


class ArgumentError(LabelwiseError, ValueError):
    """An argument breaks its rule, whatever the data."""


class DataError(LabelwiseError, ValueError):
    """The data break a rule: a score is negative, an id comes twice, a row is ragged."""


class DataWarning(UserWarning):
    """The data are taken as they are, but may not be what was meant."""


class UnanswerableError(LabelwiseError, ValueError):
    """The pool lacks what the metric or grouping needs, say confidences or labels."""


class ConflictError(LabelwiseError):
    """What is asked for contradicts what has already happened: a ticket told twice, a label after closing."""


class NotFoundError(LabelwiseError, LookupError):
    """A file, column, class or group of that name is not there."""

    def __str__(self) -> str:
        # LookupError would otherwise be free to quote its message, as KeyError does.
        return str(self.args[0])


_Error = TypeVar("_Error", bound=LabelwiseError)


def of_store(error: _Error) -> _Error:
    """Return the error, marked as one whose reason is the store.

    Examples
    --------
    >>> of_store(ConflictError("'spring.lw' is held by another writer for too long.")).is_of_store
    True
    """
    error.is_of_store = True
    return error
