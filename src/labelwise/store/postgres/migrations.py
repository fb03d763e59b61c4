"""The form of the tables, as numbered steps: a list, and a loop elsewhere. A step, once released, never changes."""

from __future__ import annotations

# Names and keys are bytes: PostgreSQL's text cannot hold a null character, and its order depends on the server. They
# are found by their hash, for an index cannot hold long ones. The view shows them to people.
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
]
