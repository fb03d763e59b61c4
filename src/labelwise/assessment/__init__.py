"""Assessments: events, the ledger folded from them, asking and telling, and when to stop."""

from labelwise.assessment.assessment import Assessment, Ticket
from labelwise.assessment.journal import Journal, MemoryJournal
from labelwise.assessment.result import Result
from labelwise.assessment.stopping import AllOf, AnyOf, Budget, Price, StoppingRule, Sure, Verdict, Width

__all__ = [
    "AllOf",
    "AnyOf",
    "Assessment",
    "Budget",
    "Journal",
    "MemoryJournal",
    "Price",
    "Result",
    "StoppingRule",
    "Sure",
    "Ticket",
    "Verdict",
    "Width",
]
