"""Tickets and what is said about them."""

import labelwise as lw
from labelwise.assessment.ticket import number_of


def test_a_blind_ticket_has_nothing_of_the_classifier_and_a_seeing_one_has():
    blind, seeing = lw.Ticket(3, {"id": "a"}, "ann", 1.0), lw.Ticket(3, {"id": "a"}, "ann", 1.0, prediction=0)
    assert blind.to_data() == {"ticket": 3, "id": "a"}
    assert seeing.to_data() == {"ticket": 3, "id": "a", "prediction": 0}


def test_a_ticket_and_its_number_are_one():
    ticket = lw.Ticket(3, {"id": "a"}, "ann", 1.0)
    assert number_of(ticket) == number_of(3) == lw.assessment.Said(ticket, "cat").number == 3
