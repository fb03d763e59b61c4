"""The answer worker: a process beside the server that computes answers, so that labellers never wait for them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict
from functools import partial
from multiprocessing import get_context, parent_process
from threading import Lock, Thread
from typing import Any

from labelwise.assessment import Assessment, Result, StoppingRule, agreement_of
from labelwise.errors import NotFoundError
from labelwise.plots import Chart
from labelwise.plots.render import script_bundle
from labelwise.report import report_of
from labelwise.report.agreement import agreement_document
from labelwise.report.figures import READINGS, Figure, figure_makers
from labelwise.report.guarantee import promises_of
from labelwise.report.history import labels_of, passed_by, said_of, when
from labelwise.report.measurement import without_nan
from labelwise.report.outcome import outcome
from labelwise.report.status import status_of
from labelwise.store import open_store
from labelwise.store.opening import shown_place
from labelwise.web.content import parts_of
from labelwise.web.settings import PATIENCE

_MOMENTS = 20  # of the past that are worked out anew for the chart of progress, after every label
# which process works a document out, if not the quick one: the answer does not wait for what takes a second and more
_PROCESS = {"chart": "slow", "report": "slow", "export": "slow", "forecast": "forecast"}
TITLES = {
    "difference": "The difference", "groups": "Groups", "progress": "Progress", "allocation": "Where the labels went",
    "ranks": "Ranks", "cost": "Expected cost", "reliability": "Reliability", "curve": "Calibration curve",
    "ece": "Calibration error", "confusion": "Confusion matrix",
}  # fmt: skip


class AnswerWorker:
    """Reads an assessment as others write to it, and says all that pages and tools may know.

    Everything is worked out once for a version: the number of events that could change an answer.
    """

    def __init__(self, where: str, name: str | None) -> None:
        self._where = where
        self._store = open_store(where, create=False, is_known=True, patience=PATIENCE)  # the server has opened it
        self._journal = self._store.journal(self._store.named(name))
        self.assessment = Assessment.reopen(self._journal)
        self._kept: dict[Any, tuple[int, Any]] = {}
        self._lock = Lock()

    def look(self, what: str, **options: Any) -> Any:
        """Catch up, and give one of the documents below by its name."""
        with self._lock:
            self.assessment.refresh()
            return without_nan(getattr(self, what)(**options))

    @property
    def _version(self) -> int:
        return self.assessment.ledger.n_changes

    def _once(self, key: Any, make: Callable[[], Any]) -> Any:
        """Return what was worked out for this version, or work it out."""
        version, value = self._kept.get(key, (-1, None))
        if version != self._version:
            value = make()
            self._kept[key] = (self._version, value)
        return value

    def _result(self) -> Result:
        found: Result = self._once("result", self.assessment.answer)
        return found

    def progress(self) -> dict[str, Any]:
        """Return how far it is, without a name of a group: what labellers may see."""
        assessment, result = self.assessment, self._result()
        ledger = assessment.ledger
        return {
            "version": self._version,
            "n_labels": result.n_labels,
            "n_out": ledger.slips.counts()["open"],
            "n_skipped": result.n_skipped,
            "n_unknown": result.n_unknown,
            "n_open": int(assessment.n_open.sum()),
            "n_items": assessment.pool.n_items,
            "n_second": sum(len(opinions) for opinions in ledger.opinions.values()),
            "seconds": {name: ledger.slips.counts(is_second=True)[name] for name in ("open", "skipped", "unknown")},
            "is_met": result.verdict.is_met,
            "is_spent": result.is_spent,
            "is_closed": ledger.is_closed,
            "rule": str(assessment.setup.stop),
            "figure": figure_of(assessment.setup.stop, result),
            "budget": budget_of(assessment.setup.stop, result.n_labels),
            "at": time.time(),
        }

    def forecast(self) -> dict[str, Any] | None:
        """Return how many more labels to expect; None if none is needed. Takes seconds."""
        result = self._result()
        if result.may_stop:
            return None
        found = self._once("forecast", lambda: result.forecast)
        numbers = {name: found.quantile(q) for name, q in {"n": 0.5, "low": 0.1, "high": 0.9}.items()}
        return {**numbers, "sentence": found.sentence()}

    def answer(self) -> dict[str, Any]:
        """Return the answer with every number, its guarantee included."""

        def make() -> dict[str, Any]:
            result = self._result()
            word = "stop" if result.may_stop else "go on"
            document = outcome(self.assessment, result, with_forecast=False)
            words = {"sentence": f"{word}: {result.verdict.sentence}", "promises": promises_of(document)}
            return document | {"version": self._version, **words}

        found: dict[str, Any] = self._once("answer", make)
        return found

    def _makers(self) -> dict[str, Callable[[], Chart]]:
        return dict(figure_makers(self.assessment, self._result(), moments=_MOMENTS))

    def charts(self) -> dict[str, Any]:
        """Return the kinds of the available charts."""
        kinds = [{"kind": kind, "title": TITLES[kind], "reading": READINGS[kind]} for kind in self._makers()]
        return {"version": self._version, "charts": kinds}

    def chart(self, kind: str, theme: str) -> dict[str, Any]:
        """Return a chart: its description for Vega, and the table behind it."""
        make = self._makers().get(kind)
        if make is None:
            raise NotFoundError(f"There is no chart {kind!r} of this assessment yet.")
        figure: Figure = self._once(("chart", kind), lambda: Figure(kind, make()))
        return {"version": self._version, "spec": figure.chart.spec(theme), **figure.document()}

    def labellers(self) -> dict[str, Any]:
        """Return how many items each labeller labelled."""
        found: dict[str, Any] = self._once("labellers", self._labellers)
        return found

    def _labellers(self) -> dict[str, Any]:
        found = self.assessment.ledger.slips.labellers()
        newest = self._journal.numbered([event for _, event in found.values()])
        rows: list[dict[str, Any]] = [
            {
                "name": name, "n_labels": n["told"], "n_skipped": n["skipped"], "n_unknown": n["unknown"],
                "n_second": n["second_told"] + n["second_skipped"] + n["second_unknown"], "newest": when(event.at),
            }
            for (name, (n, _)), event in zip(found.items(), newest, strict=True)
        ]  # fmt: skip
        rows.sort(key=lambda row: -row["n_labels"])
        return {"labellers": rows}

    def agreement(self) -> dict[str, Any]:
        """Return how far labellers agree on items that two of them labelled."""
        found: dict[str, Any] = self._once("agreement", self._agreement)
        return found

    def _agreement(self) -> dict[str, Any]:
        found = agreement_of(self.assessment)
        kappa = None
        if found.kappa is not None and found.kind is not None:
            ends = {"low": found.kappa.low, "high": found.kappa.high}
            kappa = {"name": found.kind.capitalize(), "value": found.kappa.mean, **ends}
        pairs = [
            {"one": pair.one, "other": pair.other, "n": pair.n_items, "n_agree": pair.n_agree, "kappa": pair.kappa}
            for pair in found.pairs
        ]
        promises = agreement_document(found)["guarantees"]
        return {
            "n_twice": found.n_items,
            "n_agree": found.n_agree,
            "share": None if found.share is None else asdict(found.share),
            "kappa": kappa,
            "guarantee": " ".join(f"Interval of the {what}: {words}." for what, words in promises.items()),
            "sentence": found.sentence(),
            "pairs": pairs,
            "n_disputes": len(self.assessment.disputes()),
        }

    def skipped(self) -> dict[str, Any]:
        """List the items that were skipped, newest first."""
        return {"items": passed_by(self.assessment)}

    def history(self, before: int | None, limit: int, labeller: str | None) -> dict[str, Any]:
        """List what was said, newest first; by one labeller unless it is None."""
        rows = said_of(self.assessment, most=limit + 1, before=before, labeller=labeller)
        slips = self.assessment.ledger.slips
        found = []
        for row in rows[:limit]:
            said = {"told": "told", "skipped": "unknown" if row.get("is_unknown") else "skipped"}.get(row["kind"])
            can = said is not None and slips[row["ticket"]].status == said
            found.append({key: value for key, value in row.items() if key != "labels"} | {"can_withdraw": can})
        return {"rows": found, "before": found[-1]["event"] if len(rows) > limit else None}

    def disputes(self, has_images: bool) -> dict[str, Any]:
        """List the items that labellers disagree about."""
        assessment, seconds = self.assessment, self.assessment.ledger.seconds
        disputes = assessment.disputes()
        items = assessment.pool.places([dispute.item for dispute in disputes])
        found = []
        for dispute, item in zip(disputes, items, strict=True):
            second, counts = seconds.second(item), seconds.counts(item)
            assert second is not None  # or there were no dispute
            assert second.ticket is not None
            ticket = assessment.ticket_of(assessment.ledger.slip(second.ticket))
            said = [(dispute.labeller, dispute.label, counts.at), (dispute.other_labeller, dispute.other, second.at)]
            found.append(
                {
                    "id": dispute.item,
                    "content": parts_of(ticket.item, second.ticket, has_images=has_images),
                    "label": dispute.label,
                    "opinions": [{"labeller": who, "label": label, "at": when(at)} for who, label, at in said],
                }
            )
        return {"disputes": found}

    def export(self) -> list[dict[str, Any]]:
        """Return the labels that count, one row per item."""
        return labels_of(self.assessment, with_predictions=True)

    def report(self, format: str) -> str:
        """Write the report."""
        return report_of(self.assessment, source=shown_place(self._where)).write(format)

    def status(self) -> dict[str, Any]:
        """Return how the assessment stands."""
        return status_of(self.assessment)


def figure_of(stop: StoppingRule, result: Result) -> dict[str, Any] | None:
    """Return the number that a stopping rule looks at, and where it is met; of several rules the first that has one.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> import labelwise as lw
    >>> figure_of(lw.Budget(100), SimpleNamespace(answer=None, n_labels=40))
    {'name': 'labels', 'title': 'Labels spent', 'value': 40, 'goal': 100}
    """
    gauge = stop.gauge(result.answer, result.n_labels)
    return None if gauge is None else {name: getattr(gauge, name) for name in ("name", "title", "value", "goal")}


def budget_of(stop: StoppingRule, n_labels: int) -> dict[str, Any] | None:
    """Return how far the budget of a stopping rule is spent if that alone can meet the rule, else None.

    Examples
    --------
    >>> import labelwise as lw
    >>> budget_of(lw.AnyOf((lw.Sure(0.95), lw.Budget(100))), 40)
    {'name': 'labels', 'title': 'Labels spent', 'value': 40, 'goal': 100}
    >>> budget_of(lw.AllOf((lw.Sure(0.95), lw.Budget(100))), 40) is None
    True
    """
    goal = stop.budget
    return None if goal is None else {"name": "labels", "title": "Labels spent", "value": n_labels, "goal": goal}


def blind_view(progress: dict[str, Any]) -> dict[str, Any]:
    """Return what a blind labeller may see of progress: counts, and nothing that depends on what a label said.

    Telling a label, looking at a probability or an interval, and taking it back would reveal the prediction. Second
    opinions count as first ones do: who sees an item second is not to know it.
    """
    budget, n_second, seconds = progress["budget"], progress["n_second"], progress["seconds"]
    is_met = budget is not None and budget["value"] >= budget["goal"]
    n_labels = progress["n_labels"] + n_second
    if budget is not None and not is_met:
        budget = budget | {"value": min(n_labels, budget["goal"] - 1)}
    counts = {
        "n_labels": n_labels,
        "n_out": progress["n_out"] + seconds["open"],
        "n_skipped": progress["n_skipped"] + seconds["skipped"],
        "n_unknown": progress["n_unknown"] + seconds["unknown"],
        "n_open": max(0, progress["n_open"] - n_second - sum(seconds.values())),
    }
    blind = {key: value for key, value in progress.items() if key not in ("n_second", "seconds")}
    return blind | counts | {"is_met": is_met, "figure": budget, "budget": budget, "more": None}


class AnswerProcesses:
    """Readers in processes of their own, one for what is quick, others for what is not; a dead one is replaced.

    Parameters
    ----------
    where, name : the store and the assessment.
    """

    def __init__(self, where: str, name: str | None) -> None:
        self._start = (where, name)
        self._lock = Lock()
        self._pools: dict[str, ProcessPoolExecutor] = {}

    def look(self, what: str, **options: Any) -> Future[Any]:
        """Request a document from the worker that computes it."""
        return self._submit(_PROCESS.get(what, "quick"), _look, what, options)

    def bundle(self) -> Future[str]:
        """Request the script that draws charts; a process of its own takes seconds to make it, and then ends."""
        made = self._submit("script", script_bundle)
        made.add_done_callback(lambda _: self._pools["script"].shutdown(wait=False))
        return made

    def _submit(self, which: str, call: Callable[..., Any], *arguments: Any) -> Future[Any]:
        with self._lock:
            if which in self._pools:
                try:
                    return self._pools[which].submit(call, *arguments)
                except RuntimeError:  # it died, or has ended
                    pass
            begin = _leave_with_parent if which == "script" else partial(_begin, *self._start)
            self._pools[which] = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=begin)
            return self._pools[which].submit(call, *arguments)

    def close(self) -> None:
        """End the processes, whatever they are at."""
        for pool in self._pools.values():
            for process in list((pool._processes or {}).values()):
                process.kill()
            pool.shutdown(wait=True, cancel_futures=True)  # at once, now that nobody works


_start: tuple[str, str | None] | None = None
_reader: AnswerWorker | None = None


def _begin(where: str, name: str | None) -> None:
    global _start
    _leave_with_parent()
    _start = (where, name)


def _leave_with_parent() -> None:
    """End this process when the server ends, also if the server is killed."""
    parent = parent_process()
    assert parent is not None  # this is one of its processes

    def wait() -> None:
        parent.join()
        os._exit(0)

    Thread(target=wait, daemon=True).start()


def _look(what: str, options: dict[str, Any]) -> Any:
    global _reader
    if _reader is None:  # opened by the first look, not as the process begins: if it fails, the next look tries again
        assert _start is not None  # said when the process began
        _reader = AnswerWorker(*_start)
    return _reader.look(what, **options)
