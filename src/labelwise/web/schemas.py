"""What comes in and goes out as JSON: strict models, from which the OpenAPI description is made."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

TicketNumber = Annotated[int, Field(ge=0, le=2**31 - 1, description="Number of a ticket.")]
ItemId = Annotated[
    Annotated[str, Field(max_length=10_000)] | int | float,
    Field(description="Id of the ticket's item, as it was handed out: a ticket of another item is refused."),
]
Label = Annotated[str, Field(max_length=10_000)] | Annotated[int, Field(ge=-(2**63), le=2**63 - 1)]
Key = Annotated[
    str | None,
    Field(max_length=200, description="A text of your own, a UUID say, that makes it safe to send this again."),
]
Tab = Annotated[str, Field(max_length=64, description="Which of your windows this is.")]
Name = Annotated[str, Field(min_length=1, max_length=100)]
_MOST_FIELDS = 20
Role = Literal["viewer", "labeller", "owner"]


class Body(BaseModel):
    """What a request says; nothing that is not named here."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _refuse_many(cls, data: Any) -> Any:
        """Refuse many unknown fields at once: an error for each would take the server most of a second."""
        if isinstance(data, dict) and len(data) > _MOST_FIELDS:
            raise ValueError(f"{len(data):,} fields are more than any request has")
        return data


class Asking(Body):
    """How many items, for which window."""

    n: Annotated[int, Field(ge=1, le=20)] = 1
    tab: Tab = ""


class Telling(Body):
    """The class of a ticket's item."""

    ticket: TicketNumber
    item: ItemId
    label: Label
    key: Key = None


class Skipping(Body):
    """That an item is skipped, and why."""

    ticket: TicketNumber
    item: ItemId
    reason: Annotated[str, Field(max_length=2_000)] = ""
    is_unknown: Annotated[bool, Field(description="You looked, and do not know.")] = False
    key: Key = None


class Undoing(Body):
    """For which window the newest label is taken back."""

    tab: Tab = ""


class Withdrawing(Body):
    """Which ticket is taken back, and whether its item is to be handed out again."""

    ticket: TicketNumber
    item: ItemId
    again: bool = False
    tab: Tab = ""


class TicketIn(Body):
    """A ticket and the item that it was handed out for."""

    ticket: TicketNumber
    item: ItemId


class Holding(Body):
    """Tickets that a window shows."""

    tickets: Annotated[list[TicketIn], Field(max_length=200)]
    tab: Tab = ""

    def items(self) -> dict[int, str | int | float]:
        """Return the item of each ticket."""
        return {one.ticket: one.item for one in self.tickets}


class Settling(Body):
    """The label that an owner decides on for an item that labellers disagree about."""

    item: ItemId
    label: Label
    key: Key = None


class Seconding(Body):
    """The share of items that a second labeller is to see."""

    share: Annotated[float, Field(ge=0, le=1, strict=False)]


class NewAccount(Body):
    """Somebody who may sign in."""

    name: Name
    role: Role
    password: Annotated[str, Field(min_length=8, max_length=1_000)]


class Answered(BaseModel):
    """What an error looks like: a sentence for people, and a code by which a client knows that labelwise said so."""

    error: str
    code: str


class Part(BaseModel):
    """One column of an item."""

    name: str
    kind: Literal["text", "image", "json", "value"]
    value: Any = None


class Was(BaseModel):
    """What was said before it was taken back."""

    status: str
    label: str | int | None = None
    reason: str = ""


class TicketOut(BaseModel):
    """An item to label."""

    ticket: int
    id: Any
    content: list[Part]
    until: float
    prediction: str | int | None = None
    was: Was | None = None


class TicketsOut(BaseModel):
    """Tickets, and why there are no more of them."""

    tickets: list[TicketOut]
    why: str = ""


class Heard(BaseModel):
    """Whether it was new, and how many labels there are now."""

    is_new: bool
    n_labels: int


class Again(BaseModel):
    """The item that was handed out again."""

    ticket: TicketOut | None


class Held(BaseModel):
    """Which tickets are still the window's."""

    held: list[int]
    lost: list[int]


class Me(BaseModel):
    """Who is signed in."""

    name: str
    role: Role


class People(BaseModel):
    """Who may sign in."""

    users: list[Me]


class AssessmentOut(BaseModel):
    """What a labelling page must know before it starts."""

    id: str
    name: str
    pool: str
    question: str | None
    classes: list[str | int]
    keys: dict[str, int] | None
    is_blind: bool
    lease: float
    level: float
    stop: str
    guidelines: str
    me: Me
    can_see_answer: bool
    n_items: int
    reasons: list[str]
    seconds: float


class Link(BaseModel):
    """A link, shown once."""

    url: str


class Done(BaseModel):
    """It is done."""

    is_done: bool = True
