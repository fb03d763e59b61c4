"""What intervals promise, in words."""

from labelwise.report.guarantee import guarantees, render_guarantees


def test_each_kind_of_interval_has_its_words_and_no_other_has():
    assert set(guarantees(0.9)) == {"credible"}
    words = guarantees(0.9, always=True, design=True)
    assert set(words) == {"credible", "always_valid", "design_based"}
    assert all("90 %" in sentence for sentence in words.values())
    assert "if the prior is right" in words["credible"]
    assert "however you choose and stop" in words["always_valid"]
    assert "without a prior" in words["design_based"]


def test_the_lines_fit_a_narrow_terminal():
    text = render_guarantees(guarantees(0.999, always=True, design=True), 0.999)
    assert [line.split(":")[0] for line in text.splitlines() if not line.startswith("    ")] == [
        "  99.9 % credible", "  99.9 % always valid", "  99.9 % design-based",
    ]  # fmt: skip
    assert max(map(len, text.splitlines())) <= 100
