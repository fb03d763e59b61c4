"""The answer as a table and as a line."""

import numpy as np

import labelwise as lw


def test_an_answer_has_a_row_a_group_and_shows_its_sentence():
    belief = lw.BetaBelief.from_counts([9, 2], [10, 10], names=["cat", "dog"])
    answer = lw.Worst().answer(belief, rng=np.random.default_rng(1))
    assert answer.frame()["group"].tolist() == ["cat", "dog"]
    assert repr(answer) == f"<Answer: {answer.sentence}>"
