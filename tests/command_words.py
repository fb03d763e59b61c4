"""The words of a command line, taken apart."""

GROUPS = ("review", "store", "study", "ticket", "user")


def called(words):
    """Return the command that the words call, such as 'ask' or 'store verify'."""
    return " ".join(map(str, words[: 2 if words[0] in GROUPS else 1]))


def with_store(words, store):
    """Return the words with the store as the first argument of their command."""
    n = len(called(words).split())
    return [*words[:n], store, *words[n:]]
