"""A PostgreSQL server of the tests' own: a fresh cluster in a temporary folder, gone afterwards.

One a test process, started when first needed: with `pytest -n auto` each worker has its own, so that a test may stop
it without harm to the others.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from patience import limit

USER, PASSWORD = "labelwise", "open sesame/?@:%"
REQUIRED = os.environ.get("LABELWISE_REQUIRE_POSTGRES", "") not in ("", "0")
_SETTINGS = {
    "shared_buffers": "16MB",
    "max_connections": "60",
    "autovacuum": "off",
    "max_wal_senders": "0",
    "wal_level": "minimal",
    "log_min_messages": "fatal",
    "listen_addresses": "127.0.0.1",
}
_numbers = count()


def binaries() -> Path | None:
    """Return the folder of PostgreSQL's programs: on the path, or where Debian puts them."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    folders = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    return max(folders, key=lambda folder: float(folder.parent.name), default=None)


def why_not() -> str | None:
    """Return why there can be no server here; None if there can."""
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed: pip install 'labelwise[postgres]'"
    if binaries() is None:
        return "PostgreSQL is not installed: apt-get install --no-install-recommends postgresql"
    return None


def _leave_with_parent() -> None:
    """Have the server end if the test process is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGQUIT)


class Server:
    """A cluster that can be started, stopped and killed."""

    def __init__(self, *, is_safe: bool = False) -> None:
        self._bin = binaries()
        self.folder = Path(tempfile.mkdtemp(prefix="lwpg-", dir="/tmp"))  # a short path: sockets allow 107 characters
        self._process: subprocess.Popen | None = None
        self._as: dict = {}
        if os.getuid() == 0:  # PostgreSQL refuses to run as root
            user = next(name for name in ("postgres", "nobody") if _has_user(name))
            entry = pwd.getpwnam(user)
            os.chown(self.folder, entry.pw_uid, entry.pw_gid)
            self._as = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        (self.folder / "password").write_text(PASSWORD)
        (self.folder / "password").chmod(0o644)
        self._run("initdb", "-D", self._data, "-U", USER, "--auth-local=trust", "--auth-host=scram-sha-256",
                  f"--pwfile={self.folder / 'password'}", "--encoding=UTF8", "--locale=C", "--no-sync",
                  "--no-instructions")  # fmt: skip
        if not is_safe:
            with (self._data / "postgresql.conf").open("a") as file:
                file.write("\nfsync = off\nfull_page_writes = off\n")  # tests of durability switch them on
        self.port = _free_port()

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _run(self, program: str, *words: object) -> None:
        done = subprocess.run([self._bin / program, *map(str, words)], capture_output=True, text=True, cwd=self.folder,
                              timeout=limit(60), check=False, **self._as)  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stdout}{done.stderr}")

    def start(self) -> None:
        settings = _SETTINGS | {
            "port": self.port,
            "unix_socket_directories": self.folder,
            "listen_addresses": "127.0.0.1",
        }
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._bin / "postgres", "-D", str(self._data), *words], stdout=log, stderr=log, cwd=self.folder,
                preexec_fn=_leave_with_parent, start_new_session=True, **self._as,
            )  # fmt: skip
        self._await()

    def _await(self) -> None:
        import psycopg

        deadline = time.monotonic() + limit(60)
        while True:
            try:
                psycopg.connect(self.url(), connect_timeout=5).close()
                return
            except psycopg.OperationalError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(
                        f"PostgreSQL does not start: {(self.folder / 'log').read_text()[-2_000:]}"
                    ) from None
                time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it: SIGINT ends all sessions in good order, SIGQUIT is a crash."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(60)
            self._process = None

    def restart(self, how: signal.Signals = signal.SIGINT, *, pause: float = 0.0) -> None:
        self.stop(how)
        time.sleep(pause)
        self.start()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop the server and its sessions in the middle of whatever they do, without a word to anybody."""
        pids = [self._process.pid, *(pid for (pid,) in self.run("SELECT pid FROM pg_stat_activity"))]
        _signal(pids, signal.SIGSTOP)
        try:
            yield
        finally:
            _signal(pids, signal.SIGCONT)

    def remove(self) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, schema: str | None = None, *, database: str = "postgres") -> str:
        """Return an address over the socket, where no password is asked for."""
        more = "" if schema is None else f"&schema={schema}"
        return f"postgresql://{USER}@/{database}?host={self.folder}&port={self.port}{more}"

    def fresh(self) -> str:
        """Return the address of a store that is not there yet."""
        return self.url(f"t{next(_numbers)}")

    def tcp(self, password: str, database: str = "postgres") -> str:
        """Return an address over the network, where a password is asked for."""
        from urllib.parse import quote

        return f"postgresql://{USER}:{quote(password, safe='')}@127.0.0.1:{self.port}/{database}"

    def run(self, statement: str, *values: object) -> list[tuple]:
        import psycopg

        with psycopg.connect(self.url(), autocommit=True) as connection:
            cursor = connection.execute(statement, values or None)
            return cursor.fetchall() if cursor.description else []


def _signal(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def _has_user(name: str) -> bool:
    try:
        return bool(pwd.getpwnam(name))
    except KeyError:
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
