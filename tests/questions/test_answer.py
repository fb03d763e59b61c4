"""The answer as a table and as a line."""

from dataclasses import replace

import numpy as np

import labelwise as lw


def test_an_answer_has_a_row_a_group_and_shows_its_sentence():
    belief = lw.beliefs.BetaBelief.from_counts([9, 2], [10, 10], names=["cat", "dog"])
    answer = lw.Worst().answer(belief, rng=np.random.default_rng(1))
    assert answer.frame()["group"].tolist() == ["cat", "dog"]
    assert repr(answer) == f"<Answer: {answer.sentence}>"


def test_the_table_has_the_always_valid_interval_where_there_is_one():
    belief = lw.beliefs.BetaBelief.from_counts([9, 2], [10, 10], names=["cat", "dog"])
    answer = lw.Worst().answer(belief, rng=np.random.default_rng(1))
    assert "always_low" not in answer.frame()
    frame = replace(answer, always=lw.beliefs.always_valid([9, 2], 10)).frame()
    assert (frame["always_low"] < frame["low"]).all()
    assert (frame["always_high"] > frame["high"]).all()
