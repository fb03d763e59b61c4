"""The words of a comparison."""

import labelwise as lw
from labelwise.report.changes import comparison_sections


def test_the_sections_name_both_and_their_difference(pool_of, make_assessment):
    pool = pool_of(["cat", "dog"])
    one, other = (make_assessment(pool, lw.Estimate(lw.accuracy), 30, seed=seed) for seed in (1, 2))
    sections = {s.name: s for s in comparison_sections(lw.comparison_of(one, other, names=("A", "B")).document)}
    assert list(sections) == ["answer", "charts", "groups", "promises", "assumed", "again"]
    rows = sections["answer"].blocks[2].rows
    assert [row[0] for row in rows[:3]] == ["A", "B", "Second less first"]
    assert sections["groups"].blocks[0].header[:3] == ["Group", "Labels, A", "Labels, B"]
