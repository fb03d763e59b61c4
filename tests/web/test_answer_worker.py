"""The reader: what pages and tools may know, worked out once a version, in processes of their own."""

import os
import signal
import time

import pytest

import labelwise as lw
from labelwise.errors import NotFoundError
from labelwise.web.answer_worker import READINGS, TITLES, AnswerProcesses, AnswerWorker, figure_of
from patience import limit
from served import new_assessment


@pytest.fixture
def spring(tmp_path):
    """A store whose assessment has 30 labels of two people, and a reader of it."""
    where = str(tmp_path / "spring.lw")
    with lw.open_store(where) as store:
        assessment = new_assessment(store)
        assessment.want_second_opinions(1.0)
        for k, ticket in enumerate(assessment.ask(30, labeller="ann")):
            assessment.tell(ticket, ["cat", "dog", "emu"][k % 3])
        for ticket in assessment.ask(10, labeller="bob"):
            assessment.tell(ticket, "cat")
        [ticket] = assessment.ask(1, labeller="carl")
        assessment.skip(ticket, "too dark")
        yield assessment, AnswerWorker(where, None)


def test_progress_names_no_group_and_no_class(spring):
    _, reader = spring
    found = reader.look("progress")
    assert (found["n_labels"], found["n_second"], found["n_items"]) == (30, 10, 60)
    assert found["figure"]["name"] == "probability"
    assert found["figure"]["goal"] == 0.95
    assert not {"cat", "dog", "emu"} & set(str(found).replace("'", " ").split())


def test_the_answer_is_that_of_the_command_line_with_every_number_and_guarantee(spring):
    _, reader = spring
    found = reader.look("answer")
    assert found["labels"]["told"] == 30
    assert [set(row) >= {"group", "items", "labels", "mean", "low", "high"} for row in found["groups"]] == [True] * 3
    assert "95 % probability" in found["guarantees"]["credible"]
    assert found["sentence"].startswith(("stop", "go on"))


def test_what_others_write_is_taken_in_and_the_version_moves_with_answers_alone(spring):
    assessment, reader = spring
    before = reader.look("progress")["version"]
    [ticket] = assessment.ask(1)
    assert reader.look("progress")["version"] == before
    assessment.tell(ticket, "cat")
    after = reader.look("progress")
    assert (after["version"], after["n_labels"]) == (before + 1, 31)


def test_an_answer_is_worked_out_once_a_version(spring, monkeypatch):
    assessment, reader = spring
    calls = []
    original = reader.assessment.answer
    monkeypatch.setattr(reader.assessment, "answer", lambda: calls.append(1) or original())
    for _ in range(3):
        reader.look("progress")
        reader.look("answer")
    assert len(calls) == 1
    assessment.ask(1)
    reader.look("answer")
    assert len(calls) == 1


def test_every_chart_that_is_named_can_be_had_light_and_dark_with_its_table(spring):
    _, reader = spring
    kinds = [chart["kind"] for chart in reader.look("charts")["charts"]]
    assert {"groups", "progress", "allocation", "confusion"} <= set(kinds)
    for kind in kinds:
        light, dark = (reader.look("chart", kind=kind, theme=theme) for theme in ("light", "dark"))
        assert light["rows"] == dark["rows"]
        assert light["rows"]
        assert light["alt"]
        assert light["spec"]["background"] != dark["spec"]["background"]
    with pytest.raises(NotFoundError, match="no chart 'pie'"):
        reader.look("chart", kind="pie", theme="light")


def test_every_chart_has_a_title():
    assert set(TITLES) == set(READINGS) - {"differences"}


def test_who_labelled_how_many(spring):
    _, reader = spring
    rows = {row["name"]: row for row in reader.look("labellers")["labellers"]}
    assert (rows["ann"]["n_labels"], rows["ann"]["n_second"]) == (30, 0)
    assert rows["bob"]["n_second"] == 10
    assert sum(row["n_skipped"] for row in rows.values()) + rows["carl"]["n_second"] <= 1


def test_agreement_and_disputes(spring):
    assessment, reader = spring
    found = reader.look("agreement")
    own = lw.agreement_of(assessment)
    assert (found["n_twice"], found["n_agree"]) == (own.n_items, own.n_agree)
    assert found["kappa"]["name"] == "Cohen"
    assert found["kappa"]["low"] <= found["kappa"]["value"] <= found["kappa"]["high"]
    assert found["guarantee"]
    disputes = reader.look("disputes", has_images=True)["disputes"]
    assert len(disputes) == found["n_disputes"] == len(assessment.disputes())
    one = disputes[0]
    assert [opinion["labeller"] for opinion in one["opinions"]] == ["ann", "bob"]
    assert [part["kind"] for part in one["content"]] == ["text", "image"]


