"""Stores: where the events of assessments are kept, and who may sign in to a server of them."""

from labelwise.store.accounts import Account, Accounts
from labelwise.store.audit import Audit, Entry
from labelwise.store.copying import Copied, copy_assessment
from labelwise.store.opening import is_store, open_store, shown_place
from labelwise.store.postgres import PostgresStore, is_address
from labelwise.store.sessions import ROLES, Session
from labelwise.store.sqlite import SqliteStore
from labelwise.store.store import Store

__all__ = [
    "ROLES",
    "Account",
    "Accounts",
    "Audit",
    "Copied",
    "Entry",
    "PostgresStore",
    "Session",
    "SqliteStore",
    "Store",
    "copy_assessment",
    "is_address",
    "is_store",
    "open_store",
    "shown_place",
]
