"""Simulations as documents and text."""

import numpy as np

import labelwise as lw
from labelwise.report.simulation import interruption_of, render_simulation, simulation_document

POOL = lw.pool_from_arrays(predicted=[0, 1] * 50, labels=[0, 1] * 50, confidence=[0.9] * 100)


def found(name, mrr, *, n_runs=7, prior=None, question=None, policy=None, **scores):
    policy = policy or {"thompson": lw.Thompson(), "random-item": lw.RandomItem()}[name.split()[0]]
    scenario = lw.Scenario(lw.by_prediction(POOL), question or lw.Worst(), policy, prior, name=name)
    at = np.array([1, 10, 100])
    scores = {"mrr": mrr} if mrr else scores
    mean = {score: np.array(values, float) for score, values in scores.items()}
    return lw.simulation.Simulated(scenario, at, n_runs, mean, {score: np.full(3, 0.25) for score in mean})


BOTH = [found("thompson", [0.5, 1.0, 1.0]), found("random-item", [0.5, 0.6, 0.9])]


def test_the_sentence_says_who_reaches_the_goal_when():
    document = simulation_document(BOTH)
    assert document["questions"] == [
        {
            "question": "Which group is the worst in accuracy?",
            "budget": 100,
            "sentence": "A mean reciprocal rank of 0.99 is reached by thompson after 10.0% of the labels, by "
            "random-item never.",
        }
    ]
    assert len(document["rows"]) == 6
    assert (document["items"], document["interrupted"]) == (100, None)


def test_the_table_has_a_row_for_each_score_and_scenario():
    text = render_simulation(BOTH)
    assert "  policy       score       1      10     100\n" in text
    assert "  random-item  mrr    0.5000  0.6000  0.9000\n" in text
    assert "7 runs on 100 items" in text
    assert "prior" not in text
    assert "Note" not in text


def test_priors_are_told_apart_where_there_are_several():
    names = ["thompson (flat)", "thompson (informed)"]
    text = render_simulation([found(names[0], [0.5, 1, 1]), found(names[1], [0.7, 0.8, 1], prior=lw.InformedPrior())])
    assert "  policy    prior     score       1      10     100\n" in text
    assert "  thompson  informed  mrr    0.7000  0.8000  1.0000\n" in text
    assert "by thompson (flat) after 10.0% of the labels, by thompson (informed) after 100.0%" in text


def test_every_question_has_its_own_table_and_sentence():
    more = found("thompson", None, question=lw.Estimate(), rmse=[0.3, 0.2, 0.1])
    document = simulation_document([*BOTH, more])
    assert [part["question"] for part in document["questions"]] == [
        "Which group is the worst in accuracy?",
        "What is the accuracy of every group?",
    ]
    assert len(document["rows"]) == 9
    text = render_simulation([*BOTH, more])
    assert text.count("7 runs on 100 items") == 2
    assert text.endswith("At 10 labels thompson estimates best: a root mean squared error of 0.2000 (+- 0.2500).")


def test_a_confusion_matrix_is_called_by_its_name():
    one = found("thompson", None, question=lw.Estimate(lw.recall), confusion=[0.3, 0.2, 0.1])
    assert simulation_document([one])["questions"][0]["sentence"] == (
        "At 10 labels thompson estimates best: a distance of the confusion matrix of 0.2000 (+- 0.2500)."
    )


def test_a_comparison_says_how_many_labels_it_took_and_which_runs_were_never_decided():
    question = lw.Compare("0", "1")
    one = found("thompson", None, question=question, labels=[1, 8, 12.34], decided=[0, 0.5, 1], right=[0, 1, 1])
    two = found("random-item", None, question=question, labels=[1, 9, 40], decided=[0, 0, 0.75], right=[0, 1, 1])
    decided = "The comparison is decided, rightly and as surely as by all labels, by thompson after 12.3 (+- 0.2)"
    assert simulation_document([one])["questions"][0]["sentence"] == f"{decided} labels on average."
    assert simulation_document([one, two])["questions"][0]["sentence"] == (
        f"{decided} labels on average, by random-item after 40.0 (+- 0.2) labels on average. Runs that never are "
        "(25.0% of random-item) count with the budget of 100."
    )
    assert "  thompson     labels   1.0000  8.0000  12.3400\n" in render_simulation([one, two])


def test_an_interruption_says_what_is_missing():
    cut = [BOTH[0], found("random-item", [0.5, 0.6, 0.9], n_runs=3)]
    sentence = interruption_of(cut, 7, 4)
    assert sentence == "Interrupted: random-item finished 3 of 7 runs; 2 of 4 scenarios were not played."
    assert interruption_of(cut, 7, 2) == "Interrupted: random-item finished 3 of 7 runs."
    assert simulation_document(cut, sentence)["interrupted"] == sentence
    text = render_simulation(cut, sentence)
    assert "  policy       score  runs       1      10     100\n" in text
    assert "  random-item  mrr       3  0.5000  0.6000  0.9000\n" in text
    assert text.endswith(f"\n\nNote: {sentence}")
