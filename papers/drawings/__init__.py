"""The papers' figures and tables drawn: ours, with the published values beside them."""

from papers.drawings.drawing import drawn

__all__ = ["drawn"]
