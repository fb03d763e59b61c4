"""The defaults of every question, and that Python and the command line share them."""

import pytest

import labelwise as lw
from labelwise.assessment.defaults import N_STRATA, default_groups
from labelwise.cli.request import Request
from labelwise.cli.setups import setup_of


def pool_of(**more):
    return lw.pool_from_arrays(predicted=["cat", "dog", "emu"] * 40, confidence=[0.9, 0.6, 0.75] * 40, **more)


def test_a_pool_and_a_question_are_enough():
    assessment = lw.Assessment(pool_of(), question=lw.Worst())
    setup = assessment.setup
    assert setup.groups.names == ("cat", "dog", "emu")
    assert (setup.policy, setup.prior, setup.stop) == (lw.policies.Prove(), lw.LearnedPrior(), lw.Guaranteed(0.95))
    assert lw.Assessment(pool_of(), question=lw.Worst()).setup.seed != setup.seed  # a random one each time


def test_the_whole_pool_is_asked_by_strata_of_the_score_where_there_are_scores():
    assert default_groups(lw.Overall(), pool_of()).n_groups <= N_STRATA
    assert default_groups(lw.Overall(), pool_of()).rule.startswith("score")
    bare = lw.pool_from_arrays(predicted=["cat", "dog"] * 10)
    assert default_groups(lw.Overall(), bare).names == ("cat", "dog")


@pytest.mark.parametrize(
    ("words", "question"),
    [
        ({}, lw.Worst()),
        ({"top": 2}, lw.Worst(m=2)),
        ({"question": "best"}, lw.Best()),
        ({"question": "estimate", "metric": "ece"}, lw.Estimate(lw.ece)),
        ({"question": "overall"}, lw.Overall()),
        ({"question": "compare", "compare": ("cat", "dog")}, lw.Compare("cat", "dog")),
        ({"question": "versus", "rival": "old"}, lw.Versus("old")),
    ],
)
def test_the_command_line_and_python_choose_alike(words, question, tmp_path):
    lines = [f"i{k},{name},{0.9 - k % 7 / 20},dog" for k, name in enumerate(["cat", "dog", "emu"] * 40)]
    (tmp_path / "p.csv").write_text("\n".join(["id,predicted,confidence,old", *lines]) + "\n")
    request = Request(**words, seed=1)
    said = setup_of(request, tmp_path / "p.csv", lambda done, total: None)
    own = lw.Assessment(said.pool, question=question, seed=1).setup
    assert (said.groups.names, said.groups.rule) == (own.groups.names, own.groups.rule)
    assert (said.policy, said.prior, said.stop, said.target) == (own.policy, own.prior, own.stop, own.target)


def test_a_store_that_names_no_prior_keeps_the_metrics_own():
    setup = lw.Setup(lw.by_prediction(pool_of()), lw.Worst(lw.ece), seed=1)
    pieces = {str(i): piece for i, piece in enumerate(setup.pieces())}
    kept = setup.to_data(setup.start(), list(pieces)) | {
        "prior": None
    }  # as stores were written before there were defaults
    assert lw.Setup.of_data(kept, pieces.__getitem__).prior == lw.InformedPrior()
