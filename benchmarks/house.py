"""Counts of the code base, so that before and after can be compared: `python -m benchmarks.house [--src PATH]`.

`PATH` is the `src` folder of any commit, such as that of `git worktree add ../before 44c2919`. Everything that must run
labelwise runs in a process of its own with that folder first on its path. A count that a commit does not have is '-'.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import os
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent.parent
FAMILIES = ("Belief", "Metric", "Question", "Policy", "Prior", "StoppingRule")
"""Contracts; callers should need no `isinstance` on the classes that keep them."""
SEAM = ("belief", "beliefs", "start", "metric", "question", "policy", "prior")
"""Parameters that carry a member of a family from one package to another."""
RETURNS = ("start", "update", "forget", "merge", "belief", "stacked", "known", "belief_from_labels")
"""Functions that return a belief."""

LOADED_BY_ASK = """
import contextlib, io, sys, tempfile
from pathlib import Path
def run(*words):
    from labelwise.cli.main import main
    sys.argv = ["labelwise", *words]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            main()
        except SystemExit as end:
            assert not end.code, (words, end.code)
if sys.argv[1] == "new":
    Path("p.csv").write_text("id,pred,conf\\n" + "".join(f"i{k},{'ab'[k % 2]},0.{6 + k % 3}\\n" for k in range(40)))
    run("new", "s.lw", "p.csv", "--seed", "1")
else:
    run("ask", "s.lw", "-n", "2")
    print(sum(name.partition(".")[0] == "labelwise" for name in sys.modules))
"""
FRAMES_OF_TELL = """
import os, sys, tempfile
import labelwise as lw
folder = os.path.dirname(lw.__file__)
pool = lw.pool_from_arrays(predicted=["cat", "dog"] * 30)
store = lw.SqliteStore(os.path.join(tempfile.mkdtemp(), "s.lw"))
assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=1, journal=store.journal("main"))
first, second = assessment.ask(2)
assessment.tell(first, "cat")
depth = deepest = 0
def watch(frame, event, argument):
    global depth, deepest
    if event in ("call", "return") and frame.f_code.co_filename.startswith(folder):
        depth += 1 if event == "call" else -1
        deepest = max(deepest, depth)
sys.setprofile(watch)
assessment.tell(second, "cat")
sys.setprofile(None)
print(deepest)
"""
PUBLIC_NAMES = "import labelwise; print(len([name for name in labelwise.__all__ if not name.startswith('_')]))"
COMMANDS = """
import typer
from labelwise.cli.main import app
def walk(command):
    inner = getattr(command, "commands", None)
    return [command] if inner is None else [one for child in inner.values() for one in walk(child)]
root = typer.main.get_command(app)
top = [root.get_command(None, name) for name in root.list_commands(None)]  # commands may be imported when used
found = [one for command in top for one in walk(command)]
print(len(top), len(found), sum(p.param_type_name == "option" for one in found for p in one.params))
"""


def modules(src: Path) -> dict[str, Path]:
    """Return the file of every module of the package."""
    found = {}
    for path in sorted((src / "labelwise").rglob("*.py")):
        parts = path.relative_to(src).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def code_lines(path: Path) -> int:
    """Count the lines that hold code: no blank line, comment or docstring.

    A string that stands alone as a statement is a docstring, also below an attribute.
    """
    text = path.read_text(encoding="utf-8")
    skipped = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in skipped:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def packages(src: Path) -> dict[str, tuple[int, int, int]]:
    """Return files, lines of code and all lines of every package; modules beside the packages are 'labelwise'."""
    found: dict[str, tuple[int, int, int]] = {}
    for path in modules(src).values():
        parts = path.relative_to(src / "labelwise").parts
        name = parts[0] if len(parts) > 1 else "labelwise"
        files, code, lines = found.get(name, (0, 0, 0))
        n_lines = len(path.read_text(encoding="utf-8").splitlines())
        found[name] = files + 1, code + code_lines(path), lines + n_lines
    return found


def domain_classes(src: Path) -> set[str]:
    """Return the contracts of the families, and every class that keeps one by its bases, methods or name."""
    folders = ("beliefs", "metrics", "questions", "policies", "assessment")
    found: set[str] = set(FAMILIES)
    bases = {}
    for name, path in modules(src).items():
        if name.split(".")[1:2] and name.split(".")[1] in folders:
            for node in tree_of(path).body:
                if isinstance(node, ast.ClassDef):
                    bases[node.name] = {ast.unparse(base).partition("[")[0] for base in node.bases}
                    methods = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
                    keeps = ({"update", "mean"}, {"choose"}, {"judge"}, {"beta", "dirichlet"}, {"gains", "answer"})
                    if any(needed <= methods for needed in keeps) or node.name.endswith(("Belief", "Prior")):
                        found.add(node.name)
    while more := {name for name, parents in bases.items() if parents & found} - found:
        found |= more
    return found


def checks_of_classes(src: Path) -> int:
    """Count `isinstance` on a class of a family, and `match` cases that name one."""
    domain = domain_classes(src)

    def names(node: ast.AST) -> set[str]:
        return {one.id if isinstance(one, ast.Name) else one.attr for one in ast.walk(node)
                if isinstance(one, (ast.Name, ast.Attribute))}  # fmt: skip

    count = 0
    for path in modules(src).values():
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance" and len(node.args) == 2:
                count += bool(names(node.args[1]) & domain)
            if isinstance(node, ast.MatchClass):
                count += bool(names(node.cls) & domain)
    return count


def any_at_the_seam(src: Path) -> int:
    """Count parameters that carry a member of a family and returns that are a belief, typed `Any`."""

    def is_any(node: ast.AST | None) -> bool:
        return node is not None and ast.unparse(node).removesuffix(" | None") == "Any"

    count = 0
    for path in modules(src).values():
        for node in ast.walk(tree_of(path)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                arguments = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
                count += sum(one.arg in SEAM and is_any(one.annotation) for one in arguments)
                count += node.name in (*SEAM, *RETURNS) and is_any(node.returns)
    return count


def imports(src: Path) -> dict[str, set[str]]:
    """Return what every module imports of labelwise as it is loaded; imports inside functions and for types are not."""
    known = modules(src)
    bound = {
        name: {alias.asname or alias.name for node in tree_of(path).body if isinstance(node, ast.ImportFrom)
               for alias in node.names}
        for name, path in known.items()
    }  # fmt: skip

    def of(body: list[ast.stmt], module: str) -> Iterator[str]:
        for node in body:
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    # a name that the package binds hides the module of that name: `from labelwise.metrics import ece`
                    yield inner if inner in known and alias.name not in bound.get(node.module, ()) else node.module
            elif isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.Try):
                yield from of(node.body, module)

    return {name: {one for one in of(tree_of(path).body, name) if one in known and one != name}
            for name, path in known.items()}  # fmt: skip


def longest_chain(src: Path) -> list[str]:
    """Return the longest chain of modules that import each other; a package imported on the way back ends a chain."""
    graph = imports(src)
    best: dict[str, list[str]] = {}

    def chain(module: str, above: frozenset[str]) -> list[str]:
        if module not in best:
            inner = (chain(one, above | {module}) for one in sorted(graph[module]) if one not in above)
            best[module] = [module, *max(inner, key=len, default=[])]
        return best[module]

    return max((chain(module, frozenset()) for module in graph), key=len)


def measured(src: Path, code: str, *words: str, cwd: Path | None = None) -> list[int] | None:
    """Return the numbers that a piece of code prints when labelwise is that of `src`; None if it fails there."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, *words], capture_output=True, text=True, check=False, cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(src)},
    )  # fmt: skip
    return [int(word) for word in done.stdout.split()] if done.returncode == 0 else None


