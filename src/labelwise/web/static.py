"""The files of the pages: read once, compressed once, known by their content."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from dataclasses import dataclass
from importlib.resources import files

from fastapi import APIRouter, Request
from fastapi.responses import Response

from labelwise.errors import NotFoundError
from labelwise.plots.render import cached_script
from labelwise.web.answer_worker import AnswerProcesses

router = APIRouter(include_in_schema=False)
_KINDS = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
}


@dataclass(frozen=True)
class File:
    """A file as it is sent."""

    kind: str
    plain: bytes
    packed: bytes
    tag: str

    @classmethod
    def of(cls, kind: str, plain: bytes) -> File:
        """Compress a file, the same way every time."""
        tag = hashlib.blake2b(plain, digest_size=8).hexdigest()
        return cls(_KINDS[kind], plain, gzip.compress(plain, 9, mtime=0), tag)

    def response(self, request: Request) -> Response:
        """Send it, or say that the browser's copy will do."""
        headers = {"etag": f'"{self.tag}"', "cache-control": "no-cache", "vary": "accept-encoding"}
        if request.query_params.get("v") == self.tag:
            headers["cache-control"] = "private, max-age=31536000, immutable"
        if headers["etag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.packed, media_type=self.kind, headers=headers | {"content-encoding": "gzip"})
        return Response(self.plain, media_type=self.kind, headers=headers)


def read_files() -> dict[str, File]:
    """Read the files of the pages."""
    folder = files("labelwise.web").joinpath("static")
    found = [entry for entry in folder.iterdir() if entry.name.rpartition(".")[2] in _KINDS]
    return {entry.name: File.of(entry.name.rpartition(".")[2], entry.read_bytes()) for entry in found}


@router.get("/static/{name}")
async def static(request: Request, name: str) -> Response:
    """Send a file of the pages; they hold nothing that is secret."""
    file: File | None = request.app.state.files.get(name)
    if file is None:
        raise NotFoundError("There is no such file.")
    return file.response(request)


@router.get("/favicon.ico")
async def icon(request: Request) -> Response:
    """Send the icon to browsers that ask for it by its old name."""
    file: File = request.app.state.files["icon.svg"]
    return file.response(request)


@router.get("/vega.js")
async def vega(request: Request) -> Response:
    """Send the script that draws charts."""
    file = await request.app.state.script.file()
    return file.response(request)


class ChartScript:
    """The script that draws charts, made from the chart library, which takes seconds, and cached for later servers.

    Parameters
    ----------
    reader : makes it.
    """

    def __init__(self, reader: AnswerProcesses) -> None:
        self._reader = reader
        self._making: asyncio.Future[File] | None = None

    async def file(self) -> File:
        """Return it, as soon as it is made."""
        if self._making is None:
            self._making = asyncio.ensure_future(self._made())
        try:
            return await asyncio.shield(self._making)
        except Exception:
            self._making = None  # try again when it is asked for again
            raise

    async def _made(self) -> File:
        text = await asyncio.to_thread(cached_script)
        if text is None:
            text = await asyncio.wrap_future(self._reader.bundle())
        return await asyncio.to_thread(File.of, "js", text.encode())
