"""Stores: databases with the events of assessments."""

from labelwise.store.copy import Copied, copy_assessment
from labelwise.store.opening import is_store, open_store, shown_place
from labelwise.store.postgres import PostgresStore, is_address
from labelwise.store.sqlite import SqliteStore
from labelwise.store.store import Store

__all__ = [
    "Copied",
    "PostgresStore",
    "SqliteStore",
    "Store",
    "copy_assessment",
    "is_address",
    "is_store",
    "open_store",
    "shown_place",
]
