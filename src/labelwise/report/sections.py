"""From the document of an assessment's report to sections in words: what is said, and in which order."""

from __future__ import annotations

from typing import Any

from labelwise.report.agreement import values_of
from labelwise.report.blocks import (
    MOST_ROWS,
    Block,
    Commands,
    Facts,
    Items,
    Picture,
    Section,
    Table,
    Text,
    readable,
    table_of,
)
from labelwise.report.guarantee import KINDS, promises_of
from labelwise.report.table import decimals, ends, percent

_TARGETS = {
    "pool": "exactly the items of this pool; certain once all of them are labelled",
    "population": "new items of the same kind, of which this pool is a sample",
}


def assessment_sections(document: dict[str, Any]) -> list[Section]:
    """Return the sections of a report of one assessment."""
    found = [
        Section("answer", "The answer", _answer(document)),
        Section("charts", "Charts", pictures(document)),
        Section("groups", "Every group", [_groups(document)]),
        Section("promises", "What the intervals promise", _promises(document)),
        Section("assumed", "What was assumed", [Facts(_assumed(document))]),
        Section("labellers", "Who labelled", _labellers(document)),
        Section("agreement", "Agreement", _agreement(document)),
        Section("again", "How to reproduce this report", _again(document)),
    ]
    return [section for section in found if section.blocks]


def _answer(document: dict[str, Any]) -> list[Block]:
    stop, how, labels = document["stop"], document["settings"], document["labels"]
    rule = f"The rule to stop: {stop['rule']}."
    now = stop["sentence"].replace(">=", "≥").replace("<=", "≤")
    if stop["is_met"]:
        verdict = Text(f"The stopping rule is met. {rule} Now {now}.", "met")
    elif stop["is_spent"]:
        verdict = Text(f"The stopping rule is not met, and nothing is left to ask. {rule} Now {now}.", "open")
    else:
        verdict = Text(f"The stopping rule is not met yet. {rule} Now {now}.", "open")
    blocks: list[Block] = [
        Text(readable(document["question"]), "question"),
        Text(readable(document["headline"]), "lead"),
        Text(readable(verdict.words), verdict.role),
        Items([readable(words.replace(">=", "≥").replace("<=", "≤")) for words in promises_of(document)]),
    ]
    if document["forecast"] is not None:
        blocks.append(Text(f"To meet it, {document['forecast']['sentence']}.".replace("expected (", "are expected (")))
    share = labels["told"] / max(how["items"], 1)
    blocks.append(
        Text(
            f"It rests on {labels['told']:,} labels of {how['items']:,} items ({share:.1%}) in {how['groups']:,} "
            f"groups by {readable(how['grouping'], 80)}, as of {document['time']['newest']}."
        )
    )
    blocks += _overall(document)
    if document["notes"]:
        blocks.append(Text("Before you rely on it:", "note"))
        blocks.append(Items([readable(note) for note in document["notes"]]))
    return blocks


def _overall(document: dict[str, Any]) -> list[Block]:
    rows, level = [], percent(document["settings"]["level"])
    overall, difference = document["overall"], document["difference"]
    words = document["guarantees"]
    if overall is not None:
        name = f"{document['metric']} of all items"
        rows.append([name, decimals(overall["mean"]), ends(overall), f"{level} credible", words["credible"]])
        if "always_low" in overall:
            promise = [f"{level} always valid", words["always_valid"]]
            rows.append([f"{name}, without a prior", "-", ends(overall, "always_"), *promise])
        design = overall.get("design")
        if design is not None:
            promise = [f"{level} design-based", words["design_based"]]
            rows.append([f"{name}, without a prior", decimals(design["mean"]), ends(design), *promise])
    if difference is not None:
        name = readable(f"{difference['one']} less {difference['other']} in {difference['metric']}", 120)
        interval = f"[{difference['low']:+.4f}, {difference['high']:+.4f}]"
        rows.append([name, f"{difference['mean']:+.4f}", interval, f"{level} credible", words["credible"]])
    if not rows:
        return []
    header = ["What", "Estimate", "Interval", "Kind", "What it promises"]
    blocks: list[Block] = [Table("The whole, with its intervals", header, rows, len(rows))]
    if overall is not None and overall.get("design_reason"):
        blocks.append(Text(f"Without a prior there is no estimate yet. {readable(overall['design_reason'])}", "small"))
    return blocks


