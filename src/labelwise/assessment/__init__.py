"""Assessments: events, the ledger folded from them, asking and telling, when to stop and how much is still to do."""

from labelwise.assessment.agreement import Agreement, agreement_of
from labelwise.assessment.assessment import Assessment
from labelwise.assessment.forecast import Forecast
from labelwise.assessment.journal import Journal, MemoryJournal
from labelwise.assessment.plan import Plan, plan
from labelwise.assessment.result import Result
from labelwise.assessment.second_opinions import Dispute, Opinion
from labelwise.assessment.setup import Setup
from labelwise.assessment.stopping import AllOf, AnyOf, Budget, Guaranteed, Price, StoppingRule, Sure, Verdict, Width
from labelwise.assessment.ticket import Said, Ticket

__all__ = [
    "Agreement",
    "AllOf",
    "AnyOf",
    "Assessment",
    "Budget",
    "Dispute",
    "Forecast",
    "Guaranteed",
    "Journal",
    "MemoryJournal",
    "Opinion",
    "Plan",
    "Price",
    "Result",
    "Said",
    "Setup",
    "StoppingRule",
    "Sure",
    "Ticket",
    "Verdict",
    "Width",
    "agreement_of",
    "plan",
]
