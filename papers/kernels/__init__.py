"""Protocols of the published code, compiled: what only the papers need."""
