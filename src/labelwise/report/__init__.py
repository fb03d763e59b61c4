"""Reports: what is known, as plain tables, text, JSON and one self-contained page."""

from labelwise.report.report import Report, comparison_of, report_of

__all__ = [
    "Report",
    "comparison_of",
    "report_of",
]
