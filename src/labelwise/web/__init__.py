"""The labelling page and the live dashboard, served to one browser or to a team."""

from labelwise.web.server import serve
from labelwise.web.settings import PORT, Settings

__all__ = ["PORT", "Settings", "serve"]
