"""A server that goes takes its processes with it, whatever they are at."""

import signal
import time
from pathlib import Path

import pytest

import labelwise as lw
from patience import limit
from served import Running, new_assessment


def children_of(pid):
    return [int(found) for found in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="this system does not list the children of a process")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "told to end"])
def test_no_process_stays_behind_while_the_script_of_charts_is_being_made(tmp_path, monkeypatch, how):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))  # no script was made before
    where = str(tmp_path / "spring.lw")
    with lw.open_store(where) as store:
        new_assessment(store)
    server = Running(where)
    pid, until = server.process.pid, time.monotonic() + limit(20)
    while len(children_of(pid)) < 3 and time.monotonic() < until:  # those that read, make, and keep track of both
        time.sleep(0.05)
    children = children_of(pid)
    assert len(children) >= 3
    _, seconds, _ = server.end(how)  # waits until nobody holds its standard output any more
    assert seconds < 20
    while any(Path(f"/proc/{child}/exe").exists() for child in children) and time.monotonic() < until + limit(20):
        time.sleep(0.05)
    assert [child for child in children if Path(f"/proc/{child}/exe").exists()] == []
