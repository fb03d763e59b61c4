"""A clock that goes only when told to."""


class Clock:
    """Shows `now`, in seconds since 1970, until somebody sets it."""

    def __init__(self, now=1_000.0):
        self.now = now

    def __call__(self):
        return self.now