def pictures(document: dict[str, Any]) -> list[Block]:
    """Return the charts of a document, each with the numbers behind it."""
    found: list[Block] = []
    for place, chart in enumerate(document["charts"]):
        hidden = "All of them are in the JSON twin (--format json)."
        numbers = table_of(chart["rows"], f"The numbers behind: {readable(chart['title'], 120)}", hidden=hidden)
        words = {name: readable(chart[name]) for name in ("title", "subtitle", "alt", "reading")}
        found.append(Picture(place, **words, numbers=numbers))
    return found


def _groups(document: dict[str, Any]) -> Table:
    rows, level = _ordered(document), percent(document["settings"]["level"])
    first = rows[0] if rows else {}
    is_best = document["question_kind"] == "best"
    header = [
        "Group",
        *(["Items"] if "items" in first else []),
        "Labels",
        document["metric"].capitalize(),
        f"{level} credible",
    ]
    header += [f"{level} always valid"] if "always_low" in first else []
    header += ["Impact"] if "impact" in first else []
    header += ["P(best)" if is_best else "P(worst)"] if "p_worst" in first else []
    header += ["Mean if all unlabelled were misses, or hits"] if "if_misses" in first else []
    cells = []
    for row in rows[:MOST_ROWS]:
        is_empty = row.get("items") == 0
        line = [readable(row["group"], 80), *([f"{row['items']:,}"] if "items" in first else []), f"{row['labels']:,}"]
        line += ["-", "-"] if is_empty else [decimals(row["mean"]), ends(row)]
        line += [_ends_or_dash(row, is_empty)] if "always_low" in first else []
        line += ["-" if is_empty else decimals(row["impact"])] if "impact" in first else []
        if "p_worst" in first:
            chance = row["p_best" if is_best else "p_worst"]
            line.append("-" if is_empty or chance is None else f"{chance:.3f}")
        if "if_misses" in first:
            line.append("-" if is_empty else f"{decimals(row['if_misses'])} to {decimals(row['if_hits'])}")
        cells.append(line)
    order = "best first" if is_best else "worst first"
    hidden = "All of them are in the JSON twin (--format json)."
    return Table(f"{document['metric'].capitalize()} by {readable(document['settings']['grouping'], 80)}, {order}",
                 header, cells, len(rows), hidden)  # fmt: skip


