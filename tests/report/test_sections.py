"""What stands on the page, in words."""

import labelwise as lw
from labelwise.report.blocks import Facts, Items, Table
from labelwise.report.sections import assessment_sections


def blocks(report, name):
    section = next(s for s in assessment_sections(report.document) if s.name == name)
    return section.blocks


def test_every_interval_has_its_promise(pool_of, make_assessment):
    options = {"stop": lw.Budget(100), "target": "population"}
    report = lw.report_of(make_assessment(pool_of(["cat", "dog"]), lw.Estimate(lw.accuracy), 60, **options))
    whole = next(block for block in blocks(report, "answer") if isinstance(block, Table))
    assert [row[3] for row in whole.rows] == ["95 % credible", "95 % design-based"]
    assert all(row[4] for row in whole.rows)
    words = report.markdown()
    for sentence in report.document["guarantees"].values():
        assert sentence in words


def test_the_whole_in_one_group_has_an_always_valid_interval(pool_of, make_assessment):
    pool = pool_of(["cat", "dog"])
    report = lw.report_of(make_assessment(pool, lw.Overall(), 60, groups=lw.everything(pool)))
    whole = next(block for block in blocks(report, "answer") if isinstance(block, Table))
    assert [row[3] for row in whole.rows] == ["95 % credible", "95 % always valid", "95 % design-based"]
    assert all(row[4] for row in whole.rows)


def test_what_is_guaranteed_and_what_is_believed_stand_below_the_headline(animal_report):
    (sentences,) = [block.sentences for block in blocks(animal_report, "answer") if isinstance(block, Items)][:1]
    assert [words.partition(": ")[0] for words in sentences] == [
        "Guaranteed", "Believed", "For new items of the same kind",
    ]  # fmt: skip
    answer = animal_report.document["answer"]
    assert f"Believed: {answer['sentence']}." in sentences
    for words in sentences:
        assert words in animal_report.markdown()


def test_groups_stand_worst_first_and_empty_ones_last(pool_of, make_assessment):
    pool = pool_of(["cat", "dog", "emu"])
    empty = lw.pool_from_arrays(
        predicted=pool.prediction, confidence=pool.confidence, labels=pool.labels, classes=["cat", "dog", "emu", "fox"]
    )
    (table,) = blocks(lw.report_of(make_assessment(empty, lw.Estimate(lw.accuracy), 60)), "groups")
    means = [float(row[3]) for row in table.rows[:-1]]
    assert means == sorted(means)
    assert table.rows[-1][0] == "fox"
    assert table.rows[-1][3:] == ["-"] * len(table.rows[-1][3:])


def test_what_was_assumed_is_all_there(animal_report):
    (facts,) = blocks(animal_report, "assumed")
    assert isinstance(facts, Facts)
    said = dict(facts.pairs)
    assert said["Groups"] == "3, by prediction"
    assert "seed 3" in said["How items were chosen"]
    assert said["Did labellers see the prediction?"] == "no, they label blind"
    assert (
        said["Items without a label"].startswith("4 skipped, 3 nobody knew")
        or "nobody knew" in said["Items without a label"]
    )


def test_warnings_of_the_guard_stand_beside_the_answer(pool_of, make_assessment):
    pool = pool_of(["cat", "dog"], right=0.5)
    sure = lw.pool_from_arrays(
        predicted=pool.prediction, confidence=[0.99] * 300, labels=pool.labels, classes=["a", "b"]
    )
    report = lw.report_of(make_assessment(sure, lw.Worst(lw.accuracy), 60, prior=lw.InformedPrior()))
    assert any("it is far off" in note for note in report.document["notes"])
    assert "it is far off" in report.html()
