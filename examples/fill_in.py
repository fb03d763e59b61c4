"""Play the labeller: fill in the labels of a file from `labelwise ask` from a table of the truth.

    python examples/fill_in.py to_label.csv truth.parquet label > labelled.csv

Without an id column in the truth, an item's id is its row, counted from 0.
"""

import csv
import sys

import pyarrow.parquet as pq


def main() -> None:
    asked, truth, column = sys.argv[1:4]
    labels = pq.read_table(truth, columns=[column])[column].to_pylist()
    with open(asked, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    writer = csv.DictWriter(sys.stdout, ["ticket", "label"], lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({"ticket": row["ticket"], "label": labels[int(row["id"])]})


if __name__ == "__main__":
    main()
