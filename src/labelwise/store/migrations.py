"""The schema of the SQLite file, as a list of migrations. A released migration never changes."""

from __future__ import annotations

APPLICATION_ID = 0x6C776973  # "lwis"

MIGRATIONS: list[tuple[str, ...]] = [
    (
        """
        CREATE TABLE assessments (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            n_events INTEGER NOT NULL DEFAULT 0,
            last_hash BLOB NOT NULL DEFAULT x''
        )
        """,
        """
        CREATE TABLE events (
            assessment INTEGER NOT NULL REFERENCES assessments (id),
            number INTEGER NOT NULL,
            kind TEXT NOT NULL,
            body TEXT NOT NULL,
            key TEXT,
            hash BLOB NOT NULL,
            PRIMARY KEY (assessment, number)
        ) WITHOUT ROWID
        """,
        "CREATE UNIQUE INDEX events_by_key ON events (assessment, key) WHERE key IS NOT NULL",
        "CREATE TABLE pieces (name TEXT PRIMARY KEY, data BLOB NOT NULL)",
    ),
    (
        """
        CREATE TABLE accounts (
            name TEXT PRIMARY KEY,
            role TEXT NOT NULL,
            password TEXT NOT NULL,
            changed REAL NOT NULL
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE sessions (
            hash BLOB PRIMARY KEY,
            name TEXT NOT NULL,
            role TEXT NOT NULL,
            kind TEXT NOT NULL,
            until REAL NOT NULL,
            began REAL NOT NULL
        ) WITHOUT ROWID
        """,
        "CREATE INDEX sessions_by_name ON sessions (name)",
        "CREATE INDEX sessions_by_until ON sessions (until)",
        """
        CREATE TABLE audit (
            number INTEGER PRIMARY KEY,
            at REAL NOT NULL,
            who TEXT NOT NULL,
            what TEXT NOT NULL,
            about TEXT NOT NULL,
            hash BLOB NOT NULL
        )
        """,
        """
        CREATE TABLE audit_head (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            n_entries INTEGER NOT NULL DEFAULT 0,
            last_hash BLOB NOT NULL DEFAULT x''
        )
        """,
        "INSERT INTO audit_head (id) VALUES (1)",
    ),
    (
        """
        CREATE TABLE snapshots (
            assessment INTEGER PRIMARY KEY REFERENCES assessments (id),
            n_events INTEGER NOT NULL,
            hash BLOB NOT NULL,
            data BLOB NOT NULL
        )
        """,
    ),
]
