"""A labeller in front of a terminal: one key per class, or the class typed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import typer

from labelwise.checks import counted
from labelwise.cli.keyboard import BACKSPACE, DELETE, END, has_keys, read_key

if TYPE_CHECKING:
    from labelwise.assessment import Assessment, Ticket

_ACTIONS = {"u": "undo", "s": "skip", "d": "don't know", "h": "help", "q": "quit"}
_JUDGED_BY = 2_000  # draws; enough for a line on the screen


class Session:
    """One labeller in front of one terminal."""

    def __init__(self, assessment: Assessment, labeller: str, most: int | None, *, err: bool = False) -> None:
        from labelwise.pool.keys import keys_of

        self._err = err  # the screen goes to standard error, and leaves standard output to machines
        self._assessment, self._labeller, self._most = assessment, labeller, most
        self._classes = assessment.pool.classes
        self._keys = keys_of(self._classes) if has_keys() else None
        self._done: list[int] = []  # tickets settled here, newest last
        self._waiting: list[Ticket] = []  # asked, put aside by an undo

    @property
    def n_settled(self) -> int:
        """How many tickets were labelled or skipped here, and not undone."""
        return len(self._done)

    def _say(self, text: str, *, nl: bool = True) -> None:
        from labelwise.cli.output import printable

        typer.echo(printable(text), nl=nl, err=self._err)

    def run(self) -> None:
        """Ask and take labels until there is nothing more to ask or the labeller leaves."""
        from labelwise.report.status import why_no_more

        self._help()
        ticket: Ticket | None = None
        try:
            while self._most is None or len(self._done) < self._most:
                ticket = ticket or self._next()
                if ticket is None:
                    self._say(f"There is nothing to hand out: {why_no_more(self._assessment)}")
                    break
                self._show(ticket)
                word, text = self._read()
                if word == "quit":
                    break
                if word == "undo":
                    ticket = self._undo(ticket)
                elif word == "help":
                    self._help()
                elif self._settle(ticket, word, text):
                    ticket = None
        finally:  # what was asked and not labelled goes back, on Ctrl-C too
            for left in [*self._waiting, *([ticket] if ticket else [])]:
                self._assessment.release(left)
            self._say(f"{len(self._done):,} settled in this session; all of them are kept.")

    def _next(self) -> Ticket | None:
        if self._waiting:
            return self._waiting.pop()
        return next(iter(self._assessment.ask(1, labeller=self._labeller)), None)

    def _show(self, ticket: Ticket) -> None:
        result = self._assessment.answer(n_draws=_JUDGED_BY)
        # not the answer itself: it names groups, which may be predictions, and most items come from those
        word = "target reached, one may go on" if result.verdict.is_met else "go on"
        self._say(f"\n{counted(result.n_labels, 'label')}; {word}")
        for key, value in ticket.item.items():
            self._say(f"  {key}: {value}")
        if ticket.prediction is not None:
            self._say(f"  the classifier says: {ticket.prediction}")

    def _read(self) -> tuple[str, str]:
        """Return what the labeller wants: an action with its text, or 'label' with the name of a class."""
        if self._keys is not None:
            return self._read_key(self._keys)
        self._say("> ", nl=False)
        line = sys.stdin.readline()
        if not line:
            return "quit", ""
        said = line.strip()
        if said.startswith(":"):
            command, _, rest = said[1:].partition(" ")
            return _ACTIONS.get(command[:1].lower(), "help"), rest.strip()
        return "label", said

    def _read_key(self, keys: dict[str, int]) -> tuple[str, str]:
        key = read_key()
        if key in ("", END):
            return "quit", ""
        if key in (DELETE, BACKSPACE):
            return "undo", ""
        if key in keys:
            self._say(f"> {self._classes[keys[key]]}")
            return "label", str(self._classes[keys[key]])
        action = _ACTIONS.get(key.lower(), "help")
        self._say(f"> {action}")
        return action, ""

    def _settle(self, ticket: Ticket, word: str, text: str) -> bool:
        """Tell or skip a ticket; False, with the reason on the screen, if that cannot be."""
        from labelwise.errors import ConflictError

        try:
            if word in ("skip", "don't know"):
                self._assessment.skip(ticket, text, is_unknown=word != "skip", labeller=self._labeller)
            else:
                found = self._class_of(text)
                if found is None:
                    return False
                self._assessment.tell(ticket, found, labeller=self._labeller)
            self._done.append(ticket.number)
        except ConflictError as error:
            self._say(f"{error} On to the next.")
        return True

    def _class_of(self, text: str) -> Any:
        exact = [name for name in self._classes if str(name) == text]
        like = exact or [name for name in self._classes if text and str(name).lower().startswith(text.lower())]
        if len(like) == 1:
            return like[0]
        which = "No class begins" if not like else f"{len(like):,} classes begin"
        few = ", ".join(str(name) for name in (like or self._classes)[:12])
        self._say(f"{which} with '{text}': {few}{' ...' if len(like or self._classes) > 12 else ''}")
        return None

    def _undo(self, ticket: Ticket) -> Ticket:
        if not self._done:
            self._say("Nothing to undo in this session; `labelwise ticket withdraw` takes back earlier labels.")
            return ticket
        self._waiting.append(ticket)
        number = self._done.pop()
        self._assessment.withdraw(number, labeller=self._labeller)
        self._say(f"Ticket {number} is withdrawn; here is its item again.")
        return self._assessment.ask_again(number, labeller=self._labeller)

    def _help(self) -> None:
        if self._keys is not None:
            named = "  ".join(f"{key} {self._classes[code]}" for key, code in self._keys.items())
            self._say(f"{named}\n" + "  ".join(f"{key} {word}" for key, word in _ACTIONS.items()))
        else:
            commands = "  ".join(f":{key} {word}" for key, word in _ACTIONS.items())
            self._say(f"Type one of {len(self._classes):,} classes (its beginning is enough) and Enter.\n{commands}")
