"""Stores: databases with the events of assessments."""

from labelwise.store.copy import Copied, copy_assessment
from labelwise.store.opening import open_store
from labelwise.store.postgres import PostgresStore
from labelwise.store.sqlite import SqliteStore
from labelwise.store.store import Store

__all__ = ["Copied", "PostgresStore", "SqliteStore", "Store", "copy_assessment", "open_store"]
