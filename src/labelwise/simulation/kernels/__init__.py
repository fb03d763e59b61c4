"""Compiled simulation of whole assessments: arrays in, arrays out, one seed per run; the only package using numba.

Nothing is imported here, so that a kernel is compiled or loaded only where it is used.
"""
