"""Settings as they go into a report."""

import labelwise as lw
from labelwise.report.settings import Settings


def test_a_prior_is_said_in_words_and_a_former_pool_by_its_name():
    pool = lw.pool_from_arrays(predicted=[0, 1], labels=[0, 1])
    assert Settings().said()["prior"] == "each metric's default"
    assert Settings(prior=lw.FlatPrior(3)).said()["prior"] == "FlatPrior(strength=3)"
    said = Settings(former=lw.by_prediction(pool), discount=0.5).said()
    assert said["prior"] == "what 'arrays' taught, discounted to 0.5"
    assert "former" not in said
