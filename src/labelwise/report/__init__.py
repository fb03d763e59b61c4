"""Reports: what is known, as plain tables, text and JSON."""

from labelwise.report.measurement import Measurement, Settings, measure
from labelwise.report.text import render_text

__all__ = ["Measurement", "Settings", "measure", "render_text"]
