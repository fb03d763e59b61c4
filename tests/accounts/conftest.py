"""Stores of both kinds, for tests of what every store must do."""

from opened_stores import edit, opening, store, where

__all__ = ["edit", "opening", "store", "where"]
