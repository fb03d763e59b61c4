"""Column roles: the user's specification (`Layout`), and the roles it resolves to for a given table (`Roles`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from labelwise.checks import hint, listing, plain, repeated, shown
from labelwise.errors import ArgumentError, DataError, NotFoundError

ClassName = str | int

# Default column names for roles that the user does not specify; the first one present is used.
_DEFAULTS = {
    "id": ("id",),
    "predicted": ("prediction", "predicted", "pred"),
    "confidence": ("confidence", "conf"),
}
_DEFAULT_SCORES = re.compile(r"(s|p|s_|p_|score_|prob_)(\d+)")


@dataclass(frozen=True)
class Layout:
    """The user's specification of the columns.

    Parameters
    ----------
    id : column of item ids; row numbers counted from 0 by default.
    scores : one list column, a list of columns, or a wildcard such as ``"p_*"``.
    predicted, confidence : columns to use instead of scores; confidence is optional.
    label : column of true classes; an empty cell is an item without a label.
    columns : other columns to keep; all of them if None.
    content : columns that labellers see (text, path of an image).
    classes : class names in the order of the scores.
    logits : whether the scores are logits, to which softmax is applied.
    normalise : whether to divide each row of scores by its sum.
    """

    id: str | None = None
    scores: str | Sequence[str] | None = None
    predicted: str | None = None
    confidence: str | None = None
    label: str | None = None
    columns: Sequence[str] | None = None
    content: Sequence[str] = ()
    classes: Sequence[ClassName] | None = None
    logits: bool = False
    normalise: bool = False


@dataclass(frozen=True)
class Roles:
    """The roles of the columns of one table."""

    id: str | None
    score_list: str | None
    score_columns: tuple[str, ...]
    predicted: str | None
    confidence: str | None
    label: str | None
    columns: tuple[str, ...]
    content: tuple[str, ...]
    classes: tuple[ClassName, ...] | None
    logits: bool = False
    normalise: bool = False
    may_be_positions: bool = False

    @property
    def has_scores(self) -> bool:
        """Whether each item has a score for every class."""
        return self.score_list is not None or bool(self.score_columns)

    @property
    def outputs(self) -> tuple[str, ...]:
        """The columns with the classifier's output."""
        single = (self.score_list, self.predicted, self.confidence)
        return (*(name for name in single if name is not None), *self.score_columns)

    @property
    def used(self) -> list[str]:
        """The columns that must be read."""
        single = [self.id, self.score_list, self.predicted, self.confidence, self.label]
        return list(dict.fromkeys([c for c in single if c] + list(self.score_columns) + list(self.columns)))


def roles_of(layout: Layout, names: Sequence[str], list_columns: Sequence[str], source: str) -> Roles:
    """Resolve the role of every column, falling back to default names for roles that the user left out."""
    _check_together(layout)
    for column in [layout.id, layout.predicted, layout.confidence, layout.label, *layout.content]:
        if column is not None:
            _check_exists(column, names, source)
    id_column = layout.id or _default("id", names, layout)
    predicted, confidence = layout.predicted, layout.confidence
    score_list, score_columns = _score_columns(layout, names, list_columns, source, id_column)
    if predicted is None and score_list is None and not score_columns:
        predicted = _default("predicted", names, layout)
        if predicted is None:
            raise NotFoundError(
                f"No column of '{source}' looks like scores or predictions. Its columns are: {listing(names)}. "
                "Specify them with `scores` or `predicted`."
            )
        confidence = confidence or _default("confidence", names, layout)
    taken = {id_column, score_list, predicted, confidence, layout.label, *score_columns}
    kept = [n for n in names if n not in taken] if layout.columns is None else [*layout.columns, *layout.content]
    for column in kept:
        _check_exists(column, names, source)
    return Roles(
        id=id_column,
        score_list=score_list,
        score_columns=score_columns,
        predicted=predicted,
        confidence=confidence,
        label=layout.label,
        columns=tuple(dict.fromkeys(kept)),
        content=tuple(layout.content),
        classes=_class_names(layout, score_columns),
        logits=layout.logits,
        normalise=layout.normalise,
        may_be_positions=layout.classes is not None,  # positions make sense only if the user gave the order
    )


