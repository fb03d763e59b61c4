"""What the tests of commands share: a small pool on disk, and ways to run a command in this process or outside it."""

from __future__ import annotations

import csv
import fcntl
import io
import json
import os
import pty
import re
import select
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import termios
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from labelwise.cli.main import main
from patience import limit

SCRIPT = Path(sys.executable).with_name("labelwise")
CLASSES = ("cat", "cow", "dog")
# how often a prediction is right, by class and region: dogs are worst, cats are best, the south is worse
RIGHT = {
    "cat": {"north": 0.99, "south": 0.85},
    "cow": {"north": 0.9, "south": 0.6},
    "dog": {"north": 0.4, "south": 0.05},
}
# makes its standard input the terminal that Ctrl-C speaks to, then becomes the command
LAUNCHER = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def document(self):
        """The one JSON document on standard output: nothing before, nothing after, nothing that JSON does not know."""
        return strict(self.out)

    @property
    def rows(self):
        return list(csv.DictReader(io.StringIO(self.out, newline="")))


def strict(text):
    def refuse(name):
        raise ValueError(f"{name} is no JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.fixture
def command(monkeypatch):
    """Runs `labelwise WORDS` in this process, as the installed command does."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)  # typer sets its own; ours comes back

    def run(*words, stdin=""):
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
        if isinstance(stdin, (str, bytes)):
            raw = stdin if isinstance(stdin, bytes) else stdin.encode()
            stdin = io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8")
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["labelwise", *map(str, words)])
            patch.setattr(sys, "stdin", stdin)
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code = 0
            try:
                main()
            except SystemExit as end:
                code = end.code or 0
        texts = []
        for stream in (out, err):
            stream.flush()
            texts.append(stream.buffer.getvalue().decode())
        return Done(code, *texts)

    return run


@pytest.fixture
def process():
    """Runs `labelwise WORDS` as a process of its own."""

    def run(*words, **options):
        done = subprocess.run(
            [SCRIPT, *map(str, words)], capture_output=True, text=True, timeout=limit(60), check=False, **options
        )
        return Done(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def shell():
    """Runs a line with bash, every part of a pipe having to succeed; `labelwise` is on the path."""

    def run(line, **options):
        paths = [str(SCRIPT.parent), os.environ["PATH"]]
        env = os.environ | {"PATH": os.pathsep.join(paths)} | options.pop("env", {})
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", line],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=limit(60),
            check=False,
            env=env,
            **options,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture(scope="session")
def items():
    """The pool of most tests: ids, predictions of two classifiers, and the truth that labellers know."""
    rng = np.random.default_rng(5)
    rows = []
    for k in range(240):
        pred, region = CLASSES[k % 3], ("north", "south")[k // 3 % 2]
        others = [name for name in CLASSES if name != pred]
        label = pred if rng.uniform() < RIGHT[pred][region] else others[int(rng.integers(2))]
        old = label if rng.uniform() < 0.25 else others[int(rng.integers(2))]  # a far worse classifier
        conf = round(RIGHT[pred][region] - 0.001 * (k % 7), 4)
        rows.append(
            {"id": f"i{k:03}", "pred": pred, "conf": conf, "region": region, "text": f"about {k:03}", "label": label,
             "old": old}
        )  # fmt: skip
    return rows


@pytest.fixture(scope="session")
def truth(items):
    """The label of every item."""
    return {row["id"]: row["label"] for row in items}


@pytest.fixture
def folder(tmp_path, monkeypatch, items):
    """A folder to work in, with the pool as predictions.csv and its rival alone as old.csv."""
    write_csv(tmp_path / "predictions.csv", items)
    write_csv(tmp_path / "old.csv", [{"id": row["id"], "pred": row["old"]} for row in items])
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def spring(folder, command):
    """A store with one assessment, nothing asked yet."""
    done = command("new", "spring.lw", "predictions.csv", "--content", "text", "--seed", 7, "--prior", "flat")
    assert (done.code, done.err) == (0, "")
    return folder / "spring.lw"


@pytest.fixture
def asked(spring, command):
    """A store with five tickets out."""
    assert command("ask", "spring.lw", "-n", 5).code == 0
    return spring


def write_csv(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


@pytest.fixture
def as_csv():
    """Writes rows to a CSV file."""
    return write_csv


@pytest.fixture
def events():
    """Return kind and body of every event of a store, oldest first."""

    def rows(path):
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
            found = connection.execute("SELECT kind, body FROM events ORDER BY assessment, number").fetchall()
        connection.close()
        return [(kind, json.loads(body)) for kind, body in found]

    return rows


@pytest.fixture
def contents():
    """Return every file of a folder, byte for byte."""

    def taken(path):
        return {str(file.relative_to(path)): file.read_bytes() for file in sorted(path.rglob("*")) if file.is_file()}

    return taken


class Terminal:
    """A command in front of a pseudo-terminal: what it writes is read, and keys are pressed, as a person would."""

    def __init__(self, *words, cwd, env=None):
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 200, 0, 0))
        self.screen = ""
        self._seen = 0
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", LAUNCHER, str(SCRIPT), *map(str, words)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=cwd,
            env=os.environ | {"TERM": "xterm-256color"} | (env or {}),
            start_new_session=True,
        )
        os.close(slave)

    def _read(self, patience):
        if not select.select([self._master], [], [], patience)[0]:
            return True
        try:
            more = os.read(self._master, 65_536)
        except OSError:  # the other side has closed
            more = b""
        self.screen += more.decode(errors="replace").replace("\r\n", "\n")
        return bool(more)

    def wait_for(self, words):
        """Return what is written up to and with these words, from where the last wait ended."""
        end = time.monotonic() + limit(20)
        while words not in self.screen[self._seen :]:
            assert time.monotonic() < end, f"no {words!r} in {self.screen[self._seen :]!r}"
            assert self._read(0.1), f"it ended without {words!r}: {self.screen[self._seen :]!r}"
        before, self._seen = self._seen, self.screen.index(words, self._seen) + len(words)
        return self.screen[before : self._seen]

    def press(self, keys):
        os.write(self._master, keys.encode())

    def end(self):
        """Wait until the command leaves, and give its exit code."""
        end = time.monotonic() + limit(20)
        while self._read(0.1):
            assert time.monotonic() < end, f"it does not leave: {self.screen[self._seen :]!r}"
        return self.process.wait(limit(20))

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(limit(10))
        os.close(self._master)


@pytest.fixture
def terminal():
    """Starts commands in pseudo-terminals, and ends those that are left."""
    started = []

    def start(*words, **options):
        started.append(Terminal(*words, **options))
        return started[-1]

    yield start
    for one in started:
        one.close()


@pytest.fixture
def secret_pool(tmp_path, monkeypatch):
    """A pool whose predictions, scores and groups cannot be mistaken for anything else; labellers say yes or no."""
    rows = [
        {
            "id": f"i{k:02}",
            "pred": ("PREDICTED-A", "PREDICTED-B")[k % 2],
            "conf": (0.8675309, 0.7071068)[k % 2],
            "rival": ("PREDICTED-B", "PREDICTED-A")[k % 2],
            "label": "TRUTH",
            "text": f"about {k:02}",
        }
        for k in range(40)
    ]
    write_csv(tmp_path / "secret.csv", rows)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "secret.csv"


@pytest.fixture
def secret(secret_pool, command):
    """A store of that pool, grouped by prediction."""

    def make(*words):
        name = f"secret{len(list(secret_pool.parent.glob('*.lw')))}.lw"
        classes = "yes,no,PREDICTED-A,PREDICTED-B"
        done = command("new", name, "secret.csv", "--content", "text", "--classes", classes, "--seed", 3, *words)
        assert (done.code, done.err) == (0, "")
        return secret_pool.parent / name

    return make


@pytest.fixture
def told_secrets():
    """Names what a blind labeller must not see in a text."""

    def found(text):
        words = ("PREDICTED", "TRUTH", '"group":', '"prediction":', '"confidence":', ",prediction")
        # as numbers alone: random ids and times hold any digits
        numbers = [digits for digits in ("8675", "7071") if re.search(rf"(?<!\d)0?\.{digits}", text)]
        return [word for word in words if word in text] + numbers

    return found


@pytest.fixture
def without_rights(tmp_path):
    """Runs a command in a folder that may not be written to; an almighty user gives that power up first."""
    almighty = "import ctypes; ctypes.CDLL(None).prctl(24, 1, 0, 0, 0);" if os.geteuid() == 0 else ""
    give_up = f"{almighty} import os, sys; os.execv(sys.argv[1], sys.argv[1:])"
    closed = []

    def run(folder, *words):
        folder.chmod(0o500)
        closed.append(folder)
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", give_up, str(SCRIPT), *map(str, words)],
            capture_output=True,
            text=True,
            timeout=limit(60),
            check=False,
            cwd=folder,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    yield run
    for folder in closed:
        folder.chmod(0o700)
    shutil.rmtree(tmp_path, ignore_errors=True)
