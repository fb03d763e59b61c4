"""Questions: what the user wants to know about a metric; each knows its gain and its answer."""

from labelwise.questions.answer import Answer
from labelwise.questions.compare import Compare
from labelwise.questions.estimate import Estimate
from labelwise.questions.extreme import Best, Worst
from labelwise.questions.overall import Overall
from labelwise.questions.question import Question
from labelwise.questions.versus import Versus

__all__ = ["Answer", "Best", "Compare", "Estimate", "Overall", "Question", "Versus", "Worst"]