def loaded_by_ask(src: Path) -> int | None:
    """Return how many modules of labelwise `labelwise ask` loads."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        if measured(src, LOADED_BY_ASK, "new", cwd=Path(folder)) is None:
            return None
        found = measured(src, LOADED_BY_ASK, "ask", cwd=Path(folder))
    return found[0] if found else None


def places(src: Path) -> dict[str, int | None]:
    """Return how many files a new metric and a new policy touch, as the test of the recipes lists them."""
    path = src.parent / "tests" / "test_recipes.py"
    if not path.exists():
        return {"metric": None, "policy": None}
    sys.path.insert(0, str(path.parent))
    from test_recipes import RECIPE_OF

    return {family: len(RECIPE_OF[family].places) for family in ("metric", "policy")}


def house(src: Path) -> dict[str, Any]:
    """Return all counts of the package in `src`."""
    by_package = packages(src)
    own = [counts for name, counts in by_package.items() if name != "reproduce"]  # the papers are counted apart
    public, commands = measured(src, PUBLIC_NAMES), measured(src, COMMANDS)
    frames = measured(src, FRAMES_OF_TELL)
    touched = places(src)
    top, all_commands, options = commands or (None, None, None)
    return {
        "packages": by_package,
        "counts": {
            "files": sum(files for files, _, _ in own),
            "lines of code": sum(code for _, code, _ in own),
            "all lines": sum(lines for _, _, lines in own),
            "public names at the top": public[0] if public else None,
            "commands and groups at the top": top,
            "commands": all_commands,
            "options of commands": options,
            "isinstance on domain classes": checks_of_classes(src),
            "Any in signatures of the seam": any_at_the_seam(src),
            "longest import chain": len(longest_chain(src)),
            "modules loaded by `labelwise ask`": loaded_by_ask(src),
            "frames of one tell": frames[0] if frames else None,
            "files touched by a new metric": touched["metric"],
            "files touched by a new policy": touched["policy"],
        },
    }


def main() -> None:
    """Print the counts as a table in Markdown, or as JSON."""
    parser = argparse.ArgumentParser(description="Count files, lines, names, options and more of labelwise.")
    parser.add_argument("--src", type=Path, default=HERE / "src", help="folder that has the package labelwise")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    found = house(arguments.src.resolve())
    if arguments.json:
        print(json.dumps(found, indent=1))
        return
    print("| count | value |\n|---|---|")
    for name, value in found["counts"].items():
        print(f"| {name} | {'-' if value is None else f'{value:,}'} |")
    print("\n| package | files | lines of code | all lines |\n|---|---|---|---|")
    for name, (files, code, lines) in found["packages"].items():
        print(f"| {name} | {files} | {code:,} | {lines:,} |")


if __name__ == "__main__":
    main()
