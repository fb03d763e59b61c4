"""Text that leaves a command."""

import subprocess
import sys

import pytest

from labelwise.cli.output import put


def test_nothing_is_taken_out_of_data(capsys):
    put("a\x1b[31mb")
    put("c", nl=False)
    assert capsys.readouterr().out == "a\x1b[31mb\nc"


@pytest.mark.parametrize("n", [1, 5_000_000])
def test_a_reader_that_has_left_ends_the_command_as_a_success(n):
    body = f"time.sleep(0.2), put('x' * {n}), put('y')"
    code = f"import time, typer\nfrom labelwise.cli.output import put\ntyper.run(lambda: ({body}))"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as done:
        done.stdout.close()
        assert done.stderr.read() == b""
    assert done.returncode == 0
