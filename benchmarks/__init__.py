"""Benchmarks: what labelwise costs, measured side by side with others. Nothing here is part of the package."""
