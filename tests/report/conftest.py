"""What the tests of reports share: pages in a real browser, and assessments with friendly and with hostile names."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import count

import numpy as np
import pytest

import labelwise as lw

HOSTILE = (
    "<script>window.hacked = 1</script>",
    '"><img src=x onerror="window.hacked = 1">',
    "</svg><script>window.hacked = 1</script>",
    "</style><script>window.hacked = 1</script>",
    "</title></details></table><script>window.hacked = 1</script>",
    "' onmouseover='window.hacked = 1",
    "\u202ekcab ot tnorf\u202c قطة كلب",
    "👩‍🔬 emoji 🐈",
    "x" * 5_000,
    "tab\tand\nline",
    "[link](javascript:alert(1)) | pipe `tick` *star*",
    "plain",
)


@pytest.fixture
def opened(chromium, tmp_path):
    """Opens a page from a file: nothing else may be asked for, and what it complains of is kept."""

    @contextmanager
    def open_page(html, *, name="report.html", **options):
        file = tmp_path / name
        file.write_text(html, encoding="utf-8")
        context = chromium.new_context(**options)
        page = context.new_page()
        page.asked, page.complaints = [], []
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("console", lambda message: page.complaints.append(message.text))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (page.complaints.append("dialog"), dialog.dismiss()))
        page.route("**/*", lambda route: route.continue_() if route.request.url == file.as_uri() else route.abort())
        page.goto(file.as_uri())
        try:
            yield page
        finally:
            context.close()

    return open_page


def assess(pool, question, n_labels, *, labellers=("ann", "bob"), groups=None, seed=3, **options):
    """Ask and tell, one item in nine skipped."""
    clock = count(1_780_000_000)
    assessment = lw.Assessment(
        pool,
        groups or lw.by_prediction(pool),
        question=question,
        seed=seed,
        clock=lambda: float(next(clock)),
        **options,
    )
    for k in range(n_labels):
        (ticket,) = assessment.ask(labeller=labellers[k % len(labellers)])
        label = pool.classes[pool.labels[np.flatnonzero(pool.all_ids() == ticket.item["id"])[0]]]
        if k % 9 == 4:
            assessment.skip(ticket, "blurred", is_unknown=k % 2 == 0)
        else:
            assessment.tell(ticket, label)
    return assessment


def make_pool(names, n_items=300, *, seed=0, right=0.8, ids=None):
    rng = np.random.default_rng(seed)
    predicted = rng.integers(0, len(names), n_items)
    share = np.linspace(right - 0.3, right, len(names))[predicted]
    truth = np.where(rng.uniform(size=n_items) < share, predicted, (predicted + 1) % len(names))
    confidence = np.clip(share + rng.uniform(-0.1, 0.19, n_items), 0.05, 0.99)
    return lw.pool_from_arrays(
        predicted=[names[k] for k in predicted], confidence=confidence, labels=[names[k] for k in truth],
        classes=list(names), ids=ids,
    )  # fmt: skip


@pytest.fixture(scope="session")
def animals():
    """An assessment of three groups, two of them worth telling apart."""
    return assess(make_pool(["cat", "dog", "emu"]), lw.Worst(lw.accuracy), 60, prior=lw.LearnedPrior())


@pytest.fixture(scope="session")
def animal_report(animals):
    return lw.report_of(animals, title="Animals", source="spring.lw")


@pytest.fixture(scope="session")
def hostile_report():
    """A report whose every name means harm: classes, items, labellers, title, file."""
    ids = [f"{HOSTILE[k % len(HOSTILE)]}{k}" for k in range(200)]
    pool = make_pool(HOSTILE, 200, ids=ids)
    assessment = assess(pool, lw.Worst(lw.accuracy), 60, labellers=HOSTILE)
    return lw.report_of(assessment, title=HOSTILE[0] + HOSTILE[4], source=HOSTILE[1])


@pytest.fixture(scope="session")
def make_assessment():
    return assess


@pytest.fixture(scope="session")
def pool_of():
    return make_pool
