"""Options that commands share, each declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

# Sections of the help. A hidden option is rare, and shown by --help-all.
READING = "Reading the predictions"
MEASURED = "Question, groups and metric"
BELIEF = "Belief and choice of items"
STOPPING = "When to stop"

# The file and its columns
File = Annotated[
    Path, typer.Argument(metavar="FILE", help="Parquet, CSV, TSV, JSON lines, NPZ, NPY, or text as in the papers.")
]
Label = Annotated[str, typer.Option(metavar="COLUMN", help="Column of true classes.", rich_help_panel=READING)]
Scores = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMNS", help="List column, wildcard ('s*'), or columns with commas.", rich_help_panel=READING
    ),
]
Predicted = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="Column of predicted classes, instead of scores.", rich_help_panel=READING),
]
Confidence = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="Column of confidences, beside --predicted.", rich_help_panel=READING),
]
Id = Annotated[str | None, typer.Option("--id", metavar="COLUMN", help="Column of item ids.", rich_help_panel=READING)]
Classes = Annotated[
    str | None,
    typer.Option(metavar="NAMES", help="Class names: 'cat,dog', a file, or FILE.csv:COLUMN.", rich_help_panel=READING),
]
Logits = Annotated[
    bool, typer.Option("--logits", help="Scores are logits; take their softmax.", rich_help_panel=READING, hidden=True)
]
Normalise = Annotated[
    bool,
    typer.Option(
        "--normalise", help="Scores are not scaled; divide by their sum.", rich_help_panel=READING, hidden=True
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        help="parquet, csv, tsv, jsonl, npz, npy or papers.",
        rich_help_panel=READING,
        hidden=True,
    ),
]
Member = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE", help="File of another member of an ensemble (repeatable).", rich_help_panel=READING, hidden=True
    ),
]
MemberScores = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMNS",
        help="Score columns of another member in the same file (repeatable).",
        rich_help_panel=READING,
        hidden=True,
    ),
]
Content = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN", help="Column that labellers are shown: text, path (repeatable).", rich_help_panel=READING
    ),
]
Show = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help="Further column to show to labellers (repeatable).", rich_help_panel=READING),
]
# Groups and metrics
By = Annotated[
    list[str] | None,
    typer.Option(
        metavar="GROUPING",
        help="prediction, score, disagreement, nothing, or a column; repeated: crossed.",
        rich_help_panel=MEASURED,
    ),
]
Map = Annotated[
    str | None,
    typer.Option(
        "--map",
        metavar="FILE",
        help="Group predicted classes by FILE.csv[:CLASS:GROUP].",
        rich_help_panel=MEASURED,
        hidden=True,
    ),
]
MinItems = Annotated[
    int,
    typer.Option(
        metavar="N", help="Leave out groups with fewer items, or pool them (--pool-rare).", min=1,
        rich_help_panel=MEASURED,
    ),
]  # fmt: skip
PoolRare = Annotated[
    bool,
    typer.Option("--pool-rare", help="Pool the groups below --min-items into one, 'others'.", rich_help_panel=MEASURED),
]
Positive = Annotated[
    str | None,
    typer.Option(
        metavar="CLASS", help="Positive class of recall, precision, f1 and fpr.", rich_help_panel=MEASURED, hidden=True
    ),
]
Bins = Annotated[
    int, typer.Option(metavar="N", help="Bins of the score.", min=1, rich_help_panel=MEASURED, hidden=True)
]
BinsOf = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Bins of the score: 15; 20 to stratify the whole.",
        min=1,
        rich_help_panel=MEASURED,
        hidden=True,
    ),
]
EqualMass = Annotated[
    bool,
    typer.Option(
        "--equal-mass", help="Bins of equally many items, not of equal width.", rich_help_panel=MEASURED, hidden=True
    ),
]
Cost = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Cost matrix as CSV; row = true class, column = predicted.",
        rich_help_panel=MEASURED,
        hidden=True,
    ),
]
# Belief
Strength = Annotated[
    float | None,
    typer.Option(
        metavar="X", help="How many labels a flat or informed prior is worth.", rich_help_panel=BELIEF, hidden=True
    ),
]
PriorFrom = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Start from what this labelled file taught.", rich_help_panel=BELIEF)
]
Discount = Annotated[
    float,
    typer.Option(
        metavar="X", help="What a label of --prior-from is worth now, from 0 to 1.", rich_help_panel=BELIEF, hidden=True
    ),
]
TargetName = Annotated[
    str,
    typer.Option(
        "--target",
        metavar="TARGET",
        help="population (new items) or pool (exactly these items).",
        rich_help_panel=BELIEF,
    ),
]
SetupTarget = Annotated[
    str | None,
    typer.Option(
        "--target",
        metavar="TARGET",
        help="pool (exactly these items, the default) or population (new items).",
        rich_help_panel=BELIEF,
    ),
]
Level = Annotated[float, typer.Option(metavar="P", help="Probability of the intervals.", rich_help_panel=BELIEF)]
Interval = Annotated[
    str, typer.Option(metavar="KIND", help="equal-tailed or highest-density.", rich_help_panel=BELIEF, hidden=True)
]
Draws = Annotated[
    int,
    typer.Option(
        metavar="N", help="Draws where no exact result is known.", min=100, rich_help_panel=BELIEF, hidden=True
    ),
]
Seed = Annotated[int, typer.Option(metavar="N", help="Seed of the draws.")]

# Assessments
# A text, not a path, which would make postgresql:/ of postgresql://
Store = Annotated[
    str,
    typer.Argument(
        metavar="STORE", help="What keeps the assessment: a file such as spring.lw, or postgresql://USER@HOST/DATABASE."
    ),
]
Name = Annotated[
    str | None,
    typer.Option("--name", metavar="NAME", help="Which assessment of the store, if there are several."),
]
Labeller = Annotated[str, typer.Option(metavar="WHO", help="Who labels.")]
Top = Annotated[
    int, typer.Option(metavar="M", help="How many groups to find, for worst and best.", min=1, rich_help_panel=MEASURED)
]
ComparePair = Annotated[
    tuple[str, str] | None,
    typer.Option("--compare", help="The two groups to compare.", metavar="A B", rich_help_panel=MEASURED),
]
Margin = Annotated[
    float | None,
    typer.Option(
        metavar="X", help="Differences up to this count as equal (compare 0.05, versus 0).", rich_help_panel=MEASURED
    ),
]
Within = Annotated[
    float | None,
    typer.Option(
        metavar="X", help="Near ties need not be decided: name a group within X of the worst.", rich_help_panel=MEASURED
    ),
]
FreshSeed = Annotated[
    int | None,
    typer.Option("--seed", metavar="N", help="Decides every random choice; drawn and kept if not given.", min=0),
]
Lease = Annotated[
    float, typer.Option(metavar="MINUTES", help="How long a ticket is held for its labeller.", hidden=True)
]
ShowPrediction = Annotated[
    bool, typer.Option("--show-prediction", help="Let labellers see what the classifier said (biases them).")
]
Rival = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="Column of another classifier's predictions, for versus and lead.",
        rich_help_panel=READING,
    ),
]
Against = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="File of another classifier's predictions, matched by id, instead of --rival.",
        rich_help_panel=READING,
    ),
]
Stop = Annotated[
    str | None,
    typer.Option(
        "--stop",
        metavar="PROMISE",
        help="guaranteed (right whatever the truth; the default where it is known) or believed (by the posterior).",
        rich_help_panel=STOPPING,
    ),
]
StopAtAll = Annotated[
    bool,
    typer.Option(
        "--stop-at-all",
        help="Stop when all of these rules are met, not at the first.",
        rich_help_panel=STOPPING,
        hidden=True,
    ),
]
# Output
Out = Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="Where to write; '-' is the terminal.")]
Rows = Annotated[int, typer.Option(metavar="N", help="Groups to print; 0 for all.", min=0)]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
