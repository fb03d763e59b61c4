"""The papers' tables, one small file a group of them: published value, ours, and whether they agree."""

from labelwise.reproduce.estimation import table_3, table_8
from labelwise.reproduce.identification import table_6
from labelwise.reproduce.reproduction import Reproduction, Row
from labelwise.reproduce.sources import Sources

TABLES = {"3": table_3, "6": table_6, "8": table_8}

__all__ = ["TABLES", "Reproduction", "Row", "Sources"]
