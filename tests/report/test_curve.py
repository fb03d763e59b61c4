"""The calibration curve on the terminal."""

from labelwise.report.curve import curve_text


def _row(confidence, low, high, scores=""):
    accuracy = (low + high) / 2
    return {
        "confidence": confidence, "below": 0.25, "accuracy": accuracy, "low": low, "high": high, "scores": scores
    }  # fmt: skip


def test_stretches_that_are_surely_off_are_named():
    over, under = "over-confident", "under-confident"
    rows = [_row(0.5, 0.3, 0.4, over), _row(0.6, 0.4, 0.5, over), _row(0.7, 0.6, 0.8), _row(0.8, 0.5, 0.7, over)]
    text = curve_text([*rows, _row(0.9, 0.95, 0.99, under)], unicode=False)
    assert "Surely over-confident: from confidence 0.500 to 0.600, from confidence 0.800 to 0.800." in text
    assert "Surely under-confident: from confidence 0.900 to 0.900." in text
    assert "15.0 points over-confident" in text
    assert text.isascii()


def test_where_nothing_is_sure_it_says_so():
    text = curve_text([_row(0.7, 0.6, 0.8)])
    assert text.endswith("Nowhere are the scores surely off.")
    assert "25.0%" in text
