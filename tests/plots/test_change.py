"""The chart of what changed."""

from labelwise.plots import change_chart


def test_a_group_is_better_or_worse_only_if_its_interval_says_so():
    ends = {"cat": (-0.3, -0.1), "dog": (-0.1, 0.1), "emu": (0.1, 0.3)}
    rows = [{"group": name, "mean": (low + high) / 2, "low": low, "high": high} for name, (low, high) in ends.items()]
    chart = change_chart(rows, names=("spring", "autumn"))
    assert list(chart.frame()["status"]) == ["clearly worse", "undecided", "clearly better"]
    assert "1 clearly worse, 1 clearly better" in chart.alt
    assert "no change" in chart.svg()
