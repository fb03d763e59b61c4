"""Files are written whole or not at all, and never over a store."""

import os
import stat

import pytest

import labelwise as lw
from labelwise.errors import ConflictError
from labelwise.files import check_target, is_database, write_file


def test_a_store_is_never_overwritten(tmp_path, refusal):
    with lw.open_store(tmp_path / "spring.lw"):
        pass
    before = (tmp_path / "spring.lw").read_bytes()
    assert is_database(tmp_path / "spring.lw")
    (tmp_path / "link.csv").symlink_to(tmp_path / "spring.lw")
    for name in ("spring.lw", "link.csv"):
        sentence = f"'{tmp_path / name}' is a store and must not be overwritten. Choose another output file."
        for write in (check_target, lambda path: write_file(path, "x"), lw.pool.Frame({"a": [1]}).save):
            assert refusal(ConflictError, write, tmp_path / name) == sentence
    assert (tmp_path / "spring.lw").read_bytes() == before


def test_a_file_is_replaced_whole_and_keeps_its_mode(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    write_file(path, "old")
    path.chmod(0o640)
    write_file(path, "new \u00e9\r\n")
    assert path.read_bytes() == "new \u00e9\r\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fdopen", fail)
    with pytest.raises(OSError, match="No space"):
        write_file(path, "half")
    assert path.read_bytes() == "new \u00e9\r\n".encode()
    assert [one.name for one in tmp_path.iterdir()] == ["a.csv"]


def test_checking_a_target_leaves_nothing_behind(tmp_path):
    check_target(tmp_path / "a.csv")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(OSError, match="No such file"):
        check_target(tmp_path / "no" / "a.csv")
    with pytest.raises(OSError, match="directory"):
        check_target(tmp_path)


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_file(tmp_path / "pipe", "x")
        assert os.read(reader, 10) == b"x"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
