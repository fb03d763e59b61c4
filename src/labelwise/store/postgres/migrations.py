"""The schema of the PostgreSQL tables, as a list of migrations. A released migration never changes."""

from __future__ import annotations

# Names and keys are bytes: PostgreSQL's text type cannot contain NUL characters, and its order depends on the server.
# They are indexed by hash, because an index cannot hold long values. The view shows them as text.
MIGRATIONS: list[tuple[str, ...]] = [
    (
        """
        CREATE TABLE {at}assessments (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            name bytea NOT NULL,
            n_events integer NOT NULL DEFAULT 0,
            last_hash bytea NOT NULL DEFAULT ''
        )
        """,
        "CREATE UNIQUE INDEX assessments_by_name ON {at}assessments (sha256(name))",
        """
        CREATE TABLE {at}events (
            assessment bigint NOT NULL REFERENCES {at}assessments (id),
            number integer NOT NULL,
            kind text NOT NULL,
            body text NOT NULL,
            key bytea,
            hash bytea NOT NULL,
            PRIMARY KEY (assessment, number)
        )
        """,
        "CREATE UNIQUE INDEX events_by_key ON {at}events (assessment, sha256(key)) WHERE key IS NOT NULL",
        "CREATE TABLE {at}pieces (name text PRIMARY KEY, data bytea NOT NULL)",
        """
        CREATE VIEW {at}history AS
        SELECT
            CASE WHEN position('\\x00'::bytea IN a.name) > 0 THEN encode(a.name, 'escape')
                ELSE convert_from(a.name, 'UTF8') END AS assessment,
            e.number,
            e.kind,
            e.body,
            CASE WHEN position('\\x00'::bytea IN e.key) > 0 THEN encode(e.key, 'escape')
                ELSE convert_from(e.key, 'UTF8') END AS key
        FROM {at}events e JOIN {at}assessments a ON a.id = e.assessment
        """,
    ),
    (
        """
        CREATE TABLE {at}accounts (
            name bytea NOT NULL,
            role text NOT NULL,
            password text NOT NULL,
            changed double precision NOT NULL
        )
        """,
        "CREATE UNIQUE INDEX accounts_by_name ON {at}accounts (sha256(name))",
        """
        CREATE TABLE {at}sessions (
            hash bytea PRIMARY KEY,
            name bytea NOT NULL,
            role text NOT NULL,
            kind text NOT NULL,
            until double precision NOT NULL,
            began double precision NOT NULL
        )
        """,
        "CREATE INDEX sessions_by_name ON {at}sessions (sha256(name))",
        "CREATE INDEX sessions_by_until ON {at}sessions (until)",
        """
        CREATE TABLE {at}audit (
            number integer PRIMARY KEY,
            at double precision NOT NULL,
            who bytea NOT NULL,
            what text NOT NULL,
            about text NOT NULL,
            hash bytea NOT NULL
        )
        """,
        """
        CREATE TABLE {at}audit_head (
            id integer PRIMARY KEY CHECK (id = 1),
            n_entries integer NOT NULL DEFAULT 0,
            last_hash bytea NOT NULL DEFAULT ''
        )
        """,
        "INSERT INTO {at}audit_head (id) VALUES (1)",
    ),
    (
        """
        CREATE TABLE {at}snapshots (
            assessment bigint PRIMARY KEY REFERENCES {at}assessments (id),
            n_events integer NOT NULL,
            hash bytea NOT NULL,
            data bytea NOT NULL
        )
        """,
    ),
]
