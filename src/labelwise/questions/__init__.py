"""Questions: what the user wants to know about a metric; each knows its gain and its answer."""

from labelwise.questions.answer import Answer
from labelwise.questions.compare import Compare
from labelwise.questions.estimate import Estimate
from labelwise.questions.extreme import Best, Worst
from labelwise.questions.overall import Overall
from labelwise.questions.question import Question, QuestionOptions
from labelwise.questions.versus import Versus

QUESTIONS: dict[str, type[Question]] = {kind.kind: kind for kind in (Estimate, Overall, Worst, Best, Compare, Versus)}
"""The questions by the name that the command line and stores call them. A new question is registered here."""

__all__ = [
    "QUESTIONS",
    "Answer",
    "Best",
    "Compare",
    "Estimate",
    "Overall",
    "Question",
    "QuestionOptions",
    "Versus",
    "Worst",
]
