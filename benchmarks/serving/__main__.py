"""Load, in full: `python -m benchmarks.serving`; shorter: `python -m benchmarks.serving calm busy --seconds 10`.

Four scenes against SQLite and against PostgreSQL (a cluster of its own, removed afterwards): `calm` (labellers who
think half a second), `busy` (who do not think), `killed` (the server gets SIGKILL in the middle and is started again),
`restarted` (PostgreSQL is, in the middle). After each the store is opened and held against what labellers were
answered: nothing lost, nothing doubled.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import labelwise as lw

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
SCENES = {"calm": 0.5, "busy": 0.0, "killed": 0.5, "restarted": 0.5}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.serving", description="Many labellers at once.")
    parser.add_argument("scenes", nargs="*", metavar="scene", help=f"which: {', '.join(SCENES)}; all if none")
    parser.add_argument("--labellers", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--store", choices=["sqlite", "postgres"], help="only this one")
    chosen = parser.parse_args()
    for scene in chosen.scenes or SCENES:
        for kind in [chosen.store] if chosen.store else ["sqlite", "postgres"]:
            if scene == "restarted" and kind == "sqlite":
                continue
            with tempfile.TemporaryDirectory(prefix="labelwise-serving-") as folder:
                played(scene, kind, Path(folder), chosen.labellers, chosen.seconds)


def played(scene: str, kind: str, folder: Path, n_labellers: int, seconds: float) -> None:
    """Play a scene, and print how it went."""
    import postgres

    database = None
    if kind == "postgres":
        database = postgres.Server()
        database.start()
    try:
        where = database.fresh() if database is not None else str(folder / "spring.lw")
        keys = prepared(where, n_labellers)
        server, port = started(where, 0)
        labellers = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.serving.labellers"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        wanted = {"port": port, "keys": keys, "think": SCENES[scene], "seconds": seconds}
        labellers.stdin.write(json.dumps(wanted).encode())
        labellers.stdin.close()
        if scene == "killed":
            time.sleep(seconds / 2)
            server.send_signal(signal.SIGKILL)
            server.wait()
            server, _ = started(where, port)
        if scene == "restarted":
            time.sleep(seconds / 2)
            database.stop()
            database.start()
        found = json.loads(labellers.stdout.read())
        labellers.wait()
        server.send_signal(signal.SIGTERM)
        began = time.monotonic()
        server.wait(10)
        told(scene, kind, where, found, n_labellers, seconds, time.monotonic() - began)
    finally:
        if database is not None:
            database.remove()


def prepared(where: str, n_labellers: int) -> list[str]:
    """Make an assessment of 100,000 predictions with scores, and an access key for every labeller."""
    rng = np.random.default_rng(1)
    scores = rng.dirichlet([0.3] * 10, 100_000).astype(np.float32)
    scores /= scores.sum(axis=1, keepdims=True)
    pool = lw.pool_from_arrays(scores=scores.astype(np.float64), classes=range(10))
    store = lw.open_store(where)
    journal = store.journal("main")
    lw.Assessment(
        pool, lw.by_prediction(pool), question=lw.Worst(), seed=1, journal=journal, policy=lw.TopTwo(),
        prior=lw.LearnedPrior(), stop=lw.Sure(1 - 1e-9),
    )  # fmt: skip
    accounts = lw.accounts.Accounts(store)
    keys = [accounts.begin(f"labeller {k}", "labeller", seconds=86_400, kind="key") for k in range(n_labellers)]
    store.close()
    return keys


def started(where: str, port: int) -> tuple[subprocess.Popen, int]:
    """Start the server as its users do, and wait until it answers."""
    command = [sys.executable, "-m", "labelwise", "serve", where, "--port", str(port), "--no-browser", "--json"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE)
    url = json.loads(server.stdout.readline())["url"]
    return server, int(url.split(":")[2].split("/")[0])


def told(scene: str, kind: str, where: str, found: dict, n_labellers: int, seconds: float, leaving: float) -> None:
    """Hold the store against what labellers were answered, and print."""
    with lw.open_store(where, create=False) as store:
        assessment = store.open()
        problems = store.verify("main")
        kept = {slip.ticket: slip.label for slip in assessment.ledger.with_status("told")}
        events = sum(event.kind == "told" for event in assessment.history())
    answered = {ticket: label for ticket, label, _ in found["told"]}
    n_lost = sum(kept.get(ticket) != label for ticket, label in answered.items())
    n_doubled = events - len(answered)
    n_errors = sum(n for status, n in found["statuses"].items() if status >= "500")
    print(f"\n== {scene}, {kind}: {n_labellers} labellers, {seconds:.0f} s, thinking {SCENES[scene]:g} s a label")
    print(f"{len(answered):,} labels, {len(answered) / seconds:.0f} a second; answers by status: {found['statuses']}")
    for what in ("ask", "tell"):
        quantiles = np.quantile(found["seconds"][what], [0.5, 0.95, 0.99]) * 1000
        print(f"{'next item' if what == 'ask' else 'tell':9}  p50 {quantiles[0]:.1f}  p95 {quantiles[1]:.1f}  "
              f"p99 {quantiles[2]:.1f} ms")  # fmt: skip
    print(f"tries that had no answer, and were repeated: {found['broken']}")
    print(f"lost {n_lost}, doubled {n_doubled}, 5xx {n_errors}; verify: {problems or 'all as written'}; "
          f"left {leaving:.1f} s after SIGTERM")  # fmt: skip


if __name__ == "__main__":
    main()