def _check_together(layout: Layout) -> None:
    if layout.scores is not None and (layout.predicted is not None or layout.confidence is not None):
        raise ArgumentError("Use either `scores` or `predicted` (with `confidence`), not both.")
    if layout.confidence is not None and layout.predicted is None:
        raise ArgumentError(f"`confidence` ({layout.confidence!r}) requires `predicted`. Add it, or use `scores`.")
    if layout.logits and layout.normalise:
        raise ArgumentError("Use `logits` if the scores are logits, or `normalise` if they are unscaled, not both.")
    lists = {"columns": layout.columns, "content": layout.content, "classes": layout.classes}
    for name, value in lists.items():
        if isinstance(value, str):
            raise ArgumentError(f"`{name}` must be a list of names, but is {shown(value)}. Write [{shown(value)}].")
    if layout.classes is not None:
        _check_classes([plain(name) for name in layout.classes])


def _check_classes(classes: list[ClassName]) -> None:
    if len(classes) < 2:
        raise ArgumentError(f"`classes` must have at least two classes, but is {classes}. List all of them.")
    odd = next((name for name in classes if not isinstance(name, (str, int))), None)
    if odd is not None:
        raise ArgumentError(f"Class {shown(odd)} in `classes` must be text or a whole number. Convert it.")
    twice = repeated(classes)
    if twice is not None:
        raise ArgumentError(f"Class {shown(twice)} appears twice in `classes`. Class names must be unique.")


def _check_exists(column: str, names: Sequence[str], source: str) -> None:
    if column not in names:
        raise NotFoundError(f"Column {column!r} is not in '{source}'. {hint(column, names)}")


def _default(role: str, names: Sequence[str], layout: Layout) -> str | None:
    specified = {layout.id, layout.predicted, layout.confidence, layout.label}
    return next((n for n in _DEFAULTS[role] if n in names and n not in specified), None)


def _score_columns(
    layout: Layout, names: Sequence[str], list_columns: Sequence[str], source: str, id_column: str | None
) -> tuple[str | None, tuple[str, ...]]:
    scores = layout.scores
    if scores is None:
        if layout.predicted is not None:
            return None, ()
        return _default_scores(names, list_columns)
    if isinstance(scores, str):
        if scores in list_columns:
            return scores, ()
        columns = tuple(n for n in names if fnmatchcase(n, scores) and n not in (id_column, layout.label))
        if not columns:
            raise NotFoundError(f"No column of '{source}' matches {scores!r}. Its columns are: {listing(names)}.")
    else:
        columns = tuple(scores)
        for column in columns:
            _check_exists(column, names, source)
        if repeated(columns) is not None:
            raise ArgumentError(f"Column {repeated(columns)!r} appears twice in `scores`. List one column per class.")
        if len(columns) == 1 and columns[0] in list_columns:
            return columns[0], ()
    if len(columns) == 1:
        raise DataError(
            f"Only column {columns[0]!r} of '{source}' has scores, so there is only one class; a classifier needs at "
            "least two. Specify one score column per class."
        )
    return None, columns


def _default_scores(names: Sequence[str], list_columns: Sequence[str]) -> tuple[str | None, tuple[str, ...]]:
    if "scores" in list_columns:
        return "scores", ()
    matches = [m for m in map(_DEFAULT_SCORES.fullmatch, names) if m]
    for prefix in dict.fromkeys(m[1] for m in matches):
        family = [m for m in matches if m[1] == prefix]
        if len(family) > 1 and [int(m[2]) for m in family] == list(range(len(family))):
            return None, tuple(m[0] for m in family)
    return None, ()


def _class_names(layout: Layout, score_columns: tuple[str, ...]) -> tuple[ClassName, ...] | None:
    if layout.classes is not None:
        if score_columns and len(score_columns) != len(layout.classes):
            raise ArgumentError(
                f"There are {len(score_columns)} score columns ({listing(score_columns)}), but `classes` has "
                f"{len(layout.classes)}: {listing(layout.classes)}. List one class per column."
            )
        return tuple(plain(name) for name in layout.classes)
    if not score_columns:
        return None
    prefix, suffix = _shared_ends(layout.scores, score_columns)
    parts = tuple(name.removeprefix(prefix).removesuffix(suffix) for name in score_columns)
    numbers = tuple(int(part) for part in parts if part.isdecimal())
    return numbers if len(set(numbers)) == len(parts) else parts  # p_1 and p_01 are two different classes


def _shared_ends(scores: str | Sequence[str] | None, names: tuple[str, ...]) -> tuple[str, str]:
    """Return the common prefix and suffix of the column names, around the class name."""
    if isinstance(scores, str):
        return re.split(r"[*?\[]", scores, maxsplit=1)[0], re.split(r"[*?\]]", scores)[-1]
    stem = re.match(r"\D*", names[0])
    prefix = stem[0] if stem else ""
    numbered = all(n.startswith(prefix) and n.removeprefix(prefix).isdecimal() for n in names)
    return (prefix if numbered else ""), ""
