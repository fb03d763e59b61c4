"""Reports: what is known, as plain tables, text and JSON."""

from labelwise.report.measurement import Measurement, measure
from labelwise.report.settings import Settings
from labelwise.report.text import render_text

__all__ = ["Measurement", "Settings", "measure", "render_text"]
