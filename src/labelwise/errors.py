"""The exceptions labelwise raises; every message is one or two plain sentences with the way out."""

__all__ = ["ArgumentError", "ConflictError", "DataError", "LabelwiseError", "NotFoundError", "UnanswerableError"]


class LabelwiseError(Exception):
    """Anything labelwise refuses.

    Catch this one to catch them all. The command line prints its message alone.
    """


class ArgumentError(LabelwiseError, ValueError):
    """An argument breaks its rule, whatever the data."""


class DataError(LabelwiseError, ValueError):
    """The data break a rule: a score is negative, an id comes twice, a row is ragged."""


class UnanswerableError(LabelwiseError, ValueError):
    """The pool lacks what the metric or grouping needs, say confidences or labels."""


class ConflictError(LabelwiseError):
    """What is asked for contradicts what has already happened: a ticket told twice, a label after closing."""


class NotFoundError(LabelwiseError, LookupError):
    """A file, column, class or group of that name is not there."""

    def __str__(self) -> str:
        # LookupError would otherwise be free to quote its message, as KeyError does.
        return str(self.args[0])
