"""`labelwise study card`: text, page, JSON, and what it refuses."""


def test_the_card_is_printed_and_the_same_seed_repeats_it(command):
    one, two = (command("study", "card", "--runs", 10, "--seed", 2) for _ in range(2))
    assert (one.code, one.err) == (0, "")
    assert one.out.startswith("Share of simulated runs in which the 95 % interval covers at every look")
    assert one.out == two.out


def test_the_card_as_a_document(command):
    document = command("study", "card", "--runs", 10, "--level", 0.9, "--json").document
    assert document["level"] == 0.9
    assert {cell["interval"] for cell in document["cells"]} == {
        "flat prior", "informed prior", "learned prior", "always valid",
    }  # fmt: skip


def test_the_card_is_written_as_a_page(command, tmp_path):
    done = command("study", "card", "--runs", 10, "-o", tmp_path / "coverage.md")
    assert done.code == 0
    assert (tmp_path / "coverage.md").read_text(encoding="utf-8").startswith("# How often intervals cover\n")
    assert command("study", "card", "--runs", 10, "-o", "-").out.startswith("# How often intervals cover\n")


def test_a_level_that_is_none_is_refused(command):
    done = command("study", "card", "--level", 95, "--json")
    assert (done.code, done.out, done.err) == (2, "", "Error: `level` must lie between 0 and 1, but is 95.0.\n")