def test_history_is_newest_first_in_pages_and_ones_own_alone(spring):
    _, reader = spring
    first = reader.look("history", before=None, limit=8, labeller="ann")
    assert len(first["rows"]) == 8
    rest = reader.look("history", before=first["before"], limit=500, labeller="ann")
    events = [row["event"] for row in first["rows"] + rest["rows"]]
    assert events == sorted(events, reverse=True)
    assert len(events) == len(set(events)) == 30
    assert rest["before"] is None
    assert {row["labeller"] for row in first["rows"] + rest["rows"]} == {"ann"}
    everything = reader.look("history", before=None, limit=500, labeller=None)["rows"]
    assert {row["kind"] for row in everything} == {"opened", "doubled", "told", "skipped"}
    assert all(row["can_withdraw"] for row in everything if row["kind"] in ("told", "skipped"))


def test_the_forecast_is_that_of_the_result(spring):
    assessment, reader = spring
    found = reader.look("forecast")
    result = assessment.answer()
    if result.may_stop:
        assert found is None
    else:
        quantiles = {"n": 0.5, "low": 0.1, "high": 0.9}
        numbers = {name: result.forecast.quantile(q) for name, q in quantiles.items()}
        assert found == {**numbers, "sentence": result.forecast.sentence()}


def test_report_and_export(spring):
    _, reader = spring
    assert reader.look("report", format="html").startswith("<!DOCTYPE html>")
    assert len([row for row in reader.look("export") if row["status"] == "told"]) == 30


@pytest.mark.parametrize(
    ("stop", "figure"),
    [
        (lw.Budget(50), {"name": "labels", "value": 30, "goal": 50}),
        (lw.Width(0.2), {"name": "width", "goal": 0.2}),
        (lw.AnyOf((lw.Sure(0.9), lw.Budget(9))), {"name": "probability", "goal": 0.9}),
        (lw.AllOf((lw.Price(0.1), lw.Budget(9))), {"name": "labels", "goal": 9}),
        (lw.Price(0.1), None),
    ],
)
def test_the_number_that_the_rule_looks_at(spring, stop, figure):
    result = spring[0].answer()
    found = figure_of(stop, result)
    assert found is None if figure is None else {key: found[key] for key in figure} == figure
    if figure and figure["name"] == "width":
        assert found["value"] == pytest.approx(
            float((result.answer.posterior.high - result.answer.posterior.low).max())
        )


def test_a_reader_that_dies_is_replaced_and_one_whose_server_dies_leaves(spring, tmp_path):
    processes = AnswerProcesses(str(tmp_path / "spring.lw"), None)
    try:
        assert processes.look("progress").result(limit(60))["n_labels"] == 30
        [number] = processes._pools["quick"]._processes
        os.kill(number, signal.SIGKILL)
        deadline = time.monotonic() + limit(30)
        while time.monotonic() < deadline:
            try:
                assert processes.look("progress").result(limit(60))["n_labels"] == 30
                break
            except Exception:
                time.sleep(0.05)
        else:
            pytest.fail("no reader took the place of the dead one")
        assert list(processes._pools["quick"]._processes) != [number]
    finally:
        processes.close()


def test_a_reader_that_begins_while_postgres_is_away_waits_for_it(postgres):
    where = postgres.fresh()
    with lw.open_store(where) as store:
        new_assessment(store)
    processes = AnswerProcesses(where, None)
    try:
        postgres.stop()
        found = processes.look("progress")
        with pytest.raises(TimeoutError):
            found.result(timeout=4)
        postgres.start()
        assert found.result(limit(60))["n_labels"] == 0
    finally:
        processes.close()


def test_a_reader_whose_store_is_not_there_says_so_and_lives(tmp_path):
    processes = AnswerProcesses(str(tmp_path / "spring.lw"), None)
    try:
        with pytest.raises(NotFoundError, match=r"spring\.lw"):
            processes.look("progress").result(limit(60))
        with lw.open_store(tmp_path / "spring.lw") as store:
            new_assessment(store)
        assert processes.look("progress").result(limit(60))["n_labels"] == 0
    finally:
        processes.close()
