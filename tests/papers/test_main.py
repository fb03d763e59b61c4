"""`python -m papers`: tables by name, as Markdown or JSON."""

import pytest


@pytest.mark.slow  # compiles one more kernel
def test_a_table_has_published_value_and_ours(authors, command):
    document = command("3", "--data", authors, "--runs", 10, "--json").document
    [table] = document["reproductions"]
    assert (table["name"], len(table["rows"]), table["runs"]) == ("3", 36, 10)
    first = table["rows"][0]
    assert (first["data"], first["method"], first["labels"], first["published"]) == ("CIFAR-100", "UPrior", "200", 30.7)


@pytest.mark.slow  # compiles one more kernel
def test_all_tables_are_written_to_a_file(authors, command, tmp_path):
    done = command("3", "8", "--data", authors, "--runs", 10, "-o", tmp_path / "tables.md")
    assert (done.code, done.out) == (0, "")
    text = (tmp_path / "tables.md").read_text()
    assert text.startswith("# The papers, reproduced\n")
    assert "## Table 3: " in text
    assert "## Table 8: " in text


def test_what_is_not_there_is_said(authors, command, tmp_path):
    done = command("12", "--data", authors)
    assert done.code == 2
    assert done.err.startswith("Error: `NAME` must be one of '3', ")
    assert done.err.endswith(", but is '12'.\n")
    done = command("3", "--data", tmp_path)
    assert done.code == 3
    assert done.err == (
        f"Error: 'cifar100_resnet110_authors_top1.parquet' is not in '{tmp_path}'. Name the folder of prediction sets "
        "with --data.\n"
    )


@pytest.mark.slow  # compiles a kernel that nothing else in the quick run needs
def test_what_a_figure_draws_is_written_as_a_frame(authors, command, tmp_path):
    done = command("workshop-fig4", "3", "--data", authors, "--runs", 10, "--frames", tmp_path / "frames")
    assert done.code == 0
    assert [path.name for path in (tmp_path / "frames").iterdir()] == ["workshop-fig4.parquet"]  # a table draws nothing
    assert "## Workshop figure 4: " in done.out


def test_a_folder_for_frames_that_cannot_be_is_said(authors, command, tmp_path):
    (tmp_path / "frames").write_text("a file")
    done = command("workshop-fig4", "--data", authors, "--runs", 10, "--frames", tmp_path / "frames")
    assert (done.code, done.err) == (3, f"Error: '{tmp_path / 'frames'}' cannot be written: File exists.\n")


def test_what_is_reproduced_is_drawn(authors, command, tmp_path):
    done = command("workshop-fig4", "3", "--data", authors, "--runs", 10, "--charts", tmp_path / "charts")
    assert done.code == 0
    assert sorted(path.name for path in (tmp_path / "charts").iterdir()) == ["3.svg", "workshop-fig4.svg"]
    assert (tmp_path / "charts" / "3.svg").read_text().startswith("<svg")
