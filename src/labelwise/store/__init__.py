"""Stores: where the events of assessments are kept."""

from labelwise.store.sqlite import SqliteJournal, SqliteStore, is_store

__all__ = ["SqliteJournal", "SqliteStore", "is_store"]
