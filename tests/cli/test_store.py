"""`labelwise store`: work on the file itself."""

import csv
import sqlite3

import labelwise as lw
from assessed import labelled


def test_salvage_writes_a_store_and_the_labels_beyond_the_damage(tmp_path, command, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with lw.SqliteStore("a.lw") as store:
        labelled(store)
    connection = sqlite3.connect("a.lw")
    with connection:
        connection.execute("UPDATE events SET kind = 'skipped' WHERE number = 30")
    connection.close()
    assert "labelwise store salvage" in command("status", "a.lw").err
    done = command("store", "salvage", "a.lw", "-o", "b.lw", "--labels", "beyond.csv")
    assert (done.code, done.err) == (0, "")
    assert done.out == "'main': 30 events kept, 1 event damaged. 10 labels beyond the damage in 'beyond.csv'.\n"
    with open("beyond.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 10
    assert set(rows[0]) == {"assessment", "id", "item", "label", "labeller", "at", "ticket", "event"}
    again = command("store", "salvage", "a.lw", "-o", "b.lw")
    assert (again.code, again.err) == (
        4,
        "Error: 'b.lw' already exists and is not overwritten. Choose another name.\n",
    )