def _ordered(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the groups worst first where the answer has not ranked them, those without items last."""
    rows = document["groups"]
    if rows and "p_worst" in rows[0]:
        return list(rows)
    sign = 1.0 if document["worse"] == "low" else -1.0
    return sorted(rows, key=lambda row: (row.get("items") == 0, row["mean"] is None, sign * (row["mean"] or 0.0)))


def _ends_or_dash(row: dict[str, Any], is_empty: bool) -> str:
    return "-" if is_empty else ends(row, "always_")


def _promises(document: dict[str, Any]) -> list[Block]:
    level, card = percent(document["settings"]["level"]), document["coverage"]
    blocks: list[Block] = [
        Items([f"{level} {KINDS[kind]}: {sentence}." for kind, sentence in document["guarantees"].items()]),
        Text(
            f"How often intervals of level {card['level']:g} covered the truth in simulations, by how one looks at "
            f"them; {percent(card['level'])} or more is good. {card['world']} Measured by 'labelwise study card', seed "
            f"{card['seed']}."
        ),
    ]
    names = {"looked at": "Looked at"}
    shares = [{k: v if k == "looked at" else "-" if v is None else f"{v:.3f}" for k, v in row.items()}
              for row in card["rows"]]  # fmt: skip
    return [*blocks, table_of(shares, "Share of simulated runs in which the interval covered", names=names)]


def _assumed(document: dict[str, Any]) -> list[tuple[str, str]]:
    how, labels = document["settings"], document["labels"]
    missing = f"{labels['skipped']:,} skipped, {labels['unknown']:,} nobody knew"
    if labels["skipped"] + labels["unknown"]:
        missing += "; the last column of the table of groups says what they could change"
    seen = "no, they label blind" if how["is_blind"] else "yes, which may bias them towards it"
    facts = {
        "Pool": f"{readable(how['pool'], 200)}: {how['items']:,} items, {how['classes']:,} classes",
        "Groups": f"{how['groups']:,}, by {readable(how['grouping'], 200)}"
        + (f"; {how['left_out']}" if how["left_out"] else ""),
        "About": f"{how['target']}: {_TARGETS[how['target']]}",
        "Prior": readable(document["prior"], 300),
        "How items were chosen": f"{how['policy']}; within a group at random, seed {how['seed']}",
        "Rule to stop": document["stop"]["rule"],
        "Labels": f"{labels['told']:,} told, {labels['out']:,} still with labellers, {document['withdrawn']:,} taken "
        "back",
        "Items without a label": missing,
        "Labelled twice": _twice(document["agreement"]),
        "Did labellers see the prediction?": seen,
        "Opened, newest event": f"{document['time']['opened']}, {document['time']['newest']}"
        + (" (closed)" if document["time"]["is_closed"] else ""),
    }
    return list(facts.items())


def _twice(agreement: dict[str, Any]) -> str:
    n_items = agreement["items"]
    return f"{n_items:,} items; see Agreement" if n_items else "agreement: nobody labelled an item twice"


def _labellers(document: dict[str, Any]) -> list[Block]:
    if not document["labellers"]:
        return [Text("Nobody yet.")]
    rows = [row | {"labeller": row["labeller"] or "(no name)"} for row in document["labellers"]]
    return [table_of(rows, "Labels that count, by labeller", names={"not_known": "Did not know"})]


def _agreement(document: dict[str, Any]) -> list[Block]:
    """Return the section on how far labellers agree, if items were labelled twice."""
    found, state = document["agreement"], document["second_opinions"]
    if not found["items"]:
        return []
    level, words = percent(found["level"]), found["guarantees"]
    kinds = [[f"{level} credible", words[name]] for name in ("share", "kappa") if found[name] is not None]
    values = [[*row, *kind] for row, kind in zip(values_of(found), kinds, strict=True)]
    header = ["What", "Estimate", "Interval", "Kind", "What it promises"]
    names = {"one": "One", "other": "Other", "items": "Items", "agree": "Alike", "kappa": "Cohen's kappa"}
    pairs = [
        pair | {"one": readable(pair["one"], 80) or "(no name)", "other": readable(pair["other"], 80) or "(no name)",
                "kappa": "-" if pair["kappa"] is None else decimals(pair["kappa"])}
        for pair in found["pairs"]
    ]  # fmt: skip
    return [
        Text(
            f"{found['items']:,} items were labelled by two people, who said the same of {found['agree']:,}. "
            f"{state['disputed']:,} are in dispute, and {state['settled']:,} were settled. Second opinions never "
            "change the answer; what was settled does."
        ),
        Table("How far labellers agree, with intervals", header, values, len(values)),
        *([Text(f"There is no kappa: {found['reason']}.", "small")] if found["reason"] else []),
        table_of(pairs, "Agreement by pair of labellers", names=names),
    ]


def _again(document: dict[str, Any]) -> list[Block]:
    again = document["reproduce"]
    versions = ", ".join(f"{name} {number}" for name, number in again["versions"].items())
    facts = Facts(
        [
            ("Fingerprint of the pool", again["fingerprint"]),
            ("Seed", str(again["seed"])),
            ("Versions", versions),
        ]
    )
    if not again["commands"]:
        return [
            Text("The assessment lives in memory; from the same events the same page is written, byte for byte."),
            facts,
        ]
    begins = "begin the same assessment, " if again["commands"][0].startswith("labelwise new") else ""
    words = (
        f"From the same file the same page is written, byte for byte. The lines below {begins}check that nothing was "
        "changed since, write out the labels, and write this page."
    )
    return [Text(words), Commands([readable(line, 2_000) for line in again["commands"]]), facts]
