"""A process that makes one pool, holds it and prints its own memory; started afresh for every measurement."""

from __future__ import annotations

import gc
import json
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa

import labelwise as lw

_ = [getattr(lw, name) for name in dir(lw)]  # public names load lazily; code is not what a pool weighs


def memory() -> dict[str, int]:
    """Return the bytes resident now and at the peak of this process, from Linux's account of it.

    `resource.getrusage` will not do: its peak includes that of the process that started this one.
    """
    fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return {"now": int(fields["VmRSS"].split()[0]) * 1024, "peak": int(fields["VmHWM"].split()[0]) * 1024}


def main(kind: str, path: str) -> None:
    parts = ("scores", "labels", "ids") if kind == "arrays" else ()
    arrays = {part: np.load(f"{path}-{part}.npy") for part in parts}  # the caller's, so there before the first look
    gc.collect()
    before = memory()["now"]
    pool = lw.pool_from_arrays(**arrays) if arrays else lw.read_pool(path, id="id", scores="scores", label="label")
    gc.collect()
    kept = memory()
    pa.default_memory_pool().release_unused()
    gc.collect()
    assert pool.scores is not None
    result = {"kept": kept["now"], "released": memory()["now"], "peak": kept["peak"]}
    print(json.dumps({name: value - before for name, value in result.items()} | {"matrix": pool.scores.nbytes}))


if __name__ == "__main__":
    main(*sys.argv[1:])
