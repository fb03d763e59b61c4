"""The PostgreSQL store; psycopg is imported only here, and only when a store is opened."""

from labelwise.store.postgres.address import is_address
from labelwise.store.postgres.store import PostgresStore

__all__ = ["PostgresStore", "is_address"]
