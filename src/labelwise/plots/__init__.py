"""Charts, one module per chart: each is a tidy frame and a drawing of it. Chart libraries are imported when drawing."""

from labelwise.plots.allocation import allocation_chart
from labelwise.plots.change import change_chart
from labelwise.plots.chart import Chart
from labelwise.plots.confusion import confusion_chart
from labelwise.plots.cost import cost_chart
from labelwise.plots.coverage import coverage_chart
from labelwise.plots.curve import curve_chart
from labelwise.plots.difference import difference_chart
from labelwise.plots.ece import ece_chart
from labelwise.plots.groups import group_chart
from labelwise.plots.panels import Panel, Series, panel_chart
from labelwise.plots.plot import kinds_of, plot
from labelwise.plots.policies import policy_chart
from labelwise.plots.progress import progress_chart
from labelwise.plots.ranks import rank_chart
from labelwise.plots.reliability import reliability_chart
from labelwise.plots.scatter import scatter_chart
from labelwise.plots.uncertainty import uncertainty_chart

__all__ = [
    "Chart",
    "Panel",
    "Series",
    "allocation_chart",
    "change_chart",
    "confusion_chart",
    "cost_chart",
    "coverage_chart",
    "curve_chart",
    "difference_chart",
    "ece_chart",
    "group_chart",
    "kinds_of",
    "panel_chart",
    "plot",
    "policy_chart",
    "progress_chart",
    "rank_chart",
    "reliability_chart",
    "scatter_chart",
    "uncertainty_chart",
]
