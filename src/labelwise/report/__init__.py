"""Reports: what is known, as plain tables, text, JSON and one self-contained page."""

from labelwise.report.agreement import agreement_document, disputes_document, render_agreement, render_disputes
from labelwise.report.card import card_document, card_page, render_card
from labelwise.report.guarantee import guarantees, render_guarantees
from labelwise.report.history import history_of, labels_of, passed_by, said_of, when
from labelwise.report.measurement import Measurement, measure, without_nan
from labelwise.report.outcome import outcome, render_outcome, settings_of
from labelwise.report.planning import plan_document, render_plan
from labelwise.report.report import Report, comparison_of, format_of, report_of
from labelwise.report.settings import Settings
from labelwise.report.simulation import interruption_of, render_simulation, simulation_document
from labelwise.report.status import render_history, render_status, status_of, why_no_more
from labelwise.report.table import percent, table
from labelwise.report.text import render_text

__all__ = [
    "Measurement",
    "Report",
    "Settings",
    "agreement_document",
    "card_document",
    "card_page",
    "comparison_of",
    "disputes_document",
    "format_of",
    "guarantees",
    "history_of",
    "interruption_of",
    "labels_of",
    "measure",
    "outcome",
    "passed_by",
    "percent",
    "plan_document",
    "render_agreement",
    "render_card",
    "render_disputes",
    "render_guarantees",
    "render_history",
    "render_outcome",
    "render_plan",
    "render_simulation",
    "render_status",
    "render_text",
    "report_of",
    "said_of",
    "settings_of",
    "simulation_document",
    "status_of",
    "table",
    "when",
    "why_no_more",
    "without_nan",
]
