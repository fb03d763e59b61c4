"""The files of the pages: compressed, known by their content, and nothing else."""

import gzip

import pytest

from labelwise.plots.render import cached_script
from labelwise.web.static import File, read_files


def test_a_file_is_sent_packed_to_who_can_unpack_it_and_not_again_to_who_has_it(shared_house):
    client = shared_house.client
    plain = client.get("/static/style.css", headers={"accept-encoding": "identity"})
    packed = client.get("/static/style.css", headers={"accept-encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"]) / 2
    again = client.get("/static/style.css", headers={"if-none-match": plain.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "name", ["none.css", "../app.py", "..%2fapp.py", "%2e%2e/app.py", "label.html", "style.css%00", ".", "static.py"]
)
def test_nothing_else_is_sent(shared_house, name):
    assert shared_house.client.get(f"/static/{name}").status_code in (303, 404)
    assert "def make_app" not in shared_house.client.get(f"/static/{name}").text


def test_a_file_is_packed_the_same_way_every_time():
    one, other = (File.of("js", b"let x = 1;" * 100) for _ in range(2))
    assert one == other
    assert gzip.decompress(one.packed) == one.plain


def test_all_files_together_are_small():
    assert sum(len(file.packed) for file in read_files().values()) < 200_000


def test_the_chart_script_is_made_once_for_all_servers(house, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert cached_script() is None
    first = house.client.get("/vega.js", headers={"accept-encoding": "gzip"})
    assert first.status_code == 200
    assert int(first.headers["content-length"]) < 400_000
    assert b"vegaEmbed" in first.content
    again = house.client.get("/vega.js", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304
    assert cached_script().encode() == first.content
    [kept] = (tmp_path / "cache" / "labelwise").iterdir()
    kept.write_text(kept.read_text(encoding="utf-8")[:-9], encoding="utf-8")
    assert cached_script() is None  # a damaged one is made again
