"""The card that reports carry is the one of the documentation."""

from pathlib import Path

from labelwise.report.coverage import kept_card, short_card

PAGE = Path(__file__).parents[2] / "docs" / "coverage.md"


def test_the_kept_card_is_the_page_of_the_documentation():
    rows = {}
    for cell in kept_card()["cells"]:
        rows.setdefault(cell["looked"], {})[cell["interval"]] = f"{cell['covered']:.3f} ± {cell['error']:.3f}"
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    header = next(line for line in lines if line.startswith("| looked at"))
    columns = [name.strip() for name in header.strip("|").split("|")][1:]
    for looked, cells in rows.items():
        assert f"| {looked} | {' | '.join(cells.get(name, '-') for name in columns)} |" in lines


def test_a_kind_that_was_not_played_stays_in_its_column():
    rows = {row["looked at"]: row for row in short_card()["rows"]}
    assert rows["at every label up to 1,000"]["learned prior"] is None
    assert all(list(row) == list(next(iter(rows.values()))) for row in rows.values())
