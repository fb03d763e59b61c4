"""A JSON answer that may hold what plain JSON cannot."""

import datetime
import json

from labelwise.web.json_response import Document


def test_dates_are_text_and_half_characters_do_not_break_it():
    body = Document({"at": datetime.date(2026, 11, 16), "text": "ä\ud800"}).body
    assert json.loads(body) == {"at": "2026-11-16", "text": "ä?"}
