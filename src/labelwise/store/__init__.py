"""Stores: where the events of assessments are kept."""

from labelwise.store.sqlite import SqliteJournal, SqliteStore

__all__ = ["SqliteJournal", "SqliteStore"]
